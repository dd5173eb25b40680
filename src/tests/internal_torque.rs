//! What corrections inside a component make of nothing is taken out, what comes from outside stays.

use crate::collision::Contacts;
use crate::constraints::{Distance, Volume};
use crate::math::Vec3;
use crate::mesh::unique_edges;
use crate::model::Model;
use crate::observe::observe;
use crate::rows::Stiffness;
use crate::scenes::Scene;
use crate::tests::models::floor;
use crate::{Method, Simulation};

fn smooth_floor(radius: f64) -> Contacts {
    Contacts { colliders: vec![floor()], radius, friction: Some(0.0), ..Contacts::default() }
}

fn wide(x: &[f32; 3]) -> Vec3<f64> {
    Vec3::of(x.map(f64::from))
}

/// A block of edges and volumes on a smooth floor, one substep of twenty iterations: in twenty seconds it turns less than 0.1°.
#[test]
fn a_soft_block_on_a_smooth_floor_does_not_turn() {
    let block = Scene::find("kind-volume").unwrap().model(Some(3)).unwrap();
    let cells = block.rows()[0].row_list().particles.as_chunks::<4>().0;
    let least = block.positions().iter().map(|x| x[1]).fold(f32::INFINITY, f32::min);
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (1, 20);
    for &[x, y, z] in block.positions() {
        model.add_particle([x, y - least + 0.01, z].map(f64::from), [0.0; 3], 1.0).unwrap();
    }
    for edge in unique_edges(cells) {
        model.add(Distance, edge, [None], Stiffness::Factor(0.5)).unwrap();
    }
    for &cell in cells {
        model.add(Volume, cell, [None], Stiffness::Factor(1.0)).unwrap();
    }
    model.set_contacts(smooth_floor(0.01)).unwrap();
    let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
    let start = simulation.snapshot().positions;
    (0..1200).for_each(|_| simulation.step());
    let end = simulation.snapshot().positions;
    let middle = |x: &[[f32; 3]]| {
        x.iter().map(wide).fold(Vec3::zero(), |a, b| a + b) * (1.0 / x.len() as f64)
    };
    let (from, to) = (middle(&start), middle(&end));
    // The turn about the vertical that fits best.
    let (mut sin, mut cos) = (0.0, 0.0);
    for (a, b) in start.iter().zip(&end) {
        let (a, b) = (wide(a) - from, wide(b) - to);
        sin += a.z * b.x - a.x * b.z;
        cos += a.x * b.x + a.z * b.z;
    }
    let turn = sin.atan2(cos).to_degrees();
    println!("a soft block turned by {turn:.4}°");
    assert!(turn.abs() < 0.1, "{turn}°");
}

/// A rod of two particles falls on its lower end. The floor's impulse P turns it as it should: L = r × P about the center.
#[test]
fn a_floor_turns_a_rod() {
    for method in [Method::Scalar, Method::Lanes] {
        let mut model = Model::new();
        model.settings.iterations = 40;
        model.add_particle([-0.4, 0.5, 0.0], [0.0; 3], 1.0).unwrap();
        model.add_particle([0.4, 0.9, 0.0], [0.0; 3], 0.5).unwrap();
        model.add(Distance, [0, 1], [None], Stiffness::Factor(1.0)).unwrap();
        model.set_contacts(smooth_floor(0.05)).unwrap();
        let mut simulation = Simulation::new(model, method, 1).unwrap();
        let (mut falling, mut frames) = (0.0, 0);
        while simulation.observe().momentum[1] <= falling + 1e-3 {
            falling = simulation.observe().momentum[1] - 3.0 * 9.81 / 60.0;
            simulation.step();
            frames += 1;
            assert!(frames < 60, "it must land");
        }
        let state = simulation.snapshot();
        let seen = observe(simulation.model(), &state, &[]);
        let [a, b] = [0, 1].map(|i| wide(&state.positions[i]));
        let center = a * (1.0 / 3.0) + b * (2.0 / 3.0);
        let own: Vec3<f64> =
            Vec3::of(seen.angular_momentum) - center.cross(Vec3::of(seen.momentum));
        // Where the floor pressed: before the rod turned.
        let arm = (a.x - center.x).signum() * 0.8 * 2.0 / 3.0;
        let expected = arm * (seen.momentum[1] - falling);
        println!("{method:?}: L {:.4} for {expected:.4} kg m²/s", own.z);
        assert!((own.z / expected - 1.0).abs() < 0.02, "{method:?}: {} for {expected}", own.z);
    }
}
