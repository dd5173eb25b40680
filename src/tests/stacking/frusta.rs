//! Cylinders and cones: what stands, tips, rolls, is stacked and meets every other shape.

use super::{UPRIGHT, body, floor, model, run, unrest};
use crate::Method;
use crate::collision::{Collider, Contacts};
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::rigid::{Body, Part, Shape, Weight};
use crate::tests::hulls::{ground, mesh_of_box};
use std::f64::consts::{FRAC_1_SQRT_2, PI};
use std::sync::Arc;

const G: f64 = 9.81;
/// Turns y to z.
const LYING: [f64; 4] = [FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2];
/// Turns y to -x.
const ACROSS: [f64; 4] = [0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2];

fn rough(shape: Shape, position: [f64; 3], orientation: [f64; 4]) -> Body {
    Body { friction: Some(0.8), ..body(shape, 2.0, position).at(position, orientation) }
}

/// Gravity leans by `angle` (rad) towards a direction in the ground, `heading` from x.
fn lean(model: &mut Model, angle: f64, heading: f64) {
    let (along, down) = (G * angle.sin(), -G * angle.cos());
    model.settings.gravity = [along * heading.cos(), down, along * heading.sin()];
}

/// Volume, center and moments, summed over disks.
#[test]
fn their_mass_is_that_of_their_disks() {
    let (r, h, n) = (0.3, 0.7, 100_000);
    for (shape, low, tip) in
        [(Shape::Cylinder([r, h]), -h, 1.0), (Shape::Cone([r, h]), -0.5 * h, 0.0)]
    {
        let (mut volume, mut moment, mut along, mut across) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..n {
            let part = (f64::from(i) + 0.5) / f64::from(n);
            let (y, radius) = (low + 2.0 * h * part, r * (1.0 - part * (1.0 - tip)));
            let disk = PI * radius * radius * 2.0 * h / f64::from(n);
            volume += disk;
            moment += disk * y;
            along += disk * radius * radius / 2.0;
            across += disk * (radius * radius / 4.0 + y * y);
        }
        let solid = shape.solid().expect("a solid");
        assert!((moment / volume).abs() < 1e-6, "{shape:?}");
        for (found, expected) in
            [(solid.volume, volume), (solid.inertia[1], along), (solid.inertia[2], across)]
        {
            assert!((found / expected - 1.0).abs() < 1e-6, "{shape:?}: {found} for {expected}");
        }
    }
}

/// Without slip a cylinder that lies across gains 2/3 of g sin θ, on a plane, a mesh, a box and a cylinder's end.
#[test]
fn a_cylinder_rolls_as_its_inertia_says() {
    let (angle, r) = (0.2_f64, 0.1);
    let grounds = [
        floor(),
        ground(8.0, 9),
        Collider::cuboid([0.0, -0.5, 0.0], [4.0, 0.5, 4.0], UPRIGHT).expect("a box"),
        Collider::cylinder([0.0, -1.0, 0.0], [0.0; 3], 4.0).expect("a cylinder"),
    ];
    for (i, ground) in grounds.into_iter().enumerate() {
        let rod = rough(Shape::Cylinder([r, 0.3]), [-1.0, r, 0.0], LYING);
        let mut model = model(10, vec![rod], vec![ground]);
        lean(&mut model, angle, 0.0);
        let end = run(model, Method::Lanes, 1, 60);
        let [vx, vy, vz, ..] = end.snapshot().body_velocities[0].map(f64::from);
        let ratio = vx / (2.0 / 3.0 * G * angle.sin());
        println!("on ground {i}: {ratio:.4} of the speed, {vy:.1e} up, {vz:.1e} aside");
        assert!((ratio - 1.0).abs() < 0.01, "on ground {i}: {ratio}");
        assert!(vy.abs() < 0.01 && vz.abs() < 0.01, "on ground {i}: {vy} up, {vz} aside");
    }
}

/// They tip where their center is beyond the lowest point of the rim, whichever way they lean, to three degrees; to one where they
/// lean to a corner of the octagon that they stand on.
#[test]
fn they_tip_at_their_angle() {
    let (r, h) = (0.1_f64, 0.2);
    for (shape, height) in [(Shape::Cylinder([r, h]), h), (Shape::Cone([r, h]), 0.5 * h)] {
        let tips = r.atan2(height);
        for heading in [0.0, 0.4, 2.1] {
            let less = if heading == 0.0 { -1.0_f64 } else { -3.0 };
            for (more, falls) in [(less, false), (1.0, true)] {
                let mut thing = rough(shape.clone(), [0.0, height, 0.0], UPRIGHT);
                thing.friction = Some(3.0);
                let mut model = model(20, vec![thing], vec![floor()]);
                lean(&mut model, tips + more.to_radians(), heading);
                let end = run(model, Method::Lanes, 1, 120);
                let [_, _, _, x, _, z, _] = end.bodies()[0].map(f64::from);
                let up = 1.0 - 2.0 * (x * x + z * z);
                assert_eq!(up < 0.5, falls, "{shape:?} {more} degrees beyond, to {heading}: {up}");
            }
        }
    }
}

/// Dropped as they come, in 200 ways, they come to rest on the ground and do not sink into it.
#[test]
fn dropped_they_come_to_rest() {
    let mut random = crate::tests::models::Random(5);
    let shapes = [
        (Shape::Cylinder([0.1, 0.15]), 0.1),
        (Shape::Cylinder([0.15, 0.05]), 0.05),
        (Shape::Cone([0.12, 0.12]), 0.05),
    ];
    let thing = |i: i32| {
        let turn = Quat::<f64>::exp(Vec3::of(random.point()) * 2.0).normalized();
        let at = [0.6 * f64::from(i % 20), 0.4, 0.6 * f64::from(i / 20)];
        let thing = rough(shapes[i as usize % 3].0.clone(), at, turn.to_array());
        Body { rolling_resistance: Some(0.002), ..thing }
    };
    let mut simulation =
        run(model(8, (0..200).map(thing).collect(), vec![floor()]), Method::Lanes, 2, 360);
    let before = simulation.bodies();
    (0..60).for_each(|_| simulation.step());
    let (mut fastest, mut moved) = (0.0_f32, 0.0_f32);
    for (i, v) in simulation.snapshot().body_velocities.iter().enumerate() {
        let [x, y, z, ..] = simulation.bodies()[i];
        let low = shapes[i % 3].1 as f32;
        assert!(y > low - 1e-3, "{i} is at {y}, not {low}");
        fastest = v.iter().fold(fastest, |most, v| most.max(v.abs()));
        let ways = [x, y, z].into_iter().zip(before[i]);
        moved = ways.fold(moved, |most, (x, b)| most.max((x - b).abs()));
    }
    println!("{fastest:.1e} m/s, {moved:.1e} m in the seventh second");
    assert!(fastest < 0.01 && moved < 1e-3, "{fastest} m/s, {moved} m");
}

/// Columns of drums, a log on two others, a cone on a drum and one on its side stay where they are.
#[test]
fn they_stand_and_lie() {
    let drum = |y| rough(Shape::Cylinder([0.2, 0.15]), [0.0, y, 0.0], UPRIGHT);
    let mut all: Vec<Body> = (0..5).map(|i| drum(0.15 + 0.3 * f64::from(i))).collect();
    all.push(rough(Shape::Cone([0.2, 0.2]), [0.0, 1.6, 0.0], UPRIGHT));
    // On its side: its axis as far from the ground as its slope says, its base to the right.
    let (r, h) = (0.2_f64, 0.3);
    let half_angle = r.atan2(2.0 * h);
    let lies = PI / 2.0 + half_angle;
    // The tip lies 3/2 h from the center.
    let up = 1.5 * h * half_angle.sin();
    let cone = rough(
        Shape::Cone([r, h]),
        [2.0, up, 0.0],
        [0.0, 0.0, (lies / 2.0).sin(), (lies / 2.0).cos()],
    );
    all.push(cone);
    // Logs side by side, wedged, and one in the hollow between them.
    for x in [-0.1, 0.1] {
        let log = rough(Shape::Cylinder([0.1, 0.5]), [x, 0.1, 3.0], LYING);
        all.push(Body { fixed: true, ..log });
    }
    all.push(rough(Shape::Cylinder([0.1, 0.4]), [0.0, 0.1 + 0.1 * 3.0_f64.sqrt(), 3.0], LYING));
    let simulation = run(model(8, all, vec![floor()]), Method::Lanes, 1, 240);
    let (way, speed) = unrest(&simulation);
    println!("{way:.1e} m, {speed:.1e} m/s");
    assert!(way < 5e-3 && speed < 2e-3, "{way} m, {speed} m/s: {:?}", simulation.bodies());
}

/// Every shape laid on every other lies where geometry says.
#[test]
fn things_lie_on_each_other() {
    let (r, h) = (0.1, 0.15);
    let tops = [
        (Shape::Cylinder([r, h]), UPRIGHT, h),
        (Shape::Cylinder([r, h]), LYING, r),
        (Shape::Cone([r, h]), UPRIGHT, 0.5 * h),
        (Shape::Box([0.1; 3]), UPRIGHT, 0.1),
        (Shape::Sphere(0.1), UPRIGHT, 0.1),
        (Shape::Capsule([0.1, 0.2]), LYING, 0.1),
        (mesh_of_box([0.1; 3], 1), UPRIGHT, 0.1),
    ];
    let unders = [
        (Shape::Cylinder([0.3, 0.2]), UPRIGHT, 0.2),
        (Shape::Cylinder([0.2, 0.5]), ACROSS, 0.2),
        (Shape::Box([0.3, 0.2, 0.3]), UPRIGHT, 0.2),
        (mesh_of_box([0.3, 0.2, 0.3], 2), UPRIGHT, 0.2),
    ];
    for (top, turn, up) in &tops {
        for (under, under_turn, height) in &unders {
            let below = Body { fixed: true, ..rough(under.clone(), [0.0; 3], *under_turn) };
            let at = [0.02, height + up + 0.01, 0.0];
            let above = Body { rolling_resistance: Some(0.01), ..rough(top.clone(), at, *turn) };
            let below = Body { rolling_resistance: Some(0.01), ..below };
            let end = run(model(16, vec![below, above], vec![]), Method::Lanes, 1, 60);
            let [x, y, z, ..] = end.bodies()[1].map(f64::from);
            let names = format!("{} on {} {under_turn:?}", top.name(), under.name());
            println!("{names}: {:.1e} m off", y - height - up);
            assert!((y - height - up).abs() < 1e-3, "{names} at {y}, not {}", height + up);
            assert!((x - 0.02).abs() < 5e-3 && z.abs() < 5e-3, "{names} at {x} {z}");
        }
    }
}

/// Particles fall on a cylinder and on a cone, as bodies and as colliders, and none gets in; fast ones neither.
#[test]
fn particles_stay_out() {
    let inside = |cone: bool, x: [f32; 3]| {
        let [x, y, z] = x.map(f64::from);
        let part = (y + 0.3) / 0.6;
        let r = if cone { 0.4 * (1.0 - part) } else { 0.4 };
        y > -0.3 && y < 0.3 && x.hypot(z) < r - 1e-4
    };
    for (cone, is_body) in [(false, false), (true, false), (false, true), (true, true)] {
        let mut model = Model::new();
        model.settings.substeps = 4;
        let (a, b) = ([0.0, -0.3, 0.0], [0.0, 0.3, 0.0]);
        let colliders = match (is_body, cone) {
            (false, true) => vec![Collider::cone(a, b, 0.4).expect("a cone")],
            (false, false) => vec![Collider::cylinder(a, b, 0.4).expect("a cylinder")],
            (true, _) => {
                let shape =
                    if cone { Shape::Cone([0.4, 0.3]) } else { Shape::Cylinder([0.4, 0.3]) };
                let y = if cone { -0.15 } else { 0.0 };
                let fixed = Body { fixed: true, ..rough(shape, [0.0, y, 0.0], UPRIGHT) };
                model.add_body(fixed).expect("a body");
                vec![]
            }
        };
        for i in 0..60 {
            let (x, z) = (0.017 * f64::from(i % 10) - 0.08, 0.03 * f64::from(i / 10) - 0.08);
            let way = if i % 2 == 0 { [0.0, -3.0, 0.0] } else { [20.0, 1.0, 0.0] };
            let x = if i % 2 == 0 { [x * 3.0, 0.6, z * 3.0] } else { [-1.5, x, z] };
            model.add_particle(x, way, 1.0).expect("a particle");
        }
        let contacts =
            Contacts { radius: 0.01, friction: Some(0.3), colliders, ..Contacts::default() };
        model.set_contacts(contacts).expect("contacts");
        let mut simulation = crate::Simulation::new(model, Method::Lanes, 1).expect("a simulation");
        for frame in 0..40 {
            simulation.step();
            let deep = simulation.positions().into_iter().find(|x| inside(cone, *x));
            assert!(deep.is_none(), "cone {cone}, body {is_body}, frame {frame}: {deep:?}");
        }
    }
}

/// A heap of all shapes and a hammer on a ground of triangles.
fn heap() -> Model {
    let head = Shape::Cylinder([0.08, 0.15]);
    let part = |shape, position, orientation| Part { shape, position, orientation };
    let hammer = vec![
        part(head, [0.0, 0.3, 0.0], ACROSS),
        part(Shape::Cone([0.05, 0.2]), [0.0; 3], UPRIGHT),
    ];
    let hammer = Body::new(Shape::Compound(Arc::new(hammer)), Weight::Mass(2.0), None);
    let mut all = vec![hammer.expect("a hammer").at([0.0, 0.5, 0.0], LYING)];
    for i in 0..24 {
        let shape = match i % 6 {
            0 | 3 => Shape::Cylinder([0.1, 0.12]),
            1 | 4 => Shape::Cone([0.12, 0.12]),
            2 => Shape::Box([0.1, 0.15, 0.1]),
            _ => Shape::Capsule([0.1, 0.1]),
        };
        let angle = Vec3::new(0.5 * f64::from(i), 1.0, 0.3 * f64::from(i % 4));
        let q = Quat::exp(angle).normalized().to_array();
        let at = [0.1 * f64::from(i % 3), 0.8 + 0.2 * f64::from(i), 0.08 * f64::from(i % 2)];
        all.push(rough(shape, at, q));
    }
    let rows: Vec<Vec<f64>> =
        (0..9).map(|z| (0..9).map(|x| 0.1 * f64::from((x * z) % 3)).collect()).collect();
    let ground = Collider::height_field([0.0, -0.2, 0.0], [0.8, 0.7], &rows).expect("a field");
    let post = Collider::cone([0.5, 0.0, 0.5], [0.5, 0.8, 0.5], 0.3).expect("a cone");
    model(4, all, vec![ground, post])
}

/// Lanes have the scalar bits on any number of threads; nothing falls through.
#[test]
fn they_have_the_same_bits_by_all_methods() {
    let expected = run(heap(), Method::Colored, 1, 90);
    let lowest = expected.bodies().iter().map(|pose| pose[1]).fold(f32::INFINITY, f32::min);
    assert!(lowest > -0.25, "one is at {lowest}");
    let expected = expected.observe();
    assert!(expected.finite);
    for threads in [1, 2, 3, 7] {
        let found = run(heap(), Method::Lanes, threads, 90).observe().hash;
        assert_eq!(found, expected.hash, "{threads}");
    }
}
