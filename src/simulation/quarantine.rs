//! What is no longer finite: found after a frame, named, and taken out of the simulation where the settings say so.
//!
//! Quarantine does a frame again from its start without the connected component of what broke (over rows, groups, attachments
//! and joints; particles that cannot move connect too, as rows write them back). What is in quarantine is no number to the
//! engine, which therefore finds no contact with it; to users it stays where it last was.

use crate::coloring::UnionFind;
use crate::error::CheckpointError;
use crate::model::Model;
use crate::state::{Section, Snapshot, Words};
use std::collections::BTreeMap;
use std::fmt;

/// What is in quarantine, and what broke so far.
pub(super) const QUARANTINE: &str = "quarantine";

/// What broke in a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakdown {
    /// The time at the start of the frame (s).
    pub time: f64,
    /// The particles that are no longer finite; in quarantine all that are connected with them.
    pub particles: Vec<u32>,
    /// The bodies.
    pub bodies: Vec<u32>,
    /// The row, by kind and place, or the subsystem that broke first in authored order; nothing where they broke by their own
    /// motion.
    pub first: Option<String>,
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let list = |name: &str, of: &[u32]| match of {
            [] => None,
            _ => {
                let some: Vec<_> = of.iter().take(8).map(u32::to_string).collect();
                let more = of.len() - some.len();
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                Some(format!("{name} {}{more}", some.join(" ")))
            }
        };
        let lists = [list("particles", &self.particles), list("bodies", &self.bodies)];
        let lists: Vec<String> = lists.into_iter().flatten().collect();
        let cause = self.first.as_deref().unwrap_or("their own motion");
        let (time, lists) = (self.time, lists.join(", "));
        write!(f, "not finite after {time:.6} s: {lists}; the first to break: {cause}")
    }
}

impl Breakdown {
    fn save(&self, to: &mut Words) {
        to.put_double(self.time);
        for list in [&self.particles, &self.bodies] {
            to.put(list.len() as u32);
            list.iter().for_each(|i| to.put(*i));
        }
        to.put(u32::from(self.first.is_some()));
        let first = self.first.as_deref().unwrap_or_default();
        to.put(first.len() as u32);
        first.bytes().for_each(|byte| to.put(u32::from(byte)));
    }

    /// `sizes`: how many particles and bodies there are.
    fn load(from: &mut Section, sizes: [usize; 2]) -> Result<Self, CheckpointError> {
        let time = from.double()?;
        let mut list = |size: usize| {
            let count = from.word()?;
            let indices = (0..count).map(|_| Ok(from.index(size)? as u32));
            indices.collect::<Result<Vec<u32>, CheckpointError>>()
        };
        let [particles, bodies] = [list(sizes[0])?, list(sizes[1])?];
        let named = from.flag()?;
        let count = from.word()?;
        let bytes = (0..count).map(|_| Ok(from.index(256)? as u8));
        let bytes = bytes.collect::<Result<Vec<u8>, CheckpointError>>()?;
        let first = String::from_utf8(bytes).ok();
        from.check(first.is_some())?;
        Ok(Self { time, particles, bodies, first: first.filter(|_| named) })
    }
}

/// What is in quarantine, where it last was.
#[derive(Default)]
pub(super) struct Quarantine {
    particles: BTreeMap<u32, [f32; 3]>,
    bodies: BTreeMap<u32, [f32; 7]>,
    /// Particles that emitters have not sent out: a state shows who they are, so they are not saved.
    pub(super) waiting: BTreeMap<u32, [f32; 3]>,
}

impl Quarantine {
    /// Nothing but what waits.
    pub(super) fn of(waiting: BTreeMap<u32, [f32; 3]>) -> Self {
        Self { waiting, ..Self::default() }
    }

    /// Puts what broke as it is in `state` beside what is there.
    pub(super) fn take(&mut self, broken: &Breakdown, state: &Snapshot) {
        let particles = broken.particles.iter().map(|&i| (i, state.positions[i as usize]));
        let bodies = broken.bodies.iter().map(|&i| (i, state.bodies[i as usize]));
        self.particles.extend(particles);
        self.bodies.extend(bodies);
    }

    /// What is there, then what broke so far; nothing, where nothing broke.
    pub(super) fn save(&self, breakdowns: &[Breakdown]) -> Words {
        let mut words = Words::default();
        if breakdowns.is_empty() {
            return words;
        }
        words.put(self.particles.len() as u32);
        for (&i, &x) in &self.particles {
            words.put(i);
            words.put_all(x);
        }
        words.put(self.bodies.len() as u32);
        for (&i, &pose) in &self.bodies {
            words.put(i);
            words.put_all(pose);
        }
        breakdowns.iter().for_each(|broken| broken.save(&mut words));
        words
    }

    /// What was saved, in a model of so many particles and bodies.
    pub(super) fn load(
        mut from: Section,
        sizes: [usize; 2],
    ) -> Result<(Self, Vec<Breakdown>), CheckpointError> {
        let (mut quarantine, mut breakdowns) = (Self::default(), Vec::new());
        if from.is_empty() {
            return Ok((quarantine, breakdowns));
        }
        for _ in 0..from.word()? {
            let i = from.index(sizes[0])? as u32;
            quarantine.particles.insert(i, from.numbers()?);
        }
        for _ in 0..from.word()? {
            let i = from.index(sizes[1])? as u32;
            quarantine.bodies.insert(i, from.numbers()?);
        }
        while !from.is_empty() {
            breakdowns.push(Breakdown::load(&mut from, sizes)?);
        }
        Ok((quarantine, breakdowns))
    }

    pub(super) fn particles(&self) -> impl Iterator<Item = u32> {
        self.particles.keys().chain(self.waiting.keys()).copied()
    }

    pub(super) fn bodies(&self) -> impl Iterator<Item = u32> {
        self.bodies.keys().copied()
    }

    /// A state as the engine has it: no numbers in quarantine.
    pub(super) fn hide(&self, state: &mut Snapshot) {
        self.particles().for_each(|i| state.positions[i as usize] = [f32::NAN; 3]);
        self.bodies().for_each(|i| state.bodies[i as usize] = [f32::NAN; 7]);
    }

    pub(super) fn show_positions(&self, positions: &mut [[f32; 3]]) {
        let all = self.particles.iter().chain(&self.waiting);
        all.for_each(|(&i, &x)| positions[i as usize] = x);
    }

    pub(super) fn show_velocities(&self, velocities: &mut [[f32; 3]]) {
        self.particles().for_each(|i| velocities[i as usize] = [0.0; 3]);
    }

    pub(super) fn show_bodies(&self, bodies: &mut [[f32; 7]]) {
        self.bodies.iter().for_each(|(&i, &pose)| bodies[i as usize] = pose);
    }

    pub(super) fn show_motions(&self, motions: &mut [[f32; 6]]) {
        self.bodies().for_each(|i| motions[i as usize] = [0.0; 6]);
    }

    /// What of a state is not finite.
    pub(super) fn broken_in(state: &Snapshot) -> Option<Breakdown> {
        let is_broken = |x: &[f32], v: &[f32]| !x.iter().chain(v).all(|v| v.is_finite());
        let particles = (0..).zip(state.positions.iter().zip(&state.velocities));
        let particles = particles.filter(|(_, (x, v))| is_broken(&x[..], &v[..]));
        let bodies = (0..).zip(state.bodies.iter().zip(&state.body_velocities));
        let bodies = bodies.filter(|(_, (x, v))| is_broken(&x[..], &v[..]));
        let broken = Breakdown {
            time: state.time,
            particles: particles.map(|(i, _)| i).collect(),
            bodies: bodies.map(|(i, _)| i).collect(),
            first: None,
        };
        let none = broken.particles.is_empty() && broken.bodies.is_empty();
        (!none).then_some(broken)
    }
}

/// All that is connected with what broke.
pub(super) fn connected(model: &Model, broken: &mut Breakdown) {
    let count = model.positions().len() as u32;
    let mut sets = UnionFind::new(count as usize + model.bodies().len());
    let mut link = |particles: &[u32], bodies: &[u32]| {
        let mut all = particles.iter().copied().chain(bodies.iter().map(|b| count + b));
        if let Some(a) = all.next() {
            all.for_each(|b| sets.join(a, b));
        }
    };
    for list in model.row_lists() {
        list.rows().for_each(|row| link(row, &[]));
    }
    model.subsystems().for_each(|subsystem| subsystem.each_link(&mut link));
    let mut is_broken = vec![false; sets.len()];
    let bodies = broken.bodies.iter().map(|b| count + b);
    for i in broken.particles.iter().copied().chain(bodies).collect::<Vec<_>>() {
        is_broken[sets.root(i) as usize] = true;
    }
    let all = 0..sets.len() as u32;
    let all: Vec<u32> = all.filter(|&i| is_broken[sets.root(i) as usize]).collect();
    let (particles, bodies): (Vec<u32>, Vec<u32>) = all.into_iter().partition(|i| *i < count);
    broken.particles = particles;
    broken.bodies = bodies.into_iter().map(|i| i - count).collect();
}
