//! Resistance against rolling and turning, against closed forms.

use super::{body, floor, model, run};
use crate::collision::Motion;
use crate::rigid::{Body, Shape};
use crate::{Method, Model};

const RADIUS: f64 = 0.1;
const ARM: f64 = 0.01;
const G: f64 = 9.81;

fn ball() -> Body {
    Body { friction: Some(0.8), ..body(Shape::Sphere(RADIUS), 2.0, [0.0, RADIUS, 0.0]) }
}

/// A ball on what leans by `angle` (rad) towards x, both of the arm [`ARM`].
fn leaning(angle: f64, ball: Body) -> Model {
    let floor = floor().resisting(Some(ARM), None).expect("an arm");
    let body = Body { rolling_resistance: Some(ARM), ..ball };
    let mut model = model(8, vec![body], vec![floor]);
    model.settings.gravity = [G * angle.sin(), -G * angle.cos(), 0.0];
    model
}

/// A ball stays where tan θ < arm / r; beyond, it gains 5/7 of g (sin θ - arm / r cos θ).
#[test]
fn a_ball_rests_below_its_angle_of_rolling() {
    let frames = 120;
    let rests = run(leaning((0.95 * ARM / RADIUS).atan(), ball()), Method::Lanes, 1, frames);
    let x = f64::from(rests.bodies()[0][0]);
    assert!(x.abs() < 1e-3, "went {x} m");
    let angle = (2.0 * ARM / RADIUS).atan();
    let rolls = run(leaning(angle, ball()), Method::Lanes, 1, frames);
    let v = f64::from(rests.snapshot().body_velocities[0][0]);
    assert!(v.abs() < 1e-4, "creeps at {v} m/s");
    let expected = 5.0 / 7.0 * G * (angle.sin() - ARM / RADIUS * angle.cos());
    let v = f64::from(rolls.snapshot().body_velocities[0][0]);
    let found = v / rolls.time();
    assert!((found / expected - 1.0).abs() < 0.01, "{found} m/s², expected {expected}");
}

/// On a level a rolling ball loses 5/7 of g arm / r, and then stands.
#[test]
fn a_ball_rolls_out() {
    let mut ball = ball();
    (ball.velocity, ball.angular_velocity) = ([1.0, 0.0, 0.0], [0.0, 0.0, -1.0 / RADIUS]);
    let loses = 5.0 / 7.0 * G * ARM / RADIUS;
    let way = 1.0 / (2.0 * loses);
    let seconds = 1.0 / loses;
    let simulation = run(leaning(0.0, ball), Method::Lanes, 1, (60.0 * seconds) as usize + 60);
    let found = f64::from(simulation.bodies()[0][0]);
    assert!((found / way - 1.0).abs() < 0.01, "{found} m, expected {way}");
    let v = simulation.snapshot().body_velocities[0];
    assert!(v.iter().all(|v| v.abs() < 1e-4), "{v:?}");
}

/// A ball that spins about the normal loses arm N / I; on a turntable it gains as much, until it turns with it.
#[test]
fn a_spinning_ball_is_braked_and_taken_along() {
    let slows = 0.002 * G / (0.4 * RADIUS * RADIUS);
    let spin_after = |of_ball: f64, of_floor: f64, frames| {
        let motion = Motion { angular_velocity: [0.0, of_floor, 0.0], ..Motion::default() };
        let floor = floor().moving(motion).and_then(|f| f.resisting(None, Some(0.002)));
        let mut ball = ball();
        ball.angular_velocity = [0.0, of_ball, 0.0];
        let model = model(8, vec![ball], vec![floor.expect("a floor")]);
        let simulation = run(model, Method::Lanes, 1, frames);
        f64::from(simulation.snapshot().body_velocities[0][4])
    };
    let lost = 20.0 - spin_after(20.0, 0.0, 60);
    assert!((lost / slows - 1.0).abs() < 0.01, "loses {lost} rad/s, expected {slows}");
    let gained = spin_after(0.0, 10.0, 60);
    assert!((gained / slows - 1.0).abs() < 0.01, "gains {gained} rad/s, expected {slows}");
    let along = spin_after(0.0, 2.0, 60);
    assert!((along - 2.0).abs() < 1e-3, "turns at {along} rad/s on what turns at 2");
}

/// The torque of a pair is its opposite on the other: a ball that rolls and spins on another body keeps momentum.
#[test]
fn resistance_keeps_angular_momentum() {
    let resisting = |thing: Body| Body {
        rolling_resistance: Some(0.02),
        torsional_resistance: Some(0.02),
        friction: Some(0.5),
        ..thing
    };
    let mut a = resisting(body(Shape::Sphere(RADIUS), 2.0, [0.0, RADIUS, 0.0]));
    let mut b = resisting(body(Shape::Sphere(RADIUS), 3.0, [0.0, -RADIUS, 0.0]));
    (a.velocity, b.velocity) = ([0.0, -1.0, 0.0], [0.0, 1.0, 0.0]);
    a.angular_velocity = [3.0, 20.0, -2.0];
    let mut model = model(20, vec![a, b], Vec::new());
    model.settings.gravity = [0.0; 3];
    let mut simulation = crate::Simulation::new(model, Method::Lanes, 1).expect("a simulation");
    let before = simulation.observe().angular_momentum;
    (0..20).for_each(|_| simulation.step());
    let after = simulation.observe().angular_momentum;
    for k in 0..3 {
        assert!((after[k] - before[k]).abs() < 1e-3 * before[1].abs(), "{before:?} {after:?}");
    }
    let spin = simulation.snapshot().body_velocities[1][4];
    assert!(spin > 0.1, "the other took no spin: {spin}");
}

/// Arms below zero and infinite ones are refused.
#[test]
fn bad_arms_are_refused() {
    for arm in [-0.1, f64::INFINITY, f64::NAN] {
        assert!(floor().resisting(Some(arm), None).is_err(), "{arm}");
        let body = Body { torsional_resistance: Some(arm), ..ball() };
        assert!(Model::new().add_body(body).is_err(), "{arm}");
    }
}
