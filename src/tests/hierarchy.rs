//! Coarse levels: what hangs holds its length, momenta stay, and neither threads nor lanes change a bit.

use super::models::{Random, graph, run, scene, sheet};
use crate::Simulation;
use crate::constraints::Distance;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::settings::Precision;
use crate::solvers::Method;

/// The same model with coarse levels.
fn with_levels(mut model: Model, levels: u32) -> Model {
    model.settings.hierarchy = levels;
    model
}

/// How many times the height that it may have a sheet of a metre hangs below its pins.
fn sag(model: &Model, steps: usize) -> f32 {
    let outcome = run(model, Method::Lanes, 1, steps);
    let lowest = |low: f32, x: [f32; 3]| low.min(x[1]);
    -outcome.particles.positions().into_iter().fold(0.0, lowest)
}

/// Two corners a metre apart hold a square metre: its lower edge hangs at most a diagonal and a bit below them (S1-40).
#[test]
fn cloth_of_ten_iterations_holds_its_length() {
    let alone = sag(&scene("cloth", 64), 240);
    let levels = sag(&with_levels(scene("cloth", 64), 6), 240);
    assert!(alone > 1.9, "{alone}: without levels it is not stretched");
    assert!(levels < 1.05 * std::f32::consts::SQRT_2, "{levels}");
}

/// A free sheet of particles of any mass, torn at: linear and angular momentum stay (the source's levels change both).
#[test]
fn momenta_stay() {
    let mut random = Random(3);
    let mut model = Model::new();
    let hung = sheet(9, 11, Stiffness::Compliance(0.0));
    for x in hung.positions() {
        let v = random.point().map(|v| 0.3 * v);
        model.add_particle(x.map(f64::from), v, random.within(1.0, 10.0)).unwrap();
    }
    let set = &hung.rows()[0];
    for pair in set.row_list().particles.as_chunks().0 {
        model.add(Distance, *pair, [None], Stiffness::Compliance(0.0)).unwrap();
    }
    (model.settings.gravity, model.settings.precision) = ([0.0; 3], Precision::Carried);
    let model = with_levels(model, 3);
    let weights = model.inverse_masses().to_vec();
    let momenta = |x: &[[f32; 3]], v: &[[f32; 3]]| {
        let mut sum = [0.0_f64; 6];
        for ((x, v), w) in x.iter().zip(v).zip(&weights) {
            let [x, v] = [x, v].map(|a| a.map(f64::from));
            for k in 0..3 {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                sum[k] += v[k] / f64::from(*w);
                sum[3 + k] += (x[i] * v[j] - x[j] * v[i]) / f64::from(*w);
            }
        }
        sum
    };
    let before = momenta(model.positions(), model.velocities());
    let outcome = run(&model, Method::Lanes, 2, 60);
    let after = momenta(&outcome.particles.positions(), &outcome.particles.velocities());
    for k in 0..6 {
        assert!((after[k] - before[k]).abs() < 1e-4, "{k}: {before:?} {after:?}");
    }
}

/// Who is in the hand stands still, whatever its parents do.
#[test]
fn what_is_held_is_not_moved() {
    let model = with_levels(scene("cloth", 24), 3);
    let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
    for frame in 0..40 {
        if frame == 20 {
            [200, 333, 401].into_iter().for_each(|i| simulation.grab(i));
        }
        let before = simulation.positions();
        simulation.step();
        let after = simulation.positions();
        let moved = [200, 333, 401].map(|i| before[i] != after[i]);
        assert_eq!(moved, [frame < 20; 3], "frame {frame}");
    }
}

#[test]
fn neither_threads_nor_lanes_change_a_bit() {
    for precision in [Precision::Plain, Precision::Carried] {
        let free = graph(&mut Random(5), 2000, 9000);
        for mut model in [scene("cloth", 40), free, scene("curtain", 20)] {
            (model.settings.substeps, model.settings.precision) = (2, precision);
            let bits = |model: &Model, method, threads| run(model, method, threads, 3).bits();
            let plain = bits(&model, Method::Lanes, 1);
            let model = with_levels(model, 4);
            let expected = bits(&model, Method::Lanes, 1);
            assert!(expected != plain, "levels change nothing");
            for threads in [2, 3, 7] {
                assert!(bits(&model, Method::Lanes, threads) == expected, "{threads} threads");
            }
            assert!(bits(&model, Method::Colored, 1) == expected, "one lane");
        }
    }
}

/// A weight on four springs hangs as low with levels as without: 4 m g α and a little for the springs' masses. (Levels pulled beside them, and
/// it hung half and a third as far below its rest.)
#[test]
fn springs_are_no_stiffer_with_levels() {
    let (alpha, g) = (0.0025, 9.81);
    for levels in 0..4 {
        let mut model = Model::new();
        for (i, w) in [0.0, 1e3, 1e3, 1e3, 1.0].into_iter().enumerate() {
            model.add_particle([0.0, -0.25 * i as f64, 0.0], [0.0; 3], w).unwrap();
        }
        for i in 0..4 {
            model.add(Distance, [i, i + 1], [None], Stiffness::Compliance(alpha)).unwrap();
        }
        (model.settings.substeps, model.settings.iterations) = (100, 10);
        model.settings.damping = 3.0;
        let outcome = run(&with_levels(model, levels), Method::Lanes, 1, 300);
        let y = f64::from(outcome.particles.positions()[4][1]);
        let exact = -1.0 - alpha * g * (4.0 + 0.001 + 0.002 + 0.003);
        assert!((y - exact).abs() < 1e-3, "{levels} levels: {y} of {exact} m");
    }
}
