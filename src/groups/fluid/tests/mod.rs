//! Fluids against closed forms, conservation and their own scalar reference.

mod crowded;
mod depth;
mod edges;
mod floating;
mod known;
mod rest;
mod several;
mod solids;
mod tanks;

use super::shape::{beyond_wall, spiky};
use super::{Fluid, FluidNumbers};
use crate::Simulation;
use crate::collision::{Collider, Contacts};
use crate::model::Model;
use crate::solvers::{Method, prepare};
use crate::tests::models::simulate;
use std::f64::consts::PI;

/// Σ f over 0..1 in small steps.
fn integral(from: f64, f: impl Fn(f64) -> f64) -> f64 {
    let n = 100_000;
    let step = (1.0 - from) / f64::from(n);
    let middle = |i| from + (f64::from(i) + 0.5) * step;
    (0..n).map(|i| f(middle(i)) * step).sum()
}

fn kernel(u: f64) -> f64 {
    15.0 / PI * (1.0 - u).powi(3)
}

#[test]
fn the_kernel_is_its_closed_form() {
    let whole = integral(0.0, |u| 4.0 * PI * u * u * kernel(u));
    assert!((whole - 1.0).abs() < 1e-8, "{whole}");
    for u in [0.01, 0.3, 0.7, 0.99] {
        let e = 1e-6;
        let slope = (kernel(u + e) - kernel(u - e)) / (2.0 * e);
        let (w, s) = spiky(u * u);
        assert!((slope + 45.0 / PI * s * u).abs() < 1e-6, "{u}: {slope}");
        assert!((15.0 / PI * w - kernel(u)).abs() < 1e-12);
    }
    assert_eq!(spiky(1.0), (0.0, 0.0));
    assert_eq!(spiky(0.0), (1.0, 0.0));
    assert_eq!(spiky(1.5), (0.0, 0.0));
}

#[test]
fn walls_are_the_integrals_beyond_them() {
    // A plane at z cuts the kernel in a disk: 2π ∫ W(r) r dr from z.
    let disk = |z: f64| integral(z, |r| 2.0 * PI * r * kernel(r));
    for z in [0.0, 0.2, 0.5, 0.9] {
        let share = beyond_wall(z);
        let n = 400;
        let step = (1.0 - z) / f64::from(n);
        let beyond: f64 = (0..n).map(|i| disk(z + (f64::from(i) + 0.5) * step) * step).sum();
        assert!((share - beyond).abs() < 1e-5, "{z}: {share} {beyond}");
    }
    assert_eq!(beyond_wall(1.0), 0.0);
    assert_eq!(beyond_wall(-3.0), beyond_wall(0.0));
}

const RADIUS: f64 = 0.05;

fn numbers() -> FluidNumbers {
    FluidNumbers { radius: RADIUS, viscosity: 0.1, ..FluidNumbers::default() }
}

/// A block of points 2r `tightness` apart, moved a little out of line.
fn block(size: [usize; 3], tightness: f64) -> Model {
    let mut model = Model::new();
    let step = 2.0 * RADIUS * tightness;
    let mut i = 0;
    for y in 0..size[1] {
        for z in 0..size[2] {
            for x in 0..size[0] {
                let off = |k: usize| 0.02 * step * ((i * k) % 11) as f64 / 11.0;
                let at = [(x, 3), (y, 5), (z, 7)].map(|(c, k)| (c as f64 + 0.5) * step + off(k));
                let v = [0.3 * at[1], 0.1 - 0.4 * at[2], 0.2 * at[0]];
                let w = 1.0 / numbers().mass();
                model.add_particle(at, v, w).expect("a particle");
                i += 1;
            }
        }
    }
    model.settings.dt = 1.0 / 240.0;
    model.settings.iterations = 4;
    model
}

fn with(mut model: Model, numbers: FluidNumbers) -> Model {
    let all = (0..model.positions().len() as u32).collect();
    let fluid = Fluid::new(&model, all, numbers).expect("a fluid");
    model.add_subsystem(fluid).unwrap();
    model
}

fn tank(model: Model, x: f64, z: f64) -> Model {
    tank_for(RADIUS, model, x, z)
}

fn tank_for(radius: f64, mut model: Model, x: f64, z: f64) -> Model {
    let plane = |point, normal| Collider::plane(point, normal).expect("a plane");
    let colliders = vec![
        plane([0.0; 3], [0.0, 1.0, 0.0]),
        plane([0.0; 3], [1.0, 0.0, 0.0]),
        plane([x, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        plane([0.0; 3], [0.0, 0.0, 1.0]),
        plane([0.0, 0.0, z], [0.0, 0.0, -1.0]),
    ];
    let contacts = Contacts { colliders, radius, ..Contacts::default() };
    model.set_contacts(contacts).expect("contacts");
    model
}

fn all_of_it() -> FluidNumbers {
    FluidNumbers {
        s_corr: 0.05,
        vorticity: 0.2,
        dynamic_viscosity: 20.0,
        surface_tension: 5.0,
        ..numbers()
    }
}

/// Odd counts, so that the last block is not full; with walls, s_corr, viscosity and vorticity.
#[test]
fn lanes_are_the_scalar_reference_on_any_threads() {
    for (size, numbers) in [([7, 9, 5], all_of_it()), ([3, 2, 1], numbers())] {
        let run = |method, threads| {
            let model = tank(with(block(size, 0.9), numbers.clone()), 0.9, 0.7);
            let simulation = simulate(model, method, threads, 20);
            let seen = simulation.observe();
            assert!(seen.finite);
            (seen.hash, simulation.velocities())
        };
        let reference = run(Method::Scalar, 1);
        assert!(run(Method::Colored, 1) == reference);
        for threads in [1, 2, 3, 7] {
            assert!(run(Method::Lanes, threads) == reference, "{threads} threads");
        }
    }
}

/// Σ m |v|.
fn momentum_scale(simulation: &Simulation) -> f64 {
    let w = simulation.model().inverse_masses();
    let speed = |v: [f32; 3]| v.map(|v| f64::from(v).powi(2)).iter().sum::<f64>().sqrt();
    let all = simulation.velocities().into_iter().zip(w);
    all.filter(|(_, w)| **w > 0.0).map(|(v, w)| speed(v) / f64::from(*w)).sum()
}

#[test]
fn a_free_blob_keeps_its_momentum() {
    for method in [Method::Scalar, Method::Lanes] {
        let fluid = FluidNumbers { s_corr: 0.05, ..numbers() };
        let mut model = with(block([8, 8, 8], 0.85), fluid);
        model.settings.gravity = [0.0; 3];
        let mut simulation = Simulation::new(model, method, 1).expect("a simulation");
        let before = simulation.observe().momentum;
        for _ in 0..200 {
            simulation.step();
        }
        let seen = simulation.observe();
        let scale = momentum_scale(&simulation);
        let lost: f64 = (0..3).map(|k| (seen.momentum[k] - before[k]).powi(2)).sum();
        println!("{method:?}: {:.1e} of the momentum", lost.sqrt() / scale);
        assert!(lost.sqrt() < 1e-4 * scale, "{}", lost.sqrt() / scale);
    }
}

/// A column at rest carries what stands above, p = ρ g depth: to 5 % in layers two particles high, half the support, all but
/// the uppermost; to 6 % in layers one particle high, but for the lowest two and the uppermost quarter.
#[test]
fn a_column_at_rest_shows_hydrostatic_pressure() {
    let (nx, ny) = (8, 20);
    let width = nx as f64 * 2.0 * RADIUS;
    let model = block([nx, ny, nx], 1.0);
    let fluid_numbers = numbers();
    let all: Vec<u32> = (0..model.positions().len() as u32).collect();
    let fluid = Fluid::new(&model, all, fluid_numbers.clone()).expect("a fluid");
    let mut model = tank(with(model, fluid_numbers), width, width);
    model.settings.damping = 2.0;
    model.settings.iterations = 5;
    let settings = model.settings.clone();
    let (mut particles, mut solver) = prepare(&model, Method::Lanes, 1).expect("a solver");
    (0..1500).for_each(|_| solver.step(&mut particles));
    let layers = ny;
    let (mut sum, mut depth, mut count) = (vec![0.0; layers], vec![0.0; layers], vec![0.0; layers]);
    for _ in 0..200 {
        solver.step(&mut particles);
        let x = particles.positions();
        let top = x.iter().map(|x| f64::from(x[1])).fold(0.0, f64::max) + RADIUS;
        let pressures = fluid.pressures(&solver.core().multipliers()[0], &settings);
        for (x, p) in x.iter().zip(pressures) {
            let y = f64::from(x[1]);
            let layer = ((y / top * layers as f64) as usize).min(layers - 1);
            sum[layer] += p;
            depth[layer] += top - y;
            count[layer] += 1.0;
        }
    }
    // The worst of the layers judged, `high` particles high each.
    let worst = |high: usize, judged: std::ops::Range<usize>| {
        let mut worst: f64 = 0.0;
        for layer in 0..layers / high {
            let of = |all: &[f64]| all[layer * high..][..high].iter().sum::<f64>();
            let (p, d) = (of(&sum) / of(&count), of(&depth) / of(&count));
            let expected = 1000.0 * 9.81 * d;
            println!("depth {d:.3} m: {p:.0} Pa, expected {expected:.0}");
            if judged.contains(&layer) {
                worst = worst.max((p / expected - 1.0).abs());
            }
        }
        println!("worst {:.1} %", 100.0 * worst);
        worst
    };
    let (one, two) = (worst(1, 2..layers * 3 / 4), worst(2, 0..layers / 2 - 1));
    assert!(one < 0.06, "{one}");
    assert!(two < 0.05, "{two}");
}

/// Cloth, jelly, hard block, grains and water, with nothing around them: every meeting is a pair of opposite pushes.
#[test]
fn one_world_keeps_its_momentum() {
    let mut model = crate::scenes::unified(4, false).expect("a model");
    model.settings.gravity = [0.0; 3];
    let mut simulation = Simulation::new(model, Method::Lanes, 2).expect("a simulation");
    // Towards each other: what lies higher falls.
    let mut state = simulation.snapshot();
    for (x, v) in state.positions.iter().zip(&mut state.velocities) {
        *v = [0.1, -2.0 * x[1], 0.2 * x[0]];
    }
    simulation.restore(&state);
    let before = simulation.observe().momentum;
    (0..240).for_each(|_| simulation.step());
    let seen = simulation.observe();
    assert!(seen.finite);
    let scale = momentum_scale(&simulation);
    let lost: f64 = (0..3).map(|k| (seen.momentum[k] - before[k]).powi(2)).sum();
    println!("one world: {:.1e} of the momentum", lost.sqrt() / scale);
    assert!(lost.sqrt() < 1e-4 * scale, "{}", lost.sqrt() / scale);
}
