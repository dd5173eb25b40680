//! How strongly a row holds: PBD, XPBD, XPBD with damping, or as its material says.
//!
//! ```text
//!            α̃         γ        k'
//! Stiff      0         0        1 - (1 - k)^(1/n)      PBD (S1-17, S1-18)
//! Compliant  α / h²    0        1                      XPBD eq. 18 (S2-01)
//! Damped     α / h²    α β / h  1                      XPBD eq. 26 (S1-10)
//! Material   α_k / h²  0        1                      XPBD with the kind's own compliance
//! ```

use super::Sense;
use crate::math::Real;

/// How strongly a row holds.
pub trait Response<R: Real>: Copy + Send + Sync + 'static {
    /// Whether the points' motion since the start of the substep is needed.
    const DAMPED: bool = false;
    /// Whether the row's multiplier means something: all but PBD.
    const COMPLIANT: bool = true;
    /// From the numbers that [`Class::numbers`] gives.
    fn new(numbers: [R; 2]) -> Self;
    /// The response of a row whose material has compliance `alpha`; only [`Material`] heeds it.
    #[inline(always)]
    fn of_material(self, _alpha: R) -> Self {
        self
    }
    /// [α̃, γ, k'], for rows solved together.
    fn parts(self) -> [R; 3];
    /// s = Δλ / n for one row, and the multiplier it leads to.
    ///
    /// `c` and `n` are the row's, `weight` is Σ w |g|² and `moved` is g·(x - x_prev).
    fn step(self, sense: Sense, c: R, n: R, weight: R, moved: R, lambda: R) -> (R, R);
}

/// A sort of response, at every width. A batch's rows share one, so that none carries a number it does not need.
pub trait Class: Send + Sync + 'static {
    /// The response in numbers of type `R`.
    type At<R: Real>: Response<R>;
    /// What the response needs from a row's strength (k, or α and β), the substep h (s) and the iterations in it.
    fn numbers(strength: f64, damping: f64, h: f64, iterations: u32) -> [f64; 2];
}

/// PBD: a fraction k' of the error is removed (S1-17, S1-18).
#[derive(Clone, Copy, Debug)]
pub struct Stiff<R = ()> {
    k: R,
}

impl Class for Stiff {
    type At<R: Real> = Stiff<R>;
    /// k' = 1 - (1 - k)^(1/n): after n iterations 1 - k of the error is left (S1-18; for a single row only, erratum E5).
    fn numbers(k: f64, _: f64, _: f64, iterations: u32) -> [f64; 2] {
        [
            1.0 - (1.0 - k).powf(1.0 / f64::from(iterations.max(1))),
            0.0,
        ]
    }
}

impl<R: Real> Response<R> for Stiff<R> {
    const COMPLIANT: bool = false;
    fn new([k, _]: [R; 2]) -> Self {
        Self { k }
    }
    #[inline(always)]
    fn parts(self) -> [R; 3] {
        [R::zero(), R::zero(), self.k]
    }
    #[inline(always)]
    fn step(self, sense: Sense, c: R, n: R, weight: R, _moved: R, lambda: R) -> (R, R) {
        let s = (-(n * c)).over_positive(weight) * self.k;
        match sense {
            Sense::Equality => (s, lambda),
            Sense::Inequality => (R::select(c.lt(R::zero()), s, R::zero()), lambda),
        }
    }
}

/// α̃ = α / h², held below 1e30, where a row does nothing at all and nothing overflows.
pub fn per_substep(alpha: f64, h: f64) -> f64 {
    (alpha / (h * h)).min(1e30)
}

/// XPBD: a spring of compliance α, whatever the number of iterations (S2-01).
#[derive(Clone, Copy, Debug)]
pub struct Compliant<R = ()> {
    alpha: R,
}

impl Class for Compliant {
    type At<R: Real> = Compliant<R>;
    /// α̃ = α / h².
    fn numbers(alpha: f64, _: f64, h: f64, _: u32) -> [f64; 2] {
        [per_substep(alpha, h), 0.0]
    }
}

impl<R: Real> Response<R> for Compliant<R> {
    fn new([alpha, _]: [R; 2]) -> Self {
        Self { alpha }
    }
    #[inline(always)]
    fn parts(self) -> [R; 3] {
        [self.alpha, R::zero(), R::of(1.0)]
    }
    #[inline(always)]
    fn step(self, sense: Sense, c: R, n: R, weight: R, _moved: R, lambda: R) -> (R, R) {
        let s = (n * (-c - self.alpha * lambda)).over_positive(weight + self.alpha * (n * n));
        accumulate(sense, s, n, lambda)
    }
}

/// XPBD with damping: a spring beside a dashpot (XPBD eq. 26, S1-10).
#[derive(Clone, Copy, Debug)]
pub struct Damped<R = ()> {
    alpha: R,
    gamma: R,
}

impl Class for Damped {
    type At<R: Real> = Damped<R>;
    /// α̃ = α / h² and γ = α̃ β̃ / h = α̃ β h (β̃ = h² β): of the α̃ that is held, so that the dashpot keeps its strength.
    fn numbers(alpha: f64, beta: f64, h: f64, _: u32) -> [f64; 2] {
        let alpha = per_substep(alpha, h);
        [alpha, (alpha * beta * h).min(1e30)]
    }
}

impl<R: Real> Response<R> for Damped<R> {
    const DAMPED: bool = true;
    fn new([alpha, gamma]: [R; 2]) -> Self {
        Self { alpha, gamma }
    }
    #[inline(always)]
    fn parts(self) -> [R; 3] {
        [self.alpha, self.gamma, R::of(1.0)]
    }
    #[inline(always)]
    fn step(self, sense: Sense, c: R, n: R, weight: R, moved: R, lambda: R) -> (R, R) {
        let Self { alpha, gamma } = self;
        let error = n * (-c - alpha * lambda) - gamma * moved;
        let all = weight + gamma * weight + alpha * (n * n);
        let s = error.finite_or_zero().over_positive(all);
        accumulate(sense, s, n, lambda)
    }
}

/// XPBD with the compliance that the kind itself gives each row.
#[derive(Clone, Copy, Debug)]
pub struct Material<R = ()> {
    /// 1 / h² until the row's compliance is known, then α̃.
    alpha: R,
}

impl Class for Material {
    type At<R: Real> = Material<R>;
    /// 1 / h².
    fn numbers(_: f64, _: f64, h: f64, _: u32) -> [f64; 2] {
        [per_substep(1.0, h), 0.0]
    }
}

impl<R: Real> Response<R> for Material<R> {
    fn new([alpha, _]: [R; 2]) -> Self {
        Self { alpha }
    }
    #[inline(always)]
    fn of_material(self, alpha: R) -> Self {
        Self {
            alpha: (alpha * self.alpha).min(R::of(1e30)),
        }
    }
    #[inline(always)]
    fn parts(self) -> [R; 3] {
        [self.alpha, R::zero(), R::of(1.0)]
    }
    #[inline(always)]
    fn step(self, sense: Sense, c: R, n: R, weight: R, moved: R, lambda: R) -> (R, R) {
        Compliant { alpha: self.alpha }.step(sense, c, n, weight, moved, lambda)
    }
}

/// λ' = λ + s n; of an inequality λ' = max(0, λ + s n), and the step is what is left of it.
#[inline(always)]
fn accumulate<R: Real>(sense: Sense, s: R, n: R, lambda: R) -> (R, R) {
    let next = lambda + s * n;
    match sense {
        Sense::Equality => (s, next),
        Sense::Inequality => {
            let pulls = next.lt(R::zero());
            let released = (-lambda).over_positive(n);
            (
                R::select(pulls, released, s),
                R::select(pulls, R::zero(), next),
            )
        }
    }
}
