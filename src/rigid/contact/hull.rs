//! A convex polyhedron in a body's principal frame: what a body that is a mesh touches with.

use super::manifold::Point;
use super::polygon::{bounds, half_extents, largest, side_by_side};
use crate::error::Flaw;
use crate::math::{F32x8, Quat, Real, Vec3, WIDTH, each_lane, lane_bits, pack, unpack};
use crate::mesh::{Convex, Exact, hull_of};
use crate::state::{BOX_FACES, Body, Lanes, Shape, Surface, box_corner};
use std::collections::BTreeMap;

/// A face: n·x <= offset, and its corners around it.
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub(super) normal: Point,
    pub(super) offset: f32,
    pub(super) corners: Vec<u32>,
}

/// A convex polyhedron.
#[derive(Clone, Debug)]
pub(super) struct Hull {
    pub(super) points: Vec<Point>,
    /// The same, side by side.
    pub(super) lanes: Vec<Vec3<F32x8>>,
    pub(super) faces: Vec<Face>,
    /// Two corners and the two faces between which each edge lies.
    pub(super) edges: Vec<[u32; 4]>,
    /// The boxes around eight of them at a time; of none beyond the last.
    pub(super) edge_boxes: Vec<[Vec3<F32x8>; 2]>,
    /// A point inside.
    pub(super) middle: Point,
    /// Half the upright box about the origin.
    pub(super) half: Point,
    pub(super) reach: f32,
    /// How far the nearest face is from the middle.
    pub(super) thin: f32,
}

/// Why a body can touch nothing, if it is a mesh that has no hull.
pub(crate) fn untouchable(body: &Body) -> Option<Flaw> {
    let axes = Quat::of(body.axes);
    let flat = |shape: &Shape, axes| match shape {
        Shape::Mesh(mesh) if Hull::of_mesh(mesh, axes).is_none() => Some(mesh.0.len()),
        _ => None,
    };
    let corners = match &body.shape {
        Shape::Compound(parts) => parts.iter().find_map(|part| flat(&part.shape, axes)),
        shape => flat(shape, axes),
    };
    let rule = "a mesh of so many corners is flat: contacts need the volume of its convex hull";
    corners.map(|corners| ("shape", corners as f64, rule))
}

impl Hull {
    /// The hull of a mesh in the frame of its principal axes; none where the mesh is flat.
    pub(super) fn of_mesh(mesh: &Surface, axes: Quat<f64>) -> Option<Self> {
        Self::new(&hull_of(mesh.0.iter().copied())?, |p| axes.unrotate(p))
    }

    /// A box of half sizes; none where it is too thin in f32.
    pub(super) fn of_box(half: Point) -> Option<Self> {
        let corner = |i: u32| Vec3::of(box_corner(half.to_array(), i).map(f64::from));
        let convex = Convex {
            corners: (0..8).map(corner).collect(),
            faces: BOX_FACES.map(|f| f.to_vec()).to_vec(),
            left_out: 0.0,
        };
        Self::new(&convex, |p| p)
    }

    /// The polyhedron with every corner taken elsewhere.
    fn new(convex: &Convex, turn: impl Fn(Exact) -> Exact) -> Option<Self> {
        let exact: Vec<Exact> = convex.corners.iter().map(|p| turn(*p)).collect();
        let points: Vec<Point> = exact.iter().map(|p| Vec3::of(p.to_array())).collect();
        let of_face = |corners: &Vec<u32>| {
            // Newell's normal.
            let first = exact[corners[0] as usize];
            let mut area = Vec3::zero();
            for pair in corners.windows(2) {
                let [p, q] = [pair[0], pair[1]].map(|i| exact[i as usize] - first);
                area += p.cross(q);
            }
            let normal: Point = Vec3::of((area * (1.0 / area.length())).to_array());
            let along = points.iter().map(|p| p.dot(normal));
            Face {
                normal,
                offset: along.fold(f32::NEG_INFINITY, f32::max),
                corners: corners.clone(),
            }
        };
        let faces: Vec<Face> = convex.faces.iter().map(of_face).collect();
        let mut sides = BTreeMap::new();
        for (f, face) in (0..).zip(&faces) {
            for (k, i) in face.corners.iter().enumerate() {
                sides.insert([*i, face.corners[(k + 1) % face.corners.len()]], f);
            }
        }
        let edge = |([i, j], f): (&[u32; 2], &u32)| {
            let other = sides.get(&[*j, *i])?;
            (i < j).then_some([*i, *j, *f, *other])
        };
        let mut sum = Vec3::zero();
        exact.iter().for_each(|p| sum += *p);
        let middle: Point = Vec3::of((sum * (1.0 / exact.len() as f64)).to_array());
        let (half, reach) = half_extents(&points);
        let mut lanes = Vec::new();
        side_by_side(&points, &mut lanes);
        let depths = faces.iter().map(|f| f.offset - f.normal.dot(middle));
        let thin = depths.fold(f32::INFINITY, f32::min);
        let edges: Vec<[u32; 4]> = sides.iter().filter_map(edge).collect();
        Some(Self {
            edge_boxes: edges.chunks(WIDTH).map(|eight| boxes_around(eight, &points)).collect(),
            edges,
            middle,
            half,
            reach,
            thin,
            faces,
            lanes,
            points,
        })
        // A face without an area has no direction.
        .filter(|hull| hull.thin > 0.0)
    }

    /// Distance and outward normal of the surface at `y`; nothing where it is farther than `within` for certain.
    pub(super) fn surface(&self, y: Point, within: f32) -> Option<(f32, Point)> {
        let heights = self.faces.iter().map(|face| face.normal.dot(y) - face.offset);
        let (height, highest) = largest(heights);
        let above = (height, self.faces[highest].normal);
        if above.0 <= 0.0 {
            return Some(above);
        }
        if above.0 >= within {
            return None;
        }
        let mut nearest = (f32::INFINITY, Vec3::zero());
        for face in &self.faces {
            let d = face.normal.dot(y) - face.offset;
            if d <= 0.0 {
                continue;
            }
            // Where y lies over the face, that is the nearest; else the nearest is on the border of some face that sees y.
            let mut over = true;
            for (p, q) in self.sides(face) {
                let (e, from) = (q - p, y - p);
                if e.cross(from).dot(face.normal) < 0.0 {
                    over = false;
                    let t = e.dot(from).over_positive(e.dot(e));
                    let out = from - e * Real::clamp(t, 0.0, 1.0);
                    let square = out.dot(out);
                    if square < nearest.0 {
                        nearest = (square, out);
                    }
                }
            }
            if over {
                return Some((d, face.normal));
            }
        }
        let distance = nearest.0.sqrt();
        match distance > 0.0 && distance.is_finite() {
            true => Some((distance, nearest.1 * (1.0 / distance))),
            false => Some(above),
        }
    }

    /// [`surface`](Self::surface) of eight points; exact where they are closer than `within`.
    pub(super) fn surface8(&self, y: Vec3<F32x8>, within: F32x8) -> (F32x8, Vec3<F32x8>) {
        let mut above = F32x8::of(-1e30);
        for face in &self.faces {
            let normal = face.normal.to_f64().rounded();
            above = above.max(y.dot(normal) - F32x8::of(f64::from(face.offset)));
        }
        let bits = lane_bits(above.lt(within));
        if bits == 0 {
            return (above, Vec3::zero());
        }
        let (far, limit, columns) = (unpack(above), unpack(within), y.to_array().map(unpack));
        let all: [(f32, Point); WIDTH] = each_lane(|lane| {
            let y = Vec3::from(columns.map(|v| v[lane]));
            let near = bits >> lane & 1 == 1;
            let found = near.then(|| self.surface(y, limit[lane])).flatten();
            found.unwrap_or((far[lane].max(limit[lane]), Vec3::zero()))
        });
        let axis = |k: usize| pack(each_lane(|lane| all[lane].1.to_array()[k]));
        let distance = pack(each_lane(|lane| all[lane].0));
        (distance, Vec3::new(axis(0), axis(1), axis(2)))
    }

    /// The face whose plane is farthest from something, and by how much, as `gap` says; none where one is `reach` from it.
    pub(super) fn widest_face(
        &self,
        reach: f32,
        mut gap: impl FnMut(&Face) -> f32,
    ) -> Option<(f32, usize)> {
        let mut best = (f32::NEG_INFINITY, 0);
        for (i, face) in self.faces.iter().enumerate() {
            let s = gap(face);
            if s >= reach {
                return None;
            }
            if s > best.0 {
                best = (s, i);
            }
        }
        Some(best)
    }

    /// The face that looks most against n.
    pub(super) fn face_against(&self, n: Point) -> &Face {
        let (_, i) = largest(self.faces.iter().map(|face| -face.normal.dot(n)));
        &self.faces[i]
    }

    /// The sides of a face, around it.
    pub(super) fn sides(&self, face: &Face) -> impl Iterator<Item = (Point, Point)> {
        let corners = face.corners.iter().map(|i| self.points[*i as usize]);
        let next = corners.clone().cycle().skip(1);
        corners.zip(next)
    }
}

/// The boxes around up to eight edges between `points`.
fn boxes_around(edges: &[[u32; 4]], points: &[Point]) -> [Vec3<F32x8>; 2] {
    let nothing = [f32::INFINITY, f32::NEG_INFINITY].map(Vec3::splat);
    let around = |[i, j, ..]: &[u32; 4]| bounds(&[points[*i as usize], points[*j as usize]]);
    let boxes = each_lane(|lane| edges.get(lane).map_or(nothing, around));
    [0, 1].map(|end| F32x8::single_vectors(|lane| boxes[lane][end]))
}
