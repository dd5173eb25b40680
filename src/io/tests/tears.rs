//! What tears, in a scene file.

use super::path::Scratch;
use super::refused;
use crate::io::{ReadError, SceneFile, read_scene};

/// Two triangles of particles, a mesh of two more, and what `tears` and the mesh say of them.
fn read(tears: &str, mesh: &str) -> Result<SceneFile, ReadError> {
    let scratch = Scratch::new("tears");
    scratch.write("two.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n");
    let text = format!(
        r#"{{"taut": 1, "particles": {{"position": [[0,0,0], [1,0,0], [1,1,0], [0,1,0], [2,2,2]]}},
            "constraints": [{{"kind": "distance", "particles": [0, 2]}}], "tears": [{tears}],
            "meshes": [{{"file": "two.obj", "as": "cloth" {mesh}}}], "contacts": {{"radius": 0.01}}}}"#
    );
    read_scene(&scratch.write("scene.json", &text), &[])
}

/// Copies stand behind all other particles, those of the list before those of meshes, and touch nothing.
#[test]
fn words_are_numbers() {
    let list = r#"{"triangles": [[0, 1, 2], [0, 2, 3]], "strain": 0.25}"#;
    let model = read(list, r#", "tear": {"strain": 0.5, "copies": 3}"#).expect("a scene").model;
    let tears: Vec<_> = model.tears().iter().map(|t| (t.strain, t.copies.clone())).collect();
    assert_eq!(tears, [(0.25, 9..13), (0.5, 13..16)]);
    assert_eq!(model.tears()[0].corners, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(model.tears()[1].corners, [[5, 6, 7], [5, 7, 8]]);
    let touching = model.contacts().and_then(|contacts| contacts.particles.clone());
    assert_eq!(touching, Some((0..9).collect()));
    assert!(read("", "").expect("a scene").model.tears().is_empty());
}

#[rustfmt::skip]
#[test]
fn bad_tears_are_named() {
    let list = |text: &str| (format!("{{{text}}}"), String::new());
    let mesh = |text: &str| (String::new(), format!(", {text}"));
    let cases: [((String, String), &[&str]); 12] = [
        (list(r#""triangles": [[0, 1, 2]], "strain": -0.5"#), &["tears[0].strain", "-0.5", "must be positive"]),
        (list(r#""triangles": [[0, 1, 2]], "strain": 0"#), &["tears[0].strain", "0", "must be positive"]),
        (list(r#""triangles": [[0, 1, 2]]"#), &["tears[0]", "strain"]),
        (list(r#""strain": 1"#), &["tears[0]", "triangles"]),
        (list(r#""triangles": [], "strain": 1"#), &["tears[0]", "a surface has triangles"]),
        (list(r#""triangles": [[0, 1, 2], [0, 2, 12]], "strain": 1"#), &["tears[0].triangles[1][2]", "12", "from 0 to 8"]),
        (list(r#""triangles": [[0, 1, 1]], "strain": 1"#), &["tears[0]", "triangles[0]", "a triangle that tears has an area"]),
        (list(r#""triangles": [[0, 1, 4], [2, 3, 4]], "strain": 1"#), &["tears[0]", "distance row 0", "particle 2"]),
        (list(r#""triangles": [[0, 1, 2]], "strain": 1, "copies": 0.5"#), &["tears[0].copies", "0.5", "whole number"]),
        (list(r#""triangles": [[0, 1, 2]], "strain": 1, "speed": 1"#), &["tears[0]", "speed"]),
        (mesh(r#""attach": 2, "tear": {"strain": 0.5}"#), &["meshes[0].tear", "attach"]),
        (mesh(r#""visual": "two.obj", "tear": {"strain": 0.5}"#), &["meshes[0].tear", "skin"]),
    ];
    let mut wrong = Vec::new();
    for ((tears, mesh), says) in cases {
        wrong.extend(refused(&format!("{tears}{mesh}"), read(&tears, &mesh), says));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Keys of joints that do nothing for their kind are told of.
#[test]
fn idle_keys_of_joints_are_told_of() {
    let cases = [
        (r#""kind": "fixed", "anchor": [0, 0, 0], "axis": [0, 0, 1]"#, "\"fixed\" has no axis"),
        (r#""kind": "orientation", "anchor": [0, 0, 0]"#, "\"orientation\" has no anchor"),
        (r#""kind": "orientation", "break_force": 1"#, "\"orientation\" has no break_force"),
    ];
    for (joint, says) in cases {
        let scratch = Scratch::new("idle-joints");
        let text = format!(
            r#"{{"taut": 1, "bodies": [{{"shape": "sphere", "size": 1, "mass": 1}}],
                "joints": [{{"bodies": [-1, 0], {joint}}}]}}"#
        );
        let file = read_scene(&scratch.write("scene.json", &text), &[]).expect("a scene");
        assert!(file.warnings.iter().any(|w| w.ends_with(says)), "{says}: {:?}", file.warnings);
    }
}

/// Keys of meshes that do nothing without another are told of.
#[test]
fn idle_keys_of_meshes_are_told_of() {
    let pinned = r#", "attach": 1, "pin": [0]"#;
    let cases = [(r#", "attach": 1"#, true), (pinned, false)];
    for (keys, told) in cases {
        let warnings = read("", keys).expect("a scene").warnings;
        let warned = warnings.iter().any(|w| w.starts_with("meshes[0].attach: without a \"pin\""));
        assert_eq!(warned, told, "{keys}: {warnings:?}");
    }
    let jelly = r#", "yield": 0.1"#.to_string();
    for (more, told) in [("", true), (r#", "creep": 1"#, false)] {
        let scratch = Scratch::new("idle");
        let text = format!(
            r#"{{"taut": 1, "particles": {{"position": [[0,0,0], [1,0,0], [0,1,0], [0,0,1]]}},
                "groups": [{{"kind": "shape", "particles": [0, 1, 2, 3] {jelly}{more}}}]}}"#
        );
        let file = read_scene(&scratch.write("scene.json", &text), &[]).expect("a scene");
        let warned = file.warnings == ["groups[0].yield: without \"creep\" nothing flows"];
        assert_eq!(warned, told, "{more}: {:?}", file.warnings);
    }
}
