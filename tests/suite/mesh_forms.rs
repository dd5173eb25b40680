//! Meshes of a scene file as what they are said to be: cloth, balloon, soft, jelly; and groups.

use crate::common::{folder, frames, recorded, shared, taut, write};
use serde_json::{Value, json};
use std::path::Path;

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
    let names: Vec<&str> = kinds.iter().map(|kind| kind["kind"].as_str().unwrap()).collect();
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
    write(&folder, "strip.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3\nf 1 3 4\n");
    let scene = r#"{"taut": 1, "meshes": [{"file": "strip.obj", "as": "cloth", "pin": [0]}]}"#;
    let path = write(&folder, "cloth.json", scene);
    let seen = taut(&["inspect", &path, "--json", "-"]).json();
    let rows: Vec<(&str, u64)> = seen["kinds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| (kind["kind"].as_str().unwrap(), kind["rows"].as_u64().unwrap()))
        .collect();
    assert_eq!(rows, [("distance", 5), ("bending", 1)]);
}

/// A mesh goes as fast as it is told, its pins not at all.
#[test]
fn a_mesh_is_thrown() {
    let folder = folder("thrown mesh");
    write(&folder, "strip.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3\nf 1 3 4\n");
    let at_the_end = |pin: &[u32]| {
        let mesh = json!({"file": "strip.obj", "as": "cloth", "velocity": [3, 0, -2], "pin": pin});
        let scene = json!({"taut": 1, "gravity": [0, 0, 0], "meshes": [mesh]});
        let path = write(&folder, "thrown.json", scene.to_string());
        let target = folder.join("thrown.record.json");
        let record = ["--record", target.to_str().unwrap()];
        taut(&[&["run", &path, "--frames", "60"][..], &record].concat()).done();
        let recorded: Value = serde_json::from_slice(&std::fs::read(target).unwrap()).unwrap();
        frames(&recorded).swap_remove(59)
    };
    let start = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]];
    for (x, from) in at_the_end(&[]).iter().zip(start) {
        // One second.
        for (axis, way) in [3.0, 0.0, -2.0].into_iter().enumerate() {
            assert!((x[axis] - from[axis] - way).abs() < 1e-4, "{x:?}");
        }
    }
    assert_eq!(at_the_end(&[2])[2][..], start[2]);
}

/// A finer mesh rides on a tetrahedron and is what `--obj` writes; numbers read back to the same f32.
#[test]
fn a_visual_mesh_rides() {
    let folder = folder("visual");
    write(&folder, "a.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n");
    write(&folder, "a.ele", "1 4 0\n0 0 1 2 3\n");
    write(&folder, "fine.obj", "v 0.1 0.1 0.1\nv 0.5 0.25 0.125\nv 0 0 1\nf 1 2 3\n");
    let scene = json!({"taut": 1, "meshes": [{
        "file": "a.node", "as": "soft", "visual": "fine.obj", "scale": 2, "translate": [0, 5, 0], "pin": [0]
    }]});
    let path = write(&folder, "scene.json", scene.to_string());
    let (target, out) = (folder.join("record.json"), folder.join("obj"));
    let arguments = ["run", &path, "--frames", "20", "--record", target.to_str().unwrap()];
    taut(&[&arguments[..], &["--obj", out.to_str().unwrap()]].concat()).done();
    let recorded: Value = serde_json::from_slice(&std::fs::read(target).unwrap()).unwrap();
    let x = &frames(&recorded)[19];
    let text = std::fs::read_to_string(out.join("frame_0020.obj")).unwrap();
    let vertices: Vec<Vec<f32>> = text
        .lines()
        .filter_map(|line| line.strip_prefix("v "))
        .map(|line| line.split(' ').map(|v| v.parse().unwrap()).collect())
        .collect();
    assert_eq!(text.lines().filter(|line| line.starts_with("f ")).collect::<Vec<_>>(), ["f 1 2 3"]);
    let weights = [[0.7, 0.1, 0.1, 0.1], [0.125, 0.5, 0.25, 0.125], [0.0, 0.0, 0.0, 1.0]];
    for (vertex, weights) in vertices.iter().zip(weights) {
        for axis in 0..3 {
            let expected: f32 = (0..4).map(|i| weights[i] * x[i][axis]).sum();
            assert!((vertex[axis] - expected).abs() < 1e-5, "{vertex:?}");
        }
    }
    assert_ne!(x[3], [0.0, 5.0, 2.0], "it swings about its pin");
}

/// Scenes of which one entry of `section` is wrong are refused with its place.
fn refused(folder: &Path, scene: &Value, section: &str, bad: &[(Value, &str)]) {
    for (entry, says) in bad {
        let mut scene = scene.clone();
        scene[section] = json!([entry]);
        let path = write(folder, "scene.json", scene.to_string());
        let call = taut(&["run", &path, "--frames", "1"]);
        let line = call.refused(2);
        let place = format!("{section}[0]");
        assert!(line.contains(says) && line.contains(&place), "{line}");
    }
}

const CLOSED: &str =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nv 9 9 9\n";

/// What a mesh's form does not have, and surfaces that enclose nothing, are refused with their place.
#[test]
fn meshes_are_refused() {
    let folder = folder("refused meshes");
    write(&folder, "open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
    write(
        &folder,
        "flipped.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 4 3\n",
    );
    write(&folder, "closed.obj", CLOSED);
    let bad = [
        (
            json!({"file": "open.obj", "as": "balloon"}),
            "3 edges are open; the surface must be closed",
        ),
        (json!({"file": "flipped.obj", "as": "balloon"}), "3 edges are wound wrongly"),
        (json!({"file": "closed.obj", "as": "jelly", "stretch": {}}), "\"jelly\" has no stretch"),
        (json!({"file": "closed.obj", "as": "soft"}), "needs tetrahedra"),
        (json!({"file": "closed.obj", "as": "cloth", "material": "mithril"}), "unknown material"),
        (
            json!({"file": "closed.obj", "as": "cloth", "material": "silk", "bend": {}}),
            "follows from the material",
        ),
        (json!({"file": ".", "as": "jelly"}), "unknown kind of mesh file"),
        (json!({"file": "none.ply", "as": "jelly"}), "none.ply"),
        (json!({"file": "closed.obj", "as": "rope"}), "cloth balloon soft jelly"),
    ];
    refused(&folder, &json!({"taut": 1}), "meshes", &bad);
}

/// The vertex of no face is kept, and stays where it is.
#[test]
fn a_free_vertex_stays() {
    let folder = folder("free vertex");
    write(&folder, "closed.obj", CLOSED);
    for form in ["balloon", "jelly", "cloth"] {
        let scene = json!({"taut": 1, "meshes": [{"file": "closed.obj", "as": form}]});
        let (_, recorded) = recorded(&folder, scene.to_string(), 60);
        assert_eq!(frames(&recorded)[59][4], [9.0, 9.0, 9.0]);
    }
}

/// Groups of too few or unknown particles are refused with their place.
#[test]
fn groups_are_refused() {
    let folder = folder("refused groups");
    let bad = [
        (
            json!({"kind": "pressure", "triangles": [[0, 1, 2]]}),
            "3 edges are open; the surface must be closed",
        ),
        (json!({"kind": "shape", "particles": []}), "a cluster has some"),
        (json!({"kind": "shape", "particles": [0, 7]}), "particles[1]"),
        (json!({"kind": "shape", "particles": [0, 1], "creep": 1}), "flat at rest"),
        (json!({"kind": "shape", "particles": [0, 1], "rest": [[0, 0, 0]]}), "one rest position"),
        (json!({"kind": "blob"}), "pressure shape"),
        (json!({"kind": "shape", "particles": [0], "k": 1}), "unknown key"),
    ];
    let places = [[0, 0, 0], [1, 0, 0], [0, 1, 0]];
    let scene = json!({"taut": 1, "particles": {"position": places}});
    refused(&folder, &scene, "groups", &bad);
}
