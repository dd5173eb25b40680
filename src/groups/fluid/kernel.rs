//! The numbers of a fluid: factors of its kernel, so that a lattice at rest is at rest.
//!
//! Sums over a lattice at rest are a little off the integrals; the factors are set so that the lattice has its density and the
//! pressure's gradient its force.

use super::authored::{Fluid, FluidNumbers};
use super::passing::Passing;
use super::shape::{beyond_wall, spiky};
use crate::math::{Real, Vec3, power};
use crate::settings::Settings;
use std::f64::consts::TAU;

/// ε as a share of Σ |∇C|² within a lattice at rest (Macklin and Müller, eq. 11).
const RELAXATION: f64 = 0.01;
/// Δq of s_corr as a share of h (Macklin and Müller, section 4: 0.1 to 0.3).
const CORRECTED_AT: f64 = 0.2;
/// -∇W h²/W(0) is this times s d.
const SLOPE: f64 = 3.0;
/// The substep in which XSPH smooths by c (s).
const VISCOUS_STEP: f64 = 1.0 / 240.0;
/// The longest substep for a surface tension, as a part κ of √(ρ (2r)³ / 2πσ), in which a wave as short as a particle passes
/// (Brackbill, Kothe and Zemach, *A Continuum Method for Modeling Surface Tension*, 1992, eq. 61): in a longer one it is as much weaker.
const CAPILLARY: f64 = 0.25;
/// Attraction heats by κ² in a substep: smoothed by less than three times that, drops of real water boil and fly apart within seconds.
const STEADIED: f64 = 4.0;
/// The most sweeps of a viscosity in a substep; thicker fluids are as thick as these make them.
const MOST_SWEEPS: f64 = 64.0;
/// The largest eigenvalue of an iteration. A single one damps up to 4/3, five up to 1.8; beyond, velocities grow.
const LARGEST: f64 = 1.6;

/// What of Σ W (v_j - v_i) XSPH adds in a substep; with a surface tension enough, beside a viscosity µ, to steady it.
fn smoothed(fluid: &Fluid, given: &FluidNumbers, settings: &Settings) -> f64 {
    let part = 1.0 - power(1.0 - given.viscosity, settings.h() / VISCOUS_STEP);
    let around = fluid.lattice(&|_, t| spiky(t).0).max(f64::MIN_POSITIVE);
    let square = TAU * tension(given, settings) * settings.h().powi(2) / given.mass();
    (part / around).max(STEADIED * square / around - viscous(fluid, given, settings))
}

/// The surface tension that substeps can bear (N/m).
fn tension(given: &FluidNumbers, settings: &Settings) -> f64 {
    let most = given.mass() / TAU * (CAPILLARY / settings.h()).powi(2);
    given.surface_tension.min(most)
}

/// What of it a viscosity µ adds: in a lattice Σ W (v_j - v_i) is Σ W r²/6 ∇²v, and Δv = h µ/ρ ∇²v.
fn viscous(fluid: &Fluid, given: &FluidNumbers, settings: &Settings) -> f64 {
    let square = fluid.support().powi(2) * fluid.lattice(&|_, t| spiky(t).0 * t);
    let kinematic = given.dynamic_viscosity / given.rest_density;
    6.0 * settings.h() * kinematic / square.max(f64::MIN_POSITIVE)
}

/// Factor A of the attraction A (1 - t)² d (N/m), which has the potential -A h²/6 (1 - t)³: to part a lattice into two takes twice the
/// surface tension for its area (Rayleigh, *On the Theory of Surface Forces*, 1890; with pressure and particles: Tartakovsky and Meakin,
/// *Modeling of Surface Tension and Contact Angles with Smoothed Particle Hydrodynamics*, 2005).
fn cohesion(fluid: &Fluid, given: &FluidNumbers, settings: &Settings) -> f64 {
    let (h, step) = (fluid.support(), 2.0 * given.radius);
    // Σ over pairs across a plane of a lattice: as many layers as lie between the two begin behind it.
    let across =
        fluid.lattice(&|x, t| if x > 0.0 { x * h / step * (1.0 - t).powi(3) } else { 0.0 });
    2.0 * tension(given, settings) * step * step / (h * h / 6.0 * across)
}

/// In how many sweeps velocities are smoothed, so that none takes over more than that of all neighbors.
pub(super) fn sweeps(fluid: &Fluid, settings: &Settings) -> usize {
    let around = fluid.lattice(&|_, t| spiky(t).0);
    let all = fluid
        .all_numbers()
        .map(|given| (smoothed(fluid, given, settings) + viscous(fluid, given, settings)) * around);
    (all.fold(0.0, f64::max) * 0.999).ceil().clamp(1.0, MOST_SWEEPS) as usize
}

/// What a sweep does to velocities.
pub(super) struct Sweep {
    /// What of Σ W (v_j - v_i) changes a velocity.
    pub(super) viscosity: f64,
    /// What of a velocity along a wall it takes, for what is lacking there.
    pub(super) drag: f64,
    /// The impulse of cohesion over (1 - t)² d (N s/m).
    pub(super) cohesion: f64,
}

impl Sweep {
    /// Of the fluid, or of one that it meets.
    pub(super) fn new(fluid: &Fluid, given: &FluidNumbers, settings: &Settings) -> Self {
        let (h, around) = (fluid.support(), fluid.lattice(&|_, t| spiky(t).0));
        let count = sweeps(fluid, settings) as f64;
        let viscous = viscous(fluid, given, settings) / count;
        let viscous = viscous.min(1.0 / around.max(f64::MIN_POSITIVE));
        // Of Σ W over what lies beyond, each with its distance in that of the particle from the wall.
        let nearest = given.radius / h;
        let mirrored = fluid.lattice(&|x, t| if x < 0.0 { -x / nearest * spiky(t).0 } else { 0.0 });
        Self {
            viscosity: smoothed(fluid, given, settings) / count + viscous,
            drag: viscous * mirrored / lacks(fluid, 1.0),
            cohesion: cohesion(fluid, given, settings) * settings.h() / count,
        }
    }
}

/// What each particle is made of, where several fluids meet: viscosity, drag and the root of cohesion.
pub(super) fn made_of(fluid: &Fluid, settings: &Settings) -> Vec<[f32; 3]> {
    if fluid.others.is_empty() {
        return Vec::new();
    }
    let ends = fluid.others.iter().map(|(from, _)| *from).chain([fluid.particles().len()]);
    let mut out = Vec::with_capacity(fluid.particles().len());
    for (given, end) in fluid.all_numbers().zip(ends) {
        let Sweep { viscosity, drag, cohesion } = Sweep::new(fluid, given, settings);
        out.resize(end, [viscosity, drag, cohesion.sqrt()].map(|v| v as f32));
    }
    out
}

/// What half a lattice at rest lacks beside a wall: its first layer, and its second.
fn lacks(fluid: &Fluid, layer: f64) -> f64 {
    let from = -2.0 * (fluid.numbers().radius / fluid.support()) * (layer - 0.5);
    let density = 1.0 / (1.0 + fluid.lattice(&|_, t| spiky(t).0));
    density * fluid.lattice(&|x, t| if x < from { spiky(t).0 } else { 0.0 })
}

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
    /// r, and how near a wall a particle sees images in it: h - r, from where one that touches the wall is out of reach (m).
    pub(super) radius: R,
    pub(super) mirrored: R,
    /// What one that touches a wall lacks.
    pub(super) beside_face: R,
    /// 1/|Σ s d|² of one at the surface of a lattice at rest (1/m²).
    pub(super) uneven: R,
    /// ε, in the unit of Σ w s² t (1/kg).
    pub(super) relaxation: R,
    /// k of s_corr.
    pub(super) correction: R,
    /// 1 / W(Δq), without the kernel's factor.
    pub(super) corrected: R,
    /// What of Σ W (v_j - v_i) changes a velocity in a sweep.
    pub(super) viscosity: R,
    /// What of a velocity along a wall it takes in a sweep, for what is lacking there.
    pub(super) drag: R,
    /// The impulse of cohesion over (1 - t)² d in a sweep (N s/m).
    pub(super) cohesion: R,
    /// ε of vorticity confinement, times the substep.
    pub(super) vorticity: R,
    /// How fluids of different density part.
    pub(super) passing: Passing<R>,
}

impl<R: Real> Numbers<R> {
    pub(super) fn new(fluid: &Fluid, inverse_mass: f64, settings: &Settings) -> Self {
        let h = fluid.support();
        let (w, s) = (|t: f64| spiky(t).0, |t: f64| spiky(t).1);
        let around = fluid.lattice(&|_, t| w(t));
        // Σ s t and Σ s² t.
        let moment = fluid.lattice(&|_, t| s(t) * t);
        let steep = fluid.lattice(&|_, t| s(t) * s(t) * t);
        let density = 1.0 / (1.0 + around);
        let steepness = SLOPE * density;
        // Of Σ_k |∇_k C|²: the share of long waves, and the largest of all waves, to 9 % for all supports.
        let nearest = fluid.numbers().radius / h;
        let long = (moment / (6.0 * nearest)).powi(2) / steep;
        let largest = (1.5 + 0.5 * long).max(2.0);
        let omega = LARGEST / largest;
        let share = |layer: f64| beyond_wall((2.0 * layer - 1.0) * nearest);
        let lacks = |layer: f64| lacks(fluid, layer);
        let beyond = (lacks(1.0) - lacks(2.0)) / (share(1.0) - share(2.0));
        let uneven = h * fluid.lattice(&|x, t| if x > 0.0 { x * s(t) } else { 0.0 });
        let given = fluid.numbers();
        let sweep = Sweep::new(fluid, given, settings);
        Self {
            inverse_square: R::of(1.0 / (h * h)),
            inverse: R::of(1.0 / h),
            density: R::of(density),
            steepness: R::of(steepness),
            step: R::of(omega / steepness),
            slope: R::of(fluid.steepness() / (h * h)),
            beyond: R::of(beyond),
            nothing: R::of((beyond * share(2.0) - lacks(2.0)).max(0.0)),
            radius: R::of(given.radius),
            mirrored: R::of(h - given.radius),
            beside_face: R::of(lacks(1.0)),
            uneven: R::of(1.0 / (uneven * uneven)),
            relaxation: R::of(RELAXATION * inverse_mass * steep),
            correction: R::of(given.s_corr),
            corrected: R::of(1.0 / w(CORRECTED_AT * CORRECTED_AT)),
            viscosity: R::of(sweep.viscosity),
            drag: R::of(sweep.drag),
            cohesion: R::of(sweep.cohesion),
            vorticity: R::of(given.vorticity * settings.h()),
            passing: Passing::new(fluid, settings, sweeps(fluid, settings)),
        }
    }

    /// What a particle lacks beside a wall that holds a share of its kernel.
    #[inline(always)]
    pub(super) fn beside(&self, share: R) -> R {
        (self.beyond * share - self.nothing).max(R::zero())
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
