//! Melting: a part whose hold fades as its temperature rises from the solidus to the liquidus, for good (S1-20).
//!
//! ```text
//! s(t) = 1 - (t - t0) / (t1 - t0), held within 0..1        x <- x + s (x' - x),  x' = where the part takes x
//! ```
//!
//! Heating is even, so the temperature is told by the time: t0 and t1 (s). A part's corrections are proportional to its
//! stiffness, so this is the part with s times its stiffness; all of its particles fade alike, so it keeps the momentum that
//! the part keeps. What takes over, such as a [`Fluid`](super::Fluid) of the same particles, is a subsystem of its own.

use crate::constraints::Particle;
use crate::error::CheckpointError;
use crate::math::{Real, Scalar, Vec3};
use crate::rows::Residual;
use crate::state::{Column3, Saved};
use crate::subsystem::{
    AnySubsystem, BuildContext, Measurement, Note, Runtime, StepContext, StepPhase, Subsystem,
    SubsystemStatistics, SubsystemWidth, needed, runtimes,
};
use crate::threads::{Cells, Phased, Worker};
use std::fmt;
use std::sync::Arc;

/// A part that melts.
pub struct Melting {
    inner: AnySubsystem,
    particles: Arc<[u32]>,
    begins: f64,
    ends: f64,
}

impl Melting {
    /// `inner`, which moves `particles` and no others, melts from the time `begins` to the time `ends` (s). A particle named
    /// again is taken once: workers share the list, so none may stand in two of its ranges.
    pub fn new(inner: impl Into<AnySubsystem>, particles: &[u32], begins: f64, ends: f64) -> Self {
        let mut particles = particles.to_vec();
        particles.sort_unstable();
        particles.dedup();
        Self { inner: inner.into(), particles: particles.into(), begins, ends }
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

impl Subsystem for Melting {
    fn name(&self) -> &'static str {
        self.inner.0.name()
    }
    fn len(&self) -> usize {
        self.inner.0.len()
    }
    fn equations(&self) -> usize {
        self.inner.0.equations()
    }
    fn each_joined(&self, act: &mut dyn FnMut(&[u32])) {
        self.inner.0.each_joined(act);
    }
    fn is_internal(&self) -> bool {
        self.inner.0.is_internal()
    }
    fn bears(&self) -> bool {
        self.inner.0.bears()
    }
    fn joined(&self) -> [Vec<[u32; 2]>; 2] {
        self.inner.0.joined()
    }
    fn describe(&self, to: &mut dyn fmt::Write) -> fmt::Result {
        let Self { inner, particles, begins, ends } = self;
        write!(to, "{begins} {ends} {particles:?} ")?;
        inner.0.describe(to)
    }
    fn needs(&self) -> [usize; 2] {
        let [particles, bodies] = self.inner.0.needs();
        [particles.max(needed(self.particles.iter().copied())), bodies]
    }
    fn each_link(&self, act: &mut dyn FnMut(&[u32], &[u32])) {
        self.inner.0.each_link(act);
    }
    runtimes!();

    fn add_residual(&self, of: &Measurement, sum: &mut Residual) {
        if hold([self.begins, self.ends], of.state.time) > 0.0 {
            self.inner.0.add_residual(of, sum);
        }
    }

    /// That of the part, s times as stiff.
    fn elastic_energy(&self, of: &Measurement) -> f64 {
        hold([self.begins, self.ends], of.state.time) * self.inner.0.elastic_energy(of)
    }
}

impl Melting {
    fn runtime<W: SubsystemWidth>(&self, context: &BuildContext) -> Box<dyn Runtime<W>> {
        let slots = self.particles.iter();
        let slots: Vec<u32> = slots.map(|&i| context.permutation.storage(i)).collect();
        Box::new(MeltingRuntime {
            inner: W::runtime(self.inner.0.as_ref(), context),
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

impl<W: SubsystemWidth> MeltingRuntime<W> {
    /// Does `act`, and leaves each particle only `hold` of the way to where that takes it; `read` and `write` are of its slot.
    fn part_of_the_way(
        &self,
        worker: &Worker,
        act: impl Fn(),
        read: impl Fn(u32) -> Vec3<W::Element>,
        write: impl Fn(u32, Vec3<W::Element>),
    ) {
        let hold = W::Element::of(*self.hold.read());
        worker.parallel_for(self.slots.len(), |part| {
            part.for_each(|i| self.before.set(i, read(self.slots[i])));
        });
        act();
        worker.parallel_for(self.slots.len(), |part| {
            for i in part {
                let slot = self.slots[i];
                write(slot, blend(self.before.get(i), read(slot), hold));
            }
        });
    }
}

impl<W: SubsystemWidth> Runtime<W> for MeltingRuntime<W> {
    fn each_iteration(&self) -> bool {
        self.inner.each_iteration()
    }

    fn rounds(&self) -> usize {
        self.inner.rounds()
    }

    fn begin(&self, phase: StepPhase, worker: &Worker, step: &StepContext<W::Element>) {
        worker.single(|| *self.hold.write() = hold(self.clock, step.time));
        self.inner.begin(phase, worker, step);
    }

    fn save(&self) -> Saved {
        self.inner.save()
    }

    fn load(&self, from: &Saved) -> Result<(), CheckpointError> {
        self.inner.load(from)
    }

    /// What has melted holds nothing.
    fn residual(&self, worker: &Worker, step: &StepContext<W::Element>, note: Note) {
        if *self.hold.read() > 0.0 {
            self.inner.residual(worker, step, note);
        }
    }

    fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        if *self.hold.read() == 0.0 {
            return;
        }
        // Part of the way is the same part of a correction.
        let stored = step.positions.stored();
        let load = |slot: u32| -> Particle<W::Element> {
            let [site] = stored.load([slot]);
            site
        };
        self.part_of_the_way(
            worker,
            || self.inner.project(worker, step),
            |slot| load(slot).x,
            |slot, x| stored.store([slot], [Particle { x, ..load(slot) }]),
        );
    }

    fn respond(&self, worker: &Worker, step: &StepContext<W::Element>) {
        if *self.hold.read() == 0.0 {
            return;
        }
        self.part_of_the_way(
            worker,
            || self.inner.respond(worker, step),
            |slot| step.particles.gather::<W::Element>(Column3::Velocity, slot),
            |slot, v| step.particles.scatter::<W::Element>(Column3::Velocity, slot, v),
        );
    }

    fn multipliers(&self) -> Vec<f32> {
        self.inner.multipliers()
    }

    fn statistics(&self) -> SubsystemStatistics {
        self.inner.statistics()
    }
}
