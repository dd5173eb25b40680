//! What bodies do at the end of a substep, from which who sleeps follows.

use super::runtime::State;
use super::settings::ContactSettings;
use super::sleep::Motion;
use super::solver_bodies::SolverBodies;
use crate::math::Vec3;
use crate::state::{BodyView, Width};
use crate::subsystem::StepPhase;

impl<W: Width> State<W> {
    /// At the end of a frame puts bodies to sleep and wakes them; `loaded` are those that particles touch. What is about to be
    /// struck wakes at the end of any substep after which contacts are found anew: a blow that comes while it is as a fixed one
    /// is lost.
    pub(super) fn put_asleep(
        &mut self,
        settings: &ContactSettings,
        loaded: impl Iterator<Item = u32>,
        solver_bodies: &SolverBodies<W::Element>,
        bodies: &BodyView<W::Element>,
    ) {
        let Some(sleep) = &mut self.sleep else {
            return;
        };
        self.substeps = (self.substeps + 1) % settings.substeps;
        let ends = self.substeps == 0;
        let may_wake = settings.is_due(StepPhase::Substep) && sleep.asleep.contains(&true);
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
        let touching =
            contacts.manifolds.as_slice().iter().filter(|m| !m.is_sensor).map(|m| m.pair);
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
