//! Exit codes and streams: 0 done, 1 failed, 2 bad input or usage; never a panic.

use super::FAR;
use crate::common::{call, command, folder, taut, write};
use serde_json::Value;
use std::io::Read;
use std::process::Stdio;

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
        &["run", "rope:2", "--frame", "3"],
        &["inspect"],
        &["bench", "--seconds"],
    ] {
        let refused = taut(wrong);
        assert!(refused.refused(2).starts_with("error: "), "{wrong:?}");
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

/// A reader that closes the pipe ends the program without a panic.
#[test]
fn a_closed_pipe() {
    for arguments in [&["list"][..], &["list", "--json", "-"], &["inspect", "rope:9"]] {
        let mut command = command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        call(arguments, output);
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
    assert!(line.contains("about") && line.contains("for 1 frames"), "{line}");
}
