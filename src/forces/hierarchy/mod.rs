//! Hierarchical position-based dynamics: before rows are projected, coarse levels of what distances join are, the coarsest
//! first, and what they move carries the rest along (Müller, *Hierarchical Position Based Dynamics*, 2008; S1-40).
//!
//! ```text
//! for each level, the coarsest first
//!     iterations x { d - |a - b| >= 0 for each edge of the level }
//!     x_i <- x_i + Σ φ_ij (x_j - x_j*)         what each particle j of it was moved by, to the level below
//! ```
//!
//! An iteration carries a correction one row far, so that cloth of a thousand rows needs as many; a level has edges twice as
//! long as the one below, and a handful of them span any cloth. Edges hold as ropes do, so that cloth may still fold.

mod levels;
#[cfg(test)]
mod tests;

use crate::coloring::{RowList, first_fit};
use crate::constraints::{Compliant, Particle, Response, Tether, per_substep, project};
use crate::math::{Real, Vec3};
use crate::rigid::{Packets, each_color};
use crate::rows::{AnyRows, ResponseKind, convert};
use crate::settings::Settings;
use crate::state::{Consecutive, Width};
use crate::subsystem::{BuildContext, StepContext};
use crate::threads::{Cells, Worker};
use levels::{Coarser, Edge, Graph, PARENTS, Share};
use std::ops::Range;

/// Fewer packets than these a worker are not worth a meeting of workers.
const WORTH: usize = 32;

/// α/h² over w_a + w_b from which on a distance is a spring, whose length levels must not hold: they would pull beside it, and make it
/// as many times stiffer. In a chain of such springs a correction fades within h √(w/α) of them, ten at most, so that ten iterations do
/// without levels.
const YIELDING: f64 = 0.01;

type Element<W> = <W as Consecutive>::Element;

/// Edges side by side.
struct Packet<W: Width> {
    slots: [W::Slots; 2],
    length: W,
    response: Compliant<W>,
}

/// Particles side by side and what they follow.
struct Followers<W: Width> {
    slots: W::Slots,
    parents: [W::Slots; PARENTS],
    shares: [W; PARENTS],
}

/// A level above the particles.
struct Level<W: Width> {
    /// Where its particles are stored, side by side, and their inverse masses here.
    members: Vec<(W::Slots, W)>,
    /// Where they were predicted, with their inverse masses.
    start: Cells<[Element<W>; 4]>,
    /// How far they have been moved: sums of small numbers, which positions would round off.
    moved: Cells<[Element<W>; 4]>,
    packets: Vec<Packet<W>>,
    colors: Vec<Range<usize>>,
    lambda: Cells<[W; 1]>,
    /// Particles of the level below, the lowest level's by where they are stored.
    followers: Vec<Followers<W>>,
}

/// The levels, the finest first.
pub(crate) struct Hierarchy<W: Width> {
    levels: Vec<Level<W>>,
    iterations: u32,
}

impl<W: Width> Hierarchy<W> {
    /// At most as many levels as the settings ask for, above the distances in `rows`; none where there are no distances.
    pub(crate) fn new<'a>(
        context: &BuildContext,
        rows: impl Iterator<Item = &'a dyn AnyRows>,
    ) -> Option<Self> {
        let settings = context.settings;
        if settings.hierarchy == 0 {
            return None;
        }
        let inverse_masses: Vec<f64> =
            context.inverse_masses.iter().map(|&w| f64::from(w)).collect();
        let edges = edges(rows, settings, &inverse_masses);
        let mut graph = Graph { inverse_masses, edges };
        let mut levels: Vec<Level<W>> = Vec::new();
        // Where the particles of the graph are stored.
        let all = 0..context.inverse_masses.len() as u32;
        let mut slots: Vec<u32> = all.map(|i| context.permutation.storage(i)).collect();
        for _ in 0..settings.hierarchy {
            let Some(coarser) = graph.coarser() else { break };
            let below: &dyn Fn(u32) -> u32 = match levels.is_empty() {
                true => &|i| context.permutation.storage(i),
                false => &|i| i,
            };
            let kept: Vec<u32> = coarser.kept.iter().map(|&i| slots[i as usize]).collect();
            levels.push(Level::new(&coarser, &kept, below, settings));
            (graph, slots) = (coarser.graph, kept);
        }
        (!levels.is_empty()).then_some(Self { levels, iterations: settings.iterations })
    }

    /// Moves predicted positions to where coarse levels want them.
    pub(crate) fn project(&self, worker: &Worker, step: &StepContext<Element<W>>) {
        for level in &self.levels {
            level.begin(worker, step);
        }
        for (i, level) in self.levels.iter().enumerate().rev() {
            for k in 0..self.iterations {
                let act = |packets| level.project_edges(packets, k == 0);
                each_color(worker, &level.colors, false, WORTH, &act);
            }
            worker.parallel_for(level.followers.len(), |range| {
                for followers in &level.followers[range] {
                    match i.checked_sub(1) {
                        Some(below) => level.move_level(followers, &self.levels[below]),
                        None => level.move_particles(followers, step),
                    }
                }
            });
        }
    }
}

/// The distances of all rows that hold; one that PBD gives a stiffness below 1 does not, nor one that is [`YIELDING`].
fn edges<'a>(
    rows: impl Iterator<Item = &'a dyn AnyRows>,
    settings: &Settings,
    inverse_masses: &[f64],
) -> Vec<Edge> {
    let mut edges = Vec::new();
    for set in rows.filter(|set| set.name() == "distance") {
        let [stiffness, _] = set.stiffness_lists();
        let (rows, _) = set.row_list().particles.as_chunks::<2>();
        for ((&ends, &length), stiffness) in rows.iter().zip(set.param_list()).zip(stiffness.iter())
        {
            let compliance = match convert(settings.response, set.response_kind(), stiffness) {
                (ResponseKind::Stiff, k) if k < 1.0 => continue,
                (ResponseKind::Stiff, _) => 0.0,
                (_, alpha) => f64::from(alpha),
            };
            let weight: f64 = ends.iter().map(|&i| inverse_masses[i as usize]).sum();
            if per_substep(compliance, settings.h()) > YIELDING * weight {
                continue;
            }
            edges.push(Edge { ends, length: f64::from(length), compliance });
        }
    }
    edges
}

impl<W: Width> Level<W> {
    /// `kept` says where its particles are stored, `below` where one of the level below lies there.
    fn new(
        coarser: &Coarser,
        kept: &[u32],
        below: &dyn Fn(u32) -> u32,
        settings: &Settings,
    ) -> Self {
        let Coarser { graph, shares, .. } = coarser;
        let (count, blocks) = (kept.len(), kept.len().div_ceil(W::LANES));
        let member = |block: usize| {
            let i = |lane: usize| (block * W::LANES + lane).min(count - 1);
            let weights = W::singles(|lane| graph.inverse_masses[i(lane)] as f32);
            (W::slots(|lane| kept[i(lane)]), weights)
        };
        let (colors, packets) = packets(graph, settings.h());
        let empty = || Cells::new(blocks * W::LANES, [Element::<W>::zero(); 4]);
        Self {
            members: (0..blocks).map(member).collect(),
            start: empty(),
            moved: empty(),
            lambda: Cells::new(packets.len(), [W::zero()]),
            packets,
            colors,
            followers: shares
                .chunks(W::LANES)
                .map(|shares| Followers::new(shares, below))
                .collect(),
        }
    }

    /// Takes the predicted positions.
    fn begin(&self, worker: &Worker, step: &StepContext<Element<W>>) {
        worker.parallel_for(self.members.len(), |range| {
            for block in range {
                let (slots, w) = self.members[block];
                let [site] = step.positions.load::<W, 1>([slots]);
                let w = W::select(W::zero().lt(site.w), w, W::zero()); // who is held stays
                let own = [W::consecutive(block * W::LANES)];
                let still = Particle::new(Vec3::zero(), w);
                W::store_particles(self.start.shared().at(own), [Particle::new(site.x, w)]);
                W::store_particles(self.moved.shared().at(own), [still]);
            }
        });
    }

    fn project_edges(&self, packets: Range<usize>, first: bool) {
        let (starts, records) = (self.start.shared(), self.moved.shared());
        for i in packets {
            let Packet { slots, length, response } = &self.packets[i];
            let mut moved = W::load_particles(records.at(*slots));
            let mut sites = W::load_particles(starts.at(*slots));
            for end in 0..2 {
                sites[end].x += moved[end].x;
            }
            let mut lambda = if first { [W::zero()] } else { self.lambda.get(i) };
            let still = [Vec3::zero(); 2];
            project::<Tether, _, _, _, 2, 1, 1>(
                &mut sites,
                still,
                [*length],
                *response,
                &mut lambda,
            );
            self.lambda.set(i, lambda);
            for end in 0..2 {
                moved[end].x += sites[end].moved;
            }
            W::store_particles(records.at(*slots), moved);
        }
    }

    /// Σ φ (x - x*) over the parents.
    #[inline(always)]
    fn motion(&self, followers: &Followers<W>) -> Vec3<W> {
        let mut sum = Vec3::zero();
        for (&parent, &share) in followers.parents.iter().zip(&followers.shares) {
            let [moved] = W::load_particles(self.moved.shared().at([parent]));
            sum += moved.x * share;
        }
        sum
    }

    fn move_level(&self, followers: &Followers<W>, below: &Self) {
        let records = below.moved.shared();
        let [mut moved] = W::load_particles(records.at([followers.slots]));
        moved.x += self.motion(followers);
        W::store_particles(records.at([followers.slots]), [moved]);
    }

    fn move_particles(&self, followers: &Followers<W>, step: &StepContext<Element<W>>) {
        let [mut site] = step.positions.load::<W, 1>([followers.slots]);
        let moves = W::zero().lt(site.w);
        site.correct(Vec3::select(moves, self.motion(followers), Vec3::zero()));
        step.positions.store([followers.slots], [site]);
    }
}

impl<W: Width> Followers<W> {
    /// As many as there are lanes, the last one again in those left over.
    fn new(shares: &[Share], below: &dyn Fn(u32) -> u32) -> Self {
        let share = |lane: usize| &shares[lane.min(shares.len() - 1)];
        let parents = |k: usize| W::slots(|lane| share(lane).parents[k].0);
        let weights = |k: usize| W::singles(|lane| share(lane).parents[k].1 as f32);
        Self {
            slots: W::slots(|lane| below(share(lane).particle)),
            parents: std::array::from_fn(parents),
            shares: std::array::from_fn(weights),
        }
    }
}

/// A level's edges, color by color.
fn packets<W: Width>(graph: &Graph, h: f64) -> (Vec<Range<usize>>, Vec<Packet<W>>) {
    let ends: Vec<[u32; 2]> = graph.edges.iter().map(|edge| edge.ends).collect();
    let rows = RowList { particles: ends.as_flattened(), arity: 2 };
    let coloring = first_fit(rows, graph.inverse_masses.len(), 0..ends.len() as u32);
    let mut order = Packets::default();
    coloring.colors().iter().for_each(|color| order.push(color, W::LANES));
    let packet = |rows: &[u32]| {
        let edge = |lane: usize| &graph.edges[rows[lane] as usize];
        let alpha = |lane: usize| per_substep(edge(lane).compliance, h) as f32;
        Packet {
            slots: [0, 1].map(|end| W::slots(|lane| edge(lane).ends[end])),
            length: W::singles(|lane| edge(lane).length as f32),
            response: Compliant::new([W::singles(alpha), W::zero()]),
        }
    };
    let packets = order.rows.chunks_exact(W::LANES).map(packet).collect();
    (order.colors, packets)
}
