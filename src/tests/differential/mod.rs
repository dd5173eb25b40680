//! Random small scenes of all parts: methods that promise the same bits keep it, on any number of threads.
//!
//! `scalar` = `ordered` and `colored` = `lanes`; `jacobi` and `hybrid`, which run rows alone, on 1, 2 and 3 threads. Scenes are
//! files, so that all that files can say is met.

pub(super) mod scenes;

use crate::io::read_scene;
use crate::solvers::Method;
use crate::tests::models::{Random, bits, simulate};
use crate::{Model, Snapshot};
use scenes::{Folder, scene};
use serde_json::json;
use std::fs;
use std::path::Path;

fn state_after(read: &impl Fn() -> Model, method: Method, threads: usize) -> Snapshot {
    let simulation = simulate(read(), method, threads, 8);
    simulation.snapshot()
}

/// What breaks a promise in the scenes of some seeds, and how many of them are valid.
fn differences(folder: &Path, seeds: impl Iterator<Item = u64>) -> (Vec<String>, usize) {
    let (mut broken, mut valid) = (Vec::new(), 0);
    for seed in seeds {
        let mut random = Random(seed);
        let plain = random.one_in(4);
        let text = scene(&mut random, plain).to_string();
        let path = folder.join("scene.json");
        fs::write(&path, &text).unwrap();
        let read = || read_scene(&path, &[]).map(|file| file.model);
        if read().is_err() {
            continue; // a mesh that is entangled where it stands, and the like
        }
        valid += 1;
        let read = || read().unwrap();
        let mut compare = |one: (Method, usize), others: &[(Method, usize)]| {
            let expected = bits(&state_after(&read, one.0, one.1));
            for &(method, threads) in others {
                if bits(&state_after(&read, method, threads)) != expected {
                    let (one, many) = (one.0.name(), method.name());
                    broken.push(format!("seed {seed}: {one} and {many}@{threads}: {text}"));
                }
            }
        };
        let on_threads = |method| [(method, 1), (method, 2), (method, 3)];
        compare((Method::Scalar, 1), &on_threads(Method::Ordered));
        compare((Method::Colored, 1), &on_threads(Method::Lanes));
        // Nine runs more: of the many scenes with more than rows, every eighth.
        if plain || seed < 120 || seed % 8 == 0 {
            for method in [Method::Jacobi, Method::Hybrid, Method::Impulse] {
                compare((method, 1), &on_threads(method)[1..]);
            }
        }
    }
    (broken, valid)
}

fn check(name: &str, seeds: impl Iterator<Item = u64> + Clone) {
    let folder = Folder::new(name);
    let count = seeds.clone().count();
    let (broken, valid) = differences(&folder.0, seeds);
    println!("{valid} scenes of {count}");
    assert!(broken.is_empty(), "{}\n{} in all", broken.join("\n"), broken.len());
    assert!(valid > count * 3 / 4, "{valid} scenes of {count} are valid");
}

#[test]
fn random_scenes_have_the_same_bits_by_all_methods() {
    // In the last one a contact acts beside particles that are no longer finite.
    check("differential", (0..120).chain([2235]));
}

// Three tests, so that they share the cores; the slow scenes fall on all of them.
#[test]
#[ignore = "minutes"]
fn many_random_scenes_have_the_same_bits_by_all_methods() {
    check("differential_many", (1000..2500).step_by(3));
}

#[test]
#[ignore = "minutes"]
fn more_random_scenes_have_the_same_bits_by_all_methods() {
    check("differential_more", (1001..2500).step_by(3));
}

#[test]
#[ignore = "minutes"]
fn still_more_random_scenes_have_the_same_bits_by_all_methods() {
    check("differential_still_more", (1002..2500).step_by(3));
}

/// Cloth with thick contacts against itself, and a cloth under a mesh body: what is found does not depend on the storage.
#[test]
fn crowded_contacts_are_found_in_authored_order() {
    let folder = Folder::new("crowded");
    let cloth = json!([{"file": "grid.obj", "as": "cloth", "translate": [-0.4, 0, 0]}]);
    let spins = json!([{"shape": "mesh", "size": {"file": "cube.obj", "scale": 0.3}, "mass": 1}]);
    let own = json!([{"mesh": 0, "thickness": 1}]);
    for scene in [
        json!({"taut": 1, "meshes": cloth, "contacts": {"radius": 1, "pairs": true, "self": own}}),
        json!({"taut": 1, "meshes": cloth, "bodies": spins, "contacts": {"radius": 0.1, "pairs": true}}),
    ] {
        let path = folder.0.join("scene.json");
        fs::write(&path, scene.to_string()).unwrap();
        let read = || read_scene(&path, &[]).unwrap().model;
        for steps in [2, 40] {
            let run = |method| {
                let simulation = simulate(read(), method, 1, steps);
                bits(&simulation.snapshot())
            };
            assert!(run(Method::Scalar) == run(Method::Ordered), "{scene}");
        }
    }
}

/// A particle so far away that squares overflow stays as it is, whichever others touch something beside it.
#[test]
fn a_particle_far_away_is_no_contact() {
    let folder = Folder::new("far");
    let near: Vec<_> = (0..12).map(|i| [f64::from(i) * 0.1, 0.2, 0.0]).collect();
    for (k, shape) in ["sphere", "box", "capsule"].into_iter().enumerate() {
        let mut positions = vec![[2e19, 0.0, 0.0]];
        positions.extend(&near);
        let collider = [
            json!({"shape": shape, "center": [0, 0, 0], "radius": 0.3, "friction": 0.5}),
            json!({"shape": shape, "center": [0, 0, 0], "half_size": [0.3, 0.3, 0.3], "friction": 0.5}),
            json!({"shape": shape, "a": [0, 0, 0], "b": [1, 0, 0], "radius": 0.3, "friction": 0.5}),
        ];
        let particles = json!({"position": positions});
        // What is not there is not measured either.
        let scene = json!({"taut": 1, "particles": particles, "colliders": [collider[k]],
            "iterations": 6, "tolerance": 1e-4});
        let path = folder.0.join("scene.json");
        fs::write(&path, scene.to_string()).unwrap();
        let read = || read_scene(&path, &[]).unwrap().model;
        for state in Method::ALL.map(|method| state_after(&read, method, 1)) {
            assert!(state.finite(), "{shape}");
            assert_eq!(state.positions[0][0], 2e19);
        }
        let same =
            |a, b| assert!(bits(&state_after(&read, a, 1)) == bits(&state_after(&read, b, 1)));
        same(Method::Scalar, Method::Ordered);
        same(Method::Colored, Method::Lanes);
    }
}
