//! Subsystems: what a step does beside rows, such as groups of particles, joints and contacts.
//!
//! A [`Subsystem`] stands in the model as it was authored, and makes its [`Runtime`] from a [`BuildContext`] of slices. A
//! runtime is written once, over the width: one lane for the scalar loops, which are a team of one, or eight. A method calls
//! it at the same points of every substep, on all workers:
//!
//! ```text
//! predict;  begin(Frame | Substep)
//! iterations x { begin(Iteration), where the subsystem asks for it;  rows;  project }
//! velocity;  respond
//! ```
//!
//! Subsystems follow the rows of every iteration, in authored order: groups, joints, contacts (`docs/scene-format.md`).

use crate::coloring::Permutation;
use crate::error::{CheckpointError, ModelError};
use crate::math::{F32x8, Scalar};
use crate::rows::Residual;
use crate::settings::Settings;
use crate::state::{
    Body, BodyContact, BodyView, Breaks, ContactEvent, HeldVelocities, Obstacle, ParticleView,
    PositionView, Saved, Snapshot, Width,
};
use crate::threads::Worker;
use crate::timers::PhaseTime;
use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex};

/// What a subsystem did: how many of what it holds now, and the time of its phases so far.
#[derive(Clone, Debug, Default)]
pub struct SubsystemStatistics {
    /// What is counted, and how many.
    pub counts: Vec<(&'static str, usize)>,
    /// The phases and their times.
    pub times: Vec<PhaseTime>,
    /// Bodies that touched in the last frame, where that is reported.
    pub contacts: Vec<BodyContact>,
    /// Joints that have broken, by their places among those of the subsystem.
    pub broken: Vec<u32>,
    /// Contacts that began or ended in the last frame.
    pub events: Vec<ContactEvent>,
}

/// When a subsystem is told to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StepPhase {
    /// The first substep of a frame, after prediction.
    Frame,
    /// Any other substep, after prediction.
    Substep,
    /// Before an iteration that is not the first of a substep.
    Iteration,
}

impl StepPhase {
    /// The beginning of a frame's substep, counted from zero.
    pub(crate) fn of_substep(substep: u32) -> Self {
        match substep {
            0 => Self::Frame,
            _ => Self::Substep,
        }
    }
}

/// The model as authored so far: what subsystems that are being authored are checked against.
#[derive(Clone, Copy)]
pub struct Authored<'a> {
    /// Positions (m).
    pub positions: &'a [[f32; 3]],
    /// Inverse masses (1/kg).
    pub inverse_masses: &'a [f32],
    /// Rigid bodies.
    pub bodies: &'a [Body],
}

/// What a subsystem is made ready from: the model as authored, and where its particles lie.
pub(crate) struct BuildContext<'a> {
    /// How it is simulated.
    pub(crate) settings: &'a Settings,
    /// Positions (m), authored order.
    pub(crate) positions: &'a [[f32; 3]],
    /// Inverse masses (1/kg), authored order.
    pub(crate) inverse_masses: &'a [f32],
    /// Rigid bodies, authored order.
    pub(crate) bodies: &'a [Body],
    /// Surfaces, authored indices.
    pub(crate) triangles: &'a [[u32; 3]],
    /// Pairs that subsystems join, which therefore do not touch: of bodies, and of a particle and a body.
    pub(crate) joined: [Vec<[u32; 2]>; 2],
    /// Joints among them that may break: told by those that hold them, to those that come after.
    pub(crate) breaks: Mutex<Vec<Arc<Breaks>>>,
    /// What rigid joints hold of velocities.
    pub(crate) held: Vec<Arc<HeldVelocities>>,
    /// Bodies that subsystems keep in motion, and those that particles hold.
    pub(crate) driven: Vec<u32>,
    /// Bodies that the world holds, and pairs of bodies that hold each other by other than joints.
    pub(crate) tied: Vec<u32>,
    pub(crate) linked: Vec<[u32; 2]>,
    /// Planes that stand still: a point and the normal of each.
    pub(crate) walls: Vec<[[f64; 3]; 2]>,
    /// Bodies that particles touch.
    pub(crate) touched: Vec<u32>,
    /// What else they touch, but for planes that stand still.
    pub(crate) obstacles: Vec<Obstacle>,
    /// Where the particles lie.
    pub(crate) permutation: &'a Permutation,
    pub(crate) threads: usize,
}

/// What a step's subsystems work on, as all workers see it.
#[derive(Clone, Copy)]
pub(crate) struct StepContext<'a, E: Scalar> {
    /// Velocities and previous positions; positions before and after the iterations.
    pub(crate) particles: ParticleView<'a, E>,
    /// Positions and inverse masses while rows are projected.
    pub(crate) positions: PositionView<'a, E>,
    /// The rigid bodies.
    pub(crate) bodies: BodyView<'a, E>,
    /// The time at the start of the substep (s).
    pub(crate) time: f64,
}

impl<E: Scalar> StepContext<'_, E> {
    /// The same, in another substep of the frame.
    pub(crate) fn at_substep(&self, substep: u32, settings: &Settings) -> Self {
        Self { time: self.time + f64::from(substep) * settings.h(), ..*self }
    }
}

/// Takes the particles and the bodies of a constraint, and whether it keeps their momenta.
pub(crate) type Bond<'a> = dyn FnMut(&[u32], &[u32], bool) + 'a;

/// A subsystem as authored.
pub(crate) trait Subsystem: Any + Send + Sync {
    /// Its word in scene files, timers and refusals.
    fn name(&self) -> &'static str;
    /// How many constraints it counts as.
    fn len(&self) -> usize;
    /// All that is authored, as a text: models of which it differs are not the same.
    fn describe(&self, to: &mut dyn fmt::Write) -> fmt::Result;
    /// How many equations they are; of contacts none, as the step alone knows them.
    fn equations(&self) -> usize {
        self.len()
    }
    /// Does `act` with the particles of each constraint that joins some to one another, as rows do.
    fn each_joined(&self, _act: &mut dyn FnMut(&[u32])) {}
    /// Whether its corrections change neither momentum of the particles that it joins.
    fn is_internal(&self) -> bool {
        false
    }
    /// Whether it may go on correcting what is at rest: weight on a floor, pressure against a skin.
    fn bears(&self) -> bool {
        true
    }
    /// Takes in another that it is to be one with, if it is: says whether.
    fn take_in(&mut self, _other: &dyn Subsystem) -> Result<bool, ModelError> {
        Ok(false)
    }
    /// How many particles and bodies a model must have for it: each more than the largest index that it names.
    fn needs(&self) -> [usize; 2];
    /// Pairs that it joins, which therefore do not touch: of bodies, and of a particle and a body.
    fn joined(&self) -> [Vec<[u32; 2]>; 2] {
        Default::default()
    }
    /// What it holds of the velocities of bodies, which contacts must not break.
    fn held(&self) -> Vec<Arc<HeldVelocities>> {
        Vec::new()
    }
    /// Bodies that it keeps in motion, which therefore do not sleep.
    fn driven(&self) -> Vec<u32> {
        Vec::new()
    }
    /// Does `act` with the particles and the bodies that each of its constraints connects: without bodies what it joins.
    fn each_link(&self, act: &mut dyn FnMut(&[u32], &[u32])) {
        self.each_joined(&mut |particles| act(particles, &[]));
    }
    /// Does `act` with the particles and the bodies of each constraint that is one of joints and rows at arms, and with
    /// whether it keeps the momenta of these for ever: none of its ends is the world, and it cannot break.
    fn each_bond(&self, _act: &mut Bond) {}
    /// Ready for the scalar loops.
    fn scalar(&self, context: &BuildContext) -> Box<dyn Runtime<f32>>;
    /// Ready for the scalar loops in f64.
    #[cfg(test)]
    fn double(&self, context: &BuildContext) -> Box<dyn Runtime<f64>>;
    /// Ready for eight lanes.
    fn lanes(&self, context: &BuildContext) -> Box<dyn Runtime<F32x8>>;
    /// Adds |C + α/h² λ| / |∇C| of its constraints, in f64.
    fn add_residual(&self, _of: &Measurement, _sum: &mut Residual) {}
    /// Σ C² / 2α over its constraints with α > 0 (J).
    fn elastic_energy(&self, _of: &Measurement) -> f64 {
        0.0
    }
}

/// A state to be measured, and the multipliers that a subsystem's runtime gave.
#[derive(Clone, Copy)]
pub(crate) struct Measurement<'a> {
    pub(crate) state: &'a Snapshot,
    pub(crate) lambda: &'a [f32],
    pub(crate) settings: &'a Settings,
}

/// One more than the largest of some indices; of none, zero.
pub(crate) fn needed(indices: impl IntoIterator<Item = u32>) -> usize {
    indices.into_iter().map(|i| i as usize + 1).max().unwrap_or(0)
}

/// Anything that a model can hold beside rows: joints, attachments, groups, drives.
pub struct AnySubsystem(pub(crate) Box<dyn Subsystem>);

impl<S: Subsystem> From<S> for AnySubsystem {
    fn from(subsystem: S) -> Self {
        Self(Box::new(subsystem))
    }
}

/// Adds a subsystem to others, or to the one that takes it in.
pub(crate) fn add(
    to: &mut Vec<Box<dyn Subsystem>>,
    subsystem: Box<dyn Subsystem>,
) -> Result<(), ModelError> {
    for known in &mut *to {
        if known.take_in(&*subsystem)? {
            return Ok(());
        }
    }
    to.push(subsystem);
    Ok(())
}

/// The two instances, and one for tests, of a subsystem's one `fn runtime<W: Width>`; with `described` its text by `Debug` too.
macro_rules! runtimes {
    (described) => {
        fn describe(&self, to: &mut dyn std::fmt::Write) -> std::fmt::Result {
            write!(to, "{self:?}")
        }
        runtimes!();
    };
    () => {
        fn scalar(&self, context: &BuildContext) -> Box<dyn Runtime<f32>> {
            self.runtime(context)
        }
        #[cfg(test)]
        fn double(&self, context: &BuildContext) -> Box<dyn Runtime<f64>> {
            self.runtime(context)
        }
        fn lanes(&self, context: &BuildContext) -> Box<dyn Runtime<crate::math::F32x8>> {
            self.runtime(context)
        }
    };
}
pub(crate) use runtimes;

/// Where residuals (m) go at a check; any worker may call it.
pub(crate) type Note<'a> = &'a (dyn Fn(f32) + Sync);

/// A subsystem made ready, `W` numbers side by side. All workers call every method together and walk the same phases. All have
/// met when [`begin`](Runtime::begin) is called: phases may depend only on what changes there, once.
pub(crate) trait Runtime<W: Width>: Send + Sync {
    /// Whether it is to begin before every other iteration too.
    fn each_iteration(&self) -> bool {
        false
    }
    /// Before it begins in a substep: puts particles elsewhere together with where they come from, so that it gives no velocity.
    fn place(&self, _worker: &Worker, _step: &StepContext<W::Element>) {}
    /// Multipliers to zero, neighbors and contacts found anew: positions are predicted, the columns hold where they come from.
    fn begin(&self, phase: StepPhase, worker: &Worker, step: &StepContext<W::Element>);
    /// Whether [`begin`](Self::begin) may correct anything, as a warm start does.
    fn begins_with_corrections(&self) -> bool {
        true
    }
    /// How often it is projected in an iteration of rows.
    fn rounds(&self) -> usize {
        1
    }
    /// Whether it follows further rounds of the others.
    fn follows(&self) -> bool {
        false
    }
    /// One iteration.
    fn project(&self, _worker: &Worker, _step: &StepContext<W::Element>) {}
    /// After a further round of another in the same iteration, where it [follows](Self::follows).
    fn follow(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.project(worker, step);
    }
    /// Tells `note` the largest |C + α/h² λ| / |∇C| of its constraints as they are now (m); changes nothing that a step reads.
    fn residual(&self, _worker: &Worker, _step: &StepContext<W::Element>, _note: Note) {}
    /// What acts on velocities once they are known; positions are back in the columns.
    fn respond(&self, _worker: &Worker, _step: &StepContext<W::Element>) {}
    /// Between steps: wakes a body that sleeps, with all that sleep with it.
    fn wake(&self, _body: u32, _bodies: &BodyView<W::Element>) {}
    /// Its multipliers after the last iteration.
    fn multipliers(&self) -> Vec<f32> {
        Vec::new()
    }
    /// What it carries from one frame to the next, in authored order and the same at every width: what decides the next bits,
    /// and the multipliers that reports are made of. What follows from it is found again.
    fn save(&self) -> Saved {
        Saved::default()
    }
    /// Takes up what [`save`](Runtime::save) gave of this model, by any method; between frames.
    ///
    /// # Errors
    /// What does not fit the model.
    fn load(&self, _from: &Saved) -> Result<(), CheckpointError> {
        Ok(())
    }
    /// The addresses of `begin`, `project` and `respond`: a profile tells subsystems apart by them.
    #[cfg(all(feature = "cli", unix))]
    fn entries(&self) -> [usize; 3] {
        type Act<S, E> = fn(&S, &Worker, &StepContext<E>);
        let begin: fn(&Self, StepPhase, &Worker, &StepContext<W::Element>) = Self::begin;
        let [project, respond]: [Act<Self, W::Element>; 2] = [Self::project, Self::respond];
        [begin as usize, project as usize, respond as usize]
    }
    /// Of how many lanes its packets are.
    fn lanes(&self) -> usize {
        W::LANES
    }
    /// What it did, for reports.
    fn statistics(&self) -> SubsystemStatistics {
        SubsystemStatistics::default()
    }
}

/// A width that subsystems are made ready for.
pub(crate) trait SubsystemWidth: Width {
    /// A subsystem ready for this width.
    fn runtime(subsystem: &dyn Subsystem, context: &BuildContext) -> Box<dyn Runtime<Self>>;
}

impl SubsystemWidth for f32 {
    fn runtime(subsystem: &dyn Subsystem, context: &BuildContext) -> Box<dyn Runtime<Self>> {
        subsystem.scalar(context)
    }
}

#[cfg(test)]
impl SubsystemWidth for f64 {
    fn runtime(subsystem: &dyn Subsystem, context: &BuildContext) -> Box<dyn Runtime<Self>> {
        subsystem.double(context)
    }
}

impl SubsystemWidth for F32x8 {
    fn runtime(subsystem: &dyn Subsystem, context: &BuildContext) -> Box<dyn Runtime<Self>> {
        subsystem.lanes(context)
    }
}
