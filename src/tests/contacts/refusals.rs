//! What cannot be a contact is refused with its place and value.

use crate::collision::{Collider, Contacts, Detect};
use crate::model::Model;

const NAN: f64 = f64::NAN;

#[test]
fn bad_colliders_are_refused() {
    let upright = [0.0, 0.0, 0.0, 1.0];
    assert!(Collider::sphere([0.0; 3], 0.0).is_err());
    assert!(Collider::sphere([NAN, 0.0, 0.0], 1.0).is_err());
    assert!(Collider::sphere([0.0; 3], NAN).is_err());
    assert!(Collider::plane([0.0; 3], [0.0; 3]).is_err());
    assert!(Collider::cuboid([0.0; 3], [1.0, 0.0, 1.0], upright).is_err());
    assert!(Collider::cuboid([0.0; 3], [1.0; 3], [0.0, 0.0, 0.0, 2.0]).is_err());
    assert!(Collider::capsule([0.0; 3], [0.0; 3], -1.0).is_err());
    let sphere = || Collider::sphere([0.0; 3], 1.0).unwrap();
    assert!(sphere().of_material(Some(-0.1), None).is_err());
    assert!(sphere().of_material(None, Some(1.1)).is_err());
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    assert!(Collider::mesh(&corners, &[[0, 1, 2]], [0.0; 3], upright).is_err());
    assert!(Collider::mesh(&corners, &[[0, 1, 3]], [0.0; 3], upright).is_err());
}

#[test]
fn bad_contacts_are_refused() {
    let mut model = Model::new();
    model.add_particle([0.0; 3], [0.0; 3], 1.0).unwrap();
    type Spoil = fn(&mut Contacts);
    let cases: [(Spoil, &str); 6] = [
        (|c| c.radius = NAN, "radius"),
        (|c| c.pairs = true, "radius"),
        (|c| c.particles = Some(vec![1]), "particles"),
        (|c| c.particles = Some(vec![0, 0]), "twice"),
        (|c| c.max_speed = Some(0.0), "max_speed"),
        (|c| c.friction = Some(-1.0), "friction"),
    ];
    for (spoil, expected) in cases {
        let mut contacts = Contacts::default();
        spoil(&mut contacts);
        let error = model.set_contacts(contacts).expect_err("refused");
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert_eq!(
        Detect::ALL.map(Detect::name),
        ["frame", "substep", "iteration"]
    );
}
