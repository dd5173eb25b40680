//! What bodies that touch make together: a cradle, dominoes, a car, a box hung in a cloth; with numbers.

use crate::math::{Quat, Vec3};
use crate::scenes::{Scene, car_of};
use crate::{Method, Simulation};

fn ready(name: &str, size: usize) -> Simulation {
    let scene = Scene::find(name).expect("a scene");
    let model = scene.model(Some(size)).expect("a model");
    Simulation::new(model, Method::Lanes, 1).expect("a simulation")
}

/// How fast each body's center is (m/s).
fn speeds(simulation: &Simulation) -> Vec<f64> {
    let state = simulation.snapshot();
    let speed = |m: &[f32; 6]| f64::from((m[0] * m[0] + m[1] * m[1] + m[2] * m[2]).sqrt());
    state.body_velocities.iter().map(speed).collect()
}

/// The upright component of a body's own y axis.
fn upright(pose: &[f32; 7]) -> f64 {
    let q = Quat::<f64>::of([3, 4, 5, 6].map(|k| f64::from(pose[k])));
    q.normalized().rotate(Vec3::new(0.0, 1.0, 0.0)).y
}

/// One ball comes, one goes, at its speed; the others keep still (Newton). Twice: there and back.
#[test]
fn a_cradle_sends_one_ball_out() {
    let mut simulation = ready("cradle", 5);
    let fall = 0.5 * (1.0 - 40.0_f64.to_radians().cos());
    let incoming = (2.0 * 9.81 * fall).sqrt();
    // A swing of 40 degrees takes 1.463 s: the first impact after a quarter of it, the second after three quarters.
    let (mut out, mut others, mut back) = (0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..90 {
        simulation.step();
        let (t, v) = (simulation.time(), speeds(&simulation));
        if (0.375..1.0).contains(&t) {
            out = out.max(v[4]);
            others = v[..4].iter().copied().fold(others, f64::max);
        }
        if t > 1.1 {
            back = back.max(v[0]);
        }
    }
    println!(
        "{incoming:.4} m/s in, {out:.4} m/s out, the others {others:.4} m/s; back {back:.4} m/s"
    );
    assert!((out / incoming - 1.0).abs() < 0.02, "{out} for {incoming}");
    assert!(others < 0.02 * incoming, "{others}");
    assert!((back / incoming - 1.0).abs() < 0.02, "{back} for {incoming}");
}

/// Each pushes the next over, and none is thrown up.
#[test]
fn dominoes_all_fall() {
    let mut simulation = ready("dominoes", 60);
    let (mut highest, mut fastest) = (0.0_f32, 0.0_f64);
    let mut fell = Vec::new();
    for _ in 0..900 {
        simulation.step();
        let poses = simulation.bodies();
        highest = poses.iter().map(|pose| pose[1]).fold(highest, f32::max);
        fastest = speeds(&simulation).into_iter().fold(fastest, f64::max);
        let down = poses.iter().filter(|pose| upright(pose) < 0.5).count();
        fell.push(down);
    }
    let steps: Vec<usize> = fell.iter().copied().step_by(60).collect();
    let rest = speeds(&simulation).into_iter().fold(0.0, f64::max);
    println!(
        "down by seconds {steps:?}; highest center {highest:.3} m, fastest {fastest:.2} m/s, {rest:.1e} at last"
    );
    assert_eq!(fell.last(), Some(&60));
    // Turning over its edge a center rises to 0.151 m; what lands on others lies lower.
    assert!(highest < 0.17, "{highest} m");
    // A rod that falls on its end hits the floor with sqrt(3 g l) = 3 m/s at its tip, half of it at its middle.
    assert!(fastest < 3.0, "{fastest} m/s");
}

/// The motor turns wheels against the chassis; only friction on floor and bumps moves both along. On a smooth floor they stay.
#[test]
fn a_car_drives_by_friction() {
    for grip in [1.0, 0.0] {
        let model = car_of(1, grip).expect("a model");
        let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
        let (mut before, mut lowest, mut highest, mut least) = (0.0, f32::MAX, 0.0_f32, 1.0_f64);
        for frame in 0..480 {
            simulation.step();
            let pose = simulation.bodies()[0];
            lowest = lowest.min(pose[1]);
            highest = highest.max(pose[1]);
            least = least.min(upright(&pose));
            if frame == 59 {
                before = simulation.snapshot().body_velocities[0][0];
            }
        }
        let pose = simulation.bodies()[0];
        println!(
            "grip {grip}: {before:.3} m/s after 1 s; after 8 s at {pose:.3?}, {lowest:.3}..{highest:.3} m, upright {least:.3}"
        );
        if grip == 0.0 {
            assert!(pose[0].abs() < 1e-2, "{pose:?}");
            continue;
        }
        // Wheels of 0.2 m at 8 rad/s.
        assert!((before - 1.6).abs() < 0.03, "{before} m/s");
        assert!(pose[0] > 8.0 && pose[0] < 12.9, "{} m", pose[0]);
        assert!(pose[2].abs() < 0.6 && least > 0.95, "{pose:?} {least}");
        assert!(lowest > 0.31 && highest < 0.45, "{lowest} {highest}");
    }
}

/// 100 kg on a cloth of 0.3 kg/m² for 20 s: nothing passes, and all comes to rest.
#[test]
fn a_heavy_box_hangs_in_a_cloth() {
    let mut simulation = ready("coupling", 32);
    let scene = Scene::find("coupling").expect("a scene");
    for frame in 0..1200 {
        simulation.step();
        let state = simulation.snapshot();
        let passed = (scene.check)(simulation.model(), &state);
        assert!(passed.is_ok(), "frame {frame}: {passed:?}");
        if frame % 120 == 119 {
            println!(
                "{frame}: {:?} {:?}",
                simulation.bodies().iter().map(|b| [b[0], b[1], b[2]]).collect::<Vec<_>>(),
                speeds(&simulation)
            );
        }
    }
    let fastest = speeds(&simulation).into_iter().fold(0.0, f64::max);
    println!("after 20 s: fastest {fastest:.1e} m/s");
    assert!(fastest < 1e-2, "{fastest}");
}
