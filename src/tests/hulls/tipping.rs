//! What stands on a face of many corners tips where its center is beyond the side between two of them.

use super::{ground, rubbing};
use crate::Method;
use crate::collision::Collider;
use crate::rigid::Shape;
use crate::tests::stacking::{UPRIGHT, body, floor, model, run};
use std::f64::consts::PI;
use std::sync::Arc;

/// A prism about the y axis on a polygon of `n` corners.
fn prism(n: u32, radius: f64, half: f64) -> Shape {
    let corner = |i: u32| {
        let (sine, cosine) = (2.0 * PI * f64::from(i % n) / f64::from(n)).sin_cos();
        [radius * cosine, if i < n { -half } else { half }, radius * sine].map(|v| v as f32)
    };
    let mut triangles = Vec::new();
    for k in 0..n {
        let next = (k + 1) % n;
        triangles.extend([[k, k + n, next], [next, k + n, next + n]]);
    }
    (1..n - 1).for_each(|k| triangles.extend([[0, k, k + 1], [n, n + k + 1, n + k]]));
    Shape::Mesh(Arc::new(((0..2 * n).map(corner).collect(), triangles)))
}

/// The angle at which it tips towards a heading (rad): where its center leaves the polygon.
fn tips_at(n: u32, radius: f64, half: f64, heading: f64) -> f64 {
    let to_side = radius * (PI / f64::from(n)).cos();
    let along = |k: u32| (PI * (2.0 * f64::from(k) + 1.0) / f64::from(n) - heading).cos();
    (to_side / (0..n).map(along).fold(0.0, f64::max) / half).atan()
}

/// Prisms on five corners and more stand on a plane, on triangles and on a box up to a degree below that angle, whichever way they lean,
/// and fall a degree beyond.
#[test]
fn prisms_tip_at_their_angle() {
    let (radius, half) = (0.1, 0.2);
    let slab = Collider::cuboid([0.0, -0.5, 0.0], [2.0, 0.5, 2.0], UPRIGHT).expect("a box");
    for (name, under) in [("a plane", floor()), ("triangles", ground(2.0, 9)), ("a box", slab)] {
        for n in [5, 6, 8] {
            for (substeps, iterations) in [(20, 1), (1, 10)] {
                for heading in (0..7).map(|k| 0.05 + 0.9 * f64::from(k)) {
                    for (more, falls) in [(-1.0_f64, false), (1.0, true)] {
                        let shape = prism(n, radius, half);
                        let thing = rubbing(body(shape, 2.0, [0.0, half, 0.0]), 3.0);
                        let mut model = model(substeps, vec![thing], vec![under.clone()]);
                        let angle = tips_at(n, radius, half, heading) + more.to_radians();
                        let along = 9.81 * angle.sin();
                        model.settings.iterations = iterations;
                        model.settings.gravity =
                            [along * heading.cos(), -9.81 * angle.cos(), along * heading.sin()];
                        let height = run(model, Method::Lanes, 1, 150).bodies()[0][1];
                        let case = format!(
                            "{n} corners on {name}, {substeps} x {iterations}, to {heading:.2}"
                        );
                        let fell = f64::from(height) < 0.8 * half;
                        assert_eq!(fell, falls, "{case}, {more} degrees beyond: at {height}");
                    }
                }
            }
        }
    }
}
