//! Frames that are watched for what is no longer finite.

use super::Simulation;
use super::quarantine::{Breakdown, Quarantine, connected};
use crate::settings::NonFinite;
use crate::solvers::first_to_break;
use crate::state::Snapshot;
use std::mem::take;

impl Simulation {
    /// Advances by one frame step dt. Never panics on data: what is no longer finite is reported by
    /// [`observe`](Self::observe), ends the simulation before the frame or goes into quarantine, as the settings say.
    pub fn step(&mut self) {
        let nonfinite = self.model.settings.nonfinite;
        if nonfinite == NonFinite::Stop && !self.breakdowns.is_empty() {
            return;
        }
        // A frame that breaks is undone with what tears and comes at its start.
        let before = (nonfinite == NonFinite::Stop).then(|| self.snapshot());
        self.tear();
        self.emit();
        match before {
            Some(before) => self.advance_or_stop(&before),
            None if nonfinite == NonFinite::Quarantine => self.advance_watched(),
            None => self.advance(),
        }
    }

    /// A frame, undone where something breaks in it.
    fn advance_or_stop(&mut self, before: &Snapshot) {
        let start = self.visible();
        self.advance();
        if let Some(broken) = self.broken_since(&start) {
            // Where the system refuses the threads for what was whole before, the state stays as it broke.
            let _ = self.take(before);
            self.breakdowns.push(broken);
        }
    }

    /// What is no longer finite after a frame that began as `start`.
    fn broken_since(&self, start: &Snapshot) -> Option<Breakdown> {
        // What is in quarantine is shown where it was: finite.
        let mut broken = Quarantine::broken_in(&self.visible())?;
        let mut hidden = start.clone();
        self.quarantine.hide(&mut hidden);
        let inverse_mass = |i| self.particles.inverse_mass(i);
        broken.time = start.time;
        broken.first = first_to_break(&self.model, &hidden, inverse_mass);
        Some(broken)
    }

    /// What broke so far, where the settings watch for it: nothing is stepped any more, or it is in quarantine.
    pub fn breakdowns(&self) -> &[Breakdown] {
        &self.breakdowns
    }

    /// A frame, done again without what breaks in it as long as something does.
    fn advance_watched(&mut self) {
        let before = self.snapshot();
        loop {
            self.advance();
            let Some(mut broken) = self.broken_since(&before) else {
                return;
            };
            connected(&self.model, &mut broken);
            let mut quarantine = take(&mut self.quarantine);
            let mut breakdowns = take(&mut self.breakdowns);
            quarantine.take(&broken, &before);
            breakdowns.push(broken);
            self.take(&before).expect("a state of this model");
            (self.quarantine, self.breakdowns) = (quarantine, breakdowns);
            self.hide_quarantine();
        }
    }

    /// What is in quarantine is no number to the engine.
    pub(super) fn hide_quarantine(&mut self) {
        let none = [f32::NAN; 3];
        self.quarantine.particles().for_each(|i| self.particles.set(i, none, none));
        for i in self.quarantine.bodies() {
            self.particles.bodies.set(i as usize, [f32::NAN; 7], [f32::NAN; 6]);
        }
    }
}
