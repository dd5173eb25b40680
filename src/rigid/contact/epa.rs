//! How deep two convex shapes overlap, by their support mappings (van den Bergen, *Proximity Queries and Penetration Depth
//! Computation on 3D Game Objects*, GDC 2001), in f64.
//!
//! A polytope within the set of differences a - b grows where its nearest face is, until the set reaches no farther there. The
//! distance of a face from the origin has a sign, so that the origin need not be within at first.

use crate::math::Vec3;
use crate::mesh::Exact;

/// The most corners that are added.
const MOST: usize = 64;
/// What is thinner than this, of its size, is flat.
const FLAT: f64 = 1e-12;

/// A triangle: its corners, its outward normal and how far it lies from the origin along that.
struct Face {
    corners: [usize; 3],
    normal: Exact,
    offset: f64,
}

impl Face {
    fn new(points: &[Exact], corners: [usize; 3]) -> Option<Self> {
        let [p, q, r] = corners.map(|i| points[i]);
        let (e, d) = (q - p, r - p);
        let out = e.cross(d);
        let length = out.length();
        (length > FLAT * e.length() * d.length()).then(|| {
            let normal = out * (1.0 / length);
            Self { corners, normal, offset: normal.dot(p) }
        })
    }
}

/// The outward direction along which a convex set that contains the origin, and of which `support` gives the farthest point
/// along a direction, reaches the least far, to `tolerance`; none where the set is flat.
pub(super) fn least_reach(tolerance: f64, support: impl Fn(Exact) -> Exact) -> Option<Exact> {
    let mut points = tetrahedron(&support)?;
    let corners = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
    let mut faces = Vec::with_capacity(2 * MOST);
    for corners in corners {
        faces.push(Face::new(&points, corners)?);
    }
    let mut edges: Vec<[usize; 2]> = Vec::with_capacity(MOST);
    loop {
        let nearest = faces.iter().min_by(|f, g| f.offset.total_cmp(&g.offset))?;
        let normal = nearest.normal;
        let point = support(normal);
        if normal.dot(point) - nearest.offset <= tolerance || points.len() >= MOST {
            return Some(normal);
        }
        // The faces that see the new point go; it is joined to the edges around them.
        edges.clear();
        faces.retain(|face| {
            let sees = face.normal.dot(point) > face.offset + FLAT * point.length();
            let [p, q, r] = face.corners;
            edges.extend([[p, q], [q, r], [r, p]].into_iter().filter(|_| sees));
            !sees
        });
        points.push(point);
        for [p, q] in edges.iter().filter(|[p, q]| !edges.contains(&[*q, *p])) {
            let Some(face) = Face::new(&points, [*p, *q, points.len() - 1]) else {
                return Some(normal);
            };
            faces.push(face);
        }
    }
}

/// Four points of the set that are not in one plane; 0, 1, 2 are counterclockwise seen from beyond 3.
fn tetrahedron(support: impl Fn(Exact) -> Exact) -> Option<Vec<Exact>> {
    // The farther of the two points along d and against it, and how far that is from p.
    let farther = |d: Exact, p: Exact| {
        let both = [support(d), support(-d)].map(|q| (d.dot(q - p).abs() / d.length(), q));
        if both[1].0 > both[0].0 { both[1] } else { both[0] }
    };
    let first = support(Vec3::of([1.0, 0.0, 0.0]));
    let second = support(Vec3::of([-1.0, 0.0, 0.0]));
    let e = second - first;
    // Least along e of the axes beside the first.
    let axis = if e.y.abs() <= e.z.abs() { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] };
    let axis = Vec3::of(axis);
    let (_, third) = farther(e.cross(axis), first);
    let n = e.cross(third - first);
    let (far, fourth) = farther(n, first);
    let below = n.dot(fourth - first) < 0.0;
    let size = e.length();
    let base = if below { [first, second, third] } else { [first, third, second] };
    (far > FLAT * size).then(|| [&base[..], &[fourth]].concat())
}
