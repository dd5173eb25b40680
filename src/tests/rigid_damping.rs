//! Rigid damping keeps both momenta, leaves rigid motion alone and is the same for every method (S1-09).

use super::models::{Random, cloud, graph, run};
use crate::coloring::Permutation;
use crate::constraints::Distance;
use crate::forces::RigidDamping;
use crate::math::Vec3;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::solvers::Method;
use crate::state::{ParticleView, Particles};

/// Σ m v and Σ x × m v.
fn momenta(model: &Model, state: &Particles<f64>) -> [Vec3<f64>; 2] {
    let mut sums = [Vec3::zero(); 2];
    for (i, &w) in model.inverse_masses().iter().enumerate() {
        let [x, v] = read(state, i as u32);
        let p = v * (1.0 / f64::from(w));
        sums[0] += p;
        sums[1] += x.cross(p);
    }
    sums
}

/// A connected cloud, or the same on a line or in a point.
fn body(random: &mut Random, scale: [f64; 3]) -> Model {
    let mut model = cloud(random, 20, 3.0);
    let places = model.positions().to_vec();
    let velocities = model.velocities().to_vec();
    let weights = model.inverse_masses().to_vec();
    model = Model::new();
    for ((x, v), w) in places.iter().zip(velocities).zip(weights) {
        let x = std::array::from_fn(|axis| f64::from(x[axis]) * scale[axis]);
        model.add_particle(x, v.map(f64::from), w.into()).unwrap();
    }
    for i in 1..20 {
        let stiffness = Stiffness::Factor(1.0);
        model.add(Distance, [i - 1, i], [Some(1.0)], stiffness).unwrap();
    }
    model
}

#[test]
fn momenta_stay_and_the_rest_goes() {
    let mut random = Random(21);
    for scale in [[1.0; 3], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3]] {
        for k in [1e-3, 0.3, 1.0] {
            let mut model = body(&mut random, scale);
            model.settings.rigid_damping = k;
            let permutation = Permutation::identity(20);
            let mut state = model.particles::<f64>(permutation.clone());
            let damping = RigidDamping::new(
                &model.context(&permutation, 1),
                &model.row_lists(),
                model.subsystems(),
            )
            .unwrap();
            let before = momenta(&model, &state);
            damping.damp(0..damping.len(), &mut ParticleView::new(&mut state));
            let after = momenta(&model, &state);
            for (before, after) in before.into_iter().zip(after) {
                let error = (after - before).length();
                assert!(error < 1e-9, "{scale:?}, k {k}: {error}");
            }
            // No two particles approach: r·(v_a - v_b) = 0.
            let approach = |state: &Particles<f64>| {
                let mut most = 0.0_f64;
                for a in 0..20 {
                    let ([x, v], [y, u]) = (read(state, a), read(state, (a + 7) % 20));
                    most = most.max((x - y).dot(v - u).abs());
                }
                most
            };
            let once = state.clone();
            assert!(k < 1.0 || approach(&once) < 1e-9, "{scale:?}");
            // What moves rigidly is left alone.
            damping.damp(0..damping.len(), &mut ParticleView::new(&mut state));
            for i in (0..20).filter(|_| k == 1.0) {
                assert!((read(&state, i)[1] - read(&once, i)[1]).length() < 1e-9);
            }
        }
    }
}

/// Two free ropes keep their own drift and spin; a rope on a pin, and one particle alone, are bodies of their own.
#[test]
fn bodies_are_connected_rows() {
    let mut model = Model::new();
    model.settings.gravity = [0.0; 3];
    model.settings.rigid_damping = 1.0;
    for i in 0..7 {
        let pinned = i == 2;
        let v = if pinned { 0.0 } else { f64::from(i) };
        let w = if pinned { 0.0 } else { 1.0 };
        model.add_particle([f64::from(i), 0.0, 0.0], [0.0, v, 0.0], w).unwrap();
    }
    for (a, b) in [(0, 1), (1, 2), (2, 3), (3, 4)] {
        model.add(Distance, [a, b], [None], Stiffness::Factor(0.0)).unwrap();
    }
    // 0 1 and 3 4 turn about their own centers, which is what they do; 5 and 6 are free.
    let after = run(&model, Method::Lanes, 1, 1).velocities();
    for (i, v) in after.iter().enumerate() {
        let expected = if i == 2 { 0.0 } else { i as f32 };
        assert!((v[1] - expected).abs() < 1e-3, "{i}: {v:?}");
    }
}

#[test]
fn every_method_and_thread_count_damps_alike() {
    let mut model = graph(&mut Random(22), 400, 900);
    model.settings.rigid_damping = 0.2;
    let colored = run(&model, Method::Colored, 1, 5);
    for threads in [1, 2, 3] {
        let lanes = run(&model, Method::Lanes, threads, 5);
        assert_eq!(colored.bits(), lanes.bits(), "{threads} threads");
    }
    let scalar = run(&model, Method::Scalar, 1, 5);
    assert_eq!(scalar.bits(), run(&model, Method::Ordered, 2, 5).bits());
    model.settings.rigid_damping = 0.0;
    assert_ne!(scalar.bits(), run(&model, Method::Scalar, 1, 5).bits());
}

/// Groups and attachments join particles as rows do, whatever melts; one row of their own kind would have joined them.
#[test]
fn subsystems_join_particles_too() {
    use crate::groups::{Melting, Shapes};
    use crate::rigid::{At, Attachments};
    let build = |join: &dyn Fn(&mut Model)| {
        let mut model = Model::new();
        model.settings.gravity = [0.0; 3];
        model.settings.rigid_damping = 1.0;
        for (i, v) in [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0; 3]].into_iter().enumerate() {
            model.add_particle([i as f64, 0.0, 0.0], v, 1.0).unwrap();
        }
        join(&mut model);
        run(&model, Method::Lanes, 1, 1).velocities()
    };
    let off = Stiffness::Factor(0.0);
    let shapes = |model: &Model| {
        let mut shapes = Shapes::new();
        shapes.add(model, &[0, 1, 2], None, off, None).unwrap();
        shapes
    };
    let cases: [&dyn Fn(&mut Model); 3] = [
        &|model| model.add_subsystem(shapes(model)).unwrap(),
        &|model| model.add_subsystem(Melting::new(shapes(model), &[0, 1, 2], 5.0, 6.0)).unwrap(),
        &|model| {
            let mut held = Attachments::new();
            for pair in [[0, 1], [1, 2]] {
                held.add(&*model, Distance, pair.map(At::Particle), [None], off).unwrap();
            }
            model.add_subsystem(held).unwrap();
        },
    ];
    for (case, join) in cases.into_iter().enumerate() {
        for v in build(join) {
            assert!(v[0].abs() < 1e-5, "case {case}: {v:?}");
        }
    }
    assert!(build(&|_| {})[0][0] > 0.9);
}

/// What is in the hand keeps its velocity of zero, and the others are damped as if it were not there.
#[test]
fn what_is_held_gets_no_velocity() {
    let mut model = Model::new();
    model.settings.gravity = [0.0; 3];
    model.settings.rigid_damping = 1.0;
    for i in 0..3 {
        model.add_particle([f64::from(i), 0.0, 0.0], [0.0, f64::from(i), 0.0], 1.0).unwrap();
    }
    for pair in [[0, 1], [1, 2]] {
        model.add(Distance, pair, [None], Stiffness::Factor(0.0)).unwrap();
    }
    for method in Method::ALL {
        let mut simulation = crate::simulation::Simulation::new(clone(&model), method, 1).unwrap();
        simulation.grab(0);
        simulation.step();
        let v = simulation.velocities();
        assert_eq!(v[0], [0.0; 3], "{method:?}");
        assert!((v[1][1] - 1.0).abs() < 1e-3 && (v[2][1] - 2.0).abs() < 1e-3, "{method:?}: {v:?}");
    }
}

/// The same particles and rows once more.
fn clone(model: &Model) -> Model {
    let mut copy = Model::new();
    copy.settings = model.settings.clone();
    for (i, &x) in model.positions().iter().enumerate() {
        let v = model.velocities()[i].map(f64::from);
        copy.add_particle(x.map(f64::from), v, model.inverse_masses()[i].into()).unwrap();
    }
    for pair in [[0, 1], [1, 2]] {
        copy.add(Distance, pair, [None], Stiffness::Factor(0.0)).unwrap();
    }
    copy
}

/// Position and velocity of a particle.
fn read(state: &Particles<f64>, i: u32) -> [Vec3<f64>; 2] {
    let at = i as usize;
    [&state.position, &state.velocity].map(|columns| Vec3::from(columns.read(at)))
}
