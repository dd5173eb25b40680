//! Settings by name, as scene files and `--set` give them.

use super::json::{Node, Wrong};
use crate::model::Settings;

/// The settings that a scene file may hold.
pub(crate) const SETTINGS: [&str; 5] = ["gravity", "dt", "substeps", "iterations", "damping"];

/// Puts one setting in place.
pub(crate) fn apply_setting(settings: &mut Settings, key: &str, node: &Node) -> Result<(), Wrong> {
    match key {
        "gravity" => settings.gravity = node.vector()?,
        "dt" => settings.dt = node.positive()?,
        "substeps" => settings.substeps = node.whole(1, u32::MAX)?,
        "iterations" => settings.iterations = node.whole(0, u32::MAX)?,
        "damping" => settings.damping = node.at_least(0.0)?,
        _ => unreachable!("a setting that is listed but not read"),
    }
    Ok(())
}
