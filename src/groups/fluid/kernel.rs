//! The numbers of a fluid: factors of its kernel, so that a lattice at rest is at rest.
//!
//! Sums over a lattice at rest are a little off the integrals; the factors are set so that the lattice has its density and the
//! pressure's gradient its force.

use super::authored::Fluid;
use super::shape::{beyond_wall, spiky};
use crate::math::{Real, Vec3, power};
use crate::settings::Settings;

/// ε as a share of Σ |∇C|² within a lattice at rest (Macklin and Müller, eq. 11).
const RELAXATION: f64 = 0.01;
/// Δq of s_corr as a share of h (Macklin and Müller, section 4: 0.1 to 0.3).
const CORRECTED_AT: f64 = 0.2;
/// -∇W h²/W(0) is this times s d.
const SLOPE: f64 = 3.0;
/// Of what half a lattice at rest lacks beside a wall: with all of it, one in a corner is 0.5 % too dense.
const WALLS: f64 = 0.98;
/// The substep in which XSPH smooths by c (s).
const VISCOUS_STEP: f64 = 1.0 / 240.0;
/// The largest eigenvalue of an iteration. A single one damps up to 4/3, five up to 1.8; beyond, velocities grow.
const LARGEST: f64 = 1.6;

/// The numbers of a fluid, rounded once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers<R> {
    /// 1/h² (1/m²).
    pub(super) inverse_square: R,
    /// 1/h (1/m).
    pub(super) inverse: R,
    /// Factor of W, times the volume of a particle: 1 / Σ W at rest.
    pub(super) density: R,
    /// h |∇C| where Σ s d is h.
    pub(super) steepness: R,
    /// How far an iteration goes: ω / steepness.
    pub(super) step: R,
    /// b/h² (1/m²).
    pub(super) slope: R,
    /// Factor of what lies beyond a wall in closed form, and what of that is nothing.
    pub(super) beyond: R,
    pub(super) nothing: R,
    /// The same, times h/steepness: the gradient of a wall's share (m).
    pub(super) wall: R,
    /// What lies beyond a wall of the pressure's gradient along it, as a share of the closed form.
    pub(super) along: R,
    /// ε, in the unit of Σ w s² t (1/kg).
    pub(super) relaxation: R,
    /// k of s_corr.
    pub(super) correction: R,
    /// 1 / W(Δq), without the kernel's factor.
    pub(super) corrected: R,
    /// XSPH's share in a substep, times the factor of W among neighbors.
    pub(super) viscosity: R,
    /// ε of vorticity confinement, times the substep.
    pub(super) vorticity: R,
}

impl<R: Real> Numbers<R> {
    pub(super) fn new(fluid: &Fluid, inverse_mass: f64, settings: &Settings) -> Self {
        let h = fluid.support();
        let (w, s) = (|t: f64| spiky(t).0, |t: f64| spiky(t).1);
        let around = fluid.lattice(|_, t| w(t));
        // Σ s t and Σ s² t.
        let moment = fluid.lattice(|_, t| s(t) * t);
        let steep = fluid.lattice(|_, t| s(t) * s(t) * t);
        let density = 1.0 / (1.0 + around);
        let steepness = SLOPE * density;
        // Of Σ_k |∇_k C|²: the share of long waves, and the largest of all waves, to 9 % for all supports.
        let nearest = fluid.numbers().radius / h;
        let long = (moment / (6.0 * nearest)).powi(2) / steep;
        let largest = (1.5 + 0.5 * long).max(2.0);
        let omega = LARGEST / largest;
        // What half a lattice at rest lacks beside a wall: its first layer, and its second.
        let behind = |x: f64| if x < 0.0 { 1.0 } else { 0.0 };
        let share = |layer: f64| beyond_wall((2.0 * layer - 1.0) * nearest).0;
        let lacks = |layer: f64| {
            let from = -2.0 * nearest * (layer - 0.5);
            WALLS * density * fluid.lattice(|x, t| if x < from { w(t) } else { 0.0 })
        };
        let beyond = (lacks(1.0) - lacks(2.0)) / (share(1.0) - share(2.0));
        let along = |at: &dyn Fn(f64) -> f64| fluid.lattice(|x, t| at(x) * s(t) * (t - x * x));
        let given = fluid.numbers();
        let part = 1.0 - power(1.0 - given.viscosity, settings.h() / VISCOUS_STEP);
        Self {
            inverse_square: R::of(1.0 / (h * h)),
            inverse: R::of(1.0 / h),
            density: R::of(density),
            steepness: R::of(steepness),
            step: R::of(omega / steepness),
            slope: R::of(fluid.steepness() / (h * h)),
            beyond: R::of(beyond),
            nothing: R::of((beyond * share(2.0) - lacks(2.0)).max(0.0)),
            wall: R::of(beyond * h / steepness),
            along: R::of(along(&behind) / (along(&|_| 1.0) * share(1.0))),
            relaxation: R::of(RELAXATION * inverse_mass * steep),
            correction: R::of(given.s_corr),
            corrected: R::of(1.0 / w(CORRECTED_AT * CORRECTED_AT)),
            viscosity: R::of(part / around.max(f64::MIN_POSITIVE)),
            vorticity: R::of(given.vorticity * settings.h()),
        }
    }

    /// t = r²/h².
    #[inline(always)]
    pub(super) fn relative_square(&self, d: Vec3<R>) -> R {
        d.dot(d) * self.inverse_square
    }

    /// C + 1 of a particle whose neighbors' W sum up to `around`.
    #[inline(always)]
    pub(super) fn relative_density(&self, around: R, wall: R) -> R {
        self.density * (R::of(1.0) + around) + wall
    }
}
