//! Joints: Jacobians against dual numbers, what each holds and lets go, momenta, methods and threads.

mod braking;
mod breaking;
mod driving;
mod formulas;
mod holding;
mod loaded;
mod nets;
mod orders;
mod pendulum;
mod spinning;
mod turning;

use crate::model::Model;
use crate::rigid::{Body, Shape, Weight};

fn cuboid(mass: f64, half: [f64; 3], position: [f64; 3]) -> Body {
    let body = Body::new(Shape::Box(half), Weight::Mass(mass), None).unwrap();
    body.at(position, [0.0, 0.0, 0.0, 1.0])
}

fn model(substeps: u32, iterations: u32) -> Model {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
    model
}
