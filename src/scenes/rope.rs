//! `rope:N`: a metre of rope hung from one end, let go level.

use super::{Scene, hangs};
use crate::constraints::Distance;
use crate::error::ModelError;
use crate::model::Model;
use crate::rows::Strength;

pub(super) const ROPE: Scene = Scene {
    name: "rope",
    about: "N links in a row, one metre long, 0.1 kg, hung from one end",
    size: 64,
    sizes: (1, 10_000_000),
    build,
    check: hangs,
};

/// N links of compliance 1e-7 m/N.
fn build(n: usize) -> Result<Model, ModelError> {
    let mut model = Model::new();
    let w = n as f64 / 0.1;
    for i in 0..=n {
        let position = [i as f64 / n as f64, 0.0, 0.0];
        model.add_particle(position, [0.0; 3], if i == 0 { 0.0 } else { w })?;
    }
    for i in 0..n as u32 {
        model.add(Distance, [i, i + 1], [None], Strength::Compliance(1e-7))?;
    }
    Ok(model)
}
