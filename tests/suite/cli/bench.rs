//! `taut list` and `taut bench`.

use super::FAR;
use crate::common::{folder, taut, write};
use serde_json::Value;

/// `taut list` names every scene, method and kind, as text and as JSON.
#[test]
fn list() {
    let list = taut(&["list", "--json", "-"]).json();
    let text = taut(&["list"]);
    for (section, expected) in [("scenes", "cloth"), ("methods", "scalar"), ("kinds", "distance")] {
        let names: Vec<&str> =
            list[section].as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap()).collect();
        assert!(names.contains(&expected), "{section}: {names:?}");
        assert!(names.iter().all(|name| text.done().contains(name)));
    }
}

/// Every field of the format is there, and its numbers agree.
fn has_all_fields(entry: &Value) {
    for key in ["run", "scene", "method", "hash"] {
        assert!(entry[key].is_string(), "{key} of {entry}");
    }
    for key in ["size", "threads", "particles", "constraints", "iterations", "substeps", "colors"] {
        assert!(entry[key].is_u64(), "{key} of {entry}");
    }
    for key in ["ms_per_step", "ms_per_step_median", "projections_per_second", "speedup"] {
        assert!(entry[key].as_f64() > Some(0.0), "{key} of {entry}");
    }
    for key in ["residual", "residual_max"] {
        assert!(entry[key].as_f64() >= Some(0.0), "{key} of {entry}");
    }
    let number = |key: &str| entry[key].as_f64().unwrap();
    let projections = number("constraints") * number("iterations") * number("substeps");
    let rate = projections / (number("ms_per_step") / 1e3);
    assert!((number("projections_per_second") / rate - 1.0).abs() < 1e-9, "{entry}");
    assert!(number("ms_per_step_median") >= number("ms_per_step"), "{entry}");
}

/// `bench` writes what the format promises: every field, every rung, the same hash where the order is the same.
#[test]
fn bench() {
    let arguments = ["bench", "cloth:4", "rope:5/lanes@3", "--seconds", "0.05", "--json", "-"];
    let report = taut(&arguments).json();
    assert_eq!(report["taut"], env!("CARGO_PKG_VERSION"));
    for key in ["cpu", "isa", "backend", "rustc"] {
        assert!(report["machine"][key].as_str().is_some_and(|text| !text.is_empty()), "{key}");
    }
    assert!(report["machine"]["cores"].as_u64() >= Some(1));
    let runs = report["runs"].as_array().unwrap();
    runs.iter().for_each(has_all_fields);
    let names: Vec<&str> = runs.iter().map(|entry| entry["run"].as_str().unwrap()).collect();
    for rung in [
        "cloth:4/scalar",
        "cloth:4/colored",
        "cloth:4/lanes@1",
        "rope:5/scalar",
        "rope:5/lanes@1",
        "rope:5/lanes@3",
    ] {
        assert_eq!(names.iter().filter(|name| **name == rung).count(), 1, "{rung} in {names:?}");
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

/// The times of pictures are in order, and with its steps a picture takes longer; what pictures do not have is refused.
#[test]
fn pictures() {
    let call = taut(&["bench", "--pictures", "rope:5", "cloth:6/scalar", "--seconds", "0.001"]);
    let text = call.done();
    let rows: Vec<Vec<&str>> = text.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!((rows[2][0], rows[3][0]), ("rope:5/lanes", "cloth:6/scalar"), "{text}");
    for row in &rows[2..4] {
        let figure: Vec<f64> = row[1..].iter().map(|cell| cell.parse().unwrap()).collect();
        let [_, best, median, slowest, whole, pace] = figure[..] else { panic!("{text}") };
        assert!(0.0 < best && best <= median && median <= slowest, "{text}");
        assert!(best <= whole && pace > 0.0, "{text}");
    }
    for other in [["--html", "page.html"], ["--json", "-"]] {
        assert_eq!(taut(&["bench", "--pictures", "rope:5", other[0], other[1]]).code, 2);
    }
}
