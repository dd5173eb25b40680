//! Single projections, trajectories and degenerate rows computed outside this project: `tests/data`, numbers only.

use super::models::run;
use super::sample::{How, project_once, sites};
use crate::constraints::{Bending, Constraint, Distance, Stiff, Triangle, Volume};
use crate::math::Vec3;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::solvers::{Method, Scalar};
use serde_json::Value;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data");

fn read(folder: &str, name: &str) -> Value {
    let path = format!("{folder}/{name}.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn point(value: &Value) -> [f64; 3] {
    std::array::from_fn(|axis| number(&value[axis]))
}

fn points<const N: usize>(value: &Value) -> [Vec3<f64>; N] {
    std::array::from_fn(|i| Vec3::of(point(&value[i])))
}

/// Projects `entry` in f32 and returns the points after.
fn projected<C: Constraint<N, 1, 1>, const N: usize>(_: C, entry: &Value) -> Vec<Vec3<f64>> {
    let params = &entry["params"];
    let how = How { stiffness: params["k"].as_f64().unwrap_or(1.0), damping: 0.0, h: 1.0 };
    let p = params["rest"].as_f64().or(params["h"].as_f64());
    let w = std::array::from_fn(|i| number(&entry["inv_mass"][i]));
    let x = points(&entry["x"]);
    let mut s = sites::<f32, N>(x, w);
    project_once::<C, Stiff, _, N, 1, 1>(&mut s, x, [p.expect("a parameter")], how, &mut [0.0]);
    s.map(|s| Vec3::of([s.x.x, s.x.y, s.x.z].map(f64::from))).to_vec()
}

#[test]
fn kernels_agree_with_the_vectors() {
    let mut compared = 0;
    for entry in list(&read(DATA, "kernel_vectors")["vectors"]) {
        let after = match entry["kind"].as_str() {
            Some("distance") => projected(Distance, entry),
            Some("dihedral") => projected(Bending, entry),
            Some("volume") => projected(Volume, entry),
            Some("pointtri") => projected(Triangle, entry),
            Some("pressure") => continue, // a group: tested through files
            other => panic!("{other:?} is no kind here"),
        };
        compared += 1;
        for (a, e) in after.iter().zip(list(&entry["x_after"])) {
            for (a, e) in a.to_array().into_iter().zip(point(e)) {
                let tolerance = 2e-5 * e.abs().max(1.0);
                assert!((a - e).abs() <= tolerance, "{a} for {e} in {entry}");
            }
        }
    }
    assert_eq!(compared, 96);
}

/// Adds a row of a recording's type; `first` is its first particle, `c` has its indices and parameter.
fn add(model: &mut Model, kind: &Value, c: &Value, first: u32, stiffness: Stiffness) {
    fn row<const N: usize>(c: &Value, first: u32) -> [u32; N] {
        std::array::from_fn(|slot| first + number(&c["i"][slot]) as u32)
    }
    let rest = [c["rest"].as_f64().or(c["h"].as_f64())];
    match kind.as_str() {
        Some("distance" | "distance_xpbd") => model.add(Distance, row(c, first), rest, stiffness),
        Some("dihedral") => model.add(Bending, row(c, first), rest, stiffness),
        Some("volume") => model.add(Volume, row(c, first), rest, stiffness),
        Some("pointtri") => model.add(Triangle, row(c, first), rest, stiffness),
        other => panic!("{other:?} is no kind here"),
    }
    .expect("a row");
}

/// The model of a recording. Its k is that of one iteration, k = 1 - (1 - k')^n.
fn model(recording: &Value) -> Model {
    let setup = &recording["setup"];
    let mut model = Model::new();
    model.settings.gravity = point(&setup["g"]);
    model.settings.dt = number(&setup["dt"]);
    model.settings.iterations = number(&setup["iterations"]) as u32;
    for (i, x) in list(&setup["x0"]).iter().enumerate() {
        let v = setup.get("v0").map_or([0.0; 3], |v| point(&v[i]));
        let added = model.add_particle(point(x), v, number(&setup["w"][i]));
        added.expect("a particle");
    }
    for c in list(&setup["constraints"]) {
        let stiffness = match c["compliance"].as_f64() {
            Some(alpha) => Stiffness::Compliance(alpha),
            None => {
                let left = (1.0 - number(&c["k"])).powi(model.settings.iterations as i32);
                Stiffness::Factor(1.0 - left)
            }
        };
        add(&mut model, &c["type"], c, 0, stiffness);
    }
    model
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

/// `scalar` follows the recordings of `folder` at every frame in f32 (S0-01..S0-09, S1-05, S1-14, S2-01); in f64 it follows to
/// what the parameters' f32 leave, far closer than any other formula or order would.
fn follows_the_recordings(folder: &str) {
    for (name, tolerance) in [
        ("o1_chain3_pbd", 2.83e-5),
        ("o2_cloth8_dist_dihedral_pbd", 1e-4),
        ("o4_tet_volume_pbd", 2.58e-5),
        ("o6_xpbd_spring", 3.48e-5),
    ] {
        let recording = read(folder, name);
        let model = model(&recording);
        let stride = number(&recording["frame_stride"]) as usize;
        let (mut particles, mut solver) = Scalar::<f32>::authored(&model);
        let (mut exact_particles, mut exact) = Scalar::<f64>::authored(&model);
        let (mut worst, mut worst_exact) = (0.0_f64, 0.0_f64);
        let frames = list(&recording["frames"]);
        assert!(frames.len() * stride >= 20, "{name}");
        for frame in frames {
            for _ in 0..stride {
                solver.step(&mut particles);
                exact.step(&mut exact_particles);
            }
            assert_eq!(list(frame).len(), particles.positions().len(), "{name}");
            worst = worst.max(distance(&particles.positions(), frame));
            worst_exact = worst_exact.max(distance(&exact_particles.positions(), frame));
        }
        println!("{name}: {worst:e} of {tolerance:e} in f32, {worst_exact:e} in f64");
        assert!(worst <= tolerance, "{name}: {worst:e}");
        let least = tolerance / 20.0;
        assert!(worst_exact <= least, "{name}: {worst_exact:e} in f64");
    }
}

#[test]
fn recorded_trajectories_are_reproduced() {
    follows_the_recordings(DATA);
}

#[test]
#[ignore = "needs ../shared: every frame of the recordings"]
fn every_recorded_frame_is_reproduced() {
    follows_the_recordings(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/oracle"));
}

/// Degenerate rows stay finite and move nothing, alone and in full packets, by every method (S0-06).
#[test]
fn degenerate_rows_move_nothing() {
    let vectors = read(DATA, "kernel_vectors");
    let cases = list(&vectors["degenerate"]);
    assert_eq!(cases.len(), 6);
    let stiffness =
        [Stiffness::Factor(1.0), Stiffness::Compliance(1e-7), Stiffness::Damped(1e-7, 1.0)];
    for case in cases {
        for (stiffness, copies) in stiffness.into_iter().flat_map(|s| [(s, 1), (s, 8), (s, 17)]) {
            let mut model = Model::new();
            model.settings.gravity = [0.0; 3];
            for _ in 0..copies {
                let first = model.positions().len() as u32;
                for (x, w) in list(&case["x"]).iter().zip(list(&case["inv_mass"])) {
                    model.add_particle(point(x), [0.0; 3], number(w)).unwrap();
                }
                add(&mut model, &case["kind"], &case["params"], first, stiffness);
            }
            for method in Method::ALL {
                let outcome = run(&model, method, 1, 2);
                assert!(outcome.finite(), "{case}, {method:?}, {stiffness:?}");
                assert_eq!(
                    outcome.positions(),
                    model.positions(),
                    "{case}, {method:?}, {stiffness:?}"
                );
            }
        }
    }
}
