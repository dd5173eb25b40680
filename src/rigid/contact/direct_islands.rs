//! Which islands are solved [directly](super::direct): those in which one body outweighs another that it touches, and towers.
//!
//! Between a heavy body M and the ground, a pass of Gauss-Seidel brings the load to a light one m by m / M only, and the softness of
//! contacts is that of the light one: a thousand times its weight crushed it. A tower of soft contacts tips over where it falls
//! faster than the passes hold it (docs/rigid.md, "Softness"). What one solve settles needs no softness. Bodies that rigid joints hold
//! together are solved so too: a pass meets the leg of a table alone, and the table walks (docs/rigid.md, "Linkages").

use super::batches::ContactBatches;
use super::coloring::BATCHES;
use super::direct::{Island, SWEEPS};
use super::direct_bodies::DirectScene;
use super::direct_point::Place;
use super::held_joints::{Component, HeldJoints};
use super::island_measures::{Contact, IslandMeasures, LEAST};
use super::manifold::Manifold;
use super::pass::PassParameters;
use super::settings::ContactSettings;
use super::solver_bodies::SolverBodies;
use crate::coloring::UnionFind;
use crate::state::OneLane;
use crate::subsystem::BuildContext;
use crate::threads::Phased;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// Islands of more points than this are left to the passes.
const MOST: usize = 256;
/// So are islands whose factorisation takes more products than that of 32 points which all meet, or of a column of 65 boxes.
const MOST_WORK: usize = 310_000;

/// What joints hold together is left to the passes where any of it is faster than this and an impact's 2 |g| h (m/s): what moves does
/// not creep. But fewer iterations than so many throw it about, and in longer substeps than this (s) it gains energy where it falls.
const SLOW: f64 = 0.2;
const FEW: u32 = 4;
const LONG: f64 = 1.0 / 400.0;
/// What hangs together by more joints than this, or in a loop, counts as bodies by themselves: rows that nearly say the same are not
/// closed by one factor a substep.
const MOST_JOINTS: usize = 64;

/// What is solved directly.
pub(super) struct Direct {
    /// Changed by one worker at a time.
    pub(super) islands: Phased<DirectIslands>,
    /// Whether anything is, in this substep, and whether any of it hangs together by joints.
    pub(super) any: [AtomicBool; 2],
}

impl Direct {
    pub(super) fn new(islands: DirectIslands) -> Self {
        Self { islands: Phased::new(islands), any: Default::default() }
    }
}

/// The islands that are solved directly, found with the colors of contacts.
pub(super) struct DirectIslands {
    instances: usize,
    measures: IslandMeasures,
    /// Of joints that may break passes tell what they bear, so they are not among these.
    joints: HeldJoints,
    /// What is faster is left to passes, where joints hold it together (m/s).
    slow: f64,
    candidates: Vec<Candidate>,
    /// Whether they must be found, whatever is said.
    is_stale: bool,
    /// Room, of each instance: one of its island, and that island's points.
    sets: UnionFind,
    points: Vec<usize>,
    contacts: Vec<Contact>,
}

/// An island that is solved directly, or is while it is a tower.
struct Candidate {
    island: Island,
    /// Of `contacts`.
    contacts: Range<usize>,
    /// How many bodies lie on each other, or weigh on one as if they did.
    height: f64,
    is_unequal: bool,
    /// Whether any of it hangs together by joints: then it is relaxed, where it is not solved.
    is_jointed: bool,
    may_be_exact: bool,
    /// Whether it is solved, and whether it is that or relaxed.
    is_exact: bool,
    is_direct: bool,
}

impl DirectIslands {
    /// For so many instances, bodies first.
    pub(super) fn new(
        context: &BuildContext,
        instances: usize,
        settings: &ContactSettings,
    ) -> Self {
        Self {
            instances,
            measures: IslandMeasures::new(context, instances, settings),
            joints: HeldJoints::new(context, |joint| joint.breakable.is_none()),
            slow: match settings.iterations < FEW || settings.h > LONG {
                true => f64::INFINITY,
                false => SLOW + settings.threshold,
            },
            candidates: Vec::new(),
            is_stale: true,
            sets: UnionFind::default(),
            points: Vec::new(),
            contacts: Vec::new(),
        }
    }

    /// A substep begins; finds the islands, where contacts are `others` than before, and which are towers, where points have
    /// `moved`: at any time as the manifolds are then, so that a state need not say. Whether there are any, and any jointed ones.
    pub(super) fn find<E: OneLane>(
        &mut self,
        bodies: &SolverBodies<E>,
        batches: &ContactBatches<E>,
        manifolds: &[Manifold],
        [others, moved]: [bool; 2],
    ) -> [bool; 2] {
        self.candidates.iter_mut().for_each(|candidate| candidate.island.begin());
        let others = std::mem::take(&mut self.is_stale) || others;
        if others {
            self.collect(batches, manifolds);
            self.take_candidates();
        }
        if others || moved {
            let mut candidates = std::mem::take(&mut self.candidates);
            for candidate in &mut candidates {
                let contacts = &self.contacts[candidate.contacts.clone()];
                let Candidate { height, is_unequal, may_be_exact, .. } = *candidate;
                candidate.is_exact = may_be_exact
                    && (is_unequal || self.measures.is_tower(contacts, height, manifolds));
                candidate.island.take_places(contacts.iter().flat_map(|contact| {
                    let count = manifolds[contact.row as usize].count;
                    (0..count).map(|k| Place { k, ..contact.place })
                }));
            }
            self.candidates = candidates;
        }
        for candidate in &mut self.candidates {
            let Candidate { island, contacts, is_jointed, is_exact, .. } = candidate;
            let touching = self.contacts[contacts.clone()].iter().flat_map(|c| c.bodies).flatten();
            let mut all = touching.chain(island.bodies.held(&self.joints));
            let rests = |i: u32| bodies.predicted_speed(i as usize) < self.slow;
            candidate.is_direct = *is_exact || *is_jointed && all.all(rests);
        }
        let direct = || self.candidates.iter().filter(|candidate| candidate.is_direct);
        [direct().next().is_some(), direct().any(|candidate| candidate.is_jointed)]
    }

    /// The islands that may be solved directly.
    fn take_candidates(&mut self) {
        self.candidates.clear();
        let mut contacts = std::mem::take(&mut self.contacts);
        let mut from = 0;
        for island in contacts.chunk_by_mut(|a, b| a.island == b.island) {
            let range = from..from + island.len();
            from = range.end;
            let height = f64::from(self.measures.order(island)).max(self.measures.load(island));
            let is_unequal = self.measures.is_unequal(island);
            let mut solved = Island::default();
            let is_jointed = self.take_components(island, &mut solved);
            let may_be_exact = (is_unequal || height >= LEAST)
                && self.measures.work(island, is_jointed) <= MOST_WORK;
            if is_jointed || may_be_exact {
                self.candidates.push(Candidate {
                    island: solved,
                    contacts: range,
                    height,
                    is_unequal,
                    is_jointed,
                    may_be_exact,
                    is_exact: false,
                    is_direct: false,
                });
            }
        }
        self.contacts = contacts;
    }

    /// What hangs together with the bodies of an island; false, and nothing, where that is nothing or too much.
    fn take_components(&mut self, island: &[Contact], solved: &mut Island) -> bool {
        let bodies = island.iter().flat_map(|contact| contact.bodies).flatten();
        let mut held: Vec<(u32, u32)> =
            bodies.filter_map(|i| Some((component(&self.joints, i)?, i))).collect();
        held.sort_unstable();
        held.dedup();
        let mut found: Vec<u32> = held.iter().map(|(c, _)| *c).collect();
        found.dedup();
        let points: usize = island.iter().map(|contact| contact.most).sum();
        let of = |c: u32| &self.joints.components[c as usize];
        let factors: usize = found.iter().map(|c| of(*c).work).sum();
        // How each body that is touched lets all move: six solutions, there and back.
        let columns: usize = held.iter().map(|(c, _)| 6 * 2 * of(*c).entries).sum();
        let work = 2 * SWEEPS * (3 * points).pow(2) + factors + columns;
        let takes = !found.is_empty() && work <= MOST_WORK;
        if takes {
            solved.bodies.take_components(found.into_iter());
        }
        takes
    }

    /// The contacts of islands that are not too large, island by island.
    fn collect<E: OneLane>(&mut self, batches: &ContactBatches<E>, manifolds: &[Manifold]) {
        let Self { joints, sets, contacts, points, .. } = self;
        let first = |i: u32| Some(joints.components[component(joints, i)? as usize].bodies[0]);
        sets.reset(self.instances);
        contacts.clear();
        batches.each_manifold(|place, row| {
            let Manifold { pair: [a, b], count, .. } = manifolds[row as usize];
            let is_fixed = BATCHES[place.batch].0;
            if !is_fixed {
                sets.join(a, b);
            }
            [a, b]
                .into_iter()
                .for_each(|i| first(i).into_iter().for_each(|first| sets.join(i, first)));
            let bodies = [Some(a), (!is_fixed).then_some(b)];
            let most = count.next_power_of_two();
            contacts.push(Contact { island: a as usize, level: 0, row, place, most, bodies });
        });
        points.clear();
        points.resize(sets.len(), 0);
        for contact in contacts.iter_mut() {
            contact.island = sets.root(contact.island as u32) as usize;
            points[contact.island] += contact.most;
        }
        contacts.retain(|contact| points[contact.island] <= MOST);
        contacts.sort_unstable_by_key(|contact| (contact.island, contact.row));
    }

    /// Solves all islands as they are now.
    pub(super) fn solve<E: OneLane>(&mut self, scene: &DirectScene<E>, pass: &PassParameters<f64>) {
        for candidate in self.candidates.iter_mut().filter(|candidate| candidate.is_direct) {
            candidate.island.solve(scene, &self.joints, pass, candidate.is_exact);
        }
    }

    /// Leaves bodies of islands as joints allow what this pass has done to them.
    pub(super) fn hold<E: OneLane>(&mut self, scene: &DirectScene<E>, pass: &PassParameters<f64>) {
        for candidate in self.candidates.iter_mut().filter(|candidate| candidate.is_direct) {
            candidate.island.hold(scene, &self.joints, pass);
        }
    }

    /// A state was taken up: contacts are others.
    pub(super) fn forget(&mut self) {
        self.is_stale = true;
    }
}

/// What a body hangs together with.
fn component(joints: &HeldJoints, i: u32) -> Option<u32> {
    joints.of(i).filter(|c| {
        let Component { joints, is_tree, .. } = &joints.components[*c as usize];
        joints.len() <= MOST_JOINTS && *is_tree
    })
}
