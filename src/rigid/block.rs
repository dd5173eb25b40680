//! The rows of a joint that are solved as one block, by what they hold.

use super::end::End;
use super::formula::{self, Formula};
use super::link::{Link, Params, Pose, Row};
use crate::math::Real;

/// Joint rows, or a coordinate: what a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointBlock {
    Ball,
    Line,
    Plane,
    Rod,
    Hinge,
    Universal,
    Slider,
    Fixed,
    Angle,
    Way,
    Length,
    Swing,
}

/// Does `$do!(Formula, rows)` for the formula of a block.
macro_rules! with_formula {
    ($block:expr, $do:ident) => {
        match $block {
            JointBlock::Ball => $do!(formula::Ball, 3),
            JointBlock::Line => $do!(formula::Line, 2),
            JointBlock::Plane => $do!(formula::Plane, 1),
            JointBlock::Rod => $do!(formula::Rod, 1),
            JointBlock::Hinge => $do!(formula::Hinge, 5),
            JointBlock::Universal => $do!(formula::Universal, 4),
            JointBlock::Slider => $do!(formula::Slider, 5),
            JointBlock::Fixed => $do!(formula::Fixed, 6),
            JointBlock::Angle => $do!(formula::Angle, 1),
            JointBlock::Way => $do!(formula::Way, 1),
            JointBlock::Length => $do!(formula::Length, 1),
            JointBlock::Swing => $do!(formula::Swing, 1),
        }
    };
}
pub(super) use with_formula;

impl JointBlock {
    /// How many rows it has.
    pub(super) fn rows(self) -> usize {
        macro_rules! rows {
            ($formula:ty, $rows:literal) => {
                $rows
            };
        }
        with_formula!(self, rows)
    }

    /// What its rows are at two poses (m, rad).
    pub(crate) fn evaluate<R: Real>(self, poses: [Pose<R>; 2], p: &Params<R>) -> Vec<Row<R>> {
        let link = Link::new(poses, p);
        macro_rules! rows {
            ($formula:ty, $rows:literal) => {
                <$formula as Formula<$rows>>::rows(&link, p).to_vec()
            };
        }
        with_formula!(self, rows)
    }

    /// The coordinate that it holds.
    pub(super) fn coordinate<R: Real>(self, poses: [Pose<R>; 2], p: &Params<R>) -> R {
        let link = Link::new(poses, p);
        match self {
            Self::Angle => formula::angle(&link, p).c,
            Self::Way => formula::way(&link, p).c,
            _ => link.distance(),
        }
    }
}

/// One joint's rows, or its motor's or limits' row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub(super) block: JointBlock,
    pub(super) ends: [End; 2],
    /// `alpha` is α.
    pub(super) params: Params<f64>,
    /// What a motor of velocity adds to the goal (1/s).
    pub(super) rate: Option<f64>,
}
