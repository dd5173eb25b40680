//! Emitters and sinks: how many come, how fast and how close, and that a state has all of it.

use crate::collision::Contacts;
use crate::constraints::Distance;
use crate::forces::{Emitter, Mouth, Sink};
use crate::groups::{Fluid, FluidNumbers};
use crate::model::Model;
use crate::rows::Stiffness;
use crate::tests::models::{floor, simulate};
use crate::{Method, ModelError, Settings, Simulation};

const RADIUS: f64 = 0.025;

fn emitter(count: u32, sinks: Vec<Sink>) -> Emitter {
    Emitter {
        particles: (0..count).collect(),
        center: [0.0, 0.6, 0.0],
        direction: [3.0, 0.0, 0.0],
        mouth: Mouth::Rectangle([4.0 * RADIUS, 3.0 * RADIUS]),
        spacing: 2.0 * RADIUS,
        speed: 2.0,
        rate: None,
        begins: 0.0,
        ends: f64::INFINITY,
        sinks,
    }
}

/// Water or grains out of an emitter, above a floor.
fn model(emitter: Emitter, is_fluid: bool) -> Model {
    let mut model = Model::new();
    model.settings.dt = 1.0 / 240.0;
    let numbers = FluidNumbers { radius: RADIUS, ..FluidNumbers::default() };
    for _ in &emitter.particles {
        model.add_particle(emitter.center, [0.0; 3], 1.0 / numbers.mass()).expect("a particle");
    }
    if is_fluid {
        let fluid = Fluid::new(&model, emitter.particles.clone(), numbers).expect("a fluid");
        model.add_subsystem(fluid).expect("its particles");
    }
    model.add_subsystem(emitter.checked().expect("an emitter")).expect("its particles");
    let contacts = Contacts {
        colliders: vec![floor()],
        radius: RADIUS,
        friction: Some(0.3),
        pairs: !is_fluid,
        ..Contacts::default()
    };
    model.set_contacts(contacts).expect("contacts");
    model
}

/// Those that do not wait.
fn out(simulation: &Simulation) -> Vec<[f64; 3]> {
    let all = simulation.positions().into_iter().zip(simulation.velocities());
    all.filter(|(_, v)| *v != [0.0; 3]).map(|(x, _)| x.map(f64::from)).collect()
}

/// Of 4 x 3 places at 2 m/s, 40 rows come in a second, one place after another, so that neighbors are pushed aside a little.
#[test]
fn as_many_come_as_have_room_and_lie_as_at_rest() {
    let mut model = model(emitter(1000, vec![]), true);
    model.settings.gravity = [0.0; 3];
    let simulation = simulate(model, Method::Lanes, 1, 121);
    let x = out(&simulation);
    // The first at 0 s, and 479 a second: 480 have room.
    assert_eq!(x.len(), 240, "came in 0.5 s");
    let farthest = x.iter().map(|x| x[0]).fold(0.0, f64::max);
    assert!((farthest - 2.0 * 121.0 / 240.0).abs() < 2.0 * RADIUS, "{farthest} m");
    for (i, a) in x.iter().enumerate() {
        assert!(a[0] > -1e-6 && a[1] > 0.4 && a[1] < 0.8, "{a:?}");
        for b in &x[..i] {
            let apart = (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
            assert!(apart > 1.6 * RADIUS, "{apart} m apart");
        }
    }
}

/// A jet without gravity goes straight on, however many the substeps: its energy is that of what came. (With as many as have room it
/// burst: 1.2 to 5 times as much at 8 to 32 substeps.)
#[test]
fn a_jet_keeps_its_energy_at_any_substeps() {
    for (mouth, substeps) in [
        (Mouth::Disc(5.0 * RADIUS), 16),
        (Mouth::Rectangle([0.1, 0.06]), 16),
        (Mouth::Disc(0.1), 32),
    ] {
        let emitter = Emitter { mouth, direction: [1.0, 2.0, 2.0], ..emitter(1000, vec![]) };
        let mut model = model(emitter, true);
        model.settings.gravity = [0.0; 3];
        (model.settings.dt, model.settings.substeps) = (1.0 / 60.0, substeps);
        model.settings.iterations = 5;
        let simulation = simulate(model, Method::Lanes, 1, 60);
        let mass = FluidNumbers { radius: RADIUS, ..FluidNumbers::default() }.mass();
        let expected = out(&simulation).len() as f64 * mass * 0.5 * 2.0 * 2.0;
        let share = simulation.observe().energy / expected;
        assert!((share - 1.0).abs() < 0.02, "{mouth:?} at {substeps}: {share}");
    }
}

/// Never more than there are; what a sink took comes again, and there is nothing beyond it.
#[test]
fn a_sink_takes_back_what_comes_again() {
    for is_fluid in [true, false] {
        let sinks = vec![Sink::Plane([1.0, 0.0, 0.0], [-2.0, 0.0, 0.0])];
        let mut simulation = simulate(model(emitter(1000, sinks), is_fluid), Method::Lanes, 2, 1);
        let mut most = 0;
        for step in 0..720 {
            simulation.step();
            let x = out(&simulation);
            // What crossed within the frame is taken when the next begins.
            assert!(x.iter().all(|x| x[0] < 1.1), "step {step}: {x:?}");
            most = most.max(x.len());
        }
        let now = out(&simulation).len();
        println!("at most {most}, now {now} of 1000");
        assert!(simulation.observe().finite);
        // 480 come in a second: without the sink all were out after 2.1 s.
        assert!((200..1000).contains(&most) && now > 100, "{most}, {now}");
    }
}

#[test]
fn a_box_takes_what_is_within() {
    let sink = Sink::Box([0.5, 0.5, 0.0], [0.1, 0.2, 0.2]);
    assert!(sink.holds([0.55, 0.35, 0.1]) && !sink.holds([0.61, 0.5, 0.0]));
    let x = out(&simulate(model(emitter(300, vec![sink]), false), Method::Lanes, 1, 240));
    assert!(!x.is_empty() && x.iter().all(|x| x[0] < 0.42), "{x:?}");
}

#[test]
fn emitters_have_the_same_bits_on_any_threads_and_from_checkpoints() {
    for is_fluid in [true, false] {
        let sinks = vec![Sink::Plane([0.6, 0.0, 0.0], [-1.0, 0.0, 0.0])];
        let model = || model(emitter(150, sinks.clone()), is_fluid);
        let end = |simulation: Simulation| (simulation.positions(), simulation.velocities());
        let reference = end(simulate(model(), Method::Colored, 1, 200));
        for threads in [1, 2, 3, 7] {
            let other = end(simulate(model(), Method::Lanes, threads, 200));
            assert!(other == reference, "{threads} threads");
        }
        let mut saved = Vec::new();
        simulate(model(), Method::Lanes, 1, 123).save(&mut saved).expect("memory takes all");
        let mut resumed = simulate(model(), Method::Lanes, 1, 7);
        resumed.load(&mut &saved[..]).expect("a state of this model");
        (123..200).for_each(|_| resumed.step());
        assert!(end(resumed) == reference, "from a checkpoint");
    }
}

/// As many come where the frame step changes under way, to a longer or a shorter one, and the state is saved before the next.
#[test]
fn another_frame_step_sends_nobody_twice_and_leaves_out_nobody() {
    let model = || model(Emitter { speed: 1.9, ..emitter(1000, vec![]) }, false);
    for (dt, frames) in [(1.0 / 120.0, 31), (1.0 / 480.0, 121)] {
        let waits = |x: &[f32; 3]| *x == [0.0, 0.6, 0.0];
        let sent = |s: &Simulation| s.positions().iter().filter(|x| !waits(x)).count();
        // The last frame begins where that of the other does.
        let expected = sent(&simulate(model(), Method::Lanes, 1, 121));
        let mut simulation = simulate(model(), Method::Lanes, 1, 60);
        let settings = Settings { dt, ..simulation.model().settings.clone() };
        simulation.rebuild(settings, Method::Lanes, 1).expect("a method");
        let mut saved = Vec::new();
        simulation.save(&mut saved).expect("memory takes all");
        simulation.load(&mut &saved[..]).expect("a state of this model");
        (0..frames).for_each(|_| simulation.step());
        assert_eq!(sent(&simulation), expected, "{dt} s");
    }
}

/// Who waits is no number to the engine, but nothing that has broken: iterations end at a tolerance all the same. And it lies in nothing.
#[test]
fn who_waits_is_no_error_and_no_overlap() {
    for is_fluid in [true, false] {
        let below = Emitter { begins: 100.0, center: [0.0, -0.5, 0.0], ..emitter(20, vec![]) };
        for method in Method::ALL {
            let mut model = model(below.clone(), is_fluid);
            (model.settings.iterations, model.settings.tolerance) = (20, 1e-3);
            for x in [4.0, 5.0] {
                model.add_particle([x, 3.0, 0.0], [0.0; 3], 1.0).expect("a particle");
            }
            model.add(Distance, [20, 21], [None], Stiffness::Factor(1.0)).expect("a row");
            let simulation = simulate(model, method, 1, 3);
            let statistics = simulation.statistics();
            assert!(statistics.iterations < 20, "{method:?}: {statistics:?}");
            assert!(statistics.error.is_some_and(|error| error < 1e-3), "{statistics:?}");
            assert_eq!(simulation.penetration(), Some(0.0), "{method:?}");
        }
    }
}

#[test]
fn bad_emitters_are_refused() {
    type Spoil = fn(&mut Emitter);
    let cases: [(&str, Spoil); 6] = [
        ("emitter.direction: 0 is not allowed (the vector has no length)", |e| {
            e.direction = [0.0; 3]
        }),
        ("emitter.speed: 0 ", |e| e.speed = 0.0),
        ("emitter.spacing: -1 ", |e| e.spacing = -1.0),
        ("emitter.mouth: 0 ", |e| e.mouth = Mouth::Disc(0.0)),
        ("emitter.spacing: 0.000001 ", |e| e.spacing = 1e-6),
        ("emitter.rate: 481 ", |e| e.rate = Some(481.0)),
    ];
    for (says, spoil) in cases {
        let mut emitter = emitter(3, vec![]);
        spoil(&mut emitter);
        let error: ModelError = emitter.checked().expect_err(says);
        assert!(error.to_string().starts_with(says), "{error}");
    }
}

/// What waits has no energy yet; what has come has its own.
#[test]
fn what_waits_has_no_energy() {
    let late = Emitter { begins: 0.1, ..emitter(99, Vec::new()) };
    let mut simulation = Simulation::new(model(late, false), Method::Lanes, 1).unwrap();
    simulation.step();
    assert_eq!(simulation.observe().energy, 0.0);
    (0..30).for_each(|_| simulation.step());
    let come = simulation.velocities().iter().filter(|v| **v != [0.0; 3]).count();
    let mass = FluidNumbers { radius: RADIUS, ..FluidNumbers::default() }.mass();
    // At 0.6 m and 2 m/s, a moment after.
    let counted = simulation.observe().energy / (mass * (9.81 * 0.6 + 0.5 * 2.0 * 2.0));
    let near = (counted / come as f64 - 1.0).abs() < 0.05;
    assert!(near && (1..99).contains(&come), "{counted} of {come}");
}
