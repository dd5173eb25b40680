//! The axes and the limits of a joint as authored.

use super::formula::JointBlock;
use crate::error::{Flaw, check_numbers};
use crate::math::{Quat, Real, Vec3, length};
use core::f64::consts::PI;

/// Refuses limits that a coordinate cannot have.
pub(super) fn check_limits(coordinate: JointBlock, [lo, hi]: [f64; 2]) -> Result<(), Flaw> {
    let range = match coordinate {
        JointBlock::Angle => -PI..=PI,
        JointBlock::Swing => 0.0..=PI,
        JointBlock::Length => 0.0..=f64::INFINITY,
        _ => f64::NEG_INFINITY..=f64::INFINITY,
    };
    for value in [lo, hi] {
        check_numbers("limits", &[value], f64::NEG_INFINITY)?;
        if !range.contains(&value) {
            let rule = "angles from -π to π; swings and lengths from 0";
            return Err(("limits", value, rule));
        }
    }
    match lo > hi {
        true => Err(("limits", lo, "the first must not be above the second")),
        false => Ok(()),
    }
}

/// The farthest that a motor drives to (m, rad).
const FARTHEST: f64 = 1e9;

/// Refuses a target that a coordinate cannot have.
pub(super) fn check_target(coordinate: JointBlock, target: [f64; 3]) -> Result<(), Flaw> {
    let (value, turn) = (target[0], length(&target));
    let refuse = |value, rule| Err(("target", value, rule));
    match coordinate {
        // As f32 has it, so that π typed in eight digits is no more than π.
        JointBlock::Turn if turn as f32 > PI as f32 => refuse(turn, "a turn is at most π long"),
        JointBlock::Length if value < 0.0 => refuse(value, "a distance must not be negative"),
        _ if value.abs() > FARTHEST => refuse(value, "must be from -1e9 to 1e9"),
        _ => Ok(()),
    }
}

/// The angle from -π to π that looks like `angle` (rad).
pub(super) fn same_angle(angle: f64) -> f64 {
    angle - 2.0 * PI * (angle / (2.0 * PI)).round()
}

/// A turn that takes x to `axis`, and y to where `second`, across it, points, if that is said.
pub(super) fn frame(axis: Vec3<f64>, second: Option<Vec3<f64>>) -> Quat<f64> {
    let any = any_frame(axis);
    second.map_or(any, |second| {
        let y = any.unrotate(second);
        (any * Quat::exp(Vec3::new(Real::atan2(y.z, y.y), 0.0, 0.0))).normalized()
    })
}

/// A turn that takes x to `axis`.
fn any_frame(axis: Vec3<f64>) -> Quat<f64> {
    let x = Vec3::new(1.0, 0.0, 0.0);
    match axis.x > -0.999_999 {
        true => {
            let v = x.cross(axis);
            Quat::new(v.x, v.y, v.z, 1.0 + axis.x).normalized()
        }
        // Almost -x: half a turn about z, then the rest.
        false => {
            let v = (-x).cross(axis);
            Quat::new(v.x, v.y, v.z, 1.0 - axis.x).normalized() * Quat::new(0.0, 0.0, 1.0, 0.0)
        }
    }
}
