//! Rows of any registered kind, by name.

use super::json::{Node, Object, Wrong};
use crate::constraints::{Constraint, Given, Visitor, visit_kinds};
use crate::error::ModelError;
use crate::model::Model;
use crate::rigid::{At, Attachments};
use crate::rows::Strength;

/// The keys every row may have.
const COMMON: [&str; 6] = [
    "kind",
    "particles",
    "at",
    "stiffness",
    "compliance",
    "damping",
];

/// Where a row goes: to the model's own rows, or to those at arms of its bodies.
enum Target<'a> {
    Model(&'a mut Model),
    Attachments(&'a Model, &'a mut Attachments),
}

/// Whether a row is held by points of bodies: it has `"at"` in place of `"particles"`.
pub(crate) fn is_at_arms(node: &Node) -> bool {
    let entries = node.entries().unwrap_or_default();
    entries.iter().any(|(key, _)| key == "at")
}

/// Adds one row of a scene file.
pub(crate) fn add_row(model: &mut Model, node: &Node) -> Result<(), Wrong> {
    add_to(Target::Model(model), node)
}

/// Adds one row at arms of bodies.
pub(crate) fn add_arm_row(model: &Model, arms: &mut Attachments, node: &Node) -> Result<(), Wrong> {
    add_to(Target::Attachments(model, arms), node)
}

fn add_to(target: Target, node: &Node) -> Result<(), Wrong> {
    let entries = node.entries()?;
    let kind = entries.iter().find(|(key, _)| key == "kind");
    let kind = node.child(kind.ok_or_else(|| node.lacks("\"kind\" is missing"))?);
    let name = kind.text()?;
    let mut reader = Reader {
        name,
        target,
        node,
        known: Vec::new(),
        outcome: None,
    };
    visit_kinds(&mut reader);
    let unknown = || ModelError::unknown("kind", name, reader.known);
    reader.outcome.unwrap_or_else(|| Err(kind.lacks(unknown())))
}

/// Adds the row when the kind of its name comes by.
struct Reader<'a> {
    name: &'a str,
    target: Target<'a>,
    node: &'a Node<'a>,
    known: Vec<&'static str>,
    outcome: Option<Result<(), Wrong>>,
}

impl Visitor for Reader<'_> {
    fn visit<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(&mut self) {
        self.known.push(C::NAME);
        if C::NAME == self.name {
            self.outcome = Some(add::<C, N, P, K>(&mut self.target, self.node));
        }
    }
}

fn add<C, const N: usize, const P: usize, const K: usize>(
    target: &mut Target,
    node: &Node,
) -> Result<(), Wrong>
where
    C: Constraint<N, P, K>,
{
    let parameters = C::PARAMS.iter().filter(|param| param.is_authored());
    let known: Vec<&str> = COMMON
        .into_iter()
        .chain(parameters.map(|param| param.name))
        .collect();
    let row = node.object(&known)?;
    let mut params = [None; P];
    for (value, param) in params.iter_mut().zip(&C::PARAMS) {
        let number = |n: &Node| {
            let v = n.number()?;
            let refusal = param.range.refusal(v);
            refusal.map_or(Ok(v), |rule| Err(n.wrong(rule)))
        };
        if param.given != Given::Derived {
            *value = row.maybe(param.name, |n| match param.axis {
                None => number(n),
                Some(axis) => Ok(n.array::<f64, 3>(|n| number(&n))?[usize::from(axis)]),
            })?;
        }
    }
    let given = |key: &&str| row.find(key).is_some();
    let strength = match COMMON[3..].iter().any(given) {
        false if C::MATERIAL => Strength::Material,
        _ => strength(&row)?,
    };
    let added = match target {
        Target::Model(model) => {
            let particles = row.need("particles")?.array(|n| index(model, &n))?;
            model.add_as::<C, N, P, K>(particles, params, strength)
        }
        Target::Attachments(..) if row.find("particles").is_some() => {
            return Err(node.lacks("both \"particles\" and \"at\" are given"));
        }
        Target::Attachments(model, arms) => {
            let at = row.need("at")?.array(|n| Ok(Some(place(model, &n)?)))?;
            let at = at.map(|at: Option<At>| at.expect("as many as are read"));
            arms.add_as::<C, N, P, K>(&**model, at, params, strength)
        }
    };
    added.map_err(|error| node.lacks(error))
}

fn index(model: &Model, node: &Node) -> Result<u32, Wrong> {
    match model.positions().len() {
        0 => Err(node.wrong("there are no particles")),
        count => node.whole(0, count as u32 - 1),
    }
}

/// A particle's index, or `{"body": i, "point": [x, y, z]}`.
fn place(model: &Model, node: &Node) -> Result<At, Wrong> {
    if node.entries().is_err() {
        return Ok(At::Particle(index(model, node)?));
    }
    let of = node.object(&["body", "point"])?;
    let body = of.need("body")?;
    let body = match model.bodies().len() {
        0 => return Err(body.wrong("there are no bodies")),
        count => body.whole(0, count as u32 - 1)?,
    };
    Ok(At::Body(body, of.need("point")?.vector()?))
}

/// `stiffness`, or `compliance` with `damping`; neither: stiffness 1.
pub(super) fn strength(row: &Object) -> Result<Strength, Wrong> {
    let stiffness = row.maybe("stiffness", |n| match n.number()? {
        k if (0.0..=1.0).contains(&k) => Ok(k),
        _ => Err(n.wrong("must be in 0..1")),
    })?;
    let compliance = row.maybe("compliance", |n| n.at_least(0.0))?;
    let damping = row.maybe("damping", |n| n.at_least(0.0))?;
    match (stiffness, compliance, damping) {
        (Some(_), Some(_), _) => Err(row
            .node()
            .lacks("both \"stiffness\" and \"compliance\" are given")),
        (Some(_), _, Some(_)) | (None, None, Some(_)) => Err(row
            .node()
            .lacks("\"damping\" stands beside a \"compliance\" only")),
        (None, Some(alpha), Some(beta)) => Ok(Strength::Damped(alpha, beta)),
        (None, Some(alpha), None) => Ok(Strength::Compliance(alpha)),
        (k, None, None) => Ok(Strength::Stiffness(k.unwrap_or(1.0))),
    }
}

/// A strength given as an object of its own: `{"stiffness": k}` or `{"compliance": a}`; `default` where it is left out.
pub(super) fn strength_under(object: &Object, key: &str, default: f64) -> Result<Strength, Wrong> {
    match object.find(key) {
        None => Ok(Strength::Stiffness(default)),
        Some(node) => strength(&node.object(&["stiffness", "compliance", "damping"])?),
    }
}
