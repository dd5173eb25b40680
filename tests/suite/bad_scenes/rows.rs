//! Rows of every registered kind with bad parameters, stiffness and particles.

use crate::common::{folder, taut, write};
use serde_json::Value;
use taut::constraints::KindInfo;

/// Keys of a row, a bad value of each, and what its refusal says.
fn bad_values(kind: &KindInfo) -> Vec<(&'static str, Value, String)> {
    let mut cases = vec![("stiffness", Value::from(1.5), "1.5".to_string())];
    if kind.name != "neo_hookean" {
        cases.push(("compliance", (-0.25).into(), "-0.25".into()));
    }
    if kind.particles > 1 {
        let mut twice = Vec::from_iter(0..kind.particles);
        twice[0] = 1;
        cases.push(("particles", twice.into(), "1 is named twice".into()));
    }
    cases.push(("particles", Value::from(vec![99; kind.particles]), "99".into()));
    for param in &kind.params {
        let value = |v: f64| match param.axis {
            Some(_) => serde_json::json!([0, v, 0]),
            None => v.into(),
        };
        cases.push((param.name, value(1e300), "1e300".into()));
        cases.push((param.name, "long".into(), "long".into()));
        if param.range.least.is_finite() {
            let low = param.range.least - 2.5;
            cases.push((param.name, value(low), low.to_string()));
        }
    }
    cases
}

/// Bad parameters, stiffness and particles of every registered kind are refused by place and value.
#[test]
fn bad_rows_of_every_kind_are_refused() {
    let folder = folder("bad rows");
    let mut wrong = Vec::new();
    for kind in taut::constraints::kinds() {
        let particles: Vec<usize> = (0..kind.particles).collect();
        let mut good = serde_json::json!({"kind": kind.name, "particles": particles});
        for param in &kind.params {
            good[param.name] = match (param.axis, param.name) {
                (Some(_), _) => serde_json::json!([0, 1, 0]),
                (None, "poisson") => 0.3.into(),
                _ => 1.5.into(),
            };
        }
        let scene = |row: &Value| {
            let places = [[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 1]];
            serde_json::json!({"taut": 1, "particles": {"position": places}, "constraints": [row]})
        };
        let path = write(&folder, "row.json", scene(&good).to_string());
        taut(&["run", &path, "--frames", "1"]).done();
        for (key, value, says) in bad_values(&kind) {
            let mut row = good.clone();
            row[key] = value;
            let path = write(&folder, "row.json", scene(&row).to_string());
            let refused = taut(&["run", &path, "--frames", "1"]);
            let line = refused.refused(2);
            if !line.contains("constraints[0]")
                || !line.contains(key.trim_end_matches('s'))
                || !line.contains(&says)
            {
                wrong.push(format!("{} {key}: {line}, without {says}", kind.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
