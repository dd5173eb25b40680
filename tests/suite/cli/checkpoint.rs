//! Checkpoints: a run that is interrupted, however rudely, ends as it would have ended.

use super::CHAIN;
use crate::common::{command, folder, taut, write};
use serde_json::Value;
use std::process::Stdio;
use std::time::Duration;

fn hash(report: &Value) -> &str {
    report["hash"].as_str().expect("a hash")
}

fn report(arguments: &[&str]) -> Value {
    taut(&[&["run"], arguments, &["--json", "-"]].concat()).json()
}

/// Killed at twenty random moments while every frame is written: it always goes on, and always ends with the same bits.
#[test]
fn killed_at_any_moment_it_goes_on() {
    let folder = folder("killed");
    let file = folder.join("run.ckp");
    let file = file.to_str().unwrap();
    let start = &["heap:12/lanes@2", "--frames", "120", "--set", "substeps=6"][..];
    let expected = report(start);
    let mut random = fastrand::Rng::with_seed(7);
    let (mut kills, mut resumed) = (0, 0);
    while kills < 20 {
        let first = !std::path::Path::new(file).exists();
        let what = if first { start } else { &["--resume", file] };
        resumed += usize::from(!first);
        let arguments = [&["run"], what, &["--checkpoint", file]].concat();
        let mut command = command(&arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(random.u64(5..60)));
        child.kill().expect("a child");
        child.wait().expect("a child");
        kills += 1;
    }
    assert!(resumed > 0, "no checkpoint was ever written");
    let end = report(&["--resume", file]);
    assert_eq!(hash(&end), hash(&expected));
}

/// N frames, then N more in another process on other threads, are 2 N frames; a scene file may be gone by then.
#[test]
fn resumed_runs_end_alike() {
    let folder = folder("resumed");
    let file = folder.join("run.ckp");
    let file = file.to_str().unwrap();
    let scene = write(&folder, "chain.json", CHAIN);
    for (run, again) in [
        ("car", "car/lanes@3"),
        ("bent-metal/scalar", "bent-metal/ordered@2"),
        ("melt:3/lanes@1", ""),
        (scene.as_str(), ""),
    ] {
        let whole = report(&[run, "--frames", "20"]);
        report(&[run, "--frames", "12", "--checkpoint", file, "--every", "5"]);
        if run.ends_with(".json") {
            std::fs::remove_file(run).unwrap();
        }
        let resume = ["--resume", file, "--frames", "8", again];
        let rest = report(&resume[..if again.is_empty() { 4 } else { 5 }]);
        assert_eq!(hash(&rest), hash(&whole), "{run}");
        assert_eq!(rest["frames"], 8);
    }
    // What was left of the run, where nothing else is said: nothing.
    assert_eq!(report(&["--resume", file])["frames"], 0);
}

/// A file that is no whole checkpoint: exit 2 and a sentence. So are arguments that do not fit.
#[test]
fn bad_checkpoints_are_refused() {
    let folder = folder("bad checkpoints");
    let file = folder.join("run.ckp");
    let file = file.to_str().unwrap();
    taut(&["run", "rope:3", "--frames", "2", "--checkpoint", file]).done();
    let bytes = std::fs::read(file).unwrap();
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 4;
    let mut newer = bytes.clone();
    newer[8] += 1;
    for (bytes, what) in [
        (&bytes[..bytes.len() - 5], "cut short"),
        (&flipped, "damaged"),
        (&newer, "format 4"),
        (b"{\"taut\": 1}", "not a checkpoint"),
        (b"", "not a checkpoint"),
    ] {
        let bad = write(&folder, "bad.ckp", bytes);
        let call = taut(&["run", "--resume", &bad, "--frames", "1"]);
        let line = call.refused(2);
        assert!(line.contains(what) && line.contains("bad.ckp"), "{line}");
    }
    let other = taut(&["run", "rope:4", "--resume", file]);
    let line = other.refused(2);
    assert!(
        line.ends_with("a checkpoint of rope:3/lanes; rope:4/lanes is another model"),
        "{line}"
    );
    let scene = write(&folder, "chain.json", CHAIN);
    let chain = folder.join("chain.ckp");
    let chain = chain.to_str().unwrap();
    taut(&["run", &scene, "--frames", "2", "--checkpoint", chain]).done();
    write(&folder, "chain.json", CHAIN.replace("0.8", "0.9"));
    let changed = taut(&["run", &scene, "--resume", chain]);
    assert!(changed.refused(2).contains("another model now: its files differ"));
    let missing = folder.join("missing.ckp");
    taut(&["run", "--resume", missing.to_str().unwrap()]).refused(2);
    let nowhere = folder.join("no/where.ckp");
    let nowhere = nowhere.to_str().unwrap();
    taut(&["run", "rope:3", "--checkpoint", nowhere]).refused(2);
    taut(&["run", "rope:3", "--checkpoint", file, "--every", "0"]).refused(2);
    taut(&["run", "rope:3", "--every", "2"]).refused(2);
    taut(&["run", "--resume", file, "--set", "iterations=3"]).refused(2);
}
