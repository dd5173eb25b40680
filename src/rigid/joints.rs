//! Joints as a part of a model: after the rows of every iteration, colored among themselves.
//!
//! Elements of one sort and signature are one bunch, in the order in which they first appear, motors and limits after all
//! joints; within a bunch they are colored by first fit along the authored order. Every method walks that order.

use super::batch::BatchRuntime;
use super::block::Element;
use super::end::{End, EndKind};
use super::joint::{Built, Joint};
use super::joint_batch::{JointRows, joint_batch};
use super::link::{Params, Pose};
use crate::constraints::per_substep;
use crate::error::ModelError;
use crate::math::{Quat, Vec3};
use crate::rows::Residual;
use crate::settings::Settings;
use crate::state::{Snapshot, Width};
use crate::subsystem::{Authored, BuildContext, Runtime, Subsystem, runtimes};

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
        let Built { rows, rate } = joint.build(&model, self.joints.len())?;
        for (i, (block, params)) in rows.into_iter().enumerate() {
            let element = Element {
                block,
                ends: joint.ends,
                params,
                rate: rate.filter(|rate| rate.0 == i).map(|rate| rate.1),
            };
            match i {
                0 => self.elements.push(element),
                _ => self.drives.push(element),
            }
        }
        self.axes = model.bodies.iter().map(|b| Quat::of(b.axes)).collect();
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

    /// Where the multipliers of each element begin, and how many there are.
    fn offsets(&self) -> (Vec<usize>, usize) {
        let mut end = 0;
        let starts = self.all().map(|element| {
            end += element.block.rows();
            end - element.block.rows()
        });
        (starts.collect(), end)
    }

    /// The elements by block and by kinds of ends, in the order in which they first appear; and a number above those that
    /// their ends are numbered as.
    fn batches(&self, context: &BuildContext) -> (Vec<JointRows>, usize) {
        let bodies = context.bodies.len() as u32;
        let slots = context.permutation.places() as u32;
        let h = context.settings.h();
        let mut batches: Vec<JointRows> = Vec::new();
        for (i, element) in (0..).zip(self.all()) {
            let ends = element.ends.map(End::kind);
            let at = element.ends.map(|end| end.slot(context.permutation));
            // For the coloring everything has a number; each end in the world its own, as nothing is written there.
            let name = |end: usize| match ends[end] {
                EndKind::Body => at[end],
                EndKind::Particle => bodies + at[end],
                EndKind::World => bodies + slots + i,
            };
            let of = |rows: &JointRows| rows.block == element.block && rows.ends == ends;
            let which = batches.iter().position(of).unwrap_or_else(|| {
                batches.push(JointRows {
                    block: element.block,
                    ends,
                    rows: Vec::new(),
                    params: Vec::new(),
                    names: Vec::new(),
                });
                batches.len() - 1
            });
            let alpha = per_substep(element.params.alpha, h);
            let params = Params {
                alpha,
                ..element.params
            };
            let batch = &mut batches[which];
            batch.rows.push((i, at));
            batch
                .params
                .push((params, element.rate.map(|rate| rate * h)));
            batch.names.extend([name(0), name(1)]);
        }
        let most = bodies as usize + slots as usize + self.elements.len() + self.drives.len();
        (batches, most)
    }

    fn pose(&self, end: End, state: &Snapshot) -> Pose<f64> {
        match end {
            End::World => (Vec3::zero(), Quat::identity()),
            End::Particle(i) => {
                let x = state.positions[i as usize].map(f64::from);
                (Vec3::of(x), Quat::identity())
            }
            End::Body(i) => {
                let [x, y, z, qx, qy, qz, qw] = state.bodies[i as usize].map(f64::from);
                let q = Quat::new(qx, qy, qz, qw).normalized();
                (Vec3::new(x, y, z), q * self.axes[i as usize])
            }
        }
    }

    /// What every row of every joint, motors of velocity left out, is in a state: C (m or rad), α and where its multiplier is.
    fn errors(&self, state: &Snapshot) -> Vec<(f64, f64, usize)> {
        let mut errors = Vec::new();
        let (offsets, _) = self.offsets();
        for (element, first) in self.all().zip(offsets) {
            if element.rate.is_none() {
                let poses = element.ends.map(|end| self.pose(end, state));
                let rows = element.block.evaluate(poses, &element.params);
                let alpha = element.params.alpha;
                errors.extend(
                    rows.iter()
                        .enumerate()
                        .map(|(k, row)| (row.c, alpha, first + k)),
                );
            }
        }
        errors
    }

    /// The largest |C| of all rows in a state: of those that hold a point or a distance (m), and of those that hold an
    /// angle (rad).
    pub fn largest_gaps(&self, state: &Snapshot) -> [f64; 2] {
        let mut most = [0.0_f64; 2];
        for element in self.all().filter(|element| element.rate.is_none()) {
            let poses = element.ends.map(|end| self.pose(end, state));
            for row in element.block.evaluate(poses, &element.params) {
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

    fn joined(&self) -> Vec<[u32; 2]> {
        let pairs = self.joints.iter().filter_map(|joint| match joint.ends {
            [End::Body(a), End::Body(b)] => Some([a, b]),
            _ => None,
        });
        pairs.collect()
    }

    runtimes!();

    /// |C + α/h² λ| of every row, in m or rad: a joint's points and directions move as far as its ends do.
    fn add_residual(
        &self,
        state: &Snapshot,
        lambda: &[f32],
        settings: &Settings,
        sum: &mut Residual,
    ) {
        for (c, alpha, at) in self.errors(state) {
            let force = lambda.get(at).map_or(0.0, |l| f64::from(*l));
            let r = (c + per_substep(alpha, settings.h()) * force).abs();
            sum.squares += r * r;
            sum.largest = sum.largest.max(r);
            sum.count += 1;
        }
    }

    fn elastic_energy(&self, state: &Snapshot, _settings: &Settings) -> f64 {
        let errors = self.errors(state).into_iter();
        let soft = errors.filter(|(_, alpha, _)| *alpha > 0.0);
        soft.map(|(c, alpha, _)| c * c / (2.0 * alpha)).sum()
    }
}

impl Joints {
    fn runtime<W: Width>(&self, context: &BuildContext) -> Box<dyn Runtime<W>> {
        let (batches, most) = self.batches(context);
        Box::new(BatchRuntime {
            batches: batches.iter().map(|rows| joint_batch(rows, most)).collect(),
            offsets: self.offsets(),
        })
    }
}
