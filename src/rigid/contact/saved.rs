//! What contacts of bodies carry from frame to frame. Packets, colors and pairs of boxes that meet are found again from it.

use super::instance::{Instance, InstanceState};
use super::manifold::{ContactPoint, MOST, Manifold, ReferenceBody, Relative};
use super::narrow_phase::NarrowPhase;
use super::pair_cache::PairCache;
use super::runtime::State;
use super::sleep::Sleep;
use crate::error::CheckpointError;
use crate::state::{IMPULSES, Saved, Section, Width, Words};

/// Where the next sweep begins, and whether who sleeps has just changed.
const SWEEP: &str = "sweep";
/// Of every body, how long it has been slow, and whether it sleeps.
const SLEEP: &str = "sleep";
const MANIFOLDS: &str = "manifolds";
/// Where instances were when they had last moved.
const REFERENCES: &str = "references";
/// The boxes last searched.
const BOXES: &str = "boxes";

impl<W: Width> State<W> {
    pub(super) fn save(&self) -> Saved {
        let (mut sweep, mut sleep) = (Words::default(), Words::default());
        sweep.put(u32::from(self.reversed));
        sweep.put(u32::from(self.contacts.changed));
        if let Some(Sleep { timers, asleep, .. }) = &self.sleep {
            for (timer, asleep) in timers.iter().zip(asleep) {
                sleep.put_double(*timer);
                sleep.put(u32::from(*asleep));
            }
        }
        let manifolds = &self.contacts.manifolds;
        let all = 0..self.batches.packets();
        // The manifolds take again what they get when contacts are found next.
        self.batches.write_back(all, &self.contacts, false);
        let (mut shapes, mut impulses) = (Words::default(), Words::default());
        manifolds.as_slice().iter().for_each(|manifold| manifold.save(&mut shapes, &mut impulses));
        let mut saved = Saved::default();
        saved.put(SWEEP, sweep);
        saved.put(SLEEP, sleep);
        saved.put(MANIFOLDS, shapes);
        saved.put(IMPULSES, impulses);
        self.contacts.cache.save(&mut saved);
        self.events.iter().for_each(|events| events.save(&mut saved));
        saved
    }

    pub(super) fn load(&mut self, from: &Saved) -> Result<(), CheckpointError> {
        let mut sweep = from.section(SWEEP);
        let [reversed, changed] = [sweep.flag()?, sweep.flag()?];
        sweep.end()?;
        let mut section = from.section(SLEEP);
        if let Some(Sleep { timers, asleep, .. }) = &mut self.sleep {
            for (i, (timer, asleep)) in timers.iter_mut().zip(asleep).enumerate() {
                (*timer, *asleep) = (section.double()?, section.flag()?);
                self.contacts.asleep[i] = *asleep;
            }
        }
        section.end()?;
        let Self { contacts, batches, events, joined, sleep, .. } = self;
        if let Some(events) = events {
            events.load(from, contacts.instances.len())?;
        }
        contacts.load_manifolds(from)?;
        if let Some(sleep) = sleep {
            sleep.joined = joined.together();
            sleep.join(contacts.touching(), |i| contacts.instances[i].fixed);
        }
        contacts.cache.joined = joined.bodies();
        contacts.cache.load(from, &contacts.instances)?;
        contacts.changed = changed;
        contacts.listed = false;
        contacts.color();
        batches.lay_out(&contacts.coloring, contacts.manifolds.as_slice());
        for batch in &batches.batches {
            batch.take(0..batch.packets().len(), contacts);
        }
        self.reversed = reversed;
        Ok(())
    }
}

impl NarrowPhase {
    fn load_manifolds(&mut self, from: &Saved) -> Result<(), CheckpointError> {
        // Normals are turned to how instances stand when the next frame begins.
        (0..self.instances.len()).for_each(|i| self.states.set(i, InstanceState::still()));
        let (mut shapes, mut impulses) = (from.section(MANIFOLDS), from.section(IMPULSES));
        let carried = !impulses.is_empty();
        let mut manifolds = Vec::new();
        while !shapes.is_empty() {
            let mut manifold = Manifold::load(&mut shapes, self.instances.len())?;
            let [a, b] = manifold.pair;
            shapes.check(a != b && !self.instances[a as usize].fixed)?;
            manifold.is_sensor = [a, b].iter().any(|i| self.instances[*i as usize].sensor);
            if carried {
                manifold.load_impulses(&mut impulses)?;
            }
            manifolds.push(manifold);
        }
        self.manifolds.resize(manifolds.len(), Manifold::blank());
        (0..).zip(&manifolds).for_each(|(i, manifold)| self.manifolds.set(i, *manifold));
        impulses.end()
    }
}

impl Manifold {
    fn save(&self, shapes: &mut Words, impulses: &mut Words) {
        let Self { pair, part, normal, reference, radii, count, points, torque, .. } = self;
        pair.iter().for_each(|i| shapes.put(*i));
        shapes.put(*part);
        shapes.put_vector(*normal);
        shapes.put(u32::from(*reference == ReferenceBody::B));
        shapes.put_all(*radii);
        shapes.put(*count as u32);
        for ContactPoint { anchors, lambda, friction } in points {
            anchors.iter().for_each(|anchor| shapes.put_vector(*anchor));
            impulses.put_all([*lambda]);
            impulses.put_vector(*friction);
        }
        impulses.put_vector(*torque);
        shapes.put(u32::from(self.base.is_some()));
        if let Some(Relative { center, turn }) = self.base {
            shapes.put_vector(center);
            shapes.put_turn(turn);
        }
        shapes.put_all([self.friction, self.restitution, self.arms[0], self.arms[1]]);
    }

    fn load(from: &mut Section, instances: usize) -> Result<Self, CheckpointError> {
        let pair = [from.index(instances)?, from.index(instances)?].map(|i| i as u32);
        let part = from.word()?;
        let normal = from.vector()?;
        let reference = match from.flag()? {
            false => ReferenceBody::A,
            true => ReferenceBody::B,
        };
        let radii = from.numbers()?;
        let count = from.index(MOST + 1)?;
        let mut points = Self::blank().points;
        for point in &mut points {
            point.anchors = [from.vector()?, from.vector()?];
        }
        let base = match from.flag()? {
            false => None,
            true => Some(Relative { center: from.vector()?, turn: from.turn()? }),
        };
        let [friction, restitution, rolling, torsional] = from.numbers()?;
        Ok(Self {
            pair,
            part,
            normal,
            reference,
            radii,
            count,
            points,
            base,
            friction,
            restitution,
            arms: [rolling, torsional],
            ..Self::blank()
        })
    }

    fn load_impulses(&mut self, from: &mut Section) -> Result<(), CheckpointError> {
        for point in &mut self.points {
            (point.lambda, point.friction) = (from.number()?, from.vector()?);
        }
        self.torque = from.vector()?;
        Ok(())
    }
}

impl PairCache {
    fn save(&self, to: &mut Saved) {
        let (mut references, mut boxes) = (Words::default(), Words::default());
        // Before the first step there are none.
        let known = if self.searched { self.boxes.len() } else { 0 };
        for reference in &self.references.as_slice()[..known] {
            references.put(u32::from(reference.is_some()));
            if let Some((x, q)) = reference {
                references.put_vector(*x);
                references.put_turn(*q);
            }
        }
        for bounds in &self.boxes.as_slice()[..known] {
            boxes.put(u32::from(bounds.is_some()));
            bounds.iter().flatten().for_each(|corner| boxes.put_vector(*corner));
        }
        to.put(REFERENCES, references);
        to.put(BOXES, boxes);
    }

    fn load(&mut self, from: &Saved, instances: &[Instance]) -> Result<(), CheckpointError> {
        let (mut references, mut boxes) = (from.section(REFERENCES), from.section(BOXES));
        self.searched = !boxes.is_empty();
        for i in 0..instances.len() {
            let reference = match self.searched && references.flag()? {
                false => None,
                true => Some((references.vector()?, references.turn()?)),
            };
            let bounds = match self.searched && boxes.flag()? {
                false => None,
                true => Some([boxes.vector()?, boxes.vector()?]),
            };
            self.references.set(i, reference);
            self.boxes.set(i, bounds);
        }
        references.end()?;
        boxes.end()?;
        if self.searched {
            self.sweep.sort(self.boxes.as_slice());
            self.search(instances, 0..self.sweep.chunks.len());
            self.collect(instances);
        }
        Ok(())
    }
}
