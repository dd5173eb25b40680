//! Cloth against itself: which edges come close to which (`cloth.rs` says how).

use super::Contacts;
use super::boxes::{Boxes, around};
use super::cloth::{Cloth, all, gather};
use super::narrow_phase::{Detector, FoundRow, MOST_NEAR};
use crate::constraints::{Constraint, Contact, EdgeEdge, Param, Row, Sense};
use crate::math::{F32x8, Real, Vec3, WIDTH, lane_bits, lanes_below, set_lanes, unpack};
use crate::mesh::unique_edges;
use crate::subsystem::BuildContext;
use crate::threads::Worker;
use std::ops::Range;

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
        [Row { c: side * row.c - h, g: [a * side, b * side, c * side, d * side], n: row.n }]
    }
}

impl Contact<4, 4> for Crossing {
    const SIDE: usize = 2;
}

/// The edges of a cloth.
pub(super) struct ClothEdges {
    cloth: Cloth,
    edges: Vec<[u32; 2]>,
    boxes: Boxes,
}

impl ClothEdges {
    fn new(cloth: Cloth, threads: usize) -> Self {
        let edges = unique_edges(&cloth.triangles);
        let length = |&[a, b]: &[u32; 2]| (cloth.at_rest(a) - cloth.at_rest(b)).length();
        let search_radius = cloth.search_radius(edges.iter().map(length));
        Self { boxes: Boxes::new(edges.len(), search_radius, threads), edges, cloth }
    }
}

impl Detector<4, 4> for ClothEdges {
    type Kind = Crossing;
    const NAME: &'static str = "crossings";

    fn all(contacts: &Contacts, context: &BuildContext) -> Vec<Self> {
        let cloths = Cloth::all(contacts, context).into_iter();
        cloths.map(|cloth| Self::new(cloth, context.threads)).collect()
    }

    fn queries(&self) -> usize {
        self.edges.len()
    }

    fn sort(&self, worker: &Worker, _: impl Fn(u32) -> [f32; 3], previous: &[[f32; 4]]) {
        let more = self.cloth.more();
        self.boxes.build(worker, |e| around(self.edges[e].map(|i| previous[i as usize]), more));
    }

    fn find(&self, queries: Range<usize>, at: &[[f32; 4]], found: &mut Vec<FoundRow<4, 4>>) {
        let Self { cloth, edges, boxes } = self;
        let near = F32x8::of(cloth.near);
        let thickness = F32x8::of(cloth.thickness);
        let mut nearby = boxes.grid.nearby();
        let mut met = Vec::new();
        for i in queries {
            let edge = edges[boxes.grid.order()[i] as usize];
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
                if found.len() == most {
                    break;
                }
                let between = |x: &[[f32; 4]]| {
                    let [a, b] = edge.map(|i| all(x[i as usize]));
                    let [c, d] = gather(x, eight);
                    let [row] = EdgeEdge::evaluate([a, b, c, d], [F32x8::zero()]);
                    row
                };
                let row = between(at);
                let close = F32x8::zero().lt(row.n) & row.n.lt(near);
                let close = close & lanes_below(eight.len());
                if lane_bits(close) == 0 {
                    continue;
                }
                let h = thickness.min(between(&cloth.rest).n);
                let n = (row.g[0] + row.g[1]) * F32x8::of(1.0).over_positive(row.n);
                let params = [h, n.x, n.y, n.z].map(unpack);
                for lane in set_lanes(close).take(most - found.len()) {
                    let [c, d] = eight[lane];
                    found.push(([a, b, c, d], params.map(|p| p[lane])));
                }
            }
        }
    }
}
