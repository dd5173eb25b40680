//! Method `hybrid`: between averaged `jacobi` and `lanes`, and equal to each at its end.

use super::models::{Random, graph, rope, run, sheet};
use crate::coloring::Split;
use crate::constraints::Distance;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::scenes::Scene;
use crate::solvers::Method;

fn models() -> Vec<(&'static str, Model)> {
    let scene = |name: &str, size| Scene::find(name).unwrap().model(Some(size)).unwrap();
    let mut random = Random(11);
    let mut models = vec![
        ("cloth:20", scene("cloth", 20)),
        ("cloth:200, in tiles", scene("cloth", 200)),
        ("sheet:12, three kinds", scene("sheet", 12)),
        ("sheet, stiff", sheet(15, 9, Stiffness::Factor(0.8))),
        ("sphere:3", scene("sphere", 3)),
        ("kind-strain_tetrahedron", scene("kind-strain_tetrahedron", 4)),
        ("graph", graph(&mut random, 200, 800)),
        ("rope", rope(&mut random, 400)),
    ];
    for (_, model) in &mut models {
        (model.settings.substeps, model.settings.iterations) = (1, 3);
    }
    models
}

/// Colors enough give the bits of `lanes`, one color those of averaged `jacobi` (S1-33); inequalities count where they act.
#[test]
fn the_ends_are_lanes_and_jacobi() {
    for (name, mut model) in models() {
        for (colors, other) in [(1_000, Method::Lanes), (1, Method::Jacobi)] {
            model.settings.colors = colors;
            let expected = run(&model, other, 1, 3).bits();
            let outcome = run(&model, Method::Hybrid, 1, 3);
            assert!(outcome.bits() == expected, "{name}, {colors} colors");
        }
    }
}

/// The bits do not depend on the number of threads.
#[test]
fn threads_do_not_change_a_bit() {
    for (name, mut model) in models() {
        for (colors, split_mass) in [(2, false), (4, true), (12, false)] {
            (model.settings.colors, model.settings.split_mass) = (colors, split_mass);
            let expected = run(&model, Method::Hybrid, 1, 3).bits();
            for threads in [2, 3, 7] {
                let outcome = run(&model, Method::Hybrid, threads, 3);
                assert!(outcome.bits() == expected, "{name}, {colors} colors on {threads} threads");
            }
        }
    }
}

/// More colors take fewer iterations: the residual falls from one color to as many as are needed (S1-33, S1-38).
#[test]
fn more_colors_converge_faster() {
    let residual = |colors| {
        let mut model = Scene::find("cloth").unwrap().model(Some(16)).unwrap();
        (model.settings.colors, model.settings.iterations) = (colors, 20);
        let outcome = run(&model, Method::Hybrid, 1, 10);
        outcome.observe(&model).residual
    };
    let found = [1, 2, 4, 8].map(residual);
    println!("residual with 1, 2, 4, 8 colors: {found:?}");
    assert!(found.windows(2).all(|pair| pair[1] < pair[0]), "{found:?}");
}

/// A vertex of valence 4096 stays within the colors, whatever their number; every row keeps its particles.
#[test]
fn a_hub_stays_within_the_colors() {
    let mut model = Model::new();
    model.add_particle([0.0; 3], [0.0; 3], 1.0).unwrap();
    for i in 1..=4096_u32 {
        let angle = f64::from(i);
        let x = [angle.cos(), angle.sin(), f64::from(i) * 1e-3];
        model.add_particle(x, [0.0; 3], 1.0).unwrap();
        let stiffness = Stiffness::Compliance(1e-5);
        model.add(Distance, [0, i], [None], stiffness).unwrap();
    }
    for colors in [1, 2, 3, 12, 64, 4096] {
        let split = Split::new(&model.plan_input(), colors).unwrap();
        let used = split.plan.colorings[0].colors().len();
        assert!(used <= colors as usize, "{used} of {colors}");
        let copies: u32 = split.copied.iter().map(|c| c.copies).sum();
        let expected = if colors == 4096 { 0 } else { 4096_u32.div_ceil(colors) };
        assert_eq!(copies, expected, "{colors} colors");
        model.settings.colors = colors;
        assert!(run(&model, Method::Hybrid, 2, 5).finite());
    }
}

/// Copies that share their particle's mass keep the momentum (the issue's `split_mass`); f32 beside what went around.
#[test]
fn split_mass_keeps_the_momentum() {
    let changed = |split_mass| {
        let mut random = Random(5);
        let mut model = graph(&mut random, 60, 240);
        model.settings.gravity = [0.0; 3];
        (model.settings.colors, model.settings.split_mass) = (3, split_mass);
        let outcome = run(&model, Method::Hybrid, 1, 20);
        let sums = |v: &[[f32; 3]]| {
            let mut sums = [0.0_f64; 4];
            for (v, w) in v.iter().zip(model.inverse_masses()) {
                for axis in 0..3 {
                    sums[axis] += f64::from(v[axis] / w);
                    sums[3] += f64::from((v[axis] / w).abs());
                }
            }
            sums
        };
        let (before, after) = (sums(model.velocities()), sums(&outcome.velocities()));
        let change = (0..3).map(|axis| (after[axis] - before[axis]).abs());
        change.fold(0.0, f64::max) / after[3].max(before[3])
    };
    let (split, whole) = (changed(true), changed(false));
    assert!(split < 1e-3, "{split:e} changed");
    assert!(whole > 10.0 * split, "{whole:e} changed without");
}
