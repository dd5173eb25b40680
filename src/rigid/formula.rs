//! What joints hold, by the degrees of freedom they remove; one file for all, as all are made of three sorts of rows.
//!
//! ```text
//! points      C = t · (p_a - p_b)      t a world axis (ball), or attached to a (line, plane)       S4-17, S4-18, S4-19
//! directions  C = d_a · d_b            two directions that were at right angles                    S4-20
//! coordinate  C = s - clamp(s)         limits (from lo to hi) and motors (lo = hi) of angle, way, length, swing
//! turn        C = θ                    the vector of the turn from a to b, in the world: motors of all three freedoms
//!
//! ball 3 points · line 2 · plane 1 · distance 1 · hinge 3 points 2 directions · universal 3 and 1 · slider 2 and 3 · fixed 3 and 3
//! orientation 3 directions · parallel 2 · perpendicular 1 · soft ones a turn in place of 3 directions
//! ```
//!
//! A row's gradient is linear about a, minus that about b, and a torque about either center (S4-13). With p = x + R r and
//! δR = δθ × R: ∂(d_a·d_b)/∂θ_a = d_a × d_b, and t attached to a sees ∂C/∂θ_a = (p_b - x_a) × t.

use super::lever::{AnyLever, RoundLever};
use super::limit::project_limit;
use super::link::{Link, Params, Pose, Row, Rows};
use super::solve::{project_ball, project_rows};
use crate::math::{Real, Vec3};
use crate::state::MovingBody;

/// What a sort of joint holds: K rows, and how they are projected.
pub trait Formula<const K: usize>: Rows<K> {
    /// Projects a joint: all its rows at once.
    #[inline(always)]
    fn project<R: Real>(bodies: &mut [MovingBody<R>; 2], p: &Params<R>, lambda: &mut [R; K]) {
        project_rows::<Self, R, K>(bodies, p, lambda);
    }
}

/// What is made for the formula of a block.
pub(super) trait ForFormula {
    type Made;
    fn make<F: Formula<K>, const K: usize>(self) -> Self::Made;
}

macro_rules! formulas {
    ($($(#[$doc:meta])* $name:ident $rows:literal |$link:ident, $p:ident| [$($row:expr),*] $(by $lever:ident)? $(of $joint:ident $of:literal as $all:literal)? $(drives $drives:literal)? $(meets $meets:literal)? $(slides $slides:literal)?;)*) => {
        /// The rows of a joint that are solved as one block, by what they hold: a joint's, or those of a coordinate.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum JointBlock {
            $($(#[$doc])* $name,)*
        }

        impl JointBlock {
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$name,)*];

            /// Makes what is to be made for its formula.
            pub(super) fn make<M: ForFormula>(self, of: M) -> M::Made {
                match self {
                    $(Self::$name => of.make::<$name, $rows>(),)*
                }
            }

            /// How many rows it has.
            pub(super) fn rows(self) -> usize {
                match self {
                    $(Self::$name => $rows,)*
                }
            }

            /// How many of them hold points, which come first, and how many directions and angles.
            pub(super) fn split(self) -> [usize; 2] {
                let rows = self.rows();
                let points = match self {
                    Self::Ball | Self::RoundBall | Self::Hinge | Self::Universal => 3,
                    Self::Fixed | Self::SoftFixed => 3,
                    Self::Line | Self::Slider | Self::SoftSlider => 2,
                    Self::Plane | Self::Rod | Self::Way | Self::Length => 1,
                    Self::Orientation | Self::SoftOrientation => 0,
                    Self::Parallel | Self::Perpendicular => 0,
                    Self::Angle | Self::AngleAt | Self::Swing | Self::SwingAt | Self::Turn => 0,
                };
                [points, rows - points]
            }

            /// Whether it makes one point of two.
            pub(super) fn makes_one_point(self) -> bool {
                self.split()[0] == 3
            }

            /// Whether it holds wherever its bodies are, and with any force: not so limits and motors.
            pub(super) fn always_holds(self) -> bool {
                !matches!(
                    self,
                    Self::Angle | Self::AngleAt | Self::Swing | Self::SwingAt | Self::Turn | Self::Way | Self::Length
                )
            }

            /// Does `act` with each of its rows (m, rad).
            pub(super) fn each_row<R: Real>(
                self,
                link: &Link<R>,
                p: &Params<R>,
                act: impl FnMut(Row<R>),
            ) {
                match self {
                    $(Self::$name => <$name as Rows<$rows>>::rows(link, p).into_iter().for_each(act),)*
                }
            }

            /// Its rows at two poses (m, rad).
            pub(crate) fn evaluate<R: Real>(self, poses: [Pose<R>; 2], p: &Params<R>) -> Vec<Row<R>> {
                let mut rows = Vec::new();
                self.each_row(&Link::new(poses, p), p, |row| rows.push(row));
                rows
            }
        }

        $(
            $(#[$doc])*
            pub struct $name;
            impl Rows<$rows> for $name {
                const DRIVES: bool = false $(|| $drives)?;
                const MEETS: bool = false $(|| $meets)?;
                const SLIDES: bool = false $(|| $slides)?;
                #[inline(always)]
                fn rows<R: Real>($link: &Link<R>, $p: &Params<R>) -> [Row<R>; $rows] {
                    [$($row),*]
                }
            }
            impl Formula<$rows> for $name {
                $(
                    #[inline(always)]
                    fn project<R: Real>(bodies: &mut [MovingBody<R>; 2], p: &Params<R>, lambda: &mut [R; $rows]) {
                        project_ball::<R, $lever<R>>(bodies, p, lambda);
                    }
                )?
                $(
                    #[inline(always)]
                    fn project<R: Real>(bodies: &mut [MovingBody<R>; 2], p: &Params<R>, lambda: &mut [R; $rows]) {
                        project_limit::<Self, $joint, R, $of, $all>(bodies, p, lambda);
                    }
                )?
            }
        )*
    };
}

formulas! {
    /// The points are one.
    Ball 3 |l, _p| [l.along_world(0), l.along_world(1), l.along_world(2)] by AnyLever;
    /// The same between bodies that resist turns alike in all directions.
    RoundBall 3 |l, _p| [l.along_world(0), l.along_world(1), l.along_world(2)] by RoundLever;
    /// b's point on a line of a.
    Line 2 |l, p| [l.along(p, 1), l.along(p, 2)] slides true;
    /// b's point in a plane of a.
    Plane 1 |l, p| [l.along(p, 0)] slides true;
    /// The points at a distance.
    Rod 1 |l, p| [l.length(p.middle)];
    /// A ball joint that turns about one axis.
    Hinge 5 |l, p| [l.along_world(0), l.along_world(1), l.along_world(2), l.square(p, 0, 1), l.square(p, 0, 2)] meets true;
    /// A ball joint that turns about two axes.
    Universal 4 |l, p| [l.along_world(0), l.along_world(1), l.along_world(2), l.square(p, 0, 1)] meets true;
    /// Moves along a line of a, and does not turn.
    Slider 5 |l, p| [l.along(p, 1), l.along(p, 2), l.square(p, 0, 1), l.square(p, 1, 2), l.square(p, 2, 0)] slides true;
    /// Neither moves nor turns.
    Fixed 6 |l, p| [
        l.along_world(0), l.along_world(1), l.along_world(2), l.square(p, 0, 1), l.square(p, 1, 2), l.square(p, 2, 0)
    ] meets true;
    /// A soft [`Slider`].
    SoftSlider 5 |l, p| [l.along(p, 1), l.along(p, 2), l.turned(p, 0), l.turned(p, 1), l.turned(p, 2)] slides true;
    /// A soft [`Fixed`].
    SoftFixed 6 |l, p| [
        l.along_world(0), l.along_world(1), l.along_world(2), l.turned(p, 0), l.turned(p, 1), l.turned(p, 2)
    ] meets true;
    /// A soft [`Orientation`].
    SoftOrientation 3 |l, p| [l.turned(p, 0), l.turned(p, 1), l.turned(p, 2)];
    /// Does not turn.
    Orientation 3 |l, p| [l.square(p, 0, 1), l.square(p, 1, 2), l.square(p, 2, 0)];
    /// Turns about one axis.
    Parallel 2 |l, p| [l.square(p, 0, 1), l.square(p, 0, 2)];
    /// Turns about two axes.
    Perpendicular 1 |l, p| [l.square(p, 0, 1)];
    /// The angle of b about the joint's axis.
    Angle 1 |l, p| [held_angle(l, p)] drives true;
    /// The same of a hinge, solved with it.
    AngleAt 1 |l, p| [held_angle(l, p)] of Hinge 5 as 6;
    /// The way of b along the joint's axis.
    Way 1 |l, p| [held(way(l, p), p)] drives true slides true;
    /// The distance of the points.
    Length 1 |l, p| [held(l.length(R::zero()), p)] drives true;
    /// The turn of b from a, as a vector.
    Turn 3 |l, p| [l.turned(p, 0), l.turned(p, 1), l.turned(p, 2)] drives true;
    /// The angle between the axis of a and that of b.
    Swing 1 |l, p| [held(swing(l, p), p)];
    /// The same of a ball joint, solved with it.
    SwingAt 1 |l, p| [held(swing(l, p), p)] of Ball 3 as 4;
}

impl JointBlock {
    /// The same limit, solved with its joint where that makes one point of two.
    pub(super) fn with_joint(self) -> Self {
        match self {
            Self::Angle => Self::AngleAt,
            Self::Swing => Self::SwingAt,
            other => other,
        }
    }

    /// What yields, and does not turn, alike about all axes and either way: directions at right angles have a part of second order
    /// that does not depend on the sign, so that a weld yielded by 1.11 or 0.93 times what its compliance says, at 0.1 rad.
    pub(super) fn soft(self) -> Self {
        match self {
            Self::Slider => Self::SoftSlider,
            Self::Fixed => Self::SoftFixed,
            Self::Orientation => Self::SoftOrientation,
            other => other,
        }
    }

    /// The coordinate that it holds.
    pub(super) fn coordinate<R: Real>(self, poses: [Pose<R>; 2], p: &Params<R>) -> R {
        let link = Link::new(poses, p);
        match self {
            Self::Angle | Self::AngleAt => angle(&link, p).c,
            Self::Way => way(&link, p).c,
            _ => link.length(R::zero()).c,
        }
    }
}

/// How far `value` is outside of what it may be.
#[inline(always)]
fn held<R: Real>(value: Row<R>, p: &Params<R>) -> Row<R> {
    let off = value.c - p.middle;
    Row { c: off - off.clamp(-p.half, p.half), ..value }
}

/// The same of an angle, whose turns are counted: of those that look alike it is the one nearest to where it was when the substep
/// began, turned on by velocities and corrections.
#[inline(always)]
fn held_angle<R: Real>(link: &Link<R>, p: &Params<R>) -> Row<R> {
    let row = angle(link, p);
    let axis = link.axis(p, 0, 0);
    let foreseen = p.foreseen + axis.dot(link.turned[1] - link.turned[0]);
    let off = nearest(row.c - p.middle, foreseen);
    Row { c: off - off.clamp(-p.half, p.half), ..row }
}

/// The angle that looks like `off` and is nearest to `foreseen`, seven turns away at most (rad).
#[inline(always)]
pub(super) fn nearest<R: Real>(off: R, foreseen: R) -> R {
    let turn = |turns: f64| R::of(turns * 2.0 * core::f64::consts::PI);
    let mut near = off;
    for turns in [4.0, 2.0, 1.0] {
        let (way, least) = (foreseen - near, turn(turns - 0.5));
        let ahead = R::select(least.lt(way), near + turn(turns), near);
        near = R::select(way.lt(-least), near - turn(turns), ahead);
    }
    near
}

/// The angle of b about the joint's axis, -π..π.
#[inline(always)]
fn angle<R: Real>(link: &Link<R>, p: &Params<R>) -> Row<R> {
    let axis = link.axis(p, 0, 0);
    let (a, b) = (link.axis(p, 0, 1), link.axis(p, 1, 1));
    Row {
        c: Real::atan2(a.cross(b).dot(axis), a.dot(b)),
        linear: Vec3::zero(),
        turn: [-axis, axis],
        share: R::of(1.0),
    }
}

/// The way of b's point along the joint's axis (m).
#[inline(always)]
fn way<R: Real>(link: &Link<R>, p: &Params<R>) -> Row<R> {
    let Row { c, linear, turn, share } = link.along(p, 0);
    Row { c: -c, linear: -linear, turn: [-turn[0], -turn[1]], share }
}

/// The angle between the axes, 0..π.
#[inline(always)]
fn swing<R: Real>(link: &Link<R>, p: &Params<R>) -> Row<R> {
    let (a, b) = (link.axis(p, 0, 0), link.axis(p, 1, 0));
    let normal = a.cross(b);
    let sine = normal.length();
    let n = normal * R::of(1.0).over_positive(sine);
    let c = Real::atan2(sine, a.dot(b));
    Row { c, linear: Vec3::zero(), turn: [-n, n], share: R::of(1.0) }
}
