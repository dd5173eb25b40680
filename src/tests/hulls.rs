//! Bodies that are meshes, ground of triangles, and particles on both: as boxes and planes are; the same bits by every method.

use super::stacking::{UPRIGHT, body, floor, model, run, unrest};
use crate::collision::{Collider, Contacts, Detect};
use crate::model::Model;
use crate::rigid::{Body, Shape, Weight};
use crate::scenes::Scene;
use crate::{Method, ModelError, Simulation};
use std::sync::Arc;

/// A box as a mesh, its faces cut in `n` x `n` squares.
fn mesh_of_box(half: [f64; 3], n: usize) -> Shape {
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    let mut number = |i: [usize; 3]| {
        let x: [f32; 3] =
            [0, 1, 2].map(|k| (half[k] * (2.0 * i[k] as f64 / n as f64 - 1.0)) as f32);
        let known = corners.iter().position(|c| *c == x);
        known.unwrap_or_else(|| {
            corners.push(x);
            corners.len() - 1
        }) as u32
    };
    for k in 0..3 {
        for side in [0, n] {
            for i in 0..n * n {
                let at = |u: usize, v: usize| {
                    let mut at = [side; 3];
                    (at[(k + 1) % 3], at[(k + 2) % 3]) = (i % n + u, i / n + v);
                    at
                };
                let [a, b, c, d] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)].map(&mut number);
                let two = match side == n {
                    true => [[a, b, c], [a, c, d]],
                    false => [[a, c, b], [a, d, c]],
                };
                triangles.extend(two);
            }
        }
    }
    Shape::Mesh(Arc::new((corners, triangles)))
}

fn tetrahedron(size: f32) -> Shape {
    let corners = [
        [1.0; 3],
        [-1.0, -1.0, 1.0],
        [-1.0, 1.0, -1.0],
        [1.0, -1.0, -1.0],
    ];
    let corners = corners.map(|x: [f32; 3]| x.map(|v| size * v)).to_vec();
    Shape::Mesh(Arc::new((
        corners,
        vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    )))
}

fn speed(simulation: &Simulation, i: usize) -> f64 {
    let v = simulation.snapshot().body_velocities[i];
    f64::from(v[..3].iter().map(|v| v * v).sum::<f32>().sqrt())
}

fn rubbing(mut body: Body, mu: f64) -> Body {
    body.friction = Some(mu);
    body
}

/// A box made of triangles, cut finely or not, stands where the box stands: on a plane, on a box, on a pile of its kind.
#[test]
fn a_mesh_of_a_box_stands_as_the_box() {
    let half = [0.25, 0.2, 0.3];
    let pile = |shape: &Shape| -> Vec<Body> {
        let place = |i: usize| body(shape.clone(), 5.0, [0.0, 0.2 + 0.4 * i as f64, 0.0]);
        (0..4).map(|i| rubbing(place(i), 0.5)).collect()
    };
    let boxes = run(
        model(16, pile(&Shape::Box(half)), vec![floor()]),
        Method::Lanes,
        1,
        120,
    );
    for n in [1, 4] {
        let shape = mesh_of_box(half, n);
        let meshes = run(
            model(16, pile(&shape), vec![floor()]),
            Method::Lanes,
            1,
            120,
        );
        let (way, fastest) = unrest(&meshes);
        println!("cut in {n}: {way:.1e} m from the start, {fastest:.1e} m/s");
        assert!(way < 0.004 && fastest < 1e-3);
        for (mesh, solid) in meshes.bodies().iter().zip(boxes.bodies()) {
            assert!(
                (mesh[1] - solid[1]).abs() < 2e-4,
                "{} for {}",
                mesh[1],
                solid[1]
            );
        }
    }
}

/// On a plane and on a box turned by θ a box of triangles slides at g (sin θ - µ cos θ).
#[test]
fn a_mesh_of_a_box_slides_as_coulomb_says() {
    let angle = 0.4_f64;
    let (sine, cosine) = angle.sin_cos();
    let turn = [0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos()];
    let shape = mesh_of_box([0.2, 0.1, 0.2], 2);
    let away = |d: f64| [-d * sine, d * cosine, 0.0];
    for boxed in [false, true] {
        for mu in [0.2, 0.5] {
            let collider = match boxed {
                false => Collider::plane([0.0; 3], [-sine, cosine, 0.0]),
                true => Collider::cuboid(away(-0.5), [8.0, 0.5, 3.0], turn),
            };
            let mut thing = rubbing(body(shape.clone(), 2.0, away(0.1)), mu);
            thing.orientation = turn;
            let end = run(
                model(20, vec![thing], vec![collider.unwrap()]),
                Method::Lanes,
                1,
                60,
            );
            let expected = (9.81 * (sine - mu * cosine)).max(0.0);
            let found = speed(&end, 0);
            println!("box {boxed}, µ {mu}: {found:.4} m/s, {expected:.4} expected");
            assert!((found - expected).abs() < 0.01 * expected + 1e-4);
        }
    }
}

/// A tetrahedron dropped comes to rest on a face: three corners on the floor, its middle at a quarter of its height.
#[test]
fn a_tetrahedron_rests_on_a_face() {
    let mut thing = rubbing(body(tetrahedron(0.1), 1.0, [0.0, 0.25, 0.0]), 0.5);
    thing.orientation = [0.1, 0.2, 0.3, (1.0_f64 - 0.14).sqrt()];
    let end = run(model(16, vec![thing], vec![floor()]), Method::Lanes, 1, 240);
    // Edges are 0.2 sqrt 2, the middle is edge / sqrt 24 above a face.
    let expected = 0.2 * 2.0_f64.sqrt() / 24.0_f64.sqrt();
    let height = f64::from(end.bodies()[0][1]);
    println!(
        "middle at {height:.5} m, {expected:.5} expected, {:.1e} m/s",
        speed(&end, 0)
    );
    assert!((height - expected).abs() < 5e-4);
    assert!(speed(&end, 0) < 2e-3);
}

/// Balls and capsules on a block of triangles lie where its closed form has them; so does a box on it, and it on a box.
#[test]
fn things_rest_on_meshes() {
    let block = |shape: Shape| {
        let mut block = rubbing(body(shape, 50.0, [0.0, 0.25, 0.0]), 0.5);
        block.fixed = true;
        block
    };
    let lying = [0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt()];
    let things = [
        (Shape::Sphere(0.1), 0.1, UPRIGHT),
        (Shape::Capsule([0.1, 0.2]), 0.1, lying),
        (Shape::Box([0.1; 3]), 0.1, UPRIGHT),
        (mesh_of_box([0.1; 3], 1), 0.1, UPRIGHT),
    ];
    for (thing, up, turn) in things {
        for under in [
            mesh_of_box([0.5, 0.25, 0.5], 3),
            Shape::Box([0.5, 0.25, 0.5]),
        ] {
            let name = (thing.name(), under.name());
            let top = rubbing(body(thing.clone(), 1.0, [0.1, 0.5 + up + 0.02, 0.05]), 0.5);
            let top = top.at([0.1, 0.5 + up + 0.02, 0.05], turn);
            let end = run(
                model(16, vec![block(under), top], vec![]),
                Method::Lanes,
                1,
                90,
            );
            let [x, y, z, ..] = end.bodies()[1].map(f64::from);
            println!("{name:?}: {:.1e} m off", y - 0.5 - up);
            assert!((y - 0.5 - up).abs() < 1e-3, "{name:?} at {y}");
            assert!(
                (x - 0.1).abs() < 5e-3 && (z - 0.05).abs() < 5e-3,
                "{name:?} at {x} {z}"
            );
        }
    }
}

/// A log across a narrow wall, longer than that is thick, lies on it level, held at both rims.
#[test]
fn a_log_lies_across_a_wall() {
    let half = [0.1, 0.25, 0.5];
    let lying = [0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt()];
    for under in [mesh_of_box(half, 1), Shape::Box(half)] {
        let mut wall = rubbing(body(under.clone(), 50.0, [0.0, 0.25, 0.0]), 0.5);
        wall.fixed = true;
        let log = body(Shape::Capsule([0.05, 0.3]), 1.0, [0.0; 3]);
        let log = rubbing(log.at([0.05, 0.55, 0.0], lying), 0.5);
        let mut model = model(16, vec![wall, log], vec![]);
        // Found once a frame: between, the points stay where they are.
        let contacts = Contacts {
            detect: Detect::Frame,
            ..Contacts::default()
        };
        model.set_contacts(contacts).expect("contacts");
        let end = run(model, Method::Lanes, 1, 120);
        let [_, y, _, _, _, z, w] = end.bodies()[1].map(f64::from);
        let tilt = 2.0 * z.atan2(w) - std::f64::consts::FRAC_PI_2;
        println!(
            "{}: {:.1e} m off, tilted by {tilt:.1e}",
            under.name(),
            y - 0.55
        );
        assert!(
            (y - 0.55).abs() < 1e-3 && tilt.abs() < 5e-3,
            "at {y}, {tilt} rad"
        );
    }
}

/// A plane of triangles in the square of `half`, cut in `n` x `n` and shifted so that nothing lies on its sides.
fn ground(half: f64, n: usize) -> Collider {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..(n + 1) * (n + 1) {
        let at = |k: usize| half * (2.0 * k as f64 / n as f64 - 1.0) + 0.013;
        points.push([at(i % (n + 1)), 0.0, at(i / (n + 1))]);
    }
    for i in 0..n * n {
        let a = (i / n * (n + 1) + i % n) as u32;
        let [b, c, d] = [a + 1, a + n as u32 + 2, a + n as u32 + 1];
        triangles.extend([[a, c, b], [a, d, c]]);
    }
    Collider::mesh(&points, &triangles, [0.0; 3], UPRIGHT).expect("a ground")
}

/// What is thrown along a ground of triangles, coarse or fine, goes as along a plane and never leaves it.
#[test]
fn a_ground_of_triangles_is_a_plane() {
    let lying = [0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()];
    let things = [
        (Shape::Box([0.2, 0.1, 0.15]), 0.1, UPRIGHT),
        (mesh_of_box([0.2, 0.1, 0.15], 2), 0.1, UPRIGHT),
        (Shape::Sphere(0.1), 0.1, UPRIGHT),
        (Shape::Capsule([0.1, 0.2]), 0.1, lying),
    ];
    for (shape, height, turn) in things {
        let thrown = |collider: Collider| {
            let mut thing = rubbing(body(shape.clone(), 2.0, [0.0; 3]), 0.3);
            thing = thing.at([-1.0, height, -0.4], turn);
            thing.velocity = [3.0, 0.0, 0.7];
            let model = model(16, vec![thing], vec![collider]);
            let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
            let (mut highest, mut lowest) = (0.0_f64, 0.0_f64);
            for _ in 0..60 {
                simulation.step();
                let off = f64::from(simulation.bodies()[0][1]) - height;
                (highest, lowest) = (highest.max(off), lowest.min(off));
            }
            (simulation.bodies()[0], highest, lowest)
        };
        let (expected, ..) = thrown(floor());
        for n in [4, 61] {
            let (found, highest, lowest) = thrown(ground(4.0, n));
            let off = |k: usize| f64::from(found[k] - expected[k]).abs();
            let way = off(0).max(off(2));
            println!(
                "{} on {n} x {n}: {way:.1e} m off, {lowest:.1e} to {highest:.1e} m",
                shape.name()
            );
            assert!(way < 5e-3, "{way} m from where a plane takes it");
            assert!(highest < 1e-3 && lowest > -1e-3, "{lowest} to {highest} m");
        }
    }
}

/// A table made of triangles holds a box whose middle is over it, at its rim, and lets one go whose middle is not, as a box does.
#[test]
fn a_table_of_triangles_holds_to_its_rim() {
    let Shape::Mesh(mesh) = mesh_of_box([0.5, 0.25, 0.5], 3) else {
        panic!("a mesh");
    };
    let points: Vec<[f64; 3]> = mesh.0.iter().map(|x| x.map(f64::from)).collect();
    let table = Collider::mesh(&points, &mesh.1, [0.0, -0.25, 0.0], UPRIGHT).expect("a table");
    for shape in [Shape::Box([0.1; 3]), mesh_of_box([0.1; 3], 1)] {
        for (x, holds) in [(0.47, true), (0.53, false)] {
            let thing = rubbing(body(shape.clone(), 1.0, [x, 0.1, 0.05]), 0.5);
            let end = run(
                model(16, vec![thing], vec![table.clone()]),
                Method::Lanes,
                1,
                60,
            );
            let y = f64::from(end.bodies()[0][1]);
            println!("{} at {x}: {:.1e} m", shape.name(), y - 0.1);
            assert_eq!(
                (y - 0.1).abs() < 2e-3,
                holds,
                "{} at {x}: {y}",
                shape.name()
            );
        }
    }
    // A ball on the very edge of a roof, held from both sides by nothing, falls to neither.
    let points = [
        [-1.0, -0.5, -1.0],
        [-1.0, -0.5, 1.0],
        [0.0, 0.0, -1.0],
        [0.0, 0.0, 1.0],
    ];
    let points = [&points[..], &[[1.0, -0.5, -1.0], [1.0, -0.5, 1.0]]].concat();
    let faces = [[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4]];
    let roof = Collider::mesh(&points, &faces, [0.0; 3], UPRIGHT).expect("a roof");
    let ball = body(Shape::Sphere(0.1), 1.0, [0.0, 0.1, 0.1]);
    let end = run(
        model(16, vec![ball], vec![roof.clone()]),
        Method::Lanes,
        1,
        10,
    );
    assert!(
        (end.bodies()[0][1] - 0.1).abs() < 1e-3,
        "{:?}",
        end.bodies()
    );
    // A capsule across the ridge lies on it with its middle.
    let lying = [0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt()];
    let log = body(Shape::Capsule([0.05, 0.3]), 1.0, [0.0; 3]).at([0.0, 0.05, 0.1], lying);
    let end = run(model(16, vec![log], vec![roof]), Method::Lanes, 1, 10);
    assert!(
        (end.bodies()[0][1] - 0.05).abs() < 1e-3,
        "{:?}",
        end.bodies()
    );
}

/// Lanes on any threads have the bits of the scalar loop in the colored order.
#[test]
fn meshes_touch_with_the_same_bits_by_all_methods() {
    for (name, size, frames) in [("shroud", 12, 45), ("stones", 20, 40)] {
        let scene = |_| {
            let scene = Scene::find(name).expect("a scene");
            scene.model(Some(size)).expect("a model")
        };
        let expected = run(scene(0), Method::Colored, 1, frames);
        let counts = expected.statistics().into_iter().flat_map(|a| a.counts);
        let met: usize = counts
            .filter(|c| ["points", "particles"].contains(&c.0))
            .map(|c| c.1)
            .sum();
        assert!(met > 10, "{name}: {met} contacts");
        for threads in [1, 2, 3, 7] {
            let found = run(scene(0), Method::Lanes, threads, frames);
            assert_eq!(
                found.observe().hash,
                expected.observe().hash,
                "{name} on {threads}"
            );
        }
    }
}

/// Particles on a mesh of a box lie at their radius above it, and as on the box itself.
#[test]
fn particles_lie_on_meshes() {
    let lay = |shape: Shape| {
        let mut block = body(shape, 50.0, [0.0; 3]);
        block.fixed = true;
        let mut model = Model::new();
        model.settings.substeps = 8;
        model.add_body(block).expect("a body");
        for i in 0..40 {
            let x = [0.023 * f64::from(i) - 0.43, 0.3, 0.01 * f64::from(i % 7)];
            model.add_particle(x, [0.0; 3], 10.0).expect("a particle");
        }
        let contacts = Contacts {
            radius: 0.02,
            friction: Some(0.5),
            ..Contacts::default()
        };
        model.set_contacts(contacts).expect("contacts");
        run(model, Method::Lanes, 2, 60)
    };
    let half = [0.5, 0.2, 0.3];
    let [mesh, solid] = [mesh_of_box(half, 2), Shape::Box(half)].map(lay);
    for (i, (x, y)) in mesh.positions().iter().zip(solid.positions()).enumerate() {
        assert!((x[1] - 0.22).abs() < 1e-4, "particle {i} at {x:?}");
        let off = (0..3).map(|k| (x[k] - y[k]).abs()).fold(0.0, f32::max);
        assert!(
            off < 1e-4,
            "particle {i}: {off} m from where a box holds it"
        );
    }
}

/// A particle dropped on a body comes back to e² of its height: from one that is fixed, and from a heavy one in free fall.
#[test]
fn particles_rebound_from_bodies() {
    for shape in [
        Shape::Box([0.5, 0.2, 0.5]),
        mesh_of_box([0.5, 0.2, 0.5], 2),
        Shape::Sphere(0.2),
    ] {
        for (e, method) in [
            (0.0, Method::Lanes),
            (0.5, Method::Scalar),
            (0.8, Method::Lanes),
            (0.95, Method::Colored),
        ] {
            let mut block = body(shape.clone(), 1.0, [0.0, -0.2, 0.0]);
            (block.fixed, block.restitution) = (true, Some(e));
            let mut model = Model::new();
            model.settings.substeps = 20;
            model.add_body(block).expect("a body");
            model
                .add_particle([0.0, 1.1, 0.0], [0.0; 3], 2.0)
                .expect("a particle");
            model
                .add_particle([7.0, 1.1, 0.0], [0.0; 3], 2.0)
                .expect("a particle");
            let contacts = Contacts {
                radius: 0.1,
                ..Contacts::default()
            };
            model.set_contacts(contacts).expect("contacts");
            let mut simulation = Simulation::new(model, method, 1).expect("a simulation");
            let (mut hit, mut highest) = (false, 0.0_f32);
            for _ in 0..100 {
                simulation.step();
                let height = simulation.positions()[0][1] - 0.1;
                hit |= height < 0.05;
                if hit && simulation.velocities()[0][1] > 0.0 {
                    highest = highest.max(height);
                } else if highest > 0.1 {
                    break;
                }
            }
            let error = f64::from(highest) - e * e;
            println!("{} e {e}: {highest:.3} m, {error:+.3}", shape.name());
            assert!(hit && error.abs() < 0.05, "e {e}: {highest} m");
        }
    }
}

/// A particle and a body that meet in free space part with e times their speed, and momenta stay.
#[test]
fn rebounds_keep_momenta() {
    for (e, method) in [
        (0.5, Method::Scalar),
        (1.0, Method::Lanes),
        (0.7, Method::Colored),
    ] {
        let mut ball = body(Shape::Box([0.2; 3]), 2.0, [0.0; 3]);
        (ball.velocity, ball.friction) = ([0.5, 0.0, 0.0], Some(0.4));
        let mut model = Model::new();
        (model.settings.substeps, model.settings.gravity) = (10, [0.0; 3]);
        model.add_body(ball).expect("a body");
        for z in [-0.1, 0.1] {
            model
                .add_particle([0.6, 0.05, z], [-1.0, 0.2, 0.0], 1.0)
                .expect("a particle");
        }
        let contacts = Contacts {
            radius: 0.05,
            restitution: Some(e),
            ..Contacts::default()
        };
        model.set_contacts(contacts).expect("contacts");
        let mut simulation = Simulation::new(model, method, 2).expect("a simulation");
        let before = simulation.observe();
        // Until they have met.
        for _ in 0..30 {
            simulation.step();
            if simulation.velocities()[0][0] > -0.5 {
                break;
            }
        }
        let after = simulation.observe();
        let off =
            |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max);
        let (linear, angular) = (
            off(after.momentum, before.momentum),
            off(after.angular_momentum, before.angular_momentum),
        );
        // The surface of the body at the particle, and the particle.
        let m = simulation.snapshot().body_velocities[0].map(f64::from);
        let pose = simulation.bodies()[0].map(f64::from);
        let (x, v) = (simulation.positions()[0], simulation.velocities()[0]);
        let lever = [0, 1, 2].map(|k| f64::from(x[k]) - pose[k]);
        let surface = m[0] + m[4] * lever[2] - m[5] * lever[1];
        let apart = f64::from(v[0]) - surface;
        println!(
            "{method:?} e {e}: parts at {apart:.3} of 1.5 m/s; momenta off by {linear:.1e}, {angular:.1e}"
        );
        assert!((apart / 1.5 - e).abs() < 0.05, "e {e}: {apart}");
        // Velocities are rounded where positions are: 6e-8 of 0.6 m over h = 1/600 s.
        assert!(linear < 5e-5 && angular < 1e-3, "{linear:e}, {angular:e}");
    }
}

/// A flat mesh touches nothing: it is refused where contacts are, with its place, before them and after.
#[test]
fn flat_meshes_are_refused() {
    let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
    let flat = Shape::Mesh(Arc::new((corners, vec![[0, 1, 2]])));
    let flat =
        || Body::new(flat.clone(), Weight::Mass(1.0), Some([1.0; 3])).expect("given inertia");
    let mut model = Model::new();
    model
        .add_body(body(Shape::Sphere(0.1), 1.0, [0.0; 3]))
        .expect("a ball");
    model.add_body(flat()).expect("nothing touches yet");
    let refused = |error: ModelError| match error {
        ModelError::Value { place, value, rule } => {
            assert_eq!((place.as_str(), value), ("bodies[1].shape", 4.0));
            assert!(rule.contains("flat"), "{rule}");
        }
        other => panic!("{other}"),
    };
    refused(model.set_contacts(Contacts::default()).expect_err("flat"));
    let mut model = Model::new();
    model
        .add_body(body(Shape::Sphere(0.1), 1.0, [0.0; 3]))
        .expect("a ball");
    model.set_contacts(Contacts::default()).expect("contacts");
    refused(model.add_body(flat()).expect_err("flat"));
}

/// Stones that start inside each other, inside the ground, beside 10^5 times their mass and 10^7 m away stay finite.
#[test]
fn bad_places_of_meshes_stay_finite() {
    let stones = |shape: Shape| {
        let one = |mass: f64, at: [f64; 3]| rubbing(body(shape.clone(), mass, at), 0.5);
        vec![
            one(1e5, [0.0, 0.6, 0.0]),
            one(1.0, [0.05, 0.2, 0.0]),
            one(1.0, [1.0, 0.1, 0.0]),
            one(1.0, [1.0, 0.1, 0.0]),
            one(1.0, [1e7, 0.2, 0.0]),
            one(1.0, [3.0, -5.0, 0.0]),
        ]
    };
    let cases = [
        (Shape::Box([0.2; 3]), floor()),
        (mesh_of_box([0.2; 3], 2), floor()),
        (mesh_of_box([0.2; 3], 2), ground(4.0, 5)),
    ];
    for (shape, ground) in cases {
        let model = model(8, stones(shape), vec![ground]);
        let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
        let mut fastest = [0.0_f64; 4];
        for _ in 0..60 {
            simulation.step();
            assert!(simulation.snapshot().finite());
            for (i, fastest) in fastest.iter_mut().enumerate() {
                *fastest = fastest.max(speed(&simulation, i));
            }
        }
        println!("fastest of those that touch: {fastest:.2?} m/s");
        assert!(fastest.iter().all(|v| *v < 30.0), "{fastest:?} m/s");
    }
}

/// Real meshes dropped on a floor come to rest on it.
#[cfg(feature = "files")]
#[test]
#[ignore = "needs ../shared: real meshes"]
fn real_meshes_come_to_rest() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/meshes");
    for (name, size) in [
        ("bunny_3k.obj", 0.4),
        ("spot_lowres.obj", 0.4),
        ("pbd_torus.obj", 0.4),
    ] {
        let path = std::path::Path::new(folder).join(name);
        let mesh = crate::io::read_mesh(&path).expect("a mesh");
        let reach = |x: &[f32; 3]| x.iter().map(|v| v * v).sum::<f32>().sqrt();
        let most = mesh.positions.iter().map(reach).fold(0.0, f32::max);
        let scaled = mesh.positions.iter().map(|x| x.map(|v| size * v / most));
        let shape = Shape::Mesh(Arc::new((scaled.collect(), mesh.triangles)));
        let Ok(thing) = Body::new(shape, Weight::Density(1000.0), None) else {
            println!("skipped: {name} is open");
            continue;
        };
        let thing = rubbing(thing.at([0.0, 0.6, 0.0], [0.6, 0.0, 0.0, 0.8]), 0.6);
        let mut simulation =
            Simulation::new(model(8, vec![thing], vec![floor()]), Method::Lanes, 1)
                .expect("a simulation");
        let turning = |simulation: &Simulation| {
            let v = simulation.snapshot().body_velocities[0];
            f64::from(v[3..].iter().map(|v| v * v).sum::<f32>().sqrt())
        };
        (0..240).for_each(|_| simulation.step());
        let (pose, turning) = (simulation.bodies()[0], turning(&simulation));
        println!(
            "{name}: {:.1e} m/s, {turning:.1e} rad/s after 4 s",
            speed(&simulation, 0)
        );
        assert!(pose[1] > 0.03 && pose[1] < 0.4, "{pose:?}");
        assert!(speed(&simulation, 0) < 1e-4 && turning < 1e-3);
    }
}
