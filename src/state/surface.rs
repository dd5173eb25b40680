//! Shapes as triangles, to be drawn.

use super::shape::{Part, Shape};
use crate::math::{Quat, Vec3};

/// Segments around what is round, and from the pole of a ball to its equator.
const ROUND: [u32; 2] = [16, 5];

impl Shape {
    /// Whether its surface is round.
    pub fn is_round(&self) -> bool {
        matches!(self, Self::Sphere(_) | Self::Capsule(_) | Self::Cylinder(_) | Self::Cone(_))
    }

    /// Corners (m) and triangles, wound outward.
    pub fn surface(&self) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
        self.surface_of(ROUND)
    }

    /// The same, with so many segments around what is round, and from the pole of a ball to its equator.
    pub fn surface_of(&self, round: [u32; 2]) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
        match self {
            Self::Box(half) => cuboid(half.map(|v| v as f32)),
            Self::Sphere(r) => pill(*r as f32, 0.0, round),
            Self::Capsule([r, h]) => pill(*r as f32, *h as f32, round),
            Self::Cylinder([r, h]) => frustum([-*h, *h], [*r, *r], round[0]),
            Self::Cone([r, h]) => frustum([-0.5 * h, 1.5 * h], [*r, 0.0], round[0]),
            Self::Compound(parts) => {
                let (mut points, mut triangles) = (Vec::new(), Vec::new());
                for Part { shape, position, orientation } in parts.iter() {
                    let (own, faces) = shape.surface_of(round);
                    let first = points.len() as u32;
                    let [x, y, z] = position.map(|v| v as f32);
                    let [a, b, c, d] = orientation.map(|v| v as f32);
                    points.extend(own.into_iter().map(|p| at_pose([x, y, z, a, b, c, d], p)));
                    triangles.extend(faces.into_iter().map(|face| face.map(|i| first + i)));
                }
                (points, triangles)
            }
            Self::Mesh(mesh) => (mesh.0.clone(), mesh.1.clone()),
            Self::None => (Vec::new(), Vec::new()),
        }
    }
}

/// The faces of a box as its corners, wound outward.
pub(crate) const BOX_FACES: [[u32; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// The i-th corner of a box of half sizes.
pub(crate) fn box_corner(half: [f32; 3], i: u32) -> [f32; 3] {
    std::array::from_fn(|k| if i >> k & 1 == 1 { half[k] } else { -half[k] })
}

fn cuboid(half: [f32; 3]) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let split = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
    ((0..8).map(|i| box_corner(half, i)).collect(), BOX_FACES.into_iter().flat_map(split).collect())
}

/// A ball of radius `r`; where `h` is not zero cut at its equator, its halves `h` up and down along y.
fn pill(r: f32, h: f32, [around, rings]: [u32; 2]) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    // Rings from the north pole to the equator, and from there to the south pole; the equator of a capsule twice.
    let cut = h > 0.0;
    for ring in 0..2 * rings + 1 + u32::from(cut) {
        let south = cut && ring > rings;
        let step = if south { ring - 1 } else { ring };
        let (sine, cosine) = turn(f64::from(step) / f64::from(4 * rings));
        for i in 0..around {
            let (z, x) = turn(f64::from(i) / f64::from(around));
            let y = r * cosine + if south { -h } else { h };
            points.push([r * sine * x, y, r * sine * z]);
            if ring > 0 {
                let next = (i + 1) % around;
                let [a, b] = [i, next].map(|i| (ring - 1) * around + i);
                let [c, d] = [i, next].map(|i| ring * around + i);
                triangles.extend([[a, b, d], [a, d, c]]);
            }
        }
    }
    (points, triangles)
}

/// What is round between two heights along y of these radii. The side and the ends share no corner, so that the rims stay sharp.
fn frustum(ends: [f64; 2], radii: [f64; 2], around: u32) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    let [upper, lower] = [(radii[1], ends[1]), (radii[0], ends[0])];
    for rings in [[(0.0, ends[1]), upper], [upper, lower], [lower, (0.0, ends[0])]] {
        let first = points.len() as u32;
        for i in 0..around {
            let (z, x) = turn(f64::from(i) / f64::from(around));
            points.extend(rings.map(|(r, y)| [r as f32 * x, y as f32, r as f32 * z]));
            let [a, b] = [i, (i + 1) % around].map(|i| first + 2 * i);
            let both = [[a, b, b + 1], [a, b + 1, a + 1]];
            // Where a ring is a point, one of the two triangles is none.
            let sides = both.into_iter().zip([rings[0].0, rings[1].0]);
            triangles.extend(sides.filter(|(_, radius)| *radius > 0.0).map(|(t, _)| t));
        }
    }
    (points, triangles)
}

/// Where a body of that pose carries a point of its own frame (m).
pub fn at_pose([x, y, z, qx, qy, qz, qw]: [f32; 7], point: [f32; 3]) -> [f32; 3] {
    let arm = Quat::new(qx, qy, qz, qw).rotate(Vec3::from(point));
    (arm + Vec3::new(x, y, z)).to_array()
}

/// Sine and cosine of a part of a whole turn, from the exponential map: the same on every machine.
fn turn(part: f64) -> (f32, f32) {
    let quarter = Quat::exp(Vec3::new(core::f64::consts::PI * part, 0.0, 0.0));
    let half = quarter * quarter;
    let whole = half * half;
    (whole.x as f32, whole.w as f32)
}
