//! The mass that friction meets at a point, along the slide: friction is opposite to it, and ends it at once where µ λ allows.
//!
//! ```text
//! m = |v_t|² / (v_tᵀ K_t v_t)        K_t: J M⁻¹ Jᵀ across n
//! ```
//!
//! (K_t⁻¹ v_t would end what slides aside too, but lies askew to the slide, so that what slides on its corners met too little.)

use super::body_pair::{BodyPair, SolverBody};
use crate::math::{Real, Vec3};

/// K_t (1/kg): along either of the [`tangents`], and across.
#[derive(Clone, Copy, Debug)]
pub(super) struct AcrossNormal<R>([R; 3]);

impl<R: Real> AcrossNormal<R> {
    pub(super) fn none() -> Self {
        Self([R::zero(); 3])
    }

    /// The impulse that ends a slide, but for what it does aside.
    #[inline(always)]
    pub(super) fn stop(&self, slide: Vec3<R>, [s, t]: &[Vec3<R>; 2]) -> Vec3<R> {
        let (along_s, along_t) = (s.dot(slide), t.dot(slide));
        let [ss, tt, st] = self.0;
        let (square_s, square_t) = (along_s * along_s, along_t * along_t);
        let both = along_s * along_t;
        let k = ss * square_s + tt * square_t + st * (both + both);
        // Too fast a slide for squares of f32 has no friction.
        let m = (square_s + square_t).min(R::of(f64::from(f32::MAX))).over_positive(k);
        -(*s * (along_s * m) + *t * (along_t * m))
    }
}

/// Two directions across n, and across each other (Duff et al., *Building an Orthonormal Basis, Revisited*, 2017).
#[inline(always)]
pub(super) fn tangents<R: Real>(n: Vec3<R>) -> [Vec3<R>; 2] {
    let one = R::of(1.0);
    let sign = R::select(n.z.lt(R::zero()), -one, one);
    let a = -one / (sign + n.z);
    let b = n.x * n.y * a;
    let s = Vec3::new(one + sign * n.x * n.x * a, sign * b, -(sign * n.x));
    [s, Vec3::new(b, sign + n.y * n.y * a, -n.y)]
}

impl<R: Real> SolverBody<R> {
    /// How impulses along s and t turn the point: along each, and across.
    #[inline(always)]
    fn turns_across(&self, lever: Vec3<R>, [s, t]: &[Vec3<R>; 2]) -> [R; 3] {
        let [of_s, of_t] = [lever.cross(*s), lever.cross(*t)];
        let [turn_s, turn_t] = [self.spread.of(of_s), self.spread.of(of_t)];
        [of_s.dot(turn_s), of_t.dot(turn_t), of_s.dot(turn_t)]
    }
}

impl<R: Real, const FIXED: bool> BodyPair<R, FIXED> {
    /// J M⁻¹ Jᵀ across n.
    #[inline(always)]
    pub(super) fn across_normal(
        &self,
        levers: [Vec3<R>; 2],
        tangents: &[Vec3<R>; 2],
    ) -> AcrossNormal<R> {
        let [a, b] = &self.0;
        let (mut w, [mut ss, mut tt, mut st]) = (a.w, a.turns_across(levers[0], tangents));
        if !FIXED {
            let of_b = b.turns_across(levers[1], tangents);
            (w, ss, tt, st) = (w + b.w, ss + of_b[0], tt + of_b[1], st + of_b[2]);
        }
        AcrossNormal([ss + w, tt + w, st])
    }
}
