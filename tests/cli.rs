//! The program as a user meets it: run names, precedence, JSON, recordings, exit codes (SCENE_FORMAT, "Command line").
#![cfg(feature = "cli")]

mod common;

use common::{call, command, fnv, folder, frames, taut, write};
use serde_json::Value;
use std::io::Read;
use std::process::Stdio;

/// A chain of three, the settings of its file unlike any default.
const CHAIN: &str = r#"{ "taut": 1, "name": "chain", "gravity": [0, -1, 0], "dt": 0.01, "substeps": 3, "iterations": 4,
  "method": "scalar", "particles": { "position": [[0,0,0],[1,0,0],[2,0,0]], "inverse_mass": [0,1,1] },
  "constraints": [ { "kind": "distance", "particles": [0,1] },
                   { "kind": "distance", "particles": [1,2], "rest_length": 0.8, "compliance": 0.001 } ] }"#;

fn run_json(arguments: &[&str]) -> Value {
    let mut all = vec!["run", arguments[0], "--json", "-"];
    if !arguments.contains(&"--frames") {
        all.extend(["--frames", "3"]);
    }
    all.extend(&arguments[1..]);
    taut(&all).json()
}

/// Sizes, methods and threads in a run's name, and the name reported in full.
#[test]
fn names_of_catalogue_runs() {
    for (name, full, particles, method) in [
        ("cloth:8", "cloth:8/lanes", 64, "lanes"),
        ("cloth:8/scalar", "cloth:8/scalar", 64, "scalar"),
        ("rope:1k/scalar", "rope:1k/scalar", 1001, "scalar"),
        ("rope:20@3", "rope:20/lanes@3", 21, "lanes"),
        ("rope:20/lanes@2", "rope:20/lanes@2", 21, "lanes"),
        ("rope:20/colored", "rope:20/colored", 21, "colored"),
        ("rope:20/scalar@1", "rope:20/scalar", 21, "scalar"),
    ] {
        let entry = run_json(&[name]);
        assert_eq!(entry["run"], full);
        assert_eq!(entry["particles"], particles, "{name}");
        assert_eq!(entry["method"], method, "{name}");
    }
    // `@T` is the number used, not an upper bound, above the core count too.
    assert_eq!(run_json(&["rope:20@7"])["threads"], 7);
    let inspected = taut(&["inspect", "cloth:1k/scalar", "--json", "-"]).json();
    assert_eq!(inspected["particles"], 1_000_000);
}

/// A path ends at its last `.json`; what stands before belongs to it, whatever it holds.
#[test]
fn names_of_scene_files() {
    let folder = folder("names of files");
    for name in [
        "a.json",
        "old.json/b.json",
        "x@2/c:3.json",
        "tab/d e.json",
        "a.jsonl.json",
    ] {
        let path = write(&folder, name, CHAIN);
        assert_eq!(run_json(&[&path])["run"], format!("{path}/scalar"));
        let lanes = run_json(&[&format!("{path}/lanes@2")]);
        assert_eq!(lanes["run"], format!("{path}/lanes@2"));
        assert_eq!(lanes["threads"], 2);
        assert_eq!(lanes["scene"], path);
    }
    let path = write(&folder, "sized.json", CHAIN);
    let refused = taut(&["run", &format!("{path}:8")]);
    assert!(refused.refused(2).contains("a scene file has no size"));
}

/// Names that are none: refused, naming the run and what is known.
#[test]
fn names_that_are_none() {
    for (name, says) in [
        ("cloht", "unknown scene `cloht`; known: cloth"),
        (
            "cloth/fast",
            "unknown method `fast`; known: scalar colored lanes",
        ),
        ("cloth:", "a size is a whole number"),
        ("cloth:-3", "a size is a whole number"),
        ("cloth:1.5k", "a size is a whole number"),
        ("cloth:99999999999999999999", "a size is a whole number"),
        ("cloth:1", "size"),
        ("cloth:8k8", "a size is a whole number"),
        ("cloth:9M", "size"),
        ("cloth@0", "threads must be a whole number"),
        ("cloth@x", "threads must be a whole number"),
        ("cloth@1000000", "threads must be a whole number"),
        ("cloth/scalar@2", "scalar runs on one thread"),
        ("", "unknown scene"),
        ("no such file.json", "no such file.json"),
        (".json", ".json"),
        ("cloth\n\u{1b}[31m", "unknown scene"),
    ] {
        let refused = taut(&["run", name]);
        let line = refused.refused(2);
        assert!(line.contains(says), "{name:?}: {line}");
    }
    let long = "x".repeat(100_000);
    taut(&["run", &long]).refused(2);
    taut(&["bench", &long]).refused(2);
    taut(&["inspect", "cloht"]).refused(2);
}

/// The run's name overrides `--set`, which overrides the file, which overrides the defaults.
#[test]
fn precedence() {
    let folder = folder("precedence");
    let path = write(&folder, "chain.json", CHAIN);
    let bare = write(&folder, "bare.json", r#"{"taut": 1}"#);
    let entry = run_json(&[&bare]);
    assert_eq!([&entry["iterations"], &entry["substeps"]], [10, 1]);
    assert_eq!(entry["method"], "lanes");
    let entry = run_json(&[&path]);
    assert_eq!([&entry["iterations"], &entry["substeps"]], [4, 3]);
    assert_eq!(entry["method"], "scalar");
    let entry = run_json(&[&path, "--set", "iterations=7", "method=colored"]);
    assert_eq!([&entry["iterations"], &entry["substeps"]], [7, 3]);
    assert_eq!(entry["method"], "colored");
    let named = format!("{path}/lanes@2");
    let entry = run_json(&[&named, "--set", "method=colored", "--set", "threads=3"]);
    assert_eq!(
        [&entry["method"], &entry["threads"]],
        [&Value::from("lanes"), &Value::from(2)]
    );

    // Settings reach the simulation, not only the report.
    let hash = |arguments: &[&str]| run_json(arguments)["hash"].clone();
    let base = hash(&[&path]);
    for set in [
        "gravity=[0,-2,0]",
        "dt=0.02",
        "substeps=1",
        "iterations=1",
        "damping=3",
    ] {
        assert_ne!(hash(&[&path, "--set", set]), base, "{set}");
    }
    let same = [
        "gravity=[0,-1,0]",
        "dt=0.01",
        "substeps=3",
        "iterations=4",
        "damping=0",
    ];
    for set in same {
        assert_eq!(hash(&[&path, "--set", set]), base, "{set}");
    }
}

/// `--set` refuses what it does not know, and what is out of range, by name and value.
#[test]
fn settings_that_are_none() {
    for (set, says) in [
        (
            "iteration=3",
            "unknown setting `iteration`; known: method threads gravity",
        ),
        ("iterations", "must be KEY=VALUE"),
        ("iterations=-1", "-1"),
        ("iterations=many", "many"),
        ("iterations=4294967296", "4294967296"),
        ("substeps=0", "0"),
        ("dt=0", "0"),
        ("dt=1e999", "dt"),
        ("dt=NaN", "NaN"),
        ("gravity=9.81", "gravity"),
        ("gravity=[0,-9.81]", "gravity"),
        ("method=fast", "fast"),
        ("threads=0", "threads"),
        ("threads=100000", "threads"),
        ("damping=-1", "damping"),
    ] {
        for run in ["rope:4", "cloth:4/lanes"] {
            let refused = taut(&["run", run, "--frames", "1", "--set", set]);
            let line = refused.refused(2);
            assert!(line.contains(says), "{set}: {line}");
        }
    }
}

/// `taut list` names every scene, method and kind, as text and as JSON.
#[test]
fn list() {
    let list = taut(&["list", "--json", "-"]).json();
    let text = taut(&["list"]);
    for (section, expected) in [
        ("scenes", "cloth"),
        ("methods", "scalar"),
        ("kinds", "distance"),
    ] {
        let names: Vec<&str> = list[section]
            .as_array()
            .unwrap()
            .iter()
            .map(|e| e["name"].as_str().unwrap())
            .collect();
        assert!(names.contains(&expected), "{section}: {names:?}");
        assert!(names.iter().all(|name| text.done().contains(name)));
    }
}

/// `bench` writes what the format promises: every field, every rung, the same hash where the order is the same.
#[test]
fn bench() {
    let arguments = [
        "bench",
        "cloth:4",
        "rope:5/lanes@3",
        "--seconds",
        "0.05",
        "--json",
        "-",
    ];
    let report = taut(&arguments).json();
    assert_eq!(report["taut"], env!("CARGO_PKG_VERSION"));
    for key in ["cpu", "isa", "backend", "rustc"] {
        assert!(
            report["machine"][key]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{key}"
        );
    }
    assert!(report["machine"]["cores"].as_u64() >= Some(1));
    let runs = report["runs"].as_array().unwrap();
    for entry in runs {
        for key in ["run", "scene", "method", "hash"] {
            assert!(entry[key].is_string(), "{key} of {entry}");
        }
        for key in [
            "size",
            "threads",
            "particles",
            "constraints",
            "iterations",
            "substeps",
            "colors",
        ] {
            assert!(entry[key].is_u64(), "{key} of {entry}");
        }
        for key in [
            "ms_per_step",
            "ms_per_step_median",
            "projections_per_second",
            "speedup",
        ] {
            assert!(entry[key].as_f64() > Some(0.0), "{key} of {entry}");
        }
        for key in ["residual", "residual_max"] {
            assert!(entry[key].as_f64() >= Some(0.0), "{key} of {entry}");
        }
        let number = |key: &str| entry[key].as_f64().unwrap();
        let projections = number("constraints") * number("iterations") * number("substeps");
        let rate = projections / (number("ms_per_step") / 1e3);
        assert!(
            (number("projections_per_second") / rate - 1.0).abs() < 1e-9,
            "{entry}"
        );
        assert!(
            number("ms_per_step_median") >= number("ms_per_step"),
            "{entry}"
        );
    }
    let names: Vec<&str> = runs
        .iter()
        .map(|entry| entry["run"].as_str().unwrap())
        .collect();
    for rung in [
        "cloth:4/scalar",
        "cloth:4/colored",
        "cloth:4/lanes@1",
        "rope:5/scalar",
        "rope:5/lanes@1",
        "rope:5/lanes@3",
    ] {
        assert_eq!(
            names.iter().filter(|name| **name == rung).count(),
            1,
            "{rung} in {names:?}"
        );
    }
    let of = |name: &str| runs.iter().find(|entry| entry["run"] == name).unwrap();
    assert_eq!(of("cloth:4/scalar")["speedup"], 1.0);
    assert_eq!(of("cloth:4/colored")["hash"], of("cloth:4/lanes@1")["hash"]);
    assert_eq!(of("rope:5/colored")["hash"], of("rope:5/lanes@3")["hash"]);
    // The hash is that of ten untimed steps from the start.
    let ten = taut(&["run", "rope:5/lanes@1", "--frames", "10", "--json", "-"]).json();
    assert_eq!(ten["hash"], of("rope:5/lanes@1")["hash"]);
    assert_eq!(ten["residual"], of("rope:5/lanes@1")["residual"]);
    for wrong in ["-1", "NaN", "inf", "soon"] {
        taut(&["bench", "rope:5", &format!("--seconds={wrong}")]).refused(2);
    }
}

/// `bench` of a scene whose simulation fails its check times nothing: exit 1.
#[test]
fn bench_times_nothing_that_is_wrong() {
    let folder = folder("bench of a broken scene");
    let path = write(&folder, "far.json", FAR);
    let failed = taut(&["bench", &path, "--seconds", "0.01", "--json", "-"]);
    assert!(failed.refused(1).contains("finite"));
}

/// A particle so fast that it leaves f32 in a step.
const FAR: &str =
    r#"{"taut": 1, "dt": 10, "particles": {"position": [[0,0,0]], "velocity": [[3e38,0,0]]}}"#;

/// A state that is not finite is reported: exit 1, one line, and `finite` false in the JSON.
#[test]
fn a_state_not_finite_fails() {
    let folder = folder("not finite");
    let path = write(&folder, "far.json", FAR);
    let failed = taut(&["run", &path, "--frames", "2", "--json", "-"]);
    assert_eq!(failed.code, 1);
    assert!(
        failed.stderr.lines().next().unwrap().contains("finite"),
        "{}",
        failed.stderr
    );
    let report: Value = serde_json::from_str(&failed.stdout).unwrap();
    assert_eq!(report["finite"], false);
}

/// A recording: one entry a frame after each step, numbers that read back to the same f32, and a hash that can be
/// recomputed from the last of them.
#[test]
fn recordings() {
    let folder = folder("recordings");
    let chain = write(&folder, "chain.json", CHAIN);
    for (run, dt) in [
        ("cloth:6", 1.0 / 60.0),
        ("rope:9/scalar", 1.0 / 60.0),
        (chain.as_str(), 0.01),
    ] {
        let target = folder.join("record.json");
        let target = target.to_str().unwrap();
        let report = run_json(&[run, "--record", target, "--frames", "5"]);
        let recording: Value = serde_json::from_slice(&std::fs::read(target).unwrap()).unwrap();
        assert_eq!(recording["run"], report["run"]);
        assert_eq!(recording["dt"].as_f64(), Some(dt));
        let frames = frames(&recording);
        assert_eq!(frames.len(), 5);
        assert_eq!(recording["bodies"].as_array().unwrap().len(), 5);
        assert!(
            frames
                .iter()
                .all(|frame| frame.len() as u64 == report["particles"].as_u64().unwrap())
        );
        assert_eq!(recording["hash"], report["hash"]);
        assert_eq!(recording["hash"], fnv(&frames[4]), "{run}");
        // Frame k is the state after step k + 1: shorter runs end in it.
        let first = run_json(&[run, "--frames", "1"]);
        assert_eq!(first["hash"], fnv(&frames[0]), "{run}");
        assert_eq!(report["frames"], 5);
        assert_eq!(report["finite"], true);
        for key in ["momentum", "angular_momentum"] {
            assert_eq!(report[key].as_array().unwrap().len(), 3);
        }
        assert!(report["energy"].is_f64());
    }
}

/// Free fall, recorded: what was simulated is what is written (S0-02).
#[test]
fn a_recorded_fall() {
    let folder = folder("a recorded fall");
    let scene = r#"{"taut": 1, "particles": {"position": [[1,2,3]], "velocity": [[0.5,0,0]]}}"#;
    let scene = write(&folder, "fall.json", scene);
    let target = folder.join("fall record.json");
    run_json(&[
        &scene,
        "--record",
        target.to_str().unwrap(),
        "--frames",
        "60",
    ]);
    let recording: Value = serde_json::from_slice(&std::fs::read(target).unwrap()).unwrap();
    for (k, frame) in frames(&recording).into_iter().enumerate() {
        let n = (k + 1) as f64;
        let expected = [
            1.0 + 0.5 * n / 60.0,
            2.0 - 9.81 / 3600.0 * n * (n + 1.0) / 2.0,
            3.0,
        ];
        for (x, expected) in frame[0].into_iter().zip(expected) {
            assert!(
                (f64::from(x) - expected).abs() < 1e-4,
                "frame {k}: {x}, not {expected}"
            );
        }
    }
}

/// Files that cannot be written: exit 2, naming the file.
#[test]
fn targets_that_cannot_be_written() {
    let folder = folder("targets");
    let nowhere = folder.join("no such folder/out.json");
    for option in ["--json", "--record"] {
        let refused = taut(&[
            "run",
            "rope:2",
            "--frames",
            "1",
            option,
            nowhere.to_str().unwrap(),
        ]);
        assert_eq!(refused.code, 2, "{option}");
        assert!(
            refused
                .stderr
                .lines()
                .next()
                .unwrap()
                .contains("no such folder"),
            "{}",
            refused.stderr
        );
    }
}

/// Usage errors: exit 2, the error on the first line. Help and version: exit 0.
#[test]
fn usage() {
    for wrong in [
        &["fly"][..],
        &["run"],
        &["run", "rope:2", "--frames", "-1"],
        &["run", "rope:2", "--frames", "x"],
        &["run", "rope:2", "--frame", "3"],
        &["inspect"],
        &["bench", "--seconds"],
    ] {
        let refused = taut(wrong);
        assert!(refused.refused(2).starts_with("error: "), "{wrong:?}");
    }
    assert!(taut(&["--help"]).done().contains("bench"));
    assert!(
        taut(&["--version"])
            .done()
            .contains(env!("CARGO_PKG_VERSION"))
    );
}

/// A catalogue scene's check holds whichever way gravity points.
#[test]
fn checks_hold_in_any_gravity() {
    for gravity in ["[0,9.81,0]", "[0,0,0]", "[30,-1,2]", "[0,-100,0]"] {
        for run in ["cloth:8", "rope:20", "sphere:1"] {
            let gravity = format!("gravity={gravity}");
            taut(&["run", run, "--frames", "90", "--set", &gravity]).done();
        }
    }
}

/// No frames: the state as authored, and its hash.
#[test]
fn no_frames() {
    let report = taut(&["run", "rope:2", "--frames", "0", "--json", "-"]).json();
    assert_eq!(
        report["hash"],
        fnv(&[[0.0; 3], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]])
    );
}

/// A reader that closes the pipe ends the program without a panic.
#[test]
fn a_closed_pipe() {
    for arguments in [
        &["list"][..],
        &["list", "--json", "-"],
        &["inspect", "rope:9"],
    ] {
        let mut command = command(arguments);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        call(arguments, output);
    }
}

/// 10^9 iterations are legal, and the time they will take is said before they begin.
#[test]
fn very_many_iterations_show_the_time_left() {
    let arguments = [
        "run",
        "rope:9",
        "--frames",
        "1",
        "--set",
        "iterations=1000000000",
    ];
    let mut child = command(&arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let mut text = Vec::new();
    let mut byte = [0];
    while stderr.read(&mut byte).unwrap() == 1 && byte[0] != b'\n' {
        text.push(byte[0]);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let line = String::from_utf8(text).unwrap();
    assert!(
        line.contains("about") && line.contains("for 1 frames"),
        "{line}"
    );
}
