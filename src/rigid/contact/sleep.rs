//! Bodies at rest that are left alone, as an option.
//!
//! Bodies that touch, may soon, or are joined make an island. An island whose bodies have all been slow for a while, and which something
//! that is fixed holds, or which does not move at all (what flies slowly goes on for ever), sleeps:
//! its bodies are as fixed ones, and its contacts wait as they are, with what they carried. It wakes as a whole when one
//! that is not slow, or a fixed body or collider that moves, comes as near as it may get in two steps; particles that touch or
//! hold them and motors of a velocity keep bodies awake. What is awake has the same
//! bits whatever sleeps beside it: contacts are found pair by pair and colored by first fit, which sees their bodies only.

use crate::coloring::UnionFind;
use crate::math::Vec3;
use crate::state::Body;
use crate::state::Resistance;

/// Slower than this is at rest, at the center and at the surface (m/s).
const SLOW: f32 = 0.03;

/// Who sleeps.
pub(super) struct Sleep {
    /// How long an island is at rest before it sleeps (s).
    after: f64,
    /// For how long each body has been slow (s).
    pub(super) timers: Vec<f64>,
    pub(super) asleep: Vec<bool>,
    /// Bodies by islands.
    sets: UnionFind,
    pub(super) joined: Vec<[u32; 2]>,
    resistances: Vec<Resistance>,
    /// Bodies that motors keep in motion, however slow, and those that particles hold.
    pub(super) driven: Vec<u32>,
    /// Bodies that the world holds.
    pub(super) tied: Vec<u32>,
    /// Room: whether each body must stay awake.
    pub(super) busy: Vec<bool>,
    /// Room: for how long all bodies of an island have been slow, by its first body (s).
    least: Vec<f64>,
    /// Room: whether something fixed holds each body; whether of an island by its first body any is held, and any moves.
    held: Vec<bool>,
    islands: Vec<[bool; 2]>,
}

/// What a body does at the end of a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    pub(super) v: Vec3<f32>,
    /// |ω| times its reach (m/s).
    pub(super) turns: f32,
    /// Whether it must stay awake.
    pub(super) busy: bool,
}

impl Motion {
    fn is_still(&self) -> bool {
        self.v == Vec3::zero() && self.turns == 0.0
    }

    fn is_slow(&self) -> bool {
        !self.busy && self.v.dot(self.v) + self.turns * self.turns < SLOW * SLOW
    }
}

impl Sleep {
    /// Of bodies of which these pairs are joined, some are `driven`, and some are `tied` to the world or to particles.
    pub(super) fn new(
        after: f64,
        bodies: &[Body],
        joined: Vec<[u32; 2]>,
        [driven, tied]: [Vec<u32>; 2],
    ) -> Self {
        Self {
            driven,
            tied,
            after,
            timers: vec![0.0; bodies.len()],
            asleep: vec![false; bodies.len()],
            sets: UnionFind::default(),
            joined,
            resistances: bodies.iter().map(Body::resistance).collect(),
            busy: Vec::new(),
            least: Vec::new(),
            held: Vec::new(),
            islands: Vec::new(),
        }
    }

    /// Bodies that touch or are joined make an island; what is fixed is of none.
    pub(super) fn join(
        &mut self,
        touching: impl Iterator<Item = [u32; 2]>,
        fixed: impl Fn(usize) -> bool,
    ) {
        self.sets.reset(self.timers.len());
        for [a, b] in touching.chain(self.joined.iter().copied()) {
            if !fixed(a as usize) && !fixed(b as usize) {
                self.sets.join(a, b);
            }
        }
    }

    /// A frame of `dt` (s) has ended: `touching` are pairs of instances near each other, `fixed` and `motion` tell of each. Gives the
    /// bodies that fall asleep, and with their resistance those that wake.
    pub(super) fn update(
        &mut self,
        dt: f64,
        touching: impl Iterator<Item = [u32; 2]> + Clone,
        fixed: impl Fn(usize) -> bool,
        motion: impl Fn(usize) -> Motion,
    ) -> Vec<(usize, Option<Resistance>)> {
        let bodies = self.timers.len();
        let is_slow = |i: usize| motion(i).is_slow();
        for i in 0..bodies {
            self.timers[i] = if is_slow(i) { self.timers[i] + dt } else { 0.0 };
        }
        self.join(touching.clone(), &fixed);
        self.held.clear();
        self.held.resize(bodies, false);
        self.tied.iter().for_each(|i| self.held[*i as usize] = true);
        for [a, b] in touching.chain(self.joined.iter().copied()) {
            let (i, other) = match (fixed(a as usize), fixed(b as usize)) {
                (false, true) => (a as usize, b as usize),
                (true, false) => (b as usize, a as usize),
                (false, false) | (true, true) => continue,
            };
            self.held[i] = true;
            if !is_slow(other) {
                self.timers[i] = 0.0;
            }
        }
        let (least, islands) = (&mut self.least, &mut self.islands);
        least.clear();
        least.resize(bodies, f64::INFINITY);
        islands.clear();
        islands.resize(bodies, [false; 2]);
        for i in 0..bodies {
            let island = self.sets.root(i as u32) as usize;
            least[island] = least[island].min(self.timers[i]);
            let [held, moves] = &mut islands[island];
            *held |= self.held[i];
            *moves |= !motion(i).is_still();
        }
        let mut changes = Vec::new();
        for i in (0..bodies).filter(|i| !fixed(*i)) {
            let island = self.sets.root(i as u32) as usize;
            let ([held, moves], slow_for) = (islands[island], least[island]);
            let sleeps = slow_for > 0.0 && slow_for >= self.after && (held || !moves);
            if sleeps != self.asleep[i] {
                self.asleep[i] = sleeps;
                changes.push((i, (!sleeps).then_some(self.resistances[i])));
            }
        }
        changes
    }

    /// Wakes the islands that something which is awake and not slow is about to touch, or that must be awake.
    pub(super) fn wake_touched(
        &mut self,
        touching: impl Iterator<Item = [u32; 2]>,
        motion: impl Fn(usize) -> Motion,
    ) -> Vec<(usize, Option<Resistance>)> {
        let mut woken = Vec::new();
        for [a, b] in touching {
            for [sleeper, other] in [[a, b], [b, a]] {
                let sleeps = |i: u32| self.asleep.get(i as usize) == Some(&true);
                if sleeps(sleeper) && !sleeps(other) && !motion(other as usize).is_slow() {
                    woken.extend(self.wake(sleeper));
                }
            }
        }
        for i in 0..self.asleep.len() {
            if self.asleep[i] && motion(i).busy {
                woken.extend(self.wake(i as u32));
            }
        }
        woken.into_iter().map(|(i, resistance)| (i, Some(resistance))).collect()
    }

    /// How many islands the bodies that move make; none before the first step.
    pub(super) fn islands(&self) -> usize {
        let moves = |i: &u32| self.resistances[*i as usize] != Resistance::default();
        self.sets.roots().filter(moves).count()
    }

    /// Wakes a body and its island: those who wake, with their resistance.
    pub(super) fn wake(&mut self, body: u32) -> Vec<(usize, Resistance)> {
        if !self.asleep[body as usize] {
            return Vec::new();
        }
        let island = self.sets.root(body);
        let mut woken = Vec::new();
        for i in 0..self.asleep.len() {
            if self.asleep[i] && self.sets.root(i as u32) == island {
                (self.asleep[i], self.timers[i]) = (false, 0.0);
                woken.push((i, self.resistances[i]));
            }
        }
        woken
    }
}
