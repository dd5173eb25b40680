//! Impulse-based dynamics: the velocity constraint that goes with each position constraint, for every kind.
//!
//! A position constraint C = 0 is met at the predicted state, its derivative Ċ = 0 at the present one (S3-01, S3-04, S3-06),
//! with ∇C = g / n and p the impulses given so far:
//!
//! ```text
//! Δp = -(C(x*) + α/h² h p) / (h (Σ w |∇C|² + α/h²)),   Δv = w ∇C Δp       x* = x + h (v + h a)      S3-03, S3-05
//! Δp = -Ċ / (Σ w |∇C|²),                               Δv = w ∇C Δp       Ċ = Σ ∇C · v
//! ```
//!
//! The first moves x* by h Δv = w ∇C h Δp: it is [`project`](super::project) of the predicted positions, with the multiplier
//! λ = h p, and v = (x* - x) / h after it (S3-08). So stiffness and compliance respond as they do there. The second is [`push`].
//! A row with compliance is a spring: it has no velocity constraint. An inequality asks Ċ >= 0 where C <= 0.

use super::{Constraint, Particle, Sense};
use crate::math::{Real, Vec3};

/// Changes the velocities `v` (m/s) of an element's sites so that dC/dt = 0, one row after another. `alpha` is the
/// response's compliance α/h², times which the material's own counts, `stiffness` the part of the error that is taken away.
/// Returns the largest error met, |Ċ| / |∇C| (m/s); nothing of springs, and of inequalities that hold.
#[inline(never)] // a call of the kind alone: responses are many
pub fn push<C: Constraint<N, P, K>, R: Real, const N: usize, const P: usize, const K: usize>(
    sites: &[Particle<R>; N],
    v: &mut [Vec3<R>; N],
    p: &[R; P],
    [alpha, stiffness]: [R; 2],
) -> R {
    let (zero, mut largest) = (R::zero(), R::zero());
    let mut x = [Vec3::zero(); N];
    for i in 0..N {
        x[i] = sites[i].x;
    }
    let (mut rows, material) = (C::evaluate(x, *p), C::compliance(*p));
    for k in 0..K {
        let row = &mut rows[k];
        let alpha = material.map_or(alpha, |material| material[k] * alpha);
        let [mut weight, mut squares, mut rate] = [zero; 3];
        for i in 0..N {
            let square = row.g[i].dot(row.g[i]);
            weight = weight + sites[i].w * square;
            squares = squares + square;
            rate = rate + row.g[i].dot(v[i]);
        }
        // A spring's velocity is free; so is that of points that part, or do not touch.
        let held = R::select(zero.lt(alpha), zero, rate);
        let closing = R::select(held.lt(zero), held, zero);
        let closing = R::select(zero.lt(row.c), zero, closing);
        let rate = if C::SENSE == Sense::Inequality { closing } else { held };
        let s = (-rate).over_positive(weight) * stiffness;
        let s = row.keep_sound(s, weight);
        // A gradient that is no number says nothing of the error.
        let infinite = R::of(f64::INFINITY);
        let error = rate.abs().over_positive(squares.sqrt());
        largest = largest.max(R::select(squares.lt(infinite), error, infinite).or_infinite());
        for i in 0..N {
            v[i] += row.g[i] * (sites[i].w * s);
        }
    }
    largest
}
