//! Bodies of meshes rest, slide and lean as boxes do.

use super::{mesh_of_box, rubbing, speed, tetrahedron};
use crate::Method;
use crate::collision::{Collider, Contacts, Detect};
use crate::rigid::{Body, Shape};
use crate::scenes::Scene;
use crate::tests::stacking::{UPRIGHT, body, floor, model, run, unrest};

/// A box made of triangles, cut finely or not, stands where the box stands: on a plane, on a box, on a pile of its kind.
#[test]
fn a_mesh_of_a_box_stands_as_the_box() {
    let half = [0.25, 0.2, 0.3];
    let pile = |shape: &Shape| -> Vec<Body> {
        let place = |i: usize| body(shape.clone(), 5.0, [0.0, 0.2 + 0.4 * i as f64, 0.0]);
        (0..4).map(|i| rubbing(place(i), 0.5)).collect()
    };
    let boxes = run(model(16, pile(&Shape::Box(half)), vec![floor()]), Method::Lanes, 1, 120);
    for n in [1, 4] {
        let shape = mesh_of_box(half, n);
        let meshes = run(model(16, pile(&shape), vec![floor()]), Method::Lanes, 1, 120);
        let (way, fastest) = unrest(&meshes);
        println!("cut in {n}: {way:.1e} m from the start, {fastest:.1e} m/s");
        assert!(way < 0.004 && fastest < 1e-3);
        for (mesh, solid) in meshes.bodies().iter().zip(boxes.bodies()) {
            assert!((mesh[1] - solid[1]).abs() < 2e-4, "{} for {}", mesh[1], solid[1]);
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
            let end = run(model(20, vec![thing], vec![collider.unwrap()]), Method::Lanes, 1, 60);
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
    println!("middle at {height:.5} m, {expected:.5} expected, {:.1e} m/s", speed(&end, 0));
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
        for under in [mesh_of_box([0.5, 0.25, 0.5], 3), Shape::Box([0.5, 0.25, 0.5])] {
            let name = (thing.name(), under.name());
            let top = rubbing(body(thing.clone(), 1.0, [0.1, 0.5 + up + 0.02, 0.05]), 0.5);
            let top = top.at([0.1, 0.5 + up + 0.02, 0.05], turn);
            let end = run(model(16, vec![block(under), top], vec![]), Method::Lanes, 1, 90);
            let [x, y, z, ..] = end.bodies()[1].map(f64::from);
            println!("{name:?}: {:.1e} m off", y - 0.5 - up);
            assert!((y - 0.5 - up).abs() < 1e-3, "{name:?} at {y}");
            assert!((x - 0.1).abs() < 5e-3 && (z - 0.05).abs() < 5e-3, "{name:?} at {x} {z}");
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
        let contacts = Contacts { detect: Detect::Frame, ..Contacts::default() };
        model.set_contacts(contacts).expect("contacts");
        let end = run(model, Method::Lanes, 1, 120);
        let [_, y, _, _, _, z, w] = end.bodies()[1].map(f64::from);
        let tilt = 2.0 * z.atan2(w) - std::f64::consts::FRAC_PI_2;
        println!("{}: {:.1e} m off, tilted by {tilt:.1e}", under.name(), y - 0.55);
        assert!((y - 0.55).abs() < 1e-3 && tilt.abs() < 5e-3, "at {y}, {tilt} rad");
    }
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
        let counts = expected.subsystem_statistics().into_iter().flat_map(|a| a.counts);
        let met: usize = counts
            .filter(|c| ["contact points", "particle contacts"].contains(&c.0))
            .map(|c| c.1)
            .sum();
        assert!(met > 10, "{name}: {met} contacts");
        for threads in [1, 2, 3, 7] {
            let found = run(scene(0), Method::Lanes, threads, frames);
            assert_eq!(found.observe().hash, expected.observe().hash, "{name} on {threads}");
        }
    }
}
