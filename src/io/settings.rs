//! Settings by name, as scene files and `--set` give them.

use super::json::{Node, Wrong};
use crate::error::ModelError;
use crate::settings::{Gather, Respond, Settings};
use crate::settings::{Gyro, Rigid};

/// The settings that a scene file may hold.
pub(crate) const SETTINGS: [&str; 17] = [
    "gravity",
    "dt",
    "substeps",
    "iterations",
    "damping",
    "rigid_damping",
    "response",
    "rigid",
    "gyro",
    "tolerance",
    "omega",
    "jacobi",
    "spectral_radius",
    "colors",
    "split_mass",
    "wind",
    "drag",
];

/// Puts one setting in place.
pub(crate) fn apply_setting(settings: &mut Settings, key: &str, node: &Node) -> Result<(), Wrong> {
    match key {
        "gravity" => settings.gravity = node.vector()?,
        "dt" => settings.dt = node.positive()?,
        "substeps" => settings.substeps = node.whole(1, u32::MAX)?,
        "iterations" => settings.iterations = node.whole(0, u32::MAX)?,
        "damping" => settings.damping = node.at_least(0.0)?,
        "rigid_damping" => match node.number()? {
            k if (0.0..=1.0).contains(&k) => settings.rigid_damping = k,
            _ => return Err(node.wrong("must be in 0..1")),
        },
        "wind" => settings.wind = node.vector()?,
        "drag" => settings.drag = Some(node.at_least(0.0)?),
        "response" => {
            settings.response = one_of(node, "response", &Respond::ALL, Respond::name)?;
        }
        "rigid" => settings.rigid = one_of(node, "rigid", &Rigid::ALL, Rigid::name)?,
        "gyro" => settings.gyro = one_of(node, "gyro", &Gyro::ALL, Gyro::name)?,
        "tolerance" => settings.tolerance = node.at_least(0.0)?,
        "omega" => match node.number()? {
            omega if omega > 0.0 && omega <= 2.0 => settings.omega = omega,
            _ => return Err(node.wrong("must be above 0 and at most 2")),
        },
        "jacobi" => settings.jacobi = one_of(node, "jacobi", &Gather::ALL, Gather::name)?,
        "spectral_radius" => match node.number()? {
            radius if (0.0..1.0).contains(&radius) => settings.spectral_radius = radius,
            _ => return Err(node.wrong("must be at least 0 and below 1")),
        },
        "colors" => settings.colors = node.whole(1, u32::MAX)?,
        "split_mass" => settings.split_mass = node.boolean()?,
        _ => unreachable!("a setting that is listed but not read"),
    }
    Ok(())
}

/// The one of `all` that goes by the given word.
fn one_of<T: Copy>(
    node: &Node,
    what: &'static str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, Wrong> {
    let word = node.text()?;
    let found = all.iter().copied().find(|&one| name(one) == word);
    let names = all.iter().map(|&one| name(one));
    found.ok_or_else(|| node.lacks(ModelError::unknown(what, word, names)))
}
