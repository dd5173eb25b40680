//! Single projections and trajectories computed outside this project (`../shared/oracle`).
#![cfg(feature = "files")]

use super::sample::{How, project_once, sites};
use crate::constraints::{Bending, Constraint, Distance, Stiff, Triangle, Volume};
use crate::math::Vec3;
use crate::model::Model;
use crate::rows::Strength;
use crate::{Method, Simulation};
use serde_json::Value;

/// A file of the oracle, or `None` where it is not here.
fn read(name: &str) -> Option<Value> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/oracle/");
    let Ok(text) = std::fs::read_to_string(format!("{directory}{name}")) else {
        println!("skipped: {directory}{name} is not here");
        return None;
    };
    Some(serde_json::from_str(&text).expect("valid JSON"))
}

fn points<const N: usize>(value: &Value) -> [Vec3<f64>; N] {
    let number = |i: usize, axis: usize| value[i][axis].as_f64().expect("a coordinate");
    std::array::from_fn(|i| Vec3::new(number(i, 0), number(i, 1), number(i, 2)))
}

/// Projects `entry` in f32 and returns the points after.
fn projected<C: Constraint<N, 1, 1>, const N: usize>(_: C, entry: &Value) -> Vec<Vec3<f64>> {
    let params = &entry["params"];
    let how = How {
        strength: params["k"].as_f64().unwrap_or(1.0),
        damping: 0.0,
        h: 1.0,
    };
    let p = params["rest"].as_f64().or(params["h"].as_f64());
    let w = std::array::from_fn(|i| entry["inv_mass"][i].as_f64().expect("an inverse mass"));
    let x = points(&entry["x"]);
    let mut s = sites::<f32, N>(x, w);
    project_once::<C, Stiff, _, N, 1, 1>(&mut s, x, [p.expect("a parameter")], how, &mut [0.0]);
    s.map(|s| Vec3::of([s.x.x, s.x.y, s.x.z].map(f64::from)))
        .to_vec()
}

fn by_name(entry: &Value) -> Option<Vec<Vec3<f64>>> {
    Some(match entry["kind"].as_str()? {
        "distance" => projected(Distance, entry),
        "dihedral" => projected(Bending, entry),
        "volume" => projected(Volume, entry),
        "pointtri" => projected(Triangle, entry),
        _ => return None,
    })
}

#[test]
fn kernels_agree_with_the_vectors() {
    let Some(file) = read("kernel_vectors.json") else {
        return;
    };
    let mut compared = 0;
    for entry in file["vectors"].as_array().expect("vectors") {
        let Some(after) = by_name(entry) else {
            continue; // pressure is a group
        };
        compared += 1;
        let expected: [Vec3<f64>; 4] = points(&entry["x_after"]);
        for (a, e) in after.iter().zip(expected) {
            for (a, e) in [a.x, a.y, a.z].into_iter().zip([e.x, e.y, e.z]) {
                let tolerance = 2e-5 * e.abs().max(1.0);
                assert!((a - e).abs() <= tolerance, "{a} for {e} in {entry}");
            }
        }
    }
    assert_eq!(compared, 96);
    for entry in file["degenerate"].as_array().expect("degenerate cases") {
        let after = by_name(entry).expect("a kind");
        let before = entry["x"].as_array().expect("points").len();
        assert_eq!(after.len(), before);
        for (i, a) in after.iter().enumerate() {
            for (axis, a) in [a.x, a.y, a.z].into_iter().enumerate() {
                let x = entry["x"][i][axis].as_f64().expect("a coordinate") as f32;
                assert_eq!(a, f64::from(x), "moved: {entry}");
            }
        }
    }
}

/// The model that a trajectory file describes; its stiffnesses are those of one iteration.
fn model(setup: &Value) -> Model {
    let mut model = Model::new();
    let float = |value: &Value| value.as_f64().expect("a number");
    model.settings.dt = float(&setup["dt"]);
    model.settings.iterations = setup["iterations"].as_u64().expect("iterations") as u32;
    model.settings.gravity = [0, 1, 2].map(|axis| float(&setup["g"][axis]));
    let positions = setup["x0"].as_array().expect("positions");
    for (x, w) in positions.iter().zip(setup["w"].as_array().expect("w")) {
        let x = [0, 1, 2].map(|axis| float(&x[axis]));
        model
            .add_particle(x, [0.0; 3], float(w))
            .expect("a particle");
    }
    for row in setup["constraints"].as_array().expect("constraints") {
        let i = |slot: usize| row["i"][slot].as_u64().expect("an index") as u32;
        let rest = [Some(float(&row["rest"]))];
        let left = (1.0 - float(&row["k"])).powi(model.settings.iterations as i32);
        let strength = Strength::Stiffness(1.0 - left);
        let four = [0, 1, 2, 3];
        let added = match row["type"].as_str() {
            Some("distance") => model.add(Distance, [i(0), i(1)], rest, strength),
            Some("dihedral") => model.add(Bending, four.map(i), rest, strength),
            Some("volume") => model.add(Volume, four.map(i), rest, strength),
            other => panic!("{other:?} is no kind here"),
        };
        added.expect("a row");
    }
    model
}

#[test]
fn trajectories_agree() {
    for (name, tolerance) in [
        ("o2_cloth8_dist_dihedral_pbd.json", 1e-4),
        ("o4_tet_volume_pbd.json", 2.58e-5),
    ] {
        let Some(file) = read(name) else {
            continue;
        };
        let model = model(&file["setup"]);
        let mut simulation = Simulation::new(model, Method::Scalar, 1).expect("a simulation");
        let mut largest = 0.0_f64;
        for frame in file["frames"].as_array().expect("frames") {
            simulation.step();
            for (i, x) in simulation.positions().into_iter().enumerate() {
                for (axis, x) in x.into_iter().enumerate() {
                    let expected = frame[i][axis].as_f64().expect("a coordinate");
                    largest = largest.max((f64::from(x) - expected).abs());
                }
            }
        }
        println!("{name}: {largest:.1e} m");
        assert!(largest < tolerance, "{name}: {largest} m");
    }
}
