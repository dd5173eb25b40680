//! Meshes that are refused, places that are no numbers, and real meshes.

use super::{ground, mesh_of_box, rubbing, speed};
use crate::collision::Contacts;
#[cfg(feature = "files")]
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::rigid::{Body, Shape, Weight};
use crate::tests::stacking::{body, floor, model};
use crate::{Method, ModelError, Simulation};
use std::sync::Arc;

/// A flat mesh touches nothing: it is refused where contacts are, with its place, before them and after.
#[test]
fn flat_meshes_are_refused() {
    let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
    let flat = Shape::Mesh(Arc::new((corners, vec![[0, 1, 2]])));
    let flat =
        || Body::new(flat.clone(), Weight::Mass(1.0), Some([1.0; 3])).expect("given inertia");
    let mut model = Model::new();
    model.add_body(body(Shape::Sphere(0.1), 1.0, [0.0; 3])).expect("a ball");
    model.add_body(flat()).expect("nothing touches yet");
    let refused = |error: ModelError| match error {
        ModelError::Value { place, value, rule } => {
            assert_eq!((place.as_str(), value), ("bodies[1].shape", 4.0));
            assert!(rule.contains("flat"), "{rule}");
        }
        other => panic!("{other}"),
    };
    refused(model.set_contacts(Contacts::default()).expect_err("flat"));
    let mut model = Model::new();
    model.add_body(body(Shape::Sphere(0.1), 1.0, [0.0; 3])).expect("a ball");
    model.set_contacts(Contacts::default()).expect("contacts");
    refused(model.add_body(flat()).expect_err("flat"));
}

/// Stones that start inside each other, inside the ground, beside 10^5 times their mass and 10^7 m away stay finite.
#[test]
fn bad_places_of_meshes_stay_finite() {
    let stones = |shape: Shape| {
        let one = |mass: f64, at: [f64; 3]| rubbing(body(shape.clone(), mass, at), 0.5);
        vec![
            one(1e5, [0.0, 0.6, 0.0]),
            one(1.0, [0.05, 0.2, 0.0]),
            one(1.0, [1.0, 0.1, 0.0]),
            one(1.0, [1.0, 0.1, 0.0]),
            one(1.0, [1e7, 0.2, 0.0]),
            one(1.0, [3.0, -5.0, 0.0]),
        ]
    };
    let cases = [
        (Shape::Box([0.2; 3]), floor()),
        (mesh_of_box([0.2; 3], 2), floor()),
        (mesh_of_box([0.2; 3], 2), ground(4.0, 5)),
    ];
    for (shape, ground) in cases {
        let model = model(8, stones(shape), vec![ground]);
        let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
        let mut fastest = [0.0_f64; 4];
        for _ in 0..60 {
            simulation.step();
            assert!(simulation.snapshot().finite());
            for (i, fastest) in fastest.iter_mut().enumerate() {
                *fastest = fastest.max(speed(&simulation, i));
            }
        }
        println!("fastest of those that touch: {fastest:.2?} m/s");
        assert!(fastest.iter().all(|v| *v < 30.0), "{fastest:?} m/s");
    }
}

/// What a mesh rests on: its lowest corner (m), and by how much its center of mass lies within the corners that are no more than
/// `near` (m) above that, seen from above; from its own corners and its pose.
#[cfg(feature = "files")]
fn rests_on(thing: &Body, pose: [f32; 7], near: f64) -> (f64, f64) {
    let Shape::Mesh(mesh) = &thing.shape else { panic!("a mesh") };
    let [x, y, z, a, b, c, w] = pose.map(f64::from);
    let (center, turn) = (Vec3::new(x, y, z), Quat::new(a, b, c, w));
    let places = mesh.0.iter().map(|p| center + turn.rotate(Vec3::of(p.map(f64::from))));
    let places: Vec<Vec3<f64>> = places.collect();
    let lowest = places.iter().fold(f64::INFINITY, |least, p| least.min(p.y));
    let within = (0..72).map(|k| {
        let (sin, cos) = (f64::from(k) / 72.0 * std::f64::consts::TAU).sin_cos();
        let touching = places.iter().filter(|p| p.y < lowest + near);
        let far = touching.map(|p| (p.x - x) * cos + (p.z - z) * sin);
        far.fold(f64::NEG_INFINITY, f64::max)
    });
    (lowest, within.fold(f64::INFINITY, f64::min))
}

/// Real meshes dropped on a floor come to rest on it: on corners of their own, between which their center of mass lies.
#[cfg(feature = "files")]
#[test]
#[ignore = "needs ../shared: real meshes"]
fn real_meshes_come_to_rest() {
    // From the side the bunny falls on its back, which is round, and rocks for up to ten seconds.
    const CASES: [([f64; 4], usize); 2] =
        [([0.0, 0.6, 0.0, 0.8], 240), ([0.6, 0.0, 0.0, 0.8], 900)];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/meshes");
    let mut rested = Vec::new();
    for (name, size) in [("bunny_3k.obj", 0.4), ("spot_lowres.obj", 0.4), ("pbd_torus.obj", 0.4)] {
        let path = std::path::Path::new(folder).join(name);
        let mesh = crate::io::read_mesh(&path).expect("a mesh");
        let reach = |x: &[f32; 3]| x.iter().map(|v| v * v).sum::<f32>().sqrt();
        let most = mesh.positions.iter().map(reach).fold(0.0, f32::max);
        let scaled = mesh.positions.iter().map(|x| x.map(|v| size * v / most));
        let shape = Shape::Mesh(Arc::new((scaled.collect(), mesh.triangles)));
        let Ok(thing) = Body::new(shape, Weight::Density(1000.0), None) else {
            println!("skipped: {name} is open");
            continue;
        };
        for (orientation, frames) in CASES {
            let thing = rubbing(thing.clone().at([0.0, 0.6, 0.0], orientation), 0.6);
            let model = model(8, vec![thing.clone()], vec![floor()]);
            let simulation = crate::tests::models::simulate(model, Method::Lanes, 1, frames);
            let v = simulation.snapshot().body_velocities[0];
            let turning = f64::from(v[3..].iter().map(|v| v * v).sum::<f32>().sqrt());
            // What its hull of 64 corners leaves out is no more than 4 % of its size.
            let (lowest, within) = rests_on(&thing, simulation.bodies()[0], 0.04 * f64::from(size));
            println!(
                "{name}: {:.1e} m/s, {turning:.1e} rad/s after {frames} frames, its lowest corner at {lowest:.4} m, its center {within:.4} m within",
                speed(&simulation, 0)
            );
            assert!(lowest.abs() < 0.04 * f64::from(size), "{name}: {lowest} m");
            assert!(within > 0.0, "{name}: {within} m");
            assert!(speed(&simulation, 0) < 1e-4 && turning < 1e-3);
        }
        rested.push(name);
    }
    assert!(rested.len() >= 2, "closed meshes: {rested:?}");
}

/// A hollow mesh is split into convex parts; nothing else is, nor into none, nor by a build that cannot.
#[test]
fn what_cannot_be_split_is_refused() {
    let ball = body(Shape::Sphere(0.1), 1.0, [0.0; 3]);
    assert_eq!(ball.split(4).unwrap_err(), ("parts", 4.0, "only a mesh can be split"));
    let cube = || body(mesh_of_box([0.1; 3], 1), 1.0, [0.0; 3]);
    for most in [0, 1025] {
        let (name, value, rule) = cube().split(most).unwrap_err();
        assert_eq!((name, value), ("parts", most as f64));
        assert!(rule.contains("1 and 1024"), "{rule}");
    }
    let split = cube().split(8);
    assert_eq!(split.is_ok(), cfg!(feature = "decompose"), "{split:?}");
    if let Err((_, _, rule)) = split {
        assert!(rule.contains("--features decompose"), "{rule}");
    }
}
