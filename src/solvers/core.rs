//! What the methods share: rows and subsystems made ready, the workers that walk them, the clock, and what a step begins and
//! ends with. `W` is how many particles go side by side: one in the scalar loops, which are a team of one.

use super::clock::{Clock, PREDICT, PROJECT};
use super::convergence::{ConvergenceMonitor, IterationControl};
use super::sweeps::Sweeps;
use crate::coloring::{Permutation, Phase, Plan};
use crate::forces::{Hierarchy, InternalTorque, Linkages, RigidDamping, Wind};
use crate::math::{Real, Vec3};
use crate::model::{Model, presses};
use crate::rigid::BodyIntegrator;
use crate::rows::Batch;
use crate::settings::Settings;
use crate::state::{
    Bodies, BodyRecords, BodyView, Column3, Integrator, ParticleView, Particles, PositionView,
    Width, largest_lane,
};
use crate::subsystem::{BuildContext, Runtime, StepContext, SubsystemWidth};
use crate::threads::{Team, Worker};
use crate::timers::Timers;
use std::ops::Range;
use std::sync::Mutex;

/// A core's second-level cache, about, in bytes.
const L2: usize = 1 << 20;

/// Some rows of one color of one row set.
#[derive(Clone, Debug)]
pub(super) struct RowPhase {
    pub(super) set: usize,
    pub(super) color: usize,
    pub(super) units: Range<usize>,
}

/// Rows and subsystems, and those who project them.
pub(super) struct Core<W: Width> {
    pub(super) settings: Settings,
    /// Whether every other sweep over the rows goes back, and which subsystems follow the way back alone.
    is_swept_back: bool,
    after_return: Vec<bool>,
    pub(super) batches: Vec<Box<dyn Batch<W::Element>>>,
    pub(super) subsystems: Vec<Box<dyn Runtime<W>>>,
    /// Their names.
    #[cfg(all(feature = "cli", unix))]
    pub(super) names: Vec<&'static str>,
    pub(super) phases: Vec<RowPhase>,
    pub(super) colors: usize,
    pub(super) team: Team,
    pub(super) monitor: ConvergenceMonitor,
    pub(super) timers: Mutex<Timers>,
    integrator: Integrator<W>,
    pub(super) bodies: BodyIntegrator<W>,
    pub(super) body_records: BodyRecords<W::Element>,
    wind: Option<Wind>,
    /// Coarse levels, and the number of their phase.
    pub(super) hierarchy: Option<(Hierarchy<W>, usize)>,
    pub(super) rigid_damping: Option<RigidDamping>,
    pub(super) internal_torque: Option<InternalTorque>,
    /// Whether each subsystem corrects from outside.
    pub(super) external: Vec<bool>,
    pub(super) linkages: Option<Linkages>,
    /// Packed records beside the columns, for gathers and scalar loops; empty where packets run.
    pub(super) records: Vec<[W::Element; 4]>,
    /// What records of corrections start from; empty where none are kept.
    predicted: Vec<[W::Element; 4]>,
    /// Whether a phase spreads over more records than a second-level cache holds.
    far: bool,
    /// By blocks of slots one for particles that may wait to be sent out; empty where none does.
    may_wait: Vec<W>,
}

impl<W: SubsystemWidth> Core<W> {
    /// Those who project `batches`, color by color as planned, with the model's subsystems; `extras` are phases timed beside
    /// them.
    pub(super) fn new(
        model: &Model,
        Sweeps { settings, halved, go_back }: Sweeps,
        plan: &Plan,
        batches: Vec<Box<dyn Batch<W::Element>>>,
        team: Team,
        extras: &[&str],
    ) -> Self {
        let after_return: Vec<bool> = model.subsystems().map(|s| go_back && presses(s)).collect();
        let mut context = model.context(&plan.permutation, team.threads());
        let subsystems = runtimes(model, &mut context, [&settings, &halved], &after_return);
        let names = ["predict", "velocity", "search", "respond"].map(String::from).into_iter();
        let kinds = batches.iter().map(|batch| batch.name());
        let others = model.subsystems().map(|subsystem| subsystem.name());
        let projects = kinds.chain(others).map(|name| format!("project {name}"));
        let extras = extras.iter().map(|&name| String::from(name));
        let hierarchy = Hierarchy::new(&context, model.rows().iter().map(|set| set.as_ref()));
        let mut phases: Vec<String> = names.chain(projects).chain(extras).collect();
        let hierarchy = hierarchy.map(|levels| (levels, phases.len()));
        phases.extend(hierarchy.as_ref().map(|_| "project hierarchy".into()));
        let (slots, rows) = (plan.permutation.slot_count(), model.row_lists());
        let wind = Wind::new(&context);
        let (lists, subsystem) = ([&rows[..], &model.tied_row_lists()], || model.subsystems());
        let records = |are_kept| vec![[W::Element::zero(); 4]; if are_kept { slots } else { 0 }];
        let gathers = !plan.structured || W::LANES == 1;
        Self {
            timers: Mutex::new(Timers::new(phases)),
            integrator: Integrator::new(&settings),
            is_swept_back: go_back,
            after_return,
            bodies: BodyIntegrator::new(&settings),
            body_records: BodyRecords::new(Bodies::<W::Element>::slots(model.bodies().len())),
            subsystems,
            #[cfg(all(feature = "cli", unix))]
            names: model.subsystems().map(|subsystem| subsystem.name()).collect(),
            linkages: Linkages::new(&context, lists, subsystem, wind.is_some()),
            wind,
            hierarchy,
            rigid_damping: RigidDamping::new(&context, &rows, model.subsystems()),
            internal_torque: InternalTorque::new(&context, lists, subsystem, model.keeps_spin()),
            external: model.subsystems().map(|s| !s.is_internal()).collect(),
            predicted: records(gathers && model.is_carried()),
            records: records(gathers),
            far: plan.tiles() == 1 && slots * size_of::<[f32; 4]>() > L2,
            may_wait: may_wait(model, &plan.permutation),
            phases: row_phases(plan, &batches),
            colors: plan.colors(),
            team,
            monitor: ConvergenceMonitor::default(),
            batches,
            settings,
        }
    }

    /// Does a frame step: every worker does `work`. One entry into the pool.
    pub(super) fn step(
        &mut self,
        particles: &mut Particles<W::Element>,
        work: impl Fn(&Self, &Worker, &StepContext<W::Element>) + Sync,
    ) {
        self.timers.get_mut().expect("no worker panicked").start();
        self.monitor.begin_step();
        let mut records = std::mem::take(&mut self.records);
        let mut predicted = std::mem::take(&mut self.predicted);
        let mut bodies = std::mem::replace(&mut particles.bodies, Bodies::none());
        let time = particles.time;
        particles.time = time + self.settings.dt;
        let columns = ParticleView::new(particles);
        let positions = PositionView::new(columns, &mut records, &mut predicted, self.far);
        let step = StepContext {
            particles: columns,
            positions,
            bodies: BodyView::new(&mut bodies, &self.body_records),
            time,
        };
        self.team.run(|worker| work(self, worker, &step));
        self.timers.get_mut().expect("no worker panicked").leave();
        (self.records, self.predicted) = (records, predicted);
        particles.bodies = bodies;
    }

    /// Whether rows of particles are all there is: a substep then begins where the one before has ended, tile by tile.
    pub(super) fn is_rows_alone(&self, model: &Model) -> bool {
        let others = self.subsystems.is_empty() && model.bodies().is_empty();
        let watched = self.rigid_damping.is_some() || self.internal_torque.is_some();
        others && self.wind.is_none() && self.hierarchy.is_none() && !watched
    }

    /// Whether iteration `k` of a substep goes back.
    pub(super) fn goes_back(&self, k: usize) -> bool {
        self.is_swept_back && !k.is_multiple_of(2)
    }

    /// Whether subsystem `i` is projected in iteration `k`.
    pub(super) fn is_due(&self, i: usize, k: usize) -> bool {
        self.goes_back(k) || !self.after_return[i]
    }

    /// The clock, which runs for the worker that keeps it.
    pub(super) fn clock(&self, worker: &Worker) -> Clock<'_> {
        Clock::new(&self.timers, worker)
    }

    /// The number of a phase timed beside rows and subsystems.
    pub(super) fn extra(&self, i: usize) -> usize {
        PROJECT + self.batches.len() + self.subsystems.len() + i
    }

    /// What the air does to velocities; then v <- v + h a, x_prev <- x, x <- x + h v, bodies first.
    #[inline(never)] // a frame of its own in profiles
    pub(super) fn predict(&self, worker: &Worker, step: &StepContext<W::Element>, clock: &Clock) {
        clock.enter(PREDICT);
        if let Some(linkages) = &self.linkages {
            linkages.begin::<W>(false, worker, step);
        }
        self.before_prediction(worker, step);
        over_all::<W>(worker, step, |range| self.predict_range(range, step));
    }

    /// What is done before particles are predicted.
    pub(super) fn before_prediction(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.bodies.predict(worker, &step.bodies);
        if let Some(wind) = &self.wind {
            worker.parallel_for(wind.len(), |range| wind.blow::<W>(range, &step.particles));
        }
    }

    pub(super) fn predict_range(&self, range: Range<usize>, step: &StepContext<W::Element>) {
        self.integrator.predict_range(range, &step.particles, &step.positions);
    }

    pub(super) fn update_range(&self, range: Range<usize>, step: &StepContext<W::Element>) {
        self.integrator.update_range(range, &step.particles, &step.positions);
    }

    /// A substep's iterations by `iterate`, until they are up or the tolerance is met.
    pub(super) fn iterate(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        stop: &mut IterationControl,
        iterate: impl Fn(usize),
    ) {
        stop.begin();
        while let Some(iterations) = stop.passes() {
            iterations.for_each(&iterate);
            if stop.checks_now() {
                self.measure(worker, step);
                worker.single(|| self.monitor.end_check());
                stop.check();
            }
        }
    }

    /// Notes the residuals of all rows and subsystems; of a state that is not finite an infinite one.
    fn measure(&self, worker: &Worker, step: &StepContext<W::Element>) {
        worker.parallel_for(self.batches.len(), |range| {
            for batch in &self.batches[range] {
                for color in 0..batch.colors().len() {
                    self.monitor.note(batch.residual(color, &step.positions));
                }
            }
        });
        for subsystem in &self.subsystems {
            subsystem.residual(worker, step, &|error| self.monitor.note(error));
        }
        // What is finite times zero is zero, all else is not a number.
        let broken = |v: Vec3<W>| v.dot(Vec3::of([0.0; 3])).or_infinite();
        worker.each_block(step.particles.len(), W::LANES, |i| {
            let mut error = broken(step.positions.read(i));
            if let Some(&may_wait) = self.may_wait.get(i / W::LANES) {
                // Who was no number when the substep began waits.
                let waits = may_wait * broken(step.particles.read(Column3::Previous, i));
                error = W::select(W::zero().lt(waits), W::zero(), error);
            }
            self.monitor.note(largest_lane(error));
        });
        worker.each_block(step.bodies.len(), W::LANES, |i| {
            let body = step.bodies.load(W::consecutive(i));
            self.monitor.note(largest_lane(broken(body.x + body.q.vector())));
        });
    }
}

fn row_phases<E>(plan: &Plan, batches: &[Box<dyn Batch<E>>]) -> Vec<RowPhase> {
    let phase = |phase: &Phase| {
        let color = batches[phase.set].colors().get(phase.color);
        let units = 0..color.map_or(0, |color| color.units());
        RowPhase { set: phase.set, color: phase.color, units }
    };
    plan.phases.iter().map(phase).collect()
}

/// One for particles of emitters, by blocks of slots; nothing where there are none.
fn may_wait<W: Width>(model: &Model, permutation: &Permutation) -> Vec<W> {
    let all = model.emitters().flat_map(|emitter| &emitter.particles);
    let slots: Vec<u32> = all.map(|&i| permutation.storage(i)).collect();
    let mut of_slots = vec![0.0; permutation.slot_count().next_multiple_of(W::LANES)];
    slots.iter().for_each(|&slot| of_slots[slot as usize] = 1.0);
    let blocks = if slots.is_empty() { 0 } else { of_slots.len() / W::LANES };
    (0..blocks).map(|block| W::singles(|lane| of_slots[block * W::LANES + lane])).collect()
}

/// The model's subsystems made ready, by the whole settings; `halved` are those of what is projected in every other iteration.
fn runtimes<'a, W: SubsystemWidth>(
    model: &'a Model,
    context: &mut BuildContext<'a>,
    [whole, halved]: [&'a Settings; 2],
    halves: &[bool],
) -> Vec<Box<dyn Runtime<W>>> {
    let runtime = |(subsystem, halves): (_, &bool)| {
        context.settings = if *halves { halved } else { whole };
        W::runtime(subsystem, context)
    };
    let all = model.subsystems().zip(halves).map(runtime).collect();
    context.settings = whole;
    all
}

/// A phase over all slots, whole blocks of as many particles as `W` has lanes.
pub(super) fn over_all<W: Width>(
    worker: &Worker,
    step: &StepContext<W::Element>,
    act: impl Fn(Range<usize>),
) {
    worker.parallel_for(step.particles.len() / W::LANES, |range| {
        act(range.start * W::LANES..range.end * W::LANES);
    });
}

/// Sweeps over the particles in a substep: prediction, iterations, velocities.
pub(super) fn passes(settings: &Settings) -> usize {
    settings.iterations as usize + 2
}
