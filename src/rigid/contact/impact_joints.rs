//! What joints do in an impact: they hold, so a blow to one of the bodies moves all that hang together.
//!
//! ```text
//! u' = u - M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ J u        the nearest velocities that joints allow, J their rows
//! ```
//!
//! That is a projection: it may be done after each of several impulses, or once after their sum. Motors, limits and joints that yield
//! do nothing in a moment.

use super::body_pair::SolverBody;
use super::skyline::Skyline;
use super::solver_bodies::SolverBodies;
use crate::math::Vec3;
use crate::state::{Breaks, HeldVelocities, OneLane, VelocityRow};
use crate::subsystem::BuildContext;
use crate::threads::lock;
use std::sync::Arc;

/// How often velocities are projected: the factor is that of a matrix that is a hair off.
const TIMES: usize = 3;
/// None.
pub(super) const NONE: u32 = u32::MAX;

/// A row between two bodies, [`NONE`] where nothing moves one: its gradient, and how that turns the bodies.
#[derive(Clone, Copy)]
struct Row {
    ends: [u32; 2],
    masses: [f64; 2],
    row: VelocityRow,
    turned: [Vec3<f64>; 2],
    /// Those of what is not moved.
    all: [Option<u32>; 2],
}

/// Bodies that hang together.
#[derive(Default)]
pub(super) struct Component {
    pub(super) bodies: Vec<u32>,
    /// Each next to those that it shares a body with.
    joints: Vec<usize>,
}

/// The rigid joints of a model, and room for the rows of some.
pub(super) struct ImpactJoints {
    joints: Vec<Arc<HeldVelocities>>,
    breaks: Vec<Arc<Breaks>>,
    pub(super) components: Vec<Component>,
    /// That of each body, or [`NONE`].
    component: Vec<u32>,
    rows: Vec<Row>,
    found: Vec<VelocityRow>,
    factor: Skyline,
    /// The first row of each body.
    first: Vec<usize>,
    solution: Vec<f64>,
}

impl ImpactJoints {
    pub(super) fn new(context: &BuildContext) -> Self {
        let joints = context.held.clone();
        let fixed = |i: &u32| context.bodies[*i as usize].fixed;
        let ends: Vec<Vec<u32>> = joints
            .iter()
            .map(|joint| joint.bodies.into_iter().flatten().filter(|i| !fixed(i)).collect())
            .collect();
        let (component, components) = components(context.bodies.len(), &ends);
        Self {
            joints,
            breaks: lock(&context.breaks).clone(),
            components,
            first: vec![0; component.len()],
            component,
            rows: Vec::new(),
            found: Vec::new(),
            factor: Skyline::default(),
            solution: Vec::new(),
        }
    }

    /// What hangs together with an instance, if it is a body and jointed.
    pub(super) fn of(&self, instance: u32) -> Option<u32> {
        self.component.get(instance as usize).copied().filter(|component| *component != NONE)
    }

    /// The bodies that joints of a component name, fixed ones too.
    pub(super) fn named(&self, component: u32) -> impl Iterator<Item = u32> {
        let joints = self.components[component as usize].joints.iter();
        joints.flat_map(|joint| self.joints[*joint].bodies).flatten()
    }

    fn is_broken(&self, joint: &HeldVelocities) -> bool {
        let broken = |at| self.breaks.iter().any(|all| at < all.len() && all.is_broken(at));
        joint.breakable.is_some_and(broken)
    }

    /// Takes the rows of some components, where bodies lay when the substep began; `local` are all bodies.
    pub(super) fn take<E: OneLane>(
        &mut self,
        components: impl Iterator<Item = u32> + Clone,
        bodies: &SolverBodies<E>,
        local: &[SolverBody<f64>],
    ) {
        self.rows.clear();
        for joint in components.clone().flat_map(|c| self.components[c as usize].joints.iter()) {
            let joint = &self.joints[*joint];
            if self.is_broken(joint) {
                continue;
            }
            let all = joint.bodies;
            self.found.clear();
            (joint.add_rows)(all.map(|body| bodies.direct_pose(body)), &mut self.found);
            let moved = |body: Option<u32>| body.filter(|i| local[*i as usize].w > 0.0);
            let ends = all.map(|body| moved(body).unwrap_or(NONE));
            let body = |end: u32| local.get(end as usize);
            for row in &self.found {
                let turned = [0, 1].map(|k| {
                    body(ends[k]).map_or(Vec3::zero(), |body| body.spread.of(row.turns[k]))
                });
                let masses = ends.map(|end| body(end).map_or(0.0, |body| body.w));
                self.rows.push(Row { ends, masses, row: *row, turned, all });
            }
        }
        self.factorize();
    }

    /// J M⁻¹ Jᵀ, factored.
    fn factorize(&mut self) {
        let Self { rows, factor, first, .. } = self;
        factor.clear();
        for row in rows.iter() {
            row.ends.iter().filter(|i| **i != NONE).for_each(|i| first[*i as usize] = usize::MAX);
        }
        for (i, row) in rows.iter().enumerate() {
            let mut start = i;
            for end in row.ends.iter().filter(|i| **i != NONE) {
                let first = &mut first[*end as usize];
                *first = (*first).min(i);
                start = start.min(*first);
            }
            factor.add_row(start, |j| row.met(&rows[j]));
        }
    }

    /// Takes from the velocities of the bodies what joints do not allow.
    pub(super) fn project(&mut self, local: &mut [SolverBody<f64>]) {
        let Self { rows, factor, solution, .. } = self;
        for _ in 0..TIMES {
            solution.clear();
            solution.extend(rows.iter().map(|row| row.speed(local)));
            factor.solve(solution);
            for (row, mu) in rows.iter().zip(solution.iter()) {
                row.apply(local, -mu);
            }
        }
    }
}

impl Row {
    /// What it has in common with another: its entry of J M⁻¹ Jᵀ.
    fn met(&self, other: &Self) -> f64 {
        let mut sum = 0.0;
        for (k, end) in self.ends.iter().enumerate().filter(|(_, end)| **end != NONE) {
            for l in (0..2).filter(|l| other.ends[*l] == *end) {
                let along = self.row.linear.dot(other.row.linear) * self.masses[k];
                let side = if k == l { along } else { -along };
                sum += side + self.row.turns[k].dot(other.turned[l]);
            }
        }
        sum
    }

    /// J u.
    fn speed(&self, local: &[SolverBody<f64>]) -> f64 {
        let VelocityRow { linear, turns } = self.row;
        let of = |k: usize| {
            let body = self.all[k].map(|i| &local[i as usize]);
            body.map_or([0.0; 2], |body| [linear.dot(body.v), turns[k].dot(body.omega)])
        };
        let [[va, oa], [vb, ob]] = [of(0), of(1)];
        va - vb + oa + ob
    }

    fn apply(&self, local: &mut [SolverBody<f64>], mu: f64) {
        for (k, end) in self.ends.iter().enumerate().filter(|(_, end)| **end != NONE) {
            let body = &mut local[*end as usize];
            let side = if k == 0 { mu } else { -mu };
            body.v += self.row.linear * (side * self.masses[k]);
            body.omega += self.turned[k] * mu;
        }
    }
}

/// What hangs together by joints between these bodies: that of each body, and its joints, as a walk from its first body meets them.
fn components(bodies: usize, ends: &[Vec<u32>]) -> (Vec<u32>, Vec<Component>) {
    let mut of_body = vec![Vec::new(); bodies];
    for (joint, ends) in ends.iter().enumerate() {
        ends.iter().for_each(|i| of_body[*i as usize].push(joint));
    }
    let (mut component, mut components) = (vec![NONE; bodies], Vec::new());
    let mut is_taken = vec![false; ends.len()];
    for root in 0..bodies {
        if component[root] != NONE || of_body[root].is_empty() {
            continue;
        }
        let number = components.len() as u32;
        component[root] = number;
        let mut new = Component { bodies: vec![root as u32], joints: Vec::new() };
        let mut at = 0;
        while at < new.bodies.len() {
            for &joint in &of_body[new.bodies[at] as usize] {
                if std::mem::replace(&mut is_taken[joint], true) {
                    continue;
                }
                new.joints.push(joint);
                for &i in &ends[joint] {
                    if std::mem::replace(&mut component[i as usize], number) == NONE {
                        new.bodies.push(i);
                    }
                }
            }
            at += 1;
        }
        components.push(new);
    }
    (component, components)
}
