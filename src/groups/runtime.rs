//! Groups in a step: level after level, small clusters a lane each, all others member by member.

use super::clusters::Clusters;
use super::large_groups::LargeGroups;
use super::members::GroupKind;
use crate::error::CheckpointError;
use crate::state::{MULTIPLIERS, Saved, Width, Words};
use crate::subsystem::{Note, Runtime, StepContext, StepPhase};
use crate::threads::Worker;
use std::collections::BTreeMap;

/// Rest positions of plastic groups: index, how many numbers, x y z of each member.
const REST: &str = "rest shapes";

pub(super) struct GroupRuntime<W: Width, K: GroupKind> {
    pub(super) small: Vec<Box<dyn Clusters<W>>>,
    pub(super) large: LargeGroups<W, K>,
    /// Groups of any size.
    pub(super) count: usize,
}

impl<W: Width, K: GroupKind> Runtime<W> for GroupRuntime<W, K> {
    fn begin(&self, phase: StepPhase, worker: &Worker, step: &StepContext<W::Element>) {
        if phase != StepPhase::Iteration {
            worker.single(|| {
                self.small.iter().for_each(|list| list.begin(&step.positions));
                self.large.begin(&step.positions);
            });
        }
    }

    fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        for level in 0..self.large.level_count() {
            let small = self.small.iter();
            small.for_each(|list| list.project(level, worker, &step.positions));
            self.large.project(level, worker, &step.positions);
        }
    }

    fn residual(&self, worker: &Worker, step: &StepContext<W::Element>, note: Note) {
        self.small.iter().for_each(|list| list.residual(worker, &step.positions, note));
        self.large.residual(worker, &step.positions, note);
    }

    fn multipliers(&self) -> Vec<f32> {
        let mut out = vec![0.0; self.count];
        let mut put = |i: usize, lambda: f32| out[i] = lambda;
        self.small.iter().for_each(|list| list.each_multiplier(&mut put));
        self.large.each_multiplier(put);
        out
    }

    fn save(&self) -> Saved {
        let mut saved = Saved::default();
        saved.put_numbers(MULTIPLIERS, &self.multipliers());
        // Groups lie by level and size: by their authored indices they are the same for all.
        let mut shapes = BTreeMap::new();
        let mut put = |i: usize, rest: Vec<f32>| drop(shapes.insert(i, rest));
        self.small.iter().for_each(|list| list.each_rest(&mut put));
        self.large.each_rest(put);
        let mut words = Words::default();
        for (i, rest) in shapes {
            words.put(i as u32);
            words.put(rest.len() as u32);
            words.put_all(rest);
        }
        saved.put(REST, words);
        saved
    }

    fn load(&self, from: &Saved) -> Result<(), CheckpointError> {
        let multipliers = from.numbers(MULTIPLIERS, self.count)?;
        let mut shapes = BTreeMap::new();
        let mut section = from.section(REST);
        while !section.is_empty() {
            let [i, len] = section.words()?;
            let rest = (0..len).map(|_| section.number());
            shapes.insert(i as usize, rest.collect::<Result<Vec<f32>, _>>()?);
        }
        let known = |i: usize| shapes.get(&i).map_or(&[][..], |rest| rest);
        let small = self.small.iter().all(|list| list.set_rest(&known));
        section.check(self.large.set_rest(&known) && small)?;
        let of = |i: usize| multipliers[i];
        self.small.iter().for_each(|list| list.set_multipliers(&of));
        self.large.set_multipliers(of);
        Ok(())
    }
}
