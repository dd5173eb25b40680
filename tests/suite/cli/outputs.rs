//! Output files and streams: whole or not there, refused before the first step, and what ends a run early.

use super::CHAIN;
use crate::common::{Call, call, command, folder, frames, taut, taut_within, write};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A run that takes hours.
const ENDLESS: [&str; 6] = ["run", "rope:9", "--frames", "100000", "--set", "iterations=10000000"];

/// Refused at once, not after the simulation.
#[test]
fn what_cannot_be_written_is_refused_before_the_first_step() {
    let folder = folder("refused first");
    let file = write(&folder, "file", "");
    let nowhere = folder.join("nowhere").join("out");
    let into_file = Path::new(&file).join("out");
    for option in ["--gif", "--json", "--record", "--png", "--obj"] {
        // A folder can be made, but not in a file; a file cannot take the place of a folder.
        let target = match option {
            "--png" | "--obj" => &into_file,
            _ => &nowhere,
        };
        for target in [target, &into_file] {
            let target = target.to_str().unwrap();
            let refused = taut_within(&[&ENDLESS[..], &[option, target]].concat(), 60);
            let line = refused.refused(2);
            assert!(line.contains("cannot write") && line.contains("out"), "{option}: {line}");
        }
        if !matches!(option, "--png" | "--obj") {
            let target = folder.to_str().unwrap();
            taut_within(&[&ENDLESS[..], &[option, target]].concat(), 60).refused(2);
        }
    }
    let bench = ["bench", "rope:9", "--seconds", "600", "--json", nowhere.to_str().unwrap()];
    assert!(taut_within(&bench, 60).refused(2).contains("cannot write"));
}

/// The scene and its meshes are not written over, by any path; nor one output by another.
#[test]
fn no_output_replaces_what_the_run_reads() {
    let folder = folder("own scene");
    write(&folder, "tri.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let text = r#"{"taut": 1, "meshes": [{"file": "tri.obj", "as": "cloth"}]}"#;
    let scene = write(&folder, "scene.json", text);
    let around = folder.join("..").join("own scene");
    for target in [folder.join("scene.json"), around.join("scene.json"), folder.join("tri.obj")] {
        let before = std::fs::read(&target).unwrap();
        for option in ["--record", "--json", "--gif"] {
            let target = target.to_str().unwrap();
            let refused = taut(&["run", &scene, "--frames", "1", option, target]);
            assert!(refused.refused(2).contains("cannot write"), "{option} {target}");
        }
        assert_eq!(std::fs::read(&target).unwrap(), before);
    }
    let one = folder.join("one");
    let one = one.to_str().unwrap();
    let refused = taut(&["run", &scene, "--frames", "1", "--gif", one, "--json", one]);
    assert!(refused.refused(2).contains("two outputs"));
}

/// A file that is replaced keeps what it held until the new one is whole, its permissions, and the links that lead to it.
#[cfg(unix)]
#[test]
fn a_file_is_replaced_whole() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("replaced");
    let target = write(&folder, "record.json", "what was here");
    std::fs::set_permissions(&target, PermissionsExt::from_mode(0o640)).unwrap();
    let link = folder.join("link.json");
    symlink(&target, &link).unwrap();
    let recording = |frames: &'static str| {
        ["run", "rope:9", "--set", "iterations=100000", "--frames", frames, "--record"]
    };
    let link = link.to_str().unwrap();
    let mut child = command(&[&recording("100000")[..], &[link]].concat()).spawn().unwrap();
    until(|| leftovers(&folder) == 1);
    std::thread::sleep(Duration::from_millis(300));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "what was here");
    taut(&[&recording("2")[..], &[link]].concat()).done();
    let recorded: Value = serde_json::from_slice(&std::fs::read(&target).unwrap()).unwrap();
    assert_eq!(frames(&recorded).len(), 2);
    assert_eq!(std::fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(std::fs::symlink_metadata(link).unwrap().is_symlink());
    // What the kill left stands in nobody's way, and nothing is added to it.
    assert_eq!(leftovers(&folder), 1);
}

/// How many files a writer has not finished.
pub(super) fn leftovers(folder: &Path) -> usize {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_str().unwrap().ends_with(".tmp")).count()
}

pub(super) fn until(done: impl Fn() -> bool) {
    for _ in 0..6000 {
        if done() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("nothing happened for a minute");
}

/// Ctrl-C and SIGTERM: exit 130, and everything that was asked for holds the frames so far.
#[cfg(unix)]
#[test]
fn a_signal_ends_a_run_with_what_it_has() {
    for signal in ["-INT", "-TERM"] {
        let folder = folder(&format!("ended by {signal}"));
        let target = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let (record, json) = (target("record.json"), target("report.json"));
        let (gif, png) = (target("film.gif"), target("pictures"));
        let mut arguments = vec!["run", "rope:9", "--set", "iterations=100000"];
        arguments.extend(["--frames", "100000", "--size", "32x32", "--record", &record]);
        arguments.extend(["--json", &json, "--gif", &gif, "--png", &png]);
        let mut command = command(&arguments);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        until(|| leftovers(&folder) == 1);
        std::thread::sleep(Duration::from_millis(500));
        let id = child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let ended = call(&arguments, child.wait_with_output().unwrap());
        assert_eq!(ended.code, 130, "{}", ended.stderr);
        assert!(ended.stderr.lines().last().unwrap().contains("signal"), "{}", ended.stderr);
        let read = |path| serde_json::from_slice::<Value>(&std::fs::read(path).unwrap()).unwrap();
        let (recorded, report) = (read(&record), read(&json));
        let count = report["frames"].as_u64().unwrap();
        assert!((1..100_000).contains(&count), "{count}");
        assert_eq!(frames(&recorded).len() as u64, count);
        assert_eq!(recorded["hash"], report["hash"]);
        assert!(std::fs::read(&gif).unwrap().starts_with(b"GIF89a"));
        assert_eq!(std::fs::read_dir(&png).unwrap().count() as u64, count);
        assert_eq!(leftovers(&folder), 0);
    }
}

/// What an earlier, longer run left in the folder of pictures stays, and is named.
#[test]
fn pictures_of_an_earlier_run() {
    let folder = folder("earlier pictures");
    let png = folder.to_str().unwrap();
    for (frames, says) in [("3", false), ("2", true), ("3", false)] {
        let run = ["run", "rope:2", "--frames", frames, "--size", "32x32", "--png", png];
        let call = taut(&run);
        call.done();
        assert_eq!(call.stderr.contains("frame_0003.png and what follows it"), says, "{frames}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3);
    }
}

/// A recording of bodies does not keep them in memory: what it does is the same above and below the size that it keeps.
#[test]
fn a_recording_of_many_bodies_streams() {
    let folder = folder("streamed bodies");
    let target = folder.join("record.json");
    let arguments = ["run", "heap:200", "--frames", "150", "--record", target.to_str().unwrap()];
    taut(&arguments);
    let recorded: Value = serde_json::from_slice(&std::fs::read(&target).unwrap()).unwrap();
    let bodies = recorded["bodies"].as_array().unwrap();
    assert_eq!(bodies.len(), 150);
    assert!(bodies.iter().all(|frame| frame.as_array().unwrap().len() == 200));
    assert!(recorded["bodies"].to_string().len() > 2 << 20, "no more than is kept in memory");
    assert_eq!(recorded["hash"].as_str().unwrap().len(), 16);
    assert_eq!(leftovers(&folder), 0);
}

#[cfg(target_os = "linux")]
mod full {
    use super::*;
    use std::fs::{File, OpenOptions};

    fn full() -> File {
        OpenOptions::new().write(true).open("/dev/full").unwrap()
    }

    /// A disk that is full: exit 2, and why; for every command and for `--help`.
    #[test]
    fn a_full_standard_output() {
        for arguments in [
            &["list"][..],
            &["list", "--json", "-"],
            &["schema"],
            &["--help"],
            &["--version"],
            &["inspect", "rope:9"],
            &["run", "rope:9", "--frames", "1"],
            &["run", "rope:9", "--frames", "1", "--json", "-"],
            &["bench", "rope:9", "--seconds", "0.01"],
        ] {
            let output = command(arguments).stdout(full()).output().unwrap();
            let refused = call(arguments, output);
            let line = refused.refused(2);
            assert!(line.contains("standard output: cannot write"), "{arguments:?}: {line}");
        }
    }

    /// There is nobody to tell, and no reason to panic.
    #[test]
    fn a_full_standard_error() {
        for (arguments, code) in [
            (&["run", "nothing"][..], 2),
            (&["fly"], 2),
            (&["run", "rope:9/jacobi", "--set", "omega=0.5", "--frames", "1"], 0),
        ] {
            let output = command(arguments).stderr(full()).output().unwrap();
            assert_eq!(call(arguments, output).code, code, "{arguments:?}");
        }
        // What is said before a long frame, and when a signal comes in midst of it.
        let folder = folder("full standard error");
        let state = folder.join("state");
        let mut arguments = vec!["run", "rope:9", "--frames", "1", "--set", "substeps=4294967295"];
        arguments.extend(["--checkpoint", state.to_str().unwrap()]);
        let child = command(&arguments).stdout(Stdio::piped()).stderr(full()).spawn().unwrap();
        let id = child.id().to_string();
        until(|| state.exists());
        for _ in 0..2 {
            std::thread::sleep(Duration::from_millis(500));
            assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        }
        assert_eq!(Call::within(&arguments, child, 60).code, 130);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn full_files() {
        for option in ["--json", "--record", "--gif"] {
            let refused = taut(&["run", "rope:9", "--frames", "1", option, "/dev/full"]);
            assert_eq!(refused.code, 2, "{option}");
            assert!(refused.stderr.contains("/dev/full: cannot write"), "{}", refused.stderr);
        }
    }
}

/// `taut bench | head -1`: what has no reader ends, without a word.
#[test]
fn a_closed_pipe_ends_a_bench() {
    let arguments = ["bench", "rope:9", "rope:19", "--seconds", "600"];
    let mut command = command(&arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended = Call::within(&arguments, child, 60);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
}

/// A scene is read once: a pipe will do for every command, those that make many models of it too.
#[cfg(unix)]
#[test]
fn a_scene_from_a_pipe() {
    let folder = folder("scene from a pipe");
    let out = folder.join("compared");
    for arguments in [
        &["run", "PIPE", "--frames", "2"][..],
        &["inspect", "PIPE"],
        &["bench", "PIPE", "PIPE/lanes@2", "--seconds", "0.01"],
        &["compare", "PIPE", "--frames", "2", "--out", out.to_str().unwrap()],
    ] {
        let pipe = folder.join("pipe.json");
        let _ = std::fs::remove_file(&pipe);
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let name = pipe.to_str().unwrap();
        let named: Vec<String> = arguments.iter().map(|word| word.replace("PIPE", name)).collect();
        let named: Vec<&str> = named.iter().map(String::as_str).collect();
        let writer = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::write(pipe, CHAIN)
        });
        taut_within(&named, 120).done();
        writer.join().unwrap().unwrap();
    }
}
