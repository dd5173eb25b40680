//! `taut profile`: a flamegraph where it was asked for, and the phases' shares.

use crate::common::{folder, taut};

#[test]
fn a_flamegraph_of_a_run() {
    let out = folder("profile").join("flame.svg");
    let path = out.to_str().unwrap();
    let call = taut(&["profile", "rope:9/scalar", "--seconds", "0.5", "--out", path]);
    let said = call.done();
    for word in ["predict", "project distance", "velocity", "samples", "in named phases"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let svg = std::fs::read_to_string(&out).unwrap();
    assert!(
        svg.contains("taut rope:9/scalar")
            && svg.contains("project distance")
            && svg.ends_with("</svg>")
    );
    assert_eq!(std::fs::read_dir(out.parent().unwrap()).unwrap().count(), 1);
    let none = out.with_file_name("none.svg");
    let path = none.to_str().unwrap();
    let failed = taut(&["profile", "rope:9", "--seconds", "0", "--out", path]);
    assert!(failed.refused(2).contains("more than 0") && !none.exists());
    taut(&["profile", "rope:9", "--seconds=-1", "--out", path]).refused(2);
    let nowhere = out.with_file_name("no").join("flame.svg");
    taut(&["profile", "rope:9", "--out", nowhere.to_str().unwrap()]).refused(2);
}
