//! Whether rows are swept over in one direction or in both.

use super::Model;
use crate::subsystem::Subsystem;

impl Model {
    /// Whether methods that project rows one after another go over them there and back by turns: where a pressure acts on particles
    /// that rows hold too.
    pub fn is_swept_back(&self) -> bool {
        let mut pressed = vec![false; self.positions.len()];
        for subsystem in self.subsystems().filter(|subsystem| presses(*subsystem)) {
            let mut press = |of: &[u32]| of.iter().for_each(|&i| pressed[i as usize] = true);
            subsystem.each_joined(&mut press);
        }
        self.row_lists().iter().any(|list| list.particles.iter().any(|&i| pressed[i as usize]))
    }
}

/// Whether a subsystem's forces stand between the particles that it joins: pressure against a skin.
pub(crate) fn presses(subsystem: &dyn Subsystem) -> bool {
    subsystem.is_internal() && subsystem.bears()
}
