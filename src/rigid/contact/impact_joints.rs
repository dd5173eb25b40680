//! What joints do in an impact: they hold, so a blow to one of the bodies moves all that hang together.
//!
//! ```text
//! u' = u - M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ J u        the nearest velocities that joints allow, J their rows
//! ```
//!
//! That is a projection: it may be done after each of several impulses, or once after their sum. Motors, limits and joints that yield
//! do nothing in a moment.

use super::body_pair::SolverBody;
use super::solver_bodies::SolverBodies;
use crate::math::Vec3;
use crate::rigid::joint_matrix::{DirectRow, JointMatrix};
use crate::state::{Breaks, HeldVelocities, OneLane, VelocityRow};
use crate::subsystem::BuildContext;
use crate::threads::lock;
use std::sync::Arc;

/// How often velocities are projected: the factor is that of a matrix that is a hair off.
const TIMES: usize = 3;
/// None.
pub(super) const NONE: u32 = u32::MAX;

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
    rows: Vec<DirectRow>,
    /// The bodies of each row, those too that nothing moves.
    named: Vec<[Option<u32>; 2]>,
    found: Vec<VelocityRow>,
    matrix: JointMatrix,
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
            component,
            rows: Vec::new(),
            named: Vec::new(),
            found: Vec::new(),
            matrix: JointMatrix::default(),
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
        self.named.clear();
        for joint in components.clone().flat_map(|c| self.components[c as usize].joints.iter()) {
            let joint = &self.joints[*joint];
            if self.is_broken(joint) {
                continue;
            }
            let all = joint.bodies;
            self.found.clear();
            (joint.add_rows)(all.map(|body| bodies.direct_pose(body)), &mut self.found);
            let ends = all.map(|body| body.filter(|i| local[*i as usize].w > 0.0));
            let body = |end: usize| ends[end].map(|i| &local[i as usize]);
            let masses = [0, 1].map(|end| body(end).map_or(0.0, |body| body.w));
            for row in &self.found {
                let turned = [0, 1].map(|end| {
                    body(end).map_or(Vec3::zero(), |body| body.spread.of(row.turns[end]))
                });
                self.rows.push(DirectRow { ends, masses, row: *row, turned });
                self.named.push(all);
            }
        }
        self.matrix.begin(local.len(), &self.rows);
        self.matrix.factorize(&self.rows, |_, own| own);
    }

    /// Takes from the velocities of the bodies what joints do not allow.
    pub(super) fn project(&mut self, local: &mut [SolverBody<f64>]) {
        let Self { rows, named, matrix, solution, .. } = self;
        for _ in 0..TIMES {
            solution.clear();
            let all = rows.iter().zip(named.iter());
            solution.extend(all.map(|(row, named)| speed(&row.row, *named, local)));
            matrix.solve(solution);
            for (row, mu) in rows.iter().zip(solution.iter()) {
                row.give(-mu, |i, [v, omega]| {
                    let body = &mut local[i as usize];
                    body.v += v;
                    body.omega += omega;
                });
            }
        }
    }
}

/// J u of a row between these bodies.
fn speed(row: &VelocityRow, named: [Option<u32>; 2], local: &[SolverBody<f64>]) -> f64 {
    let of = |k: usize| {
        let body = named[k].map(|i| &local[i as usize]);
        body.map_or([0.0; 2], |body| [row.linear.dot(body.v), row.turns[k].dot(body.omega)])
    };
    let [[va, oa], [vb, ob]] = [of(0), of(1)];
    va - vb + oa + ob
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
