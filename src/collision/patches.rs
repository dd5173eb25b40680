//! The corners, edges or triangles of a cloth in patches of neighbors: where each patch is, and how far it has moved.

use super::box_tree::{BoxTree, Boxes};
use super::boxes::{Bounds, NOTHING, around, join, rounded, widen};
use super::bvh::order_of;
use super::cloth::{column, gather, point};
use super::narrow_phase::SubstepMotion;
use crate::coloring::Lists;
use crate::math::{F32x8, Real, Vec3, WIDTH, each, each_lane, lanes_below, set_lanes, splat};
use crate::state::largest_lane;
use crate::threads::Worker;
use std::ops::Range;

/// Elements of a patch: few enough that its box is small, enough that what is asked of it once serves many.
pub(super) const PATCH: usize = 16;

/// Elements, patch by patch.
pub(super) struct Patches {
    /// Slots of each element; where they are fewer than three the last is repeated.
    elements: Vec<[u32; 3]>,
    /// Of every eight patches the different slots, side by side; where one has fewer than others its last is repeated.
    slots: Lists<[u32; WIDTH]>,
    boxes: BoxTree,
    /// Of each element, and of every eight of them, which lie in one patch; as they were measured last.
    element_boxes: Boxes,
    eight_boxes: Boxes,
    /// Around the way of each element in the last substep that was fast.
    ways: Boxes,
    /// How far the slots of each patch have moved along each axis, least and most, and what is rounded off (m); anywhere where
    /// that is not known.
    motions: Boxes,
    /// The same in the last substep that was fast; nothing where it is not known.
    steps: Boxes,
}

impl Patches {
    /// Patches of neighbors at `rest`; they depend on the order of the elements, not on where their particles are stored.
    pub(super) fn new(elements: &[[u32; 3]], rest: &[[f32; 4]]) -> Self {
        let bounds = |element: &[u32; 3]| around(element.map(|slot| point(rest, slot)));
        let order = order_of(elements.iter().map(bounds));
        let elements: Vec<[u32; 3]> = order.map(|i| elements[i as usize]).collect();
        let different = |patch: &[[u32; 3]]| {
            let mut slots = patch.concat();
            slots.sort_unstable();
            slots.dedup();
            slots
        };
        let of_patches: Vec<Vec<u32>> = elements.chunks(PATCH).map(different).collect();
        let (count, mut slots) = (of_patches.len(), Lists::new());
        for eight in of_patches.chunks(WIDTH) {
            let most = eight.iter().map(Vec::len).max().unwrap_or(0);
            let of = |lane: usize| &eight[lane.min(eight.len() - 1)];
            let slot = |lane: usize, k: usize| of(lane)[k.min(of(lane).len() - 1)];
            slots.push((0..most).map(|k| each_lane(|lane| slot(lane, k))));
        }
        Self {
            boxes: BoxTree::new(count),
            element_boxes: Boxes::new(elements.len()),
            eight_boxes: Boxes::new(elements.len().div_ceil(WIDTH)),
            ways: Boxes::new(elements.len()),
            motions: Boxes::new(count),
            steps: Boxes::new(count),
            slots,
            elements,
        }
    }

    /// How many patches there are.
    pub(super) fn len(&self) -> usize {
        self.elements.len().div_ceil(PATCH)
    }

    /// The elements of a patch.
    pub(super) fn range(&self, patch: usize) -> Range<usize> {
        let first = patch * PATCH;
        first..self.elements.len().min(first + PATCH)
    }

    /// The slots of each element.
    pub(super) fn elements(&self) -> &[[u32; 3]] {
        &self.elements
    }

    /// The box of a patch.
    pub(super) fn bounds(&self, patch: usize) -> Bounds {
        self.boxes.leaves().get(patch)
    }

    /// Takes up where particles were when the substep began and how far they had moved from where they were `then`, all workers
    /// together; where it `is_fast`, how far they move in the substep too.
    pub(super) fn refit(
        &self,
        worker: &Worker,
        motion: SubstepMotion,
        then: &[[f32; 4]],
        is_fast: bool,
    ) {
        let now = motion.previous;
        worker.parallel_for(self.motions.eights(), |range| {
            for eight in range {
                let slots = self.slots.get(eight);
                let (mut bounds, mut ways) = (NOTHING.map(|corner| corner.map(splat)), Ways::new());
                for row in slots {
                    let [now, then] = [now, then].map(|at| column(at, |lane| row[lane]));
                    bounds = join(bounds, [now.to_array(); 2]);
                    ways.add(now - then);
                }
                let rounded = rounded(bounds);
                let some = lanes_below(self.len() - eight * WIDTH);
                self.boxes.leaves().set(eight, select(some, widen(bounds, rounded), NOTHING));
                self.motions.set(eight, ways.bounds(rounded, ANYWHERE));
                if is_fast {
                    let mut ways = Ways::new();
                    for row in slots {
                        ways.add(column(motion.moved, |lane| row[lane]));
                    }
                    self.steps.set(eight, ways.bounds(F32x8::zero(), [[0.0; 3]; 2]));
                }
            }
        });
        self.boxes.refit(worker);
    }

    /// Measures the boxes of all elements where the substep began, all workers together; where it `is_fast`, those around their
    /// ways too.
    pub(super) fn measure(&self, worker: &Worker, motion: SubstepMotion, is_fast: bool) {
        worker.parallel_for(self.element_boxes.eights(), |range| {
            for eight in range {
                let first = eight * WIDTH;
                let elements = &self.elements[first..self.elements.len().min(first + WIDTH)];
                let some = lanes_below(elements.len());
                let now = gather(motion.previous, elements);
                let boxes = around(each(now, Vec3::to_array));
                self.element_boxes.set(eight, select(some, boxes, NOTHING));
                if is_fast {
                    let moved = gather(motion.moved, elements);
                    let then = each([0, 1, 2], |k: usize| (now[k] + moved[k]).to_array());
                    self.ways.set(eight, select(some, join(boxes, around(then)), NOTHING));
                }
            }
        });
        self.eight_boxes.surround(worker, &self.element_boxes);
    }

    /// The boxes of the elements, and of every eight of them, as they were measured last.
    pub(super) fn measured(&self) -> [&Boxes; 2] {
        [&self.element_boxes, &self.eight_boxes]
    }

    /// The boxes around the ways of the elements, as they were measured last.
    pub(super) fn ways(&self) -> &Boxes {
        &self.ways
    }

    /// Does `act` with each patch whose box meets `bounds`.
    pub(super) fn meet(&self, bounds: Bounds, mut act: impl FnMut(usize)) {
        self.boxes.meet(bounds, |eight, met| {
            set_lanes(met).for_each(|lane| act(eight * WIDTH + lane));
        });
    }

    /// How far at most one of these patches and one of `others` that meets `bounds` have come closer since then (m).
    pub(super) fn approach(&self, patch: usize, others: &Self, bounds: Bounds) -> f32 {
        self.approach_by(patch, others, bounds, |patches| &patches.motions)
    }

    /// The same in the substep.
    pub(super) fn approach_in_step(&self, patch: usize, others: &Self, bounds: Bounds) -> f32 {
        self.approach_by(patch, others, bounds, |patches| &patches.steps)
    }

    #[inline(always)]
    fn approach_by(
        &self,
        patch: usize,
        others: &Self,
        bounds: Bounds,
        motions: impl Fn(&Self) -> &Boxes,
    ) -> f32 {
        let [a, b] = each(motions(self).get(patch), |corner| each(corner, splat));
        let zero = F32x8::zero();
        let mut most = zero;
        others.boxes.meet(bounds, |eight, met| {
            let [c, d] = motions(others).eight(eight);
            let along = |k: usize| (b[k] - c[k]).max(d[k] - a[k]);
            let [x, y, z] = [along(0), along(1), along(2)];
            most = most.max(F32x8::select(met, x * x + y * y + z * z, zero));
        });
        largest_lane(most).sqrt()
    }
}

/// Where nothing is known.
const ANYWHERE: Bounds = [[f32::NEG_INFINITY; 3], [f32::INFINITY; 3]];

/// The ways of eight patches.
#[derive(Clone, Copy)]
struct Ways {
    around: Bounds<F32x8>,
    sum: Vec3<F32x8>,
}

impl Ways {
    fn new() -> Self {
        Self { around: NOTHING.map(|corner| corner.map(splat)), sum: Vec3::zero() }
    }

    /// Takes up a way of each.
    #[inline(always)]
    fn add(&mut self, way: Vec3<F32x8>) {
        self.around = join(self.around, [way.to_array(); 2]);
        self.sum += way;
    }

    /// The boxes around them, wider by what is rounded off of what they are ways of, too; `unknown` where one is not finite.
    #[inline(always)]
    fn bounds(self, more: F32x8, unknown: Bounds) -> Bounds<F32x8> {
        let [x, y, z] = self.sum.to_array().map(|v| v.abs().lt(splat(f32::INFINITY)));
        select(x & y & z, widen(self.around, rounded(self.around) + more), unknown)
    }
}

/// Boxes where `mask` holds, another elsewhere.
#[inline(always)]
fn select(mask: F32x8, boxes: Bounds<F32x8>, other: Bounds) -> Bounds<F32x8> {
    each([0, 1], |side: usize| {
        each([0, 1, 2], |k: usize| F32x8::select(mask, boxes[side][k], splat(other[side][k])))
    })
}
