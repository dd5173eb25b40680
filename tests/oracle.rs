//! Recordings computed outside this project, through scene files and `taut run FILE --record`; and meshes as `soft`.
#![cfg(feature = "cli")]

mod common;

use common::{folder, frames, shared, taut, write};
use serde_json::{Value, json};

/// A recording's setup as a scene file. Its k is that of one iteration: k = 1 - (1 - k')^n.
fn scene(setup: &Value) -> Value {
    let iterations = setup["iterations"].as_f64().unwrap();
    let row = |c: &Value| {
        let (kind, rest) = match c["type"].as_str().unwrap() {
            "distance" => ("distance", "rest_length"),
            "dihedral" => ("bending", "angle"),
            "volume" => ("volume", "rest_volume"),
            other => panic!("{other} is no kind here"),
        };
        let k = 1.0 - (1.0 - c["k"].as_f64().unwrap()).powf(iterations);
        json!({"kind": kind, "particles": c["i"], rest: c["rest"], "stiffness": k})
    };
    let rows: Vec<Value> = setup["constraints"]
        .as_array()
        .unwrap()
        .iter()
        .map(row)
        .collect();
    json!({
        "taut": 1, "gravity": setup["g"], "dt": setup["dt"], "iterations": iterations, "method": "scalar",
        "particles": {"position": setup["x0"], "inverse_mass": setup["w"]}, "constraints": rows
    })
}

#[test]
fn recordings_are_reproduced_through_files() {
    let Some(oracle) = shared("oracle") else {
        return;
    };
    let folder = folder("oracle");
    for (name, tolerance) in [
        ("o2_cloth8_dist_dihedral_pbd", 1e-4),
        ("o4_tet_volume_pbd", 2.58e-5),
    ] {
        let text = std::fs::read_to_string(oracle.join(format!("{name}.json"))).unwrap();
        let recording: Value = serde_json::from_str(&text).unwrap();
        let path = write(
            &folder,
            "scene.json",
            scene(&recording["setup"]).to_string(),
        );
        let expected = recording["frames"].as_array().unwrap();
        let target = folder.join("record.json");
        let count = expected.len().to_string();
        let target = target.to_str().unwrap();
        taut(&["run", &path, "--frames", &count, "--record", target]).done();
        let recorded: Value = serde_json::from_slice(&std::fs::read(target).unwrap()).unwrap();
        let mut worst = 0.0_f64;
        for (frame, expected) in frames(&recorded).iter().zip(expected) {
            for (i, x) in frame.iter().enumerate() {
                for (axis, x) in x.iter().enumerate() {
                    let expected = expected[i][axis].as_f64().unwrap();
                    worst = worst.max((f64::from(*x) - expected).abs());
                }
            }
        }
        println!("{name}: {worst:.1e} m");
        assert!(worst < tolerance, "{name}: {worst} m");
    }
}

/// A tetrahedral mesh falls as one piece, and its rows are edges and volumes.
#[test]
fn a_soft_mesh() {
    let Some(meshes) = shared("meshes") else {
        return;
    };
    let folder = folder("soft");
    let file = meshes.join("codim_armadillo2.5K.node");
    let scene = json!({
        "taut": 1,
        "meshes": [{"file": file.to_str().unwrap(), "as": "soft", "scale": 0.01, "pin": [0],
            "stretch": {"compliance": 1e-4}, "volume": {"stiffness": 0.8}}]
    });
    let path = write(&folder, "soft.json", scene.to_string());
    let seen = taut(&["inspect", &path, "--json", "-"]).json();
    let kinds = seen["kinds"].as_array().unwrap();
    let names: Vec<&str> = kinds
        .iter()
        .map(|kind| kind["kind"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["distance", "volume"]);
    assert_eq!(seen["particles"], 2542);
    assert_eq!(kinds[1]["rows"], 9199);
    let report = taut(&["run", &path, "--frames", "60", "--json", "-"]).json();
    assert_eq!(report["finite"], true);
}

/// A cloth bends: its hinges are rows too, behind its edges.
#[test]
fn a_cloth_mesh_bends() {
    let folder = folder("cloth mesh");
    write(
        &folder,
        "strip.obj",
        "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3\nf 1 3 4\n",
    );
    let scene = r#"{"taut": 1, "meshes": [{"file": "strip.obj", "as": "cloth", "pin": [0]}]}"#;
    let path = write(&folder, "cloth.json", scene);
    let seen = taut(&["inspect", &path, "--json", "-"]).json();
    let rows: Vec<(&str, u64)> = seen["kinds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| {
            (
                kind["kind"].as_str().unwrap(),
                kind["rows"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(rows, [("distance", 5), ("bending", 1)]);
}

/// The rigid pendulum of Deul et al. through a file; quaternions are w x y z there, x y z w here. The form of Müller et al.
/// differs from it by what one substep's turn makes of the velocity.
#[test]
fn a_recorded_body_is_reproduced() {
    let Some(oracle) = shared("oracle") else {
        return;
    };
    let folder = folder("oracle bodies");
    let text = std::fs::read_to_string(oracle.join("o9_rigid_ball_pendulum_deul.json")).unwrap();
    let recording: Value = serde_json::from_str(&text).unwrap();
    let (setup, body) = (&recording["setup"], &recording["setup"]["body"]);
    let turned = |q: &Value| json!([q[1], q[2], q[3], q[0]]);
    for (rigid, method, tolerance) in [
        ("deul", "scalar", 1e-5),
        ("deul", "lanes", 1e-5),
        ("mueller", "lanes", 0.1),
    ] {
        let scene = json!({
            "taut": 1, "gravity": setup["g"], "dt": setup["dt"], "substeps": setup["substeps"],
            "iterations": setup["iterations"], "rigid": rigid, "gyro": "explicit", "method": method,
            "bodies": [{"shape": "box", "size": setup["half_extents"], "mass": body["m"], "position": body["x"],
                "orientation": turned(&body["q"]), "velocity": body["v"], "angular_velocity": body["w"]}],
            "joints": [{"kind": "ball", "bodies": [0, -1], "anchor": setup["world_anchor"]}]
        });
        let path = write(&folder, "scene.json", scene.to_string());
        let target = folder.join("record.json");
        let target = target.to_str().unwrap();
        taut(&["run", &path, "--frames", "120", "--record", target]).done();
        let recorded: Value = serde_json::from_slice(&std::fs::read(target).unwrap()).unwrap();
        let mut worst = 0.0_f64;
        for (i, expected) in recording["frames"].as_array().unwrap().iter().enumerate() {
            let pose = &recorded["bodies"][i][0];
            let q = turned(&recording["quaternions"][i]);
            let at = |list: &Value, k: usize| list[k].as_f64().unwrap();
            let dot: f64 = (0..4).map(|k| at(pose, 3 + k) * at(&q, k)).sum();
            for k in 0..3 {
                worst = worst.max((at(pose, k) - at(expected, k)).abs());
            }
            for k in 0..4 {
                worst = worst.max((at(pose, 3 + k) - dot.signum() * at(&q, k)).abs());
            }
        }
        println!("o9, {rigid}, {method}: {worst:.1e}");
        assert!(worst < tolerance, "{rigid}: {worst}");
    }
}
