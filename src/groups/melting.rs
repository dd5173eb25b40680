//! Melting: a part whose hold fades as its temperature rises from the solidus to the liquidus, for good (S1-20).
//!
//! ```text
//! s(t) = 1 - (t - t0) / (t1 - t0), held within 0..1        x <- x + s (x' - x),  x' = where the part takes x
//! ```
//!
//! Heating is even, so the temperature is told by the time: t0 and t1 (s). A part's corrections are proportional to its
//! stiffness, so this is the part with s times its stiffness; all of its particles fade alike, so it keeps the momentum that
//! the part keeps. What takes over, such as a [`Fluid`](super::Fluid) of the same particles, is a part of its own.

use crate::constraints::Particle;
use crate::math::{Real, Scalar, Vec3};
use crate::subsystem::{
    BuildContext, Runtime, StepContext, StepPhase, Subsystem, SubsystemWidth, runtimes,
};
use crate::threads::{Cells, Phased, Worker};
use std::sync::Arc;

/// A part that melts.
pub struct Melting<P> {
    part: P,
    particles: Arc<[u32]>,
    begins: f64,
    ends: f64,
}

impl<P: Subsystem> Melting<P> {
    /// `part`, which moves `particles` and no others, melts from the time `begins` to the time `ends` (s).
    pub fn new(part: P, particles: &[u32], begins: f64, ends: f64) -> Self {
        Self {
            part,
            particles: particles.into(),
            begins,
            ends,
        }
    }
}

/// s at a time.
fn hold([begins, ends]: [f64; 2], time: f64) -> f64 {
    match time < begins {
        true => 1.0,
        false => ((ends - time) / (ends - begins).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0),
    }
}

/// `after`, only `hold` of the way from `before`.
#[inline(always)]
fn blend<R: Scalar>(before: Vec3<R>, after: Vec3<R>, hold: R) -> Vec3<R> {
    before + (after - before) * hold
}

impl<P: Subsystem> Subsystem for Melting<P> {
    fn name(&self) -> &'static str {
        self.part.name()
    }
    fn len(&self) -> usize {
        self.part.len()
    }
    runtimes!();
}

impl<P: Subsystem> Melting<P> {
    fn runtime<W: SubsystemWidth>(&self, context: &BuildContext) -> Box<dyn Runtime<W>> {
        let slots = self.particles.iter();
        let slots: Vec<u32> = slots.map(|&i| context.permutation.storage(i)).collect();
        Box::new(MeltingRuntime {
            inner: W::runtime(&self.part, context),
            before: Cells::new(slots.len(), Vec3::zero()),
            slots,
            clock: [self.begins, self.ends],
            hold: Phased::new(1.0),
        })
    }
}

struct MeltingRuntime<W: SubsystemWidth> {
    inner: Box<dyn Runtime<W>>,
    before: Cells<Vec3<W::Element>>,
    slots: Vec<u32>,
    clock: [f64; 2],
    hold: Phased<f64>,
}

impl<W: SubsystemWidth> Runtime<W> for MeltingRuntime<W> {
    fn begin(&self, phase: StepPhase, worker: &Worker, step: &StepContext<W::Element>) {
        worker.alone(|| *self.hold.write() = hold(self.clock, step.time));
        self.inner.begin(phase, worker, step);
    }

    fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        let hold = *self.hold.read();
        if hold == 0.0 {
            return;
        }
        let load = |i: usize| -> Particle<W::Element> {
            let [site] = step.positions.load([self.slots[i]]);
            site
        };
        worker.share(self.slots.len(), |part| {
            part.for_each(|i| self.before.set(i, load(i).x));
        });
        self.inner.project(worker, step);
        worker.share(self.slots.len(), |part| {
            for i in part {
                let Particle { x, w } = load(i);
                let x = blend(self.before.get(i), x, W::Element::of(hold));
                step.positions.store([self.slots[i]], [Particle { x, w }]);
            }
        });
    }
}
