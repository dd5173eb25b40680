//! `"contacts"` in scene files.

use super::indices::{Members, members, within};
use super::place::{Place, Wrong};
use super::values::{Fraction, Index, Named, NotNegative, Plain, Positive};
use crate::collision::{Contacts, Detect, Order, SelfContact};
use crate::model::Model;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::ops::Range;

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
}

/// A cloth that touches itself.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Cloth {
    /// Its place in `meshes`.
    mesh: Index,
    /// The least distance of two of its sheets [m].
    thickness: Positive,
}

impl ContactsEntry {
    /// The contacts; `meshes` are the triangles of each mesh among the model's.
    pub(super) fn contacts(
        &self,
        model: &Model,
        place: Place,
        meshes: &[Range<usize>],
        warnings: &mut Vec<String>,
    ) -> Result<Contacts, Wrong> {
        let count = model.positions().len();
        let particles = self
            .particles
            .as_ref()
            .map(|value| members(place, value, count));
        let mut cloths = Vec::new();
        for (i, cloth) in self.cloths.iter().enumerate() {
            let mesh = within(cloth.mesh, meshes.len(), "meshes");
            let mesh = mesh.map_err(|what| place.at(format!("self[{i}].mesh"), what))?;
            let triangles = model.triangles()[meshes[mesh as usize].clone()].to_vec();
            let thickness = cloth.thickness.plain();
            let edge = mean_edge(model, &triangles);
            if thickness > edge {
                warnings.push(format!(
                    "contacts: thickness {thickness} is more than the mean edge, {edge:.3} m: what is closer at rest keeps its rest distance"
                ));
            }
            cloths.push(SelfContact {
                triangles,
                thickness,
            });
        }
        Ok(Contacts {
            particles: particles.transpose()?.flatten(),
            radius: self.radius.map_or(0.0, Plain::plain),
            friction: self.friction.map(Plain::plain),
            restitution: self.restitution.map(Plain::plain),
            pairs: self.pairs.unwrap_or(false),
            cloths,
            detect: self.detect.map_or_else(Detect::default, Plain::plain),
            margin: self.margin.map(Plain::plain),
            max_speed: self.max_speed.map(Plain::plain),
            order: self.order.map_or_else(Order::default, Plain::plain),
            sleep: self.sleep.map(Plain::plain),
            ..Contacts::default()
        })
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
