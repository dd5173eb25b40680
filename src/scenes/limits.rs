//! `limits-iterations:N` and `limits-averaging:N`: the limitations that the sources name, each as a scene (S1-35, S1-38).

use super::prelude::*;
use super::rope::links;
use crate::math::sine_cosine;

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "limits-iterations", role: Limit, size: 20, seconds: 3.0, color: ROPE, sizes: (1, 1_000_000), build: iterations, check: hangs,
        about: "N stiff links in a row, one metre long, hung from one end: how far they stretch depends on the iterations" },
    Scene { name: "limits-averaging", role: Limit, size: 8, seconds: 3.0, color: ROPE, sizes: (1, 1_000_000), build: averaging, check: |m, s| stays_within(3.0, m, s),
        about: "a hub hung from a pin, N bobs of 1 kg together hung from the hub: averaging takes iterations by the rows of a particle" },
];

const STIFF: Stiffness = Stiffness::Factor(1.0);

/// Links of k = 1 between masses of 1 kg, let go level.
fn iterations(n: usize) -> Result<Model, ModelError> {
    links(n, 1.0, STIFF)
}

/// A hub of 1 kg half a metre below the pin; bobs on a ring half a metre below the hub.
fn averaging(n: usize) -> Result<Model, ModelError> {
    let mut model = Model::new();
    model.add_particle([0.0; 3], [0.0; 3], 0.0)?;
    model.add_particle([0.0, -0.5, 0.0], [0.0; 3], 1.0)?;
    model.add(Distance, [0, 1], [None], STIFF)?;
    for i in 0..n {
        let angle = i as f64 / n as f64 * std::f64::consts::TAU;
        let (sin, cos) = sine_cosine(angle);
        let position = [0.1 * cos, -1.0, 0.1 * sin];
        let bob = model.add_particle(position, [0.0; 3], n as f64)?;
        model.add(Distance, [1, bob], [None], STIFF)?;
    }
    Ok(model)
}
