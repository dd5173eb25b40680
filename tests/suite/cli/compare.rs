//! `taut compare`: tables and pictures that agree, and what it refuses.

use crate::common::{folder, taut};

#[test]
fn every_method_beside_the_others() {
    let folder = folder("compare");
    let out = folder.join("new").join("folder");
    let target = out.to_str().unwrap();
    taut(&["compare", "cloth:6", "--frames", "3", "--out", target]).done();
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    let frames = read("frames.csv");
    let mut lines = frames.lines();
    let header = lines.next().unwrap();
    assert!(header.starts_with("run,frame,time [s],step [ms],residual [m]"), "{header}");
    let names = [
        "scalar",
        "colored",
        "lanes",
        "ordered",
        "jacobi",
        "hybrid",
        "impulse",
        "lanes response=pbd",
        "lanes response=xpbd",
        "lanes substeps=10 iterations=1",
    ];
    for name in names {
        let own = format!("{name},");
        assert_eq!(frames.lines().filter(|l| l.starts_with(&own)).count(), 3, "{name}");
    }
    assert_eq!(lines.count(), 3 * names.len());
    // Methods of one order have the same numbers, but for the time of a step.
    let column = |name: &str, frame: usize, at: usize| {
        let begin = format!("{name},{frame},");
        let line = frames.lines().find(|l| l.starts_with(&begin)).unwrap();
        line.split(',').nth(at).unwrap().parse::<f64>().unwrap()
    };
    for at in [2, 4, 5, 6] {
        assert_eq!(column("lanes", 3, at), column("colored", 3, at));
        assert_eq!(column("scalar", 3, at), column("ordered", 3, at));
    }
    assert_ne!(column("jacobi", 3, 4), column("lanes", 3, 4));
    let converged = read("convergence.csv");
    assert!(converged.lines().any(|l| l.starts_with("jacobi sum,")), "{converged}");
    let page = read("index.html");
    for (picture, axis) in [
        ("residual.svg", "residual [m]"),
        ("energy.svg", "energy [J]"),
        ("momentum.svg", "momentum [kg m/s]"),
        ("angular_momentum.svg", "angular momentum [kg m²/s]"),
        ("time.svg", "step [ms]"),
        ("iterations.svg", "iterations"),
        ("milliseconds.svg", "step [ms]"),
    ] {
        let svg = read(picture);
        assert!(svg.contains(axis) && svg.contains("hybrid"), "{picture}");
        assert!(page.contains(picture), "{picture}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{picture}");
    }
}

#[test]
fn some_methods_of_a_closed_surface() {
    let out = folder("compare some");
    let target = out.to_str().unwrap();
    let methods = ["--methods", "jacobi,impulse"];
    let call = ["compare", "sphere:1", "--frames", "2", "--out", target];
    taut(&[&call[..], &methods[..]].concat()).done();
    let frames = std::fs::read_to_string(out.join("frames.csv")).unwrap();
    assert!(frames.lines().next().unwrap().ends_with("volume [m3]"));
    assert_eq!(frames.lines().count(), 1 + 2 * 2);
    assert!(out.join("volume.svg").exists());
}

#[test]
fn what_is_refused() {
    let out = folder("compare refused");
    let target = out.to_str().unwrap();
    for (arguments, says) in [
        (vec!["compare", "nothing", "--out", target], "nothing"),
        (vec!["compare", "cloth:4", "--methods", "fast", "--out", target], "fast"),
        (vec!["compare", "cloth:4"], "--out"),
    ] {
        let call = taut(&arguments);
        assert_eq!(call.code, 2, "{arguments:?}");
        assert!(call.stderr.contains(says), "{arguments:?}: {}", call.stderr);
    }
}
