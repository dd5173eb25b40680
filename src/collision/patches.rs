//! The corners, edges or triangles of a cloth in patches of neighbors: where each patch is, and how far it has moved.

use super::box_tree::{BoxColumns, BoxTree};
use super::boxes::{Bounds, NOTHING, around, around_all, join, rounded, widen};
use super::bvh::Bvh;
use super::cloth::{gather, point};
use crate::math::{F32x8, Real, Vec3, WIDTH, each, lane_bits, pack, set_lanes};
use crate::subsystem::largest_lane;
use crate::threads::{Cells, Worker};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Elements of a patch: few enough that its box is small, enough that what is asked of it once serves many.
pub(super) const PATCH: usize = 16;

/// Elements, patch by patch.
pub(super) struct Patches {
    /// Slots of each element; where they are fewer than three the last is repeated.
    elements: Vec<[u32; 3]>,
    /// The different slots of each patch, two by two; the last may be there twice.
    slots: Vec<Vec<[u32; 2]>>,
    boxes: BoxTree,
    /// Of each element, and of every eight of them, which lie in one patch; as they were measured last.
    element_boxes: BoxColumns,
    eight_boxes: BoxColumns,
    /// Of which patches they are to be measured.
    wanted: Vec<AtomicBool>,
    /// How far the slots of each patch have moved along each axis in a step, least and most (m); anywhere where that is not known.
    motions: BoxColumns,
    /// What distances to each patch may be wrong by (m), eight by eight.
    rounded: Cells<[f32; WIDTH]>,
}

impl Patches {
    /// Patches of neighbors at `rest`; they depend on the order of the elements, not on where their particles are stored.
    pub(super) fn new(elements: &[[u32; 3]], rest: &[[f32; 4]]) -> Self {
        let bounds = |element: &[u32; 3]| around(element.map(|slot| point(rest, slot)));
        let order = Bvh::new(elements.iter().map(bounds));
        let elements: Vec<[u32; 3]> = order.items().map(|i| elements[i as usize]).collect();
        let different = |patch: &[[u32; 3]]| {
            let mut slots = patch.concat();
            slots.sort_unstable();
            slots.dedup();
            slots.chunks(2).map(|two| [two[0], two[two.len() - 1]]).collect()
        };
        let slots: Vec<Vec<[u32; 2]>> = elements.chunks(PATCH).map(different).collect();
        Self {
            boxes: BoxTree::new(slots.len()),
            element_boxes: BoxColumns::new(elements.len()),
            eight_boxes: BoxColumns::new(elements.len().div_ceil(WIDTH)),
            wanted: slots.iter().map(|_| AtomicBool::new(false)).collect(),
            motions: BoxColumns::new(slots.len()),
            rounded: Cells::new(slots.len().div_ceil(WIDTH), [0.0; WIDTH]),
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

    /// Takes up where particles are `now` and how far they have moved from where they were `then`, all workers together.
    pub(super) fn refit(&self, worker: &Worker, now: &[[f32; 4]], then: &[[f32; 4]]) {
        worker.parallel_for(self.rounded.len(), |range| {
            for eight in range {
                let mut rounded = [0.0; WIDTH];
                for (lane, rounded) in rounded.iter_mut().enumerate() {
                    let patch = eight * WIDTH + lane;
                    if patch < self.len() {
                        *rounded = self.refit_one(patch, now, then);
                    }
                }
                self.rounded.set(eight, rounded);
            }
        });
        self.boxes.refit(worker);
    }

    /// Takes up a patch; what distances to it may be wrong by.
    fn refit_one(&self, patch: usize, now: &[[f32; 4]], then: &[[f32; 4]]) -> f32 {
        let nothing = each(NOTHING, |corner| each(corner, |v| F32x8::of(v.into())));
        let (mut bounds, mut moved, mut sum) = (nothing, nothing, Vec3::zero());
        for sixteen in self.slots[patch].chunks(WIDTH) {
            let (now, then) = (gather(now, sixteen), gather(then, sixteen));
            for k in 0..2 {
                let way = now[k] - then[k];
                bounds = join(bounds, [now[k].to_array(); 2]);
                moved = join(moved, [way.to_array(); 2]);
                sum += way;
            }
        }
        let bounds = around_all(bounds);
        let more = rounded(bounds);
        self.boxes.leaves().set(patch, widen(bounds, more));
        // Zero times what is not finite is not zero.
        let known = lane_bits(sum.dot(Vec3::zero()).lt(F32x8::of(1.0))) == 0xff;
        let anywhere = [[f32::NEG_INFINITY; 3], [f32::INFINITY; 3]];
        self.motions.set(patch, if known { around_all(moved) } else { anywhere });
        more
    }

    /// The elements of a patch are measured next.
    pub(super) fn want(&self, patch: usize) {
        self.wanted[patch].store(true, Ordering::Relaxed);
    }

    /// Measures the boxes of all elements that are wanted where particles are `now`, all workers together.
    pub(super) fn measure(&self, worker: &Worker, now: &[[f32; 4]]) {
        worker.parallel_for(self.len(), |range| {
            let wanted = |&patch: &usize| self.wanted[patch].swap(false, Ordering::Relaxed);
            for range in range.filter(wanted).map(|patch| self.range(patch)) {
                for first in range.clone().step_by(WIDTH) {
                    let elements = &self.elements[first..range.end.min(first + WIDTH)];
                    let boxes = around(each(gather(now, elements), Vec3::to_array));
                    self.element_boxes.set_some(first, elements.len(), boxes);
                    let all = (0..elements.len()).map(|lane| self.element_boxes.get(first + lane));
                    self.eight_boxes.set(first / WIDTH, all.fold(NOTHING, join));
                }
            }
        });
    }

    /// The boxes of the elements, and of every eight of them, as they were measured last.
    pub(super) fn measured(&self) -> [&BoxColumns; 2] {
        [&self.element_boxes, &self.eight_boxes]
    }

    /// Does `act` with each patch from `from` on whose box meets `bounds`.
    pub(super) fn meet(&self, bounds: Bounds, from: usize, mut act: impl FnMut(usize)) {
        self.boxes.meet(bounds, from, |first, met| {
            set_lanes(met).map(|lane| first + lane).filter(|&i| i >= from).for_each(&mut act);
        });
    }

    /// How far at most one of these patches and one of `others`, from `first` on, that meets `bounds` have come closer in this
    /// step, and what distances between them may be wrong by (m).
    pub(super) fn approach(
        &self,
        patch: usize,
        (others, first): (&Self, usize),
        bounds: Bounds,
    ) -> [f32; 2] {
        let [a, b] = each(self.motions.get(patch), |corner| each(corner, |v| F32x8::of(v.into())));
        let zero = F32x8::zero();
        let (mut most, mut wrong) = (zero, zero);
        others.boxes.meet(bounds, first, |at, met| {
            let [c, d] = others.motions.eight(at);
            let along = |k: usize| (b[k] - c[k]).max(d[k] - a[k]);
            let [x, y, z] = [along(0), along(1), along(2)];
            most = most.max(F32x8::select(met, x * x + y * y + z * z, zero));
            wrong = wrong.max(F32x8::select(met, pack(others.rounded.get(at / WIDTH)), zero));
        });
        let own = self.rounded.get(patch / WIDTH)[patch % WIDTH];
        [largest_lane(most).sqrt(), own + largest_lane(wrong)]
    }
}
