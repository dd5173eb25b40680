//! The worlds run by every method: what they come to is what is stored.

use super::worlds::world;
use super::{Bits, check};
use crate::io::parse_scene;
use crate::state::{BodyContact, ContactEvent, ContactSide};
use crate::{Method, Simulation};
use std::path::Path;

/// Scenes lie beside the mesh files that they name.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenes/world.json");

/// The text of a scene, in how many lanes runs of rows are computed, and the frames of a run.
pub(super) struct World {
    pub(super) text: String,
    pub(super) width: Option<u32>,
    pub(super) frames: usize,
}

impl World {
    fn simulation(&self, method: Method, threads: usize) -> Simulation {
        let file = parse_scene(Path::new(FOLDER), self.text.as_bytes(), &[]);
        let mut model = file.unwrap_or_else(|e| panic!("{e}: {}", self.text)).model;
        model.settings.width = self.width;
        Simulation::new(model, method, threads).expect("a simulation")
    }

    /// What a run comes to; halfway it is saved, and another goes on if asked to.
    pub(super) fn run(&self, method: Method, threads: usize, is_saved: bool) -> Bits {
        let mut bits = Bits::new();
        let mut simulation = self.simulation(method, threads);
        for frame in 0..self.frames {
            if is_saved && frame == self.frames / 2 {
                let mut saved = Vec::new();
                simulation.save(&mut saved).expect("memory takes all");
                simulation = self.simulation(method, threads);
                simulation.load(&mut &saved[..]).expect("the same model");
            }
            if frame == 1 && simulation.bodies().len() > 1 {
                simulation.push_body(0, [0.3, 0.5, -0.2], [0.1, 0.0, 0.2]);
                simulation.set_body_force(1, [0.5, -1.0, 2.0], [0.1, 0.3, 0.0]);
            }
            simulation.step();
            add(&mut bits, &simulation);
        }
        add_figures(&mut bits, &simulation);
        bits
    }
}

fn add_contact(bits: &mut Bits, contact: &BodyContact) {
    for side in contact.sides {
        bits.add(match side {
            ContactSide::Body(i) => u64::from(i) << 1,
            ContactSide::Collider(i) => u64::from(i) << 1 | 1,
        });
    }
    bits.add_exact(&contact.force);
}

/// All that a user can see of a state.
fn add(bits: &mut Bits, simulation: &Simulation) {
    let state = simulation.snapshot();
    bits.add_all(state.positions.as_flattened());
    bits.add_all(state.velocities.as_flattened());
    bits.add_all(state.bodies.as_flattened());
    bits.add_all(state.body_velocities.as_flattened());
    simulation.contacts().iter().for_each(|contact| add_contact(bits, contact));
    for event in simulation.contact_events() {
        let (word, contact) = match &event {
            ContactEvent::Begin(contact) => (1, contact),
            ContactEvent::End(contact) => (2, contact),
        };
        bits.add(word);
        add_contact(bits, contact);
    }
    simulation.broken_joints().iter().for_each(|joint| bits.add(u64::from(*joint)));
}

/// What is found, and how far rows are from holding.
fn add_figures(bits: &mut Bits, simulation: &Simulation) {
    let seen = simulation.observe();
    bits.add_exact(&[seen.residual, seen.residual_max, seen.energy]);
    bits.add_exact(&seen.momentum);
    bits.add_exact(&seen.angular_momentum);
    // Blocks are of as many contacts as there are lanes.
    let counts = simulation.counts().into_iter().filter(|(name, _)| *name != "blocks");
    counts.for_each(|(_, count)| bits.add(count as u64));
}

/// Each world in both orders, the second by every width and more threads; some by the other methods.
fn worlds(kind: &str, count: u64, frames: usize) {
    let mut found = Vec::new();
    for seed in 0..count {
        let text = world(kind, seed).to_string();
        let mut world = World { text, width: Some(8), frames };
        let mut take = |name: &str, bits| found.push((format!("{seed:02}-{name}"), bits));
        take("authored", world.run(Method::Scalar, 1, false));
        let colored = world.run(Method::Lanes, 1, seed % 2 == 0);
        take("colored", colored);
        if seed % 8 == 0 {
            assert!(world.run(Method::Colored, 1, false) == colored, "{kind} {seed}");
            assert!(world.run(Method::Lanes, 2, false) == colored, "{kind} {seed} on 2");
            world.width = Some(16);
            assert!(world.run(Method::Lanes, 1, false) == colored, "{kind} {seed}, 16 lanes");
        }
        if seed % 8 == 4 {
            let others = [Method::Jacobi, Method::Hybrid, Method::Impulse];
            others.into_iter().for_each(|m| take(m.name(), world.run(m, 1, false)));
        }
    }
    check(kind, &found);
}

#[test]
fn crowds() {
    worlds("crowd", 3, 6);
}

#[test]
fn heaps() {
    worlds("heap", 40, 10);
}

#[test]
fn crashes() {
    worlds("crash", 40, 10);
}

#[test]
fn stacks() {
    worlds("stack", 12, 30);
}

#[test]
fn grains() {
    worlds("grains", 32, 8);
}

#[test]
fn jointed() {
    worlds("joints", 64, 10);
}
