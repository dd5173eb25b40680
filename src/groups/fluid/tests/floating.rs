//! Bodies of half the density of water: Archimedes says that half of each is under.

use super::known::{STEP, lattice, simulation};
use super::{RADIUS, numbers, tank_for, with};
use crate::math::UPRIGHT;
use crate::state::{Body, Shape, Weight};
use std::f64::consts::PI;
use std::sync::Arc;

/// How high the surface of the water lies over the center of mass of a body of half its density (m), once it floats.
fn level_over(shape: Shape, orientation: [f64; 4]) -> f64 {
    let (n, layers) = (16, 8);
    let width = n as f64 * STEP;
    let mut model = lattice([n, layers, n], |_| 1.0);
    let reach = shape.reach();
    let mut body = Body::new(shape, Weight::Density(500.0), None).expect("a body");
    body.position = [0.5 * width, layers as f64 * STEP + 0.8 * reach + RADIUS, 0.5 * width];
    body.orientation = orientation;
    model.add_body(body).expect("a body");
    let mut model = tank_for(RADIUS, with(model, numbers()), width, width);
    model.settings.damping = 1.0;
    let mut simulation = simulation(model);
    (0..900).for_each(|_| simulation.step());
    let mut sum = 0.0;
    for _ in 0..100 {
        simulation.step();
        let body = simulation.bodies()[0].map(f64::from);
        // Where there is nothing but water, its middle lies half as high as its surface.
        let free = |x: &&[f32; 3]| {
            let off = |k: usize| (f64::from(x[k]) - 0.5 * width).abs() > 0.5 * width - 2.0 * STEP;
            off(0) || off(2)
        };
        let x = simulation.positions();
        let y: Vec<f64> = x.iter().filter(free).map(|x| f64::from(x[1])).collect();
        sum += 2.0 * y.iter().sum::<f64>() / y.len() as f64 - body[1];
    }
    let pose = simulation.bodies()[0];
    println!("{:.4} m over the center, at {pose:?}", sum / 100.0);
    sum / 100.0
}

fn assert_half(under: f64) {
    assert_near_half(under, 0.03);
}

fn assert_near_half(under: f64, part: f64) {
    println!("{under:.4} under");
    assert!((under - 0.5).abs() < part * 0.5, "{under} under");
}

/// What is missing is about a seventh of a particle's radius: 2 % at twelve particles of height, 4 % at eight.
#[test]
fn a_box_floats_half_under() {
    let half = 0.3;
    let level = level_over(Shape::Box([0.4, half, 0.4]), UPRIGHT);
    assert_half(0.5 + level / (2.0 * half));
}

/// Touched and seen by the hull of its corners.
#[test]
fn a_box_of_triangles_floats_half_under() {
    let half = [0.4, 0.3, 0.4];
    let surface = super::solids::box_of_triangles(half);
    let level = level_over(Shape::Mesh(Arc::new(surface)), UPRIGHT);
    assert_half(0.5 + level / (2.0 * half[1]));
}

#[test]
fn an_upright_cylinder_floats_half_under() {
    let [radius, half] = [0.45, 0.3];
    let level = level_over(Shape::Cylinder([radius, half]), UPRIGHT);
    assert_half(0.5 + level / (2.0 * half));
}

/// It lies 4.8 % too deep, by three tenths of a particle's radius: what counts as fluid beside a face is what a lattice lacks there, and
/// along a side that is round no lattice lies.
#[test]
fn a_lying_cylinder_floats_nearly_half_under() {
    let radius = 0.4;
    let half = 0.5_f64.sqrt();
    let level = level_over(Shape::Cylinder([radius, 0.5]), [0.0, 0.0, half, half]);
    let s = level / radius;
    assert_near_half(0.5 + (s * (1.0 - s * s).sqrt() + s.asin()) / PI, 0.05);
}

/// With its tip down, as it is stable.
#[test]
fn a_cone_floats_half_under() {
    let [radius, half] = [0.45, 0.4];
    let level = level_over(Shape::Cone([radius, half]), [1.0, 0.0, 0.0, 0.0]);
    // The center of mass lies three quarters of the height above the tip.
    assert_half(((level + 1.5 * half) / (2.0 * half)).powi(3));
}
