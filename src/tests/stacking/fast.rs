//! Bodies that meet faster than they are long.

use super::body;
use crate::collision::Contacts;
use crate::model::Model;
use crate::rigid::{Body, Shape};
use crate::state::CollisionFilter;
use crate::tests::hulls::mesh_of_box;
use crate::tests::sample::Random;
use crate::{Method, Simulation};

/// Pairs of two shapes that fly at each other, each pair for itself: of 1 kg from the left, of 2 kg from the right, turned anyhow.
fn pairs(shapes: [&Shape; 2], speed: f64, random: &mut Random) -> Vec<Body> {
    let mut bodies = Vec::new();
    for pair in 0..8 {
        for (k, shape) in shapes.into_iter().enumerate() {
            let (side, mass) = ([-1.0, 1.0][k], [1.0, 2.0][k]);
            let q: [f64; 4] = std::array::from_fn(|_| random.within(-1.0, 1.0));
            let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
            let place = [side * 1.013, 3.0 * f64::from(pair), 0.0];
            let mut one = body(shape.clone(), mass, [0.0; 3]).at(place, q.map(|v| v / length));
            one.velocity = [-side * speed, 0.0, 0.0];
            one.filter = CollisionFilter { category: 1 << pair, mask: 1 << pair };
            bodies.push(one);
        }
    }
    bodies
}

/// None passes through the other unmoved, momentum is kept, and nobody makes energy. (At 1 x 10 a tenth of the boxes passed, since faces
/// that look at each other from afar do not meet, and energy doubled, since what turns by more than half a turn was read off its orientation.)
#[test]
fn bodies_that_fly_at_each_other_meet() {
    let shapes = [
        Shape::Sphere(0.05),
        Shape::Box([0.05, 0.04, 0.06]),
        Shape::Capsule([0.03, 0.05]),
        Shape::Cone([0.05, 0.05]),
        mesh_of_box([0.06, 0.03, 0.05], 2),
    ];
    let mut random = Random(5);
    for (i, a) in shapes.iter().enumerate() {
        for b in &shapes[i..] {
            for (speed, substeps, iterations) in
                [(20.0, 1, 10), (50.0, 1, 10), (100.0, 1, 10), (100.0, 4, 4), (100.0, 8, 2)]
            {
                let mut model = Model::new();
                model.settings.gravity = [0.0; 3];
                (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
                for body in pairs([a, b], speed, &mut random) {
                    model.add_body(body).expect("a body");
                }
                model.set_contacts(Contacts::default()).expect("contacts");
                let mut simulation =
                    Simulation::new(model, Method::Lanes, 1).expect("a simulation");
                let before = simulation.observe();
                (0..(72.0 / speed) as usize + 6).for_each(|_| simulation.step());
                let after = simulation.observe();
                let name = format!(
                    "{} and {} at {speed} m/s, {substeps} x {iterations}",
                    a.name(),
                    b.name()
                );
                assert!(after.energy < 1.0001 * before.energy, "{name}: {} J", after.energy);
                let changed = (after.momentum[0] - before.momentum[0]).abs();
                assert!(changed < 1e-3 * 8.0 * speed, "{name}: {changed} kg m/s");
                for pair in simulation.snapshot().body_velocities.chunks(2) {
                    let v = f64::from(pair[0][0]);
                    assert!(v < 0.98 * speed, "{name}: one goes on at {v} m/s");
                }
            }
        }
    }
}
