//! The narrow phase: where shapes touch, what the same points did before, and in which color each contact is solved. One
//! discrete pass (S4-21), in f32 whatever number the solver has.
//!
//! Contacts are found where bodies are at the start of the substep, out to a margin and as far as they may come by the next
//! pass. A pair that has hardly moved since its points were found keeps them: the points are local, so their gaps stay true.

use super::collide::collide;
use super::coloring::ContactColoring;
use super::geometry::Geometry;
use super::instance::{Instance, InstanceState, material};
use super::manifold::{Manifold, Point, ReferenceBody, Relative};
use super::pair_cache::PairCache;
use crate::collision::Contacts;
use std::ops::Range;
use std::sync::Mutex;

/// Pairs that one thread looks at at a time.
const CHUNK: usize = 64;
/// How far and by what angle b may have moved for the points to be kept, in parts of the smaller reach and rad.
const KEPT: f32 = 0.005;
/// How far a point may have moved and be the same, in parts of the smaller reach.
const SAME: f32 = 0.1;
/// How alike two normals are of which one goes on where the other was: the cosine of 30°.
const ALIKE: f32 = 0.866;

/// How many steps ahead what may wake a body is seen.
const PASSES: f32 = 2.0;

/// Who touches whom, and where.
pub(super) struct NarrowPhase {
    pub(super) instances: Vec<Instance>,
    pub(super) cache: PairCache,
    /// How instances stand, as last [looked](Self::look) at.
    pub(super) states: Vec<InstanceState>,
    /// The pairs to look at, sorted; what is found of each chunk of them, to [collide](Self::collide).
    pairs: Vec<[u32; 2]>,
    pub(super) chunks: Vec<Mutex<Vec<Manifold>>>,
    pub(super) manifolds: Vec<Manifold>,
    before: Vec<Manifold>,
    pub(super) coloring: ContactColoring,
    /// Which instances sleep, and whether that has just changed.
    pub(super) asleep: Vec<bool>,
    pub(super) changed: bool,
}

impl NarrowPhase {
    pub(super) fn new(
        instances: Vec<Instance>,
        joined: Vec<[u32; 2]>,
        contacts: &Contacts,
        ahead: f64,
        lanes: usize,
    ) -> Self {
        Self {
            cache: PairCache::new(&instances, joined, contacts.margin, ahead),
            coloring: ContactColoring::new(instances.len(), contacts.order, lanes),
            asleep: vec![false; instances.len()],
            changed: false,
            states: Vec::new(),
            pairs: Vec::new(),
            chunks: Vec::new(),
            manifolds: Vec::new(),
            before: Vec::new(),
            instances,
        }
    }

    /// The normal of a manifold in the world, from b to a.
    pub(super) fn normal(&self, manifold: &Manifold) -> Point {
        let [a, b] = manifold.pair.map(|i| self.states[i as usize].q);
        match manifold.reference {
            ReferenceBody::A => a.rotate(manifold.normal),
            ReferenceBody::B => b.rotate(manifold.normal),
        }
    }

    /// Takes how instances stand. Whether contacts are to be found anew, else all of them are as they were; and whether boxes
    /// are to be [searched](PairCache::search) first.
    pub(super) fn look(&mut self, states: Vec<InstanceState>) -> [bool; 2] {
        self.states = states;
        let passes = match self.asleep.contains(&true) {
            true => PASSES,
            false => 1.0,
        };
        let moved = self.cache.find_moved(&self.instances, &self.states);
        let search = self.cache.update_boxes(&self.instances, &self.states, passes);
        [std::mem::take(&mut self.changed) | moved | search, search]
    }

    /// Lists the pairs to look at.
    pub(super) fn list_pairs(&mut self, searched: bool) {
        if searched {
            self.cache.collect(&self.instances);
        }
        let instances = &self.instances;
        let meets = |[a, b]: &[u32; 2]| {
            let wakes = self.asleep[*a as usize] && instances[*b as usize].moving
                || self.asleep[*b as usize] && instances[*a as usize].moving;
            self.is_solved([*a, *b]) || wakes
        };
        let near = self.cache.sweep.pairs.iter().copied();
        let mut pairs: Vec<_> = near.filter(meets).collect();
        // What has no end is near everything.
        let endless = (0..instances.len() as u32)
            .filter(|i| matches!(instances[*i as usize].geometry, Geometry::Plane { .. }));
        for plane in endless {
            let free = (0..plane).filter(|i| !instances[*i as usize].fixed);
            pairs.extend(free.map(|i| [i, plane]).filter(meets));
        }
        pairs.sort_unstable();
        self.chunks.resize_with(pairs.len().div_ceil(CHUNK), Mutex::default);
        self.pairs = pairs;
        std::mem::swap(&mut self.manifolds, &mut self.before);
    }

    /// Finds where the pairs of some chunks touch.
    pub(super) fn collide(&self, chunks: Range<usize>) {
        for chunk in chunks {
            let mut found = self.chunks[chunk].lock().expect("no worker panicked");
            found.clear();
            let first = chunk * CHUNK;
            let pairs = &self.pairs[first..(first + CHUNK).min(self.pairs.len())];
            let mut cursor = self.known(pairs[0]);
            for pair in pairs {
                self.collide_pair(*pair, &mut cursor, &mut found);
            }
        }
    }

    /// Collects the manifolds of all chunks.
    pub(super) fn collect(&mut self) {
        self.manifolds.clear();
        for chunk in &mut self.chunks {
            let found = chunk.get_mut().expect("no worker panicked");
            self.manifolds.extend_from_slice(found);
        }
        // What sleeps keeps its contacts as they were.
        let kept = |m: &&Manifold| {
            let [a, b] = m.pair;
            let sleeps = m.pair.iter().any(|i| self.asleep[*i as usize]);
            let listed = || self.pairs.binary_search(&[a.min(b), a.max(b)]).is_ok();
            !self.is_solved(m.pair) && sleeps && !listed()
        };
        let kept: Vec<_> = self.before.iter().filter(kept).copied().collect();
        self.manifolds.extend(kept);
        // Kept sorted, so that the next pass finds what it inherits.
        self.manifolds.sort_unstable_by_key(Manifold::key);
    }

    /// Colors all contacts.
    pub(super) fn color(&mut self) {
        let (instances, asleep) = (&self.instances, &self.asleep);
        let is_fixed = |i: u32| instances[i as usize].fixed;
        let is_resting = |i: u32| is_fixed(i) || asleep[i as usize];
        self.coloring.color(&self.manifolds, is_resting, is_fixed);
    }

    /// Whether contacts of the two are solved: where one of them moves.
    fn is_solved(&self, pair: [u32; 2]) -> bool {
        pair.iter().any(|i| !self.is_resting(*i))
    }

    /// Whether no contact moves it now.
    pub(super) fn is_resting(&self, i: u32) -> bool {
        self.instances[i as usize].fixed || self.asleep[i as usize]
    }

    /// Where what a pair did before begins.
    fn known(&self, pair: [u32; 2]) -> usize {
        self.before.partition_point(|m| m.pair < pair)
    }

    /// Adds where two instances touch; `cursor` goes along the manifolds of before, as pairs come in their order.
    fn collide_pair(&self, [i, j]: [u32; 2], cursor: &mut usize, found: &mut Vec<Manifold>) {
        // A body that moves first.
        let resting = |i: u32| (self.instances[i as usize].fixed, self.is_resting(i));
        let pair = if resting(j) < resting(i) { [j, i] } else { [i, j] };
        let [a, b] = pair.map(|i| &self.instances[i as usize]);
        let [from, to] = pair.map(|i| &self.states[i as usize]);
        let at = Relative::new((from.x, from.q), (to.x, to.q));
        let smaller = a.geometry.reach().min(b.geometry.reach());
        let first = if pair == [i, j] {
            let ahead = self.before[*cursor..].iter();
            *cursor += ahead.take_while(|m| m.pair < pair).count();
            *cursor
        } else {
            self.known(pair)
        };
        let old = self.before[first..].iter();
        let old = old.take_while(|m| m.pair == pair);
        let start = found.len();
        if !pair.iter().any(|i| self.cache.moved[*i as usize]) {
            found.extend(old);
            return;
        }
        found.extend(old.clone().filter(|m| {
            let near = |base: &Relative| base.is_near(&at, KEPT * smaller, KEPT);
            m.base.as_ref().is_some_and(near)
        }));
        if found.len() > start {
            return;
        }
        let [ra, rb] = [a, b].map(|instance| {
            let reach = instance.geometry.reach();
            if reach.is_finite() { reach } else { 0.0 }
        });
        let drift = (from.v - to.v).length() + from.spin * ra + to.spin * rb;
        // What sleeps must wake before it is touched.
        let passes = match self.is_resting(pair[1]) && !b.fixed {
            true => PASSES,
            false => 1.0,
        };
        let reach = self.cache.margin + drift * self.cache.ahead * passes;
        collide(&a.geometry, &b.geometry, &at, reach, found);
        let [mu, e] = material([a.friction, b.friction], [a.restitution, b.restitution]);
        for new in &mut found[start..] {
            (new.pair, new.friction, new.restitution) = (pair, mu, e);
            let (part, normal) = (new.part, self.normal(new));
            let same = |m: &&Manifold| m.part == part && self.normal(m).dot(normal) > ALIKE;
            for old in old.clone().filter(same) {
                new.inherit(old, SAME * smaller);
            }
        }
    }

    /// A body falls asleep or wakes.
    pub(super) fn put_asleep(&mut self, i: usize, asleep: bool) {
        self.asleep[i] = asleep;
        self.changed = true;
    }

    /// What was found.
    pub(super) fn counts(&self, particles: usize) -> Vec<(&'static str, usize)> {
        let batches = self.coloring.batches.iter();
        vec![
            ("manifolds", self.manifolds.len()),
            ("contact points", self.manifolds.iter().map(|m| m.count).sum()),
            ("particle contacts", particles),
            ("colors", batches.map(|batch| batch.colors.len()).sum()),
            ("asleep", self.asleep.iter().filter(|asleep| **asleep).count()),
        ]
    }
}
