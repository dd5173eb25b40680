//! How strongly a row holds: PBD, XPBD, XPBD with damping, or as its material says.
//!
//! ```text
//!            α̃         γ        k'
//! Stiff      0         0        1 - (1 - k)^(1/n)      PBD (S1-17, S1-18)
//! Compliant  α / h²    0        1                      XPBD eq. 18 (S2-01)
//! Damped     α / h²    α β / h  1                      XPBD eq. 26 (S1-10)
//! Material   α_k / h²  0        1                      XPBD with the kind's own compliance
//! ```
//!
//! [`Response::step`] is the one update of a multiplier. Apart from it stand, each beside its reason: rows solved as one block
//! (`project`), velocity rows (`impulse`, `contact`), a fluid's multipliers (`groups::fluid`) and joints.

use super::{Row, Sense};
use crate::math::{Real, Vec3, power};

/// Just below what f32 can hold.
const OVERFLOW: f64 = 3e38;

impl<R: Real, const N: usize> Row<R, N> {
    /// The step `s`, found over the denominator `weight`; neither step nor gradient where either overflows, as |d|² of points
    /// 1e20 m apart does. Gradients overflow where the denominator does.
    #[inline(always)]
    pub(super) fn keep_sound(&mut self, s: R, weight: R) -> R {
        let most = R::of(OVERFLOW);
        self.keep_where((s * s).lt(most) & weight.lt(most), s)
    }

    /// `s`; neither step nor gradient where `sound` does not hold.
    #[inline(always)]
    fn keep_where(&mut self, sound: R::Mask, s: R) -> R {
        // A branch, as selects would cost every row a tenth of its time.
        if R::all(sound) {
            return s;
        }
        let zero = R::zero();
        self.n = R::select(sound, self.n, zero);
        for i in 0..N {
            self.g[i] = Vec3::select(sound, self.g[i], Vec3::zero());
        }
        R::select(sound, s, zero)
    }
}

/// How strongly a row holds.
pub trait Response<R: Real>: Copy + Send + Sync + 'static {
    // Terms that a response kind does not have are left out by these constants: the compiler may not drop 0 · x itself.
    /// Whether γ may be other than zero: the points' motion since the start of the substep is then needed.
    const DAMPED: bool = false;
    /// Whether α̃ may be other than zero; else the multiplier means nothing and stays zero.
    const COMPLIANT: bool = true;
    /// Whether k' may be other than one.
    const STIFF: bool = false;
    /// From the numbers that [`ResponseType::numbers`] gives.
    fn new(numbers: [R; 2]) -> Self;
    /// The numbers it is made from.
    #[inline(always)]
    fn numbers(self) -> [R; 2] {
        let [alpha, gamma, _] = self.parts();
        [alpha, gamma]
    }
    /// The response of a row whose material has compliance `alpha`.
    #[inline(always)]
    fn of_material(self, _alpha: R) -> Self {
        self
    }
    /// [α̃, γ, k'].
    fn parts(self) -> [R; 3];

    /// (1 + γ) w of a coupling `weight` = Σ w g·g' between two rows.
    #[inline(always)]
    fn damp(self, weight: R) -> R {
        let [_, gamma, _] = self.parts();
        if Self::DAMPED { weight + gamma * weight } else { weight }
    }

    /// What compliance adds to a denominator: α̃ n².
    #[inline(always)]
    fn soften(self, weight: R, n: R) -> R {
        let [alpha, ..] = self.parts();
        if Self::COMPLIANT { weight + alpha * (n * n) } else { weight }
    }

    /// The numerator n (-C - α̃ λ) - γ g·(x - x_prev); `moved` is g·(x - x_prev).
    #[inline(always)]
    fn error(self, c: R, n: R, moved: R, lambda: R) -> R {
        let [alpha, gamma, _] = self.parts();
        let error = n * if Self::COMPLIANT { -c - alpha * lambda } else { -c };
        if Self::DAMPED { (error - gamma * moved).finite_or_zero() } else { error }
    }

    /// s = Δλ / n for one row, and the multiplier it leads to.
    ///
    /// `weight` is the denominator (1 + γ) Σ w |g|² + α̃ n² and `moved` is g·(x - x_prev); `pair`: the row is of two particles. A row
    /// that overflows loses its gradient.
    #[inline(always)]
    fn step<const N: usize>(
        self,
        sense: Sense,
        row: &mut Row<R, N>,
        [weight, moved]: [R; 2],
        pair: bool,
        lambda: R,
    ) -> (R, R) {
        let error = self.error(row.c, row.n, moved, lambda);
        let s = error.over_positive(weight);
        // The step of a pair is finite with its denominator, but where its parameter is absurd: that breaks, and is named.
        let s = match pair {
            true => row.keep_where(weight.lt(R::of(OVERFLOW)), s),
            false => row.keep_sound(s, weight),
        };
        let [.., k] = self.parts();
        let s = if Self::STIFF { s * k } else { s };
        self.accumulate(sense, row.c, row.n, s, lambda)
    }

    /// λ' = λ + s n; of an inequality λ' = max(0, λ + s n), and the step is what is left of it.
    #[inline(always)]
    fn accumulate(self, sense: Sense, _c: R, n: R, s: R, lambda: R) -> (R, R) {
        let next = lambda + s * n;
        match sense {
            Sense::Equality => (s, next),
            Sense::Inequality => {
                let pulls = next.lt(R::zero());
                let released = (-lambda).over_positive(n);
                (R::select(pulls, released, s), R::select(pulls, R::zero(), next))
            }
        }
    }
}

/// A sort of response, at every width. A batch's rows share one, so that none carries a number it does not need.
pub trait ResponseType: Send + Sync + 'static {
    /// The response in numbers of type `R`.
    type At<R: Real>: Response<R>;
    /// What the response needs from a row's stiffness (k, or α and β), the substep h (s) and the iterations in it.
    fn numbers(stiffness: f64, damping: f64, h: f64, iterations: u32) -> [f64; 2];
}

/// PBD: a fraction k' of the error is removed (S1-17, S1-18).
#[derive(Clone, Copy, Debug)]
pub struct Stiff<R = ()> {
    k: R,
}

impl ResponseType for Stiff {
    type At<R: Real> = Stiff<R>;
    /// k' = 1 - (1 - k)^(1/n): after n iterations 1 - k of the error is left (S1-18; for a single row only, erratum E5).
    fn numbers(k: f64, _: f64, _: f64, iterations: u32) -> [f64; 2] {
        [1.0 - power(1.0 - k, 1.0 / f64::from(iterations.max(1))), 0.0]
    }
}

impl<R: Real> Response<R> for Stiff<R> {
    const COMPLIANT: bool = false;
    const STIFF: bool = true;
    fn new([k, _]: [R; 2]) -> Self {
        Self { k }
    }
    #[inline(always)]
    fn numbers(self) -> [R; 2] {
        [self.k, R::zero()]
    }
    #[inline(always)]
    fn parts(self) -> [R; 3] {
        [R::zero(), R::zero(), self.k]
    }
    /// The multiplier stays; an inequality that holds is left alone.
    #[inline(always)]
    fn accumulate(self, sense: Sense, c: R, _n: R, s: R, lambda: R) -> (R, R) {
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
    /// α̃; 1 / h² until the compliance of a material's row is known.
    alpha: R,
}

impl ResponseType for Compliant {
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
    fn of_material(self, alpha: R) -> Self {
        Self { alpha: (alpha * self.alpha).min(R::of(1e30)) }
    }
    #[inline(always)]
    fn parts(self) -> [R; 3] {
        [self.alpha, R::zero(), R::of(1.0)]
    }
}

/// XPBD with damping: a spring beside a dashpot (XPBD eq. 26, S1-10).
#[derive(Clone, Copy, Debug)]
pub struct Damped<R = ()> {
    alpha: R,
    gamma: R,
}

impl ResponseType for Damped {
    type At<R: Real> = Damped<R>;
    /// α̃ = α / h² and γ = α̃ β̃ / h = α̃ β h (β̃ = h² β): of the α̃ that is held, so that the dashpot keeps its stiffness.
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
}

/// XPBD with the compliance that the kind itself gives each row.
pub struct Material;

impl ResponseType for Material {
    type At<R: Real> = Compliant<R>;
    /// 1 / h².
    fn numbers(_: f64, _: f64, h: f64, _: u32) -> [f64; 2] {
        [per_substep(1.0, h), 0.0]
    }
}

/// A response of any kind, where one kernel serves them all: rows at attachments, and groups.
#[derive(Clone, Copy, Debug)]
pub struct GenericResponse<R> {
    alpha: R,
    gamma: R,
    /// k' of PBD; below zero where the row is compliant.
    k: R,
}

impl<R: Real> GenericResponse<R> {
    /// Of these α̃, γ and k'; k' is below zero where the row is compliant.
    pub(crate) fn of([alpha, gamma, k]: [R; 3]) -> Self {
        Self { alpha, gamma, k }
    }
}

impl<R: Real> Response<R> for GenericResponse<R> {
    const DAMPED: bool = true;
    const STIFF: bool = true;
    fn new([alpha, gamma]: [R; 2]) -> Self {
        Self { alpha, gamma, k: R::of(-1.0) }
    }
    #[inline(always)]
    fn of_material(self, alpha: R) -> Self {
        Self { alpha: (alpha * self.alpha).min(R::of(1e30)), ..self }
    }
    #[inline(always)]
    fn parts(self) -> [R; 3] {
        let compliant = self.k.lt(R::zero());
        [self.alpha, self.gamma, R::select(compliant, R::of(1.0), self.k)]
    }
    #[inline(always)]
    fn accumulate(self, sense: Sense, c: R, n: R, s: R, lambda: R) -> (R, R) {
        let stiff = Stiff { k: self.k }.accumulate(sense, c, n, s, lambda);
        let soft = Compliant { alpha: self.alpha }.accumulate(sense, c, n, s, lambda);
        let compliant = self.k.lt(R::zero());
        (R::select(compliant, soft.0, stiff.0), R::select(compliant, soft.1, stiff.1))
    }
}
