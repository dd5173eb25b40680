//! Joints that break: when their rows hold with more than a force or a torque.
//!
//! ```text
//! F = |λ| / h² over the rows that hold points, M = |λ| / h² over those that hold directions        broken where F > F_max or M > M_max
//! ```
//!
//! Rows of a broken joint have an infinite compliance, which corrects nothing; its bodies touch from then on.

use super::batch::{BatchRuntime, offsets};
use super::joint::{Element, Joint};
use crate::error::CheckpointError;
use crate::state::{Breaks, Saved, Width, Words};
use crate::subsystem::{Note, Runtime, StepContext, StepPhase, SubsystemStatistics};
use crate::threads::Worker;
use std::sync::Arc;

/// Which joints have broken.
const BROKEN: &str = "broken";

/// What a joint bears.
struct Strength {
    joint: usize,
    /// The largest force (N) and torque (N m).
    most: [f64; 2],
    /// Where the multipliers of its elements begin, and how many of them hold points and directions.
    rows: Vec<(usize, [usize; 2])>,
}

/// Joints of which some may break, ready for a method.
pub(super) struct BreakingJoints<W> {
    inner: BatchRuntime<W>,
    breaks: Arc<Breaks>,
    strengths: Vec<Strength>,
    h: f64,
}

impl<W: Width> BreakingJoints<W> {
    /// `joints` with all their elements, in substeps of `h` (s).
    pub(super) fn new(
        inner: BatchRuntime<W>,
        breaks: Arc<Breaks>,
        (joints, elements): (&[Joint], &[&Element]),
        h: f64,
    ) -> Self {
        let (starts, _) = offsets(elements.iter().map(|element| element.block.rows()));
        let strengths = joints.iter().enumerate().filter(|(_, joint)| joint.is_breakable());
        let strengths = strengths.map(|(i, joint)| {
            let own = elements.iter().zip(&starts).filter(|(element, _)| element.joint == i);
            Strength {
                joint: i,
                most: [joint.break_force, joint.break_torque]
                    .map(|most| most.unwrap_or(f64::INFINITY)),
                rows: own.map(|(element, start)| (*start, element.block.split())).collect(),
            }
        });
        Self { strengths: strengths.collect(), inner, breaks, h }
    }

    /// Breaks what bore too much in the substep that ends.
    fn tear(&self) {
        let lambda = Runtime::<W>::multipliers(&self.inner);
        for Strength { joint, most, rows } in &self.strengths {
            let mut squares = [0.0; 2];
            for (start, [points, directions]) in rows {
                let square = |from: usize, count: usize| {
                    lambda[from..from + count].iter().map(|l| f64::from(*l).powi(2)).sum::<f64>()
                };
                squares[0] += square(*start, *points);
                squares[1] += square(start + points, *directions);
            }
            let over = |k: usize| squares[k].sqrt() > most[k] * self.h * self.h;
            if over(0) || over(1) {
                self.breaks.set(*joint, true);
            }
        }
    }

    fn broken(&self) -> impl Iterator<Item = u32> {
        (0..self.breaks.len() as u32).filter(|i| self.breaks.is_broken(*i as usize))
    }
}

impl<W: Width> Runtime<W> for BreakingJoints<W> {
    fn begin(&self, phase: StepPhase, worker: &Worker, step: &StepContext<W::Element>) {
        self.inner.begin(phase, worker, step);
    }

    fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.inner.project(worker, step);
    }

    fn residual(&self, worker: &Worker, step: &StepContext<W::Element>, note: Note) {
        self.inner.residual(worker, step, note);
    }

    fn respond(&self, worker: &Worker, _step: &StepContext<W::Element>) {
        worker.single(|| self.tear());
    }

    /// Those of the rows, then for each joint one where it has broken.
    fn multipliers(&self) -> Vec<f32> {
        let mut multipliers = Runtime::<W>::multipliers(&self.inner);
        let flag = |joint| if self.breaks.is_broken(joint) { 1.0 } else { 0.0 };
        multipliers.extend((0..self.breaks.len()).map(flag));
        multipliers
    }

    fn save(&self) -> Saved {
        let mut saved = Runtime::<W>::save(&self.inner);
        saved.put(BROKEN, Words(self.broken().collect()));
        saved
    }

    fn load(&self, from: &Saved) -> Result<(), CheckpointError> {
        (0..self.breaks.len()).for_each(|joint| self.breaks.set(joint, false));
        let mut section = from.section(BROKEN);
        while !section.is_empty() {
            self.breaks.set(section.index(self.breaks.len())?, true);
        }
        Runtime::<W>::load(&self.inner, from)
    }

    fn statistics(&self) -> SubsystemStatistics {
        let broken: Vec<u32> = self.broken().collect();
        SubsystemStatistics {
            counts: vec![("broken joints", broken.len())],
            broken,
            ..SubsystemStatistics::default()
        }
    }
}
