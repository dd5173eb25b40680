//! How a model is simulated; names and defaults as in `docs/scene-format.md`.

use crate::error::{ModelError, violation};

/// All variants of an enum, and their words in scene files, on the command line and in tables.
macro_rules! named {
    ($type:ident { $($variant:ident => $word:literal),* }) => {
        impl $type {
            /// All of them, in order.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// Its word in scene files, on the command line and in tables.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }
    };
}
pub(crate) use named;

/// Which response all rows have, for comparing PBD and XPBD on one scene. A material's rows keep their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResponseMode {
    /// As each row says.
    #[default]
    AsGiven,
    /// PBD: a compliance, with its damping, becomes stiffness 1.
    Pbd,
    /// XPBD: a stiffness becomes compliance 0, or no constraint where it is 0.
    Xpbd,
}

named!(ResponseMode { AsGiven => "as given", Pbd => "pbd", Xpbd => "xpbd" });

/// What a body's angular velocity is after corrections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rigid {
    /// That which leads from the orientation at the start of the substep to the present one.
    #[default]
    Mueller,
    /// Every correction is also an impulse.
    Deul,
}

/// How the spin of a free body changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gyro {
    /// By the gyroscopic torque at the start of the substep.
    Explicit,
    /// So that angular momentum and energy are kept.
    #[default]
    Momentum,
    /// Not at all.
    Off,
}

named!(Rigid { Mueller => "mueller", Deul => "deul" });

named!(Gyro { Explicit => "explicit", Momentum => "momentum", Off => "off" });

/// How method `jacobi` puts together corrections that start from the same positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JacobiMode {
    /// Their sum, times ω / n, n being the rows that name the particle (S1-31, S1-32).
    #[default]
    Average,
    /// Their sum (S1-30): diverges where rows share particles.
    Sum,
    /// The average, accelerated by Chebyshev's polynomials (Wang 2015).
    Chebyshev,
}

named!(JacobiMode { Average => "average", Sum => "sum", Chebyshev => "chebyshev" });

/// What happens where a state is no longer finite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NonFinite {
    /// The simulation goes on; observations say that the state is not finite.
    #[default]
    Report,
    /// The simulation ends before the frame in which it breaks.
    Stop,
    /// What broke, and all that is connected with it, stays at its last finite state; the rest goes on without it.
    Quarantine,
}

named!(NonFinite { Report => "report", Stop => "stop", Quarantine => "quarantine" });

/// Whether what a position of f32 is rounded off by is carried to the next substep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Carried where the substeps are too small for the numbers (see `Model::grain`).
    #[default]
    Auto,
    /// Rounded off: the fastest, for long substeps.
    Plain,
    /// Carried: slower, and right at any substep.
    Carried,
}

named!(Precision { Auto => "auto", Plain => "plain", Carried => "carried" });

/// The settings of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Acceleration of every particle that can move (m/s²).
    pub gravity: [f64; 3],
    /// The frame step (s).
    pub dt: f64,
    /// Substeps a frame; h = dt / substeps.
    pub substeps: u32,
    /// Projections of every row in a substep; zero is ballistic (S0-03).
    pub iterations: u32,
    /// Viscous damping c (1/s): v <- v e^(-c h) (S1-08).
    pub damping: f64,
    /// Most coarse levels of distances that are projected before the rows of a substep are (S1-40); zero: none.
    pub hierarchy: u32,
    /// Damping 0..=1 of all motion that is not rigid, body by body (S1-09).
    pub rigid_damping: f64,
    /// PBD or XPBD for every row, for comparing them.
    pub response: ResponseMode,
    /// Whether a stiffness k acts as it is in every projection (S1-17), not as k' (S1-18): for comparing them.
    pub plain_stiffness: bool,
    /// What a body's angular velocity is after corrections.
    pub rigid: Rigid,
    /// How the spin of a free body changes.
    pub gyro: Gyro,
    /// Iterations end early where no row's |C + α/h² λ| / |∇C| is larger (m); zero: never.
    pub tolerance: f64,
    /// Whether the tolerance is checked after every iteration, not ever more rarely: for counting iterations.
    pub check_every: bool,
    /// Over-relaxation ω in (0, 2] of method `jacobi`; below 1 it is under-relaxation, of which a user is warned.
    pub omega: f64,
    /// How method `jacobi` puts corrections together.
    pub jacobi: JacobiMode,
    /// The spectral radius that Chebyshev's acceleration counts with, in 0..1.
    pub spectral_radius: f64,
    /// The most colors of method `hybrid`; where it splits particles, no more than 64 are used.
    pub colors: u32,
    /// Whether each of c copies of a particle (method `hybrid`) weighs a c-th of it.
    pub split_mass: bool,
    /// Whether the colors of rows that a generator does not color are made of similar size (S1-29): phases of equal length, at
    /// the cost of rows that lie further apart.
    pub balanced_colors: bool,
    /// The velocity of the air (m/s).
    pub wind: [f64; 3],
    /// What air does to a plate across it (kg/m³); left out, 0.6 where there is wind, and none in still air.
    pub drag: Option<f64>,
    /// What happens where a state is no longer finite.
    pub nonfinite: NonFinite,
    /// Whether what positions are rounded off by is carried.
    pub precision: Precision,
    /// Lanes that runs of rows and contacts of bodies are computed in, 8 or 16 (AVX-512 only); left out, the faster as measured. Changes no bit.
    pub width: Option<u32>,
}

/// Half of air's density times the drag coefficient of a plate (kg/m³).
const AIR_DRAG: f64 = 0.6;

impl Default for Settings {
    fn default() -> Self {
        Self {
            gravity: [0.0, -9.81, 0.0],
            dt: 1.0 / 60.0,
            substeps: 1,
            iterations: 10,
            damping: 0.0,
            hierarchy: 0,
            rigid_damping: 0.0,
            response: ResponseMode::AsGiven,
            plain_stiffness: false,
            rigid: Rigid::default(),
            gyro: Gyro::default(),
            tolerance: 0.0,
            check_every: false,
            omega: 1.0,
            jacobi: JacobiMode::Average,
            spectral_radius: 0.95,
            colors: 12,
            split_mass: false,
            balanced_colors: false,
            wind: [0.0; 3],
            drag: None,
            nonfinite: NonFinite::default(),
            precision: Precision::default(),
            width: None,
        }
    }
}

impl Settings {
    /// The substep h = dt / substeps (s).
    pub fn h(&self) -> f64 {
        self.dt / f64::from(self.substeps)
    }

    /// The drag in use (kg/m³).
    pub fn air_drag(&self) -> f64 {
        self.drag.unwrap_or(if self.wind == [0.0; 3] { 0.0 } else { AIR_DRAG })
    }

    /// Checks every setting.
    ///
    /// # Errors
    /// The first one out of range, by name and value.
    pub fn validate(&self) -> Result<(), ModelError> {
        let refuse = |place: &str, value, rule| Err(ModelError::value(place, value, rule));
        for (name, vector) in [("gravity", self.gravity), ("wind", self.wind)] {
            for (axis, v) in vector.into_iter().enumerate() {
                if let Some(rule) = violation(v, f64::NEG_INFINITY) {
                    return refuse(&format!("{name}[{axis}]"), v, rule);
                }
            }
        }
        if let Some((drag, rule)) = self.drag.and_then(|v| Some((v, violation(v, 0.0)?))) {
            return refuse("drag", drag, rule);
        }
        if !(self.dt > 0.0 && self.dt.is_finite()) {
            return refuse("dt", self.dt, "must be positive and finite");
        }
        if self.substeps == 0 {
            return refuse("substeps", 0.0, "must be at least 1");
        }
        let h = self.h() as f32;
        if h <= 0.0 || !h.is_finite() {
            return refuse("dt", self.dt, "dt / substeps must be a positive f32");
        }
        if let Some(rule) = violation(self.damping, 0.0) {
            return refuse("damping", self.damping, rule);
        }
        if !(0.0..=1.0).contains(&self.rigid_damping) {
            return refuse("rigid_damping", self.rigid_damping, "must be in 0..1");
        }
        if let Some(rule) = violation(self.tolerance, 0.0) {
            return refuse("tolerance", self.tolerance, rule);
        }
        if !(self.omega > 0.0 && self.omega <= 2.0) {
            return refuse("omega", self.omega, "must be above 0 and at most 2");
        }
        if !(0.0..1.0).contains(&self.spectral_radius) {
            let rule = "must be at least 0 and below 1";
            return refuse("spectral_radius", self.spectral_radius, rule);
        }
        if self.colors == 0 {
            return refuse("colors", 0.0, "must be at least 1");
        }
        match self.width {
            None | Some(8 | 16) => Ok(()),
            Some(width) => refuse("width", f64::from(width), "must be 8 or 16"),
        }
    }
}

/// When contacts are found anew (S1-36).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detect {
    /// Once a frame, after the first prediction.
    Frame,
    /// In every substep, after prediction.
    #[default]
    Substep,
    /// Before every iteration.
    Iteration,
}

named!(Detect { Frame => "frame", Substep => "substep", Iteration => "iteration" });

/// What becomes of a cloth in contact with itself that starts tangled: edges of it pass through triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tangled {
    /// It is pulled apart while it is simulated.
    #[default]
    Repair,
    /// It is an error.
    Refuse,
}

named!(Tangled { Repair => "repair", Refuse => "refuse" });

/// In which order contacts of bodies are projected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As few colors as first fit finds.
    #[default]
    Colors,
    /// Floor by floor of a heap, from what never moves upwards and back, so that a sweep carries a load all the way (the order
    /// of shock propagation: Guendelman, Bridson and Fedkiw, *Nonconvex Rigid Bodies with Stacking*, 2003; S4-22). More
    /// colors, each smaller.
    Levels,
}

named!(Order { Colors => "colors", Levels => "levels" });
