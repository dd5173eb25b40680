//! Contacts as a user has them: in scene files, refused or simulated.

use crate::common::{folder, frames, recorded, shared, taut, write};

/// A scene of one falling particle, with `sections` added.
fn falling(sections: &str) -> String {
    format!(
        r#"{{"taut": 1, "substeps": 4, "particles": {{"position": [[0, 0.5, 0], [0.3, 0.5, 0]]}}, {sections}}}"#
    )
}

const SQUARE: &str = "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 4 3 2\n";

/// Two triangles, one through the other.
const TANGLED: &str =
    "v -1 0 -1\nv 1 0 -1\nv 0 0 1\nv 0 -1 0\nv 0 1 0\nv 0.1 1 0.2\nf 1 2 3\nf 4 5 6\n";

/// Sections of a scene, and what their refusal says.
const BAD: [(&str, [&str; 2]); 18] = [
    (r#""colliders": [{"shape": "cube"}]"#, ["colliders[0].shape", "plane sphere box"]),
    (r#""colliders": [{"shape": "sphere", "center": [0, 0, 0], "radius": 0}]"#, ["radius", "0"]),
    (
        r#""colliders": [{"shape": "sphere", "center": [0, 1e99, 0], "radius": 1}]"#,
        ["center", "finite"],
    ),
    (
        r#""colliders": [{"shape": "sphere", "center": [0, 0], "radius": 1}]"#,
        ["center", "colliders[0]"],
    ),
    (
        r#""colliders": [{"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 0]}]"#,
        ["normal", "0"],
    ),
    (
        r#""colliders": [{"shape": "box", "center": [0, 0, 0], "half_size": [1, -1, 1]}]"#,
        ["half_size", "-1"],
    ),
    (r#""colliders": [{"shape": "mesh", "file": "line.obj"}]"#, ["area", "colliders[0].triangles"]),
    (r#""colliders": [{"shape": "mesh", "file": "none.obj"}]"#, ["none.obj", "colliders[0].file"]),
    (
        r#""colliders": [{"shape": "sphere", "center": [0, 0, 0], "radius": 1, "friction": -1}]"#,
        ["friction", "-1"],
    ),
    (
        r#""colliders": [{"shape": "sphere", "center": [0, 0, 0], "radius": 1, "sticky": 1}]"#,
        ["sticky", "restitution"],
    ),
    (r#""contacts": {"radius": -1}"#, ["contacts.radius", "-1"]),
    (r#""contacts": {"restitution": 2}"#, ["contacts.restitution", "2"]),
    (r#""contacts": {"pairs": true}"#, ["radius", "pairs"]),
    (r#""contacts": {"particles": [7]}"#, ["contacts.particles[0]", "7"]),
    (r#""contacts": {"particles": [1, 1]}"#, ["particles", "twice"]),
    (r#""contacts": {"detect": "never"}"#, ["detect", "frame substep iteration"]),
    (
        r#""contacts": {"self": [{"mesh": 0, "thickness": 0.1}]}"#,
        ["contacts.self[0].mesh", "no meshes"],
    ),
    (
        r#""meshes": [{"file": "tangled.obj", "as": "cloth"}],
        "contacts": {"self": [{"mesh": 0, "thickness": 0.01, "tangled": "refuse"}]}"#,
        ["self[0]", "tangled"],
    ),
];

/// What starts tangled runs unless it is to be refused, and it is told how many edges pass through triangles.
#[test]
fn a_tangled_cloth_is_told() {
    let folder = folder("tangled");
    write(&folder, "tangled.obj", TANGLED);
    let text = falling(
        r#""gravity": [0, 0, 0], "meshes": [{"file": "tangled.obj", "as": "cloth"}],
        "contacts": {"self": [{"mesh": 0, "thickness": 0.01}]}"#,
    );
    let path = write(&folder, "scene.json", &text);
    let found = taut(&["inspect", &path]);
    assert!(found.stdout.contains("2 edges pass through triangles"), "{}", found.stdout);
    let first = taut(&["run", &path, "--frames", "1", "--json", "-"]).stdout;
    assert!(first.contains(r#""tangled": 2"#), "{first}");
    let last = taut(&["run", &path, "--frames", "180", "--json", "-"]).stdout;
    assert!(last.contains(r#""tangled": 0"#), "{last}");
}

/// Each is refused before the first step, with its place and value.
#[test]
fn bad_contacts_are_refused() {
    let folder = folder("bad contacts");
    write(&folder, "line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    write(&folder, "square.obj", SQUARE);
    write(&folder, "tangled.obj", TANGLED);
    for (sections, says) in BAD {
        let path = write(&folder, "bad.json", falling(sections));
        let refused = taut(&["run", &path, "--frames", "1"]);
        let line = refused.refused(2);
        assert!(says.iter().all(|part| line.contains(part)), "{sections}: {line}");
    }
}

/// Every shape of a scene file holds what falls on it; a mesh with open edges is told to be a sheet.
#[test]
fn colliders_in_files_hold() {
    let folder = folder("colliders");
    write(&folder, "square.obj", SQUARE);
    let shapes = [
        r#"{"shape": "plane", "point": [0, 0, 0], "normal": [0, 2, 0]}"#,
        r#"{"shape": "sphere", "center": [0, -50, 0], "radius": 50}"#,
        r#"{"shape": "box", "center": [0, -1, 0], "half_size": [2, 1, 2]}"#,
        r#"{"shape": "capsule", "a": [-9, -1, 0], "b": [9, -1, 0], "radius": 1}"#,
        r#"{"shape": "mesh", "file": "square.obj", "scale": 2}"#,
    ];
    for shape in shapes {
        let text = falling(&format!(
            r#""colliders": [{shape}], "contacts": {{"radius": 0.05, "friction": 0.5}}"#
        ));
        let (call, recording) = recorded(&folder, text, 60);
        assert_eq!(call.stderr.contains("two sides"), shape.contains("mesh"), "{}", call.stderr);
        for x in frames(&recording).last().unwrap() {
            assert!((x[1] - 0.05).abs() < 0.002, "{shape}: at {x:?}");
        }
    }
}

/// A cloth on the bunny: after six seconds it rests, and no particle is inside.
#[test]
#[ignore = "needs ../shared: real meshes"]
fn a_cloth_on_the_bunny_comes_to_rest() {
    let meshes = shared("meshes");
    let folder = folder("bunny");
    let file = |name: &str| meshes.join(name).canonicalize().unwrap().display().to_string();
    let text = format!(
        r#"{{"taut": 1, "substeps": 8, "iterations": 2, "damping": 2,
        "meshes": [{{"file": "{}", "as": "cloth", "scale": 0.1, "rotate": [0.70710678, 0, 0, 0.70710678],
            "translate": [0, 0.85, 0], "bend": {{"compliance": 10}}, "stretch": {{"compliance": 1e-6}}}}],
        "colliders": [{{"shape": "mesh", "file": "{}"}}],
        "contacts": {{"radius": 0.02, "friction": 0.7}}}}"#,
        file("ipc_sheet1000.obj"),
        file("bunny_3k.obj"),
    );
    let (_, recording) = recorded(&folder, text, 360);
    let frames = frames(&recording);
    let [.., before, last] = &frames[..] else { panic!() };
    let moved = |(a, b): (&[f32; 3], &[f32; 3])| {
        let square: f32 = (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum();
        f64::from(square.sqrt()) * 60.0
    };
    let v = before.iter().zip(last).map(moved).fold(0.0, f64::max);
    let lowest = last.iter().fold(f32::MAX, |least, x| least.min(x[1]));
    println!("cloth on the bunny after 6 s: {v:.1e} m/s, lowest at {lowest} m");
    assert!(v < 0.01, "{v} m/s");
    assert!(lowest > -1.5, "it fell off: {lowest} m");
}
