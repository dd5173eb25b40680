//! The experiments: those that take no time hold here too, and the documents know all of them.

use crate::experiments::all;
use std::collections::BTreeSet;
use std::fs;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What takes seconds, or is timed.
const LONG: [&str; 6] =
    ["pbd-xpbd", "free-flow", "equal-residual", "color-balance", "mobile", "every-method"];

#[test]
fn claims_hold() {
    let short = all().filter(|experiment| !LONG.contains(&experiment.name));
    for experiment in short {
        let name = experiment.name;
        let report = (experiment.run)().expect(name);
        assert!(!report.claims.is_empty() && !report.figures.is_empty(), "{name}");
        for claim in &report.claims {
            assert!(claim.holds, "{name}: {}", claim.what);
        }
        for figure in &report.figures {
            let points = figure.curves.iter().map(|curve| curve.points.len());
            assert_eq!(figure.csv().lines().count(), 1 + points.sum::<usize>(), "{name}");
        }
    }
}

#[test]
fn experiments_are_listed_once_and_described() {
    let page = fs::read_to_string(format!("{ROOT}/docs/experiments.md")).expect("the page");
    let names: Vec<&str> = all().map(|experiment| experiment.name).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    assert!(LONG.iter().all(|name| names.contains(name)));
    let headings: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    let expected =
        |e: &crate::experiments::Experiment| format!("`{}` ({})", e.name, e.ids.join(", "));
    assert_eq!(headings, all().map(expected).collect::<Vec<_>>());
}
