//! Long-range attachments: ropes from a cloth's particles to the nearest pin, so that few iterations hold its weight.
//!
//! A particle comes no further from a pin than the length of the shortest path to it along the edges at rest: a row of kind
//! `tether` with C = d - |x - pin| >= 0 (Kim, Chentanez, Müller, *Long Range Attachments*, 2012; S1-40). Not every particle
//! needs one: those between two attached ones are held by their edges, so only particles some edges apart are attached,
//! the furthest from the pins first. A quarter of them in each direction costs a few rows in a hundred.

use crate::constraints::Tether;
use crate::error::ModelError;
use crate::mesh::edge_length;
use crate::model::Model;
use crate::rows::Stiffness;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Adds a tether to the nearest pinned particle, along `edges`, for particles more than `spacing` edges apart (zero: every
/// one). Returns how many there are; particles that no path leads to a pin have none.
///
/// # Errors
/// None that edges of existing particles can cause.
///
/// # Panics
/// If an edge names a particle that does not exist.
pub fn attach(model: &mut Model, edges: &[[u32; 2]], spacing: usize) -> Result<usize, ModelError> {
    let count = model.positions().len();
    let mut neighbors: Vec<Vec<(u32, f64)>> = vec![Vec::new(); count];
    for &[a, b] in edges {
        let length = edge_length(model.positions(), [a, b]);
        neighbors[a as usize].push((b, length));
        neighbors[b as usize].push((a, length));
    }
    // Dijkstra from all pins at once. Lengths are not negative, so their bits sort as they do.
    let mut nearest: Vec<Option<(f64, u32)>> = vec![None; count];
    let pinned = |i: &u32| model.inverse_masses()[*i as usize] == 0.0;
    let pins = (0..count as u32).filter(pinned);
    let mut waiting: BinaryHeap<_> = pins.map(|i| Reverse((0_u64, i, i))).collect();
    while let Some(Reverse((bits, i, pin))) = waiting.pop() {
        if nearest[i as usize].is_some() {
            continue;
        }
        let length = f64::from_bits(bits);
        nearest[i as usize] = Some((length, pin));
        for &(next, edge) in &neighbors[i as usize] {
            if nearest[next as usize].is_none() {
                waiting.push(Reverse(((length + edge).to_bits(), next, pin)));
            }
        }
    }
    let mut order: Vec<(f64, u32, u32)> = (0..count as u32)
        .filter_map(|i| nearest[i as usize].map(|(length, pin)| (length, i, pin)))
        .filter(|(length, i, _)| *length > 0.0 && !pinned(i))
        .collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut near = vec![false; count];
    let mut chosen = Vec::new();
    for (length, i, pin) in order {
        if near[i as usize] {
            continue;
        }
        chosen.push((i, pin, length));
        let mut ring = vec![i];
        near[i as usize] = true;
        let mut covered = vec![i];
        for _ in 0..spacing {
            let reached = ring.iter().flat_map(|&a| &neighbors[a as usize]);
            ring = reached.map(|(next, _)| *next).filter(|next| !covered.contains(next)).collect();
            ring.sort_unstable();
            ring.dedup();
            covered.extend_from_slice(&ring);
            ring.iter().for_each(|&a| near[a as usize] = true);
        }
    }
    let made = chosen.len();
    for (i, pin, length) in chosen {
        model.add(Tether, [i, pin], [Some(length)], Stiffness::Factor(1.0))?;
    }
    Ok(made)
}
