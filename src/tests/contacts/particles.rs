//! Particles against each other: momentum, the delay of finding, what is poured; bad places.

use super::{shapes, simulate};
use crate::Simulation;
use crate::collision::Contacts;
use crate::model::Model;
use crate::scenes::{Scene, mean_height};
use crate::solvers::Method;

/// Two balls that meet keep momentum, and part with e times their speed.
#[test]
fn balls_rebound_from_each_other() {
    for (e, method) in [
        (0.0, Method::Scalar),
        (0.5, Method::Lanes),
        (1.0, Method::Colored),
    ] {
        let mut model = Model::new();
        model.settings.gravity = [0.0; 3];
        model.settings.substeps = 4;
        model
            .add_particle([-0.3, 0.0, 0.0], [1.0, 0.0, 0.0], 1.0)
            .unwrap();
        model
            .add_particle([0.3, 0.0, 0.0], [-1.0, 0.0, 0.0], 0.5)
            .unwrap();
        let contacts = Contacts {
            radius: 0.1,
            restitution: Some(e),
            pairs: true,
            ..Contacts::default()
        };
        model.set_contacts(contacts).unwrap();
        let v = simulate(model, method, 60).velocities();
        let (a, b) = (f64::from(v[0][0]), f64::from(v[1][0]));
        assert!((a + 2.0 * b + 1.0).abs() < 1e-4, "momentum {}", a + 2.0 * b);
        assert!((b - a - 2.0 * e).abs() < 0.01, "e {e}: {} m/s", b - a);
    }
}

/// The experiments of S1-36 and S1-37: how deep the upper ball sinks into the lower one when the floor stops it, and how far a ball
/// without room swings between two, over 300 frames.
#[test]
fn finding_contacts_sooner_shortens_the_delay() {
    let mut outcome = Vec::new();
    for size in 0..4 {
        let model = Scene::find("limits-delay")
            .unwrap()
            .model(Some(size))
            .unwrap();
        let mut simulation = Simulation::new(model, Method::Scalar, 1).unwrap();
        let (mut deepest, mut swing) = (0.0_f32, [f32::MAX, f32::MIN]);
        for frame in 0..300 {
            simulation.step();
            let x = simulation.positions();
            deepest = deepest.max(0.04 - (x[1][1] - x[0][1]).abs());
            deepest = deepest.max(0.02 - x[0][1]);
            if frame >= 10 {
                swing = [swing[0].min(x[3][0]), swing[1].max(x[3][0])];
            }
        }
        let swing = swing[1] - swing[0];
        println!("limits-delay:{size}: {deepest:.5} m deep, {swing:.5} m swing");
        outcome.push((deepest, swing));
    }
    let [late, sooner @ ..] = &outcome[..] else {
        panic!()
    };
    assert!(
        late.0 > 0.02 && late.1 > 0.02,
        "the delay is gone: {late:?}"
    );
    for outcome in sooner {
        assert!(outcome.0 < 1e-3 && outcome.1 < 1e-3, "{outcome:?}");
    }
}

/// S1-35: how high poured balls and poured water lie after a second by iterations, at one substep and at many.
#[test]
fn what_is_poured_depends_on_the_iterations() {
    let heights = |iterations: u32, substeps: u32| {
        let mut model = Scene::find("limits-flow")
            .unwrap()
            .model(Some(200))
            .unwrap();
        (model.settings.iterations, model.settings.substeps) = (iterations, substeps);
        let end = simulate(model, Method::Lanes, 60);
        let all = end.positions();
        let (balls, water) = all.split_at(200);
        [mean_height(balls), mean_height(water)]
    };
    let frames = [2, 8, 32].map(|iterations| heights(iterations, 1));
    let small = [1, 2, 4].map(|iterations| heights(iterations, 16));
    println!("balls and water, one substep of 2, 8, 32 iterations: {frames:.4?} m");
    println!("balls and water, 16 substeps of 1, 2, 4 iterations:  {small:.4?} m");
    let [few, _, many] = frames;
    for k in 0..2 {
        assert!((many[k] - few[k]).abs() > 1e-3, "{frames:?}");
    }
    // They lie on the floor or on each other, no higher than they came from.
    let all = frames.iter().chain(&small).flatten();
    assert!(all.into_iter().all(|h| (0.019..0.6).contains(h)));
}

/// Bad places cost nothing and stay finite: 10^9 m away, ten thousand balls in one point, a ball inside everything.
#[test]
fn bad_places_stay_finite() {
    let mut model = Model::new();
    for i in 0..10_000 {
        let at = if i == 17 {
            [1e9, -1e9, 1e9]
        } else {
            [0.0, 0.5, 0.0]
        };
        model.add_particle(at, [0.0; 3], 1.0).unwrap();
    }
    let contacts = Contacts {
        colliders: shapes().into_iter().map(|(_, c)| c).collect(),
        radius: 0.02,
        friction: Some(0.4),
        restitution: Some(0.5),
        pairs: true,
        ..Contacts::default()
    };
    model.set_contacts(contacts).unwrap();
    let mut simulation = simulate(model, Method::Lanes, 3);
    assert!(simulation.snapshot().finite());
    assert!(
        simulation.statistics()[0]
            .counts
            .iter()
            .any(|c| c.0 == "remainder" && c.1 > 0)
    );
    simulation.step();
}
