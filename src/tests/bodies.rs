//! Free bodies against closed forms, and against integrations made outside this project (`ground_truth.json`: RK4 in f64 at
//! small steps, copied here with its names).

use super::models::{Random, simulate};
use crate::math::{F32x8, Quat, Vec3, pack, unpack};
use crate::model::Model;
use crate::observe::observe;
use crate::rigid::{Body, Shape, Weight, solid_of_mesh};
use crate::settings::{Gyro, Rigid};
use crate::{Method, Simulation};
use std::sync::Arc;

/// One body, no gravity.
fn free(shape: Shape, weight: Weight, inertia: Option<[f64; 3]>, spin: [f64; 3]) -> Model {
    let mut model = Model::new();
    model.settings.gravity = [0.0; 3];
    let mut body = Body::new(shape, weight, inertia).unwrap();
    body.angular_velocity = spin;
    model.add_body(body).unwrap();
    model
}

/// `free_box_1x2x3`.
fn free_box(gyro: Gyro, h: f64) -> Simulation {
    let shape = Shape::Box([1.0, 2.0, 3.0]);
    let mut model = free(shape, Weight::Density(1.0), None, [6.0, 6.0, 0.0]);
    assert_eq!(model.bodies()[0].mass, 48.0);
    assert_eq!(model.bodies()[0].inertia, [208.0, 160.0, 80.0]);
    (model.settings.gyro, model.settings.dt) = (gyro, h);
    Simulation::new(model, Method::Scalar, 1).unwrap()
}

/// |L|, and ω in the body's frame.
fn spin(simulation: &Simulation) -> (f64, [f64; 3]) {
    let state = simulation.snapshot();
    let seen = observe(simulation.model(), &state, &[]);
    let [_, _, _, x, y, z, w] = state.bodies[0].map(f64::from);
    let [_, _, _, a, b, c] = state.body_velocities[0].map(f64::from);
    let spin = Quat::new(x, y, z, w).unrotate(Vec3::new(a, b, c));
    (Vec3::of(seen.angular_momentum).length(), spin.to_array())
}

#[test]
fn a_free_box_turns_as_it_should() {
    let truth = [
        [6.694_105_793, -4.203_928_050, 3.707_457_580],
        [7.282_085_405, -0.761_684_233, -5.154_112_711],
    ];
    for gyro in [Gyro::Explicit, Gyro::Momentum] {
        let mut simulation = free_box(gyro, 1.0 / 1200.0);
        for truth in truth {
            (0..600).for_each(|_| simulation.step());
            let (_, spin) = spin(&simulation);
            let truth: Vec3<f64> = Vec3::of(truth);
            let error = (Vec3::of(spin) - truth).length() / truth.length();
            println!("{}: ω {spin:.4?}, off by {:.2} %", gyro.name(), 100.0 * error);
            assert!(error < 0.01, "{gyro:?}: {error}");
        }
    }
}

/// How far |L| drifts in 10 s, as a part of it.
fn drift(gyro: Gyro, h: f64) -> f64 {
    let mut simulation = free_box(gyro, h);
    let (start, _) = spin(&simulation);
    let mut most = 0.0_f64;
    for _ in 0..(10.0 / h).round() as usize {
        simulation.step();
        let (now, _) = spin(&simulation);
        let off = (now / start - 1.0).abs();
        most = most.max(if off.is_nan() { f64::INFINITY } else { off });
    }
    println!("{} at h = {h:.5}: |L| drifts {most:.2e}", gyro.name());
    most
}

#[test]
fn momentum_is_kept_as_far_as_promised() {
    assert!(drift(Gyro::Explicit, 1.0 / 2400.0) < 0.02);
    assert!(drift(Gyro::Explicit, 1.0 / 60.0) > 1.0, "it must blow up");
    for h in [0.1, 1.0 / 60.0, 1.0 / 240.0, 1.0 / 1200.0] {
        assert!(drift(Gyro::Momentum, h) < 1e-4);
    }
}

/// `dzhanibekov`: the sign of ω_y in the body's frame changes at these times.
#[test]
fn the_middle_axis_flips() {
    let truth = [2.741_068_055, 7.766_997_194, 12.792_926_332];
    for gyro in [Gyro::Explicit, Gyro::Momentum] {
        let inertia = Some([1.0, 2.0, 3.0]);
        let mut model = free(Shape::None, Weight::Mass(1.0), inertia, [0.01, 5.0, 0.01]);
        (model.settings.gyro, model.settings.dt) = (gyro, 1.0 / 1200.0);
        let mut simulation = Simulation::new(model, Method::Scalar, 1).unwrap();
        let (mut last, mut flips) = (5.0, Vec::new());
        for _ in 0..16_000 {
            simulation.step();
            let (_, [_, now, _]) = spin(&simulation);
            if now * last < 0.0 {
                flips.push(simulation.time());
            }
            last = now;
        }
        println!("{}: flips at {flips:.3?} s", gyro.name());
        assert_eq!(flips.len(), truth.len(), "{gyro:?}");
        for (flip, truth) in flips.into_iter().zip(truth) {
            // Flips are seen at the end of a step of 1/1200 s.
            let tolerance = if gyro == Gyro::Explicit { 0.02 * truth } else { 2.0 / 1200.0 };
            assert!((flip - truth).abs() < tolerance, "{gyro:?}: {flip} for {truth}");
        }
    }
}

/// A ball thrown flies as a particle does, and keeps its spin to the bit; one that is fixed keeps its own velocities.
#[test]
fn a_thrown_ball_and_a_fixed_one() {
    for rigid in Rigid::ALL {
        let spin = [1.0, -2.0, 0.5];
        let mut model = free(Shape::Sphere(0.5), Weight::Density(2.0), None, spin);
        model.settings.gravity = [0.0, -9.81, 0.0];
        model.settings.rigid = rigid;
        let mut thrown = Body::new(Shape::Sphere(0.5), Weight::Mass(2.0), None).unwrap();
        thrown.velocity = [3.0, 4.0, 0.0];
        model.add_body(thrown.clone()).unwrap();
        thrown.fixed = true;
        thrown.angular_velocity = [0.0, 1.0, 0.0];
        model.add_body(thrown).unwrap();
        model.add_particle([0.0; 3], [3.0, 4.0, 0.0], 1.0).unwrap();
        let simulation = simulate(model, Method::Lanes, 2, 60);
        let state = simulation.snapshot();
        assert_eq!(&state.body_velocities[0][3..], spin.map(|v| v as f32));
        for k in 0..3 {
            let (body, particle) = (state.bodies[1][k], state.positions[0][k]);
            assert!((body - particle).abs() < 1e-5, "{body} for {particle}");
        }
        let [x, y, _, _, qy, _, qw] = state.bodies[2];
        assert!((x - 3.0).abs() < 1e-4 && (y - 4.0).abs() < 1e-4);
        assert!((2.0 * qy.atan2(qw) - 1.0).abs() < 1e-4, "one radian in a second");
    }
}

/// Lanes give the bits of the scalar loop, on any number of threads.
#[test]
fn free_bodies_are_the_same_in_lanes() {
    let mut random = Random(3);
    for (gyro, rigid) in [(Gyro::Explicit, Rigid::Mueller), (Gyro::Momentum, Rigid::Deul)] {
        let mut results = Vec::new();
        let seed = random.0;
        for (method, threads) in [(Method::Scalar, 1), (Method::Lanes, 1), (Method::Lanes, 3)] {
            random.0 = seed;
            let mut model = Model::new();
            (model.settings.gyro, model.settings.rigid) = (gyro, rigid);
            for _ in 0..21 {
                let size = random.point().map(|v| v.abs() + 0.1);
                let mut body = Body::new(Shape::Box(size), Weight::Density(3.0), None).unwrap();
                (body.position, body.velocity) = (random.point(), random.point());
                body.angular_velocity = random.point();
                model.add_body(body).unwrap();
            }
            let simulation = simulate(model, method, threads, 30);
            results.push(simulation.observe().hash);
        }
        assert!(results.iter().all(|hash| *hash == results[0]), "{results:?}");
    }
}

/// exp(θ) against sine and cosine, from nothing to beyond half a turn, in f64 and in lanes.
#[test]
fn the_exponential_map() {
    let mut random = Random(4);
    for angle in [0.0_f64, 1e-30, 1e-6, 1e-3, 0.1, 1.0, 2.0, 3.1] {
        let axis: Vec3<f64> = Vec3::of(random.point());
        let theta = axis * (angle / axis.length());
        let q = Quat::exp(theta);
        let expected = theta * if angle > 0.0 { (angle / 2.0).sin() / angle } else { 0.5 };
        let off = (q.vector() - expected).length() + (q.w - (angle / 2.0).cos()).abs();
        assert!(off < 1e-10, "{angle}: {off:e}");
        let eight = Vec3::from(theta.to_array().map(|v| pack([v as f32; 8])));
        let one = Vec3::from(theta.to_array().map(|v| v as f32));
        let eight = Quat::<F32x8>::exp(eight).to_array().map(|v| unpack(v)[5]);
        assert_eq!(eight, Quat::<f32>::exp(one).to_array());
    }
    let far = Quat::exp(Vec3::new(1e15_f32, 0.0, 0.0));
    assert!((far.x - 1.0).abs() < 1e-6, "held at half a turn: {far:?}");
}

/// A box and a ball as meshes have the moments of their formulas, however they are turned and wherever they lie.
#[test]
fn the_inertia_of_a_mesh() {
    let mut random = Random(5);
    let side = |i: u32, bit: u32, v: f64| if i >> bit & 1 == 1 { v } else { -v };
    let corner = |i| [side(i, 0, 1.0), side(i, 1, 2.0), side(i, 2, 3.0)];
    let corners: Vec<[f64; 3]> = (0..8).map(corner).collect();
    let quads =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles: Vec<[u32; 3]> =
        quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    for _ in 0..20 {
        let turn = Quat::exp(Vec3::of(random.point()) * 2.0);
        let shift = Vec3::of(random.point()) * 5.0;
        let place = |x: &[f64; 3]| (turn.rotate(Vec3::of(*x)) + shift).to_array().map(|v| v as f32);
        let positions: Vec<[f32; 3]> = corners.iter().map(place).collect();
        let solid = solid_of_mesh(&positions, &triangles).unwrap();
        let mut moments = solid.inertia;
        moments.sort_by(f64::total_cmp);
        for (moment, expected) in moments.into_iter().zip([80.0, 160.0, 208.0]) {
            assert!((moment - expected).abs() < 1e-3, "{moment} for {expected}");
        }
        assert!((Vec3::of(solid.center) - shift).length() < 1e-5);
        // The axes turn the diagonal back into the tensor: each is one of the box's own.
        for (k, moment) in solid.inertia.into_iter().enumerate() {
            let mut axis = [0.0; 3];
            axis[k] = 1.0;
            let own: [f64; 3] =
                turn.unrotate(Quat::of(solid.axes).rotate(Vec3::of(axis))).to_array();
            let along =
                [208.0, 160.0, 80.0].map(|m: f64| if (m - moment).abs() < 1.0 { 1.0 } else { 0.0 });
            let aligned: f64 = own.iter().zip(along).map(|(o, a)| o.abs() * a).sum();
            assert!((aligned - 1.0).abs() < 1e-4, "{own:?} of {moment}");
        }
    }
    assert!(solid_of_mesh(&[[0.0; 3]; 8], &triangles[1..]).is_none(), "open");
    let mesh = Shape::Mesh(Arc::new((vec![[0.0; 3]; 8], triangles)));
    assert!(Body::new(mesh, Weight::Density(1.0), None).is_err(), "flat");
}

/// A capsule's moments against its mass in slices.
#[test]
fn the_inertia_of_a_capsule() {
    let (r, h) = (0.3, 0.7);
    let n = 200_000;
    let (mut volume, mut along, mut across) = (0.0, 0.0, 0.0);
    for i in 0..n {
        let y = -(r + h) + 2.0 * (r + h) * (f64::from(i) + 0.5) / f64::from(n);
        let beyond = (y.abs() - h).max(0.0);
        let square = r * r - beyond * beyond;
        let disk = std::f64::consts::PI * square * 2.0 * (r + h) / f64::from(n);
        volume += disk;
        along += disk * square / 2.0;
        across += disk * (square / 4.0 + y * y);
    }
    let solid = Shape::Capsule([r, h]).solid().unwrap();
    for (found, expected) in
        [(solid.volume, volume), (solid.inertia[1], along), (solid.inertia[0], across)]
    {
        assert!((found / expected - 1.0).abs() < 1e-6, "{found} for {expected}");
    }
}
