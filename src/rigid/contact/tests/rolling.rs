//! What one pass does against turning, against spins that are known.

use super::super::batch::ContactBatch;
use super::super::body_pair::{BodyPair, SolverBody};
use super::super::rolling::RollingTorque;
use crate::constraints::ContactImpulse;
use crate::math::Vec3;
use crate::rigid::frame::Spread;

/// With load enough one pass ends how two round bodies turn against each other about the normal, and half of how they roll, as k
/// is tr W - n·W n across: its double; angular momentum stays. Under a light load it does arm times load and no more.
#[test]
fn one_pass_ends_a_twist_and_half_a_roll() {
    let inverses = [2.0, 0.7];
    let spins = [Vec3::new(1.0, 0.5, -2.0), Vec3::new(-0.4, 0.3, 1.0)];
    let n = Vec3::new(0.0, 0.0, 1.0);
    let mut contact = ContactBatch::<f64, 1, false>::blank();
    (contact.normal, contact.arms) = (n, [0.1, 0.05]);
    let body = |k: usize| SolverBody {
        v: Vec3::zero(),
        omega: spins[k],
        w: 1.0,
        spread: Spread::from_numbers([inverses[k], inverses[k], inverses[k], 0.0, 0.0, 0.0]),
    };
    for lambda in [1e3, 0.3] {
        let mut bodies = BodyPair::<f64, false>::new(body(0), || body(1));
        let mut rolling = RollingTorque::none();
        let impulses = [ContactImpulse { lambda, ..ContactImpulse::none() }];
        contact.resist(&impulses, &mut rolling, &mut bodies);
        let torque = rolling.torque;
        for (k, sign) in [(0, 1.0), (1, -1.0)] {
            let gained = bodies.0[k].omega - spins[k] - torque * (sign * inverses[k]);
            assert!(gained.length() < 1e-12, "{k}: {gained:?}");
        }
        let before = spins[0] - spins[1];
        let after = bodies.0[0].omega - bodies.0[1].omega;
        if lambda > 1.0 {
            let expected = Vec3::new(0.5 * before.x, 0.5 * before.y, 0.0);
            assert!((after - expected).length() < 1e-12, "{after:?}");
        } else {
            let roll = torque.x.hypot(torque.y);
            assert!(
                (roll - 0.1 * lambda).abs() < 1e-12 && (torque.z - 0.05 * lambda).abs() < 1e-12
            );
            assert!(after.length() < before.length());
        }
    }
}
