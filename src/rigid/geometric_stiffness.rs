//! Steps that would turn a body far: what pulls at its arm turns it back, and with that it resists.
//!
//! ```text
//! P the impulse of a step (N s²) at the arm r: the body turns by I⁻¹ (r × P), a ball of inverse moment i by s = i |r| |P| at most.
//! From s = 1/2 on it turns by (I + k)⁻¹ (r × P), k = |r| |P| (2 - 1 / s): by half a radian at most.
//! ```
//!
//! A step gives all that a joint bears in a substep, at the arm that was. Turned by δθ, the arm takes r (δθ · P) - δθ (r · P)
//! from r × P: the geometric stiffness of Tournier, Nesme, Gilles and Faure, *Stable Constrained Dynamics*, 2015, and Andrews,
//! Teichmann and Kry, *Geometric Stiffness for Real-time Constrained Multibody Dynamics*, 2017. Without it a body that bears
//! i (r · P) > 4/3 turns farther beyond where it rests than it was away from there, and gains energy in each substep: so did nets of
//! 50 x 50 balls at 4 substeps. With |r| |P| in place of r · P what lies across the pull resists too. No step
//! turns a body that is pulled so by more than [`FAR`]: what is left of it is another step, from where the bodies are then, and so on.
//! Rows that are closed are so with all this and without.

use crate::math::{Real, Vec3};
use crate::state::MovingBody;

/// The sum of the squares of both turns from which on a step is looked at (rad²): what turns less needs no care.
const NEAR: f64 = 1e-3;
/// s from which on a body resists.
const FREE: f64 = 0.5;
/// The most that a step turns a body that is pulled so (rad): its gradient does not say what is further away.
const FAR: f64 = 0.3;
/// The most steps of a row in a pass.
const STEPS: usize = 8;

/// Whether bodies turn by little, by the sum of their squares (rad²), and impulses of this square (N² s⁴) do not overflow.
#[inline(always)]
pub(super) fn is_near<R: Real>(turned: R, impulse: R) -> R::Mask {
    // One comparison for both.
    (impulse + turned * R::of(1e30)).lt(R::of(NEAR * 1e30))
}

/// s² of a body that is given an impulse of this square at an arm of its principal frame: half the square of |I⁻¹ [r]|, by
/// all its numbers, times that.
#[inline(always)]
fn pull<R: Real>(arm: Vec3<R>, inverse: Vec3<R>, square: R) -> R {
    let [x, y, z] = arm.to_array().map(|r| r * r);
    let [a, b, c] = inverse.to_array().map(|i| i * i);
    (a * (y + z) + b * (z + x) + c * (x + y)) * R::of(0.5) * square
}

/// Whether an impulse of this square (N² s⁴) pulls at one of the bodies so that they resist.
#[inline(always)]
pub(super) fn is_pulled<R: Real, const N: usize>(
    arms: &[Vec3<R>; N],
    inverse: &[Vec3<R>; N],
    squares: [R; N],
) -> R::Mask {
    let mut most = R::zero();
    for end in 0..N {
        most = most.max(pull(arms[end], inverse[end], squares[end]));
    }
    R::of(FREE * FREE).lt(most)
}

/// The inverse principal moments of a body as far as it resists an impulse of this square at an arm of its principal frame.
#[inline(always)]
pub(super) fn resisting<R: Real>(arm: Vec3<R>, inverse: Vec3<R>, square: R) -> Vec3<R> {
    let (one, free) = (R::of(1.0), R::of(FREE));
    let turn = pull(arm, inverse, square).sqrt().max(free);
    stiffened(inverse, (arm.dot(arm) * square).sqrt() * (one / free - one / turn))
}

/// The inverse principal moments of a body that is held with the stiffness k (kg m²): (I + k)⁻¹.
#[inline(always)]
pub(super) fn stiffened<R: Real>(inverse: Vec3<R>, k: R) -> Vec3<R> {
    let Vec3 { x, y, z } = inverse;
    let of = |i: R| i / (R::of(1.0) + k * i);
    Vec3::new(of(x), of(y), of(z))
}

/// The part of a step that turns a body by no more than [`FAR`], where the square of the step's turn is this (rad²).
#[inline(always)]
pub(super) fn share<R: Real>(turned: R) -> R {
    let far = R::of(FAR);
    R::select((far * far).lt(turned), far.over_positive(turned.sqrt()), R::of(1.0))
}

/// What projecting a packet changes: its bodies and multipliers.
pub(super) type Projected<R, const N: usize, const K: usize> = ([MovingBody<R>; N], [R; K]);

/// Takes steps until each lane has done the whole of one, whatever the others do. A `step` says which part of the whole it was.
#[inline(always)]
pub(super) fn in_steps<R: Real, const N: usize, const K: usize>(
    (mut bodies, mut lambda): Projected<R, N, K>,
    step: impl Fn(Projected<R, N, K>) -> (Projected<R, N, K>, R),
) -> Projected<R, N, K> {
    let (zero, one) = (R::zero(), R::of(1.0));
    let mut undone = one;
    for _ in 0..STEPS {
        let goes_on = zero.lt(undone);
        let ((moved, given), part) = step((bodies, lambda));
        for end in 0..N {
            bodies[end] = MovingBody::select(goes_on, moved[end], bodies[end]);
        }
        for k in 0..K {
            lambda[k] = R::select(goes_on, given[k], lambda[k]);
        }
        undone = R::select(goes_on, one - part, zero);
        // What is left undone is a grain of 1 at least, or nothing.
        if R::all(undone.lt(R::of(1e-30))) {
            break;
        }
    }
    (bodies, lambda)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By how much a ball or a rod turns, by an impulse of this size and direction at an arm along x.
    fn turn(inverse: [f64; 3], size: f64, direction: [f64; 3]) -> f64 {
        let (arm, impulse) = (Vec3::of([0.3, 0.0, 0.0]), Vec3::of(direction) * size);
        let inverse = resisting(arm, Vec3::of(inverse), impulse.dot(impulse));
        let torque = arm.cross(impulse);
        let turn = [inverse.x * torque.x, inverse.y * torque.y, inverse.z * torque.z];
        Vec3::of(turn).length()
    }

    /// Small impulses turn a body as its inertia says, large ones by half a radian at most, the larger the more.
    #[test]
    fn large_impulses_turn_by_half_a_radian() {
        for inverse in [[2.0; 3], [2e3, 2.0, 2.0]] {
            let sizes = [1e-3, 0.1, 0.8, 1.0, 3.0, 1e2, 1e4, 1e8];
            let turns = sizes.map(|size| turn(inverse, size, [0.0, 1.0, 0.0]));
            for (size, turn) in sizes.into_iter().zip(turns) {
                let plain = 2.0 * 0.3 * size;
                assert!(turn <= FREE.min(plain) * (1.0 + 1e-9), "{inverse:?}, {size}: {turn}");
                if plain < FREE {
                    assert_eq!(turn, plain, "{inverse:?}, {size}");
                }
            }
            assert!(turns.is_sorted(), "{turns:?}");
        }
    }

    /// A body that an impulse holds at its arm comes back by no more than it was away, whatever the impulse.
    #[test]
    fn what_is_pulled_does_not_turn_beyond_its_rest() {
        for size in [1.0, 5.0, 100.0, 1e6] {
            for off in [1e-3, 0.01, 0.1] {
                let back = turn([2.0; 3], size, [f64::cos(off), f64::sin(off), 0.0]);
                assert!(back <= off && back > 0.3 * off, "{size}, {off}: {back}");
            }
        }
    }

    /// A shortened step turns by [`FAR`]; one that is not far is the same.
    #[test]
    fn steps_are_shortened() {
        for turn in [0.0, 0.1, 0.29, 0.31, 0.68, 0.71, 3.0, 1e9] {
            let shortened = turn * share(turn * turn);
            assert!((shortened - turn.min(FAR)).abs() < 1e-6, "{turn}: {shortened}");
        }
    }
}
