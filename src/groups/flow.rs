//! Plasticity: a cluster deformed beyond its yield takes on some of its deformation for good.
//!
//! ```text
//! F = A Q⁻¹,  Q = Σ μ r rᵀ        the cluster's deformation (best linear fit)
//! S = Rᵀ F                        without its rotation
//! |S - 1| > yield:  r <- (1 + h creep (S - 1)) r / cbrt(det)
//! ```
//!
//! (Müller et al., *Meshless Deformations Based on Shape Matching*, 2005, section 4.4; S1-20.) |.| is the root of the sum of
//! squares, `creep` is in 1/s and h creep is held at 1, one step takes up a strain of 1 at most, and the volume stays. A
//! flat or collinear cluster has no Q⁻¹ and is refused where it is to flow; a strain that overflows does not flow.

use super::rotation::{Matrix, nearest_rotation, times};
use crate::math::{Real, Vec3};

/// xx yy zz xy xz yz of w r rᵀ.
#[inline(always)]
pub(super) fn spread<R: Real>(r: Vec3<R>, w: R) -> [R; 6] {
    let v = r * w;
    [v.x * r.x, v.y * r.y, v.z * r.z, v.x * r.y, v.x * r.z, v.y * r.z]
}

/// What turns the rest shape of a cluster into the one it flows to: the identity below the yield.
#[inline(never)] // one copy for clusters of all sizes: once a substep
pub(super) fn flow<R: Real>(
    a: Matrix<R>,
    [xx, yy, zz, xy, xz, yz]: [R; 6],
    [limit, rate]: [R; 2],
) -> Matrix<R> {
    let (one, turn) = (R::of(1.0), nearest_rotation(a));
    let unit = [Vec3::of([1.0, 0.0, 0.0]), Vec3::of([0.0, 1.0, 0.0]), Vec3::of([0.0, 0.0, 1.0])];
    let q = [Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz)];
    // Q is symmetric, so its inverse's columns are its columns' cross products.
    let cofactors = [q[1].cross(q[2]), q[2].cross(q[0]), q[0].cross(q[1])];
    let inverse = one.over_positive(q[0].dot(cofactors[0]));
    let mut strain = unit;
    let mut square = R::zero();
    for i in 0..3 {
        let f = times(&a, cofactors[i] * inverse);
        let s = Vec3::new(turn[0].dot(f), turn[1].dot(f), turn[2].dot(f));
        strain[i] = s - unit[i];
        square = square + strain[i].dot(strain[i]);
    }
    let size = square.sqrt();
    let share = rate * one.min(one.over_positive(size)).finite_or_zero();
    let yields = limit.lt(size) & size.lt(R::huge());
    let share = R::select(yields, share, R::zero());
    let mut g = unit;
    for i in 0..3 {
        g[i] = unit[i] + strain[i] * share;
    }
    // 1 / cbrt(det) by Newton's method from 1: det is near 1, as the share is small.
    let det = g[0].dot(g[1].cross(g[2])).clamp(R::of(0.1), R::of(3.0));
    let mut y = one;
    for _ in 0..6 {
        y = y * (R::of(4.0) - det * (y * y * y)) * R::of(1.0 / 3.0);
    }
    for i in 0..3 {
        g[i] = Vec3::select(yields, g[i] * y, unit[i]);
    }
    g
}
