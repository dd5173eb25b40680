//! Which islands are solved [directly](super::direct): those in which one body outweighs another that it touches, and towers.
//!
//! Between a heavy body M and the ground, a pass of Gauss-Seidel brings the load to a light one m by m / M only, and the softness of
//! contacts is that of the light one: a thousand times its weight crushed it. A tower of soft contacts tips over where it falls
//! faster than the passes hold it (docs/rigid.md, "Softness"). What one solve settles needs no softness.

use super::batches::ContactBatches;
use super::coloring::BATCHES;
use super::direct::Island;
use super::direct_point::Place;
use super::manifold::{self, Manifold};
use super::pass::PassParameters;
use super::settings::ContactSettings;
use super::solver_bodies::SolverBodies;
use crate::coloring::UnionFind;
use crate::math::Vec3;
use crate::state::{Body, OneLane};
use crate::threads::Phased;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// How many times a body outweighs another that it touches, at least.
const RATIO: f64 = 8.0;
/// A tower of L bodies of height a, half as wide as r, falls faster than n passes hold it where this times L³ g h² a / r² is more
/// than n: 0.4 of what makes twenty boxes fall. Where they are not equal, L is the most that one carries in parts of its own mass.
const TIPS: f64 = 0.32;
/// Where a is more than this times r, a tower does not fall, but trembles: five boxes of 0.2 m x 0.6 m by 3 cm/s at 8 x 2.
const SLIM: f64 = 4.0;
/// Fewer on each other are no tower.
const LEAST: f64 = 4.0;
/// Islands of more points than this are left to the passes.
const MOST: usize = 256;
/// So are islands whose factorisation takes more products than that of 32 points which all meet, or of a column of 65 boxes.
const MOST_WORK: usize = 310_000;

/// What is solved directly.
pub(super) struct Direct {
    /// Changed by one worker at a time.
    pub(super) islands: Phased<DirectIslands>,
    /// Whether anything is, in this substep.
    pub(super) any: AtomicBool,
}

impl Direct {
    pub(super) fn new(islands: DirectIslands) -> Self {
        Self { islands: Phased::new(islands), any: AtomicBool::new(false) }
    }
}

/// The islands that are solved directly, found with the colors of contacts.
pub(super) struct DirectIslands {
    /// 1 / m of each instance; 0 of what no contact moves (1/kg).
    inverse_masses: Vec<f64>,
    /// `TIPS` g h² / n (m).
    tips: f64,
    candidates: Vec<Candidate>,
    /// Whether they must be found, whatever is said.
    is_stale: bool,
    /// Room, of each instance: one of its island, that island's points, how many contacts it is from what never moves, and its
    /// first point.
    sets: UnionFind,
    points: Vec<usize>,
    levels: Vec<u32>,
    firsts: Vec<usize>,
    contacts: Vec<Contact>,
    members: Vec<u32>,
}

/// An island that is solved directly, or is while it is a tower.
struct Candidate {
    island: Island,
    /// Of `contacts`.
    contacts: Range<usize>,
    /// How many bodies lie on each other, or weigh on one as if they did.
    height: f64,
    is_unequal: bool,
    is_direct: bool,
}

/// A manifold that is solved.
#[derive(Clone, Copy)]
struct Contact {
    island: usize,
    level: u32,
    row: u32,
    place: Place,
    /// How many points it may have while contacts are not others: [`Manifold::is_like`].
    most: usize,
    /// b only if contacts move it.
    bodies: [Option<u32>; 2],
}

impl DirectIslands {
    /// For so many instances, bodies first.
    pub(super) fn new(bodies: &[Body], instances: usize, settings: &ContactSettings) -> Self {
        let mass = |body: &Body| if body.fixed { 0.0 } else { 1.0 / body.mass };
        let mut inverse_masses: Vec<f64> = bodies.iter().map(mass).collect();
        inverse_masses.resize(instances, 0.0);
        Self {
            inverse_masses,
            tips: TIPS * settings.falls / f64::from(settings.iterations),
            candidates: Vec::new(),
            is_stale: true,
            sets: UnionFind::default(),
            points: Vec::new(),
            levels: vec![0; instances],
            firsts: vec![0; instances],
            contacts: Vec::new(),
            members: Vec::new(),
        }
    }

    /// A substep begins; finds the islands, where contacts are `others` than before, and which are towers, where points have
    /// `moved`: at any time as the manifolds are then, so that a state need not say. Whether there are any.
    pub(super) fn find<E: OneLane>(
        &mut self,
        batches: &ContactBatches<E>,
        manifolds: &[Manifold],
        [others, moved]: [bool; 2],
    ) -> bool {
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
                candidate.is_direct =
                    candidate.is_unequal || self.is_tower(contacts, candidate.height, manifolds);
                candidate.island.take_places(contacts.iter().flat_map(|contact| {
                    let count = manifolds[contact.row as usize].count;
                    (0..count).map(|k| Place { k, ..contact.place })
                }));
            }
            self.candidates = candidates;
        }
        self.candidates.iter().any(|candidate| candidate.is_direct)
    }

    /// The islands that may be solved directly.
    fn take_candidates(&mut self) {
        self.candidates.clear();
        let mut contacts = std::mem::take(&mut self.contacts);
        let mut from = 0;
        for island in contacts.chunk_by_mut(|a, b| a.island == b.island) {
            let range = from..from + island.len();
            from = range.end;
            let height = f64::from(self.order(island)).max(self.load(island));
            let is_unequal = self.is_unequal(island);
            if (is_unequal || height >= LEAST) && self.work(island) <= MOST_WORK {
                self.candidates.push(Candidate {
                    island: Island::default(),
                    contacts: range,
                    height,
                    is_unequal,
                    is_direct: false,
                });
            }
        }
        self.contacts = contacts;
    }

    /// The contacts of islands that are not too large, island by island.
    fn collect<E: OneLane>(&mut self, batches: &ContactBatches<E>, manifolds: &[Manifold]) {
        let Self { sets, contacts, points, .. } = self;
        sets.reset(self.inverse_masses.len());
        contacts.clear();
        batches.each_manifold(|place, row| {
            let Manifold { pair: [a, b], count, .. } = manifolds[row as usize];
            let is_fixed = BATCHES[place.batch].0;
            if !is_fixed {
                sets.join(a, b);
            }
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

    /// Orders an island's contacts from what never moves on, the same whatever lies side by side, so that the factor is thin; how
    /// many lie on each other.
    fn order(&mut self, island: &mut [Contact]) -> u32 {
        let levels = &mut self.levels;
        let bodies = |contact: &Contact| contact.bodies.map(|body| body.map(|i| i as usize));
        island.iter().flat_map(bodies).flatten().for_each(|i| levels[i] = u32::MAX);
        let mut is_done = false;
        while !is_done {
            is_done = true;
            for contact in island.iter_mut() {
                let [a, b] = bodies(contact);
                let [of_a, of_b] = [a, b].map(|end| end.map_or(0, |i| levels[i]));
                contact.level = of_a.min(of_b);
                for i in [a, b].into_iter().flatten() {
                    let next = contact.level.saturating_add(1);
                    if next < levels[i] {
                        levels[i] = next;
                        is_done = false;
                    }
                }
            }
        }
        island.sort_unstable_by_key(|contact| (contact.level, contact.row));
        let highest = island.iter().map(|contact| contact.level).filter(|level| *level < u32::MAX);
        highest.max().map_or(0, |level| level + 1)
    }

    /// The most that bodies of one level carry, themselves included, in parts of their own mass: of equal bodies on each other their
    /// number.
    fn load(&mut self, island: &[Contact]) -> f64 {
        let Self { members, levels, inverse_masses, .. } = self;
        members.clear();
        members.extend(island.iter().flat_map(|contact| contact.bodies).flatten());
        members.retain(|&i| inverse_masses[i as usize] > 0.0);
        members.sort_unstable_by_key(|&i| (std::cmp::Reverse(levels[i as usize]), i));
        members.dedup();
        let mut carried = 0.0;
        let level = |i: &u32| levels[*i as usize];
        let loads = members.chunk_by(|a, b| level(a) == level(b)).map(|level| {
            let mass: f64 = level.iter().map(|&i| 1.0 / inverse_masses[i as usize]).sum();
            carried += mass;
            carried / mass
        });
        loads.fold(0.0, f64::max)
    }

    fn is_unequal(&self, island: &[Contact]) -> bool {
        island.iter().any(|contact| match contact.bodies.map(|body| body.map(|i| i as usize)) {
            [Some(a), Some(b)] => {
                let [a, b] = [a, b].map(|i| self.inverse_masses[i]);
                a.max(b) >= RATIO * a.min(b)
            }
            _ => false,
        })
    }

    /// Whether bodies lie so high on each other that the passes do not hold them, or are so slim that they tremble.
    fn is_tower(&self, island: &[Contact], height: f64, manifolds: &[Manifold]) -> bool {
        if height < LEAST {
            return false;
        }
        let faces = island.iter().filter_map(|contact| stance(&manifolds[contact.row as usize]));
        let mut sums = [0.0; 4];
        for [a, square] in faces {
            let each = [1.0, square / a, a * a, square];
            sums.iter_mut().zip(each).for_each(|(sum, each)| *sum += each);
        }
        let [count, width, high, across] = sums;
        let falls = height.powi(3) * self.tips * count > width;
        count > 0.0 && (falls || high > SLIM * SLIM * across)
    }

    /// What the factor takes, in products.
    fn work(&mut self, island: &[Contact]) -> usize {
        let mut points = 0;
        let mut work = 0;
        for i in island.iter().flat_map(|contact| contact.bodies).flatten() {
            self.firsts[i as usize] = usize::MAX;
        }
        for contact in island {
            let mut begin = points;
            for i in contact.bodies.into_iter().flatten() {
                let first = &mut self.firsts[i as usize];
                *first = points.min(*first);
                begin = begin.min(*first);
            }
            for _ in 0..contact.most {
                points += 1;
                work += 3 * (3 * (points - begin)).pow(2);
            }
        }
        work
    }

    /// Solves all islands as they are now.
    pub(super) fn solve<E: OneLane>(
        &mut self,
        batches: &ContactBatches<E>,
        bodies: &SolverBodies<E>,
        pass: &PassParameters<f64>,
    ) {
        let direct = self.candidates.iter_mut().filter(|candidate| candidate.is_direct);
        direct.for_each(|candidate| candidate.island.solve(batches, bodies, pass));
    }

    /// A state was taken up: contacts are others.
    pub(super) fn forget(&mut self) {
        self.is_stale = true;
    }
}

/// Of bodies that meet by a face, a from center to center (m), or twice that to what does not move, and r² the mean square of the
/// points' way across it, along its narrower side (m²).
fn stance(manifold: &Manifold) -> Option<[f64; 2]> {
    let points = &manifold.points[..manifold.count];
    if points.len() < 3 {
        return None;
    }
    let n = points.len() as f64;
    let all = points.iter().map(|point| point.anchors[0].to_f64());
    let center = all.clone().fold(Vec3::zero(), |sum, p| sum + p) * (1.0 / n);
    let mut arms = [Vec3::zero(); manifold::MOST];
    arms.iter_mut().zip(all).for_each(|(arm, p)| *arm = p - center);
    // The smaller of two eigenvalues, by their sum and product.
    let half = arms.iter().map(|arm| arm.dot(*arm)).sum::<f64>() / (2.0 * n);
    let pairs = (0..arms.len()).flat_map(|i| (0..i).map(move |j| [i, j]));
    let crossed = pairs.map(|[i, j]| arms[i].cross(arms[j]));
    let product = crossed.map(|c| c.dot(c)).sum::<f64>() / (n * n);
    let narrow = half - (half * half - product).max(0.0).sqrt();
    Some([2.0 * center.length(), narrow])
}
