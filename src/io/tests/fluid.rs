//! The group `fluid` in a scene file.

use super::path::Scratch;
use crate::groups::{Fluid, FluidNumbers};
use crate::io::{SceneFile, read_scene};
use crate::solvers::Method;
use crate::tests::models::simulate;

/// Eight particles in the corners of a cube, and a group.
fn read(group: &str) -> Result<SceneFile, String> {
    let scratch = Scratch::new("fluid");
    let corners: Vec<_> =
        (0..8).map(|i| format!("[{}, {}, {}]", i % 2, i / 2 % 2, i / 4)).collect();
    let text = format!(
        r#"{{"taut": 1, "dt": 0.005, "particles": {{"position": [{}]}}, "groups": [{group}]}}"#,
        corners.join(", ")
    );
    let path = scratch.write("scene.json", &text);
    read_scene(&path, &[]).map_err(|error| error.to_string())
}

/// The file's group does what the same numbers do in code.
#[test]
fn words_are_numbers() {
    let words = r#"{"kind": "fluid", "particles": [0, 1, 2, 4, 7], "rest_density": 900, "radius": 0.8, "support": 2.1,
        "viscosity": 0.2, "dynamic_viscosity": 30, "surface_tension": 2, "s_corr": 0.03, "vorticity": 0.4, "rounds": 3}"#;
    let file = read(words).expect("a scene");
    let mut model = read("").expect("a scene").model;
    let numbers = FluidNumbers {
        rest_density: 900.0,
        radius: 0.8,
        support: Some(2.1),
        viscosity: 0.2,
        dynamic_viscosity: 30.0,
        surface_tension: 2.0,
        s_corr: 0.03,
        vorticity: 0.4,
        rounds: Some(3),
    };
    let fluid = Fluid::new(&model, vec![0, 1, 2, 4, 7], numbers).expect("a fluid");
    model.add_subsystem(fluid).unwrap();
    let end = |model| {
        let simulation = simulate(model, Method::Lanes, 1, 20);
        simulation.observe().hash
    };
    let still = end(read("").expect("a scene").model);
    let flowing = end(model);
    assert_ne!(flowing, still);
    assert_eq!(end(file.model), flowing);
}

/// All of them, and what may be left out.
#[test]
fn the_rest_is_usual() {
    let short = r#"{"kind": "fluid", "particles": "all", "rest_density": 1000, "radius": 0.5}"#;
    let file = read(short).expect("a scene");
    let parts: Vec<_> = file.model.subsystems().map(|part| (part.name(), part.len())).collect();
    assert_eq!(parts, [("fluid", 8)]);
}

#[test]
fn bad_fluids_are_refused() {
    let usual = r#""particles": [0, 1], "rest_density": 1000, "radius": 0.5"#;
    let cases = [
        (r#""particles": [0], "rest_density": 1000, "radius": 0"#, "groups[0].radius"),
        (r#""particles": [0], "rest_density": 0, "radius": 1"#, "groups[0].rest_density"),
        (r#""particles": [0], "radius": 1"#, "rest_density"),
        (r#""particles": [0], "rest_density": 1000"#, "radius"),
        (r#""rest_density": 1000, "radius": 1"#, "particles"),
        (r#""particles": "some", "rest_density": 1000, "radius": 1"#, "all"),
        (r#""particles": [0, 8], "rest_density": 1000, "radius": 1"#, "groups[0].particles"),
        (r#""particles": [3, 3], "rest_density": 1000, "radius": 1"#, "twice"),
        (&format!(r#"{usual}, "support": 0"#), "groups[0].support"),
        (&format!(r#"{usual}, "support": 9"#), "2.5 to 6 radii"),
        (&format!(r#"{usual}, "viscosity": 2"#), "viscosity"),
        (&format!(r#"{usual}, "viscosity": -1"#), "groups[0].viscosity"),
        (&format!(r#"{usual}, "s_corr": -1"#), "groups[0].s_corr"),
        (&format!(r#"{usual}, "vorticity": "much""#), "groups[0].vorticity"),
        (&format!(r#"{usual}, "colour": 1"#), "colour"),
    ];
    for (words, says) in cases {
        let refused = read(&format!(r#"{{"kind": "fluid", {words}}}"#));
        let told = refused.err().unwrap_or_else(|| panic!("{words} is accepted"));
        assert!(told.contains(says), "{told}, without {says}");
    }
}

/// Particles so small that they boil are told of, with the substeps that they take, which suffice; others are not.
#[test]
fn fluids_that_boil_are_told_of() {
    let scratch = Scratch::new("boils");
    let told = |radius: f64, substeps: u32| {
        let text = format!(
            r#"{{"taut": 1, "substeps": {substeps}, "particles": {{"position": [[0, 0, 0]]}},
                "groups": [{{"kind": "fluid", "particles": "all", "rest_density": 1000, "radius": {radius}}}]}}"#
        );
        read_scene(&scratch.write("scene.json", &text), &[]).expect("a scene").warnings
    };
    assert!(told(0.004, 1).is_empty());
    for (radius, substeps) in [(0.003, 2), (0.001, 2), (0.0004, 3)] {
        let warnings = told(radius, 1);
        assert!(warnings[0].ends_with(&format!("take {substeps} substeps")), "{warnings:?}");
        assert_eq!((warnings.len(), told(radius, substeps).len()), (1, 0));
    }
}
