//! What rests sleeps and wakes.

use super::{body, floor, model, run, scene};
use crate::collision::Contacts;
use crate::rigid::{End, Joint, JointKind, Joints, Motor, Shape};
use crate::{Method, Simulation};

/// A stack that falls asleep stops to the bit and costs no contacts; a ball wakes it, and it is none the worse.
#[test]
fn what_rests_sleeps_and_wakes() {
    for method in [Method::Scalar, Method::Lanes] {
        let mut model = scene("stack", 5);
        let mut ball = body(Shape::Sphere(0.1), 200.0, [-9.0, 2.3, 0.0]);
        (ball.velocity, ball.friction) = ([3.0, 6.5, 0.0], Some(0.5));
        model.add_body(ball).expect("a ball");
        let contacts = Contacts { sleep: Some(0.5), ..model.contacts().expect("contacts").clone() };
        model.set_contacts(contacts).expect("contacts");
        let mut simulation = run(model, method, 1, 60);
        let asleep = |simulation: &Simulation| {
            let accounts = simulation.subsystem_statistics();
            let mut counts = accounts.iter().flat_map(|account| &account.counts);
            counts.find(|count| count.0 == "asleep").expect("a count").1
        };
        assert_eq!(asleep(&simulation), 5, "{method:?}");
        let before = simulation.snapshot();
        assert!(before.body_velocities[..5].as_flattened().iter().all(|v| *v == 0.0));
        (0..10).for_each(|_| simulation.step());
        let after = simulation.snapshot();
        assert_eq!(before.bodies[..5], after.bodies[..5]);
        // The ball comes after 2.9 s or so.
        let (mut woke, mut x) = (false, 0.0_f32);
        for _ in 0..200 {
            simulation.step();
            woke |= asleep(&simulation) == 0;
            // The stack sways.
            x = x.max(simulation.bodies()[4][0]);
        }
        let [struck, ..] = simulation.bodies()[0];
        println!(
            "{method:?}: woke {woke}, the uppermost box as far as {x}, the struck one at {struck}"
        );
        assert!(woke && x > 0.005 && struck > 0.005, "woke {woke}, as far as {x}, at {struck}");
    }
}

/// What is awake has the same bits whether what is beside it sleeps or not.
#[test]
fn sleep_changes_no_bits_of_what_is_awake() {
    let end = |sleep: Option<f64>| {
        let mut model = scene("stack", 4);
        for i in 0..3 {
            let mut ball = body(Shape::Sphere(0.2), 5.0, [5.0 + 0.39 * f64::from(i), 0.5, 0.0]);
            (ball.restitution, ball.friction) = (Some(0.9), Some(0.3));
            ball.velocity = [0.3, 2.0, 0.1];
            model.add_body(ball).expect("a ball");
        }
        let contacts = Contacts { sleep, ..model.contacts().expect("contacts").clone() };
        model.set_contacts(contacts).expect("contacts");
        run(model, Method::Lanes, 2, 120).bodies()
    };
    let [never, often] = [None, Some(0.25)].map(end);
    assert_ne!(never[..4], often[..4], "nothing slept");
    assert_eq!(never[4..], often[4..]);
}

/// Where all sleeps, only the first substep of a frame looks; where contacts are reported, all do. Both leave the same bits, those
/// of what is pushed awake too; and rounding does not turn what sleeps.
#[test]
fn what_is_left_out_where_all_sleep_changes_no_bits() {
    let [quick, whole] = [false, true].map(|events| {
        let mut model = scene("heap", 20);
        let contacts = Contacts { events, ..model.contacts().expect("contacts").clone() };
        model.set_contacts(contacts).expect("contacts");
        let mut simulation = run(model, Method::Lanes, 2, 240);
        let asleep = simulation.bodies();
        (0..3).for_each(|_| simulation.step());
        assert_eq!(simulation.bodies(), asleep, "something moved");
        // Half a kilogram or so.
        simulation.push_body(19, [0.5, 1.0, 0.2], simulation.bodies()[19][..3].try_into().unwrap());
        let ways = (0..40).map(|_| {
            simulation.step();
            simulation.bodies()
        });
        let ways: Vec<_> = ways.collect();
        assert_ne!(ways[39], asleep, "nothing woke");
        ways
    });
    assert_eq!(quick, whole);
}

/// What sleeps falls where gravity points from now on.
#[test]
fn another_gravity_wakes() {
    let mut model = scene("stack", 2);
    let contacts = Contacts { sleep: Some(0.2), ..model.contacts().expect("contacts").clone() };
    model.set_contacts(contacts).expect("contacts");
    let mut simulation = run(model, Method::Lanes, 1, 120);
    let before = f64::from(simulation.bodies()[0][1]);
    let mut settings = simulation.model().settings.clone();
    settings.gravity = [0.0, 5.0, 0.0];
    simulation.rebuild(settings, Method::Lanes, 1).unwrap();
    (0..60).for_each(|_| simulation.step());
    let risen = f64::from(simulation.bodies()[0][1]) - before;
    assert!((risen - 2.5).abs() < 0.1, "{risen}");
}

/// A fixed thing that moves keeps what it carries awake.
#[test]
fn what_moves_keeps_awake() {
    let mut plate = body(Shape::Box([1.0, 0.1, 1.0]), 1.0, [0.0, -0.1, 0.0]);
    (plate.fixed, plate.velocity, plate.friction) = (true, [0.01, 0.0, 0.0], Some(0.5));
    let mut thing = body(Shape::Box([0.1; 3]), 1.0, [0.0, 0.1, 0.0]);
    thing.friction = Some(0.5);
    let mut model = model(8, vec![plate, thing], Vec::new());
    let contacts = Contacts { sleep: Some(0.2), ..Contacts::default() };
    model.set_contacts(contacts).expect("contacts");
    let [_, [x, ..]] = run(model, Method::Lanes, 1, 120).bodies()[..] else { panic!("two bodies") };
    println!("carried {x} m in 2 s");
    assert!((x - 0.02).abs() < 1e-3, "{x}");
}

/// What turns more slowly than 3 cm/s at its reach sleeps, as what goes more slowly does; what turns faster does not.
#[test]
fn what_turns_slowly_sleeps() {
    let ball = |x: f64, v: f64, turn: f64| {
        let mut ball = body(Shape::Sphere(0.1), 1.0, [x, 0.1, 0.0]);
        (ball.velocity, ball.angular_velocity) = ([0.0, 0.0, v], [0.0, turn, 0.0]);
        ball
    };
    let balls = vec![
        ball(0.0, 0.0, 0.2),
        ball(1.0, 0.0, 0.4),
        ball(2.0, 0.02, 0.0),
        ball(3.0, 0.04, 0.0),
        ball(4.0, 0.022, 0.22),
    ];
    let mut model = model(4, balls, vec![floor()]);
    model.settings.gravity = [0.0; 3];
    let contacts = Contacts { sleep: Some(0.2), ..model.contacts().expect("contacts").clone() };
    model.set_contacts(contacts).expect("contacts");
    let after = run(model, Method::Lanes, 1, 30).snapshot().body_velocities;
    let still = [0, 1, 2, 3, 4].map(|i| after[i] == [0.0; 6]);
    // The last is slow in either, and fast in both.
    assert_eq!(still, [true, false, true, false, false], "{after:?}");
}

/// What flies or turns slowly, and nothing holds, goes on as it is: alone, and two that touch or are joined.
#[test]
fn what_flies_slowly_does_not_sleep() {
    for method in [Method::Scalar, Method::Lanes] {
        let flying = |x: f64, v: f64, turn: f64| {
            let mut flying = body(Shape::Box([0.1; 3]), 1.0, [x, 0.0, 0.0]);
            (flying.velocity, flying.angular_velocity) = ([0.0, v, 0.0], [0.0, turn, 0.0]);
            flying
        };
        let pairs = [flying(2.0, 0.002, 0.0), flying(2.2, 0.002, 0.0), flying(4.0, 0.002, 0.0)];
        let mut bodies = vec![flying(0.0, 0.002, 0.0), flying(1.0, 0.0, 0.01)];
        bodies.extend(pairs);
        bodies.push(flying(4.5, 0.002, 0.0));
        let mut model = model(4, bodies, Vec::new());
        model.settings.gravity = [0.0; 3];
        let mut joints = Joints::new();
        let weld = Joint::new(JointKind::Fixed, [End::Body(4), End::Body(5)], [4.25, 0.0, 0.0]);
        joints.add(&model, weld).expect("a weld");
        model.add_subsystem(joints).expect("joints");
        let contacts = Contacts { sleep: Some(0.2), ..Contacts::default() };
        model.set_contacts(contacts).expect("contacts");
        let end = run(model, method, 1, 60);
        for (i, body) in end.bodies().iter().enumerate() {
            let [y, turned] = [body[1], 2.0 * body[4].asin()].map(f64::from);
            let [goes, turns] = if i == 1 { [0.0, 0.01] } else { [0.002, 0.0] };
            let near = (y - goes).abs() < 1e-5 && (turned - turns).abs() < 1e-5;
            assert!(near, "{method:?}: {i} went {y} m and turned by {turned}");
        }
    }
}

/// What a motor drives does not sleep, however slowly it goes.
#[test]
fn what_is_driven_does_not_sleep() {
    let angle = |motor: Option<Motor>| {
        let mut model = model(4, vec![body(Shape::Box([0.1; 3]), 1.0, [0.0; 3])], Vec::new());
        model.settings.gravity = [0.0; 3];
        let hinge = Joint::new(JointKind::Hinge, [End::World, End::Body(0)], [0.0; 3]);
        let mut joints = Joints::new();
        let hinge = Joint { motor, ..hinge.along([0.0, 1.0, 0.0]) };
        joints.add(&model, hinge).expect("a hinge");
        model.add_subsystem(joints).expect("joints");
        let contacts = Contacts { sleep: Some(0.2), ..Contacts::default() };
        model.set_contacts(contacts).expect("contacts");
        let end = run(model, Method::Lanes, 1, 120);
        let asleep = end.snapshot().body_velocities[0] == [0.0; 6];
        (2.0 * f64::from(end.bodies()[0][4]).asin(), asleep)
    };
    let (turned, asleep) = angle(Some(Motor::Velocity(0.05)));
    assert!((turned.abs() - 0.1).abs() < 1e-3 && !asleep, "turned by {turned}, asleep {asleep}");
    assert!(angle(None).1 && angle(Some(Motor::Velocity(0.0))).1, "what rests sleeps");
}

/// A body or a particle that strikes what sleeps gives it all its momentum, wherever in a frame that is: it has woken before.
#[test]
fn what_is_struck_wakes_before() {
    for (substeps, iterations) in [(1, 10), (4, 4), (20, 1)] {
        for phase in 0..6 {
            let x = -3.0 - 0.037 * f64::from(phase);
            for by_particle in [false, true] {
                let mut striker = body(Shape::Box([0.2; 3]), 50.0, [x, 0.1, 0.0]);
                striker.velocity = [10.0, 0.0, 0.0];
                let sleeper = body(Shape::Box([0.3; 3]), 1.0, [0.0; 3]);
                let bodies = if by_particle { vec![sleeper] } else { vec![sleeper, striker] };
                let mut model = model(substeps, bodies, Vec::new());
                if by_particle {
                    model.add_particle([x, 0.1, 0.0], [10.0, 0.0, 0.0], 0.02).expect("a particle");
                }
                (model.settings.iterations, model.settings.gravity) = (iterations, [0.0; 3]);
                let contacts = Contacts { sleep: Some(0.1), ..Contacts::default() };
                model.set_contacts(contacts).expect("contacts");
                let end = run(model, Method::Lanes, 1, 40);
                let momentum = end.observe().momentum[0];
                let case = format!("{substeps} x {iterations}, {phase}, {by_particle}");
                assert!((momentum - 500.0).abs() < 0.05, "{case}: {momentum}");
                assert!(end.snapshot().body_velocities[0][0] > 1.0, "{case}: not struck");
            }
        }
    }
}

/// What falls or flies does not sleep, however soon one asks for it.
#[test]
fn what_moves_never_sleeps() {
    let mut ball = body(Shape::Sphere(0.1), 1.0, [0.0; 3]);
    ball.velocity = [3.0, 0.0, 0.0];
    let mut model = model(4, vec![ball], Vec::new());
    let contacts = Contacts { sleep: Some(0.0), ..Contacts::default() };
    model.set_contacts(contacts).expect("contacts");
    let [x, y, ..] = run(model, Method::Lanes, 1, 60).bodies()[0];
    assert!((x - 3.0).abs() < 1e-3 && (y + 4.9).abs() < 0.05, "{x}, {y}");
}
