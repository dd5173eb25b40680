//! Water that begins too dense parts without an explosion, at any substep: energy never rises by more than the work to part it.

use super::{RADIUS, numbers, tank, with};
use crate::Simulation;
use crate::groups::fluid::FluidNumbers;
use crate::model::Model;
use crate::observe::observe;
use crate::solvers::Method;
use crate::state::{Body, Shape, Weight};
use crate::tests::models::Random;
use std::f64::consts::PI;

const SETTINGS: [[u32; 2]; 5] = [[1, 5], [4, 5], [20, 1], [20, 5], [50, 2]];

/// A lattice with `step` between its points, each moved by up to `noise` of it.
fn water(size: [usize; 3], step: f64, noise: f64, [substeps, iterations]: [u32; 2]) -> Model {
    let (mut model, mut random) = (Model::new(), Random(3));
    for i in 0..size.iter().product::<usize>() {
        let at = [i % size[0], i / size[0] % size[1], i / (size[0] * size[1])];
        let x = at.map(|k| (k as f64 + 0.5) * step + random.within(-noise, noise) * step);
        model.add_particle(x, [0.0; 3], 1.0 / numbers().mass()).unwrap();
    }
    (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
    with(model, FluidNumbers { viscosity: 0.01, ..numbers() })
}

/// The energy at the start, and the most in so many frames (J).
fn energies(model: Model, frames: usize) -> [f64; 2] {
    let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
    let energy = |s: &Simulation| observe(s.model(), &s.snapshot(), &[]).energy;
    let start = energy(&simulation);
    let most = (0..frames).map(|_| {
        simulation.step();
        energy(&simulation)
    });
    let most = most.fold(f64::MIN, f64::max);
    [start, most]
}

/// A cube that lies some per cent too close parts by so much of its size in a quarter of a second: no faster. (1 %: 1.4 J in one substep of five
/// iterations, 709 J in 20.)
#[test]
fn a_cube_that_is_too_close_parts_slowly() {
    for (n, closer) in [(6, 0.01), (6, 0.05), (9, 0.003), (4, 0.02)] {
        for setting in SETTINGS {
            let mut model = water([n; 3], 2.0 * RADIUS * (1.0 - closer), 0.0, setting);
            model.settings.gravity = [0.0; 3];
            // Σ m v² / 2 of a cube that grows evenly.
            let side = 2.0 * RADIUS * n as f64;
            let mass = numbers().mass() * (n * n * n) as f64;
            let even = 0.5 * mass * 3.0 * (side * side / 12.0) * (closer / 0.25_f64).powi(2);
            let [start, most] = energies(model, 60);
            println!("{n} {closer} {setting:?}: {most:.3e} J, evenly {even:.3e} J");
            assert!(most - start < 3.0 * even, "{n} {closer} {setting:?}: {most} J of {even}");
        }
    }
}

/// Water in a tank whose particles are strewn gains no more than what lifts it by its excess.
#[test]
fn jittered_water_does_not_jump() {
    for setting in SETTINGS {
        let n = 8;
        let model = tank(water([n; 3], 2.0 * RADIUS, 0.2, setting), 0.8, 0.8);
        let mass = numbers().mass() * (n * n * n) as f64;
        // A twentieth of its depth.
        let work = mass * 9.81 * 0.8 * 0.05;
        let [start, most] = energies(model, 90);
        println!("{setting:?}: from {start:.1} to {most:.1} J at most");
        assert!(most - start < work, "{setting:?}: from {start} to {most} J");
    }
}

/// A ball put into water, of which nothing is taken out, gives it no more than what lifts as much as it covers to the surface: overlap
/// does not become speed. (It did: 12 kJ at 20 x 5.)
#[test]
fn a_ball_put_into_water_does_not_throw_it() {
    let (n, radius) = (10, 0.15);
    let side = 2.0 * RADIUS * n as f64;
    let covered = 1000.0 * 4.0 / 3.0 * PI * (radius + RADIUS).powi(3);
    for setting in SETTINGS {
        let mut model = water([n; 3], 2.0 * RADIUS, 0.0, setting);
        let mut ball = Body::new(Shape::Sphere(radius), Weight::Density(500.0), None).unwrap();
        ball.position = [0.5 * side, 0.6 * side, 0.5 * side];
        model.add_body(ball).unwrap();
        let [start, most] = energies(tank(model, side, side), 60);
        let work = covered * 9.81 * side;
        println!("{setting:?}: from {start:.1} to {most:.1} J at most");
        assert!(most - start < work, "{setting:?}: from {start} to {most} J");
    }
}

/// Water on its lattice has the bits of a fluid that knows of no excess: nothing of it may stay.
#[test]
fn water_on_its_lattice_has_no_excess() {
    for size in [[4, 4, 4], [6, 10, 3], [8, 2, 8]] {
        let model = tank(
            water(size, 2.0 * RADIUS, 0.0, [1, 5]),
            0.1 * size[0] as f64,
            0.1 * size[2] as f64,
        );
        let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
        simulation.step();
        let saved = format!("{:?}", simulation.snapshot().carried);
        assert!(!saved.contains("excess"), "{size:?}");
    }
}
