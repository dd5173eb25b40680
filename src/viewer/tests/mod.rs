//! Tests of the room: every key and the mouse without a window, the hand, the pictures' bytes.

use super::keys::{Action, KEYS, action};
use super::menu::Choice;
use super::setup::Setup;
use super::*;
use crate::runs::Run;
use crate::settings::ResponseMode;
use crate::{Method, Simulation};

mod broken;
mod colors;
mod framing;

fn viewer(run: &str) -> Viewer {
    let mut viewer = Viewer::open(&run.parse::<Run>().unwrap()).unwrap();
    drawn(&mut viewer);
    viewer
}

fn drawn(viewer: &mut Viewer) -> crate::render::Canvas {
    let mut canvas = crate::render::Canvas::new(320, 180);
    viewer.draw(&mut canvas, Cost::default());
    canvas
}

fn press(viewer: &mut Viewer, key: &str) {
    assert!(action(key, false).is_some(), "{key} is no key of the table");
    viewer.press(key, false);
}

#[test]
fn every_key_has_one_action_and_every_action_one_key() {
    for (i, (key, act, repeats, about)) in KEYS.iter().enumerate() {
        assert_eq!(action(key, false), Some(*act));
        assert_eq!(action(key, true).is_some(), *repeats, "{key} held down");
        assert!(!about.is_empty());
        assert!(KEYS[..i].iter().all(|(k, a, ..)| k != key && a != act));
    }
    assert_eq!(action("F13", false), None::<Action>);
}

#[test]
fn time_goes_on_stands_still_and_begins_anew() {
    let mut v = viewer("cloth:6/scalar");
    assert!(v.advance());
    press(&mut v, "Space");
    assert!(v.paused && !v.advance());
    press(&mut v, "S");
    assert!(v.advance() && !v.advance(), "one step");
    assert_eq!(v.simulation().time(), 2.0 / 60.0);
    press(&mut v, "R");
    assert_eq!(v.simulation().time(), 0.0);
    assert_eq!(v.simulation().positions(), v.simulation().model().positions());
    press(&mut v, "Space");
    assert!(v.advance());
}

#[test]
fn settings_change_under_way_and_the_state_stays() {
    let mut v = viewer("cloth:6/lanes@1");
    (0..5).for_each(|_| assert!(v.advance()));
    let state = v.simulation().visible();
    let keys = ["Up", "Right", "PageUp", "M", "C", "H", "F", "Down", "Left", "Up"];
    for key in keys {
        press(&mut v, key);
        assert_eq!(v.simulation().visible(), state, "after {key}");
    }
    assert_ne!(v.simulation().method(), Method::Lanes, "after M");
    assert_eq!(v.simulation().model().settings.iterations, 11);
    assert_eq!(v.simulation().model().settings.substeps, 1);
    press(&mut v, "Left");
    assert_eq!(v.simulation().model().settings.substeps, 1, "no fewer than one");
    assert!(v.advance());
}

#[test]
fn threads_go_up_and_down_where_the_method_has_them() {
    let mut v = viewer("cloth:6/lanes@1");
    press(&mut v, "PageUp");
    assert_eq!(v.simulation().threads(), 2);
    assert_eq!(v.run().to_string(), "cloth:6/lanes@2");
    press(&mut v, "PageDown");
    press(&mut v, "PageDown");
    assert_eq!(v.simulation().threads(), 1);
    let mut v = viewer("cloth:6/scalar");
    press(&mut v, "PageUp");
    assert_eq!(v.simulation().threads(), 1);
}

#[test]
fn scenes_and_overlays_go_round() {
    let mut v = viewer("rope:8/scalar");
    for overlay in ["stretch", "batch", "speed", "plain"] {
        press(&mut v, "C");
        assert_eq!(v.overlay().name(), overlay);
        drawn(&mut v);
    }
    let first = v.run().scene_name();
    press(&mut v, "N");
    assert_ne!(v.run().scene_name(), first);
    assert_eq!(v.simulation().method(), Method::Scalar);
    press(&mut v, "Escape");
    assert!(v.quits());
}

#[test]
fn help_is_shown_and_hidden() {
    let mut v = viewer("rope:8/scalar");
    let before = drawn(&mut v);
    press(&mut v, "H");
    assert_ne!(drawn(&mut v), before);
    press(&mut v, "H");
    assert_eq!(drawn(&mut v), before);
}

#[test]
fn the_mouse_turns_moves_zooms_and_frames() {
    let mut v = viewer("cloth:6/scalar");
    let framed = v.hand.camera;
    let at = |x: f32, y: f32| Pointer { at: [x, y], ..Pointer::default() };
    v.point(at(5.0, 170.0));
    v.point(Pointer { left: true, ..at(5.0, 170.0) });
    assert_eq!(v.hand.held.map(|(particle, _)| particle), None, "there is nothing in the corner");
    v.point(Pointer { left: true, ..at(25.0, 160.0) });
    assert!(v.hand.camera.yaw < framed.yaw && v.hand.camera.pitch < framed.pitch);
    v.point(Pointer { right: true, ..at(25.0, 160.0) });
    v.point(Pointer { right: true, ..at(45.0, 160.0) });
    assert_ne!(v.hand.camera.target, framed.target);
    v.point(Pointer { wheel: 1.0, ..at(45.0, 160.0) });
    assert!(v.hand.camera.distance < framed.distance);
    press(&mut v, "F");
    assert_eq!(v.hand.camera, framed);
}

#[test]
fn the_mouse_takes_a_particle_and_lets_it_go() {
    let mut v = viewer("cloth:6/lanes@2");
    let corner = v.simulation().positions()[35];
    let view = v.hand.camera.view(320, 180);
    let [x, y, _] = view.project(corner).unwrap();
    let left = |x: f32, y: f32| Pointer { at: [x, y], left: true, ..Pointer::default() };
    v.point(Pointer { left: false, ..left(x, y) });
    v.point(left(x, y));
    assert_eq!(v.hand.held.map(|(particle, _)| particle), Some(35));
    v.point(left(x + 40.0, y));
    (0..10).for_each(|_| assert!(v.advance()));
    let [to, _, _] = view.project(v.simulation().positions()[35]).unwrap();
    assert!((to - x - 40.0).abs() < 0.1, "it is where the pointer is");
    press(&mut v, "M");
    (0..3).for_each(|_| assert!(v.advance()));
    assert!(
        (view.project(v.simulation().positions()[35]).unwrap()[0] - to).abs() < 0.1,
        "by any method"
    );
    v.point(Pointer { left: false, ..left(x + 40.0, y) });
    assert_eq!(v.hand.held.map(|(particle, _)| particle), None);
    (0..10).for_each(|_| assert!(v.advance()));
    assert_ne!(view.project(v.simulation().positions()[35]).unwrap()[0], to, "it falls");
}

#[test]
fn the_mouse_takes_a_body_and_lets_it_go() {
    let mut v = viewer("stack:1");
    let height = |v: &Viewer| v.simulation().bodies()[0][1];
    let first = height(&v);
    let view = v.hand.camera.view(320, 180);
    let [x, y, _] = view.project([0, 1, 2].map(|k| v.simulation().bodies()[0][k])).unwrap();
    let left = |y: f32| Pointer { at: [x, y], left: true, ..Pointer::default() };
    v.point(Pointer { left: false, ..left(y) });
    v.point(left(y));
    assert_eq!(v.hand.grip.as_ref().map(|(grip, _)| grip.body), Some(0));
    v.point(left(y - 30.0));
    (0..60).for_each(|_| assert!(v.advance()));
    let held = height(&v);
    assert!(held > first + 0.1, "{held} m is where the pointer is");
    v.point(Pointer { left: false, ..left(y - 30.0) });
    (0..60).for_each(|_| assert!(v.advance()));
    assert!((height(&v) - first).abs() < 0.01, "it falls back");
}

#[test]
fn words_of_the_picture_are_clicked() {
    let mut v = viewer("rope:8/scalar");
    let mut canvas = crate::render::Canvas::new(1280, 720);
    let mut click = |v: &mut Viewer, choice: Choice| {
        v.draw(&mut canvas, Cost::default());
        let places = (0..1280 * 90).map(|i| [(i % 1280) as f32, (i / 1280 * 8) as f32]);
        let found = { places }.find(|at| v.menu.hit(*at) == Some(&choice));
        let at = found.unwrap_or_else(|| panic!("{choice:?} is not on the picture"));
        v.point(Pointer { at, ..Pointer::default() });
        v.point(Pointer { at, left: true, ..Pointer::default() });
        v.point(Pointer { at, ..Pointer::default() });
    };
    let setup = v.setup();
    click(&mut v, Choice::Setup(Setup { method: Method::Lanes, ..setup }));
    assert_eq!(v.simulation().method(), Method::Lanes);
    let setup = v.setup();
    click(&mut v, Choice::Setup(Setup { response: ResponseMode::Pbd, ..setup }));
    assert_eq!(v.simulation().model().settings.response, ResponseMode::Pbd);
    click(&mut v, Choice::Scene("stack"));
    assert_eq!(v.run().scene_name(), "stack");
    assert_eq!(v.simulation().method(), Method::Lanes);
}

#[test]
fn steps_keep_up_with_the_clock_and_leave_time_for_pictures() {
    let mut v = viewer("rope:8/scalar");
    let (mut time, mut cost) = (0.0, Cost::default());
    (0..60).for_each(|_| v.keep_up(1.0 / 30.0, &mut cost, &mut || 0.0));
    assert!((v.simulation().time() - 2.0).abs() < 0.1, "as the clock asks");
    let before = v.simulation().time();
    // Steps of 20 ms: more than real time has.
    let mut slow = || {
        time += 0.02;
        time
    };
    (0..60).for_each(|_| v.keep_up(1.0 / 30.0, &mut cost, &mut slow));
    let steps = (v.simulation().time() - before) * 60.0;
    assert!((55.0..=70.0).contains(&steps), "{steps} steps in 60 pictures");
}

#[test]
fn the_camera_stays_above_the_floor() {
    let mut v = viewer("stack:1");
    let mut at = Pointer { at: [2.0, 2.0], ..Pointer::default() };
    v.point(at);
    at.left = true;
    for _ in 0..40 {
        v.point(at);
        at.at[1] -= 20.0;
    }
    assert!(v.hand.camera.eye()[1] > 0.0, "turned");
    (at.left, at.right) = (false, true);
    for _ in 0..40 {
        v.point(at);
        at.at[1] -= 20.0;
    }
    assert!(v.hand.camera.eye()[1] > 0.0, "moved");
}

/// S1-02: direct manipulation. A particle pulled a hundred rest lengths away in one step, and back, and let go.
#[test]
fn dragging_a_hundred_rest_lengths_stays_finite() {
    for method in Method::ALL {
        let scene: Run = "cloth:12".parse().unwrap();
        let mut opened = scene.with(method, None).open(&[]).unwrap();
        let simulation: &mut Simulation = &mut opened.simulation;
        let before = simulation.positions()[70];
        simulation.grab(70);
        let far = before.map(|x| x + 100.0 / 11.0);
        for to in [far, before, far] {
            simulation.drag(70, to);
            simulation.drag(70, [f32::NAN; 3]);
            for _ in 0..20 {
                simulation.step();
            }
            assert_eq!(simulation.positions()[70], to, "{}: it stays in the hand", method.name());
            assert!(simulation.snapshot().finite(), "{}", method.name());
        }
        simulation.release(70);
        for _ in 0..240 {
            simulation.step();
        }
        assert!(simulation.snapshot().finite(), "{}", method.name());
        assert_ne!(simulation.positions()[70], far);
        let furthest =
            simulation.positions().into_iter().flatten().fold(0.0, |m: f32, x| m.max(x.abs()));
        assert!(furthest < 5.0, "{}: the cloth comes back, not {furthest} m away", method.name());
    }
}

/// The picture of a run after `frames` steps.
fn picture(run: &str, frames: u64, overlay: Overlay) -> u64 {
    let mut opened = run.parse::<Run>().unwrap().open(&[]).unwrap();
    let mut film = Film::new(&opened, overlay, frames).unwrap();
    for _ in 0..frames {
        opened.simulation.step();
        film.add(&opened.simulation);
    }
    let size = Size(320, 180);
    let set = film.set(&opened.simulation, size).unwrap();
    film.picture(&set, frames as usize - 1, size).hash()
}

/// Golden pictures (S1-26). A hash that changes because pictures or scenes were meant to change is renewed here: the
/// message shows the new one; look at the picture first (`taut run RUN --frames 20 --png DIR --color COLOR`).
#[test]
fn pictures_are_the_same_bytes_everywhere() {
    let golden = [
        ("cloth:16/scalar", Overlay::Plain, "0d5ee00836aa08be"),
        ("cloth:16/lanes@1", Overlay::Plain, "714c79870d0ad45c"),
        ("cloth:16/lanes@1", Overlay::Stretch, "09578d2e64fbc97a"),
        ("cloth:16/lanes@1", Overlay::Batch, "256c25eb85af239a"),
        ("rope:12/lanes@1", Overlay::Speed, "5810d4bdf04768fa"),
    ];
    let hex = |hash: u64| format!("{hash:016x}");
    let found = golden.map(|(run, overlay, _)| (run, overlay, hex(picture(run, 20, overlay))));
    let expected = golden.map(|(run, overlay, hash)| (run, overlay, hash.to_string()));
    assert_eq!(found, expected, "pictures differ (left: now; right: stored)");
}

#[test]
fn pictures_do_not_depend_on_threads() {
    let one = picture("cloth:16/lanes@1", 20, Overlay::Speed);
    for threads in [2, 3] {
        assert_eq!(picture(&format!("cloth:16/lanes@{threads}"), 20, Overlay::Speed), one);
    }
}

#[test]
fn films_too_long_for_memory_are_refused() {
    let opened = "cloth:64".parse::<Run>().unwrap().open(&[]).unwrap();
    let error = Film::new(&opened, Overlay::Plain, 1_000_000).err().unwrap();
    assert!(error.to_string().contains("fewer frames"), "{error}");
}

#[test]
fn sizes_are_read_or_refused() {
    assert_eq!("640x360".parse(), Ok(Size(640, 360)));
    for wrong in ["", "640", "x", "0x10", "640x99999", "-1x5"] {
        assert!(wrong.parse::<Size>().is_err(), "{wrong}");
    }
}

#[test]
fn scales_read_well() {
    use super::overlay::{round_up, typical_most};
    assert_eq!(
        [0.0, 0.001, 0.0011, 1.2, 1.0, 7.0].map(round_up),
        [0.001, 0.001, 0.002, 2.0, 1.0, 10.0]
    );
    assert_eq!(round_up(f32::NAN), f32::MAX);
    assert_eq!(typical_most(&[]), 0.0);
    assert_eq!(typical_most(&[f32::NAN, -3.0, 1.0]), 3.0);
}
