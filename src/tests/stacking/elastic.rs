//! Boxes that rebound with e = 1 in a row.

use super::body;
use crate::collision::Contacts;
use crate::model::Model;
use crate::rigid::Shape;
use crate::{Method, Simulation};

const SETTINGS: [(u32, u32); 5] = [(1, 10), (4, 4), (10, 1), (20, 1), (40, 1)];

/// A box that flies flat at a row of four sends the last away, also where its way in a substep ends just where they meet.
#[test]
fn a_blow_goes_through_a_row_of_boxes() {
    for (substeps, iterations) in SETTINGS {
        let mut model = Model::new();
        (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
        model.settings.gravity = [0.0; 3];
        for (x, v) in [(-0.1, 0.3), (0.205, 0.0), (0.41, 0.0), (0.615, 0.0), (0.82, 0.0)] {
            let mut one = body(Shape::Box([0.1; 3]), 1.0, [x, 0.0, 0.0]);
            (one.restitution, one.velocity) = (Some(1.0), [v, 0.0, 0.0]);
            model.add_body(one).expect("a box");
        }
        model.set_contacts(Contacts::default()).expect("contacts");
        let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a row");
        (0..120).for_each(|_| simulation.step());
        let v = simulation.snapshot().body_velocities;
        assert!((v[4][0] - 0.3).abs() < 1e-3, "{substeps} x {iterations}: {v:?}");
        let rest = v[..4].as_flattened().iter().all(|v| v.abs() < 3e-3);
        assert!(rest, "{substeps} x {iterations}: {v:?}");
    }
}
