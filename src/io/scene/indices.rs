//! Particles that an entry is about: all, or a list of them.

use super::message::{quoted, refused};
use super::place::{Place, SceneError};
use super::values::Index;
use schemars::JsonSchema;
use serde_json::Value;

/// `"all"` particles, or a list of them.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "for the schema")]
pub(super) enum Members {
    #[schemars(extend("const" = "all"))]
    All(String),
    List(Vec<Index>),
}

/// Particles of a list, each below `count`; nothing where all are meant.
pub(super) fn members(
    place: Place,
    given: &Value,
    count: usize,
) -> Result<Option<Vec<u32>>, SceneError> {
    match given {
        Value::String(word) if word == "all" => Ok(None),
        Value::String(word) => {
            Err(place.at("particles", refused(quoted(word), "must be \"all\" or a list")))
        }
        list => {
            let list: Vec<Index> = place.read("particles", list)?;
            let particle =
                |(i, index)| place.index(format!("particles[{i}]"), index, (count, "particles"));
            list.into_iter().enumerate().map(particle).collect::<Result<_, _>>().map(Some)
        }
    }
}
