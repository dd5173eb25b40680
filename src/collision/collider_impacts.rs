//! Impacts of particles with colliders.

use super::contact_row::ContactRow;
use super::impacts::{Impacts, Meeting, done};
use super::particle_collider::ColliderContacts;
use crate::constraints::{Particle, Plane, direction};
use crate::math::Vec3;
use crate::state::{Column3, Width};
use crate::subsystem::StepContext;
use crate::threads::Worker;
use std::sync::atomic::{AtomicBool, Ordering};

/// A row's direction and share, the first slot of its block, and the velocities there.
type Placed<W> = ((Vec3<W>, [W; 1]), [Particle<W>; 1]);

fn place<W: Width>(
    row: &ContactRow<W, 1, 6>,
    i: usize,
    step: &StepContext<W::Element>,
) -> Placed<W> {
    let x = step.particles.read(Column3::Velocity, i);
    let w = step.particles.inverse_mass(i);
    let at = direction::<Plane, W, 1, 6>([step.particles.read(Column3::Position, i)], row.params);
    (at, [Particle::new(x, w)])
}

impl<W: Width> ColliderContacts<W> {
    /// Takes back what all contacts did in this substep.
    pub(super) fn undo(&self, worker: &Worker, step: &StepContext<W::Element>, h: f64) {
        self.each(worker, |_, i, row| {
            let ((normal, shares), v) = place(row, i, step);
            let [change] = done(normal, shares, &row.touch, h, &v);
            let pressed = W::zero().lt(row.touch.lambda);
            let v = Vec3::select(pressed, v[0].x - change, v[0].x);
            step.particles.write(Column3::Velocity, i, v);
        });
    }

    /// One round of impacts; raises the flag where there was any.
    pub(super) fn strike(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        impacts: &Impacts<W::Element>,
        struck: &AtomicBool,
    ) {
        self.each(worker, |collider, i, row| {
            let material = self.materials[collider];
            let ((normal, shares), mut v) = place(row, i, step);
            let previous: Vec3<W> = step.particles.read(Column3::Previous, i);
            let surface = (row.start - previous) * W::of(1.0 / impacts.h);
            let meeting = Meeting { normal, shares, velocity: v[0].x - surface, gap: row.gap };
            if impacts.strike(&meeting, [W::consecutive(i)], &mut v, material) {
                step.particles.write(Column3::Velocity, i, v[0].x);
                struck.store(true, Ordering::Relaxed);
            }
        });
    }

    /// Impacts are over.
    pub(super) fn settle(&self, worker: &Worker, impacts: &Impacts<W::Element>) {
        self.each(worker, |_, i, row| {
            let struck = impacts.settle([W::consecutive(i)], [Vec3::<W>::zero()]);
            row.forget(W::zero().lt(struck));
        });
    }
}
