//! Tests of the camera: framing, picking, panning.

use crate::render::tests::front;
use crate::render::*;

#[test]
fn a_framed_box_is_inside_and_fills_the_view() {
    let boxes = [
        [[-1.0, 0.0, -1.0], [1.0, 2.0, 1.0]],
        [[5.0, -3.0, 2.0], [5.0, 9.0, 2.5]],
        [[-2e3, 0.0, 0.0], [2e3, 1.0, 7.0]],
    ];
    for [least, most] in boxes {
        let bounds = Bounds { least, most };
        for (width, height) in [(1280, 720), (300, 900)] {
            for step in 0..24 {
                let camera =
                    Camera { yaw: 0.5 * step as f32, pitch: 0.13 * step as f32 - 1.5, ..front() };
                let view = camera.frame(bounds, width, height).view(width, height);
                // How far out the corners lie: 0 in the middle, 1 at the border.
                let out = bounds.corners().map(|c| {
                    let [x, y, _] = view.project(c).expect("in front of the eye");
                    let half = [0.5 * width as f32, 0.5 * height as f32];
                    ((x - half[0]).abs() / half[0]).max((y - half[1]).abs() / half[1])
                });
                let most = out.into_iter().fold(0.0, f32::max);
                assert!(most < 0.92, "{most} at step {step}");
                // The ends of the longest box are kept beyond the near plane instead.
                assert!(most > 0.88 || least[0] == -2e3, "{most} at step {step}");
            }
        }
    }
}

#[test]
fn projecting_a_point_is_undone() {
    let camera = Camera { target: [1.0, 2.0, 3.0], ..Camera::default() };
    let view = camera.view(1280, 720);
    for point in [[1.0, 2.0, 3.0], [0.0, 1.0, 4.0], [2.5, 3.0, 1.0], [1.3, 0.0, 3.3]] {
        let [x, y, w] = view.project(point).unwrap();
        let back = view.unproject([x, y, w]);
        assert!((0..3).all(|k| (back[k] - point[k]).abs() < 1e-4));
        // Farther along the same line of sight.
        let again = view.project(view.unproject([x, y, 2.0 * w])).unwrap();
        assert!((0..2).all(|k| (again[k] - [x, y][k]).abs() < 1e-2));
    }
    assert!(view.project([9.0, 9.0, 99.0]).is_none(), "behind the eye");
}

#[test]
fn panning_moves_the_target_with_the_pointer() {
    let camera = Camera::default();
    let moved = camera.pan([30.0, -12.0], 720).view(1280, 720).project(camera.target).unwrap();
    assert!((moved[0] - 670.0).abs() < 0.01 && (moved[1] - 348.0).abs() < 0.01, "{moved:?}");
}
