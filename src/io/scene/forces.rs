//! `"forces"` in scene files.

use super::builder::Builder;
use super::indices::{Members, members};
use super::place::{Place, SceneError};
use super::values::{Index, Plain, Vector};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// A force that lasts: on each of `particles`, or with a torque on a `body`. Forces of several entries add up.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ForceEntry {
    /// The particles that it acts on, each.
    #[schemars(with = "Option<Members>")]
    particles: Option<Value>,
    /// The body that it acts on, by its place in `bodies`.
    body: Option<Index>,
    /// Force [N], on a body at its center of mass; beside a torque it may be left out: 0.
    force: Option<Vector>,
    /// Torque on the body [N m], in the world; left out, 0.
    torque: Option<Vector>,
}

impl ForceEntry {
    /// Adds it to the forces so far.
    pub(super) fn add(&self, to: &mut Builder, place: Place) -> Result<(), SceneError> {
        match (&self.particles, self.body) {
            (Some(given), None) => self.push_particles(given, to, place),
            (None, Some(body)) => self.push_body(body, to, place),
            _ => Err(place.error("either \"particles\" or \"body\" must be given")),
        }
    }

    fn push_particles(
        &self,
        given: &Value,
        to: &mut Builder,
        place: Place,
    ) -> Result<(), SceneError> {
        if self.torque.is_some() {
            return Err(place.at("torque", "a torque acts on a \"body\" only"));
        }
        let force = place.need("force", self.force)?.plain();
        let count = to.model.positions().len();
        let mut seen = BTreeSet::new();
        let particles = members(place, given, count)?;
        for (k, i) in
            particles.unwrap_or_else(|| (0..count as u32).collect()).into_iter().enumerate()
        {
            if !seen.insert(i) {
                return Err(place.at(format!("particles[{k}]"), format!("{i} is named twice")));
            }
            let sum = sum(to.model.forces().on_particle(i), force);
            place.accept(to.model.set_force(i, sum))?;
        }
        Ok(())
    }

    fn push_body(&self, body: Index, to: &mut Builder, place: Place) -> Result<(), SceneError> {
        if self.force.is_none() && self.torque.is_none() {
            return Err(place.error("\"force\" or \"torque\" is missing"));
        }
        let body = place.index("body", body, (to.model.bodies().len(), "bodies"))?;
        let [force, torque] = to.model.forces().on_body(body);
        let force = sum(force, self.force.plain().unwrap_or_default());
        let torque = sum(torque, self.torque.plain().unwrap_or_default());
        place.accept(to.model.set_body_force(body, force, torque))
    }
}

fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] + b[k])
}
