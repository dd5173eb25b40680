//! Joints that break: when their rows hold with more than a force or a torque, on average over a frame.
//!
//! ```text
//! F = |Σ λ| / (n h²) over the rows that hold points, M the same over those that hold directions; n substeps a frame
//! broken where F > F_max or M > M_max
//! ```
//!
//! A mean, since λ of one short substep is F h², which may be less than what positions are rounded by; its sum is not.
//! Rows of a broken joint have an infinite compliance, which corrects nothing; its bodies touch from then on.

use super::batch::{BatchRuntime, offsets};
use super::joint::{Element, Joint};
use crate::error::CheckpointError;
use crate::settings::Settings;
use crate::state::{Breaks, Saved, Width, Words};
use crate::subsystem::{Note, Runtime, StepContext, StepPhase, SubsystemStatistics};
use crate::threads::{Worker, lock};
use std::sync::{Arc, Mutex};

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
    /// h, and the substeps of a frame.
    h: f64,
    substeps: u32,
    /// Σ λ of the frame so far, and of how many substeps.
    sums: Mutex<(Vec<f64>, u32)>,
}

impl<W: Width> BreakingJoints<W> {
    /// `joints` with all their elements.
    pub(super) fn new(
        inner: BatchRuntime<W>,
        breaks: Arc<Breaks>,
        (joints, elements): (&[Joint], &[&Element]),
        settings: &Settings,
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
        let (h, substeps) = (settings.h(), settings.substeps);
        Self { strengths: strengths.collect(), inner, breaks, h, substeps, sums: Mutex::default() }
    }

    /// A substep ends; with the last of a frame what bore too much breaks.
    fn tear(&self) {
        let (sums, count) = &mut *lock(&self.sums);
        let lambda = self.inner.multipliers();
        sums.resize(lambda.len(), 0.0);
        sums.iter_mut().zip(lambda).for_each(|(sum, lambda)| *sum += f64::from(lambda));
        *count += 1;
        if *count == self.substeps {
            self.compare(sums);
            sums.fill(0.0);
            *count = 0;
        }
    }

    /// Breaks what bore too much in the frame.
    fn compare(&self, sums: &[f64]) {
        for Strength { joint, most, rows } in &self.strengths {
            let mut squares = [0.0; 2];
            for (start, [points, directions]) in rows {
                let square = |from: usize, count: usize| {
                    sums[from..from + count].iter().map(|sum| sum * sum).sum::<f64>()
                };
                squares[0] += square(*start, *points);
                squares[1] += square(start + points, *directions);
            }
            let unit = f64::from(self.substeps) * self.h * self.h;
            let over = |k: usize| squares[k].sqrt() > most[k] * unit;
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
        let mut multipliers = self.inner.multipliers();
        let flag = |joint| if self.breaks.is_broken(joint) { 1.0 } else { 0.0 };
        multipliers.extend((0..self.breaks.len()).map(flag));
        multipliers
    }

    fn save(&self) -> Saved {
        let mut saved = self.inner.save();
        saved.put(BROKEN, Words(self.broken().collect()));
        saved
    }

    fn load(&self, from: &Saved) -> Result<(), CheckpointError> {
        (0..self.breaks.len()).for_each(|joint| self.breaks.set(joint, false));
        let mut section = from.section(BROKEN);
        while !section.is_empty() {
            self.breaks.set(section.index(self.breaks.len())?, true);
        }
        self.inner.load(from)
    }

    fn statistics(&self) -> SubsystemStatistics {
        let broken: Vec<u32> = self.broken().collect();
        let mut statistics = self.inner.statistics();
        statistics.counts.push(("broken joints", broken.len()));
        SubsystemStatistics { broken, ..statistics }
    }
}
