//! What a machine refuses and what a scene may ask too much of: an error or a bound, never a panic or an endless run.

use crate::common::{call, folder, taut, taut_within, write};
use std::fmt::Write;

/// More frames than memory holds are refused before the first; `run` keeps none.
#[test]
fn very_many_frames_to_compare() {
    let folder = folder("very many frames");
    for frames in ["1000000000", "9223372036854775808", "18446744073709551615"] {
        let out = folder.to_str().unwrap();
        let refused = taut_within(&["compare", "rope:2", "--frames", frames, "--out", out], 60);
        assert!(refused.refused(2).contains("--frames"), "{frames}");
        let gif = folder.join("film.gif");
        let filmed = ["run", "rope:2", "--frames", frames, "--gif", gif.to_str().unwrap()];
        taut_within(&filmed, 60).refused(2);
    }
}

/// A path holds what a browser would take for marks.
#[test]
fn a_page_names_its_scene_as_it_is() {
    let folder = folder("page of a marked path");
    let scene = write(&folder, "<b>&\"amp.json", super::CHAIN);
    let out = folder.join("out");
    taut(&[
        "compare",
        &scene,
        "--methods",
        "scalar",
        "--frames",
        "1",
        "--out",
        out.to_str().unwrap(),
    ])
    .done();
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("&lt;b&gt;&amp;&quot;amp.json") && !page.contains("<b>"), "{page}");
}

/// A star: as many colors as rows, more than 16 bits count.
#[test]
fn a_star_of_66_000_rows() {
    let folder = folder("star");
    let count = 66_000;
    let mut text = String::from(r#"{"taut": 1, "particles": {"position": [[0,0,0]"#);
    (0..count).for_each(|i| write!(text, ",[1,{i},0]").unwrap());
    text += r#"]}, "constraints": ["#;
    for i in 1..=count {
        let comma = if i == 1 { "" } else { "," };
        write!(text, r#"{comma}{{"kind": "distance", "particles": [0,{i}]}}"#).unwrap();
    }
    text += "]}";
    let scene = write(&folder, "star.json", text);
    let found = taut_within(&["inspect", &scene, "--json", "-"], 300).json();
    let kind = &found["kinds"][0];
    assert_eq!([&kind["rows"], &kind["colors"], &kind["clique_bound"]], [66_000, 66_000, 66_000]);
    assert!(kind["colorings"].as_array().unwrap().iter().all(|c| c["colors"] == 66_000));
}

/// Rows of meshes are refused by the place of their mesh.
#[test]
fn rows_of_a_mesh_are_refused_by_its_name() {
    let folder = folder("rows of a mesh");
    write(&folder, "flat.node", "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 0\n");
    write(&folder, "flat.ele", "2 4 0\n0 0 1 2 3\n1 0 1 2 4\n");
    let good = r#"{"file": "flat.node", "as": "soft"}"#;
    let bad = r#"{"file": "flat.node", "as": "soft", "material": "rubber"}"#;
    let scene = format!(r#"{{"taut": 1, "meshes": [{good}, {bad}]}}"#);
    let scene = write(&folder, "scene.json", scene);
    let refused = taut(&["run", &scene, "--frames", "1"]);
    assert!(refused.refused(2).contains("meshes[1]"), "{}", refused.stderr);
}

/// A body rebounds with no more than it came with, as particles and colliders.
#[test]
fn a_restitution_above_one() {
    let folder = folder("restitution above one");
    for (restitution, code) in [("1", 0), ("1.0000001", 2), ("1.5", 2)] {
        let body =
            format!(r#"{{"shape": "sphere", "size": 1, "mass": 1, "restitution": {restitution}}}"#);
        let scene = write(&folder, "body.json", format!(r#"{{"taut": 1, "bodies": [{body}]}}"#));
        let call = taut(&["run", &scene, "--frames", "1"]);
        assert_eq!(call.code, code, "{restitution}: {}", call.stderr);
        assert!(code == 0 || call.refused(2).contains("bodies[0].restitution"), "{}", call.stderr);
    }
}

/// Every box meets every other: what is kept of it is bounded.
#[test]
fn three_thousand_boxes_in_one_place() {
    let folder = folder("boxes in one place");
    let body = r#"{"shape": "box", "size": [1, 1, 1], "mass": 1, "position": [0, 0, 0]}"#;
    let bodies = vec![body; 3000].join(",");
    let scene = format!(r#"{{"taut": 1, "bodies": [{bodies}], "contacts": {{}}}}"#);
    bounded(&write(&folder, "scene.json", scene), 1_500_000);
}

/// Rows are kept of what touches, not of every pair.
#[test]
fn a_hundred_colliders_and_a_hundred_thousand_particles() {
    let folder = folder("colliders and particles");
    let points: Vec<String> =
        (0..100_000).map(|i| format!("[{},{},0]", i % 1000, i / 1000)).collect();
    let sphere = |i: usize| format!(r#"{{"shape": "sphere", "center": [{i},500,0], "radius": 1}}"#);
    let spheres: Vec<String> = (0..100).map(sphere).collect();
    for (name, spheres) in [("apart", spheres), ("in one place", vec![sphere(0); 100])] {
        let scene = format!(
            r#"{{"taut": 1, "particles": {{"position": [{}]}}, "colliders": [{}]}}"#,
            points.join(","),
            spheres.join(",")
        );
        bounded(&write(&folder, &format!("{name}.json"), scene), 500_000);
    }
}

/// A step ends, with no more than so many kB of addresses.
fn bounded(scene: &str, _kilobytes: usize) {
    let run = ["run", scene, "--frames", "2"];
    #[cfg(target_os = "linux")]
    {
        let run = format!("'{}' {} '{scene}@2' --frames 2", env!("CARGO_BIN_EXE_taut"), run[0]);
        let script = format!("ulimit -v {_kilobytes} && exec {run}");
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        call(&[&script], output).done();
    }
    #[cfg(not(target_os = "linux"))]
    taut_within(&run, 300).done();
}

/// Threads that the system refuses: an error.
#[cfg(target_os = "linux")]
#[test]
fn refused_threads() {
    let taut = env!("CARGO_BIN_EXE_taut");
    // Each thread asks for a stack of 2 MB. (`ulimit -u` does not hold for root.)
    for call_of in ["run rope:9/lanes@1000 --frames 1", "bench rope:9/lanes@1000 --seconds 0.01"] {
        let script = format!("ulimit -v 1000000 && exec '{taut}' {call_of}");
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        let refused = call(&[&script], output);
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        assert!(refused.stderr.contains("1000 threads"), "{}", refused.stderr);
    }
}

/// A grid of `n` x `n` vertices as an OBJ file, each where `place` says.
fn sheet(n: usize, place: impl Fn(usize, usize) -> [f64; 3]) -> String {
    let mut text = String::new();
    for i in 0..n * n {
        let [x, y, z] = place(i % n, i / n);
        writeln!(text, "v {x} {y} {z}").unwrap();
    }
    for i in 0..(n - 1) * (n - 1) {
        let a = i / (n - 1) * n + i % (n - 1) + 1;
        writeln!(text, "f {a} {} {}\nf {} {} {}", a + 1, a + n, a + 1, a + n + 1, a + n).unwrap();
    }
    text
}

/// A finer mesh is bound to a coarse one by a search, not by holding every vertex against every element.
#[test]
fn a_fine_mesh_on_a_fine_mesh() {
    let folder = folder("fine on fine");
    let flat = |n: usize| move |i: usize, j: usize| [i as f64 / n as f64, 0.0, j as f64 / n as f64];
    write(&folder, "coarse.obj", sheet(150, flat(150)));
    write(&folder, "fine.obj", sheet(400, flat(400)));
    let mesh = r#"{"file": "coarse.obj", "as": "cloth", "visual": "fine.obj"}"#;
    let scene = write(&folder, "scene.json", format!(r#"{{"taut": 1, "meshes": [{mesh}]}}"#));
    taut_within(&["run", &scene, "--frames", "1"], 120).done();
}

/// A cloth of which all corners lie in one place, or on one line, is searched for contacts with itself in bounded work.
#[test]
fn a_collapsed_cloth() {
    let folder = folder("collapsed cloth");
    for (name, place) in [
        ("point", (|_, _| [0.0; 3]) as fn(usize, usize) -> [f64; 3]),
        ("line", |i, _| [1e-6 * i as f64, 0.0, 0.0]),
    ] {
        write(&folder, &format!("{name}.obj"), sheet(200, place));
        let mesh = format!(r#"{{"file": "{name}.obj", "as": "cloth", "mass": 1}}"#);
        let contacts = r#""contacts": {"self": [{"mesh": 0, "thickness": 0.01}]}"#;
        let scene = format!(r#"{{"taut": 1, "meshes": [{mesh}], {contacts}}}"#);
        let scene = write(&folder, &format!("{name}.json"), scene);
        let ended = taut_within(&["run", &scene, "--frames", "1"], 300);
        assert!(ended.code != 2 || ended.stderr.contains("meshes[0]"), "{}", ended.stderr);
    }
}
