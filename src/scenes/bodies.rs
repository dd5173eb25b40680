//! Rigid bodies, clusters, floors and walls that scenes share.

use crate::collision::{Collider, Contacts, Detect};
use crate::error::ModelError;
use crate::groups::{Plastic, Shapes};
use crate::math::sine_cosine;
use crate::model::Model;
use crate::rigid::{Body, Shape, Weight};
use crate::rows::Stiffness;

/// A turn about the vertical by an angle (rad).
pub(super) fn about_y(angle: f64) -> [f64; 4] {
    let (sine, cosine) = sine_cosine(0.5 * angle);
    [0.0, sine, 0.0, cosine]
}

pub(super) fn solid(shape: Shape, weight: Weight) -> Body {
    Body::new(shape, weight, None).expect("a shape of positive size")
}

/// A body with friction.
pub(super) fn rough(shape: Shape, weight: Weight) -> Body {
    let mut body = solid(shape, weight);
    body.friction = Some(0.5);
    body
}

/// An empty model of so many substeps of one iteration.
pub(super) fn small_steps(substeps: u32) -> Model {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (substeps, 1);
    model
}

pub(super) fn floor() -> Result<Collider, ModelError> {
    Collider::plane([0.0; 3], [0.0, 1.0, 0.0])
}

/// Clusters of shape matching, all of the PBD stiffness `k`.
pub(super) fn shapes(
    model: &Model,
    clusters: impl IntoIterator<Item: AsRef<[u32]>>,
    k: f64,
    plastic: Option<Plastic>,
) -> Result<Shapes, ModelError> {
    let mut shapes = Shapes::new();
    for cluster in clusters {
        shapes.add(model, cluster.as_ref(), None, Stiffness::Factor(k), plastic)?;
    }
    Ok(shapes)
}

/// [`small_steps`], and contacts with a floor.
pub(super) fn on_the_floor(substeps: u32, detect: Detect) -> Result<(Model, Contacts), ModelError> {
    let contacts = Contacts { colliders: vec![floor()?], detect, ..Contacts::default() };
    Ok((small_steps(substeps), contacts))
}
