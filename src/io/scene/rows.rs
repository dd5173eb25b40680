//! `"constraints"` in scene files: rows of any registered kind, by name.

use super::builder::Builder;
use super::message::{Shown, refused, unknown_key};
use super::place::{Place, SceneError};
use super::values::{Finite, Fraction, Index, NotNegative, Plain, Vector};
use crate::constraints::{Constraint, Param, Range, Source, Visitor, kinds, visit_kinds};
use crate::error::ModelError;
use crate::model::Model;
use crate::rigid::At;
use crate::rows::Stiffness;
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
const COMMON: [&str; 6] = ["kind", "particles", "at", "stiffness", "compliance", "damping"];

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
pub(super) struct StiffnessEntry {
    /// PBD stiffness k.
    pub(super) stiffness: Option<Fraction>,
    /// XPBD compliance α [m/N, or the kind's unit].
    pub(super) compliance: Option<NotNegative>,
    /// XPBD damping b [N s/m], beside a compliance.
    pub(super) damping: Option<NotNegative>,
}

impl StiffnessEntry {
    /// The stiffness, if any is given.
    pub(super) fn read(
        self,
        wrong: impl Fn(&str) -> SceneError,
    ) -> Result<Option<Stiffness>, SceneError> {
        match (self.stiffness.plain(), self.compliance.plain(), self.damping.plain()) {
            (Some(_), Some(_), _) => Err(wrong("both \"stiffness\" and \"compliance\" are given")),
            (_, None, Some(_)) => Err(wrong("\"damping\" stands beside a \"compliance\" only")),
            (None, Some(alpha), Some(beta)) => Ok(Some(Stiffness::Damped(alpha, beta))),
            (None, Some(alpha), None) => Ok(Some(Stiffness::Compliance(alpha))),
            (k, None, None) => Ok(k.map(Stiffness::Factor)),
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
            let measured = if param.given == Source::Measured { measured } else { "" };
            schema["description"] = format!("[{}]{measured}", param.unit).into();
            properties[param.name] = schema;
        }
        let required = kind.params.iter().filter(|param| param.given == Source::Required);
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

impl Row {
    /// Whether points of bodies hold it: such rows follow the bodies.
    pub(super) fn is_attached(&self) -> bool {
        self.at.is_some()
    }

    /// Adds the row to the model's own, or to those attached to its bodies.
    pub(super) fn add(&self, to: &mut Builder, place: Place) -> Result<(), SceneError> {
        let mut adder = Adder { row: self, to, place, known: Vec::new(), outcome: None };
        visit_kinds(&mut adder);
        let unknown = || ModelError::unknown("kind", &self.kind, adder.known);
        let outcome = adder.outcome;
        outcome.unwrap_or_else(|| Err(place.at("kind", unknown())))
    }

    fn add_as<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
        &self,
        to: &mut Builder,
        place: Place,
    ) -> Result<(), SceneError> {
        let authored = || C::PARAMS.iter().filter(|param| param.is_authored());
        let unknown = |key: &&String| !authored().any(|param| param.name == key.as_str());
        if let Some(key) = self.params.keys().find(unknown) {
            let own = authored().map(|param| param.name);
            let known: Vec<&str> = COMMON.into_iter().chain(own).collect();
            return Err(place.error(unknown_key(key, &known)));
        }
        let mut params = [None; P];
        for (value, param) in params.iter_mut().zip(&C::PARAMS) {
            if param.given != Source::Derived
                && let Some(given) = self.params.get(param.name)
            {
                *value = Some(read_param(param, given, place)?);
            }
        }
        let (stiffness, compliance, damping) = (self.stiffness, self.compliance, self.damping);
        let stiffness = StiffnessEntry { stiffness, compliance, damping };
        let usual = if C::MATERIAL { Stiffness::Material } else { Stiffness::Factor(1.0) };
        let stiffness = stiffness.read(|what| place.error(what))?.unwrap_or(usual);
        place.accept(match (&self.particles, &self.at) {
            (Some(_), Some(_)) => {
                return Err(place.error("both \"particles\" and \"at\" are given"));
            }
            (None, Some(at)) => {
                let at = place.exactly::<_, N>("at", at)?;
                let mut points = [At::Particle(0); N];
                for (i, point) in points.iter_mut().enumerate() {
                    *point = read_point(to.model, place, i, &at[i])?;
                }
                to.attachments.add_as::<C, N, P, K>(&*to.model, points, params, stiffness)
            }
            (particles, None) => {
                let particles = place.need("particles", particles.as_ref())?;
                let count = to.model.positions().len();
                let particles = place.particles("particles", particles, count)?;
                to.model.add_as::<C, N, P, K>(particles, params, stiffness)
            }
        })
    }
}

/// Adds the row when its kind comes by.
struct Adder<'a, 'b> {
    row: &'a Row,
    to: &'a mut Builder<'b>,
    place: Place<'a>,
    known: Vec<&'static str>,
    outcome: Option<Result<(), SceneError>>,
}

impl Visitor for Adder<'_, '_> {
    fn visit<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(&mut self) {
        self.known.push(C::NAME);
        if C::NAME == self.row.kind {
            self.outcome = Some(self.row.add_as::<C, N, P, K>(self.to, self.place));
        }
    }
}

fn read_param(param: &Param, given: &Value, place: Place) -> Result<f64, SceneError> {
    let v = match param.axis {
        None => place.read::<Finite>(param.name, given)?.plain(),
        Some(axis) => place.read::<Vector>(param.name, given)?.plain()[usize::from(axis)],
    };
    param.range.violation(v).map_or(Ok(v), |rule| {
        let axis = param.axis.map(|axis| format!("[{axis}]"));
        let key = format!("{}{}", param.name, axis.unwrap_or_default());
        Err(place.at(key, refused(Shown(v), rule)))
    })
}

/// A particle's index, or `{"body": i, "point": [x, y, z]}`.
fn read_point(model: &Model, place: Place, i: usize, given: &Value) -> Result<At, SceneError> {
    let key = format!("at[{i}]");
    if !given.is_object() {
        let particles = (model.positions().len(), "particles");
        return Ok(At::Particle(place.index(&key, place.read(&key, given)?, particles)?));
    }
    let of: BodyPoint = place.read(&key, given)?;
    let bodies = (model.bodies().len(), "bodies");
    let body = place.index(format!("{key}.body"), of.body, bodies)?;
    Ok(At::Body(body, of.point.plain()))
}
