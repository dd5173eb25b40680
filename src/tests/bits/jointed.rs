//! Chains of bodies with joints of every kind, in all that a joint may have.

use super::worlds::body;
use crate::rigid::JointKind;
use crate::tests::models::Random;
use serde_json::{Value, json};

/// What drives it or bounds it.
fn drive(random: &mut Random, kind: &str, with_particle: bool, joint: &mut Value) {
    let swings = matches!(kind, "ball" | "orientation");
    let choice = match kind {
        "plane" | "universal" | "fixed" | "perpendicular" => return,
        "ball" if with_particle => return,
        _ => random.below(5),
    };
    if choice == 1 || choice == 4 {
        joint["limits"] = match (swings, kind) {
            (true, _) => json!([random.pick(&[0.0, 0.2]), 0.4]),
            (_, "distance") => json!([0.2, random.pick(&[0.2, 0.5])]),
            _ => json!([random.pick(&[-0.2, 0.0]), random.pick(&[0.0, 0.3])]),
        };
    }
    if choice >= 2 {
        let with_speed = choice == 3 && !with_particle;
        joint["motor"] = json!(if with_speed { "velocity" } else { "position" });
        joint["target"] = match swings {
            true => json!(random.point().map(|v| v * 1.5)),
            false => json!(random.pick(&[0.0, 0.3, if kind == "distance" { 0.5 } else { -0.8 }])),
        };
        if random.one_in(2) {
            joint["max_force"] = json!(random.pick(&[0.5, 20.0]));
        }
    }
}

fn joint(random: &mut Random, kind: JointKind, anchor: [f64; 3], with_particle: bool) -> Value {
    let name = kind.name();
    let mut joint = json!({"kind": name});
    if kind.has_anchor() {
        joint["anchor"] = json!(anchor);
    }
    drive(random, name, with_particle, &mut joint);
    let swings = matches!(name, "ball" | "orientation");
    if (swings && joint["limits"].is_array())
        || !matches!(name, "ball" | "orientation" | "fixed" | "distance")
    {
        joint["axis"] = json!(random.pick(&[[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.3, 1.0, -0.4]]));
    }
    if random.one_in(4) {
        joint["compliance"] = json!(random.pick(&[1e-5, 1e-3]));
    }
    for name in ["break_force", "break_torque"] {
        if random.one_in(6) {
            joint[name] = json!(random.pick(&[0.5, 15.0]));
        }
    }
    joint
}

/// Adds a chain that hangs from the world, in it each kind of joint now and then, and particles at some of its bodies.
pub(super) fn joints(random: &mut Random, scene: &mut Value) {
    let count = 3 + random.below(4);
    let place = |i: usize| [0.5 * i as f64, 0.2 * (i % 2) as f64, 0.0];
    let mut all = Vec::new();
    let mut bodies = Vec::new();
    for i in 0..count {
        let mut body = body(random, place(i), 1.0);
        body.as_object_mut().expect("a body").remove("fixed");
        bodies.push(body);
        let anchor = [0.5 * i as f64 - 0.25, random.within(0.0, 0.2), 0.0];
        let kind = random.pick(&JointKind::ALL);
        let mut one = joint(random, kind, anchor, false);
        one["bodies"] = json!(match i {
            0 => [-1, 0],
            _ if random.one_in(2) => [i as i32 - 1, i as i32],
            _ => [i as i32, i as i32 - 1],
        });
        all.push(one);
    }
    if random.one_in(2) {
        let mut loose = joint(random, JointKind::Distance, [0.0, 0.3, 0.1], false);
        loose["bodies"] = json!([0, count - 1]);
        all.push(loose);
    }
    let held = random.below(4);
    let at: Vec<_> = (0..=held).map(|p| [0.4 * p as f64, -0.3, 0.1]).collect();
    let weights: Vec<_> = at.iter().map(|_| random.pick(&[0.0, 1.0, 4.0])).collect();
    scene["particles"] = json!({"position": at, "inverse_mass": weights});
    for (p, anchor) in at.iter().enumerate().take(held) {
        let kind =
            random.pick(&[JointKind::Ball, JointKind::Line, JointKind::Plane, JointKind::Distance]);
        let mut one = joint(random, kind, *anchor, true);
        one["body"] = json!(random.below(count));
        one["particle"] = json!(p);
        all.push(one);
    }
    let push = json!({"body": count - 1, "force": random.point().map(|v| 5.0 * v), "torque": random.point()});
    scene["forces"] = json!([push]);
    scene["bodies"] = json!(bodies);
    scene["joints"] = json!(all);
}
