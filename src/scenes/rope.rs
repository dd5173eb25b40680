//! `rope:N`: a metre of rope hung from one end, let go level.

use super::prelude::*;

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "rope", role: Timed, size: 64, seconds: 1.5, color: ROPE, sizes: (1, 10_000_000), build: rope, check: hangs,
        about: "N links in a row, one metre long, 0.1 kg, hung from one end" },
];

/// Compliance 1e-7 m/N.
fn rope(n: usize) -> Result<Model, ModelError> {
    links(n, n as f64 / 0.1, Stiffness::Compliance(1e-7))
}

/// A metre of `n` links between particles of inverse mass `w` along x, the first pinned.
pub(super) fn links(n: usize, w: f64, stiffness: Stiffness) -> Result<Model, ModelError> {
    let mut model = Model::new();
    for i in 0..=n {
        let position = [i as f64 / n as f64, 0.0, 0.0];
        model.add_particle(position, [0.0; 3], if i == 0 { 0.0 } else { w })?;
    }
    for i in 0..n as u32 {
        model.add(Distance, [i, i + 1], [None], stiffness)?;
    }
    Ok(model)
}
