//! The points of a pair that are [struck at once](super::impact_pairs), on all that joints hold together: the room that it is done in.

use super::body_pair::SolverBody;
use super::direct_point::{DirectPoint, Place, axes};
use super::held_joints::{HeldJoints, HeldRows};
use super::settings::Strike;
use super::solver_bodies::SolverBodies;
use crate::math::{Real, Vec3};
use crate::rigid::frame::Spread;
use crate::state::OneLane;
use std::ops::Range;

/// Sweeps over the points at most, and the change of speed, in parts of the fastest approach, that ends them.
const SWEEPS: usize = 1000;
const CONVERGED: f64 = 1e-9;
/// Points that only fill a packet have larger gaps than this (m).
const NOWHERE: f64 = 1e8;

/// The share of impulses p that keeps the kinetic energy: `s` of s p·u + s² pᵀ W p / 2 = 0; `work` is p·u, `own` pᵀ W p.
#[inline(always)]
pub(super) fn lossless_share<R: Real>(work: R, own: R) -> R {
    (work * R::of(-2.0)).over_positive(own).max(R::zero()).min(R::of(1.0))
}

/// Where one point of a manifold is struck, so are those that come this near, in parts of their way in the substep: of a flat blow
/// rounding would leave out some, and it would turn the bodies.
pub(super) const TOGETHER: f64 = 1.01;
/// What an impact asks of a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct StruckPoint {
    pub(super) restitution: f64,
    /// λ₀.
    pub(super) before: f64,
    /// Whether its manifold waits to be struck.
    pub(super) waits: bool,
}

/// A point, and where it is.
#[derive(Clone, Copy)]
pub(super) struct RoomPoint {
    pub(super) place: Place,
    pub(super) point: DirectPoint,
    pub(super) struck: StruckPoint,
}

/// A pair whose points are struck at once.
pub(super) struct Pair {
    pub(super) places: Range<usize>,
    /// What its bodies hang together with.
    pub(super) components: [Option<u32>; 2],
}

impl Pair {
    /// Each once.
    pub(super) fn components(&self) -> impl Iterator<Item = u32> + Clone {
        let [a, b] = self.components;
        a.into_iter().chain(b.filter(|b| Some(*b) != a))
    }
}

/// Room for one pair at a time.
#[derive(Default)]
pub(super) struct Room {
    /// All bodies, of which those that are needed are right; how an impulse moves them.
    pub(super) local: Vec<SolverBody<f64>>,
    moved: Vec<SolverBody<f64>>,
    pub(super) points: Vec<RoomPoint>,
    pub(super) held: HeldRows,
    /// Of each point along each axis: the direction, W row by row, what is aimed at less what is, and the impulse.
    axes: Vec<Vec3<f64>>,
    matrix: Vec<f64>,
    aims: Vec<f64>,
    impulses: Vec<f64>,
}

/// What nothing moves and does not move.
fn none() -> SolverBody<f64> {
    SolverBody { v: Vec3::zero(), omega: Vec3::zero(), w: 0.0, spread: Spread::none() }
}

impl Room {
    pub(super) fn new(bodies: usize) -> Self {
        Self { local: vec![none(); bodies], moved: vec![none(); bodies], ..Self::default() }
    }

    /// Whether any point waits; those that are none are left out.
    pub(super) fn waits(&mut self) -> bool {
        self.points.retain(|p| p.point.gap < NOWHERE);
        self.points.iter().any(|p| p.struck.waits)
    }

    /// Takes the bodies, as joints allow them to move.
    pub(super) fn load<E: OneLane>(
        &mut self,
        pair: &Pair,
        joints: &HeldJoints,
        bodies: &SolverBodies<E>,
    ) {
        let Self { local, moved, points, held, .. } = self;
        let mut take = |i: u32| {
            local[i as usize] = bodies.direct_struck(i as usize);
            moved[i as usize] =
                SolverBody { v: Vec3::zero(), omega: Vec3::zero(), ..local[i as usize] };
        };
        points[0].point.bodies.into_iter().flatten().for_each(&mut take);
        pair.components().for_each(|c| joints.named(c).for_each(&mut take));
        if pair.components().next().is_some() {
            held.take(joints, pair.components(), bodies, local, Some);
            held.project(local);
        }
    }

    /// How many axes each point has.
    fn width(&self) -> usize {
        if self.points.iter().any(|p| p.point.friction > 0.0) { 3 } else { 1 }
    }

    /// Finds the impulses; false where nothing comes together fast.
    pub(super) fn solve(&mut self, pair: &Pair, joints: &HeldJoints, strike: &Strike<f64>) -> bool {
        let (width, count) = (self.width(), self.points.len());
        let comes = |RoomPoint { point, .. }: &RoomPoint| {
            let v = point.normal.dot(velocity(&self.local, point));
            v < -strike.threshold && point.gap + strike.h * v < 0.0
        };
        if !self.points.iter().any(comes) {
            return false;
        }
        let along = |p: &RoomPoint| axes(p.point.normal, Vec3::zero()).into_iter().take(width);
        self.axes.clear();
        self.axes.extend(self.points.iter().flat_map(along));
        self.respond(pair, joints, width);
        let (size, mut fastest) = (width * count, 0.0_f64);
        self.aims.clear();
        self.impulses.clear();
        self.impulses.resize(size, 0.0);
        for (k, RoomPoint { point, struck, .. }) in self.points.iter().enumerate() {
            let v = velocity(&self.local, point);
            let along = point.normal.dot(v);
            let at = k * width;
            let approach = along + self.matrix[at * size + at] * struck.before;
            let soon = point.gap + TOGETHER * strike.h * along < 0.0;
            let fast = approach < -strike.threshold && soon && struck.restitution > 0.0;
            fastest = if fast { fastest.max(-approach) } else { fastest };
            let slow = -point.gap.max(0.0) / strike.h;
            let aim = if fast { -struck.restitution * approach } else { slow };
            self.aims.push(aim - along);
            self.aims.extend(self.axes[at..at + width].iter().skip(1).map(|axis| -axis.dot(v)));
        }
        if fastest == 0.0 {
            return false;
        }
        self.sweep(width, CONVERGED * fastest);
        self.bound_energy(width);
        self.give_impulses(width);
        if pair.components().next().is_some() {
            self.held.project(&mut self.local);
        }
        true
    }

    /// W: how an impulse along each axis of each point moves all of them.
    fn respond(&mut self, pair: &Pair, joints: &HeldJoints, width: usize) {
        let Self { moved, points, held, axes, matrix, .. } = self;
        let size = points.len() * width;
        matrix.clear();
        matrix.resize(size * size, 0.0);
        let is_jointed = pair.components().next().is_some();
        for column in 0..size {
            let mut still = |i: u32| {
                let body = &mut moved[i as usize];
                (body.v, body.omega) = (Vec3::zero(), Vec3::zero());
            };
            points[0].point.bodies.into_iter().flatten().for_each(&mut still);
            pair.components().for_each(|c| joints.named(c).for_each(&mut still));
            apply(moved, &points[column / width].point, axes[column]);
            if is_jointed {
                held.project(moved);
            }
            for row in 0..size {
                let of = relative(moved, &points[row / width].point);
                matrix[row * size + column] = axes[row].dot(of);
            }
        }
    }

    /// Gauss-Seidel, until nothing changes by more than `least` (m/s).
    fn sweep(&mut self, width: usize, least: f64) {
        let Self { points, matrix, aims, impulses, .. } = self;
        let size = impulses.len();
        for _ in 0..SWEEPS {
            let mut change = 0.0_f64;
            for (k, RoomPoint { point, .. }) in points.iter().enumerate() {
                let at = k * width;
                let missing = |i: usize, impulses: &[f64]| {
                    let row = &matrix[i * size..(i + 1) * size];
                    aims[i] - row.iter().zip(impulses).map(|(w, j)| w * j).sum::<f64>()
                };
                let own = matrix[at * size + at];
                if own <= 0.0 {
                    continue;
                }
                let old = impulses[at];
                impulses[at] = (old + missing(at, impulses) / own).max(0.0);
                change = change.max((impulses[at] - old).abs() * own);
                if width > 1 {
                    let [t, s] = [at + 1, at + 2];
                    let bound = matrix[t * size + t] + matrix[s * size + s];
                    let step = [t, s].map(|i| missing(i, impulses) / bound);
                    let wanted = [impulses[t] + step[0], impulses[s] + step[1]];
                    let length = (wanted[0] * wanted[0] + wanted[1] * wanted[1]).sqrt();
                    let most = point.friction * impulses[at];
                    let share = if length > most { most / length } else { 1.0 };
                    for (i, wanted) in [t, s].into_iter().zip(wanted) {
                        let old = std::mem::replace(&mut impulses[i], wanted * share);
                        change = change.max((impulses[i] - old).abs() * bound);
                    }
                }
            }
            if change <= least {
                break;
            }
        }
    }

    /// No blow gives energy: see [`impacts`](super::impacts).
    fn bound_energy(&mut self, width: usize) {
        let Self { local, points, axes, matrix, impulses, .. } = self;
        let (mut work, mut own) = (0.0, 0.0);
        for (i, j) in impulses.iter().enumerate() {
            let row = &matrix[i * impulses.len()..(i + 1) * impulses.len()];
            work += j * axes[i].dot(velocity(local, &points[i / width].point));
            own += j * row.iter().zip(impulses.iter()).map(|(w, j)| w * j).sum::<f64>();
        }
        if 2.0 * work + own > 0.0 {
            let share = lossless_share(work, own);
            impulses.iter_mut().for_each(|j| *j *= share);
        }
    }

    /// Gives the impulses to the bodies.
    fn give_impulses(&mut self, width: usize) {
        let Self { local, points, axes, impulses, .. } = self;
        for (i, (axis, j)) in axes.iter().zip(impulses.iter()).enumerate() {
            apply(local, &points[i / width].point, *axis * *j);
        }
    }

    /// Stores the bodies.
    pub(super) fn give<E: OneLane>(
        &self,
        pair: &Pair,
        joints: &HeldJoints,
        bodies: &SolverBodies<E>,
    ) {
        let put = |i: u32| bodies.set_direct_struck(i as usize, &self.local[i as usize]);
        self.points[0].point.bodies.into_iter().flatten().for_each(put);
        for c in pair.components() {
            joints.components[c as usize].bodies.iter().copied().for_each(put);
        }
    }

    /// λ and f of a point.
    pub(super) fn impulse(&self, k: usize) -> (f64, Vec3<f64>) {
        let width = self.width();
        let all = || self.axes.iter().zip(&self.impulses).skip(k * width).take(width);
        let mut friction = Vec3::zero();
        all().skip(1).for_each(|(axis, j)| friction += *axis * *j);
        (self.impulses[k * width], friction)
    }
}

/// How fast the points part, but for what a b that no contact moves does.
fn relative(local: &[SolverBody<f64>], point: &DirectPoint) -> Vec3<f64> {
    let of = |k: usize| {
        let body = point.bodies[k].map(|i| &local[i as usize]);
        body.map_or(Vec3::zero(), |body| body.v + body.omega.cross(point.levers[k]))
    };
    of(0) - of(1)
}

/// How fast the points part.
fn velocity(local: &[SolverBody<f64>], point: &DirectPoint) -> Vec3<f64> {
    // The lever of what no contact moves is the velocity of its surface.
    let of_b = if point.bodies[1].is_none() { point.levers[1] } else { Vec3::zero() };
    relative(local, point) - of_b
}

/// The impulse p at a point: on a, and its opposite on b.
fn apply(local: &mut [SolverBody<f64>], point: &DirectPoint, p: Vec3<f64>) {
    for (k, side) in [p, -p].into_iter().enumerate() {
        if let Some(i) = point.bodies[k] {
            let body = &mut local[i as usize];
            body.v += side * body.w;
            body.omega += body.spread.of(point.levers[k].cross(side));
        }
    }
}
