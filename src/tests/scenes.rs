//! The catalogue: every scene passes its own check.

use crate::Simulation;
use crate::scenes;
use crate::solvers::Method;

/// Every scene, small and odd sizes too, a second by lanes.
#[test]
fn every_scene_passes_its_check() {
    let mut wrong = Vec::new();
    for scene in scenes::all() {
        for size in [scene.sizes.0, scene.sizes.0 + 4, scene.size.min(scene.sizes.0 + 30)] {
            if size > scene.size.max(scene.sizes.0 + 4).min(scene.sizes.1) {
                continue;
            }
            let model = scene.model(Some(size)).expect("a model");
            let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
            for step in 0..60 {
                simulation.step();
                if let Err(what) = (scene.check)(simulation.model(), &simulation.snapshot()) {
                    wrong.push(format!("{}:{size}, step {step}: {what}", scene.name));
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a check looks for late comes to pass: a flag that streams, metal that stays bent, wax that runs, balls that heap up.
#[test]
fn scenes_come_to_what_they_check_late() {
    for (name, size, seconds) in
        [("flag", 12, 3.5), ("bent-metal", 1, 2.5), ("melt", 5, 4.7), ("hourglass", 300, 6.1)]
    {
        let model = scenes::Scene::find(name).expect("a scene").model(Some(size)).expect("a model");
        let check = scenes::Scene::find(name).expect("a scene").check;
        let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
        while simulation.time() < seconds {
            simulation.step();
            let outcome = check(simulation.model(), &simulation.snapshot());
            assert_eq!(outcome, Ok(()), "{name}:{size} after {} s", simulation.time());
        }
    }
}
