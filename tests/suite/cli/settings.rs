//! Settings: who overrides whom, and what is refused.

use super::{CHAIN, run_json};
use crate::common::{folder, taut, write};
use serde_json::Value;

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
    assert_eq!([&entry["method"], &entry["threads"]], [&Value::from("lanes"), &Value::from(2)]);

    // Settings reach the simulation, not only the report.
    let hash = |arguments: &[&str]| run_json(arguments)["hash"].clone();
    let base = hash(&[&path]);
    for set in ["gravity=[0,-2,0]", "dt=0.02", "substeps=1", "iterations=1", "damping=3"] {
        assert_ne!(hash(&[&path, "--set", set]), base, "{set}");
    }
    let same = ["gravity=[0,-1,0]", "dt=0.01", "substeps=3", "iterations=4", "damping=0"];
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
            "unknown setting `iteration`; meant `iterations`? known: method threads gravity",
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
        ("gravity=0,-1,0", "a list stands in brackets: gravity=[0,-1,0]"),
        ("method=fast", "fast"),
        ("threads=0", "threads"),
        ("threads=100000", "threads"),
        ("damping=-1", "damping"),
        ("damping=x", "--set damping: \"x\" is not allowed (must be a number)"),
        ("gravity=[0,1e39,0]", "--set gravity[1]: "),
        ("width=9", "--set width: 9 is not allowed (must be 8 or 16)"),
        ("width=32", "--set width: 32 is not allowed (must be 8 or 16)"),
        ("omega=0", "omega"),
        ("omega=2.1", "2.1"),
        ("jacobi=mean", "known: average sum chebyshev"),
        ("spectral_radius=1", "spectral_radius"),
        ("colors=0", "colors"),
        ("colors=1.5", "1.5"),
        ("split_mass=1", "true or false"),
        ("tolerance=-1e-3", "tolerance"),
    ] {
        for run in ["rope:4", "cloth:4/lanes"] {
            let refused = taut(&["run", run, "--frames", "1", "--set", set]);
            let line = refused.refused(2);
            assert!(line.contains(says), "{set}: {line}");
        }
    }
    // Never more lanes than registers hold, and never without a word.
    let wide = taut(&["run", "rope:4", "--frames", "1", "--set", "width=16"]);
    wide.done();
    assert_eq!(wide.stderr.contains("width 16: "), !cfg!(target_feature = "avx512f"));
    let twice = ["run", "rope:4", "--set", "damping=1", "iterations=2", "--set", "damping=2"];
    assert!(taut(&twice).refused(2).contains("--set \"damping\": stands twice"));
}
