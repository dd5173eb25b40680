//! What breaks is named, ends the run or goes into quarantine, and the rest is as without it.

use super::models::{sheet, simulate};
use crate::collision::{Collider, Contacts};
use crate::constraints::Distance;
use crate::forces::{Emitter, Mouth};
use crate::groups::Shapes;
use crate::model::Model;
use crate::rigid::{At, Attachments, Body, End, Joint, JointKind, Joints, Shape, Weight};
use crate::rows::Stiffness;
use crate::settings::{NonFinite, Precision, Settings};
use crate::{Method, Simulation};

const COMPLIANT: Stiffness = Stiffness::Compliance(1e-7);

/// A sheet, with a second one beside it if asked for; of the second a row has absurd values.
fn sheets(broken: bool) -> Model {
    let mut model = sheet(9, 7, COMPLIANT);
    let plane = Collider::plane([0.0, -0.3, 0.0], [0.0, 1.0, 0.0]).unwrap();
    if broken {
        for z in 0..6 {
            for x in 0..5 {
                let w = if (x, z) == (0, 0) { 0.0 } else { 1.0 };
                let place = [3.0 + 0.1 * f64::from(x), 0.0, 0.1 * f64::from(z)];
                let i = model.add_particle(place, [0.0; 3], w).unwrap();
                if i > 63 {
                    model.add(Distance, [i - 1, i], [None], COMPLIANT).unwrap();
                }
            }
        }
        model.add(Distance, [70, 80], [Some(3e38)], Stiffness::Factor(1.0)).unwrap();
        model.add(Distance, [80, 90], [Some(3e38)], Stiffness::Factor(1.0)).unwrap();
    }
    // How far the other sheet lies must have no say in how this one is rounded.
    model.settings.precision = Precision::Plain;
    let contacts = Contacts { colliders: vec![plane], radius: 0.02, ..Contacts::default() };
    model.set_contacts(contacts).unwrap();
    model.settings.substeps = 2;
    model
}

fn bits(positions: &[[f32; 3]]) -> Vec<u32> {
    positions.as_flattened().iter().map(|v| v.to_bits()).collect()
}

#[test]
fn the_rest_is_as_without_what_is_in_quarantine() {
    for method in [Method::Scalar, Method::Ordered, Method::Colored, Method::Lanes] {
        for threads in if method.threaded() { 1..=2 } else { 1..=1 } {
            let mut alone = Simulation::new(sheets(false), method, threads).unwrap();
            let mut model = sheets(true);
            model.settings.nonfinite = NonFinite::Quarantine;
            let start = model.positions()[63..].to_vec();
            let mut both = Simulation::new(model, method, threads).unwrap();
            for _ in 0..40 {
                alone.step();
                both.step();
                let positions = both.positions();
                assert!(bits(&positions[..63]) == bits(&alone.positions()), "{method:?}");
                assert_eq!(positions[63..], start[..], "the last finite state");
            }
            let [broken] = both.breakdowns() else { panic!("{:?}", both.breakdowns()) };
            assert_eq!(broken.particles, (63..93).collect::<Vec<u32>>());
            assert_eq!((broken.time, &broken.bodies[..]), (0.0, &[][..]));
            assert!(both.observe().finite && both.snapshot().finite());
        }
    }
}

#[test]
fn a_stop_names_what_broke() {
    let mut model = sheets(true);
    model.settings.nonfinite = NonFinite::Stop;
    let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
    let start = simulation.snapshot();
    (0..5).for_each(|_| simulation.step());
    assert!(simulation.snapshot() == start, "the frame is undone");
    let [broken] = simulation.breakdowns() else { panic!("one") };
    let text = broken.to_string();
    assert_eq!(broken.first.as_deref(), Some("distance row 0"), "{text}");
    assert!(broken.particles.iter().all(|i| *i > 62), "{text}");
    // Other settings may take it further.
    let settings = simulation.model().settings.clone();
    let report = Settings { nonfinite: NonFinite::Report, ..settings };
    assert!(simulation.rebuild(report, Method::Lanes, 1).unwrap().is_empty());
    simulation.step();
    assert_eq!((simulation.frame(), simulation.breakdowns()), (1, &[][..]));
}

/// What comes out at the start of the frame that breaks goes back, and a state that is loaded breaks again.
#[test]
fn a_stop_undoes_all_of_the_frame() {
    let mut model = Model::new();
    (model.settings.nonfinite, model.settings.dt) = (NonFinite::Stop, 10.0);
    for _ in 0..30 {
        model.add_particle([0.0, 5.0, 0.0], [0.0; 3], 1.0).unwrap();
    }
    let emitter = Emitter {
        particles: (0..29).collect(),
        center: [0.0; 3],
        direction: [1.0, 0.0, 0.0],
        mouth: Mouth::Disc(0.1),
        spacing: 0.1,
        speed: 6.0,
        rate: None,
        begins: 40.0,
        ends: f64::INFINITY,
        sinks: Vec::new(),
    };
    model.add_subsystem(emitter.checked().unwrap()).unwrap();
    let mut simulation = simulate(model, Method::Lanes, 1, 4);
    // So fast that it leaves f32 in the frame in which the first comes out.
    simulation.push(29, [f32::MAX, 0.0, 0.0]);
    let before = simulation.snapshot();
    assert!(before.finite());
    for _ in 0..2 {
        simulation.step();
        let [broken] = simulation.breakdowns() else { panic!("{:?}", simulation.breakdowns()) };
        assert_eq!((&broken.particles[..], broken.time), (&[29][..], before.time));
        assert!(simulation.snapshot() == before);
        let mut file = Vec::new();
        simulation.save(&mut file).unwrap();
        simulation.load(&mut &file[..]).unwrap();
        assert!(simulation.breakdowns().is_empty());
    }
}

/// Bodies and particles that joints, attachments and groups connect go together; others do not.
#[test]
fn all_that_is_connected_goes_together() {
    let mut model = Model::new();
    model.settings.nonfinite = NonFinite::Quarantine;
    for i in 0..10 {
        model.add_particle([f64::from(i), f64::from(i % 3), 0.0], [0.0; 3], 1.0).unwrap();
    }
    for i in 0..4 {
        let body = Body::new(Shape::Sphere(0.1), Weight::Mass(1.0), None).unwrap();
        model.add_body(body.at([f64::from(i), 5.0, 0.0], [0.0, 0.0, 0.0, 1.0])).unwrap();
    }
    let mut shapes = Shapes::new();
    shapes.add(&model, &[1, 2, 3, 4], None, Stiffness::Factor(0.5), None).unwrap();
    shapes.add(&model, &[6, 7, 8, 9], None, Stiffness::Factor(0.5), None).unwrap();
    model.add_subsystem(shapes).unwrap();
    let mut attachments = Attachments::new();
    let at = [At::Particle(4), At::Body(0, [0.0, 5.0, 0.0])];
    attachments.add(&model, Distance, at, [None], COMPLIANT).unwrap();
    model.add_subsystem(attachments).unwrap();
    let mut joints = Joints::new();
    let ends = [End::Body(0), End::Body(2)];
    joints.add(&model, Joint::new(JointKind::Ball, ends, [1.0, 5.0, 0.0])).unwrap();
    let ends = [End::World, End::Body(3)];
    joints.add(&model, Joint::new(JointKind::Ball, ends, [3.0, 5.0, 0.0])).unwrap();
    model.add_subsystem(joints).unwrap();
    let mut simulation = Simulation::new(model, Method::Lanes, 2).unwrap();
    let start = simulation.snapshot();
    (0..3).for_each(|_| simulation.step());
    // So fast that it leaves f32 within a step.
    simulation.push(1, [f32::MAX, 0.0, 0.0]);
    simulation.push(1, [f32::MAX, 0.0, 0.0]);
    (0..3).for_each(|_| simulation.step());
    let [broken] = simulation.breakdowns() else { panic!("{:?}", simulation.breakdowns()) };
    assert_eq!((&broken.particles[..], &broken.bodies[..]), (&[1, 2, 3, 4][..], &[0, 2][..]));
    assert!(simulation.snapshot().body_velocities[1][1] < -0.9, "the others fall");
    assert_eq!(simulation.snapshot().body_velocities[2], [0.0; 6]);
    // What is in quarantine is part of the state.
    let (state, broken) = (simulation.snapshot(), broken.clone());
    let mut file = Vec::new();
    simulation.save(&mut file).unwrap();
    let go_on = |simulation: &mut Simulation| {
        assert_eq!(simulation.breakdowns(), std::slice::from_ref(&broken));
        (0..3).for_each(|_| simulation.step());
        assert_eq!(simulation.breakdowns(), std::slice::from_ref(&broken));
        simulation.observe().hash
    };
    let expected = go_on(&mut simulation);
    simulation.restore(&start);
    assert!(simulation.breakdowns().is_empty());
    simulation.load(&mut &file[..]).unwrap();
    assert_eq!(go_on(&mut simulation), expected);
    simulation.restore(&state);
    assert_eq!(go_on(&mut simulation), expected);
    let settings = simulation.model().settings.clone();
    let free = Settings { nonfinite: NonFinite::Report, ..settings };
    assert_eq!(simulation.rebuild(free, Method::Lanes, 1).unwrap(), ["quarantine"]);
    assert!(simulation.breakdowns().is_empty());
}
