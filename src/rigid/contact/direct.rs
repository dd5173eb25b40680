//! An island whose points are solved at once. After each pass over its positions, and after the last one over its velocities
//!
//! ```text
//! A x + q = 0      x = (λ, f) of all points, A = J M⁻¹ Jᵀ along n and two axes across it,
//!                  q = v + bias - A x of before; λ >= 0, and along each axis |f| <= µ λ
//! ```
//!
//! is solved by block principal pivoting ([`pivoting`](super::pivoting)), in f64. What one solve settles needs no softness
//! (docs/rigid.md). Where joints hold bodies together M⁻¹ is P M⁻¹ ([`direct_bodies`](super::direct_bodies)), and unless masses ask for
//! more, a few ways of Gauss-Seidel there and back do.

use super::body_pair::SolverBody;
use super::direct_bodies::{DirectScene, IslandBodies};
use super::direct_point::{DirectPoint, Place, axes};
use super::held_joints::HeldJoints;
use super::pass::PassParameters;
use super::pivoting::{EXTRA, Pivoting, Side};
use crate::math::Vec3;
use crate::state::OneLane;

/// How often friction is bounded anew.
const ROUNDS: usize = 4;
/// How often Gauss-Seidel goes there and back at most.
pub(super) const SWEEPS: usize = 8;
/// What an impulse moves less than this, in parts of what it would without joints, they hold: that is rounding.
const STUCK: f64 = 1e-8;
/// λ may have changed so much since friction was bounded by it.
const SPARE: f64 = 1.02;

/// What hangs together, one of its points, which end of the point it is, and by which body.
type Touched = (usize, usize, usize, usize);

/// An island. All but its places and what its bodies hang together with is room that a solve fills.
#[derive(Default)]
pub(super) struct Island {
    places: Vec<Place>,
    points: Vec<DirectPoint>,
    /// n and two across it, along what slides or is held from sliding; those of this substep.
    axes: Vec<[Vec3<f64>; 3]>,
    pub(super) bodies: IslandBodies,
    /// Which of `bodies` each point is between.
    ends: Vec<[Option<usize>; 2]>,
    /// What these hang together with.
    wholes: Vec<[Option<usize>; 2]>,
    touched: Vec<Touched>,
    /// λ and f of the points, along their axes.
    before: Vec<f64>,
    /// Whether A is that of this substep, and the rows of joints.
    is_ready: bool,
    has_rows: bool,
    /// Which rows joints do not let move at all.
    is_stuck: Vec<bool>,
    pivoting: Pivoting,
}

impl Island {
    /// Of these points from now on.
    pub(super) fn take_places(&mut self, places: impl Iterator<Item = Place>) {
        self.places.clear();
        self.places.extend(places);
    }

    /// A substep begins.
    pub(super) fn begin(&mut self) {
        (self.is_ready, self.has_rows) = (false, false);
    }

    /// Leaves the bodies as joints allow what this pass has done to them.
    pub(super) fn hold<E: OneLane>(
        &mut self,
        scene: &DirectScene<E>,
        joints: &HeldJoints,
        pass: &PassParameters<f64>,
    ) {
        if self.bodies.is_jointed() {
            self.load(scene, joints, pass);
            self.bodies.store(scene);
        }
    }

    /// Solves it as it is now.
    pub(super) fn solve<E: OneLane>(
        &mut self,
        scene: &DirectScene<E>,
        joints: &HeldJoints,
        pass: &PassParameters<f64>,
        is_exact: bool,
    ) {
        self.load(scene, joints, pass);
        if pass.parts && self.bodies.is_jointed() {
            self.bodies.close(scene, joints, pass.h);
        }
        if !self.is_ready {
            let mut all = std::mem::take(&mut self.axes);
            // Along what is held, else along what slides.
            let along = |k: usize| match self.points[k].rubbed {
                held if held.dot(held) > 0.0 => held,
                _ => self.velocity(k),
            };
            all.clear();
            all.extend((0..self.points.len()).map(|k| axes(self.points[k].normal, along(k))));
            self.axes = all;
            self.assemble();
            self.is_ready = true;
        }
        self.pose(pass);
        if !is_exact {
            self.relax();
        }
        if !is_exact || self.pivot() {
            self.give(scene);
        }
    }

    /// Takes points and bodies as they are.
    fn load<E: OneLane>(
        &mut self,
        scene: &DirectScene<E>,
        joints: &HeldJoints,
        pass: &PassParameters<f64>,
    ) {
        let Self { places, points, bodies, ends, wholes, .. } = self;
        points.clear();
        points.extend(places.iter().map(|place| scene.batches.batches[place.batch].point(*place)));
        let touching = points.iter().flat_map(|point| point.bodies).flatten();
        bodies.load(scene, joints, touching);
        let place = |i: u32| bodies.place(i).expect("it is there");
        ends.clear();
        ends.extend(points.iter().map(|point| point.bodies.map(|end| end.map(place))));
        wholes.clear();
        wholes.extend(ends.iter().map(|ends| ends.map(|end| end.map(|i| bodies.whole(i)))));
        if bodies.is_jointed() {
            if !std::mem::replace(&mut self.has_rows, true) {
                bodies.take_rows(scene, joints, ends.iter().flatten().flatten().copied());
            }
            bodies.hold(scene, pass);
        }
    }

    /// An impulse along an axis of a point, on bodies of which those of the point are right.
    fn push(&self, bodies: &mut [SolverBody<f64>], [k, axis]: [usize; 2], impulse: f64) {
        let (point, d) = (&self.points[k], self.axes[k][axis]);
        for (end, i) in self.ends[k].iter().enumerate() {
            let Some(i) = *i else { continue };
            let (d, body) = (if end == 0 { d } else { -d }, &mut bodies[i]);
            let [v, omega] = [d * body.w, body.spread.of(point.levers[end].cross(d))];
            body.v += v * impulse;
            body.omega += omega * impulse;
        }
    }

    /// What hangs together with the bodies of a point, each once.
    fn wholes(&self, k: usize) -> impl Iterator<Item = usize> {
        let [a, b] = self.wholes[k];
        a.into_iter().chain(b.filter(|_| a != b))
    }

    /// The points of what hangs together.
    fn touched(&self, whole: usize) -> &[Touched] {
        let [from, to] = [whole, whole + 1].map(|i| self.touched.partition_point(|t| t.0 < i));
        &self.touched[from..to]
    }

    /// A, three rows a point.
    fn assemble(&mut self) {
        let ends = self.ends.iter().zip(&self.wholes).enumerate();
        let touched = ends.flat_map(|(k, (ends, wholes))| {
            let ends = ends.iter().zip(wholes).enumerate();
            ends.filter_map(move |(end, (i, whole))| Some(((*whole)?, k, end, (*i)?)))
        });
        self.touched.clear();
        self.touched.extend(touched);
        self.touched.sort_unstable();
        let mut pivoting = std::mem::take(&mut self.pivoting);
        let mut bodies = std::mem::take(&mut self.bodies);
        // A point moves those that share a body with it, or hang together with one.
        let near = |k: usize| self.wholes(k).flat_map(|whole| self.touched(whole));
        let columns = (0..self.points.len()).flat_map(|k| {
            let least = near(k).map(|t| t.1).min().expect("itself");
            let last = near(k).map(|t| t.1).max().expect("itself");
            std::iter::repeat_n(3 * least..3 * (last + 1), 3)
        });
        // Four points of a face say more than three.
        pivoting.clear(columns, EXTRA);
        for (j, axis) in (0..self.points.len()).flat_map(|j| [(j, 0), (j, 1), (j, 2)]) {
            let moved = bodies.response(|moved| self.push(moved, [j, axis], 1.0));
            // A is symmetric.
            for (_, k, end, i) in near(j).filter(|touched| touched.1 >= j) {
                let sign = if *end == 0 { 1.0 } else { -1.0 };
                let at = moved[*i].velocity_at(self.points[*k].levers[*end]) * sign;
                for (row, d) in self.axes[*k].iter().enumerate() {
                    pivoting.add([3 * k + row, 3 * j + axis], d.dot(at));
                    if *k > j {
                        pivoting.add([3 * j + axis, 3 * k + row], d.dot(at));
                    }
                }
            }
        }
        let mut is_stuck = std::mem::take(&mut self.is_stuck);
        is_stuck.clear();
        is_stuck.extend((0..3 * self.points.len()).map(|row| {
            pivoting.diagonal(row) < STUCK * self.free_mobility(&bodies, [row / 3, row % 3])
        }));
        (self.pivoting, self.bodies, self.is_stuck) = (pivoting, bodies, is_stuck);
    }

    /// How an impulse along an axis of a point would part it if no joint held its bodies (1/kg).
    fn free_mobility(&self, bodies: &IslandBodies, [k, axis]: [usize; 2]) -> f64 {
        let (point, d) = (&self.points[k], self.axes[k][axis]);
        let ends = self.ends[k].iter().zip(point.levers);
        let each = ends.filter_map(|(i, lever)| {
            let (body, turn) = (&bodies.as_slice()[(*i)?], lever.cross(d));
            Some(body.w + turn.dot(body.spread.of(turn)))
        });
        each.sum()
    }

    /// How fast a point parts.
    fn velocity(&self, k: usize) -> Vec3<f64> {
        let (point, ends) = (&self.points[k], &self.ends[k]);
        let [a, b] = [0, 1].map(|end| match ends[end] {
            Some(i) => self.bodies.as_slice()[i].velocity_at(point.levers[end]),
            None => point.levers[end],
        });
        a - b
    }

    /// q, bounds, and a guess.
    fn pose(&mut self, pass: &PassParameters<f64>) {
        self.before.clear();
        for (point, [_, s, t]) in self.points.iter().zip(&self.axes) {
            self.before.extend([point.lambda, s.dot(point.rubbed), t.dot(point.rubbed)]);
        }
        for k in 0..self.points.len() {
            let point = &self.points[k];
            let slide = if pass.parts { point.creep } else { Vec3::zero() };
            let (v, most) = (self.velocity(k) + slide, point.friction * point.lambda);
            for (axis, d) in self.axes[k].iter().enumerate() {
                let row = 3 * k + axis;
                let (aim, bounds) = match axis {
                    _ if self.is_stuck[row] => (0.0, [0.0; 2]),
                    0 => (pass.aim(point.gap)[0], [0.0, f64::INFINITY]),
                    _ => (0.0, [-most, most]),
                };
                let now = self.before[row];
                let is_free = now > bounds[0] && now < bounds[1];
                let side = if is_free { Side::Free } else { Side::Lower };
                self.pivoting.pose(row, d.dot(v) + aim, now, bounds, side);
            }
        }
    }

    /// Solves it, friction between bounds that follow λ; whether that was done. Each solution is the one of least kinetic energy
    /// between its bounds, so none of them makes any. (Friction cut down to its cone afterwards does: what held a light body from
    /// both sides no longer balances, and it was shot out at 90 m/s.)
    fn pivot(&mut self) -> bool {
        for _ in 0..ROUNDS {
            if !self.pivoting.solve() {
                return false;
            }
            let mut is_within = true;
            for (k, point) in self.points.iter().enumerate() {
                let most = point.friction * self.pivoting.x(3 * k);
                for row in [3 * k + 1, 3 * k + 2] {
                    if self.pivoting.x(row).abs() > SPARE * most {
                        self.pivoting.bound(row, most);
                        is_within = false;
                    }
                }
            }
            if is_within {
                break;
            }
        }
        true
    }

    /// Nearly solves it: what a few bodies stand on by many points is said many times over.
    fn relax(&mut self) {
        let Self { pivoting, points, is_stuck, .. } = self;
        pivoting.relax(SWEEPS, |pivoting| {
            for (k, point) in points.iter().enumerate() {
                let most = point.friction * pivoting.x(3 * k);
                let rows = [3 * k + 1, 3 * k + 2].into_iter().filter(|row| !is_stuck[*row]);
                rows.for_each(|row| pivoting.rebound(row, most));
            }
        });
    }

    /// Gives the impulses found to points and bodies.
    fn give<E: OneLane>(&mut self, scene: &DirectScene<E>) {
        let mut bodies = std::mem::take(&mut self.bodies);
        bodies.apply(|moved| {
            for k in 0..self.points.len() {
                for axis in 0..3 {
                    let row = 3 * k + axis;
                    self.push(moved, [k, axis], self.pivoting.x(row) - self.before[row]);
                }
            }
        });
        bodies.store(scene);
        self.bodies = bodies;
        for (k, place) in self.places.iter().enumerate() {
            let [lambda, s, t] = [0, 1, 2].map(|axis| self.pivoting.x(3 * k + axis));
            let rubbed = self.axes[k][1] * s + self.axes[k][2] * t;
            scene.batches.batches[place.batch].set_impulse(*place, lambda, rubbed);
        }
    }
}
