//! Balls that come close to each other: all pairs of points within a distance, found by the grid eight candidates at a time.
//!
//! Pairs come in the grid's order, so they do not depend on the threads.

use super::Contacts;
use super::cloth::Cloth;
use super::grid::Grid;
use super::narrow_phase::{Detector, FoundRow, MOST_NEAR, SubstepMotion};
use crate::constraints::Pair;
use crate::math::{F32x8, Real, Vec3, WIDTH, each_lane, eight, lanes_below, set_lanes};
use crate::state::Lanes;
use crate::subsystem::BuildContext;
use crate::threads::{Cells, Team, Worker};
use std::ops::Range;

/// A ball is found from so many of its ways in a substep off.
const WAYS: f32 = 2.0;

/// Of so many eights beside a ball it is asked at most how much they overlap with it: of what lies in one heap there is no end.
const MOST_ASKED: usize = 128;

/// By how much the particles of a model that touch each other overlap at most where it begins (m); those in one place, as they wait for
/// an emitter, do not count.
pub(super) fn deepest_overlap(contacts: &Contacts, context: &BuildContext) -> f64 {
    let diameter = 2.0 * contacts.radius;
    let members: Vec<u32> = match contacts.pairs && contacts.radius > 0.0 {
        true => contacts.members(context.positions.len()).collect(),
        false => return 0.0,
    };
    let grid = Grid::new(members.len(), diameter, 1);
    Team::alone().run(|worker| grid.build(worker, |i| context.positions[members[i] as usize]));
    let (least, mut nearby) = (diameter as f32 * diameter as f32, grid.nearby());
    let mut closest = F32x8::splat(least);
    for i in 0..grid.len() {
        let point = grid.point_at(i);
        let x = Vec3::of(point.map(f64::from));
        let all = nearby.of(point).iter();
        let behind = all.flat_map(|range| {
            (range.start.max(i + 1)..range.end).step_by(WIDTH).map(move |at| (at, range.end))
        });
        for (at, end) in behind.take(MOST_ASKED) {
            let d = grid.points8(at) - x;
            let square = d.dot(d);
            let counts = lanes_below(end - at) & F32x8::splat(0.0).lt(square);
            closest = closest.min(F32x8::select(counts, square, closest));
        }
    }
    let closest = each_lane(|lane| closest.lane(lane)).into_iter().fold(least, f32::min);
    diameter - f64::from(closest.sqrt())
}

/// Balls of one size that touch each other.
pub(crate) struct BallPairs {
    /// The slots of the balls, in authored order.
    slots: Vec<u32>,
    /// The least distance of two centers (m).
    diameter: f32,
    /// How much farther they are found: least, if both hardly move, and most (m).
    margins: [f32; 2],
    grid: Grid,
    /// Two balls are found if their centers are closer than the sum of these, in the grid's order, and eight zeros behind them (m).
    reach: Cells<f32>,
}

impl BallPairs {
    /// Balls at `slots`, found within `diameter` and the larger of `margins` (m), or the smaller if they hardly move.
    pub(crate) fn new(slots: Vec<u32>, diameter: f64, margins: [f64; 2], threads: usize) -> Self {
        Self {
            diameter: diameter as f32,
            margins: margins.map(|margin| margin as f32),
            grid: Grid::new(slots.len(), diameter + margins[1], threads),
            reach: Cells::new(slots.len() + WIDTH, 0.0),
            slots,
        }
    }

    /// Half of how near to the ball at an index of the grid's order another one is found: farther if a substep takes it far, as
    /// contacts then do so too.
    fn reach_of(&self, index: usize, motion: SubstepMotion) -> f32 {
        let [least, most] = self.margins;
        let slot = self.slots[self.grid.order()[index] as usize];
        let moved = motion.moved[slot as usize];
        let way = moved.iter().map(|x| x * x).sum::<f32>().sqrt();
        0.5 * (self.diameter + (WAYS * way).max(least).min(most))
    }
}

impl Detector<2, 1> for BallPairs {
    type Kind = Pair;
    const NAME: &'static str = "pairs";

    fn all(contacts: &Contacts, _: &[Cloth], context: &BuildContext) -> Vec<Self> {
        let touch = contacts.pairs && contacts.radius > 0.0;
        let balls = touch.then(|| {
            let diameter = 2.0 * contacts.radius;
            let margins = contacts.margins_of_pairs(context.settings);
            Self::new(contacts.slots(context), diameter, margins, context.threads)
        });
        balls.into_iter().collect()
    }

    fn queries(&self) -> usize {
        self.grid.len()
    }

    fn sort(&self, worker: &Worker, now: impl Fn(u32) -> [f32; 3], motion: SubstepMotion) {
        self.grid.build(worker, |i| now(self.slots[i]));
        worker.parallel_for(self.grid.len(), |range| {
            range.for_each(|index| self.reach.set(index, self.reach_of(index, motion)));
        });
    }

    /// The pairs of each point with those behind it in the grid's order.
    fn find(&self, queries: Range<usize>, _: SubstepMotion, found: &mut Vec<FoundRow<2, 1>>) {
        let grid = &self.grid;
        let slot = |index: usize| self.slots[grid.order()[index] as usize];
        let (mut nearby, reach) = (grid.nearby(), self.reach.as_slice());
        for i in queries {
            let point = grid.point_at(i);
            let x = Vec3::of(point.map(f64::from));
            let own = F32x8::splat(self.reach.get(i));
            let most = found.len() + MOST_NEAR;
            for range in nearby.of(point).iter() {
                for at in (range.start.max(i + 1)..range.end).step_by(WIDTH) {
                    if found.len() == most {
                        break;
                    }
                    let d = grid.points8(at) - x;
                    let reach = own + eight(reach, at);
                    let close = d.dot(d).lt(reach * reach) & lanes_below(range.end - at);
                    for lane in set_lanes(close).take(most - found.len()) {
                        found.push(([slot(i), slot(at + lane)], [self.diameter]));
                    }
                }
                if found.len() == most {
                    break;
                }
            }
        }
    }
}
