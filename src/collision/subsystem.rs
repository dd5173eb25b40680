//! Contacts as the last subsystem of a step.

use super::contacts::Contacts;
use crate::state::Width;
use crate::subsystem::{BuildContext, Runtime, Subsystem, runtimes};

impl Subsystem for Contacts {
    fn name(&self) -> &'static str {
        "contacts"
    }
    fn len(&self) -> usize {
        self.particles.as_ref().map_or(0, Vec::len)
    }
    runtimes!();
}

impl Contacts {
    fn runtime<W: Width>(&self, _context: &BuildContext) -> Box<dyn Runtime<W>> {
        todo!("being rewritten over the width")
    }
}
