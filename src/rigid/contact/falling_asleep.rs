//! What bodies do at the end of a substep, from which who sleeps follows.

use super::narrow_phase::NarrowPhase;
use super::runtime::{BodyContactsRuntime, State};
use super::settings::ContactSettings;
use super::sleep::Motion;
use super::solver_bodies::SolverBodies;
use crate::math::Vec3;
use crate::state::{BodyView, Width};
use crate::subsystem::{StepContext, StepPhase};
use std::sync::atomic::Ordering;

impl<W: Width> BodyContactsRuntime<W> {
    /// Whether nothing stirs in what is left of the frame.
    pub(super) fn is_at_rest(&self) -> bool {
        self.rests.load(Ordering::Relaxed)
    }

    /// What one worker does at the end of a substep.
    pub(super) fn end_alone(&self, step: &StepContext<W::Element>) {
        let search = self.particles.as_ref().map(|p| p.search.read());
        let loaded = search.iter().flat_map(|search| search.packets.iter().map(|p| p.body));
        let state = &mut *self.state.write();
        state.report(&step.bodies);
        state.put_asleep(&self.settings, (loaded, self.is_at_rest()), &self.bodies, &step.bodies);
        let rests = self.particles.is_none() && state.rests();
        self.rests.store(rests, Ordering::Relaxed);
    }
}

impl NarrowPhase {
    /// Pairs of instances that touch or are near each other.
    pub(super) fn touching(&self) -> impl Iterator<Item = [u32; 2]> + Clone {
        self.manifolds.as_slice().iter().filter(|m| !m.is_sensor).map(|m| m.pair)
    }
}

impl<W: Width> State<W> {
    /// Whether nothing stirs before the next frame: all that could move sleeps, where it is, and nobody asks what touches.
    fn rests(&self) -> bool {
        let mut instances = 0..self.contacts.instances.len() as u32;
        self.events.is_none()
            && !self.contacts.changed
            && self.motions.iter().all(|motion| motion.still)
            && instances.all(|i| self.contacts.is_resting(i))
    }

    /// At the end of a frame puts bodies to sleep and wakes them; `loaded` are those that particles touch. What is about to be
    /// struck wakes at the end of any substep after which contacts are found anew, unless nothing stirs that [`rests`](Self::rests):
    /// a blow that comes while it is as a fixed one is lost.
    fn put_asleep(
        &mut self,
        settings: &ContactSettings,
        (loaded, rests): (impl Iterator<Item = u32>, bool),
        solver_bodies: &SolverBodies<W::Element>,
        bodies: &BodyView<W::Element>,
    ) {
        let Some(sleep) = &mut self.sleep else {
            return;
        };
        self.substeps = (self.substeps + 1) % settings.substeps;
        let ends = self.substeps == 0;
        let may_wake =
            !rests && settings.is_due(StepPhase::Substep) && sleep.asleep.contains(&true);
        if !(ends || may_wake) {
            return;
        }
        let (contacts, count) = (&self.contacts, sleep.asleep.len());
        let mut busy = std::mem::take(&mut sleep.busy);
        busy.clear();
        busy.resize(count, false);
        loaded.chain(sleep.driven.iter().copied()).for_each(|body| busy[body as usize] = true);
        let motion = |i: usize| {
            let instance = &contacts.instances[i];
            let [v, omega] = match i < count {
                true => solver_bodies.velocities(i),
                false => [Vec3::zero(); 2],
            };
            Motion {
                v,
                turns: match i < count {
                    true => omega.length() * instance.geometry.reach(),
                    false => 0.0,
                },
                busy: i < count && busy[i] || instance.moving,
            }
        };
        let touching = contacts.touching();
        let dt = settings.h * f64::from(settings.substeps);
        let is_fixed = |i: usize| contacts.instances[i].fixed;
        let changes = match ends {
            true => sleep.update(dt, touching, is_fixed, motion),
            false => sleep.wake_touched(touching, motion),
        };
        sleep.busy = busy;
        for (i, resistance) in changes {
            self.contacts.put_asleep(i, resistance.is_none());
            bodies.hold(i, resistance);
        }
    }
}
