//! A box on a ball joint in its corner's plane against its equation of motion, by Runge and Kutta in `f64`.
//!
//! ```text
//! I_O dω/dt = c × m g - ω × I_O ω,   dq/dt = q ⊗ [ω, 0] / 2       about the joint, all in the frame of the box
//! ```

use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::rigid::{Body, End, Joint, JointKind, Joints, Shape, Weight};
use crate::settings::Rigid;
use crate::{Method, Simulation};

const HALF: [f64; 3] = [0.5, 0.1, 0.2];
const MASS: f64 = 2.0;
/// From the joint to the center, and the joint.
const ARM: Vec3<f64> = Vec3 { x: 0.5, y: 0.0, z: -0.02 };
const ANCHOR: Vec3<f64> = Vec3 { x: 0.0, y: 0.0, z: 0.02 };
const SPIN: [f64; 3] = [0.3, 0.0, 0.0];
const FRAMES: usize = 120;
const DT: f64 = 1.0 / 60.0;

type State = (Quat<f64>, Vec3<f64>);

/// I_O v: the moments of a box, and Steiner's part.
fn momentum(v: Vec3<f64>) -> Vec3<f64> {
    let [a, b, c] = HALF.map(|h| h * h * MASS / 3.0);
    Vec3::new((b + c) * v.x, (a + c) * v.y, (a + b) * v.z)
        + (v * ARM.dot(ARM) - ARM * ARM.dot(v)) * MASS
}

/// The v of which I_O v is `l`, by Cramer's rule.
fn spin(l: Vec3<f64>) -> Vec3<f64> {
    let unit = |k: usize| Vec3::of(std::array::from_fn(|i| f64::from(u8::from(i == k))));
    let [a, b, c] = [0, 1, 2].map(|k| momentum(unit(k)));
    let whole = 1.0 / a.dot(b.cross(c));
    Vec3::new(l.dot(b.cross(c)), a.dot(l.cross(c)), a.dot(b.cross(l))) * whole
}

fn rate((q, omega): State) -> ([f64; 4], Vec3<f64>) {
    let weight = q.unrotate(Vec3::new(0.0, -9.81 * MASS, 0.0));
    let turn = q * Quat::new(omega.x, omega.y, omega.z, 0.0);
    let change = spin(ARM.cross(weight) - omega.cross(momentum(omega)));
    (turn.to_array().map(|v| 0.5 * v), change)
}

fn ahead((q, omega): State, (turn, change): ([f64; 4], Vec3<f64>), h: f64) -> State {
    let q = q.to_array();
    (Quat::from(std::array::from_fn(|k| q[k] + turn[k] * h)), omega + change * h)
}

/// Orientations at the end of each frame.
fn exact() -> Vec<Quat<f64>> {
    const STEPS: usize = 40;
    let h = DT / STEPS as f64;
    let mut state = (Quat::identity(), Vec3::of(SPIN));
    let frame = |_| {
        for _ in 0..STEPS {
            let a = rate(state);
            let b = rate(ahead(state, a, h / 2.0));
            let c = rate(ahead(state, b, h / 2.0));
            let d = rate(ahead(state, c, h));
            for (part, weight) in [(a, 1.0), (b, 2.0), (c, 2.0), (d, 1.0)] {
                state = ahead(state, part, h * weight / 6.0);
            }
            state.0 = state.0.normalized();
        }
        state.0
    };
    (0..FRAMES).map(frame).collect()
}

/// By either form of the velocities the error is of first order: half as large at twice as many substeps (to a tenth).
#[test]
fn both_forms_come_to_the_equation_of_motion() {
    let exact = exact();
    for rigid in Rigid::ALL {
        let error = |substeps: u32| {
            let mut model = Model::new();
            (model.settings.rigid, model.settings.iterations) = (rigid, 5);
            (model.settings.dt, model.settings.substeps) = (DT, substeps);
            let body = Body::new(Shape::Box(HALF), Weight::Mass(MASS), None).unwrap();
            let mut body = body.at((ANCHOR + ARM).to_array(), [0.0, 0.0, 0.0, 1.0]);
            body.angular_velocity = SPIN;
            model.add_body(body).unwrap();
            let mut joints = Joints::new();
            let ends = [End::Body(0), End::World];
            joints.add(&model, Joint::new(JointKind::Ball, ends, ANCHOR.to_array())).unwrap();
            model.add_subsystem(joints).unwrap();
            let mut simulation = Simulation::new(model, Method::Scalar, 1).unwrap();
            let mut worst = 0.0_f64;
            for q in &exact {
                simulation.step();
                let [x, y, z, ..] = simulation.bodies()[0].map(f64::from);
                let off = Vec3::new(x, y, z) - ANCHOR - q.rotate(ARM);
                worst = worst.max(off.length());
            }
            worst
        };
        let errors = [8, 16, 32].map(error);
        println!("{}: {errors:.5?} m", rigid.name());
        for pair in errors.windows(2) {
            let share = pair[1] / pair[0];
            assert!(share > 0.45 && share < 0.55, "{}: {errors:?}", rigid.name());
        }
        assert!(errors[2] < 0.02, "{}: {errors:?}", rigid.name());
    }
}
