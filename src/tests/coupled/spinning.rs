//! What touches a ball that spins.

use super::{body, space};
use crate::collision::Contacts;
use crate::rigid::Shape;
use crate::solvers::{Method, prepare};

/// A ball without friction pushes along the line of centers alone, however far it turns in a step: 9.5 degrees.
#[test]
fn a_ball_pushes_away_from_its_center() {
    for (method, restitution) in [(Method::Lanes, 0.0), (Method::Scalar, 0.0), (Method::Lanes, 1.0)]
    {
        let mut model = space(1, 8);
        let mut ball = body(Shape::Sphere(0.5), 1e6, [0.0; 3]);
        ball.angular_velocity = [0.0, 0.0, 10.0];
        (ball.friction, ball.restitution) = (Some(0.0), Some(restitution));
        model.add_body(ball).expect("a body");
        model.add_particle([0.521, 0.0, 0.0], [-1.0, 0.0, 0.0], 1.0).expect("a particle");
        let contacts = Contacts {
            radius: 0.02,
            friction: Some(0.0),
            restitution: Some(restitution),
            ..Contacts::default()
        };
        model.set_contacts(contacts).expect("sound contacts");
        let (mut state, mut solver) = prepare(&model, method, 1).expect("a solver");
        solver.step(&mut state);
        let ([x, ..], [vx, vy, vz]) = (state.positions()[0], state.velocities()[0]);
        assert!((x - 0.52).abs() < 1e-5, "{method:?}: {x}");
        assert!(vy.abs() < 1e-5 && vz.abs() < 1e-5, "{method:?}: {vy} {vz}");
        // It came to the surface, or rebounds as fast as it came.
        let expected = if restitution > 0.0 { 1.0 } else { -0.06 };
        assert!((vx - expected).abs() < 1e-3, "{method:?}: {vx}");
    }
}
