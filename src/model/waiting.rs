//! What emitters have not sent out.

use super::Model;
use crate::forces::Emitter;
use crate::state::Snapshot;
use std::collections::BTreeMap;

impl Model {
    pub(crate) fn emitters(&self) -> impl Iterator<Item = &Emitter> {
        self.subsystems_of()
    }

    /// Who waits in a state, and where it is shown (m): who lies still where it was authored; without a state all.
    pub(crate) fn waiting(&self, state: Option<&Snapshot>) -> BTreeMap<u32, [f32; 3]> {
        let all = self.emitters().flat_map(|emitter| &emitter.particles);
        let place = |&i: &u32| (i, self.positions()[i as usize]);
        let waits = |&(i, x): &(u32, [f32; 3])| {
            let i = i as usize;
            state.is_none_or(|s| s.positions[i] == x && s.velocities[i] == [0.0; 3])
        };
        all.map(place).filter(waits).collect()
    }
}
