//! Pairs of a cloth's elements that may touch, kept for as long as nothing else can.
//!
//! The pairs of all patches are found together, within reach = near + skin. From then on each step asks of each patch how far it
//! has come closer, at most, to any patch that is near it now: by the largest difference of how far particles of the two have
//! moved. Two elements that were further apart than reach, and came closer by less than the skin, are further apart than near.
//! A patch for which this is more than the skin is busy: its pairs are found anew in each step, until so many patches are
//! busy that all are looked for together again. (Patches that are each found anew in their own time, from up to sixteen moments
//! that are remembered, are found as often: a cloth that is wrung or falls moves everywhere.)
//!
//! Two that come closer within a substep by more than the margin are a contact from as far off, up to [`FARTHEST`].
//!
//! What is found depends on where particles are now, not on what was kept before: pairs stand in the order of the patches, all
//! that are near are among them, and a search that is cut short is not kept, but made again within near. Where one is kept, none
//! would be cut short now: boxes that meet within near now met within reach then.

use super::box_tree::meets;
use super::boxes::{Bounds, NOTHING, overlap, widen};
use super::candidates::{Candidates, MOST};
use super::cloth::{Cloth, gather};
use super::cloth_graph::ClothGraph;
use super::narrow_phase::SubstepMotion;
use super::pair_list::{List, Pairing};
use super::patches::{PATCH, Patches};
use super::shared_corners::SharedCorners;
use crate::math::{
    F32x8, Real, WIDTH, each, lane_bits, lanes_below, pack, set_lanes, splat, unpack,
};
use crate::threads::{Cells, Worker, lock};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// What is used of the skin; the rest is for rounding.
const USED: f32 = 0.98;
/// All pairs are found again when more than one in so many patches is busy.
const BUSY: usize = 4;
/// The most elements that one patch looks at; one element has at most [`MOST`] candidates. Where a cloth has collapsed into one
/// place, a search ends, the rest is left for later steps, and nothing is kept.
const MOST_LOOKED_AT: usize = 2 * MOST * PATCH;

/// From so many skins on (four mean edges) hundreds are around an element: it looks at those whose ways come near, in skins (a mean edge).
const FAR: f32 = 16.0;
const NEAR_WAYS: f32 = 4.0;
/// What comes closer in a substep by more than so many skins (64 mean edges) is found too late: a search stays bounded.
const FARTHEST: f32 = 256.0;

/// What a worker needs to find pairs.
#[derive(Default)]
struct Workspace<const N: usize> {
    /// Every eight elements of which some may be near a patch, and the boxes around each eight, eight of them side by side.
    eights: Vec<u32>,
    boxes: Vec<Bounds<[f32; WIDTH]>>,
    /// Elements whose boxes meet that of an element.
    candidates: Candidates,
    /// The slots of such pairs.
    pairs: Vec<[u32; N]>,
}

/// Pairs of the elements of two sets of patches, or of one.
pub(super) struct NearPairs<const N: usize> {
    first: Patches,
    /// Left out: pairs of the first with itself.
    second: Option<Patches>,
    /// Elements of the second that share a corner with each of the first.
    shared_corners: SharedCorners,
    rest: Vec<[f32; 4]>,
    graph: Option<Arc<ClothGraph>>,
    thickness: f32,
    skin: f32,
    near: f32,
    /// What is nearer is a contact (m).
    touch: f32,
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
        let list = || Mutex::new(List::new());
        let second = second.map(|second| Patches::new(second, &cloth.rest));
        let others = second.as_ref().unwrap_or(&first).elements();
        Self {
            shared_corners: SharedCorners::new(first.elements(), others, cloth.rest.len()),
            lists: std::iter::repeat_with(list).take(first.len()).collect(),
            second,
            first,
            thickness: cloth.thickness as f32,
            skin: cloth.skin() as f32,
            // A little more, for rounding.
            near: 1.01 * cloth.near as f32,
            touch: cloth.near as f32,
            then: Cells::new(cloth.rest.len(), [0.0; 4]),
            // So many that all pairs are found first.
            busy: AtomicUsize::new(usize::MAX),
            workspaces: std::iter::repeat_with(Mutex::default).take(threads.max(1)).collect(),
            rest: cloth.rest.clone(),
            graph: cloth.graph.clone(),
        }
    }

    /// How many patches there are.
    pub(super) fn len(&self) -> usize {
        self.lists.len()
    }

    /// What a patch keeps.
    pub(super) fn list(&self, patch: usize) -> MutexGuard<'_, List<N>> {
        lock(&self.lists[patch])
    }

    /// How near each of eight pairs of a list is to be for a contact (m).
    #[inline(always)]
    pub(super) fn touch<P: Pairing<N>>(
        &self,
        list: &List<N>,
        eight: &[[u32; N]],
        motion: SubstepMotion,
    ) -> F32x8 {
        let touch = splat(self.touch);
        if list.near <= self.near {
            return touch;
        }
        let moved = gather(motion.moved, eight);
        let mut closer = F32x8::zero();
        for a in 0..P::FIRST {
            for b in P::FIRST..N {
                closer = closer.max((moved[a] - moved[b]).length());
            }
        }
        // No further than the list goes, should some way be unknown.
        touch.max((splat(self.thickness) + closer).min(splat(list.near)))
    }

    /// Whether anything may come closer by more than the margin.
    fn is_fast(&self, motion: SubstepMotion) -> bool {
        self.thickness + 2.0 * motion.most > self.touch
    }

    /// How near pairs of a patch are to be, or more (m).
    fn near_in_step(&self, patch: usize, motion: SubstepMotion) -> f32 {
        if !self.is_fast(motion) {
            return self.near;
        }
        let farthest = self.touch + FARTHEST * self.skin;
        let most = (self.thickness + 2.0 * motion.most).min(farthest);
        let bounds = widen(self.first.bounds(patch), 1.01 * most);
        let closer = self.first.approach_in_step(patch, self.second(), bounds);
        self.near.max((1.01 * (self.thickness + closer)).min(farthest))
    }

    /// Finds pairs anew where it must. All workers together.
    pub(super) fn update<P: Pairing<N>>(&self, worker: &Worker, motion: SubstepMotion) {
        let now = motion.previous;
        let all = self.busy.load(Ordering::Relaxed) > self.len() / BUSY;
        // Only when all have read it.
        worker.meet();
        worker.single(|| self.busy.store(0, Ordering::Relaxed));
        if all {
            worker.parallel_for(now.len(), |range| {
                range.for_each(|slot| self.then.set(slot, now[slot]));
            });
        }
        let (both, is_fast) =
            (|| std::iter::once(&self.first).chain(&self.second), self.is_fast(motion));
        both().for_each(|of| of.refit(worker, motion, self.then.as_slice(), is_fast));
        if !all {
            worker
                .parallel_for(self.len(), |range| range.for_each(|patch| self.ask(patch, motion)));
            if self.busy.load(Ordering::Relaxed) == 0 {
                return;
            }
        }
        both().for_each(|of| of.measure(worker, motion, is_fast));
        // Neighbors go to different workers, as what moves lies together.
        let workspaces = self.workspaces.len();
        worker.parallel_for(workspaces, |range| {
            for k in range {
                let mut workspace = lock(&self.workspaces[k]);
                for patch in (k..self.len()).step_by(workspaces) {
                    self.renew::<P>(patch, all, motion, &mut workspace);
                }
            }
        });
    }

    fn second(&self) -> &Patches {
        self.second.as_ref().unwrap_or(&self.first)
    }

    /// Asks whether the pairs of a patch are out of date.
    fn ask(&self, patch: usize, motion: SubstepMotion) {
        let list = &mut *self.list(patch);
        list.near = self.near_in_step(patch, motion);
        if !list.busy {
            let near = widen(self.first.bounds(patch), list.near);
            let closer = self.first.approach(patch, self.second(), near);
            list.busy = closer + (list.near - self.near) > USED * self.skin;
        }
        if list.busy {
            self.busy.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Finds the pairs of a patch anew, if `all` are or its own are out of date.
    fn renew<P: Pairing<N>>(
        &self,
        patch: usize,
        all: bool,
        motion: SubstepMotion,
        space: &mut Workspace<N>,
    ) {
        let (now, list) = (motion.previous, &mut *self.list(patch));
        if all {
            list.near = self.near_in_step(patch, motion);
            list.busy = list.near > self.near + USED * self.skin
                || !self.find::<P>(patch, self.near + self.skin, now, space, list);
            self.busy.fetch_add(usize::from(list.busy), Ordering::Relaxed);
        }
        if list.busy {
            self.find::<P>(patch, list.near, now, space, list);
        }
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
        let mut complete = self.look_around(patch, reach, space);
        let second = self.second().elements();
        space.pairs.clear();
        for i in self.first.range(patch) {
            complete &= self.meet(i, reach, space);
            let own = self.first.elements()[i];
            let others = space.candidates.list().iter().map(|&j| second[j as usize]);
            space.pairs.extend(others.map(|other| P::pair(own, other)));
        }
        self.keep::<P>(&space.pairs, reach, now, list);
        complete
    }

    /// Lists every eight elements that meet the box of a patch. Whether these are all.
    fn look_around(&self, patch: usize, reach: f32, space: &mut Workspace<N>) -> bool {
        let bounds = widen(self.first.bounds(patch), reach);
        let Workspace { eights, boxes, .. } = space;
        eights.clear();
        boxes.clear();
        let [_, of_eights] = self.second().measured();
        self.second().meet(bounds, |other| {
            if (self.second.is_none() && other < patch) || eights.len() >= MOST_LOOKED_AT / WIDTH {
                return;
            }
            let Range { start, end } = self.second().range(other);
            for eight in start / WIDTH..end.div_ceil(WIDTH) {
                let around = of_eights.get(eight);
                if !overlap(bounds, around) {
                    continue;
                }
                let to = eights.len() % WIDTH;
                if to == 0 {
                    boxes.push(NOTHING.map(|corner| corner.map(|v| [v; WIDTH])));
                }
                eights.push(eight as u32);
                if let Some(last) = boxes.last_mut() {
                    for side in 0..2 {
                        for axis in 0..3 {
                            last[side][axis][to] = around[side][axis];
                        }
                    }
                }
            }
        });
        eights.len() < MOST_LOOKED_AT / WIDTH
    }

    /// The elements whose boxes meet that of element `i` and that share no corner with it, of every eight that were listed.
    /// Whether these are all.
    fn meet(&self, i: usize, reach: f32, space: &mut Workspace<N>) -> bool {
        let [of_elements, _] = self.second().measured();
        let bounds = widen(self.first.measured()[0].get(i), reach);
        let Workspace { eights, boxes, candidates, .. } = space;
        let mut sharing = self.shared_corners.of(i).iter().peekable();
        let (is_far, ways) = (reach > self.touch + FAR * self.skin, self.second().ways());
        let way = widen(self.first.ways().get(i), self.near + NEAR_WAYS * self.skin);
        let mut len = 0;
        for (eights, boxes) in eights.chunks(WIDTH).zip(&*boxes) {
            let met = meets(bounds, each(*boxes, |corner| each(corner, pack)));
            for lane in set_lanes(met) {
                let eight = eights[lane] as usize;
                let mut met = lane_bits(meets(bounds, of_elements.eight(eight)));
                if is_far {
                    met &= lane_bits(meets(way, ways.eight(eight)));
                }
                // Both ascend.
                while sharing.next_if(|&&[of, _]| (of as usize) < eight).is_some() {}
                if let Some([_, bits]) = sharing.next_if(|&&[of, _]| of as usize == eight) {
                    met &= !bits;
                }
                let first = eight * WIDTH;
                // Of one set each pair once.
                let before = match self.second {
                    None => (i + 1).saturating_sub(first).min(WIDTH),
                    Some(_) => 0,
                };
                len = candidates.write(len, first, met >> before << before);
            }
        }
        candidates.end(len);
        len < MOST
    }

    /// Keeps the pairs within reach.
    fn keep<P: Pairing<N>>(
        &self,
        pairs: &[[u32; N]],
        reach: f32,
        now: &[[f32; 4]],
        list: &mut List<N>,
    ) {
        let [reach, thickness] = [reach, self.thickness].map(|v| F32x8::of(f64::from(v)));
        list.pairs.clear();
        for eight in pairs.chunks(WIDTH) {
            let near = P::apart(gather(now, eight)).lt(reach) & lanes_below(eight.len());
            list.pairs.extend(set_lanes(near).map(|lane| eight[lane]));
        }
        list.thickness.clear();
        for eight in list.pairs.chunks(WIDTH) {
            let h = unpack(thickness.min(P::apart(gather(&self.rest, eight))));
            list.thickness.extend(&h[..eight.len()]);
        }
        if let Some(graph) = &self.graph {
            graph.part(&list.pairs, P::FIRST, self.thickness, &mut list.thickness);
        }
    }
}
