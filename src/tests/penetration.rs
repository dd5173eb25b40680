//! The depth of overlaps, against depths known from how things were placed.

use crate::collision::{Collider, Contacts};
use crate::model::Model;
use crate::rigid::{Body, End, Joint, JointKind, Joints};
use crate::simulation::Simulation;
use crate::solvers::Method;
use crate::state::{Shape, Weight};
use crate::tests::models::floor;

fn contacts(colliders: Vec<Collider>, radius: f64, pairs: bool) -> Contacts {
    Contacts { colliders, radius, pairs, ..Contacts::default() }
}

fn depth(model: Model) -> Option<f64> {
    Simulation::new(model, Method::Scalar, 1).unwrap().penetration()
}

#[test]
fn particles_against_planes_and_each_other() {
    let mut model = Model::new();
    model.add_particle([0.0, 0.08, 0.0], [0.0; 3], 1.0).unwrap();
    assert_eq!(depth(model), None);
    for (pairs, expected) in [(false, 0.02), (true, 0.05)] {
        let mut model = Model::new();
        for x in [[0.0, 0.08, 0.0], [3.0, 0.5, 0.0], [3.0, 0.5, 0.15], [3.0, 0.9, 0.0]] {
            model.add_particle(x, [0.0; 3], 1.0).unwrap();
        }
        model.set_contacts(contacts(vec![floor()], 0.1, pairs)).unwrap();
        assert!((depth(model).unwrap() - expected).abs() < 1e-7, "{pairs}");
    }
}

fn body(shape: Shape, position: [f64; 3], orientation: [f64; 4]) -> Body {
    Body::new(shape, Weight::Mass(1.0), None).unwrap().at(position, orientation)
}

/// Bodies against the floor, and one against another: boxes by their corners, balls and capsules by their radii; joined bodies
/// do not touch.
#[test]
fn bodies_against_planes_and_each_other() {
    let upright = [0.0, 0.0, 0.0, 1.0];
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let lying = [0.0, 0.0, half, half];
    let tilted = [0.0, 0.0, (std::f64::consts::PI / 8.0).sin(), (std::f64::consts::PI / 8.0).cos()];
    for (shape, y, orientation, expected) in [
        (Shape::Box([0.5; 3]), 0.48, upright, 0.02),
        (Shape::Box([0.5; 3]), 0.6, tilted, half - 0.6),
        (Shape::Sphere(0.5), 0.4, tilted, 0.1),
        (Shape::Capsule([0.2, 0.6]), 0.7, upright, 0.1),
        (Shape::Capsule([0.2, 0.6]), 0.15, lying, 0.05),
        (Shape::Sphere(0.5), 0.6, upright, 0.0),
    ] {
        let mut model = Model::new();
        model.add_body(body(shape.clone(), [7.0, y, 0.0], orientation)).unwrap();
        model.set_contacts(contacts(vec![floor()], 0.01, false)).unwrap();
        let found = depth(model).unwrap();
        assert!((found - expected).abs() < 1e-6, "{shape:?}: {found}, not {expected}");
    }
    for is_joined in [false, true] {
        let mut model = Model::new();
        let below = model.add_body(body(Shape::Box([1.0; 3]), [0.0; 3], upright)).unwrap();
        let above = model.add_body(body(Shape::Sphere(0.5), [0.2, 1.47, 0.0], upright)).unwrap();
        if is_joined {
            let mut joints = Joints::new();
            let ends = [End::Body(below), End::Body(above)];
            joints.add(&model, Joint::new(JointKind::Ball, ends, [0.2, 1.0, 0.0])).unwrap();
            model.add_subsystem(joints).unwrap();
        }
        model.set_contacts(contacts(Vec::new(), 0.01, false)).unwrap();
        let expected = if is_joined { 0.0 } else { 0.03 };
        let found = depth(model).unwrap();
        assert!((found - expected).abs() < 1e-6, "{found}, not {expected}");
    }
}
