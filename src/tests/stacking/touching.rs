//! Who touches whom: filters, sensors, and what is reported.

use super::{UPRIGHT, body, floor, model, run};
use crate::collision::{Collider, CollisionFilter, Contacts};
use crate::rigid::{Body, Shape};
use crate::{ContactEvent, ContactSide, Method, Model, Simulation};

const G: f64 = 9.81;

/// The same contacts, reported.
fn reporting(mut model: Model) -> Model {
    let contacts = model.contacts().expect("contacts").clone();
    model.set_contacts(Contacts { events: true, ..contacts }).expect("contacts");
    model
}

fn ball(height: f64) -> Body {
    body(Shape::Sphere(0.1), 2.0, [0.0, height, 0.0])
}

/// Two boxes in one place touch a floor and not each other; one of another category falls through the floor.
#[test]
fn filters_let_through() {
    let on_floor = |category| {
        let filter = CollisionFilter { category, mask: 1 };
        Body { filter, ..body(Shape::Box([0.1; 3]), 1.0, [0.0, 0.1, 0.0]) }
    };
    let through = CollisionFilter { category: 1, mask: 8 };
    let through = Body { filter: through, ..ball(3.0) };
    let simulation =
        run(model(4, vec![on_floor(2), on_floor(4), through], vec![floor()]), Method::Lanes, 1, 60);
    let poses = simulation.bodies();
    for pose in &poses[..2] {
        let [x, y, z, ..] = *pose;
        assert!(x.abs() + (y - 0.1).abs() + z.abs() < 2e-3, "{pose:?}");
    }
    let fallen = 3.0 - f64::from(poses[2][1]);
    assert!((fallen / (0.5 * G) - 1.0).abs() < 0.01, "fell {fallen} m in a second");
}

/// A collider, a body and the particles: particles fall through what their mask leaves out, and through sensors.
#[test]
fn filters_hold_for_particles() {
    let table = || body(Shape::Box([0.5, 0.1, 0.5]), 1.0, [0.0, 1.0, 0.0]);
    let height = |collider: Collider, table: Body, mask: u32| {
        let mut model = Model::new();
        model.settings.substeps = 4;
        model.add_particle([0.0, 1.3, 0.0], [0.0; 3], 1.0).expect("a particle");
        model.add_body(Body { fixed: true, ..table }).expect("a body");
        let filter = CollisionFilter { category: 1, mask };
        let contacts = Contacts { colliders: vec![collider], filter, ..Contacts::default() };
        model.set_contacts(contacts).expect("contacts");
        run(model, Method::Lanes, 1, 90).positions()[0][1]
    };
    let second = |category| CollisionFilter { category, mask: u32::MAX };
    let near = |a: f32, b: f32| (a - b).abs() < 0.02;
    assert!(near(height(floor(), table(), u32::MAX), 1.1));
    let other = Body { filter: second(2), ..table() };
    assert!(near(height(floor(), other, 1), 0.0));
    let sensor = Body { sensor: true, ..table() };
    assert!(near(height(floor(), sensor, 1), 0.0));
    let other = Body { filter: second(2), ..table() };
    assert!(height(floor().filtered(second(2)), other.clone(), 1) < -1.0);
    assert!(height(floor().sensor(), other, 1) < -1.0);
}

/// A ball falls through a sensor as if it were not there; it is reported from when it comes in until it has left.
#[test]
fn a_sensor_reports_and_holds_nothing() {
    let zone = Collider::cuboid([0.0, 1.0, 0.0], [0.5; 3], UPRIGHT).expect("a box").sensor();
    let alone = model(4, vec![ball(3.0)], vec![floor()]);
    let mut alone = Simulation::new(alone, Method::Lanes, 1).expect("a simulation");
    let with = reporting(model(4, vec![ball(3.0)], vec![floor(), zone]));
    let mut with = Simulation::new(with, Method::Lanes, 1).expect("a simulation");
    let mut times = [None; 2];
    for _ in 0..60 {
        alone.step();
        with.step();
        assert_eq!(alone.bodies(), with.bodies());
        for event in with.contact_events() {
            let (which, contact) = match event {
                ContactEvent::Begin(contact) => (0, contact),
                ContactEvent::End(contact) => (1, contact),
            };
            if contact.sides == [ContactSide::Body(0), ContactSide::Collider(1)] {
                assert_eq!(contact.force, [0.0; 3]);
                assert!(times[which].replace(with.time()).is_none(), "twice");
            }
        }
    }
    // Its lowest point passes the top, its highest the bottom.
    for (time, fallen) in times.into_iter().zip([3.0 - 1.6, 3.0 - 0.4]) {
        let expected = (2.0 * fallen / G).sqrt();
        let found = time.expect("an event");
        assert!((found - expected).abs() < 2.5 / 60.0, "at {found} s, expected {expected}");
    }
}

/// What is so fast that it is before a thin sensor in one frame and behind it in the next is reported, once; what flies by is not.
#[test]
fn what_flies_through_a_sensor_is_reported() {
    let sheet = Collider::cuboid([0.0, 1.0, 0.0], [0.5, 0.01, 0.5], UPRIGHT).expect("a box");
    for (substeps, start) in [(1, 0.0), (4, 0.0), (1, 0.37), (4, 0.37), (1, 0.7)] {
        let ways = [(0.0, 0.0), (0.5, 0.0), (0.5, 20.0)];
        let places = [(0.0, true), (0.3, true), (0.65, false)];
        let all = places.iter().flat_map(|place| ways.iter().map(move |way| (place, way)));
        for (&(x, passes), &(aside, spin)) in all {
            let down = Body { velocity: [-60.0 * aside, -60.0, 0.0], ..ball(3.0 + start) };
            // It passes the height of the sheet at x.
            let position = [x + aside * (2.0 + start), 3.0 + start, 0.0];
            let down = Body { position, angular_velocity: [0.0, spin, -spin], ..down };
            let mut model = reporting(model(substeps, vec![down], vec![sheet.clone().sensor()]));
            model.settings.gravity = [0.0; 3];
            let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
            let [mut begins, mut ends] = [0; 2];
            for _ in 0..12 {
                simulation.step();
                for event in simulation.contact_events() {
                    match event {
                        ContactEvent::Begin(_) => begins += 1,
                        ContactEvent::End(_) => ends += 1,
                    }
                }
            }
            let expected = usize::from(passes);
            assert_eq!(
                [begins, ends],
                [expected; 2],
                "{substeps} substeps, from {start}, at {x}, {spin}"
            );
        }
    }
}

/// What the floor does is what keeps a body's momentum: Σ F dt = m (v' - v) + m g t, over bounces too; at rest F = m g.
#[test]
fn forces_are_what_momentum_asks() {
    for (restitution, substeps) in [(0.0, 4), (0.6, 4), (0.6, 1)] {
        let dropped = Body { restitution: Some(restitution), ..ball(0.5) };
        let model = reporting(model(substeps, vec![dropped], vec![floor()]));
        let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
        let (mut impulse, mut begins, mut ends) = (0.0, Vec::new(), 0);
        for _ in 0..240 {
            simulation.step();
            impulse += simulation.contacts().iter().map(|c| c.force[1]).sum::<f64>() / 60.0;
            let v = f64::from(simulation.snapshot().body_velocities[0][1]);
            let expected = 2.0 * (v + G * simulation.time());
            let off = (impulse - expected).abs();
            assert!(off < 5e-3 * (1.0 + expected), "{impulse} N s, expected {expected}");
            for event in simulation.contact_events() {
                match event {
                    ContactEvent::Begin(_) => begins.push(simulation.time()),
                    ContactEvent::End(_) => ends += 1,
                }
            }
        }
        let falls = (2.0 * 0.4 / G).sqrt();
        assert!((begins[0] - falls).abs() < 1.5 / 60.0, "{} s, expected {falls}", begins[0]);
        assert_eq!(begins.len(), ends + 1, "it lies at the end");
        assert_eq!(begins.len() > 2, restitution > 0.0, "{begins:?}");
        let [force] = simulation.contacts()[..] else { panic!("one contact") };
        assert_eq!(force.sides, [ContactSide::Body(0), ContactSide::Collider(0)]);
        assert!((force.force[1] / (2.0 * G) - 1.0).abs() < 1e-3, "{force:?}");
    }
}

/// In a stack each box carries those above it, asleep or awake.
#[test]
fn a_stack_carries_its_weight() {
    let boxes =
        (0..4).map(|i| body(Shape::Box([0.2; 3]), 3.0, [0.0, 0.2 + 0.4 * f64::from(i), 0.0]));
    let mut model = reporting(model(8, boxes.collect(), vec![floor()]));
    let contacts = model.contacts().expect("contacts").clone();
    model.set_contacts(Contacts { sleep: Some(0.5), ..contacts }).expect("contacts");
    let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
    for frame in 0..200 {
        simulation.step();
        if frame == 25 || frame == 199 {
            let contacts = simulation.contacts();
            assert_eq!(contacts.len(), 4);
            for contact in contacts {
                let (above, sign) = match contact.sides {
                    [ContactSide::Body(i), ContactSide::Collider(_)] => (4 - i, 1.0),
                    [ContactSide::Body(i), ContactSide::Body(_)] => (3 - i, -1.0),
                    sides => panic!("{sides:?}"),
                };
                let share = sign * contact.force[1] / (3.0 * G * f64::from(above));
                assert!((share - 1.0).abs() < 0.02, "frame {frame}: {contact:?}");
            }
        }
    }
    let counts = simulation.counts();
    assert!(counts.contains(&("asleep", 4)) && counts.contains(&("islands", 1)), "{counts:?}");
}

/// Resistance, sensors and reports have the same bits by all methods, and go on from a checkpoint.
#[test]
fn touching_has_the_same_bits() {
    let heap = || {
        let things = (0..24).map(|i| {
            let at =
                [0.15 * f64::from(i % 3), 0.3 + 0.25 * f64::from(i / 3), 0.1 * f64::from(i % 2)];
            let shape = if i % 2 == 0 { Shape::Sphere(0.1) } else { Shape::Capsule([0.08, 0.05]) };
            Body {
                rolling_resistance: Some(0.01),
                torsional_resistance: Some(0.005),
                restitution: Some(0.2),
                sensor: i == 7,
                filter: CollisionFilter { category: 1 << (i % 3), mask: u32::MAX - (1 << (i % 2)) },
                ..body(shape, 1.0, at)
            }
        });
        let filter = CollisionFilter { category: 1 << 9, mask: u32::MAX };
        reporting(model(4, things.collect(), vec![floor().filtered(filter)]))
    };
    let state = |simulation: &Simulation| (simulation.observe().hash, simulation.contacts());
    let expected = run(heap(), Method::Colored, 1, 60);
    for threads in [1, 2, 3, 7] {
        let found = run(heap(), Method::Lanes, threads, 60);
        assert_eq!(state(&found), state(&expected), "on {threads}");
    }
    let mut half = run(heap(), Method::Lanes, 1, 30);
    let mut saved = Vec::new();
    half.save(&mut saved).expect("room");
    let mut other = Simulation::new(heap(), Method::Lanes, 2).expect("a simulation");
    other.load(&mut saved.as_slice()).expect("a checkpoint");
    assert_eq!(other.contacts(), half.contacts());
    for _ in 0..30 {
        half.step();
        other.step();
        assert_eq!(other.contact_events(), half.contact_events());
    }
    assert_eq!(state(&other), state(&expected));
}
