//! Cloth on things and on itself.

use crate::collision::{Contacts, tangles};
use crate::model::Model;
use crate::scenes::Scene;
use crate::solvers::Method;
use crate::{ModelError, Simulation};

/// A flat sheet is not tangled; one corner pushed through another part is, and such a cloth is refused.
#[test]
fn tangles_are_counted_and_refused() {
    let model = Scene::find("twist").unwrap().model(Some(8)).unwrap();
    let mut x = model.positions().to_vec();
    assert_eq!(tangles(&x, model.triangles()), 0);
    // The corner goes over the sheet and through it.
    (x[0], x[1][1], x[8][1]) = ([0.04, -0.02, 0.05], 0.05, 0.05);
    let count = tangles(&x, model.triangles());
    assert!(count > 0);
    let mut tangled = Model::new();
    for x in &x {
        tangled.add_particle(x.map(f64::from), [0.0; 3], 1.0).unwrap();
    }
    let contacts =
        Contacts { cloths: model.contacts().unwrap().cloths.clone(), ..Contacts::default() };
    let Err(ModelError::Value { value, .. }) = tangled.set_contacts(contacts) else {
        panic!("a tangled cloth was taken");
    };
    assert_eq!(value, count as f64);
}

/// Steps a scene for `frames`, with its check in every one.
fn checked(name: &str, size: usize, frames: usize) -> Simulation {
    let scene = Scene::find(name).unwrap();
    let model = scene.model(Some(size)).unwrap();
    let mut simulation = Simulation::new(model, Method::Lanes, 2).unwrap();
    for frame in 0..frames {
        simulation.step();
        let seen = (scene.check)(simulation.model(), &simulation.snapshot());
        seen.unwrap_or_else(|what| panic!("{name}:{size}, frame {frame}: {what}"));
    }
    simulation
}

/// Draped over a ball, a cloth comes to rest: no faster than 1 cm/s, no deeper than half its radius, not tangled.
#[test]
fn a_draped_cloth_comes_to_rest() {
    let end = checked("drape", 20, 360);
    let fastest = |v: &[f32; 3]| f64::from((v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt());
    let v = end.velocities().iter().map(fastest).fold(0.0, f64::max);
    println!("drape:20 after 6 s: {v:.1e} m/s");
    assert!(v < 0.01, "{v} m/s");
}

/// Layers of a fold stay in order (the scene's check).
#[test]
fn a_fold_keeps_its_layers() {
    checked("fold", 16, 240);
}

/// Two full turns: how many edges pass through triangles, in every frame.
#[test]
fn a_wrung_cloth_is_not_tangled() {
    let model = Scene::find("twist").unwrap().model(Some(24)).unwrap();
    let mut simulation = Simulation::new(model, Method::Lanes, 2).unwrap();
    let mut counts = Vec::new();
    for _ in 0..250 {
        simulation.step();
        let triangles = simulation.model().triangles();
        counts.push(tangles(&simulation.positions(), triangles));
    }
    let worst = counts.iter().max().unwrap();
    let frames = counts.iter().filter(|count| **count > 0).count();
    println!("twist:24: {frames} frames tangled, {worst} edges at most: {counts:?}");
    assert_eq!(*worst, 0);
}
