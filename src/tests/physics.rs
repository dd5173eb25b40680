//! What a step must do to matter: fall, swing, keep its momenta, leave alone what is pinned.

use super::models::{Random, cloud, graph, rope, run, sheet};
use crate::constraints::Distance;
use crate::model::Model;
use crate::observe::observe;
use crate::rows::Stiffness;
use crate::scenes::Scene;
use crate::settings::Precision;
use crate::solvers::{Method, Scalar};
use crate::state::Snapshot;

/// Free fall from the origin: after n steps y = g h² n (n + 1) / 2, the scheme's own closed form (S0-02, S2-04).
#[test]
fn free_fall_follows_the_scheme() {
    let mut model = Model::new();
    model.add_particle([0.0; 3], [0.0; 3], 1.0).unwrap();
    let h = model.settings.h();
    let n = 60;
    let fall = -9.81 * h * h * f64::from(n * (n + 1)) / 2.0;
    for method in Method::ALL {
        let [x, y, z] = run(&model, method, 1, n as usize).positions()[0];
        let error = (f64::from(y) - fall).abs() / -fall;
        assert!(error < 1e-4 && x == 0.0 && z == 0.0, "{method:?}: off by {error:e} of the fall");
    }
    let (mut particles, mut solver) = Scalar::<f64>::authored(&model);
    for _ in 0..n {
        solver.step(&mut particles);
    }
    let error = (particles.positions()[0][1] - fall).abs() / -fall;
    assert!(error < 1e-12, "f64: off by {error:e} of the fall");
}

/// External forces are accelerations: heavy and light fall alike, bit for bit (S0-10).
#[test]
fn heavy_and_light_fall_alike() {
    let mut model = Model::new();
    for w in [1e-3, 1.0, 1e3] {
        model.add_particle([0.0; 3], [0.1, 0.2, 0.3], w).unwrap();
    }
    let x = run(&model, Method::Lanes, 1, 60).positions();
    assert_eq!(x[0], x[1]);
    assert_eq!(x[0], x[2]);
}

/// Viscous damping slows by e^(-c h) a step (S1-08).
#[test]
fn damping_slows_by_its_exponential() {
    let mut model = Model::new();
    model.settings.gravity = [0.0; 3];
    model.settings.damping = 2.0;
    model.add_particle([0.0; 3], [1.0, 0.0, 0.0], 1.0).unwrap();
    for method in Method::ALL {
        let [v, ..] = run(&model, method, 1, 60).velocities()[0];
        let expected = (-2.0_f64).exp();
        assert!((f64::from(v) - expected).abs() < 1e-4, "{method:?}: {v}");
    }
}

/// Linear and angular momentum of a state in f64.
fn momenta(model: &Model, x: &[[f64; 3]], v: &[[f64; 3]]) -> [[f64; 3]; 2] {
    let mut sums = [[0.0; 3]; 2];
    for ((x, v), &w) in x.iter().zip(v).zip(model.inverse_masses()) {
        let m = 1.0 / f64::from(w);
        for axis in 0..3 {
            let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
            sums[0][axis] += m * v[axis];
            sums[1][axis] += m * (x[b] * v[c] - x[c] * v[b]);
        }
    }
    sums
}

/// The model's momenta after `steps` frames in f64, less those before.
fn drift(model: &Model, steps: usize) -> [f64; 2] {
    let (mut particles, mut solver) = Scalar::<f64>::authored(model);
    let before = momenta(model, &particles.positions(), &particles.velocities());
    for _ in 0..steps {
        solver.step(&mut particles);
    }
    let after = momenta(model, &particles.positions(), &particles.velocities());
    std::array::from_fn(|sum| {
        let change = (0..3).map(|axis| (after[sum][axis] - before[sum][axis]).abs());
        change.fold(0.0, f64::max)
    })
}

/// Without pins and gravity linear momentum is kept to rounding, whatever rows there are (S0-08, S1-15).
#[test]
fn linear_momentum_is_kept() {
    let mut random = Random(1);
    for size in [2, 10, 60] {
        let mut model = graph(&mut random, size, 4 * size);
        model.settings.gravity = [0.0; 3];
        let [linear, _] = drift(&model, 20);
        assert!(linear < 1e-9, "{size} particles: {linear:e} in f64");
        // In f32 beside the largest momentum that went around. (Averages of unequal numbers of corrections do not keep it.)
        let averages = [Method::Jacobi, Method::Hybrid];
        for method in Method::ALL.into_iter().filter(|m| !averages.contains(m)) {
            let outcome = run(&model, method, 1, 20);
            let state = |x: &[[f32; 3]], v: &[[f32; 3]]| Snapshot {
                positions: x.to_vec(),
                velocities: v.to_vec(),
                ..Snapshot::default()
            };
            let lambda = outcome.solver.core().multipliers();
            let before = observe(&model, &state(model.positions(), model.velocities()), &lambda);
            let after =
                observe(&model, &state(&outcome.positions(), &outcome.velocities()), &lambda);
            let speeds = outcome.velocities().into_iter().zip(model.inverse_masses());
            let scale: f64 =
                speeds.map(|(v, w)| f64::from(v.iter().map(|v| v.abs()).sum::<f32>() / w)).sum();
            for axis in 0..3 {
                let change = (after.momentum[axis] - before.momentum[axis]).abs();
                assert!(
                    change < 1e-3 * scale,
                    "{method:?}, {size} particles: {change:e} of {scale:e}"
                );
            }
        }
    }
}

/// A projection exerts no torque: from rest, one row gives no angular momentum (S0-08, S1-15).
#[test]
fn a_projection_exerts_no_torque() {
    let mut random = Random(2);
    for _ in 0..50 {
        let mut model = cloud(&mut random, 2, 0.0);
        model.settings.gravity = [0.0; 3];
        let (rest, stiffness) = (Some(random.within(0.0, 3.0)), random.stiffness());
        model.add(Distance, [0, 1], [rest], stiffness).unwrap();
        let [linear, angular] = drift(&model, 1);
        assert!(linear < 1e-11 && angular < 1e-11, "{stiffness:?}: {linear:e}, {angular:e}");
    }
}

/// Angular momentum of moving matter drifts with the step alone: v = Δx / h makes the scheme first order (as implicit
/// Euler), so a tenth of the step leaves a tenth of the drift, down to little.
#[test]
fn angular_momentum_drifts_with_the_step_alone() {
    for seed in 3..6 {
        let drift = |substeps, precision| {
            let mut random = Random(seed);
            let mut model = cloud(&mut random, 12, 0.3);
            for i in 1..12 {
                model.add(Distance, [i - 1, i], [None], Stiffness::Factor(1.0)).unwrap();
            }
            model.settings.gravity = [0.0; 3];
            (model.settings.substeps, model.settings.precision) = (substeps, precision);
            drift(&model, 6)[1]
        };
        let plain = |substeps| drift(substeps, Precision::Plain);
        let (coarse, fine) = (plain(20), plain(200));
        assert!(fine < 0.2 * coarse && fine < 0.01, "seed {seed}: {coarse:e}, then {fine:e}");
        // Where positions are carried it is taken out.
        let kept = drift(20, Precision::Carried);
        assert!(kept < 1e-11, "seed {seed}: {kept:e}");
    }
}

/// No iterations: every particle flies as if there were no rows, bit for bit (S0-03).
#[test]
fn no_iterations_is_ballistic() {
    let mut model = graph(&mut Random(4), 20, 60);
    model.settings.iterations = 0;
    let free = cloud(&mut Random(4), 20, 1.0);
    for method in Method::ALL {
        let flown = run(&model, method, 1, 10);
        let expected = run(&free, method, 1, 10);
        assert_eq!(flown.positions(), expected.positions(), "{method:?}");
        assert_eq!(flown.velocities(), expected.velocities(), "{method:?}");
    }
}

/// A kinematic particle keeps its own velocity to the bit; what hangs on it does not slow it (S1-16; docs/scene-format.md).
#[test]
fn a_kinematic_particle_keeps_its_velocity() {
    let velocity = [0.3_f32, -0.7, 0.1];
    let mut model = Model::new();
    model.add_particle([0.0; 3], velocity.map(f64::from), 0.0).unwrap();
    for i in 1..9 {
        model.add_particle([0.0, 0.0, f64::from(i)], [0.0; 3], 1.0).unwrap();
    }
    for i in 1..9 {
        let stiffness = Random(i.into()).stiffness();
        model.add(Distance, [0, i], [None], stiffness).unwrap();
    }
    model.settings.damping = 1.0;
    for method in Method::ALL {
        let outcome = run(&model, method, 1, 60);
        assert_eq!(outcome.velocities()[0], velocity, "{method:?}");
        for (x, v) in outcome.positions()[0].into_iter().zip(velocity) {
            assert!((x - v).abs() < 1e-6, "{method:?}: {x} m after a second at {v} m/s");
        }
    }
}

/// A pinned particle does not change by one bit, wherever in a packet it lies (S1-16).
#[test]
fn a_pinned_particle_does_not_move() {
    let cloth = Scene::find("cloth").unwrap().model(Some(9)).unwrap();
    let models = [cloth, rope(&mut Random(5), 30), sheet(7, 5, Stiffness::Factor(0.9))];
    for (model, method) in models.iter().flat_map(|m| Method::ALL.map(|method| (m, method))) {
        let after = run(model, method, 1, 60).positions();
        let pinned = (0..after.len()).filter(|&i| model.inverse_masses()[i] == 0.0);
        let mut count = 0;
        for i in pinned {
            let bits = |x: [f32; 3]| x.map(f32::to_bits);
            assert_eq!(bits(after[i]), bits(model.positions()[i]), "{method:?}, particle {i}");
            count += 1;
        }
        assert!(count > 0);
    }
}

/// s substeps of a frame are s frames of a step s times as short, bit for bit (Macklin et al., *Small Steps*, 2019).
#[test]
fn substeps_are_shorter_frames() {
    for method in Method::ALL {
        let mut model = graph(&mut Random(6), 30, 60);
        model.settings.damping = 0.5;
        model.settings.substeps = 5;
        let substeps = run(&model, method, 1, 4);
        model.settings.dt /= 5.0;
        model.settings.substeps = 1;
        assert_eq!(substeps.bits(), run(&model, method, 1, 20).bits(), "{method:?}");
    }
}
