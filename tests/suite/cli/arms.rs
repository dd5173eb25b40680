//! Rows held by points of bodies ("at") through the program: run, refused by place, refused by methods without bodies.

use crate::common::{folder, recorded, taut, write};

/// A box hung by a rope of 1 m from a nail, the rope at the middle of its top.
fn hung(at: &str) -> String {
    format!(
        r#"{{"taut": 1, "substeps": 10, "damping": 2.0, "particles": {{"position": [[0, 2, 0]], "inverse_mass": [0]}},
            "bodies": [{{"shape": "box", "size": [0.1, 0.1, 0.1], "mass": 3, "position": [0.3, 1.1, 0]}}],
            "constraints": [{{"kind": "tether", "at": {at}, "rest_length": 1.0}}]}}"#
    )
}

#[test]
fn rows_at_points_of_bodies_run() {
    let folder = folder("rows at bodies");
    let scene = hung(r#"[0, {"body": 0, "point": [0.3, 1.2, 0]}]"#);
    let (_, seen) = recorded(&folder, scene, 900);
    let pose = &seen["bodies"][899][0];
    let at = |k: usize| pose[k].as_f64().expect("a number");
    // Below the nail: the rope and half the box.
    assert!(at(0).abs() < 5e-3, "{pose}");
    assert!((at(1) - 0.9).abs() < 1e-3, "{pose}");
}

#[test]
fn rows_at_points_of_bodies_are_refused_by_place() {
    let folder = folder("bad rows at bodies");
    for (at, place) in [
        (r#"[0, {"body": 4, "point": [0, 0, 0]}]"#, "constraints[0].at[1].body"),
        (r#"[7, {"body": 0, "point": [0, 0, 0]}]"#, "constraints[0].at[0]"),
        (r#"[0, {"body": 0}]"#, "constraints[0].at[1]"),
        (r#"[0]"#, "constraints[0].at"),
    ] {
        let path = write(&folder, "bad.json", hung(at));
        let refused = taut(&["run", &path, "--frames", "1"]);
        let says = refused.refused(2);
        assert!(says.contains(place), "{at}: {says}");
    }
    let good = hung(r#"[0, {"body": 0, "point": [0.3, 1.2, 0]}]"#);
    let path = write(&folder, "good.json", good);
    for method in ["jacobi", "hybrid", "impulse"] {
        let run = format!("{path}/{method}");
        taut(&["run", &run, "--frames", "1"]).done();
    }
}
