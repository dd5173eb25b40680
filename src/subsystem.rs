//! Parts: what a step moves besides rows, such as groups of particles, joints and contacts.
//!
//! A [`Part`] stands in the model as it was authored, and is made ready for a method in one of two forms: [`FlatPart`] for
//! the scalar loops, [`LanePart`] for eight lanes on threads. Both do the same, bit for bit. A method calls them at the same
//! points of every substep:
//!
//! ```text
//! predict;  begin(Frame | Substep)
//! iterations x { begin(Iteration), where the part asks for it;  rows;  project }
//! velocity;  respond
//! ```
//!
//! Parts follow the rows of every iteration, in authored order (`SCENE_FORMAT.md`: groups, joints, contacts).

use crate::coloring::Numbering;
use crate::math::Scalar;
use crate::model::Model;
use crate::rigid::{Joint, SharedBodies};
use crate::rows::Residual;
use crate::rows::{Places, Points};
use crate::settings::Settings;
use crate::state::Particles;
use crate::state::Snapshot;
use crate::threads::{Shared, Team, Worker};
use crate::timers::PhaseTime;

/// What a part did: how many of what it holds now, and the time of its phases so far.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// What is counted, and how many.
    pub counts: Vec<(&'static str, usize)>,
    /// The phases and their times.
    pub times: Vec<PhaseTime>,
}

/// When a part is told to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// The first substep of a frame, after prediction.
    Frame,
    /// Any other substep, after prediction.
    Substep,
    /// Before an iteration.
    Iteration,
}

impl Moment {
    /// The beginning of a frame's substep, counted from zero.
    pub(crate) fn of_substep(substep: u32) -> Self {
        match substep {
            0 => Self::Frame,
            _ => Self::Substep,
        }
    }
}

/// A part as authored.
pub trait Part: PartSource<f32> + PartSource<f64> + Send + Sync {
    /// Its word in scene files, timers and refusals.
    fn name(&self) -> &'static str;
    /// How many constraints it counts as.
    fn len(&self) -> usize;
    /// Whether it holds nothing.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Pairs of bodies that it joins, which therefore do not touch.
    fn joined(&self) -> Vec<[u32; 2]> {
        Vec::new()
    }
    /// The part ready for the lanes; particles lie where `numbering` says.
    #[doc(hidden)]
    #[allow(private_interfaces)] // made and driven by the crate's own methods
    fn lanes(&self, model: &Model, numbering: &Numbering) -> Box<dyn LanePart>;
    /// Adds |C + α/h² λ| / |∇C| of its constraints in a state, in f64; `lambda` as the method's form gives it.
    fn add_residual(
        &self,
        _state: &Snapshot,
        _lambda: &[f32],
        _settings: &Settings,
        _sum: &mut Residual,
    ) {
    }
    /// Σ C² / 2α over its constraints with α > 0 (J).
    fn elastic_energy(&self, _state: &Snapshot, _settings: &Settings) -> f64 {
        0.0
    }
    /// The joints it holds, for pictures and for other engines.
    fn joints(&self) -> &[Joint] {
        &[]
    }
}

/// What makes a [`FlatPart`] of numbers `R`.
pub trait PartSource<R: Scalar> {
    /// The part ready for a scalar loop; particles lie where `numbering` says.
    fn flat(&self, model: &Model, numbering: &Numbering) -> Box<dyn FlatPart<R>>;
}

/// A part in a scalar loop.
pub trait FlatPart<R: Scalar>: Send {
    /// Whether it is to begin before every iteration too.
    fn each_iteration(&self) -> bool {
        false
    }
    /// Multipliers to zero, neighbors and contacts found anew: `points` are predicted, `particles` hold where they come from.
    fn begin(&mut self, moment: Moment, particles: &Particles<R>, points: &Points<R>);
    /// One iteration.
    fn project(&mut self, points: &Points<R>);
    /// What acts on velocities once they are known.
    fn respond(&mut self, _particles: &mut Particles<R>) {}
    /// Its multipliers after the last iteration.
    fn multipliers(&self) -> Vec<f32> {
        Vec::new()
    }
    /// What it did, for reports.
    fn account(&self) -> Account {
        Account::default()
    }
}

/// Where a step's particles are, as all workers see them.
#[derive(Clone, Copy)]
pub(crate) struct Stage<'a> {
    /// Velocities and previous positions; positions before and after the iterations.
    pub(crate) particles: Shared<'a>,
    /// Positions and inverse masses while rows are projected.
    pub(crate) places: Places<'a>,
    /// The time at the start of the substep (s).
    pub(crate) time: f64,
    /// The rigid bodies.
    pub(crate) bodies: SharedBodies<'a>,
}

/// A part in lanes, on threads.
///
/// `begin` and `respond` are called on the thread that steps and may enter the team themselves, any number of times.
/// `project` is called by every worker: all must walk the same phases, so these may depend only on what `begin` left.
#[allow(private_interfaces)] // made and driven by the crate's own methods
pub trait LanePart: Send + Sync {
    /// Whether it is to begin before every iteration too.
    fn each_iteration(&self) -> bool {
        false
    }
    /// As [`FlatPart::begin`].
    #[doc(hidden)]
    fn begin(&mut self, moment: Moment, team: &Team, stage: &Stage);
    /// One iteration, all workers together.
    #[doc(hidden)]
    fn project(&self, worker: &Worker, stage: &Stage);
    /// As [`FlatPart::respond`]; positions are back in the columns.
    #[doc(hidden)]
    fn respond(&mut self, _team: &Team, _stage: &Stage) {}
    /// Its multipliers after the last iteration.
    fn multipliers(&self) -> Vec<f32> {
        Vec::new()
    }
    /// What it did, for reports.
    fn account(&self) -> Account {
        Account::default()
    }
}
