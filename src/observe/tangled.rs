//! How many edges of cloths in contact with themselves pass through triangles.

use crate::collision::tangles;
use crate::model::Model;
use crate::state::Snapshot;

/// Pairs of an edge and a triangle that pass through each other, each checked exactly; of a model without such a cloth, nothing.
pub fn tangled(model: &Model, state: &Snapshot) -> Option<usize> {
    let cloths = &model.contacts()?.cloths;
    let count = |triangles: &Vec<[u32; 3]>| tangles(&state.positions, triangles);
    let of_all = cloths.iter().map(|cloth| count(&cloth.triangles)).sum();
    (!cloths.is_empty()).then_some(of_all)
}
