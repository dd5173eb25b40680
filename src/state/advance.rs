//! The contiguous phases over all particles: what a substep begins and ends with.

use super::{Column3, Integrator, ParticleView, PositionView, Width};
use crate::constraints::Particle;
use crate::math::Vec3;
use std::ops::Range;

// Phases are calls of their own, so that a profile names them.
impl<W: Width> Integrator<W> {
    /// x_prev <- x, v <- v + h a; predicted positions go to `positions`. Whole blocks of as many particles as `W` has lanes.
    #[inline(never)]
    pub(crate) fn predict_range(
        &self,
        range: Range<usize>,
        particles: &ParticleView<W::Element>,
        positions: &PositionView<W::Element>,
    ) {
        match particles.velocity_steps() {
            None => self.predict_each(range, particles, positions, |_| self.gravity_step),
            Some(steps) => {
                self.predict_each(range, particles, positions, |i| Vec3::from(W::read(steps, i)))
            }
        }
    }

    /// `step`: what the velocities from a slot on grow by.
    #[inline(always)]
    fn predict_each(
        &self,
        range: Range<usize>,
        particles: &ParticleView<W::Element>,
        positions: &PositionView<W::Element>,
        step: impl Fn(usize) -> Vec3<W>,
    ) {
        let is_carried = positions.is_carried();
        let stored = positions.stored();
        for i in range.step_by(W::LANES) {
            let x = particles.read(Column3::Position, i);
            let v = particles.read(Column3::Velocity, i);
            let w = particles.inverse_mass(i);
            let (next, v) = match is_carried {
                false => self.predict(step(i), x, v, w),
                true => {
                    let [r, s] = particles.read_remainders(i);
                    let [[x, r], [v, s]] = self.predict_carried(step(i), [x, r], [v, s], w);
                    particles.write_remainders(i, [r, s]);
                    positions.write_predicted(i, x);
                    (Vec3::zero(), v)
                }
            };
            particles.write(Column3::Previous, i, x);
            particles.write(Column3::Velocity, i, v);
            stored.write(i, Particle::new(next, w));
        }
    }

    /// Velocities follow from the positions, which come back to the columns if they lay elsewhere.
    #[inline(never)]
    pub(crate) fn update_range(
        &self,
        range: Range<usize>,
        particles: &ParticleView<W::Element>,
        positions: &PositionView<W::Element>,
    ) {
        let is_carried = positions.is_carried();
        let stored = positions.stored();
        for i in range.step_by(W::LANES) {
            let x = stored.read(i);
            let v = particles.read(Column3::Velocity, i);
            let w = particles.inverse_mass(i);
            if is_carried {
                let [r, s] = particles.read_remainders(i);
                let predicted = [positions.read_predicted(i), r];
                let [[x, r], [v, s]] = self.update_carried(x, predicted, [v, s], w);
                particles.write(Column3::Position, i, x);
                particles.write(Column3::Velocity, i, v);
                particles.write_remainders(i, [r, s]);
                continue;
            }
            if let PositionView::Records(_) = positions {
                particles.write(Column3::Position, i, x);
            }
            let previous = particles.read(Column3::Previous, i);
            particles.write(Column3::Velocity, i, self.update(x, previous, v, w));
        }
    }
}
