//! Ctrl-C (SIGINT) and SIGTERM: the first ends a run after the frame or picture under way, the second at once; of other commands the first does.

#[cfg(unix)]
use super::output::note;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::time::Duration;

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
        say_how_to_end();
        Self(asked)
    }

    /// The first signal ends the program at once, with the exit status of one that was asked to end.
    pub fn end_at_once() {
        for signal in [SIGINT, SIGTERM] {
            let _ = register_conditional_shutdown(signal, 130, Arc::new(AtomicBool::new(true)));
        }
    }

    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How long a frame or picture goes on after a signal before that is said.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_millis(500);

/// Has a thread wait for the first signal and say, where what is under way takes long, that a second one ends it. Where the
/// system refuses the thread, nothing is said.
#[cfg(unix)]
fn say_how_to_end() {
    use std::io::Read;
    use std::os::unix::net::UnixStream;
    let Ok((mut heard, told)) = UnixStream::pair() else {
        return;
    };
    for signal in [SIGINT, SIGTERM] {
        if let Ok(told) = told.try_clone() {
            let _ = signal_hook::low_level::pipe::register(signal, told);
        }
    }
    let _ = std::thread::Builder::new().spawn(move || {
        if heard.read_exact(&mut [0]).is_ok() {
            std::thread::sleep(PATIENCE);
            note!("a signal: the frame or picture under way is the last; a second signal ends it at once");
        }
    });
}

#[cfg(not(unix))]
fn say_how_to_end() {}
