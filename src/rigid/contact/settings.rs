//! Contact settings: what does not change while contacts are solved, and what each pass asks of them.

use super::instance::Instance;
use super::particle_contact::ParticleParting;
use super::pass::PassParameters;
use crate::collision::{BEGINNING, Contacts, Detect, LEAST, MAX_SPEED};
use crate::math::{Real, Scalar, Vec3, exponential};
use crate::settings::Settings;
use crate::state::Lanes;
use crate::subsystem::StepPhase;

/// β: the part of an overlap that a substep takes away.
const RATE: f64 = 0.06;
/// Overlaps part to 1/e in this time or more slowly (s): by β in every substep they would part the faster the shorter it is, and what the
/// passes of the velocities leave of that speed throws a stack up. (By 0.05 s five boxes that begin 15 cm in each other still rise.)
const PARTING_TIME: f64 = 0.1;
/// Always by as much speed as so many substeps of gravity give: below 133 g h² β alone rules, so that a stack at rest does not sink.
const PARTING_LEAST: f64 = 8.0;
/// y v of v passes of the velocities: λ may forget the less, the more of the speed at which overlaps part is taken back
/// (docs/rigid.md, "Softness").
const SOFTNESS: f64 = 0.04;
/// The first iteration brings one pass of the velocities, each further one h / COARSE, held within these: in long
/// substeps loads fall further before they are carried.
const VELOCITY_PASSES: [f64; 2] = [2.0, 4.0];
/// (s).
const COARSE: f64 = 1.0 / 240.0;
/// More iterations than this are given no further passes.
const MOST_ITERATIONS: u32 = 40;
/// The part of what has crept that comes back in a substep. No part of friction is forgotten, so it must be less than µ, the
/// convergence of a pass (docs/rigid.md): with 0.06 a pyramid of 20 layers trembles.
const CREEP_RATE: f64 = 0.00045;
/// What creeps comes back no faster than this part of what gravity gives in a substep: f32 makes points creep by less than
/// 0.01 mm/s, and what has truly slid should stay where it is (with 0.01 a pyramid of 20 layers went back by 0.3 mm/s).
const CREEP: f64 = 0.005;

/// What comes together faster than this may pass through in a substep (m/s). (At 3 m/s and more a falling heap took a tenth longer.)
const FAST: f64 = 8.0;
/// What rests overlaps by less than so much of g h²: one body by y g h² / β at most, which fewer iterations do not reach.
const RESTING: f64 = 0.2;
/// Slower approaches than this never rebound: rounds must end (m/s).
const STILL: f64 = 1e-5;

/// What a round of impacts asks.
pub(super) struct Strike<R> {
    pub(super) h: R,
    /// Slower approaches do not rebound (m/s).
    pub(super) threshold: R,
}

impl<E: Scalar> Strike<E> {
    /// The same in every lane.
    pub(super) fn in_lanes<W: Lanes<Element = E>>(&self) -> Strike<W> {
        Strike { h: W::collect(|_| self.h), threshold: W::collect(|_| self.threshold) }
    }
}

/// What contacts of a model need beside normals and friction.
#[derive(Clone, Copy)]
pub(super) struct Needs {
    /// Whether anything may rebound.
    pub(super) impacts: bool,
    /// Whether anything resists rolling or turning.
    pub(super) resistances: bool,
}

/// What all contacts of a model know.
pub(super) struct ContactSettings {
    detect: Detect,
    pub(super) h: f64,
    /// What damping leaves of a velocity in a substep.
    pub(super) keep: f64,
    pub(super) substeps: u32,
    pub(super) iterations: u32,
    /// How far what gravity gives in a substep leads in it: g h² (m).
    pub(super) falls: f64,
    /// The time until contacts are found again (s).
    pub(super) ahead: f64,
    /// How fast overlaps part at most (m/s).
    max_speed: f64,
    /// 1 / τ (1/s), and a speed (m/s): overlaps part no faster than the larger of d / τ and this.
    parting: [f64; 2],
    /// Overlaps below this gap part faster than a pass of the velocities takes back (m): boxes in a pile of forty overlap by as
    /// much (docs/rigid.md, "Softness").
    deep: f64,
    /// How many passes over the velocities end a substep.
    pub(super) velocity_passes: u32,
    /// How many times a pass goes over the points of a manifold: in long substeps there and back, else a column sways.
    ways: u32,
    /// y: the part of λ that an iteration forgets.
    softness: f64,
    /// What creeps comes back no faster (m/s).
    creep: f64,
    /// How far overlaps with particles part in a substep (m); bodies hold particles by what overlaps, so only where it is said.
    max_particle_way: f64,
    /// Slower approaches do not rebound (m/s).
    pub(super) threshold: f64,
    /// A warm start throws a body that it gives more speed (m/s).
    pub(super) thrown: f64,
    pub(super) needs: Needs,
}

impl ContactSettings {
    pub(super) fn new(contacts: &Contacts, settings: &Settings, instances: &[Instance]) -> Self {
        let (h, detect) = (settings.h(), contacts.detect);
        let [least, most] = VELOCITY_PASSES;
        let each = (h / COARSE).clamp(least, most);
        let more = settings.iterations.clamp(1, MOST_ITERATIONS) - 1;
        let velocity_passes = 1 + (each * f64::from(more)).round() as u32;
        let g: f64 = Vec3::of(settings.gravity).length();
        let falls = g * h * h;
        Self {
            detect,
            h,
            keep: exponential(-settings.damping * h),
            substeps: settings.substeps,
            iterations: settings.iterations.max(1),
            falls,
            ahead: match detect {
                Detect::Frame => settings.dt,
                Detect::Substep | Detect::Iteration => h,
            },
            max_speed: contacts.max_speed.unwrap_or(MAX_SPEED),
            parting: [1.0 / PARTING_TIME, PARTING_LEAST * g * h],
            deep: -2.0 * falls / RATE,
            velocity_passes,
            ways: if more > 0 && each > least { 2 } else { 1 },
            softness: SOFTNESS / f64::from(velocity_passes),
            creep: CREEP * g * h,
            max_particle_way: contacts.max_speed.map_or(1e9, |v| v * h),
            threshold: 2.0 * g * h,
            thrown: MAX_SPEED.max(8.0 * g * h),
            needs: Needs {
                impacts: instances.iter().any(|i| i.restitution > Some(0.0)),
                resistances: instances
                    .iter()
                    .any(|i| i.resistances.iter().any(|arm| *arm > Some(0.0))),
            },
        }
    }

    /// The pass of the positions.
    pub(super) fn position_pass<R: Real>(&self, reversed: bool) -> PassParameters<R> {
        PassParameters {
            h: R::of(self.h),
            parts: true,
            creep_rate: R::of(CREEP_RATE / self.h),
            rate: R::of(RATE / self.h),
            max_speed: R::of(self.max_speed),
            parting: self.parting.map(R::of),
            deep: R::of(self.deep),
            fast: R::of(FAST.max(-2.0 * self.deep / self.h)),
            softness: R::of(self.softness),
            creep: R::of(self.creep),
            ways: self.ways,
            reversed,
        }
    }

    /// That of the velocities, which goes the other way.
    pub(super) fn velocity_pass<R: Real>(&self, reversed: bool) -> PassParameters<R> {
        PassParameters {
            parts: false,
            rate: R::zero(),
            softness: R::zero(),
            ..self.position_pass(!reversed)
        }
    }

    /// How overlaps with particles part in the substep that begins at `time` (s), where the deepest began with `begun` (m): evenly in
    /// what is left of the first quarter of a second, whatever h, as particles that are pushed out at once push others, which keep
    /// that speed (a ball put into 0.6 kJ of water gave it 3.5 kJ at 20 x 5); later at once. What gives no more speed than gravity
    /// does in two substeps goes at once, always.
    pub(super) fn particle_parting(&self, time: f64, begun: f64) -> ParticleParting<f64> {
        let slow = self.threshold * self.h;
        ParticleParting {
            rate: (self.h / (BEGINNING - time).max(self.h)).min(1.0),
            least: LEAST * self.falls / f64::from(self.iterations),
            most: self.max_particle_way,
            begun: if begun > slow { begun } else { 0.0 },
            deep: -slow,
        }
    }

    /// By how much things at rest may overlap (m).
    pub(super) fn resting(&self) -> f64 {
        RESTING * self.falls * self.ahead / self.h
    }

    /// A round of impacts.
    pub(super) fn strike<R: Real>(&self) -> Strike<R> {
        Strike { h: R::of(self.h), threshold: R::of(self.threshold.max(STILL)) }
    }

    /// Whether contacts are to be found anew. (Gaps are seen anew in every iteration, so `iteration` is as `substep`.)
    pub(super) fn is_due(&self, phase: StepPhase) -> bool {
        phase == StepPhase::Frame || self.detect != Detect::Frame
    }
}
