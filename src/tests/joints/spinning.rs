//! A light body that spins fast, held by a heavy one: the joint takes the spin and gives no energy, however far the body turns in
//! a substep.

use super::{cuboid, model};
use crate::rigid::{End, Joint, JointKind, Joints};
use crate::{Method, Simulation};

#[test]
fn joints_that_hold_directions_gain_no_energy() {
    let half = [0.05, 0.1, 0.05];
    let (heavy, light, h) = (28.0, 0.24, 1.0 / 480.0);
    // m (a² + b²) / 3 about x and z.
    let inertia = light * (half[0] * half[0] + half[1] * half[1]) / 3.0;
    for kind in [JointKind::Fixed, JointKind::Hinge, JointKind::Universal] {
        for turn in [0.2, 0.6, 1.1, 1.3, 1.5] {
            let spin = turn / h;
            let mut model = model(1, 1);
            (model.settings.dt, model.settings.gravity) = (h, [0.0; 3]);
            model.add_body(cuboid(heavy, [0.1, 0.25, 0.1], [0.0; 3])).unwrap();
            let mut body = cuboid(light, half, [0.0, 0.35, 0.0]);
            body.angular_velocity = [0.0, 0.0, spin];
            model.add_body(body).unwrap();
            let ends = [End::Body(0), End::Body(1)];
            let joint = Joint::new(kind, ends, [0.0, 0.25, 0.0]).along([1.0, 0.0, 0.0]);
            let mut joints = Joints::new();
            joints.add(&model, joint).unwrap();
            model.add_subsystem(joints).unwrap();
            let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
            for step in 0..100 {
                simulation.step();
                let [x, y, z, a, b, c] = simulation.snapshot().body_velocities[1].map(f64::from);
                // About y its moment of inertia is two fifths of that.
                let moves = 0.5 * light * (x * x + y * y + z * z);
                let turns = 0.5 * inertia * (a * a + c * c) + 0.2 * inertia * b * b;
                let (now, first) = (moves + turns, 0.5 * inertia * spin * spin);
                assert!(
                    now < 1.01 * first,
                    "{kind:?}, {turn} rad, step {step}: {now} of {first} J"
                );
            }
        }
    }
}
