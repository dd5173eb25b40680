//! Bodies that touch: what stands, slides, rebounds and is carried; momenta; methods and threads; bad input.

mod contacts;
mod elastic;
mod fast;
mod flat;
mod frusta;
mod heaps;
mod held;
mod impacts;
mod inclines;
mod piles;
mod rolling;
mod seams;
mod shapes;
mod sleeping;
mod slender;
mod touching;
mod towers;
mod unequal;

use super::models::scene;
pub(super) use super::models::{floor, simulate as run};
use crate::collision::{Collider, Contacts};
pub(super) use crate::math::UPRIGHT;
use crate::model::Model;
use crate::rigid::{Body, Shape, Weight};
use crate::{Method, Simulation};

pub(super) fn body(shape: Shape, mass: f64, position: [f64; 3]) -> Body {
    let body = Body::new(shape, Weight::Mass(mass), None).expect("a sound shape");
    body.at(position, UPRIGHT)
}

/// A model of bodies, stepped finely, with colliders.
pub(super) fn model(substeps: u32, bodies: Vec<Body>, colliders: Vec<Collider>) -> Model {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (substeps, 1);
    for body in bodies {
        model.add_body(body).expect("a sound body");
    }
    let contacts = Contacts { colliders, ..Contacts::default() };
    model.set_contacts(contacts).expect("sound contacts");
    model
}

/// Bodies on a floor.
pub(super) fn ground(bodies: Vec<Body>, substeps: u32, iterations: u32) -> Model {
    let mut model = model(substeps, bodies, vec![floor()]);
    model.settings.iterations = iterations;
    model
}

/// Lanes on any threads have the bits of the scalar loop in the colored order.
#[test]
fn bodies_touch_with_the_same_bits_by_all_methods() {
    let scenes = [
        ("stack", 5, 30),
        ("pyramid", 4, 15),
        ("pyramid", 9, 4),
        ("heap", 30, 40),
        ("cradle", 3, 15),
        ("coupling", 10, 12),
        ("car", 1, 10),
    ];
    for (name, size, frames) in scenes {
        let expected = run(scene(name, size), Method::Colored, 1, frames);
        for threads in [1, 2, 3, 7] {
            let found = run(scene(name, size), Method::Lanes, threads, frames);
            assert_eq!(found.observe().hash, expected.observe().hash, "{name} on {threads}");
        }
    }
}

/// The largest way of any body from where it began (m), and the fastest (m/s).
pub(super) fn unrest(simulation: &Simulation) -> (f64, f64) {
    let state = simulation.snapshot();
    let way = |(pose, body): (&[f32; 7], &Body)| {
        let d = |k: usize| (f64::from(pose[k]) - body.position[k]).powi(2);
        (d(0) + d(1) + d(2)).sqrt()
    };
    let ways = state.bodies.iter().zip(simulation.model().bodies()).map(way);
    let speed = |m: &[f32; 6]| f64::from((m[0] * m[0] + m[1] * m[1] + m[2] * m[2]).sqrt());
    let speeds = state.body_velocities.iter().map(speed);
    (ways.fold(0.0, f64::max), speeds.fold(0.0, f64::max))
}
