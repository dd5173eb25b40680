//! Islands of joints that are solved at once: those that passes over one joint after another would leave open.
//!
//! A pass of Gauss-Seidel takes a load on by one joint, and to a light body under a heavy one m / M of it: a ball of 1000 kg on ten
//! links of 1 kg tore them three times as long. Motors whose force has a bound are left to passes before.

use super::batch::RowBatch;
use super::joint::Element;
use super::joint_batch::Renewal;
use super::joint_island::{Island, Member};
use super::joint_islands::islands;
use crate::state::{Breaks, Width};
use crate::subsystem::{BuildContext, Note, StepContext};
use crate::threads::{Worker, lock};
use std::sync::{Arc, Mutex};

/// All islands that are solved at once.
pub(super) struct DirectJoints {
    islands: Vec<Mutex<Island>>,
}

impl DirectJoints {
    /// Of `all` elements, and which are among them.
    pub(super) fn new(
        all: &[&Element],
        context: &BuildContext,
        breaks: Option<&Arc<Breaks>>,
    ) -> (Self, Vec<bool>) {
        let mut is_direct = vec![false; all.len()];
        let h = context.settings.h();
        let islands = islands(all, context).into_iter().map(|(members, ends)| {
            let renewal = |member: &Member| Renewal::of(all[member.element as usize], h, breaks);
            let renewals = members.iter().map(renewal).collect();
            members.iter().for_each(|member| is_direct[member.element as usize] = true);
            let mut island = Island::new(members, ends);
            island.renewals = renewals;
            Mutex::new(island)
        });
        (Self { islands: islands.collect() }, is_direct)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.islands.is_empty()
    }

    fn each(&self, worker: &Worker, act: impl Fn(&mut Island) + Sync) {
        worker.parallel_for(self.islands.len(), |range| {
            range.for_each(|i| act(&mut lock(&self.islands[i])));
        });
    }
}

impl<W: Width> RowBatch<W> for DirectJoints {
    fn begin(&self, step: &StepContext<W::Element>) {
        self.islands.iter().for_each(|island| lock(island).begin(step));
    }

    fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.each(worker, |island| island.project(step));
    }

    fn residual(&self, worker: &Worker, step: &StepContext<W::Element>, note: Note) {
        self.each(worker, |island| note(island.residual(step)));
    }

    fn multipliers(&self, give: &mut dyn FnMut(u32, usize, f32)) {
        for island in &self.islands {
            for member in &lock(island).members {
                let lambda = member.lambda[..member.block.rows()].iter().enumerate();
                lambda.for_each(|(k, lambda)| give(member.element, k, *lambda as f32));
            }
        }
    }

    fn solved_at_once(&self) -> usize {
        self.islands.iter().map(|island| lock(island).members.len()).sum()
    }

    fn set_multipliers(&self, of: &dyn Fn(u32, usize) -> f32) {
        for island in &self.islands {
            for member in &mut lock(island).members {
                let lambda = member.lambda[..member.block.rows()].iter_mut().enumerate();
                lambda.for_each(|(k, lambda)| *lambda = f64::from(of(member.element, k)));
            }
        }
    }
}
