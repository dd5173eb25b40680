//! Bodies and what is not rigid: momenta in free space, rest under gravity; a cloth, a jelly, water, a net.

mod held;
mod momenta;
mod resting;
mod spinning;

use super::stacking;
use crate::collision::{Collider, Contacts};
use crate::constraints::Distance;
use crate::groups::{Shapes, regions};
use crate::model::Model;
use crate::rigid::{Body, Shape};
use crate::rows::Stiffness;

fn body(shape: Shape, mass: f64, position: [f64; 3]) -> Body {
    let mut body = stacking::body(shape, mass, position);
    body.friction = Some(0.5);
    body
}

/// Nothing yet, in free space.
fn space(substeps: u32, iterations: u32) -> Model {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
    model.settings.gravity = [0.0; 3];
    model
}

/// Particles touch; what else is there to touch.
fn touching(model: &mut Model, radius: f64, colliders: Vec<Collider>) {
    let contacts = Contacts { colliders, radius, friction: Some(0.5), ..Contacts::default() };
    model.set_contacts(contacts).expect("sound contacts");
}

fn row(model: &mut Model, pair: [u32; 2], stiffness: Stiffness) {
    model.add(Distance, pair, [None], stiffness).expect("a row");
}

/// A net of n x n particles, each of a mass, `step` apart in the plane y = 0, rising at `speed`.
fn net(model: &mut Model, n: usize, step: f64, [mass, speed]: [f64; 2], stiffness: Stiffness) {
    let at = |k: usize| step * (k as f64 - 0.5 * (n - 1) as f64);
    for i in 0..n * n {
        let x = [at(i % n), 0.0, at(i / n)];
        let added = model.add_particle(x, [0.0, speed, 0.0], 1.0 / mass);
        added.expect("a particle");
    }
    for i in 0..n * n {
        for (other, inside) in [(i + 1, i % n + 1 < n), (i + n, i + n < n * n)] {
            if inside {
                row(model, [i as u32, other as u32], stiffness);
            }
        }
    }
}

/// Points of a block of n x n x n, `step` apart, the lowest layer's middle at `at`.
fn block(model: &mut Model, n: usize, step: f64, [at, v]: [[f64; 3]; 2], mass: f64) -> Vec<u32> {
    let all = (0..n * n * n).map(|i| {
        let k = [i % n, i / (n * n), i / n % n].map(|k| k as f64 * step);
        let half = 0.5 * (n - 1) as f64 * step;
        let x = [at[0] + k[0] - half, at[1] + k[1], at[2] + k[2] - half];
        model.add_particle(x, v, 1.0 / mass).expect("a particle")
    });
    all.collect()
}

fn soften(model: &mut Model, all: &[u32]) {
    let mut shapes = Shapes::new();
    for cluster in regions(model.positions(), all) {
        let added = shapes.add(&*model, &cluster, None, Stiffness::Factor(0.3), None);
        added.expect("a cluster");
    }
    model.add_subsystem(shapes).unwrap();
}

/// Points around the capsule, and rings of them.
const AROUND: usize = 20;

const RINGS: usize = 5;

const CAPSULE: [f64; 2] = [0.1, 0.2];

const THICK: f64 = 0.015;

/// A cloth closed around a capsule, which then flies off across its axis and spins about it.
fn wrapped(substeps: u32) -> Model {
    let mut model = space(substeps, 2);
    let mut thing = body(Shape::Capsule(CAPSULE), 2.0, [0.0; 3]);
    (thing.velocity, thing.angular_velocity) = ([1.0, 0.0, 0.0], [0.0, 3.0, 0.0]);
    model.add_body(thing).expect("a body");
    let out = CAPSULE[0] + THICK + 1e-3;
    for i in 0..AROUND * RINGS {
        let angle = (i % AROUND) as f64 * std::f64::consts::TAU / AROUND as f64;
        let y = 0.05 * ((i / AROUND) as f64 - 2.0);
        let x = [out * angle.cos(), y, out * angle.sin()];
        let added = model.add_particle(x, [0.0; 3], 1.0 / 0.005);
        added.expect("a particle");
    }
    for i in 0..AROUND * RINGS {
        let next = i / AROUND * AROUND + (i + 1) % AROUND;
        row(&mut model, [i as u32, next as u32], Stiffness::Factor(1.0));
        if i + AROUND < AROUND * RINGS {
            let pair = [i as u32, (i + AROUND) as u32];
            row(&mut model, pair, Stiffness::Factor(1.0));
        }
    }
    touching(&mut model, THICK, Vec::new());
    model
}
