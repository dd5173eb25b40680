//! Sweeps: in which direction the rows are gone over, iteration by iteration.
//!
//! Gauss-Seidel in one direction turns errors as well as shrinking them: of x <- S x̃, what a substep's iterations make of the
//! predicted positions, some eigenvalues μ are complex, and with v = (x - x_prev)/h a way grows by λ in a substep,
//!
//! ```text
//! x̃ = 2 x - x_prev:   λ² - 2 μ λ + μ = 0         |λ| = √μ < 1 for all μ in [0, 1), not for complex ones next to 1
//! ```
//!
//! A sweep there and back is symmetric ("to and fro", Aitken 1950; Sheldon 1955): μ is real, and nothing shakes. So every other
//! iteration goes back where a pressure acts on particles that rows hold too, for such a skin has more equations than unknowns.
//! An odd number of iterations is one more. Pressure follows the way back alone: it is then projected last, as before, and once
//! for two sweeps.

use crate::model::Model;
use crate::settings::Settings;

/// How a method goes over the rows in a substep.
pub(super) struct Sweeps {
    /// The model's, with an even number of iterations where every other one goes back.
    pub(super) settings: Settings,
    /// Of half as many iterations: those of what follows the way back alone.
    pub(super) halved: Settings,
    /// Whether every other iteration goes back.
    pub(super) go_back: bool,
}

impl Sweeps {
    /// All in one direction.
    pub(super) fn one_way(model: &Model) -> Self {
        Self::new(model.settings.clone(), false)
    }

    /// There and back, where the model needs it.
    pub(super) fn of(model: &Model) -> Self {
        if !model.is_swept_back() {
            return Self::one_way(model);
        }
        let asked = model.settings.iterations;
        let iterations = asked.checked_next_multiple_of(2).unwrap_or(u32::MAX - 1);
        Self::new(Settings { iterations, ..model.settings.clone() }, true)
    }

    fn new(settings: Settings, go_back: bool) -> Self {
        let halved = Settings { iterations: settings.iterations / 2, ..settings.clone() };
        Self { settings, halved, go_back }
    }
}
