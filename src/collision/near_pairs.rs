//! Pairs of a cloth's elements that may touch, kept for as long as nothing else can.
//!
//! The pairs of all patches are found together, within reach = near + skin. From then on each step asks of each patch how far it
//! has come closer, at most, to any patch that is near it now: by the largest difference of how far particles of the two have
//! moved. Two elements that were further apart than reach, and came closer by less than the skin, are further apart than near.
//! A patch for which this is more than the skin is busy: its pairs are found anew in each step, until so many patches are
//! busy that all are looked for together again.
//!
//! What is found depends on where particles are now, not on what was kept before: pairs stand in the order of the patches, all
//! that are near are among them, and a search that is cut short is not kept, but made again within near. Where one is kept, none
//! would be cut short now: boxes that meet within near now met within reach then.

use super::box_tree::meets;
use super::boxes::{Bounds, NOTHING, around, widen};
use super::cloth::{Cloth, gather, point};
use super::narrow_phase::MOST_NEAR;
use super::patches::{PATCH, Patches};
use crate::math::{
    F32x8, Real, Vec3, WIDTH, each, lane_bits, lanes_below, pack, set_lanes, unpack,
};
use crate::threads::{Cells, Worker};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

/// What is used of the skin; the rest is for rounding.
const USED: f32 = 0.98;
/// All pairs are found again when more than one in so many patches is busy.
const BUSY: usize = 4;
/// The most pairs that one element keeps, and elements that one patch looks at, as many as its own may keep: where a cloth has
/// collapsed into one place, a search ends, the rest is left for later steps, and nothing is kept.
const MOST_KEPT: usize = 1 << 8;
const MOST_LOOKED_AT: usize = MOST_KEPT * PATCH;

/// Patches whose contacts are found at a time by one worker.
pub(super) const PATCHES: usize = 16;

/// How two elements make a pair.
pub(super) trait Pairing<const N: usize> {
    /// The slots of a pair.
    fn pair(first: [u32; 3], second: [u32; 3]) -> [u32; N];
    /// How far the elements of eight pairs are apart (m).
    fn apart(points: [Vec3<F32x8>; N]) -> F32x8;
}

/// The pairs that a patch keeps.
pub(super) struct List<const N: usize> {
    /// Slots, one element of the patch after another.
    pairs: Vec<[u32; N]>,
    /// How far each is to stay apart: the thickness, or what it has at rest (m).
    thickness: Vec<f32>,
    /// Whether they must be found anew in each step.
    busy: bool,
}

impl<const N: usize> List<N> {
    /// Up to eight pairs after another, and how far each is to stay apart.
    pub(super) fn eights(&self) -> impl Iterator<Item = (&[[u32; N]], &[f32])> {
        self.pairs.chunks(WIDTH).zip(self.thickness.chunks(WIDTH))
    }
}

/// Counts the contacts of one element after another.
pub(super) struct AtMost {
    element: [u32; 2],
    count: usize,
}

impl AtMost {
    pub(super) fn new() -> Self {
        Self { element: [u32::MAX; 2], count: 0 }
    }

    /// Whether `element` may have one contact more.
    pub(super) fn takes(&mut self, element: [u32; 2]) -> bool {
        self.count = if self.element == element { self.count + 1 } else { 1 };
        self.element = element;
        self.count <= MOST_NEAR
    }
}

/// What a worker needs to find pairs.
#[derive(Default)]
struct Workspace<const N: usize> {
    patches: Vec<usize>,
    /// Elements that meet the box of a patch, and their boxes, eight side by side.
    elements: Vec<u32>,
    boxes: Vec<[[[f32; WIDTH]; 3]; 2]>,
    pairs: Vec<[u32; N]>,
}

/// Pairs of the elements of two sets of patches, or of one.
pub(super) struct NearPairs<const N: usize> {
    first: Patches,
    /// Left out: pairs of the first with itself.
    second: Option<Patches>,
    rest: Vec<[f32; 4]>,
    thickness: f32,
    skin: f32,
    near: f32,
    /// Positions by slot when all pairs were found.
    then: Cells<[f32; 4]>,
    /// How many patches are busy.
    busy: AtomicUsize,
    lists: Vec<Mutex<List<N>>>,
    workspaces: Vec<Mutex<Workspace<N>>>,
}

impl<const N: usize> NearPairs<N> {
    /// Pairs of `cloth`'s elements, `first` with `second` or with each other, for `threads` workers.
    pub(super) fn new(
        cloth: &Cloth,
        first: &[[u32; 3]],
        second: Option<&[[u32; 3]]>,
        threads: usize,
    ) -> Self {
        let first = Patches::new(first, &cloth.rest);
        let list = || Mutex::new(List { pairs: Vec::new(), thickness: Vec::new(), busy: true });
        Self {
            lists: std::iter::repeat_with(list).take(first.len()).collect(),
            second: second.map(|second| Patches::new(second, &cloth.rest)),
            first,
            thickness: cloth.thickness as f32,
            skin: cloth.skin() as f32,
            // A little more, for rounding.
            near: 1.01 * cloth.near as f32,
            then: Cells::new(cloth.rest.len(), [0.0; 4]),
            // So many that all pairs are found first.
            busy: AtomicUsize::new(usize::MAX),
            workspaces: std::iter::repeat_with(Mutex::default).take(threads.max(1)).collect(),
            rest: cloth.rest.clone(),
        }
    }

    /// How many patches there are.
    pub(super) fn len(&self) -> usize {
        self.lists.len()
    }

    /// What a patch keeps.
    pub(super) fn list(&self, patch: usize) -> MutexGuard<'_, List<N>> {
        self.lists[patch].lock().expect("no worker panicked")
    }

    /// Finds pairs anew where it must: particles are `now` there. All workers together.
    pub(super) fn update<P: Pairing<N>>(&self, worker: &Worker, now: &[[f32; 4]]) {
        let all = self.busy.load(Ordering::Relaxed) > self.len() / BUSY;
        // Only when all have read it.
        worker.meet();
        worker.single(|| self.busy.store(0, Ordering::Relaxed));
        if all {
            worker.parallel_for(now.len(), |range| {
                range.for_each(|slot| self.then.set(slot, now[slot]));
            });
        }
        for patches in std::iter::once(&self.first).chain(&self.second) {
            patches.refit(worker, now, self.then.as_slice());
        }
        // Neighbors go to different workers, as what moves lies together.
        let workspaces = self.workspaces.len();
        worker.parallel_for(workspaces, |range| {
            for k in range {
                let mut workspace = self.workspaces[k].lock().expect("no worker panicked");
                for patch in (k..self.len()).step_by(workspaces) {
                    self.renew::<P>(patch, all, now, &mut workspace);
                }
            }
        });
    }

    fn second(&self) -> &Patches {
        self.second.as_ref().unwrap_or(&self.first)
    }

    /// Finds the pairs of a patch anew, if `all` are or its own are out of date.
    fn renew<P: Pairing<N>>(
        &self,
        patch: usize,
        all: bool,
        now: &[[f32; 4]],
        space: &mut Workspace<N>,
    ) {
        let list = &mut *self.list(patch);
        if !all && !list.busy {
            let near = widen(self.first.bounds(patch), self.near);
            let approach = self.first.approach(patch, self.second(), near);
            list.busy = approach > USED * self.skin;
            if !list.busy {
                return;
            }
        }
        let kept = all && self.find::<P>(patch, self.near + self.skin, now, space, list);
        if !kept {
            self.find::<P>(patch, self.near, now, space, list);
            self.busy.fetch_add(1, Ordering::Relaxed);
        }
        list.busy = !kept;
    }

    /// Finds the pairs of a patch within `reach`. Whether these are all.
    fn find<P: Pairing<N>>(
        &self,
        patch: usize,
        reach: f32,
        now: &[[f32; 4]],
        space: &mut Workspace<N>,
        list: &mut List<N>,
    ) -> bool {
        let bounds = widen(self.first.bounds(patch), reach);
        space.patches.clear();
        self.second().meet(bounds, |other| {
            if self.second.is_some() || other >= patch {
                space.patches.push(other);
            }
        });
        let complete = self.look_around(bounds, now, space);
        let complete = self.meet::<P>(patch, reach, now, space) && complete;
        self.keep::<P>(&space.pairs, reach, now, list);
        complete
    }

    /// Gathers the elements of other patches that meet a box. Whether these are all.
    fn look_around(&self, bounds: Bounds, now: &[[f32; 4]], space: &mut Workspace<N>) -> bool {
        let second = self.second();
        let Workspace { patches, elements, boxes, .. } = space;
        elements.clear();
        boxes.clear();
        for &patch in &*patches {
            let range = second.range(patch);
            for first in range.clone().step_by(WIDTH) {
                let eight = &second.elements()[first..range.end.min(first + WIDTH)];
                let eight_boxes = around(each(gather(now, eight), Vec3::to_array));
                let met = meets(bounds, eight_boxes) & lanes_below(eight.len());
                let corners = each(eight_boxes, |corner| each(corner, unpack));
                for lane in set_lanes(met) {
                    let to = elements.len() % WIDTH;
                    if to == 0 {
                        boxes.push(NOTHING.map(|corner| corner.map(|v| [v; WIDTH])));
                    }
                    elements.push((first + lane) as u32);
                    if let Some(last) = boxes.last_mut() {
                        for side in 0..2 {
                            for axis in 0..3 {
                                last[side][axis][to] = corners[side][axis][lane];
                            }
                        }
                    }
                }
            }
            if elements.len() >= MOST_LOOKED_AT {
                return false;
            }
        }
        true
    }

    /// The pairs of a patch whose boxes meet, of the elements gathered. Whether these are all.
    fn meet<P: Pairing<N>>(
        &self,
        patch: usize,
        reach: f32,
        now: &[[f32; 4]],
        space: &mut Workspace<N>,
    ) -> bool {
        let second = self.second();
        let Workspace { elements, boxes, pairs, .. } = space;
        pairs.clear();
        let mut complete = true;
        for i in self.first.range(patch) {
            let element = self.first.elements()[i];
            let bounds = widen(around(each(element, |slot| point(now, slot))), reach);
            let begin = pairs.len();
            for (eight, boxes) in boxes.iter().enumerate() {
                let met = meets(bounds, each(*boxes, |corner| each(corner, pack)));
                for lane in set_lanes(met) {
                    let j = elements[eight * WIDTH + lane] as usize;
                    let other = second.elements()[j];
                    let counts = self.second.is_some() || j > i;
                    if counts && !element.iter().any(|slot| other.contains(slot)) {
                        pairs.push(P::pair(element, other));
                    }
                }
                if pairs.len() - begin >= MOST_KEPT {
                    complete = false;
                    break;
                }
            }
        }
        complete
    }

    /// Keeps the pairs within reach.
    fn keep<P: Pairing<N>>(
        &self,
        pairs: &[[u32; N]],
        reach: f32,
        now: &[[f32; 4]],
        list: &mut List<N>,
    ) {
        let reach = F32x8::of(f64::from(reach));
        let thickness = F32x8::of(f64::from(self.thickness));
        list.pairs.clear();
        list.thickness.clear();
        for eight in pairs.chunks(WIDTH) {
            let near = P::apart(gather(now, eight)).lt(reach) & lanes_below(eight.len());
            if lane_bits(near) == 0 {
                continue;
            }
            let h = unpack(thickness.min(P::apart(gather(&self.rest, eight))));
            for lane in set_lanes(near) {
                list.pairs.push(eight[lane]);
                list.thickness.push(h[lane]);
            }
        }
    }
}
