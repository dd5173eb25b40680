//! Emitters and sinks in a scene file.

use super::path::Scratch;
use crate::Simulation;
use crate::io::{SceneFile, read_scene};
use crate::solvers::Method;

/// One particle, an emitter of three with these keys more, and a sink.
fn read(emitter: &str, sink: &str) -> Result<SceneFile, String> {
    let scratch = Scratch::new("emitters");
    let text = format!(
        r#"{{"taut": 1, "dt": 0.01, "gravity": [0, 0, 0], "particles": {{"position": [[9, 9, 9]]}},
            "emitters": [{{"center": [1, 0, 0], "direction": [2, 0, 0], "spacing": 0.1, "count": 3, "mass": 2,
                {emitter}}}],
            "sinks": [{{{sink}}}]}}"#
    );
    let path = scratch.write("scene.json", &text);
    read_scene(&path, &[]).map_err(|error| error.to_string())
}

const DISC: &str = r#""shape": "disc", "radius": 0.05, "speed": 1, "rate": 5, "begins": 0.1"#;
const BOX: &str = r#""shape": "box", "center": [1.5, 0, 0], "half_size": [0.1, 1, 1]"#;

/// Its particles follow those of the file, come out when and where it says, and are taken at 0.4 m.
#[test]
fn an_emitter_does_what_its_entry_says() {
    let model = read(DISC, BOX).expect("a scene").model;
    assert_eq!(model.positions()[1..], [[1.0, 0.0, 0.0]; 3]);
    assert_eq!(model.inverse_masses(), [1.0, 0.5, 0.5, 0.5]);
    let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
    let mut moving = |frames: usize| {
        (0..frames).for_each(|_| simulation.step());
        let all = simulation.positions().into_iter().zip(simulation.velocities());
        let out = all.filter(|(_, v)| *v == [1.0, 0.0, 0.0]).map(|(x, _)| x[0]);
        let mut out: Vec<f32> = out.collect();
        out.sort_by(|a, b| b.total_cmp(a));
        out
    };
    assert!(moving(10).is_empty(), "before it begins");
    let near = |found: Vec<f32>, expected: &[f32]| {
        let off = found.iter().zip(expected).any(|(a, b)| (a - b).abs() > 1e-4);
        assert!(found.len() == expected.len() && !off, "{found:?}, expected {expected:?}");
    };
    near(moving(1), &[1.01]);
    near(moving(25), &[1.26, 1.06]);
    // The first was taken at 0.51 s.
    near(moving(20), &[1.26, 1.06]);
}

#[test]
fn bad_emitters_and_sinks_are_refused() {
    let disc = |more: &str| format!(r#""shape": "disc", "radius": 0.05, "speed": 1{more}"#);
    let cases = [
        (r#""shape": "ring", "speed": 1"#.to_string(), BOX, "emitters[0].shape"),
        (r#""shape": "disc", "speed": 1"#.to_string(), BOX, "radius"),
        (disc(r#", "rate": 11"#), BOX, "emitters[0].rate: 11 is not allowed"),
        (disc(r#", "half_size": [1, 1]"#), BOX, "half_size"),
        (disc(r#", "begins": 2, "ends": 1"#), BOX, "emitters[0].ends: 1 is not allowed"),
        (disc(""), r#""shape": "plane", "point": [0, 0, 0]"#, "sinks[0]"),
        (
            disc(""),
            r#""shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 0]"#,
            "sinks[0].normal: 0 is not allowed (the vector has no length)",
        ),
        (
            disc(""),
            r#""shape": "box", "center": [0, 0, 0], "half_size": [1, 0, 1]"#,
            "sinks[0].half_size[1]: 0 is not allowed (must be positive)",
        ),
        (
            disc(""),
            r#""shape": "box", "center": [0, 0, 0], "radius": 1"#,
            "sinks[0]: unknown key \"radius\"",
        ),
    ];
    for (emitter, sink, says) in cases {
        let refused = read(&emitter, sink);
        let told = refused.err().unwrap_or_else(|| panic!("{emitter} {sink} is accepted"));
        assert!(told.contains(says), "{told}, without {says}");
    }
}

/// A few words may not ask for more particles than memory holds: what emitters and tears ask for counts together.
#[test]
fn particles_by_number_are_bounded_together() {
    let scratch = Scratch::new("emitters");
    let emitter = |count: u32| {
        format!(
            r#"{{"shape": "disc", "radius": 0.05, "center": [1, 0, 0], "direction": [2, 0, 0], "speed": 1, "spacing": 0.1,
                "count": {count}, "mass": 2}}"#
        )
    };
    let read = |second: u32, copies: u32| {
        let text = format!(
            r#"{{"taut": 1, "particles": {{"position": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}}, "emitters": [{}, {}],
                "tears": [{{"triangles": [[0, 1, 2]], "strain": 1, "copies": {copies}}}]}}"#,
            emitter(3),
            emitter(second),
        );
        let read = read_scene(&scratch.write("scene.json", &text), &[]);
        read.map(|file| file.model.positions().len()).map_err(|error| error.to_string())
    };
    assert_eq!(read(2, 4), Ok(3 + 3 + 2 + 4));
    let told = read((1 << 24) - 2, 0).expect_err("one too many");
    assert!(told.contains("emitters[1].count: 16777214, with those before it 16777217,"), "{told}");
    let told = read(2, (1 << 24) - 4).expect_err("one too many");
    assert!(told.contains("tears[0].copies: 16777212"), "{told}");
}

/// Sinks that nothing can reach are told of.
#[test]
fn sinks_without_emitters_are_told_of() {
    let scratch = Scratch::new("emitters");
    let path = scratch.write("scene.json", &format!(r#"{{"taut": 1, "sinks": [{{{BOX}}}]}}"#));
    let warnings = read_scene(&path, &[]).expect("a scene").warnings;
    assert_eq!(warnings, ["sinks: there are no emitters, so they take nothing"]);
}
