//! What a fluid is too dense by where a run begins: it parts in a quarter of a second.
//!
//! ```text
//! C_i - L_i <= 0,  L_i = 1 / (1 - q_i (1 - t/T))³ - 1        T = 0.25 s, t the end of the substep, 0 after T
//! 1 / (1 - q_i)³ = 1 + max(0, C_i) at the start              so sizes grow evenly in time, q of the way in T
//! ```
//!
//! Particles that are authored too close or jittered would part within the first substep, by a speed of the way over h: 216 particles
//! of 1 kg that lie 1 % too close got 1.4 J in one substep a frame and 709 J in 20, as 1/h². So what is too dense may stay for a while, less and less of it, as an overlap of contacts may (`collision/parting.rs`): the way over T, whatever h. What
//! comes to be denser than that, by a fall or a push, is pressed as ever. Where no particles are too dense by more than
//! rounding, as on a lattice, no bit changes.

use crate::error::CheckpointError;
use crate::state::Saved;
use crate::threads::Cells;

/// T (s).
const TIME: f64 = 0.25;
/// A fluid whose particles are nowhere too dense by more than this is at rest.
pub(super) const AT_REST: f64 = 1e-3;
/// What is too dense by more is a heap of particles in one place, which spreads at once.
pub(super) const HEAP: f32 = 1.0;
/// Its section in a checkpoint.
const SECTION: &str = "excess at the start";

/// What particles began too dense by.
pub(super) struct Excess {
    /// q of each.
    pub(super) shares: Cells<f32>,
}

impl Excess {
    pub(super) fn new(count: usize) -> Self {
        Self { shares: Cells::new(count, 0.0) }
    }

    /// 1 - t/T at a time (s).
    pub(super) fn time_left(time: f64) -> f64 {
        (1.0 - time / TIME).max(0.0)
    }

    /// L of a particle; zero, where it began at rest.
    #[inline(always)]
    pub(super) fn of(&self, particle: u32, time_left: f64) -> f64 {
        let q = f64::from(self.shares.get(particle as usize));
        let size = 1.0 - q * time_left;
        if q > 0.0 { 1.0 / (size * size * size) - 1.0 } else { 0.0 }
    }

    /// q of a particle that is too dense by C.
    pub(super) fn of_start(c: f64) -> f64 {
        // Newton's method from above; no library's cube root, as those differ in their bits.
        let size = (0..100).fold(1.0, |y: f64, _| (2.0 * y + 1.0 / ((1.0 + c) * y * y)) / 3.0);
        1.0 - size
    }

    pub(super) fn save(&self, to: &mut Saved) {
        to.put_numbers(SECTION, self.shares.as_slice());
    }

    pub(super) fn load(&self, from: &Saved) -> Result<(), CheckpointError> {
        let numbers = from.numbers(SECTION, self.shares.len())?;
        numbers.into_iter().enumerate().for_each(|(i, e)| self.shares.set(i, e));
        Ok(())
    }
}
