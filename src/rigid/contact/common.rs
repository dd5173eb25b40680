//! What both forms of the contacts of bodies know.

use super::find::Finder;
use super::grains::Grains;
use super::memory::{Memory, Still, standing_pose};
use super::rows::Scene;
use super::sleep::{Motion, Sleep};
use super::thing::Standing;
use super::touch::Pace;
use crate::collision::{Collider, Detect};
use crate::math::{Real, Scalar, Vec3};
use crate::state::Resistance;
use crate::subsystem::Moment;

/// β: the part of an overlap that a substep takes away.
const PART: f64 = 0.06;
/// y: the part of λ that a substep forgets; stacks are still where it is about β or more (docs/rigid.md).
const YIELDS: f64 = 0.05;
/// Sweeps over the points of an element where anything rebounds.
const SWEEPS: usize = 8;

/// What both forms know.
pub(super) struct Common {
    pub(super) detect: Detect,
    pub(super) colliders: Vec<Collider>,
    pub(super) stills: Vec<Still>,
    pub(super) finder: Finder,
    pub(super) h: f64,
    /// How fast overlaps part at most (m/s); particles are held by what overlaps, so theirs only where it is said.
    pub(super) most: f64,
    pub(super) most_grains: f64,
    /// Slower approaches do not rebound (m/s).
    pub(super) least: f64,
    /// Whether the positions of this substep are swept from the last row to the first, and its velocities from the first to the
    /// last; the next substep goes the other way. What the order does to a heap then cancels (docs/rigid.md).
    pub(super) back: bool,
    /// Whether anything may rebound: points are then swept several times. It is the model that decides, not what touches, so
    /// that what is awake does not depend on what sleeps.
    pub(super) rebounds: bool,
    pub(super) sleep: Option<Sleep>,
    /// Substeps of a frame, and how many of this one are over.
    pub(super) substeps: [u32; 2],
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
            back: self.back,
            rebounds: false,
        }
    }

    /// That of the velocities.
    pub(super) fn velocity_pace<R: Real>(&self) -> Pace<R> {
        Pace {
            rate: R::zero(),
            yields: R::zero(),
            sweeps: if self.rebounds { SWEEPS } else { 1 },
            back: !self.back,
            rebounds: self.rebounds,
            ..self.pace()
        }
    }

    /// Whether contacts are to be found anew. (Gaps are seen anew in every iteration, so `iteration` is as `substep`.)
    pub(super) fn is_due(&self, moment: Moment) -> bool {
        moment == Moment::Frame || self.detect != Detect::Frame
    }

    /// Where what stands still begins and ends; `body` gives both poses of a body.
    pub(super) fn place(&mut self, time: f64, body: impl Fn(usize) -> Still) {
        let first = self.stills.len() - self.colliders.len();
        for i in (0..first).filter(|i| self.finder.is_still(*i as u32)) {
            self.stills[i] = body(i);
        }
        for (still, collider) in self.stills[first..].iter_mut().zip(&self.colliders) {
            let [from, to] = [time, time + self.h].map(|time| standing_pose(&collider.pose(time)));
            *still = Still { from, to };
        }
    }

    /// How everything stands: bodies as `memory` has them, then colliders.
    pub(super) fn standings<R: Scalar>(&self, memory: &Memory<R>) -> Vec<Standing> {
        let bodies = self.stills.len() - self.colliders.len();
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

    /// A substep has ended with these velocities; `grains` are particles on bodies. At the end of a frame gives the
    /// bodies that fall asleep, and with their resistance those that wake.
    pub(super) fn rest(
        &mut self,
        grains: Option<&Grains>,
        motion: impl Fn(usize) -> [Vec3<f32>; 2],
    ) -> Vec<(usize, Option<Resistance>)> {
        let Some(sleep) = &mut self.sleep else {
            return Vec::new();
        };
        let [substeps, over] = &mut self.substeps;
        *over += 1;
        if *over < *substeps {
            return Vec::new();
        }
        *over = 0;
        let (finder, bodies) = (&self.finder, sleep.asleep.len());
        let mut laden = vec![false; bodies];
        for body in grains.into_iter().flat_map(Grains::laden) {
            laden[body as usize] = true;
        }
        let motion = |i: usize| match i < bodies {
            true => {
                let [v, omega] = motion(i);
                let turns = omega.length() * finder.reach(i);
                Motion {
                    v,
                    turns,
                    busy: laden[i] || finder.stirs(i),
                }
            }
            false => Motion {
                v: Vec3::zero(),
                turns: 0.0,
                busy: finder.stirs(i),
            },
        };
        let touching = finder.manifolds.iter().map(|m| m.pair);
        let dt = self.h * f64::from(*substeps);
        let changes = sleep.update(dt, touching, |i| finder.is_fixed(i), motion);
        for (i, resistance) in &changes {
            self.finder.put_asleep(*i, resistance.is_none());
        }
        changes
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
