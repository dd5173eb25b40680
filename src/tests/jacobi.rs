//! Method `jacobi`: its two forms agree bit for bit, its averages are the source's, and it hangs as low as it must.

use super::models::{Outcome, Random, cloud, graph, pairs, rope, run, scene};
use crate::constraints::{Distance, Plane, Tether};
use crate::model::Model;
use crate::rigid::{At, Attachments, Body, Shape, Weight};
use crate::rows::Stiffness;
use crate::settings::JacobiMode;
use crate::solvers::{Jacobi, Method};

/// The scalar form after `steps` frames.
fn scalar(model: &Model, steps: usize) -> Outcome {
    let (mut particles, mut solver) = Jacobi::<f32>::scalar(model).unwrap();
    for _ in 0..steps {
        solver.step(&mut particles);
    }
    Outcome { particles, solver: Box::new(solver) }
}

/// A graph of springs with ropes, taut and slack, and planes.
fn ropes(random: &mut Random) -> Model {
    let mut model = graph(random, 300, 600);
    for (i, stiffness) in (0..300).zip([1e-6, 0.0].map(Stiffness::Compliance).iter().cycle()) {
        let other = (i + 1 + random.below(298) as u32) % 300;
        let rest = Some(random.within(0.2, 1.5));
        model.add(Tether, [i, other], [rest], *stiffness).unwrap();
        let rest = Some(random.within(0.2, 1.5));
        model.add(Tether, [other, i], [rest], Stiffness::Factor(0.7)).unwrap();
        let low = random.within(-0.5, 0.5);
        let plane = [0.0, low, 0.0, 0.0, 1.0, 0.0].map(Some);
        model.add(Plane, [i], plane, *stiffness).unwrap();
    }
    model
}

/// What holds is not averaged over: a point below a plane goes onto it in one iteration, whatever slack ropes it has.
#[test]
fn slack_ropes_do_not_hold_a_point_back() {
    for stiffness in [Stiffness::Factor(1.0), Stiffness::Compliance(0.0)] {
        let mut model = Model::new();
        model.settings.gravity = [0.0; 3];
        (model.settings.substeps, model.settings.iterations) = (1, 1);
        let point = model.add_particle([0.0, -1.0, 0.0], [0.0; 3], 1.0).unwrap();
        let plane = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0].map(Some);
        model.add(Plane, [point], plane, stiffness).unwrap();
        for i in 0..9 {
            let x = [f64::from(i) - 4.0, 1.0, 0.0];
            let end = model.add_particle(x, [0.0; 3], if i < 5 { 0.0 } else { 1.0 }).unwrap();
            model.add(Tether, [point, end], [Some(9.0)], stiffness).unwrap();
        }
        for outcome in [scalar(&model, 1), run(&model, Method::Jacobi, 2, 1)] {
            let height = outcome.positions()[0][1];
            assert!(height.abs() < 1e-6, "{stiffness:?}: {height}");
        }
    }
}

/// Eight at a time and on any number of threads, the bits of one row at a time: runs, gathers, tails, tiles, all classes.
#[test]
fn lanes_and_threads_do_not_change_a_bit() {
    let mut random = Random(1);
    let mut models = vec![
        ("cloth:20", scene("cloth", 20)),
        ("cloth:200, in tiles", scene("cloth", 200)),
        ("sheet:17", scene("sheet", 17)),
        ("sphere:3", scene("sphere", 3)),
        ("kind-strain_tetrahedron", scene("kind-strain_tetrahedron", 4)),
        ("graph", graph(&mut random, 300, 900)),
        ("ropes and planes", ropes(&mut random)),
        ("pairs", pairs(&mut random, 1003)),
        ("rope in tiles", rope(&mut random, 50_000)),
    ];
    for (name, model) in &mut models {
        model.settings.iterations = 3;
        for (jacobi, omega) in [
            (JacobiMode::Average, 1.0),
            (JacobiMode::Average, 1.6),
            (JacobiMode::Sum, 0.3),
            (JacobiMode::Chebyshev, 1.0),
        ] {
            (model.settings.jacobi, model.settings.omega) = (jacobi, omega);
            let expected = scalar(model, 2).bits();
            for threads in [1, 2, 3, 7] {
                let outcome = run(model, Method::Jacobi, threads, 2);
                assert!(
                    outcome.bits() == expected,
                    "{name}, {jacobi:?} {omega} on {threads} threads"
                );
            }
        }
    }
}

/// Two links of compliance α hang m g α lower than their length for each mass below, for any ω and way of gathering: λ and x
/// agree (per-particle averages of a compliant row would hang 1.5 times too low).
#[test]
fn a_chain_hangs_as_low_as_its_compliance() {
    let alpha = 1e-3;
    let hangs = |gather, omega| {
        let mut model = Model::new();
        model.settings.damping = 8.0;
        model.settings.iterations = 40;
        (model.settings.jacobi, model.settings.omega) = (gather, omega);
        for i in 0..3 {
            let w = if i == 0 { 0.0 } else { 1.0 };
            model.add_particle([0.0, -f64::from(i), 0.0], [0.0; 3], w).unwrap();
        }
        for i in 0..2 {
            let stiffness = Stiffness::Compliance(alpha);
            model.add(Distance, [i, i + 1], [Some(1.0)], stiffness).unwrap();
        }
        run(&model, Method::Jacobi, 1, 600).positions()
    };
    for (gather, omega) in
        [(JacobiMode::Average, 1.0), (JacobiMode::Average, 1.5), (JacobiMode::Chebyshev, 1.0)]
    {
        let x = hangs(gather, omega);
        let sag = |i: usize| -f64::from(x[i][1]) - i as f64;
        let unit = 9.81 * alpha;
        let (first, second) = (sag(1) / (2.0 * unit), sag(2) / (3.0 * unit));
        assert!(
            (first - 1.0).abs() < 1e-3 && (second - 1.0).abs() < 1e-3,
            "{gather:?} {omega}: {first} and {second} of what they must be"
        );
    }
}

/// The momentum that `steps` frames of a free cloud have changed, in f64, beside the largest that went around.
fn momentum_changed(stiffness: Stiffness, steps: usize) -> f64 {
    let mut random = Random(7);
    let mut model = cloud(&mut random, 40, 1.0);
    model.settings.gravity = [0.0; 3];
    for _ in 0..160 {
        let (a, b) = (random.below(40) as u32, random.below(40) as u32);
        if a != b {
            let rest = Some(random.within(0.1, 1.5));
            model.add(Distance, [a, b], [rest], stiffness).unwrap();
        }
    }
    let (mut particles, mut solver) = Jacobi::<f64>::scalar(&model).unwrap();
    let sums = |v: &[[f64; 3]]| {
        let mut sums = [0.0; 4];
        for (v, w) in v.iter().zip(model.inverse_masses()) {
            for axis in 0..3 {
                sums[axis] += v[axis] / f64::from(*w);
                sums[3] += v[axis].abs() / f64::from(*w);
            }
        }
        sums
    };
    let before = sums(&particles.velocities());
    for _ in 0..steps {
        solver.step(&mut particles);
    }
    let after = sums(&particles.velocities());
    let change = (0..3).map(|axis| (after[axis] - before[axis]).abs());
    change.fold(0.0, f64::max) / before[3].max(after[3])
}

/// With compliance momentum is kept to rounding; the source's averages of stiff rows lose it where particles have unequal
/// numbers of rows (S1-31).
#[test]
fn compliance_keeps_the_momentum_and_averages_do_not() {
    let kept = momentum_changed(Stiffness::Compliance(1e-6), 10);
    let lost = momentum_changed(Stiffness::Factor(1.0), 10);
    assert!(kept < 1e-12, "{kept:e} of it changed");
    assert!(lost > 1e-4, "only {lost:e} of it changed");
}

/// Five rows of equal masses share a particle: each takes half of the error e, the shared particle moves for all five of them,
/// and e (1 - 5) / 2 is left (S1-30): 64 e after six iterations. Averages (S1-31) agree after one.
#[test]
fn sums_diverge_and_averages_converge() {
    let e = 1e-3;
    let left = |gather, iterations| {
        let mut model = Model::new();
        model.settings.gravity = [0.0; 3];
        (model.settings.substeps, model.settings.iterations) = (1, iterations);
        model.settings.jacobi = gather;
        let hub = model.add_particle([0.0; 3], [0.0; 3], 1.0).unwrap();
        for _ in 0..5 {
            let end = model.add_particle([1.0 + e, 0.0, 0.0], [0.0; 3], 1.0).unwrap();
            model.add(Distance, [hub, end], [Some(1.0)], Stiffness::Factor(1.0)).unwrap();
        }
        let x = run(&model, Method::Jacobi, 1, 1).positions();
        f64::from(x[1][0] - x[0][0]) - 1.0
    };
    for (iterations, times) in [(1, -2.0), (2, 4.0), (6, 64.0)] {
        let sum = left(JacobiMode::Sum, iterations);
        assert!((sum - times * e).abs() < 1e-5, "{sum} m after {iterations}");
    }
    let [average, chebyshev] =
        [(JacobiMode::Average, 1), (JacobiMode::Chebyshev, 400)].map(|(mode, n)| left(mode, n));
    assert!(average.abs() < 1e-6 && chebyshev.abs() < 1e-6, "{average} {chebyshev}");
}

/// What is no row hangs as low by Chebyshev's factors as by averages, m g α below its rest: they do not repeat what its multipliers would not
/// know of. (They did, and a spring at a body was solved with 0.31 of its length.)
#[test]
fn what_follows_rows_is_not_repeated() {
    let (alpha, weight) = (0.01, 9.81);
    for mode in [JacobiMode::Average, JacobiMode::Chebyshev] {
        let mut model = Model::new();
        let mut body = Body::new(Shape::Sphere(0.1), Weight::Mass(1.0), None).unwrap();
        body.fixed = true;
        model.add_body(body).unwrap();
        model.add_particle([0.0, -1.0 - alpha * weight, 0.0], [0.0; 3], 1.0).unwrap();
        let (mut rows, at) = (Attachments::new(), [At::Particle(0), At::Body(0, [0.0; 3])]);
        rows.add(&model, Distance, at, [Some(1.0)], Stiffness::Compliance(alpha)).unwrap();
        model.add_subsystem(rows).unwrap();
        (model.settings.substeps, model.settings.iterations) = (10, 20);
        model.settings.jacobi = mode;
        let y = f64::from(run(&model, Method::Jacobi, 1, 60).particles.positions()[0][1]);
        assert!((y + 1.0 + alpha * weight).abs() < 1e-4, "{mode:?}: {y} m");
    }
}
