//! Cloth against itself: which corners come close to which triangles (`cloth.rs` says how).

use super::closest::{distance, foot_within};
use super::cloth::{Cloth, gather};
use super::narrow_phase::{Detector, FoundRow, SubstepMotion};
use super::near_pairs::NearPairs;
use super::pair_list::{AtMost, Pairing, near_pairs};
use crate::constraints::{Constraint, Contact, Param, Row, Sense, Triangle};
use crate::math::{F32x8, Real, Vec3, lane_bits, lanes_below, set_lanes};
use std::ops::Range;

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

/// The corners and the triangles of a cloth.
pub(super) struct ClothFaces {
    pairs: NearPairs<4>,
}

impl ClothFaces {
    pub(super) fn new(cloth: &Cloth, threads: usize) -> Self {
        let corners: Vec<_> = cloth.corners.iter().map(|&i| [i; 3]).collect();
        let pairs = NearPairs::new(cloth, &corners, Some(&cloth.triangles), threads);
        Self { pairs }
    }
}

impl Pairing<4> for ClothFaces {
    const FIRST: usize = 1;

    fn pair([q, ..]: [u32; 3], [a, b, c]: [u32; 3]) -> [u32; 4] {
        [q, a, b, c]
    }

    #[inline(always)]
    fn apart([q, a, b, c]: [Vec3<F32x8>; 4]) -> F32x8 {
        distance(q, [a, b, c]).0
    }
}

impl Detector<4, 1> for ClothFaces {
    type Kind = Face;
    const NAME: &'static str = "faces";
    near_pairs!();

    fn find(&self, queries: Range<usize>, motion: SubstepMotion, found: &mut Vec<FoundRow<4, 1>>) {
        for patch in queries {
            let list = self.pairs.list(patch);
            let mut most = AtMost::new();
            for (eight, h) in list.eights() {
                let [q, a, b, c] = gather(motion.previous, eight);
                let (apart, row) = distance(q, [a, b, c]);
                let close = apart.lt(self.pairs.touch::<Self>(&list, eight, motion))
                    & lanes_below(eight.len());
                let behind = lane_bits(row.c.lt(F32x8::zero()));
                for lane in set_lanes(close) {
                    let [q, a, b, c] = eight[lane];
                    let slots = match behind >> lane & 1 {
                        0 => [q, a, b, c],
                        _ => [q, a, c, b],
                    };
                    if most.takes([q, q]) {
                        found.push((slots, [h[lane]]));
                    }
                }
            }
        }
    }
}
