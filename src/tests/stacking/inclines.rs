//! What rolls down an incline, what tips over on one, and what is too fast to see a wall.

use super::{UPRIGHT, body, floor, model, run};
use crate::Method;
use crate::collision::Collider;
use crate::rigid::{Body, Shape};

/// The floor seen from an incline: gravity leans by `angle` (rad) towards x.
fn leaning(substeps: u32, angle: f64, body: Body) -> crate::Model {
    let mut model = model(substeps, vec![body], vec![floor()]);
    model.settings.gravity = [9.81 * angle.sin(), -9.81 * angle.cos(), 0.0];
    model
}

/// Without slip a round body gains g sin θ / (1 + I / m r²): a ball 5/7 of g sin θ, a capsule that lies across what its cylinder
/// (I = m r² / 2) and its ends (2/5 m r²) amount to, near 2/3.
#[test]
fn round_bodies_roll_as_their_inertia_says() {
    let (angle, r, half) = (0.2_f64, 0.1, 0.4);
    let (cylinder, ball) = (2.0 * half, 4.0 / 3.0 * r);
    let of_capsule = (0.5 * cylinder + 0.4 * ball) / (cylinder + ball);
    for (shape, inertia) in [(Shape::Sphere(r), 0.4), (Shape::Capsule([r, half]), of_capsule)] {
        let mut thing = body(shape, 2.0, [0.0, r, 0.0]);
        // A capsule's core is its own y axis: along z.
        let turn = std::f64::consts::FRAC_1_SQRT_2;
        thing.orientation = [turn, 0.0, 0.0, turn];
        thing.friction = Some(0.8);
        let name = thing.shape.name();
        let end = run(leaning(10, angle, thing), Method::Lanes, 1, 60);
        let speed = f64::from(end.snapshot().body_velocities[0][0]);
        let ratio = speed * (1.0 + inertia) / (9.81 * angle.sin());
        println!("{name}: {ratio:.4} of the speed");
        assert!((ratio - 1.0).abs() < 0.01, "{name}: {ratio}");
    }
}

/// A block tips where its center is beyond its lower edge, tan θ = width / height, to a degree.
#[test]
fn a_block_tips_at_its_angle() {
    let (width, height) = (0.1_f64, 0.2);
    let tips = width.atan2(height);
    for (more, falls) in [(-1.0_f64, false), (1.0, true)] {
        let mut block = body(Shape::Box([width, height, 0.15]), 1.0, [0.0, height, 0.0]);
        block.friction = Some(2.0);
        let angle = tips + more.to_radians();
        let end = run(leaning(20, angle, block), Method::Lanes, 1, 120);
        let [_, _, _, x, _, z, _] = end.bodies()[0].map(f64::from);
        let up = 1.0 - 2.0 * (x * x + z * z);
        println!("{more} degrees beyond: its axis is {:.1} degrees off", up.acos().to_degrees());
        assert_eq!(up < 0.5, falls, "{more} degrees beyond");
        assert!(falls || up > 0.99985, "it rocks: {up}");
    }
}

/// A ball of 0.1 m at 100 m/s stays before a wall of 1 cm, though it goes much farther in a substep.
#[test]
fn a_fast_ball_does_not_pass_a_thin_wall() {
    let half = [0.005, 1.0, 1.0];
    let wall = Collider::cuboid([0.0; 3], half, UPRIGHT).expect("a box");
    let mut fixed = body(Shape::Box(half), 1.0, [0.0; 3]);
    fixed.fixed = true;
    for substeps in [1, 4] {
        for start in [0.6, 1.1, 2.3] {
            for (bodies, colliders) in [(vec![], vec![wall.clone()]), (vec![fixed.clone()], vec![])]
            {
                let mut ball = body(Shape::Sphere(0.1), 1.0, [-start, 0.2, 0.1]);
                ball.velocity = [100.0, 0.0, 0.0];
                let mut model = model(substeps, [bodies, vec![ball]].concat(), colliders);
                model.settings.gravity = [0.0; 3];
                let end = run(model, Method::Lanes, 1, 30);
                let x = end.bodies().last().expect("a ball")[0];
                assert!(x < -0.09, "from {start} m in {substeps} substeps it is at {x} m");
            }
        }
    }
}

/// A box that starts within the ground slides as far as one that starts on it: what parts them neither throws it up nor costs
/// it friction.
#[test]
fn a_box_that_starts_in_the_ground_slides_no_further() {
    let (angle, mu) = (0.35_f64, 0.3);
    for (substeps, iterations) in [(10, 5), (20, 1), (50, 1)] {
        for ground in [floor(), crate::tests::hulls::ground(8.0, 5)] {
            let slab = body(Shape::Box([0.5, 0.1, 0.5]), 1.0, [0.0, 0.1 - 0.005, 0.0]);
            let slab = Body { friction: Some(mu), ..slab };
            let mut model = model(substeps, vec![slab], vec![ground]);
            model.settings.iterations = iterations;
            model.settings.gravity = [9.81 * angle.sin(), -9.81 * angle.cos(), 0.0];
            let end = run(model, Method::Lanes, 1, 120);
            let expected = 0.5 * 9.81 * (angle.sin() - mu * angle.cos()) * 4.0;
            let ratio = f64::from(end.bodies()[0][0]) / expected;
            println!("{substeps} x {iterations}: {ratio:.4} of the way");
            assert!((ratio - 1.0).abs() < 0.01, "{substeps} x {iterations}: {ratio}");
        }
    }
}
