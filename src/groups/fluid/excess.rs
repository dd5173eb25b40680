//! What a fluid is too dense by where a run begins: it parts in a quarter of a second.
//!
//! ```text
//! C_i - L_i <= 0,  L_i = 1 / (1 - q_i (1 - t/T))³ - 1        T = 0.25 s, t the end of the substep, 0 after T
//! 1 / (1 - q_i)³ = 1 + max(0, C_i) at the start              so sizes grow evenly in time, q of the way in T
//! ```
//!
//! Particles that are authored too close or jittered would part within the first substep, by a speed of the
//! way over h: 216 particles of 1 kg that lie 1 % too close got 1.4 J in one substep a frame and 709 J in 20, as 1/h². So what is too dense may
//! stay for a while, less and less of it, as an overlap of contacts may (`collision/parting.rs`): the way over T, whatever h. What
//! comes to be denser than that, by a fall or a push, is pressed as ever. Where no particles are too dense by more than
//! rounding, as on a lattice, no bit changes.

use super::records::{FluidWidth, NOWHERE};
use super::runtime::{FluidRuntime, Neighbors};
use super::sums::{Density, Neighbor};
use crate::constraints::Particle;
use crate::error::CheckpointError;
use crate::math::{Real, Scalar};
use crate::state::Saved;
use crate::subsystem::{StepContext, largest_lane};
use crate::threads::{Cells, Worker};
use std::sync::atomic::{AtomicBool, Ordering};

/// T (s).
const TIME: f64 = 0.25;
/// A fluid whose particles are nowhere too dense by more than this is at rest.
const AT_REST: f64 = 1e-3;
/// What is too dense by more is a heap of particles in one place, which spreads at once.
const HEAP: f32 = 1.0;
/// Its section in a checkpoint.
const SECTION: &str = "excess at the start";

/// q of each particle; whether any began too dense.
pub(super) struct Excess(Cells<f32>, AtomicBool);

impl Excess {
    pub(super) fn new(count: usize) -> Self {
        Self(Cells::new(count, 0.0), AtomicBool::new(false))
    }

    /// 1 - t/T at a time (s).
    fn time_left(time: f64) -> f64 {
        (1.0 - time / TIME).max(0.0)
    }

    /// L of a particle; zero, where it began at rest.
    #[inline(always)]
    fn of(&self, particle: u32, time_left: f64) -> f64 {
        let q = f64::from(self.0.get(particle as usize));
        let size = 1.0 - q * time_left;
        if q > 0.0 { 1.0 / (size * size * size) - 1.0 } else { 0.0 }
    }

    /// q of a particle that is too dense by C.
    fn of_start(c: f64) -> f64 {
        // Newton's method from above; no library's cube root, as those differ in their bits.
        let size = (0..100).fold(1.0, |y: f64, _| (2.0 * y + 1.0 / ((1.0 + c) * y * y)) / 3.0);
        1.0 - size
    }

    pub(super) fn save(&self, to: &mut Saved) {
        to.put_numbers(SECTION, self.0.as_slice());
    }

    pub(super) fn load(&self, from: &Saved) -> Result<(), CheckpointError> {
        let numbers = from.numbers(SECTION, self.0.len())?;
        numbers.into_iter().enumerate().for_each(|(i, e)| self.0.set(i, e));
        Ok(())
    }
}

impl<W: FluidWidth> FluidRuntime<W> {
    /// Takes up what is too dense, where a run begins; gives blocks what may stay of it in this substep. Blocks know whose they are.
    pub(super) fn allow_excess(&self, worker: &Worker, step: &StepContext<W::Element>, h: f64) {
        if step.time == 0.0 {
            self.survey_excess(worker, step);
        }
        let left = Excess::time_left(step.time + h);
        if left == 0.0 {
            return;
        }
        worker.parallel_for(self.blocks.len(), |part| {
            for b in part {
                let owners = self.owners.get(b);
                let of = |lane: usize| self.excess.of(W::slot(owners, lane), left);
                self.blocks
                    .update(b, |block| block.left = W::collect(|lane| W::Element::of(of(lane))));
            }
        });
    }

    fn survey_excess(&self, worker: &Worker, step: &StepContext<W::Element>) {
        // Where they were before the first substep moved them: at 1/60 s that alone is 3 % too dense at a floor.
        worker.parallel_for(self.blocks.len(), |part| {
            for b in part {
                let stored = self.stored.get(b);
                let [Particle { w, .. }] = step.positions.load([stored]);
                let site = Particle::new(step.positions.previous(stored), w);
                let Particle { x, w, .. } = self.only_live(b, site);
                self.blocks.update(b, |block| {
                    (block.x, block.w) = (x, w);
                    W::put(&self.sites, self.packets.slots(b), x + block.offset, w);
                });
            }
        });
        self.packets.parallel_for(worker, |b, neighbors| {
            let (c, _) = self.constraint(b, neighbors);
            let own = self.own_density(b, neighbors) - W::of(1.0 + AT_REST);
            if W::any(W::zero().lt(W::select(W::lanes_below(self.live(b)), own, W::zero()))) {
                self.excess.1.store(true, Ordering::Relaxed);
            }
            // What waits is nowhere, and all of it in one place.
            let here = self.blocks.get(b).x.x.abs().lt(W::of(NOWHERE));
            let c = W::select(here, c, W::zero());
            let owners = self.owners.get(b);
            for lane in 0..self.live(b) {
                let c = c.lane(lane).to_f32();
                let excess = if c > 0.0 && c < HEAP { c } else { 0.0 };
                self.excess.0.set(W::slot(owners, lane) as usize, excess);
            }
        });
        worker.single(|| {
            let (all, dense) = (&self.excess.0, self.excess.1.load(Ordering::Relaxed));
            let q = |c: f32| if dense { Excess::of_start(f64::from(c)) as f32 } else { 0.0 };
            (0..all.len()).for_each(|i| all.set(i, q(all.get(i))));
        });
    }

    /// ρ/ρ0 of a block without walls, which make some of a lattice too dense, more of it at wide supports.
    fn own_density(&self, b: usize, neighbors: Neighbors<W>) -> W {
        let block = self.blocks.get(b);
        let (x, one) = (block.x + block.offset, W::of(1.0));
        let near = |other, _| Neighbor::new(&self.numbers, x - other, one);
        let around = Density::over(&self.sites, neighbors, near).around;
        let density = self.numbers.relative_density(around, block.solid);
        W::select(block.x.x.abs().lt(W::of(NOWHERE)), density, W::zero())
    }

    /// C of a block, and Σ |∇_k C|² in units of (steepness/h)².
    fn constraint(&self, b: usize, neighbors: Neighbors<W>) -> (W, W) {
        let block = self.blocks.get(b);
        let (x, one) = (block.x + block.offset, W::of(1.0));
        let near = |other, _| Neighbor::new(&self.numbers, x - other, one);
        let sum = Density::over(&self.sites, neighbors, near);
        sum.constraint(&self.numbers, &self.beside(&block, x), one)
    }

    /// The largest C / |∇C| of a block where C is more than may stay (m).
    pub(super) fn error(&self, b: usize, neighbors: Neighbors<W>) -> f32 {
        let (c, square) = self.constraint(b, neighbors);
        let c = c - self.blocks.get(b).left;
        let gradient = self.numbers.steepness * self.numbers.inverse * square.sqrt();
        let error = W::select(W::zero().lt(gradient), c.over_positive(gradient), c);
        let error = W::select(c.lt(W::zero()), W::zero(), error.or_infinite());
        largest_lane(W::select(W::lanes_below(self.live(b)), error, W::zero()))
    }
}
