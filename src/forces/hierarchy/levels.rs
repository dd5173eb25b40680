//! Coarser and coarser graphs of what distances join (Müller, *Hierarchical Position Based Dynamics*, 2008, section 4).
//!
//! A level keeps particles of which no two are joined, pinned ones first and then in the order of their numbers; every other
//! one then has a neighbor that is kept, its parent. Two that are kept are joined where a particle, or an edge, between them
//! leads from one to the other, by the length of the shortest such path. The source keeps as many particles, measures lengths
//! in the rest pose, and lets a particle have any mass: a path needs no rest pose, and here a level's masses add up to those
//! of the one below, so that corrections carried down keep linear momentum.

use crate::coloring::Lists;

/// The most parents of a particle: the nearest ones.
pub(super) const PARENTS: usize = 4;

/// Two particles and how far apart they may come.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) ends: [u32; 2],
    /// (m).
    pub(super) length: f64,
    /// (m/N).
    pub(super) compliance: f64,
}

/// Particles and the edges between them.
pub(super) struct Graph {
    /// (1/kg); zero for those that are pinned.
    pub(super) inverse_masses: Vec<f64>,
    pub(super) edges: Vec<Edge>,
}

/// A particle, its parents a level up, and the share of the motion of each that it takes.
pub(super) struct Share {
    pub(super) particle: u32,
    pub(super) parents: [(u32, f64); PARENTS],
}

/// A level above a graph.
pub(super) struct Coarser {
    pub(super) graph: Graph,
    /// Which particle of the graph below each one is.
    pub(super) kept: Vec<u32>,
    /// How particles below follow.
    pub(super) shares: Vec<Share>,
}

/// Edges of each particle, as the other end and the edge.
type Neighbors = Lists<(u32, u32)>;

impl Graph {
    /// The next level; none where it would be hardly smaller.
    pub(super) fn coarser(&self) -> Option<Coarser> {
        let neighbors = Neighbors::of(self.inverse_masses.len(), |act| {
            for (edge, &Edge { ends: [a, b], .. }) in (0..).zip(&self.edges) {
                act(a, (b, edge));
                act(b, (a, edge));
            }
        });
        let is_kept = self.kept(&neighbors);
        let kept: Vec<u32> =
            (0..).zip(&is_kept).filter(|(_, kept)| **kept).map(|(i, _)| i).collect();
        let mut above = vec![None; is_kept.len()];
        (0..).zip(&kept).for_each(|(k, &i)| above[i as usize] = Some(k));
        let edges = self.paths(&neighbors, &above);
        if edges.is_empty() || 4 * kept.len() > 3 * is_kept.len() {
            return None;
        }
        let shares = self.shares(&neighbors, &above);
        let inverse_masses = self.lumped(&kept, &shares);
        Some(Coarser { graph: Graph { inverse_masses, edges }, kept, shares })
    }

    fn is_pinned(&self, i: u32) -> bool {
        self.inverse_masses[i as usize] == 0.0
    }

    fn kept(&self, neighbors: &Neighbors) -> Vec<bool> {
        let joined = |i: &u32| !neighbors.get(*i as usize).is_empty();
        let all = 0..self.inverse_masses.len() as u32;
        let mut kept: Vec<bool> = all.clone().map(|i| self.is_pinned(i) && joined(&i)).collect();
        for i in all.filter(|i| !self.is_pinned(*i) && joined(i)) {
            kept[i as usize] = neighbors.get(i as usize).iter().all(|&(j, _)| !kept[j as usize]);
        }
        kept
    }

    /// The shortest edges between particles that are kept; `above` says where those stand.
    fn paths(&self, neighbors: &Neighbors, above: &[Option<u32>]) -> Vec<Edge> {
        let parents = |i: u32| {
            let parent = |&(j, edge): &(u32, u32)| {
                let Edge { length, compliance, .. } = self.edges[edge as usize];
                Some(Edge { ends: [above[j as usize]?, j], length, compliance })
            };
            neighbors.get(i as usize).iter().filter_map(parent)
        };
        let nearest = |i: u32| parents(i).min_by(|a, b| a.length.total_cmp(&b.length));
        let mut found = Vec::new();
        let mut join = |a: Edge, b: Edge, between: Option<&Edge>| {
            let movable = !(self.is_pinned(a.ends[1]) && self.is_pinned(b.ends[1]));
            if a.ends[0] != b.ends[0] && movable {
                let [length, compliance] = [|e: &Edge| e.length, |e: &Edge| e.compliance]
                    .map(|of| of(&a) + of(&b) + between.map_or(0.0, of));
                let ends = [a.ends[0].min(b.ends[0]), a.ends[0].max(b.ends[0])];
                found.push(Edge { ends, length, compliance });
            }
        };
        for i in (0..above.len() as u32).filter(|&i| above[i as usize].is_none()) {
            for (k, a) in parents(i).enumerate() {
                parents(i).skip(k + 1).for_each(|b| join(a, b, None));
            }
        }
        for edge in
            self.edges.iter().filter(|e| e.ends.iter().all(|&i| above[i as usize].is_none()))
        {
            if let [Some(a), Some(b)] = edge.ends.map(nearest) {
                join(a, b, Some(edge));
            }
        }
        found.sort_by(|a, b| a.ends.cmp(&b.ends).then(a.length.total_cmp(&b.length)));
        found.dedup_by_key(|edge| edge.ends);
        found
    }

    /// What is kept follows itself, the rest its nearest parents, nearer ones more.
    fn shares(&self, neighbors: &Neighbors, above: &[Option<u32>]) -> Vec<Share> {
        let follow = |particle: u32| {
            let mut near: Vec<(f64, u32)> = match above[particle as usize] {
                Some(own) => vec![(1.0, own)],
                None => {
                    let parent = |&(j, edge): &(u32, u32)| {
                        Some((self.edges[edge as usize].length.max(1e-9), above[j as usize]?))
                    };
                    neighbors.get(particle as usize).iter().filter_map(parent).collect()
                }
            };
            near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            near.truncate(PARENTS);
            let sum: f64 = near.iter().map(|(length, _)| 1.0 / length).sum();
            let (_, first) = *near.first()?;
            let share = |k: usize| near.get(k).map_or((first, 0.0), |&(l, p)| (p, 1.0 / l / sum));
            Some(Share { particle, parents: std::array::from_fn(share) })
        };
        let movable = (0..above.len() as u32).filter(|&i| !self.is_pinned(i));
        movable.filter_map(follow).collect()
    }

    /// The mass of each particle kept: of all that follows it, as much as its share.
    fn lumped(&self, kept: &[u32], shares: &[Share]) -> Vec<f64> {
        let mut masses = vec![0.0; kept.len()];
        for Share { particle, parents } in shares {
            for &(parent, share) in parents {
                masses[parent as usize] += share / self.inverse_masses[*particle as usize];
            }
        }
        let inverse = |(&i, mass): (&u32, f64)| if self.is_pinned(i) { 0.0 } else { 1.0 / mass };
        kept.iter().zip(masses).map(inverse).collect()
    }
}
