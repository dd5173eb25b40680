//! What joints do where contacts change velocities at once: they hold, so an impulse on one body moves all that hang together.
//!
//! ```text
//! u' = P u = u - M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ J u        the nearest velocities that joints allow, J their rows
//! ```
//!
//! That is a projection: it may be done after each of several impulses, or once after their sum. Motors, limits and joints that yield
//! do nothing in a moment.

use super::body_pair::SolverBody;
use super::solver_bodies::SolverBodies;
use crate::math::{Quat, Vec3};
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
    pub(super) joints: Vec<usize>,
    /// Whether no joint closes a loop, also by what does not move.
    pub(super) is_tree: bool,
    /// What its factor takes, and how many entries that has at most, each joint of six rows.
    pub(super) work: usize,
    pub(super) entries: usize,
}

/// The rigid joints of a model.
pub(super) struct HeldJoints {
    joints: Vec<Arc<HeldVelocities>>,
    breaks: Vec<Arc<Breaks>>,
    pub(super) components: Vec<Component>,
    /// That of each body, or [`NONE`].
    component: Vec<u32>,
}

/// The rows of some of them, and room.
#[derive(Default)]
pub(super) struct HeldRows {
    rows: Vec<DirectRow>,
    /// The bodies of each row, those too that nothing moves.
    named: Vec<[Option<u32>; 2]>,
    matrix: JointMatrix,
    /// How far the rows are off.
    errors: Vec<f64>,
    solution: Vec<f64>,
    sides: Vec<[f64; 6]>,
}

/// How a body moves for each of six velocities.
pub(super) type Allowed = [[Vec3<f64>; 2]; 6];

impl Component {
    /// What its joints, with these ends that move, make of it.
    fn see(&mut self, ends: &[Vec<u32>]) {
        let joints = || self.joints.iter().map(|joint| &ends[*joint]);
        let is_anchored = joints().any(|ends| ends.len() < 2);
        self.is_tree = self.joints.len() < self.bodies.len() + usize::from(is_anchored);
        let shares = |a: &Vec<u32>, b: &Vec<u32>| a.iter().any(|i| b.contains(i));
        for (k, own) in joints().enumerate() {
            let first = joints().position(|other| shares(own, other)).unwrap_or(k);
            let rows = 6 * (k + 1 - first);
            (self.work, self.entries) = (self.work + 3 * rows * rows, self.entries + 6 * rows);
        }
    }
}

impl HeldJoints {
    /// Those that `counts`.
    pub(super) fn new(context: &BuildContext, counts: impl Fn(&HeldVelocities) -> bool) -> Self {
        let held = context.held.iter().filter(|joint| counts(joint));
        let joints: Vec<_> = held.cloned().collect();
        let fixed = |i: &u32| context.bodies[*i as usize].fixed;
        let ends: Vec<Vec<u32>> = joints
            .iter()
            .map(|joint| joint.bodies.into_iter().flatten().filter(|i| !fixed(i)).collect())
            .collect();
        let (component, mut components) = components(context.bodies.len(), &ends);
        components.iter_mut().for_each(|component| component.see(&ends));
        Self { joints, breaks: lock(&context.breaks).clone(), components, component }
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

    /// The joints of a component that are whole.
    fn whole(&self, component: u32) -> impl Iterator<Item = &Arc<HeldVelocities>> {
        let all = self.components[component as usize].joints.iter().map(|at| &self.joints[*at]);
        all.filter(|joint| !self.is_broken(joint))
    }

    fn is_broken(&self, joint: &HeldVelocities) -> bool {
        let broken = |at| self.breaks.iter().any(|all| at < all.len() && all.is_broken(at));
        joint.breakable.is_some_and(broken)
    }
}

impl HeldRows {
    /// Takes the rows of some components, where bodies lay when the substep began; `local` are bodies, `place` where each is among
    /// them.
    pub(super) fn take<E: OneLane>(
        &mut self,
        joints: &HeldJoints,
        components: impl Iterator<Item = u32>,
        bodies: &SolverBodies<E>,
        local: &[SolverBody<f64>],
        place: impl Fn(u32) -> Option<u32>,
    ) {
        self.rows.clear();
        self.named.clear();
        for joint in components.flat_map(|c| joints.whole(c)) {
            let poses = joint.bodies.map(|body| bodies.direct_pose(body));
            let named = joint.bodies.map(|body| body.and_then(&place));
            let ends = named.map(|body| body.filter(|i| local[*i as usize].w > 0.0));
            let body = |end: usize| ends[end].map(|i| &local[i as usize]);
            let masses = [0, 1].map(|end| body(end).map_or(0.0, |body| body.w));
            (joint.each_row)(poses, &mut |row, _| {
                let turned = [0, 1].map(|end| {
                    body(end).map_or(Vec3::zero(), |body| body.spread.of(row.turns[end]))
                });
                self.rows.push(DirectRow { ends, masses, row, turned });
                self.named.push(named);
            });
        }
        self.matrix.begin(local.len(), &self.rows);
        self.matrix.factorize(&self.rows, |_, own| own);
    }

    /// Sees how far the rows of these components are off where bodies lie as `pose` says.
    pub(super) fn measure(
        &mut self,
        joints: &HeldJoints,
        components: impl Iterator<Item = u32>,
        pose: impl Fn(Option<u32>) -> (Vec3<f64>, Quat<f64>),
    ) {
        self.errors.clear();
        for joint in components.flat_map(|c| joints.whole(c)) {
            (joint.each_row)(joint.bodies.map(&pose), &mut |_, c| self.errors.push(c));
        }
    }

    /// Takes from the velocities of the bodies what joints do not allow.
    pub(super) fn project(&mut self, local: &mut [SolverBody<f64>]) {
        self.errors.clear();
        self.aim(local, 0.0);
    }

    /// What joints make of six velocities of a body, of one along and about each axis: how each of the bodies then moves.
    pub(super) fn allow(&mut self, body: usize, to: &mut [Allowed]) {
        let Self { rows, matrix, sides, .. } = self;
        let axes = [0, 1, 2].map(Vec3::axis);
        for (k, axis) in axes.into_iter().enumerate() {
            (to[body][k][0], to[body][3 + k][1]) = (axis, axis);
        }
        sides.clear();
        sides.extend(rows.iter().map(|row| {
            let mut speeds = [0.0; 6];
            for end in (0..2).filter(|end| row.ends[*end] == Some(body as u32)) {
                let side = if end == 0 { 1.0 } else { -1.0 };
                for (k, axis) in axes.into_iter().enumerate() {
                    speeds[k] += side * row.row.linear.dot(axis);
                    speeds[3 + k] += row.row.turns[end].dot(axis);
                }
            }
            speeds
        }));
        matrix.solve(sides);
        for (row, mu) in rows.iter().zip(sides.iter()) {
            for (k, mu) in mu.iter().enumerate() {
                row.give(-mu, |i, [v, omega]| {
                    let of = &mut to[i as usize][k];
                    *of = [of[0] + v, of[1] + omega];
                });
            }
        }
    }

    /// Gives the bodies the nearest velocities that change what the rows are off by at so many times that (1/s).
    pub(super) fn aim(&mut self, local: &mut [SolverBody<f64>], rate: f64) {
        let Self { rows, named, matrix, errors, solution, .. } = self;
        for _ in 0..TIMES {
            solution.clear();
            let errors = errors.iter().copied().chain(std::iter::repeat(0.0));
            let all = rows.iter().zip(named.iter()).zip(errors);
            solution.extend(all.map(|((row, named), c)| speed(&row.row, *named, local) - rate * c));
            matrix.solve::<1>(solution.as_chunks_mut().0);
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
        let mut new = Component { bodies: vec![root as u32], ..Component::default() };
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
