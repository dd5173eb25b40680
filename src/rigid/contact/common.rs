//! What both forms of the contacts of bodies know.

use super::find::{Finder, Standing};
use super::memory::{Memory, Still, standing_pose};
use super::rows::Scene;
use super::touch::Pace;
use crate::collision::{Collider, Detect};
use crate::lanes::{Real, Scalar};
use crate::part::Moment;

/// β: the part of an overlap that a substep takes away.
const PART: f64 = 0.05;
/// y: the part of λ that a substep forgets; stacks are still where it is no less than β (docs/rigid.md).
const YIELDS: f64 = 0.05;
/// Sweeps over the points of an element where anything rebounds.
const SWEEPS: usize = 8;

/// What both forms know.
pub(super) struct Common {
    pub(super) detect: Detect,
    pub(super) colliders: Vec<Collider>,
    /// Which bodies no contact moves.
    pub(super) fixed: Vec<bool>,
    pub(super) stills: Vec<Still>,
    pub(super) finder: Finder,
    pub(super) h: f64,
    /// How fast overlaps part at most (m/s); particles are held by what overlaps, so theirs only where it is said.
    pub(super) most: f64,
    pub(super) most_grains: f64,
    /// Slower approaches do not rebound (m/s).
    pub(super) least: f64,
    /// Whether this substep sweeps from the last row to the first: what the order of sweeps does to a heap then cancels. In
    /// one order only, a pyramid of twenty layers falls to pieces.
    pub(super) back: bool,
}

impl Common {
    /// The sweep of the positions.
    pub(super) fn pace<R: Real>(&self) -> Pace<R> {
        Pace {
            h: R::of(self.h),
            rate: R::of(PART / self.h),
            most: R::of(self.most),
            yields: R::of(YIELDS),
            least: R::of(self.least),
            sweeps: 1,
        }
    }

    /// That of the velocities; `any`: whether anything rebounds, for which points are swept several times.
    pub(super) fn velocity_pace<R: Real>(&self, any: bool) -> Pace<R> {
        Pace {
            rate: R::zero(),
            yields: R::zero(),
            sweeps: if any { SWEEPS } else { 1 },
            ..self.pace()
        }
    }

    /// Whether contacts are to be found anew. (Gaps are seen anew in every iteration, so `iteration` is as `substep`.)
    pub(super) fn is_due(&self, moment: Moment) -> bool {
        moment == Moment::Frame || self.detect != Detect::Frame
    }

    /// Where what stands still begins and ends; `body` gives both poses of a body.
    pub(super) fn place(&mut self, time: f64, body: impl Fn(usize) -> Still) {
        for i in (0..self.fixed.len()).filter(|i| self.fixed[*i]) {
            self.stills[i] = body(i);
        }
        let first = self.fixed.len();
        for (still, collider) in self.stills[first..].iter_mut().zip(&self.colliders) {
            let [from, to] = [time, time + self.h].map(|time| standing_pose(&collider.pose(time)));
            *still = Still { from, to };
        }
    }

    /// How everything stands: bodies as `memory` has them, then colliders.
    pub(super) fn standings<R: Scalar>(&self, memory: &Memory<R>) -> Vec<Standing> {
        let bodies = self.fixed.len();
        let stand = |i: usize| match i < bodies {
            true => memory.standing(i),
            false => self.standing(i),
        };
        (0..self.stills.len()).map(stand).collect()
    }

    /// What rows are stepped with.
    pub(super) fn scene<'a, M>(&'a self, memory: &'a M) -> Scene<'a, M> {
        Scene {
            memory,
            finder: &self.finder,
            stills: &self.stills,
        }
    }

    /// How a collider stands: its velocity and an upper bound of its spin from its two poses.
    fn standing(&self, i: usize) -> Standing {
        let Still { from, to } = self.stills[i];
        let (h, turn) = (self.h as f32, from.1.conjugate() * to.1);
        Standing {
            x: from.0,
            q: from.1,
            v: (to.0 - from.0) * (1.0 / h),
            spin: 2.2 * turn.vector().length() / h,
        }
    }
}
