//! Rigid bodies against closed forms and an integrator of their own (S4-04, S4-07, S4-08, S4-15, S4-20).

use super::prelude::*;
use crate::math::{Quat, UPRIGHT};
use crate::rigid::{Body, End, Joint, JointKind, Joints, Shape, Weight};
use crate::settings::Gyro;

#[rustfmt::skip]
pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "free-spin", ids: &["S4-07", "S4-08"], run: free_spin,
        about: "a free body turns over about its middle axis, as a fine integration has it; |L| and |q| stay" },
    Experiment { name: "constraint-mass", ids: &["S4-15"], run: constraint_mass,
        about: "how far a ball joint's correction moves a bar's center: the mass matrix in constraint space" },
    Experiment { name: "joint-freedoms", ids: &["S4-20"], run: joint_freedoms,
        about: "each joint's six freedoms, kept or taken, judged from poses" },
];

const MOMENTS: [f64; 3] = [1.0, 2.0, 3.0];
const SPIN: [f64; 3] = [0.01, 5.0, 0.01];

/// Euler's equations about the principal axes: dω/dt = I⁻¹ (I ω × ω), by Runge and Kutta in `count` steps of `h` (s).
fn runge_kutta(h: f64, count: usize) -> Vec<Vec3<f64>> {
    let rate = |w: Vec3<f64>| {
        let [a, b, c] = MOMENTS;
        Vec3::new((b - c) / a * w.y * w.z, (c - a) / b * w.z * w.x, (a - b) / c * w.x * w.y)
    };
    let mut w: Vec3<f64> = Vec3::of(SPIN);
    let mut all = vec![w];
    for _ in 0..count {
        let k1 = rate(w);
        let k2 = rate(w + k1 * (h / 2.0));
        let k3 = rate(w + k2 * (h / 2.0));
        let k4 = rate(w + k3 * h);
        w += (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0);
        all.push(w);
    }
    all
}

/// When a series changes its sign (s).
fn flips(points: &[(f64, f64)]) -> Vec<f64> {
    let pairs = points.windows(2).filter(|pair| pair[0].1 * pair[1].1 < 0.0);
    pairs.map(|p| p[0].0 + (p[1].0 - p[0].0) * p[0].1 / (p[0].1 - p[1].1)).collect()
}

/// The substep of the spinning body (s), and a frame's.
const SUBSTEP: f64 = 1.0 / 1200.0;
const SUBSTEPS: u32 = 40;
/// How long it spins (s).
const SECONDS: f64 = 14.0;

/// What became of it, over time: the spin about the middle axis (rad/s), and how far |L| and |q| are from what they were.
struct Spin {
    about: Vec<(f64, f64)>,
    momentum: Vec<(f64, f64)>,
    length: Vec<(f64, f64)>,
}

fn spin(gyro: Gyro) -> Result<Spin, Box<dyn std::error::Error>> {
    let mut model = Model::new();
    let settings = &mut model.settings;
    (settings.gravity, settings.gyro) = ([0.0; 3], gyro);
    (settings.substeps, settings.iterations) = (SUBSTEPS, 1);
    settings.dt = SUBSTEP * f64::from(SUBSTEPS);
    let frames = (SECONDS / settings.dt).round() as usize;
    let mut body = Body::new(Shape::None, Weight::Mass(1.0), Some(MOMENTS)).map_err(|e| e.2)?;
    body.angular_velocity = SPIN;
    model.add_body(body)?;
    let mut simulation = Simulation::new(model, Method::Scalar, 1)?;
    let momentum = |simulation: &Simulation| {
        let momentum: Vec3<f64> = Vec3::of(simulation.observe().angular_momentum);
        momentum.length()
    };
    let start = momentum(&simulation);
    let mut spin = Spin { about: vec![(0.0, SPIN[1])], momentum: Vec::new(), length: Vec::new() };
    for _ in 0..frames {
        simulation.step();
        let state = simulation.snapshot();
        let [.., x, y, z, w] = state.bodies[0].map(f64::from);
        let [_, _, _, a, b, c] = state.body_velocities[0].map(f64::from);
        let time = simulation.time();
        spin.about.push((time, Quat::new(x, y, z, w).unrotate(Vec3::new(a, b, c)).y));
        // Zero has no place on a logarithmic axis.
        let off = |ratio: f64| (ratio - 1.0).abs().max(1e-9);
        spin.momentum.push((time, off(momentum(&simulation) / start)));
        spin.length.push((time, off((x * x + y * y + z * z + w * w).sqrt())));
    }
    Ok(spin)
}

fn free_spin() -> Outcome {
    let mut report = Report::default();
    let settings = "moments 1, 2, 3 kg m², ω = (0.01, 5, 0.01) rad/s, h = 1/1200 s; line: Runge and Kutta in f64";
    let title = "A body that spins about its middle axis turns over, again and again (S4-07)";
    let axes = ["time [s]", "spin about the middle axis [rad/s]"];
    let mut figure = Figure::new("", title, axes, [false; 2]).under(settings);
    let title = "What must stay: angular momentum and the length of the quaternion (S4-07, S4-08)";
    let axes = ["time [s]", "relative change"];
    let mut drift = Figure::new("drift", title, axes, [false, true]).under(settings);
    let fine = 10;
    let exact = runge_kutta(SUBSTEP / fine as f64, (SECONDS / SUBSTEP) as usize * fine);
    let frame = fine * SUBSTEPS as usize;
    let at = |i: usize| i as f64 * SUBSTEP * f64::from(SUBSTEPS);
    let frames = exact.iter().step_by(frame).enumerate();
    let exact: Vec<_> = frames.map(|(i, w)| (at(i), w.y)).collect();
    let truth = flips(&exact);
    for (gyro, bound) in [(Gyro::Explicit, 2e-2), (Gyro::Momentum, 1e-4)] {
        let (name, spin) = (gyro.name(), spin(gyro)?);
        let at = flips(&spin.about);
        let off = largest(at.iter().zip(&truth).map(|(at, truth)| at / truth - 1.0));
        report.claim(
            at.len() == truth.len() && off < bound,
            format!(
                "{name}: turns over at {at:.3?} s, within {off:.0e} ({bound:.0e}) of {truth:.3?}"
            ),
        );
        let length = largest(spin.length.iter().map(|p| p.1));
        report.claim(length < 1e-6, format!("{name}: |q| stays 1 within {length:.0e} (1e-6)"));
        let change = largest(spin.momentum.iter().map(|p| p.1));
        report
            .claim(change < bound, format!("{name}: |L| stays within {change:.0e} ({bound:.0e})"));
        figure.line(name, spin.about);
        drift.line(format!("|L|, {name}"), spin.momentum);
        if gyro == Gyro::Momentum {
            drift.line("|q|", spin.length);
        }
    }
    figure.expected(exact);
    report.figures.extend([figure, drift]);
    Ok(report)
}

/// A bar of 2 kg, and its moment about z.
const BAR: [f64; 3] = [0.5, 0.05, 0.05];

/// How far the center of a bar moves, as a share of the gap of a ball joint to the world at `arm` from it that one iteration
/// closes.
fn moved(arm: f64) -> Result<f64, Box<dyn std::error::Error>> {
    let gap = 1e-3;
    let mut model = Model::new();
    (model.settings.gravity, model.settings.iterations) = ([0.0; 3], 1);
    model.settings.substeps = 1;
    let body = Body::new(Shape::Box(BAR), Weight::Mass(2.0), None).map_err(|e| e.2)?;
    let bar = model.add_body(body.clone())?;
    let mut joints = Joints::new();
    // The joint is made where it holds; then the bar stands a gap below that.
    joints
        .add(&model, Joint::new(JointKind::Ball, [End::World, End::Body(bar)], [arm, 0.0, 0.0]))?;
    let mut lower = Model::new();
    lower.settings = model.settings.clone();
    lower.add_body(body.at([0.0, -gap, 0.0], UPRIGHT))?;
    lower.add_subsystem(joints)?;
    let bodies = after(lower, Method::Scalar, 1)?.bodies();
    Ok((f64::from(bodies[0][1]) + gap) / gap)
}

fn constraint_mass() -> Outcome {
    let mut report = Report::default();
    let title = "A joint's correction moves the center by (J M⁻¹ Jᵀ)⁻¹ C / m (S4-15)";
    let axes = ["arm of the joint [m]", "way of the center / gap"];
    let mut figure = Figure::new("", title, axes, [false; 2])
        .under("a bar of 1 x 0.1 x 0.1 m, 2 kg, one iteration on a gap of 1 mm across it; line: 1 / (1 + m r² / I)");
    // Of a box, about an axis across it.
    let moment = 2.0 / 3.0 * (BAR[0] * BAR[0] + BAR[1] * BAR[1]);
    let formula = |arm: f64| 1.0 / (1.0 + 2.0 * arm * arm / moment);
    let mut found = Vec::new();
    for i in 0..=20 {
        let arm = 0.1 * f64::from(i);
        found.push((arm, moved(arm)?));
    }
    let off = largest(found.iter().map(|(arm, moved)| moved - formula(*arm)));
    report.claim(off < 2e-3, format!("the center moves as the mass in constraint space says, within {off:.0e} (2e-3) of the gap"));
    figure.dots("scalar", found);
    figure
        .expected((0..=100).map(|i| 0.02 * f64::from(i)).map(|arm| (arm, formula(arm))).collect());
    report.figures.push(figure);
    Ok(report)
}

/// Which of the freedoms x y z, turns about x y z a joint takes; its axis is x, its ends one body and the world.
#[rustfmt::skip]
const TAKEN: [(JointKind, [bool; 6]); 11] = [
    (JointKind::Ball,      [true, true, true, false, false, false]),
    (JointKind::Line,      [false, true, true, false, false, false]),
    (JointKind::Plane,     [true, false, false, false, false, false]),
    (JointKind::Hinge,     [true, true, true, false, true, true]),
    (JointKind::Universal, [true, true, true, false, false, true]),
    (JointKind::Slider,    [false, true, true, true, true, true]),
    (JointKind::Fixed,     [true, true, true, true, true, true]),
    (JointKind::Distance,  [true, false, false, false, false, false]),
    (JointKind::Orientation, [false, false, false, true, true, true]),
    (JointKind::Parallel,  [false, false, false, false, true, true]),
    (JointKind::Perpendicular, [false, false, false, false, false, true]),
];

/// How far a body with a joint at its center moves along or about each of x y z, as a share of what a free one does.
fn freedoms(kind: JointKind) -> Result<[f64; 6], Box<dyn std::error::Error>> {
    let mut shares = [0.0; 6];
    for (freedom, share) in shares.iter_mut().enumerate() {
        let mut model = Model::new();
        let settings = &mut model.settings;
        (settings.gravity, settings.substeps, settings.iterations) = ([0.0; 3], 20, 4);
        let mut body =
            Body::new(Shape::Box([0.1, 0.2, 0.3]), Weight::Mass(1.0), None).map_err(|e| e.2)?;
        // A distance of a metre along x.
        if kind == JointKind::Distance {
            body.position = [1.0, 0.0, 0.0];
        }
        let push = if freedom < 3 { &mut body.velocity } else { &mut body.angular_velocity };
        push[freedom % 3] = 0.1;
        let start = body.position;
        let body = model.add_body(body)?;
        let mut joints = Joints::new();
        let ends = [End::World, End::Body(body)];
        let ends = if kind == JointKind::Distance { [ends[1], ends[0]] } else { ends };
        joints.add(&model, Joint::new(kind, ends, [0.0; 3]).along([1.0, 0.0, 0.0]))?;
        model.add_subsystem(joints)?;
        let simulation = after(model, Method::Scalar, 30)?;
        let [x, y, z, qx, qy, qz, _] = simulation.bodies()[0].map(f64::from);
        let moved = [x - start[0], y - start[1], z - start[2], 2.0 * qx, 2.0 * qy, 2.0 * qz];
        *share = moved[freedom] / (0.1 * simulation.time());
    }
    Ok(shares)
}

fn joint_freedoms() -> Outcome {
    let mut report = Report::default();
    let title = "What is left of a push along or about each axis (S4-17 to S4-20)";
    let axes = ["1 2 3: along x y z; 4 5 6: about x y z", "share of a free body's way"];
    let mut figure = Figure::new("", title, axes, [false; 2])
        .under("a box joined to the world, the joint's axis x, 0.1 m/s or rad/s for half a second; 1 is free, 0 taken");
    for (i, (kind, taken)) in TAKEN.into_iter().enumerate() {
        let shares = freedoms(kind)?;
        let wrong = |k: usize| if taken[k] { shares[k].abs() } else { (shares[k] - 1.0).abs() };
        let off = largest((0..6).map(wrong));
        let count = taken.iter().filter(|taken| **taken).count();
        report.claim(
            off < 1e-2,
            format!(
                "{}: takes {count} freedoms and leaves {}, within {off:.0e} (1e-2)",
                kind.name(),
                6 - count
            ),
        );
        // Side by side.
        let at = |k: usize| (k as f64 + 1.0 + 0.08 * (i as f64 - 5.0), shares[k]);
        figure.dots(kind.name(), (0..6).map(at).collect());
    }
    report.figures.push(figure);
    Ok(report)
}
