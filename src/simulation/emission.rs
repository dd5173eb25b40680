//! Between two frames sinks take particles, and emitters send out those that wait.

use super::Simulation;

impl Simulation {
    /// Takes and sends out what is due at the start of a frame.
    pub(super) fn emit(&mut self) {
        let (now, before) = (self.time(), self.clock.before());
        let mut out = Vec::new();
        for emitter in self.model.emitters() {
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
