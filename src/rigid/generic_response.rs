//! One response for all classes of rows.

use crate::constraints::{Response, Sense};
use crate::math::Real;
use crate::state::Width;

/// A response of any class: one kernel a kind is made for rows at arms, not one for each class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GenericResponse<R> {
    alpha: R,
    gamma: R,
    /// k' of PBD; below zero where the row is compliant.
    stiffness: R,
}

impl<R: Real> GenericResponse<R> {
    /// PBD by k'.
    pub fn stiff(k: R) -> Self {
        Self {
            alpha: R::zero(),
            gamma: R::zero(),
            stiffness: k,
        }
    }
}

impl<W: Width> GenericResponse<W> {
    /// Side by side, a lane of each.
    pub fn collect(of: impl Fn(usize) -> GenericResponse<W::Element>) -> Self {
        Self {
            alpha: W::collect(|lane| of(lane).alpha),
            gamma: W::collect(|lane| of(lane).gamma),
            stiffness: W::collect(|lane| of(lane).stiffness),
        }
    }
}

impl<R: Real> Response<R> for GenericResponse<R> {
    const DAMPED: bool = true;
    fn new([alpha, gamma]: [R; 2]) -> Self {
        Self {
            alpha,
            gamma,
            stiffness: R::of(-1.0),
        }
    }
    #[inline(always)]
    fn of_material(self, alpha: R) -> Self {
        let alpha = (alpha * self.alpha).min(R::of(1e30));
        Self { alpha, ..self }
    }
    #[inline(always)]
    fn parts(self) -> [R; 3] {
        let compliant = self.stiffness.lt(R::zero());
        let k = R::select(compliant, R::of(1.0), self.stiffness);
        [self.alpha, self.gamma, k]
    }
    /// What [`Stiff`](crate::constraints::Stiff) and [`Damped`](crate::constraints::Damped) do; with γ = 0 the latter is
    /// [`Compliant`](crate::constraints::Compliant).
    #[inline(always)]
    fn step(self, sense: Sense, c: R, n: R, weight: R, moved: R, lambda: R) -> (R, R) {
        let zero = R::zero();
        let compliant = self.stiffness.lt(zero);
        let [alpha, gamma, k] = self.parts();
        let error = n * (-c - alpha * lambda) - gamma * moved;
        let all = weight + gamma * weight + alpha * (n * n);
        let s = error.finite_or_zero().over_positive(all) * k;
        let next = R::select(compliant, lambda + s * n, lambda);
        match sense {
            Sense::Equality => (s, next),
            Sense::Inequality => {
                let pulls = next.lt(zero);
                let released = R::select(pulls, (-lambda).over_positive(n), s);
                let pushed = R::select(c.lt(zero), s, zero);
                (
                    R::select(compliant, released, pushed),
                    R::select(pulls, zero, next),
                )
            }
        }
    }
}
