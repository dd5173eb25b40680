//! Joint formulas: their Jacobians are derivatives.

use super::{cuboid, model};
use crate::math::{Quat, Vec3};
use crate::rigid::{End, Joint, JointBlock, JointKind, Joints, Motor, Params, Pose};
use crate::state::Snapshot;
use crate::subsystem::{Measurement, Subsystem};
use crate::tests::dual::Dual;
use crate::tests::models::Random;

fn turn(random: &mut Random, size: f64) -> Quat<f64> {
    Quat::exp(Vec3::of(random.point()) * size)
}

/// An angle either way, beyond the limits that the test gives.
fn beyond_limits(random: &mut Random) -> f64 {
    let angle = random.within(0.35, 2.0);
    [angle, -angle][random.below(2)]
}

const TURNS: [JointBlock; 4] =
    [JointBlock::Turn, JointBlock::SoftFixed, JointBlock::SoftSlider, JointBlock::SoftOrientation];

/// Each row's gradient about each of the 12 coordinates of two bodies is its derivative (S4-13). The angle about an axis is
/// differentiated where the axes agree, as its hinge keeps them.
#[test]
fn jacobians_are_derivatives() {
    let mut random = Random(11);
    for &block in JointBlock::ALL {
        // A whole turn as a vector: its rows are the derivatives of small ones only.
        if TURNS.contains(&block) {
            continue;
        }
        for _ in 0..20 {
            let frame_a = turn(&mut random, 3.0);
            let q = [turn(&mut random, 3.0), turn(&mut random, 3.0)];
            let frame_b = match block {
                JointBlock::Angle | JointBlock::AngleAt => {
                    let about = Quat::exp(Vec3::new(beyond_limits(&mut random), 0.0, 0.0));
                    q[1].conjugate() * q[0] * frame_a * about
                }
                _ => turn(&mut random, 3.0),
            };
            let x = [random.point(), random.point()];
            let arms = [random.point(), random.point()];
            // Half and middle such that the coordinate is outside of its limits.
            let p = Params {
                arms: arms.map(Vec3::of),
                frames: [frame_a, frame_b],
                middle: -0.3,
                half: 0.01,
                alpha: 0.0,
                most: f64::INFINITY,
                foreseen: 0.0,
            };
            let dual = |v: f64| Dual { v, d: 0.0 };
            let dp = Params::from_array(p.to_array().map(dual));
            let rows = block.evaluate([(Vec3::of(x[0]), q[0]), (Vec3::of(x[1]), q[1])], &p);
            for body in 0..2 {
                for axis in 0..6 {
                    let pose = |end: usize| -> Pose<Dual> {
                        let d = |k: usize| f64::from(u8::from(end == body && axis == k));
                        let at = |k: usize| Dual { v: x[end][k], d: d(k) };
                        let theta = |k: usize| Dual { v: 0.0, d: d(3 + k) };
                        let q = Quat::from(q[end].to_array().map(dual));
                        let spin = Quat::exp(Vec3::new(theta(0), theta(1), theta(2)));
                        (Vec3::new(at(0), at(1), at(2)), spin * q)
                    };
                    let moved = block.evaluate([pose(0), pose(1)], &dp);
                    for (row, moved) in rows.iter().zip(&moved) {
                        let linear = row.linear.to_array();
                        let expected = match (axis, body) {
                            (0..3, 0) => linear[axis],
                            (0..3, _) => -linear[axis],
                            _ => row.turn[body].to_array()[axis - 3],
                        };
                        let off = (moved.c.d - expected).abs();
                        assert!(off < 1e-9, "{block:?}: body {body}, axis {axis}: {off:e}");
                    }
                }
            }
        }
    }
}

/// The largest gaps of joints are the way and the angle by which one of them is moved apart; a motor of a rate has none.
#[test]
fn gaps_are_as_wide_as_what_is_moved() {
    let mut model = model(1, 1);
    for x in [0.0, 2.0] {
        model.add_body(cuboid(1.0, [0.1; 3], [x, 0.0, 0.0])).unwrap();
    }
    let mut joints = Joints::new();
    for (i, kind) in [(0, JointKind::Distance), (1, JointKind::Orientation)] {
        let x = 2.0 * f64::from(i) + 0.5;
        joints.add(&model, Joint::new(kind, [End::World, End::Body(i)], [x, 0.0, 0.0])).unwrap();
    }
    let spins = Joint {
        motor: Some(Motor::Velocity(3.0)),
        ..Joint::new(JointKind::Parallel, [End::World, End::Body(1)], [0.0; 3])
    };
    joints.add(&model, spins.along([0.0, 0.0, 1.0])).unwrap();
    let (way, angle) = (0.03_f32, 0.002_f32);
    let state = |way: f32, angle: f32| Snapshot {
        bodies: vec![
            [-way, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            [2.0, 0.0, 0.0, 0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos()],
        ],
        ..Snapshot::default()
    };
    for (way, angle) in [(0.0, 0.0), (way, 0.0), (0.0, angle), (-way, -angle)] {
        let found = joints.largest_gaps(&state(way, angle));
        let expected = [way, angle].map(|v| f64::from(v.abs()));
        let near = |k: usize| (found[k] - expected[k]).abs() < 1e-6;
        assert!(near(0) && near(1), "{found:?} for {expected:?}");
    }
}

/// Soft joints hold C² / 2α of their gaps, stiff ones nothing; joints and their rows are counted.
#[test]
fn soft_joints_hold_energy() {
    let mut model = model(1, 1);
    model.add_body(cuboid(1.0, [0.1; 3], [0.0; 3])).unwrap();
    let mut joints = Joints::new();
    assert_eq!((joints.len(), joints.equations()), (0, 0));
    let soft = [(JointKind::Ball, 2e-3), (JointKind::Distance, 5e-3), (JointKind::Fixed, 0.0)];
    for (kind, compliance) in soft {
        let joint = Joint::new(kind, [End::World, End::Body(0)], [0.5, 0.0, 0.0]);
        joints.add(&model, Joint { compliance, ..joint }).unwrap();
    }
    assert_eq!((joints.len(), joints.equations()), (3, 3 + 1 + 6));
    let gap = [0.03, 0.02, -0.01];
    let [x, y, z] = gap.map(|v| -v as f32);
    let state = Snapshot { bodies: vec![[x, y, z, 0.0, 0.0, 0.0, 1.0]], ..Snapshot::default() };
    let square: f64 = gap.iter().map(|v| v * v).sum();
    // The distance is that from the point of the world to the center.
    let longer = (0.53_f64.powi(2) + 0.02 * 0.02 + 0.01 * 0.01).sqrt() - 0.5;
    let expected = square / (2.0 * 2e-3) + longer * longer / (2.0 * 5e-3);
    let found = joints.elastic_energy(&Measurement {
        state: &state,
        lambda: &[],
        settings: &model.settings,
    });
    assert!((found / expected - 1.0).abs() < 1e-5, "{found} J for {expected}");
}
