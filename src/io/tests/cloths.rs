//! Meshes that touch themselves and each other, in a scene file.

use super::path::Scratch;
use super::refused;
use crate::Method;
use crate::io::{ReadError, SceneFile, read_scene};
use crate::tests::models::simulate;

/// A sheet of 9 x 9 points, held by its corners, and another one above it.
fn read(name: &str, own: &str) -> Result<SceneFile, ReadError> {
    let scratch = Scratch::new(name);
    let mut sheet = String::new();
    for i in 0..81 {
        sheet += &format!("v {} 0 {}\n", 0.05 * f64::from(i % 9), 0.05 * f64::from(i / 9));
    }
    for i in (0..72).filter(|i| i % 9 < 8).map(|i| i + 1) {
        sheet += &format!("f {} {} {}\nf {} {} {}\n", i, i + 9, i + 10, i, i + 10, i + 1);
    }
    scratch.write("sheet.obj", &sheet);
    let text = format!(
        r#"{{"taut": 1, "substeps": 10, "iterations": 2, "meshes": [
            {{"file": "sheet.obj", "as": "cloth", "pin": [0, 8, 72, 80]}},
            {{"file": "sheet.obj", "as": "cloth", "scale": 0.5, "translate": [0.11, 0.1, 0.12]}}],
            "contacts": {{"friction": 0.5, "self": [{own}]}}}}"#
    );
    read_scene(&scratch.write("scene.json", &text), &[])
}

/// A sheet falls on another one, and through it where each touches only itself.
#[test]
fn meshes_named_together_touch_each_other() {
    let apart = r#"{"mesh": 0, "thickness": 0.01}, {"mesh": 1, "thickness": 0.01}"#;
    for (own, holds) in [(r#"{"meshes": [0, 1], "thickness": 0.01}"#, true), (apart, false)] {
        let model = read("cloths", own).expect("a scene").model;
        let simulation = simulate(model, Method::Lanes, 1, 60);
        let lowest = |of: &[[f32; 3]]| of.iter().map(|x| x[1]).fold(f32::INFINITY, f32::min);
        let x = simulation.positions();
        let (below, above) = (lowest(&x[..81]), lowest(&x[81..]));
        assert_eq!(above > below, holds, "{above} above {below} m");
    }
}

#[rustfmt::skip]
#[test]
fn bad_lists_of_meshes_are_named() {
    let cases: [(&str, &[&str]); 6] = [
        (r#"{"thickness": 0.01}"#, &["contacts.self[0]", "either", "mesh"]),
        (r#"{"mesh": 0, "meshes": [1], "thickness": 0.01}"#, &["contacts.self[0]", "either", "mesh"]),
        (r#"{"meshes": [], "thickness": 0.01}"#, &["contacts.self[0]", "either", "mesh"]),
        (r#"{"meshes": [0, 2], "thickness": 0.01}"#, &["contacts.self[0].meshes", "2", "from 0 to 1"]),
        (r#"{"meshes": [1, 1], "thickness": 0.01}"#, &["contacts.self[0].meshes", "1 is there twice"]),
        (r#"{"mesh": 1, "thickness": 0.02}, {"meshes": [0, 1], "thickness": 0.01}"#, &["contacts.self[1].meshes", "1 is there twice"]),
    ];
    let wrong: Vec<_> =
        cases.iter().flat_map(|(own, says)| refused(own, read("bad_cloths", own), says)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The share of a mass by nothing would pin every vertex, and nobody would be told.
#[test]
fn a_mass_is_shared_by_what_has_a_size() {
    let scratch = Scratch::new("nothing");
    scratch.write("line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    let mesh = r#"{"file": "line.obj", "as": "cloth", "mass": 1}"#;
    let text = format!(r#"{{"taut": 1, "meshes": [{mesh}]}}"#);
    let read = read_scene(&scratch.write("scene.json", &text), &[]);
    let says = ["meshes[0].mass", "size"];
    assert_eq!(refused(mesh, read, &says), None);
}
