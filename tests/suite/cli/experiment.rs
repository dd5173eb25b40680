//! `taut experiment`: a list, files that agree, and what is refused.

use crate::common::{folder, taut};

#[test]
fn a_figure_and_its_table() {
    let folder = folder("experiment");
    let out = folder.join("new");
    let target = out.to_str().unwrap();
    let call = taut(&["experiment", "stiffness-time-step", "--out", target]);
    let said = call.done();
    assert_eq!(said.matches("holds").count(), 2, "{said}");
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    let table = read("stiffness-time-step.csv");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("curve,time step [s],too long by [m]"));
    assert_eq!(lines.filter(|line| line.starts_with("\"PBD, k = 0.1\"")).count(), 5);
    let picture = read("stiffness-time-step.svg");
    for text in ["time step [s]", "XPBD", "S1-18", "10 iterations", "taut 0."] {
        assert!(picture.contains(text), "{text}");
    }
    assert!(!picture.contains("NaN"));
}

#[test]
fn the_list_and_what_is_refused() {
    let call = taut(&["experiment", "--list"]);
    let list = call.done();
    assert!(list.lines().count() > 15 && list.contains("S1-35"), "{list}");
    let folder = folder("no experiment");
    let out = folder.join("out");
    let target = out.to_str().unwrap();
    let call = taut(&["experiment", "stifness", "--out", target]);
    let unknown = call.refused(2);
    assert!(unknown.contains("`stiffness`"), "{unknown}");
    assert!(!out.exists());
    taut(&["experiment", "stiffness"]).refused(2);
    taut(&["experiment", "--all", "stiffness", "--out", target]).refused(2);
    taut(&["experiment"]).refused(2);
}
