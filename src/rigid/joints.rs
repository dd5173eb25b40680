//! Joints as a subsystem: after the rows of every iteration, colored among themselves.
//!
//! Elements of one block and kinds of ends are one batch, in the order in which they first appear, motors and limits after all
//! joints; within a batch they are colored by first fit along the authored order. Every method walks that order. Islands that passes
//! would leave open are solved at once, after the batches.

use super::batch::{BatchRuntime, groups, offsets};
use super::breaking::BreakingJoints;
use super::direct_joints::DirectJoints;
use super::end::End;
use super::formula::JointBlock;
use super::held::held;
use super::joint::{Element, Joint, Motor};
use super::joint_batch::JointRows;
use crate::constraints::per_substep;
use crate::error::ModelError;
use crate::math::{Quat, Real};
use crate::rows::Residual;
#[cfg(test)]
use crate::state::Snapshot;
use crate::state::{Breaks, HeldVelocities, Width};
use crate::subsystem::{Authored, Bond, BuildContext, Measurement, Runtime, Subsystem, runtimes};
use crate::threads::lock;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// All joints of a model.
#[derive(Default)]
pub struct Joints {
    joints: Vec<Joint>,
    /// The rows of the joints, then those of motors and limits apart.
    elements: Vec<Element>,
    drives: Vec<Element>,
    /// The axes of the model's bodies, to see their principal ones in a state.
    axes: Vec<Quat<f64>>,
}

impl Joints {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a joint between bodies and particles that `model` has, where they are now.
    ///
    /// # Errors
    /// An end that does not exist, a body joined to itself, two ends that cannot move; a number out of range or not finite;
    /// an axis that is missing; limits or a motor on a kind without a coordinate.
    pub fn add<'a>(
        &mut self,
        model: impl Into<Authored<'a>>,
        joint: Joint,
    ) -> Result<(), ModelError> {
        let model = model.into();
        for (i, element) in joint.build(&model, self.joints.len())?.into_iter().enumerate() {
            match i {
                0 => self.elements.push(element),
                _ => self.drives.push(element),
            }
        }
        let added = model.bodies.iter().skip(self.axes.len());
        self.axes.extend(added.map(|body| Quat::of(body.axes)));
        self.joints.push(joint);
        Ok(())
    }

    /// The joints as authored.
    pub fn as_slice(&self) -> &[Joint] {
        &self.joints
    }

    fn all(&self) -> impl Iterator<Item = &Element> {
        self.elements.iter().chain(&self.drives)
    }

    /// What every row of every joint that is whole, motors of velocity and those that do no more than so much left out, is in a
    /// state: C (m or rad), α and where its multiplier is.
    fn errors(&self, of: &Measurement) -> Vec<(f64, f64, usize)> {
        let mut errors = Vec::new();
        let (offsets, rows) = offsets(self.all().map(|element| element.block.rows()));
        for (element, first) in self.all().zip(offsets) {
            let is_broken = of.lambda.get(rows + element.joint) == Some(&1.0);
            let is_weak = element.params.most.is_finite();
            if element.rate.is_none() && !is_broken && !is_weak {
                let rows = element.rows(of.state, &self.axes);
                let alpha = element.params.alpha;
                errors.extend(rows.iter().enumerate().map(|(k, row)| (row.c, alpha, first + k)));
            }
        }
        errors
    }

    /// The largest |C| of all rows in a state: of those that hold a point or a distance (m), and of those that hold an
    /// angle (rad).
    #[cfg(test)]
    pub(crate) fn largest_gaps(&self, state: &Snapshot) -> [f64; 2] {
        let mut most = [0.0_f64; 2];
        for element in self.all().filter(|element| element.rate.is_none()) {
            for row in element.rows(state, &self.axes) {
                let unit = usize::from(row.linear.length() == 0.0);
                most[unit] = most[unit].max(row.c.abs());
            }
        }
        most
    }
}

impl Subsystem for Joints {
    fn name(&self) -> &'static str {
        "joints"
    }

    fn len(&self) -> usize {
        self.joints.len()
    }

    fn equations(&self) -> usize {
        self.all().map(|element| element.block.rows()).sum()
    }
    fn describe(&self, to: &mut dyn fmt::Write) -> fmt::Result {
        write!(to, "{:?}", self.joints)
    }
    fn needs(&self) -> [usize; 2] {
        End::needed(self.joints.iter().flat_map(|joint| joint.ends))
    }

    fn joined(&self) -> [Vec<[u32; 2]>; 2] {
        let [mut bodies, mut particles] = <[Vec<_>; 2]>::default();
        for [of_bodies, of_particle] in self.joints.iter().map(Joint::joined) {
            bodies.extend(of_bodies);
            particles.extend(of_particle);
        }
        [bodies, particles]
    }

    fn held(&self) -> Vec<Arc<HeldVelocities>> {
        let may_break = |element: &Element| self.joints[element.joint].is_breakable();
        self.elements.iter().filter_map(|element| held(element, may_break(element))).collect()
    }

    fn driven(&self) -> Vec<u32> {
        let moves = |joint: &&Joint| joint.motor.is_some_and(Motor::never_rests);
        let ends = self.joints.iter().filter(moves).flat_map(|joint| joint.ends);
        ends.filter_map(End::body).collect()
    }

    fn each_link(&self, act: &mut dyn FnMut(&[u32], &[u32])) {
        self.joints.iter().for_each(|joint| End::link(&joint.ends, act));
    }

    fn each_bond(&self, act: &mut Bond) {
        for joint in &self.joints {
            let keeps = !joint.ends.contains(&End::World) && !joint.is_breakable();
            End::link(&joint.ends, &mut |particles, bodies| act(particles, bodies, keeps));
        }
    }

    runtimes!();

    /// |C + α/h² λ| of every row, in m or rad: a joint's points and directions move as far as its ends do.
    fn add_residual(&self, of: &Measurement, sum: &mut Residual) {
        for (c, alpha, at) in self.errors(of) {
            let force = of.lambda.get(at).map_or(0.0, |l| f64::from(*l));
            sum.add(c + per_substep(alpha, of.settings.h()) * force, 1.0);
            // As `solve::keep_sound` has it; what is not a number is not either.
            let is_sound = c * c < f64::from(f32::huge());
            sum.degenerate += usize::from(!is_sound);
        }
    }

    fn elastic_energy(&self, of: &Measurement) -> f64 {
        let errors = self.errors(of).into_iter();
        let soft = errors.filter(|(_, alpha, _)| *alpha > 0.0);
        soft.map(|(c, alpha, _)| c * c / (2.0 * alpha)).sum()
    }
}

impl Joints {
    fn runtime<W: Width>(&self, context: &BuildContext) -> Box<dyn Runtime<W>> {
        let all: Vec<Element> = self.all().map(|element| solved(element, context)).collect();
        let all: Vec<&Element> = all.iter().collect();
        let h = context.settings.h();
        let joints = self.joints.iter().map(|joint| (joint.joined(), joint.is_breakable()));
        let any = self.joints.iter().any(Joint::is_breakable);
        let breaks = any.then(|| Arc::new(Breaks::new(joints)));
        let (direct, is_direct) = DirectJoints::new(&all, context, breaks.as_ref());
        let passed = (0..).zip(&all).filter(|(i, _)| !is_direct[*i as usize]);
        let mut ends = passed.map(|(i, element)| (i, element.block, element.ends));
        let groups = groups(&mut ends, context);
        let batch = |group| {
            let breaks = breaks.as_ref();
            let rows = JointRows::<W> { all: &all, group, h, breaks, width: PhantomData };
            group.kind.make(rows)
        };
        let mut batches: Vec<_> = groups.iter().map(batch).collect();
        if !direct.is_empty() {
            batches.push(Box::new(direct));
        }
        let runtime = BatchRuntime {
            batches,
            equations: all.iter().map(|element| element.block.rows()).collect(),
        };
        match &breaks {
            None => Box::new(runtime),
            Some(breaks) => {
                lock(&context.breaks).push(breaks.clone());
                Box::new(BreakingJoints::new(
                    runtime,
                    breaks.clone(),
                    (&self.joints, &all),
                    context.settings,
                ))
            }
        }
    }
}

/// An element, a ball joint of round bodies as what it is solved as.
fn solved(element: &Element, context: &BuildContext) -> Element {
    let is_round = |end: &End| match end {
        End::Body(i) => context.bodies[*i as usize].resistance().is_round(),
        End::Particle(_) | End::World => true,
    };
    let block = match element.block {
        JointBlock::Ball if element.ends.iter().all(is_round) => JointBlock::RoundBall,
        block => block,
    };
    Element { block, ..*element }
}
