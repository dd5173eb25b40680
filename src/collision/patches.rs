//! The corners, edges or triangles of a cloth in patches of neighbors: where each patch is, and how far it has moved.

use super::box_tree::{BoxColumns, BoxTree};
use super::boxes::{Bounds, NOTHING, around, join, rounded, widen};
use super::bvh::order_of;
use super::cloth::{gather, point};
use super::narrow_phase::SubstepMotion;
use crate::math::{F32x8, Real, Vec3, WIDTH, each, set_lanes};
use crate::state::largest_lane;
use crate::threads::Worker;
use std::ops::Range;

/// Elements of a patch: few enough that its box is small, enough that what is asked of it once serves many.
pub(super) const PATCH: usize = 16;

/// Elements, patch by patch.
pub(super) struct Patches {
    /// Slots of each element; where they are fewer than three the last is repeated.
    elements: Vec<[u32; 3]>,
    /// The different slots of each patch.
    slots: Vec<Vec<u32>>,
    boxes: BoxTree,
    /// Of each element, and of every eight of them, which lie in one patch; as they were measured last.
    element_boxes: BoxColumns,
    eight_boxes: BoxColumns,
    /// Around the way of each element in the last substep that was fast.
    ways: BoxColumns,
    /// How far the slots of each patch have moved along each axis, least and most, and what is rounded off (m); anywhere where
    /// that is not known.
    motions: BoxColumns,
    /// The same in the last substep that was fast; nothing where it is not known.
    steps: BoxColumns,
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
        let slots: Vec<Vec<u32>> = elements.chunks(PATCH).map(different).collect();
        Self {
            boxes: BoxTree::new(slots.len()),
            element_boxes: BoxColumns::new(elements.len()),
            eight_boxes: BoxColumns::new(elements.len().div_ceil(WIDTH)),
            ways: BoxColumns::new(elements.len()),
            motions: BoxColumns::new(slots.len()),
            steps: BoxColumns::new(slots.len()),
            slots,
            elements,
        }
    }

    /// How many patches there are.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
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
        worker.parallel_for(self.len(), |range| {
            for patch in range {
                let slots = &self.slots[patch];
                let bounds = around(slots.iter().map(|&slot| point(now, slot)));
                self.boxes.leaves().set(patch, bounds);
                let moved = slots.iter().map(|&slot| {
                    let (now, then) = (point(now, slot), point(then, slot));
                    each([0, 1, 2], |k| now[k] - then[k])
                });
                let moved = around_known(moved).map(|moved| widen(moved, rounded(bounds)));
                let anywhere = [[f32::NEG_INFINITY; 3], [f32::INFINITY; 3]];
                self.motions.set(patch, moved.unwrap_or(anywhere));
                if is_fast {
                    let step = around_known(slots.iter().map(|&slot| point(motion.moved, slot)));
                    self.steps.set(patch, step.unwrap_or_default());
                }
            }
        });
        self.boxes.refit(worker);
    }

    /// Measures the boxes of all elements where the substep began, all workers together; where it `is_fast`, those around their
    /// ways too.
    pub(super) fn measure(&self, worker: &Worker, motion: SubstepMotion, is_fast: bool) {
        worker.parallel_for(self.elements.len().div_ceil(WIDTH), |range| {
            for eight in range {
                let first = eight * WIDTH;
                let elements = &self.elements[first..self.elements.len().min(first + WIDTH)];
                let now = gather(motion.previous, elements);
                let boxes = around(each(now, Vec3::to_array));
                self.element_boxes.set_some(first, elements.len(), boxes);
                if is_fast {
                    let moved = gather(motion.moved, elements);
                    let then = each([0, 1, 2], |k: usize| (now[k] + moved[k]).to_array());
                    self.ways.set_some(first, elements.len(), join(boxes, around(then)));
                }
                let all = (0..elements.len()).map(|lane| self.element_boxes.get(first + lane));
                self.eight_boxes.set(eight, all.fold(NOTHING, join));
            }
        });
    }

    /// The boxes of the elements, and of every eight of them, as they were measured last.
    pub(super) fn measured(&self) -> [&BoxColumns; 2] {
        [&self.element_boxes, &self.eight_boxes]
    }

    /// The boxes around the ways of the elements, as they were measured last.
    pub(super) fn ways(&self) -> &BoxColumns {
        &self.ways
    }

    /// Does `act` with each patch whose box meets `bounds`.
    pub(super) fn meet(&self, bounds: Bounds, mut act: impl FnMut(usize)) {
        self.boxes.meet(bounds, |first, met| set_lanes(met).for_each(|lane| act(first + lane)));
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
        motions: impl Fn(&Self) -> &BoxColumns,
    ) -> f32 {
        let own = motions(self).get(patch);
        let [a, b] = each(own, |corner| each(corner, |v| F32x8::of(v.into())));
        let zero = F32x8::zero();
        let mut most = zero;
        others.boxes.meet(bounds, |first, met| {
            let [c, d] = motions(others).eight(first);
            let along = |k: usize| (b[k] - c[k]).max(d[k] - a[k]);
            let [x, y, z] = [along(0), along(1), along(2)];
            most = most.max(F32x8::select(met, x * x + y * y + z * z, zero));
        });
        largest_lane(most).sqrt()
    }
}

/// The box around ways, nothing where one of them is not known.
fn around_known(ways: impl Iterator<Item = [f32; 3]>) -> Option<Bounds> {
    let mut sum = [0.0; 3];
    let bounds = around(ways.inspect(|way| sum = each([0, 1, 2], |k| sum[k] + way[k])));
    sum.iter().all(|v: &f32| v.is_finite()).then_some(bounds)
}
