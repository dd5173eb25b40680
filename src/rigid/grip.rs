//! Where rows of particle kinds hold a body: at an arm, where it resists with another inverse mass than its own.
//!
//! ```text
//! p = x + R r                                     S4-12
//! aᵀ M⁻¹ b = w a·b + (R r × a)·W (R r × b)         W = R I⁻¹ Rᵀ; Deul et al. 2014, eq. 4-6
//! Δx = w g s,   Δθ = W (R r × g) s
//! ```
//!
//! A particle is the same with r = 0 and no inertia. So every kind holds bodies by the formula that it holds particles by.

use super::Moving;
use super::frame::{Frame, Spread};
use crate::constraints::{Response, Sense, Site};
use crate::math::{F32x8, Real, Vec3, WIDTH, each_lane, pack};

/// A body held at a point of its own.
#[derive(Clone, Copy)]
pub struct Grip<R> {
    /// The body.
    pub body: Moving<R>,
    /// r, in the principal frame (m).
    pub arm: Vec3<R>,
}

impl<R: Real> Grip<R> {
    /// The orientation, and the arm in the world (m).
    #[inline(always)]
    fn reach(&self) -> (Frame<R>, Vec3<R>) {
        let frame = Frame::new(self.body.q);
        (frame, frame.turn(self.arm))
    }
}

impl<R: Real> Site<R> for Grip<R> {
    #[inline(always)]
    fn point(&self) -> Vec3<R> {
        self.body.x + self.reach().1
    }
    #[inline(always)]
    fn weight(&self, a: Vec3<R>, b: Vec3<R>) -> R {
        let (frame, arm) = self.reach();
        let turned = Spread::new(&frame, &self.body).of(arm.cross(b));
        self.body.w * a.dot(b) + arm.cross(a).dot(turned)
    }
    #[inline(always)]
    fn apply(&mut self, g: Vec3<R>, s: R) {
        let (frame, arm) = self.reach();
        let turned = Spread::new(&frame, &self.body).of(arm.cross(g));
        self.body.correct(g * (self.body.w * s), turned * s);
    }
}

/// A response of any class: one kernel a kind is made for rows at arms, not one for each class.
#[derive(Clone, Copy, Debug)]
pub struct Anyhow<R> {
    alpha: R,
    gamma: R,
    /// k' of PBD; below zero where the row is compliant.
    stiffness: R,
}

impl<R: Real> Anyhow<R> {
    /// PBD by k'.
    pub fn stiff(k: R) -> Self {
        Self {
            alpha: R::zero(),
            gamma: R::zero(),
            stiffness: k,
        }
    }
}

impl Anyhow<F32x8> {
    /// Eight side by side.
    pub fn side_by_side(eight: &[Anyhow<f32>; WIDTH]) -> Self {
        Self {
            alpha: pack(each_lane(|lane| eight[lane].alpha)),
            gamma: pack(each_lane(|lane| eight[lane].gamma)),
            stiffness: pack(each_lane(|lane| eight[lane].stiffness)),
        }
    }
}

impl<R: Real> Response<R> for Anyhow<R> {
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
