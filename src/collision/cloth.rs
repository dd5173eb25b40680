//! Cloth against itself: which corners come close to which triangles, and which edges to which.
//!
//! A row keeps the side on which its two parts were at the start of the substep, where nothing had passed through anything:
//!
//! ```text
//! face       C = ±(q - x1)·n - h        where q's foot lies in the triangle (S1-24; the kind `triangle`)
//! crossing   C = ±|p - q| - h           of two edges; the sign turns where they have passed each other (`edge_edge`)
//! ```
//!
//! h is the thickness, but no more than the distance the two have at rest, so that what lies close by its own making is left
//! alone; parts that share a corner are no contact. Candidates come from grids of triangle centers and edge middles whose reach
//! fits a cloth stretched by up to a quarter. Units: metres.

use super::closest::closest_point;
use super::grid::Grid;
use super::near::NearPairs;
use crate::coloring::DynamicColoring;
use crate::constraints::{Constraint, Contact, EdgeEdge, Param, Row, Sense, Triangle};
use crate::io::unique_edges;
use crate::lanes::{Real, Vec3};
use crate::parallel::Team;

/// Rows of a kind, found anew: places of particles, and parameters.
pub(super) struct Found<const N: usize, const P: usize> {
    pub(super) rows: Vec<[u32; N]>,
    pub(super) params: Vec<[f32; P]>,
    pub(super) coloring: DynamicColoring,
}

impl<const N: usize, const P: usize> Found<N, P> {
    pub(super) fn new(places: usize) -> Self {
        Self {
            rows: Vec::new(),
            params: Vec::new(),
            coloring: DynamicColoring::new(places),
        }
    }
}

/// A corner and a triangle: `triangle` where the corner's foot lies in it, nothing elsewhere.
pub(super) struct Face;

impl Constraint<4, 1> for Face {
    const NAME: &'static str = "face";
    const EQUATION: &'static str = Triangle::EQUATION;
    const PARAMS: [Param; 1] = Triangle::PARAMS;
    const SENSE: Sense = Sense::Inequality;

    #[inline(always)]
    fn evaluate<R: Real>(x: [Vec3<R>; 4], p: [R; 1]) -> [Row<R, 4>; 1] {
        let [row] = Triangle::evaluate(x, p);
        let [m, a, b, c] = row.g;
        // Gradients are -m times the foot's barycentric coordinates.
        let outside = |g: Vec3<R>| (R::of(-1e-4) * (row.n * row.n)).lt(-m.dot(g));
        let foot = outside(a) & outside(b) & outside(c);
        let keep = |g| Vec3::select(foot, g, Vec3::zero());
        [Row {
            c: R::select(foot, row.c, R::zero()),
            g: [keep(m), keep(a), keep(b), keep(c)],
            n: R::select(foot, row.n, R::zero()),
        }]
    }
}

impl Contact<4, 1> for Face {
    const SIDE: usize = 1;
}

/// Two edges, kept on their sides: `edge_edge`, turned where the closest points, inside both, lie against the normal given.
pub(super) struct Crossing;

impl Constraint<4, 4> for Crossing {
    const NAME: &'static str = "crossing";
    const EQUATION: &'static str = EdgeEdge::EQUATION;
    const PARAMS: [Param; 4] = [
        EdgeEdge::PARAMS[0],
        Param::component("normal", "1", 0),
        Param::component("normal", "1", 1),
        Param::component("normal", "1", 2),
    ];
    const SENSE: Sense = Sense::Inequality;

    #[inline(always)]
    fn evaluate<R: Real>(x: [Vec3<R>; 4], [h, nx, ny, nz]: [R; 4]) -> [Row<R, 4>; 1] {
        let [row] = EdgeEdge::evaluate(x, [R::zero()]);
        let [a, b, c, d] = row.g;
        let r = a + b;
        let zero = R::zero();
        let within = zero.lt(r.dot(a)) & zero.lt(r.dot(b)) & r.dot(c).lt(zero) & r.dot(d).lt(zero);
        let turned = within & r.dot(Vec3::new(nx, ny, nz)).lt(zero);
        let side = R::select(turned, R::of(-1.0), R::of(1.0));
        [Row {
            c: side * row.c - h,
            g: [a * side, b * side, c * side, d * side],
            n: row.n,
        }]
    }
}

impl Contact<4, 4> for Crossing {
    const SIDE: usize = 2;
}

/// How much longer edges may be than at rest before contacts are missed.
const STRETCH: f64 = 1.25;

/// A cloth that may touch itself.
pub(super) struct Cloth {
    corners: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    /// Rest positions by place.
    rest: Vec<Vec3<f64>>,
    thickness: f64,
    /// Thickness and margin.
    near: f64,
    /// Between a corner and a triangle's center, and between two edges' middles.
    reach: [f32; 2],
    grids: [Grid; 2],
    found: [NearPairs; 2],
}

impl Cloth {
    /// Triangles by places of particles, which have `rest` positions by place.
    pub(super) fn new(
        triangles: Vec<[u32; 3]>,
        rest: Vec<Vec3<f64>>,
        thickness: f64,
        margin: f64,
        threads: usize,
    ) -> Self {
        let mut corners = triangles.concat();
        corners.sort_unstable();
        corners.dedup();
        let edges = unique_edges(&triangles);
        let near = thickness + margin;
        let at = |i: u32| rest[i as usize];
        let spread = triangles.iter().map(|t| {
            let center = middle(t.map(at));
            let far = t.map(|i| (at(i) - center).length());
            far[0].max(far[1]).max(far[2])
        });
        let spread = STRETCH * spread.fold(0.0, f64::max) + near;
        let longest = edges.iter().map(|&[a, b]| (at(a) - at(b)).length());
        let longest = STRETCH * longest.fold(0.0, f64::max) + near;
        Self {
            grids: [
                Grid::new(triangles.len(), spread, threads),
                Grid::new(edges.len(), longest, threads),
            ],
            reach: [spread as f32, longest as f32],
            found: Default::default(),
            corners,
            triangles,
            edges,
            rest,
            thickness,
            near,
        }
    }

    /// Sorts triangles and edges into the grids; `at` says where each place was at the start of the substep.
    pub(super) fn sort(&mut self, team: &Team, at: &(impl Fn(u32) -> [f32; 3] + Sync)) {
        let (triangles, edges) = (&self.triangles, &self.edges);
        let [centers, middles] = &mut self.grids;
        let middle = |points: &[u32]| {
            let mut sum = Vec3::zero();
            for &i in points {
                sum += point(at(i));
            }
            let v = sum * (1.0 / points.len() as f64);
            [v.x as f32, v.y as f32, v.z as f32]
        };
        centers.build(team, |t| middle(&triangles[t]));
        middles.build(team, |e| middle(&edges[e]));
    }

    /// Adds the rows of what is near, from the side on which it is.
    pub(super) fn find(
        &mut self,
        team: &Team,
        at: &(impl Fn(u32) -> [f32; 3] + Sync),
        faces: &mut Found<4, 1>,
        crossings: &mut Found<4, 4>,
    ) {
        let Self {
            corners,
            triangles,
            edges,
            rest,
            thickness,
            near,
            reach,
            grids: [centers, middles],
            found: [with_triangles, with_edges],
        } = self;
        let at = |i: u32| point(at(i));
        let of_corners = |k: usize| {
            let v = at(corners[k]);
            [v.x as f32, v.y as f32, v.z as f32]
        };
        let queries = (corners.len(), of_corners);
        with_triangles.find_from(team, centers, reach[0], queries, |k, t| {
            let (q, triangle) = (corners[k as usize], triangles[t as usize]);
            let apart = !triangle.contains(&q) && {
                let (foot, _) = closest_point(at(q), triangle.map(at));
                (at(q) - foot).length() < *near
            };
            apart.then_some([k, t])
        });
        with_edges.find(team, middles, reach[1], |e, f| {
            let ([a, b], [c, d]) = (edges[e as usize], edges[f as usize]);
            let apart = a != c && a != d && b != c && b != d && {
                let [row] = EdgeEdge::evaluate([at(a), at(b), at(c), at(d)], [0.0]);
                row.n > 0.0 && row.n < *near
            };
            apart.then_some([e, f])
        });
        let rest = |i: u32| rest[i as usize];
        for &[k, t] in with_triangles.pairs() {
            let (q, [a, mut b, mut c]) = (corners[k as usize], triangles[t as usize]);
            let (foot, _) = closest_point(rest(q), [a, b, c].map(rest));
            let h = thickness.min((rest(q) - foot).length());
            let normal = (at(b) - at(a)).cross(at(c) - at(a));
            if (at(q) - at(a)).dot(normal) < 0.0 {
                (b, c) = (c, b);
            }
            faces.rows.push([q, a, b, c]);
            faces.params.push([h as f32]);
        }
        for &[e, f] in with_edges.pairs() {
            let ([a, b], [c, d]) = (edges[e as usize], edges[f as usize]);
            let [row] = EdgeEdge::evaluate([a, b, c, d].map(rest), [0.0]);
            let h = thickness.min(row.n);
            let [row] = EdgeEdge::evaluate([a, b, c, d].map(at), [0.0]);
            let normal = (row.g[0] + row.g[1]) * (1.0 / row.n);
            crossings.rows.push([a, b, c, d]);
            let params = [h, normal.x, normal.y, normal.z];
            crossings.params.push(params.map(|v| v as f32));
        }
    }
}

fn point(x: [f32; 3]) -> Vec3<f64> {
    Vec3::of(x.map(f64::from))
}

fn middle<const N: usize>(points: [Vec3<f64>; N]) -> Vec3<f64> {
    let mut sum = Vec3::zero();
    for p in points {
        sum += p;
    }
    sum * (1.0 / N as f64)
}
