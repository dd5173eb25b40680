//! An island of joints that is solved at once.
//!
//! ```text
//! (J M⁻¹ Jᵀ + α̃) Δλ = -s C - α̃ λ      Δx = M⁻¹ Jᵀ Δλ       all joints of an island, s the share of each row
//! ```
//!
//! One Newton step of the whole island (as Deul, Kugelstadt, Weiler and Bender, *Direct Position-Based Solver for Stiff Rods*, 2018,
//! take for rods), in f64. Limits are among the rows while they are passed. What pulls at a body's arms turns it back: with that it
//! resists (docs/rigid.md, "Loads that passes do not hold").

use super::end::EndKind;
use super::formula::JointBlock;
use super::frame::{Frame, Spread};
use super::geometric_stiffness::stiffened;
use super::joint_batch::{Renewal, Start};
use super::joint_matrix::{DirectRow, JointMatrix};
use super::link::{Link, Params};
use super::precession::precess;
use crate::math::{Real, Vec3};
use crate::state::{MovingBody, OneLane, VelocityRow};
use crate::subsystem::StepContext;

/// What is added to the diagonal: rows that nearly say the same do not push against each other.
const APART: f64 = 1e-9;
/// Rows that are off by less than this, of the largest coordinate and a metre, are closed: positions in f32 are no finer.
const CLOSED: f64 = 2e-7;
/// The most that a step turns a body (rad): it is shortened to that. And the most steps of an iteration.
const MOST_TURN: f64 = 0.5;
const STEPS: usize = 8;

/// A joint of an island.
#[derive(Clone, Copy)]
pub(super) struct Member {
    /// Its place among the elements.
    pub(super) element: u32,
    pub(super) block: JointBlock,
    /// `alpha` is α̃.
    pub(super) params: Params<f64>,
    /// Which of the island's.
    pub(super) ends: [u32; 2],
    pub(super) lambda: [f64; 6],
    /// What its rows push a with, in this substep and in the last one (N s²).
    pub(super) push: [Vec3<f64>; 2],
}

impl Member {
    /// Whether it has not broken.
    pub(super) fn is_whole(&self) -> bool {
        self.params.alpha.is_finite()
    }
}

/// Bodies and particles that hang together, and their joints. What follows the ends is room that a step fills.
#[derive(Default)]
pub(super) struct Island {
    pub(super) members: Vec<Member>,
    /// What changes of the members.
    pub(super) renewals: Vec<Option<Renewal<f64>>>,
    /// What the members' ends are, the world too.
    ends: Vec<(EndKind, u32)>,
    pub(super) bodies: Vec<MovingBody<f64>>,
    /// How much more each body resists turns than by its inertia (kg m²), and W with that.
    resists: Vec<f64>,
    spreads: Vec<Spread<f64>>,
    pub(super) rows: Vec<DirectRow>,
    /// The member of each row, and which of its rows it is.
    pub(super) places: Vec<(usize, usize)>,
    /// -s C - α̃ λ and α̃ of each row.
    errors: Vec<f64>,
    alphas: Vec<f64>,
    matrix: JointMatrix,
    pub(super) solution: Vec<f64>,
    /// How each body is moved and turned.
    moves: Vec<[Vec3<f64>; 2]>,
}

impl Island {
    pub(super) fn new(members: Vec<Member>, ends: Vec<(EndKind, u32)>) -> Self {
        Self { members, ends, ..Self::default() }
    }

    /// A substep begins.
    pub(super) fn begin<E: OneLane>(&mut self, step: &StepContext<E>) {
        self.load(step);
        let starts = |(kind, slot): (EndKind, u32)| Start::of(kind, slot, step);
        for (member, renewal) in self.members.iter_mut().zip(&self.renewals) {
            // As a checkpoint keeps them.
            let lambda = member.lambda.map(|lambda| f64::from(lambda as f32));
            let (mut borne, mut k) = (Vec3::zero(), 0);
            let link = link(member, &self.bodies);
            member.block.each_row(&link, &member.params, |row| {
                borne += row.linear * lambda[k];
                k += 1;
            });
            member.push = [Vec3::zero(), borne];
            member.lambda = [0.0; 6];
            if let Some(renewal) = renewal {
                let starts = member.ends.map(|end| starts(self.ends[end as usize]));
                member.params = renewal.renew(member.block, &starts, member.params);
            }
        }
    }

    fn load<E: OneLane>(&mut self, step: &StepContext<E>) {
        self.bodies.clear();
        self.bodies
            .extend(self.ends.iter().map(|(kind, slot)| kind.load::<E>(step, *slot).to_f64()));
    }

    /// The rows of all members where the bodies lie.
    pub(super) fn take_rows(&mut self) {
        self.spreads.clear();
        self.spreads.extend(self.bodies.iter().zip(&self.resists).map(|(body, more)| {
            Spread::new(&Frame::new(body.q), stiffened(body.inverse_inertia, *more))
        }));
        let Self { members, bodies, spreads, rows, places, errors, alphas, .. } = self;
        rows.clear();
        places.clear();
        errors.clear();
        alphas.clear();
        for (at, member) in members.iter().enumerate().filter(|(_, member)| member.is_whole()) {
            let bodies_at = member.ends.map(|end| end as usize);
            let masses = bodies_at.map(|i| bodies[i].w);
            let ends = [0, 1].map(|k| (masses[k] > 0.0).then_some(member.ends[k]));
            let (mut k, alpha) = (0, member.params.alpha);
            member.block.each_row(&link(member, bodies), &member.params, |row| {
                let given = alpha * member.lambda[k];
                // What keeps within its limits is not held.
                if member.params.half == 0.0 || row.c != 0.0 || given != 0.0 {
                    let turned = [0, 1].map(|end| spreads[bodies_at[end]].of(row.turn[end]));
                    errors.push(-row.c * row.share - given);
                    alphas.push(alpha);
                    places.push((at, k));
                    let row = VelocityRow { linear: row.linear, turns: row.turn };
                    rows.push(DirectRow { ends, masses, row, turned });
                }
                k += 1;
            });
        }
    }

    /// What pulls at the arms of bodies turns them back, r · λ: with that they resist.
    pub(super) fn take_pulls(&mut self) {
        let Self { members, bodies, resists, .. } = self;
        resists.clear();
        resists.resize(bodies.len(), 0.0);
        for member in members.iter().filter(|member| member.is_whole()) {
            for (k, side) in [1.0, -1.0].into_iter().enumerate() {
                let i = member.ends[k] as usize;
                let arm = bodies[i].q.rotate(member.params.arms[k]);
                let [now, before] = member.push.map(|push| push.dot(arm) * side);
                resists[i] += now.max(before).max(0.0);
            }
        }
    }

    /// Begins the matrix of the rows; how many products its factor takes.
    pub(super) fn begin_matrix(&mut self) -> usize {
        self.matrix.begin(self.bodies.len(), &self.rows)
    }

    /// Δλ of what `self.solution` says is off.
    pub(super) fn solve(&mut self) {
        let Self { matrix, rows, alphas, solution, .. } = self;
        matrix.factorize(rows, |k, own| own * (1.0 + APART) + alphas[k]);
        matrix.solve::<1>(solution.as_chunks_mut().0);
    }

    /// One iteration: steps until all rows are closed.
    pub(super) fn project<E: OneLane>(&mut self, step: &StepContext<E>) {
        self.load(step);
        let coordinates = self.bodies.iter().flat_map(|body| body.x.to_array());
        let most = CLOSED * coordinates.fold(1.0, |most: f64, x| most.max(x.abs()));
        let mut is_moved = false;
        for _ in 0..STEPS {
            self.take_pulls();
            self.take_rows();
            if self.errors.iter().all(|error| error.abs() <= most) {
                break;
            }
            self.begin_matrix();
            self.solution.clone_from(&self.errors);
            self.solve();
            if !self.correct() {
                break;
            }
            is_moved = true;
        }
        if is_moved {
            for ((kind, slot), body) in self.ends.iter().zip(&self.bodies) {
                if body.w > 0.0 {
                    kind.store(step, *slot, body.rounded::<E>());
                }
            }
        }
    }

    /// The largest |C + α̃ λ| (m, rad).
    pub(super) fn residual<E: OneLane>(&mut self, step: &StepContext<E>) -> f32 {
        self.load(step);
        self.take_pulls();
        self.take_rows();
        let errors = self.errors.iter().map(|error| error.abs().or_infinite());
        errors.fold(0.0, f64::max) as f32
    }

    /// Gives the solution to bodies and multipliers; nothing where it is not finite.
    fn correct(&mut self) -> bool {
        let Self { members, bodies, spreads, rows, places, solution, moves, .. } = self;
        moves.clear();
        moves.resize(bodies.len(), [Vec3::zero(); 2]);
        for (row, lambda) in rows.iter().zip(solution.iter()) {
            row.give(*lambda, |body, [push, turn]| {
                let of = &mut moves[body as usize];
                *of = [of[0] + push, of[1] + turn];
            });
        }
        let size: f64 = moves.iter().flatten().map(|v| v.dot(*v)).sum();
        if !size.is_finite() {
            return false;
        }
        let turned = moves.iter().fold(0.0, |most: f64, [_, turn]| most.max(turn.length()));
        let share = if turned > MOST_TURN { MOST_TURN / turned } else { 1.0 };
        let mut found = rows.iter().zip(solution.iter());
        for own in places.chunk_by(|a, b| a.0 == b.0) {
            let member = &mut members[own[0].0];
            let mut push = Vec3::zero();
            for ((_, k), (row, lambda)) in own.iter().zip(found.by_ref()) {
                member.lambda[*k] += lambda * share;
                push += row.row.linear * (lambda * share);
            }
            member.push[0] += push;
            if member.block.makes_one_point() {
                for (k, push) in [push, -push].into_iter().enumerate() {
                    let (i, own) = (member.ends[k] as usize, member.params.arms[k]);
                    let arm = Frame::new(bodies[i].q).turn(own);
                    precess(&mut bodies[i], [own, arm], |v| spreads[i].of(v), push);
                }
            }
        }
        for (body, [push, turn]) in bodies.iter_mut().zip(moves) {
            body.correct(*push * share, *turn * share);
        }
        true
    }
}

/// A member's ends where the bodies lie.
fn link(member: &Member, bodies: &[MovingBody<f64>]) -> Link<f64> {
    let [a, b] = member.ends.map(|end| &bodies[end as usize]);
    Link::of_moving([a, b], &member.params)
}
