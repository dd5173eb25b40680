//! An island whose points are solved at once. After each pass over its positions, and after the last one over its velocities
//!
//! ```text
//! A x + q = 0      x = (λ, f) of all points, A = J M⁻¹ Jᵀ along n and two axes across it,
//!                  q = v + bias - A x of before; λ >= 0, and along each axis |f| <= µ λ
//! ```
//!
//! is solved by block principal pivoting ([`pivoting`](super::pivoting)), in f64. What one solve settles needs no softness
//! (docs/rigid.md).

use super::batches::ContactBatches;
use super::body_pair::SolverBody;
use super::direct_point::{DirectPoint, Place, axes};
use super::pass::PassParameters;
use super::pivoting::{EXTRA, Pivoting, Side};
use super::solver_bodies::SolverBodies;
use crate::math::Vec3;
use crate::state::OneLane;

/// How often friction is bounded anew.
const ROUNDS: usize = 4;
/// λ may have changed so much since friction was bounded by it.
const SPARE: f64 = 1.02;

/// An island. All but its places is room that a solve fills.
#[derive(Default)]
pub(super) struct Island {
    places: Vec<Place>,
    points: Vec<DirectPoint>,
    /// n and two across it, along what slides or is held from sliding; those of this substep.
    axes: Vec<[Vec3<f64>; 3]>,
    bodies: Vec<(u32, SolverBody<f64>)>,
    /// Which of `bodies` each point is between.
    ends: Vec<[Option<usize>; 2]>,
    /// Each body with each of its points, and which end of it the body is.
    touched: Vec<(usize, usize, usize)>,
    /// λ and f of the points, along their axes.
    before: Vec<f64>,
    /// Whether A is that of this substep.
    is_ready: bool,
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
        self.is_ready = false;
    }

    /// Solves it as it is now.
    pub(super) fn solve<E: OneLane>(
        &mut self,
        batches: &ContactBatches<E>,
        bodies: &SolverBodies<E>,
        pass: &PassParameters<f64>,
    ) {
        self.load(batches, bodies);
        self.pose(pass);
        if self.pivot() {
            self.give(batches, bodies);
        }
    }

    /// Takes points and bodies as they are.
    fn load<E: OneLane>(&mut self, batches: &ContactBatches<E>, bodies: &SolverBodies<E>) {
        let point = |place: &Place| batches.batches[place.batch].point(*place);
        self.points.clear();
        self.points.extend(self.places.iter().map(point));
        self.bodies.clear();
        let ends = self.points.iter().flat_map(|point| point.bodies).flatten();
        self.bodies.extend(ends.map(|i| (i, bodies.direct(i as usize))));
        self.bodies.sort_unstable_by_key(|(i, _)| *i);
        self.bodies.dedup_by_key(|(i, _)| *i);
        let place =
            |i: u32| self.bodies.binary_search_by_key(&i, |(i, _)| *i).expect("it is there");
        self.ends.clear();
        self.ends.extend(self.points.iter().map(|point| point.bodies.map(|end| end.map(place))));
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
    }

    /// What an impulse of one along an axis of a point does to its bodies: Δv and Δω.
    fn unit(&self, k: usize, axis: usize) -> [[Vec3<f64>; 2]; 2] {
        let (point, d) = (&self.points[k], self.axes[k][axis]);
        [0, 1].map(|end| match self.ends[k][end] {
            Some(i) => {
                let (d, body) = (if end == 0 { d } else { -d }, &self.bodies[i].1);
                [d * body.w, body.spread.of(point.levers[end].cross(d))]
            }
            None => [Vec3::zero(); 2],
        })
    }

    /// The points of a body, each with the end of it that the body is.
    fn touched(&self, body: usize) -> &[(usize, usize, usize)] {
        let [from, to] = [body, body + 1].map(|i| self.touched.partition_point(|t| t.0 < i));
        &self.touched[from..to]
    }

    /// A, three rows a point.
    fn assemble(&mut self) {
        let ends = self.ends.iter().enumerate();
        let touched = ends.flat_map(|(k, ends)| {
            let ends = ends.iter().enumerate();
            ends.filter_map(move |(end, i)| i.map(|i| (i, k, end)))
        });
        let mut all = std::mem::take(&mut self.touched);
        all.clear();
        all.extend(touched);
        all.sort_unstable();
        self.touched = all;
        let mut pivoting = std::mem::take(&mut self.pivoting);
        // A point moves those that share a body with it.
        let near = |k: usize| self.ends[k].iter().flatten().flat_map(|i| self.touched(*i));
        let columns = (0..self.points.len()).flat_map(|k| {
            let least = near(k).map(|t| t.1).min().expect("itself");
            let last = near(k).map(|t| t.1).max().expect("itself");
            std::iter::repeat_n(3 * least..3 * (last + 1), 3)
        });
        // Four points of a face say more than three.
        pivoting.clear(columns, EXTRA);
        for (j, axis) in (0..self.points.len()).flat_map(|j| [(j, 0), (j, 1), (j, 2)]) {
            let unit = self.unit(j, axis);
            for (i, [v, omega]) in
                self.ends[j].iter().zip(unit).filter_map(|(i, unit)| Some(((*i)?, unit)))
            {
                for (_, k, end) in self.touched(i) {
                    let sign = if *end == 0 { 1.0 } else { -1.0 };
                    let moved = (v + omega.cross(self.points[*k].levers[*end])) * sign;
                    for (row, d) in self.axes[*k].iter().enumerate() {
                        pivoting.add([3 * k + row, 3 * j + axis], d.dot(moved));
                    }
                }
            }
        }
        self.pivoting = pivoting;
    }

    /// How fast a point parts.
    fn velocity(&self, k: usize) -> Vec3<f64> {
        let (point, ends) = (&self.points[k], &self.ends[k]);
        let [a, b] = [0, 1].map(|end| match ends[end] {
            Some(i) => {
                let body = &self.bodies[i].1;
                body.v + body.omega.cross(point.levers[end])
            }
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
                    0 => (pass.aim(point.gap)[0], [0.0, f64::INFINITY]),
                    _ => (0.0, [-most, most]),
                };
                let now = self.before[row];
                let is_free = now > bounds[0] && now < bounds[1];
                let side = if is_free { Side::Free } else { Side::Lower };
                self.pivoting.pose(row, d.dot(v) + aim, &self.before, bounds, side);
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

    /// Gives the impulses found to points and bodies.
    fn give<E: OneLane>(&mut self, batches: &ContactBatches<E>, bodies: &SolverBodies<E>) {
        for k in 0..self.points.len() {
            let place = self.places[k];
            let new = [0, 1, 2].map(|axis| self.pivoting.x(3 * k + axis));
            for (axis, x) in new.iter().enumerate() {
                let change = x - self.before[3 * k + axis];
                for (end, [v, omega]) in self.unit(k, axis).into_iter().enumerate() {
                    if let Some(i) = self.ends[k][end] {
                        let body = &mut self.bodies[i].1;
                        body.v += v * change;
                        body.omega += omega * change;
                    }
                }
            }
            let rubbed = self.axes[k][1] * new[1] + self.axes[k][2] * new[2];
            batches.batches[place.batch].set_impulse(place, new[0], rubbed);
        }
        self.bodies.iter().for_each(|(i, body)| bodies.set_direct(*i as usize, body));
    }
}
