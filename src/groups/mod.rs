//! Groups: formulas over arbitrarily many particles.
//!
//! [`Pressures`] keep closed surfaces at a volume, [`Shapes`] pull clusters of particles towards a rigid fit of their rest
//! shape, [`Fluid`] keeps particles from lying denser than at rest. The first two are constraints C(x) like any other, so they respond like one (PBD k', XPBD α/h², damped), have a multiplier,
//! a residual and an energy. A group's sums run over its members in chunks of fixed size, so their bits depend on no thread.
//!
//! Groups are projected in their authored order. Those that share no particle may move together: a group's level is one
//! more than the last level that touches one of its particles, and levels follow each other.
//!
//! Oriented particles (S4-22; Müller and Chentanez 2011) are left out: they would give every particle an orientation, a
//! column and a step of its own, for what overlapping clusters and a fit that survives flat and collinear ones do too.

mod clusters;
mod flow;
mod fluid;
mod large_groups;
mod levels;
mod melting;
mod members;
mod pressure;
mod regions;
mod rotation;
mod shape;
mod shape_runtime;
mod sum;
#[cfg(test)]
mod tests;
mod vertices;

pub use fluid::{Fluid, FluidNumbers};
pub use melting::Melting;
pub use pressure::Pressures;
pub use regions::regions;
pub use shape::{Plastic, Shapes};

use crate::constraints::{self, Class as _, Compliant, Damped, Stiff};
use crate::error::ModelError;
use crate::math::Real;
use crate::rows::convert;
use crate::rows::{ResponseKind, Strength};
use crate::settings::Settings;

/// Every kind of group, and its C in one line.
pub const KINDS: [(&str, &str); 3] = [
    (
        "pressure",
        "sum (x1 x x2) . x3 - pressure * 6 * rest_volume = 0",
    ),
    (
        "shape",
        "sqrt(sum m |x - goal|^2) = 0, goal: the rest shape where it fits best",
    ),
    (
        "fluid",
        "sum (2 radius)^3 W(x_i - x_j) - 1 <= 0 for each particle i",
    ),
];

/// How strongly a group holds: α̃, γ and k' of `constraints::response`, all three, as groups of every class stand together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold<R> {
    alpha: R,
    gamma: R,
    k: R,
}

impl<R: Real> Hold<R> {
    pub(crate) fn new(numbers: [f64; 3]) -> Self {
        let [alpha, gamma, k] = numbers.map(R::of);
        Self { alpha, gamma, k }
    }

    /// s = Δλ / n, and the multiplier it leads to; `weight` is Σ w |g|², `moved` Σ g·(x - x_prev).
    #[inline(always)]
    pub(crate) fn step(self, c: R, n: R, weight: R, moved: R, lambda: R) -> (R, R) {
        let Self { alpha, gamma, k } = self;
        let error = n * (-c - alpha * lambda) - gamma * moved;
        let all = weight + gamma * weight + alpha * (n * n);
        let s = (error.over_positive(all) * k).finite_or_zero();
        (s, lambda + (s * n).finite_or_zero())
    }
}

/// [α̃, γ, k'] of a group under the settings.
pub(crate) fn hold(strength: Strength, settings: &Settings) -> [f64; 3] {
    let (value, beta) = match strength {
        Strength::Stiffness(value) | Strength::Compliance(value) => (value, 0.0),
        Strength::Damped(alpha, beta) => (alpha, beta),
        Strength::Material => unreachable!("refused when the group was added"),
    };
    let (class, value) = convert(settings.response, strength.class(), value as f32);
    let (value, h, n) = (f64::from(value), settings.h(), settings.iterations);
    match class {
        ResponseKind::Stiff => [0.0, 0.0, Stiff::numbers(value, 0.0, h, n)[0]],
        ResponseKind::Damped => {
            let [alpha, gamma] = Damped::numbers(value, beta, h, n);
            [alpha, gamma, 1.0]
        }
        ResponseKind::Compliant | ResponseKind::Material => {
            [Compliant::numbers(value, 0.0, h, n)[0], 0.0, 1.0]
        }
    }
}

/// Refuses what a group cannot respond by.
pub(crate) fn check_strength(
    kind: &'static str,
    row: usize,
    strength: Strength,
) -> Result<(), ModelError> {
    let refuse = |(name, value, rule)| ModelError::Row {
        kind,
        row,
        name,
        value,
        rule,
    };
    strength.numbers(false).map_err(refuse)?;
    match strength {
        Strength::Material => Err(ModelError::Missing {
            kind,
            row,
            name: "stiffness or compliance",
        }),
        _ => Ok(()),
    }
}

/// The compliance of a group under the settings; zero of a stiff one.
pub(crate) fn compliance(strength: Strength, settings: &Settings) -> f64 {
    let [alpha, ..] = hold(strength, settings);
    let full = constraints::per_substep(1.0, settings.h());
    alpha / full
}
