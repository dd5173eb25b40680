//! What a camera shows.

use crate::render::Canvas;
use crate::runs::Run;
use crate::viewer::outline::Outline;
use crate::viewer::{Cost, Viewer};

#[test]
fn a_camera_that_frames_an_outline_sees_all_from_nearer_than_the_box() {
    // A tilted disk.
    let turn = |i: u16| (f32::from(i).sin(), f32::from(i).cos());
    let points: Vec<[f32; 3]> = (0..2000).map(turn).map(|(s, c)| [2.0 * c, s, s]).collect();
    let mut outline = Outline::new();
    outline.add(points.iter().copied());
    let bounds = crate::render::Bounds::of(&points);
    assert_eq!(outline.bounds(), bounds);
    let usual = crate::render::Camera::default();
    let camera = usual.frame_points(&outline.points(), 640, 360);
    assert!(camera.distance < 0.9 * usual.frame(bounds.unwrap(), 640, 360).distance);
    let view = camera.view(640, 360);
    let is_seen = |[x, y, _]: [f32; 3]| x.min(y) > 0.0 && x < 640.0 && y < 360.0;
    assert!(points.iter().all(|&point| view.project(point).is_some_and(is_seen)));
}

/// In windows with room for it; in small ones the scene takes all.
#[test]
fn the_scene_is_seen_beside_the_panels() {
    for (run, size) in [("jelly", [1280, 720]), ("mobile:4", [1280, 720]), ("dam:1000", [900, 600])]
    {
        let mut viewer = Viewer::open(&run.parse::<Run>().unwrap()).unwrap();
        let mut canvas = Canvas::new(size[0], size[1]);
        // Lets the camera settle.
        (0..100).for_each(|_| viewer.draw(&mut canvas, Cost::default()));
        let view = viewer.hand.camera.view(size[0], size[1]);
        for corner in viewer.bounds.corners() {
            let [x, y, _] = view.project(corner).unwrap();
            assert!(!viewer.menu.covers([x, y]), "{run}: {x} {y}");
            assert!(x > viewer.left as f32 && x < size[0] as f32 && y > 0.0, "{run}: {x} {y}");
        }
    }
}

/// A drop that flies high is left out of the picture; a jet is not, nor what is no fluid.
#[test]
fn spray_widens_no_picture() {
    use crate::groups::{Fluid, FluidNumbers};
    use crate::viewer::bounds::bounds_of;
    use crate::viewer::joint_lines::JointLines;
    let mut model = crate::Model::new();
    for i in 0..1000 {
        let at = [i % 10, i / 100, i / 10 % 10].map(|k| 0.05 * f64::from(k));
        model.add_particle(at, [0.0; 3], 1.0).unwrap();
    }
    let water = Fluid::new(&model, (0..999).collect(), FluidNumbers::default()).unwrap();
    model.add_subsystem(water).unwrap();
    let highest = |high: std::ops::Range<usize>| {
        let mut state = crate::state::Snapshot::default();
        state.positions.extend(model.positions());
        state.positions[high].iter_mut().for_each(|x| x[1] = 3.0);
        bounds_of(&model, &state, &JointLines::of(&model)).unwrap().most[1]
    };
    assert!(highest(0..4) < 0.5);
    assert_eq!([highest(0..20), highest(999..1000)], [3.0; 2]);
}
