//! Particles, bodies and vertices by their places in their lists.

use super::message::{quoted, refused};
use super::place::{Place, Wrong};
use super::values::{Index, Plain};
use schemars::JsonSchema;
use serde_json::Value;

/// A list of exactly N.
pub(super) fn exactly<'a, T, const N: usize>(
    key: &str,
    list: &'a [T],
    place: Place,
) -> Result<&'a [T; N], Wrong> {
    let given = || format!("a list of {}", list.len());
    let wrong = |_| place.at(key, refused(given(), format!("must be a list of {N}")));
    list.try_into().map_err(wrong)
}

/// An index below `count`.
pub(super) fn within(index: Index, count: usize, of: &str) -> Result<u32, String> {
    match index.plain() {
        i if (i as usize) < count => Ok(i),
        i if count == 0 => Err(refused(i, format!("there are no {of}"))),
        i => Err(refused(
            i,
            format!("must be a whole number from 0 to {}", count - 1),
        )),
    }
}

/// Particles, each below `count`; N of them.
pub(super) fn all_within<const N: usize>(
    place: Place,
    key: &str,
    list: &[Index; N],
    count: usize,
) -> Result<[u32; N], Wrong> {
    let mut indices = [0; N];
    for (i, index) in indices.iter_mut().enumerate() {
        let found = within(list[i], count, "particles");
        *index = found.map_err(|what| place.at(format!("{key}[{i}]"), what))?;
    }
    Ok(indices)
}

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
) -> Result<Option<Vec<u32>>, Wrong> {
    if let Value::String(word) = given {
        let refused = refused(quoted(word), "must be \"all\" or a list");
        let wrong = || place.at("particles", refused);
        return (word == "all").then_some(None).ok_or_else(wrong);
    }
    let list: Vec<Index> = place.read("particles", given)?;
    let index = |(i, index)| {
        let found = within(index, count, "particles");
        found.map_err(|what| place.at(format!("particles[{i}]"), what))
    };
    list.into_iter()
        .enumerate()
        .map(index)
        .collect::<Result<_, _>>()
        .map(Some)
}
