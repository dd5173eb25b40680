//! How one waits for another.

use std::time::Duration;

#[cfg(loom)]
use loom::thread::yield_now;
#[cfg(not(loom))]
use std::thread::yield_now;

/// How often one that may not spin offers its core before it sleeps, and for how long at least: what a timer takes is some 50 µs.
pub(super) const OFFERS: u32 = 64;
const NAP: Duration = Duration::from_micros(1);
/// Turns that tests wait first: their phases are so short that most are done by then, and a core handed over costs more. Not other
/// builds: where the one waited for has no core, they are lost.
#[cfg(all(test, not(loom)))]
const BRIEF: u32 = 128;

/// A turn of one who waits. It keeps its core for `spins` turns, then offers it to others. Without any, as there are more workers than
/// cores, it sleeps at last: an idle core takes over those who wait for another one.
pub(super) fn pause(turn: u32, spins: u32) {
    #[cfg(all(test, not(loom)))]
    let Some(turn) = turn.checked_sub(BRIEF) else {
        return std::hint::spin_loop();
    };
    if turn < spins {
        std::hint::spin_loop();
    } else if spins > 0 || turn < OFFERS || cfg!(loom) {
        yield_now();
    } else {
        std::thread::sleep(NAP);
    }
}

/// The machine's cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
