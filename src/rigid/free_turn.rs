//! How a body turns that nothing touches: by the implicit midpoint rule, in the frame of its principal axes.
//!
//! ```text
//! L = I ω,   m = (L + L') / 2,   L' - L = h m × I⁻¹ m
//! u = h/2 I⁻¹ m,   L' = cay(u)⁻¹ L,   q' = normalized (q + q ⊗ [u, 0])
//! ```
//!
//! The rule keeps every quadratic invariant: |L|² and 2 T = L · I⁻¹ L (Austin, Krishnaprasad and Wang, *Almost Poisson
//! integration of rigid body systems*, 1993; Simo and Wong, *Unconditionally stable algorithms for rigid body dynamics that
//! exactly preserve energy and momentum*, 1991). q turns by the rotation that takes L' to L, so that L stays in the world.
//! That rotation is the one of S4-08, with ω at the middle.
//!
//! Newton's method solves for m: from L + h/2 L × I⁻¹ L three steps leave 5e-10 of the energy at ω h = 1. Beyond that it need
//! not converge; then u is solved for a shorter h: L and the energy are kept still, but the body turns by less than ω h.
//! In double precision: near a separatrix of the motion what f32 drops decides.

use crate::math::{Quat, Real, Vec3};

/// Steps of Newton's method.
const STEPS: usize = 3;
/// The longest ω h / 2 for which they converge (rad).
const LONGEST: f64 = 0.5;

/// The orientation and the angular velocity (rad/s, in the world) after `h` of a body with these principal moments, all of
/// them positive. `uneven`: zero for bodies whose moments are one number, one for others; none where all are such: their m is L.
#[inline(always)]
pub(super) fn turn_freely<R: Real>(
    q: Quat<R>,
    omega: Vec3<R>,
    inertia: Vec3<R>,
    h: R,
    uneven: Option<R>,
) -> (Quat<R>, Vec3<R>) {
    let one = R::of(1.0);
    let inverse = Vec3::new(one / inertia.x, one / inertia.y, one / inertia.z);
    let q = q.normalized();
    let omega = q.unrotate(omega);
    let momentum = by_axis(omega, inertia);
    let half = h * R::of(0.5);
    let longest = R::of(LONGEST);
    let half = half * (longest / (omega.length() * half).max(longest));
    let middle = uneven.map_or(momentum, |uneven| middle(momentum, inverse, half * uneven));
    // The sum takes the sign of a zero, which is not the same with and without steps.
    let u = by_axis(middle + Vec3::zero(), inverse) * half;
    // cay(u)⁻¹ L = L + 2 / (1 + u²) (L × u + u × (u × L))
    let torque = momentum.cross(u);
    let change = (torque - u.cross(torque)) * (R::of(2.0) / (one + u.dot(u)));
    let omega = by_axis(momentum + change, inverse);
    let q = (q * Quat::new(u.x, u.y, u.z, one)).normalized();
    (q, omega)
}

/// m = L + h/2 m × J m, J = I⁻¹.
#[inline(always)]
fn middle<R: Real>(momentum: Vec3<R>, inverse: Vec3<R>, half: R) -> Vec3<R> {
    let mut m = momentum + momentum.cross(by_axis(momentum, inverse)) * half;
    for _ in 0..STEPS {
        let omega = by_axis(m, inverse);
        let missing = momentum + m.cross(omega) * half - m;
        // The columns of 1 - h/2 ([m] J - [J m]).
        let [a, b, c] = columns(m, omega, inverse, half);
        let (zero, one) = (R::zero(), R::of(1.0));
        let a = Vec3::new(one, a.z, zero - a.y);
        let b = Vec3::new(zero - b.z, one, b.x);
        let c = Vec3::new(c.y, zero - c.x, one);
        let (bc, ca, ab) = (b.cross(c), c.cross(a), a.cross(b));
        let change = Vec3::new(bc.dot(missing), ca.dot(missing), ab.dot(missing));
        m += change * (one / a.dot(bc));
    }
    m
}

/// (ω - m J_i) h/2 for each axis i. (A closure that is called three times is not inlined.)
#[inline(always)]
fn columns<R: Real>(m: Vec3<R>, omega: Vec3<R>, inverse: Vec3<R>, half: R) -> [Vec3<R>; 3] {
    [(omega - m * inverse.x) * half, (omega - m * inverse.y) * half, (omega - m * inverse.z) * half]
}

/// Component by component.
#[inline(always)]
pub(super) fn by_axis<R: Real>(v: Vec3<R>, by: Vec3<R>) -> Vec3<R> {
    Vec3::new(v.x * by.x, v.y * by.y, v.z * by.z)
}
