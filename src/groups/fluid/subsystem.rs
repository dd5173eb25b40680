//! A fluid as a subsystem: its runtime, and what observers are told.

use super::authored::Fluid;
use super::records::FluidWidth;
use super::runtime::FluidRuntime;
use super::survey::survey;
use super::walls::walls;
use crate::error::ModelError;
use crate::rows::Residual;
use crate::subsystem::{BuildContext, Measurement, Runtime, Subsystem, needed, runtimes};
use std::any::Any;

impl Fluid {
    /// ρ/ρ0 of every particle at positions given (m), between `planes` that stand still (points and normals), in f64 and in the order of [`particles`](Self::particles).
    pub fn relative_densities(&self, planes: &[[[f64; 3]; 2]], positions: &[[f32; 3]]) -> Vec<f64> {
        let survey = survey(self, &walls(planes), positions);
        survey.iter().map(|[c, _]| 1.0 + c).collect()
    }

    fn runtime<W: FluidWidth>(&self, context: &BuildContext) -> Box<dyn Runtime<W>> {
        Box::new(FluidRuntime::new(self, context))
    }
}

impl Subsystem for Fluid {
    fn name(&self) -> &'static str {
        "fluid"
    }
    fn len(&self) -> usize {
        self.particles.len()
    }
    fn take_in(&mut self, other: &dyn Subsystem) -> Result<bool, ModelError> {
        let other = (other as &dyn Any).downcast_ref::<Self>();
        other.map_or(Ok(false), |other| self.meet(other).map(|()| true))
    }
    fn needs(&self) -> [usize; 2] {
        [needed(self.particles.iter().copied()), 0]
    }
    fn each_link(&self, act: &mut dyn FnMut(&[u32], &[u32])) {
        act(&self.particles, &[]);
    }
    runtimes!(described);

    fn add_residual(&self, of: &Measurement, sum: &mut Residual) {
        // Walls are not known here; what lies at one counts as freer than it is.
        for [c, gradient] in survey(self, &[], &of.state.positions) {
            sum.add(c.max(0.0), gradient);
        }
    }
}
