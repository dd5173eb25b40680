//! Exit codes and streams: 0 done, 1 failed, 2 bad input or usage; never a panic.

use super::FAR;
#[cfg(unix)]
use super::outputs::until;
use crate::common::{call, command, fnv, folder, frames, taut, write};
use serde_json::Value;
use std::io::Read;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
#[cfg(unix)]
use std::process::Command;
use std::process::Stdio;
#[cfg(unix)]
use std::time::Duration;

/// A state that is not finite is reported: exit 1, one line, and `finite` false in the JSON.
#[test]
fn a_state_not_finite_fails() {
    let folder = folder("not finite");
    let path = write(&folder, "far.json", FAR);
    let failed = taut(&["run", &path, "--frames", "2", "--json", "-"]);
    assert_eq!(failed.code, 1);
    assert!(failed.stderr.lines().next().unwrap().contains("finite"), "{}", failed.stderr);
    let report: Value = serde_json::from_str(&failed.stdout).unwrap();
    assert_eq!(report["finite"], false);
}

/// Usage errors: exit 2, the error on the first line. Help and version: exit 0.
#[test]
fn usage() {
    for wrong in [
        &["fly"][..],
        &["run"],
        &["run", "rope:2", "--frames", "-1"],
        &["run", "rope:2", "--frames", "x"],
        &["run", "rope:2", "--every", "3"],
        &["run", "rope:2", "--color", "speed"],
        &["run", "rope:2", "--size", "32x32"],
        &["run", "rope:2", "--frame", "3"],
        &["inspect"],
        &["bench", "--seconds"],
    ] {
        let refused = taut(wrong);
        assert!(refused.refused(2).starts_with("taut: "), "{wrong:?}");
    }
    for (wrong, says) in [
        (&["run", "rope:2", "--size", "32x32"][..], "not provided: <--png <DIR>|--gif <FILE>>"),
        (&["run", "rope:2", "--gif", "a.png"], "a.png: cannot write: an animation is a GIF"),
        (&["rope:2"], "did you mean `taut run rope:2` or `taut view rope:2`?"),
        (&["gallery"], "not provided: --out <DIR>"),
        (&["run", "rope:2", "--gif", "a"], "a: cannot write: an animation is a GIF"),
        (&["run", "rope:2", "--png", "a.png"], "a.png: cannot write: frames are written into a"),
        (&["run", "rope:2", "--png", "Cargo.toml"], "Cargo.toml: cannot write: it is a file, not"),
        (&["run", "rope:2", "--frames", "-1"], "'--frames <N>': must be a whole number, 0 or more"),
        (&["run", "--checkpoint", "c", "--every", "-1"], "must be a whole number, 1 or more"),
        (&["compare", "rope:2", "--frames", "-1", "--out", "o"], "must be a whole number, 0 or"),
        (&["experiment"], "`taut experiment --list`"),
        (&["experiment", "--all"], "--out DIR"),
        (&["bench", "--seconds", "0"], "'--seconds <S>': must be a number of seconds, more than 0"),
        (&["compare", "cloth:4/lanes", "--out", "o"], "cloth:4/lanes: what is compared"),
    ] {
        let refused = taut(wrong);
        assert!(refused.refused(2).contains(says), "{wrong:?}: {}", refused.stderr);
    }
    assert!(taut(&["--help"]).done().contains("bench"));
    assert!(taut(&["--version"]).done().contains(env!("CARGO_PKG_VERSION")));
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

/// A frame that breaks under `nonfinite` "stop" is in nothing that is written, and all that is written is of the frame before.
#[test]
fn a_stop_writes_the_frame_before() {
    let folder = folder("stopped");
    let text = r#"{"taut": 1, "dt": 1, "gravity": [0,1e36,0], "nonfinite": "stop",
        "particles": {"position": [[0,0,0],[1,0,0]]}}"#;
    let path = write(&folder, "brk.json", text);
    let target = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (record, json, saved) = (target("r.json"), target("j.json"), target("c.ckp"));
    let outputs = ["--record", &record, "--json", &json, "--checkpoint", &saved];
    let ended = taut(&[&["run", &path, "--frames", "60"], &outputs[..]].concat());
    assert_eq!(ended.code, 1);
    assert!(ended.stdout.contains("25.00 s simulated"), "{}", ended.stdout);
    assert!(ended.stderr.contains("not finite after 25.000000 s"), "{}", ended.stderr);
    let read = |path| serde_json::from_slice::<Value>(&std::fs::read(path).unwrap()).unwrap();
    let (recorded, report) = (read(&record), read(&json));
    let frames = frames(&recorded);
    assert_eq!((frames.len(), &report["frames"]), (25, &Value::from(25)));
    assert_eq!(recorded["hash"], fnv(frames.last().unwrap()));
    assert_eq!(report["hash"], recorded["hash"]);
    assert_eq!(report["finite"], true);
    assert!(report["stopped"].as_str().unwrap().contains("particles 0 1"), "{report}");
    let again = taut(&["run", "--resume", &saved]);
    assert_eq!((again.code, again.stdout.contains("25.00 s simulated")), (1, true));
    assert!(again.stderr.contains("goes on after frame 25; its run had 35 left"));
}

/// A reader that closes the pipe ends the program without a panic.
#[test]
fn a_closed_pipe() {
    let record = ["run", "rope:99", "--frames", "9", "--record", "/dev/stdout"];
    let none: &[&str] = if cfg!(unix) { &record } else { &["list"] };
    for arguments in [&["list"][..], &["list", "--json", "-"], &["inspect", "rope:9"], none] {
        let mut command = command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let ended = call(arguments, output);
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{arguments:?}");
    }
}

/// 10^9 iterations are legal, and the time they will take is said before they begin.
#[test]
fn very_many_iterations_show_the_time_left() {
    let arguments = ["run", "rope:9", "--frames", "1", "--set", "iterations=1000000000"];
    let mut child =
        command(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let mut text = Vec::new();
    let mut byte = [0];
    while stderr.read(&mut byte).unwrap() == 1 && byte[0] != b'\n' {
        text.push(byte[0]);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let line = String::from_utf8(text).unwrap();
    assert!(line.contains("about") && line.trim_end().ends_with("for 1 frame"), "{line}");
}

/// Where the frame under way takes long after a signal, it is said how to end it at once; then it does.
#[cfg(unix)]
#[test]
fn a_signal_in_a_long_frame_says_that_a_second_one_ends_it() {
    let folder = folder("two signals");
    let state = folder.join("state");
    let mut arguments = vec!["run", "rope:9", "--frames", "1", "--set", "substeps=4294967295"];
    arguments.extend(["--checkpoint", state.to_str().unwrap()]);
    let mut command = command(&arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let id = child.id().to_string();
    let end = || assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    // Written before the first frame.
    until(|| state.exists());
    std::thread::sleep(Duration::from_millis(500));
    end();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("a second signal ends it at once") {
        line.clear();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "nothing was said");
    }
    end();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// A signal while pictures are drawn leaves those that are whole, and begins no film.
#[cfg(unix)]
#[test]
fn a_signal_ends_the_drawing_of_pictures() {
    let folder = folder("drawing ended");
    let [pictures, film] = ["pictures", "film.gif"].map(|name| folder.join(name));
    let mut arguments = vec!["run", "rope:9", "--frames", "2000", "--size", "1280x720"];
    arguments.extend(["--png", pictures.to_str().unwrap(), "--gif", film.to_str().unwrap()]);
    let mut command = command(&arguments);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    until(|| pictures.join("frame_0001.png").exists());
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let ended = call(&arguments, child.wait_with_output().unwrap());
    assert_eq!(ended.code, 130, "{}", ended.stderr);
    assert!(ended.stderr.contains("ended by a signal after"), "{}", ended.stderr);
    assert!(ended.stderr.contains("of 2000 pictures"), "{}", ended.stderr);
    let count = std::fs::read_dir(&pictures).unwrap().count();
    assert!((1..2000).contains(&count), "{count} pictures");
    assert!(!film.exists());
}

/// Commands that write nothing by frames end at once by a signal, with the same exit status.
#[cfg(unix)]
#[test]
fn a_signal_ends_other_commands_too() {
    let mut command = command(&["bench", "rope:9", "--seconds", "100"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert!(line.starts_with("taut"), "{line}");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
