//! The interactive viewer's window: `cargo run --release --example viewer -- cloth:64`. What keys and mouse do is in
//! `taut::viewer::Viewer`; here are only the window and the clock.
use minifb::{KeyRepeat, MouseButton, MouseMode, Scale, ScaleMode, Window, WindowOptions};
use std::process::ExitCode;
use std::time::Instant;
use taut::io::Run;
use taut::render::Canvas;
use taut::viewer::{Cost, Pointer, Size, Viewer};

fn main() -> ExitCode {
    match watch() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("viewer: {message}");
            ExitCode::from(2)
        }
    }
}

const HELP: &str = "[RUN] [--size WxH]: RUN is SCENE[:SIZE][/METHOD][@THREADS] as in `taut list`, or a scene file; H shows the keys";

/// Arguments: a run, `--size WxH`, and (for tests) `--frames N`, after which the window closes by itself.
fn arguments() -> Result<(Run, u64, Size), String> {
    let mut name = "cloth:64".to_string();
    let mut frames = u64::MAX;
    let mut size = Size(1280, 720);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--frames" => {
                let count = arguments.next().and_then(|n| n.parse().ok());
                frames = count.ok_or("--frames: a whole number is missing")?;
            }
            "--size" => {
                let text = arguments.next().unwrap_or_default();
                size = text.parse().map_err(|what| format!("--size: {what}"))?;
            }
            "--help" | "-h" => return Err(HELP.into()),
            _ => name = argument,
        }
    }
    Ok((name.parse().map_err(|e| format!("{e}"))?, frames, size))
}

fn watch() -> Result<(), String> {
    let (run, frames, Size(width, height)) = arguments()?;
    let options = WindowOptions {
        resize: true,
        scale: Scale::X1,
        scale_mode: ScaleMode::UpperLeft,
        ..WindowOptions::default()
    };
    let opened = Window::new(&format!("taut {run}"), width, height, options);
    let mut window = opened.map_err(|error| {
        let error = error.to_string().replace('\n', " ");
        format!("no display ({error}); without one: taut run {run} --frames 120 --gif out.gif")
    })?;
    window.set_target_fps(60);
    let mut viewer = Viewer::open(&run).map_err(|error| error.to_string())?;
    let mut canvas = Canvas::new(width, height);
    let mut cost = Cost::default();
    for _ in 0..frames {
        if !window.is_open() || viewer.quits() {
            break;
        }
        let (width, height) = window.get_size();
        if (canvas.width(), canvas.height()) != (width.max(1), height.max(1)) {
            canvas = Canvas::new(width.max(1), height.max(1));
        }
        for key in window.get_keys_pressed(KeyRepeat::Yes) {
            let again = !window.is_key_pressed(key, KeyRepeat::No);
            viewer.press(&format!("{key:?}"), again);
        }
        viewer.point(pointer(&window));

        let started = Instant::now();
        if viewer.advance() {
            smooth(&mut cost.step, started);
        }
        let started = Instant::now();
        viewer.draw(&mut canvas, cost);
        smooth(&mut cost.draw, started);
        let shown = window.update_with_buffer(canvas.pixels(), canvas.width(), canvas.height());
        shown.map_err(|error| error.to_string())?;
    }
    println!(
        "{}: {:.2} s simulated, {:.3} ms/step, {:.3} ms/picture of {} x {}",
        viewer.run(),
        viewer.simulation().time(),
        cost.step,
        cost.draw,
        canvas.width(),
        canvas.height()
    );
    Ok(())
}

fn pointer(window: &Window) -> Pointer {
    let (x, y) = window.get_mouse_pos(MouseMode::Pass).unwrap_or_default();
    Pointer {
        at: [x, y],
        left: window.get_mouse_down(MouseButton::Left),
        right: window.get_mouse_down(MouseButton::Right),
        wheel: window.get_scroll_wheel().map_or(0.0, |(_, y)| y),
    }
}

/// A running mean of milliseconds, so that figures can be read.
fn smooth(mean: &mut f64, started: Instant) {
    let now = started.elapsed().as_secs_f64() * 1e3;
    *mean = if *mean == 0.0 { now } else { 0.9 * *mean + 0.1 * now };
}
