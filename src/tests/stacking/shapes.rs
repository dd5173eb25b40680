//! Cylinders, cones, compounds and height fields, against closed forms.

use super::{UPRIGHT, body, floor, model, run, unrest};
use crate::Method;
use crate::collision::{Collider, Contacts};
use crate::math::{Quat, Vec3};
use crate::rigid::{Body, Part, Shape, Weight};
use std::f64::consts::{FRAC_1_SQRT_2, PI};
use std::sync::Arc;

const G: f64 = 9.81;
/// Turns y to z: what stands along y lies across x.
const LYING: [f64; 4] = [FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2];

fn rough(shape: Shape, position: [f64; 3]) -> Body {
    Body { friction: Some(0.8), ..body(shape, 2.0, position) }
}

/// A triangle mesh fine enough to be the shape: its inertia is the closed form's, and its center.
#[test]
fn inertia_is_that_of_a_fine_mesh() {
    let n = 400_u32;
    for (shape, tip) in [(Shape::Cylinder([0.2, 0.35]), 1.0_f32), (Shape::Cone([0.2, 0.35]), 1e-4)]
    {
        let mut points = vec![[0.0, -0.35, 0.0], [0.0, 0.35, 0.0]];
        let mut triangles = Vec::new();
        for i in 0..n {
            let (sine, cosine) = (2.0 * PI * f64::from(i) / f64::from(n)).sin_cos();
            let [x, z] = [0.2 * cosine as f32, 0.2 * sine as f32];
            points.extend([[x, -0.35, z], [tip * x, 0.35, tip * z]]);
            let [a, c] = [2 + 2 * i, 2 + 2 * ((i + 1) % n)];
            let [b, d] = [a + 1, c + 1];
            triangles.extend([[0, a, c], [1, d, b], [a, b, d], [a, d, c]]);
        }
        let mesh = Shape::Mesh(Arc::new((points, triangles)));
        let [own, fine] = [shape, mesh].map(|shape| {
            let body = Body::new(shape, Weight::Density(1000.0), None).expect("a body");
            let mut moments = body.inertia;
            moments.sort_by(f64::total_cmp);
            let low = body.shape.surface().0.iter().map(|p| f64::from(p[1])).fold(0.0, f64::min);
            [body.mass, moments[0], moments[1], moments[2], low]
        });
        for (a, b) in own.into_iter().zip(fine) {
            assert!((a / b - 1.0).abs() < 1e-3, "{own:?}, of a mesh {fine:?}");
        }
    }
}

/// Two halves of a box are the box; the two halves of a dumbbell are as Steiner says; principal axes of a bent one are its own.
#[test]
fn compounds_add_up() {
    let part = |shape: Shape, position| Part { shape, position, orientation: UPRIGHT };
    let new = |parts: Vec<Part>| {
        let shape = Shape::Compound(Arc::new(parts));
        Body::new(shape, Weight::Density(500.0), None).expect("a body")
    };
    let half = |x| part(Shape::Box([0.1, 0.2, 0.3]), [x, 0.5, 0.0]);
    let both = new(vec![half(0.3), half(0.5)]);
    let one = Body::new(Shape::Box([0.2, 0.2, 0.3]), Weight::Density(500.0), None).expect("a body");
    assert!((both.mass / one.mass - 1.0).abs() < 1e-12);
    let sorted = |mut v: [f64; 3]| {
        v.sort_by(f64::total_cmp);
        v
    };
    for (a, b) in sorted(both.inertia).into_iter().zip(sorted(one.inertia)) {
        assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
    }
    let Shape::Compound(parts) = &both.shape else { panic!("a compound") };
    assert!((parts[0].position[0] + 0.1).abs() < 1e-12 && parts[0].position[1].abs() < 1e-12);
    let (r, d) = (0.1, 0.4);
    let along = [d * FRAC_1_SQRT_2, d * FRAC_1_SQRT_2, 0.0];
    let bell = new(vec![part(Shape::Sphere(r), along), part(Shape::Sphere(r), along.map(|v| -v))]);
    let m = 500.0 * 4.0 / 3.0 * PI * r * r * r;
    let expected = sorted([0.8 * m * r * r, 0.8 * m * r * r + 2.0 * m * d * d, 0.0].map(|v| v));
    let found = sorted(bell.inertia);
    assert!((found[0] / expected[1] - 1.0).abs() < 1e-9, "{found:?} {expected:?}");
    assert!(
        (found[1] / expected[2] - 1.0).abs() < 1e-9 && (found[2] / found[1] - 1.0).abs() < 1e-9
    );
    let axis = Vec3::of(along) * (1.0 / d);
    let light = bell.inertia.iter().position(|i| *i == found[0]).expect("one");
    assert!(bell.principal().columns()[light].dot(axis).abs() > 1.0 - 1e-9);
}

/// A cylinder rolls down with 2/3 g sin θ, on a plane, a box, triangles and a height field; no facet is felt.
#[test]
fn a_cylinder_rolls_as_its_inertia_says() {
    let (angle, r) = (0.2_f64, 0.1);
    let flat = [[-20.0, 0.0, -3.0], [20.0, 0.0, -3.0], [20.0, 0.0, 3.0], [-20.0, 0.0, 3.0]];
    let grounds = [
        ("plane", floor()),
        ("box", Collider::cuboid([0.0, -1.0, 0.0], [20.0, 1.0, 3.0], UPRIGHT).expect("a box")),
        (
            "mesh",
            Collider::mesh(&flat, &[[0, 2, 1], [0, 3, 2]], [0.0; 3], UPRIGHT).expect("a mesh"),
        ),
        (
            "heights",
            Collider::height_field([0.0; 3], [0.7, 0.6], &vec![vec![0.0; 41]; 9]).expect("a field"),
        ),
    ];
    for (name, ground) in grounds {
        let lying = rough(Shape::Cylinder([r, 0.3]), [-2.0, r, 0.0]).at([-2.0, r, 0.0], LYING);
        let mut model = model(8, vec![Body { friction: Some(0.8), ..lying }], vec![ground]);
        model.settings.gravity = [G * angle.sin(), -G * angle.cos(), 0.0];
        let simulation = run(model, Method::Lanes, 1, 90);
        let state = simulation.snapshot();
        let expected = 2.0 / 3.0 * G * angle.sin() * simulation.time();
        let [v, up, ..] = state.body_velocities[0].map(f64::from);
        assert!((v / expected - 1.0).abs() < 0.01, "{name}: {v} m/s, expected {expected}");
        let height = f64::from(state.bodies[0][1]);
        assert!(up.abs() < 5e-3 && (height - r).abs() < 1e-3, "{name}: {height} m, {up} m/s");
        let slip = v + r * f64::from(state.body_velocities[0][5]);
        assert!(slip.abs() < 0.01 * v, "{name}: slips at {slip} m/s");
    }
}

/// Cylinders stand on their ends and on each other, lie on their sides, on each other's too; cones stand on their bases.
#[test]
fn cylinders_and_cones_rest() {
    let drum = |y| rough(Shape::Cylinder([0.2, 0.15]), [0.0, y, 0.0]);
    let lie = |x, y| rough(Shape::Cylinder([0.2, 0.3]), [0.0; 3]).at([x, y, 0.0], LYING);
    let cone = rough(Shape::Cone([0.3, 0.4]), [3.0, 0.2, 0.0]);
    let on_cone = rough(Shape::Box([0.2, 0.1, 0.2]), [6.0, 0.1, 0.0]);
    let upon = rough(Shape::Cone([0.15, 0.2]), [6.0, 0.3, 0.0]);
    // Two side by side between walls, a third in the gap above them.
    let above = 0.2 + 0.4 * (PI / 3.0).sin();
    let walls = [-0.4, 0.4].map(|x: f64| {
        let x = -4.0 + x + 0.1 * x.signum();
        Collider::cuboid([x, 0.3, 0.0], [0.1, 0.3, 1.0], UPRIGHT).expect("a wall")
    });
    let things = vec![
        drum(0.15),
        drum(0.45),
        drum(0.75),
        cone,
        on_cone,
        upon,
        lie(-4.2, 0.2),
        lie(-3.8, 0.2),
        lie(-4.0, above),
    ];
    let mut colliders = vec![floor()];
    colliders.extend(walls);
    let simulation = run(model(8, things, colliders), Method::Lanes, 1, 240);
    let (way, speed) = unrest(&simulation);
    assert!(way < 5e-3, "{way} m: {:?}", simulation.bodies());
    assert!(speed < 2e-3, "{speed} m/s");
}

/// A ball and a capsule rest on the side of a cylinder, in a valley of height fields, and a particle on a cone's side slides
/// down along it.
#[test]
fn round_things_meet_round_things() {
    // A valley y = |x| / 2: a ball of r rests where it touches both sides, at r sqrt(1 + 1/4).
    let heights: Vec<Vec<f64>> = (0..3).map(|_| vec![1.0, 0.0, 1.0]).collect();
    let valley = Collider::height_field([0.0; 3], [2.0, 2.0], &heights).expect("a field");
    let ball = rough(Shape::Sphere(0.3), [0.2, 0.5, 0.1]);
    let mut model = model(8, vec![Body { rolling_resistance: Some(0.02), ..ball }], vec![valley]);
    model.settings.damping = 1.0;
    let simulation = run(model, Method::Lanes, 1, 240);
    let y = f64::from(simulation.bodies()[0][1]);
    assert!((y - 0.3 * 1.25_f64.sqrt()).abs() < 2e-3, "{y}");
    // A particle without friction on a cone of slope 2 (h = 1, r = 1/2): it keeps to the side, and gains g sin θ along it.
    let mut model = crate::Model::new();
    model.settings.substeps = 8;
    model.add_particle([0.1, 1.2 - 0.6, 0.0], [0.0; 3], 1.0).expect("a particle");
    let cone = Collider::cone([0.0; 3], [0.5, 0.5], UPRIGHT).expect("a cone");
    let contacts = Contacts { colliders: vec![cone], ..Contacts::default() };
    model.set_contacts(contacts).expect("contacts");
    let simulation = run(model, Method::Lanes, 1, 24);
    let [x, y, _] = simulation.positions()[0].map(f64::from);
    let off = (2.0 * x + y - 0.5) / 5.0_f64.sqrt();
    assert!(off.abs() < 2e-3 && x > 0.12, "{off} m off the side, at {x}, {y}");
}

/// A ball whose center of mass hangs d below its middle rocks with ω² = m g d / (I + m (r - d)²).
#[test]
fn a_ball_of_an_offset_shape_rocks() {
    let (r, d, m, inertia) = (0.2, 0.08, 2.0, 0.02);
    let shape = Part { shape: Shape::Sphere(r), position: [0.0, d, 0.0], orientation: UPRIGHT };
    let shape = Shape::Compound(Arc::new(vec![shape]));
    let body = Body::new(shape, Weight::Mass(m), Some([inertia; 3])).expect("a body");
    let tilt: f64 = 0.1;
    let at = [d * tilt.sin(), r - d * tilt.cos(), 0.0];
    let body = body.at(at, [0.0, 0.0, (tilt / 2.0).sin(), (tilt / 2.0).cos()]);
    let model = model(20, vec![Body { friction: Some(0.9), ..body }], vec![floor()]);
    let mut simulation = crate::Simulation::new(model, Method::Lanes, 1).expect("a simulation");
    let angle = |simulation: &crate::Simulation| {
        let [.., z, w] = simulation.bodies()[0].map(f64::from);
        2.0 * z.atan2(w)
    };
    let (mut last, mut crossings) = (tilt, Vec::new());
    while crossings.len() < 3 && simulation.time() < 10.0 {
        simulation.step();
        let now = angle(&simulation);
        if now * last < 0.0 {
            crossings.push(simulation.time() - now / (now - last) / 60.0);
        }
        last = now;
    }
    let period = crossings[2] - crossings[0];
    let expected = 2.0 * PI / (m * G * d / (inertia + m * (r - d) * (r - d))).sqrt();
    assert!((period / expected - 1.0).abs() < 0.01, "{period} s, expected {expected}");
}

/// A table of five boxes stands on its legs, and a dumbbell turned askew lies on both its balls; lanes have the scalar bits.
#[test]
fn compounds_stand() {
    let things = || {
        let part =
            |half, position| Part { shape: Shape::Box(half), position, orientation: UPRIGHT };
        let mut table = vec![part([0.5, 0.05, 0.3], [0.0, 0.6, 0.0])];
        for (x, z) in [(-0.4, -0.2), (0.4, -0.2), (-0.4, 0.2), (0.4, 0.2)] {
            table.push(part([0.05, 0.3, 0.05], [x, 0.25, z]));
        }
        let table = Shape::Compound(Arc::new(table));
        let table = Body::new(table, Weight::Density(600.0), None).expect("a table");
        let Shape::Compound(parts) = &table.shape else { panic!("a compound") };
        let low = parts[1].position[1] - 0.3;
        let turned = Quat::exp(Vec3::new(0.0, 0.4, 0.0)).normalized().to_array();
        let on = rough(Shape::Cylinder([0.1, 0.1]), [0.1, 0.8, 0.0]);
        let balls = [-0.3, 0.3].map(|x| Part {
            shape: Shape::Sphere(0.1),
            position: [x, 0.0, 0.0],
            orientation: UPRIGHT,
        });
        let rod = Shape::Capsule([0.05, 0.2]);
        let rod = Part {
            shape: rod,
            position: [0.0; 3],
            orientation: [0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2],
        };
        let bell = Shape::Compound(Arc::new(balls.into_iter().chain([rod]).collect()));
        let bell = Body::new(bell, Weight::Mass(3.0), None).expect("a bell");
        let bell = Body { rolling_resistance: Some(0.01), friction: Some(0.8), ..bell };
        vec![
            Body { friction: Some(0.8), ..table.at([0.0, -low, 0.0], turned) },
            on,
            bell.at([2.0, 0.1, 0.0], turned),
        ]
    };
    let simulation = run(model(8, things(), vec![floor()]), Method::Lanes, 1, 180);
    let (way, speed) = unrest(&simulation);
    assert!(way < 5e-3 && speed < 2e-3, "{way} m, {speed} m/s: {:?}", simulation.bodies());
    let heap = || {
        let mut all = things();
        for (i, thing) in all.iter_mut().enumerate() {
            thing.position[1] += 0.4;
            thing.angular_velocity = [2.0, -1.0, 3.0 * i as f64];
        }
        for i in 0..6 {
            let shape = match i % 3 {
                0 => Shape::Cylinder([0.1, 0.2]),
                1 => Shape::Cone([0.15, 0.15]),
                _ => Shape::Box([0.1, 0.15, 0.1]),
            };
            let q = Quat::exp(Vec3::new(0.5 * f64::from(i), 1.0, 0.3)).normalized().to_array();
            all.push(
                rough(shape, [0.0; 3]).at([0.1 * f64::from(i), 1.4 + 0.35 * f64::from(i), 0.05], q),
            );
        }
        let rows: Vec<Vec<f64>> =
            (0..9).map(|z| (0..9).map(|x| 0.1 * f64::from((x * z) % 3)).collect()).collect();
        let ground = Collider::height_field([0.0, -0.2, 0.0], [0.8, 0.7], &rows).expect("a field");
        let post = Collider::cylinder([0.2, 0.3, 0.4], [0.1, 0.6], UPRIGHT).expect("a post");
        let spike = Collider::cone([-0.4, 0.2, -0.3], [0.2, 0.4], UPRIGHT).expect("a spike");
        model(4, all, vec![ground, post, spike])
    };
    let expected = run(heap(), Method::Colored, 1, 90).observe();
    assert!(expected.finite);
    for threads in [1, 2, 3, 7] {
        assert_eq!(
            run(heap(), Method::Lanes, threads, 90).observe().hash,
            expected.hash,
            "{threads}"
        );
    }
}

/// Wrong shapes are refused.
#[test]
fn bad_shapes_are_refused() {
    let refused = |shape| Body::new(shape, Weight::Mass(1.0), None).is_err();
    assert!(refused(Shape::Cylinder([0.1, 0.0])) && refused(Shape::Cone([-0.1, 0.2])));
    assert!(refused(Shape::Compound(Arc::default())));
    let part = |shape, orientation| {
        Shape::Compound(Arc::new(vec![Part { shape, position: [0.0; 3], orientation }]))
    };
    assert!(refused(part(Shape::None, UPRIGHT)) && refused(part(Shape::Sphere(0.0), UPRIGHT)));
    assert!(refused(part(part(Shape::Sphere(1.0), UPRIGHT), UPRIGHT)));
    assert!(refused(part(Shape::Sphere(1.0), [1.0; 4])));
    let rows =
        [vec![vec![0.0; 3]], vec![vec![0.0; 3], vec![0.0; 2]], vec![vec![0.0]; 2], Vec::new()];
    for heights in &rows {
        assert!(Collider::height_field([0.0; 3], [1.0; 2], heights).is_err(), "{heights:?}");
    }
    let rows = vec![vec![0.0; 2]; 2];
    assert!(Collider::height_field([0.0; 3], [0.0, 1.0], &rows).is_err());
    assert!(Collider::cylinder([0.0; 3], [0.1, -1.0], UPRIGHT).is_err());
}
