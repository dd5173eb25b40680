//! Settings by name, as scene files and `--set` give them.

use super::json::{Node, Wrong};
use crate::error::ModelError;
use crate::model::{Respond, Settings};

/// The settings that a scene file may hold.
pub(crate) const SETTINGS: [&str; 9] = [
    "gravity",
    "dt",
    "substeps",
    "iterations",
    "damping",
    "rigid_damping",
    "response",
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
            let word = node.text()?;
            let found = Respond::ALL.into_iter().find(|r| r.name() == word);
            let names = Respond::ALL.map(Respond::name);
            let unknown = || node.lacks(ModelError::unknown("response", word, names));
            settings.response = found.ok_or_else(unknown)?;
        }
        _ => unreachable!("a setting that is listed but not read"),
    }
    Ok(())
}
