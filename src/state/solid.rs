//! Mass properties of a closed surface: volume, center of mass, principal axes and moments.
//!
//! Every triangle makes a tetrahedron with a point of the surface; with its corners a b c from there and v = a·(b × c) / 6
//!
//! ```text
//! ∫ x xᵀ dV = v/20 (s sᵀ + a aᵀ + b bᵀ + c cᵀ),  s = a + b + c;     I = tr(S) - S about the center
//! ```
//!
//! (Tonon, *Explicit exact formulas for the 3-D tetrahedron inertia tensor*, 2004.) The axes come from Jacobi rotations.

use crate::math::{Quat, UPRIGHT, Vec3};
use crate::mesh::{point, sorted};
use std::collections::HashMap;

/// A homogeneous solid of density one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// m³; also its mass (kg).
    pub volume: f64,
    /// Center of mass (m).
    pub center: [f64; 3],
    /// Principal moments (kg m²).
    pub inertia: [f64; 3],
    /// The principal axes, as a turn x y z w of the own axes.
    pub axes: [f64; 4],
}

impl Solid {
    /// One whose principal axes are its own, around its center.
    pub(super) fn upright(volume: f64, inertia: [f64; 3]) -> Self {
        Self { volume, center: [0.0; 3], inertia, axes: UPRIGHT }
    }
}

/// The solid within a surface; of one that is open, or encloses nothing, nothing.
pub fn solid_of_mesh(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Option<Solid> {
    let mut open: HashMap<[u32; 2], i32> = HashMap::new();
    for &[a, b, c] in triangles {
        for [i, j] in [[a, b], [b, c], [c, a]] {
            *open.entry(sorted([i, j])).or_default() += if i < j { 1 } else { -1 };
        }
    }
    let first = *triangles.first()?;
    if open.values().any(|&count| count != 0) {
        return None;
    }
    let at = |i: u32| point(positions, i);
    let origin = at(first[0]);
    let (mut volume, mut first_moment) = (0.0_f64, Vec3::zero());
    let mut second = [[0.0; 3]; 3];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| at(i) - origin);
        let v = a.dot(b.cross(c)) / 6.0;
        let s = a + b + c;
        volume += v;
        first_moment += s * (v / 4.0);
        for p in [s, a, b, c] {
            let p = [p.x, p.y, p.z];
            for i in 0..3 {
                for j in 0..3 {
                    second[i][j] += v / 20.0 * p[i] * p[j];
                }
            }
        }
    }
    if volume.is_nan() || volume <= 0.0 {
        return None;
    }
    let c = first_moment * (1.0 / volume);
    let mean = [c.x, c.y, c.z];
    for i in 0..3 {
        for j in 0..3 {
            second[i][j] -= volume * mean[i] * mean[j];
        }
    }
    let axes = jacobi(&mut second);
    let [a, b, c] = std::array::from_fn(|i| second[i][i]);
    let inertia = [b + c, c + a, a + b];
    let center = origin + Vec3::of(mean);
    inertia.iter().all(|i| *i > 0.0).then_some(Solid {
        volume,
        center: [center.x, center.y, center.z],
        inertia,
        axes: axes.to_array(),
    })
}

/// The solid of several, each with the place and the orientation of its own frame.
pub(super) fn solid_of_parts(parts: &[(Solid, [f64; 3], [f64; 4])]) -> Option<Solid> {
    let volume: f64 = parts.iter().map(|(solid, ..)| solid.volume).sum();
    let center_of = |(solid, position, orientation): &(Solid, [f64; 3], [f64; 4])| {
        Vec3::of(*position) + Quat::of(*orientation).rotate(Vec3::of(solid.center))
    };
    let mut center = Vec3::<f64>::zero();
    parts.iter().for_each(|part| center += center_of(part) * (part.0.volume / volume));
    let mut inertia = [[0.0; 3]; 3];
    for part in parts {
        let (Solid { volume, inertia: moments, axes, .. }, _, orientation) = part;
        let turned: Quat<f64> = Quat::of(*orientation) * Quat::of(*axes);
        let columns = turned.columns().map(Vec3::to_array);
        let d = center_of(part) - center;
        let (square, d) = (d.dot(d), d.to_array());
        for i in 0..3 {
            for j in 0..3 {
                let own: f64 = (0..3).map(|k| moments[k] * columns[k][i] * columns[k][j]).sum();
                let level = if i == j { square } else { 0.0 };
                inertia[i][j] += own + volume * (level - d[i] * d[j]);
            }
        }
    }
    let axes = jacobi(&mut inertia);
    let inertia = std::array::from_fn(|i| inertia[i][i]);
    Some(Solid { volume, center: center.to_array(), inertia, axes: axes.to_array() })
}

/// Makes a symmetric matrix diagonal by turning its axes; returns the turn.
fn jacobi(m: &mut [[f64; 3]; 3]) -> Quat<f64> {
    let mut q = Quat::identity();
    for sweep in 0..30 {
        let (i, j) = [(0, 1), (1, 2), (2, 0)][sweep % 3];
        if m[i][j].abs() <= 1e-15 * (m[0][0] + m[1][1] + m[2][2]).abs() {
            continue;
        }
        // The half angle's tangent, of the smaller of the two turns.
        let theta = (m[j][j] - m[i][i]) / (2.0 * m[i][j]);
        let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
        let t = if theta == 0.0 { 1.0 } else { t };
        let c = 1.0 / (t * t + 1.0).sqrt();
        let s = t * c;
        let old = *m;
        for k in 0..3 {
            m[k][i] = c * old[k][i] - s * old[k][j];
            m[k][j] = s * old[k][i] + c * old[k][j];
        }
        let half = *m;
        for k in 0..3 {
            m[i][k] = c * half[i][k] - s * half[j][k];
            m[j][k] = s * half[i][k] + c * half[j][k];
        }
        // The columns i and j of the axes turned by atan(t) about the third, from j towards i.
        let axis = 3 - i - j;
        let (cos, sin) = (((1.0 + c) / 2.0).sqrt(), s / (2.0 * (1.0 + c)).sqrt());
        let mut turn = [0.0, 0.0, 0.0, cos];
        turn[axis] = -sin;
        q = q * Quat::of(turn);
    }
    q.normalized()
}
