//! Tests of balls of liquid: one even surface, seen through, hidden by what is nearer, and stopped by no input.

use super::{drawn, front, pixel};
use crate::render::*;

const BLUE: u32 = 0x2E_7FB8;

/// Balls side by side in the plane z = 0, a little nearer to each other than they are thick.
fn layer() -> Vec<[f32; 3]> {
    let at = |k: usize| 0.1 * k as f32 - 1.0;
    (0..441).map(|i| [at(i % 21), at(i / 21), 0.0]).collect()
}

fn liquid(positions: &[[f32; 3]], radius: f32) -> Points<'_> {
    Points { positions, paint: Paint::One(BLUE), radius: Radius::One(radius) }
}

/// The greatest step of green between neighbors in the middle of the picture.
fn roughness(canvas: &Canvas) -> f32 {
    let green = |x: usize, y: usize| color::channels(pixel(canvas, x, y))[1];
    let middle = || (35..55).flat_map(|y| (65..95).map(move |x| (x, y)));
    middle().map(|(x, y)| (green(x + 1, y) - green(x, y)).abs()).fold(0.0, f32::max)
}

#[test]
fn a_layer_of_balls_is_one_even_surface() {
    let positions = layer();
    let balls = [liquid(&positions, 0.05)];
    let surface = drawn(&Picture { liquids: &balls, ..Picture::default() }, &front());
    let apart = drawn(&Picture { points: &balls, ..Picture::default() }, &front());
    let (even, rough) = (roughness(&surface), roughness(&apart));
    assert!(even <= 3.0 && rough > 20.0, "steps of {even} and of {rough}");
    let empty = drawn(&Picture::default(), &front());
    assert_eq!(pixel(&surface, 2, 45), pixel(&empty, 2, 45), "beside it there is nothing");
}

#[test]
fn liquid_is_seen_through_and_hidden_by_what_is_nearer() {
    let positions = layer();
    let balls = [liquid(&positions, 0.05)];
    let square = |z: f32| [[-0.5, -0.5, z], [0.5, -0.5, z], [0.5, 0.5, z], [-0.5, 0.5, z]];
    let center = |z: f32| {
        let corners = square(z);
        let triangles = [[0, 1, 2], [0, 2, 3]];
        let mesh = Mesh { paint: Paint::One(0xFF_0000), ..Mesh::new(&corners, &triangles) };
        let all = Picture { meshes: &[mesh], liquids: &balls, ..Picture::default() };
        let alone = Picture { meshes: &[mesh], ..Picture::default() };
        [all, alone].map(|picture| pixel(&drawn(&picture, &front()), 80, 45))
    };
    let [seen, alone] = center(1.0);
    assert_eq!(seen, alone, "the square is in front");
    let [seen, _] = center(-1.0);
    let [through, b] = [0, 2].map(|k| color::channels(seen)[k]);
    let water = drawn(&Picture { liquids: &balls, ..Picture::default() }, &front());
    let [without, _, _] = color::channels(pixel(&water, 80, 45));
    assert!(b > through, "the water is in front: {seen:06x}");
    assert!(through > without - 60.0 && seen != pixel(&water, 80, 45), "and tinted: {seen:06x}");
}

#[test]
fn no_ball_of_liquid_stops_the_picture() {
    let odd = [f32::NAN, f32::INFINITY, -1e38, 1e30, 4.9, 5.0, 1e-30];
    let positions: Vec<[f32; 3]> =
        odd.iter().flat_map(|&v| [[v, 0.0, 0.0], [0.0, v, 0.0], [0.0, 0.0, v], [v; 3]]).collect();
    for radius in [0.0, 0.1, 1e9, f32::NAN, f32::INFINITY, -1.0] {
        let balls = [liquid(&positions, radius)];
        drawn(&Picture { liquids: &balls, ..Picture::default() }, &front());
        let mut canvas = Canvas::new(1, 0);
        Picture { liquids: &balls, ..Picture::default() }.draw(&front(), &mut canvas);
    }
}
