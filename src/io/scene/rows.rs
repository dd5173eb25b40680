//! `"constraints"` in scene files: rows of any registered kind, by name.

use super::indices::{all_within, exactly, within};
use super::message::{Shown, refused, unknown_key};
use super::place::{Place, Wrong};
use super::values::{Finite, Fraction, Index, NotNegative, Plain, Vector};
use crate::constraints::{Constraint, Given, Param, Range, Visitor, kinds, visit_kinds};
use crate::error::ModelError;
use crate::model::Model;
use crate::rigid::{At, Attachments};
use crate::rows::Strength;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What must hold between particles, or points of bodies.
#[derive(Deserialize, JsonSchema)]
#[schemars(transform = list_kinds)]
pub(super) struct Row {
    /// What must hold.
    kind: String,
    /// The particles, by their places; either these or `at` must be given.
    particles: Option<Vec<Index>>,
    /// Particles and points of bodies, in place of `particles`.
    #[schemars(with = "Option<Vec<Held>>")]
    at: Option<Vec<Value>>,
    /// PBD stiffness k; left out, 1.
    stiffness: Option<Fraction>,
    /// XPBD compliance α [m/N, or the kind's unit], in place of `stiffness`.
    compliance: Option<NotNegative>,
    /// XPBD damping b [N s/m], beside a compliance.
    damping: Option<NotNegative>,
    /// The kind's parameters.
    #[serde(flatten)]
    #[schemars(skip)]
    params: Map<String, Value>,
}

/// The keys every row may have.
const COMMON: [&str; 6] = [
    "kind",
    "particles",
    "at",
    "stiffness",
    "compliance",
    "damping",
];

/// A particle's index, or a point of a body.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "for the schema")]
enum Held {
    Particle(Index),
    Body(BodyPoint),
}

/// A point of a body.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BodyPoint {
    /// The body, by its place in `bodies`.
    body: Index,
    /// The point, in the world at rest [m].
    point: Vector,
}

/// How strongly something holds: `stiffness`, or `compliance` with `damping`.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StrengthEntry {
    /// PBD stiffness k.
    stiffness: Option<Fraction>,
    /// XPBD compliance α [m/N, or the kind's unit].
    compliance: Option<NotNegative>,
    /// XPBD damping b [N s/m], beside a compliance.
    damping: Option<NotNegative>,
}

impl StrengthEntry {
    pub(super) fn new(
        stiffness: Option<Fraction>,
        compliance: Option<NotNegative>,
        damping: Option<NotNegative>,
    ) -> Self {
        Self {
            stiffness,
            compliance,
            damping,
        }
    }

    fn is_given(self) -> bool {
        self.stiffness.is_some() || self.compliance.is_some() || self.damping.is_some()
    }

    /// The strength; nothing given: stiffness 1.
    pub(super) fn strength(self, wrong: impl Fn(&str) -> Wrong) -> Result<Strength, Wrong> {
        let stiffness = self.stiffness.map(Plain::plain);
        let compliance = self.compliance.map(Plain::plain);
        match (stiffness, compliance, self.damping.map(Plain::plain)) {
            (Some(_), Some(_), _) => Err(wrong("both \"stiffness\" and \"compliance\" are given")),
            (_, None, Some(_)) => Err(wrong("\"damping\" stands beside a \"compliance\" only")),
            (None, Some(alpha), Some(beta)) => Ok(Strength::Damped(alpha, beta)),
            (None, Some(alpha), None) => Ok(Strength::Compliance(alpha)),
            (k, None, None) => Ok(Strength::Stiffness(k.unwrap_or(1.0))),
        }
    }
}

/// The schema of a number of a range.
fn number(range: Range) -> Value {
    let mut schema = json!({ "type": "number" });
    let keys = match range.open {
        false => ["minimum", "maximum"],
        true => ["exclusiveMinimum", "exclusiveMaximum"],
    };
    for (key, limit) in keys.into_iter().zip([range.least, range.most]) {
        if limit.is_finite() {
            schema[key] = limit.into();
        }
    }
    schema
}

/// Adds the registered kinds, with their parameters, to the schema of a row.
fn list_kinds(schema: &mut Schema) {
    let one_of = kinds().into_iter().map(|kind| {
        let count = json!({ "minItems": kind.particles, "maxItems": kind.particles });
        let mut properties =
            json!({ "kind": { "const": kind.name }, "particles": count, "at": count });
        for param in &kind.params {
            let mut schema = match param.axis {
                None => number(param.range),
                Some(_) => json!({ "type": "array", "items": number(param.range), "minItems": 3, "maxItems": 3 }),
            };
            let measured = "; left out, measured from the given positions";
            let measured = if param.given == Given::Measured { measured } else { "" };
            schema["description"] = format!("[{}]{measured}", param.unit).into();
            properties[param.name] = schema;
        }
        let required = kind.params.iter().filter(|param| param.given == Given::Required);
        json!({
            "title": kind.name, "properties": properties,
            "description": format!("C = {}; {} particles.", kind.equation, kind.particles),
            "required": required.map(|param| param.name).collect::<Vec<_>>(),
        })
    });
    schema.insert("oneOf".into(), one_of.collect::<Value>());
    let either = json!([{ "required": ["particles"] }, { "required": ["at"] }]);
    schema.insert("anyOf".into(), either);
    schema.insert("unevaluatedProperties".into(), false.into());
}

/// Where a row goes: to the model's own rows, or to those attached to its bodies.
enum Target<'a> {
    Model(&'a mut Model),
    Attachments(&'a Model, &'a mut Attachments),
}

impl Row {
    /// Adds the row if it holds particles.
    pub(super) fn add(&self, model: &mut Model, place: Place) -> Result<(), Wrong> {
        match self.at {
            None => self.add_to(Target::Model(model), place),
            Some(_) => Ok(()),
        }
    }

    /// Adds the row if it is held by points of bodies.
    pub(super) fn add_attached(
        &self,
        model: &Model,
        attachments: &mut Attachments,
        place: Place,
    ) -> Result<(), Wrong> {
        match self.at {
            None => Ok(()),
            Some(_) => self.add_to(Target::Attachments(model, attachments), place),
        }
    }

    fn add_to(&self, target: Target, place: Place) -> Result<(), Wrong> {
        let mut adder = Adder {
            row: self,
            target,
            place,
            known: Vec::new(),
            outcome: None,
        };
        visit_kinds(&mut adder);
        let unknown = || ModelError::unknown("kind", &self.kind, adder.known);
        let outcome = adder.outcome;
        outcome.unwrap_or_else(|| Err(place.at("kind", unknown())))
    }

    fn add_as<C, const N: usize, const P: usize, const K: usize>(
        &self,
        target: &mut Target,
        place: Place,
    ) -> Result<(), Wrong>
    where
        C: Constraint<N, P, K>,
    {
        let authored = || C::PARAMS.iter().filter(|param| param.is_authored());
        let unknown = |key: &&String| !authored().any(|param| param.name == key.as_str());
        if let Some(key) = self.params.keys().find(unknown) {
            let own = authored().map(|param| param.name);
            return Err(place.lacks(unknown_key(key, COMMON.into_iter().chain(own))));
        }
        let mut params = [None; P];
        for (value, param) in params.iter_mut().zip(&C::PARAMS) {
            if param.given != Given::Derived
                && let Some(given) = self.params.get(param.name)
            {
                *value = Some(read_param(param, given, place)?);
            }
        }
        let strength = StrengthEntry::new(self.stiffness, self.compliance, self.damping);
        let strength = match strength.is_given() {
            false if C::MATERIAL => Strength::Material,
            _ => strength.strength(|what| place.lacks(what))?,
        };
        let added = match target {
            Target::Model(model) => {
                let particles = place.need("particles", self.particles.as_ref())?;
                let particles = exactly::<_, N>("particles", particles, place)?;
                let count = model.positions().len();
                let particles = all_within(place, "particles", particles, count)?;
                model.add_as::<C, N, P, K>(particles, params, strength)
            }
            Target::Attachments(..) if self.particles.is_some() => {
                return Err(place.lacks("both \"particles\" and \"at\" are given"));
            }
            Target::Attachments(model, attachments) => {
                let at = exactly::<_, N>("at", self.at.as_deref().unwrap_or_default(), place)?;
                let mut points = [At::Particle(0); N];
                for (i, point) in points.iter_mut().enumerate() {
                    *point = read_point(model, place, i, &at[i])?;
                }
                attachments.add_as::<C, N, P, K>(&**model, points, params, strength)
            }
        };
        added.map_err(|error| place.lacks(error))
    }
}

/// Adds the row when its kind comes by.
struct Adder<'a> {
    row: &'a Row,
    target: Target<'a>,
    place: Place<'a>,
    known: Vec<&'static str>,
    outcome: Option<Result<(), Wrong>>,
}

impl Visitor for Adder<'_> {
    fn visit<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(&mut self) {
        self.known.push(C::NAME);
        if C::NAME == self.row.kind {
            self.outcome = Some(self.row.add_as::<C, N, P, K>(&mut self.target, self.place));
        }
    }
}

fn read_param(param: &Param, given: &Value, place: Place) -> Result<f64, Wrong> {
    let v = match param.axis {
        None => place.read::<Finite>(param.name, given)?.plain(),
        Some(axis) => place.read::<Vector>(param.name, given)?.plain()[usize::from(axis)],
    };
    param.range.refusal(v).map_or(Ok(v), |rule| {
        let axis = param.axis.map(|axis| format!("[{axis}]"));
        let key = format!("{}{}", param.name, axis.unwrap_or_default());
        Err(place.at(key, refused(Shown(v), rule)))
    })
}

/// A particle's index, or `{"body": i, "point": [x, y, z]}`.
fn read_point(model: &Model, place: Place, i: usize, given: &Value) -> Result<At, Wrong> {
    let key = format!("at[{i}]");
    if !given.is_object() {
        let index = within(
            place.read(&key, given)?,
            model.positions().len(),
            "particles",
        );
        return Ok(At::Particle(index.map_err(|what| place.at(&key, what))?));
    }
    let of: BodyPoint = place.read(&key, given)?;
    let body = within(of.body, model.bodies().len(), "bodies");
    let body = body.map_err(|what| place.at(format!("{key}.body"), what))?;
    Ok(At::Body(body, of.point.plain()))
}
