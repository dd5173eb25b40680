//! How far a contact is from done, against gaps and speeds that are known.

use super::super::batch::ContactBatch;
use super::super::body_pair::{BodyPair, SolverBody};
use super::super::constraint::PointStart;
use super::super::pass::PassParameters;
use super::hard_pass;
use crate::constraints::ContactImpulse;
use crate::math::Vec3;
use crate::rigid::frame::Spread;

/// In a pass over positions a point moves by what it would be inside after the substep; one that stays apart, or is held by just
/// the impulse that it has, by nothing.
#[test]
fn a_contact_is_off_by_what_it_would_sink_in() {
    let h = 0.02_f64;
    let pass = hard_pass(h);
    let mut contact = ContactBatch::<f64, 2, true>::blank();
    contact.normal = Vec3::new(0.0, 1.0, 0.0);
    let w = 0.5;
    for (speed, gap, lambda, expected) in [
        (-3.0, 0.01, 0.0, 3.0 * h - 0.01),
        (-0.4, 0.01, 0.0, 0.0),
        (0.0, 0.0, 0.0, 0.0),
        // It parts, but what presses presses on: it would come as near as to touch, or be let go by all that presses.
        (1.5, 0.0, 100.0, 1.5 * h),
        (1.5, 0.0, 2.0, 2.0 * w * h),
    ] {
        let body = SolverBody {
            v: Vec3::new(0.3, speed, 0.0),
            omega: Vec3::zero(),
            w,
            spread: Spread::none(),
        };
        let bodies = BodyPair::<f64, true>::new(body, || body);
        let start = PointStart { gap, normal_mass: 1.0 / w, ..PointStart::none() };
        // The other point is far off.
        let far = PointStart { gap: 1e3, ..start };
        let pressed = ContactImpulse { lambda, ..ContactImpulse::none() };
        for (starts, impulses) in [
            ([start, far], [pressed, ContactImpulse::none()]),
            ([far, start], [ContactImpulse::none(), pressed]),
        ] {
            let found = contact.residual(&starts, &impulses, &bodies, &pass);
            assert!((found - expected).abs() < 1e-12, "{speed}, {gap}: {found} for {expected}");
        }
    }
}

/// A soft contact is done where y λ = -s v m: it gives back as much as it gains; from no impulse it moves by the way that it comes.
#[test]
fn a_soft_contact_is_done_where_it_gives_back_what_it_gains() {
    let (h, softness, lambda, w) = (0.02_f64, 0.3, 2.0, 0.5);
    let pass = PassParameters { softness, ..hard_pass(h) };
    let mut contact = ContactBatch::<f64, 1, true>::blank();
    contact.normal = Vec3::new(0.0, 1.0, 0.0);
    let start = PointStart { normal_mass: 1.0 / w, ..PointStart::none() };
    let done = -softness * lambda * w / (1.0 - softness);
    for (speed, lambda, expected) in
        [(done, lambda, 0.0), (done - 0.1, lambda, 0.1 * h), (-3.0, 0.0, 3.0 * h)]
    {
        let v = Vec3::new(0.0, speed, 0.0);
        let body = SolverBody { v, omega: Vec3::zero(), w, spread: Spread::none() };
        let bodies = BodyPair::<f64, true>::new(body, || body);
        let pressed = ContactImpulse { lambda, ..ContactImpulse::none() };
        let found = contact.residual(&[start], &[pressed], &bodies, &pass);
        assert!((found - expected).abs() < 1e-12, "{speed}: {found} for {expected}");
    }
}
