//! Particles on bodies of meshes.

use super::mesh_of_box;
use crate::collision::{Collider, Contacts};
use crate::model::Model;
use crate::rigid::Shape;
use crate::tests::contacts::rebound;
use crate::tests::stacking::{body, run};
use crate::{Method, Simulation};

/// Particles on a mesh of a box lie at their radius above it, and as on the box itself.
#[test]
fn particles_lie_on_meshes() {
    let lay = |shape: Shape| {
        let mut block = body(shape, 50.0, [0.0; 3]);
        block.fixed = true;
        let mut model = Model::new();
        model.settings.substeps = 8;
        model.add_body(block).expect("a body");
        for i in 0..40 {
            let x = [0.023 * f64::from(i) - 0.43, 0.3, 0.01 * f64::from(i % 7)];
            model.add_particle(x, [0.0; 3], 10.0).expect("a particle");
        }
        let contacts = Contacts { radius: 0.02, friction: Some(0.5), ..Contacts::default() };
        model.set_contacts(contacts).expect("contacts");
        run(model, Method::Lanes, 2, 60)
    };
    let half = [0.5, 0.2, 0.3];
    let [mesh, solid] = [mesh_of_box(half, 2), Shape::Box(half)].map(lay);
    for (i, (x, y)) in mesh.positions().iter().zip(solid.positions()).enumerate() {
        assert!((x[1] - 0.22).abs() < 1e-4, "particle {i} at {x:?}");
        let off = (0..3).map(|k| (x[k] - y[k]).abs()).fold(0.0, f32::max);
        assert!(off < 1e-4, "particle {i}: {off} m from where a box holds it");
    }
}

/// A particle dropped on a body comes back to e² of its height: from one that is fixed, and from a heavy one in free fall.
#[test]
fn particles_rebound_from_bodies() {
    for shape in [Shape::Box([0.5, 0.2, 0.5]), mesh_of_box([0.5, 0.2, 0.5], 2), Shape::Sphere(0.2)]
    {
        for (e, method) in [
            (0.0, Method::Lanes),
            (0.5, Method::Scalar),
            (0.8, Method::Lanes),
            (0.95, Method::Colored),
        ] {
            let mut block = body(shape.clone(), 1.0, [0.0, -0.2, 0.0]);
            (block.fixed, block.restitution) = (true, Some(e));
            let mut model = Model::new();
            model.settings.substeps = 20;
            model.add_body(block).expect("a body");
            model.add_particle([0.0, 1.1, 0.0], [0.0; 3], 2.0).expect("a particle");
            model.add_particle([7.0, 1.1, 0.0], [0.0; 3], 2.0).expect("a particle");
            let contacts = Contacts { radius: 0.1, ..Contacts::default() };
            model.set_contacts(contacts).expect("contacts");
            let mut simulation = Simulation::new(model, method, 1).expect("a simulation");
            let (hit, highest) = rebound(&mut simulation);
            let error = highest - e * e;
            println!("{} e {e}: {highest:.3} m, {error:+.3}", shape.name());
            assert!(hit && error.abs() < 0.05, "e {e}: {highest} m");
        }
    }
}

/// A particle and a body that meet in free space part with e times their speed, and momenta stay. What is lost of the angular one
/// depends on when in a substep they meet, so they meet after three parts of one; at 0.6 m they met just between two, and rounding
/// said in which.
#[test]
fn rebounds_keep_momenta() {
    let runs = [(0.5, Method::Scalar), (1.0, Method::Lanes), (0.7, Method::Colored)];
    let parts = [0.25, 0.5, 0.75];
    for ((e, method), part) in runs.into_iter().flat_map(|run| parts.map(|part| (run, part))) {
        let start = 0.6 + part * 1.5 / 600.0;
        let mut ball = body(Shape::Box([0.2; 3]), 2.0, [0.0; 3]);
        (ball.velocity, ball.friction) = ([0.5, 0.0, 0.0], Some(0.4));
        let mut model = Model::new();
        (model.settings.substeps, model.settings.gravity) = (10, [0.0; 3]);
        model.add_body(ball).expect("a body");
        for z in [-0.1, 0.1] {
            model.add_particle([start, 0.05, z], [-1.0, 0.2, 0.0], 1.0).expect("a particle");
        }
        let contacts = Contacts { radius: 0.05, restitution: Some(e), ..Contacts::default() };
        model.set_contacts(contacts).expect("contacts");
        let mut simulation = Simulation::new(model, method, 2).expect("a simulation");
        let before = simulation.observe();
        // Until they have met.
        for _ in 0..30 {
            simulation.step();
            if simulation.velocities()[0][0] > -0.5 {
                break;
            }
        }
        let after = simulation.observe();
        let off =
            |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max);
        let (linear, angular) = (
            off(after.momentum, before.momentum),
            off(after.angular_momentum, before.angular_momentum),
        );
        // The surface of the body at the particle, and the particle.
        let m = simulation.snapshot().body_velocities[0].map(f64::from);
        let pose = simulation.bodies()[0].map(f64::from);
        let (x, v) = (simulation.positions()[0], simulation.velocities()[0]);
        let lever = [0, 1, 2].map(|k| f64::from(x[k]) - pose[k]);
        let surface = m[0] + m[4] * lever[2] - m[5] * lever[1];
        let apart = f64::from(v[0]) - surface;
        println!(
            "{method:?} e {e}: parts at {apart:.3} of 1.5 m/s; momenta off by {linear:.1e}, {angular:.1e}"
        );
        assert!((apart / 1.5 - e).abs() < 0.05, "e {e}: {apart}");
        // Velocities are rounded where positions are: 6e-8 of 0.6 m over h = 1/600 s.
        assert!(linear < 5e-5 && angular < 1e-3, "{linear:e}, {angular:e}");
    }
}

/// A particle that starts within a body comes out and stays on it: what parts them gives no speed.
#[test]
fn a_particle_that_starts_in_a_body_is_not_thrown() {
    let shapes = [
        Shape::Sphere(0.5),
        Shape::Box([0.5; 3]),
        mesh_of_box([0.5; 3], 2),
        Shape::Cylinder([0.5, 0.5]),
    ];
    for (shape, fixed) in shapes.into_iter().flat_map(|s| [(s.clone(), true), (s, false)]) {
        for substeps in [1, 10, 20] {
            let mut model = Model::new();
            (model.settings.substeps, model.settings.gravity) = (substeps, [0.0, -9.81, 0.0]);
            let ground = Collider::plane([0.0, -0.5, 0.0], [0.0, 1.0, 0.0]).expect("a plane");
            let mut thing = body(shape.clone(), 50.0, [0.0; 3]);
            thing.fixed = fixed;
            model.add_body(thing).expect("a body");
            model.add_particle([0.0, 0.47, 0.0], [0.0; 3], 1.0).expect("a particle");
            let contacts =
                Contacts { radius: 0.02, colliders: vec![ground], ..Contacts::default() };
            model.set_contacts(contacts).expect("contacts");
            let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
            let mut highest = 0.0_f32;
            for _ in 0..60 {
                simulation.step();
                highest = highest.max(simulation.positions()[0][1]);
            }
            let end = simulation.positions()[0][1];
            let name = format!("{} (fixed: {fixed}) at {substeps} substeps", shape.name());
            assert!(highest < 0.53, "{name}: thrown to {highest} m");
            assert!((end - 0.52).abs() < 5e-3, "{name}: it ends at {end} m");
        }
    }
}
