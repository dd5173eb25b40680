//! Whole trajectories and degenerate projections computed outside this project (`../shared/oracle`).
//!
//! Every recording whose rows are of known kinds runs; the others are skipped, saying so.

use super::models::run;
use crate::constraints::Distance;
use crate::model::Model;
use crate::rows::Strength;
use crate::solvers::{Method, Scalar};
use serde_json::Value;
use std::path::Path;

/// The folder, or nothing, said aloud, where the files are not at hand.
fn folder() -> Option<&'static Path> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/oracle"));
    if !path.is_dir() {
        eprintln!("skipped: no {}", path.display());
    }
    path.is_dir().then_some(path)
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn point(value: &Value) -> [f64; 3] {
    std::array::from_fn(|axis| number(&value[axis]))
}

fn row<const N: usize>(value: &Value) -> [u32; N] {
    std::array::from_fn(|slot| value["i"][slot].as_u64().unwrap() as u32)
}

/// Adds a recording's constraint; its type's name where it is not known.
fn add<'a>(model: &mut Model, c: &'a Value) -> Result<(), &'a str> {
    let rest = [c["rest"].as_f64()];
    match c["type"].as_str().unwrap() {
        "distance" => model.add(Distance, row(c), rest, Strength::Stiffness(number(&c["k"]))),
        "distance_xpbd" => {
            let strength = Strength::Compliance(number(&c["compliance"]));
            model.add(Distance, row(c), rest, strength)
        }
        unknown => return Err(unknown),
    }
    .unwrap();
    Ok(())
}

/// The model of a recording, or why it cannot be run.
fn model(recording: &Value) -> Result<Model, String> {
    let algorithm = recording["algorithm"].as_str().unwrap_or("none");
    if !algorithm.contains("immediately (Gauss-Seidel)") {
        return Err(format!("its algorithm is no Gauss-Seidel: {algorithm}"));
    }
    let setup = &recording["setup"];
    let mut model = Model::new();
    model.settings.gravity = point(&setup["g"]);
    model.settings.dt = number(&setup["dt"]);
    model.settings.iterations = number(&setup["iterations"]) as u32;
    for (i, x) in list(&setup["x0"]).iter().enumerate() {
        let v = setup.get("v0").map_or([0.0; 3], |v| point(&v[i]));
        model
            .add_particle(point(x), v, number(&setup["w"][i]))
            .unwrap();
    }
    for c in list(&setup["constraints"]) {
        add(&mut model, c).map_err(|kind| format!("no kind for \"{kind}\""))?;
    }
    Ok(model)
}

/// The largest distance between a coordinate and the recorded one.
fn distance<R: Into<f64> + Copy>(positions: &[[R; 3]], frame: &Value) -> f64 {
    let mut most = 0.0_f64;
    for (x, expected) in positions.iter().zip(list(frame)) {
        for (x, expected) in x.iter().zip(point(expected)) {
            let error = ((*x).into() - expected).abs();
            most = if error <= most { most } else { error }; // not a number counts
        }
    }
    most
}

/// `scalar` follows every recording within the tolerance suggested, at every frame (S0-01..S0-09, S1-05, S1-14, S2-01); in
/// f64 it follows to what the parameters' f32 leave, far closer than any other formula or order would.
#[test]
fn recorded_trajectories_are_reproduced() {
    let Some(folder) = folder() else { return };
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    names.sort();
    let mut ran = Vec::new();
    for path in names {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let recording = read(&path);
        if recording["frames"].is_null() {
            continue;
        }
        let model = match model(&recording) {
            Ok(model) => model,
            Err(why) => {
                eprintln!("skipped {name}: {why}");
                continue;
            }
        };
        let tolerance = number(&recording["suggested_tolerance"]);
        let stride = number(&recording["frame_stride"]) as usize;
        let (mut particles, mut solver) = Scalar::<f32>::authored(&model);
        let (mut exact_particles, mut exact) = Scalar::<f64>::authored(&model);
        let (mut worst, mut worst_exact) = (0.0_f64, 0.0_f64);
        for (k, frame) in list(&recording["frames"]).iter().enumerate() {
            for _ in 0..stride {
                solver.step(&mut particles);
                exact.step(&mut exact_particles);
            }
            assert_eq!(list(frame).len(), particles.positions().len(), "{name}");
            let error = distance(&particles.positions(), frame);
            assert!(
                error <= tolerance,
                "{name}, frame {k}: {error} > {tolerance}"
            );
            worst = worst.max(error);
            worst_exact = worst_exact.max(distance(&exact_particles.positions(), frame));
        }
        println!("{name}: {worst:e} of {tolerance:e} in f32, {worst_exact:e} in f64");
        assert!(
            worst_exact <= tolerance / 20.0,
            "{name}: {worst_exact:e} in f64"
        );
        ran.push(name);
    }
    for expected in ["o1_chain3_pbd", "o6_xpbd_spring"] {
        assert!(
            ran.iter().any(|name| name == expected),
            "{expected} did not run"
        );
    }
}

/// Degenerate rows stay finite and move nothing, alone and in full packets, by every method (S0-06).
#[test]
fn degenerate_rows_move_nothing() {
    let Some(folder) = folder() else { return };
    let vectors = read(&folder.join("kernel_vectors.json"));
    let mut seen = 0;
    for case in list(&vectors["degenerate"]) {
        let why = &case["why"];
        if case["kind"] != "distance" {
            eprintln!("skipped: {} ({why})", case["kind"]);
            continue;
        }
        seen += 1;
        let strengths = [
            Strength::Stiffness(1.0),
            Strength::Compliance(1e-7),
            Strength::Damped(1e-7, 1.0),
        ];
        for (strength, copies) in strengths
            .into_iter()
            .flat_map(|s| [(s, 1), (s, 8), (s, 17)])
        {
            let mut model = Model::new();
            model.settings.gravity = [0.0; 3];
            for copy in 0..copies {
                for (x, w) in list(&case["x"]).iter().zip(list(&case["inv_mass"])) {
                    model.add_particle(point(x), [0.0; 3], number(w)).unwrap();
                }
                let pair = row(&case["params"]).map(|i: u32| i + 2 * copy);
                let rest = [case["params"]["rest"].as_f64()];
                model.add(Distance, pair, rest, strength).unwrap();
            }
            for method in Method::ALL {
                let outcome = run(&model, method, 1, 2);
                assert!(outcome.finite(), "{why}, {method:?}, {strength:?}");
                assert_eq!(
                    outcome.positions(),
                    model.positions(),
                    "{why}, {method:?}, {strength:?}"
                );
            }
        }
    }
    assert!(seen >= 2);
}
