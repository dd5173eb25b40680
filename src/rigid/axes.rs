//! The axes and the limits of a joint as authored.

use super::formula::JointBlock;
use crate::error::{Flaw, check_numbers};
use crate::math::{Quat, Real, Vec3};
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
