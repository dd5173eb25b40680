//! Ctrl-C (SIGINT) and SIGTERM: the first ends a run after the frame under way, the second at once.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the user has asked for the end.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on; where the system refuses that, a signal ends the program as it does without.
    pub fn listen() -> Self {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag down.
            let _ = register_conditional_shutdown(signal, 130, Arc::clone(&asked));
            let _ = register(signal, Arc::clone(&asked));
        }
        Self(asked)
    }

    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
