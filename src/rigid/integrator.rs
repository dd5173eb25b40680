//! All bodies through a substep: prediction before constraints are projected, poses and velocities after.

use super::Flight;
use crate::math::{Quat, Vec3};
use crate::settings::Settings;
use crate::state::{BodyState, BodyView, MovingBody, Width};
use crate::threads::Worker;

/// What moves the bodies of a model.
pub(crate) struct BodyIntegrator<W> {
    flight: Flight<W>,
}

impl<W: Width> BodyIntegrator<W> {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            flight: Flight::new(settings),
        }
    }

    /// x_prev <- x, q_prev <- q, velocities as predicted; predicted poses go to the records.
    pub(crate) fn predict(&self, worker: &Worker, bodies: &BodyView<W::Element>) {
        each::<W>(worker, bodies, |i| {
            let state = bodies.read(i);
            let inverse = state.inverse_inertia();
            let next = self.flight.predict(state, inverse);
            let moving = MovingBody {
                x: next.x,
                q: next.q,
                push: Vec3::zero(),
                turn: Vec3::zero(),
                w: next.w,
                inverse_inertia: inverse,
            };
            bodies.records.begin(i, moving);
            bodies.write_previous(i, state.x, state.q);
            let (x, q) = (state.x, state.q);
            bodies.write(i, &BodyState { x, q, ..next });
        });
    }

    /// The records come back as poses, velocities follow.
    pub(crate) fn finalize(&self, worker: &Worker, bodies: &BodyView<W::Element>) {
        each::<W>(worker, bodies, |i| {
            let (_, previous): (_, Quat<W>) = bodies.read_previous(i);
            let moved = bodies.load(W::slots(|lane| (i + lane) as u32));
            let landed = self.flight.land(bodies.read(i), previous, moved);
            bodies.write(i, &landed);
        });
    }
}

/// A phase over all bodies, as many at a time as `W` has lanes.
fn each<W: Width>(worker: &Worker, bodies: &BodyView<W::Element>, act: impl Fn(usize)) {
    if bodies.len() > 0 {
        worker.share(bodies.len() / W::LANES, |part| {
            part.for_each(|i| act(i * W::LANES));
        });
    }
}
