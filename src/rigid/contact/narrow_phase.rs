//! The narrow phase: where shapes touch, what the same points did before, and in which color each contact is solved. One
//! discrete pass (S4-21), in f32 whatever number the solver has.
//!
//! Contacts are found where bodies are at the start of the substep, out to a margin and as far as they may come by the next
//! pass. A pair that has hardly moved since its points were found keeps them: the points are local, so their gaps stay true.

use super::approach::Approach;
use super::chunk::Chunk;
use super::collide::collide;
use super::coloring::ContactColoring;
use super::geometry::Geometry;
use super::instance::{Instance, InstanceState, material, resistances};
use super::manifold::{Manifold, Point, Relative};
use super::mesh_manifold::RAISED;
use super::pair_cache::PairCache;
use super::workspace::Workspace;
use crate::collision::Contacts;
use crate::math::Vec3;
use crate::threads::{Cells, lock};
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
/// A body counts as sunk once its middle is this far above the surface or less, in parts of its reach.
const LEVEL: f32 = 0.01;
/// How many steps ahead what may wake a body is seen.
const STEPS: f32 = 2.0;

/// Who touches whom, and where.
pub(super) struct NarrowPhase {
    pub(super) instances: Vec<Instance>,
    pub(super) cache: PairCache,
    /// How instances stand, as last [looked](Self::look) at.
    pub(super) states: Cells<InstanceState>,
    /// The pairs to look at, sorted; what becomes of each chunk of them, to [collide](Self::collide).
    pairs: Vec<[u32; 2]>,
    chunks: Vec<Mutex<Chunk>>,
    /// Sorted, so that the next pass finds what it inherits; and room for those that follow.
    pub(super) manifolds: Cells<Manifold>,
    next: Cells<Manifold>,
    /// The planes, which come after all bodies.
    endless: Vec<u32>,
    /// Counts the passes.
    pub(super) stamp: u32,
    pub(super) coloring: ContactColoring,
    /// Which instances sleep, and whether that has just changed.
    pub(super) asleep: Vec<bool>,
    pub(super) changed: bool,
    /// Whether it changed before this pass: then the solver may keep nothing as it was.
    others: bool,
    /// Whether the pairs are listed.
    pub(super) listed: bool,
    /// By how much things at rest may overlap (m).
    resting: f32,
}

impl NarrowPhase {
    pub(super) fn new(
        instances: Vec<Instance>,
        joined: Vec<[u32; 2]>,
        contacts: &Contacts,
        [ahead, resting]: [f64; 2],
        lanes: usize,
    ) -> Self {
        let is_endless =
            |i: &u32| matches!(instances[*i as usize].geometry, Geometry::Plane { .. });
        Self {
            endless: (0..instances.len() as u32).filter(is_endless).collect(),
            cache: PairCache::new(&instances, joined, contacts.margin, ahead),
            coloring: ContactColoring::new(instances.len(), contacts.order, lanes),
            asleep: vec![false; instances.len()],
            changed: false,
            others: false,
            listed: false,
            resting: resting as f32,
            states: Cells::new(instances.len(), InstanceState::still()),
            pairs: Vec::new(),
            chunks: Vec::new(),
            manifolds: Cells::new(0, Manifold::blank()),
            next: Cells::new(0, Manifold::blank()),
            stamp: 0,
            instances,
        }
    }

    /// The normal of a manifold in the world, from b to a.
    fn normal(&self, manifold: &Manifold) -> Point {
        let body = manifold.reference_body();
        self.states.as_slice()[body as usize].q.rotate(manifold.normal)
    }

    /// How many steps ahead boxes reach.
    pub(super) fn most_steps_ahead(&self) -> f32 {
        if self.asleep.contains(&true) { STEPS } else { 1.0 }
    }

    /// How many steps ahead what comes near an instance is seen: what sleeps must wake before it is touched.
    pub(super) fn steps_ahead(&self, i: u32) -> f32 {
        if self.asleep[i as usize] { STEPS } else { 1.0 }
    }

    /// Takes how some instances stand.
    pub(super) fn look(&self, range: Range<usize>, state: impl Fn(usize) -> InstanceState) {
        let steps = self.most_steps_ahead();
        for i in range {
            let state = state(i);
            self.states.set(i, state);
            self.cache.track(i, &self.instances[i], &state, steps);
        }
    }

    /// After all were looked at: whether contacts are to be found anew, else all of them are as they were; and whether boxes
    /// are to be [searched](PairCache::search) first.
    pub(super) fn plan(&mut self) -> [bool; 2] {
        let moved = self.cache.any_moved();
        let search = self.cache.update_boxes();
        [self.changed | moved | search, search]
    }

    /// Lists the pairs to look at, where boxes were searched or who sleeps has changed.
    pub(super) fn list_pairs(&mut self, searched: bool) {
        self.stamp = self.stamp.wrapping_add(1);
        if searched {
            self.cache.collect(&self.instances);
        }
        self.others = std::mem::take(&mut self.changed);
        if !self.listed || self.others || searched {
            self.listed = true;
            let mut pairs = std::mem::take(&mut self.pairs);
            self.list(&mut pairs);
            self.pairs = pairs;
            // What is not needed keeps its room.
            let chunks = self.chunk_count().max(self.chunks.len());
            self.chunks.resize_with(chunks, Mutex::default);
        }
    }

    /// In how many chunks the pairs are.
    pub(super) fn chunk_count(&self) -> usize {
        self.pairs.len().div_ceil(CHUNK)
    }

    /// Those whose boxes meet, those near what has no end, and those that sleep with contacts, which wait as they are.
    fn list(&self, pairs: &mut Vec<[u32; 2]>) {
        pairs.clear();
        let instances = &self.instances;
        let mut near = self.cache.sweep.pairs.iter().copied().peekable();
        let waiting = |m: &&Manifold| !self.is_solved(m.pair);
        let waiting = self.manifolds.as_slice().iter().filter(waiting);
        let mut waiting = waiting.map(Manifold::ends).peekable();
        for i in 0..instances.len() as u32 {
            let first = pairs.len();
            while let Some(pair) = near.next_if(|pair| pair[0] == i) {
                pairs.push(pair);
            }
            while let Some(pair) = waiting.next_if(|pair| pair[0] == i) {
                pairs.push(pair);
            }
            let Instance { fixed, filter, .. } = &instances[i as usize];
            if !fixed {
                let meets = |plane: u32| instances[plane as usize].filter.meets(filter);
                let near = |plane: &&u32| meets(**plane) && self.may_meet(i, **plane);
                let above = self.endless.iter().filter(near);
                pairs.extend(above.map(|plane| [i, *plane]));
            }
            pairs[first..].sort_unstable();
        }
        pairs.dedup();
    }

    /// Whether the box of a body comes near a plane.
    fn may_meet(&self, body: u32, plane: u32) -> bool {
        let (Geometry::Plane { normal }, false) =
            (&self.instances[plane as usize].geometry, self.instances[plane as usize].moving)
        else {
            return true;
        };
        let InstanceState { x, q, .. } = self.states.get(plane as usize);
        self.cache.comes_near(body, q.rotate(*normal), x)
    }

    /// Whether contacts of a pair are found: those of what sleeps wait as they are, unless something comes to wake it.
    fn is_looked_at(&self, [a, b]: [u32; 2]) -> bool {
        let wakes = self.asleep[a as usize] && self.instances[b as usize].moving
            || self.asleep[b as usize] && self.instances[a as usize].moving;
        wakes || self.is_solved([a, b])
    }

    /// Finds where the pairs of some chunks touch.
    pub(super) fn collide(&self, chunks: Range<usize>) {
        let all = self.manifolds.as_slice();
        for i in chunks {
            let chunk = &mut *lock(&self.chunks[i]);
            chunk.clear();
            let first = i * CHUNK;
            let pairs = &self.pairs[first..(first + CHUNK).min(self.pairs.len())];
            // Goes along the manifolds of before, as pairs come in their order.
            let mut at = all.partition_point(|m| m.ends() < pairs[0]);
            for pair in pairs {
                at += all[at..].iter().take_while(|m| m.ends() < *pair).count();
                let old = at..at + all[at..].iter().take_while(|m| m.ends() == *pair).count();
                chunk.add(all, old, |old, room, found| self.collide_pair(*pair, old, room, found));
            }
        }
    }

    /// After all have collided: whether the manifolds are others than before, else they have others like them in their places.
    pub(super) fn count(&mut self) -> bool {
        let (mut is_like, mut before, mut first) = (true, 0, 0);
        let chunks = self.chunk_count();
        for chunk in &mut self.chunks[..chunks] {
            let chunk = chunk.get_mut().expect("no worker panicked");
            chunk.first = first;
            is_like &= chunk.is_like;
            (before, first) = (before + chunk.counts[0], first + chunk.counts[1]);
        }
        self.next.resize(first, Manifold::blank());
        self.others || !is_like || before != self.manifolds.len()
    }

    /// Puts the manifolds of some chunks into their places, where all are `others`; else the new ones only.
    pub(super) fn collect(&self, chunks: Range<usize>, others: bool) {
        for chunk in &self.chunks[chunks] {
            let chunk = lock(chunk);
            match others {
                true => chunk.write(self.manifolds.as_slice(), &self.next),
                false => chunk.replace(&self.manifolds),
            }
        }
    }

    /// The manifolds collected are those that count from now on.
    pub(super) fn exchange(&mut self) {
        std::mem::swap(&mut self.manifolds, &mut self.next);
    }

    /// Colors all contacts.
    pub(super) fn color(&mut self) {
        let (instances, asleep) = (&self.instances, &self.asleep);
        let is_fixed = |i: u32| instances[i as usize].fixed;
        let is_resting = |i: u32| is_fixed(i) || asleep[i as usize];
        self.coloring.color(self.manifolds.as_slice(), is_resting, is_fixed);
    }

    /// Whether contacts of the two are solved: where one of them moves.
    fn is_solved(&self, pair: [u32; 2]) -> bool {
        pair.iter().any(|i| !self.is_resting(*i))
    }

    /// Whether no contact moves it now.
    pub(super) fn is_resting(&self, i: u32) -> bool {
        self.instances[i as usize].fixed || self.asleep[i as usize]
    }

    /// Adds where two instances that had the manifolds `old` touch; false where nothing has changed.
    fn collide_pair(
        &self,
        [i, j]: [u32; 2],
        old: &[Manifold],
        room: &mut Workspace,
        found: &mut Vec<Manifold>,
    ) -> bool {
        let unmoved = ![i, j].iter().any(|i| self.cache.moved.get(*i as usize));
        if unmoved || !self.is_looked_at([i, j]) {
            return false;
        }
        // A body that moves first.
        let resting = |i: u32| (self.instances[i as usize].fixed, self.is_resting(i));
        let pair = if resting(j) < resting(i) { [j, i] } else { [i, j] };
        let [a, b] = pair.map(|i| &self.instances[i as usize]);
        let states = self.states.as_slice();
        let [from, to] = pair.map(|i| &states[i as usize]);
        let at = Relative::new((from.x, from.q), (to.x, to.q));
        let smaller = a.geometry.reach().min(b.geometry.reach());
        // Of those found from the same side.
        let same_side = |m: &&Manifold| m.pair == pair;
        // Those of a pair were found together: they stay together.
        let near = |base: &Relative| base.is_near(&at, KEPT * smaller, KEPT);
        if old.iter().filter(same_side).filter_map(|m| m.base.as_ref()).any(near) {
            return false;
        }
        let start = found.len();
        let [ra, rb] = [a, b].map(|instance| {
            let reach = instance.geometry.reach();
            if reach.is_finite() { reach } else { 0.0 }
        });
        let turning = from.spin * ra + to.spin * rb;
        let (ahead, margin) = (self.cache.ahead * self.steps_ahead(pair[1]), self.cache.margin);
        let reach = margin + ((from.v - to.v).length() + turning) * ahead;
        if a.is_apart(b, &at, reach) {
            return !old.is_empty();
        }
        if let Geometry::Mesh(_) = b.geometry {
            room.raised = raised(old.iter().filter(same_side), &at, &a.geometry);
        }
        room.resting = [self.resting, 0.0];
        let way = from.q.unrotate(to.v - from.v) * ahead;
        let approach = Approach::new(way, margin + turning * ahead, smaller);
        collide(&a.geometry, &b.geometry, &at, (reach, approach), room, found);
        let [mu, e] = material([a.friction, b.friction], [a.restitution, b.restitution]);
        for new in &mut found[start..] {
            (new.pair, new.friction, new.restitution, new.stamp) = (pair, mu, e, self.stamp);
            (new.is_sensor, new.arms) = (a.sensor || b.sensor, resistances(a, b));
            let (part, normal) = (new.part, self.normal(new));
            let same = |m: &&Manifold| m.is_of(part) && self.normal(m).dot(normal) > ALIKE;
            for old in old.iter().filter(same_side).filter(same) {
                new.inherit(old, SAME * smaller);
            }
        }
        !old.is_empty() || found.len() > start
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
            ("contact points", self.manifolds.as_slice().iter().map(|m| m.count).sum()),
            ("particle contacts", particles),
            ("colors", batches.map(|batch| batch.colors.len()).sum()),
            ("asleep", self.asleep.iter().filter(|asleep| **asleep).count()),
        ]
    }
}

/// How far a body whose middle has come behind a mesh that held it is to be raised, to stand before it again, in the mesh's frame
/// (m): without it nothing holds it any more.
fn raised<'a>(old: impl Iterator<Item = &'a Manifold>, at: &Relative, body: &Geometry) -> Point {
    let behind = old.map(|m| {
        let middle = at.to_b(body.middle(at.turn.rotate(m.normal)));
        (m.normal.dot(m.points[0].anchors[1] - middle), m.normal)
    });
    let deeper = |most: (f32, Point), m: (f32, Point)| if m.0 > most.0 { m } else { most };
    // What has come as far as the surface may be behind it by rounding.
    let (depth, normal) = behind.fold((-LEVEL * body.reach(), Vec3::zero()), deeper);
    normal * (depth + RAISED * body.reach())
}
