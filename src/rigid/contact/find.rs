//! Finding where bodies touch: which boxes meet, where the shapes do, what the same points did before, and in which color
//! each is solved. One discrete pass (S4-21), the same for every form of the solver, in f32.
//!
//! Things are found where they are at the start of the substep, out to a margin and as far as they may come by the next
//! pass. What has hardly moved since its points were found keeps them: the points are local, so their gaps stay true.

use super::colors::Colors;
use super::geometry::Geometry;
use super::manifold::{Manifold, Owner, Point, Relative};
use super::thing::{Standing, Thing, meet};
use super::watch::Watch;
use crate::collision::Contacts;
use crate::subsystem::SubsystemStatistics;
use crate::threads::Team;
use crate::timers::Timers;
use std::sync::Mutex;

/// Pairs that one thread looks at at a time.
const CHUNK: usize = 64;
/// How far and by what angle b may have moved for the points to be kept, in parts of the smaller reach and rad.
const KEPT: f32 = 0.005;
/// How far a point may have moved and be the same, in parts of the smaller reach.
const SAME: f32 = 0.1;

/// How many steps ahead what may wake a body is seen.
const PASSES: f32 = 2.0;

const BROAD: usize = 0;
const NARROW: usize = 1;
const COLOR: usize = 2;
pub(super) const PACK: usize = 3;
pub(super) const RESPOND: usize = 4;
const PHASES: [&str; 5] = ["broad", "narrow", "color", "pack", "respond"];

/// Who touches whom, and where.
pub(super) struct Finder {
    things: Vec<Thing>,
    watch: Watch,
    pub(super) standings: Vec<Standing>,
    chunks: Vec<Mutex<Vec<Manifold>>>,
    pub(super) manifolds: Vec<Manifold>,
    before: Vec<Manifold>,
    pub(super) colors: Colors,
    /// Which things sleep, and whether that has just changed.
    asleep: Vec<bool>,
    woke: bool,
    pub(super) timers: Timers,
}

impl Finder {
    pub(super) fn new(
        things: Vec<Thing>,
        apart: Vec<[u32; 2]>,
        contacts: &Contacts,
        ahead: f64,
    ) -> Self {
        Self {
            watch: Watch::new(&things, apart, contacts.margin, ahead),
            colors: Colors::new(things.len(), contacts.order),
            asleep: vec![false; things.len()],
            woke: false,
            standings: Vec::new(),
            chunks: Vec::new(),
            manifolds: Vec::new(),
            before: Vec::new(),
            timers: Timers::new(PHASES.map(String::from)),
            things,
        }
    }

    /// The normal of a manifold in the world, from b to a.
    pub(super) fn normal(&self, manifold: &Manifold) -> Point {
        let [a, b] = manifold.pair.map(|i| self.standings[i as usize].q);
        match manifold.owner {
            Owner::A => a.rotate(manifold.normal),
            Owner::B => b.rotate(manifold.normal),
        }
    }

    /// Looks how things stand; whether contacts are to be [found](Self::find) anew. Else all of them are as they were.
    pub(super) fn look(&mut self, team: &Team, standings: Vec<Standing>) -> bool {
        self.timers.start();
        self.standings = standings;
        let passes = match self.asleep.contains(&true) {
            true => PASSES,
            false => 1.0,
        };
        let all = (&self.things[..], &self.standings[..]);
        let anew = self.watch.look(team, all, passes);
        self.timers.lap(BROAD);
        std::mem::take(&mut self.woke) | anew
    }

    /// Finds and colors all contacts of things that stand as last [looked](Self::look) at.
    pub(super) fn find(&mut self, team: &Team) {
        self.timers.start();
        let things = &self.things;
        let meets = |[a, b]: &[u32; 2]| {
            let stirs = self.asleep[*a as usize] && things[*b as usize].stirs
                || self.asleep[*b as usize] && things[*a as usize].stirs;
            self.is_solved([*a, *b]) || stirs
        };
        let mut pairs: Vec<_> = self
            .watch
            .sweep
            .pairs()
            .iter()
            .copied()
            .filter(meets)
            .collect();
        // What has no end is near everything.
        let endless = (0..things.len() as u32)
            .filter(|i| matches!(things[*i as usize].geometry, Geometry::Plane { .. }));
        for plane in endless {
            let near = (0..plane).filter(|i| !things[*i as usize].still);
            pairs.extend(near.map(|i| [i, plane]).filter(meets));
        }
        pairs.sort_unstable();
        std::mem::swap(&mut self.manifolds, &mut self.before);
        self.narrow(team, &pairs);
        self.timers.lap(NARROW);
        // Kept sorted, so that the next pass finds what it inherits.
        self.manifolds.sort_unstable_by_key(Manifold::key);
        let (things, asleep) = (&self.things, &self.asleep);
        let is_fixed = |i: u32| things[i as usize].still;
        let is_still = |i: u32| is_fixed(i) || asleep[i as usize];
        self.colors.color(&self.manifolds, is_still, is_fixed);
        self.timers.lap(COLOR);
    }

    fn narrow(&mut self, team: &Team, pairs: &[[u32; 2]]) {
        self.chunks
            .resize_with(pairs.len().div_ceil(CHUNK), Mutex::default);
        let this = &*self;
        team.run(|worker| {
            worker.share(this.chunks.len(), |part| {
                for chunk in part {
                    let mut found = this.chunks[chunk].lock().expect("no worker panicked");
                    found.clear();
                    let first = chunk * CHUNK;
                    let pairs = &pairs[first..(first + CHUNK).min(pairs.len())];
                    let mut cursor = this.known(pairs[0]);
                    for pair in pairs {
                        this.touch(*pair, &mut cursor, &mut found);
                    }
                }
            });
        });
        self.manifolds.clear();
        for chunk in &mut self.chunks {
            let found = chunk.get_mut().expect("no worker panicked");
            self.manifolds.extend_from_slice(found);
        }
        // What sleeps keeps its contacts as they were.
        let lies = |m: &&Manifold| {
            !self.is_solved(m.pair) && m.pair.iter().any(|i| self.asleep[*i as usize])
        };
        let kept: Vec<_> = self.before.iter().filter(lies).copied().collect();
        let stirred = |m: &Manifold| {
            let [a, b] = m.pair;
            pairs.binary_search(&[a.min(b), a.max(b)]).is_ok()
        };
        self.manifolds
            .extend(kept.into_iter().filter(|m| !stirred(m)));
    }

    /// Whether contacts of the two are solved: where one of them moves.
    fn is_solved(&self, pair: [u32; 2]) -> bool {
        pair.iter().any(|i| !self.is_still(*i))
    }

    /// Whether no contact moves it now.
    pub(super) fn is_still(&self, i: u32) -> bool {
        self.things[i as usize].still || self.asleep[i as usize]
    }

    /// Where what a pair did before begins.
    fn known(&self, pair: [u32; 2]) -> usize {
        self.before.partition_point(|m| m.pair < pair)
    }

    /// Adds where two things touch; `cursor` goes along the manifolds of before, as pairs come in their order.
    fn touch(&self, [i, j]: [u32; 2], cursor: &mut usize, found: &mut Vec<Manifold>) {
        // A body that moves first.
        let still = |i: u32| (self.things[i as usize].still, self.is_still(i));
        let pair = if still(j) < still(i) { [j, i] } else { [i, j] };
        let [a, b] = pair.map(|i| &self.things[i as usize]);
        let [from, to] = pair.map(|i| &self.standings[i as usize]);
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
        if !pair.iter().any(|i| self.watch.moved[*i as usize]) {
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
        let [ra, rb] = [a, b].map(|thing| {
            let reach = thing.geometry.reach();
            if reach.is_finite() { reach } else { 0.0 }
        });
        let drift = (from.v - to.v).length() + from.spin * ra + to.spin * rb;
        // What sleeps must wake before it is touched.
        let passes = match self.is_still(pair[1]) && !b.still {
            true => PASSES,
            false => 1.0,
        };
        let reach = self.watch.margin + drift * self.watch.ahead * passes;
        a.geometry.touch(&b.geometry, &at, reach, found);
        let [mu, e] = meet(a, b);
        for new in &mut found[start..] {
            (new.pair, new.friction, new.restitution) = (pair, mu, e);
            let part = new.part;
            for old in old.clone().filter(|m| m.part == part) {
                new.inherit(old, SAME * smaller);
            }
        }
    }

    /// A body falls asleep or wakes.
    pub(super) fn put_asleep(&mut self, i: usize, asleep: bool) {
        self.asleep[i] = asleep;
        self.woke = true;
    }

    /// Whether no contact ever moves it.
    pub(super) fn is_fixed(&self, i: usize) -> bool {
        self.things[i].still
    }

    /// Whether it moves all the same.
    pub(super) fn stirs(&self, i: usize) -> bool {
        self.things[i].stirs
    }

    /// How far a thing reaches from its center (m).
    pub(super) fn reach(&self, i: usize) -> f32 {
        self.things[i].geometry.reach()
    }

    /// What was found, and what it took.
    pub(super) fn statistics(&self, grains: usize) -> SubsystemStatistics {
        let points = self.manifolds.iter().map(|m| m.count).sum();
        let colors = self
            .colors
            .classes
            .iter()
            .map(|class| class.colors.len())
            .sum();
        let asleep = self.asleep.iter().filter(|asleep| **asleep).count();
        SubsystemStatistics {
            counts: vec![
                ("manifolds", self.manifolds.len()),
                ("points", points),
                ("particles", grains),
                ("colors", colors),
                ("asleep", asleep),
            ],
            times: self.timers.phases().to_vec(),
        }
    }
}
