//! The pair cache: which bodies have moved since their contacts were found, and which boxes around them meet.

use super::instance::{Instance, InstanceState};
use super::manifold::Point;
use super::sweep::{Bounds, Sweep};
use crate::math::{Quat, Vec3};
use std::ops::Range;

/// How far an instance may have moved for its contacts to be as they were, in parts of the smallest body's reach.
const UNMOVED: f32 = 0.0025;
/// How much room a box has in which its body may move before boxes are searched again, in the same parts.
const ROOM: f32 = 0.05;
/// How far contacts are found beyond touching where no margin is given, in the same parts.
const MARGIN: f32 = 0.04;

/// Where instances were, and what has moved since.
pub(super) struct PairCache {
    /// Pairs that never touch, sorted: what joints join.
    joined: Vec<[u32; 2]>,
    pub(super) margin: f32,
    /// The time until contacts are found again (s).
    pub(super) ahead: f32,
    /// The reach of the smallest body that moves (m).
    smallest: f32,
    pub(super) sweep: Sweep,
    /// The boxes last searched.
    pub(super) boxes: Vec<Bounds>,
    /// Where instances were when they had last moved, and which have now.
    pub(super) references: Vec<Option<(Point, Quat<f32>)>>,
    pub(super) moved: Vec<bool>,
}

impl PairCache {
    pub(super) fn new(
        instances: &[Instance],
        joined: Vec<[u32; 2]>,
        margin: Option<f64>,
        ahead: f64,
    ) -> Self {
        let smallest = smallest(instances);
        Self {
            joined,
            margin: margin.map_or(MARGIN * smallest, |margin| margin as f32),
            ahead: ahead as f32,
            smallest,
            sweep: Sweep::default(),
            boxes: Vec::new(),
            references: Vec::new(),
            moved: vec![true; instances.len()],
        }
    }

    /// Puts boxes around all instances. Boxes are searched with room to spare, and again only when something has left its own:
    /// whether that is so. `passes`: how many times the way ahead counts.
    pub(super) fn update_boxes(
        &mut self,
        instances: &[Instance],
        states: &[InstanceState],
        passes: f32,
    ) -> bool {
        let (margin, ahead) = (self.margin, self.ahead);
        let bounds = instances.iter().zip(states).map(|(instance, state)| {
            let InstanceState { x, q, v, spin } = *state;
            let reach = instance.geometry.reach();
            if reach == 0.0 || !reach.is_finite() {
                return None;
            }
            let more = 0.5 * margin + (v.length() + spin * reach) * (passes * ahead);
            let e = instance.geometry.extent(q) + Vec3::new(more, more, more);
            let corners = [x - e, x + e];
            let sum = corners[0] + corners[1];
            (sum.x + sum.y + sum.z).is_finite().then_some(corners)
        });
        let bounds: Vec<Bounds> = bounds.collect();
        let holds = |(wide, tight): (&Bounds, &Bounds)| match (wide, tight) {
            (Some([low, high]), Some([from, to])) => is_below(*low, *from) && is_below(*to, *high),
            (wide, tight) => wide.is_none() && tight.is_none(),
        };
        if bounds.len() == self.boxes.len() && self.boxes.iter().zip(&bounds).all(holds) {
            return false;
        }
        let room = ROOM * self.smallest;
        let room = Vec3::new(room, room, room);
        let wider = |[low, high]: [Point; 2]| [low - room, high + room];
        self.boxes = bounds.iter().map(|bounds| bounds.map(wider)).collect();
        self.sweep.sort(&self.boxes);
        true
    }

    /// Some chunks of the search for boxes that meet.
    pub(super) fn search(&self, instances: &[Instance], chunks: Range<usize>) {
        self.sweep.search(chunks, may_touch(instances, &self.joined));
    }

    /// Collects the boxes that meet, after the search.
    pub(super) fn collect(&mut self, instances: &[Instance]) {
        self.sweep.collect(&self.boxes, may_touch(instances, &self.joined));
    }

    /// Marks what has moved since its contacts were found, or may in a step: by so little that none of its pairs can have
    /// come to touch, and that points and normals are what they were.
    pub(super) fn find_moved(&mut self, instances: &[Instance], states: &[InstanceState]) -> bool {
        let most = (UNMOVED * self.smallest).min(self.margin / 8.0);
        self.references.resize(instances.len(), None);
        let mut any = false;
        for (i, InstanceState { x, q, v, spin }) in states.iter().enumerate() {
            let reach = instances[i].geometry.reach();
            let at_reach = |turn: f32| if turn > 0.0 { turn * reach } else { 0.0 };
            let unmoved = self.references[i].is_some_and(|(from, turn)| {
                let turned = (*q * turn.conjugate()).vector();
                let way = (*x - from).length() + at_reach(2.0 * turned.length());
                let ahead = (v.length() + at_reach(*spin)) * self.ahead;
                way < most && ahead < self.margin / 4.0
            });
            self.moved[i] = !unmoved;
            any |= !unmoved;
            if !unmoved {
                self.references[i] = Some((*x, *q));
            }
        }
        any
    }
}

/// Whether two instances may touch at all: one of them moves, and they are not among the sorted pairs `joined`.
fn may_touch<'a>(
    instances: &'a [Instance],
    joined: &'a [[u32; 2]],
) -> impl Fn(u32, u32) -> bool + 'a {
    |a, b| {
        let both_fixed = instances[a as usize].fixed && instances[b as usize].fixed;
        !both_fixed && joined.binary_search(&[a, b]).is_err()
    }
}

/// In every coordinate.
fn is_below(a: Point, b: Point) -> bool {
    a.x <= b.x && a.y <= b.y && a.z <= b.z
}

/// The reach of the smallest body that moves (m); zero where there is none.
fn smallest(instances: &[Instance]) -> f32 {
    let free = instances.iter().filter(|instance| !instance.fixed);
    let reaches = free.map(|instance| instance.geometry.reach());
    let least = reaches.filter(|reach| *reach > 0.0);
    let least = least.fold(f32::INFINITY, f32::min);
    if least.is_finite() { least } else { 0.0 }
}
