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
    let group = |c: &Value| {
        let k = 1.0 - (1.0 - c["k"].as_f64().unwrap()).powf(iterations);
        json!({"kind": "shape", "particles": c["i"], "rest": c["rest"], "stiffness": k})
    };
    let all = setup["constraints"].as_array().unwrap().iter();
    let (groups, rows): (Vec<&Value>, Vec<&Value>) = all.partition(|c| c["type"] == "shape");
    let mut particles = json!({"position": setup["x0"], "inverse_mass": setup["w"]});
    if !setup["v0"].is_null() {
        particles["velocity"] = setup["v0"].clone();
    }
    json!({
        "taut": 1, "gravity": setup["g"], "dt": setup["dt"], "iterations": iterations, "method": "scalar",
        "particles": particles, "constraints": rows.into_iter().map(row).collect::<Vec<_>>(),
        "groups": groups.into_iter().map(group).collect::<Vec<_>>()
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
        ("o5_shape_matching_cube", 2.39e-4),
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

/// Single projections of closed surfaces; the file's `rest` is the sum over triangles, six times the true volume (E4).
#[test]
fn pressure_agrees_with_the_vectors() {
    let Some(oracle) = shared("oracle") else {
        return;
    };
    let folder = folder("pressure");
    let text = std::fs::read_to_string(oracle.join("kernel_vectors.json")).unwrap();
    let vectors: Value = serde_json::from_str(&text).unwrap();
    let mut seen = 0;
    for entry in vectors["vectors"].as_array().unwrap() {
        if entry["kind"] != "pressure" {
            continue;
        }
        seen += 1;
        let params = &entry["params"];
        let rest = params["rest"].as_f64().unwrap() / 6.0;
        let method = ["scalar", "lanes"][seen % 2];
        let scene = json!({
            "taut": 1, "gravity": [0, 0, 0], "dt": 1, "iterations": 1, "method": method,
            "particles": {"position": entry["x"], "inverse_mass": entry["inv_mass"]},
            "groups": [{"kind": "pressure", "triangles": params["tris"], "pressure": params["kp"],
                "rest_volume": rest, "stiffness": params["k"]}]
        });
        let path = write(&folder, "scene.json", scene.to_string());
        let target = folder.join("record.json");
        let target = target.to_str().unwrap();
        taut(&["run", &path, "--frames", "1", "--record", target]).done();
        let recorded: Value = serde_json::from_slice(&std::fs::read(target).unwrap()).unwrap();
        let expected = entry["x_after"].as_array().unwrap();
        for (x, expected) in frames(&recorded)[0].iter().zip(expected) {
            for (axis, x) in x.iter().enumerate() {
                let expected = expected[axis].as_f64().unwrap();
                let tolerance = 2e-5 * expected.abs().max(1.0);
                assert!(
                    (f64::from(*x) - expected).abs() < tolerance,
                    "{x} for {expected}"
                );
            }
        }
    }
    assert_eq!(seen, 8);
}

/// A balloon with pressure alone takes on k times its volume in ten iterations.
#[test]
fn a_balloon_takes_its_volume() {
    let Some(meshes) = shared("meshes") else {
        return;
    };
    let folder = folder("balloon");
    let text = std::fs::read_to_string(meshes.join("sphere_642.obj")).unwrap();
    let numbers = |line: &str| -> Vec<f64> {
        let words = line.split_whitespace().skip(1);
        words
            .map(|w| w.split('/').next().unwrap().parse().unwrap())
            .collect()
    };
    let lines = |start: &str| {
        text.lines()
            .filter(|l| l.starts_with(start))
            .map(numbers)
            .collect::<Vec<_>>()
    };
    let vertices = lines("v ");
    let triangles: Vec<Vec<usize>> = lines("f ")
        .iter()
        .map(|f| f.iter().map(|i| *i as usize - 1).collect())
        .collect();
    let volume = |x: &dyn Fn(usize) -> [f64; 3]| -> f64 {
        let six = triangles.iter().map(|t| {
            let [a, b, c] = [x(t[0]), x(t[1]), x(t[2])];
            a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        });
        six.sum::<f64>() / 6.0
    };
    let before = volume(&|i| [vertices[i][0], vertices[i][1], vertices[i][2]]);
    for k in [0.5, 1.0, 2.0, 3.0] {
        let scene = json!({
            "taut": 1, "gravity": [0, 0, 0], "iterations": 10, "particles": {"position": vertices},
            "groups": [{"kind": "pressure", "triangles": triangles, "pressure": k}]
        });
        let path = write(&folder, "scene.json", scene.to_string());
        let target = folder.join("record.json");
        let target = target.to_str().unwrap();
        taut(&["run", &path, "--frames", "1", "--record", target]).done();
        let recorded: Value = serde_json::from_slice(&std::fs::read(target).unwrap()).unwrap();
        let frame = &frames(&recorded)[0];
        let after = volume(&|i| frame[i].map(f64::from));
        println!("pressure {k}: volume {:.6} of {:.6}", after, k * before);
        assert!(
            (after / (k * before) - 1.0).abs() < 1e-4,
            "{k}: {after} of {before}"
        );
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
