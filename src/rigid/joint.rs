//! A joint as authored, and what of it is refused.

use super::end::End;
use super::formula::JointBlock;
use super::link::{Params, Row};
use crate::error::{ModelError, violation};
use crate::math::{Quat, Vec3};
use crate::state::Snapshot;
use crate::subsystem::Authored;
use core::f64::consts::PI;

/// What a joint lets go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// Turns about a point.
    Ball,
    /// A ball joint that slides along a line of the first body.
    Line,
    /// A ball joint that slides in a plane of the first body.
    Plane,
    /// Turns about an axis.
    Hinge,
    /// Turns about an axis of the first body and one of the second at right angles to it.
    Universal,
    /// Slides along an axis of the first body.
    Slider,
    /// Nothing.
    Fixed,
    /// All but the distance of two points.
    Distance,
}

impl JointKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Ball,
        Self::Line,
        Self::Plane,
        Self::Hinge,
        Self::Universal,
        Self::Slider,
        Self::Fixed,
        Self::Distance,
    ];

    /// The word in scene files.
    pub fn name(self) -> &'static str {
        self.traits().0
    }

    /// Its word, its rows, the coordinate that limits and motors act on, whether it needs an axis, and whether it holds an
    /// orientation.
    fn traits(self) -> (&'static str, JointBlock, Option<JointBlock>, bool, bool) {
        use JointBlock::{Angle, Length, Swing, Way};
        match self {
            Self::Ball => ("ball", JointBlock::Ball, Some(Swing), false, false),
            Self::Line => ("line", JointBlock::Line, Some(Way), true, false),
            Self::Plane => ("plane", JointBlock::Plane, None, true, false),
            Self::Hinge => ("hinge", JointBlock::Hinge, Some(Angle), true, true),
            Self::Universal => ("universal", JointBlock::Universal, None, true, true),
            Self::Slider => ("slider", JointBlock::Slider, Some(Way), true, true),
            Self::Fixed => ("fixed", JointBlock::Fixed, None, false, true),
            Self::Distance => ("distance", JointBlock::Rod, Some(Length), false, false),
        }
    }
}

/// What drives a joint's coordinate: angle (rad), way or length (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motor {
    /// To a value.
    Position(f64),
    /// At a rate (1/s).
    Velocity(f64),
}

/// A joint as authored.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// What it lets go.
    pub kind: JointKind,
    /// The two it joins.
    pub ends: [End; 2],
    /// The point that they share, in the world (m). Of a distance: the point of the first end (of the world, where that is
    /// one of them); the other is held at its center.
    pub anchor: [f64; 3],
    /// The axis, in the world, where the kind has one; of a ball joint the direction whose swing is limited.
    pub axis: Option<[f64; 3]>,
    /// Least and largest coordinate; a distance with limits is free between them.
    pub limits: Option<[f64; 2]>,
    /// What drives the coordinate.
    pub motor: Option<Motor>,
    /// α of all its rows, motor and limits too (m/N, rad/(N m)).
    pub compliance: f64,
}

impl Joint {
    /// A rigid joint without limits and motor.
    pub fn new(kind: JointKind, ends: [End; 2], anchor: [f64; 3]) -> Self {
        Self { kind, ends, anchor, axis: None, limits: None, motor: None, compliance: 0.0 }
    }

    /// This joint about or along an axis.
    pub fn along(mut self, axis: [f64; 3]) -> Self {
        self.axis = Some(axis);
        self
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

impl Element {
    /// What its rows are in a state; `axes` are those of the bodies.
    pub(super) fn rows(&self, state: &Snapshot, axes: &[Quat<f64>]) -> Vec<Row<f64>> {
        let poses = self.ends.map(|end| end.pose(state, axes));
        self.block.evaluate(poses, &self.params)
    }
}

/// Why a joint is refused: which of its values, the value and the rule.
type Refused = (&'static str, f64, &'static str);

impl Joint {
    /// Checks the joint and works out its elements; `index` is its place among the joints.
    pub(super) fn build(&self, model: &Authored, index: usize) -> Result<Vec<Element>, ModelError> {
        self.build_or_refuse(model).map_err(|(name, value, rule)| ModelError::Value {
            place: format!("joints[{index}].{name}"),
            value,
            rule,
        })
    }

    fn build_or_refuse(&self, model: &Authored) -> Result<Vec<Element>, Refused> {
        self.check_ends(model)?;
        let numbers = [&self.anchor[..], self.axis.as_ref().map_or(&[], |a| &a[..])];
        for (name, values) in ["anchor", "axis"].into_iter().zip(numbers) {
            for &value in values {
                if let Some(rule) = violation(value, f64::NEG_INFINITY) {
                    return Err((name, value, rule));
                }
            }
        }
        if let Some(rule) = violation(self.compliance, 0.0) {
            return Err(("compliance", self.compliance, rule));
        }
        let (.., needs_axis, _) = self.kind.traits();
        let needs_axis = needs_axis || (self.kind == JointKind::Ball && self.limits.is_some());
        let axis = match self.axis {
            None if needs_axis => return Err(("axis", 0.0, "it is missing")),
            None => Vec3::new(1.0, 0.0, 0.0),
            Some(axis) => Vec3::of(axis),
        };
        let length = axis.length();
        if length < 1e-12 {
            return Err(("axis", length, "must have a direction"));
        }
        let params = self.params(model, axis * (1.0 / length));
        self.rows(params)
    }

    fn check_ends(&self, model: &Authored) -> Result<(), Refused> {
        let (bodies, particles) = (model.bodies, model.positions.len());
        let mut held = true;
        for (slot, end) in self.ends.into_iter().enumerate() {
            match end {
                End::World => {}
                End::Body(i) => match bodies.get(i as usize) {
                    None => return Err(("bodies", f64::from(i), "there is no such body")),
                    Some(body) => held &= body.fixed,
                },
                End::Particle(i) if slot == 0 => {
                    return Err(("particle", f64::from(i), "must be the second end"));
                }
                End::Particle(i) if i as usize >= particles => {
                    return Err(("particle", f64::from(i), "there is no such particle"));
                }
                End::Particle(i) => {
                    held &= model.inverse_masses[i as usize] == 0.0;
                    if self.kind.traits().4 {
                        let rule = "a particle has no orientation to hold";
                        return Err(("particle", f64::from(i), rule));
                    }
                }
            }
        }
        match self.ends {
            [End::Body(i), End::Body(j)] if i == j => {
                Err(("bodies", f64::from(i), "a body is not joined to itself"))
            }
            [End::Body(i), _] | [_, End::Body(i)] if held => {
                Err(("bodies", f64::from(i), "neither end can move"))
            }
            _ if held => Err(("bodies", -1.0, "neither end can move")),
            _ => Ok(()),
        }
    }

    /// Arms and axes in the frames of the ends.
    fn params(&self, model: &Authored, axis: Vec3<f64>) -> Params<f64> {
        let frame = frame(axis);
        let local = |end: End, point: Option<[f64; 3]>| match end {
            End::World => (Vec3::of(point.unwrap_or(self.anchor)), frame),
            End::Body(i) => {
                let body = &model.bodies[i as usize];
                let arm = point.map_or(Vec3::zero(), |point| body.to_local(point));
                (arm, body.principal().conjugate() * frame)
            }
            End::Particle(_) => (Vec3::zero(), Quat::identity()),
        };
        let [a, b] = self.ends;
        let points = match (self.kind, b) {
            (JointKind::Distance, End::World) => [None, Some(self.anchor)],
            (JointKind::Distance, _) => [Some(self.anchor), None],
            _ => [Some(self.anchor); 2],
        };
        let (ends, at) = ([a, b], |end: End, point: Option<[f64; 3]>| match (point, end) {
            (Some(point), _) => Vec3::of(point),
            (None, End::Body(i)) => Vec3::of(model.bodies[i as usize].position),
            (None, End::Particle(i)) => Vec3::of(model.positions[i as usize].map(f64::from)),
            (None, End::World) => Vec3::of(self.anchor),
        });
        let apart = at(ends[0], points[0]) - at(ends[1], points[1]);
        let [(arm_a, frame_a), (arm_b, frame_b)] = [local(a, points[0]), local(b, points[1])];
        Params {
            arms: [arm_a, arm_b],
            frames: [frame_a, frame_b],
            middle: apart.length(),
            half: 0.0,
            alpha: self.compliance,
        }
    }

    fn rows(&self, params: Params<f64>) -> Result<Vec<Element>, Refused> {
        let (_, block, coordinate, ..) = self.kind.traits();
        let free = self.limits.is_some() || self.motor.is_some();
        let element = Element { block, ends: self.ends, params, rate: None };
        let of = |block, middle, half| {
            let params = Params { middle, half, ..params };
            Element { block, params, ..element }
        };
        // A distance with limits or a motor is free between them.
        let mut rows = match self.kind {
            JointKind::Distance if free => Vec::new(),
            _ => vec![element],
        };
        if let Some(motor) = self.motor {
            let (coordinate, value) = self.driven(motor, coordinate)?;
            let rate = matches!(motor, Motor::Velocity(_)).then_some(value);
            rows.push(Element { rate, ..of(coordinate, value, 0.0) });
        }
        if let Some([lo, hi]) = self.limits {
            let coordinate = coordinate.ok_or(("limits", lo, "this kind has none"))?;
            check_limits(coordinate, [lo, hi])?;
            rows.push(of(coordinate, (lo + hi) / 2.0, (hi - lo) / 2.0));
        }
        Ok(rows)
    }

    /// The coordinate that a motor drives, and its target.
    fn driven(
        &self,
        motor: Motor,
        coordinate: Option<JointBlock>,
    ) -> Result<(JointBlock, f64), Refused> {
        let (Motor::Position(value) | Motor::Velocity(value)) = motor;
        if let Some(rule) = violation(value, f64::NEG_INFINITY) {
            return Err(("target", value, rule));
        }
        let coordinate = coordinate.filter(|_| self.kind != JointKind::Ball);
        let coordinate = coordinate.ok_or(("motor", value, "this kind has none"))?;
        let on_particle = matches!(self.ends[1], End::Particle(_));
        if on_particle && matches!(motor, Motor::Velocity(_)) {
            return Err(("motor", value, "a particle is driven to a position only"));
        }
        Ok((coordinate, value))
    }
}

/// Refuses limits that a coordinate cannot have.
fn check_limits(coordinate: JointBlock, [lo, hi]: [f64; 2]) -> Result<(), Refused> {
    let range = match coordinate {
        JointBlock::Angle => -PI..=PI,
        JointBlock::Swing => 0.0..=PI,
        JointBlock::Length => 0.0..=f64::INFINITY,
        _ => f64::NEG_INFINITY..=f64::INFINITY,
    };
    for value in [lo, hi] {
        if let Some(rule) = violation(value, f64::NEG_INFINITY) {
            return Err(("limits", value, rule));
        }
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

/// A turn that takes x to `axis`.
fn frame(axis: Vec3<f64>) -> Quat<f64> {
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
