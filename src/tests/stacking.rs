//! Bodies that touch: what stands, slides, rebounds and is carried; momenta; methods and threads; bad input.

use crate::collision::{Collider, Contacts, Detect, Order};
use crate::constraints::Distance;
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::rigid::{Body, Shape, Weight};
use crate::rows::Strength;
use crate::scenes::Scene;
use crate::settings::Gyro;
use crate::{Method, Simulation};

pub(super) const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

pub(super) fn body(shape: Shape, mass: f64, position: [f64; 3]) -> Body {
    let body = Body::new(shape, Weight::Mass(mass), None).expect("a sound shape");
    body.at(position, UPRIGHT)
}

/// A model of bodies, stepped finely, with colliders.
pub(super) fn model(substeps: u32, bodies: Vec<Body>, colliders: Vec<Collider>) -> Model {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (substeps, 1);
    model.settings.gyro = Gyro::Momentum;
    for body in bodies {
        model.add_body(body).expect("a sound body");
    }
    let contacts = Contacts {
        colliders,
        ..Contacts::default()
    };
    model.set_contacts(contacts).expect("sound contacts");
    model
}

pub(super) fn floor() -> Collider {
    Collider::plane([0.0; 3], [0.0, 1.0, 0.0]).expect("a plane")
}

pub(super) fn run(model: Model, method: Method, threads: usize, frames: usize) -> Simulation {
    let mut simulation = Simulation::new(model, method, threads).expect("a simulation");
    (0..frames).for_each(|_| simulation.step());
    simulation
}

fn scene(name: &str, size: usize) -> Model {
    let scene = Scene::find(name).expect("a scene");
    scene.model(Some(size)).expect("a model")
}

/// Lanes on any threads have the bits of the scalar loop in the colored order.
#[test]
fn bodies_touch_with_the_same_bits_by_all_methods() {
    let scenes = [
        ("stack", 5, 30),
        ("pyramid", 4, 15),
        ("pyramid", 9, 4),
        ("heap", 30, 40),
        ("cradle", 3, 15),
        ("coupling", 10, 12),
        ("car", 1, 10),
    ];
    for (name, size, frames) in scenes {
        let expected = run(scene(name, size), Method::Colored, 1, frames);
        for threads in [1, 2, 3, 7] {
            let found = run(scene(name, size), Method::Lanes, threads, frames);
            assert_eq!(
                found.observe().hash,
                expected.observe().hash,
                "{name} on {threads}"
            );
        }
    }
}

/// The largest way of any body from where it began (m), and the fastest (m/s).
pub(super) fn unrest(simulation: &Simulation) -> (f64, f64) {
    let state = simulation.snapshot();
    let way = |(pose, body): (&[f32; 7], &Body)| {
        let d = |k: usize| (f64::from(pose[k]) - body.position[k]).powi(2);
        (d(0) + d(1) + d(2)).sqrt()
    };
    let ways = state
        .bodies
        .iter()
        .zip(simulation.model().bodies())
        .map(way);
    let speed = |m: &[f32; 6]| f64::from((m[0] * m[0] + m[1] * m[1] + m[2] * m[2]).sqrt());
    let speeds = state.body_velocities.iter().map(speed);
    (ways.fold(0.0, f64::max), speeds.fold(0.0, f64::max))
}

/// A stack of ten stands for a minute: no box moves by one percent of its size.
#[test]
fn a_stack_stands() {
    let end = run(scene("stack", 10), Method::Lanes, 1, 3600);
    let (way, speed) = unrest(&end);
    println!("stack:10 after 60 s: {way:.1e} m, {speed:.1e} m/s");
    assert!(way < 0.005, "{way} m from its start");
    assert!(speed < 1e-3, "{speed} m/s");
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
    assert!(
        (later - way).abs() < 2e-4,
        "it went on from {way} to {later}"
    );
}

/// How far twenty boxes sag in a third of a second when their weight comes upon them at once, at 4 substeps: floor by floor
/// the load has arrived, color by color it is on its way, and neither overshoots where it ends.
#[test]
fn levels_carry_a_load_sooner() {
    let sag = |order: Order| {
        let mut model = scene("stack", 20);
        model.settings.substeps = 4;
        let contacts = Contacts {
            order,
            ..model.contacts().expect("contacts").clone()
        };
        model.set_contacts(contacts).expect("contacts");
        let top = model.bodies()[19].position[1];
        let mut simulation = run(model, Method::Lanes, 1, 0);
        let mut sag = || {
            simulation.step();
            top - f64::from(simulation.bodies()[19][1])
        };
        let most = (0..20).map(|_| sag()).fold(0.0, f64::max);
        let end = (0..60).map(|_| sag()).last().expect("some frames");
        println!(
            "{}: {most:.3} m at most, {end:.3} m in the end",
            order.name()
        );
        assert!((0.05..0.1).contains(&end), "it ends at {end} m");
        most / end
    };
    let [colors, levels] = Order::ALL.map(sag);
    assert!(levels > colors + 0.08, "{colors} and {levels}");
    assert!(levels < 1.05, "{levels}");
}

/// A stack that falls asleep stops to the bit and costs no contacts; a ball wakes it, and it is none the worse.
#[test]
fn what_rests_sleeps_and_wakes() {
    for method in [Method::Scalar, Method::Lanes] {
        let mut model = scene("stack", 5);
        let mut ball = body(Shape::Sphere(0.1), 200.0, [-9.0, 2.3, 0.0]);
        (ball.velocity, ball.friction) = ([3.0, 6.5, 0.0], Some(0.5));
        model.add_body(ball).expect("a ball");
        let contacts = Contacts {
            sleep: Some(0.5),
            ..model.contacts().expect("contacts").clone()
        };
        model.set_contacts(contacts).expect("contacts");
        let mut simulation = run(model, method, 1, 60);
        let asleep = |simulation: &Simulation| {
            let accounts = simulation.statistics();
            let mut counts = accounts.iter().flat_map(|account| &account.counts);
            counts.find(|count| count.0 == "asleep").expect("a count").1
        };
        assert_eq!(asleep(&simulation), 5, "{method:?}");
        let before = simulation.snapshot();
        assert!(
            before.body_velocities[..5]
                .as_flattened()
                .iter()
                .all(|v| *v == 0.0)
        );
        (0..10).for_each(|_| simulation.step());
        let after = simulation.snapshot();
        assert_eq!(before.bodies[..5], after.bodies[..5]);
        // The ball comes after 2.9 s or so.
        let mut woke = false;
        for _ in 0..200 {
            simulation.step();
            woke |= asleep(&simulation) == 0;
        }
        let [x, ..] = simulation.bodies()[4];
        println!("{method:?}: woke {woke}, the uppermost box at {x}");
        assert!(woke && x > 0.005, "woke {woke}, at {x}");
    }
}

/// What is awake has the same bits whether what is beside it sleeps or not.
#[test]
fn sleep_changes_no_bits_of_what_is_awake() {
    let end = |sleep: Option<f64>| {
        let mut model = scene("stack", 4);
        for i in 0..3 {
            let mut ball = body(
                Shape::Sphere(0.2),
                5.0,
                [5.0 + 0.39 * f64::from(i), 0.5, 0.0],
            );
            (ball.restitution, ball.friction) = (Some(0.9), Some(0.3));
            ball.velocity = [0.3, 2.0, 0.1];
            model.add_body(ball).expect("a ball");
        }
        let contacts = Contacts {
            sleep,
            ..model.contacts().expect("contacts").clone()
        };
        model.set_contacts(contacts).expect("contacts");
        run(model, Method::Lanes, 2, 120).bodies()
    };
    let [never, often] = [None, Some(0.25)].map(end);
    assert_ne!(never[..4], often[..4], "nothing slept");
    assert_eq!(never[4..], often[4..]);
}

/// A fixed thing that moves keeps what it carries awake.
#[test]
fn what_moves_keeps_awake() {
    let mut plate = body(Shape::Box([1.0, 0.1, 1.0]), 1.0, [0.0, -0.1, 0.0]);
    (plate.fixed, plate.velocity, plate.friction) = (true, [0.01, 0.0, 0.0], Some(0.5));
    let mut thing = body(Shape::Box([0.1; 3]), 1.0, [0.0, 0.1, 0.0]);
    thing.friction = Some(0.5);
    let mut model = model(8, vec![plate, thing], Vec::new());
    let contacts = Contacts {
        sleep: Some(0.2),
        ..Contacts::default()
    };
    model.set_contacts(contacts).expect("contacts");
    let [_, [x, ..]] = run(model, Method::Lanes, 1, 120).bodies()[..] else {
        panic!("two bodies")
    };
    println!("carried {x} m in 2 s");
    assert!((x - 0.02).abs() < 1e-3, "{x}");
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

/// Two balls of which one rests: after an elastic impact the other one goes, at its speed.
#[test]
fn elastic_balls_swap_velocities() {
    let ball = |x: f64, v: f64| {
        let mut ball = body(Shape::Sphere(0.1), 1.0, [x, 0.0, 0.0]);
        (ball.restitution, ball.velocity) = (Some(1.0), [v, 0.0, 0.0]);
        ball
    };
    let mut model = model(10, vec![ball(-0.5, 2.0), ball(0.0, 0.0)], Vec::new());
    model.settings.gravity = [0.0; 3];
    for method in [Method::Scalar, Method::Lanes] {
        let mut copy = Model::new();
        copy.settings = model.settings.clone();
        for body in model.bodies() {
            copy.add_body(body.clone()).expect("a body");
        }
        copy.set_contacts(Contacts::default()).expect("contacts");
        let end = run(copy, method, 1, 30);
        let [first, second] = &end.snapshot().body_velocities[..] else {
            panic!("two balls");
        };
        println!("{method:?}: {first:?} {second:?}");
        assert!(first[0].abs() < 0.02 && (second[0] - 2.0).abs() < 0.02);
    }
}

/// What a ball and a box come back with from the floor: e of their speed.
#[test]
fn rebounds_are_as_restitution_says() {
    for shape in [Shape::Sphere(0.1), Shape::Box([0.1; 3])] {
        for e in [0.0, 0.5, 0.9] {
            let mut thing = body(shape.clone(), 1.0, [0.0, 0.6, 0.0]);
            thing.restitution = Some(e);
            let mut simulation =
                Simulation::new(model(20, vec![thing], vec![floor()]), Method::Lanes, 1)
                    .expect("a simulation");
            // Falls 0.5 m in 0.32 s; the highest after that.
            let (mut highest, mut touched) = (0.0_f32, false);
            for _ in 0..60 {
                simulation.step();
                let [pose] = &simulation.bodies()[..] else {
                    panic!()
                };
                touched |= pose[1] < 0.15 || simulation.time() > 0.33;
                if touched {
                    highest = highest.max(pose[1] - 0.1);
                }
                assert!(pose[1] > 0.0999, "below the floor: {pose:?}");
            }
            let square = f64::from(highest) / 0.5;
            println!("{}: e {e}, e² {square:.3}", shape.name());
            assert!((square - e * e).abs() < 0.05, "{e}: {square}");
        }
    }
}

/// A box on an incline: held where µ > tan θ, else it slides at g (sin θ - µ cos θ).
#[test]
fn boxes_slide_as_coulomb_says() {
    let angle = 0.4_f64;
    let (sine, cosine) = angle.sin_cos();
    for mu in [0.2, 0.3, 0.5] {
        let plane = Collider::plane([0.0; 3], [-sine, cosine, 0.0]).expect("a plane");
        let mut thing = body(
            Shape::Box([0.2, 0.1, 0.2]),
            2.0,
            [-0.1 * sine, 0.1 * cosine, 0.0],
        );
        thing.orientation = [0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos()];
        thing.friction = Some(mu);
        let end = run(model(20, vec![thing], vec![plane]), Method::Lanes, 1, 60);
        let [v] = &end.snapshot().body_velocities[..] else {
            panic!()
        };
        let speed = -(f64::from(v[0]) * cosine + f64::from(v[1]) * sine);
        let expected = (9.81 * (sine - mu * cosine)).max(0.0);
        println!("µ {mu}: {speed:.4} m/s after a second, {expected:.4} expected");
        assert!((speed - expected).abs() < 0.01 * expected + 1e-4);
    }
}

/// A body thrown at a net of particles in free space, a thousand times as heavy as each: momenta stay. (At equal weights they
/// do not yet: docs/rigid.md.)
#[test]
fn coupling_keeps_momenta() {
    for (mass, w) in [(1000.0, 1.0)] {
        let mut ball = body(Shape::Box([0.2, 0.15, 0.1]), mass, [0.03, 0.4, 0.02]);
        ball.velocity = [0.1, -1.0, 0.05];
        ball.angular_velocity = [0.3, 0.2, 0.1];
        ball.friction = Some(0.5);
        let mut model = model(20, vec![ball], Vec::new());
        model.settings.gravity = [0.0; 3];
        let n = 8;
        for i in 0..n * n {
            let x = [
                0.1 * (i % n) as f64 - 0.35,
                0.0,
                0.1 * (i / n) as f64 - 0.35,
            ];
            model.add_particle(x, [0.0; 3], w).expect("a particle");
        }
        for i in 0..n * n {
            for (other, inside) in [(i + 1, i % n + 1 < n), (i + n, i + n < n * n)] {
                if inside {
                    let pair = [i as u32, other as u32];
                    model
                        .add(Distance, pair, [None], Strength::Stiffness(1.0))
                        .expect("a row");
                }
            }
        }
        let contacts = Contacts {
            radius: 0.04,
            ..Contacts::default()
        };
        model.set_contacts(contacts).expect("contacts");
        let mut simulation = Simulation::new(model, Method::Lanes, 2).expect("a simulation");
        let before = simulation.observe();
        (0..40).for_each(|_| simulation.step());
        let after = simulation.observe();
        let counts = simulation.statistics();
        let touched = counts
            .iter()
            .flat_map(|a| &a.counts)
            .any(|c| c.0 == "particles" && c.1 > 0);
        let size = |v: [f64; 3]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
        let off = |a: [f64; 3], b: [f64; 3]| size([a[0] - b[0], a[1] - b[1], a[2] - b[2]]);
        let linear = off(after.momentum, before.momentum) / size(before.momentum);
        // The scale of turning: what the linear momentum makes at the arm of the net.
        let scale = size(before.momentum) * 0.35;
        let angular = off(after.angular_momentum, before.angular_momentum) / scale;
        println!("{mass} kg on particles of 1/{w} kg: {linear:.1e}, {angular:.1e}");
        assert!(touched, "never met");
        assert!(linear < 1e-4, "{linear}");
        assert!(angular < 1e-4, "{angular}");
        let [_, vy, ..] = simulation.snapshot().body_velocities[0];
        assert!(vy > -0.999, "nothing was pushed: {vy}");
    }
}

/// Overlaps, masses of 10^5 : 1, a body 10^7 m away: all stays finite.
#[test]
fn bad_places_stay_finite() {
    let heavy = body(Shape::Box([0.2; 3]), 1e5, [0.0, 0.6, 0.0]);
    let light = body(Shape::Box([0.2; 3]), 1.0, [0.05, 0.2, 0.0]);
    let over = body(Shape::Sphere(0.3), 2.0, [1.0, 0.1, 0.0]);
    let inside = body(Shape::Box([0.3; 3]), 2.0, [1.0, 0.1, 0.0]);
    let far = body(Shape::Box([0.3; 3]), 2.0, [1e7, 0.1, 0.0]);
    let mut model = model(8, vec![heavy, light, over, inside, far], vec![floor()]);
    let contacts = Contacts {
        colliders: vec![floor()],
        max_speed: Some(0.5),
        detect: Detect::Frame,
        ..Contacts::default()
    };
    model.set_contacts(contacts).expect("contacts");
    let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
    for _ in 0..60 {
        simulation.step();
        assert!(simulation.snapshot().finite());
    }
}

/// Sizes of zero and open meshes are refused where the body is made.
#[test]
fn bad_bodies_are_refused() {
    assert!(Body::new(Shape::Box([0.1, 0.0, 0.1]), Weight::Mass(1.0), None).is_err());
    let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let open = Shape::Mesh(std::sync::Arc::new((corners, vec![[0, 1, 2]])));
    let Err((name, _, rule)) = Body::new(open, Weight::Mass(1.0), None) else {
        panic!("an open mesh has no inertia");
    };
    assert_eq!(name, "inertia");
    assert!(rule.contains("open"), "{rule}");
}
