//! Malformed and borderline scene files: each is refused with what, where and the value, or loads and stays finite.
#![cfg(feature = "cli")]

mod common;

use common::{folder, shared, taut, write};
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};

/// Two particles and what stands beside them.
fn two(rest: &str) -> String {
    format!(r#"{{"taut": 1, "particles": {{"position": [[0,0,0],[1,0,0]]}}, {rest}}}"#)
}

/// One row between two particles: `particles` and what stands beside them.
fn row(particles: &str, rest: &str) -> String {
    two(&format!(
        r#""constraints": [{{"kind": "distance", "particles": {particles}{rest}}}]"#
    ))
}

/// Particle columns.
fn columns(columns: &str) -> String {
    format!(r#"{{"taut": 1, "particles": {{{columns}}}}}"#)
}

/// One setting.
fn setting(setting: &str) -> String {
    format!(r#"{{"taut": 1, {setting}}}"#)
}

/// One mesh.
fn mesh(rest: &str) -> String {
    format!(r#"{{"taut": 1, "meshes": [{{"file": "square.obj", "as": "cloth"{rest}}}]}}"#)
}

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n";

/// Every malformed scene: its name, its text, and what its message must hold.
fn malformed() -> Vec<(&'static str, String, &'static [&'static str])> {
    let positions = r#""position": [[0,0,0],[1,0,0]]"#;
    let beside = |rest: &str| columns(&format!("{positions}, {rest}"));
    vec![
        // Indices.
        (
            "index out of range",
            row("[0,2]", ""),
            &["constraints[0].particles[1]", "2"],
        ),
        (
            "index negative",
            row("[-1,1]", ""),
            &["constraints[0].particles[0]", "-1"],
        ),
        (
            "index 2^31",
            row("[0,2147483648]", ""),
            &["constraints[0].particles[1]", "2147483648"],
        ),
        (
            "index 2^32",
            row("[0,4294967296]", ""),
            &["constraints[0].particles[1]", "4294967296"],
        ),
        (
            "index 1.5",
            row("[0,1.5]", ""),
            &["constraints[0].particles[1]", "1.5"],
        ),
        (
            "index text",
            row("[0,\"1\"]", ""),
            &["constraints[0].particles[1]", "\"1\""],
        ),
        (
            "particle twice",
            row("[1,1]", ""),
            &["constraints[0]", "particle 1", "twice"],
        ),
        (
            "three particles",
            row("[0,1,0]", ""),
            &["constraints[0].particles", "3"],
        ),
        (
            "one particle",
            row("[0]", ""),
            &["constraints[0].particles", "1"],
        ),
        (
            "no particles named",
            two(r#""constraints": [{"kind": "distance"}]"#),
            &["constraints[0]", "particles"],
        ),
        (
            "a row without particles to name",
            setting(r#""constraints": [{"kind": "distance", "particles": [0,1]}]"#),
            &["constraints[0].particles[0]", "0"],
        ),
        // Numbers that are none.
        (
            "position NaN",
            columns(r#""position": [[0,NaN,0]]"#),
            &[":1"],
        ),
        (
            "position Infinity",
            columns(r#""position": [[0,Infinity,0]]"#),
            &[":1"],
        ),
        (
            "position 1e999",
            columns(r#""position": [[0,1e999,0]]"#),
            &[":1", "number out of range"],
        ),
        (
            "position 1e39",
            columns(r#""position": [[0,1e39,0]]"#),
            &["particles.position[0][1]", "finite"],
        ),
        (
            "position null",
            columns(r#""position": [[0,null,0]]"#),
            &["particles.position[0][1]", "null"],
        ),
        (
            "position text",
            columns(r#""position": [[0,"nan",0]]"#),
            &["particles.position[0][1]", "nan"],
        ),
        (
            "position of two",
            columns(r#""position": [[0,0]]"#),
            &["particles.position[0]", "3"],
        ),
        (
            "position of four",
            columns(r#""position": [[0,0,0,0]]"#),
            &["particles.position[0]", "3"],
        ),
        (
            "position no list",
            columns(r#""position": 3"#),
            &["particles.position", "3"],
        ),
        (
            "velocity NaN",
            beside(r#""velocity": [[0,0,0],[NaN,0,0]]"#),
            &[":1"],
        ),
        (
            "velocity 1e999",
            beside(r#""velocity": [[0,0,0],[1e999,0,0]]"#),
            &[":1", "number out of range"],
        ),
        (
            "velocity -1e39",
            beside(r#""velocity": [[0,0,0],[-1e39,0,0]]"#),
            &["particles.velocity[1][0]", "finite"],
        ),
        // Masses.
        (
            "mass negative",
            beside(r#""mass": [1,-2]"#),
            &["particles.mass[1]", "-2"],
        ),
        (
            "mass zero",
            beside(r#""mass": [0,1]"#),
            &["particles.mass[0]", "0"],
        ),
        ("mass NaN", beside(r#""mass": [1,NaN]"#), &[":1"]),
        (
            "mass 1e39",
            beside(r#""mass": [1,1e39]"#),
            &["particles.mass[1]", "finite"],
        ),
        (
            "mass 1e-50",
            beside(r#""mass": [1,1e-50]"#),
            &["inverse_mass[1]", "finite"],
        ),
        (
            "inverse mass negative",
            beside(r#""inverse_mass": [1,-0.5]"#),
            &["particles.inverse_mass[1]", "-0.5"],
        ),
        (
            "inverse mass 1e39",
            beside(r#""inverse_mass": [1e39,1]"#),
            &["particles.inverse_mass[0]", "finite"],
        ),
        (
            "mass and inverse mass",
            beside(r#""mass": [1,1], "inverse_mass": [1,1]"#),
            &["particles", "mass", "inverse_mass"],
        ),
        (
            "masses too few",
            beside(r#""mass": [1]"#),
            &["particles.mass", "1 entries for 2"],
        ),
        (
            "inverse masses too many",
            beside(r#""inverse_mass": [1,1,1]"#),
            &["particles.inverse_mass", "3 entries for 2"],
        ),
        (
            "velocities too few",
            beside(r#""velocity": [[0,0,0]]"#),
            &["particles.velocity", "1 entries for 2"],
        ),
        // Parameters and strengths.
        (
            "compliance negative",
            row("[0,1]", r#", "compliance": -1e-9"#),
            &["constraints[0].compliance", "-0.000000001"],
        ),
        (
            "compliance 1e39",
            row("[0,1]", r#", "compliance": 1e39"#),
            &["constraints[0].compliance", "finite"],
        ),
        (
            "compliance 1e999",
            row("[0,1]", r#", "compliance": 1e999"#),
            &[":1", "number out of range"],
        ),
        (
            "rest length negative",
            row("[0,1]", r#", "rest_length": -1"#),
            &["constraints[0].rest_length", "-1"],
        ),
        (
            "rest length 1e39",
            row("[0,1]", r#", "rest_length": 1e39"#),
            &["constraints[0].rest_length", "finite"],
        ),
        (
            "rest length NaN",
            row("[0,1]", r#", "rest_length": NaN"#),
            &[":1"],
        ),
        (
            "stiffness -0.1",
            row("[0,1]", r#", "stiffness": -0.1"#),
            &["constraints[0].stiffness", "-0.1"],
        ),
        (
            "stiffness 1.1",
            row("[0,1]", r#", "stiffness": 1.1"#),
            &["constraints[0].stiffness", "1.1"],
        ),
        (
            "stiffness 1e999",
            row("[0,1]", r#", "stiffness": 1e999"#),
            &[":1", "number out of range"],
        ),
        (
            "damping negative",
            row("[0,1]", r#", "compliance": 1, "damping": -1"#),
            &["constraints[0].damping", "-1"],
        ),
        (
            "damping alone",
            row("[0,1]", r#", "damping": 1"#),
            &["constraints[0]", "damping"],
        ),
        (
            "stiffness and damping",
            row("[0,1]", r#", "stiffness": 1, "damping": 1"#),
            &["constraints[0]", "damping"],
        ),
        (
            "stiffness and compliance",
            row("[0,1]", r#", "stiffness": 1, "compliance": 0"#),
            &["constraints[0]", "stiffness", "compliance"],
        ),
        (
            "the third row",
            two(
                r#""constraints": [{"kind":"distance","particles":[0,1]}, {"kind":"distance","particles":[0,1]},
                {"kind":"distance","particles":[0,1],"stiffness":7}]"#,
            ),
            &["constraints[2].stiffness", "7"],
        ),
        // Settings.
        ("dt 0", setting(r#""dt": 0"#), &["dt", "0"]),
        ("dt -1", setting(r#""dt": -1"#), &["dt", "-1"]),
        (
            "dt 1e999",
            setting(r#""dt": 1e999"#),
            &[":1", "number out of range"],
        ),
        ("dt 1e39", setting(r#""dt": 1e39"#), &["dt", "finite"]),
        ("dt 1e-50", setting(r#""dt": 1e-50"#), &["dt", "positive"]),
        ("dt text", setting(r#""dt": "fast""#), &["dt", "fast"]),
        (
            "substeps 0",
            setting(r#""substeps": 0"#),
            &["substeps", "0"],
        ),
        (
            "substeps 2^32",
            setting(r#""substeps": 4294967296"#),
            &["substeps", "4294967296"],
        ),
        (
            "iterations 2^32",
            setting(r#""iterations": 4294967296"#),
            &["iterations", "4294967296"],
        ),
        (
            "iterations 1.5",
            setting(r#""iterations": 1.5"#),
            &["iterations", "1.5"],
        ),
        (
            "iterations -1",
            setting(r#""iterations": -1"#),
            &["iterations", "-1"],
        ),
        (
            "gravity of two",
            setting(r#""gravity": [0,-9.81]"#),
            &["gravity", "3"],
        ),
        (
            "gravity 1e39",
            setting(r#""gravity": [0,-1e39,0]"#),
            &["gravity[1]", "finite"],
        ),
        (
            "damping of motion -1",
            setting(r#""damping": -1"#),
            &["damping", "-1"],
        ),
        ("threads 0", setting(r#""threads": 0"#), &["threads", "0"]),
        (
            "threads 1e6",
            setting(r#""threads": 1000000"#),
            &["threads", "1000000"],
        ),
        ("name no text", setting(r#""name": 3"#), &["name", "3"]),
        // Words that are not known.
        (
            "unknown key",
            setting(r#""particle": {}"#),
            &["unknown key \"particle\"", "particles"],
        ),
        (
            "unknown key in a row",
            row("[0,1]", r#", "rest": 1"#),
            &["constraints[0]", "unknown key \"rest\"", "rest_length"],
        ),
        (
            "unknown key in particles",
            beside(r#""masses": [1,1]"#),
            &["particles", "unknown key \"masses\"", "inverse_mass"],
        ),
        (
            "unknown key in a mesh",
            mesh(r#", "size": 3"#),
            &["meshes[0]", "unknown key \"size\"", "scale"],
        ),
        (
            "unknown kind",
            two(r#""constraints": [{"kind": "distanse", "particles": [0,1]}]"#),
            &["constraints[0].kind", "distanse", "distance"],
        ),
        (
            "no kind",
            two(r#""constraints": [{"particles": [0,1]}]"#),
            &["constraints[0]", "kind"],
        ),
        (
            "a row that is none",
            two(r#""constraints": [7]"#),
            &["constraints[0]", "7"],
        ),
        (
            "unknown method",
            setting(r#""method": "fast""#),
            &["method", "fast", "scalar colored lanes"],
        ),
        (
            "long word",
            setting(&format!("\"{}\": 1", "k".repeat(100_000))),
            &["unknown key"],
        ),
        (
            "word of escapes",
            setting("\"\\u001b[31m\\n\": 1"),
            &["unknown key", "\\u{1b}"],
        ),
        // The version.
        ("no version", "{}".into(), &["\"taut\" is missing"]),
        ("version 2", r#"{"taut": 2}"#.into(), &["taut", "2"]),
        (
            "version text",
            r#"{"taut": "1"}"#.into(),
            &["taut", "\"1\""],
        ),
        // Files that are no JSON objects.
        ("empty", String::new(), &["EOF"]),
        ("blank", " \n\n".into(), &["EOF"]),
        (
            "truncated",
            r#"{"taut": 1, "particles": {"position": [[0,0"#.into(),
            &[":1", "EOF"],
        ),
        ("not JSON", "v 0 0 0\nv 1 0 0\n".into(), &[":1"]),
        ("a list", "[1]".into(), &["must be an object"]),
        ("a number", "1".into(), &["must be an object"]),
        (
            "trailing garbage",
            "{\"taut\": 1}\n{\"taut\": 1}".into(),
            &[":2", "trailing"],
        ),
        ("a comma too many", "{\"taut\": 1,\n}".into(), &[":2"]),
        (
            "an error on line 4",
            "{\n\"taut\": 1,\n\n\"dt\": oops}".into(),
            &[":4"],
        ),
        (
            "key twice",
            "{\"taut\": 1,\n\"dt\": 1,\n\"dt\": 2}".into(),
            &[":3", "\"dt\"", "twice"],
        ),
        (
            "key twice in a row",
            row("[0,1]", r#", "particles": [1,0]"#),
            &["\"particles\"", "twice"],
        ),
        ("10^5 brackets", "[".repeat(100_000), &["recursion limit"]),
        (
            "10^5 objects",
            "{\"a\":".repeat(100_000),
            &["recursion limit"],
        ),
        // Meshes.
        (
            "mesh that does not exist",
            mesh("").replace("square", "nothing"),
            &["meshes[0].file", "nothing.obj"],
        ),
        (
            "mesh of another kind",
            mesh("").replace("square.obj", "bad.json"),
            &["meshes[0].file", "bad.json", ".obj"],
        ),
        (
            "mesh that is a directory",
            mesh("").replace("square.obj", "folder.obj"),
            &["meshes[0].file", "folder.obj"],
        ),
        (
            "mesh without a file",
            r#"{"taut": 1, "meshes": [{"as": "cloth"}]}"#.into(),
            &["meshes[0]", "file"],
        ),
        (
            "mesh as nothing",
            mesh("").replace("cloth", "paper"),
            &["meshes[0].as", "paper", "cloth"],
        ),
        (
            "pin out of range",
            mesh(r#", "pin": [0, 4]"#),
            &["meshes[0].pin[1]", "4"],
        ),
        (
            "pin negative",
            mesh(r#", "pin": [-1]"#),
            &["meshes[0].pin[0]", "-1"],
        ),
        (
            "mesh mass 0",
            mesh(r#", "mass": 0"#),
            &["meshes[0].mass", "0"],
        ),
        (
            "mesh mass -1",
            mesh(r#", "mass": -1"#),
            &["meshes[0].mass", "-1"],
        ),
        (
            "mesh scale 0",
            mesh(r#", "scale": 0"#),
            &["meshes[0].scale", "0"],
        ),
        (
            "mesh scaled beyond f32",
            mesh(r#", "scale": 1e38, "translate": [3.4e38,0,0]"#),
            &["meshes[0]", "finite"],
        ),
        (
            "mesh turned by no rotation",
            mesh(r#", "rotate": [0,0,0,0]"#),
            &["meshes[0].rotate"],
        ),
        (
            "mesh stretch 2",
            mesh(r#", "stretch": {"stiffness": 2}"#),
            &["meshes[0].stretch.stiffness", "2"],
        ),
        (
            "cloth with a volume",
            mesh(r#", "volume": {"stiffness": 1}"#),
            &["meshes[0].volume", "cloth"],
        ),
        (
            "soft with bending",
            mesh(r#", "bend": {"stiffness": 1}"#).replace("cloth", "soft"),
            &["meshes[0].bend", "soft"],
        ),
        (
            "soft without tetrahedra",
            mesh("").replace("cloth", "soft"),
            &["meshes[0].file", "tetrahedra"],
        ),
        (
            "mesh bend 2",
            mesh(r#", "bend": {"stiffness": 2}"#),
            &["meshes[0].bend.stiffness", "2"],
        ),
        (
            "rigid damping 2",
            setting(r#""rigid_damping": 2"#),
            &["rigid_damping", "2"],
        ),
        (
            "response unknown",
            setting(r#""response": "ibds""#),
            &["response", "ibds", "as given", "xpbd"],
        ),
        (
            "mesh stretch unknown",
            mesh(r#", "stretch": {"stiff": 1}"#),
            &["meshes[0].stretch", "stiff"],
        ),
    ]
}

/// Every malformed scene is refused before the first step: exit 2, one line with file, place and value, soon (issue 2).
#[test]
fn malformed_scenes_are_refused() {
    let folder = folder("malformed scenes");
    write(&folder, "square.obj", SQUARE);
    std::fs::create_dir(folder.join("folder.obj")).unwrap();
    let mut wrong = Vec::new();
    for (what, text, says) in malformed() {
        let path = write(&folder, "bad.json", &text);
        let started = Instant::now();
        let refused = taut(&["run", &path, "--frames", "1"]);
        let line = match refused.code {
            2 => refused.refused(2),
            code => {
                wrong.push(format!("{what}: exit {code}"));
                continue;
            }
        };
        // The file once, and beyond it a short message.
        let short = line.chars().count() < path.chars().count() + 560;
        let told = line.contains(&path) && says.iter().all(|part| line.contains(part));
        if !told || !short || started.elapsed() > Duration::from_secs(20) {
            wrong.push(format!("{what}: {line}, without {says:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Bad parameters, strengths and particles of every registered kind are refused by place and value.
#[test]
fn bad_rows_of_every_kind_are_refused() {
    let folder = folder("bad rows");
    let mut wrong = Vec::new();
    for kind in taut::constraints::kinds() {
        let particles: Vec<usize> = (0..kind.particles).collect();
        let mut good = serde_json::json!({"kind": kind.name, "particles": particles});
        for param in &kind.params {
            good[param.name] = match (param.axis, param.name) {
                (Some(_), _) => serde_json::json!([0, 1, 0]),
                (None, "poisson") => 0.3.into(),
                _ => 1.5.into(),
            };
        }
        let mut cases = vec![("stiffness", Value::from(1.5), "1.5".to_string())];
        if kind.name != "neo_hookean" {
            cases.push(("compliance", (-0.25).into(), "-0.25".into()));
        }
        if kind.particles > 1 {
            let mut twice = particles.clone();
            twice[0] = 1;
            cases.push(("particles", twice.into(), "1 is named twice".into()));
        }
        cases.push((
            "particles",
            Value::from(vec![99; kind.particles]),
            "99".into(),
        ));
        for param in &kind.params {
            let value = |v: f64| match param.axis {
                Some(_) => serde_json::json!([0, v, 0]),
                None => v.into(),
            };
            cases.push((param.name, value(1e300), "1e300".into()));
            cases.push((param.name, "long".into(), "long".into()));
            if param.range.least.is_finite() {
                let low = param.range.least - 2.5;
                cases.push((param.name, value(low), low.to_string()));
            }
        }
        let scene = |row: &Value| {
            let places = [[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 1]];
            serde_json::json!({"taut": 1, "particles": {"position": places}, "constraints": [row]})
        };
        let path = write(&folder, "row.json", scene(&good).to_string());
        taut(&["run", &path, "--frames", "1"]).done();
        for (key, value, says) in cases {
            let mut row = good.clone();
            row[key] = value;
            let path = write(&folder, "row.json", scene(&row).to_string());
            let refused = taut(&["run", &path, "--frames", "1"]);
            let line = refused.refused(2);
            if !line.contains("constraints[0]") || !line.contains(key) || !line.contains(&says) {
                wrong.push(format!("{} {key}: {line}, without {says}", kind.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Bytes that are no text, a directory, a missing file.
#[test]
fn files_that_are_none() {
    let folder = folder("files that are none");
    std::fs::create_dir(folder.join("dir.json")).unwrap();
    write(&folder, "binary.json", b"\x00\xff\xfe{}");
    write(
        &folder,
        "latin.json",
        b"{\"taut\": 1, \"name\": \"caf\xe9\"}",
    );
    write(&folder, "utf16.json", b"\xff\xfe{\x00}\x00");
    for name in [
        "dir.json",
        "binary.json",
        "latin.json",
        "utf16.json",
        "missing.json",
    ] {
        let path = folder.join(name);
        for command in ["run", "inspect", "bench"] {
            let refused = taut(&[command, path.to_str().unwrap(), "--json", "-"]);
            assert!(refused.refused(2).contains(name), "{command} {name}");
        }
    }
}

/// Legal scenes at the edge load, and 60 frames of them are finite.
#[test]
fn borderline_scenes_are_accepted() {
    let folder = folder("borderline scenes");
    write(&folder, "square.obj", SQUARE);
    let hub: Vec<String> = (1..=5000)
        .map(|i| format!(r#"{{"kind":"distance","particles":[0,{i}]}}"#))
        .collect();
    let around: Vec<String> = (0..=5000)
        .map(|i| format!("[{},{},{i}]", i % 70, i / 70))
        .collect();
    let hub = format!(
        r#"{{"taut": 1, "iterations": 1, "particles": {{"position": [{}]}}, "constraints": [{}]}}"#,
        around.join(","),
        hub.join(",")
    );
    let scenes = [
        ("nothing", setting(r#""iterations": 3"#)),
        (
            "byte order mark",
            format!("\u{feff}{}", setting(r#""dt": 0.01"#)),
        ),
        ("no particles", columns(r#""position": []"#)),
        ("no rows", two(r#""constraints": []"#)),
        (
            "no iterations",
            two(r#""iterations": 0, "constraints": [{"kind": "distance", "particles": [0,1]}]"#),
        ),
        (
            "10^9 iterations of nothing, no frames",
            setting(r#""iterations": 1000000000"#),
        ),
        (
            "all pinned",
            columns(r#""position": [[0,0,0],[1,0,0]], "inverse_mass": [0,0]"#),
        ),
        (
            "pinned and held",
            r#"{"taut": 1, "particles": {"position": [[0,0,0],[1,0,0]], "inverse_mass": [0,0]},
                "constraints": [{"kind": "distance", "particles": [0,1], "rest_length": 3}]}"#
                .into(),
        ),
        (
            "duplicate and contradicting rows",
            two(
                r#""constraints": [{"kind": "distance", "particles": [0,1], "rest_length": 1},
                {"kind": "distance", "particles": [0,1], "rest_length": 1},
                {"kind": "distance", "particles": [1,0], "rest_length": 5}]"#,
            ),
        ),
        ("rest length 0", row("[0,1]", r#", "rest_length": 0"#)),
        (
            "compliance 0",
            row("[0,1]", r#", "compliance": 0, "rest_length": 2"#),
        ),
        (
            "compliance 1e30",
            row("[0,1]", r#", "compliance": 1e30, "rest_length": 2"#),
        ),
        (
            "compliance 3e38",
            row(
                "[0,1]",
                r#", "compliance": 3e38, "damping": 1e10, "rest_length": 2"#,
            ),
        ),
        (
            "dt 1e-12",
            two(
                r#""dt": 1e-12, "constraints": [{"kind": "distance", "particles": [0,1], "rest_length": 2}]"#,
            ),
        ),
        ("coincident", columns(r#""position": [[1,1,1],[1,1,1]]"#)),
        (
            "heavy and light",
            columns(r#""position": [[0,0,0],[1,0,0]], "mass": [1e30,1e-30]"#),
        ),
        (
            "a mesh",
            mesh(
                r#", "pin": [0,0,3], "translate": [0,1,0], "rotate": [0,1,0,0], "scale": 2, "mass": 0.1"#,
            ),
        ),
        ("hub of valence 5000", hub),
        (
            "whole numbers as 1.0 and 1e1",
            two(
                r#""iterations": 1e1, "constraints": [{"kind": "distance", "particles": [0.0,1.0]}]"#,
            ),
        ),
    ];
    for (what, text) in scenes {
        let frames = if what.ends_with("no frames") {
            "0"
        } else {
            "60"
        };
        let path = write(&folder, "edge.json", text);
        for method in ["scalar", "lanes@2"] {
            let run = format!("{path}/{method}");
            let report = taut(&["run", &run, "--frames", frames, "--json", "-"]).json();
            assert_eq!(report["finite"], true, "{what}, {method}");
            assert!(report["residual"].is_f64(), "{what}, {method}");
        }
    }
}

/// The verdict of every malformed OBJ file holds through a scene file: refused naming file and line, exit 2, or hung as
/// cloth for 60 finite frames.
#[test]
fn malformed_meshes_get_their_verdict() {
    let Some(bad) = shared("bad") else { return };
    let folder = folder("malformed meshes");
    let table = std::fs::read_to_string(bad.join("README.md")).unwrap();
    let mut judged = 0;
    for line in table.lines().filter(|line| line.starts_with("| obj/")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let (file, verdict, at) = (bad.join(cells[1]), cells[2], cells[3]);
        let file = file.to_str().unwrap();
        let scene = Value::from_iter([
            ("taut", Value::from(1)),
            (
                "meshes",
                serde_json::json!([{"file": file, "as": "cloth", "pin": [0]}]),
            ),
        ]);
        let path = write(&folder, "mesh.json", scene.to_string());
        let started = Instant::now();
        let call = taut(&["run", &path, "--frames", "60", "--json", "-"]);
        assert!(started.elapsed() < Duration::from_secs(20), "{file}");
        let accepted = call.code == 0;
        match verdict {
            "accept" => assert!(accepted, "{file}: {}", call.stderr),
            "reject" => assert!(!accepted, "{file} is accepted"),
            _ => assert_eq!(verdict, "accept-or-reject"),
        }
        if accepted {
            assert_eq!(call.json()["finite"], true, "{file}");
        } else {
            let line = call.refused(2);
            let place = if at.is_empty() {
                String::new()
            } else {
                format!(":{at}")
            };
            assert!(
                line.contains(&format!("{file}{place}")) && line.contains("meshes[0].file"),
                "{line}"
            );
        }
        judged += 1;
    }
    let there = std::fs::read_dir(bad.join("obj")).unwrap().count();
    assert_eq!(judged, there, "the table and the files differ");
}

/// A mesh beside its scene is found from anywhere: paths are relative to the scene file.
#[test]
fn mesh_paths_are_relative_to_the_scene() {
    let folder = folder("relative paths");
    write(&folder, "deep/square.obj", SQUARE);
    let path = write(&folder, "deep/scene.json", mesh(r#", "pin": [0, 1]"#));
    let report = taut(&["run", &path, "--frames", "5", "--json", "-"]).json();
    assert_eq!([&report["particles"], &report["constraints"]], [4, 5]);
    let elsewhere = Path::new(&path).with_file_name("../scene.json");
    std::fs::copy(&path, &elsewhere).unwrap();
    taut(&["run", elsewhere.to_str().unwrap()]).refused(2);
}
