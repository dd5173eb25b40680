//! The whole state: what is restored, saved and loaded, or goes on by another method has all that it had.

use crate::collision::{Collider, Contacts};
use crate::constraints::Distance;
use crate::error::CheckpointError;
use crate::groups::{Melting, Shapes};
use crate::model::Model;
use crate::rigid::{At, Attachments, Body, End, Joint, JointKind, Joints, Shape, Weight};
use crate::rows::Stiffness;
use crate::scenes::{self, Scene};
use crate::{Method, Simulation, Snapshot};
use std::sync::Arc;

/// A scene, small.
fn simulation(scene: &Scene, method: Method, threads: usize) -> Simulation {
    let size = (scene.sizes.0 + 2).min(scene.sizes.1);
    let model = scene.model(Some(size)).expect("a model");
    Simulation::new(model, method, threads).expect("a simulation")
}

fn lanes(scene: &Scene) -> Simulation {
    simulation(scene, Method::Lanes, 1)
}

/// All that a simulation carries, bit for bit.
fn saved(simulation: &Simulation) -> Vec<u8> {
    let mut bytes = Vec::new();
    simulation.save(&mut bytes).expect("memory takes all");
    bytes
}

fn step(simulation: &mut Simulation, frames: usize) {
    (0..frames).for_each(|_| simulation.step());
}

/// Enough frames for what has time to happen in a small scene: bodies that fall asleep, metal that yields, solids that melt,
/// cloth that tears.
fn frames(scene: &Scene) -> usize {
    match scene.name {
        "heap" => 60,
        "melt" | "bent-metal" => 40,
        "tear" => 20,
        _ => 5,
    }
}

/// How many bodies sleep.
fn asleep(simulation: &Simulation) -> usize {
    let all = simulation.subsystem_statistics();
    let mut counts = all.iter().flat_map(|subsystem| &subsystem.counts);
    counts.find(|(what, _)| *what == "asleep").map_or(0, |(_, count)| *count)
}

/// What a hand and a program do to a simulation, and end again.
fn disturb(simulation: &mut Simulation) {
    for force in [[0.0, 3.0, 0.0], [0.0; 3]] {
        if !simulation.positions().is_empty() {
            simulation.set_force(0, force);
            simulation.grab(0);
            simulation.push(0, [0.1, 0.0, 0.0]);
            simulation.release(0);
        }
        if let Some(&[x, y, z, ..]) = simulation.bodies().first() {
            simulation.set_body_force(0, force, force);
            simulation.push_body(0, [0.1, 0.0, 0.0], [x, y, z]);
        }
        step(simulation, 12);
    }
}

/// A simulation that is put back to its start goes on as one that starts, whatever it did in between.
#[test]
fn restored_to_the_start_every_scene_begins_again() {
    let mut wrong = Vec::new();
    for scene in scenes::all() {
        let mut simulation = lanes(scene);
        let start = simulation.snapshot();
        step(&mut simulation, 12);
        let expected = saved(&simulation);
        disturb(&mut simulation);
        simulation.restore(&start);
        step(&mut simulation, 12);
        if saved(&simulation) != expected {
            wrong.push(scene.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// The same from a state in the middle: N frames and N more are 2 N frames.
#[test]
fn restored_under_way_every_scene_goes_on() {
    let mut wrong = Vec::new();
    for scene in scenes::all() {
        let (mut simulation, frames) = (lanes(scene), frames(scene));
        step(&mut simulation, frames);
        let middle = simulation.snapshot();
        step(&mut simulation, frames);
        let expected = saved(&simulation);
        simulation.restore(&middle);
        assert!(simulation.snapshot() == middle || !middle.finite(), "{}", scene.name);
        step(&mut simulation, frames);
        if saved(&simulation) != expected {
            wrong.push(scene.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// N frames, saved, loaded on another number of threads, and N more are 2 N frames, by every method. What
/// is observed right after loading is what was observed before saving.
#[test]
fn saved_and_loaded_every_scene_goes_on_by_every_method() {
    let (mut wrong, mut slept) = (Vec::new(), 0);
    for scene in scenes::all() {
        let frames = frames(scene);
        for method in Method::ALL {
            let threads = if method.threaded() { 2 } else { 1 };
            let mut first = simulation(scene, method, 1);
            let mut second = simulation(scene, method, threads);
            step(&mut first, frames);
            let state = saved(&first);
            second.load(&mut &state[..]).expect("the same model");
            slept += asleep(&second);
            let seen = [&first, &second].map(|s| format!("{:?} {}", s.observe(), s.frame()));
            let taken = saved(&second) == state && seen[0] == seen[1];
            step(&mut first, frames);
            step(&mut second, frames);
            if !taken || saved(&first) != saved(&second) {
                wrong.push((scene.name, method.name(), taken));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(slept > 0, "no body slept in any scene");
}

/// What one method saved another takes up without a difference: sections are in authored order, whatever the width.
#[test]
fn what_one_method_saved_every_other_takes_up() {
    let mut wrong = Vec::new();
    for scene in scenes::all() {
        for from in [Method::Scalar, Method::Lanes] {
            let mut first = simulation(scene, from, 1);
            step(&mut first, frames(scene));
            let state = saved(&first);
            for to in Method::ALL {
                let mut second = simulation(scene, to, 1);
                second.load(&mut &state[..]).expect("the same model");
                if saved(&second) != state {
                    wrong.push((scene.name, from.name(), to.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// A particle in the hand and time count too; a rebuild carries all, but for what belongs to a length of a substep.
#[test]
fn rebuilt_it_keeps_what_it_can_and_names_the_rest() {
    for name in ["heap", "bent-metal", "cloth"] {
        let scene = Scene::find(name).expect("a scene");
        let mut simulation = lanes(scene);
        if !simulation.positions().is_empty() {
            simulation.grab(3);
            simulation.set_force(5, [0.1, 0.2, 0.3]);
        }
        step(&mut simulation, frames(scene));
        let before = saved(&simulation);
        let settings = simulation.model().settings.clone();
        let dropped = simulation.rebuild(settings.clone(), Method::Colored, 1).expect("a method");
        assert!(dropped.is_empty(), "{name}: {dropped:?}");
        assert!(saved(&simulation) == before, "{name}");
        let state = simulation.snapshot();
        step(&mut simulation, 10);
        let mut loaded = lanes(scene);
        loaded.load(&mut &before[..]).expect("the same model");
        step(&mut loaded, 10);
        assert!(saved(&simulation) == saved(&loaded), "{name}: not as it was loaded");
        if !simulation.positions().is_empty() {
            simulation.release(3);
            simulation.set_force(5, [0.0; 3]);
            simulation.set_force(6, [0.0, 1.0, 0.0]);
        }
        step(&mut simulation, 2);
        simulation.restore(&state);
        assert!(saved(&simulation) == before, "{name}");
        let shorter = crate::Settings { substeps: settings.substeps + 1, ..settings };
        let dropped = simulation.rebuild(shorter, Method::Lanes, 1).expect("a method");
        // Clusters of a stiffness have none.
        let expected = match name {
            "heap" => &["contact impulses"][..],
            "cloth" => &["multipliers"],
            _ => &[],
        };
        assert_eq!(dropped, expected, "{name}");
    }
}

/// Who sleeps where a state is taken up wakes as where it fell asleep: with its island.
#[test]
fn what_slept_when_it_was_saved_wakes_as_it_would_have() {
    let scene = Scene::find("heap").expect("a scene");
    let mut first = lanes(scene);
    step(&mut first, 60);
    let (state, sleepers) = (saved(&first), asleep(&first));
    let load = |mut simulation: Simulation| {
        simulation.load(&mut &state[..]).expect("the same model");
        simulation
    };
    let mut elsewhere = lanes(scene);
    step(&mut elsewhere, 25); // its islands are others
    let mut all = [first, load(lanes(scene)), load(elsewhere)];
    let mut bodies = 0..all[0].bodies().len();
    while asleep(&all[0]) == sleepers {
        let body = bodies.next().expect("somebody sleeps");
        let [x, y, z, ..] = all[0].bodies()[body];
        all.iter_mut().for_each(|one| one.push_body(body as u32, [0.0, 1.0, 0.0], [x, y, z]));
    }
    all.iter_mut().for_each(|simulation| step(simulation, 10));
    let [first, anew, under_way] = all.each_ref().map(saved);
    assert!(first == anew && first == under_way);
}

/// A state put together by hand has what it says; rest shapes and who sleeps are then as at the start.
#[test]
fn a_state_made_by_hand_begins_anew() {
    for name in ["bent-metal", "heap"] {
        let scene = Scene::find(name).expect("a scene");
        let mut simulation = lanes(scene);
        let seen = simulation.snapshot();
        let by_hand = Snapshot { carried: Vec::new(), ..seen.clone() };
        step(&mut simulation, 45);
        simulation.restore(&by_hand);
        assert!(simulation.snapshot() == seen, "{name}");
    }
}

/// A checkpoint of bodies, particles and contacts.
fn checkpoint() -> (Simulation, Vec<u8>) {
    let mut simulation = lanes(Scene::find("unified").expect("a scene"));
    step(&mut simulation, 3);
    let bytes = saved(&simulation);
    (simulation, bytes)
}

/// Truncated anywhere, with any bit flipped, longer, or something else: an error each, and the simulation stays what it was.
#[test]
fn damaged_checkpoints_are_refused() {
    let (mut simulation, bytes) = checkpoint();
    let mut refuse = |what: &str, bytes: &[u8]| {
        let refused = simulation.load(&mut &bytes[..]);
        refused.expect_err(what)
    };
    let mut random = fastrand::Rng::with_seed(19);
    for _ in 0..1000 {
        let mut flipped = bytes.clone();
        let bit = random.usize(0..8 * bytes.len());
        flipped[bit / 8] ^= 1 << (bit % 8);
        refuse(&format!("bit {bit}"), &flipped);
    }
    for bit in 0..8 * 32 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        refuse(&format!("bit {bit} of the header"), &flipped);
    }
    for length in (0..40).chain((0..100).map(|_| random.usize(0..bytes.len()))) {
        refuse(&format!("{length} bytes"), &bytes[..length]);
    }
    let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    refuse("a byte more", &longer);
    let text = refuse("something else", b"{\"version\": 1}");
    assert!(matches!(text, CheckpointError::Foreign), "{text}");
    let mut other = bytes.clone();
    other[8] = 1;
    let text = refuse("another format", &other);
    assert!(matches!(text, CheckpointError::Format(1)), "{text}");
    assert!(saved(&simulation) == bytes);
}

/// A model of rows, clusters, rows at arms, joints, a mesh and contacts; of the numbers that make it up the one named is another.
fn made_of(other: usize) -> Model {
    let number = |i: usize| if i == other { 0.6 } else { 0.5 };
    let mut model = Model::new();
    for i in 0..4 {
        let x = [f64::from(i), f64::from(i % 2), if i == 2 { number(0) } else { 0.0 }];
        model.add_particle(x, [0.0; 3], number(1)).unwrap();
    }
    model.add(Distance, [0, 1], [Some(number(2))], Stiffness::Factor(number(3))).unwrap();
    let damped = Stiffness::Damped(number(4), number(5));
    model.add(Distance, [2, 1], [Some(1.0)], damped).unwrap();
    let body = Body::new(Shape::Sphere(number(6)), Weight::Mass(1.0), None).unwrap();
    model.add_body(body.at([9.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])).unwrap();
    let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, number(15) as f32]];
    let mesh = Shape::Mesh(Arc::new((corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])));
    // Mass and inertia are given, so that the corner is all that differs.
    let body = Body::new(mesh, Weight::Mass(1.0), Some([1.0; 3])).unwrap();
    model.add_body(body.at([20.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])).unwrap();
    let mut shapes = Shapes::new();
    let stiffness = Stiffness::Factor(number(7));
    shapes.add(&model, &[0, 1, 2, 3], None, stiffness, None).unwrap();
    model.add_subsystem(Melting::new(shapes, &[0, 1, 2, 3], number(8), 2.0)).unwrap();
    let mut attachments = Attachments::new();
    let at = [At::Particle(3), At::Body(0, [9.0, number(9), 0.0])];
    let stiffness = Stiffness::Compliance(number(10));
    attachments.add(&model, Distance, at, [Some(number(11))], stiffness).unwrap();
    model.add_subsystem(attachments).unwrap();
    let mut joints = Joints::new();
    let ends = [End::World, End::Body(0)];
    joints.add(&model, Joint::new(JointKind::Ball, ends, [9.0, 0.0, number(12)])).unwrap();
    model.add_subsystem(joints).unwrap();
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, number(14), 1.0]];
    let floor = Collider::mesh(&corners, &[[0, 1, 2]], [0.0; 3], [0.0, 0.0, 0.0, 1.0]);
    let colliders = vec![floor.unwrap()];
    let contacts = Contacts { radius: number(13), colliders, ..Contacts::default() };
    model.set_contacts(contacts).unwrap();
    model
}

/// Models of as many of everything, one number of which differs, do not take up each other's states.
#[test]
fn every_number_of_a_model_tells_it_from_others() {
    let none = usize::MAX;
    assert_eq!(made_of(none).fingerprint(), made_of(none).fingerprint());
    let same = (0..16).filter(|&i| made_of(i).fingerprint() == made_of(none).fingerprint());
    assert_eq!(same.collect::<Vec<_>>(), [0; 0]);
    let run = |other| Simulation::new(made_of(other), Method::Lanes, 1).unwrap();
    let file = saved(&run(none));
    run(none).load(&mut &file[..]).expect("the same model");
    for (other, what) in [(10, "another compliance"), (15, "a body of another mesh")] {
        let refused = run(other).load(&mut &file[..]).expect_err(what);
        assert!(refused.to_string().contains("another model"), "{refused}");
    }
}

/// A state of another model or of other settings is refused by name.
#[test]
fn checkpoints_of_other_models_are_refused() {
    let (mut simulation, bytes) = checkpoint();
    let mut other = lanes(Scene::find("heap").expect("a scene"));
    let refused = other.load(&mut &bytes[..]).expect_err("another model");
    assert!(refused.to_string().contains("another model"), "{refused}");
    let mut settings = simulation.model().settings.clone();
    settings.iterations += 1;
    simulation.rebuild(settings, Method::Lanes, 1).expect("settings");
    let refused = simulation.load(&mut &bytes[..]).expect_err("other settings");
    assert!(refused.to_string().contains("settings"), "{refused}");
}
