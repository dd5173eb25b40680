//! The forms of `--record`: each holds what the JSON recording of the same run holds, as the programs read it that it is for.
//! `tests/read_back.py` asks NumPy, VTK and USD, where Python has them; point caches and OBJ files are read here, from their
//! definitions.

use super::outputs::{leftovers, until};
use crate::common::{command, folder, frames, taut, write};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A strip of cloth, a free particle, a box that turns, and a body that cannot be seen.
const SCENE: &str = r#"{"taut": 1, "dt": 0.02, "particles": {"position": [[5, 1, 0]], "velocity": [[0, 2, 0]]},
  "meshes": [{"file": "strip.obj", "as": "cloth", "pin": [0]}],
  "bodies": [{"shape": "none", "mass": 1, "inertia": [1, 1, 1], "position": [0, 9, 0]},
    {"shape": "box", "size": [0.2, 0.4, 0.6], "density": 500, "position": [1, 2, 3], "velocity": [1, 0, 0],
     "angular_velocity": [1, 2, 3]}]}"#;
const HALF: [f32; 3] = [0.2, 0.4, 0.6];
const STRIP: &str = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3\nf 1 3 4\n";
const FRAMES: usize = 4;

struct Recorded {
    folder: PathBuf,
    scene: String,
    /// Of the JSON recording: the particles, and the vertices of all that can be seen, frame by frame.
    particles: Vec<Vec<[f32; 3]>>,
    vertices: Vec<Vec<[f32; 3]>>,
}

impl Recorded {
    fn new(name: &str) -> Self {
        let folder = folder(name);
        write(&folder, "strip.obj", STRIP);
        let scene = write(&folder, "scene.json", SCENE);
        let mut recorded = Self { folder, scene, particles: Vec::new(), vertices: Vec::new() };
        let text = std::fs::read(recorded.run("all.json")).unwrap();
        let json: Value = serde_json::from_slice(&text).unwrap();
        recorded.particles = frames(&json);
        let bodies = json["bodies"].as_array().unwrap().iter();
        let corners = bodies.map(|frame| corners(&frame[1]));
        let particles = recorded.particles.iter();
        recorded.vertices = particles.zip(corners).map(|(x, c)| [&x[..], &c].concat()).collect();
        recorded
    }

    /// Records the same run once more, into a file of that name.
    fn run(&self, name: &str) -> PathBuf {
        let path = self.folder.join(name);
        let count = FRAMES.to_string();
        let target = path.to_str().unwrap();
        taut(&["run", &self.scene, "--frames", &count, "--record", target]).done();
        path
    }

    /// The recording as another program reads it; nothing where Python or its package is missing.
    fn read_back(&self, name: &str) -> Option<Value> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/read_back.py");
        let path = self.run(name);
        let Ok(output) = Command::new("python3").arg(script).arg(path).output() else {
            println!("skipped: {name} read back: no python3");
            return None;
        };
        let text = String::from_utf8(output.stdout).unwrap();
        if output.status.code() == Some(77) {
            println!("skipped: {name} read back: python3 has no {text}");
            return None;
        }
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(serde_json::from_str(&text).unwrap())
    }
}

/// The corners of the box in a pose x y z qx qy qz qw: v + 2 w (q x v) + 2 q x (q x v), in f64.
fn corners(pose: &Value) -> Vec<[f32; 3]> {
    let pose: Vec<f64> = pose.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
    let (q, w) = ([pose[3], pose[4], pose[5]], pose[6]);
    let cross = |a: [f64; 3], b: [f64; 3]| {
        std::array::from_fn(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
    };
    let corner = |i: usize| {
        let sign = |k: usize| if i >> k & 1 == 1 { 1.0 } else { -1.0 };
        let v: [f64; 3] = std::array::from_fn(|k| sign(k) * f64::from(HALF[k]));
        let once: [f64; 3] = cross(q, v);
        let twice: [f64; 3] = cross(q, once);
        std::array::from_fn(|k| (pose[k] + v[k] + 2.0 * (w * once[k] + twice[k])) as f32)
    };
    (0..8).map(corner).collect()
}

#[track_caller]
fn assert_near(found: &[[f32; 3]], expected: &[[f32; 3]]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.as_flattened().iter().zip(expected.as_flattened()) {
        assert!((a - b).abs() < 2e-6, "{found:?} instead of {expected:?}");
    }
}

fn points(value: &Value) -> Vec<[f32; 3]> {
    let point = |x: &Value| std::array::from_fn(|k| x[k].as_f64().unwrap() as f32);
    value.as_array().unwrap().iter().map(point).collect()
}

#[test]
fn numpy_reads_the_particles() {
    let recorded = Recorded::new("npy");
    if let Some(found) = recorded.read_back("out.npy") {
        assert_eq!(found["type"], "<f4");
        assert_eq!(frames(&found), recorded.particles);
    }
    // Nothing of a scene without particles fits.
    let refused = taut(&["run", "stack:2", "--frames", "1", "--record", "none.npy"]);
    assert!(refused.refused(2).contains("no particle"));
}

#[test]
fn a_point_cache_and_obj_files_are_read_as_defined() {
    let recorded = Recorded::new("pc2");
    let bytes = std::fs::read(recorded.run("out.PC2")).unwrap();
    let four = |at: usize| -> [u8; 4] { bytes[at..at + 4].try_into().unwrap() };
    assert_eq!(&bytes[..12], b"POINTCACHE2\0");
    let integers = [12, 16, 28].map(|at| i32::from_le_bytes(four(at)));
    assert_eq!(integers, [1, 5 + 8, FRAMES as i32]);
    assert_eq!([20, 24].map(|at| f32::from_le_bytes(four(at))), [1.0, 1.0]);
    let numbers: Vec<f32> =
        (32..bytes.len()).step_by(4).map(|at| f32::from_le_bytes(four(at))).collect();
    let points = numbers.as_chunks().0;
    assert_eq!(points.len(), FRAMES * 13);
    let target = recorded.folder.join("obj");
    let arguments = ["run", &recorded.scene, "--frames", "4", "--obj", target.to_str().unwrap()];
    taut(&arguments).done();
    for (k, expected) in recorded.vertices.iter().enumerate() {
        assert_near(&points[13 * k..13 * (k + 1)], expected);
        let text = std::fs::read_to_string(target.join(format!("frame_000{}.obj", k + 1))).unwrap();
        let lines =
            |mark: &'static str| text.lines().filter_map(move |line| line.strip_prefix(mark));
        let vertices = lines("v ").map(|line| {
            let numbers: Vec<f32> = line.split(' ').map(|v| v.parse().unwrap()).collect();
            [numbers[0], numbers[1], numbers[2]]
        });
        // A point cache moves the vertices of the OBJ files: the same bits.
        assert_eq!(vertices.collect::<Vec<_>>(), points[13 * k..13 * (k + 1)]);
        assert_eq!(lines("g ").collect::<Vec<_>>(), ["particles", "body_1"]);
        assert_eq!(lines("f ").take(2).collect::<Vec<_>>(), ["2 3 4", "2 4 5"]);
        assert_eq!(lines("f ").count(), 2 + 12);
    }
}

#[test]
fn paraview_reads_grids() {
    let recorded = Recorded::new("pvd");
    let Some(found) = recorded.read_back("a & b.pvd") else { return };
    for (k, expected) in recorded.vertices.iter().enumerate() {
        assert!((found["times"][k].as_f64().unwrap() - 0.02 * (k + 1) as f64).abs() < 1e-9);
        assert_near(&points(&found["frames"][k]), expected);
        let body: Vec<i64> =
            found["body"][k].as_array().unwrap().iter().map(|v| v.as_i64().unwrap()).collect();
        assert_eq!(body, [[-1; 5].as_slice(), &[1; 8]].concat());
        let cells = found["cells"][k].as_array().unwrap();
        assert_eq!(cells.len(), 2 + 12 + 1);
        assert_eq!([&cells[0], &cells[14]].map(Value::to_string), ["[1,2,3]", "[0]"]);
        let velocities = points(&found["velocity"][k]);
        assert_eq!(velocities.len(), 13);
        // The free particle falls; the middle of the box keeps its velocity across, and falls too.
        assert!((velocities[0][1] - (2.0 - 9.81 * 0.02 * (k + 1) as f32)).abs() < 1e-5);
        let middle: f32 = velocities[5..].iter().map(|v| v[0] / 8.0).sum();
        assert!((middle - 1.0).abs() < 1e-5, "{middle}");
        // A corner goes on from where it was.
        if k > 0 {
            let moved = expected[5][2] - recorded.vertices[k - 1][5][2];
            assert!((moved / 0.02 - velocities[5][2]).abs() < 0.05, "{moved} {velocities:?}");
        }
    }
}

#[test]
fn usd_reads_the_scene() {
    let recorded = Recorded::new("usda");
    let Some(found) = recorded.read_back("out.usda") else { return };
    assert_eq!((&found["rate"], &found["meters"]), (&50.0.into(), &1.0.into()));
    assert_eq!((&found["up"], found["range"].to_string()), (&"Y".into(), "[1.0,4.0]".into()));
    let prims = found["prims"].as_object().unwrap();
    let names: Vec<&str> = prims.keys().map(String::as_str).collect();
    assert_eq!(names, ["/World/body_1/shape", "/World/particles", "/World/points"]);
    let frame = |name: &str, k: usize| points(&prims[&format!("/World/{name}")]["frames"][k]);
    for (k, particles) in recorded.particles.iter().enumerate() {
        assert_eq!(&frame("particles", k), particles);
        assert_eq!(frame("points", k), [particles[0]]);
        assert_near(&frame("body_1/shape", k), &recorded.vertices[k][5..]);
    }
    assert_eq!(prims["/World/particles"]["faces"].to_string(), "[1,2,3,1,3,4]");
}

/// An unknown form is refused before the first step, and what is known is said; nothing is left of any.
#[test]
fn unknown_forms_are_refused() {
    let folder = folder("forms");
    for name in ["out.abc", "out.js"] {
        let target = folder.join(name);
        let endless =
            ["run", "rope:9", "--frames", "1000000", "--record", target.to_str().unwrap()];
        let refused = taut(&endless);
        let line = refused.refused(2);
        assert!(line.contains(name) && line.contains(".json, .npy, .pc2, .pvd, .usda"), "{line}");
    }
    let entries = |folder: &Path| std::fs::read_dir(folder).unwrap().count();
    assert_eq!(entries(&folder), 0);
}

/// A run that ends early: the counts in the headers are those of the frames that there are.
#[cfg(unix)]
#[test]
fn a_signal_leaves_whole_recordings() {
    for (name, at) in [("early.npy", None), ("early.pc2", Some(28))] {
        let target = folder("early").join(name);
        let text = target.to_str().unwrap();
        let arguments = ["run", "rope:9", "--frames", "1000000", "--record", text];
        let folder = target.parent().unwrap();
        let mut child =
            command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        until(|| leftovers(folder) == 1);
        std::thread::sleep(std::time::Duration::from_millis(500));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let bytes = std::fs::read(&target).unwrap();
        let count = match at {
            Some(at) => i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize,
            None => {
                let header = String::from_utf8_lossy(&bytes[10..128]).into_owned();
                let shape = header.split("'shape': (").nth(1).unwrap();
                shape.split(',').next().unwrap().parse().unwrap()
            }
        };
        let header = at.map_or(128, |_| 32);
        assert_eq!(bytes.len(), header + count * 10 * 12, "{name}: {count} frames");
        assert!((1..1_000_000).contains(&count));
    }
}
