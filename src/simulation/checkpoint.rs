//! Checkpoints of a simulation: written, read, and taken up where they fit.

use super::Simulation;
use crate::error::CheckpointError;
use crate::settings::Settings;
use crate::state::Checkpoint;
use std::io::{Read, Write};

impl Simulation {
    /// Writes the state as a checkpoint, from which [`load`](Self::load) goes on with the same bits.
    ///
    /// # Errors
    /// What `to` says.
    pub fn save(&self, to: &mut impl Write) -> Result<(), CheckpointError> {
        self.checkpoint().write(to)
    }

    /// Goes on from a checkpoint of this model and of these settings, by whatever method and on however many threads it was.
    ///
    /// # Errors
    /// What is no checkpoint of this version, is cut short or damaged, or is of another model; then nothing has changed.
    pub fn load(&mut self, from: &mut impl Read) -> Result<(), CheckpointError> {
        self.resume(&Checkpoint::read(from)?)
    }

    pub(super) fn fingerprint(&self) -> u64 {
        let fingerprint = self.fingerprint.get().unwrap_or_else(|| self.model.fingerprint());
        self.fingerprint.set(Some(fingerprint));
        fingerprint
    }

    /// The settings as a checkpoint knows them: without what changes no bit.
    fn settings_text(&self) -> String {
        format!("{:?}", Settings { width: None, ..self.model.settings.clone() })
    }

    /// All that it takes to go on from here.
    #[doc(hidden)]
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            fingerprint: self.fingerprint(),
            settings: self.settings_text(),
            state: self.snapshot(),
            ..Checkpoint::default()
        }
    }

    /// Goes on from a checkpoint of the same model and settings, bit for bit.
    ///
    /// # Errors
    /// One of another model, of other settings or of another version.
    #[doc(hidden)]
    pub fn resume(&mut self, from: &Checkpoint) -> Result<(), CheckpointError> {
        let hex = |fingerprint: u64| format!("{fingerprint:016x}");
        let settings = self.settings_text();
        let here = hex(self.fingerprint());
        for (what, saved, here) in [
            ("model", hex(from.fingerprint), here),
            ("choice of settings", from.settings.clone(), settings),
        ] {
            if saved != here {
                return Err(CheckpointError::Other { what, saved, here });
            }
        }
        let (before, breakdowns) = (self.snapshot(), self.breakdowns.clone());
        let taken = self.take(&from.state);
        taken.inspect_err(|_| {
            self.restore(&before);
            self.breakdowns = breakdowns; // of a simulation that has stopped its state says nothing
        })
    }
}
