//! Settings by name, as scene files and `--set` give them.

use super::json::{Node, Wrong};
use crate::error::ModelError;
use crate::model::{Gather, Respond, Settings};

/// The settings that a scene file may hold.
pub(crate) const SETTINGS: [&str; 13] = [
    "gravity",
    "dt",
    "substeps",
    "iterations",
    "damping",
    "rigid_damping",
    "response",
    "tolerance",
    "omega",
    "jacobi",
    "spectral_radius",
    "colors",
    "split_mass",
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
        "response" => {
            let word = node.text()?;
            let found = Respond::ALL.into_iter().find(|r| r.name() == word);
            let names = Respond::ALL.map(Respond::name);
            let unknown = || node.lacks(ModelError::unknown("response", word, names));
            settings.response = found.ok_or_else(unknown)?;
        }
        "tolerance" => settings.tolerance = node.at_least(0.0)?,
        "omega" => match node.number()? {
            omega if omega > 0.0 && omega <= 2.0 => settings.omega = omega,
            _ => return Err(node.wrong("must be above 0 and at most 2")),
        },
        "jacobi" => {
            let word = node.text()?;
            let found = Gather::ALL.into_iter().find(|g| g.name() == word);
            let names = Gather::ALL.map(Gather::name);
            let unknown = || node.lacks(ModelError::unknown("jacobi", word, names));
            settings.jacobi = found.ok_or_else(unknown)?;
        }
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
