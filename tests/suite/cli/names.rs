//! Run names: `SCENE[:SIZE][/METHOD][@THREADS]`.

use super::{CHAIN, run_json};
use crate::common::{folder, taut, write};

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
    for name in ["a.json", "old.json/b.json", "x@2/c:3.json", "tab/d e.json", "a.jsonl.json"] {
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
        ("cloht", "unknown scene `cloht`; meant `cloth`? "),
        ("cloth/fast", "unknown method `fast`; known: scalar colored lanes"),
        ("water", "scenes: `taut list`"),
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
        ("cloth/scalar@2", "scalar runs on one thread; meant `lanes@2`?"),
        ("", "unknown scene"),
        ("dräpe", "unknown scene `dräpe`; meant `drape`? "),
        ("hello.txt", "a scene file's name ends in .json"),
        ("scenes/flag", "a scene file's name ends in .json"),
        ("/tmp", "a scene file's name ends in .json"),
        ("../a", "a scene file's name ends in .json"),
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

/// `--set` does not swallow the run that follows it; without one the command says what is missing.
#[test]
fn a_run_may_stand_after_its_settings() {
    let before = run_json(&["rope:4", "--set", "iterations=3"])["hash"].clone();
    let after =
        taut(&["run", "--json", "-", "--frames", "3", "--set", "iterations=3", "rope:4"]).json();
    assert_eq!(after["hash"], before);
    assert!(taut(&["run", "--set", "iterations=3"]).refused(2).contains("taut run cloth:64"));
}

/// `inspect` takes the settings that `run` takes: what it says of rounding is of the substeps that were asked for.
#[test]
fn a_scene_is_inspected_with_other_settings() {
    let grain = |arguments: &[&str]| {
        let all = [&["inspect", "--json", "-"], arguments].concat();
        taut(&all).json()["grain"].as_f64().expect("a share of a substep's fall")
    };
    let plain = grain(&["rope:9", "--set", "substeps=1"]);
    // A substep's fall goes with the square of its length.
    assert_eq!(grain(&["--set", "substeps=4", "rope:9"]), 16.0 * plain);
    for (set, says) in [("substeps", "must be KEY=VALUE"), ("substeps=x", "substeps")] {
        let wrong = taut(&["inspect", "rope:9", "--set", set, "iterations=1"]);
        let line = wrong.refused(2);
        assert!(line.contains(says), "{set}: {line}");
    }
    assert!(taut(&["inspect", "--set", "substeps=4"]).refused(2).contains("taut inspect cloth:64"));
}
