//! How a motor of a position that has a largest force comes to its target: no faster than it can brake. Its force is held back,
//! so without this it pulls with all of it to the target, pushes with all of it behind, and swings there for seconds.
//!
//! ```text
//! d = min(e, √(a²/4 + 2 a e) - a/2)     e the way to the target, d that of this substep, a = F w h² / 4
//! ```
//!
//! d/h falls by a/h in each further substep, from e = a n (n + 1) / 2 and d = a n on: the discrete form of v = √(2 F w e / 4).
//! What is as near as a goes there at once: a motor that is strong is as stiff as one without bounds.

use super::end::End;
use super::formula::JointBlock;
use super::frame::Spread;
use super::joint::Element;
use super::lever::{AnyLever, Lever};
use super::link::{Link, Params, Pose};
use super::solve::solve_three;
use crate::math::{Scalar, Vec3};

/// The part of its force that a motor brakes with: the rest is for what loads it (up to three quarters of F), and for what the
/// joint's bodies carry with them, which is not counted.
const BRAKES: f64 = 0.25;

/// Of a motor that brakes.
pub(super) struct Braking<E> {
    pub(super) target: E,
    /// F h² / 4.
    strength: f64,
    /// Whether its joint makes one point of two.
    pinned: bool,
}

impl<E: Scalar> Braking<E> {
    /// Of an element in substeps of `h` (s), where it is such a motor. (One that yields is a spring, whatever its force.)
    pub(super) fn of(element: &Element, h: f64) -> Option<Self> {
        let Element { params: Params { middle, most, alpha, .. }, rate, ends, pinned, .. } =
            *element;
        let of_bodies = ends.iter().all(|end| !matches!(end, End::Particle(_)));
        let is_turn = element.block == JointBlock::Turn;
        let brakes = most.is_finite() && rate.is_none() && alpha == 0.0 && of_bodies && !is_turn;
        let strength = BRAKES * most * h * h;
        brakes.then_some(Self { target: E::of(middle), strength, pinned })
    }

    /// What the coordinate is to be at the end of a substep in which it begins `off` the target.
    pub(super) fn goal(&self, off: E, w: E) -> E {
        let (a, e) = (self.strength * w.to_f64(), off.to_f64());
        let way = (0.25 * a * a + 2.0 * a * e.abs()).sqrt() - 0.5 * a;
        match e.abs() <= way {
            true => self.target,
            false => E::of(self.target.to_f64() + e - way.copysign(e)),
        }
    }

    /// 1 / (J M⁻¹ Jᵀ)⁻¹ of the coordinate as the joint lets the bodies move (1/kg, of angles 1/(kg m²)): about its point, where
    /// it has one; a way without the turns, which a slider does not let go. Of each end 1 / m and the inverse principal moments.
    pub(super) fn inverse_mass(
        &self,
        block: JointBlock,
        poses: [Pose<E>; 2],
        [(wa, ia), (wb, ib)]: [(E, Vec3<E>); 2],
        own: &Params<E>,
    ) -> E {
        let w = wa + wb;
        if block != JointBlock::Angle {
            return w;
        }
        let (link, spreads) = (Link::new(poses, own), [ia, ib]);
        let axis = link.axis(own, 0, 0);
        let turns = [0, 1].map(|end| Spread::new(&link.frames[end], spreads[end]).of(axis));
        let free = axis.dot(turns[0] + turns[1]);
        if !self.pinned {
            return free;
        }
        // The angle's row beside the point's three, these eliminated.
        let coupling = turns[0].cross(link.arms[0]) + turns[1].cross(link.arms[1]);
        let mut sum = [w, E::zero(), w, E::zero(), E::zero(), w];
        for end in 0..2 {
            let lever = AnyLever::new(link.arms[end], &link.frames[end], spreads[end]);
            (0..6).for_each(|k| sum[k] = sum[k] + lever.matrix()[k]);
        }
        let ([xx, yx, yy, zx, zy, zz], zero) = (sum, E::zero());
        let matrix = [[xx, zero, zero], [yx, yy, zero], [zx, zy, zz]];
        let taken = Vec3::from(solve_three(matrix, coupling.to_array()));
        (free - coupling.dot(taken)).max(zero)
    }
}
