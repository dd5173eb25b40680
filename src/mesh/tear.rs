//! Surfaces that come apart where an edge is stretched too far.
//!
//! ```text
//! an edge breaks where |a - b|² > limit²; a vertex v of it is split by the plane through v across the edge:
//! triangles whose center is on the edge's side keep v, the others take a copy of it
//! ```
//!
//! The tearing cloth of Müller et al., *Position Based Dynamics* (2006). Of the two ends a vertex on the rim
//! is split before one inside: a tear that has begun goes on. The most stretched edge comes first, and what lies around a vertex that was split
//! is left alone until the next call, as it has just been relieved. A vertex whose triangles no longer hang together by edges is
//! split too, so that no parts hang on a point. Computed in f64 from f32 positions: the result depends on them alone.

use super::measure::point;
use crate::math::Vec3;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;

/// A surface that tears where an edge is stretched too far (as in Müller et al., *Position Based Dynamics*, 2006): a vertex
/// of the edge is split in two.
///
/// Rows go with the triangles: one whose particles are corners of a triangle, or of two side by side, is there for as long as these
/// triangles have those corners, and twice where both sides of a tear have it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tear {
    /// Its triangles among those of the model.
    pub triangles: Range<usize>,
    /// Their corners as authored.
    pub corners: Vec<[u32; 3]>,
    /// An edge breaks where it is longer than 1 + strain times its length at rest.
    pub strain: f64,
    /// Particles that are to become copies of vertices. Until then they have no mass, are in no row and touch nothing.
    pub copies: Range<u32>,
}

/// What decides where a surface comes apart.
pub(crate) struct Tension<'a> {
    /// m.
    pub(crate) positions: &'a [[f32; 3]],
    /// The square of the length at which each side of each triangle breaks: of corners 0-1, 1-2 and 2-0 (m²).
    pub(crate) limits: &'a [[f64; 3]],
    /// Whether a vertex may be split.
    pub(crate) may_split: &'a dyn Fn(u32) -> bool,
}

/// A surface while it comes apart.
struct Parting<'a, 'b> {
    triangles: Vec<[u32; 3]>,
    tension: &'a Tension<'a>,
    /// The next copy that a triangle may take.
    copy: &'a mut (dyn FnMut(u32) -> Option<u32> + 'b),
    /// The triangles at each vertex.
    around: BTreeMap<u32, Vec<u32>>,
    /// The vertex that each copy is of.
    copies: BTreeMap<u32, u32>,
}

/// Triangles, and each vertex that was split with its copy.
pub(crate) type Torn = (Vec<[u32; 3]>, Vec<[u32; 2]>);

/// Splits vertices of what is stretched too far, if anything is. `copy` gives the next copy that a triangle may take, as long as
/// there are any.
pub(crate) fn tear(
    triangles: &[[u32; 3]],
    tension: &Tension,
    copy: &mut dyn FnMut(u32) -> Option<u32>,
) -> Option<Torn> {
    let broken = overstretched(triangles, tension);
    if broken.is_empty() {
        return None;
    }
    let mut around = BTreeMap::<u32, Vec<u32>>::new();
    for (t, corners) in (0..).zip(triangles) {
        corners.iter().for_each(|&v| around.entry(v).or_default().push(t));
    }
    let (triangles, copies) = (triangles.to_vec(), BTreeMap::new());
    let mut parting = Parting { triangles, tension, copy, around, copies };
    let mut relieved = vec![false; tension.positions.len()];
    for (t, side) in broken {
        let corners = parting.triangles[t as usize];
        let ends = [corners[side], corners[(side + 1) % 3]];
        if ends.iter().any(|&v| relieved[v as usize]) {
            continue;
        }
        let ring = ends.map(|v| parting.around[&v].clone());
        let rim = ends.map(|v| parting.is_on_rim(v));
        let order = if rim == [false, true] { [1, 0] } else { [0, 1] };
        let split = order.into_iter().find(|&k| parting.split(ends[k], ends[1 - k]));
        if let Some(k) = split {
            let around = ring[k].iter().flat_map(|&t| parting.triangles[t as usize]);
            around.for_each(|v| relieved[v as usize] = true);
        }
    }
    let Parting { triangles, copies, .. } = parting;
    let copies: Vec<_> = copies.into_iter().map(|(copy, of)| [of, copy]).collect();
    (!copies.is_empty()).then_some((triangles, copies))
}

/// The sides over their limits, those furthest over it first: triangle and side.
fn overstretched(triangles: &[[u32; 3]], tension: &Tension) -> Vec<(u32, usize)> {
    let mut found = Vec::new();
    for (t, (corners, limits)) in (0..).zip(triangles.iter().zip(tension.limits)) {
        let x = corners.map(|v| point(tension.positions, v));
        for side in 0..3 {
            let along = x[(side + 1) % 3] - x[side];
            let square = along.dot(along);
            if square > limits[side] && square.is_finite() {
                found.push((square / limits[side], t, side));
            }
        }
    }
    let further = |a: &(f64, u32, usize), b: &(f64, u32, usize)| -> Ordering {
        b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2)))
    };
    found.sort_by(further);
    found.into_iter().map(|(_, t, side)| (t, side)).collect()
}

impl Parting<'_, '_> {
    /// Where a vertex is; a copy is where its vertex is.
    fn at(&self, v: u32) -> Vec3<f64> {
        let v = self.copies.get(&v).copied().unwrap_or(v);
        point(self.tension.positions, v)
    }

    /// The vertices that a vertex has sides to, each once.
    fn neighbors(&self, v: u32) -> Vec<u32> {
        let corners = self.around[&v].iter().flat_map(|&t| self.triangles[t as usize]);
        let mut others: Vec<u32> = corners.filter(|&i| i != v).collect();
        others.sort_unstable();
        others.dedup();
        others
    }

    /// Whether the triangles of a vertex leave a gap around it.
    fn is_on_rim(&self, v: u32) -> bool {
        self.neighbors(v).len() != self.around[&v].len()
    }

    /// Splits `v` by the plane across its edge to `other`; whether that has parted anything.
    fn split(&mut self, v: u32, other: u32) -> bool {
        let at = self.at(v);
        let normal = self.at(other) - at;
        let is_beyond = |&t: &u32| {
            let [a, b, c] = self.triangles[t as usize].map(|i| self.at(i));
            let center = (a - at) + (b - at) + (c - at);
            // What is no number parts nothing.
            center.dot(normal) <= 0.0
        };
        let all = &self.around[&v];
        let beyond: Vec<u32> = all.iter().copied().filter(is_beyond).collect();
        if beyond.is_empty() || beyond.len() == all.len() {
            return false;
        }
        let Some(copy) = self.give(v, &beyond) else {
            return false;
        };
        let mut changed = self.neighbors(v);
        changed.extend(self.neighbors(copy));
        changed.extend([v, copy]);
        changed.sort_unstable();
        changed.dedup();
        changed.into_iter().for_each(|v| self.part_fans(v));
        true
    }

    /// Gives a copy of `v` to some of its triangles, if there is one left.
    fn give(&mut self, v: u32, triangles: &[u32]) -> Option<u32> {
        let of = self.copies.get(&v).copied().unwrap_or(v);
        if !(self.tension.may_split)(of) {
            return None;
        }
        let copy = (self.copy)(triangles[0])?;
        self.copies.insert(copy, of);
        self.around.get_mut(&v)?.retain(|t| !triangles.contains(t));
        self.around.insert(copy, triangles.to_vec());
        for &t in triangles {
            self.triangles[t as usize].iter_mut().filter(|i| **i == v).for_each(|i| *i = copy);
        }
        Some(copy)
    }

    /// Splits a vertex whose triangles do not hang together by edges at it.
    fn part_fans(&mut self, v: u32) {
        loop {
            let all = &self.around[&v];
            let mut fan = vec![all[0]];
            let mut next = 0;
            while let Some(&t) = fan.get(next) {
                let corners = self.triangles[t as usize];
                let meets = |other: &u32| {
                    let other = self.triangles[*other as usize];
                    other.iter().any(|i| *i != v && corners.contains(i))
                };
                let more = all.iter().filter(|&t| !fan.contains(t) && meets(t));
                let more: Vec<u32> = more.copied().collect();
                fan.extend(more);
                next += 1;
            }
            if fan.len() == all.len() {
                return;
            }
            // The last fan goes; its copy, of one fan less, is looked at in turn.
            let rest: Vec<u32> = all.iter().copied().filter(|t| !fan.contains(t)).collect();
            let Some(copy) = self.give(v, &rest) else {
                return;
            };
            self.part_fans(copy);
        }
    }
}
