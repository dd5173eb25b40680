//! What an impulse at a point of a body gives to its spin, beyond the turn that it corrects.
//!
//! ```text
//! δω = W (1 - n nᵀ/n²) ((r' - r) × P) / h              n = r × P, r' the arm when the substep began; gyro "momentum"
//! ```
//!
//! An impulse P gives a body and what holds it no angular momentum together only at the arms r' that met when the substep
//! began: x' × P + r' × P, as x' × m v is what v = (x - x') / h carries on. At r the torque is off by h (ω × r) × P, which makes a
//! fast top rise by 1.1 degrees in 10 s at 10 substeps (0.08 without). Along n it is the damping of swings that every
//! position-based method has: without it short substeps lose stability. Elsewhere it is explicit, so it is taken only while
//! corrections turn the body by less than a hundredth of a radian, and not at all beyond twice as much. Joints that make one
//! point of two have it; for others, points that are apart turn about each other, which it does not know.

use super::frame::Frame;
use crate::math::{Real, Vec3, each};
use crate::state::MovingBody;

/// How far corrections may turn a body for its arm at the start of the substep to count (rad).
const SMALL: f64 = 0.01;
/// How far a body has turned in the substep where that arm begins to count, and where it counts in full (rad): of what turns slowly the arms hardly
/// differ, and joints without it take a fifth less time.
const TURNED: [f64; 2] = [0.04, 0.08];

/// What an impulse at an arm, of the principal frame and of the world, gives to the spin beyond its turn; `spread` is W v.
#[inline(always)]
pub(super) fn precess<R: Real>(
    body: &mut MovingBody<R>,
    [own, arm]: [Vec3<R>; 2],
    spread: impl Fn(Vec3<R>) -> Vec3<R>,
    impulse: Vec3<R>,
) {
    let (now, then) = (body.q, body.previous);
    let half = now.vector().dot(then.vector()) + now.w * then.w;
    let [least, full] = each(TURNED, |angle| angle * angle);
    let turned = (R::of(1.0) - half * half) * R::of(4.0);
    if R::all(turned.lt(R::of(least))) {
        return;
    }
    let fast = (turned - R::of(least)) * R::of(1.0 / (full - least));
    let before = Frame::new(body.previous).turn(own);
    let (swing, missing) = (arm.cross(impulse), (before - arm).cross(impulse));
    let along = swing.dot(missing).over_positive(swing.dot(swing)).finite_or_zero();
    let i = body.inverse_inertia;
    let most = i.x.max(i.y).max(i.z);
    let angle = (impulse.dot(impulse) * arm.dot(arm)).sqrt() * most;
    let small = R::of(2.0) - angle * R::of(1.0 / SMALL);
    let [fast, small] = each([fast, small], |share| share.clamp(R::zero(), R::of(1.0)));
    let given = spread(missing - swing * along) * (fast * small);
    let sound = given.dot(given).lt(R::huge());
    body.precession += Vec3::select(sound, given, Vec3::zero());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Quat;

    /// Of a ball that turns fast, an impulse at an arm turns the spin by what the arm at the start of the substep gives, but for
    /// what lies along the turn that it gives now; of one that turns slowly, by nothing more than now.
    #[test]
    fn the_arm_at_the_start_counts_where_it_turns_fast() {
        let (inverse, own) = (2.0, Vec3::new(0.5, 0.1, -0.2));
        let previous = Quat::exp(Vec3::new(0.4, -0.7, 0.2)).normalized();
        let gained = |angle: f64, size: f64| {
            let impulse = Vec3::new(1e-3, -2e-3, 1.5e-3) * size;
            let q = Quat::exp(Vec3::new(0.0, 0.0, angle)).normalized() * previous;
            let mut body = MovingBody {
                q,
                previous,
                inverse_inertia: Vec3::splat(inverse),
                ..MovingBody::world()
            };
            let arm = q.rotate(own);
            precess(&mut body, [own, arm], |v| v * inverse, impulse);
            let [now, then] = [arm, previous.rotate(own)].map(|arm| arm.cross(impulse) * inverse);
            (body.precession, now, then)
        };
        for angle in [0.1, -0.3, 1.0] {
            let (more, now, then) = gained(angle, 1.0);
            assert!(more.dot(now).abs() < 1e-9 * now.dot(now), "{angle}: along the turn");
            let left = (then - now - more).cross(now).length();
            assert!(left < 1e-9 * now.dot(now), "{angle}: {left}");
            assert!(more.length() > 0.01 * now.length(), "{angle}: {more:?}");
        }
        assert_eq!(gained(0.03, 1.0).0.length(), 0.0);
        let share = gained(0.06, 1.0).0.length() / gained(0.1, 1.0).0.length() * (0.1 / 0.06);
        assert!(share > 0.3 && share < 0.7, "{share}");
        // Impulses that turn a ball of this inertia by as much as counts in full, half and not at all.
        let turn = 2.0 * 0.3_f64.sqrt() * 7.25e-6_f64.sqrt();
        let gain = |angle: f64| gained(0.1, angle / turn).0.length() / angle;
        for (angle, share) in [(0.002, 1.0), (0.0099, 1.0), (0.015, 0.5), (0.021, 0.0)] {
            let found = gain(angle) / gain(0.001);
            assert!((found - share).abs() < 1e-9, "{angle}: {found}");
        }
    }
}
