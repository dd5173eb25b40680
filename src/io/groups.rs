//! Groups in scene files: `pressure` and `shape`; `fluid` stands in a file of its own.

use super::json::{Node, Object, Wrong};
use super::kinds::strength;
use crate::error::ModelError;
use crate::groups::{Plastic, Pressures, Shapes};
use crate::model::Model;

const KINDS: [&str; 3] = ["pressure", "shape", "fluid"];
const STRENGTH: [&str; 3] = ["stiffness", "compliance", "damping"];

/// Groups on their way into a model: those of one kind that follow each other are one part.
#[derive(Default)]
pub(super) struct GroupList {
    pressures: Option<Pressures>,
    shapes: Option<Shapes>,
}

impl GroupList {
    /// The surfaces under pressure that the next one joins.
    pub(super) fn pressures(&mut self, model: &mut Model) -> &mut Pressures {
        if let Some(shapes) = self.shapes.take() {
            model.add_part(shapes);
        }
        self.pressures.get_or_insert_default()
    }

    /// The clusters that the next one joins.
    pub(super) fn shapes(&mut self, model: &mut Model) -> &mut Shapes {
        if let Some(pressures) = self.pressures.take() {
            model.add_part(pressures);
        }
        self.shapes.get_or_insert_default()
    }

    /// Puts what is left into the model.
    pub(super) fn finish(self, model: &mut Model) {
        if let Some(pressures) = self.pressures {
            model.add_part(pressures);
        }
        if let Some(shapes) = self.shapes {
            model.add_part(shapes);
        }
    }

    /// Adds one group of a scene file.
    pub(super) fn add(&mut self, model: &mut Model, node: &Node) -> Result<(), Wrong> {
        let entries = node.entries()?;
        let kind = entries.iter().find(|(key, _)| key == "kind");
        let kind = node.child(kind.ok_or_else(|| node.lacks("\"kind\" is missing"))?);
        match kind.text()? {
            "pressure" => self.add_pressure(model, node),
            "shape" => self.add_shape(model, node),
            "fluid" => {
                std::mem::take(self).finish(model);
                super::fluid::add_fluid(model, node)
            }
            name => Err(kind.lacks(ModelError::unknown("kind of group", name, KINDS))),
        }
    }

    fn add_pressure(&mut self, model: &mut Model, node: &Node) -> Result<(), Wrong> {
        let own = ["kind", "triangles", "pressure", "rest_volume"];
        let keys = known(&own);
        let group = node.object(&keys)?;
        let triangle = |n: Node| n.array::<u32, 3>(|n| index(&n, model));
        let triangles = group.need("triangles")?.list(triangle)?;
        let pressure = group.maybe("pressure", |n| n.at_least(0.0))?;
        let volume = group.maybe("rest_volume", |n| n.number())?;
        let strength = strength(&group)?;
        let pressure = pressure.unwrap_or(1.0);
        let list = self.pressures(model);
        list.add(&*model, &triangles, pressure, volume, strength)
            .map_err(|error| node.lacks(error))
    }

    fn add_shape(&mut self, model: &mut Model, node: &Node) -> Result<(), Wrong> {
        let own = ["kind", "particles", "rest", "yield", "creep"];
        let keys = known(&own);
        let group = node.object(&keys)?;
        let particles = group.need("particles")?.list(|n| index(&n, model))?;
        let rest = group.maybe("rest", |n| n.list(|p| p.vector()))?;
        let strength = strength(&group)?;
        let plastic = plastic(&group)?;
        let list = self.shapes(model);
        list.add(&*model, &particles, rest.as_deref(), strength, plastic)
            .map_err(|error| node.lacks(error))
    }
}

/// `yield` and `creep`: what flows, if anything.
pub(super) fn plastic(group: &Object) -> Result<Option<Plastic>, Wrong> {
    let strain = group.maybe("yield", |n| n.at_least(0.0))?;
    let creep = group.maybe("creep", |n| n.at_least(0.0))?;
    Ok(creep.filter(|creep| *creep > 0.0).map(|creep| Plastic {
        strain: strain.unwrap_or(0.0),
        creep,
    }))
}

fn known<'a>(own: &[&'a str]) -> Vec<&'a str> {
    own.iter().copied().chain(STRENGTH).collect()
}

pub(super) fn index(n: &Node, model: &Model) -> Result<u32, Wrong> {
    match model.positions().len() {
        0 => Err(n.wrong("there are no particles")),
        count => n.whole(0, count as u32 - 1),
    }
}
