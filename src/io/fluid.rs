//! Fluids in scene files.

use super::groups::index;
use super::json::{Node, Wrong};
use crate::groups::{Fluid, FluidNumbers};
use crate::model::Model;

const KEYS: [&str; 8] = [
    "kind",
    "particles",
    "rest_density",
    "radius",
    "support",
    "viscosity",
    "s_corr",
    "vorticity",
];

/// Adds a group of kind `fluid`.
pub(super) fn add_fluid(model: &mut Model, node: &Node) -> Result<(), Wrong> {
    let group = node.object(&KEYS)?;
    let particles = group.need("particles")?;
    let particles = match particles.text() {
        Ok("all") => (0..model.positions().len() as u32).collect(),
        Ok(_) => return Err(particles.wrong("must be \"all\" or a list")),
        Err(_) => particles.list(|n| index(&n, model))?,
    };
    let usual = FluidNumbers::default();
    let numbers = FluidNumbers {
        rest_density: group.need("rest_density")?.positive()?,
        radius: group.need("radius")?.positive()?,
        support: group.maybe("support", |n| n.positive())?,
        viscosity: group
            .maybe("viscosity", |n| n.at_least(0.0))?
            .unwrap_or(usual.viscosity),
        s_corr: group
            .maybe("s_corr", |n| n.at_least(0.0))?
            .unwrap_or(usual.s_corr),
        vorticity: group
            .maybe("vorticity", |n| n.at_least(0.0))?
            .unwrap_or(usual.vorticity),
    };
    let fluid = Fluid::new(model, particles, numbers).map_err(|error| node.lacks(error))?;
    model.add_part(fluid);
    Ok(())
}
