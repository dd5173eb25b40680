//! Small worlds of bodies at random, as scene files; each kind of world has much of one thing and some of all.

use super::jointed::joints;
use crate::tests::models::Random;
use serde_json::{Value, json};

pub(super) const UP: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// A rotation without a function that machines round differently.
fn orientation(random: &mut Random) -> [f64; 4] {
    if random.one_in(3) {
        return UP;
    }
    let q: [f64; 4] = std::array::from_fn(|_| random.within(-1.0, 1.0));
    let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
    if length < 0.1 { UP } else { q.map(|v| v / length) }
}

fn some_of(random: &mut Random, size: f64) -> [f64; 3] {
    random.point().map(|v| v * size)
}

/// A shape and its size.
fn shape(random: &mut Random) -> Value {
    let s = random.pick(&[0.6, 1.0, 1.0, 1.4]);
    match random.below(8) {
        0 => json!({"shape": "box", "size": [0.2 * s, 0.15, 0.1]}),
        1 => json!({"shape": "box", "size": [0.3, 0.04 * s, 0.2]}),
        2 => json!({"shape": "sphere", "size": 0.18 * s}),
        3 => json!({"shape": "capsule", "size": [0.1 * s, 0.2]}),
        4 => json!({"shape": "cylinder", "size": [0.15, 0.12 * s]}),
        5 => json!({"shape": "cone", "size": [0.2 * s, 0.15]}),
        6 => json!({"shape": "mesh", "size": {"file": "ball.obj", "scale": 0.5 * s}}),
        _ => {
            let part = |shape: &str, size: Value, x: f64| {
                let turned = json!([0.6, 0.0, 0.0, 0.8]);
                json!({"shape": shape, "size": size, "position": [x, 0.02, -0.03], "orientation": turned})
            };
            let other = random.pick(&["cylinder", "cone", "capsule"]);
            json!({"shape": "compound", "parts":
                [part("box", json!([0.1, 0.1 * s, 0.08]), -0.15), part(other, json!([0.1, 0.1]), 0.15)]})
        }
    }
}

fn add(entry: &mut Value, more: Value) {
    let (Value::Object(entry), Value::Object(more)) = (entry, more) else { panic!("two objects") };
    entry.extend(more);
}

/// What its surface is like, each only now and then.
fn surface(random: &mut Random, entry: &mut Value) {
    for (name, values) in [
        ("friction", [0.0, 0.3, 0.9]),
        ("restitution", [0.0, 0.4, 1.0]),
        ("rolling_resistance", [0.0, 0.01, 0.05]),
        ("torsional_resistance", [0.0, 0.01, 0.05]),
    ] {
        if random.one_in(2) {
            entry[name] = json!(random.pick(&values));
        }
    }
    if random.one_in(8) {
        entry["category"] = json!(random.pick(&[1, 2, 3]));
        entry["mask"] = json!(random.pick(&[1, 2, 6, 7]));
    }
    if random.one_in(16) {
        entry["sensor"] = json!(true);
    }
}

pub(super) fn body(random: &mut Random, position: [f64; 3], speed: f64) -> Value {
    let mut body = shape(random);
    let weight = random.pick(&["mass", "density"]);
    add(
        &mut body,
        json!({weight: if weight == "mass" { random.pick(&[0.5, 1.0, 20.0]) } else { 700.0 },
            "position": position, "orientation": orientation(random),
            "velocity": some_of(random, speed), "angular_velocity": some_of(random, 3.0 * speed)}),
    );
    if random.one_in(9) {
        body["fixed"] = json!(true);
    }
    if random.one_in(7) && body["shape"] != "mesh" {
        body["inertia"] = json!([0.02, 0.03, 0.04]);
    }
    surface(random, &mut body);
    body
}

fn collider(random: &mut Random, kind: usize) -> Value {
    let c = [random.within(-0.4, 0.4), random.within(-0.35, -0.2), random.within(-0.4, 0.4)];
    let far = [c[0] + 0.5, c[1] + random.within(-0.2, 0.2), c[2] - 0.3];
    let mut entry = match kind {
        0 => {
            json!({"shape": "plane", "point": [0, -0.3, 0], "normal": random.pick(&[[0.0, 1.0, 0.0], [0.2, 1.0, 0.1]])})
        }
        1 => {
            let heights: Vec<Vec<f64>> = (0..5)
                .map(|_| (0..5).map(|_| random.pick(&[-0.3, -0.3, -0.2, -0.35])).collect())
                .collect();
            json!({"shape": "height-field", "spacing": [0.6, 0.5], "heights": heights})
        }
        2 => json!({"shape": "box", "center": [c[0], -0.45, c[2]], "half_size": [0.9, 0.1, 0.8]}),
        3 => {
            json!({"shape": "mesh", "file": "ball.obj", "scale": 2.5, "translate": [c[0], -0.9, c[2]]})
        }
        4 => json!({"shape": "sphere", "center": c, "radius": 0.3}),
        5 => json!({"shape": "capsule", "a": c, "b": far, "radius": 0.15}),
        6 => json!({"shape": "cylinder", "a": c, "b": far, "radius": 0.2}),
        7 => json!({"shape": "cone", "a": c, "b": far, "radius": 0.3}),
        _ => {
            json!({"shape": "box", "center": c, "half_size": [0.2, 0.1, 0.3], "orientation": orientation(random)})
        }
    };
    if random.one_in(4) {
        entry["velocity"] = json!(some_of(random, 0.5));
        entry["angular_velocity"] = json!(some_of(random, 2.0));
    }
    surface(random, &mut entry);
    entry
}

fn settings(random: &mut Random) -> Value {
    json!({"taut": 1, "iterations": random.pick(&[1, 2, 5]), "substeps": random.pick(&[1, 2, 4]),
        "rigid": random.pick(&["mueller", "mueller", "deul"]),
        "gyro": random.pick(&["momentum", "momentum", "explicit", "off"]),
        "damping": random.pick(&[0.0, 0.0, 0.3]), "rigid_damping": random.pick(&[0.0, 0.0, 0.0, 0.4]),
        "tolerance": random.pick(&[0.0, 0.0, 0.0, 1e-4]), "check_every": random.one_in(2)})
}

fn contacts(random: &mut Random) -> Value {
    let mut contacts = json!({"radius": random.pick(&[0.03, 0.06]), "events": random.one_in(2),
        "pairs": random.one_in(4), "detect": random.pick(&["frame", "substep", "substep", "iteration"]),
        "order": random.pick(&["colors", "colors", "levels"])});
    for (name, values) in [
        ("friction", [0.2, 0.5]),
        ("restitution", [0.3, 0.8]),
        ("sleep", [0.05, 0.1]),
        ("margin", [0.01, 0.1]),
    ] {
        if random.one_in(3) {
            contacts[name] = json!(random.pick(&values));
        }
    }
    if random.one_in(6) {
        contacts["max_speed"] = json!(random.pick(&[0.5, 2.0]));
    }
    contacts
}

/// Bodies that fall in a heap, fast or slow, on grounds of all kinds.
fn heap(random: &mut Random, speed: f64) -> Value {
    let count = 4 + random.below(5);
    let place = |random: &mut Random, i: usize| {
        [random.within(-0.3, 0.3), -0.1 + 0.17 * i as f64, random.within(-0.3, 0.3)]
    };
    let mut scene = settings(random);
    let body = |random: &mut Random, i| {
        let at = place(random, i);
        body(random, at, speed)
    };
    scene["bodies"] = (0..count).map(|i| body(random, i)).collect();
    let ground = random.below(4);
    let mut colliders = vec![collider(random, ground)];
    for _ in 0..random.below(3) {
        let kind = 4 + random.below(5);
        colliders.push(collider(random, kind));
    }
    scene["colliders"] = json!(colliders);
    scene["contacts"] = contacts(random);
    scene
}

/// Many small bodies, half of them close together.
fn crowd(random: &mut Random) -> Value {
    let mut scene = heap(random, 1.0);
    let bodies = scene["bodies"].as_array_mut().expect("a list");
    for i in 0..50 {
        let size = random.within(0.03, 0.08);
        let at = some_of(random, if i % 2 == 0 { 0.3 } else { 1.2 });
        let shape = random.pick(&["sphere", "box"]);
        let size = if shape == "box" { json!([size, 0.05, size]) } else { json!(size) };
        let mut body = json!({"shape": shape, "size": size, "density": 500, "position": at,
            "velocity": some_of(random, 1.0), "fixed": random.one_in(9)});
        surface(random, &mut body);
        bodies.push(body);
    }
    scene
}

/// Things that stand on each other and fall asleep, and one that comes to wake them.
fn stack(random: &mut Random) -> Value {
    let mut scene = settings(random);
    scene["substeps"] = json!(random.pick(&[2, 4]));
    let (mut top, mut bodies) = (-0.3, Vec::new());
    for _ in 0..2 + random.below(3) {
        let (shape, size, half) = match random.below(4) {
            0 => ("cylinder", json!([0.2, 0.1]), 0.1),
            1 => ("box", json!([0.25, 0.08, 0.2]), 0.08),
            2 => ("mesh", json!({"file": "ball.obj", "scale": 0.5}), 0.15),
            _ => ("box", json!([0.15, 0.15, 0.15]), 0.15),
        };
        let at = [random.within(-0.04, 0.04), top + half, random.within(-0.04, 0.04)];
        let mut body = json!({"shape": shape, "size": size, "density": 500, "position": at});
        surface(random, &mut body);
        for name in ["sensor", "category", "mask"] {
            body.as_object_mut().expect("a body").remove(name);
        }
        bodies.push(body);
        top += 2.0 * half;
    }
    let far = [1.1, top - 0.1, 0.02];
    bodies.push(json!({"shape": "sphere", "size": 0.15, "mass": 2, "position": far, "velocity": [-3.0, 1.5, 0]}));
    if random.one_in(2) {
        let kicker = json!({"shape": "box", "size": [0.1, 0.1, 0.1], "mass": 1, "position": [-1.2, -0.2, 0],
            "velocity": [2.0, 0, 0], "fixed": true});
        bodies.push(kicker);
    }
    scene["bodies"] = json!(bodies);
    let ground = random.pick(&[0, 1, 2]);
    let flat =
        json!({"shape": "height-field", "spacing": [0.5, 0.5], "heights": vec![[-0.3; 4]; 3]});
    scene["colliders"] = match ground {
        0 => {
            json!([{"shape": "plane", "point": [0, -0.3, 0], "normal": [0, 1, 0], "friction": 0.6}])
        }
        1 => json!([flat]),
        _ => {
            json!([{"shape": "box", "center": [0, -0.4, 0], "half_size": [2, 0.1, 2], "friction": 0.6}])
        }
    };
    scene["contacts"] = contacts(random);
    scene["contacts"]["sleep"] = json!(random.pick(&[0.05, 0.1]));
    scene
}

/// Adds particles above and beside bodies, some of them held by these.
fn sprinkle(random: &mut Random, scene: &mut Value, bodies: usize) {
    let count = 12 + random.below(20);
    let places: Vec<_> = (0..count).map(|_| some_of(random, 0.5)).collect();
    let velocities: Vec<_> = (0..count).map(|_| some_of(random, 2.0)).collect();
    let masses: Vec<f64> = (0..count).map(|_| random.pick(&[0.0, 1.0, 5.0, 20.0])).collect();
    scene["particles"] =
        json!({"position": places, "velocity": velocities, "inverse_mass": masses});
    let mut rows = Vec::new();
    for _ in 0..4 + random.below(12) {
        let [a, b, c] = random.some(count);
        let held = |random: &mut Random| {
            let point = some_of(random, 0.4);
            json!({"body": random.below(bodies), "point": point})
        };
        let (p, q) = (held(random), held(random));
        let mut row = match random.below(7) {
            0 => json!({"kind": "tether", "at": [a, p], "rest_length": 0.2}),
            1 => json!({"kind": "bending", "at": [a, p, b, c], "angle": 2.0}),
            2 => json!({"kind": "volume", "at": [a, b, p, c], "rest_volume": 0.02}),
            3 => json!({"kind": "strain_triangle", "at": [a, b, p]}),
            4 => json!({"kind": "pair", "at": [p, a], "radius": 0.1}),
            5 if p["body"] != q["body"] => json!({"kind": "distance", "at": [p, q]}),
            _ => json!({"kind": "distance", "at": [a, p], "rest_length": 0.1}),
        };
        match random.below(4) {
            0 => {}
            1 => row["stiffness"] = json!(0.4),
            2 => row["compliance"] = json!(1e-3),
            _ => add(&mut row, json!({"compliance": 1e-4, "damping": 2.0})),
        }
        rows.push(row);
    }
    scene["constraints"] = json!(rows);
}

/// A world of a kind, its number the seed.
pub(super) fn world(kind: &str, seed: u64) -> Value {
    let mut random = Random(seed + 1000);
    let random = &mut random;
    match kind {
        "heap" => heap(random, 0.5),
        "crash" => heap(random, 6.0),
        "crowd" => crowd(random),
        "stack" => stack(random),
        "grains" => {
            let mut scene = heap(random, 1.0);
            let bodies = scene["bodies"].as_array().expect("a list").len();
            sprinkle(random, &mut scene, bodies);
            scene
        }
        "joints" => {
            let mut scene = settings(random);
            joints(random, &mut scene);
            if random.one_in(3) {
                scene["colliders"] = json!([collider(random, 0)]);
                scene["contacts"] = contacts(random);
            }
            scene
        }
        _ => panic!("no such world: {kind}"),
    }
}
