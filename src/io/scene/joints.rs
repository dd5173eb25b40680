//! `"joints"` in scene files.

use super::builder::Builder;
use super::message::{Shown, missing, quoted, refused};
use super::place::{Place, SceneError};
use super::values::{Finite, Index, Named, NotNegative, Plain, Positive, Vector};
use crate::error::ModelError;
use crate::model::Model;
use crate::rigid::{End, Joint, JointKind, Motor};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// Holds two bodies, or a body and a particle, together: either `bodies`, or `body` and `particle`, must be given.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct JointEntry {
    /// What it leaves free.
    kind: Named<JointKind>,
    /// Two bodies by their places in `bodies`; -1 is the world.
    #[schemars(extend("items" = { "type": "integer", "minimum": -1 }))]
    bodies: Option<[Finite; 2]>,
    /// One body by its place in `bodies`; -1 is the world.
    #[schemars(extend("type" = "integer", "minimum" = -1))]
    body: Option<Finite>,
    /// The particle that `body` is joined to.
    particle: Option<Index>,
    /// Where it holds, in the world at rest [m]; kinds that hold points need it.
    anchor: Option<Vector>,
    /// Its axis, in the world at rest; of any length.
    axis: Option<Vector>,
    /// Of a universal joint the axis of the second body, in the world at rest; what of it lies along `axis` is left out.
    axis2: Option<Vector>,
    /// Least and largest angle [rad] or distance [m].
    limits: Option<[Finite; 2]>,
    /// What the motor drives to: an angle or distance [rad, m], or its rate [rad/s, m/s]; of a ball joint and an orientation a
    /// turn [x, y, z], or its rate.
    #[schemars(with = "Option<Target>")]
    target: Option<Value>,
    /// What of it is driven.
    #[schemars(extend("enum" = ["position", "velocity"]))]
    motor: Option<String>,
    /// The most that the motor does [N, of angles N m]; left out, whatever it takes.
    max_force: Option<Positive>,
    /// The force that it breaks beyond [N]; left out, it does not.
    break_force: Option<Positive>,
    /// The torque that it breaks beyond [N m]; left out, it does not.
    break_torque: Option<Positive>,
    /// Compliance α [m/N]; left out, 0.
    compliance: Option<NotNegative>,
}

/// A number, or the three of a turn.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "for the schema")]
enum Target {
    Number(Finite),
    Turn(Vector),
}

impl JointEntry {
    /// Adds the joint.
    pub(super) fn add(&self, to: &mut Builder, place: Place) -> Result<(), SceneError> {
        let kind = self.kind.plain();
        self.warn_of_idle_keys(kind, to, place);
        let joint = Joint {
            kind,
            ends: self.ends(to.model, place)?,
            anchor: match kind.has_anchor() {
                true => place.need("anchor", self.anchor)?.plain(),
                false => self.anchor.plain().unwrap_or_default(),
            },
            axis: match kind.needs_axis(self.limits.is_some()) {
                true => Some(place.need("axis", self.axis)?.plain()),
                false => self.axis.plain(),
            },
            axis2: self.axis2.plain(),
            limits: self.limits.plain(),
            motor: self.motor(place)?,
            max_force: self.max_force.plain(),
            break_force: self.break_force.plain(),
            break_torque: self.break_torque.plain(),
            compliance: self.compliance.plain().unwrap_or_default(),
        };
        let added = to.joints.add(&*to.model, joint);
        added.map_err(|error| self.in_the_file(error, place))
    }

    /// Warns of keys of which a joint of its kind makes nothing.
    fn warn_of_idle_keys(&self, kind: JointKind, to: &mut Builder, place: Place) {
        let idle = [
            ("axis", self.axis.is_some() && !kind.has_axis()),
            ("anchor", self.anchor.is_some() && !kind.has_anchor()),
            // What holds no point breaks by torques alone.
            ("break_force", self.break_force.is_some() && !kind.has_anchor()),
        ];
        for (key, _) in idle.into_iter().filter(|(_, is_idle)| *is_idle) {
            to.warnings.push(format!("{place}.{key}: \"{}\" has no {key}", kind.name()));
        }
    }

    /// An error of the engine, with the value as it stands in the file.
    fn in_the_file(&self, error: ModelError, place: Place) -> SceneError {
        if let ModelError::Value { place: at, rule, .. } = &error
            && let Some(key) = place.key_in(at)
            && let Some(given) = self.given(key)
        {
            return place.at(key, refused(given, rule));
        }
        place.accept::<()>(Err(error)).expect_err("it is an error")
    }

    /// The value of a key that is no number, as it stands in the file.
    fn given(&self, key: &str) -> Option<String> {
        let join = |numbers: Vec<String>| format!("[{}]", numbers.join(", "));
        let list =
            |values: &[Finite]| join(values.iter().map(|v| Shown(v.plain()).to_string()).collect());
        let number = |v: &Value| v.as_f64().map_or(v.to_string(), |v| Shown(v).to_string());
        match key {
            "motor" => self.motor.as_deref().map(quoted),
            "target" => self.target.as_ref().map(|target| match target {
                Value::Array(all) => join(all.iter().map(number).collect()),
                one => number(one),
            }),
            "axis" => self.axis.map(|axis| list(&axis)),
            "axis2" => self.axis2.map(|axis| list(&axis)),
            "limits" => self.limits.map(|limits| list(&limits)),
            _ => None,
        }
    }

    fn motor(&self, place: Place) -> Result<Option<Motor>, SceneError> {
        let (word, target) = match (self.motor.as_deref(), &self.target) {
            (None, None) => return Ok(None),
            (None, Some(_)) => {
                return Err(place.error("a \"target\" stands beside a \"motor\" only"));
            }
            (Some(_), None) => return Err(place.error(missing("target"))),
            (Some(word), Some(target)) => (word, target),
        };
        let number = || Ok(place.read::<Finite>("target", target)?.plain());
        let turn = || Ok(place.read::<Vector>("target", target)?.plain());
        let motor = match (word, target.is_array()) {
            ("position", false) => Motor::Position(number()?),
            ("position", true) => Motor::Orientation(turn()?),
            ("velocity", false) => Motor::Velocity(number()?),
            ("velocity", true) => Motor::AngularVelocity(turn()?),
            (unknown, _) => {
                let error = ModelError::unknown("motor", unknown, ["position", "velocity"]);
                return Err(place.at("motor", error));
            }
        };
        Ok(Some(motor))
    }

    fn ends(&self, model: &Model, place: Place) -> Result<[End; 2], SceneError> {
        let count = model.bodies().len();
        let body = |key: &str, i: Finite| match i.plain() {
            -1.0 => Ok(End::World),
            i if i >= 0.0 && i.fract() == 0.0 && i < count as f64 => Ok(End::Body(i as u32)),
            i => {
                let rule = match count {
                    0 => "there are no bodies, only -1, the world".into(),
                    _ => format!("must be a body from 0 to {}, or -1, the world", count - 1),
                };
                Err(place.at(key, refused(Shown(i), rule)))
            }
        };
        match (self.bodies, self.body, self.particle) {
            (Some([a, b]), None, None) => Ok([body("bodies[0]", a)?, body("bodies[1]", b)?]),
            (None, Some(one), Some(particle)) => {
                let particles = (model.positions().len(), "particles");
                let particle = place.index("particle", particle, particles)?;
                Ok([body("body", one)?, End::Particle(particle)])
            }
            _ => Err(place.error("either \"bodies\", or \"body\" and \"particle\", must be given")),
        }
    }
}
