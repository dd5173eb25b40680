//! Parts that were made for another model: refused when they are added, not met as a panic when they run.

use crate::error::ModelError;
use crate::forces::Drive;
use crate::groups::{Fluid, FluidNumbers, Melting, Pressures, Shapes};
use crate::model::Model;
use crate::rigid::{Attachments, Body, End, Joint, JointKind, Joints, Shape, Weight};
use crate::rows::Stiffness;
use crate::state::Motion;
use crate::subsystem::AnySubsystem;

/// So many particles, the corners of a tetrahedron first, and so many bodies.
fn model(particles: usize, bodies: usize) -> Model {
    let mut model = Model::new();
    for i in 0..particles {
        let corner = [i == 1, i == 2, i == 3].map(|is| if is { 1.0 } else { 0.0 });
        model.add_particle(corner, [0.0; 3], 1.0).unwrap();
    }
    for _ in 0..bodies {
        model.add_body(Body::new(Shape::Sphere(1.0), Weight::Mass(1.0), None).unwrap()).unwrap();
    }
    model
}

fn shapes(model: &Model) -> Shapes {
    let mut shapes = Shapes::new();
    shapes.add(model, &[0, 1, 2, 3], None, Stiffness::Factor(1.0), None).unwrap();
    shapes
}

/// Every part there is, on four particles and two bodies at most.
fn parts() -> Vec<AnySubsystem> {
    let large = &model(4, 2);
    let mut pressures = Pressures::new();
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    pressures.add(large, &faces, 1.0, None, Stiffness::Factor(1.0)).unwrap();
    let joint = |ends| {
        let mut joints = Joints::new();
        joints.add(large, Joint::new(JointKind::Ball, ends, [0.0; 3])).unwrap();
        joints
    };
    let mut attachments = Attachments::new();
    let at = [crate::rigid::At::Particle(3), crate::rigid::At::Body(1, [0.0; 3])];
    let held = attachments.add(
        large,
        crate::constraints::Distance,
        at,
        [None],
        Stiffness::Compliance(0.0),
    );
    held.unwrap();
    let fluid = Fluid::new(large, vec![0, 3], FluidNumbers::default()).unwrap();
    let drive = Drive { particles: vec![3], center: [0.0; 3], motion: Motion::default() };
    vec![
        shapes(large).into(),
        pressures.into(),
        joint([End::Body(1), End::World]).into(),
        joint([End::Body(0), End::Particle(3)]).into(),
        attachments.into(),
        fluid.into(),
        drive.into(),
        Melting::new(shapes(large), &[0], 0.0, 1.0).into(),
        Melting::new(Shapes::new(), &[3], 0.0, 1.0).into(),
    ]
}

#[test]
fn parts_of_a_larger_model_are_refused() {
    let count = parts().len();
    for which in 0..count {
        let part = || parts().swap_remove(which);
        model(4, 2).add_subsystem(part()).unwrap();
        for (particles, bodies) in [(3, 1), (0, 0)] {
            let refused = model(particles, bodies).add_subsystem(part());
            let what = format!("part {which} of {particles} particles and {bodies} bodies");
            assert!(matches!(refused, Err(ModelError::Value { .. })), "{what}: {refused:?}");
        }
    }
    let said = model(3, 2).add_subsystem(shapes(&model(4, 0))).unwrap_err().to_string();
    assert_eq!(said, "shape.particles: 3 is not allowed (no such particle)");
}
