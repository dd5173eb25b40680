//! A fluid's kernels, and its numbers.
//!
//! With t = r²/h², u = r/h and d = x_i - x_j:
//!
//! ```text
//! poly6     W(r)  =  315/(64π h³) (1 - t)³            density, viscosity
//! spiky    ∇W(r)  = -45/(π h⁴) (1 - u)² d/r           gradients
//! ```
//!
//! (Müller et al., *Particle-Based Fluid Simulation for Interactive Applications*, 2003, eq. 20 and 21.)
//!
//! Sums over a lattice at rest are a little off the integrals (poly6 1 %, the gradient's first moment 4 %); both factors are
//! set so that the lattice has its density and the pressure's gradient its force.

use super::authored::Fluid;
use crate::math::{Real, Vec3};
use crate::settings::Settings;

/// ε as a share of Σ |∇C|² within a lattice at rest (Macklin and Müller, eq. 11).
const RELAXATION: f64 = 0.01;
/// Δq of s_corr as a share of h (Macklin and Müller, section 4: 0.1 to 0.3).
const CORRECTED_AT: f64 = 0.2;

/// The numbers of a fluid, rounded once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers<R> {
    /// 1/h² (1/m²).
    pub(super) inverse_square: R,
    /// 1/h (1/m).
    pub(super) inverse: R,
    /// Factor of poly6, times the volume of a particle: 1 / Σ (1 - t)³ at rest.
    pub(super) density: R,
    /// Factor b of spiky, times the volume of a particle: 3 / Σ u (1 - u)² at rest.
    pub(super) b: R,
    /// b/h² (1/m²).
    pub(super) slope: R,
    /// h/b (m).
    pub(super) wall: R,
    /// ε, in the unit of Σ w (1 - u)⁴ (1/kg).
    pub(super) relaxation: R,
    /// s_corr at Δq (kg).
    pub(super) correction: R,
    /// 1 / W(Δq), without the kernel's factor.
    pub(super) corrected: R,
    /// XSPH's c.
    pub(super) viscosity: R,
    /// ε of vorticity confinement, times the substep.
    pub(super) vorticity: R,
}

impl<R: Real> Numbers<R> {
    pub(super) fn new(fluid: &Fluid, inverse_mass: f64, settings: &Settings) -> Self {
        let h = fluid.support();
        let b = fluid.steepness();
        let steep = inverse_mass * fluid.lattice(|t| (1.0 - t.sqrt()).powi(4));
        let whole = 1.0 - CORRECTED_AT * CORRECTED_AT;
        let given = fluid.numbers();
        let reference = if steep > 0.0 { 1.0 / (b * steep) } else { 0.0 };
        Self {
            inverse_square: R::of(1.0 / (h * h)),
            inverse: R::of(1.0 / h),
            density: R::of(1.0 / (1.0 + fluid.lattice(|t| (1.0 - t).powi(3)))),
            b: R::of(b),
            slope: R::of(b / (h * h)),
            wall: R::of(h / b),
            relaxation: R::of(RELAXATION * steep),
            correction: R::of(given.s_corr * reference),
            corrected: R::of(1.0 / whole.powi(3)),
            viscosity: R::of(given.viscosity),
            vorticity: R::of(given.vorticity * settings.h()),
        }
    }

    /// t = r²/h².
    #[inline(always)]
    pub(super) fn reach(&self, d: Vec3<R>) -> R {
        d.dot(d) * self.inverse_square
    }

    /// The unit of gradients, b/h (1/m).
    pub(super) fn steepness(&self) -> R {
        self.b * self.inverse
    }

    /// C + 1 of a particle whose neighbors' poly6 sum up to `around`.
    #[inline(always)]
    pub(super) fn relative_density(&self, around: R, wall: R) -> R {
        self.density * (R::of(1.0) + around) + wall
    }
}

/// (1 - t)³ within reach, else zero.
#[inline(always)]
pub(super) fn poly6<R: Real>(t: R) -> R {
    let rest = R::of(1.0) - t;
    R::select(t.lt(R::of(1.0)), rest * rest * rest, R::zero())
}

/// (1 - u)² and (1 - u)²/u within reach and apart, else zero.
#[inline(always)]
pub(super) fn spiky<R: Real>(t: R) -> (R, R) {
    let u = t.sqrt();
    let rest = R::of(1.0) - u;
    let square = rest * rest;
    let acts = R::zero().lt(t) & t.lt(R::of(1.0));
    let zero = R::zero();
    (R::select(acts, square, zero), R::select(acts, square / u, zero))
}
