//! Whether rows are swept over in one direction or in both.

use super::Model;

impl Model {
    /// Whether methods that project rows one after another go over them there and back by turns: where a pressure acts on particles
    /// that rows hold too.
    pub fn is_swept_back(&self) -> bool {
        let mut pressed = vec![false; self.positions.len()];
        for subsystem in self.subsystems().filter(|s| s.follows_return()) {
            let mut press =
                |particles: &[u32]| particles.iter().for_each(|&i| pressed[i as usize] = true);
            subsystem.each_joined(&mut press);
        }
        self.row_lists().iter().any(|list| list.particles.iter().any(|&i| pressed[i as usize]))
    }
}
