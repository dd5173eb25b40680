//! Rigid bodies: a ball on a rope knocks down a wall of boxes..
use taut::collision::{Collider, Contacts};
use taut::rigid::{Body, End, Joint, JointKind, Joints, Shape, Weight};
use taut::{Method, Model, Simulation};

const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

fn solid(shape: Shape, weight: Weight) -> Body {
    let mut body = Body::new(shape, weight, None).expect("sizes and masses above zero");
    body.friction = Some(0.6);
    body
}

fn main() -> Result<(), taut::ModelError> {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (12, 2);
    for i in 0..24 {
        let (row, column) = (i / 4, i % 4);
        // Half sizes in metres, kilograms per cubic metre.
        let brick = solid(Shape::Box([0.2, 0.1, 0.1]), Weight::Density(1000.0));
        let x = 0.41 * f64::from(column) + 0.2 * f64::from(row % 2);
        model.add_body(brick.at([x, 0.1 + 0.2 * f64::from(row), 0.0], UPRIGHT))?;
    }
    let ball = solid(Shape::Sphere(0.25), Weight::Mass(200.0));
    let ball = model.add_body(ball.at([0.7, 2.5, 2.0], UPRIGHT))?;
    let mut joints = Joints::new();
    let ends = [End::World, End::Body(ball)];
    joints.add(&model, Joint::new(JointKind::Distance, ends, [0.7, 2.5, 0.0]))?;
    model.add_subsystem(joints)?;
    model.set_contacts(Contacts {
        colliders: vec![Collider::plane([0.0; 3], [0.0, 1.0, 0.0])?],
        friction: Some(0.6),
        ..Contacts::default()
    })?;

    let mut simulation = Simulation::new(model, Method::Lanes, 0)?;
    for frame in 0..=180 {
        if frame % 45 == 0 {
            let top = simulation
                .snapshot()
                .bodies
                .iter()
                .take(24)
                .map(|pose| pose[1])
                .fold(0.0, f32::max);
            println!("after {:.2} s the highest brick is at {top:.2} m", simulation.time());
        }
        simulation.step();
    }
    Ok(())
}
