//! Bodies that touch, of scene files: bad input is refused by place and value, or stays finite and is as docs/rigid.md states.

use super::{check_message, refused};
use crate::io::{ReadError, SceneFile, read_scene};
use crate::{Method, Simulation};

const TETRAHEDRON: &str = "v 1 1 1\nv -1 -1 1\nv -1 1 -1\nv 1 -1 -1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";

/// A scene of `bodies` over a floor, beside `mesh.obj`, the tetrahedron: closed, or without its last face.
fn read(bodies: &str, closed: bool) -> Result<SceneFile, ReadError> {
    let thread = format!("{:?}", std::thread::current().id());
    let name = format!("taut_touching_{}_{thread}", std::process::id());
    let folder = std::env::temp_dir().join(name.replace(['(', ')'], ""));
    std::fs::create_dir_all(&folder).unwrap();
    let last = if closed { "f 2 3 4\n" } else { "" };
    std::fs::write(folder.join("mesh.obj"), format!("{TETRAHEDRON}{last}")).unwrap();
    let flat = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";
    std::fs::write(folder.join("flat.obj"), flat).unwrap();
    let path = folder.join("scene.json");
    let text = format!(
        r#"{{"taut": 1, "substeps": 8, "iterations": 1, "bodies": [{bodies}],
            "colliders": [{{"shape": "plane", "point": [0, 0, 0], "normal": [0, 1, 0]}}],
            "contacts": {{"friction": 0.5}}}}"#
    );
    std::fs::write(&path, text).unwrap();
    let result = read_scene(&path, &[]);
    std::fs::remove_dir_all(&folder).unwrap();
    if let Err(error) = &result {
        check_message(&error.to_string(), &path);
    }
    result
}

const MESH: &str = r#"{"shape": "mesh", "size": {"file": "mesh.obj", "scale": 0.2}"#;

#[rustfmt::skip]
#[test]
fn bad_bodies_that_touch_are_named() {
    let cases: [(String, bool, &[&str]); 7] = [
        (format!(r#"{MESH}, "mass": 1}}"#), false, &["bodies[0]", "inertia", "open"]),
        (format!(r#"{MESH}, "density": 1000}}"#), false, &["bodies[0].density", "no volume"]),
        (r#"{"shape": "mesh", "size": {"file": "flat.obj"}, "mass": 1}"#.into(), true, &["bodies[0]", "inertia", "open"]),
        (r#"{"shape": "mesh", "size": {"file": "flat.obj"}, "mass": 1, "inertia": [1, 1, 1]}"#.into(), true, &["bodies[0].shape", "4", "flat"]),
        (r#"{"shape": "sphere", "size": 0.1, "mass": 1e-38}"#.into(), true, &["bodies[0]: inertia", "inverse"]),
        (r#"{"shape": "box", "size": [0.1, 0, 0.1], "mass": 1}"#.into(), true, &["bodies[0].size[1]", "0"]),
        (r#"{"shape": "box", "size": [0.1, 0.1, 0.1], "mass": 1, "position": [1e39, 0, 0]}"#.into(), true, &["bodies[0]", "position", "1e39"]),
    ];
    let mut wrong = Vec::new();
    for (bodies, closed, says) in cases {
        wrong.extend(refused(&bodies, read(&bodies, closed), says));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Overlaps, masses of 10^5 : 1, a body 10^7 m away, an open mesh of a given inertia: finite, and no faster than
/// a fall of seconds makes.
#[rustfmt::skip]
#[test]
fn odd_bodies_that_touch_stay_finite() {
    let cube = |mass: &str, at: &str| format!(r#"{{"shape": "box", "size": [0.2, 0.2, 0.2], "mass": {mass}, "position": {at}}}"#);
    let stone = |mass: &str, at: &str| format!(r#"{MESH}, "mass": {mass}, "position": {at}}}"#);
    let cases = [
        (format!("{}, {}", cube("1", "[0, 0.2, 0]"), cube("1", "[0, 0.2, 0]")), true),
        (format!("{}, {}", stone("1", "[0, 0.2, 0]"), stone("1", "[0, 0.2, 0]")), true),
        (format!("{}, {}", stone("1", "[0, -0.3, 0]"), cube("1", "[0.1, -0.1, 0]")), true),
        (format!("{}, {}", cube("1", "[0, 0.2, 0]"), cube("1e5", "[0, 0.6, 0]")), true),
        (format!("{}, {}", stone("1", "[0, 0.2, 0]"), stone("1e5", "[0, 0.5, 0]")), true),
        (format!("{}, {}", cube("1", "[1e7, 0.2, 0]"), stone("1", "[0, 0.2, 1e7]")), true),
        (format!(r#"{MESH}, "mass": 1, "inertia": [0.01, 0.01, 0.01], "position": [0, 0.5, 0]}}"#), false),
    ];
    for (bodies, closed) in cases {
        for method in [Method::Scalar, Method::Lanes] {
            let file = read(&bodies, closed).unwrap_or_else(|e| panic!("{e}: {bodies}"));
            let mut simulation = Simulation::new(file.model, method, 1).unwrap();
            let mut fastest = 0.0_f32;
            for _ in 0..90 {
                simulation.step();
                assert!(simulation.observe().finite, "{method:?}: {bodies}");
                for v in simulation.snapshot().body_velocities {
                    fastest = fastest.max((v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt());
                }
            }
            println!("{method:?}: {fastest:.1} m/s at most: {bodies}");
            // A kilogram below 10^5 is crushed, and goes sideways.
            let most = if bodies.contains("1e5") { 60.0 } else { 20.0 };
            assert!(fastest < most, "{fastest} m/s: {bodies}");
        }
    }
}
