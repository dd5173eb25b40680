//! Emitters: particles that come out of a mouth one after another, and wait again where a sink has taken them.
//!
//! ```text
//! the k-th comes at t_k = begins + k/rate from place k mod n of the mouth, and at a frame that begins at t is at place + v (t - t_k)
//! ```
//!
//! The n places are a square lattice in the mouth, so at the rate n speed/spacing each place sends a row of particles that are as far
//! apart as the places: fluid at rest. Where f32 rounds that to denser than at rest, its pressure bursts the jet (at 16 substeps to 2.4 times
//! its energy), so left to itself the rate is a little lower. What waits is no number to the engine, as what is in quarantine, and is shown where it was authored,
//! at rest: so a state says who waits. Particles come and go between frames. Units: metres, seconds.

use crate::error::{ModelError, checked, direction_flaw};
use crate::math::{Vec3, length};
use crate::state::Width;
use crate::subsystem::{
    BuildContext, Runtime, StepContext, StepPhase, Subsystem, needed, runtimes,
};
use crate::threads::Worker;

/// The opening of an emitter, across its direction.
#[derive(Clone, Copy, Debug)]
pub enum Mouth {
    /// A disc of a radius (m).
    Disc(f64),
    /// A rectangle of half sizes (m).
    Rectangle([f64; 2]),
}

/// What takes particles back.
#[derive(Clone, Copy, Debug)]
pub enum Sink {
    /// All below a point (m), seen along a normal.
    Plane([f64; 3], [f64; 3]),
    /// A box by its center and half sizes (m).
    Box([f64; 3], [f64; 3]),
}

impl Sink {
    /// Checks every number.
    ///
    /// # Errors
    /// A number that is not finite, a normal without length, a size that is not positive.
    pub fn checked(self) -> Result<Self, ModelError> {
        let (Self::Plane(point, second) | Self::Box(point, second)) = self;
        for v in point.into_iter().chain(second) {
            checked(|| "sink".into(), v, f64::NEG_INFINITY)?;
        }
        match self {
            Self::Plane(_, normal) => match direction_flaw(length(&normal)) {
                Some(rule) => Err(ModelError::value("sink.normal", length(&normal), rule)),
                None => Ok(self),
            },
            Self::Box(_, half) => match half.into_iter().find(|&half| half as f32 <= 0.0) {
                Some(half) => Err(ModelError::value("sink.half_size", half, "must be positive")),
                None => Ok(self),
            },
        }
    }

    /// Whether a point (m) lies in it.
    pub(crate) fn holds(&self, x: [f64; 3]) -> bool {
        match self {
            Self::Plane(point, normal) => {
                (0..3).map(|k| (x[k] - point[k]) * normal[k]).sum::<f64>() < 0.0
            }
            Self::Box(center, half) => (0..3).all(|k| (x[k] - center[k]).abs() < half[k]),
        }
    }
}

/// An emitter as authored.
#[derive(Clone, Debug)]
pub struct Emitter {
    /// The particles that it has, authored indices: the most that are out at once.
    pub particles: Vec<u32>,
    /// The middle of its mouth (m).
    pub center: [f64; 3],
    /// Where particles go, of any length.
    pub direction: [f64; 3],
    /// Its opening.
    pub mouth: Mouth,
    /// How far apart particles come out (m): twice their radius.
    pub spacing: f64,
    /// How fast they come out (m/s).
    pub speed: f64,
    /// How many come out (1/s); left out, as many as have room but for two in a thousand.
    pub rate: Option<f64>,
    /// When the first comes (s).
    pub begins: f64,
    /// After when none comes (s).
    pub ends: f64,
    /// What takes them back.
    pub sinks: Vec<Sink>,
}

/// The most places of a mouth.
const PLACES: f64 = 65_536.0;
/// How many come of those that have room.
const LOOSE: f64 = 0.998;

impl Emitter {
    /// Checks every number.
    ///
    /// # Errors
    /// A number that is not finite or not positive, a direction without length, a mouth of too many places, a rate at which particles
    /// would come out of each other.
    pub fn checked(self) -> Result<Self, ModelError> {
        let length = length(&self.direction);
        let sizes = match self.mouth {
            Mouth::Disc(radius) => [radius; 2],
            Mouth::Rectangle(half) => half,
        };
        let refuse = |name: &str, value: f64, rule: &'static str| {
            Err(ModelError::value(format!("emitter.{name}"), value, rule))
        };
        if let Some(rule) = direction_flaw(length) {
            return refuse("direction", length, rule);
        }
        for (name, value) in [
            ("mouth", sizes[0].min(sizes[1])),
            ("spacing", self.spacing),
            ("speed", self.speed),
            ("rate", self.rate.unwrap_or(1.0)),
        ] {
            if !(value as f32 > 0.0 && (value as f32).is_finite()) {
                return refuse(name, value, "must be positive and finite");
            }
        }
        let [a, b] = self.lattice();
        if a * b > PLACES {
            return refuse(
                "spacing",
                self.spacing,
                "is too small: the mouth has over 65536 places",
            );
        }
        for v in self.center {
            checked(|| "emitter.center".into(), v, f64::NEG_INFINITY)?;
        }
        checked(|| "emitter.begins".into(), self.begins, f64::NEG_INFINITY)?;
        if self.ends < self.begins {
            return refuse("ends", self.ends, "must not be before it begins");
        }
        self.sinks.iter().try_for_each(|sink| sink.checked().map(drop))?;
        let most = self.most(self.places().len());
        match self.rate.unwrap_or(most) {
            rate if rate > most * (1.0 + 1e-9) => {
                refuse("rate", rate, "is more than has room in the mouth")
            }
            rate if !(rate as f32).is_finite() => refuse("speed", self.speed, "is too fast"),
            _ => Ok(self),
        }
    }

    /// Rows and columns of its places.
    fn lattice(&self) -> [f64; 2] {
        let count = |half: f64| (2.0 * half / self.spacing + 1e-9).floor().max(1.0);
        match self.mouth {
            // Odd, so that one is in the middle.
            Mouth::Disc(radius) => [((count(radius) - 1.0) / 2.0).floor() * 2.0 + 1.0; 2],
            Mouth::Rectangle(half) => half.map(count),
        }
    }

    /// The places of its mouth about the center (m).
    pub(crate) fn places(&self) -> Vec<Vec3<f64>> {
        let along = self.forward();
        let u = along.cross(along.farthest_axis());
        let u = u * (1.0 / u.length().max(f64::MIN_POSITIVE));
        let v = along.cross(u);
        let room = |half: f64| half - 0.5 * self.spacing + 1e-9 * half;
        let [a, b] = self.lattice().map(|n| n as i64);
        let at = |i: i64, n: i64| (i as f64 - 0.5 * (n - 1) as f64) * self.spacing;
        let all = (0..b).flat_map(|j| (0..a).map(move |i| [at(i, a), at(j, b)]));
        let within = |[p, q]: &[f64; 2]| match self.mouth {
            Mouth::Disc(radius) => p * p + q * q <= room(radius).max(0.0).powi(2),
            Mouth::Rectangle(_) => true,
        };
        all.filter(within).map(|[p, q]| u * p + v * q).collect()
    }

    /// How many have room (1/s).
    fn most(&self, places: usize) -> f64 {
        places as f64 * self.speed / self.spacing
    }

    fn forward(&self) -> Vec3<f64> {
        let direction = Vec3::<f64>::of(self.direction);
        direction * (1.0 / direction.length().max(f64::MIN_POSITIVE))
    }

    /// How many have come by a time (s).
    fn count_by(&self, rate: f64, time: f64) -> u64 {
        let passed = time.min(self.ends) - self.begins;
        if passed >= 0.0 { ((passed * rate).floor() as u64).saturating_add(1) } else { 0 }
    }

    /// Positions (m) and velocities (m/s) at `now` of those that came after `before`, if there was a frame before.
    pub(crate) fn come(&self, before: Option<f64>, now: f64) -> Vec<[[f32; 3]; 2]> {
        let places = self.places();
        let rate = self.rate.unwrap_or(LOOSE * self.most(places.len()));
        let first = before.map_or(0, |before| self.count_by(rate, before));
        let velocity = self.forward() * self.speed;
        let come = |k: u64| {
            let late = now - (self.begins + k as f64 / rate);
            let place = places[(k % places.len() as u64) as usize];
            let x = Vec3::of(self.center) + place + velocity * late;
            [x, velocity].map(|v| v.to_array().map(|v| v as f32))
        };
        // Of more than there are particles, the last.
        let end = self.count_by(rate, now);
        (first.max(end.saturating_sub(self.particles.len() as u64))..end).map(come).collect()
    }

    fn runtime<W: Width>(&self, _: &BuildContext) -> Box<dyn Runtime<W>> {
        Box::new(Idle)
    }
}

impl Subsystem for Emitter {
    fn name(&self) -> &'static str {
        "emitter"
    }
    fn len(&self) -> usize {
        0
    }
    fn needs(&self) -> [usize; 2] {
        [needed(self.particles.iter().copied()), 0]
    }
    // It corrects nothing.
    fn is_internal(&self) -> bool {
        true
    }
    fn bears(&self) -> bool {
        false
    }
    runtimes!(described);
}

/// Within a frame an emitter does nothing.
struct Idle;

impl<W: Width> Runtime<W> for Idle {
    fn begin(&self, _: StepPhase, _: &Worker, _: &StepContext<W::Element>) {}
}
