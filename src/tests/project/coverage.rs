//! `docs/coverage.md` against the sources: its ids are those of `docs/sources.md`, its files cite them, its tests exist.

use super::docs::{ids, of_project};
use crate::experiments;
use std::collections::BTreeSet;
use std::fs;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The rows of a page's tables that begin with an id: the id, and the other cells.
fn rows(page: &str) -> Vec<(String, Vec<String>)> {
    let text = fs::read_to_string(format!("{ROOT}/docs/{page}")).expect("the page");
    let row = |line: &str| {
        let mut cells = line.split(" | ").map(|cell| cell.trim_matches(['|', ' ']).to_owned());
        let id = cells.next().filter(|cell| cell.len() == 5 && ids(cell).count() == 1)?;
        Some((id, cells.collect()))
    };
    text.lines().filter_map(row).collect()
}

/// What stands between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Whether a text names an id, by itself or in a range as `S4-01 to S4-20` and `S3-01..S3-07`.
fn cites(text: &str, id: &str) -> bool {
    let ranges = text.replace(" to ", "..");
    let in_range = ranges.match_indices("..").any(|(at, _)| {
        let ends = [ranges[..at].get(at.wrapping_sub(5)..), ranges[at + 2..].get(..5)];
        let [Some(first), Some(last)] = ends.map(|end| end.filter(|end| ids(end).count() == 1))
        else {
            return false;
        };
        first[..3] == id[..3] && first <= id && id <= last
    });
    in_range || text.contains(id)
}

/// The names of all tests.
fn tests() -> BTreeSet<String> {
    let name = |text: &str| {
        let (_, after) = text.split_once("fn ")?;
        Some(after.split('(').next()?.to_owned())
    };
    let sources = of_project(".rs").into_iter();
    sources
        .flat_map(|(_, text)| text.split("#[test]").skip(1).filter_map(name).collect::<Vec<_>>())
        .collect()
}

#[test]
fn every_item_has_its_code_tests_and_experiments() {
    let covered = rows("coverage.md");
    let all =
        |rows: &[(String, Vec<String>)]| rows.iter().map(|row| row.0.clone()).collect::<Vec<_>>();
    assert_eq!(all(&covered), all(&rows("sources.md")));
    assert_eq!(covered.len(), 91);
    let tests = tests();
    for (id, cells) in &covered {
        let [code, named, shown] = &cells[..] else { panic!("{id}: {cells:?}") };
        let paths: Vec<&str> = quoted(code).collect();
        assert!(!paths.is_empty(), "{id}: no code");
        for path in paths {
            let text = fs::read_to_string(format!("{ROOT}/{path}")).expect(path);
            assert!(cites(&text, id), "{path} does not cite {id}");
        }
        assert!(quoted(named).count() > 0, "{id}: no test");
        for test in quoted(named) {
            assert!(tests.contains(test), "{id}: there is no test {test}");
        }
        let experiments = experiments::all().filter(|e| e.ids.contains(&id.as_str()));
        let expected: Vec<&str> = experiments.map(|e| e.name).collect();
        assert_eq!(quoted(shown).collect::<Vec<_>>(), expected, "{id}");
    }
}

#[test]
fn ranges_are_citations() {
    for (text, cited) in [
        ("(S4-01 to S4-20)", true),
        ("S4-02..S4-08", true),
        ("S4-07", true),
        ("S3-01..S4-20", false),
        ("S4-08..S4-09", false),
        ("é..", false),
    ] {
        assert_eq!(cites(text, "S4-07"), cited, "{text}");
    }
}
