//! Between two frames sinks take particles, and emitters send out those that wait.

use super::Simulation;
use crate::forces::Emitter;
use crate::model::Model;
use crate::state::Snapshot;
use std::any::Any;
use std::collections::BTreeMap;

/// Particles that wait, and where they are shown (m).
pub(super) type Waiting = BTreeMap<u32, [f32; 3]>;

fn emitters(model: &Model) -> impl Iterator<Item = &Emitter> {
    model.subsystems().filter_map(|subsystem| (subsystem as &dyn Any).downcast_ref::<Emitter>())
}

/// Who waits in a state: who lies still where it was authored; without a state all.
pub(super) fn waiting(model: &Model, state: Option<&Snapshot>) -> Waiting {
    let all = emitters(model).flat_map(|emitter| &emitter.particles);
    let place = |&i: &u32| (i, model.positions()[i as usize]);
    let waits = |(i, x): &(u32, [f32; 3])| {
        state
            .is_none_or(|s| s.positions[*i as usize] == *x && s.velocities[*i as usize] == [0.0; 3])
    };
    all.map(place).filter(waits).collect()
}

impl Simulation {
    /// Takes and sends out what is due at the start of a frame.
    pub(super) fn emit(&mut self) {
        let (now, before) = (self.time(), self.clock.before());
        let mut out = Vec::new();
        for emitter in emitters(&self.model) {
            for &i in &emitter.particles {
                let x = self.particles.position(i).map(f64::from);
                if emitter.sinks.iter().any(|sink| sink.holds(x)) {
                    self.quarantine.waiting.insert(i, self.model.positions()[i as usize]);
                }
            }
            let free = emitter.particles.iter().filter(|i| self.quarantine.waiting.contains_key(i));
            out.extend(free.copied().zip(emitter.come(before, now)));
        }
        self.hide_quarantine();
        for (i, [x, v]) in out {
            self.quarantine.waiting.remove(&i);
            self.particles.set(i, x, v);
        }
    }
}
