//! Settings by name, as scene files and `--set` give them.

use super::json::{Node, Wrong};
use crate::error::ModelError;
use crate::model::{Respond, Settings};
use crate::rigid::{Gyro, Rigid};

/// The settings that a scene file may hold.
pub(crate) const SETTINGS: [&str; 9] = [
    "gravity",
    "dt",
    "substeps",
    "iterations",
    "damping",
    "rigid_damping",
    "response",
    "rigid",
    "gyro",
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
            settings.response = one_of(node, "response", &Respond::ALL, Respond::name)?;
        }
        "rigid" => settings.rigid = one_of(node, "rigid", &Rigid::ALL, Rigid::name)?,
        "gyro" => settings.gyro = one_of(node, "gyro", &Gyro::ALL, Gyro::name)?,
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
