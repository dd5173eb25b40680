//! What slides over floors and down walls of several boxes: free of friction it keeps its way and its height, and a riser stops it.

use super::super::hulls::mesh_of_box;
use super::{body, model, run};
use crate::Method;
use crate::collision::Collider;
use crate::math::{Quat, Vec3};
use crate::rigid::{Body, Part, Shape};
use std::sync::Arc;

/// What is half as high as `s`, its bottom flat.
fn shapes(s: f64) -> [Shape; 4] {
    let h = 0.5 * s;
    let part = |x| Part { shape: Shape::Box([h; 3]), position: [x, 0.0, 0.0], ..part() };
    [
        Shape::Box([s, h, 0.8 * s]),
        mesh_of_box([h; 3], 1),
        Shape::Cylinder([s, h]),
        Shape::Compound(Arc::new(vec![part(-h), part(h)])),
    ]
}

fn part() -> Part {
    Part { shape: Shape::Sphere(1.0), position: [0.0; 3], orientation: [0.0, 0.0, 0.0, 1.0] }
}

/// Slabs side by side, their upper sides at the heights, turned by q about the origin; each is 6 s long, and the first ends at x = 0.
fn slabs(s: f64, heights: &[f64], q: Quat<f64>) -> Vec<Collider> {
    let slab = |(i, height): (usize, &f64)| {
        let center = Vec3::new(6.0 * s * i as f64 - 3.0 * s, height - s, 0.0);
        let half = [3.0 * s, s, 5.0 * s];
        let slab = Collider::cuboid(q.rotate(center).to_array(), half, q.to_array());
        slab.and_then(|slab| slab.of_material(Some(0.0), None)).expect("a slab")
    };
    heights.iter().enumerate().map(slab).collect()
}

/// Slides a shape at v over slabs of these heights, all turned by q: its speed at the end in parts of v, and the most that it
/// rises (m).
fn slide(
    shape: &Shape,
    (s, v): (f64, f64),
    heights: &[f64],
    q: Quat<f64>,
    [substeps, iterations]: [u32; 2],
) -> [f64; 2] {
    let turned = |x: [f64; 3]| q.rotate(Vec3::of(x)).to_array();
    let mut slider: Body = body(shape.clone(), 1.0, [0.0; 3]);
    slider.position = turned([-2.0 * s, 0.5 * s, 0.0]);
    slider.orientation = (q * Quat::exp(Vec3::new(0.0, 0.3, 0.0))).to_array();
    (slider.velocity, slider.friction) = (turned([v, 0.0, 0.0]), Some(0.0));
    let mut model = model(substeps, vec![slider], slabs(s, heights, q));
    model.settings.iterations = iterations;
    model.settings.gravity = turned([0.0, -9.81, 0.0]);
    let frames = (5.0 * s / v * 60.0) as usize;
    let mut simulation = run(model, Method::Lanes, 1, 0);
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for _ in 0..frames {
        simulation.step();
        let [x, y, z, ..] = simulation.bodies()[0].map(f64::from);
        let height = q.unrotate(Vec3::new(x, y, z)).y;
        (least, most) = (least.min(height), most.max(height));
    }
    let [x, y, z, ..] = simulation.snapshot().body_velocities[0].map(f64::from);
    [q.unrotate(Vec3::new(x, y, z)).x / v, most - 0.5 * s]
}

/// Before, boxes, hulls, cylinders and compounds stopped dead where two slabs of one height meet, and tipped up.
#[test]
fn what_slides_passes_seams() {
    let turns = [Vec3::zero(), Vec3::new(0.4, 1.1, -0.7)].map(Quat::<f64>::exp);
    for s in [0.1, 0.5] {
        for (k, shape) in shapes(s).iter().enumerate() {
            for (v, passes, q) in [
                (0.5, [1, 10], turns[0]),
                (2.0, [4, 4], turns[1]),
                (2.0, [1, 10], turns[1]),
                (5.0, [8, 2], turns[0]),
                (3.0, [20, 1], turns[1]),
            ] {
                let [speed, rise] = slide(shape, (s, v), &[0.0, 0.0], q, passes);
                assert!((speed - 1.0).abs() < 0.005, "{k}, {s} m, {v} m/s, {passes:?}: {speed}");
                assert!(rise < 1e-3 * s, "{k}, {s} m, {v} m/s, {passes:?}: {rise} m up");
            }
        }
    }
}

/// What is a fiftieth of the size higher is a wall, and what is as much lower is not.
#[test]
fn a_riser_stops_what_slides() {
    let upright = Quat::identity();
    for s in [0.1, 0.5] {
        for (k, shape) in shapes(s).iter().enumerate() {
            for passes in [[4, 4], [20, 1]] {
                let [speed, _] = slide(shape, (s, 0.5), &[0.0, 0.02 * s], upright, passes);
                assert!(speed.abs() < 0.6, "{k}, {s} m, {passes:?}: {speed}");
                let [speed, _] = slide(shape, (s, 0.5), &[0.0, -0.02 * s], upright, passes);
                // Aslant on the edge, some of the fall becomes speed.
                let most = (1.0 + 2.0 * 9.81 * 0.02 * s / 0.25).sqrt();
                assert!(speed > 0.95 && speed < most, "{k}, {s} m, {passes:?}: {speed}");
            }
        }
    }
}

/// Down a wall of two boxes, pressed against it by its weight, a box falls as freely as down one.
#[test]
fn a_wall_of_two_boxes_is_one() {
    for passes in [[1, 10], [4, 4], [20, 1]] {
        let end = |cut: &[[f64; 2]]| {
            let wall = |[low, high]: &[f64; 2]| {
                let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
                let wall = Collider::cuboid([-1.0, middle, 0.0], [1.0, half, 2.0], super::UPRIGHT);
                wall.and_then(|wall| wall.of_material(Some(0.0), None)).expect("a wall")
            };
            let mut slider = body(Shape::Box([0.25; 3]), 1.0, [0.25, 0.75, 0.0]);
            slider.friction = Some(0.0);
            let mut model = model(passes[0], vec![slider], cut.iter().map(wall).collect());
            (model.settings.iterations, model.settings.gravity) = (passes[1], [-5.0, -9.81, 0.0]);
            let simulation = run(model, Method::Lanes, 1, 40);
            f64::from(simulation.bodies()[0][1])
        };
        let [one, two] = [end(&[[-8.0, 8.0]]), end(&[[0.0, 8.0], [-8.0, 0.0]])];
        assert!((one - two).abs() < 1e-3, "{passes:?}: {two} m, along one box {one} m");
    }
}

/// So it passes tiles of a mesh that share no corners, of which some have one in the midst of a side, and cracks between them; before, it
/// stopped dead.
#[test]
fn what_slides_passes_tiles() {
    for crack in [0.0, 5e-4, 2e-3] {
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for i in 0..12_u32 {
            let (from, first) = (0.5 * f64::from(i) - 2.0, 5 * i);
            let to = from + 0.5 - crack;
            let corners = [[from, -2.0], [to, -2.0], [to, 2.0], [from, 2.0], [from, 0.1]];
            points.extend(corners.map(|[x, z]| [x, 0.0, z]));
            let tile = if i % 2 == 0 {
                &[[0, 2, 1], [0, 3, 2]][..]
            } else {
                &[[0, 4, 1], [4, 2, 1], [4, 3, 2]]
            };
            triangles.extend(tile.iter().map(|t| t.map(|k: u32| first + k)));
        }
        for (k, shape) in shapes(0.1).into_iter().enumerate() {
            for passes in [[1, 10], [4, 1], [4, 4], [20, 1]] {
                let ground = Collider::mesh(&points, &triangles, [0.0; 3], super::UPRIGHT);
                let ground = ground.and_then(|ground| ground.of_material(Some(0.0), None));
                let mut slider = body(shape.clone(), 1.0, [-1.5, 0.05, 0.03]);
                slider.orientation = Quat::<f64>::exp(Vec3::new(0.0, 0.3, 0.0)).to_array();
                (slider.velocity, slider.friction) = ([2.0, 0.0, 0.0], Some(0.0));
                let mut model = model(passes[0], vec![slider], vec![ground.expect("ground")]);
                model.settings.iterations = passes[1];
                let simulation = run(model, Method::Lanes, 1, 120);
                let speed = simulation.snapshot().body_velocities[0][0];
                assert!((speed - 2.0).abs() < 0.01, "{k}, {crack} m, {passes:?}: {speed} m/s");
            }
        }
    }
}
