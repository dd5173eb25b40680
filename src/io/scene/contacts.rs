//! `"contacts"` in scene files.

use super::builder::Builder;
use super::indices::{Members, members};
use super::place::{Place, SceneError};
use super::values::{Categories, Fraction, Index, Named, NotNegative, Plain, Positive, filter};
use crate::collision::{Contacts, Detect, Order, SelfContact, Tangled};
use crate::model::Model;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// What touches, and how.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ContactsEntry {
    /// The particles that touch; left out, all.
    #[schemars(with = "Option<Members>")]
    particles: Option<Value>,
    /// Radius of the ball around each particle [m]; left out, 0.
    radius: Option<NotNegative>,
    /// Coefficient of friction µ of the particles. Two materials meet with sqrt(µ1 µ2); where only one has a value, it counts.
    friction: Option<NotNegative>,
    /// Coefficient of restitution e of the particles. Two materials meet with the larger.
    restitution: Option<Fraction>,
    /// Whether the balls touch each other; left out, false.
    pairs: Option<bool>,
    /// Cloths that touch themselves.
    #[serde(rename = "self", default)]
    cloths: Vec<Cloth>,
    /// When contacts are found anew; left out, "substep".
    detect: Option<Named<Detect>>,
    /// How much further than touching contacts are found [m]; left out, half the larger of radius and thickness.
    margin: Option<NotNegative>,
    /// Nothing that touches is faster than this at the end of a substep [m/s].
    max_speed: Option<Positive>,
    /// In which order contacts of bodies are projected; left out, "colors".
    order: Option<Named<Order>>,
    /// After how long at rest bodies that touch fall asleep [s]; left out, never.
    sleep: Option<NotNegative>,
    /// The categories that the particles are of, as a sum of powers of two; left out, 1.
    category: Option<Categories>,
    /// The categories of bodies and colliders that the particles touch; left out, all.
    mask: Option<Categories>,
    /// Whether contacts of bodies are reported, with their forces; left out, false.
    events: Option<bool>,
}

/// Cloth that touches itself: either `mesh` or `meshes` must be given.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Cloth {
    /// Its place in `meshes`.
    mesh: Option<Index>,
    /// The places in `meshes` of several that touch themselves and each other.
    meshes: Option<Vec<Index>>,
    /// The least distance of two of its sheets [m].
    thickness: Positive,
    /// What becomes of it if edges pass through triangles at the start: they are pulled out, or it is an error; left out, "repair".
    tangled: Option<Named<Tangled>>,
}

impl ContactsEntry {
    pub(super) fn contacts(&self, to: &mut Builder, place: Place) -> Result<Contacts, SceneError> {
        let count = to.model.positions().len();
        let particles = self.particles.as_ref().map(|value| members(place, value, count));
        let (mut cloths, mut known) = (Vec::new(), Vec::new());
        for (i, cloth) in self.cloths.iter().enumerate() {
            let triangles = cloth.triangles(to, (place, i), &mut known)?;
            let thickness = cloth.thickness.plain();
            let edge = mean_edge(to.model, &triangles);
            if thickness > edge {
                to.warnings.push(format!(
                    "contacts: thickness {thickness} is more than the mean edge, {edge:.1e} m: what is closer at rest keeps its rest distance"
                ));
            }
            let tangled = cloth.tangled.plain().unwrap_or_default();
            cloths.push(SelfContact { triangles, thickness, tangled });
        }
        Ok(Contacts {
            particles: particles.transpose()?.flatten(),
            radius: self.radius.plain().unwrap_or_default(),
            friction: self.friction.plain(),
            restitution: self.restitution.plain(),
            pairs: self.pairs.unwrap_or(false),
            cloths,
            detect: self.detect.plain().unwrap_or_default(),
            margin: self.margin.plain(),
            max_speed: self.max_speed.plain(),
            order: self.order.plain().unwrap_or_default(),
            sleep: self.sleep.plain(),
            filter: filter(self.category, self.mask),
            events: self.events.unwrap_or(false),
            ..Contacts::default()
        })
    }
}

impl Cloth {
    /// The triangles of its meshes, the i-th entry's, which join those that are `known`: each touches itself in one way.
    fn triangles(
        &self,
        from: &Builder,
        (place, i): (Place, usize),
        known: &mut Vec<usize>,
    ) -> Result<Vec<[u32; 3]>, SceneError> {
        let (key, meshes) = match (&self.mesh, &self.meshes) {
            (Some(mesh), None) => ("mesh", std::slice::from_ref(mesh)),
            (None, Some(meshes)) if !meshes.is_empty() => ("meshes", &meshes[..]),
            _ => {
                let wrong = "either \"mesh\" or a list of \"meshes\" must be given";
                return Err(place.at(format!("self[{i}]"), wrong));
            }
        };
        let mut triangles = Vec::new();
        for &mesh in meshes {
            let at = format!("self[{i}].{key}");
            let mesh = place.index(&at, mesh, (from.triangles.len(), "meshes"))? as usize;
            if known.contains(&mesh) {
                return Err(place.at(at, format!("{mesh} is there twice")));
            }
            known.push(mesh);
            triangles.extend_from_slice(&from.model.triangles()[from.triangles[mesh].clone()]);
        }
        Ok(triangles)
    }
}

fn mean_edge(model: &Model, triangles: &[[u32; 3]]) -> f64 {
    let edges = crate::mesh::unique_edges(triangles);
    let length = |&[a, b]: &[u32; 2]| {
        let [a, b] = [a, b].map(|i| glam::Vec3::from(model.positions()[i as usize]));
        f64::from(a.distance(b))
    };
    edges.iter().map(length).sum::<f64>() / edges.len().max(1) as f64
}
