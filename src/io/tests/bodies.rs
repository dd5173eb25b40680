//! Bodies, joints and rows at arms of scene files: every bad one is refused by its place and value, every odd one stays
//! finite.

use super::{check_message, refused};
use crate::Method;
use crate::io::{ReadError, SceneFile, read_scene};
use crate::tests::models::simulate;

fn read(text: &str) -> Result<SceneFile, ReadError> {
    let thread = format!("{:?}", std::thread::current().id());
    let name = format!("taut_bodies_{}_{thread}.json", std::process::id());
    let path = std::env::temp_dir().join(name.replace(['(', ')'], ""));
    std::fs::write(&path, text).unwrap();
    let result = read_scene(&path, &[]);
    std::fs::remove_file(&path).unwrap();
    if let Err(error) = &result {
        check_message(&error.to_string(), &path);
    }
    result
}

const BOX: &str = r#""shape": "box", "size": [0.1, 0.2, 0.3]"#;

/// A body of `rest`, one that is fixed, one that is not, and a particle.
fn scene(body: &str, rest: &str) -> String {
    format!(
        r#"{{"taut": 1, "particles": {{"position": [[0, 1, 0]]}}, "bodies": [{{{body}}},
            {{{BOX}, "mass": 1, "position": [1, 0, 0], "fixed": true}},
            {{{BOX}, "mass": 1, "position": [0, 0, 1], "fixed": true}},
            {{{BOX}, "mass": 1, "position": [0, 2, 0]}}] {rest}}}"#
    )
}

fn body(rest: &str) -> String {
    scene(&format!("{BOX}, {rest}"), "")
}

fn joint(rest: &str) -> String {
    let joint = format!(r#", "joints": [{{{rest}}}]"#);
    scene(&format!(r#"{BOX}, "mass": 1"#), &joint)
}

fn row(rest: &str) -> String {
    let row = format!(r#", "constraints": [{{{rest}}}]"#);
    scene(&format!(r#"{BOX}, "mass": 1"#), &row)
}

#[rustfmt::skip]
#[test]
fn bad_bodies_are_named() {
    let cases: Vec<(String, &[&str])> = vec![
        (body(r#""mass": 0"#), &["bodies[0].mass", "0"]),
        (body(r#""mass": -2"#), &["bodies[0].mass", "-2"]),
        (body(r#""mass": 1e39"#), &["bodies[0].mass", "finite"]),
        (body(r#""mass": 1e999"#), &[":1", "number out of range"]),
        (body(r#""mass": NaN"#), &[":1"]),
        (body(r#""density": 0"#), &["bodies[0].density", "0"]),
        (body(r#""density": -1000"#), &["bodies[0].density", "-1000"]),
        (body(r#""fixed": false"#), &["bodies[0]", "mass", "missing"]),
        (body(r#""mass": 1, "density": 2"#), &["bodies[0]", "both"]),
        (body(r#""mass": 1, "inertia": [0, 1, 1]"#), &["bodies[0].inertia[0]", "0"]),
        (body(r#""mass": 1, "inertia": [1, -3, 1]"#), &["bodies[0].inertia[1]", "-3"]),
        (body(r#""mass": 1, "orientation": [0, 0, 0, 0]"#), &["bodies[0].orientation", "[0, 0, 0, 0]"]),
        (body(r#""mass": 1, "orientation": [0, 0, 1]"#), &["bodies[0].orientation", "4"]),
        (body(r#""mass": 1, "position": [1e39, 0, 0]"#), &["bodies[0]", "position", "finite"]),
        (body(r#""mass": 1, "angular_velocity": [0, 1e39, 0]"#), &["bodies[0]", "angular_velocity", "finite"]),
        (scene(r#""shape": "box", "size": [0.1, 0, 0.3], "mass": 1"#, ""), &["bodies[0].size[1]", "0"]),
        (scene(r#""shape": "none", "mass": 1"#, ""), &["bodies[0]", "inertia"]),
        (scene(r#""shape": "torus", "mass": 1"#, ""), &["bodies[0].shape", "torus", "capsule"]),
        (scene(r#""shape": "compound", "mass": 1"#, ""), &["bodies[0]", "parts", "missing"]),
        (scene(r#""shape": "compound", "parts": [], "mass": 1"#, ""), &["bodies[0]", "parts", "at least one"]),
        (scene(r#""shape": "compound", "parts": [{"shape": "none", "size": 1}], "mass": 1"#, ""), &["bodies[0].parts[0].shape", "none", "sphere"]),
        (scene(r#""shape": "compound", "parts": [{"shape": "sphere", "size": 0}], "mass": 1"#, ""), &["bodies[0].parts[0].size", "0"]),
        (scene(r#""shape": "mesh", "size": {"file": "a.obj", "parts": 0}, "mass": 1"#, ""), &["bodies[0].size.parts", "0"]),
        (scene(r#""shape": "mesh", "size": {"file": "a.obj", "parts": 2000}, "mass": 1"#, ""), &["bodies[0].size.parts", "2000"]),
        (scene(r#""shape": "compound", "parts": [{"shape": "mesh", "size": {"file": "a.obj", "parts": 3}}], "mass": 1"#, ""), &["bodies[0].parts[0].size.parts", "compound"]),
        (body(r#""mass": 1, "rolling_resistance": -1"#), &["bodies[0].rolling_resistance", "-1"]),
        (body(r#""mass": 1, "mask": 4294967296"#), &["bodies[0].mask", "4294967296"]),
        (body(r#""mass": 1, "sensor": 2"#), &["bodies[0].sensor"]),
        (joint(r#""kind": "ball", "bodies": [0, 0], "anchor": [0, 0, 0]"#), &["json: joints[0].bodies: 0 is not allowed (a body is not joined to itself)"]),
        (joint(r#""kind": "ball", "bodies": [1, 2], "anchor": [0, 0, 0]"#), &["joints[0]", "1", "neither end can move"]),
        (joint(r#""kind": "ball", "bodies": [-1, 1], "anchor": [0, 0, 0]"#), &["joints[0]", "neither end can move"]),
        (joint(r#""kind": "ball", "bodies": [-1, -1], "anchor": [0, 0, 0]"#), &["joints[0]", "neither end can move"]),
        (joint(r#""kind": "ball", "bodies": [0, 7], "anchor": [0, 0, 0]"#), &["joints[0].bodies[1]", "7"]),
        (joint(r#""kind": "ball", "bodies": [0, -2], "anchor": [0, 0, 0]"#), &["joints[0].bodies[1]", "-2", "from 0 to 3, or -1, the world"]),
        (joint(r#""kind": "ball", "bodies": [0], "anchor": [0, 0, 0]"#), &["joints[0].bodies", "2"]),
        (joint(r#""kind": "ball", "body": 0, "particle": 4, "anchor": [0, 0, 0]"#), &["joints[0].particle", "4"]),
        (joint(r#""kind": "fixed", "body": 0, "particle": 0, "anchor": [0, 0, 0]"#), &["joints[0]", "no orientation"]),
        (joint(r#""kind": "ball", "bodies": [0, 3]"#), &["joints[0]", "anchor"]),
        (joint(r#""kind": "ball", "bodies": [0, 3], "anchor": [0, 1e39, 0]"#), &["joints[0]", "anchor", "finite"]),
        (joint(r#""kind": "hinge", "bodies": [0, 3], "anchor": [0, 0, 0]"#), &["json: joints[0]: \"axis\" is missing"]),
        (joint(r#""kind": "hinge", "bodies": [0, 3], "anchor": [0, 0, 0], "axis": [0, 0, 0]"#), &["joints[0]", "axis", "direction"]),
        (joint(r#""kind": "hinge", "bodies": [0, 3], "anchor": [0, 0, 0], "axis": [0, 0, 1], "limits": [1, -1]"#), &["joints[0]", "limits", "1"]),
        (joint(r#""kind": "hinge", "bodies": [0, 3], "anchor": [0, 0, 0], "axis": [0, 0, 1], "limits": [-4, 1]"#), &["joints[0]", "limits", "-4"]),
        (joint(r#""kind": "ball", "bodies": [0, 3], "anchor": [0, 0, 0], "compliance": -1"#), &["joints[0].compliance", "-1"]),
        (joint(r#""kind": "ball", "bodies": [0, 3], "anchor": [0, 0, 0], "target": 1"#), &["joints[0]", "motor"]),
        (joint(r#""kind": "ball", "bodies": [0, 3], "anchor": [0, 0, 0], "motor": "velocity", "target": 1"#), &["joints[0]", "target", "three"]),
        (joint(r#""kind": "ball", "bodies": [0, 3], "anchor": [0, 0, 0], "motor": "velocity", "target": [0, 1]"#), &["joints[0].target", "3"]),
        (joint(r#""kind": "ball", "bodies": [0, 3], "anchor": [0, 0, 0], "break_force": 0"#), &["joints[0].break_force", "0"]),
        (joint(r#""kind": "ball", "bodies": [0, 3], "anchor": [0, 0, 0], "max_force": 1"#), &["joints[0]", "max_force", "motor"]),
        (joint(r#""kind": "parallel", "bodies": [0, 3]"#), &["json: joints[0]: \"axis\" is missing"]),
        (joint(r#""kind": "hinge", "bodies": [0, 3], "anchor": [0, 0, 0], "axis": [0, 0, 1], "axis2": [0, 0, 2]"#), &["joints[0].axis2: [0, 0, 2] is not allowed"]),
        (joint(r#""kind": "fixed", "bodies": [0, 3], "anchor": [0, 0, 0], "motor": "velocity", "target": 1"#), &["joints[0].motor: \"velocity\" is not allowed (this kind has none)"]),
        (joint(r#""kind": "fixed", "bodies": [0, 3], "anchor": [0, 0, 0], "limits": [0, 1]"#), &["joints[0].limits: [0, 1] is not allowed (this kind has none)"]),
        (joint(r#""kind": "ball", "bodies": [0, 3], "anchor": [0, 0, 0], "motor": "position", "target": [0, 3, 1]"#), &["joints[0].target: [0, 3, 1] is not allowed (a turn is at most π long)"]),
        (joint(r#""kind": "distance", "bodies": [0, 3], "anchor": [0, 0, 0], "motor": "position", "target": -1"#), &["joints[0].target: -1 is not allowed (a distance must not be negative)"]),
        (joint(r#""kind": "slider", "bodies": [0, 3], "anchor": [0, 0, 0], "axis": [0, 0, 1], "motor": "position", "target": 1e30"#), &["joints[0].target: 1e", "30 is not allowed (must be from -1e9 to 1e9)"]),
        (scene(r#""shape": "none", "mass": 1"#, ""), &["bodies[0]: \"inertia\" is missing: "]),
        (scene(BOX, "").replace(r#"[[0, 1, 0]]"#, r#"[[0, 1, 0]], "mass": [1e-44]"#).replacen(BOX, &format!("{BOX}, \"mass\": 1"), 1), &["particles.mass[0]: 1e-44 is not allowed (its inverse must be finite in f32)"]),
        (joint(r#""kind": "weld", "bodies": [0, 3], "anchor": [0, 0, 0]"#), &["joints[0].kind", "weld", "hinge"]),
        (row(r#""kind": "distance", "at": [0, {"body": 9, "point": [0, 0, 0]}]"#), &["constraints[0].at[1].body", "9"]),
        (row(r#""kind": "distance", "at": [0, {"body": -1, "point": [0, 0, 0]}]"#), &["constraints[0].at[1].body", "-1"]),
        (row(r#""kind": "distance", "at": [5, {"body": 0, "point": [0, 0, 0]}]"#), &["constraints[0].at[0]", "5"]),
        (row(r#""kind": "distance", "at": [0, {"body": 0}]"#), &["constraints[0].at[1]", "point"]),
        (row(r#""kind": "distance", "at": [0, {"body": 0, "point": [0, 1e39, 0]}]"#), &["constraints[0]", "point", "finite"]),
        (row(r#""kind": "distance", "at": [{"body": 0, "point": [0, 0, 0]}, {"body": 0, "point": [0, 1, 0]}]"#), &["constraints[0]", "body 0", "twice"]),
        (row(r#""kind": "distance", "at": [0, 0]"#), &["constraints[0]", "particle 0", "twice"]),
        (row(r#""kind": "distance", "at": [0]"#), &["constraints[0].at", "2"]),
        (row(r#""kind": "distance", "particles": [0, 0], "at": [0, {"body": 0, "point": [0, 0, 0]}]"#), &["constraints[0]", "both"]),
        (row(r#""kind": "distance", "at": [0, {"body": 0, "point": [0, 0, 0]}], "rest_length": -1"#), &["constraints[0].rest_length", "-1"]),
        (row(r#""kind": "distance", "at": [0, {"body": 0, "point": [0, 0, 0]}], "stiffness": 2"#), &["constraints[0].stiffness", "2"]),
        (row(r#""kind": "distnce", "at": [0, {"body": 0, "point": [0, 0, 0]}]"#), &["constraints[0].kind", "distnce", "distance"]),
    ];
    let mut wrong = Vec::new();
    for (text, says) in cases {
        wrong.extend(refused(&text, read(&text), says));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[rustfmt::skip]
#[test]
fn odd_bodies_stay_finite() {
    let hinge = |axis: &str, rest: &str| format!(r#"{{"kind": "hinge", "bodies": [0, 1], "anchor": [0.5, 0, 0], "axis": {axis}{rest}}}"#);
    let joints = |joints: &str| scene(&format!(r#"{BOX}, "mass": 1, "angular_velocity": [3, 2, 1]"#), &format!(r#", "joints": [{joints}]"#));
    let cases = [
        body(r#""mass": 1, "orientation": [0, 0, 3, 4]"#),
        body(r#""mass": 1e30"#),
        body(r#""mass": 1e-30"#),
        body(r#""mass": 1, "inertia": [1e-6, 1, 1], "angular_velocity": [1, 2, 3]"#),
        // Joints that cannot all hold.
        joints(&[hinge("[0, 0, 1]", ""), hinge("[0, 1, 0]", ""), hinge("[1, 0, 0]", "")].join(",")),
        joints(&hinge("[0, 0, 1]", r#", "motor": "position", "target": 2, "limits": [-0.1, 0.1]"#)),
        joints(r#"{"kind": "fixed", "bodies": [0, 1], "anchor": [0, 0, 0]}, {"kind": "slider", "bodies": [0, 1], "anchor": [0, 0, 0], "axis": [1, 0, 0], "motor": "velocity", "target": 50}"#),
        joints(r#"{"kind": "distance", "bodies": [0, -1], "anchor": [0, 5, 0], "limits": [1, 1]}, {"kind": "distance", "bodies": [0, -1], "anchor": [0, -5, 0], "limits": [1, 1]}"#),
        // Far away.
        joints(r#"{"kind": "ball", "bodies": [0, 1], "anchor": [1e6, 0, 0]}"#),
        joints(r#"{"kind": "ball", "bodies": [0, 3], "anchor": [0, 1e6, 1e6]}"#),
        joints(r#"{"kind": "hinge", "bodies": [0, 3], "anchor": [0, 1e6, 1e6], "axis": [1, 0, 0]}"#),
        joints(r#"{"kind": "ball", "body": 0, "particle": 0, "anchor": [-1e6, 0, 0]}"#),
        row(r#""kind": "distance", "at": [0, {"body": 0, "point": [1e6, 0, 0]}]"#),
        row(r#""kind": "distance", "at": [0, {"body": 0, "point": [0, 1, 0]}], "rest_length": 0"#),
        row(r#""kind": "distance", "at": [{"body": 1, "point": [1, 0, 0]}, {"body": 2, "point": [0, 0, 1]}], "rest_length": 7"#),
    ];
    for text in cases {
        for method in [Method::Scalar, Method::Lanes] {
            let file = read(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
            let warned = file.warnings.iter().any(|w| w.contains("length 5"));
            assert_eq!(warned, text.contains("[0, 0, 3, 4]"), "{:?}", file.warnings);
            let simulation = simulate(file.model, method, 1, 60);
            assert!(simulation.observe().finite, "{method:?}: {text}");
        }
    }
}

/// Moments that break the triangle inequality are those of no body.
#[test]
fn moments_of_no_body_are_told_of() {
    for (inertia, told) in [("[1, 2, 3]", false), ("[1, 1, 1]", false), ("[1, 5, 2]", true)] {
        let file = read(&body(&format!(r#""mass": 1, "inertia": {inertia}"#))).expect("a scene");
        let warned = file.warnings.iter().any(|w| w.starts_with("bodies[0].inertia: no body has"));
        assert_eq!(warned, told, "{inertia}: {:?}", file.warnings);
    }
}

/// π as it is typed in eight digits is a turn of π.
#[test]
fn half_a_turn_may_be_driven_to() {
    let target = r#""kind": "ball", "bodies": [0, 3], "anchor": [0, 0, 0], "motor": "position", "target": [0, 3.1415927, 0]"#;
    assert!(read(&joint(target)).is_ok());
}
