//! Meshes of clusters in a scene file.

use super::path::Scratch;
use crate::io::read_scene;
use crate::model::Model;

/// A bar of 2 x 2 x 9 cells as a jelly, placed by these keys.
fn bar(name: &str, placed: &str) -> Model {
    let scratch = Scratch::new(name);
    let [nx, ny, nz] = [3, 3, 10];
    let mut points = String::new();
    for i in 0..nx * ny * nz {
        let at = [i % nx, i / nx % ny, i / nx / ny].map(|k| 0.1 * f64::from(k));
        points += &format!("v {} {} {}\n", at[0], at[1], at[2]);
    }
    for i in 1..nx * ny * nz - 1 {
        points += &format!("f {} {} {}\n", i, i + 1, i + 2);
    }
    scratch.write("bar.obj", &points);
    let text =
        format!(r#"{{"taut": 1, "meshes": [{{"file": "bar.obj", "as": "jelly"{placed}}}]}}"#);
    read_scene(&scratch.write("scene.json", &text), &[]).expect("a scene").model
}

/// The particles of each cluster.
fn clusters(model: &Model) -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    model.subsystems().for_each(|s| s.each_joined(&mut |cluster| all.push(cluster.to_vec())));
    all
}

/// (Cut along the axes of the world, a bar hung through by 0.028 or 0.039 m, as it was turned.)
#[test]
fn a_body_is_the_same_whichever_way_it_is_placed() {
    let upright = clusters(&bar("upright", ""));
    assert!(upright.len() > 8, "{}", upright.len());
    for (name, placed) in [
        ("askew", r#", "rotate": [0.32163376, -0.53605627, 0.21442251, 0.75047879]"#),
        ("lying", r#", "rotate": [0.70710678, 0, 0, 0.70710678], "translate": [3, 100, -7.7]"#),
        ("large", r#", "scale": 3.7, "translate": [0.1, 0.2, 0.3]"#),
    ] {
        assert_eq!(clusters(&bar(name, placed)), upright, "{name}");
    }
}
