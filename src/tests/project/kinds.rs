//! Scenes of one kind, as reports take them apart.

use crate::bench::inspect;
use crate::scenes::Scene;

/// The kinds of the sources have scenes in which their rows alone stand, colored and numbered for run packets.
#[test]
fn kinds_have_scenes_of_their_own() {
    for (kind, colors) in [
        ("distance", 8),
        ("tether", 8),
        ("bending", 12),
        ("isometric_bending", 12),
        ("volume", 20),
        ("strain_triangle", 8),
        ("strain_tetrahedron", 20),
        ("neo_hookean", 20),
        ("plane", 1),
        ("pair", 2),
        ("triangle", 4),
        ("edge_edge", 4),
    ] {
        let scene = Scene::find(&format!("kind-{kind}")).expect("a scene");
        for size in [scene.size, scene.size + 3] {
            let seen = inspect(&scene.model(Some(size)).expect("a model")).expect("an inspection");
            let [rows] = &seen.kinds[..] else {
                panic!("{} has more than one kind", scene.name);
            };
            assert_eq!(rows.kind, kind);
            let share = rows.run_share;
            println!(
                "{}:{size}: {} rows, {} colors, run share {share}",
                scene.name, rows.rows, rows.colors
            );
            if size == scene.size {
                assert_eq!(rows.colors, colors, "{}", scene.name);
            }
            assert!(share > 0.99, "{}:{size}: {share}", scene.name);
        }
    }
}
