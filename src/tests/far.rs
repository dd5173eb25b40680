//! Coordinates whose squares or products overflow: every scene stays finite by every method, and methods that promise equal bits
//! keep it.

use super::models::{Random, bits};
use crate::scenes::{self, Scene};
use crate::{Method, Simulation, Snapshot};

/// From where |d|² of f32 is lost to where coordinates end (m).
const FAR: [f32; 4] = [1e19, 1e20, 1e25, 3e38];

/// States of the scene with one particle and one body far away, and with all of it blown up.
fn far_states(start: &Snapshot) -> Vec<Snapshot> {
    let mut random = Random(1);
    let mut states = Vec::new();
    for far in FAR {
        let mut one = Snapshot { carried: Vec::new(), ..start.clone() };
        let mut all = one.clone();
        if !one.positions.is_empty() {
            let at = random.below(one.positions.len());
            one.positions[at][random.below(3)] = far;
        }
        if !one.bodies.is_empty() {
            one.bodies[random.below(start.bodies.len())][random.below(3)] = -far;
        }
        let largest = all.positions.as_flattened().iter().fold(1.0_f32, |m, x| m.max(x.abs()));
        for x in all.positions.as_flattened_mut() {
            *x = *x / largest * far;
        }
        for body in &mut all.bodies {
            body[..3].iter_mut().for_each(|x| *x = *x / 100.0 * far);
        }
        states.extend([one, all]);
    }
    states
}

/// What a frame from each far state leaves.
fn outcomes(scene: &Scene, method: Method) -> Vec<Snapshot> {
    let model = scene.model(Some(scene.sizes.0)).expect("a model");
    let mut simulation = Simulation::new(model, method, 1).expect("a simulation");
    let states = far_states(&simulation.snapshot());
    let after = |state: &Snapshot| {
        simulation.restore(state);
        simulation.step();
        simulation.snapshot()
    };
    states.iter().map(after).collect()
}

#[test]
fn far_away_every_scene_is_finite_and_the_same_by_all_methods() {
    let mut wrong = Vec::new();
    for scene in scenes::all() {
        let by = Method::ALL.map(|method| (method, outcomes(scene, method)));
        for (method, states) in &by {
            for (i, state) in states.iter().enumerate() {
                if !state.finite() {
                    wrong.push(format!("{} {} not finite in state {i}", scene.name, method.name()));
                }
            }
        }
        let of = |method| &by.iter().find(|(m, _)| *m == method).expect("all methods").1;
        let same = |a, b| of(a).iter().zip(of(b)).all(|(a, b)| bits(a) == bits(b));
        if !same(Method::Scalar, Method::Ordered) || !same(Method::Colored, Method::Lanes) {
            wrong.push(format!("{}: bits differ", scene.name));
        }
    }
    assert!(wrong.is_empty(), "{}\n{} in all", wrong.join("\n"), wrong.len());
}

/// Whatever overflows is counted, by every kind and by joints: one particle or body 1e25 m away.
#[test]
fn far_away_every_kind_is_counted() {
    for scene in scenes::all() {
        let kind = scene.name;
        // Balls and surfaces that are far apart hold.
        let holds = ["kind-plane", "kind-pair", "kind-triangle", "kind-edge_edge"].contains(&kind);
        if holds || !(kind.starts_with("kind-") || kind == "mobile") {
            continue;
        }
        let model = scene.model(Some(scene.sizes.0)).expect("a model");
        let mut simulation = Simulation::new(model, Method::Scalar, 1).expect("a simulation");
        let states = far_states(&simulation.snapshot());
        assert_eq!(simulation.observe().degenerate, 0, "{kind}");
        simulation.restore(&states[4]);
        assert!(simulation.observe().degenerate > 0, "{kind}");
    }
}
