//! Small substeps in f32: what positions and velocities are rounded off by is carried, so nothing is lost (issue 20).

use super::models::Random;
use crate::Simulation;
use crate::constraints::Distance;
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::rigid::{Body, End, Joint, JointKind, Joints, Shape, Weight};
use crate::rows::Stiffness;
use crate::settings::Precision;
use crate::solvers::{Method, prepare};
use crate::state::Particles;

fn stepped(model: &Model, method: Method, frames: usize) -> Particles {
    let (mut particles, mut solver) = prepare(model, method, 1).expect("a solver");
    (0..frames).for_each(|_| solver.step(&mut particles));
    particles
}

/// n substeps of symplectic Euler fall g h² n (n + 1) / 2, at any number of substeps and from any height.
#[test]
fn a_particle_falls_as_far_as_it_must() {
    for method in [Method::Scalar, Method::Lanes, Method::Jacobi, Method::Hybrid, Method::Impulse] {
        for (substeps, height) in
            [(1, 1.0), (1, 10.0), (1, 100.0), (10, 10.0), (20, 1.0), (50, 20.0), (200, 100.0)]
        {
            let mut model = Model::new();
            model.settings.substeps = substeps;
            model.add_particle([0.3, height, 0.1], [0.0; 3], 1.0).unwrap();
            let frames = (60.0 * 0.9 * (2.0 * height / 9.81).sqrt()) as usize;
            let fallen = height - f64::from(stepped(&model, method, frames).position(0)[1]);
            let n = (frames as u32 * substeps) as f64;
            let exact = 9.81 * model.settings.h().powi(2) * n * (n + 1.0) / 2.0;
            let off = (fallen / exact - 1.0).abs();
            assert!(off < 1e-5, "{method:?}: {fallen} m, not {exact}, at {substeps} substeps");
        }
    }
}

/// A body far from the origin falls as far, by the same count, and goes on sideways as it began. Rounded velocities and positions
/// were off by 6e-4 of the first metre at 200 substeps.
#[test]
fn a_body_falls_as_far_as_it_must() {
    for method in [Method::Scalar, Method::Lanes, Method::Jacobi, Method::Hybrid, Method::Impulse] {
        for (substeps, height) in [(1, 100.0), (20, 1.0), (50, 10.0), (200, 1.0), (200, 10.0)] {
            let mut model = Model::new();
            model.settings.substeps = substeps;
            let mut body = Body::new(Shape::Sphere(0.1), Weight::Mass(2.0), None).unwrap();
            (body.position, body.velocity) = ([20.3, height, -7.1], [3.1, 0.0, -0.7]);
            model.add_body(body).unwrap();
            let frames = (60.0 * 0.9 * (2.0 * height / 9.81).sqrt()) as usize;
            let state = stepped(&model, method, frames);
            let [x, y, z, ..] = state.bodies.poses()[0].map(f64::from);
            let n = (frames as u32 * substeps) as f64;
            let (h, t) = (model.settings.h(), n * model.settings.h());
            let exact = 9.81 * h * h * n * (n + 1.0) / 2.0;
            let off = [x - 20.3 - 3.1 * t, height - y - exact, z + 7.1 + 0.7 * t];
            let off = off.map(f64::abs).into_iter().fold(0.0, f64::max) / height;
            assert!(
                off < 4e-6,
                "{method:?}: off by {off:e} at {substeps} substeps from {height} m"
            );
        }
    }
}

/// A particle a thousandth as heavy as the body that it is joined to swings about it for ten seconds: the momentum of both is kept
/// to less than 1e-6. It was lost by 1e-5 to 5e-5 as the body's velocity was rounded in every substep.
#[test]
fn a_heavy_body_keeps_the_momentum_of_a_light_particle() {
    for substeps in [4, 20] {
        let mut model = Model::new();
        (model.settings.substeps, model.settings.gravity) = (substeps, [0.0; 3]);
        let mut body = Body::new(Shape::Box([0.2, 0.1, 0.15]), Weight::Mass(1.0), None).unwrap();
        body.position = [-1.3, 2.1, 0.7];
        (body.velocity, body.angular_velocity) = ([0.89, 0.8, -0.94], [1.9, -2.3, 0.8]);
        let body = model.add_body(body).unwrap();
        let anchor = [-1.0, 2.4, 0.95];
        let particle = model.add_particle(anchor, [0.4, -1.7, 1.1], 1e3).unwrap();
        let mut joints = Joints::new();
        let ends = [End::Body(body), End::Particle(particle)];
        joints.add(&model, Joint::new(JointKind::Ball, ends, anchor)).unwrap();
        model.add_subsystem(joints).unwrap();
        let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
        let before = simulation.observe().momentum;
        (0..600).for_each(|_| simulation.step());
        let after = simulation.observe().momentum;
        let [before, after] = [before, after].map(Vec3::<f64>::from);
        let off = (after - before).length() / before.length();
        assert!(off < 1e-6, "{substeps} substeps: momentum off by {off:e}");
    }
}

/// Neighbours of a lattice of n x n x k particles, 0.1 m apart, turned any way, joined by rows, with a velocity and a spin.
fn lattice(random: &mut Random, [n, k]: [usize; 2], [v, spin]: [[f64; 3]; 2]) -> Model {
    let mut model = Model::new();
    model.settings.gravity = [0.0; 3];
    let turn = Quat::<f64>::exp(Vec3::of(random.point()));
    let at = |i: usize| [i % n, i / n % n, i / (n * n)].map(|k| k as f64);
    for i in 0..n * n * k {
        let x = turn.rotate(Vec3::from(at(i)) * 0.1);
        let v = Vec3::from(v) + Vec3::from(spin).cross(x);
        let x = x + Vec3::new(0.3, 0.4, 1.1);
        model.add_particle(x.to_array(), v.to_array(), 2.0).unwrap();
    }
    let count = n * n * k;
    for (i, j) in (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))) {
        let apart: f64 = at(i).iter().zip(at(j)).map(|(a, b)| (a - b).powi(2)).sum();
        if apart < 2.5 {
            let length = Some(0.1 * apart.sqrt());
            let pair = [i as u32, j as u32];
            model.add(Distance, pair, [length], Stiffness::Factor(1.0)).unwrap();
        }
    }
    model
}

/// Nothing pushes a block that flies: its momentum is kept to 1e-6 over three seconds, however small the steps.
#[test]
fn a_block_does_not_propel_itself() {
    for (substeps, iterations) in [(20, 5), (100, 1)] {
        let mut model = lattice(&mut Random(7), [4, 4], [[3.0, 4.0, -1.0], [0.0; 3]]);
        (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
        for method in [Method::Scalar, Method::Lanes] {
            let velocities = stepped(&model, method, 180).velocities();
            for (axis, v) in [3.0, 4.0, -1.0].into_iter().enumerate() {
                let mean: f64 = velocities.iter().map(|v| f64::from(v[axis])).sum::<f64>() / 64.0;
                assert!((mean - v).abs() < 5e-6, "{method:?} {substeps}: {mean}, not {v} m/s");
            }
        }
    }
}

/// A block that flies and spins keeps its angular momentum to 1e-5.
#[test]
fn a_block_keeps_its_spin() {
    for (substeps, iterations, frames) in [(20, 5, 180), (100, 1, 60)] {
        for method in [Method::Scalar, Method::Lanes, Method::Jacobi] {
            let motion = [[1.0, 2.0, -1.0], [3.0, 4.0, -2.0]];
            let mut model = lattice(&mut Random(3), [4, 4], motion);
            (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
            let mut simulation = Simulation::new(model, method, 1).expect("a simulation");
            let l = |simulation: &Simulation| Vec3::from(simulation.observe().angular_momentum);
            let before = l(&simulation);
            (0..frames).for_each(|_| simulation.step());
            let off = (l(&simulation) - before).length() / before.length();
            println!("{method:?}, {substeps} x {iterations}: {off:.1e}");
            assert!(off < 1e-5, "{method:?}, {substeps} x {iterations}: {off}");
        }
    }
}

/// A sheet that nothing moves stays: no velocity, and no way.
#[test]
fn a_sheet_at_rest_stays() {
    for seed in [1, 2] {
        let mut model = lattice(&mut Random(seed), [6, 1], [[0.0; 3]; 2]);
        model.settings.substeps = 20;
        let after = stepped(&model, Method::Lanes, 300);
        for (x, v) in after.positions().iter().zip(after.velocities()) {
            assert!(v.iter().all(|v| v.abs() < 1e-4), "{v:?} m/s");
            let near = |start: &[f32; 3]| (0..3).all(|k| (x[k] - start[k]).abs() < 1e-4);
            assert!(model.positions().iter().any(near), "went to {x:?}");
        }
    }
}

/// What is rounded off is carried where h² g is small beside the grain of the largest coordinate, and as the user says.
#[test]
fn the_grain_decides() {
    let carries = |substeps, x: f64, gravity, precision| {
        let mut model = Model::new();
        model.settings.substeps = substeps;
        (model.settings.gravity, model.settings.precision) = (gravity, precision);
        model.add_particle([0.0, -x, 0.0], [0.0; 3], 1.0).unwrap();
        model.is_carried()
    };
    let earth = [0.0, -9.81, 0.0];
    assert!(!carries(1, 5.0, earth, Precision::Auto));
    assert!(carries(1, 6.0, earth, Precision::Auto));
    assert!(carries(10, 0.06, earth, Precision::Auto));
    assert!(carries(1, 5.0, [0.5, 0.0, 0.0], Precision::Auto));
    assert!(!carries(1, 5.0, [0.0; 3], Precision::Auto));
    assert!(carries(1, 0.0, earth, Precision::Carried));
    assert!(!carries(1000, 1e6, earth, Precision::Plain));
    // What flies is followed: 0.5 m/s from 0.1 m.
    let mut model = Model::new();
    model.settings.substeps = 4;
    model.add_particle([0.1, 0.0, 0.0], [0.0, 0.0, -0.5], 1.0).unwrap();
    assert!(model.is_carried());
    // A particle is moved less by a body that is lighter than it, whatever is fixed beside them.
    let beside = |mass: f64| {
        let mut model = Model::new();
        model.add_particle([0.1, 0.0, 0.0], [0.0; 3], 0.01).unwrap();
        let ball = |mass| Body::new(Shape::Sphere(0.1), Weight::Mass(mass), None).unwrap();
        model.add_body(ball(mass)).unwrap();
        model.add_body(Body { fixed: true, ..ball(1e-3) }).unwrap();
        model.is_carried()
    };
    assert!(!beside(1000.0) && !beside(10.0) && beside(1.0));
}

/// Two points on rigid links, let go level.
fn double_pendulum() -> Model {
    let mut model = Model::new();
    for i in 0..3 {
        model.add_particle([f64::from(i), 0.0, 0.0], [0.0; 3], f64::from(i.min(1))).unwrap();
    }
    for i in 0..2 {
        model.add(Distance, [i, i + 1], [None], Stiffness::Factor(1.0)).unwrap();
    }
    model
}

/// Six masses of 1 kg on springs of 100 N/m, let go level.
fn spring_chain() -> Model {
    let mut model = Model::new();
    for i in 0..7 {
        model.add_particle([f64::from(i), 0.0, 0.0], [0.0; 3], f64::from(i.min(1))).unwrap();
    }
    for i in 0..6 {
        model.add(Distance, [i, i + 1], [None], Stiffness::Compliance(0.01)).unwrap();
    }
    model
}

/// The scheme loses energy in proportion to its substep (J in a second), and rounding changes nothing of that down to 1/12000 s.
#[test]
fn energy_falls_with_the_substep() {
    for (name, make) in [("pendulum", double_pendulum as fn() -> Model), ("chain", spring_chain)] {
        for method in [Method::Scalar, Method::Lanes] {
            let lost = |substeps| {
                let mut model = make();
                (model.settings.substeps, model.settings.iterations) = (substeps, 20);
                let mut simulation = Simulation::new(model, method, 1).expect("a simulation");
                let before = simulation.observe().energy;
                (0..60).for_each(|_| simulation.step());
                before - simulation.observe().energy
            };
            let [coarse, fine] = [50, 200].map(lost);
            println!("{name}, {method:?}: {coarse} J at 1/3000 s, {fine} J at 1/12000 s");
            assert!((coarse / fine - 4.0).abs() < 0.4, "{name}, {method:?}: {coarse} {fine}");
        }
    }
}
