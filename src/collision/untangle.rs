//! How the sheets of a tangled cloth are displaced against each other until none passes through another.
//!
//! A region that contours cut off (`regions.rs`) goes back as a whole, against the normals N of the triangles that its edges pass
//! through: d = Σ ±N. Where a contour ends inside both sheets it cuts off nothing, and they are displaced so that it becomes shorter:
//! d = Σ ±G (`contours.rs`). Of each such push one side goes by a d, the other by -b d, in proportion to the masses that
//! they take along:
//!
//! ```text
//! Δx = d (a w+ - b w-),   a = M- / (M+ + M-),  b = M+ / (M+ + M-),   M = Σ m w      so that Σ m Δx = 0
//! w = 1 - ring / (rings + 1)                                                        by edges away from the side
//! ```
//!
//! A cloth so bends and shears over many edges in place of one, as all that stretches is pulled back with a speed.

use super::cloth_graph::{ClothGraph, Rings};
use super::contours::{Contours, Crossing, unit};
use super::regions::Regions;
use crate::math::Vec3;
use std::collections::{BTreeMap, BTreeSet};

/// A side takes along so many rings, and twice as many as the region is deep.
const RINGS: usize = 6;
/// The corners that all pushes of a substep move together, in as many cloths: what is more is left for later.
const MOST_MOVED: usize = 32;
/// Where directions of a region's edges agree by less than this, it is pushed less.
const AGREE: f64 = 0.3;
/// The same of the ends of a contour.
const SHORTENS: f64 = 0.5;
/// So many rings around a contour that cuts off nothing contacts would hold.
const NEAR: usize = 2;

/// Two sides that are displaced against each other.
#[derive(Clone, Default)]
struct Push {
    /// Where the first goes against the second, no further than one.
    direction: [f64; 3],
    /// What of them is tangled itself.
    sides: [Vec<u32>; 2],
    /// How many rings around them they take along.
    rings: usize,
    /// How many rings around them the usual contacts would hold where they are wrong.
    wrong: [usize; 2],
    /// The region that is the whole first side, if one is.
    region: Option<u32>,
}

impl Push {
    fn toward(&mut self, way: Vec3<f64>) {
        self.direction = (Vec3::from(self.direction) + way).to_array();
    }

    /// Makes the direction one, or less where the sum is less than `least`.
    fn level(&mut self, least: f64) {
        let sum = Vec3::from(self.direction);
        self.direction = (unit(sum) * (sum.length() / least).min(1.0)).to_array();
    }
}

/// What a substep does to a tangled cloth.
#[derive(Default)]
pub(super) struct Untangling {
    /// How far each corner goes, where none goes further than one.
    pub(super) shifts: Vec<Vec3<f64>>,
    /// The sides of pushes that each corner is on, ascending: twice the number of the push, and one more on its second side.
    pub(super) marks: Vec<Vec<u32>>,
    /// The corners that each side of each push moves, and by what share w.
    pub(super) moved: Vec<Vec<(u32, f64)>>,
}

impl Untangling {
    /// Of a cloth that passes through itself at `crossings`; `masses` are zero where a corner cannot move.
    pub(super) fn new(graph: &ClothGraph, crossings: &[Crossing], masses: &[f64]) -> Self {
        let count = graph.len();
        let (shifts, marks) = (vec![Vec3::zero(); count], vec![Vec::new(); count]);
        let mut all = Self { shifts, marks, moved: Vec::new() };
        if crossings.is_empty() {
            return all;
        }
        let (regions, mut rings) = (Regions::new(graph, crossings, masses), Rings::new(count));
        let mut pushes = of_regions(graph, crossings, &regions, &mut rings);
        pushes.extend(of_contours(graph, crossings, &regions));
        let mut left = MOST_MOVED * count;
        for (push, k) in pushes.iter().zip(0..) {
            let mut first = rings.walk(graph, &push.sides[0], push.rings, |_| true);
            // Of sides that are joined by few edges each takes along what is nearer to it.
            let second: BTreeSet<_> = push.sides[1].iter().collect();
            let between = first.iter().find(|(corner, _)| second.contains(corner));
            let most = between.map_or(push.rings, |(_, ring)| (ring / 2).min(push.rings));
            first.retain(|(_, ring)| *ring <= most);
            let is_open = |corner| push.region != Some(regions.region(corner));
            let second = rings.walk(graph, &push.sides[1], most, is_open);
            let moved = first.len() + second.len();
            all.add(push, (k, most), [first, second], masses);
            if moved > left {
                break;
            }
            left -= moved;
        }
        let most = all.shifts.iter().map(|shift| shift.length()).fold(1.0, f64::max);
        all.shifts.iter_mut().for_each(|shift| *shift = *shift * (1.0 / most));
        all
    }

    /// Adds push number `k`, of which `walks` are the corners and rings of the sides, `most` rings in all.
    fn add(
        &mut self,
        push: &Push,
        (k, most): (u32, usize),
        walks: [Vec<(u32, usize)>; 2],
        masses: &[f64],
    ) {
        let weight = |ring: usize| 1.0 - ring as f64 / (most + 1) as f64;
        let mass = |corner: u32| masses[corner as usize];
        let [m, n] = walks.each_ref().map(|walk| {
            walk.iter().map(|&(corner, ring)| weight(ring) * mass(corner)).sum::<f64>()
        });
        let held = |side: &Vec<u32>| side.iter().any(|&corner| mass(corner) <= 0.0);
        let shares = match push.sides.each_ref().map(held) {
            [true, false] => [0.0, 1.0],
            [false, true] => [1.0, 0.0],
            _ if m + n > 0.0 => [n / (m + n), m / (m + n)],
            _ => [0.0; 2],
        };
        let direction = Vec3::from(push.direction);
        for (side, walk) in walks.iter().enumerate() {
            let way = direction * [shares[0], -shares[1]][side];
            for &(corner, ring) in walk {
                if mass(corner) > 0.0 {
                    self.shifts[corner as usize] += way * weight(ring);
                }
                if ring <= push.wrong[side] {
                    self.marks[corner as usize].push(2 * k + side as u32);
                }
            }
            let share = |&(corner, ring): &(u32, usize)| (corner, weight(ring));
            self.moved.push(walk.iter().map(share).collect());
        }
    }
}

/// Pushes of regions that have passed through.
fn of_regions(
    graph: &ClothGraph,
    crossings: &[Crossing],
    regions: &Regions,
    rings: &mut Rings,
) -> Vec<Push> {
    let mut pushes = BTreeMap::<u32, (Push, usize)>::new();
    for crossing in crossings {
        let edge = graph.edges[crossing.edge as usize];
        let Some([inner, _]) = regions.inner(edge) else { continue };
        let region = regions.region(inner);
        let (push, count) = pushes.entry(region).or_default();
        let outward = if inner == edge[0] { crossing.along } else { -crossing.along };
        let is_over = outward.dot(crossing.normal) >= 0.0;
        push.toward(if is_over { crossing.normal } else { -crossing.normal });
        push.sides[0].push(inner);
        let crossed = graph.triangles[crossing.triangle as usize].into_iter();
        push.sides[1].extend(crossed.filter(|&corner| regions.region(corner) != region));
        *count += 1;
    }
    let whole = |(region, (mut push, count)): (u32, (Push, usize))| {
        let is_in = |corner| regions.region(corner) == region;
        let all = rings.walk(graph, &push.sides[0], usize::MAX, is_in);
        let depth = all.last().map_or(0, |(_, ring)| *ring);
        push.sides[0] = all.into_iter().map(|(corner, _)| corner).collect();
        push.level(AGREE * count as f64);
        push.rings = RINGS + 2 * depth;
        push.wrong = [0, push.rings];
        push.region = Some(region);
        push
    };
    pushes.into_iter().map(whole).collect()
}

/// Pushes of contours that cut off nothing.
fn of_contours(graph: &ClothGraph, crossings: &[Crossing], regions: &Regions) -> Vec<Push> {
    let contours = Contours::trace(graph, crossings);
    let mut pushes = vec![Push::default(); contours.count];
    for (k, crossing) in crossings.iter().enumerate() {
        let (push, sheet) = (&mut pushes[contours.of[k] as usize], contours.sheets[k]);
        let edge = graph.edges[crossing.edge as usize];
        if let Some([inner, _]) = regions.inner(edge) {
            push.region = Some(regions.region(inner));
        }
        let gradient = contours.gradients[k];
        push.toward(if sheet == 0 { gradient } else { -gradient });
        push.sides[sheet].extend(edge);
        push.sides[1 - sheet].extend(graph.triangles[crossing.triangle as usize]);
        push.rings += 1;
    }
    pushes.retain(|push| push.region.is_none());
    for push in &mut pushes {
        push.level(SHORTENS);
        push.rings = RINGS + push.rings / 2;
        push.wrong = [NEAR; 2];
    }
    pushes
}
