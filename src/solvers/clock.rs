//! Times the phases of a step while its workers walk them.

use crate::threads::{Worker, lock};
use crate::timers::Timers;
use std::cell::RefCell;
use std::sync::{Mutex, MutexGuard};

/// The first phases' numbers; a `project` per row set and per subsystem follows.
pub(super) const PREDICT: usize = 0;
pub(super) const VELOCITY: usize = 1;
pub(super) const SEARCH: usize = 2;
pub(super) const RESPOND: usize = 3;
pub(super) const PROJECT: usize = 4;

/// Times phases while one worker walks them.
pub(super) struct Clock<'a>(RefCell<Option<MutexGuard<'a, Timers>>>);

impl<'a> Clock<'a> {
    /// It runs for the first worker only.
    pub(super) fn new(timers: &'a Mutex<Timers>, worker: &Worker) -> Self {
        let first = worker.is_first();
        Self(RefCell::new(first.then(|| lock(timers))))
    }

    pub(super) fn enter(&self, phase: usize) {
        if let Some(timers) = self.0.borrow_mut().as_mut() {
            timers.enter(phase);
        }
    }
}
