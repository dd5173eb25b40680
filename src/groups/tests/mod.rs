//! Tests of the groups.

mod balloons;
mod methods;
mod rest;
mod rotations;
mod shapes;
mod skins;

use super::rotation::Matrix;
use crate::math::Vec3;
use crate::model::Model;
use crate::tests::models::Random;

/// A rotation by random angles.
fn rotation(random: &mut Random) -> Matrix<f64> {
    let a = Vec3::of(random.point());
    let x = a * (1.0 / a.length());
    let b = Vec3::of(random.point());
    let y = b - x * x.dot(b);
    let y = y * (1.0 / y.length());
    [x, y, x.cross(y)]
}

/// No gravity, one iteration.
fn still(model: &mut Model) {
    model.settings.gravity = [0.0; 3];
    model.settings.iterations = 1;
}
