//! Impacts of many that touch: what Newton's cradle and a billiard break do.

use super::body;
use crate::collision::Contacts;
use crate::model::Model;
use crate::rigid::Shape;
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
        let mut simulation = Simulation::new(balls(substeps, &places), method, 1).expect("a row");
        (0..60).for_each(|_| simulation.step());
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
    let mut simulation = Simulation::new(balls(10, &places), Method::Lanes, 1).expect("a break");
    (0..60).for_each(|_| simulation.step());
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
