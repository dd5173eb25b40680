//! What lands flat, and what is struck and hangs together with others by joints, rebounds as a whole.

use super::{UPRIGHT, body, floor, model, run};
use crate::collision::{Collider, Contacts};
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::rigid::{Body, End, Joint, JointKind, Joints, Part, Shape};
use crate::{Method, Simulation};
use std::sync::Arc;

const PASSES: [[u32; 2]; 4] = [[1, 10], [4, 4], [8, 2], [20, 1]];

/// A plate on four legs.
fn table(s: f64) -> Shape {
    let part =
        |half: [f64; 3], position| Part { shape: Shape::Box(half), position, orientation: UPRIGHT };
    let mut parts = vec![part([s, 0.1 * s, s], [0.0, 0.4 * s, 0.0])];
    for (x, z) in [(-0.8, -0.8), (-0.8, 0.8), (0.8, -0.8), (0.8, 0.8)] {
        parts.push(part([0.1 * s, 0.4 * s, 0.1 * s], [x * s, -0.1 * s, z * s]));
    }
    Shape::Compound(Arc::new(parts))
}

/// Speed away from the ground in parts of that of the fall, and spin (rad/s), of what lands flat at 3 m/s on its side.
fn landed(shape: Shape, orientation: Quat<f64>, ground: Collider, passes: [u32; 2]) -> [f64; 2] {
    let mut falling: Body = body(shape, 1.3, [0.05, 3.0, 0.02]);
    falling.orientation = orientation.to_array();
    (falling.velocity, falling.restitution) = ([0.0, -3.0, 0.0], Some(0.5));
    let mut model = model(passes[0], vec![falling], vec![ground]);
    (model.settings.iterations, model.settings.gravity) = (passes[1], [0.0; 3]);
    let simulation = run(model, Method::Lanes, 1, 75);
    let [_, y, _, a, b, c] = simulation.snapshot().body_velocities[0].map(f64::from);
    [y / 3.0, Vec3::new(a, b, c).length()]
}

/// Capsules, tables, cylinders on their sides and on their ends come up at e of their speed, and do not turn. Before, a capsule turned
/// at 287 degrees a second.
#[test]
fn what_lands_flat_does_not_turn() {
    let quarter = Quat::<f64>::exp(Vec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2));
    let about = |y: f64| Quat::<f64>::exp(Vec3::new(0.0, y, 0.0));
    for passes in PASSES {
        for (name, shape, q) in [
            ("capsule", Shape::Capsule([0.1, 0.3]), about(0.4) * quarter),
            ("long capsule", Shape::Capsule([0.05, 1.0]), quarter),
            ("table", table(0.3), about(0.7)),
            ("log", Shape::Cylinder([0.2, 0.5]), about(-0.3) * quarter),
            ("drum", Shape::Cylinder([0.3, 0.1]), about(0.2)),
        ] {
            let slab =
                Collider::cuboid([0.0, -1.0, 0.0], [3.0, 1.0, 3.0], UPRIGHT).expect("a slab");
            for ground in [floor(), slab] {
                let [rebound, spin] = landed(shape.clone(), q, ground, passes);
                assert!((rebound - 0.5).abs() < 0.01, "{name}, {passes:?}: {rebound} for 0.5");
                assert!(spin < 0.03, "{name}, {passes:?}: {spin} rad/s");
            }
        }
    }
}

/// A box that lands flat on the seam of slabs side by side hits all of them at once: it comes up as from one, and does not turn.
#[test]
fn a_seam_is_as_one_ground() {
    for passes in PASSES {
        for (mu, x) in [(0.0, 0.0), (0.5, 0.0), (0.5, 0.05)] {
            let mut falling = body(Shape::Box([0.2, 0.1, 0.2]), 1.3, [x, 3.0, 0.02]);
            (falling.velocity, falling.restitution) = ([0.0, -3.0, 0.0], Some(0.5));
            falling.friction = Some(mu);
            let slab = |x: f64| Collider::cuboid([x, -1.0, 0.0], [1.0, 1.0, 3.0], UPRIGHT);
            let slabs = [-1.0, 1.0].map(|x| slab(x).expect("a slab")).to_vec();
            let mut model = model(passes[0], vec![falling], slabs);
            (model.settings.iterations, model.settings.gravity) = (passes[1], [0.0; 3]);
            let simulation = run(model, Method::Lanes, 1, 75);
            let [_, y, _, a, b, c] = simulation.snapshot().body_velocities[0].map(f64::from);
            let spin = Vec3::new(a, b, c).length();
            assert!(
                (y / 3.0 - 0.5).abs() < 0.01,
                "µ {mu}, {passes:?}, at {x}: {} for 0.5",
                y / 3.0
            );
            assert!(spin < 0.03, "µ {mu}, {passes:?}, at {x}: {spin} rad/s");
        }
    }
}

/// Bodies in free space, e = 1, without friction; joined.
fn joined(bodies: Vec<Body>, joints: Vec<Joint>, passes: [u32; 2]) -> Simulation {
    let mut model = Model::new();
    (model.settings.gravity, model.settings.substeps) = ([0.0; 3], passes[0]);
    model.settings.iterations = passes[1];
    for mut body in bodies {
        (body.restitution, body.friction) = (Some(1.0), Some(0.0));
        model.add_body(body).expect("a body");
    }
    let mut all = Joints::new();
    for joint in joints {
        all.add(&model, joint).expect("a joint");
    }
    model.add_subsystem(all).expect("joints");
    model.set_contacts(Contacts::default()).expect("contacts");
    Simulation::new(model, Method::Lanes, 1).expect("a simulation")
}

fn speeds(simulation: &Simulation) -> Vec<f64> {
    simulation.snapshot().body_velocities.iter().map(|v| f64::from(v[0])).collect()
}

/// A ball of 1 kg at 3 m/s strikes the first of n boxes of 1 kg in a row that joints hold together: it leaves at 3 (1 - n) / (1 + n),
/// and they at 6 / (1 + n), whatever the joints, the settings and where in a step they meet.
#[test]
fn a_blow_moves_all_that_hangs_together() {
    for passes in PASSES {
        for (n, kind) in [(2, JointKind::Fixed), (3, JointKind::Fixed), (6, JointKind::Ball)] {
            for phase in [0.0, 0.013, 0.031] {
                let place = |i: usize| [0.4 * i as f64, 0.0, 0.0];
                let boxes = (0..n).map(|i| body(Shape::Box([0.19; 3]), 1.0, place(i)));
                let mut ball = body(Shape::Sphere(0.1), 1.0, [-0.5 - phase, 0.0, 0.0]);
                ball.velocity = [3.0, 0.0, 0.0];
                let bodies = boxes.chain([ball]).collect();
                let joint = |i: u32| {
                    let ends = [End::Body(i), End::Body(i + 1)];
                    Joint::new(kind, ends, [0.4 * f64::from(i) + 0.2, 0.0, 0.0])
                };
                let mut simulation = joined(bodies, (0..n as u32 - 1).map(joint).collect(), passes);
                (0..20).for_each(|_| simulation.step());
                let (v, m) = (speeds(&simulation), n as f64);
                let expected = 3.0 * (1.0 - m) / (1.0 + m);
                assert!((v[n] - expected).abs() < 0.02, "{n} {kind:?}, {passes:?}: {v:?}");
                let near = |v: &f64| (v - 6.0 / (1.0 + m)).abs() < 0.02;
                assert!(v[..n].iter().all(near), "{n} {kind:?}, {passes:?}: {v:?}");
            }
        }
    }
}

/// A ball that strikes a rod on a hinge, a below it, leaves at v (m a² - I) / (m a² + I), I the rod's moment about the hinge.
#[test]
fn a_rod_on_a_hinge_is_struck_as_a_whole() {
    for passes in PASSES {
        for (a, m) in [(0.9, 1.0), (0.5, 0.7), (0.3, 2.0)] {
            let rod = body(Shape::Box([0.05, 0.5, 0.05]), 1.0, [0.0, -0.5, 0.0]);
            let mut ball = body(Shape::Sphere(0.1), m, [-0.35, -a, 0.0]);
            ball.velocity = [3.0, 0.0, 0.0];
            let ends = [End::World, End::Body(0)];
            let hinge = Joint::new(JointKind::Hinge, ends, [0.0; 3]).along([0.0, 0.0, 1.0]);
            let mut simulation = joined(vec![rod, ball], vec![hinge], passes);
            (0..8).for_each(|_| simulation.step());
            let inertia = (1.0 + 0.01) / 12.0 + 0.25;
            let expected = 3.0 * (m * a * a - inertia) / (m * a * a + inertia);
            let v = speeds(&simulation)[1];
            assert!((v - expected).abs() < 0.03, "{a} m, {passes:?}: {v} for {expected} m/s");
        }
    }
}
