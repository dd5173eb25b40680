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
mod rest_shapes;
mod rotation;
mod runtime;
mod shape;
mod shape_runtime;
mod sum;
#[cfg(test)]
mod tests;
mod torque;
mod vertices;

pub use fluid::{Fluid, FluidNumbers};
pub use melting::Melting;
pub use pressure::Pressures;
pub use regions::regions;
pub use shape::{Plastic, Shapes};
pub(crate) use sum::plus;

use crate::constraints::{GenericResponse, Response as _, Row, Sense, per_substep};
use crate::error::ModelError;
use crate::math::Real;
use crate::rows::{Residual, Stiffness, convert, generic_numbers};
use crate::settings::Settings;

/// Every kind of group, and its C in one line.
pub const KINDS: [(&str, &str); 3] = [
    ("pressure", "sum (x1 x x2) . x3 - pressure * 6 * rest_volume = 0"),
    ("shape", "sqrt(sum m |x - goal|^2) = 0, goal: the rest shape where it fits best"),
    ("fluid", "sum (2 radius)^3 W(x_i - x_j) - 1 <= 0 for each particle i"),
];

/// s = Δλ / n of a group and its multiplier; as rows respond, gradients that overflow included.
#[inline(always)]
fn respond<R: Real, const N: usize>(
    response: GenericResponse<R>,
    row: &mut Row<R, N>,
    weight: R,
    moved: R,
    lambda: R,
) -> (R, R) {
    let weight = response.soften(response.damp(weight), row.n);
    let (s, lambda) = response.step(Sense::Equality, row, [weight, moved], false, lambda);
    (s, lambda.finite_or_zero())
}

/// |C + α̃ λ| / |∇C| from C and n, and Σ |n ∇C|².
fn residual<R: Real>(response: GenericResponse<R>, [c, n]: [R; 2], square: R, lambda: R) -> R {
    let [alpha, ..] = response.parts();
    let (error, gradient) = ((c + alpha * lambda).abs(), square.sqrt());
    // Without a gradient C itself is what is wrong, as of rows.
    let sloped = R::zero().lt(gradient);
    R::select(sloped, (error * n).over_positive(gradient), error).or_infinite()
}

/// [α̃, γ, k'] of a group's [`GenericResponse`] under the settings.
fn response_numbers(stiffness: Stiffness, settings: &Settings) -> [f64; 3] {
    let (value, beta) = match stiffness {
        Stiffness::Factor(value) | Stiffness::Compliance(value) => (value, 0.0),
        Stiffness::Damped(alpha, beta) => (alpha, beta),
        Stiffness::Material => unreachable!("refused when the group was added"),
    };
    let (kind, value) = convert(settings.response, stiffness.response_kind(), value as f32);
    generic_numbers(kind, value, beta, settings)
}

/// Refuses what a group cannot respond by.
fn check_stiffness(kind: &'static str, row: usize, stiffness: Stiffness) -> Result<(), ModelError> {
    stiffness.numbers(false).map_err(|flaw| ModelError::row(kind, row, flaw))?;
    match stiffness {
        Stiffness::Material => {
            Err(ModelError::Missing { kind, row, name: "stiffness or compliance" })
        }
        _ => Ok(()),
    }
}

/// The compliance of a group under the settings; zero of a stiff one.
fn compliance(stiffness: Stiffness, settings: &Settings) -> f64 {
    let [alpha, ..] = response_numbers(stiffness, settings);
    alpha / per_substep(1.0, settings.h())
}

/// A group in a state: which it is, its stiffness, C and |∇C|.
type Measured = (usize, Stiffness, [f64; 2]);

/// Adds |C + α/h² λ| / |∇C| of each group, and counts what has no gradient in f32 or overflows there.
fn add_residual(
    groups: impl Iterator<Item = Measured>,
    lambda: &[f32],
    settings: &Settings,
    sum: &mut Residual,
) {
    for (which, stiffness, [c, gradient]) in groups {
        let Some(&lambda) = lambda.get(which) else { return };
        let alpha = per_substep(compliance(stiffness, settings), settings.h());
        sum.add(c + alpha * f64::from(lambda), gradient);
        let square = (c * c).max(gradient * gradient);
        if c != 0.0 && !(gradient > 0.0 && square < f64::from(f32::MAX)) {
            sum.degenerate += 1;
        }
    }
}

/// Σ C² / 2α over groups with α > 0.
fn elastic_energy(groups: impl Iterator<Item = Measured>, settings: &Settings) -> f64 {
    let energy = |(_, stiffness, [c, _]): Measured| match compliance(stiffness, settings) {
        alpha if alpha > 0.0 => c.powi(2) / (2.0 * alpha),
        _ => 0.0,
    };
    groups.map(energy).sum()
}
