//! How finely positions are kept.

use super::Settings;

/// Whether what a position of f32 is rounded off by is carried to the next substep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Carried where the substeps are too small for the numbers (see [`Settings::grain`]).
    #[default]
    Auto,
    /// Rounded off: the fastest, for long substeps.
    Plain,
    /// Carried: at most a quarter slower.
    Carried,
}

/// The coarsest grain that positions are rounded off to without being told.
const COARSE: f64 = 1.0 / 8192.0;
/// What gravity is taken for where there is none (m/s²).
const STANDARD_GRAVITY: f64 = 9.81;

impl Precision {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Plain, Self::Carried];
    /// The word in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Plain => "plain",
            Self::Carried => "carried",
        }
    }
}

impl Settings {
    /// What rounding takes from or adds to a particle's way in a substep, as a share of what gravity adds to it: half the
    /// last place of the largest coordinate over h² g.
    pub fn grain(&self, positions: &[[f32; 3]]) -> f64 {
        let farthest = positions.as_flattened().iter().fold(0.0_f32, |far, x| far.max(x.abs()));
        let gravity = self.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
        let gravity = if gravity > 0.0 { gravity } else { STANDARD_GRAVITY };
        let rounding = 0.5 * f64::from(f32::EPSILON) * f64::from(farthest);
        rounding / (self.h() * self.h() * gravity)
    }

    /// Whether what these positions are rounded off by is carried.
    pub(crate) fn carries(&self, positions: &[[f32; 3]]) -> bool {
        match self.precision {
            Precision::Plain => false,
            Precision::Carried => true,
            Precision::Auto => self.grain(positions) > COARSE,
        }
    }
}
