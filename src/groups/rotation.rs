//! The rotation nearest to a matrix, whatever the matrix: flat, collinear, inverted or zero.
//!
//! The rotation R that maximizes tr(Rᵀ A) is the unit quaternion q that maximizes qᵀ K q with a symmetric 4 x 4 matrix K made
//! of A (Horn, *Closed-form Solution of Absolute Orientation Using Unit Quaternions*, 1987): never a reflection, and
//! always a rotation, however poor q is. K has no trace, so with A scaled to norm one, d = det A and e = |cof A|²,
//!
//! ```text
//! det(λ - K) = λ⁴ - 2 λ² - 8 d λ + 1 - 4 e
//! ```
//!
//! whose largest root is the sum of A's (signed) singular values (Theobald, *Rapid Calculation of RMSDs Using a
//! Quaternion-based Characteristic Polynomial*, 2005). λ² = 1 + 2 Σ σi σj <= 1 + 2 sqrt(3 e) lies above it, and from there
//! Laguerre's method goes down to it: three steps, where Newton's needs ten near a multiple root. The adjugate of λ - K is
//! then q qᵀ but for a factor; λ too large by more than its rounding (up to a hundredth) keeps it from vanishing where the
//! root is double (a collinear cluster) or triple (a mirrored one), and two more multiplications by it, which are steps of
//! an inverse iteration, take out what that brought in.
//!
//! About 300 operations, no branch, no library function: the same bits at every width. (Müller et al., *A Robust Method to
//! Extract the Rotational Part of Deformations*, 2016, needs the rotation of the step before, and is at a loss half a turn
//! away; a singular value decomposition by Jacobi rotations loses half the digits in AᵀA.)

use crate::math::{Real, Vec3};

/// Laguerre steps to the largest root; from the fifth on, rounding takes some of them beyond it.
const STEPS: usize = 3;
/// What f32 leaves of the polynomial's value where it should vanish, about.
const NOISE: f64 = 1e-6;
/// The least slope to divide by: below it the root counts as multiple.
const LEAST_SLOPE: f64 = 1e-4;
/// The least that λ is too large by.
const LITTLE: f64 = 1e-5;
/// The least trace of an adjugate that is more than rounding.
const LEAST_TRACE: f64 = 1e-5;

/// A 3 x 3 matrix by its columns.
pub(super) type Matrix<R> = [Vec3<R>; 3];

/// m v.
#[inline(always)]
pub(super) fn times<R: Real>(m: &Matrix<R>, v: Vec3<R>) -> Vec3<R> {
    m[0] * v.x + m[1] * v.y + m[2] * v.z
}

/// The columns of the rotation nearest to `a`; of zero none is nearest, and it is the identity.
#[inline(always)]
pub(super) fn nearest_rotation<R: Real>(a: Matrix<R>) -> Matrix<R> {
    let one = R::of(1.0);
    let norm = (a[0].dot(a[0]) + a[1].dot(a[1]) + a[2].dot(a[2])).sqrt();
    let scale = one.over_positive(norm);
    let a = [a[0] * scale, a[1] * scale, a[2] * scale];
    let lambda = largest_root(&a);
    let adjugate = Symmetric::adjugate(&a, lambda);
    let [w, x, y, z] = adjugate.dominant();
    let two = R::of(2.0).over_positive(w * w + x * x + y * y + z * z);
    [
        Vec3::new(one - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y)),
        Vec3::new(two * (x * y - w * z), one - two * (x * x + z * z), two * (y * z + w * x)),
        Vec3::new(two * (x * z + w * y), two * (y * z - w * x), one - two * (x * x + y * y)),
    ]
}

/// The same, compiled once for clusters of all sizes, where it is not hot.
#[inline(never)]
pub(super) fn nearest_rotation_apart<R: Real>(a: Matrix<R>) -> Matrix<R> {
    nearest_rotation(a)
}

/// The largest root of det(λ - K), and a little more; `a` is of norm one.
#[inline(always)]
fn largest_root<R: Real>(&[a0, a1, a2]: &Matrix<R>) -> R {
    let one = R::of(1.0);
    let cofactors = [a1.cross(a2), a2.cross(a0), a0.cross(a1)];
    let e4 = (cofactors[0].dot(cofactors[0])
        + cofactors[1].dot(cofactors[1])
        + cofactors[2].dot(cofactors[2]))
        * R::of(4.0);
    let d8 = a0.dot(cofactors[0]) * R::of(8.0);
    let mut lambda = (one + (e4 * R::of(3.0)).sqrt()).sqrt();
    let mut slope = one;
    for _ in 0..STEPS {
        let f = lambda * lambda - one;
        let value = (f * f - d8 * lambda - e4).max(R::zero());
        slope = R::of(4.0) * lambda * f - d8;
        let curve = R::of(12.0) * (lambda * lambda) - R::of(4.0);
        let root = (R::of(9.0) * slope * slope - R::of(12.0) * value * curve).max(R::zero()).sqrt();
        let all = (slope.max(R::zero()) + root).max(R::of(4.0 * LEAST_SLOPE));
        lambda = lambda - R::of(4.0) * value / all;
    }
    let slope = slope.max(R::of(LEAST_SLOPE));
    lambda + (R::of(NOISE) / slope).max(R::of(LITTLE))
}

/// A symmetric 4 x 4 matrix, its upper half.
struct Symmetric<R> {
    diagonal: [R; 4],
    /// 01, 02, 03, 12, 13, 23.
    above: [R; 6],
}

impl<R: Real> Symmetric<R> {
    /// The adjugate of λ - K.
    #[inline(always)]
    fn adjugate(&[a0, a1, a2]: &Matrix<R>, lambda: R) -> Self {
        let (m01, m02, m03) = (a2.y - a1.z, a0.z - a2.x, a1.x - a0.y);
        let (m12, m13, m23) = (-(a0.y + a1.x), -(a2.x + a0.z), -(a1.z + a2.y));
        let m00 = lambda - (a0.x + a1.y + a2.z);
        let m11 = lambda - (a0.x - a1.y - a2.z);
        let m22 = lambda - (a1.y - a0.x - a2.z);
        let m33 = lambda - (a2.z - a0.x - a1.y);
        // By the 2 x 2 minors of the upper and the lower half.
        let s0 = m00 * m11 - m01 * m01;
        let s1 = m00 * m12 - m01 * m02;
        let s2 = m00 * m13 - m01 * m03;
        let s3 = m01 * m12 - m11 * m02;
        let s4 = m01 * m13 - m11 * m03;
        let s5 = m02 * m13 - m12 * m03;
        let c5 = m22 * m33 - m23 * m23;
        let c4 = m12 * m33 - m13 * m23;
        let c3 = m12 * m23 - m13 * m22;
        let c2 = m02 * m33 - m03 * m23;
        let c1 = m02 * m23 - m03 * m22;
        let b00 = m11 * c5 - m12 * c4 + m13 * c3;
        let b01 = m02 * c4 - m01 * c5 - m03 * c3;
        let b02 = m13 * s5 - m23 * s4 + m33 * s3;
        let b03 = m22 * s4 - m12 * s5 - m23 * s3;
        let b11 = m00 * c5 - m02 * c2 + m03 * c1;
        let b12 = m23 * s2 - m03 * s5 - m33 * s1;
        let b13 = m02 * s5 - m22 * s2 + m23 * s1;
        let b22 = m03 * s4 - m13 * s2 + m33 * s0;
        let b23 = m12 * s2 - m02 * s4 - m23 * s0;
        let b33 = m02 * s3 - m12 * s1 + m22 * s0;
        Self { diagonal: [b00, b11, b22, b33], above: [b01, b02, b03, b12, b13, b23] }
    }

    /// The longest column, multiplied by the matrix twice more.
    #[inline(always)]
    fn dominant(&self) -> [R; 4] {
        let [b00, b11, b22, b33] = self.diagonal;
        let [b01, b02, b03, b12, b13, b23] = self.above;
        let mut q = [b00, b01, b02, b03];
        let mut longest = b00;
        for (diagonal, column) in
            [(b11, [b01, b11, b12, b13]), (b22, [b02, b12, b22, b23]), (b33, [b03, b13, b23, b33])]
        {
            let longer = longest.lt(diagonal);
            longest = longest.max(diagonal);
            for (q, c) in q.iter_mut().zip(column) {
                *q = R::select(longer, c, *q);
            }
        }
        let trace = b00 + b11 + b22 + b33;
        let unit = R::select(R::of(LEAST_TRACE).lt(trace), R::of(1.0) / trace, R::zero());
        for q in &mut q {
            *q = *q * unit;
        }
        for _ in 0..2 {
            let [w, x, y, z] = q;
            q = [
                (b00 * w + b01 * x + b02 * y + b03 * z) * unit,
                (b01 * w + b11 * x + b12 * y + b13 * z) * unit,
                (b02 * w + b12 * x + b22 * y + b23 * z) * unit,
                (b03 * w + b13 * x + b23 * y + b33 * z) * unit,
            ];
        }
        q
    }
}
