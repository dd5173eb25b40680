//! Impulse-based dynamics: the one impulse update of method `impulse`, for every kind.
//!
//! A position constraint C = 0 is met at the predicted state, its derivative Ċ = 0 at the present one (S3-01, S3-04, S3-06),
//! with ∇C = g / n and p the impulses given so far:
//!
//! ```text
//! Δp = -(C(x*) + α/h² h p) / (h (Σ w |∇C|² + α/h²)),   Δv = w ∇C Δp       x* = x + h (v + h a)      S3-03, S3-05
//! Δp = -Ċ / (Σ w |∇C|²),                               Δv = w ∇C Δp       Ċ = Σ ∇C · v
//! ```
//!
//! λ = h p is XPBD's multiplier, so stiffness and compliance respond as they do there. A row with compliance is a spring: it
//! has no velocity constraint. An inequality asks Ċ >= 0 where C <= 0. Rows of an element are met one after another.

#![allow(clippy::needless_range_loop)] // sites, gradients and points run side by side

use super::{Constraint, Response, Row, Sense};
use crate::math::{Real, Vec3};

/// What a sweep of method `impulse` aims at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// C = 0 at the end of the substep.
    Position,
    /// dC/dt = 0 now.
    Velocity,
}

/// A point mass on its way: position (m), velocity (m/s), inverse mass (1/kg).
#[derive(Clone, Copy, Debug)]
pub struct Moving<R> {
    /// Position at the start of the substep, or now.
    pub x: Vec3<R>,
    /// Velocity.
    pub v: Vec3<R>,
    /// Inverse mass; zero does not move.
    pub w: R,
    /// h a, what the velocity grows by in the substep.
    pub step: Vec3<R>,
}

/// Changes the velocities of an element's sites, and its multipliers λ = h p, towards the aim. `predict` says where a site
/// will be at the end of the substep of `h` seconds. Returns the largest error met: |C + α/h² λ| / |∇C|, or h |Ċ| / |∇C|
/// (m); nothing of an inequality that holds.
#[inline(always)]
pub fn push<C, A, R, const N: usize, const P: usize, const K: usize>(
    sites: &mut [Moving<R>; N],
    predict: impl Fn(Moving<R>) -> Vec3<R>,
    h: R,
    p: [R; P],
    response: A,
    aim: Aim,
    lambda: &mut [R; K],
) -> R
where
    C: Constraint<N, P, K>,
    A: Response<R>,
    R: Real,
{
    let (zero, mut largest) = (R::zero(), R::zero());
    for k in 0..K {
        let mut x = [Vec3::zero(); N];
        for i in 0..N {
            x[i] = match aim {
                Aim::Position => predict(sites[i]),
                Aim::Velocity => sites[i].x,
            };
        }
        let mut row = C::evaluate(x, p)[k];
        let response = match C::compliance(p) {
            Some(alpha) => response.of_material(alpha[k]),
            None => response,
        };
        let [alpha, _, stiffness] = response.parts();
        let [weight, squares, moved, rate] = sums(&row, &x, sites);
        let open = C::SENSE == Sense::Inequality;
        let (s, error) = match aim {
            Aim::Position => {
                let error = (row.c + alpha * lambda[k]).abs() * row.n;
                let violated = R::select(row.c.lt(zero), error, zero);
                let (s, next) = response.step(C::SENSE, &mut row, weight, moved, lambda[k]);
                lambda[k] = next;
                (s / h, if open { violated } else { error })
            }
            Aim::Velocity => {
                // Not `Response::step`: a velocity row has no compliance and no multiplier, and γ would count twice.
                // A spring's velocity is free; so is that of points that part, or do not touch.
                let held = R::select(zero.lt(alpha), zero, rate);
                let closing = R::select(held.lt(zero), held, zero);
                let closing = R::select(zero.lt(row.c), zero, closing);
                let rate = if open { closing } else { held };
                let s = (-rate).over_positive(weight) * stiffness;
                (row.keep_sound(s, weight), rate.abs() * h)
            }
        };
        // A gradient that is no number says nothing of the error.
        let infinite = R::of(f64::INFINITY);
        let told = R::select(squares.lt(infinite), error.over_positive(squares.sqrt()), infinite);
        largest = largest.max(told);
        for i in 0..N {
            sites[i].v += row.g[i] * (sites[i].w * s);
        }
    }
    largest
}

/// w ∇C², ∇C², ∇C (x - start) and ∇C v, with g in place of ∇C.
#[inline(always)]
fn sums<R: Real, const N: usize>(
    row: &Row<R, N>,
    x: &[Vec3<R>; N],
    sites: &[Moving<R>; N],
) -> [R; 4] {
    let [mut weight, mut squares, mut moved, mut rate] = [R::zero(); 4];
    for i in 0..N {
        let Moving { x: start, v, w, .. } = sites[i];
        let square = row.g[i].dot(row.g[i]);
        weight = weight + w * square;
        squares = squares + square;
        moved = moved + row.g[i].dot(x[i] - start);
        rate = rate + row.g[i].dot(v);
    }
    [weight, squares, moved, rate]
}
