//! Random scene files of all parts, and the mesh files that they name.

use crate::tests::models::Random;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// A folder of mesh files, gone when dropped.
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    pub(super) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("taut_{name}_{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        let mut grid = String::new();
        for i in 0..64 {
            grid += &format!("v {} {} {}\n", f64::from(i % 8) * 0.1, 0.0, f64::from(i / 8) * 0.1);
        }
        for i in (0..55).filter(|i| i % 8 < 7) {
            grid += &format!("f {} {} {}\nf {} {} {}\n", i + 1, i + 9, i + 2, i + 2, i + 9, i + 10);
        }
        fs::write(path.join("grid.obj"), grid).unwrap();
        let mut cube = String::new();
        for i in 0..8 {
            cube += &format!(
                "v {} {} {}\n",
                (i & 1) as f64 - 0.5,
                (i >> 1 & 1) as f64 - 0.5,
                (i >> 2) as f64 - 0.5
            );
        }
        for [a, b, c, d] in
            [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]]
        {
            cube += &format!("f {a} {b} {c}\nf {a} {c} {d}\n");
        }
        fs::write(path.join("cube.obj"), cube).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Random {
    /// A point around the origin; a small lattice makes some coincide.
    fn place(&mut self) -> [f64; 3] {
        match self.one_in(4) {
            true => self.point().map(|v| (v * 3.0).round() / 3.0),
            false => self.point(),
        }
    }
}

/// Adds how strongly something holds.
fn held(random: &mut Random, mut entry: Value) -> Value {
    match random.below(4) {
        0 => {}
        1 => entry["stiffness"] = json!(random.unit()),
        2 => entry["compliance"] = json!(random.pick(&[0.0, 1e-7, 1e-3])),
        _ => {
            entry["compliance"] = json!(1e-4);
            entry["damping"] = json!(random.within(0.0, 5.0));
        }
    }
    entry
}

fn row(random: &mut Random, particles: usize, bodies: usize) -> Value {
    let [a, b, c, d] = random.some(particles);
    let entry = match random.below(9) {
        0 => json!({"kind": "tether", "particles": [a, b]}),
        1 => json!({"kind": "bending", "particles": [a, b, c, d], "angle": 2.0}),
        2 => json!({"kind": "volume", "particles": [a, b, c, d], "rest_volume": 0.1}),
        3 => {
            json!({"kind": "plane", "particles": [a], "point": [0, -0.2, 0], "normal": [0.1, 1, 0]})
        }
        4 => json!({"kind": "triangle", "particles": [a, b, c, d], "thickness": 0.1}),
        5 => json!({"kind": "edge_edge", "particles": [a, b, c, d], "thickness": 0.1}),
        6 if bodies > 0 => {
            let at = json!({"body": random.below(bodies), "point": random.place()});
            json!({"kind": "distance", "at": [a, at], "rest_length": 0.3})
        }
        _ => {
            json!({"kind": "distance", "particles": [a, b], "rest_length": random.within(0.0, 1.0)})
        }
    };
    held(random, entry)
}

fn body(random: &mut Random) -> Value {
    let [shape, size] = match random.below(4) {
        0 => [json!("box"), json!([0.3, 0.2, 0.1])],
        1 => [json!("sphere"), json!(0.25)],
        2 => [json!("capsule"), json!([0.15, 0.2])],
        _ => [json!("mesh"), json!({"file": "cube.obj", "scale": 0.4})],
    };
    json!({"shape": shape, "size": size, "mass": random.pick(&[0.5, 1.0, 3.0]), "position": random.place(),
        "velocity": random.place(), "angular_velocity": random.point().map(|v| 5.0 * v), "fixed": random.one_in(5),
        "friction": random.pick(&[0.0, 0.6]), "restitution": random.pick(&[0.0, 0.5])})
}

fn collider(random: &mut Random) -> Value {
    let mut entry = match random.below(5) {
        0 => json!({"shape": "sphere", "center": random.place(), "radius": 0.3}),
        1 => json!({"shape": "box", "center": random.place(), "half_size": [0.3, 0.1, 0.2]}),
        2 => json!({"shape": "capsule", "a": random.place(), "b": [0, -0.5, 0], "radius": 0.2}),
        3 => {
            json!({"shape": "mesh", "file": "cube.obj", "scale": 0.5, "translate": random.place()})
        }
        _ => json!({"shape": "plane", "point": [0, -0.5, 0], "normal": [0.2, 1, 0.1]}),
    };
    entry["friction"] = json!(random.pick(&[0.0, 0.4]));
    entry["restitution"] = json!(random.pick(&[0.0, 0.7]));
    if random.one_in(3) {
        entry["velocity"] = json!(random.point());
        entry["angular_velocity"] = json!(random.point());
    }
    entry
}

fn settings(random: &mut Random) -> Value {
    json!({"taut": 1, "iterations": random.below(7), "substeps": 1 + random.below(3),
        "damping": random.pick(&[0.0, 0.5]), "rigid_damping": random.pick(&[0.0, 0.0, 0.5]),
        "tolerance": random.pick(&[0.0, 0.0, 1e-3]), "rigid": random.pick(&["mueller", "deul"]),
        "gyro": random.pick(&["explicit", "momentum", "off"]), "colors": random.pick(&[2, 12]),
        "jacobi": random.pick(&["average", "chebyshev"]),
        "precision": random.pick(&["auto", "plain", "carried"])})
}

/// A scene of particles and rows, some of which may be held by bodies.
fn particles_and_rows(random: &mut Random, count: usize, bodies: usize) -> Value {
    let mut scene = settings(random);
    let mut positions: Vec<_> = (0..count).map(|_| random.place()).collect();
    if random.one_in(6) {
        let far = random.pick(&[[2e19, 0.0, 0.0], [0.0, -1e19, 1e19], [1e6; 3]]);
        positions[random.below(count)] = far;
    }
    let velocities: Vec<_> = (0..count).map(|_| random.place()).collect();
    let weights: Vec<f64> = (0..count).map(|_| random.pick(&[0.0, 0.5, 1.0, 1.0, 7.0])).collect();
    scene["particles"] =
        json!({"position": positions, "velocity": velocities, "inverse_mass": weights});
    let rows = random.below(2 * count);
    scene["constraints"] = (0..rows).map(|_| row(random, count, bodies)).collect();
    if random.one_in(2) {
        let force = json!({"particles": random.some::<2>(count), "force": random.point()});
        scene["forces"] = json!([force, {"particles": "all", "force": random.point()}]);
    }
    scene
}

/// Adds bodies, a joint and a load.
fn add_bodies(random: &mut Random, scene: &mut Value, bodies: usize) {
    scene["bodies"] = (0..bodies).map(|_| body(random)).collect();
    if bodies > 1 {
        let kind = random.pick(&["ball", "hinge", "slider", "fixed", "universal"]);
        let ends = random.some::<2>(bodies);
        let mut joint = json!({"kind": kind, "bodies": ends, "anchor": random.place()});
        if !matches!(kind, "ball" | "fixed") {
            joint["axis"] = json!([0, 1, 0.2]);
        }
        scene["joints"] = json!([joint]);
        let load = json!({"body": 0, "force": random.point(), "torque": random.point()});
        scene["forces"] = json!([load]);
    }
}

fn groups(random: &mut Random, count: usize) -> Value {
    let mut groups = Vec::new();
    if random.one_in(3) {
        let four = random.some::<4>(count);
        let shape = json!({"kind": "shape", "particles": four, "yield": 0.05, "creep": 1});
        groups.push(held(random, shape));
    }
    if random.one_in(3) {
        let [a, b, c, d] = random.some(count);
        let triangles = json!([[a, c, b], [a, b, d], [b, c, d], [a, d, c]]);
        groups.push(held(random, json!({"kind": "pressure", "triangles": triangles})));
    }
    if random.one_in(3) {
        groups.push(json!({"kind": "fluid", "particles": "all", "rest_density": 1000,
            "radius": 0.15, "vorticity": 0.1}));
    }
    json!(groups)
}

fn contacts(random: &mut Random, with_cloth: bool) -> Value {
    let mut contacts = json!({"radius": random.pick(&[0.0, 0.1, 0.25]),
        "friction": random.pick(&[0.0, 0.5]), "restitution": random.pick(&[0.0, 0.5]),
        "pairs": random.one_in(2), "detect": random.pick(&["frame", "substep", "iteration"]),
        "order": random.pick(&["colors", "levels"])});
    if with_cloth && random.one_in(2) {
        contacts["self"] = json!([{"mesh": 0, "thickness": random.pick(&[0.05, 0.3])}]);
    }
    if random.one_in(3) {
        contacts["sleep"] = json!(0.05);
    }
    contacts
}

/// A scene of particles and rows alone.
pub(in crate::tests) fn rows_alone(random: &mut Random) -> Value {
    let count = 4 + random.below(30);
    particles_and_rows(random, count, 0)
}

/// A scene of everything, or of particles and rows alone.
pub(super) fn scene(random: &mut Random, plain: bool) -> Value {
    let count = 4 + random.below(30);
    let bodies = if plain { 0 } else { random.below(4) };
    let mut scene = particles_and_rows(random, count, bodies);
    if plain {
        return scene;
    }
    scene["wind"] = json!(random.pick(&[[0.0; 3], [1.0, 0.2, 3.0]]));
    add_bodies(random, &mut scene, bodies);
    scene["groups"] = groups(random, count);
    let kind = random.pick(&["", "cloth", "jelly", "balloon"]);
    if !kind.is_empty() {
        let (file, scale) = match kind {
            "cloth" => ("grid.obj", 1.0),
            _ => ("cube.obj", 0.5),
        };
        let place = random.place();
        scene["meshes"] = json!([{"file": file, "as": kind, "scale": scale, "translate": place}]);
    }
    if !random.one_in(4) {
        scene["colliders"] = (0..random.below(4)).map(|_| collider(random)).collect();
        scene["contacts"] = contacts(random, kind == "cloth");
    }
    scene
}
