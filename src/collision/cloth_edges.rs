//! Cloth against itself: which edges come close to which (`cloth.rs` says how).

use super::cloth::{Cloth, gather};
use super::narrow_phase::{Detector, FoundRow, SubstepMotion};
use super::near_pairs::NearPairs;
use super::pair_list::{AtMost, Pairing, near_pairs};
use crate::constraints::{Constraint, Contact, EdgeEdge, Param, Row, Sense};
use crate::math::{F32x8, Real, Vec3, lane_bits, lanes_below, set_lanes, unpack};
use crate::mesh::unique_edges;
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
    pairs: NearPairs<4>,
}

impl ClothEdges {
    pub(super) fn new(cloth: &Cloth, threads: usize) -> Self {
        let edges: Vec<_> =
            unique_edges(&cloth.triangles).into_iter().map(|[a, b]| [a, b, b]).collect();
        Self { pairs: NearPairs::new(cloth, &edges, None, threads) }
    }
}

impl Pairing<4> for ClothEdges {
    const FIRST: usize = 2;

    fn pair([a, b, _]: [u32; 3], [c, d, _]: [u32; 3]) -> [u32; 4] {
        [a, b, c, d]
    }

    #[inline(always)]
    fn apart(points: [Vec3<F32x8>; 4]) -> F32x8 {
        between(points).n
    }
}

impl Detector<4, 4> for ClothEdges {
    type Kind = Crossing;
    const NAME: &'static str = "crossings";
    near_pairs!();

    fn find(&self, queries: Range<usize>, motion: SubstepMotion, found: &mut Vec<FoundRow<4, 4>>) {
        let zero = F32x8::zero();
        for patch in queries {
            let list = self.pairs.list(patch);
            let mut most = AtMost::new();
            for (eight, h) in list.eights() {
                let row = between(gather(motion.previous, eight));
                let near = self.pairs.touch::<Self>(&list, eight, motion);
                // Of edges that cross there is no side to keep.
                let close = zero.lt(row.n) & row.n.lt(near) & lanes_below(eight.len());
                if lane_bits(close) == 0 {
                    continue;
                }
                let n = (row.g[0] + row.g[1]) * F32x8::of(1.0).over_positive(row.n);
                let [x, y, z] = n.to_array().map(unpack);
                for lane in set_lanes(close) {
                    let [a, b, ..] = eight[lane];
                    if most.takes([a, b]) {
                        found.push((eight[lane], [h[lane], x[lane], y[lane], z[lane]]));
                    }
                }
            }
        }
    }
}

/// The row of eight pairs of edges at thickness zero.
#[inline(always)]
fn between(points: [Vec3<F32x8>; 4]) -> Row<F32x8, 4> {
    let [row] = EdgeEdge::evaluate(points, [F32x8::zero()]);
    row
}
