//! Water that gets deeper than it was authored: how its depth is measured, and that it rests all the same.

use super::super::FluidNumbers;
use super::super::columns::Columns;
use super::{tank_for, with};
use crate::Simulation;
use crate::forces::{Emitter, Mouth};
use crate::model::Model;
use crate::solvers::Method;
use crate::tests::models::simulate;
use crate::threads::Team;
use std::sync::Mutex;

const RADIUS: f64 = 0.025;
const SIDE: usize = 8;
const LAYERS: usize = 8;

/// The layers of some points, counted by so many threads.
fn layers(points: &[[f32; 3]], gravity: [f64; 3], threads: usize) -> f64 {
    let columns = Columns::new(points.len(), RADIUS, gravity, threads).expect("gravity");
    let found = Mutex::new(Vec::new());
    Team::new(threads).expect("threads").run(|worker| {
        columns.layers(worker, |i| points[i], |layers| found.lock().unwrap().push(layers));
    });
    found.into_inner().unwrap()[0]
}

/// A lattice counts as what it is, wherever it lies and whichever way gravity goes; what is poured over it, waits or is no number does not.
#[test]
fn a_lattice_has_the_layers_it_has() {
    let spacing = 2.0 * RADIUS as f32;
    for (sizes, down) in [([9, 12, 8], 1), ([7, 8, 20], 2), ([3, 9, 9], 0)] {
        for shift in [0.0, 0.3, 0.5, 0.77] {
            let mut points = Vec::new();
            for i in 0..sizes[0] * sizes[1] * sizes[2] {
                let at = [i % sizes[0], i / sizes[0] % sizes[1], i / sizes[0] / sizes[1]];
                points.push(at.map(|k| (k as f32 + shift) * spacing));
            }
            points.extend((0..9).map(|i| [i as f32, 0.1 * i as f32, 2.0]));
            points.extend([[1e30; 3]; 100]);
            points.extend([[f32::NAN; 3]; 100]);
            points.extend([[f32::INFINITY; 3]; 100]);
            let gravity = std::array::from_fn(|k| if k == down { -9.81 } else { 0.0 });
            let count = layers(&points, gravity, 1);
            let exact = sizes[down] as f64;
            assert!((count / exact - 1.0).abs() < 0.1, "{sizes:?} {shift}: {count}");
            assert!(count > (1.0 - 1e-5) * exact, "{sizes:?} {shift}: {count}");
            for threads in [2, 3] {
                assert_eq!(layers(&points, gravity, threads).to_bits(), count.to_bits());
            }
        }
    }
}

#[test]
fn gravity_may_be_askew() {
    let down = [0.48_f64, -0.64, 0.6];
    let (a, b) = ([0.8, 0.6, 0.0], [-0.36, 0.48, 0.8]);
    let mut points = Vec::new();
    for i in 0..10 * 10 * 6 {
        let at = [i % 10, i / 10 % 10, i / 100].map(|k| k as f64 * 2.0 * RADIUS);
        points.push([0, 1, 2].map(|k| (at[0] * a[k] + at[1] * b[k] + at[2] * down[k]) as f32));
    }
    let count = layers(&points, down.map(|g| 9.81 * g), 1);
    assert!((count / 6.0 - 1.0).abs() < 0.05, "{count}");
    assert!(Columns::new(10, RADIUS, [0.0; 3], 1).is_none());
}

/// A tank into which an emitter pours eight layers, in 1.6 s; by ten iterations a frame of one substep.
fn poured() -> Model {
    let numbers = FluidNumbers { radius: RADIUS, viscosity: 0.01, ..FluidNumbers::default() };
    let (mut model, width) = (Model::new(), SIDE as f64 * 2.0 * RADIUS);
    let center = [0.5 * width, 0.8, 0.5 * width];
    let count = SIDE * SIDE * LAYERS;
    for _ in 0..count {
        model.add_particle(center, [0.0; 3], 1.0 / numbers.mass()).expect("a particle");
    }
    let mut model = tank_for(RADIUS, with(model, numbers), width, width);
    let emitter = Emitter {
        particles: (0..count as u32).collect(),
        center,
        direction: [0.0, -1.0, 0.0],
        mouth: Mouth::Rectangle([0.25 * width; 2]),
        spacing: 2.0 * RADIUS,
        speed: 1.0,
        rate: None,
        begins: 0.0,
        ends: f64::INFINITY,
        sinks: Vec::new(),
    };
    model.add_subsystem(emitter.checked().expect("an emitter")).expect("its particles");
    (model.settings.dt, model.settings.substeps, model.settings.iterations) = (1.0 / 60.0, 1, 10);
    model
}

/// (By the depth of where they wait, a single layer, it burst out of rest at 9 m/s again and again.)
#[test]
fn poured_water_rests() {
    let mut simulation = simulate(poured(), Method::Lanes, 1, 240);
    let (mut fastest, mut most) = (0.0_f64, f64::MIN);
    let before = simulation.observe().energy;
    for _ in 0..480 {
        simulation.step();
        most = most.max(simulation.observe().energy);
        let square = |v: &[f32; 3]| v.iter().map(|v| f64::from(v * v)).sum::<f64>();
        fastest = simulation.velocities().iter().map(square).fold(fastest, f64::max);
    }
    println!("{:.3} m/s, energy {:.5}", fastest.sqrt(), most / before);
    assert!(fastest.sqrt() < 0.2, "{} m/s", fastest.sqrt());
    // What it was compressed by, a hundredth at most, lifts it again.
    assert!(most < 1.01 * before, "{} times the energy", most / before);
    let x = simulation.positions();
    let height = x.iter().map(|x| f64::from(x[1])).sum::<f64>() / x.len() as f64;
    assert!((height / (LAYERS as f64 * RADIUS) - 1.0).abs() < 0.02, "{height} m");
}

/// Depth follows from where particles are: on any threads, in the scalar reference, and gone on with from a checkpoint, while it rises.
#[test]
fn water_that_gets_deeper_has_the_same_bits() {
    let end = |simulation: Simulation| (simulation.positions(), simulation.velocities());
    let reference = end(simulate(poured(), Method::Colored, 1, 100));
    assert!(end(simulate(poured(), Method::Scalar, 1, 100)) == reference);
    for threads in [1, 2, 3] {
        assert!(end(simulate(poured(), Method::Lanes, threads, 100)) == reference, "{threads}");
    }
    for at in [31, 64, 83] {
        let mut saved = Vec::new();
        simulate(poured(), Method::Lanes, 1, at).save(&mut saved).expect("memory takes all");
        let mut resumed = simulate(poured(), Method::Lanes, 1, 7);
        resumed.load(&mut &saved[..]).expect("a state of this model");
        (at..100).for_each(|_| resumed.step());
        assert!(end(resumed) == reference, "from a checkpoint after {at} frames");
    }
}
