//! Storage orders for meshes without structure.
//!
//! Reverse Cuthill-McKee (Cuthill & McKee 1969, reversed by George 1971): breadth first from a vertex of low degree, so that
//! particles that share rows lie close. Worth 1.3-3x over a random order, and fewer colors: icosphere 11 -> 7
//! (`docs/notes/measured.md`, layout and numbering).

use super::{Lists, Permutation, RowList};

/// Neighbors of every particle: those it shares a row with, each once.
fn neighbors(rows: &[RowList], particles: usize) -> Lists<u32> {
    let all = Lists::of(particles, |act| {
        for row in rows.iter().flat_map(|list| list.rows()) {
            for (slot, &a) in row.iter().enumerate() {
                for &b in &row[slot + 1..] {
                    act(a, b);
                    act(b, a);
                }
            }
        }
    });
    all.sorted_distinct()
}

/// Reverse Cuthill-McKee over the graph of shared rows. Particles in no row come last.
pub fn reverse_cuthill_mckee(rows: &[RowList], particles: usize) -> Permutation {
    let graph = neighbors(rows, particles);
    let degree = |i: u32| graph.get(i as usize).len();
    let mut starts: Vec<u32> = (0..particles as u32).collect();
    starts.sort_by_key(|&i| degree(i));
    let (alone, starts) = starts.split_at(starts.partition_point(|&i| degree(i) == 0));
    let mut order = Vec::with_capacity(particles);
    let mut seen = vec![false; particles];
    let mut next = Vec::new();
    for &start in starts {
        if std::mem::replace(&mut seen[start as usize], true) {
            continue;
        }
        let mut head = order.len();
        order.push(start);
        while head < order.len() {
            next.clear();
            for &n in graph.get(order[head] as usize) {
                if !std::mem::replace(&mut seen[n as usize], true) {
                    next.push(n);
                }
            }
            next.sort_by_key(|&i| degree(i));
            order.extend_from_slice(&next);
            head += 1;
        }
    }
    order.reverse();
    order.extend_from_slice(alone);
    let mut storage = vec![0; particles];
    for (slot, &i) in order.iter().enumerate() {
        storage[i as usize] = slot as u32;
    }
    Permutation::new(storage, particles).expect("a breadth-first search visits every vertex once")
}
