//! Skins: a finer surface for the eye that rides on the particles of a coarse mesh.
//!
//! A vertex keeps its barycentric coordinates in the tetrahedron nearest to it, or in the nearest triangle with its distance
//! along the normal. It is drawn and written to files, and does nothing else.

use super::nearest::Nearest;
use crate::math::Vec3;
use crate::mesh::point;

/// A surface that rides on particles.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// The particles each vertex hangs on, with their weights; the last is zero on a triangle.
    vertices: Vec<([u32; 4], [f32; 4])>,
    /// How far each vertex lies off its triangle (m); empty on tetrahedra.
    offsets: Vec<f32>,
    triangles: Vec<[u32; 3]>,
}

impl Skin {
    /// Binds `vertices` (m) to `tetrahedra`, or where there are none to `surface`, of particles at `positions` (m).
    /// `None` where there is nothing of any size to bind to.
    ///
    /// # Panics
    /// If an element names a particle that has no position.
    pub fn bind(
        positions: &[[f32; 3]],
        tetrahedra: &[[u32; 4]],
        surface: &[[u32; 3]],
        vertices: &[[f32; 3]],
        triangles: &[[u32; 3]],
    ) -> Option<Self> {
        let mut skin = Self { triangles: triangles.to_vec(), ..Self::default() };
        let tree = match tetrahedra.is_empty() {
            true => tree(positions, surface, |t, p| on_triangle(positions, t, p).is_some()),
            false => tree(positions, tetrahedra, |t, p| in_tetrahedron(positions, t, p).is_some()),
        };
        // A vertex is mostly near the one before it.
        let mut guess = None;
        for vertex in vertices {
            let p = Vec3::of(vertex.map(f64::from));
            if tetrahedra.is_empty() {
                let bind = |i: u32| on_triangle(positions, surface[i as usize], p);
                guess = tree.find(*vertex, guess, |i| Some(bind(i)?.0));
                let (_, corners, weights, offset) = bind(guess?)?;
                skin.vertices.push((corners, weights));
                skin.offsets.push(offset);
            } else {
                let bind = |i: u32| in_tetrahedron(positions, tetrahedra[i as usize], p);
                guess = tree.find(*vertex, guess, |i| Some(bind(i)?.0));
                let (_, corners, weights) = bind(guess?)?;
                skin.vertices.push((corners, weights));
            }
        }
        Some(skin)
    }

    /// The triangles, by the skin's own vertices.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The number of vertices.
    pub fn count(&self) -> usize {
        self.vertices.len()
    }

    /// The particle that each vertex hangs on, one of them: what is seen of the particle is seen there.
    pub fn carriers(&self) -> impl Iterator<Item = u32> + '_ {
        self.vertices.iter().map(|([i, ..], _)| *i)
    }

    /// Where the vertices are (m) when the particles are at `positions`.
    ///
    /// # Panics
    /// If there are fewer positions than particles.
    pub fn positions(&self, positions: &[[f32; 3]]) -> Vec<[f32; 3]> {
        let place = |(i, (corners, weights)): (usize, &([u32; 4], [f32; 4]))| {
            let mut x = Vec3::zero();
            for (&corner, &weight) in corners.iter().zip(weights) {
                x += point(positions, corner) * f64::from(weight);
            }
            if let Some(&offset) = self.offsets.get(i) {
                let [a, b, c, _] = corners.map(|i| point(positions, i));
                let normal = (b - a).cross(c - a);
                let size = normal.length();
                if size > 0.0 {
                    x += normal * (f64::from(offset) / size);
                }
            }
            [x.x, x.y, x.z].map(|v| v as f32)
        };
        self.vertices.iter().enumerate().map(place).collect()
    }
}

/// A tree over the elements to which a point can be bound.
fn tree<const N: usize>(
    positions: &[[f32; 3]],
    elements: &[[u32; N]],
    binds: impl Fn([u32; N], Vec3<f64>) -> bool,
) -> Nearest {
    let elements = (0..).zip(elements).filter(|(_, t)| binds(**t, point(positions, t[0])));
    Nearest::new(elements.map(|(i, t)| (i, t.map(|i| positions[i as usize]))))
}

/// How far outside a tetrahedron a point is (zero: inside), and its barycentric coordinates; nothing of a flat one.
fn in_tetrahedron(
    positions: &[[f32; 3]],
    corners: [u32; 4],
    p: Vec3<f64>,
) -> Option<(f64, [u32; 4], [f32; 4])> {
    let [a, b, c, d] = corners.map(|i| point(positions, i));
    let six =
        |a: Vec3<f64>, b: Vec3<f64>, c: Vec3<f64>, d: Vec3<f64>| (b - a).dot((c - a).cross(d - a));
    let all = six(a, b, c, d);
    let weights = [six(p, b, c, d), six(a, p, c, d), six(a, b, p, d), six(a, b, c, p)];
    let weights = weights.map(|v| v / all);
    let finite = weights.iter().all(|w| w.is_finite());
    // Outside, the distance to the center decides; inside, none does.
    let least = weights.iter().copied().fold(f64::INFINITY, f64::min);
    let away = p - (a + b + c + d) * 0.25;
    let distance = if least >= -1e-9 { 0.0 } else { away.length() };
    finite.then_some((distance, corners, weights.map(|w| w as f32)))
}

/// How far a point is from a triangle, its barycentric coordinates on it, and its height over it; nothing of a flat one.
fn on_triangle(
    positions: &[[f32; 3]],
    [i, j, k]: [u32; 3],
    p: Vec3<f64>,
) -> Option<(f64, [u32; 4], [f32; 4], f32)> {
    let [a, b, c] = [i, j, k].map(|i| point(positions, i));
    let normal = (b - a).cross(c - a);
    let square = normal.dot(normal);
    if square <= 0.0 {
        return None;
    }
    let height = (p - a).dot(normal) / square.sqrt();
    let v = (c - b).cross(p - b).dot(normal) / square;
    let w = (a - c).cross(p - c).dot(normal) / square;
    let weights = [v, w, 1.0 - v - w];
    // The nearest point of the triangle, near enough: coordinates held at zero and brought back to a sum of one.
    let held = weights.map(|v| v.max(0.0));
    let sum: f64 = held.iter().sum();
    let nearest = a * (held[0] / sum) + b * (held[1] / sum) + c * (held[2] / sum);
    let [v, w, u] = weights.map(|v| v as f32);
    Some(((p - nearest).length(), [i, j, k, i], [v, w, u, 0.0], height as f32))
}
