//! Orders and widths: the same bits for any number of threads, for lanes and scalars in the colored order, and for a
//! Gauss-Seidel loop written here by hand in authored order.

use super::models::{Random, graph, pairs, rope, run, scene, sheet};
use super::packets::permutations;
use crate::coloring::{GridLayout, first_fit};
use crate::constraints::Distance;
use crate::math::SIXTEEN;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::settings::{Precision, Settings};
use crate::solvers::Method;

/// Models large enough that phases are shared: runs (cloth), gathers and tails (a graph), single rows (a rope); and some
/// of several tiles, swept in turns or as a wavefront as the threads have it. With the steps to run each.
fn large() -> Vec<(&'static str, usize, Model)> {
    let limit = |mut model: Model, iterations| {
        model.settings.iterations = iterations;
        model
    };
    vec![
        ("cloth:64", 3, limit(scene("cloth", 64), 4)),
        ("cloth:200, in tiles", 2, limit(scene("cloth", 200), 3)),
        ("cloth:200, in tiles, through substeps", 1, {
            let mut model = limit(scene("cloth", 200), 2);
            model.settings.substeps = 3;
            model
        }),
        ("sheet:50", 3, limit(scene("sheet", 50), 4)),
        ("graph", 3, limit(graph(&mut Random(1), 4000, 14_000), 4)),
        ("rope", 3, rope(&mut Random(2), 3000)),
        ("rope in tiles", 2, limit(rope(&mut Random(3), 50_000), 2)),
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
                assert_eq!(outcome.solver.core().threads(), threads);
                assert!(outcome.bits() == expected, "{name} by {many:?} on {threads} threads");
            }
        }
    }
}

/// Nor does it depend on the lanes that run side by side, whichever kind the rows are of and whether corrections are carried.
#[test]
fn widths_do_not_change_a_bit() {
    let kinds = ["bending", "isometric_bending", "strain_triangle", "strain_tetrahedron", "volume"];
    let kinds = kinds.map(|kind| (format!("kind-{kind}"), 12));
    for (name, size) in [("cloth".into(), 40), ("cloth".into(), 130)].into_iter().chain(kinds) {
        for precision in [Precision::Plain, Precision::Carried] {
            let run = |width| {
                let mut model = scene(&name, size);
                let settings = Settings { iterations: 3, substeps: 2, precision, ..model.settings };
                model.settings = Settings { width: Some(width), ..settings };
                let outcome = run(&model, Method::Lanes, 2, 2);
                (outcome.bits(), outcome.solver.core().width())
            };
            let ((eight, used_8), (sixteen, used_16)) = (run(8), run(16));
            assert!(eight == sixteen, "{name}:{size} in {precision:?} precision");
            assert_eq!(used_8, 8, "{name}:{size}");
            if name == "cloth" {
                assert_eq!(used_16, if SIXTEEN { 16 } else { 8 });
            }
        }
    }
}

/// Methods of one order: one row at a time, and eight.
const SAME: [(Method, Method); 2] =
    [(Method::Colored, Method::Lanes), (Method::Scalar, Method::Ordered)];

/// `colored` = `lanes` and `scalar` = `ordered`, bit for bit.
fn same_order(what: &str, model: &Model, steps: usize) {
    for (one, many) in SAME {
        let expected = run(model, one, 1, steps).bits();
        assert!(expected == run(model, many, 1, steps).bits(), "{what}, {many:?}");
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
        let (first, stiffness) = (one_class.positions().len() as u32, random.stiffness());
        for i in 0..count as u32 {
            one_class.add_particle(random.point(), [0.0; 3], 1.0).unwrap();
            one_class.add(Distance, [2 * i, first + i], [None], stiffness).unwrap();
        }
        same_order(&format!("{count} rows of {stiffness:?}"), &one_class, 5);
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
        let stiffness =
            [Stiffness::Factor(0.7), Stiffness::Compliance(1e-6), Stiffness::Damped(1e-5, 0.1)];
        let stiffness = stiffness[(columns + rows) % 3];
        for permutation in permutations(columns, rows) {
            let mut model = sheet(columns, rows, stiffness);
            model.settings.iterations = 2;
            let list = model.rows()[0].row_list();
            let coloring = first_fit(list, columns * rows, 0..list.len() as u32);
            let mut colors = vec![0; list.len()];
            for (color, members) in coloring.colors().iter().enumerate() {
                members.iter().for_each(|&row| colors[row as usize] = color as u16);
            }
            model.set_layout(GridLayout { permutation, layer: 1, colors: vec![colors] });
            same_order(&format!("{columns} x {rows}, {stiffness:?}"), &model, 2);
        }
    }
}

/// Rows added after a generator's layout keep both orders equal.
#[test]
fn rows_beside_a_layout() {
    let mut model = scene("cloth", 12);
    let mut random = Random(4);
    for i in 0..60 {
        let stiffness = Stiffness::Factor(random.unit());
        model.add(Distance, [i, 143 - i], [Some(0.5)], stiffness).unwrap();
    }
    same_order("cloth with stays", &model, 10);
}

/// A distance row as the engine's f32 has it: a, b, d, then k, α/h² and γ.
type FlatRow = (usize, usize, f32, f32, f32, f32);

/// A flat Gauss-Seidel loop from the papers' formulas.
struct FlatLoop {
    x: Vec<[f32; 3]>,
    v: Vec<[f32; 3]>,
    w: Vec<f32>,
    rows: Vec<FlatRow>,
    iterations: u32,
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

impl FlatLoop {
    /// Some particles at random places, with no row yet.
    fn random(random: &mut Random, count: usize, iterations: u32) -> Self {
        let w = (0..count).map(|_| random.within(0.1, 5.0) as f32);
        let mut w: Vec<f32> = w.collect();
        w[3] = 0.0;
        let mut points = || (0..count).map(|_| random.point().map(|v| v as f32)).collect();
        Self { x: points(), v: points(), w, rows: Vec::new(), iterations }
    }

    /// A row's numbers for substeps of `h` seconds.
    fn row(&self, [a, b]: [usize; 2], d: f32, stiffness: Stiffness, h: f64) -> FlatRow {
        let single = |v: f64| f64::from(v as f32);
        let iterations = f64::from(self.iterations);
        let (k, alpha, gamma) = match stiffness {
            Stiffness::Factor(k) => (1.0 - (1.0 - single(k)).powf(1.0 / iterations), 0.0, 0.0),
            Stiffness::Compliance(alpha) => (1.0, single(alpha) / (h * h), 0.0),
            Stiffness::Damped(alpha, beta) => {
                let alpha = single(alpha);
                (1.0, alpha / (h * h), alpha * single(beta) / h)
            }
            Stiffness::Material => unreachable!("a distance row has no material"),
        };
        (a, b, d, k as f32, alpha as f32, gamma as f32)
    }

    /// A substep of `h` seconds under gravity, velocities damped by 0.25 / s.
    fn substep(&mut self, h: f64) {
        let (kick, keep) = ((h * -9.81) as f32, (-0.25 * h).exp() as f32);
        let h = h as f32;
        let before = self.x.clone();
        for (i, x) in self.x.iter_mut().enumerate() {
            self.v[i][1] += if self.w[i] > 0.0 { kick } else { 0.0 };
            *x = std::array::from_fn(|axis| x[axis] + self.v[i][axis] * h);
        }
        let mut lambda = vec![0.0; self.rows.len()];
        for _ in 0..self.iterations {
            self.project(&before, &mut lambda);
        }
        for (i, before) in before.iter().enumerate().filter(|(i, _)| self.w[*i] > 0.0) {
            self.v[i] = minus(self.x[i], *before).map(|d| d / h * keep);
        }
    }

    fn project(&mut self, before: &[[f32; 3]], lambda: &mut [f32]) {
        let (x, w) = (&mut self.x, &self.w);
        for (&(a, b, d, k, alpha, gamma), lambda) in self.rows.iter().zip(lambda) {
            let g = minus(x[a], x[b]);
            let n = dot(g, g).sqrt();
            let c = n - d;
            let masses = w[a] + w[b];
            // Multipliers times n, the one division at the end.
            let moved = dot(g, minus(x[a], before[a])) - dot(g, minus(x[b], before[b]));
            let error = n * (-c - alpha * *lambda) - gamma * moved;
            let s = error / ((masses + gamma * masses + alpha) * dot(g, g)) * k;
            *lambda += s * n;
            for axis in 0..3 {
                x[a][axis] += g[axis] * (w[a] * s);
                x[b][axis] -= g[axis] * (w[b] * s);
            }
        }
    }
}

/// Whatever is authored in one order is simulated in that order: a flat Gauss-Seidel loop written here, from the papers'
/// formulas and nothing of the engine's, has the bits of `scalar` (S0-02..S0-09, S1-14, S1-18, S1-27, S2-01).
#[test]
fn scalar_is_the_flat_loop() {
    let mut random = Random(5);
    let (count, h) = (30_usize, 1.0 / 60.0 / 2.0);
    let mut flat = FlatLoop::random(&mut random, count, 7);
    let mut model = Model::new();
    model.settings.substeps = 2;
    model.settings.precision = Precision::Plain;
    model.settings.iterations = flat.iterations;
    model.settings.damping = 0.25;
    for i in 0..count {
        let (x, v) = (flat.x[i].map(f64::from), flat.v[i].map(f64::from));
        model.add_particle(x, v, flat.w[i].into()).unwrap();
    }
    for _ in 0..100 {
        let a = random.below(count);
        let b = (a + 1 + random.below(count - 1)) % count;
        let (d, stiffness) = (random.within(0.1, 2.0) as f32, random.stiffness());
        let pair = [a as u32, b as u32];
        let added = model.add(Distance, pair, [Some(d.into())], stiffness);
        added.unwrap();
        flat.rows.push(flat.row([a, b], d, stiffness, h));
    }
    let engine = run(&model, Method::Scalar, 1, 5);
    for _ in 0..5 * 2 {
        flat.substep(h);
    }
    let bits = |columns: &[[f32; 3]]| {
        let numbers = columns.as_flattened().iter();
        numbers.map(|v| v.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(bits(&engine.positions()), bits(&flat.x));
    assert_eq!(bits(&engine.velocities()), bits(&flat.v));
}
