//! Warm start: what contacts did in the substep before is done again, unless that throws a body.
//!
//! What a resting contact carries hardly changes, so that all contacts of a body together give it no more speed than gravity
//! takes. An impact is another matter, and so is a light body between two heavy ones where one of the contacts ends: the other
//! throws it out, at hundreds of metres a second, and iterations that meet its neighbors first make energy of that. So contacts
//! of a body that is thrown begin at zero.
//!
//! ```text
//! |Δv|² + w |Δω|⁴ / (Δω·I⁻¹ Δω) > v²      Δv, Δω by the warm start; the second term is the square of |Δω| times the body's
//!                                         radius of gyration about Δω
//! ```

use super::batch::{ContactBatch, Scene, on_bodies};
use super::pass::PassParameters;
use super::rolling::RollingTorque;
use super::runtime::{BodyContactsRuntime, State};
use super::solver_bodies::SolverBodies;
use crate::constraints::ContactImpulse;
use crate::math::Vec3;
use crate::state::{Lanes, Width};
use crate::subsystem::StepContext;
use crate::threads::Worker;
use std::ops::Range;
use std::sync::atomic::Ordering;

impl<W: Width> BodyContactsRuntime<W> {
    /// A substep begins for the constraints, and bodies are where the warm start brings them.
    pub(super) fn warm_start(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        state: &State<W>,
        pass: &PassParameters<W::Element>,
    ) {
        let (bodies, h) = (&self.bodies, W::of(self.settings.h));
        bodies.gather(worker, &step.bodies, h);
        state.batches.begin(worker, &Scene { bodies, motions: &state.motions }, pass);
        self.hold_jointed(worker, step, state);
        bodies.correct_warm_start(worker, &step.bodies, h, self.settings.thrown, &self.thrown);
        if self.thrown.load(Ordering::Relaxed) {
            state.batches.release(worker, bodies);
            self.hold_jointed(worker, step, state);
            bodies.correct(worker, &step.bodies, h);
        }
    }
}

impl<W: Lanes, const K: usize, const FIXED: bool> ContactBatch<W, K, FIXED> {
    pub(super) fn release_all(&self, range: Range<usize>, bodies: &SolverBodies<W::Element>) {
        for i in range {
            let constraint = &self.constraints.as_slice()[i];
            let [a, b] = constraint.slots;
            let thrown = bodies.thrown::<W>(a);
            let thrown = if FIXED { thrown } else { thrown.max(bodies.thrown(b)) };
            let thrown = W::zero().lt(thrown);
            if !W::any(thrown) {
                continue;
            }
            let (starts, mut impulses) = (&self.starts.as_slice()[i], self.impulses.get(i));
            on_bodies(constraint, bodies, |pair| {
                for (start, impulse) in starts.iter().zip(&mut impulses) {
                    let p = -impulse.vector(constraint.normal);
                    pair.apply(start.levers, Vec3::select(thrown, p, Vec3::zero()));
                    let ContactImpulse { lambda, friction } = *impulse;
                    impulse.lambda = W::select(thrown, W::zero(), lambda);
                    impulse.friction = Vec3::select(thrown, Vec3::zero(), friction);
                }
                if self.rolling_torques.len() > 0 {
                    let RollingTorque { torque, spin } = self.rolling_torques.get(i);
                    pair.turn(Vec3::select(thrown, -torque, Vec3::zero()));
                    let torque = Vec3::select(thrown, Vec3::zero(), torque);
                    self.rolling_torques.set(i, RollingTorque { torque, spin });
                }
            });
            self.impulses.set(i, impulses);
            if self.impacts.len() > 0 {
                self.impacts.set(i, [impulses, [ContactImpulse::none(); K]]);
            }
        }
    }
}
