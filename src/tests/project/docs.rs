//! The documents of the project agree with it: their links lead somewhere, ids of sources are explained, and
//! `docs/scene-format.md` knows every kind, method and setting.

use crate::constraints::kinds;
use crate::scenes::Scene;
use crate::solvers::Method;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// All files below a folder whose names end so.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if path.is_dir() && !hidden && entry.file_name() != "target" {
            files(&path, ending, found);
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
}

pub(super) fn of_project(ending: &str) -> Vec<(PathBuf, String)> {
    let mut paths = Vec::new();
    files(Path::new(ROOT), ending, &mut paths);
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("text");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn links_lead_to_files_of_the_project() {
    let documents = of_project(".md");
    assert!(documents.len() >= 8);
    for (path, text) in documents {
        let folder = path.parent().expect("a folder");
        for link in text.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap_or_default();
            if !target.starts_with("http") && !target.is_empty() {
                let there = folder.join(target).canonicalize();
                let inside = there.is_ok_and(|p| p.starts_with(fs::canonicalize(ROOT).unwrap()));
                assert!(inside, "{}: {target}", path.display());
            }
        }
    }
}

/// Ids such as `S1-28`: a letter S, a digit, a dash, two digits.
pub(super) fn ids(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    words.filter(|word| {
        let [s, source, dash, a, b] = word.as_bytes() else {
            return false;
        };
        (*s, *dash) == (b'S', b'-') && [source, a, b].iter().all(|d| d.is_ascii_digit())
    })
}

#[test]
fn ids_of_sources_are_explained() {
    let page = fs::read_to_string(format!("{ROOT}/docs/sources.md")).expect("the page");
    let rows = page.lines().filter_map(|line| line.split('|').nth(1));
    let explained: BTreeSet<&str> = rows.map(str::trim).collect();
    let mut seen = 0;
    for (path, text) in [".rs", ".md"].into_iter().flat_map(of_project) {
        for id in ids(&text) {
            seen += 1;
            assert!(explained.contains(id), "{}: {id}", path.display());
        }
    }
    assert!(seen > 200, "{seen} ids");
}

/// The phases that a step is timed by are those that the page on sources puts beside the five of S0-01.
#[test]
fn phases_have_names() {
    let page = fs::read_to_string(format!("{ROOT}/docs/sources.md")).expect("the page");
    let row = page.lines().find(|line| line.starts_with("| S0-01 |")).expect("the row");
    let scene = Scene::find("cloth").expect("a scene");
    for method in [Method::Scalar, Method::Lanes] {
        let model = scene.model(Some(4)).expect("a model");
        let mut simulation = crate::Simulation::new(model, method, 1).expect("a run");
        simulation.step();
        let timers = simulation.timers();
        let names: Vec<&str> = timers.phases().iter().map(|phase| phase.name.as_str()).collect();
        let expected = ["predict", "velocity", "search", "respond", "project distance"];
        assert_eq!(names[..5], expected, "{method:?}");
        for name in names {
            let general = name.replace("distance", "KIND");
            assert!(row.contains(&format!("`{general}`")), "{method:?}: {name}");
        }
    }
}

#[test]
fn the_scene_format_is_complete() {
    let page = fs::read_to_string(format!("{ROOT}/docs/scene-format.md")).expect("the page");
    let mut words: Vec<&str> = kinds().iter().map(|kind| kind.name).collect();
    words.extend(Method::ALL.map(Method::name));
    words.extend(crate::groups::KINDS.map(|(name, _)| name));
    words.extend(crate::rigid::JointKind::ALL.map(|kind| kind.name()));
    for word in words {
        assert!(page.contains(&format!("`{word}`")), "{word} is missing");
    }
}

/// Reads a scene given as text.
#[cfg(feature = "files")]
fn scene(name: &str, text: &str) -> Result<crate::io::SceneFile, crate::io::ReadError> {
    let path = std::env::temp_dir().join(format!("taut-{name}-{}.json", std::process::id()));
    fs::write(&path, text).expect("a file");
    let file = crate::io::read_scene(&path, &[]);
    fs::remove_file(&path).expect("the file");
    file
}

/// An unknown key is refused with the known ones: all settings and sections.
#[cfg(feature = "files")]
#[test]
fn the_scene_format_knows_every_key() {
    let page = fs::read_to_string(format!("{ROOT}/docs/scene-format.md")).expect("the page");
    let error = scene("keys", r#"{"taut": 1, "?": 0}"#).err().expect("an error");
    let message = error.to_string();
    let (_, known) = message.split_once("known:").expect("the known keys");
    let keys = known.split(';').next().unwrap_or_default().split_whitespace();
    assert!(keys.clone().count() >= 29, "{known}");
    for key in keys {
        let forms = [format!("`{key}`"), format!("\"{key}\"")];
        assert!(forms.iter().any(|form| page.contains(form)), "{key} is missing");
    }
}

/// Every file of `scenes/` names the schema, is read without a warning and stays finite for half a second.
#[cfg(feature = "files")]
#[test]
fn scene_files_are_read_and_run() {
    let mut paths = Vec::new();
    files(&Path::new(ROOT).join("scenes"), ".json", &mut paths);
    assert!(paths.len() >= 12, "{} files", paths.len());
    for path in paths {
        let name = path.display();
        let text = fs::read_to_string(&path).expect("text");
        assert!(text.contains(r#""$schema": "../docs/scene.schema.json""#), "{name}");
        let file = crate::io::read_scene(&path, &[]).expect("a scene");
        assert_eq!(file.warnings, [""; 0], "{name}");
        let mut simulation = crate::Simulation::new(file.model, Method::Lanes, 1).expect("a run");
        (0..30).for_each(|_| simulation.step());
        assert!(simulation.snapshot().finite(), "{name}");
    }
}

/// The example of the page is read and runs.
#[cfg(feature = "files")]
#[test]
fn the_example_of_the_scene_format_is_a_scene() {
    let page = fs::read_to_string(format!("{ROOT}/docs/scene-format.md")).expect("the page");
    let example = page.split("```json").nth(1).expect("an example");
    let example = example.split("```").next().expect("its end");
    let file = scene("example", example).expect("a scene");
    assert_eq!(file.warnings, [""; 0]);
    assert_eq!([file.model.positions().len(), file.model.bodies().len()], [8, 2]);
    let mut simulation = crate::Simulation::new(file.model, Method::Lanes, 1).expect("a run");
    (0..60).for_each(|_| simulation.step());
    assert!(simulation.snapshot().finite());
}
