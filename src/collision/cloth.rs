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

use super::boxes::{Boxes, around};
use super::closest::{distance, foot_within};
use super::finds::Finds;
use super::near::MOST_NEAR;
use crate::coloring::DynamicColoring;
use crate::constraints::{Constraint, Contact, EdgeEdge, Param, Row, Sense, Triangle};
use crate::math::{
    F32x8, Real, Vec3, WIDTH, each_lane, join, lane_bits, lanes_below, transpose, unpack,
};
use crate::mesh::unique_edges;
use crate::threads::Team;

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

    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.params.clear();
    }

    fn add(&mut self, found: &[([u32; N], [f32; P])]) {
        self.rows.extend(found.iter().map(|(row, _)| row));
        self.params.extend(found.iter().map(|(_, params)| params));
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
        let foot = foot_within(&row);
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

/// A row found: who, and with which parameters.
type Find<const P: usize> = ([u32; 4], [f32; P]);

/// A cloth that may touch itself.
pub(super) struct Cloth {
    corners: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    /// Rest positions by place.
    rest: Vec<[f32; 4]>,
    thickness: f64,
    /// Thickness and margin: what is further apart is left alone.
    near: f64,
    boxes_of_triangles: Boxes,
    boxes_of_edges: Boxes,
    faces: Finds<Find<1>>,
    crossings: Finds<Find<4>>,
}

impl Cloth {
    /// Triangles by places of particles, which have `rest` positions by place.
    pub(super) fn new(
        triangles: Vec<[u32; 3]>,
        rest: Vec<[f32; 4]>,
        thickness: f64,
        margin: f64,
        threads: usize,
    ) -> Self {
        let mut corners = triangles.concat();
        corners.sort_unstable();
        corners.dedup();
        let edges = unique_edges(&triangles);
        let near = thickness + margin;
        let at = |i: u32| {
            let [x, y, z, _] = rest[i as usize].map(f64::from);
            Vec3::new(x, y, z)
        };
        let spread = triangles.iter().map(|t| {
            let [a, b, c] = t.map(at);
            let center = (a + b + c) * (1.0 / 3.0);
            let far = [a, b, c].map(|x| (x - center).length());
            far[0].max(far[1]).max(far[2])
        });
        let spread = STRETCH * spread.fold(0.0, f64::max) + near;
        let longest = edges.iter().map(|&[a, b]| (at(a) - at(b)).length());
        let longest = STRETCH * longest.fold(0.0, f64::max) + near;
        Self {
            boxes_of_triangles: Boxes::new(triangles.len(), spread, threads),
            boxes_of_edges: Boxes::new(edges.len(), longest, threads),
            faces: Finds::default(),
            crossings: Finds::default(),
            corners,
            triangles,
            edges,
            rest,
            thickness,
            near,
        }
    }

    /// What boxes are wider than what they hold, on every side (m).
    fn more(&self) -> f32 {
        0.5 * self.near as f32
    }

    /// Sorts triangles and edges into the grids; `at` says where each place was at the start of the substep.
    pub(super) fn sort(&mut self, team: &Team, at: &[[f32; 4]]) {
        let more = self.more();
        let at = |i: u32| at[i as usize];
        let triangles = &self.triangles;
        self.boxes_of_triangles
            .sort(team, |t| around(triangles[t].map(at), more));
        let edges = &self.edges;
        self.boxes_of_edges
            .sort(team, |e| around(edges[e].map(at), more));
    }

    /// Adds the rows of what is near, from the side on which it is.
    pub(super) fn find(
        &mut self,
        team: &Team,
        at: &[[f32; 4]],
        faces: &mut Found<4, 1>,
        crossings: &mut Found<4, 4>,
    ) {
        self.find_faces(team, at);
        self.find_crossings(team, at);
        faces.add(self.faces.all());
        crossings.add(self.crossings.all());
    }

    fn find_faces(&mut self, team: &Team, at: &[[f32; 4]]) {
        let (more, near) = (self.more(), F32x8::of(self.near));
        let thickness = F32x8::of(self.thickness);
        let Self {
            corners,
            triangles,
            rest,
            boxes_of_triangles: boxes,
            faces,
            ..
        } = self;
        faces.find(team, corners.len(), |part, found| {
            let mut nearby = boxes.grid.nearby();
            let mut met = Vec::new();
            for &q in &corners[part] {
                let x = at[q as usize];
                let [qx, qy, qz, _] = x;
                let (bounds, _) = around([x], more);
                met.clear();
                boxes.meet(nearby.of([qx, qy, qz]), bounds, 0, |t| {
                    let t = triangles[t as usize];
                    if !t.contains(&q) {
                        met.push(t);
                    }
                });
                let most = found.len() + MOST_NEAR;
                for eight in met.chunks(WIDTH) {
                    let [a, b, c] = gather(at, eight);
                    let (apart, row) = distance(all(x), [a, b, c]);
                    let mut bits = lane_bits(apart.lt(near) & lanes_below(eight.len()));
                    if bits == 0 {
                        continue;
                    }
                    let (at_rest, _) = distance(all(rest[q as usize]), gather(rest, eight));
                    let h = unpack(thickness.min(at_rest));
                    let behind = lane_bits(row.c.lt(F32x8::zero()));
                    while bits != 0 && found.len() < most {
                        let lane = bits.trailing_zeros() as usize;
                        bits &= bits - 1;
                        let [a, b, c] = eight[lane];
                        let slots = match behind >> lane & 1 {
                            0 => [q, a, b, c],
                            _ => [q, a, c, b],
                        };
                        found.push((slots, [h[lane]]));
                    }
                }
            }
        });
    }

    fn find_crossings(&mut self, team: &Team, at: &[[f32; 4]]) {
        let near = F32x8::of(self.near);
        let thickness = F32x8::of(self.thickness);
        let Self {
            edges,
            rest,
            boxes_of_edges: boxes,
            crossings,
            ..
        } = self;
        let order = boxes.grid.order();
        crossings.find(team, order.len(), |part, found| {
            let mut nearby = boxes.grid.nearby();
            let mut met = Vec::new();
            for i in part {
                let edge = edges[order[i] as usize];
                let [a, b] = edge;
                met.clear();
                boxes.meet(nearby.of(boxes.grid.point_at(i)), boxes.at(i), i + 1, |f| {
                    let [c, d] = edges[f as usize];
                    if a != c && a != d && b != c && b != d {
                        met.push([c, d]);
                    }
                });
                let most = found.len() + MOST_NEAR;
                for eight in met.chunks(WIDTH) {
                    let between = |x: &[[f32; 4]]| {
                        let [a, b] = edge.map(|i| all(x[i as usize]));
                        let [c, d] = gather(x, eight);
                        let [row] = EdgeEdge::evaluate([a, b, c, d], [F32x8::zero()]);
                        row
                    };
                    let row = between(at);
                    let close = F32x8::zero().lt(row.n) & row.n.lt(near);
                    let mut bits = lane_bits(close & lanes_below(eight.len()));
                    if bits == 0 {
                        continue;
                    }
                    let h = thickness.min(between(rest).n);
                    let n = (row.g[0] + row.g[1]) * F32x8::of(1.0).over_positive(row.n);
                    let params = [h, n.x, n.y, n.z].map(unpack);
                    while bits != 0 && found.len() < most {
                        let lane = bits.trailing_zeros() as usize;
                        bits &= bits - 1;
                        let [c, d] = eight[lane];
                        found.push(([a, b, c, d], params.map(|p| p[lane])));
                    }
                }
            }
        });
    }
}

/// One point in every lane.
#[inline(always)]
fn all([x, y, z, _]: [f32; 4]) -> Vec3<F32x8> {
    Vec3::of([x, y, z].map(f64::from))
}

/// The corners of up to eight triangles or edges, side by side; lanes beyond the last repeat it.
#[inline(always)]
fn gather<const N: usize>(at: &[[f32; 4]], items: &[[u32; N]]) -> [Vec3<F32x8>; N] {
    let last = items.len() - 1;
    let mut points = [Vec3::zero(); N];
    for a in (0..N).step_by(2) {
        let b = (a + 1).min(N - 1);
        let row = |lane: usize| {
            let item = items[lane.min(last)];
            join(at[item[a] as usize], at[item[b] as usize])
        };
        let [ax, ay, az, _, bx, by, bz, _] = transpose(each_lane(row));
        points[b] = Vec3::new(bx, by, bz);
        points[a] = Vec3::new(ax, ay, az);
    }
    points
}
