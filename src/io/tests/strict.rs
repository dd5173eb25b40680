//! Scene files are strict: what serde's derive alone would let pass is refused, by its place.

use super::path::Scratch;
use crate::io::read_scene;

fn message(text: &str) -> String {
    let scratch = Scratch::new(&format!("strict_{:?}", std::thread::current().id()));
    let path = scratch.write("scene.json", text);
    let refused = read_scene(&path, &[]).map(|_| ());
    let message = refused.expect_err(text).to_string();
    assert!(!message.chars().any(char::is_control), "{message:?}");
    assert!(message.chars().count() < 600, "{message}");
    message
}

/// `null` is not what is left out, a list is no object, a key stands once, a list of N has N.
#[rustfmt::skip]
#[test]
fn what_is_nearly_right_is_refused() {
    for (section, says) in [
        (r#""dt": null"#, &["dt: null", "must be a number"][..]),
        (r#""method": null"#, &["method: null", "must be a string"]),
        (r#""contacts": null"#, &["contacts: null", "must be an object"]),
        (r#""constraints": null"#, &["constraints: null", "must be a list"]),
        (r#""constraints": {}"#, &["constraints: an object", "must be a list"]),
        (r#""particles": [[[0, 0, 0]]]"#, &["particles: a list of 1", "must be an object"]),
        (r#""contacts": []"#, &["contacts: a list of 0", "must be an object"]),
        (r#""colliders": [["sphere", 1]]"#, &["colliders[0]: a list of 2", "must be an object"]),
        (r#""colliders": [{"shape": "sphere", "center": [0, 0, 0], "radius": null}]"#, &["colliders[0].radius: null"]),
        (r#""colliders": [{"shape": "sphere", "center": [0, 0, 0]}]"#, &["colliders[0]: \"radius\" is missing"]),
        (r#""colliders": [{"shape": "sphere", "center": [0, 0, 0], "radius": 1, "normal": [0, 1, 0]}]"#,
            &["colliders[0].normal", "\"sphere\" has no normal"]),
        (r#""groups": [{"kind": "shape", "particles": [0], "vorticity": 1}]"#, &["groups[0].vorticity", "has no vorticity"]),
        (r#""groups": [{"kind": "fluid", "particles": [0, 0.5], "rest_density": 1, "radius": 1}]"#, &["groups[0].particles[1]", "0.5"]),
        (r#""groups": [{"kind": "pressure", "triangles": [[0, 0, 7]]}]"#, &["groups[0].triangles[0][2]", "7"]),
        (r#""bodies": [{"shape": "box", "size": {"file": 3}, "mass": 1}]"#, &["bodies[0].size", "a list of 3"]),
        (r#""bodies": [{"shape": "mesh", "size": {"file": 3}, "mass": 1}]"#, &["bodies[0].size.file", "3", "string"]),
        (r#""bodies": [{"shape": "sphere", "size": null, "mass": 1}]"#, &["bodies[0].size: null"]),
        (r#""bodies": [{"shape": "mesh", "size": {"file": "a", "file": "b"}, "mass": 1}]"#, &["bodies[0].size", "\"file\" stands twice"]),
        (r#""constraints": [{"kind": "distance", "at": [0, {"body": 0, "body": 1}]}]"#, &["constraints[0].at[1]", "\"body\" stands twice"]),
        (r#""constraints": [{"kind": "distance", "particles": [0, 0], "rest_length": null}]"#, &["constraints[0].rest_length: null"]),
        (r#""constraints": [{"kind": "plane", "particles": [0], "point": [0, 0], "normal": [0, 1, 0]}]"#, &["constraints[0].point", "a list of 3"]),
        (r#""constraints": [{"kind": "plane", "particles": [0], "point": [0, 0, 0], "normal": [0, "up", 0]}]"#, &["constraints[0].normal[1]", "up"]),
        (r#""forces": [{"force": [0, 1, 0]}]"#, &["forces[0]", "either \"particles\" or \"body\""]),
        (r#""forces": [{"particles": [0], "body": 0, "force": [0, 1, 0]}]"#, &["forces[0]", "either \"particles\" or \"body\""]),
        (r#""forces": [{"particles": [0]}]"#, &["forces[0]: \"force\" is missing"]),
        (r#""forces": [{"particles": [0, 0], "force": [0, 1, 0]}]"#, &["forces[0].particles[1]", "0 is named twice"]),
        (r#""forces": [{"particles": [1], "force": [0, 1, 0]}]"#, &["forces[0].particles[0]: 1", "from 0 to 0"]),
        (r#""forces": [{"particles": "some", "force": [0, 1, 0]}]"#, &["forces[0].particles", "some", "must be \"all\""]),
        (r#""forces": [{"particles": "all", "force": [0, 1]}]"#, &["forces[0].force", "a list of 3"]),
        (r#""forces": [{"particles": "all", "force": [0, 1e39, 0]}]"#, &["forces[0].force[1]", "finite in f32"]),
        (r#""forces": [{"particles": "all", "force": [0, 1, 0], "torque": [0, 1, 0]}]"#, &["forces[0].torque", "\"body\" only"]),
        (r#""forces": [{"body": 0, "force": [0, 1, 0]}]"#, &["forces[0].body: 0", "there are no bodies"]),
        (r#""bodies": [{"shape": "sphere", "size": 1, "mass": 1}], "forces": [{"body": 0}]"#, &["forces[0]", "\"force\" or \"torque\" is missing"]),
        (r#""forces": [{"particles": "all", "force": [0, 3e38, 0]}, {"particles": [0], "force": [0, 3e38, 0]}]"#,
            &["forces[1]", "force on particle 0", "finite in f32"]),
        (r#""gravity": [0, -9.81, 0, 0]"#, &["gravity: a list of 4", "a list of 3"]),
        (r#""jacobi": {"sum": null}"#, &["jacobi: an object", "must be a string"]),
        (r#""substep": 2"#, &[":2: unknown key \"substep\"", "meant `substeps`?"]),
        (r#""method": "lane""#, &["method: unknown method `lane`", "meant `lanes`?"]),
        (r#""name": "a", "name": "b""#, &[":2: key \"name\" stands twice"]),
    ] {
        let positions = r#""particles": {"position": [[0, 0, 0]]}"#;
        let beside = if section.starts_with("\"particles\"") { "" } else { positions };
        let comma = if beside.is_empty() { "" } else { ", " };
        let message = message(&format!("{{\"taut\": 1, {beside}{comma}\n{section}}}"));
        assert!(says.iter().all(|part| message.contains(part)), "{message}, without {says:?}");
    }
}

/// A place made of a file's own keys is short and printable.
#[test]
fn long_and_odd_keys_do_not_fill_the_message() {
    let key = "k\\u001b".repeat(10_000);
    let row = format!(r#"{{"kind": "distance", "{key}": [{{"a": 1, "a": 2}}]}}"#);
    let message = message(&format!(r#"{{"taut": 1, "constraints": [{row}]}}"#));
    assert!(message.contains("\"a\" stands twice"), "{message}");
}
