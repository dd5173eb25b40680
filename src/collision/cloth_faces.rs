//! Cloth against itself: which corners come close to which triangles (`cloth.rs` says how).

use super::Contacts;
use super::boxes::{Boxes, around};
use super::closest::{distance, foot_within};
use super::cloth::{Cloth, all, gather};
use super::narrow_phase::{Detector, FoundRow, MOST_NEAR};
use crate::constraints::{Constraint, Contact, Param, Row, Sense, Triangle};
use crate::math::{F32x8, Real, Vec3, WIDTH, lane_bits, lanes_below, set_lanes, unpack};
use crate::subsystem::BuildContext;
use crate::threads::Worker;
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
    cloth: Cloth,
    boxes: Boxes,
}

impl ClothFaces {
    fn new(cloth: Cloth, threads: usize) -> Self {
        let spread = cloth.triangles.iter().map(|t| {
            let [a, b, c] = t.map(|i| cloth.at_rest(i));
            let center = (a + b + c) * (1.0 / 3.0);
            let far = [a, b, c].map(|x| (x - center).length());
            far[0].max(far[1]).max(far[2])
        });
        let search_radius = cloth.search_radius(spread);
        Self { boxes: Boxes::new(cloth.triangles.len(), search_radius, threads), cloth }
    }
}

impl Detector<4, 1> for ClothFaces {
    type Kind = Face;
    const NAME: &'static str = "faces";

    fn all(contacts: &Contacts, context: &BuildContext) -> Vec<Self> {
        let cloths = Cloth::all(contacts, context).into_iter();
        cloths.map(|cloth| Self::new(cloth, context.threads)).collect()
    }

    fn queries(&self) -> usize {
        self.cloth.corners.len()
    }

    fn sort(&self, worker: &Worker, _: impl Fn(u32) -> [f32; 3], previous: &[[f32; 4]]) {
        let (triangles, more) = (&self.cloth.triangles, self.cloth.more());
        self.boxes.build(worker, |t| around(triangles[t].map(|i| previous[i as usize]), more));
    }

    fn find(&self, queries: Range<usize>, at: &[[f32; 4]], found: &mut Vec<FoundRow<4, 1>>) {
        let cloth = &self.cloth;
        let (more, near) = (cloth.more(), F32x8::of(cloth.near));
        let thickness = F32x8::of(cloth.thickness);
        let mut nearby = self.boxes.grid.nearby();
        let mut met = Vec::new();
        for &q in &cloth.corners[queries] {
            let x = at[q as usize];
            let [qx, qy, qz, _] = x;
            let (bounds, _) = around([x], more);
            met.clear();
            self.boxes.meet(nearby.of([qx, qy, qz]), bounds, 0, |t| {
                let t = cloth.triangles[t as usize];
                if !t.contains(&q) {
                    met.push(t);
                }
            });
            let most = found.len() + MOST_NEAR;
            for eight in met.chunks(WIDTH) {
                if found.len() == most {
                    break;
                }
                let (apart, row) = distance(all(x), gather(at, eight));
                let close = apart.lt(near) & lanes_below(eight.len());
                if lane_bits(close) == 0 {
                    continue;
                }
                let rest = &cloth.rest;
                let (at_rest, _) = distance(all(rest[q as usize]), gather(rest, eight));
                let h = unpack(thickness.min(at_rest));
                let behind = lane_bits(row.c.lt(F32x8::zero()));
                for lane in set_lanes(close).take(most - found.len()) {
                    let [a, b, c] = eight[lane];
                    let slots = match behind >> lane & 1 {
                        0 => [q, a, b, c],
                        _ => [q, a, c, b],
                    };
                    found.push((slots, [h[lane]]));
                }
            }
        }
    }
}
