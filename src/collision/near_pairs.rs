//! Pairs of a cloth's elements that may touch, kept for as long as nothing else can.
//!
//! The pairs of a patch are found within reach = near + skin. From then on each step adds how far at most the patch has come
//! closer in that step to any patch within reach: the largest difference of how far particles of the two have moved. Two
//! elements that were further apart than reach, and have come closer by less than the skin since they were so last, are further
//! apart than near. When the sum is more than the skin, the pairs of the patch are found anew, and only they.
//!
//! What is found depends on where particles are now, not on what was kept before: pairs stand in the order of the patches, all
//! that are near are among them, and a search that is cut short is not kept, but made again within near, in each step. Where one
//! is kept, none would be cut short now: boxes that meet within near now met within reach then.

use super::box_tree::meets;
use super::boxes::{Bounds, NOTHING, overlap, widen};
use super::candidates::{Candidates, MOST};
use super::cloth::{Cloth, gather};
use super::joined::Joined;
use super::narrow_phase::MOST_NEAR;
use super::patches::{PATCH, Patches};
use crate::math::{
    F32x8, Real, Vec3, WIDTH, each, each_lane, lane_bits, lanes_below, pack, set_lanes, unpack,
};
use crate::threads::{Cells, Worker};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

/// What is used of the skin; the rest is for rounding.
const USED: f32 = 0.98;
/// The most elements that one patch looks at; one element has at most [`MOST`] candidates. Where a cloth has collapsed into one
/// place, a search ends, the rest is left for later steps, and nothing is kept.
const MOST_LOOKED_AT: usize = 2 * MOST * PATCH;

/// Patches whose contacts are found at a time by one worker.
pub(super) const PATCHES: usize = 16;

/// How two elements make a pair.
pub(super) trait Pairing<const N: usize> {
    /// The slots of a pair.
    fn pair(first: [u32; 3], second: [u32; 3]) -> [u32; N];
    /// How far the elements of eight pairs are apart (m).
    fn apart(points: [Vec3<F32x8>; N]) -> F32x8;
    /// How far an element is from up to eight others, by slots of particles that are `at` there (m).
    fn apart_from(at: &[[f32; 4]], first: [u32; 3], second: &[[u32; 3]]) -> F32x8;
}

/// The pairs that a patch keeps.
pub(super) struct List<const N: usize> {
    /// Slots, one element of the patch after another.
    pairs: Vec<[u32; N]>,
    /// How far each is to stay apart: the thickness, or what it has at rest (m).
    thickness: Vec<f32>,
    /// How far the patch has come closer at most to others since they were found, and what distances were wrong by then (m);
    /// infinite where not all were kept.
    approach: f32,
    /// What distances may be wrong by now (m).
    wrong: f32,
    /// Whether they must be found anew in this step.
    due: bool,
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
struct Workspace {
    /// Every eight elements of which some may be near a patch, and the boxes around each eight, eight of them side by side.
    eights: Vec<u32>,
    boxes: Vec<Bounds<[f32; WIDTH]>>,
    /// Elements whose boxes meet that of an element.
    candidates: Candidates,
}

/// Pairs of the elements of two sets of patches, or of one.
pub(super) struct NearPairs<const N: usize> {
    first: Patches,
    /// Left out: pairs of the first with itself.
    second: Option<Patches>,
    /// Elements of the second that share a corner with each of the first.
    joined: Joined,
    rest: Vec<[f32; 4]>,
    thickness: f32,
    skin: f32,
    near: f32,
    /// Positions by slot in the step before.
    before: Cells<[f32; 4]>,
    /// Whether the pairs of any patch are due.
    due: AtomicBool,
    lists: Vec<Mutex<List<N>>>,
    workspaces: Vec<Mutex<Workspace>>,
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
        let list = || {
            let (pairs, thickness) = (Vec::new(), Vec::new());
            Mutex::new(List { pairs, thickness, approach: f32::INFINITY, wrong: 0.0, due: true })
        };
        let second = second.map(|second| Patches::new(second, &cloth.rest));
        let others = second.as_ref().unwrap_or(&first).elements();
        Self {
            joined: Joined::new(first.elements(), others, cloth.rest.len()),
            lists: std::iter::repeat_with(list).take(first.len()).collect(),
            second,
            first,
            thickness: cloth.thickness as f32,
            skin: cloth.skin() as f32,
            // A little more, for rounding.
            near: 1.01 * cloth.near as f32,
            before: Cells::new(cloth.rest.len(), [0.0; 4]),
            due: AtomicBool::new(false),
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
        for patches in std::iter::once(&self.first).chain(&self.second) {
            patches.refit(worker, now, self.before.as_slice());
        }
        worker.single(|| self.due.store(false, Ordering::Relaxed));
        worker.parallel_for(now.len(), |range| {
            range.for_each(|slot| self.before.set(slot, now[slot]));
        });
        worker.parallel_for(self.len(), |range| range.for_each(|patch| self.ask(patch)));
        if !self.due.load(Ordering::Relaxed) {
            return;
        }
        worker.parallel_for(self.len(), |range| {
            for patch in range.filter(|&patch| self.list(patch).due) {
                self.first.want(patch);
                let (around, from) = (self.around(patch), self.first_other(patch));
                self.second().meet(around, from, |other| self.second().want(other));
            }
        });
        for patches in std::iter::once(&self.first).chain(&self.second) {
            patches.measure(worker, now);
        }
        // Neighbors go to different workers, as what moves lies together.
        let workspaces = self.workspaces.len();
        worker.parallel_for(workspaces, |range| {
            for k in range {
                let mut workspace = self.workspaces[k].lock().expect("no worker panicked");
                for patch in (k..self.len()).step_by(workspaces) {
                    self.renew::<P>(patch, now, &mut workspace);
                }
            }
        });
    }

    fn second(&self) -> &Patches {
        self.second.as_ref().unwrap_or(&self.first)
    }

    /// The first patch that makes pairs with this one: of one set each pair stands with the first of its two patches.
    fn first_other(&self, patch: usize) -> usize {
        if self.second.is_some() { 0 } else { patch }
    }

    /// The box of a patch, wider by reach.
    fn around(&self, patch: usize) -> Bounds {
        widen(self.first.bounds(patch), self.near + self.skin)
    }

    /// Asks whether the pairs of a patch are out of date.
    fn ask(&self, patch: usize) {
        let list = &mut *self.list(patch);
        let around = self.around(patch);
        let others = (self.second(), self.first_other(patch));
        let [approach, wrong] = self.first.approach(patch, others, around);
        list.approach += approach;
        list.wrong = wrong;
        // Of what is no number nothing is known.
        let holds = list.approach + wrong <= USED * self.skin;
        list.due = !holds;
        if list.due {
            self.due.store(true, Ordering::Relaxed);
        }
    }

    /// Finds the pairs of a patch anew, if they are out of date.
    fn renew<P: Pairing<N>>(&self, patch: usize, now: &[[f32; 4]], space: &mut Workspace) {
        let list = &mut *self.list(patch);
        if !list.due {
            return;
        }
        list.approach = list.wrong;
        if !self.find::<P>(patch, self.near + self.skin, now, space, list) {
            list.approach = f32::INFINITY;
            self.find::<P>(patch, self.near, now, space, list);
        }
    }

    /// Finds the pairs of a patch within `reach`. Whether these are all.
    fn find<P: Pairing<N>>(
        &self,
        patch: usize,
        reach: f32,
        now: &[[f32; 4]],
        space: &mut Workspace,
        list: &mut List<N>,
    ) -> bool {
        let mut complete = self.look_around(patch, reach, space);
        let elements = self.second().elements();
        list.pairs.clear();
        for i in self.first.range(patch) {
            complete &= self.meet(i, reach, space);
            let own = self.first.elements()[i];
            for eight in space.candidates.list().chunks(WIDTH) {
                let last = eight.len() - 1;
                let others = each_lane(|lane| elements[eight[lane.min(last)] as usize]);
                let near = P::apart_from(now, own, &others).lt(F32x8::of(reach.into()));
                let near = set_lanes(near & lanes_below(eight.len()));
                list.pairs.extend(near.map(|lane| P::pair(own, others[lane])));
            }
        }
        let thickness = F32x8::of(self.thickness.into());
        list.thickness.clear();
        for eight in list.pairs.chunks(WIDTH) {
            let h = unpack(thickness.min(P::apart(gather(&self.rest, eight))));
            list.thickness.extend(&h[..eight.len()]);
        }
        complete
    }

    /// Lists every eight elements that meet the box of a patch. Whether these are all.
    fn look_around(&self, patch: usize, reach: f32, space: &mut Workspace) -> bool {
        let bounds = widen(self.first.bounds(patch), reach);
        let Workspace { eights, boxes, .. } = space;
        eights.clear();
        boxes.clear();
        let [_, of_eights] = self.second().measured();
        self.second().meet(bounds, self.first_other(patch), |other| {
            if eights.len() >= MOST_LOOKED_AT / WIDTH {
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
    fn meet(&self, i: usize, reach: f32, space: &mut Workspace) -> bool {
        let [of_elements, _] = self.second().measured();
        let bounds = widen(self.first.measured()[0].get(i), reach);
        let Workspace { eights, boxes, candidates, .. } = space;
        let joined = self.joined.of(i);
        let mut len = 0;
        for (eights, boxes) in eights.chunks(WIDTH).zip(&*boxes) {
            let met = meets(bounds, each(*boxes, |corner| each(corner, pack)));
            for lane in set_lanes(met) {
                let eight = eights[lane];
                let first = eight as usize * WIDTH;
                let mut met = lane_bits(meets(bounds, of_elements.eight(first)));
                for &[of, bits] in joined {
                    met &= !(if of == eight { bits } else { 0 });
                }
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
}
