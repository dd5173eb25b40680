//! The convex hull of points: triangles by beneath-beyond, the farthest point first, then flat neighbours merged into polygons.
//!
//! ```text
//! take the point farthest out of the hull so far; what sees it goes; its rim and the point are the new triangles
//! ```
//!
//! (Barber, Dobkin and Huhdanpaa, *The Quickhull Algorithm for Convex Hulls*, 1996; here over all faces, so that the corners
//! left out where there are too many are the ones that matter least.) Own code, in f64 and in sorted order: the same bits in
//! every build and for every order of the points.

use crate::math::Vec3;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) type Exact = Vec3<f64>;

/// The most corners of a body's hull; of more, those that stand off least are left out.
pub(crate) const MOST_HULL_CORNERS: usize = 64;

/// What stands off by less than this is on the hull, in parts of its size.
const ON: f64 = 1e-5;
/// What stands off by less than this does not see a face: rounding, in parts of the hull's size.
const BLUR: f64 = 1e-10;
/// Faces closer to one plane than this are one, in parts of the hull's size.
const FLAT: f64 = 2e-5;
/// Hulls thinner than this are none, in parts of their size.
const THIN: f64 = 2e-4;

/// A convex polyhedron.
pub(crate) struct Convex {
    pub(crate) corners: Vec<Exact>,
    /// Corners of each face, around it as seen from outside.
    pub(crate) faces: Vec<Vec<u32>>,
    /// How far the farthest point that was left out stands off (m).
    #[cfg_attr(not(test), allow(dead_code))]
    // what docs/rigid.md states of meshes is measured by tests
    pub(crate) left_out: f64,
}

impl Convex {
    /// Its faces as triangles, wound outward: a fan of each.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        self.faces
            .iter()
            .flat_map(|face| face[1..].windows(2).map(|pair| [face[0], pair[0], pair[1]]))
    }
}

/// A triangle of the hull so far.
struct Face {
    corners: [u32; 3],
    normal: Exact,
    offset: f64,
}

impl Face {
    fn new(points: &[Exact], corners: [u32; 3]) -> Self {
        let [a, b, c] = corners.map(|i| points[i as usize]);
        let normal = (b - a).cross(c - a);
        let length = normal.length();
        let normal = normal * if length > 0.0 { 1.0 / length } else { 0.0 };
        Self { corners, normal, offset: normal.dot(a) }
    }

    fn above(&self, p: Exact) -> f64 {
        self.normal.dot(p) - self.offset
    }

    fn sides(&self) -> [[u32; 2]; 3] {
        let [a, b, c] = self.corners;
        [[a, b], [b, c], [c, a]]
    }
}

/// The last of the largest: of equals in sorted order a corner, not what lies between.
fn farthest(points: &[Exact], measure: impl Fn(Exact) -> f64) -> (usize, f64) {
    let mut best = (0, f64::NEG_INFINITY);
    for (i, p) in points.iter().enumerate() {
        let m = measure(*p);
        if m >= best.1 {
            best = (i, m);
        }
    }
    best
}

/// The faces of a first tetrahedron; none of points that are flat to `thin` (m).
fn tetrahedron(points: &[Exact], thin: f64) -> Option<[[u32; 3]; 4]> {
    let (low, high) = (points[0], points[points.len() - 1]);
    let line = high - low;
    let (c, width) = farthest(points, |p| line.cross(p - low).length());
    if width <= thin * line.length() {
        return None;
    }
    let up = line.cross(points[c] - low);
    let up = up * (1.0 / up.length());
    let (d, height) = farthest(points, |p| up.dot(p - low).abs());
    if height <= thin {
        return None;
    }
    let (a, b, c, d) = (0, points.len() as u32 - 1, c as u32, d as u32);
    // d lies below the first.
    let (b, c) = match up.dot(points[d as usize] - low) > 0.0 {
        true => (c, b),
        false => (b, c),
    };
    Some([[a, b, c], [a, d, b], [b, d, c], [c, d, a]])
}

/// The [`convex_hull`] of corners (m) by which a mesh touches.
pub(crate) fn hull_of(corners: impl IntoIterator<Item = [f32; 3]>) -> Option<Convex> {
    let points: Vec<Exact> = corners.into_iter().map(|x| Vec3::of(x.map(f64::from))).collect();
    convex_hull(&points, MOST_HULL_CORNERS)
}

/// The hull of points, of no more than `most` corners; what is flat has none.
pub(crate) fn convex_hull(points: &[Exact], most: usize) -> Option<Convex> {
    let mut points = points.to_vec();
    points.sort_unstable_by(|p, q| p.to_array().partial_cmp(&q.to_array()).expect("finite"));
    points.dedup();
    let low = *points.first()?;
    let size = farthest(&points, |p| (p - low).length()).1;
    let (on, thin, blur) = (ON * size, THIN * size, BLUR * size);
    let first = tetrahedron(&points, thin)?;
    let mut faces: Vec<Face> = first.iter().map(|f| Face::new(&points, *f)).collect();
    let mut used: BTreeSet<u32> = first.iter().flatten().copied().collect();
    // How far each point stands off.
    let off = |faces: &[Face], p: Exact| faces.iter().map(|f| f.above(p)).fold(0.0, f64::max);
    let mut outside: Vec<f64> = points.iter().map(|p| off(&faces, *p)).collect();
    while used.len() < most {
        let mut next = (0, on);
        for (i, d) in outside.iter().enumerate() {
            if *d > next.1 {
                next = (i, *d);
            }
        }
        if next.1 <= on {
            break;
        }
        let p = points[next.0];
        let Some(rim) = rim(&faces, p, blur) else {
            // Rounding has folded what it sees: it stays out.
            outside[next.0] = 0.0;
            continue;
        };
        faces.retain(|f| f.above(p) <= blur);
        for (a, b) in rim {
            faces.push(Face::new(&points, [a, b, next.0 as u32]));
        }
        used = faces.iter().flat_map(|f| f.corners).collect();
        for (i, d) in outside.iter_mut().enumerate().filter(|(_, d)| **d > 0.0) {
            *d = off(&faces, points[i]);
        }
    }
    let left_out = points.iter().map(|p| off(&faces, *p)).fold(0.0, f64::max);
    let polygons = polygons(&points, &faces, FLAT * size);
    // Numbered anew.
    let used: BTreeSet<u32> = polygons.iter().flatten().copied().collect();
    let numbers: BTreeMap<u32, u32> = used.iter().copied().zip(0..).collect();
    let renumber = |polygon: Vec<u32>| polygon.iter().map(|i| numbers[i]).collect();
    Some(Convex {
        corners: used.iter().map(|i| points[*i as usize]).collect(),
        faces: polygons.into_iter().map(renumber).collect(),
        left_out,
    })
}

/// The sides of what sees p, where they are one ring.
fn rim(faces: &[Face], p: Exact, blur: f64) -> Option<BTreeMap<u32, u32>> {
    let seen = faces.iter().filter(|f| f.above(p) > blur);
    let sides: BTreeSet<[u32; 2]> = seen.flat_map(Face::sides).collect();
    let open = |[a, b]: &&[u32; 2]| !sides.contains(&[*b, *a]);
    let next: BTreeMap<u32, u32> = sides.iter().filter(open).map(|[a, b]| (*a, *b)).collect();
    let count = sides.iter().filter(open).count();
    let ring = ring(&next)?;
    (ring.len() == count && count >= 3).then_some(next)
}

/// The ring that steps make, if they make one.
fn ring(next: &BTreeMap<u32, u32>) -> Option<Vec<u32>> {
    let first = *next.keys().next()?;
    let mut ring = vec![first];
    let mut at = *next.get(&first)?;
    while at != first && ring.len() < next.len() {
        ring.push(at);
        at = *next.get(&at)?;
    }
    (at == first && ring.len() == next.len()).then_some(ring)
}

/// Triangles that lie in one plane to `flat` (m), the largest first, as polygons without needless corners.
fn polygons(points: &[Exact], faces: &[Face], flat: f64) -> Vec<Vec<u32>> {
    let area = |f: &Face| {
        let [a, b, c] = f.corners.map(|i| points[i as usize]);
        (b - a).cross(c - a).length()
    };
    let behind: BTreeMap<[u32; 2], usize> =
        faces.iter().enumerate().flat_map(|(i, f)| f.sides().map(|side| (side, i))).collect();
    let across = |[a, b]: [u32; 2]| behind.get(&[b, a]).copied();
    let mut order: Vec<usize> = (0..faces.len()).collect();
    let areas: Vec<f64> = faces.iter().map(area).collect();
    order.sort_by(|i, j| areas[*j].total_cmp(&areas[*i]));
    let mut group = vec![usize::MAX; faces.len()];
    let mut out = Vec::new();
    for seed in order {
        if group[seed] != usize::MAX {
            continue;
        }
        let mut members = vec![seed];
        group[seed] = seed;
        let mut k = 0;
        while k < members.len() {
            for side in faces[members[k]].sides() {
                let Some(j) = across(side).filter(|j| group[*j] == usize::MAX) else {
                    continue;
                };
                let near = |i: &u32| faces[seed].above(points[*i as usize]).abs() <= flat;
                // A sliver's normal says nothing.
                let sliver = areas[j] <= flat * flat;
                let alike = sliver || faces[j].normal.dot(faces[seed].normal) > 0.5;
                if alike && faces[j].corners.iter().all(near) {
                    group[j] = seed;
                    members.push(j);
                }
            }
            k += 1;
        }
        let sides = members.iter().flat_map(|i| faces[*i].sides());
        let border: Vec<[u32; 2]> =
            sides.filter(|side| across(*side).is_none_or(|j| group[j] != seed)).collect();
        let next: BTreeMap<u32, u32> = border.iter().map(|[a, b]| (*a, *b)).collect();
        match ring(&next).filter(|ring| ring.len() == border.len()) {
            Some(ring) => out.push(ring),
            None => out.extend(members.iter().map(|i| faces[*i].corners.to_vec())),
        }
    }
    // A corner of two faces alone lies on an edge.
    let mut faces_at: BTreeMap<u32, usize> = BTreeMap::new();
    for i in out.iter().flatten() {
        *faces_at.entry(*i).or_default() += 1;
    }
    for polygon in &mut out {
        polygon.retain(|i| faces_at[i] > 2);
    }
    out.retain(|polygon| polygon.len() > 2);
    out
}
