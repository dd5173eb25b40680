//! `"groups"` in scene files.

use super::builder::Builder;
use super::form::{Forms, forms, list_forms};
use super::indices::{Members, members};
use super::message::refused;
use super::place::{Place, SceneError};
use super::rows::StiffnessEntry;
use super::values::{Finite, Fraction, Index, NotNegative, Plain, Positive, Vector, Whole};
use crate::groups::{Fluid, FluidNumbers, Plastic};
use crate::rows::Stiffness;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// What holds for any number of particles together.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = list_forms::<GroupEntry>)]
pub(super) struct GroupEntry {
    /// What it is.
    kind: String,
    /// Its particles, by their places.
    #[schemars(with = "Option<Members>")]
    particles: Option<Value>,
    /// The closed surface, wound outward.
    triangles: Option<Vec<[Index; 3]>>,
    /// How many times its rest volume the surface would enclose; left out, 1.
    pressure: Option<NotNegative>,
    /// The volume enclosed at rest [m³]; left out, measured.
    rest_volume: Option<Finite>,
    /// The rest shape, a point for each particle [m]; left out, the given positions.
    rest: Option<Vec<Vector>>,
    /// The strain above which the shape flows; left out, 0.
    r#yield: Option<NotNegative>,
    /// How fast it flows; left out, 0: not at all [1/s].
    creep: Option<NotNegative>,
    /// Rest density ρ0 [kg/m³], of particles that weigh ρ0 (2 radius)³.
    rest_density: Option<Positive>,
    /// Radius of a particle [m]: half the distance of neighbors at rest.
    radius: Option<Positive>,
    /// Kernel support h [m]; left out, four radii.
    support: Option<Positive>,
    /// c of XSPH viscosity, 0..1; left out, 0.01.
    viscosity: Option<Fraction>,
    /// Viscosity [Pa s] of particles that weigh ρ0 (2r)³; left out, 0.
    dynamic_viscosity: Option<NotNegative>,
    /// Surface tension [N/m]; left out, 0.
    surface_tension: Option<NotNegative>,
    /// k of the artificial pressure; left out, 0.
    s_corr: Option<NotNegative>,
    /// ε of vorticity confinement [m/s]; left out, 0.
    vorticity: Option<NotNegative>,
    /// How often the fluid is projected in an iteration; left out, as its depth asks.
    rounds: Option<Whole<1, 1000>>,
    /// PBD stiffness k; left out, 1.
    stiffness: Option<Fraction>,
    /// XPBD compliance α, in place of `stiffness`.
    compliance: Option<NotNegative>,
    /// XPBD damping b, beside a compliance.
    damping: Option<NotNegative>,
}

forms! {
    GroupEntry, kind, "kind of group";
    "pressure": "A closed surface keeps its volume.",
        [triangles], [pressure rest_volume stiffness compliance damping];
    "shape": "Particles keep the shape they have at rest.",
        [particles], [rest r#yield creep stiffness compliance damping];
    "fluid": "Particles lie no denser than at rest.",
        [particles rest_density radius], [support viscosity dynamic_viscosity surface_tension s_corr vorticity rounds];
}

/// A warning of `yield` alone.
pub(super) const NOTHING_FLOWS: &str = "without \"creep\" nothing flows";

/// What flows above a strain, if anything.
pub(super) fn plastic(strain: Option<NotNegative>, creep: Option<NotNegative>) -> Option<Plastic> {
    let creep = creep.plain().filter(|creep| *creep > 0.0)?;
    Some(Plastic { strain: strain.plain().unwrap_or_default(), creep })
}

/// How far gravity may move the particles of a fluid in a substep, in parts of their distance: at 0.35 water lies within a hundredth of its
/// level, at 1.4 it boils for ever (docs/fluids.md, "Bounds").
const FALLS: f64 = 0.4;

/// Warns of a fluid of particles so small that it boils.
fn warn_of_long_substeps(fluid: &FluidNumbers, to: &mut Builder, place: Place) {
    let settings = &to.model.settings;
    let g = settings.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
    let most = (FALLS * 2.0 * fluid.radius / g).sqrt();
    if settings.h() > most {
        let substeps = (settings.dt / most).ceil();
        to.warnings.push(format!(
            "{place}: a fluid of radius {} m boils in substeps longer than {most:.1e} s: take {substeps} substeps",
            fluid.radius
        ));
    }
}

impl GroupEntry {
    /// Adds the group.
    pub(super) fn add(&self, to: &mut Builder, place: Place) -> Result<(), SceneError> {
        let form = self.form(place)?;
        let (stiffness, compliance, damping) = (self.stiffness, self.compliance, self.damping);
        let stiffness = StiffnessEntry { stiffness, compliance, damping };
        let stiffness = stiffness.read(|what| place.error(what))?.unwrap_or(Stiffness::Factor(1.0));
        if self.r#yield.is_some() && self.creep.is_none() {
            to.warnings.push(format!("{place}.yield: {NOTHING_FLOWS}"));
        }
        let count = to.model.positions().len();
        let particles = || members(place, place.need("particles", self.particles.as_ref())?, count);
        place.accept(match form {
            "pressure" => {
                let mut triangles = Vec::new();
                for (i, triangle) in self.triangles.iter().flatten().enumerate() {
                    triangles.push(place.particles(&format!("triangles[{i}]"), triangle, count)?);
                }
                let pressure = self.pressure.plain().unwrap_or(1.0);
                let (model, list) = to.pressures();
                list.add(model, &triangles, pressure, self.rest_volume.plain(), stiffness)
            }
            "shape" => {
                let rest = self.rest.as_ref();
                let rest = rest.map(|list| list.iter().map(|x| x.plain()).collect::<Vec<_>>());
                let refuse = || place.at("particles", refused("\"all\"", "must be a list"));
                let particles = particles()?.ok_or_else(refuse)?;
                let (model, list) = to.shapes();
                let plastic = plastic(self.r#yield, self.creep);
                list.add(model, &particles, rest.as_deref(), stiffness, plastic)
            }
            _ => {
                to.finish_groups();
                let particles = particles()?.unwrap_or_else(|| (0..count as u32).collect());
                let numbers = self.fluid(place)?;
                warn_of_long_substeps(&numbers, to, place);
                let fluid = Fluid::new(&*to.model, particles, numbers);
                fluid.and_then(|fluid| to.model.add_subsystem(fluid))
            }
        })
    }

    fn fluid(&self, place: Place) -> Result<FluidNumbers, SceneError> {
        let usual = FluidNumbers::default();
        Ok(FluidNumbers {
            rest_density: place.need("rest_density", self.rest_density)?.plain(),
            radius: place.need("radius", self.radius)?.plain(),
            support: self.support.plain(),
            viscosity: self.viscosity.plain().unwrap_or(usual.viscosity),
            dynamic_viscosity: self.dynamic_viscosity.plain().unwrap_or(usual.dynamic_viscosity),
            surface_tension: self.surface_tension.plain().unwrap_or(usual.surface_tension),
            s_corr: self.s_corr.plain().unwrap_or(usual.s_corr),
            vorticity: self.vorticity.plain().unwrap_or(usual.vorticity),
            rounds: self.rounds.plain(),
        })
    }
}
