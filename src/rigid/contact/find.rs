//! Finding where bodies touch: which boxes meet, where the shapes do, what the same points did before, and in which color
//! each is solved. One discrete pass (S4-21), the same for every form of the solver, in f32.
//!
//! Things are found where they are at the start of the substep, out to a margin and as far as they may come by the next
//! pass. What has hardly moved since its points were found keeps them: the points are local, so their gaps stay true.

use super::broad::{Bounds, Sweep};
use super::geometry::Geometry;
use super::manifold::{Manifold, Owner, Point, Relative};
use crate::collision::{Contacts, Order};
use crate::coloring::DynamicColoring;
use crate::lanes::{Quat, Vec3};
use crate::parallel::Team;
use crate::part::Account;
use crate::report::Timers;
use std::ops::Range;
use std::sync::Mutex;

/// Pairs that one thread looks at at a time.
const CHUNK: usize = 64;
/// How far and by what angle b may have moved for the points to be kept, in parts of the smaller reach and rad.
const KEPT: f32 = 0.005;
/// How far a thing may have moved for its contacts to be as they were, in parts of the smallest body's reach.
const STILL: f32 = 0.0025;
/// How far a point may have moved and be the same, in parts of the smaller reach.
const SAME: f32 = 0.1;
/// How far things are found beyond touching where no margin is given, in parts of the smallest body's reach.
const MARGIN: f32 = 0.04;

/// How much room a box has in which its body may move before boxes are searched again, in parts of the smallest body's reach.
const ROOM: f32 = 0.05;

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
    /// Whether no contact ever moves it.
    pub(super) still: bool,
    /// Whether it moves all the same.
    pub(super) stirs: bool,
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
    /// Which members, color by color, and where each color lies in that; what found no color is one by itself.
    pub(super) order: Vec<u32>,
    pub(super) colors: Vec<Range<usize>>,
    slots: Vec<[u32; 2]>,
}

impl Class {
    fn new() -> Self {
        Self {
            members: Vec::new(),
            order: Vec::new(),
            colors: Vec::new(),
            slots: Vec::new(),
        }
    }

    /// Colors some members, behind what is colored.
    fn color(&mut self, coloring: &mut DynamicColoring, some: Range<usize>, still: bool) {
        let (first, slots) = (some.start, &self.slots[some]);
        match still {
            // What stands still takes no color.
            true => {
                let slots: Vec<_> = slots.iter().map(|pair| [pair[0]]).collect();
                coloring.color(&slots);
            }
            false => coloring.color(slots),
        }
        for color in coloring.colors().chain(coloring.remainder().chunks(1)) {
            let start = self.order.len();
            self.order.extend(color.iter().map(|i| i + first as u32));
            self.colors.push(start..self.order.len());
        }
    }
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
    /// The reach of the smallest body that moves (m).
    smallest: f32,
    sweep: Sweep,
    /// The boxes last searched.
    roomy: Vec<Bounds>,
    standings: Vec<Standing>,
    chunks: Vec<Mutex<Vec<Manifold>>>,
    pub(super) manifolds: Vec<Manifold>,
    before: Vec<Manifold>,
    pub(super) classes: [Class; CLASSES.len()],
    coloring: DynamicColoring,
    /// Whether colors follow the floors of a heap.
    by_level: bool,
    /// How many contacts each thing is from what never moves.
    levels: Vec<u32>,
    /// Which things sleep, and whether that has just changed.
    asleep: Vec<bool>,
    woke: bool,
    /// Where things were when they had last moved, and which have now.
    anchors: Vec<Option<(Point, Quat<f32>)>>,
    moved: Vec<bool>,
    pub(super) timers: Timers,
}

impl Finder {
    pub(super) fn new(
        things: Vec<Thing>,
        apart: Vec<[u32; 2]>,
        contacts: &Contacts,
        ahead: f64,
    ) -> Self {
        let margin = contacts.margin;
        let margin = margin.map_or(MARGIN * smallest(&things), |margin| margin as f32);
        Self {
            classes: CLASSES.map(|_| Class::new()),
            coloring: DynamicColoring::new(things.len()),
            by_level: contacts.order == Order::Levels,
            levels: Vec::new(),
            asleep: vec![false; things.len()],
            woke: false,
            anchors: Vec::new(),
            moved: vec![true; things.len()],
            margin,
            ahead: ahead as f32,
            smallest: smallest(&things),
            sweep: Sweep::default(),
            roomy: Vec::new(),
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

    /// Looks which things have moved, and which boxes meet; whether contacts are to be [found](Self::find) anew. Else all of them
    /// are as they were.
    pub(super) fn look(&mut self, team: &Team, stand: impl Fn(usize) -> Standing) -> bool {
        self.timers.start();
        self.standings.clear();
        self.standings.extend((0..self.things.len()).map(stand));
        let mut anew = std::mem::take(&mut self.woke) | self.look_who_moved();
        let (things, standings, margin, ahead) =
            (&self.things, &self.standings, self.margin, self.ahead);
        let passes = if self.asleep.contains(&true) {
            2.0
        } else {
            1.0
        };
        let bounds: Vec<_> = (0..things.len())
            .map(|i| {
                let Standing { x, q, v, spin } = standings[i];
                let geometry = &things[i].geometry;
                let reach = geometry.reach();
                if reach == 0.0 || !reach.is_finite() {
                    return None;
                }
                let more = 0.5 * margin + (v.length() + spin * reach) * (passes * ahead);
                let e = geometry.extent(q) + Vec3::new(more, more, more);
                let corners = [x - e, x + e];
                let sum = corners[0] + corners[1];
                (sum.x + sum.y + sum.z).is_finite().then_some(corners)
            })
            .collect();
        // Boxes are searched with room to spare, and again only when something has left its own.
        let held = |(wide, tight): (&Bounds, &Bounds)| match (wide, tight) {
            (Some([low, high]), Some([from, to])) => is_below(*low, *from) && is_below(*to, *high),
            (wide, tight) => wide.is_none() && tight.is_none(),
        };
        if bounds.len() != self.roomy.len() || !self.roomy.iter().zip(&bounds).all(held) {
            let room = ROOM * self.smallest;
            let room = Vec3::new(room, room, room);
            let wider = |[low, high]: [Point; 2]| [low - room, high + room];
            self.roomy = bounds.iter().map(|bounds| bounds.map(wider)).collect();
            let apart = &self.apart;
            let keep = |a: u32, b: u32| {
                let both_still = things[a as usize].still && things[b as usize].still;
                !both_still && apart.binary_search(&[a, b]).is_err()
            };
            self.sweep.find(team, &self.roomy, keep);
            anew = true;
        }
        self.timers.lap(BROAD);
        anew
    }

    /// Marks what has moved since its contacts were found, or may in a step: by so little that none of its pairs can have
    /// come to touch, and that points and normals are what they were.
    fn look_who_moved(&mut self) -> bool {
        let most = (STILL * self.smallest).min(self.margin / 8.0);
        self.anchors.resize(self.things.len(), None);
        let mut any = false;
        for (i, Standing { x, q, v, spin }) in self.standings.iter().enumerate() {
            let reach = self.things[i].geometry.reach();
            let at_reach = |turn: f32| if turn > 0.0 { turn * reach } else { 0.0 };
            let still = self.anchors[i].is_some_and(|(from, turn)| {
                let turned = (*q * turn.conjugate()).vector();
                let way = (*x - from).length() + at_reach(2.0 * turned.length());
                let ahead = (v.length() + at_reach(*spin)) * self.ahead;
                way < most && ahead < self.margin / 4.0
            });
            self.moved[i] = !still;
            any |= !still;
            if !still {
                self.anchors[i] = Some((*x, *q));
            }
        }
        any
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
        let mut pairs: Vec<_> = self.sweep.pairs().iter().copied().filter(meets).collect();
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
            pairs
                .binary_search(&{
                    let [a, b] = m.pair;
                    [a.min(b), a.max(b)]
                })
                .is_ok()
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
        if !pair.iter().any(|i| self.moved[*i as usize]) {
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
        let passes = if self.is_still(pair[1]) && !b.still {
            2.0
        } else {
            1.0
        };
        let reach = self.margin + drift * self.ahead * passes;
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
        self.find_levels();
        let mut classes = std::mem::replace(&mut self.classes, CLASSES.map(|_| Class::new()));
        for class in &mut classes {
            class.members.clear();
            class.slots.clear();
            class.order.clear();
            class.colors.clear();
        }
        for (i, m) in self.manifolds.iter().enumerate() {
            if self.is_solved(m.pair) {
                let sort = (self.is_still(m.pair[1]), m.count.next_power_of_two());
                let class = CLASSES.iter().position(|class| *class == sort);
                classes[class.expect("one to four points")]
                    .members
                    .push(i as u32);
            }
        }
        for (class, (still, _)) in classes.iter_mut().zip(CLASSES) {
            let level = |i: &u32| {
                let [a, b] = self.manifolds[*i as usize]
                    .pair
                    .map(|i| self.levels[i as usize]);
                a.min(b)
            };
            if self.by_level {
                class.members.sort_by_key(level);
            }
            let pairs = class
                .members
                .iter()
                .map(|i| self.manifolds[*i as usize].pair);
            class.slots.extend(pairs);
            let members = class.members.clone();
            let mut first = 0;
            for floor in members.chunk_by(|a, b| !self.by_level || level(a) == level(b)) {
                let some = first..first + floor.len();
                first = some.end;
                class.color(&mut self.coloring, some, still);
            }
        }
        self.classes = classes;
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

    /// (m)
    pub(super) fn reach(&self, i: usize) -> f32 {
        self.things[i].geometry.reach()
    }

    /// Finds how many contacts each thing is from what never moves, floor by floor.
    fn find_levels(&mut self) {
        if !self.by_level {
            return;
        }
        let mut near = vec![Vec::new(); self.things.len()];
        for [a, b] in self.manifolds.iter().map(|m| m.pair) {
            near[a as usize].push(b);
            near[b as usize].push(a);
        }
        self.levels.clear();
        self.levels.resize(self.things.len(), u32::MAX);
        let still = (0..self.things.len() as u32).filter(|i| self.things[*i as usize].still);
        let mut floor: Vec<u32> = still.collect();
        floor.iter().for_each(|i| self.levels[*i as usize] = 0);
        let mut level = 0;
        while !floor.is_empty() {
            level += 1;
            let above: Vec<u32> = floor
                .iter()
                .flat_map(|i| near[*i as usize].iter().copied())
                .collect();
            floor.clear();
            for i in above {
                if self.levels[i as usize] == u32::MAX {
                    self.levels[i as usize] = level;
                    floor.push(i);
                }
            }
        }
    }

    /// What was found, and what it took.
    pub(super) fn account(&self, grains: usize) -> Account {
        let points = self.manifolds.iter().map(|m| m.count).sum();
        let colors = self.classes.iter().map(|class| class.colors.len()).sum();
        let asleep = self.asleep.iter().filter(|asleep| **asleep).count();
        Account {
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

/// In every coordinate.
fn is_below(a: Point, b: Point) -> bool {
    a.x <= b.x && a.y <= b.y && a.z <= b.z
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
