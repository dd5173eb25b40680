//! The distance of two convex shapes by their support mappings (Gilbert, Johnson and Keerthi, *A Fast Procedure for Computing
//! the Distance Between Complex Objects in Three-Dimensional Space*, 1988; simplices after Ericson, *Real-Time Collision
//! Detection*, 2005, section 9.5), in f64.
//!
//! ```text
//! v_k = the point of the simplex nearest to 0,   w_k = support(-v_k);   |v|² - v·w bounds the error of |v|²
//! ```

use crate::collision::{Feature, closest_point};
use crate::math::{Real, Vec3};
use crate::mesh::Exact;

/// The most corners that are tried.
const MOST: usize = 32;
/// The relative error of a square of a distance.
const CLOSE: f64 = 1e-9;

/// The shortest vector of a convex set of which `support` gives the point farthest along a direction; nothing where it
/// contains the origin. `first` is any direction.
pub(super) fn shortest(first: Exact, support: impl Fn(Exact) -> Exact) -> Option<Exact> {
    let mut v = support(first);
    let mut simplex = Simplex { points: [v; 4], count: 1 };
    let mut largest = v.dot(v);
    for _ in 0..MOST {
        let (w, square) = (support(-v), v.dot(v));
        let known = simplex.points[..simplex.count].contains(&w);
        if known || square - v.dot(w) <= CLOSE * square {
            break;
        }
        simplex.points[simplex.count] = w;
        simplex.count += 1;
        v = simplex.nearest()?;
        largest = largest.max(w.dot(w));
    }
    // What is shorter than the digits of the points is none.
    (v.dot(v) > 1e-13 * largest).then_some(v)
}

/// At most four corners.
struct Simplex {
    points: [Exact; 4],
    count: usize,
}

impl Simplex {
    /// Its point nearest to the origin, and leaves only the corners between which that lies; nothing where the origin is within.
    fn nearest(&mut self) -> Option<Exact> {
        let [a, b, c, _] = self.points;
        match self.count {
            1 => Some(a),
            2 => {
                let d = b - a;
                let t = (-a.dot(d)).over_positive(d.dot(d));
                Some(match t {
                    t if t <= 0.0 => self.keep(&[a], a),
                    t if t >= 1.0 => self.keep(&[b], b),
                    t => a + d * t,
                })
            }
            3 => Some(self.of_triangle([a, b, c])),
            _ => {
                let faces = [[1, 2, 3, 0], [0, 2, 3, 1], [0, 1, 3, 2], [0, 1, 2, 3]];
                let mut best: Option<(f64, [Exact; 3])> = None;
                for face in faces {
                    let [a, b, c, other] = face.map(|i| self.points[i]);
                    let n = (b - a).cross(c - a);
                    if n.dot(-a) * n.dot(other - a) > 0.0 {
                        continue;
                    }
                    let (p, _) = closest_point(Vec3::zero(), [a, b, c]);
                    if best.is_none_or(|(square, _)| p.dot(p) < square) {
                        best = Some((p.dot(p), [a, b, c]));
                    }
                }
                best.map(|(_, triangle)| self.of_triangle(triangle))
            }
        }
    }

    fn of_triangle(&mut self, [a, b, c]: [Exact; 3]) -> Exact {
        let corners = [a, b, c];
        let (p, part) = closest_point(Vec3::zero(), corners);
        match part {
            Feature::Face => self.keep(&corners, p),
            Feature::Side(k) => self.keep(&[corners[k], corners[(k + 1) % 3]], p),
            Feature::Corner(k) => self.keep(&[corners[k]], p),
        }
    }

    fn keep(&mut self, corners: &[Exact], nearest: Exact) -> Exact {
        self.points[..corners.len()].copy_from_slice(corners);
        self.count = corners.len();
        nearest
    }
}
