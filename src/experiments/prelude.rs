//! The names that most experiments use.

pub(super) use super::report::{Figure, Report};
pub(super) use super::{Experiment, Outcome};
pub(super) use crate::constraints::Distance;
pub(super) use crate::error::ModelError;
pub(super) use crate::math::Vec3;
pub(super) use crate::model::Model;
pub(super) use crate::rows::Stiffness;
pub(super) use crate::simulation::Simulation;
pub(super) use crate::solvers::Method;

/// Links in a row between particles of 1 kg, the first pinned, of `length` (m) each.
pub(super) fn chain(
    links: usize,
    length: f64,
    along: [f64; 3],
    stiffness: Stiffness,
) -> Result<Model, ModelError> {
    let mut model = Model::new();
    for i in 0..=links {
        let w = if i == 0 { 0.0 } else { 1.0 };
        model.add_particle(along.map(|d| d * length * i as f64), [0.0; 3], w)?;
    }
    for i in 0..links as u32 {
        model.add(Distance, [i, i + 1], [Some(length)], stiffness)?;
    }
    Ok(model)
}

/// The model after some frames, on one thread.
pub(super) fn after(model: Model, method: Method, frames: usize) -> Result<Simulation, ModelError> {
    let mut simulation = Simulation::new(model, method, 1)?;
    (0..frames).for_each(|_| simulation.step());
    Ok(simulation)
}

/// A position in f64.
pub(super) fn point(x: [f32; 3]) -> Vec3<f64> {
    Vec3::of(x.map(f64::from))
}

/// The direction of a vector that has one.
pub(super) fn unit(v: Vec3<f64>) -> Vec3<f64> {
    v * (1.0 / v.length())
}

/// The largest of numbers that are not negative; infinite where one is not a number.
pub(super) fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    let number = |v: f64| if v.is_nan() { f64::INFINITY } else { v.abs() };
    values.into_iter().map(number).fold(0.0, f64::max)
}

/// The slope of the straight line nearest to the logarithms of points.
pub(super) fn slope(points: &[(f64, f64)]) -> f64 {
    let logarithms: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logarithms.len() as f64;
    let mean = |pick: fn(&(f64, f64)) -> f64| logarithms.iter().map(pick).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| logarithms.iter().map(of).sum::<f64>();
    sum(&|p| (p.0 - x) * (p.1 - y)) / sum(&|p| (p.0 - x).powi(2))
}
