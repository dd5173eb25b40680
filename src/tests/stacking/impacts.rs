//! Impacts of many that touch: what Newton's cradle and a billiard break do.

use super::{body, floor, model};
use crate::collision::Contacts;
use crate::model::Model;
use crate::rigid::{Body, Shape};
use crate::tests::models::simulate;
use crate::{Method, Simulation};

/// Balls of 0.1 m and 1 kg, e = 1, in free space, at `places` with velocities along x.
fn balls(substeps: u32, places: &[[f64; 3]]) -> Model {
    let mut model = Model::new();
    (model.settings.gravity, model.settings.substeps) = ([0.0; 3], substeps);
    for [x, z, v] in places {
        let mut ball = body(Shape::Sphere(0.1), 1.0, [*x, 0.0, *z]);
        (ball.restitution, ball.velocity) = (Some(1.0), [*v, 0.0, 0.0]);
        model.add_body(ball).expect("a ball");
    }
    model.set_contacts(Contacts::default()).expect("contacts");
    model
}

/// Through a row that touches a blow goes to the other end: as many leave as came, at their speed, and the rest stays.
#[test]
fn a_blow_goes_through_a_row() {
    for (coming, speed, substeps, method) in
        [(1, 2.0, 20, Method::Lanes), (2, 2.0, 10, Method::Lanes), (1, 1.3, 1, Method::Colored)]
    {
        let row = |i: usize| match i < coming {
            true => [0.2 * i as f64 - 1.0, 0.0, speed],
            false => [0.2 * i as f64, 0.0, 0.0],
        };
        let places: Vec<_> = (0..5).map(row).collect();
        let simulation = simulate(balls(substeps, &places), method, 1, 60);
        let v: Vec<f64> =
            simulation.snapshot().body_velocities.iter().map(|v| f64::from(v[0])).collect();
        println!("{coming} came at {speed} m/s, {substeps} substeps: {v:.4?}");
        let (rest, left) = v.split_at(5 - coming);
        assert!(left.iter().all(|v| (v / speed - 1.0).abs() < 0.01), "{v:?}");
        assert!(rest.iter().all(|v| (v / speed).abs() < 0.02), "{v:?}");
    }
}

/// A triangle of fifteen broken by a sixteenth keeps energy and momentum.
#[test]
fn a_break_keeps_energy() {
    let mut places = vec![[-1.0, 0.013, 3.0]];
    for row in 0..5 {
        let z = |k: usize| 0.2 * k as f64 - 0.1 * row as f64;
        places.extend((0..=row).map(|k| [0.2 * row as f64 * 0.75_f64.sqrt(), z(k), 0.0]));
    }
    let simulation = simulate(balls(10, &places), Method::Lanes, 1, 60);
    let (mut energy, mut momentum) = (0.0, [0.0; 3]);
    for v in &simulation.snapshot().body_velocities {
        for k in 0..3 {
            energy += 0.5 * f64::from(v[k]).powi(2);
            momentum[k] += f64::from(v[k]);
        }
    }
    println!("{:.4} of the energy, momentum {momentum:.5?}", energy / 4.5);
    assert!((energy / 4.5 - 1.0).abs() < 0.02, "{energy} J of 4.5");
    assert!((momentum[0] - 3.0).abs() < 1e-4 && momentum[2].abs() < 1e-4, "{momentum:?}");
}

/// A ball that comes down aslant leaves at e of its speed and loses µ (1 + e) times that along the floor, or so much that it
/// rolls; its spin gains what the torque of that says, and what is reported is what its momentum lost (S1-07).
#[test]
fn a_ball_rebounds_aslant_as_coulomb_says() {
    let (m, r, e, along, down) = (2.0, 0.1, 0.5, 1.5, 2.0);
    for (mu, substeps, method) in
        [(0.1, 4, Method::Lanes), (0.1, 1, Method::Scalar), (1.5, 4, Method::Lanes)]
    {
        let ball = Body {
            restitution: Some(e),
            friction: Some(mu),
            velocity: [0.8 * along, -down, -0.6 * along],
            ..body(Shape::Sphere(r), m, [0.0, 0.15, 0.0])
        };
        let mut model = model(substeps, vec![ball], vec![floor()]);
        let contacts = model.contacts().expect("contacts").clone();
        model.set_contacts(Contacts { events: true, ..contacts }).expect("contacts");
        model.settings.gravity = [0.0; 3];
        let mut simulation = Simulation::new(model, method, 1).expect("a ball");
        let mut impulse = [0.0; 3];
        for _ in 0..6 {
            simulation.step();
            for contact in simulation.contacts() {
                (0..3).for_each(|k| impulse[k] += contact.force[k] / 60.0);
            }
        }
        // Of a ball that slid and then rolls 2/7 of its way along has gone into its spin.
        let lost = f64::min(mu * (1.0 + e) * down, 2.0 / 7.0 * along);
        let [x, y, z, a, b, c] = simulation.snapshot().body_velocities[0].map(f64::from);
        let near = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 0.01, "µ {mu}, {substeps}: {found} for {expected}");
        };
        near(y, e * down);
        near(x, 0.8 * (along - lost));
        near(z, -0.6 * (along - lost));
        // r × F with r = -r y, over the inertia 2/5 m r².
        near(c * r, -2.5 * 0.8 * lost);
        near(a * r, -2.5 * 0.6 * lost);
        near(b * r, 0.0);
        near(impulse[0] / m, -0.8 * lost);
        near(impulse[1] / m, (1.0 + e) * down);
        near(impulse[2] / m, 0.6 * lost);
    }
}

/// A ball that is seen from afar rebounds where it touches, not where it is seen.
#[test]
fn what_is_seen_from_afar_rebounds_at_the_surface() {
    let (down, substeps) = (2.0, 4);
    let ball = Body {
        restitution: Some(1.0),
        velocity: [0.0, -down, 0.0],
        ..body(Shape::Sphere(0.1), 2.0, [0.0, 0.5, 0.0])
    };
    let mut model = model(substeps, vec![ball], vec![floor()]);
    let contacts = model.contacts().expect("contacts").clone();
    model.set_contacts(Contacts { margin: Some(0.3), ..contacts }).expect("contacts");
    model.settings.gravity = [0.0; 3];
    let simulation = simulate(model, Method::Lanes, 1, 24);
    // 0.4 m down and as far up as is left of 0.8 m; a substep more or less is 8 mm.
    let height = f64::from(simulation.bodies()[0][1]);
    assert!((height - 0.5).abs() < 2.0 * down / 60.0 / f64::from(substeps), "{height} m");
}
