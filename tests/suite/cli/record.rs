//! Recordings and reports: numbers that read back, hashes that can be recomputed.

use super::{CHAIN, run_json};
use crate::common::{fnv, folder, frames, taut, write};
use serde_json::Value;

/// recomputed from the last of them.
#[test]
fn recordings() {
    let folder = folder("recordings");
    let chain = write(&folder, "chain.json", CHAIN);
    for (run, dt) in
        [("cloth:6", 1.0 / 60.0), ("rope:9/scalar", 1.0 / 60.0), (chain.as_str(), 0.01)]
    {
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
            frames.iter().all(|frame| frame.len() as u64 == report["particles"].as_u64().unwrap())
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
    run_json(&[&scene, "--record", target.to_str().unwrap(), "--frames", "60"]);
    let recording: Value = serde_json::from_slice(&std::fs::read(target).unwrap()).unwrap();
    for (k, frame) in frames(&recording).into_iter().enumerate() {
        let n = (k + 1) as f64;
        let expected = [1.0 + 0.5 * n / 60.0, 2.0 - 9.81 / 3600.0 * n * (n + 1.0) / 2.0, 3.0];
        for (x, expected) in frame[0].into_iter().zip(expected) {
            assert!((f64::from(x) - expected).abs() < 1e-4, "frame {k}: {x}, not {expected}");
        }
    }
}

/// Files that cannot be written: exit 2, naming the file.
#[test]
fn targets_that_cannot_be_written() {
    let folder = folder("targets");
    let nowhere = folder.join("no such folder/out.json");
    for option in ["--json", "--record"] {
        let refused = taut(&["run", "rope:2", "--frames", "1", option, nowhere.to_str().unwrap()]);
        assert_eq!(refused.code, 2, "{option}");
        assert!(
            refused.stderr.lines().next().unwrap().contains("no such folder"),
            "{}",
            refused.stderr
        );
    }
}

/// No frames: the state as authored, and its hash.
#[test]
fn no_frames() {
    let report = taut(&["run", "rope:2", "--frames", "0", "--json", "-"]).json();
    assert_eq!(report["hash"], fnv(&[[0.0; 3], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]]));
}

/// Simulated time, the cost of a step, and the two counters (S0-11).
#[test]
fn a_run_says_what_it_took() {
    let call = taut(&["run", "cloth:4/scalar", "--frames", "3"]);
    let said = call.done();
    for part in [
        "0.05 s simulated",
        " ms/step best, ",
        " median, ",
        "16 particles",
        "42 constraints",
        "1 thread,",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}
