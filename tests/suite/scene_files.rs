//! The scene files that come with the project run.

use crate::common::taut;

#[test]
fn every_scene_file_runs() {
    let mut found = 0;
    for entry in std::fs::read_dir("scenes").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|kind| kind != "json") {
            continue; // meshes that they name
        }
        let name = path.to_str().unwrap();
        let run = taut(&["run", name, "--frames", "30", "--json", "-"]).json();
        assert_eq!(run["finite"], true, "{name}");
        found += 1;
    }
    assert!(found > 0);
}
