//! The program as a user meets it (docs/scene-format.md, "Command line").

mod arms;
mod bench;
mod checkpoint;
mod compare;
mod edges;
mod exit;
mod experiment;
mod forms;
mod gallery;
mod manual;
mod names;
mod outputs;
#[cfg(unix)]
mod profile;
mod record;
mod report;
mod schema;
mod settings;

use crate::common::taut;
use serde_json::Value;

/// A chain of three, the settings of its file unlike any default.
const CHAIN: &str = r#"{ "taut": 1, "name": "chain", "gravity": [0, -1, 0], "dt": 0.01, "substeps": 3, "iterations": 4,
  "method": "scalar", "particles": { "position": [[0,0,0],[1,0,0],[2,0,0]], "inverse_mass": [0,1,1] },
  "constraints": [ { "kind": "distance", "particles": [0,1] },
                   { "kind": "distance", "particles": [1,2], "rest_length": 0.8, "compliance": 0.001 } ] }"#;

fn run_json(arguments: &[&str]) -> Value {
    let mut all = vec!["run", arguments[0], "--json", "-"];
    if !arguments.contains(&"--frames") {
        all.extend(["--frames", "3"]);
    }
    all.extend(&arguments[1..]);
    taut(&all).json()
}

/// A particle so fast that it leaves f32 in a step.
const FAR: &str =
    r#"{"taut": 1, "dt": 10, "particles": {"position": [[0,0,0]], "velocity": [[3e38,0,0]]}}"#;
