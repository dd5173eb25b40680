//! `"groups"` in scene files.

use super::form::{Forms, forms, list_forms};
use super::indices::{Members, all_within, members};
use super::message::refused;
use super::place::{Place, Wrong};
use super::rows::StrengthEntry;
use super::values::{Finite, Fraction, Index, NotNegative, Plain, Positive, Vector};
use crate::groups::{Fluid, FluidNumbers, Plastic, Pressures, Shapes};
use crate::model::Model;
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
    viscosity: Option<NotNegative>,
    /// k of the artificial pressure; left out, 0.
    s_corr: Option<NotNegative>,
    /// ε of vorticity confinement [m/s]; left out, 0.
    vorticity: Option<NotNegative>,
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
        [particles rest_density radius], [support viscosity s_corr vorticity];
}

/// What flows above a strain, if anything.
pub(super) fn plastic(strain: Option<NotNegative>, creep: Option<NotNegative>) -> Option<Plastic> {
    let creep = creep.map(Plain::plain).filter(|creep| *creep > 0.0)?;
    let strain = strain.map_or(0.0, Plain::plain);
    Some(Plastic { strain, creep })
}

/// Groups on their way into a model: those of one kind that follow each other are one part.
#[derive(Default)]
pub(super) struct GroupList {
    pressures: Option<Pressures>,
    shapes: Option<Shapes>,
}

impl GroupList {
    /// The surfaces under pressure that the next one joins.
    pub(super) fn pressures(&mut self, model: &mut Model) -> &mut Pressures {
        if let Some(shapes) = self.shapes.take() {
            model.add_subsystem(shapes);
        }
        self.pressures.get_or_insert_default()
    }

    /// The clusters that the next one joins.
    pub(super) fn shapes(&mut self, model: &mut Model) -> &mut Shapes {
        if let Some(pressures) = self.pressures.take() {
            model.add_subsystem(pressures);
        }
        self.shapes.get_or_insert_default()
    }

    /// Puts what is left into the model.
    pub(super) fn finish(self, model: &mut Model) {
        if let Some(pressures) = self.pressures {
            model.add_subsystem(pressures);
        }
        if let Some(shapes) = self.shapes {
            model.add_subsystem(shapes);
        }
    }

    /// Adds one group of a scene file.
    pub(super) fn add(
        &mut self,
        model: &mut Model,
        group: &GroupEntry,
        place: Place,
    ) -> Result<(), Wrong> {
        let form = group.form(place)?;
        let strength = StrengthEntry::new(group.stiffness, group.compliance, group.damping);
        let strength = strength.strength(|what| place.lacks(what))?;
        let count = model.positions().len();
        let particles = || {
            members(
                place,
                place.need("particles", group.particles.as_ref())?,
                count,
            )
        };
        let added = match form {
            "pressure" => {
                let mut triangles = Vec::new();
                for (i, triangle) in group.triangles.iter().flatten().enumerate() {
                    triangles.push(all_within(
                        place,
                        &format!("triangles[{i}]"),
                        triangle,
                        count,
                    )?);
                }
                let pressure = group.pressure.map_or(1.0, Plain::plain);
                let volume = group.rest_volume.map(Plain::plain);
                let list = self.pressures(model);
                list.add(&*model, &triangles, pressure, volume, strength)
            }
            "shape" => {
                let rest = group.rest.as_ref();
                let rest: Option<Vec<_>> =
                    rest.map(|list| list.iter().map(|x| x.plain()).collect());
                let refuse = || place.at("particles", refused("\"all\"", "must be a list"));
                let particles = particles()?.ok_or_else(refuse)?;
                let plastic = plastic(group.r#yield, group.creep);
                let list = self.shapes(model);
                list.add(&*model, &particles, rest.as_deref(), strength, plastic)
            }
            _ => {
                std::mem::take(self).finish(model);
                let particles = particles()?.unwrap_or_else(|| (0..count as u32).collect());
                let fluid = Fluid::new(&*model, particles, group.fluid(place)?);
                fluid.map(|fluid| model.add_subsystem(fluid))
            }
        };
        added.map_err(|error| place.lacks(error))
    }
}

impl GroupEntry {
    fn fluid(&self, place: Place) -> Result<FluidNumbers, Wrong> {
        let usual = FluidNumbers::default();
        Ok(FluidNumbers {
            rest_density: place.need("rest_density", self.rest_density)?.plain(),
            radius: place.need("radius", self.radius)?.plain(),
            support: self.support.map(Plain::plain),
            viscosity: self.viscosity.map_or(usual.viscosity, Plain::plain),
            s_corr: self.s_corr.map_or(usual.s_corr, Plain::plain),
            vorticity: self.vorticity.map_or(usual.vorticity, Plain::plain),
        })
    }
}
