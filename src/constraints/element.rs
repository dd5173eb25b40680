//! Finite elements: the deformation gradient of a triangle or tetrahedron over its rest shape.
//!
//! F = D Q with D the edges x_j - x_0 as columns and Q the inverse of the same at rest, taken in the element's own frame
//! (first axis along the first edge, second in the first triangle): Q is then upper triangular, three numbers of a
//! triangle and six of a tetrahedron in place of four and nine, and the same however the rest shape is turned. Column i
//! of F is f_i = Σ_j q_ji (x_j - x_0), so a function of f_i with derivative h has the gradient q_ji h at point j and the
//! negative sum at point 0.
//!
//! Rest shapes are measured in f64. One without area or volume has no Q and is refused; so is one of less than a
//! ten-millionth of its longest edge squared or cubed, which is what f32 positions leave of zero.

use super::ValidationError;
use crate::math::{Real, Vec3};

/// Less than this part of the longest edge's square or cube is rounding.
const FLAT: f64 = 1e-7;

/// The area of a triangle (m²).
pub(super) fn rest_area([a, b, c]: [Vec3<f64>; 3]) -> Result<f64, ValidationError> {
    let area = (b - a).cross(c - a).length() / 2.0;
    let longest = [b - a, c - a, c - b].map(Vec3::length);
    let longest = longest.into_iter().fold(0.0, f64::max);
    if area > FLAT * longest * longest {
        Ok(area)
    } else {
        Err(ValidationError {
            name: "rest_area",
            value: area,
            rule: "the triangle must not be flat at rest",
        })
    }
}

/// The signed volume of a tetrahedron (m³).
pub(super) fn rest_volume([a, b, c, d]: [Vec3<f64>; 4]) -> Result<f64, ValidationError> {
    let volume = (b - a).dot((c - a).cross(d - a)) / 6.0;
    let longest = [b - a, c - a, d - a, c - b, d - b, d - c].map(Vec3::length);
    let longest = longest.into_iter().fold(0.0, f64::max);
    if volume.abs() > FLAT * longest.powi(3) {
        Ok(volume)
    } else {
        Err(ValidationError {
            name: "rest_volume",
            value: volume,
            rule: "the tetrahedron must not be flat at rest",
        })
    }
}

/// Q of a triangle: [q00, q01, q11] (1/m).
pub(super) fn triangle_inverse([a, b, c]: [Vec3<f64>; 3]) -> Result<[f64; 3], ValidationError> {
    let area = rest_area([a, b, c])?;
    let (e1, e2) = (b - a, c - a);
    let length = e1.length();
    let (along, height) = (e1.dot(e2) / length, 2.0 * area / length);
    Ok([1.0 / length, -along / (length * height), 1.0 / height])
}

/// Q of a tetrahedron: [q00, q01, q11, q02, q12, q22] (1/m).
pub(super) fn tetrahedron_inverse(
    [a, b, c, d]: [Vec3<f64>; 4],
) -> Result<[f64; 6], ValidationError> {
    let volume = rest_volume([a, b, c, d])?;
    let [q00, q01, q11] = triangle_inverse([a, b, c])?;
    let (e1, e2, e3) = (b - a, c - a, d - a);
    // The frame: e3 = (along, across, up).
    let (x, y) = (e1 * q00, e1 * q01 + e2 * q11);
    let (along, across) = (e3.dot(x), e3.dot(y));
    let up = 6.0 * volume * q00 * q11;
    let q02 = -(q00 * along + q01 * across) / up;
    let q12 = -(q11 * across) / up;
    Ok([q00, q01, q11, q02, q12, 1.0 / up])
}

/// The columns f_0, f_1 of a triangle's F.
#[inline(always)]
pub(super) fn triangle_columns<R: Real>(
    [a, b, c]: [Vec3<R>; 3],
    [q00, q01, q11]: [R; 3],
) -> [Vec3<R>; 2] {
    let (e1, e2) = (b - a, c - a);
    [e1 * q00, e1 * q01 + e2 * q11]
}

/// The columns f_0, f_1, f_2 of a tetrahedron's F.
#[inline(always)]
pub(super) fn tetrahedron_columns<R: Real>(
    [a, b, c, d]: [Vec3<R>; 4],
    [q00, q01, q11, q02, q12, q22]: [R; 6],
) -> [Vec3<R>; 3] {
    let (e1, e2, e3) = (b - a, c - a, d - a);
    [e1 * q00, e1 * q01 + e2 * q11, e1 * q02 + e2 * q12 + e3 * q22]
}

/// The gradient at the points of something with derivatives h_i by f_i, of a triangle.
#[inline(always)]
pub(super) fn triangle_gradient<R: Real>(
    [h0, h1]: [Vec3<R>; 2],
    [q00, q01, q11]: [R; 3],
) -> [Vec3<R>; 3] {
    let (g1, g2) = (h0 * q00 + h1 * q01, h1 * q11);
    [-(g1 + g2), g1, g2]
}

/// The gradient at the points of something with derivatives h_i by f_i, of a tetrahedron.
#[inline(always)]
pub(super) fn tetrahedron_gradient<R: Real>(
    [h0, h1, h2]: [Vec3<R>; 3],
    [q00, q01, q11, q02, q12, q22]: [R; 6],
) -> [Vec3<R>; 4] {
    let g1 = h0 * q00 + h1 * q01 + h2 * q02;
    let g2 = h1 * q11 + h2 * q12;
    let g3 = h2 * q22;
    [-(g1 + g2 + g3), g1, g2, g3]
}
