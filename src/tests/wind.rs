//! Wind: terminal velocity, drift with the air, and the same bits by every method.

use super::models::{run, sheet};
use crate::Simulation;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::solvers::Method;

/// A sheet of 0.3 kg/m² whose triangles meet air.
fn plate() -> Model {
    let (columns, rows) = (9, 7);
    let mut model = sheet(columns, rows, Stiffness::Factor(1.0));
    let at = |x: usize, z: usize| (z * columns + x) as u32;
    let mut triangles = Vec::new();
    for z in 0..rows - 1 {
        for x in 0..columns - 1 {
            triangles.push([at(x, z), at(x, z + 1), at(x + 1, z)]);
            triangles.push([at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)]);
        }
    }
    model.add_triangles(triangles.clone());
    // Each vertex weighs as much as its third of the triangles around it.
    for i in 0..(columns * rows) as u32 {
        let around = triangles.iter().filter(|t| t.contains(&i)).count() as f64;
        let mass = 0.3 * around * 0.005 / 3.0;
        model.set_inverse_mass(i, 1.0 / mass).unwrap();
    }
    model.settings.dt = 1e-3;
    model
}

/// A plate falls no faster than where ρ t g = c v²; and it takes on the velocity of the wind that blows across it.
#[test]
fn terminal_velocity() {
    let mut model = plate();
    model.settings.drag = Some(0.6);
    let fallen = run(&model, Method::Lanes, 1, 3000);
    let expected = -(0.3 * 9.81 / 0.6_f32).sqrt();
    for v in fallen.velocities() {
        assert!((v[1] / expected - 1.0).abs() < 5e-3, "{v:?} for {expected}");
    }
    model.settings.gravity = [0.0; 3];
    model.settings.wind = [1.0, 5.0, 0.0];
    let velocities = run(&model, Method::Lanes, 1, 6000).velocities();
    let mean = |of: &dyn Fn(&[f32; 3]) -> f32| {
        velocities.iter().map(|v| f64::from(of(v))).sum::<f64>() / velocities.len() as f64
    };
    // As a whole no faster than the air, and with no more energy; a plate that has begun to turn has corners that are.
    let (up, square) = (mean(&|v| v[1]), mean(&|v| v.iter().map(|v| v * v).sum()));
    println!("{up:.3} m/s on average, {:.3} m/s by its energy", square.sqrt());
    assert!(up < 5.0 && square < 25.0, "{up} m/s, {square} m²/s²");
    for v in &velocities {
        assert!(v[1] > 4.5 && v[0].abs() < 0.1, "{v:?}");
    }
    // However strong: never faster than the wind.
    model.settings.wind = [0.0, 1e4, 0.0];
    model.settings.dt = 0.1;
    for v in run(&model, Method::Lanes, 1, 50).velocities() {
        assert!(v[1] > 9e3 && v[1] <= 1.01e4, "{v:?}");
    }
}

/// By any substep, from rest and from far too fast. (It ended faster by g h/2: by 8 cm/s at 1/60 s.)
#[test]
fn terminal_velocity_is_that_of_any_substep() {
    let expected = (0.3 * 9.81 / 0.6_f32).sqrt();
    for dt in [1.0 / 60.0, 1.0 / 240.0, 0.2] {
        for start in [0.0, -20.0] {
            let mut model = plate();
            (model.settings.drag, model.settings.dt) = (Some(0.6), dt);
            let masses = masses(&model);
            let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
            for (i, m) in masses.iter().enumerate() {
                simulation.push(i as u32, [0.0, start * m, 0.0]);
            }
            (0..(3.0 / dt) as usize + 20).for_each(|_| simulation.step());
            for v in simulation.velocities() {
                assert!((v[1] / expected + 1.0).abs() < 1e-3, "{dt} s: {v:?} for {expected}");
            }
        }
    }
}

/// What falls by forces in place of gravity, and meets air, falls as fast.
#[test]
fn forces_count_in_the_air_as_gravity_does() {
    let fallen = |by_forces: bool| {
        let mut model = plate();
        (model.settings.drag, model.settings.dt) = (Some(0.6), 1.0 / 60.0);
        let masses = masses(&model);
        if by_forces {
            model.settings.gravity = [0.0; 3];
        }
        let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
        if by_forces {
            for (i, m) in masses.iter().enumerate() {
                simulation.set_force(i as u32, [0.0, -9.81 * m, 0.0]);
            }
        }
        (0..100).for_each(|_| simulation.step());
        simulation.velocities()
    };
    for (a, b) in fallen(false).iter().zip(fallen(true)) {
        assert!((a[1] - b[1]).abs() < 1e-4, "{a:?} {b:?}");
    }
}

/// Of every vertex (kg).
fn masses(model: &Model) -> Vec<f32> {
    model.inverse_masses().iter().map(|w| 1.0 / w).collect()
}

/// Scalar, colored and lanes on any number of threads; pins feel no wind.
#[test]
fn wind_is_the_same_for_every_method() {
    let mut model = plate();
    model.set_inverse_mass(0, 0.0).unwrap();
    model.settings.wind = [3.0, 2.0, -1.0];
    let colored = run(&model, Method::Colored, 1, 20);
    let scalar = run(&model, Method::Scalar, 1, 20);
    assert!(colored.finite());
    assert_eq!(colored.positions()[0], model.positions()[0]);
    assert!(run(&model, Method::Ordered, 2, 20).bits() == scalar.bits());
    for threads in [1, 2, 3, 7] {
        assert!(run(&model, Method::Lanes, threads, 20).bits() == colored.bits(), "@{threads}");
    }
}
