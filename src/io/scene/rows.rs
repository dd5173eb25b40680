//! `"constraints"` in scene files: rows of any registered kind, by name.

use super::form::{Variant, list_variants};
use super::strict::{Place, Shown, Wrong, refused, unknown_key};
use super::values::{Finite, Fraction, Index, Named, NotNegative, Plain, Vector, Word};
use crate::constraints::{Constraint, Given, Param, Visitor, kinds, visit_kinds};
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
    kind: Named<Kind>,
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
    pub(super) stiffness: Option<Fraction>,
    /// XPBD compliance α [m/N, or the kind's unit].
    pub(super) compliance: Option<NotNegative>,
    /// XPBD damping b [N s/m], beside a compliance.
    pub(super) damping: Option<NotNegative>,
}

impl StrengthEntry {
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

/// A registered kind.
#[derive(Clone, Copy)]
struct Kind(&'static str);

impl Word for Kind {
    const WHAT: &'static str = "kind";
    fn all() -> Vec<(&'static str, Self)> {
        struct Names(Vec<(&'static str, Kind)>);
        impl Visitor for Names {
            fn visit<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
                &mut self,
            ) {
                self.0.push((C::NAME, Kind(C::NAME)));
            }
        }
        let mut names = Names(Vec::with_capacity(16));
        visit_kinds(&mut names);
        names.0
    }
}

/// Lists the registered kinds with their parameters in the schema.
fn list_kinds(schema: &mut Schema) {
    let number = |param: &Param| {
        let mut number = Map::from_iter([("type".into(), "number".into())]);
        let [least, most] = match param.range.open {
            false => ["minimum", "maximum"],
            true => ["exclusiveMinimum", "exclusiveMaximum"],
        };
        for (key, limit) in [(least, param.range.least), (most, param.range.most)] {
            if limit.is_finite() {
                number.insert(key.into(), limit.into());
            }
        }
        Value::Object(number)
    };
    let own = |param: &Param| {
        let mut schema = match param.axis {
            None => number(param),
            Some(_) => {
                json!({"type": "array", "items": number(param), "minItems": 3, "maxItems": 3})
            }
        };
        let measured = match param.given {
            Given::Measured => "; left out, measured from the given positions",
            _ => "",
        };
        schema["description"] = format!("[{}]{measured}", param.unit).into();
        (param.name.into(), schema)
    };
    let required = |param: &&Param| param.given == Given::Required;
    let variants = kinds().into_iter().map(|kind| Variant {
        name: kind.name.into(),
        about: format!("C = {}; {} particles.", kind.equation, kind.particles),
        own: kind.params.iter().map(own).collect(),
        required: kind
            .params
            .iter()
            .filter(required)
            .map(|param| param.name.into())
            .collect(),
    });
    list_variants(schema, "kind", variants.collect());
}

/// Where a row goes: to the model's own rows, or to those at arms of its bodies.
pub(super) enum Target<'a> {
    Model(&'a mut Model),
    Attachments(&'a Model, &'a mut Attachments),
}

impl Row {
    /// Whether the row is held by points of bodies.
    pub(super) fn is_at_arms(&self) -> bool {
        self.at.is_some()
    }

    /// Adds the row.
    pub(super) fn add(&self, target: Target, place: Place) -> Result<(), Wrong> {
        let mut adder = Adder {
            row: self,
            target,
            place,
            outcome: Ok(()),
        };
        visit_kinds(&mut adder);
        adder.outcome
    }

    fn add_as<C, const N: usize, const P: usize, const K: usize>(
        &self,
        target: &mut Target,
        place: Place,
    ) -> Result<(), Wrong>
    where
        C: Constraint<N, P, K>,
    {
        let authored = || {
            C::PARAMS
                .iter()
                .filter(|param| param.is_authored())
                .map(|param| param.name)
        };
        let known = |key: &&String| !authored().any(|name| name == key.as_str());
        if let Some(key) = self.params.keys().find(known) {
            return Err(place.lacks(unknown_key(key, COMMON.into_iter().chain(authored()))));
        }
        let mut params = [None; P];
        for (value, param) in params.iter_mut().zip(&C::PARAMS) {
            if param.given != Given::Derived
                && let Some(given) = self.params.get(param.name)
            {
                *value = Some(read_param(param, given, place)?);
            }
        }
        let Self {
            stiffness,
            compliance,
            damping,
            ..
        } = *self;
        let given = stiffness.is_some() || compliance.is_some() || damping.is_some();
        let strength = match given {
            false if C::MATERIAL => Strength::Material,
            _ => StrengthEntry {
                stiffness,
                compliance,
                damping,
            }
            .strength(|what| place.lacks(what))?,
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
            Target::Attachments(model, arms) => {
                let at = exactly::<_, N>("at", self.at.as_deref().unwrap_or_default(), place)?;
                let mut points = [At::Particle(0); N];
                for (i, point) in points.iter_mut().enumerate() {
                    *point = read_point(model, place, i, &at[i])?;
                }
                arms.add_as::<C, N, P, K>(&**model, points, params, strength)
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
    outcome: Result<(), Wrong>,
}

impl Visitor for Adder<'_> {
    fn visit<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(&mut self) {
        if C::NAME == self.row.kind.plain().0 {
            self.outcome = self.row.add_as::<C, N, P, K>(&mut self.target, self.place);
        }
    }
}

fn read_param(param: &Param, given: &Value, place: Place) -> Result<f64, Wrong> {
    let check = |key: String, v: f64| match param.range.refusal(v) {
        None => Ok(v),
        Some(rule) => Err(place.at(key, refused(Shown(v), rule))),
    };
    match param.axis {
        None => check(
            param.name.into(),
            place.read::<Finite>(param.name, given)?.plain(),
        ),
        Some(axis) => {
            let axis = usize::from(axis);
            let vector: Vector = place.read(param.name, given)?;
            check(format!("{}[{axis}]", param.name), vector.plain()[axis])
        }
    }
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

/// A list of exactly N.
fn exactly<'a, T, const N: usize>(
    key: &str,
    list: &'a [T],
    place: Place,
) -> Result<&'a [T; N], Wrong> {
    let given = || format!("a list of {}", list.len());
    let wrong = |_| place.at(key, refused(given(), format!("must be a list of {N}")));
    list.try_into().map_err(wrong)
}

/// An index below `count`.
pub(super) fn within(index: Index, count: usize, of: &str) -> Result<u32, String> {
    match index.plain() {
        i if (i as usize) < count => Ok(i),
        i if count == 0 => Err(refused(i, format!("there are no {of}"))),
        i => Err(refused(
            i,
            format!("must be a whole number from 0 to {}", count - 1),
        )),
    }
}

/// Particles, each below `count`; N of them.
pub(super) fn all_within<const N: usize>(
    place: Place,
    key: &str,
    list: &[Index; N],
    count: usize,
) -> Result<[u32; N], Wrong> {
    let mut indices = [0; N];
    for (i, index) in indices.iter_mut().enumerate() {
        let found = within(list[i], count, "particles");
        *index = found.map_err(|what| place.at(format!("{key}[{i}]"), what))?;
    }
    Ok(indices)
}

/// `"all"` particles, or a list of them.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "for the schema")]
pub(super) enum Members {
    #[schemars(extend("const" = "all"))]
    All(String),
    List(Vec<Index>),
}

/// Particles of a list, each below `count`; nothing where all are meant.
pub(super) fn members(
    place: Place,
    given: &Value,
    count: usize,
) -> Result<Option<Vec<u32>>, Wrong> {
    if let Value::String(word) = given {
        let refuse = || {
            place.at(
                "particles",
                refused(
                    format!("\"{}\"", crate::io::quote(word.as_bytes())),
                    "must be \"all\" or a list",
                ),
            )
        };
        return (word == "all").then_some(None).ok_or_else(refuse);
    }
    let list: Vec<Index> = place.read("particles", given)?;
    let index = |(i, index)| {
        let found = within(index, count, "particles");
        found.map_err(|what| place.at(format!("particles[{i}]"), what))
    };
    list.into_iter()
        .enumerate()
        .map(index)
        .collect::<Result<_, _>>()
        .map(Some)
}
