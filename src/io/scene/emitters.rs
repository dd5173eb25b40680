//! `"emitters"` and `"sinks"` in scene files.

use super::builder::{Builder, MOST_WAITING};
use super::form::{Forms, forms, list_forms};
use super::place::{Place, SceneError};
use super::values::{NotNegative, Plain, Positive, Vector, Whole};
use crate::forces::{Emitter, Mouth, Sink};
use schemars::JsonSchema;
use serde::Deserialize;

/// Particles that come out of a mouth one after another.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = list_forms::<EmitterEntry>)]
pub(super) struct EmitterEntry {
    /// The form of its mouth, across the direction.
    shape: String,
    /// The radius of a disc [m].
    radius: Option<Positive>,
    /// Half the sizes of a rectangle [m].
    half_size: Option<[Positive; 2]>,
    /// The middle of the mouth [m].
    center: Vector,
    /// Where particles go, of any length.
    direction: Vector,
    /// How fast they come out [m/s].
    speed: Positive,
    /// How far apart they come out [m]: twice their radius.
    spacing: Positive,
    /// How many particles it has: the most that are out at once.
    count: Whole<1, MOST_WAITING>,
    /// The mass of each [kg].
    mass: Positive,
    /// How many come out [1/s]; left out, 0.998 of what has room.
    rate: Option<Positive>,
    /// When the first comes out [s]; left out, 0.
    begins: Option<NotNegative>,
    /// After when none comes out [s]; left out, never.
    ends: Option<NotNegative>,
}

forms! {
    EmitterEntry, shape, "mouth";
    "disc": "A disc.", [radius], [];
    "rectangle": "A rectangle.", [half_size], [];
}

/// A region that takes particles of emitters back.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = list_forms::<SinkEntry>)]
pub(super) struct SinkEntry {
    /// What it is.
    shape: String,
    /// A point of the plane [m].
    point: Option<Vector>,
    /// The plane's normal, of any length: what is on the other side is taken.
    normal: Option<Vector>,
    /// The center [m].
    center: Option<Vector>,
    /// Half the size along each axis [m].
    half_size: Option<[Positive; 3]>,
}

forms! {
    SinkEntry, shape, "sink";
    "plane": "All behind a plane.", [point normal], [];
    "box": "A box along the axes.", [center half_size], [];
}

impl EmitterEntry {
    /// Adds the emitter and its particles.
    pub(super) fn add(
        &self,
        to: &mut Builder,
        place: Place,
        sinks: &[Sink],
    ) -> Result<(), SceneError> {
        let mouth = match self.form(place)? {
            "disc" => Mouth::Disc(place.need("radius", self.radius)?.plain()),
            _ => Mouth::Rectangle(place.need("half_size", self.half_size)?.map(|v| v.plain())),
        };
        to.ask_for(place, "count", self.count.plain())?;
        let (center, first) = (self.center.plain(), to.model.positions().len() as u32);
        let emitter = Emitter {
            particles: (first..first + self.count.plain()).collect(),
            center,
            direction: self.direction.plain(),
            mouth,
            spacing: self.spacing.plain(),
            speed: self.speed.plain(),
            rate: self.rate.plain(),
            begins: self.begins.plain().unwrap_or(0.0),
            ends: self.ends.plain().unwrap_or(f64::INFINITY),
            sinks: sinks.to_vec(),
        };
        let emitter = place.accept(emitter.checked())?;
        for _ in 0..self.count.plain() {
            let added = to.model.add_particle(center, [0.0; 3], 1.0 / self.mass.plain());
            place.accept(added.map(drop))?;
        }
        place.accept(to.model.add_subsystem(emitter))
    }
}

impl SinkEntry {
    pub(super) fn sink(&self, place: Place) -> Result<Sink, SceneError> {
        let form = self.form(place)?;
        let vector =
            |key, value: Option<Vector>| Ok::<_, SceneError>(place.need(key, value)?.plain());
        let sink = match form {
            "plane" => Sink::Plane(vector("point", self.point)?, vector("normal", self.normal)?),
            _ => {
                let half_size = place.need("half_size", self.half_size)?;
                Sink::Box(vector("center", self.center)?, half_size.plain())
            }
        };
        place.accept(sink.checked())
    }
}
