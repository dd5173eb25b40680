//! Contacts of bodies as a subsystem.

use super::batches::{ContactBatches, ROUNDS};
use super::direct_islands::{Direct, DirectIslands};
use super::events::Events;
use super::instance::Instance;
use super::joined::Joined;
use super::kinematic::KinematicMotion;
use super::narrow_phase::NarrowPhase;
use super::particle_batch::ParticleContacts;
use super::particle_search::ParticleSearch;
use super::settings::ContactSettings;
use super::sleep::Sleep;
use super::solver_bodies::SolverBodies;
use super::width::is_wide;
use crate::collision::{Collider, Contacts};
use crate::error::CheckpointError;
use crate::state::{BodyView, Saved, Width};
use crate::subsystem::{
    BuildContext, Note, Runtime, StepContext, StepPhase, Subsystem, SubsystemStatistics, runtimes,
};
use crate::threads::{Cells, PhaseScheduler, Phased, Worker, lock};
use crate::timers::Timers;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) const BROAD: usize = 0;
pub(super) const NARROW: usize = 1;
pub(super) const COLOR: usize = 2;
pub(super) const PACK: usize = 3;
pub(super) const RESPOND: usize = 4;
/// Fewer bodies and colliders are not timed: looking at the clock would be a twelfth of the time.
const TIMED: usize = 32;
/// Fewer bodies and colliders are one worker's, where no particles may touch them: a phase costs as much as what some ten bodies do
/// in it. Builds of tests look for races among few.
const SHARED: usize = if cfg!(test) { 4 } else { 64 };
const PHASES: [&str; 5] = ["broad", "narrow", "color", "pack", "respond"];

/// What the bodies of a model may touch: each other and the colliders.
#[derive(Clone, Debug)]
pub struct BodyContacts(Contacts);

impl BodyContacts {
    pub(crate) fn new(contacts: &Contacts) -> Self {
        Self(Contacts { cloths: Vec::new(), ..contacts.clone() })
    }

    fn runtime<W: Width>(&self, context: &BuildContext) -> Box<dyn Runtime<W>> {
        let Self(contacts) = self;
        let bodies = context.bodies.iter().map(Instance::of_body);
        let colliders = contacts.colliders.iter().map(Instance::of_collider);
        let instances: Vec<Instance> = bodies.chain(colliders).collect();
        let joined = Joined::new(context);
        let settings = ContactSettings::new(contacts, context.settings, &instances);
        let ways = [settings.ahead, settings.resting()];
        let is_wide = is_wide(context.settings, context.bodies.len());
        let batches = ContactBatches::new::<W>(settings.needs, is_wide, context);
        // The particles that may touch bodies, where there are any.
        let any = contacts.members(context.positions.len()).next().is_some();
        let search = any.then(|| ParticleSearch::new(contacts, context, settings.ahead));
        let (sleep, reports, is_timed) =
            (contacts.sleep, contacts.events, instances.len() >= TIMED);
        Box::new(BodyContactsRuntime::<W> {
            direct: Direct::new(DirectIslands::new(context, instances.len(), &settings)),
            bodies: SolverBodies::new(
                context.bodies.len().next_multiple_of(W::LANES),
                settings.needs.impacts,
            ),
            particles: search.map(ParticleContacts::new),
            plan: Phased::new([false; 2]),
            others: AtomicBool::new(false),
            alone: PhaseScheduler::new(1, 0, None),
            is_small: !any && instances.len() < SHARED,
            clock: is_timed.then(|| Mutex::new(Timers::new(PHASES.map(String::from)))),
            ends_alone: sleep.is_some() || reports,
            thrown: AtomicBool::new(false),
            rests: AtomicBool::new(false),
            struck: (0..ROUNDS).map(|_| Default::default()).collect(),
            state: Phased::new(State {
                colliders: contacts.colliders.clone(),
                motions: vec![KinematicMotion::none(); instances.len()],
                sleep: sleep.map(|after| {
                    let moved = [&context.driven, &context.tied].map(Clone::clone);
                    Sleep::new(after, context.bodies, joined.together(), moved)
                }),
                contacts: NarrowPhase::new(
                    instances,
                    joined.bodies(),
                    contacts,
                    ways,
                    batches.lanes,
                ),
                joined,
                batches,
                events: reports.then(|| Events::new(context.bodies.len(), context.settings.dt)),
                impulses: Cells::new(0, [0.0; 4]),
                reversed: false,
                substeps: 0,
            }),
            settings,
        })
    }
}

impl Subsystem for BodyContacts {
    fn name(&self) -> &'static str {
        "body contacts"
    }

    /// None: how many contacts there are is known in the step only.
    fn len(&self) -> usize {
        0
    }

    /// None: it is the model's own.
    fn needs(&self) -> [usize; 2] {
        [0; 2]
    }

    runtimes!(described);
}

/// Contacts of bodies ready for a method.
pub(super) struct BodyContactsRuntime<W: Width> {
    pub(super) settings: ContactSettings,
    /// Whether one worker has something to do at the end of a substep: who sleeps, and what is reported.
    pub(super) ends_alone: bool,
    pub(super) bodies: SolverBodies<W::Element>,
    pub(super) particles: Option<ParticleContacts<W>>,
    /// Whether contacts are found anew, and whether boxes are searched first; changed once in a substep, after all have met.
    pub(super) plan: Phased<[bool; 2]>,
    /// Whether the manifolds found are others than before; as above.
    pub(super) others: AtomicBool,
    /// For one worker that does what all would do together.
    alone: PhaseScheduler<'static>,
    /// Whether there are so few bodies, and no particles, that one worker does all.
    is_small: bool,
    /// Changed only after a meeting of all workers, until contacts are found.
    pub(super) state: Phased<State<W>>,
    pub(super) clock: Option<Mutex<Timers>>,
    /// Whether the warm start of this substep throws any body.
    pub(super) thrown: AtomicBool,
    /// Whether nothing stirs in what is left of this frame; changed after a meeting, when its first substep has ended.
    pub(super) rests: AtomicBool,
    /// Whether anything was struck, and waits to be, round by round.
    pub(super) struck: Vec<[AtomicBool; 2]>,
    pub(super) direct: Direct,
}

/// What one worker changes for all.
pub(super) struct State<W: Width> {
    pub(super) colliders: Vec<Collider>,
    pub(super) motions: Vec<KinematicMotion>,
    /// What joints hold together.
    pub(super) joined: Joined,
    pub(super) contacts: NarrowPhase,
    pub(super) batches: ContactBatches<W::Element>,
    pub(super) sleep: Option<Sleep>,
    /// Who touches whom, where that is reported; room for the impulse of each manifold and the sum of its normals (N s).
    pub(super) events: Option<Events>,
    pub(super) impulses: Cells<[f32; 4]>,
    /// Whether the positions of this substep are swept from the last constraint to the first, and its velocities from the first
    /// to the last; the next substep goes the other way. What the order does to a heap then cancels (docs/rigid.md).
    pub(super) reversed: bool,
    /// How many substeps of this frame are over.
    pub(super) substeps: u32,
}

impl<W: Width> BodyContactsRuntime<W> {
    /// Counts the time since the last call, of the worker that keeps it, to a phase; or to none.
    pub(super) fn lap(&self, worker: &Worker, phase: Option<usize>) {
        if let (Some(clock), true) = (&self.clock, worker.is_first()) {
            let mut clock = lock(clock);
            match phase {
                Some(phase) => clock.lap(phase),
                None => clock.start(),
            }
        }
    }

    /// Does `act` on all workers, or on one alone where there are few bodies and no particles: nobody else reads the state then, so
    /// that it may change without a meeting.
    fn share(&self, worker: &Worker, act: impl Fn(&Worker)) {
        match self.is_small && worker.count() > 1 {
            true => self.do_alone(worker, act),
            false => act(worker),
        }
    }

    /// The same, alone where there are few contacts to solve.
    pub(super) fn solve(&self, worker: &Worker, act: impl Fn(&Worker)) {
        match self.state.read().batches.is_worth(worker.count()) {
            true => act(worker),
            false => self.do_alone(worker, act),
        }
    }

    /// Tells the search which particles joints hold to bodies now.
    pub(super) fn join_particles(&self, state: &State<W>) {
        self.particles.iter().for_each(|p| p.search.write().joined = state.joined.particles());
    }

    fn do_alone(&self, worker: &Worker, act: impl Fn(&Worker)) {
        worker.single(|| act(&Worker::new(0, 1, &self.alone)));
    }
}

impl<W: Width> Runtime<W> for BodyContactsRuntime<W> {
    fn begin(&self, phase: StepPhase, worker: &Worker, step: &StepContext<W::Element>) {
        self.share(worker, |worker| self.begin_substep(phase, worker, step));
    }

    fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.share(worker, |worker| self.iterate(worker, step));
    }

    fn follows(&self) -> bool {
        self.particles.is_some()
    }

    /// As contacts with colliders do: a tank of bodies else holds deep water worse than one of colliders. Bodies among each other
    /// wait for the next iteration.
    fn follow(&self, worker: &Worker, step: &StepContext<W::Element>) {
        if !self.is_at_rest() {
            self.particles.iter().for_each(|p| p.project(worker, step));
        }
    }

    fn residual(&self, worker: &Worker, step: &StepContext<W::Element>, note: Note) {
        self.share(worker, |worker| self.note_residual(worker, step, note));
    }

    fn respond(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.share(worker, |worker| self.end_substep(worker, step));
    }

    fn save(&self) -> Saved {
        self.state.read().save()
    }

    fn load(&self, from: &Saved) -> Result<(), CheckpointError> {
        self.direct.islands.write().forget();
        let state = &mut *self.state.write();
        state.load(from)?;
        self.join_particles(state);
        Ok(())
    }

    fn wake(&self, body: u32, bodies: &BodyView<W::Element>) {
        let state = &mut *self.state.write();
        let woken = state.sleep.as_mut().map(|sleep| sleep.wake(body)).unwrap_or_default();
        for (i, resistance) in woken {
            self.rests.store(false, Ordering::Relaxed);
            state.contacts.put_asleep(i, false);
            bodies.hold(i, Some(resistance));
        }
    }

    fn lanes(&self) -> usize {
        self.state.read().batches.lanes
    }

    fn statistics(&self) -> SubsystemStatistics {
        self.told()
    }
}
