//! Orders and widths: the same bits for any number of threads, for lanes and scalars in the colored order, and for a
//! Gauss-Seidel loop written here by hand in authored order.

use super::models::{Random, graph, pairs, rope, run, sheet};
use super::packets::numberings;
use crate::coloring::{Structure, first_fit};
use crate::constraints::Distance;
use crate::model::Model;
use crate::rows::Strength;
use crate::scenes::Scene;
use crate::solvers::Method;

fn scene(name: &str, size: usize) -> Model {
    Scene::find(name).unwrap().model(Some(size)).unwrap()
}

/// Models large enough that phases are shared: runs (cloth), gathers and tails (a graph), single rows (a rope); and some
/// of several bands, swept in turns or as a wavefront as the threads have it. With the steps to run each.
fn large() -> Vec<(&'static str, usize, Model)> {
    let limit = |mut model: Model, iterations| {
        model.settings.iterations = iterations;
        model
    };
    vec![
        ("cloth:64", 3, limit(scene("cloth", 64), 4)),
        ("cloth:200, in bands", 2, limit(scene("cloth", 200), 3)),
        ("sheet:50", 3, limit(scene("sheet", 50), 4)),
        ("graph", 3, limit(graph(&mut Random(1), 4000, 14_000), 4)),
        ("rope", 3, rope(&mut Random(2), 3000)),
        ("rope in bands", 2, limit(rope(&mut Random(3), 50_000), 2)),
        ("sphere:3", 3, scene("sphere", 3)),
    ]
}

/// The state does not depend on the number of threads, by construction (S1-28, S1-34).
#[test]
fn threads_do_not_change_a_bit() {
    for (name, steps, model) in large() {
        for (one, many) in SAME {
            let expected = run(&model, one, 1, steps).bits();
            for threads in [1, 2, 3, 7] {
                let outcome = run(&model, many, threads, steps);
                assert_eq!(outcome.solver.threads(), threads);
                assert!(
                    outcome.bits() == expected,
                    "{name} by {many:?} on {threads} threads"
                );
            }
        }
    }
}

/// Methods of one order: one row at a time, and eight.
const SAME: [(Method, Method); 2] = [
    (Method::Colored, Method::Lanes),
    (Method::Scalar, Method::Ordered),
];

/// `colored` = `lanes` and `scalar` = `ordered`, bit for bit.
fn same_order(what: &str, model: &Model, steps: usize) {
    for (one, many) in SAME {
        let expected = run(model, one, 1, steps).bits();
        assert!(
            expected == run(model, many, 1, steps).bits(),
            "{what}, {many:?}"
        );
    }
}

/// Lanes agree with scalars in every row count around a packet, alone in a color and in chains, all classes mixed.
#[test]
fn lanes_equal_scalars_for_any_number_of_rows() {
    for count in [0, 1, 7, 8, 9, 15, 16, 17, 1003] {
        let mut random = Random(count as u64);
        same_order(&format!("{count} pairs"), &pairs(&mut random, count), 5);
        same_order(&format!("{count} links"), &rope(&mut random, count), 5);
        same_order(
            &format!("{count} rows at random"),
            &graph(&mut random, count / 2 + 2, count),
            5,
        );
        let mut one_class = pairs(&mut random, count);
        let (first, strength) = (one_class.positions().len() as u32, random.strength());
        for i in 0..count as u32 {
            one_class
                .add_particle(random.point(), [0.0; 3], 1.0)
                .unwrap();
            one_class
                .add(Distance, [2 * i, first + i], [None], strength)
                .unwrap();
        }
        same_order(&format!("{count} rows of {strength:?}"), &one_class, 5);
    }
}

/// Lanes agree with scalars on the scenes and on dense random graphs with hubs.
#[test]
fn lanes_equal_scalars_on_scenes_and_graphs() {
    for (name, size) in [
        ("cloth", 2),
        ("cloth", 3),
        ("cloth", 17),
        ("sheet", 4),
        ("sheet", 31),
        ("rope", 65),
        ("sphere", 2),
    ] {
        same_order(name, &scene(name, size), 20);
    }
    let mut random = Random(3);
    for size in [3, 10, 50] {
        same_order("graph", &graph(&mut random, size, 20 * size), 5);
    }
}

/// Grids of all sizes, stored so that a run's end lies on live particles: partial runs stay off them (S1-34).
#[test]
fn lanes_equal_scalars_on_adversarial_grids() {
    for (columns, rows) in (2..=20).flat_map(|c| [2, 3, 5, 8, 13, 20].map(|r| (c, r))) {
        let strengths = [
            Strength::Stiffness(0.7),
            Strength::Compliance(1e-6),
            Strength::Damped(1e-5, 0.1),
        ];
        let strength = strengths[(columns + rows) % 3];
        for numbering in numberings(columns, rows) {
            let mut model = sheet(columns, rows, strength);
            model.settings.iterations = 2;
            let list = model.rows()[0].row_list();
            let coloring = first_fit(list, columns * rows, 0..list.len() as u32);
            let mut colors = vec![0; list.len()];
            for (color, members) in coloring.colors().iter().enumerate() {
                members
                    .iter()
                    .for_each(|&row| colors[row as usize] = color as u16);
            }
            model.set_structure(Structure {
                numbering,
                layer: 1,
                colors: vec![colors],
            });
            same_order(&format!("{columns} x {rows}, {strength:?}"), &model, 2);
        }
    }
}

/// Rows added after a generator's structure keep both orders equal.
#[test]
fn rows_beside_a_structure() {
    let mut model = scene("cloth", 12);
    let mut random = Random(4);
    for i in 0..60 {
        let strength = Strength::Stiffness(random.unit());
        model
            .add(Distance, [i, 143 - i], [Some(0.5)], strength)
            .unwrap();
    }
    same_order("cloth with stays", &model, 10);
}

/// Whatever is authored in one order is simulated in that order: a flat Gauss-Seidel loop written here, from the papers'
/// formulas and nothing of the engine's, has the bits of `scalar` (S0-02..S0-09, S1-14, S1-18, S1-27, S2-01).
#[test]
fn scalar_is_the_flat_loop() {
    let mut random = Random(5);
    let (count, h, iterations) = (30_usize, 1.0 / 60.0 / 2.0, 7_u32);
    let mut model = Model::new();
    model.settings.substeps = 2;
    model.settings.iterations = iterations;
    model.settings.damping = 0.25;
    let mut w: Vec<f32> = (0..count).map(|_| random.within(0.1, 5.0) as f32).collect();
    w[3] = 0.0;
    let mut x: Vec<[f32; 3]> = (0..count)
        .map(|_| random.point().map(|v| v as f32))
        .collect();
    let mut v: Vec<[f32; 3]> = (0..count)
        .map(|_| random.point().map(|v| v as f32))
        .collect();
    for i in 0..count {
        let (x, v) = (x[i].map(f64::from), v[i].map(f64::from));
        model.add_particle(x, v, w[i].into()).unwrap();
    }
    // a, b, d, then k, α/h² and γ, each as the engine's f32.
    let mut rows = Vec::new();
    for _ in 0..100 {
        let a = random.below(count);
        let b = (a + 1 + random.below(count - 1)) % count;
        let (d, strength) = (random.within(0.1, 2.0) as f32, random.strength());
        let pair = [a as u32, b as u32];
        model
            .add(Distance, pair, [Some(d.into())], strength)
            .unwrap();
        let single = |v: f64| f64::from(v as f32);
        let (k, alpha, gamma) = match strength {
            Strength::Stiffness(k) => (
                1.0 - (1.0 - single(k)).powf(1.0 / f64::from(iterations)),
                0.0,
                0.0,
            ),
            Strength::Compliance(alpha) => (1.0, single(alpha) / (h * h), 0.0),
            Strength::Damped(alpha, beta) => (
                1.0,
                single(alpha) / (h * h),
                single(alpha) * single(beta) / h,
            ),
            Strength::Material => unreachable!("a distance row has no material"),
        };
        rows.push((a, b, d, k as f32, alpha as f32, gamma as f32));
    }

    let engine = run(&model, Method::Scalar, 1, 5);
    let (kick, keep) = ((h * -9.81) as f32, (-0.25 * h).exp() as f32);
    let h = h as f32;
    let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let minus = |a: [f32; 3], b: [f32; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    for _ in 0..5 * 2 {
        let before = x.clone();
        for i in 0..count {
            v[i][1] += if w[i] > 0.0 { kick } else { 0.0 };
            x[i] = std::array::from_fn(|axis| x[i][axis] + v[i][axis] * h);
        }
        let mut lambda = vec![0.0; rows.len()];
        for _ in 0..iterations {
            for (&(a, b, d, k, alpha, gamma), lambda) in rows.iter().zip(&mut lambda) {
                let g = minus(x[a], x[b]);
                let n = dot(g, g).sqrt();
                let c = n - d;
                let weight = w[a] * dot(g, g) + w[b] * dot(g, g);
                // Multipliers times n, the one division at the end.
                let moved = dot(g, minus(x[a], before[a])) - dot(g, minus(x[b], before[b]));
                let error = n * (-c - alpha * *lambda) - gamma * moved;
                let s = error / (weight + gamma * weight + alpha * (n * n)) * k;
                *lambda += s * n;
                for axis in 0..3 {
                    x[a][axis] += g[axis] * (w[a] * s);
                    x[b][axis] -= g[axis] * (w[b] * s);
                }
            }
        }
        for i in (0..count).filter(|&i| w[i] > 0.0) {
            v[i] = minus(x[i], before[i]).map(|d| d / h * keep);
        }
    }
    let bits = |columns: &[[f32; 3]]| {
        columns
            .as_flattened()
            .iter()
            .map(|v| v.to_bits())
            .collect::<Vec<_>>()
    };
    assert_eq!(bits(&engine.positions()), bits(&x));
    assert_eq!(bits(&engine.velocities()), bits(&v));
}
