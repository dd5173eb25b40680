//! Stacks, pyramids and heaps come to rest.

use super::{body, ground, run, scene, unrest};
use crate::collision::{Contacts, Order};
use crate::math::{Quat, Vec3};
use crate::rigid::Shape;
use crate::{Method, Model, Simulation};

/// A stack of ten stands for a minute: no box moves by one percent of its size.
#[test]
fn a_stack_stands() {
    let end = run(scene("stack", 10), Method::Lanes, 1, 3600);
    let (way, speed) = unrest(&end);
    println!("stack:10 after 60 s: {way:.1e} m, {speed:.1e} m/s");
    assert!(way < 0.005, "{way} m from its start");
    assert!(speed < 1e-3, "{speed} m/s");
}

/// It does not creep either, awake: no box is three tenths of a millimetre aside after 40 s, where one crept by 2.7.
#[test]
fn a_stack_does_not_creep() {
    let end = run(scene("stack", 10), Method::Lanes, 1, 2400);
    let aside = |pose: &[f32; 7]| f64::from(pose[0].hypot(pose[2]));
    let aside = end.bodies().iter().map(aside).fold(0.0, f64::max);
    println!("stack:10 after 40 s: {aside:.1e} m aside");
    assert!(aside < 3e-4, "{aside} m aside");
}

/// Iterations make a column stiffer: eight boxes stand at 1 x 10, where a column of contacts as soft as at 1 x 1 buckles at six,
/// and at four times the iterations sag a quarter.
#[test]
fn iterations_carry_a_column() {
    let sag = |iterations: u32| {
        let mut model = scene("stack", 8);
        (model.settings.substeps, model.settings.iterations) = (1, iterations);
        let end = run(model, Method::Lanes, 1, 900);
        let pose = end.bodies()[7];
        let aside = f64::from(pose[0].hypot(pose[2]));
        assert!(aside < 2e-3, "{iterations} iterations: {aside} m aside");
        7.5 * 0.5 - f64::from(pose[1])
    };
    let [few, many] = [10, 40].map(sag);
    println!("eight boxes at 1 x 10 and 1 x 40: {few:.4} and {many:.4} m");
    assert!(few < 0.02 && (many / few - 0.25).abs() < 0.05, "{few} and {many} m");
}

/// A pyramid of 2870 boxes comes to rest and stays.
#[test]
fn a_pyramid_comes_to_rest() {
    let mut simulation = run(scene("pyramid", 20), Method::Lanes, 2, 240);
    let (way, speed) = unrest(&simulation);
    println!("pyramid:20 after 4 s: {way:.1e} m, {speed:.1e} m/s");
    assert!(speed < 2e-3, "{speed} m/s");
    (0..60).for_each(|_| simulation.step());
    let (later, speed) = unrest(&simulation);
    println!("after 5 s: {later:.1e} m, {speed:.1e} m/s");
    assert!(later < 0.02, "{later} m from its start");
    assert!((later - way).abs() < 2e-4, "it went on from {way} to {later}");
}

/// Twenty boxes on a slab, at 4 substeps, with fifty small ones beside them: too many points to be solved directly.
fn loaded_slab() -> Model {
    let mut bodies = vec![body(Shape::Box([3.0, 0.1, 3.0]), 20.0, [0.0, 0.1, 0.0])];
    let level = |i: usize| [0.0, 0.45 + 0.5 * i as f64, 0.0];
    bodies.extend((0..20).map(|i| body(Shape::Box([0.25; 3]), 1.0, level(i))));
    let place = |k: usize| [0.6 * (k % 9) as f64 - 2.4, 0.3, 0.6 * (k / 9) as f64 - 2.4];
    let beside = (0..81).map(place).filter(|[x, _, z]| x.abs() + z.abs() > 0.7).take(50);
    bodies.extend(beside.map(|at| body(Shape::Box([0.1; 3]), 0.1, at)));
    for body in &mut bodies {
        body.friction = Some(0.5);
    }
    ground(bodies, 4, 1)
}

/// How far twenty boxes sag in a third of a second when their weight comes upon them at once, at 4 substeps: floor by floor
/// the load has arrived, color by color it is on its way, and neither overshoots where it ends.
#[test]
fn levels_carry_a_load_sooner() {
    let sag = |order: Order| {
        let mut model = loaded_slab();
        let contacts = Contacts { order, ..model.contacts().expect("contacts").clone() };
        model.set_contacts(contacts).expect("contacts");
        let top = model.bodies()[20].position[1];
        let mut simulation = run(model, Method::Lanes, 1, 0);
        let mut sag = || {
            simulation.step();
            top - f64::from(simulation.bodies()[20][1])
        };
        let most = (0..20).map(|_| sag()).fold(0.0, f64::max);
        let end = (0..60).map(|_| sag()).last().expect("some frames");
        println!("{}: {most:.3} m at most, {end:.3} m in the end", order.name());
        assert!((0.03..0.06).contains(&end), "it ends at {end} m");
        most / end
    };
    let [colors, levels] = Order::ALL.map(sag);
    assert!(levels > colors + 0.08, "{colors} and {levels}");
    assert!(levels < 1.05, "{levels}");
}

/// How deep balls lie in each other, and balls and the corners of boxes in the floor (m).
fn deepest(simulation: &Simulation) -> f64 {
    let state = simulation.snapshot();
    let bodies = simulation.model().bodies();
    let mut balls: Vec<([f64; 3], f64)> = Vec::new();
    let mut deepest = 0.0_f64;
    for (body, pose) in bodies.iter().zip(&state.bodies) {
        let at = |k: usize| f64::from(pose[k]);
        let x = [at(0), at(1), at(2)];
        match &body.shape {
            Shape::Sphere(r) => {
                deepest = deepest.max(r - x[1]);
                for (y, other) in &balls {
                    let square: f64 = (0..3).map(|k| (x[k] - y[k]).powi(2)).sum();
                    deepest = deepest.max(r + other - square.sqrt());
                }
                balls.push((x, *r));
            }
            Shape::Box(half) => {
                let q = Quat::new(at(3), at(4), at(5), at(6)).normalized();
                let axis = |k: usize| {
                    let mut unit = [0.0; 3];
                    unit[k] = half[k];
                    q.rotate(Vec3::<f64>::of(unit)).y.abs()
                };
                deepest = deepest.max(axis(0) + axis(1) + axis(2) - x[1]);
            }
            _ => {}
        }
    }
    deepest
}

/// A heap of 500 boxes, balls and capsules ends at rest, all asleep, nothing deep in anything.
#[test]
fn a_heap_comes_to_rest() {
    let mut simulation = run(scene("heap", 500), Method::Lanes, 2, 0);
    let mut falling = 0.0_f64;
    for _ in 0..120 {
        simulation.step();
        falling = falling.max(deepest(&simulation));
    }
    (0..480).for_each(|_| simulation.step());
    let (_, speed) = unrest(&simulation);
    let rest = deepest(&simulation);
    println!("heap:500: {falling:.1e} m deep while it falls, {rest:.1e} m at rest");
    assert_eq!(speed, 0.0);
    assert!(rest < 2e-3, "{rest} m deep at rest");
    assert!(falling < 0.02, "{falling} m deep");
}
