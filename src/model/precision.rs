//! Whether positions of f32 are fine enough for the substeps.

use super::Model;
use crate::math::length;
use crate::settings::Precision;

/// The coarsest grain that positions are rounded off to without being told.
const COARSE: f64 = 1.0 / 8192.0;
/// Substeps shorter than this are small (s).
const SMALL: f64 = 2e-3;
/// How far ahead particles are followed (s): what flies away is rounded off more and more.
const FORESEEN: f64 = 3.0;
/// What gravity is taken for where there is none (m/s²).
const STANDARD_GRAVITY: f64 = 9.81;

impl Model {
    /// What rounding takes from or adds to a particle's way in a substep, as a share of what gravity adds to it: half the
    /// last place of the largest coordinate, now or by its own velocity within [`FORESEEN`], over h² g. A body that is lighter than
    /// a particle moves it by as much less.
    pub fn grain(&self) -> f64 {
        let then = |x: f64, v: f64| x.abs().max((x + FORESEEN * v).abs());
        let [x, v] = [&self.positions, &self.velocities].map(|all| all.as_flattened());
        let coordinates = x.iter().zip(v).map(|(&x, &v)| then(x.into(), v.into()));
        let farthest = coordinates.fold(0.0, f64::max);
        let gravity = length(&self.settings.gravity);
        let gravity = if gravity > 0.0 { gravity } else { STANDARD_GRAVITY };
        let rounding = 0.5 * f64::from(f32::EPSILON) * farthest;
        rounding * self.outweighed() / (self.settings.h().powi(2) * gravity)
    }

    /// How many times the lightest body's mass the heaviest particle has, at least one.
    fn outweighed(&self) -> f64 {
        let inverse = self.inverse_masses.iter().filter(|w| **w > 0.0);
        let heaviest = inverse.fold(0.0, |most: f64, &w| most.max(1.0 / f64::from(w)));
        let bodies = self.bodies.iter().filter(|body| !body.fixed);
        let lightest = bodies.fold(f64::INFINITY, |least, body| least.min(body.mass));
        (heaviest / lightest).max(1.0)
    }

    /// Whether what positions and velocities are rounded off by is carried from substep to substep.
    pub fn is_carried(&self) -> bool {
        match self.settings.precision {
            Precision::Plain => false,
            Precision::Carried => true,
            Precision::Auto => self.grain() > COARSE,
        }
    }

    /// Whether rows alone keep angular momentum too: where substeps are small, positions carried, and particles move at the
    /// start. Otherwise they are the papers' scheme as it stands, which loses a part of it.
    pub(crate) fn keeps_spin(&self) -> bool {
        let moves = || self.velocities.as_flattened().iter().any(|v| *v != 0.0);
        self.settings.h() < SMALL && self.is_carried() && moves()
    }
}
