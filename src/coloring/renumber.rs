//! Storage orders for meshes without structure.
//!
//! Reverse Cuthill-McKee (Cuthill & McKee 1969, reversed by George 1971): breadth first from a vertex of low degree, so that
//! particles that share rows lie close. Worth 1.3-3x over a random order, and fewer colors: icosphere 11 -> 7
//! (`docs/notes/measured.md`, layout and numbering).

use super::{Permutation, RowList};

/// Neighbors of every particle: those it shares a row with, each once.
struct Graph {
    starts: Vec<u32>,
    neighbors: Vec<u32>,
}

impl Graph {
    fn new(rows: &[RowList], particles: usize) -> Self {
        let each = |act: &mut dyn FnMut(u32, u32)| {
            for list in rows {
                for row in list.rows() {
                    for (slot, &a) in row.iter().enumerate() {
                        for &b in &row[slot + 1..] {
                            act(a, b);
                            act(b, a);
                        }
                    }
                }
            }
        };
        let mut starts = vec![0_u32; particles + 1];
        each(&mut |a, _| starts[a as usize + 1] += 1);
        for i in 0..particles {
            starts[i + 1] += starts[i];
        }
        let mut fill = starts.clone();
        let mut neighbors = vec![0; starts[particles] as usize];
        each(&mut |a, b| {
            neighbors[fill[a as usize] as usize] = b;
            fill[a as usize] += 1;
        });
        let mut graph = Self { starts, neighbors };
        graph.remove_repeats();
        graph
    }

    fn remove_repeats(&mut self) {
        let mut kept = 0;
        let mut begin = 0;
        for i in 0..self.starts.len() - 1 {
            let end = self.starts[i + 1] as usize;
            let list = &mut self.neighbors[begin..end];
            list.sort_unstable();
            begin = end;
            let first = kept;
            for at in end - list.len()..end {
                let neighbor = self.neighbors[at];
                if kept == first || self.neighbors[kept - 1] != neighbor {
                    self.neighbors[kept] = neighbor;
                    kept += 1;
                }
            }
            self.starts[i + 1] = kept as u32;
            self.starts[i] = first as u32;
        }
        self.neighbors.truncate(kept);
    }

    fn neighbors(&self, i: u32) -> &[u32] {
        &self.neighbors[self.starts[i as usize] as usize..self.starts[i as usize + 1] as usize]
    }
}

/// Reverse Cuthill-McKee over the graph of shared rows. Particles in no row come last.
pub fn reverse_cuthill_mckee(rows: &[RowList], particles: usize) -> Permutation {
    let graph = Graph::new(rows, particles);
    let degree = |i: u32| graph.neighbors(i).len();
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
            for &n in graph.neighbors(order[head]) {
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
