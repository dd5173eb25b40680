//! Groups in a step: level after level, small clusters a lane each, all others member by member.

use crate::error::CheckpointError;
use crate::state::{MULTIPLIERS, PositionView, Saved, Width, Words};
use crate::subsystem::{Note, Runtime, StepContext, StepPhase};
use crate::threads::Worker;
use std::collections::BTreeMap;

/// Rest positions of plastic groups: index, how many numbers, x y z of each member.
const REST: &str = "rest shapes";

/// Groups that are projected alike, of all levels.
pub(super) trait Groups<W: Width>: Send + Sync {
    /// Multipliers to zero; plastic groups flow. To be called by one worker.
    fn begin(&self, positions: &PositionView<W::Element>);
    /// Projects a level's groups, all workers together.
    fn project(&self, level: usize, worker: &Worker, positions: &PositionView<W::Element>);
    /// Tells `note` the largest residual, all workers together.
    fn residual(&self, worker: &Worker, positions: &PositionView<W::Element>, note: Note);
    /// What they carry.
    fn states(&self) -> Vec<&dyn GroupState>;
}

/// What groups carry, by their authored indices.
pub(super) trait GroupState {
    fn each_multiplier(&self, act: &mut dyn FnMut(usize, f32));
    fn set_multipliers(&self, of: &dyn Fn(usize) -> f32);
    /// Gives the rest positions of each plastic group.
    fn each_rest(&self, act: &mut dyn FnMut(usize, Vec<f32>));
    /// Takes them back; false where there are not as many numbers.
    fn set_rest<'a>(&self, of: &dyn Fn(usize) -> &'a [f32]) -> bool;
}

pub(super) struct GroupRuntime<W> {
    pub(super) groups: Vec<Box<dyn Groups<W>>>,
    pub(super) levels: usize,
    /// How many groups there are.
    pub(super) count: usize,
}

impl<W: Width> GroupRuntime<W> {
    fn states(&self) -> impl Iterator<Item = &dyn GroupState> {
        self.groups.iter().flat_map(|groups| groups.states())
    }
}

impl<W: Width> Runtime<W> for GroupRuntime<W> {
    fn begin(&self, phase: StepPhase, worker: &Worker, step: &StepContext<W::Element>) {
        if phase != StepPhase::Iteration {
            worker.single(|| self.groups.iter().for_each(|groups| groups.begin(&step.positions)));
        }
    }

    fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        for level in 0..self.levels {
            self.groups.iter().for_each(|groups| groups.project(level, worker, &step.positions));
        }
    }

    fn residual(&self, worker: &Worker, step: &StepContext<W::Element>, note: Note) {
        self.groups.iter().for_each(|groups| groups.residual(worker, &step.positions, note));
    }

    fn multipliers(&self) -> Vec<f32> {
        let mut out = vec![0.0; self.count];
        self.states().for_each(|state| state.each_multiplier(&mut |i, lambda| out[i] = lambda));
        out
    }

    fn save(&self) -> Saved {
        let mut saved = Saved::default();
        saved.put_numbers(MULTIPLIERS, &self.multipliers());
        // Groups lie by level and size: by their authored indices they are the same for all.
        let mut shapes = BTreeMap::new();
        self.states()
            .for_each(|state| state.each_rest(&mut |i, rest| drop(shapes.insert(i, rest))));
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
        section.check(self.states().all(|state| state.set_rest(&known)))?;
        self.states().for_each(|state| state.set_multipliers(&|i| multipliers[i]));
        Ok(())
    }
}
