//! Values that one worker changes in a phase of its own, and all workers read in other phases.

use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A value read by all, or changed by one in a phase. Read between phases, it must not change again before all workers have
/// met ([`Worker::meet`](super::Worker::meet)), as they have whenever subsystems begin: one that is late still reads it.
#[derive(Default)]
pub(crate) struct Phased<T>(RwLock<T>);

impl<T> Phased<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(RwLock::new(value))
    }

    /// The value, to read.
    ///
    /// # Panics
    /// If it is being changed: the phases are not in order.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, T> {
        self.0.try_read().expect("a value read while it is changed")
    }

    /// The value, to change.
    ///
    /// # Panics
    /// If it is being read or changed: the phases are not in order.
    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, T> {
        self.0.try_write().expect("a value changed while it is used")
    }
}
