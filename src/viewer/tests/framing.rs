//! What a camera shows.

use crate::viewer::outline::Outline;

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
