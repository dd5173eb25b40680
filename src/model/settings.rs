//! How a model is simulated; names and defaults as in `SCENE_FORMAT.md`.

use super::Respond;
use crate::error::{ModelError, refusal};

/// The settings of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Acceleration of every particle that can move (m/s²).
    pub gravity: [f64; 3],
    /// The frame step (s).
    pub dt: f64,
    /// Substeps a frame; h = dt / substeps.
    pub substeps: u32,
    /// Projections of every row in a substep; zero is ballistic.
    pub iterations: u32,
    /// Viscous damping c (1/s): v <- v e^(-c h) (S1-08).
    pub damping: f64,
    /// Damping 0..=1 of all motion that is not rigid, body by body (S1-09).
    pub rigid_damping: f64,
    /// PBD or XPBD for every row, for comparing them.
    pub response: Respond,
    /// The velocity of the air (m/s).
    pub wind: [f64; 3],
    /// What air does to a plate across it (kg/m³); left out, 0.6 where there is wind, and none in still air.
    pub drag: Option<f64>,
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
            rigid_damping: 0.0,
            response: Respond::AsGiven,
            wind: [0.0; 3],
            drag: None,
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
        let default = if self.wind == [0.0; 3] { 0.0 } else { AIR_DRAG };
        self.drag.unwrap_or(default)
    }

    /// Checks every setting.
    ///
    /// # Errors
    /// The first one out of range, by name and value.
    pub fn validate(&self) -> Result<(), ModelError> {
        let refuse = |place: &str, value: f64, rule: &'static str| {
            Err(ModelError::Value {
                place: place.into(),
                value,
                rule,
            })
        };
        for (axis, g) in self.gravity.into_iter().enumerate() {
            if let Some(rule) = refusal(g, f64::NEG_INFINITY) {
                return refuse(&format!("gravity[{axis}]"), g, rule);
            }
        }
        for (axis, v) in self.wind.into_iter().enumerate() {
            if let Some(rule) = refusal(v, f64::NEG_INFINITY) {
                return refuse(&format!("wind[{axis}]"), v, rule);
            }
        }
        if let Some((drag, rule)) = self.drag.and_then(|v| Some((v, refusal(v, 0.0)?))) {
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
        if let Some(rule) = refusal(self.damping, 0.0) {
            return refuse("damping", self.damping, rule);
        }
        if !(0.0..=1.0).contains(&self.rigid_damping) {
            return refuse("rigid_damping", self.rigid_damping, "must be in 0..1");
        }
        Ok(())
    }
}
