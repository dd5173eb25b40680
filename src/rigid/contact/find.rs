//! Finding where bodies touch: which boxes meet, where the shapes do, what the same points did before, and in which color
//! each is solved. One discrete pass (S4-21), the same for every form of the solver, in f32.
//!
//! Things are found where they are at the start of the substep, out to a margin and as far as they may come by the next
//! pass. What has hardly moved since its points were found keeps them: the points are local, so their gaps stay true.

use super::broad::Sweep;
use super::geometry::Geometry;
use super::manifold::{Manifold, Owner, Point, Relative};
use crate::coloring::DynamicColoring;
use crate::lanes::{Quat, Vec3};
use crate::parallel::Team;
use crate::part::Account;
use crate::report::Timers;
use std::sync::Mutex;

/// Pairs that one thread looks at at a time.
const CHUNK: usize = 64;
/// How far and by what angle b may have moved for the points to be kept, in parts of the smaller reach and rad.
const KEPT: f32 = 0.005;
/// How far a point may have moved and be the same, in parts of the smaller reach.
const SAME: f32 = 0.1;
/// How far things are found beyond touching where no margin is given, in parts of the smallest body's reach.
const MARGIN: f32 = 0.04;

const BROAD: usize = 0;
const NARROW: usize = 1;
const COLOR: usize = 2;
pub(super) const PACK: usize = 3;
pub(super) const RESPOND: usize = 4;
const PHASES: [&str; 5] = ["broad", "narrow", "color", "pack", "respond"];

/// A body or a collider.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    pub(super) geometry: Geometry,
    pub(super) friction: Option<f64>,
    pub(super) restitution: Option<f64>,
    /// Whether no contact moves it.
    pub(super) still: bool,
}

/// Where a thing is, and how it moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub(super) x: Point,
    pub(super) q: Quat<f32>,
    pub(super) v: Point,
    /// |ω| (rad/s).
    pub(super) spin: f32,
}

/// Manifolds solved alike: of one number of points, with one sort of b.
pub(super) struct Class {
    /// Which manifolds.
    pub(super) members: Vec<u32>,
    pub(super) coloring: DynamicColoring,
    slots: Vec<[u32; 2]>,
}

/// The classes: whether b stands still, and the most points.
pub(super) const CLASSES: [(bool, usize); 6] = [
    (false, 4),
    (false, 2),
    (false, 1),
    (true, 4),
    (true, 2),
    (true, 1),
];

/// Who touches whom, and where.
pub(super) struct Finder {
    things: Vec<Thing>,
    /// Pairs that never touch, sorted: what joints join.
    apart: Vec<[u32; 2]>,
    margin: f32,
    /// The time until things are found again (s).
    ahead: f32,
    sweep: Sweep,
    standings: Vec<Standing>,
    chunks: Vec<Mutex<Vec<Manifold>>>,
    pub(super) manifolds: Vec<Manifold>,
    before: Vec<Manifold>,
    pub(super) classes: [Class; CLASSES.len()],
    pub(super) timers: Timers,
}

impl Finder {
    pub(super) fn new(
        things: Vec<Thing>,
        apart: Vec<[u32; 2]>,
        margin: Option<f64>,
        ahead: f64,
    ) -> Self {
        let margin = margin.map_or(MARGIN * smallest(&things), |margin| margin as f32);
        let class = || Class {
            members: Vec::new(),
            // One place more: all that stands still shares it, in classes of its own.
            coloring: DynamicColoring::new(things.len()),
            slots: Vec::new(),
        };
        Self {
            classes: CLASSES.map(|_| class()),
            margin,
            ahead: ahead as f32,
            sweep: Sweep::default(),
            standings: Vec::new(),
            chunks: Vec::new(),
            manifolds: Vec::new(),
            before: Vec::new(),
            timers: Timers::new(PHASES.map(String::from)),
            apart,
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

    /// Finds and colors all contacts of things that stand so.
    pub(super) fn find(&mut self, team: &Team, stand: impl Fn(usize) -> Standing) {
        self.timers.start();
        self.standings.clear();
        self.standings.extend((0..self.things.len()).map(stand));
        let (things, standings, margin, ahead) =
            (&self.things, &self.standings, self.margin, self.ahead);
        let bounds: Vec<_> = (0..things.len())
            .map(|i| {
                let Standing { x, q, v, spin } = standings[i];
                let geometry = &things[i].geometry;
                let reach = geometry.reach();
                if reach == 0.0 || !reach.is_finite() {
                    return None;
                }
                let more = 0.5 * margin + (v.length() + spin * reach) * ahead;
                let e = geometry.extent(q) + Vec3::new(more, more, more);
                let corners = [x - e, x + e];
                let sum = corners[0] + corners[1];
                (sum.x + sum.y + sum.z).is_finite().then_some(corners)
            })
            .collect();
        let apart = &self.apart;
        let keep = |a: u32, b: u32| {
            !(things[a as usize].still && things[b as usize].still)
                && apart.binary_search(&[a, b]).is_err()
        };
        self.sweep.find(team, &bounds, keep);
        // What has no end is near everything.
        let endless = (0..things.len() as u32)
            .filter(|i| matches!(things[*i as usize].geometry, Geometry::Plane { .. }));
        let mut pairs = self.sweep.pairs().to_vec();
        for plane in endless {
            let moving = (0..plane).filter(|i| !things[*i as usize].still);
            pairs.extend(moving.map(|i| [i, plane]));
        }
        pairs.sort_unstable();
        self.timers.lap(BROAD);
        std::mem::swap(&mut self.manifolds, &mut self.before);
        self.narrow(team, &pairs);
        self.timers.lap(NARROW);
        self.color();
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
                    for pair in &pairs[first..(first + CHUNK).min(pairs.len())] {
                        this.touch(*pair, &mut found);
                    }
                }
            });
        });
        self.manifolds.clear();
        for chunk in &mut self.chunks {
            let found = chunk.get_mut().expect("no worker panicked");
            self.manifolds.extend_from_slice(found);
        }
    }

    /// Adds where two things touch.
    fn touch(&self, [i, j]: [u32; 2], found: &mut Vec<Manifold>) {
        // A body that moves first.
        let pair = if self.things[i as usize].still {
            [j, i]
        } else {
            [i, j]
        };
        let [a, b] = pair.map(|i| &self.things[i as usize]);
        let [from, to] = pair.map(|i| &self.standings[i as usize]);
        let at = Relative::new((from.x, from.q), (to.x, to.q));
        let smaller = a.geometry.reach().min(b.geometry.reach());
        let key = |m: &Manifold| (m.pair[0], m.pair[1]);
        let first = self.before.partition_point(|m| key(m) < (pair[0], pair[1]));
        let old = self.before[first..].iter();
        let old = old.take_while(|m| m.pair == pair);
        let start = found.len();
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
        let reach = self.margin + drift * self.ahead;
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

    fn color(&mut self) {
        // Kept sorted, so that the next pass finds what it inherits.
        self.manifolds.sort_unstable_by_key(Manifold::key);
        for (class, (still, points)) in self.classes.iter_mut().zip(CLASSES) {
            class.members.clear();
            class.slots.clear();
            for (i, m) in self.manifolds.iter().enumerate() {
                let least_class = m.count.next_power_of_two() == points;
                if self.things[m.pair[1] as usize].still == still && least_class {
                    class.members.push(i as u32);
                    class.slots.push(m.pair);
                }
            }
            match still {
                // What stands still takes no color.
                true => {
                    let slots: Vec<_> = class.slots.iter().map(|pair| [pair[0]]).collect();
                    class.coloring.color(&slots);
                }
                false => class.coloring.color(&class.slots),
            }
        }
    }

    /// What was found, and what it took.
    pub(super) fn account(&self, grains: usize) -> Account {
        let points = self.manifolds.iter().map(|m| m.count).sum();
        let colorings = self.classes.iter().map(|class| &class.coloring);
        let colors = colorings.clone().map(|c| c.colors().count()).sum();
        let remainder = colorings.map(|c| c.remainder().len()).sum();
        Account {
            counts: vec![
                ("manifolds", self.manifolds.len()),
                ("points", points),
                ("particles", grains),
                ("colors", colors),
                ("remainder", remainder),
            ],
            times: self.timers.phases().to_vec(),
        }
    }
}

/// The reach of the smallest body that moves (m); zero where there is none.
pub(super) fn smallest(things: &[Thing]) -> f32 {
    let moving = things.iter().filter(|thing| !thing.still);
    let reaches = moving.map(|thing| thing.geometry.reach());
    let least = reaches.filter(|reach| *reach > 0.0);
    let least = least.fold(f32::INFINITY, f32::min);
    if least.is_finite() { least } else { 0.0 }
}

/// Friction sqrt(µ1 µ2) and restitution max(e1, e2); where only one side has a value, it counts.
fn meet(a: &Thing, b: &Thing) -> [f32; 2] {
    let mu = match (a.friction, b.friction) {
        (Some(a), Some(b)) => (a * b).sqrt(),
        (a, b) => a.or(b).unwrap_or(0.0),
    };
    let e = match (a.restitution, b.restitution) {
        (Some(a), Some(b)) => a.max(b),
        (a, b) => a.or(b).unwrap_or(0.0),
    };
    [mu as f32, e.min(1.0) as f32]
}
