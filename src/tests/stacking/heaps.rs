//! Heaps of balls of unequal mass, up to 1 : 3000, some of which rebound: whatever is squeezed between whatever, energy is only
//! lost, and they come to rest.

use super::super::sample::Random;
use super::floor;
use crate::collision::{Collider, Contacts};
use crate::model::Model;
use crate::rigid::{Body, Shape, Weight};
use crate::{Method, Simulation};

/// What a ball weighs (kg), and its radius (m).
type Ball = [f64; 2];

/// `count` balls dropped one after another into a bin of two metres.
fn heap(seed: u64, count: usize, rebounds: bool, steps: [u32; 2]) -> (Model, Vec<Ball>) {
    let mut random = Random(seed);
    let mut model = Model::new();
    [model.settings.substeps, model.settings.iterations] = steps;
    let mut balls = Vec::new();
    for i in 0..count {
        let (r, place) = (random.within(0.09, 0.3), random.vector(0.36));
        let density = [100.0, 1000.0, 8000.0][(3.0 * random.unit()) as usize];
        let mass = density * 4.0 / 3.0 * std::f64::consts::PI * r * r * r;
        let mut ball = Body::new(Shape::Sphere(r), Weight::Mass(mass), None).expect("a ball");
        ball.position = [place.x, 0.45 + 0.66 * i as f64, place.z];
        ball.friction = Some(random.within(0.2, 0.9));
        ball.restitution = Some(if rebounds && i % 3 == 0 { 0.3 } else { 0.0 });
        model.add_body(ball).expect("a ball");
        balls.push([mass, r]);
    }
    let wall =
        |[x, z]: [f64; 2]| Collider::plane([-0.9 * x, 0.0, -0.9 * z], [x, 0.0, z]).expect("a wall");
    let walls = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]].map(wall);
    let colliders = walls.into_iter().chain([floor()]).collect();
    model.set_contacts(Contacts { colliders, ..Contacts::default() }).expect("contacts");
    (model, balls)
}

/// Of motion, spin and height (J); and the largest speed (m/s).
fn energy(simulation: &Simulation, balls: &[Ball]) -> (f64, f64) {
    let state = simulation.snapshot();
    let (mut sum, mut fastest) = (0.0, 0.0_f64);
    for ((velocity, pose), [m, r]) in state.body_velocities.iter().zip(&state.bodies).zip(balls) {
        let [x, y, z, a, b, c] = velocity.map(f64::from);
        let (v, omega) = (x * x + y * y + z * z, a * a + b * b + c * c);
        sum += 0.5 * m * (v + 0.4 * r * r * omega) + m * 9.81 * f64::from(pose[1]);
        fastest = fastest.max(v.sqrt());
    }
    (sum, fastest)
}

#[test]
fn heaps_of_unequal_balls_lose_energy_and_come_to_rest() {
    for (seed, count, rebounds, steps) in [
        (5, 60, true, [4, 10]),
        (13, 60, true, [20, 1]),
        (4, 40, true, [1, 10]),
        (7, 60, false, [4, 10]),
    ] {
        let (model, balls) = heap(seed, count, rebounds, steps);
        let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a heap");
        let (first, _) = energy(&simulation, &balls);
        let (mut least, mut fastest) = (first, 0.0_f64);
        for frame in 0..720 {
            simulation.step();
            let (now, speed) = energy(&simulation, &balls);
            assert!(
                now < least + 0.002 * first,
                "seed {seed}: {least} to {now} J in frame {frame}"
            );
            (least, fastest) = (least.min(now), fastest.max(speed));
        }
        let (_, last) = energy(&simulation, &balls);
        println!("seed {seed}: at most {fastest:.1} m/s, at the end {last:.3}");
        assert!(last < 0.2, "seed {seed}: {last} m/s after twelve seconds");
    }
}
