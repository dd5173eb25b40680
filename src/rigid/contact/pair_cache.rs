//! The pair cache: which bodies have moved since their contacts were found, and which boxes around them meet.

use super::instance::{Instance, InstanceState};
use super::manifold::Point;
use super::sweep::{Bounds, Sweep};
use crate::math::{Quat, Vec3};
use crate::threads::Cells;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far an instance may have moved for its contacts to be as they were, in parts of the smallest body's reach.
const UNMOVED: f32 = 0.0025;
/// How much room a box has in which its body may move before boxes are searched again, in the same parts.
const ROOM: f32 = 0.05;
/// How far contacts are found beyond touching where no margin is given, in the same parts.
const MARGIN: f32 = 0.04;

/// Where instances were, and what has moved since.
pub(super) struct PairCache {
    /// Pairs that never touch, sorted: what joints join.
    pub(super) joined: Vec<[u32; 2]>,
    pub(super) margin: f32,
    /// The time until contacts are found again (s).
    pub(super) ahead: f32,
    /// The reach of the smallest body that moves (m).
    smallest: f32,
    pub(super) sweep: Sweep,
    /// The boxes last searched.
    pub(super) boxes: Cells<Bounds>,
    /// The boxes around instances now.
    tight: Cells<Bounds>,
    /// Where instances were when they had last moved, and which have now.
    pub(super) references: Cells<Option<(Point, Quat<f32>)>>,
    pub(super) moved: Cells<bool>,
    /// Whether any has moved, and whether any has left its box.
    any_moved: AtomicBool,
    any_left: AtomicBool,
    /// Whether boxes have ever been searched.
    pub(super) searched: bool,
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
            boxes: Cells::new(instances.len(), None),
            tight: Cells::new(instances.len(), None),
            references: Cells::new(instances.len(), None),
            moved: Cells::new(instances.len(), true),
            any_moved: AtomicBool::new(false),
            any_left: AtomicBool::new(false),
            searched: false,
        }
    }

    /// Takes how an instance stands: marks whether it has moved, and puts a box around it. `passes`: how many times the way
    /// ahead counts.
    pub(super) fn track(&self, i: usize, instance: &Instance, state: &InstanceState, passes: f32) {
        self.mark_moved(i, instance, state);
        let InstanceState { x, q, v, spin } = *state;
        let reach = instance.geometry.reach();
        let has_box = reach > 0.0 && reach.is_finite();
        let bounds = has_box.then(|| {
            let more = 0.5 * self.margin + (v.length() + spin * reach) * (passes * self.ahead);
            let e = instance.geometry.extent(q) + Vec3::splat(more);
            [x - e, x + e]
        });
        let tight = bounds.filter(|[low, high]| {
            let sum = *low + *high;
            (sum.x + sum.y + sum.z).is_finite()
        });
        let holds = match (self.boxes.get(i), tight) {
            (Some([low, high]), Some([from, to])) => is_below(low, from) && is_below(to, high),
            (wide, tight) => wide.is_none() && tight.is_none(),
        };
        self.tight.set(i, tight);
        if !holds {
            self.any_left.store(true, Ordering::Relaxed);
        }
    }

    /// Whether an instance has moved since all were last asked for.
    pub(super) fn any_moved(&mut self) -> bool {
        std::mem::take(self.any_moved.get_mut())
    }

    /// Boxes are searched with room to spare, and again only when something has left its own: whether that is so.
    pub(super) fn update_boxes(&mut self) -> bool {
        let any_left = std::mem::take(self.any_left.get_mut());
        if self.searched && !any_left {
            return false;
        }
        self.searched = true;
        let room = ROOM * self.smallest;
        let room = Vec3::splat(room);
        for (i, tight) in self.tight.as_slice().iter().enumerate() {
            self.boxes.set(i, tight.map(|[low, high]| [low - room, high + room]));
        }
        self.sweep.sort(self.boxes.as_slice());
        true
    }

    /// Whether the box of a body comes so near a plane through `x` that it may touch it.
    pub(super) fn comes_near(&self, body: u32, n: Point, x: Point) -> bool {
        let Some([low, high]) = self.boxes.get(body as usize) else {
            return true;
        };
        let (center, half) = ((low + high) * 0.5, (high - low) * 0.5);
        let extent = half.x * n.x.abs() + half.y * n.y.abs() + half.z * n.z.abs();
        // Its box holds one half of the margin.
        let apart = n.dot(center - x) - extent > 0.5 * self.margin;
        !apart
    }

    /// Some chunks of the search for boxes that meet.
    pub(super) fn search(&self, instances: &[Instance], chunks: Range<usize>) {
        self.sweep.search(chunks, may_touch(instances, &self.joined));
    }

    /// Collects the boxes that meet, after the search.
    pub(super) fn collect(&mut self, instances: &[Instance]) {
        self.sweep.collect(self.boxes.as_slice(), may_touch(instances, &self.joined));
    }

    /// Marks whether an instance has moved since its contacts were found, or may in a step: by so little that none of its
    /// pairs can have come to touch, and that points and normals are what they were.
    fn mark_moved(&self, i: usize, instance: &Instance, state: &InstanceState) {
        let most = (UNMOVED * self.smallest).min(self.margin / 8.0);
        let InstanceState { x, q, v, spin } = *state;
        let reach = instance.geometry.reach();
        let at_reach = |turn: f32| if turn > 0.0 { turn * reach } else { 0.0 };
        let unmoved = self.references.get(i).is_some_and(|(from, turn)| {
            let turned = (q * turn.conjugate()).vector();
            let way = (x - from).length() + at_reach(2.0 * turned.length());
            let ahead = (v.length() + at_reach(spin)) * self.ahead;
            way < most && ahead < self.margin / 4.0
        });
        self.moved.set(i, !unmoved);
        if !unmoved {
            self.references.set(i, Some((x, q)));
            self.any_moved.store(true, Ordering::Relaxed);
        }
    }
}

/// Whether two instances may touch at all: one of them moves, their filters let them, and they are not among the sorted pairs
/// `joined`.
fn may_touch<'a>(
    instances: &'a [Instance],
    joined: &'a [[u32; 2]],
) -> impl Fn(u32, u32) -> bool + 'a {
    |a, b| {
        let [one, other] = [a, b].map(|i| &instances[i as usize]);
        let both_fixed = one.fixed && other.fixed;
        !both_fixed && one.filter.meets(&other.filter) && joined.binary_search(&[a, b]).is_err()
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
