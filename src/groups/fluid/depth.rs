//! How deep a fluid lies, and what that asks of a substep.
//!
//! With N layers of particles, each 2r high, pressure moves a particle in a substep by q = g N h²/(2r) of its distance to the next.
//! Where that is much, pressure that is applied at once throws particles past each other, and water boils. So what lasts is
//! applied in parts, one an iteration, each for q <= 1/7, and as many iterations follow: substeps of 1/60 s and 1/240 s
//! then leave 3 m of water as still (r = 2.5 cm; at 1/60 s with parts of q = 1/5 it boils at 4 cm/s, with q = 2/5 at 1 m/s).
//!
//! A fluid that lies N layers deep answers an error at its floor in N²/n substeps of n iterations, so pressure may last no sooner:
//! twice as soon makes 60 layers boil at 0.3 m/s.
//!
//! A particle at a surface lacks the neighbors above it, 0.11 of its density, and sinks until it is as dense as the inside: by a tenth of a
//! layer, which is 1.7 % of the level of three layers. In shallow water it counts as what it lacks: c |Σ s d|² more dense, with Σ s d what its
//! density's gradient is made of and c so that a lattice's surface is at rest, and at most what that lacks. This is no force of an energy:
//! 12 layers then moved at 16 mm/s for 10 s, a cube with a surface tension did not become round, and bodies lay 2 % too deep.
//!
//! N is that of the authored layout, or that of the fullest column ([`columns`](super::columns)) at the start of a frame, if that is
//! much more: water that is poured or runs together gets deeper. With that of the layout alone, 8 layers from an emitter burst at 8 m/s.
//! Such water lies in no order, and some of its particles bear several times what lies above them, at a q as much larger. So what lasts of
//! one is held to the weight of N layers, l <= ρ g N 2r V h² b/h_k² (h_k the support): without, a layer at the floor still burst at 4 to 9 m/s.

use super::authored::Fluid;
use super::columns::Columns;
use crate::math::length;
use crate::subsystem::BuildContext;
use crate::threads::{Cells, Worker};

/// The most q of a part.
const PART: f64 = 1.0 / 7.0;
/// The most parts, so that no substep takes for ever.
const MOST_PARTS: f64 = 64.0;
/// Iterations for each part where there are several.
const PER_PART: f64 = 2.5;
/// From how many layers on water is deep, and the least iterations of it in a substep: by one, 20 layers go on moving at 9 mm/s at ten
/// substeps, 40 at 32 mm/s at twenty; by two they move at 0.5 and 0.1 mm/s after eight and ten seconds.
const DEEP: f64 = 12.0;
const LEAST: f64 = 2.0;
/// How long it takes a pressure to last (s), at least.
const TIME: f64 = 2.0;
/// The most layers of shallow water.
const SHALLOW: f64 = 3.5;
/// What of a multiplier lasts after a substep is at most this times n/N².
const ANSWER: f64 = 0.5;

/// How many times as many layers as authored a column must have to count: particles in no order seem a little more.
const DEEPER: f64 = 1.25;

/// More than any multiplier.
const ANY: f64 = f32::MAX as f64;

/// What follows from a fluid's depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Depth {
    /// How often the fluid is projected in an iteration of rows.
    pub(super) rounds: usize,
    /// In how many parts lasting pressure is applied.
    pub(super) parts: u32,
    /// What of a multiplier lasts after a substep.
    pub(super) rate: f64,
    /// Whether gravity holds it and it is so shallow that its surface may not sink.
    pub(super) shallow: bool,
    /// The most of a multiplier that lasts.
    pub(super) most: f64,
}

/// The depth of a fluid, measured anew in every frame: it follows from where particles are, and no checkpoint holds it.
pub(super) struct Depths {
    columns: Option<Columns>,
    /// Layers as authored.
    authored: f64,
    /// q of a layer, and what multiplier bears its weight.
    pressed: f64,
    weight: f64,
    iterations: f64,
    rounds: Option<u32>,
    h: f64,
    spacing: f64,
    now: Cells<Depth>,
}

impl Depths {
    pub(super) fn new(fluid: &Fluid, context: &BuildContext) -> Self {
        let (settings, given) = (context.settings, fluid.numbers());
        let (h, spacing) = (settings.h(), 2.0 * given.radius);
        let count = fluid.particles().len();
        let nothing = Depth { rounds: 1, parts: 1, rate: 1.0, shallow: false, most: ANY };
        let pressed = fluid.fall(settings);
        let density = fluid.all_numbers().map(|of| of.rest_density).fold(0.0, f64::max);
        let mass = density * fluid.volume();
        let depths = Self {
            columns: Columns::new(count, given.radius, settings.gravity, context.threads),
            authored: authored(fluid, context),
            pressed,
            weight: mass * pressed * spacing * spacing / -fluid.unit_of_multipliers(),
            iterations: f64::from(settings.iterations.max(1)),
            rounds: given.rounds,
            h,
            spacing,
            now: Cells::new(1, nothing),
        };
        depths.now.set(0, depths.of(depths.authored));
        depths
    }

    /// As it was when the frame began.
    #[inline(always)]
    pub(super) fn now(&self) -> Depth {
        self.now.get(0)
    }

    /// Measures it, all workers together, given where each of `count` particles is (m). Where they reach no higher than they did, no
    /// column is looked at: a tenth of a step of `dam`.
    pub(super) fn measure(&self, worker: &Worker, count: usize, point: impl Fn(usize) -> [f32; 3]) {
        if let Some(columns) = &self.columns {
            let layers = columns.height(worker, count, &point) / self.spacing + 1.0;
            if layers <= DEEPER * self.authored {
                return worker.single(|| self.now.set(0, self.of(self.authored)));
            }
            columns.layers(worker, point, |layers| {
                let most = (layers * self.weight).min(ANY);
                self.now.set(
                    0,
                    match layers > DEEPER * self.authored {
                        true => Depth { most, ..self.of(layers) },
                        false => self.of(self.authored),
                    },
                );
            });
        }
    }

    fn of(&self, layers: f64) -> Depth {
        let pressed = self.pressed * layers;
        let parts = (pressed / PART).ceil().clamp(1.0, MOST_PARTS);
        let is_deep = pressed > 0.0 && layers > DEEP;
        let alone = if is_deep { LEAST } else { 1.0 };
        let wanted = if parts > 1.0 { PER_PART * parts } else { alone };
        let needed = (wanted / self.iterations).ceil();
        let rounds = self.rounds.map_or(needed, f64::from);
        let all = rounds * self.iterations;
        Depth {
            rounds: rounds as usize,
            parts: parts.min((all / PER_PART).floor()).max(1.0) as u32,
            shallow: pressed > 0.0 && layers < SHALLOW,
            most: ANY,
            rate: (self.h / TIME).min(ANSWER * all / (layers * layers)).min(1.0),
        }
    }
}

/// How many layers of particles lie above one another along gravity where they are authored; without gravity, along any axis.
fn authored(fluid: &Fluid, context: &BuildContext) -> f64 {
    let settings = context.settings;
    let gravity = length(&settings.gravity);
    let extent = |direction: [f64; 3]| {
        let along = |&i: &u32| {
            let x = context.positions[i as usize];
            (0..3).map(|k| f64::from(x[k]) * direction[k]).sum::<f64>()
        };
        let all = || fluid.particles().iter().map(along);
        all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min)
    };
    let extent = match gravity > 0.0 {
        true => extent(settings.gravity.map(|g| g / gravity)),
        false => {
            let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            axes.map(extent).into_iter().fold(0.0, f64::max)
        }
    };
    extent.max(0.0) / (2.0 * fluid.numbers().radius) + 1.0
}
