//! `taut view`: the viewer's window and its clock. What keys and mouse do is in `taut::viewer::Viewer`.

use super::output::{Failure, input, say};
use super::settings::whole;
use crate::render::Canvas;
use crate::runs::Run;
use crate::viewer::{Cost, Pointer, Size, Viewer};
use clap::Args;
use minifb::{
    InputCallback, Key, KeyRepeat, MouseButton, MouseMode, Scale, ScaleMode, Window, WindowOptions,
};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

#[derive(Args)]
pub struct ViewArgs {
    /// The run
    #[arg(default_value = "drape")]
    run: String,
    /// Width and height of the window
    #[arg(long, value_name = "WxH", default_value = "1280x720")]
    size: Size,
    /// Pictures after which the window closes by itself
    #[arg(long, value_name = "N", value_parser = whole::<u64>, allow_negative_numbers = true)]
    frames: Option<u64>,
}

pub fn view(args: &ViewArgs) -> Result<(), Failure> {
    let run: Run = args.run.parse().map_err(input)?;
    let mut window = open_window(&run, args.size)?;
    let taps = Taps::default();
    window.set_input_callback(Box::new(taps.clone()));
    let Size(width, height) = args.size;
    let mut canvas = Canvas::new(width, height);
    canvas.panel([8, 8], &format!("opening {run} .."));
    show(&mut window, &canvas)?;
    let mut viewer = Viewer::open(&run).map_err(input)?;
    let started = Instant::now();
    let mut now = || started.elapsed().as_secs_f64();
    let (mut cost, mut last, mut pictures) = (Cost::default(), now(), 0);
    while window.is_open() && !viewer.quits() && args.frames.is_none_or(|most| pictures < most) {
        let (width, height) = window.get_size();
        if (canvas.width(), canvas.height()) != (width.max(1), height.max(1)) {
            canvas = Canvas::new(width.max(1), height.max(1));
        }
        for key in taps.take() {
            viewer.press(&format!("{key:?}"), false);
        }
        for key in window.get_keys_pressed(KeyRepeat::Yes) {
            if !window.is_key_pressed(key, KeyRepeat::No) {
                viewer.press(&format!("{key:?}"), true);
            }
        }
        viewer.point(pointer(&window));
        let passed = now() - std::mem::replace(&mut last, now());
        viewer.keep_up(passed, &mut cost, &mut now);
        let begun = now();
        viewer.draw(&mut canvas, cost);
        let ms = 1e3 * (now() - begun);
        cost.draw = Cost::smoothed(cost.draw, ms);
        show(&mut window, &canvas)?;
        pictures += 1;
    }
    let rate = pictures as f64 / now().max(1e-9);
    say!(
        "{}: {:.2} s simulated, {:.3} ms/step, {:.3} ms/picture of {} x {}, {rate:.0} pictures/s",
        viewer.run(),
        viewer.simulation().time(),
        cost.step,
        cost.draw,
        canvas.width(),
        canvas.height(),
    )
}

#[derive(Default)]
struct Keys {
    down: Vec<Key>,
    /// Those that went down since they were last asked for.
    tapped: Vec<Key>,
}

/// Keys as the window tells of them: a tap may be over before the next picture.
#[derive(Clone, Default)]
struct Taps(Rc<RefCell<Keys>>);

impl Taps {
    fn take(&self) -> Vec<Key> {
        std::mem::take(&mut self.0.borrow_mut().tapped)
    }
}

impl InputCallback for Taps {
    fn add_char(&mut self, _: u32) {}

    fn set_key_state(&mut self, key: Key, is_down: bool) {
        let Keys { down, tapped } = &mut *self.0.borrow_mut();
        let was_down = down.contains(&key);
        down.retain(|other| *other != key);
        if is_down {
            down.push(key);
        }
        // A system repeats what is held.
        if is_down && !was_down {
            tapped.push(key);
        }
    }
}

fn open_window(run: &Run, Size(width, height): Size) -> Result<Window, Failure> {
    let options = WindowOptions {
        resize: true,
        scale: Scale::X1,
        scale_mode: ScaleMode::UpperLeft,
        ..WindowOptions::default()
    };
    let opened = Window::new(&format!("taut {run}"), width, height, options);
    let mut window = opened.map_err(|error| {
        let error = error.to_string().replace('\n', " ");
        let film = format!("taut run {run} --frames 120 --gif out.gif");
        input(format!("view: no display ({error}); without one: {film}"))
    })?;
    window.set_target_fps(60);
    Ok(window)
}

fn show(window: &mut Window, canvas: &Canvas) -> Result<(), Failure> {
    let shown = window.update_with_buffer(canvas.pixels(), canvas.width(), canvas.height());
    shown.map_err(|error| Failure::Failed(format!("view: {error}")))
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
