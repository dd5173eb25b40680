//! The one multiplier update, for every kind, width and method.
//!
//! All of PBD, XPBD, IBDS and position-based rigid bodies solve J M⁻¹ Jᵀ λ = -C (S0-04); only what multiplies λ and where
//! the correction lands differ. With ∇C = g / n and the response (α̃, γ, k):
//!
//! ```text
//! Δλ = (-C - α̃ λ - γ ∇C·(x - x_prev)) / ((1 + γ) Σ w |∇C|² + α̃)      XPBD eq. 18 and 26 (S2-01)
//! Δx = w ∇C Δλ                                                        S0-05, S0-08, S1-16
//! ```
//!
//! computed with s = Δλ / n, which needs one division: s = (n (-C - α̃ λ) - γ g·(x - x_prev)) / ((1 + γ) Σ w |g|² + α̃ n²).
//! Sign: λ carries source 000's sign, so Δx = +w ∇C λ (S1-16 and erratum E3: source 001 writes it the other way round).

use super::{Constraint, Row, Sense};
use crate::lanes::{Real, Vec3};

/// Where a constraint is attached: a particle now, a rigid body at an arm later (Deul et al. eq. 4-6).
pub trait Site<R: Real>: Copy {
    /// The point in space.
    fn point(&self) -> Vec3<R>;
    /// ∇Cᵀ M⁻¹ ∇C for a gradient `g` at the point, in 1/kg.
    fn weight(&self, g: Vec3<R>) -> R;
    /// Moves the site by the positional impulse `g s`: Δx = M⁻¹ g s.
    fn apply(&mut self, g: Vec3<R>, s: R);
}

/// A point mass: position (m) and inverse mass (1/kg).
#[derive(Clone, Copy, Debug)]
pub struct Particle<R> {
    /// Position.
    pub x: Vec3<R>,
    /// Inverse mass; zero does not move.
    pub w: R,
}

impl<R: Real> Site<R> for Particle<R> {
    #[inline(always)]
    fn point(&self) -> Vec3<R> {
        self.x
    }
    #[inline(always)]
    fn weight(&self, g: Vec3<R>) -> R {
        self.w * g.dot(g)
    }
    #[inline(always)]
    fn apply(&mut self, g: Vec3<R>, s: R) {
        self.x += g * (self.w * s);
    }
}

/// How strongly a row holds.
pub trait Response<R: Real>: Copy + Send + Sync + 'static {
    /// Whether the points' motion since the start of the substep is needed.
    const DAMPED: bool = false;
    /// From the numbers that [`Class::numbers`] gives.
    fn new(numbers: [R; 2]) -> Self;
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
    fn new([k, _]: [R; 2]) -> Self {
        Self { k }
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
    fn step(self, sense: Sense, c: R, n: R, weight: R, moved: R, lambda: R) -> (R, R) {
        let Self { alpha, gamma } = self;
        let error = n * (-c - alpha * lambda) - gamma * moved;
        let s = error.over_positive(weight + gamma * weight + alpha * (n * n));
        accumulate(sense, s, n, lambda)
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

/// Projects one element: moves its sites towards C = 0 (or C >= 0) and updates its multipliers.
///
/// `previous` are the sites' points at the start of the substep; only a damped response reads them. A geometry without
/// gradient gets no correction.
#[inline(always)]
pub fn project<C, S, A, R, const N: usize, const P: usize, const K: usize>(
    sites: &mut [S; N],
    previous: [Vec3<R>; N],
    p: [R; P],
    response: A,
    lambda: &mut [R; K],
) where
    C: Constraint<N, P, K>,
    S: Site<R>,
    A: Response<R>,
    R: Real,
{
    for (k, lambda) in lambda.iter_mut().enumerate() {
        let x = sites.map(|site| site.point());
        let Row { c, g, n } = C::evaluate(x, p)[k];
        let mut weight = sites[0].weight(g[0]);
        for i in 1..N {
            weight = weight + sites[i].weight(g[i]);
        }
        let mut moved = R::zero();
        if A::DAMPED {
            for i in 0..N {
                moved = moved + g[i].dot(x[i] - previous[i]);
            }
        }
        let s;
        (s, *lambda) = response.step(C::SENSE, c, n, weight, moved, *lambda);
        for i in 0..N {
            sites[i].apply(g[i], s);
        }
    }
}
