//! Contacts that are refused, and places that are no numbers.

use super::{shapes, simulate};
use crate::collision::{Collider, Contacts, Detect, Motion, SelfContact};
use crate::model::Model;
use crate::solvers::Method;

/// Bad places cost nothing and stay finite: 10^9 m away, ten thousand balls in one point, a ball inside everything.
#[test]
fn bad_places_stay_finite() {
    let mut model = Model::new();
    for i in 0..10_000 {
        let at = if i == 17 { [1e9, -1e9, 1e9] } else { [0.0, 0.5, 0.0] };
        model.add_particle(at, [0.0; 3], 1.0).unwrap();
    }
    let contacts = Contacts {
        colliders: shapes().into_iter().map(|(_, c)| c).collect(),
        radius: 0.02,
        friction: Some(0.4),
        restitution: Some(0.5),
        pairs: true,
        ..Contacts::default()
    };
    model.set_contacts(contacts).unwrap();
    let mut simulation = simulate(model, Method::Lanes, 3);
    assert!(simulation.snapshot().finite());
    // More than one pass of coloring.
    assert!(
        simulation.subsystem_statistics()[0].counts.iter().any(|c| c.0 == "colors" && c.1 > 64)
    );
    simulation.step();
}

/// What cannot be a collider is refused.
#[test]
fn bad_colliders_are_refused() {
    let nan = f64::NAN;
    assert!(Collider::sphere([0.0; 3], 0.0).is_err());
    assert!(Collider::sphere([nan, 0.0, 0.0], 1.0).is_err());
    assert!(Collider::sphere([0.0; 3], nan).is_err());
    assert!(Collider::plane([0.0; 3], [0.0; 3]).is_err());
    assert!(Collider::cuboid([0.0; 3], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]).is_err());
    assert!(Collider::cuboid([0.0; 3], [1.0; 3], [0.0, 0.0, 0.0, 2.0]).is_err());
    assert!(Collider::capsule([0.0; 3], [0.0; 3], -1.0).is_err());
    let sphere = || Collider::sphere([0.0; 3], 1.0).unwrap();
    assert!(sphere().of_material(Some(-0.1), None).is_err());
    assert!(sphere().of_material(None, Some(1.1)).is_err());
    let always = Motion { begins: f64::NEG_INFINITY, ..Motion::default() };
    assert!(sphere().moving(always).is_err());
    let turning = Motion { angular_velocity: [0.0, nan, 0.0], ..Motion::default() };
    let told = sphere().moving(turning).unwrap_err().to_string();
    assert!(told.contains("collider.angular_velocity"), "{told}");
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    let upright = [0.0, 0.0, 0.0, 1.0];
    assert!(Collider::mesh(&corners, &[[0, 1, 2]], [0.0; 3], upright).is_err());
    assert!(Collider::mesh(&corners, &[[0, 1, 3]], [0.0; 3], upright).is_err());
}

/// What cannot be a contact is refused by name.
#[test]
fn bad_contacts_are_refused() {
    let mut model = Model::new();
    model.add_particle([0.0; 3], [0.0; 3], 1.0).unwrap();
    model.add_particle([1.0; 3], [0.0; 3], 1.0).unwrap();
    type Spoil = fn(&mut Contacts);
    let bad: [(&str, Spoil); 7] = [
        ("radius", |c| c.radius = f64::NAN),
        ("radius", |c| c.pairs = true),
        ("particles", |c| c.particles = Some(vec![2])),
        ("twice", |c| c.particles = Some(vec![0, 0])),
        ("max_speed", |c| c.max_speed = Some(0.0)),
        ("friction", |c| c.friction = Some(-1.0)),
        ("twice", |c| {
            let triangles = vec![[0, 0, 1]];
            c.cloths = vec![SelfContact { triangles, thickness: 0.1, ..SelfContact::default() }];
        }),
    ];
    for (name, spoil) in bad {
        let mut contacts = Contacts::default();
        spoil(&mut contacts);
        let error = model.set_contacts(contacts).expect_err(name).to_string();
        assert!(error.contains(name), "{error}");
    }
    let names = ["frame", "substep", "iteration"];
    assert_eq!(Detect::ALL.map(Detect::name), names);
}
