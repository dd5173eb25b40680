//! Islands of few points in which one body outweighs another that it touches: all their points are solved at once.
//!
//! Between a heavy body M and the ground, a pass of Gauss-Seidel brings the load to a light one m by m / M only, and the softness of
//! contacts is that of the light one: a thousand times its weight crushed it. So after each pass over the positions of such an
//! island, and after the last one over its velocities
//!
//! ```text
//! A x + q = 0      x = (λ, f) of all points, A = J M⁻¹ Jᵀ along n and two axes across it,
//!                  q = v + bias - A x of before; λ >= 0, and along each axis |f| <= µ λ
//! ```
//!
//! is solved by block principal pivoting ([`pivoting`](super::pivoting)), in f64. What one solve settles needs no softness
//! (docs/rigid.md).

use super::batches::ContactBatches;
use super::coloring::BATCHES;
use super::direct_point::{DirectBody, DirectPoint, Place, axes};
use super::manifold::Manifold;
use super::pass::PassParameters;
use super::pivoting::{Pivoting, Side};
use super::sleep::first;
use super::solver_bodies::SolverBodies;
use crate::math::{Scalar, Vec3};
use crate::state::{Body, Width};

/// How many times a body outweighs another that it touches, at least.
const RATIO: f64 = 20.0;
/// More points than this are left to the passes: a solve is of the third power.
const MOST: usize = 32;
/// ε of [`Pivoting`]: four points of a face say more than three.
const EXTRA: f64 = 1e-7;
/// How often friction is bounded anew.
const ROUNDS: usize = 4;
/// λ may have changed so much since friction was bounded by it.
const SPARE: f64 = 1.02;

/// The islands that are solved directly, found with the colors of contacts.
pub(super) struct DirectIslands {
    /// 1 / m of each instance; 0 of what no contact moves (1/kg).
    inverse_masses: Vec<f64>,
    islands: Vec<Island>,
    /// Whether they must be found, whatever is said.
    is_stale: bool,
}

/// An island. All but its places is room that a solve fills.
#[derive(Default)]
struct Island {
    places: Vec<Place>,
    points: Vec<DirectPoint>,
    /// n and two across it, along what slides or is held from sliding; those of this substep.
    axes: Vec<[Vec3<f64>; 3]>,
    bodies: Vec<(u32, DirectBody)>,
    /// Which of `bodies` each point is between.
    ends: Vec<[Option<usize>; 2]>,
    /// λ and f of the points, along their axes.
    before: Vec<f64>,
    /// Whether A is that of this substep.
    is_ready: bool,
    pivoting: Pivoting,
}

impl DirectIslands {
    /// For so many instances, bodies first; nothing, where no body outweighs another by enough.
    pub(super) fn new(bodies: &[Body], instances: usize) -> Option<Self> {
        let mass = |body: &Body| if body.fixed { 0.0 } else { 1.0 / body.mass };
        let mut inverse_masses: Vec<f64> = bodies.iter().map(mass).collect();
        inverse_masses.resize(instances, 0.0);
        let moving = || inverse_masses.iter().filter(|w| **w > 0.0);
        let least = moving().fold(f64::INFINITY, |m, w| m.min(*w));
        let most = moving().fold(0.0_f64, |m, w| m.max(*w));
        (most >= RATIO * least).then(|| Self {
            inverse_masses,
            islands: Vec::new(),
            is_stale: true,
        })
    }

    /// A substep begins; finds the islands, where contacts are `others` than before.
    pub(super) fn find<E>(
        &mut self,
        batches: &ContactBatches<E>,
        manifolds: &[Manifold],
        others: bool,
    ) where
        E: Scalar + Width<Element = E, Slots = u32>,
    {
        self.islands.iter_mut().for_each(|island| island.is_ready = false);
        if !(others || self.is_stale) {
            return;
        }
        self.is_stale = false;
        self.islands.clear();
        let mut leader: Vec<u32> = (0..self.inverse_masses.len() as u32).collect();
        let mut unequal = Vec::new();
        batches.each_manifold(|Place { batch, .. }, row| {
            let [a, b] = manifolds[row as usize].pair;
            if !BATCHES[batch].0 {
                let [wa, wb] = [a, b].map(|i| self.inverse_masses[i as usize]);
                if wa.max(wb) >= RATIO * wa.min(wb) {
                    unequal.push(a);
                }
                let [a, b] = [first(&mut leader, a), first(&mut leader, b)];
                leader[a.max(b)] = a.min(b) as u32;
            }
        });
        if unequal.is_empty() {
            return;
        }
        let mut is_unequal = vec![false; leader.len()];
        unequal.iter().for_each(|a| is_unequal[first(&mut leader, *a)] = true);
        let mut found = Vec::new();
        batches.each_manifold(|place, row| {
            let manifold = &manifolds[row as usize];
            let island = first(&mut leader, manifold.pair[0]);
            if is_unequal[island] {
                found.extend((0..manifold.count).map(|k| (island, row, Place { k, ..place })));
            }
        });
        // The same order whatever lies side by side.
        found.sort_by_key(|(island, row, place)| (*island, *row, place.k));
        let islands = found.chunk_by(|a, b| a.0 == b.0).filter(|island| island.len() <= MOST);
        let island = |places: &[(usize, u32, Place)]| Island {
            places: places.iter().map(|(.., place)| *place).collect(),
            ..Island::default()
        };
        self.islands = islands.map(island).collect();
    }

    /// Solves all islands as they are now.
    pub(super) fn solve<E>(
        &mut self,
        batches: &ContactBatches<E>,
        bodies: &SolverBodies<E>,
        pass: &PassParameters<f64>,
    ) where
        E: Scalar + Width<Element = E, Slots = u32>,
    {
        for island in &mut self.islands {
            island.load(batches, bodies);
            island.pose(pass);
            if island.solve() {
                island.give(batches, bodies);
            }
        }
    }

    /// A state was taken up: contacts are others.
    pub(super) fn forget(&mut self) {
        self.is_stale = true;
    }
}

impl Island {
    /// Takes points and bodies as they are.
    fn load<E>(&mut self, batches: &ContactBatches<E>, bodies: &SolverBodies<E>)
    where
        E: Scalar + Width<Element = E, Slots = u32>,
    {
        let point = |place: &Place| batches.batches[place.batch].point(*place);
        self.points.clear();
        self.points.extend(self.places.iter().map(point));
        self.bodies.clear();
        let ends = self.points.iter().flat_map(|point| point.bodies).flatten();
        self.bodies.extend(ends.map(|i| (i, bodies.direct(i as usize))));
        self.bodies.sort_by_key(|(i, _)| *i);
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

    /// A, three rows a point.
    fn assemble(&mut self) {
        let points = self.points.len();
        self.pivoting.clear(3 * points, EXTRA);
        for (j, axis) in (0..points).flat_map(|j| [(j, 0), (j, 1), (j, 2)]) {
            let unit = self.unit(j, axis);
            for k in 0..points {
                for (end, sign) in [(0, 1.0), (1, -1.0)] {
                    let same = |i| self.ends[j].iter().position(|e| *e == Some(i));
                    let Some(other) = self.ends[k][end].and_then(same) else {
                        continue;
                    };
                    let ([v, omega], point) = (unit[other], &self.points[k]);
                    let moved = (v + omega.cross(point.levers[end])) * sign;
                    for (row, d) in self.axes[k].iter().enumerate() {
                        self.pivoting.add([3 * k + row, 3 * j + axis], d.dot(moved));
                    }
                }
            }
        }
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
    fn solve(&mut self) -> bool {
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
    fn give<E>(&mut self, batches: &ContactBatches<E>, bodies: &SolverBodies<E>)
    where
        E: Scalar + Width<Element = E, Slots = u32>,
    {
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
