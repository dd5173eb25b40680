//! A joint as authored, and what of it is refused.

use super::axes::{check_limits, check_target, frame, same_angle};
use super::end::End;
use super::formula::JointBlock;
use super::joint_kind::{JointKind, KindTraits};
use super::link::{Params, Row};
use crate::constraints::across;
use crate::error::{Flaw, ModelError, check_numbers};
use crate::math::{Quat, Vec3};
use crate::mesh;
use crate::state::Snapshot;
use crate::subsystem::Authored;

/// What drives a joint: its coordinate, which is an angle (rad), a way or a length (m), or of a ball joint and an orientation
/// the whole turn of the second end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motor {
    /// The coordinate, to a value.
    Position(f64),
    /// The coordinate, at a rate (1/s).
    Velocity(f64),
    /// The turn, to a rotation vector: in the world at rest, carried along by the first end (rad).
    Orientation([f64; 3]),
    /// The turn, at an angular velocity likewise (rad/s).
    AngularVelocity([f64; 3]),
}

impl Motor {
    /// Whether it never comes to rest.
    pub(super) fn never_rests(self) -> bool {
        match self {
            Self::Velocity(rate) => rate != 0.0,
            Self::AngularVelocity(rates) => rates != [0.0; 3],
            Self::Position(_) | Self::Orientation(_) => false,
        }
    }
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
    /// Of a universal joint the axis of the second end, in the world; what of it lies along `axis` is left out. None: any.
    pub axis2: Option<[f64; 3]>,
    /// Least and largest coordinate; a distance with limits is free between them.
    pub limits: Option<[f64; 2]>,
    /// What drives the coordinate.
    pub motor: Option<Motor>,
    /// The most that the motor does (N, of angles N m).
    pub max_force: Option<f64>,
    /// The force (N) that it holds points together with and breaks beyond.
    pub break_force: Option<f64>,
    /// The torque (N m) that it holds directions with and breaks beyond.
    pub break_torque: Option<f64>,
    /// α of all its rows, motor and limits too (m/N, rad/(N m)).
    pub compliance: f64,
}

impl Joint {
    /// A rigid joint without limits and motor.
    pub fn new(kind: JointKind, ends: [End; 2], anchor: [f64; 3]) -> Self {
        Self {
            kind,
            ends,
            anchor,
            axis: None,
            axis2: None,
            limits: None,
            motor: None,
            max_force: None,
            break_force: None,
            break_torque: None,
            compliance: 0.0,
        }
    }

    /// This joint about or along an axis.
    pub fn along(mut self, axis: [f64; 3]) -> Self {
        self.axis = Some(axis);
        self
    }

    /// The bodies that it joins, if it joins two; else the particle and the body, if it joins such.
    pub(super) fn joined(&self) -> [Option<[u32; 2]>; 2] {
        match self.ends {
            [End::Body(a), End::Body(b)] => [Some([a, b]), None],
            [End::Body(b), End::Particle(i)] => [None, Some([i, b])],
            _ => [None; 2],
        }
    }

    /// Whether it may break.
    pub(super) fn is_breakable(&self) -> bool {
        self.break_force.is_some() || self.break_torque.is_some()
    }
}

/// One joint's rows, or its motor's or limits' row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    /// Its joint, by its place.
    pub(super) joint: usize,
    pub(super) block: JointBlock,
    pub(super) ends: [End; 2],
    /// `alpha` is α.
    pub(super) params: Params<f64>,
    /// What a motor of velocity adds to the goal (1/s): of a coordinate the first number, of a turn all, about the joint's axes.
    pub(super) rate: Option<[f64; 3]>,
    /// Whether its joint makes one point of two.
    pub(super) pinned: bool,
}

impl Element {
    /// What its rows are in a state; `axes` are those of the bodies.
    pub(super) fn rows(&self, state: &Snapshot, axes: &[Quat<f64>]) -> Vec<Row<f64>> {
        let poses = self.ends.map(|end| end.pose(state, axes));
        self.block.evaluate(poses, &self.params)
    }
}

impl Joint {
    /// Checks the joint and works out its elements; `index` is its place among the joints.
    pub(super) fn build(&self, model: &Authored, index: usize) -> Result<Vec<Element>, ModelError> {
        self.build_or_refuse(model, index).map_err(|(name, value, rule)| {
            ModelError::value(format!("joints[{index}].{name}"), value, rule)
        })
    }

    fn build_or_refuse(&self, model: &Authored, index: usize) -> Result<Vec<Element>, Flaw> {
        self.check_ends(model)?;
        let axes = [&self.axis, &self.axis2].map(|axis| axis.as_ref().map_or(&[][..], |a| &a[..]));
        let numbers = [&self.anchor[..], axes[0], axes[1]];
        for (name, values) in ["anchor", "axis", "axis2"].into_iter().zip(numbers) {
            check_numbers(name, values, f64::NEG_INFINITY)?;
        }
        check_numbers("compliance", &[self.compliance], 0.0)?;
        let strengths = [
            ("max_force", self.max_force),
            ("break_force", self.break_force),
            ("break_torque", self.break_torque),
        ];
        for (name, strength) in strengths {
            let positive = |v: &f64| *v > 0.0 && v.is_finite();
            if let Some(value) = strength.filter(|value| !positive(value)) {
                return Err((name, value, "must be positive and finite"));
            }
        }
        if let (Some(most), None) = (self.max_force, self.motor) {
            return Err(("max_force", most, "there is no motor"));
        }
        let needs_axis = self.kind.needs_axis(self.limits.is_some());
        let axis = match self.axis {
            None if needs_axis => return Err(("axis", 0.0, "it is missing")),
            None => Vec3::new(1.0, 0.0, 0.0),
            Some(axis) => Vec3::of(axis),
        };
        let length = axis.length();
        if length < 1e-12 {
            return Err(("axis", length, "must have a direction"));
        }
        let axis = axis * (1.0 / length);
        let second = self.axis2.map(Vec3::of).map(|second| across(second, axis));
        match second.map(Vec3::length) {
            Some(_) if self.kind != JointKind::Universal => {
                return Err(("axis2", 0.0, "this kind has none"));
            }
            Some(length) if length < 1e-12 => {
                return Err(("axis2", length, "must not lie along the axis"));
            }
            _ => {}
        }
        let params = self.params(model, frame(axis, second));
        self.rows(params, index)
    }

    fn check_ends(&self, model: &Authored) -> Result<(), Flaw> {
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
                    if self.kind.traits().turns {
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
    fn params(&self, model: &Authored, frame: Quat<f64>) -> Params<f64> {
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
            (None, End::Particle(i)) => mesh::point(model.positions, i),
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
            most: f64::INFINITY,
            foreseen: 0.0,
        }
    }

    fn rows(&self, params: Params<f64>, joint: usize) -> Result<Vec<Element>, Flaw> {
        let KindTraits { block, limited, .. } = self.kind.traits();
        let block = if self.compliance > 0.0 { block.soft() } else { block };
        let free = self.limits.is_some() || self.motor.is_some();
        let pinned = self.kind.has_anchor();
        let element = Element { joint, block, ends: self.ends, params, rate: None, pinned };
        let mut rows = match self.kind.is_freed() && free {
            true => Vec::new(),
            false => vec![element],
        };
        if let Some(motor) = self.motor {
            rows.push(self.drive(motor, element)?);
        }
        if let Some([lo, hi]) = self.limits {
            let block = limited.ok_or(("limits", lo, "this kind has none"))?;
            check_limits(block, [lo, hi])?;
            let params = Params { middle: (lo + hi) / 2.0, half: (hi - lo) / 2.0, ..params };
            rows.push(Element { block: self.with_joint(block), params, ..element });
        }
        Ok(rows)
    }

    /// The block by which a limit, or a motor of any force, is solved: together with the rows of its joint, unless that may break or yields,
    /// which its own rows tell.
    fn with_joint(&self, block: JointBlock) -> JointBlock {
        let is_plain = self.kind.has_anchor() && !self.is_breakable() && self.compliance == 0.0;
        if is_plain { block.with_joint() } else { block }
    }

    /// The element of a motor, made of the joint's own.
    fn drive(&self, motor: Motor, element: Element) -> Result<Element, Flaw> {
        let (values, is_turn, is_rate) = match motor {
            Motor::Position(value) => ([value, 0.0, 0.0], false, false),
            Motor::Velocity(value) => ([value, 0.0, 0.0], false, true),
            Motor::Orientation(values) => (values, true, false),
            Motor::AngularVelocity(values) => (values, true, true),
        };
        check_numbers("target", &values, f64::NEG_INFINITY)?;
        let block = self.kind.traits().driven.ok_or(("motor", values[0], "this kind has none"))?;
        match (block == JointBlock::Turn, is_turn) {
            (true, false) => return Err(("target", values[0], "must be three numbers: a turn")),
            (false, true) => return Err(("target", values[0], "must be one number")),
            _ => {}
        }
        if !is_rate {
            check_target(block, values)?;
        }
        match self.ends[1] {
            End::Particle(_) if is_turn => {
                return Err(("motor", values[0], "a particle has no orientation to drive"));
            }
            End::Particle(_) if is_rate => {
                return Err(("motor", values[0], "a particle is driven to a position only"));
            }
            _ => {}
        }
        let most = self.max_force.unwrap_or(f64::INFINITY);
        // A motor takes the shorter way: angles that look alike are one.
        let middle = if block == JointBlock::Angle { same_angle(values[0]) } else { values[0] };
        let mut params = Params { middle, half: 0.0, most, ..element.params };
        let mut rate = values;
        if is_turn {
            // From the world into the joint's axes.
            let axis = self.axis.map_or(Vec3::new(1.0, 0.0, 0.0), Vec3::of);
            let local = frame(axis * (1.0 / axis.length()), None).unrotate(Vec3::of(values));
            rate = local.to_array();
            params.frames[1] = params.frames[1] * Quat::exp(-local);
        }
        let block = if self.max_force.is_none() { self.with_joint(block) } else { block };
        Ok(Element { block, params, rate: is_rate.then_some(rate), ..element })
    }
}
