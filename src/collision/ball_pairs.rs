//! Balls that come close to each other: all pairs of points within a distance, found by the grid eight candidates at a time.
//!
//! Pairs come in the grid's order, so they do not depend on the threads.

use super::Contacts;
use super::grid::Grid;
use super::narrow_phase::{Detector, FoundRow, MOST_NEAR, SubstepMotion};
use crate::constraints::Pair;
use crate::math::{F32x8, Real, Vec3, WIDTH, lanes_below, set_lanes};
use crate::subsystem::BuildContext;
use crate::threads::Worker;
use std::ops::Range;

/// Balls of one size that touch each other.
pub(crate) struct BallPairs {
    /// The slots of the balls, in authored order.
    slots: Vec<u32>,
    /// The least distance of two centers (m).
    diameter: f32,
    /// That within which they are found, squared.
    square: F32x8,
    grid: Grid,
}

impl BallPairs {
    /// Balls at `slots`, found within `search_radius` (m).
    pub(crate) fn new(slots: Vec<u32>, diameter: f64, search_radius: f64, threads: usize) -> Self {
        let distance = f64::from(search_radius as f32);
        Self {
            diameter: diameter as f32,
            square: F32x8::of(distance * distance),
            grid: Grid::new(slots.len(), search_radius, threads),
            slots,
        }
    }
}

impl Detector<2, 1> for BallPairs {
    type Kind = Pair;
    const NAME: &'static str = "pairs";

    fn all(contacts: &Contacts, context: &BuildContext) -> Vec<Self> {
        let touch = contacts.pairs && contacts.radius > 0.0;
        let balls = touch.then(|| {
            let diameter = 2.0 * contacts.radius;
            let search_radius = diameter + contacts.margin();
            Self::new(contacts.slots(context), diameter, search_radius, context.threads)
        });
        balls.into_iter().collect()
    }

    fn queries(&self) -> usize {
        self.grid.len()
    }

    fn sort(&self, worker: &Worker, now: impl Fn(u32) -> [f32; 3], _: SubstepMotion) {
        self.grid.build(worker, |i| now(self.slots[i]));
    }

    /// The pairs of each point with those behind it in the grid's order.
    fn find(&self, queries: Range<usize>, _: SubstepMotion, found: &mut Vec<FoundRow<2, 1>>) {
        let grid = &self.grid;
        let slot = |index: usize| self.slots[grid.order()[index] as usize];
        let mut nearby = grid.nearby();
        for i in queries {
            let point = grid.point_at(i);
            let x = Vec3::of(point.map(f64::from));
            let most = found.len() + MOST_NEAR;
            for range in nearby.of(point).iter() {
                for at in (range.start.max(i + 1)..range.end).step_by(WIDTH) {
                    if found.len() == most {
                        break;
                    }
                    let d = grid.points8(at) - x;
                    let close = d.dot(d).lt(self.square) & lanes_below(range.end - at);
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
