//! Contacts of particles, held against closed forms; every order and thread count has the same bits.

mod closed_forms;
mod cloth;
mod colliders;
mod energy;
mod friction;
mod orders;
mod refused;
mod repose;
mod tangled;

use crate::Simulation;
use crate::collision::Collider;
use crate::model::Model;
use crate::solvers::Method;

fn simulate(model: Model, method: Method, steps: usize) -> Simulation {
    crate::tests::models::simulate(model, method, 1, steps)
}

fn shapes() -> Vec<(&'static str, Collider)> {
    vec![
        ("plane", Collider::plane([0.0; 3], [0.0, 2.0, 0.0]).unwrap()),
        ("sphere", Collider::sphere([0.0, -0.2, 0.0], 0.2).unwrap()),
        ("capsule", Collider::capsule([-1.0, -0.1, 0.0], [1.0, -0.1, 0.0], 0.1).unwrap()),
        ("box", Collider::cuboid([0.0, -0.1, 0.0], [0.3, 0.1, 0.3], [0.0, 0.0, 0.0, 1.0]).unwrap()),
        ("sheet", {
            let points = [[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]];
            let faces = [[0, 2, 1], [0, 3, 2]];
            Collider::mesh(&points, &faces, [0.0; 3], [0.0, 0.0, 0.0, 1.0]).unwrap()
        }),
    ]
}

/// Lets the first particle, a ball of 0.1 m, fall on y = 0; whether it hits, and how high it comes back (m).
pub(super) fn rebound(simulation: &mut Simulation) -> (bool, f64) {
    let (mut hit, mut highest) = (false, 0.0_f32);
    for _ in 0..100 {
        simulation.step();
        let height = simulation.positions()[0][1] - 0.1;
        hit |= height < 0.05;
        if hit && simulation.velocities()[0][1] > 0.0 {
            highest = highest.max(height);
        } else if highest > 0.1 {
            break;
        }
    }
    (hit, f64::from(highest))
}
