//! Frames that are watched for what is no longer finite.

use super::Simulation;
use super::quarantine::{Breakdown, Quarantine, connected};
use crate::settings::NonFinite;
use crate::solvers::first_to_break;
use std::mem::take;

impl Simulation {
    /// Advances by one frame step dt. Never panics on data: what is no longer finite is reported by
    /// [`observe`](Self::observe), ends the simulation or goes into quarantine, as the settings say.
    pub fn step(&mut self) {
        let nonfinite = self.model.settings.nonfinite;
        if nonfinite == NonFinite::Stop && !self.breakdowns.is_empty() {
            return;
        }
        self.tear();
        self.emit();
        match nonfinite {
            NonFinite::Report => self.advance(),
            NonFinite::Stop | NonFinite::Quarantine => self.advance_watched(),
        }
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
            // What is in quarantine is shown where it was: finite.
            let Some(mut broken) = Quarantine::broken_in(&self.visible()) else {
                return;
            };
            let mut start = before.clone();
            self.quarantine.hide(&mut start);
            (broken.time, broken.first) = (before.time, first_to_break(&self.model, &start));
            if self.model.settings.nonfinite == NonFinite::Stop {
                self.breakdowns.push(broken);
                return;
            }
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
