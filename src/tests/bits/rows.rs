//! Stored bits of rows: of every scene of the catalogue, and of random ones of particles.

use super::running::World;
use super::{Bits, check};
use crate::Simulation;
use crate::scenes;
use crate::solvers::Method;
use crate::tests::differential::scenes::rows_alone;
use crate::tests::models::Random;

const METHODS: [Method; 5] =
    [Method::Scalar, Method::Lanes, Method::Jacobi, Method::Hybrid, Method::Impulse];

/// Every scene of the catalogue, small: two frames in both orders.
#[test]
fn catalogue() {
    let mut found = Vec::new();
    for scene in scenes::all() {
        let size = (scene.sizes.0 + 2).min(scene.sizes.1);
        for method in &METHODS[..2] {
            let model = scene.model(Some(size)).expect("a model");
            let mut simulation = Simulation::new(model, *method, 1).expect("a simulation");
            let mut bits = Bits::new();
            for _ in 0..2 {
                simulation.step();
                let state = simulation.snapshot();
                bits.add_all(state.positions.as_flattened());
                bits.add_all(state.velocities.as_flattened());
                bits.add_all(state.bodies.as_flattened());
            }
            found.push((format!("{}-{}", scene.name, method.name()), bits));
        }
    }
    check("catalogue", &found);
}

/// Rows of all kinds, stiffnesses and masses by every method.
#[test]
fn rows() {
    let mut found = Vec::new();
    for seed in 0..40 {
        let text = rows_alone(&mut Random(seed)).to_string();
        let world = World { text, width: Some(8), frames: 4 };
        for method in METHODS {
            let name = format!("{seed:02}-{}", method.name());
            found.push((name, world.run(method, 1, false)));
        }
    }
    check("rows", &found);
}
