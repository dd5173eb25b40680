//! The contiguous phases over all particles: what a substep begins and ends with.

use super::carried::Carried;
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
        // Asked once, not for each block.
        match positions {
            PositionView::Columns(columns) => self.predict_each(
                range,
                particles,
                #[inline(always)]
                |i, site| columns.write(Column3::Position, i, site.x),
            ),
            PositionView::Records(records) => self.predict_each(
                range,
                particles,
                #[inline(always)]
                |i, site| records.write(i, site),
            ),
            PositionView::CarriedColumns(Carried(columns)) => self.predict_carried_each(
                range,
                particles,
                #[inline(always)]
                |i, x, _| {
                    columns.write(Column3::Predicted, i, x);
                    columns.write(Column3::Position, i, Vec3::<W>::zero());
                },
            ),
            PositionView::CarriedRecords(Carried(records)) => self.predict_carried_each(
                range,
                particles,
                #[inline(always)]
                |i, x, w| {
                    records.write_predicted(i, x);
                    records.write(i, Particle::new(Vec3::zero(), w));
                },
            ),
        }
    }

    /// `write` takes the particles predicted.
    #[inline(always)]
    fn predict_each(
        &self,
        range: Range<usize>,
        particles: &ParticleView<W::Element>,
        write: impl Fn(usize, Particle<W>),
    ) {
        for i in range.step_by(W::LANES) {
            let x = particles.read(Column3::Position, i);
            let v = particles.read(Column3::Velocity, i);
            let w = particles.inverse_mass(i);
            let (next, v) = self.predict(self.velocity_step(particles, i), x, v, w);
            particles.write(Column3::Previous, i, x);
            particles.write(Column3::Velocity, i, v);
            write(i, Particle::new(next, w));
        }
    }

    /// `write` takes where particles were predicted, without corrections yet, and their inverse masses.
    #[inline(always)]
    fn predict_carried_each(
        &self,
        range: Range<usize>,
        particles: &ParticleView<W::Element>,
        write: impl Fn(usize, Vec3<W>, W),
    ) {
        for i in range.step_by(W::LANES) {
            let x = particles.read(Column3::Position, i);
            let v = particles.read(Column3::Velocity, i);
            let w = particles.inverse_mass(i);
            let [r, s] = particles.read_remainders(i);
            let step = self.velocity_step(particles, i);
            let [[next, r], [v, s]] = self.predict_carried(step, [x, r], [v, s], w);
            particles.write_remainders(i, [r, s]);
            particles.write(Column3::Previous, i, x);
            particles.write(Column3::Velocity, i, v);
            write(i, next, w);
        }
    }

    /// What the velocities from a slot on grow by.
    #[inline(always)]
    fn velocity_step(&self, particles: &ParticleView<W::Element>, i: usize) -> Vec3<W> {
        match particles.velocity_steps() {
            None => self.gravity_step,
            Some(steps) => Vec3::from(W::read(steps, i)),
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
        match positions {
            PositionView::Columns(columns) => self.update_each(
                range,
                particles,
                #[inline(always)]
                |i| columns.read(Column3::Position, i),
            ),
            PositionView::Records(records) => self.update_each(
                range,
                particles,
                #[inline(always)]
                |i| {
                    let x = records.read(i);
                    particles.write(Column3::Position, i, x);
                    x
                },
            ),
            PositionView::CarriedColumns(Carried(columns)) => self.update_carried_each(
                range,
                particles,
                #[inline(always)]
                |i| [columns.read(Column3::Position, i), columns.read(Column3::Predicted, i)],
            ),
            PositionView::CarriedRecords(Carried(records)) => self.update_carried_each(
                range,
                particles,
                #[inline(always)]
                |i| [records.read(i), records.read_predicted(i)],
            ),
        }
    }

    /// `read` gives the positions where rows have left them.
    #[inline(always)]
    fn update_each(
        &self,
        range: Range<usize>,
        particles: &ParticleView<W::Element>,
        read: impl Fn(usize) -> Vec3<W>,
    ) {
        for i in range.step_by(W::LANES) {
            let x = read(i);
            let v = particles.read(Column3::Velocity, i);
            let w = particles.inverse_mass(i);
            let previous = particles.read(Column3::Previous, i);
            particles.write(Column3::Velocity, i, self.update(x, previous, v, w));
        }
    }

    /// `read` gives the corrections, and where particles were predicted.
    #[inline(always)]
    fn update_carried_each(
        &self,
        range: Range<usize>,
        particles: &ParticleView<W::Element>,
        read: impl Fn(usize) -> [Vec3<W>; 2],
    ) {
        for i in range.step_by(W::LANES) {
            let [correction, predicted] = read(i);
            let v = particles.read(Column3::Velocity, i);
            let w = particles.inverse_mass(i);
            let [r, s] = particles.read_remainders(i);
            let [[x, r], [v, s]] = self.update_carried(correction, [predicted, r], [v, s], w);
            particles.write(Column3::Position, i, x);
            particles.write(Column3::Velocity, i, v);
            particles.write_remainders(i, [r, s]);
        }
    }
}
