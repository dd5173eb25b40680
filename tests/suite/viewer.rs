//! The real viewer in a real window: opens, steps, is resized, takes keys, closes. Needs `Xvfb` (and `xdotool` for keys and
//! sizes) and says so where they are missing; what keys do is tested without a window in `src/viewer/tests`.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// The example, which `cargo test` builds beside the tests.
fn viewer() -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    let path = test.parent()?.parent()?.join("examples/viewer");
    if !path.exists() {
        eprintln!("skipped: {} is not built (cargo build --example viewer)", path.display());
    }
    path.exists().then_some(path)
}

/// A screen in memory, gone when dropped.
struct Screen {
    server: Child,
    display: String,
}

impl Screen {
    fn open() -> Option<Self> {
        let server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut server) = server else {
            eprintln!("skipped: no Xvfb (apt-get install xvfb)");
            return None;
        };
        let mut number = String::new();
        let out = server.stdout.take().expect("piped above");
        BufReader::new(out).read_line(&mut number).expect("Xvfb says its display");
        let display = format!(":{}", number.trim());
        Some(Self { server, display })
    }

    fn start(&self, viewer: &PathBuf, arguments: &[&str]) -> Child {
        let mut command = Command::new(viewer);
        command.args(arguments).env("DISPLAY", &self.display);
        command.env_remove("WAYLAND_DISPLAY").stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the viewer starts")
    }

    /// Runs xdotool; `None` where it is missing.
    fn tool(&self, arguments: &[&str]) -> Option<Output> {
        let mut command = Command::new("xdotool");
        command.args(arguments).env("DISPLAY", &self.display).output().ok()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.server.kill().ok();
        self.server.wait().ok();
    }
}

#[test]
fn without_a_display_it_says_what_to_do() {
    let Some(viewer) = viewer() else { return };
    let mut command = Command::new(viewer);
    command.arg("cloth:8").env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("taut run cloth:8 --frames 120 --gif"), "{text}");
}

#[test]
fn it_opens_steps_and_closes() {
    let Some(viewer) = viewer() else { return };
    let Some(screen) = Screen::open() else { return };
    let output = screen
        .start(&viewer, &["cloth:8", "--frames", "30", "--size", "320x180"])
        .wait_with_output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("cloth:8/lanes: "), "{text}");
    let time: f64 = text.split(' ').nth(1).unwrap().parse().unwrap();
    assert!(time > 0.0, "{text}");
}

#[test]
fn it_takes_keys_and_sizes() {
    let Some(viewer) = viewer() else { return };
    let Some(screen) = Screen::open() else { return };
    if screen.tool(&["version"]).is_none() {
        return eprintln!("skipped: no xdotool (apt-get install xdotool)");
    }
    let mut child =
        screen.start(&viewer, &["cloth:8/scalar", "--frames", "3000", "--size", "320x180"]);
    let pause = || std::thread::sleep(Duration::from_millis(500));
    let search = || {
        pause();
        let found = screen.tool(&["search", "--name", "taut"])?;
        let found = String::from_utf8(found.stdout).ok()?;
        found.lines().last().map(String::from)
    };
    let Some(window) = (0..40).find_map(|_| search()) else {
        child.kill().ok();
        panic!("no window: {:?}", child.wait_with_output());
    };
    let window = window.as_str();
    pause();
    screen.tool(&["windowfocus", window]);
    screen.tool(&["windowsize", window, "400", "300"]);
    pause();
    for key in ["h", "m", "space", "Escape"] {
        // Held for a while: a press shorter than a frame is never seen.
        screen.tool(&["keydown", key]);
        pause();
        screen.tool(&["keyup", key]);
        pause();
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("cloth:8/colored: "), "M: the next method: {text}");
    assert!(text.contains("of 400 x 300"), "{text}");
    let time: f64 = text.split(' ').nth(1).unwrap().parse().unwrap();
    assert!(time < 50.0, "Escape closed it: {text}");
}
