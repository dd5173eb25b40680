//! Tests of input that must neither stop the room nor spoil the rest of the picture.

use super::{bounds, drawn, front, pixel, red, sheet};
use crate::render::*;

#[test]
fn a_canvas_without_pixels_is_drawn_on() {
    let (positions, triangles) = sheet(4);
    let picture = Picture {
        ground: Some(Ground::default()),
        meshes: &[Mesh::new(&positions, &triangles)],
        points: &[Points { positions: &positions, paint: Paint::One(0), radius: Radius::One(0.1) }],
        ..Picture::default()
    };
    for [width, height] in [[0, 0], [0, 9], [9, 0], [1, 1]] {
        let mut canvas = Canvas::new(width, height);
        let camera = Camera::default().frame(bounds(&picture).unwrap(), width, height);
        picture.draw(&camera, &mut canvas);
        canvas.panel([-5, -5], "text");
        assert_eq!(canvas.halve().pixels().len(), 0);
        let seen = camera.view(width, height).unproject([0.0, 0.0, 1.0]);
        assert!(seen.iter().all(|x| x.is_finite()));
    }
}

#[test]
fn a_floor_that_runs_behind_the_eye_is_clipped() {
    let floor = [[-900.0, -1.0, 900.0], [900.0, -1.0, 900.0], [0.0, -1.0, -900.0]];
    let mesh = Mesh { paint: Paint::One(0xFF0000), ..Mesh::new(&floor, &[[0, 1, 2]]) };
    let line = Lines {
        positions: &[[0.0, 0.5, -10.0], [0.0, 0.5, 10.0]],
        segments: &[[0, 1]],
        paint: Paint::One(0x00FF00),
        radius: 0.1,
        lifted: true,
    };
    let picture = Picture { meshes: &[mesh], lines: &[line], ..Picture::default() };
    let canvas = drawn(&picture, &front());
    for x in 0..160 {
        assert!(red(pixel(&canvas, x, 89)), "below the horizon, column {x}");
        assert!(!red(pixel(&canvas, x, 10)), "above the horizon, column {x}");
    }
    let [r, g, _] = color::channels(pixel(&canvas, 80, 2));
    assert!(g > 2.0 * r, "the rod passes above the eye");
}

/// Cameras of which one number is `value`.
fn cameras_with(value: f32) -> [Camera; 4] {
    let mut cameras = [(); 4].map(|()| front());
    cameras[0].yaw = value;
    cameras[1].pitch = value;
    cameras[2].distance = value;
    cameras[3].target = [value; 3];
    cameras
}

#[test]
fn broken_coordinates_and_indices_are_passed_over() {
    let (sound, triangles) = sheet(8);
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, -1e38, 1e30, 1e16];
    let mut positions = sound.clone();
    positions
        .extend(odd.iter().flat_map(|&v| [[v, 0.0, 0.0], [0.0, v, 1.0], [1.0, 1.0, v], [v; 3]]));
    let count = positions.len() as u32;
    let broken = (64..count).flat_map(|i| [[i, 0, 1], [0, i, count - i + 63], [2, i, u32::MAX]]);
    let all: Vec<[u32; 3]> = triangles.iter().copied().chain(broken).collect();
    let segments: Vec<[u32; 2]> = all.iter().map(|t| [t[0], t[1]]).collect();
    let paint = Paint::Each(&[]);
    for radius in [0.0, 0.1, f32::NAN, f32::INFINITY, -1.0] {
        let picture = Picture {
            ground: Some(Ground { height: radius, ..Ground::default() }),
            meshes: &[Mesh::new(&positions, &all)],
            lines: &[Lines {
                positions: &positions,
                segments: &segments,
                paint,
                radius,
                lifted: true,
            }],
            points: &[Points { positions: &positions, paint, radius: Radius::One(radius) }],
            ..Picture::default()
        };
        drawn(&picture, &front());
        for value in odd {
            let framed = front().frame(bounds(&picture).unwrap(), 160, 90);
            let cameras = cameras_with(value).into_iter().chain([framed]);
            for camera in cameras {
                drawn(&picture, &camera);
            }
        }
    }
}

#[test]
fn only_triangles_that_are_not_finite_are_left_out() {
    let (mut positions, triangles) = sheet(8);
    let reference = drawn(
        &Picture { meshes: &[Mesh::new(&positions, &triangles)], ..Picture::default() },
        &front(),
    );
    positions.push([f32::NAN, f32::INFINITY, 0.0]);
    let all: Vec<_> =
        triangles.iter().copied().chain([[0, 1, 64], [64, 64, 64], [3, 900, 4]]).collect();
    let canvas =
        drawn(&Picture { meshes: &[Mesh::new(&positions, &all)], ..Picture::default() }, &front());
    assert_eq!(canvas, reference);
}
