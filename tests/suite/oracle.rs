//! Recordings computed outside this project, through scene files and `taut run FILE --record`; and meshes as `soft`.

use crate::common::{data, folder, frames, shared, taut, write};
use serde_json::{Value, json};
use std::path::Path;

/// Numbers computed outside this project (tests/data/README.md).
const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");

/// A recording's setup as a scene file. Its k is that of one iteration: k = 1 - (1 - k')^n.
fn scene(setup: &Value, method: &str) -> Value {
    let iterations = setup["iterations"].as_f64().unwrap();
    let row = |c: &Value| {
        // What has no type or k is a stiff distance.
        let (kind, rest) = match c["type"].as_str().unwrap_or("distance") {
            "distance" => ("distance", "rest_length"),
            "dihedral" => ("bending", "angle"),
            "volume" => ("volume", "rest_volume"),
            other => panic!("{other} is no kind here"),
        };
        let k = 1.0 - (1.0 - c["k"].as_f64().unwrap_or(1.0)).powf(iterations);
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
        "taut": 1, "gravity": setup["g"], "dt": setup["dt"], "iterations": iterations, "method": method,
        "omega": setup.get("omega").cloned().unwrap_or(json!(1.0)),
        "particles": particles, "constraints": rows.into_iter().map(row).collect::<Vec<_>>(),
        "groups": groups.into_iter().map(group).collect::<Vec<_>>()
    })
}

/// The recordings of `oracle` by the methods they are of.
fn follows_the_recordings(oracle: &Path) {
    let folder = folder(&format!("oracle {}", oracle.components().count()));
    for (name, method, tolerance) in [
        ("o2_cloth8_dist_dihedral_pbd", "scalar", 1e-4),
        ("o3_cloth8_jacobi_w1.0", "jacobi", 2.522e-5),
        ("o4_tet_volume_pbd", "scalar", 2.58e-5),
        ("o5_shape_matching_cube", "scalar", 2.39e-4),
        ("o8_ibds_pendulum", "impulse", 1.715e-5),
    ] {
        let recording = data(oracle, name);
        let path = write(
            &folder,
            "scene.json",
            scene(&recording["setup"], method).to_string(),
        );
        let expected = recording["frames"].as_array().unwrap();
        let stride = recording["frame_stride"].as_u64().unwrap() as usize;
        let target = folder.join("record.json");
        let count = (stride * expected.len()).to_string();
        let target = target.to_str().unwrap();
        taut(&["run", &path, "--frames", &count, "--record", target]).done();
        let recorded: Value = serde_json::from_slice(&std::fs::read(target).unwrap()).unwrap();
        let mut worst = 0.0_f64;
        let recorded = frames(&recorded);
        for (k, expected) in expected.iter().enumerate() {
            for (i, x) in recorded[stride * (k + 1) - 1].iter().enumerate() {
                for (axis, x) in x.iter().enumerate() {
                    let expected = expected[i][axis].as_f64().unwrap();
                    worst = worst.max((f64::from(*x) - expected).abs());
                }
            }
        }
        println!("{name}: {worst:.1e} m of {tolerance:.1e}");
        assert!(worst < tolerance, "{name}: {worst} m");
    }
}

#[test]
fn recordings_are_reproduced_through_files() {
    follows_the_recordings(Path::new(DATA));
}

#[test]
#[ignore = "needs ../shared: every frame of the recordings"]
fn every_recorded_frame_is_reproduced_through_files() {
    follows_the_recordings(&shared("oracle"));
}

/// Single projections of closed surfaces; the file's `rest` is the sum over triangles, six times the true volume (E4).
#[test]
fn pressure_agrees_with_the_vectors() {
    let folder = folder("pressure");
    let vectors = data(Path::new(DATA), "kernel_vectors");
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
#[ignore = "needs ../shared: real meshes"]
fn a_balloon_takes_its_volume() {
    let meshes = shared("meshes");
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
#[ignore = "needs ../shared: real meshes"]
fn a_soft_mesh() {
    let meshes = shared("meshes");
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

/// A finer mesh rides on a tetrahedron and is what `--obj` writes; numbers read back to the same f32.
#[test]
fn a_visual_mesh_rides() {
    let folder = folder("visual");
    write(
        &folder,
        "a.node",
        "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n",
    );
    write(&folder, "a.ele", "1 4 0\n0 0 1 2 3\n");
    write(
        &folder,
        "fine.obj",
        "v 0.1 0.1 0.1\nv 0.5 0.25 0.125\nv 0 0 1\nf 1 2 3\n",
    );
    let scene = json!({"taut": 1, "meshes": [{
        "file": "a.node", "as": "soft", "visual": "fine.obj", "scale": 2, "translate": [0, 5, 0], "pin": [0]
    }]});
    let path = write(&folder, "scene.json", scene.to_string());
    let (target, out) = (folder.join("record.json"), folder.join("obj"));
    let arguments = [
        "run",
        &path,
        "--frames",
        "20",
        "--record",
        target.to_str().unwrap(),
    ];
    taut(&[&arguments[..], &["--obj", out.to_str().unwrap()]].concat()).done();
    let recorded: Value = serde_json::from_slice(&std::fs::read(target).unwrap()).unwrap();
    let x = &frames(&recorded)[19];
    let text = std::fs::read_to_string(out.join("frame_0020.obj")).unwrap();
    let vertices: Vec<Vec<f32>> = text
        .lines()
        .filter_map(|line| line.strip_prefix("v "))
        .map(|line| line.split(' ').map(|v| v.parse().unwrap()).collect())
        .collect();
    assert_eq!(
        text.lines()
            .filter(|line| line.starts_with("f "))
            .collect::<Vec<_>>(),
        ["f 1 2 3"]
    );
    let weights = [
        [0.7, 0.1, 0.1, 0.1],
        [0.125, 0.5, 0.25, 0.125],
        [0.0, 0.0, 0.0, 1.0],
    ];
    for (vertex, weights) in vertices.iter().zip(weights) {
        for axis in 0..3 {
            let expected: f32 = (0..4).map(|i| weights[i] * x[i][axis]).sum();
            assert!((vertex[axis] - expected).abs() < 1e-5, "{vertex:?}");
        }
    }
    assert_ne!(x[3], [0.0, 5.0, 2.0], "it swings about its pin");
}

/// What a mesh's form does not have, and surfaces that enclose nothing, are refused with their place.
#[test]
fn meshes_are_refused() {
    let folder = folder("refused meshes");
    write(
        &folder,
        "open.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n",
    );
    write(
        &folder,
        "flipped.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 4 3\n",
    );
    write(
        &folder,
        "closed.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nv 9 9 9\n",
    );
    for (mesh, says) in [
        (
            json!({"file": "open.obj", "as": "balloon"}),
            "boundary edges 3",
        ),
        (
            json!({"file": "flipped.obj", "as": "balloon"}),
            "edges wound wrongly 3",
        ),
        (
            json!({"file": "closed.obj", "as": "jelly", "stretch": {}}),
            "\"jelly\" has no stretch",
        ),
        (
            json!({"file": "closed.obj", "as": "soft"}),
            "needs tetrahedra",
        ),
        (
            json!({"file": "closed.obj", "as": "cloth", "material": "mithril"}),
            "unknown material",
        ),
        (
            json!({"file": "closed.obj", "as": "cloth", "material": "silk", "bend": {}}),
            "follows from the material",
        ),
        (
            json!({"file": ".", "as": "jelly"}),
            "unknown kind of mesh file",
        ),
        (json!({"file": "none.ply", "as": "jelly"}), "none.ply"),
        (
            json!({"file": "closed.obj", "as": "rope"}),
            "cloth balloon soft jelly",
        ),
    ] {
        let scene = json!({"taut": 1, "meshes": [mesh]});
        let path = write(&folder, "scene.json", scene.to_string());
        let call = taut(&["run", &path, "--frames", "1"]);
        let line = call.refused(2);
        assert!(line.contains(says) && line.contains("meshes[0]"), "{line}");
    }
    // The vertex of no face is kept, and stays where it is.
    for form in ["balloon", "jelly", "cloth"] {
        let scene = json!({"taut": 1, "meshes": [{"file": "closed.obj", "as": form}]});
        let path = write(&folder, "scene.json", scene.to_string());
        let target = folder.join("record.json");
        taut(&[
            "run",
            &path,
            "--frames",
            "60",
            "--record",
            target.to_str().unwrap(),
        ])
        .done();
        let recorded: Value = serde_json::from_slice(&std::fs::read(target).unwrap()).unwrap();
        assert_eq!(frames(&recorded)[59][4], [9.0, 9.0, 9.0]);
    }
    let groups = [
        (
            json!({"kind": "pressure", "triangles": [[0, 1, 2]]}),
            "boundary edges 3",
        ),
        (
            json!({"kind": "shape", "particles": []}),
            "a cluster has some",
        ),
        (
            json!({"kind": "shape", "particles": [0, 7]}),
            "particles[1]",
        ),
        (
            json!({"kind": "shape", "particles": [0, 1], "creep": 1}),
            "flat at rest",
        ),
        (
            json!({"kind": "shape", "particles": [0, 1], "rest": [[0, 0, 0]]}),
            "one rest position",
        ),
        (json!({"kind": "blob"}), "pressure shape"),
        (
            json!({"kind": "shape", "particles": [0], "k": 1}),
            "unknown key",
        ),
    ];
    for (group, says) in groups {
        let scene = json!({"taut": 1, "particles": {"position": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}, "groups": [group]});
        let path = write(&folder, "scene.json", scene.to_string());
        let call = taut(&["run", &path, "--frames", "1"]);
        let line = call.refused(2);
        assert!(line.contains(says) && line.contains("groups[0]"), "{line}");
    }
}

/// The rigid pendulum of Deul et al. through a file; quaternions are w x y z there, x y z w here. The form of Müller et al.
/// differs from it by what one substep's turn makes of the velocity.
fn follows_the_recorded_body(oracle: &Path) {
    let folder = folder(&format!("oracle bodies {}", oracle.components().count()));
    let recording = data(oracle, "o9_rigid_ball_pendulum_deul");
    let stride = recording["frame_stride"].as_u64().unwrap() as usize;
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
            let pose = &recorded["bodies"][stride * (i + 1) - 1][0];
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

#[test]
fn a_recorded_body_is_reproduced() {
    follows_the_recorded_body(Path::new(DATA));
}

#[test]
#[ignore = "needs ../shared: every frame of the recording"]
fn every_frame_of_a_recorded_body_is_reproduced() {
    follows_the_recorded_body(&shared("oracle"));
}
