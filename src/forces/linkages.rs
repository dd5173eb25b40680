//! Linkages: what joints and rows at arms make of bodies and particles, each with the rows between its particles. One that
//! nothing outside touches keeps its angular momentum about its center of mass.
//!
//! ```text
//! L = Σ (x - x_cm) × m v + Σ R I Rᵀ ω,   θ = J⁻¹ (L' - k L)        J: the whole linkage as if it were rigid; k: what damping leaves
//! v <- v - θ × (x - x_cm),   ω <- ω - θ
//! ```
//!
//! L is that before the prediction, or after it where forces act, and L' that of the end. An impulse that holds two points together at
//! the end of the substep has no torque there, but v = (x - x_prev) / h carries on the torque that it has about x_prev: what
//! spins loses (ω h)²/2 of it in every substep (particle on a body, 1 : 1, 8 rad/s, 5 s: a hundredth at 4 substeps). A turn of the whole
//! adds no energy but that of L: the motion of the parts against each other is damped as before.
//!
//! A linkage is left alone in a substep in which something from outside corrects one of its members: contacts, fluids, drives.
//! It is none where it is tied to the world, to what does not move, or by a joint that may break. A member that is held or asleep
//! leaves it alone, too. Forces and wind act before, friction and rebound after: theirs is kept.

use super::components::{Components, each_hold, is_movable};
use super::members::{Members, Moments, Turn, from, replace, stored};
use crate::coloring::RowList;
use crate::math::{Quat, Scalar, Vec3, exponential};
use crate::settings::Gyro;
use crate::state::{BodyState, BodyView, Column3, MovingBody, OneLane, Remainders, Width};
use crate::subsystem::{BuildContext, StepContext, Subsystem};
use crate::threads::{Cells, Worker};
use std::collections::BTreeMap;

/// The linkages that are free. A part is a chunk of particles, or the bodies of one of them: those come last.
pub(crate) struct Linkages {
    members: Members,
    bodies: Vec<Vec<u32>>,
    /// Whether each subsystem corrects from outside.
    outside: Vec<bool>,
    /// By part: moments of r and v at the start and at the end of the substep.
    moments: Cells<[Moments; 2]>,
    /// By part: where its members are, or how they have been corrected, before something from outside acts.
    marks: Cells<[f64; 6]>,
    /// By part: whether something from outside has corrected it.
    touched: Cells<bool>,
    turns: Cells<Turn>,
    /// Whether the prediction changes angular momentum, other than by forces and by rounding.
    is_turned: bool,
    /// What damping leaves of a velocity.
    damping_factor: f64,
}

impl Linkages {
    /// Those of `rows` and `subsystems`; `tied` are rows that hold particles to the world. Nothing where there is none.
    pub(crate) fn new<'a, I: Iterator<Item = &'a dyn Subsystem>>(
        context: &BuildContext,
        [rows, tied]: [&[RowList]; 2],
        subsystems: impl Fn() -> I,
        is_windy: bool,
    ) -> Option<Self> {
        let outside = subsystems().map(|subsystem| {
            let mut is_bond = false;
            subsystem.each_bond(&mut |_, _, _| is_bond = true);
            !is_bond && !subsystem.is_internal()
        });
        let outside = outside.collect();
        let all = free(context, [rows, tied], subsystems);
        let (particles, bodies): (Vec<_>, Vec<_>) = all.map(|[p, b]| (p, b)).unzip();
        let members = Members::new(particles.into_iter());
        let (parts, settings) = (members.chunks.len() + bodies.len(), context.settings);
        (!bodies.is_empty()).then(|| Self {
            moments: Cells::new(parts, [Moments::none(); 2]),
            marks: Cells::new(parts, [0.0; 6]),
            touched: Cells::new(parts, false),
            turns: Cells::new(bodies.len(), Turn::none()),
            is_turned: is_windy || settings.gyro != Gyro::Momentum,
            members,
            bodies,
            outside,
            damping_factor: exponential(-settings.damping * settings.h()),
        })
    }

    /// Does `act` of a subsystem, and notes which linkages it corrects from outside.
    pub(crate) fn around<W: Width>(
        &self,
        subsystem: usize,
        worker: &Worker,
        step: &StepContext<W::Element>,
        act: impl FnOnce(),
    ) {
        if !self.outside[subsystem] {
            return act();
        }
        let each = |act: &dyn Fn(usize)| {
            worker.parallel_for(self.touched.len(), |range| {
                range.filter(|&part| !self.touched.get(part)).for_each(act);
            });
        };
        each(&|part| self.marks.set(part, self.mark::<W>(part, step)));
        act();
        each(&|part| {
            let before = self.marks.get(part);
            self.touched.set(part, self.mark::<W>(part, step) != before);
        });
    }

    /// Sums that a correction changes: of the places of particles, of the pushes and turns of bodies.
    fn mark<W: Width>(&self, part: usize, step: &StepContext<W::Element>) -> [f64; 6] {
        let Some(linkage) = part.checked_sub(self.members.chunks.len()) else {
            return self.members.sum::<W, 6>(part, |at, member| {
                let Vec3 { x, y, z } = from::<W>(Vec3::zero(), stored(step, at), member);
                [x, y, z, x, y, z]
            });
        };
        let mut sums = [0.0; 6];
        for &body in &self.bodies[linkage] {
            let MovingBody { push, turn, .. } = step.bodies.load::<W::Element>(body);
            let [p, t] = [push, turn].map(Vec3::to_f64);
            let own = [p.x, p.y, p.z, t.x, t.y, t.z];
            sums = std::array::from_fn(|k| sums[k] + own[k]);
        }
        sums
    }

    /// Takes the moments that are to be kept: those before the prediction, which rounds, or those `predicted`, where forces
    /// have turned it. To be called before the prediction, and before velocities follow from positions.
    pub(crate) fn begin<W: Width>(
        &self,
        predicted: bool,
        worker: &Worker,
        step: &StepContext<W::Element>,
    ) {
        let forced = step.particles.velocity_steps().is_some()
            || step.bodies.loads::<W::Element>(0).is_some();
        if predicted != (self.is_turned || forced) {
            return;
        }
        let places = if predicted { Column3::Previous } else { Column3::Position };
        worker.parallel_for(self.moments.len(), |range| {
            for part in range {
                let moments = self.moments_of::<W>(part, places, step);
                self.moments.set(part, [moments, Moments::none()]);
            }
        });
    }

    /// Gives back what corrections took of angular momentum.
    pub(crate) fn end<W: Width>(&self, worker: &Worker, step: &StepContext<W::Element>) {
        worker.parallel_for(self.moments.len(), |range| {
            // A linkage that is touched is left alone.
            for part in range.filter(|&part| !self.touched.get(part)) {
                let [before, _] = self.moments.get(part);
                let moments = self.moments_of::<W>(part, Column3::Position, step);
                self.moments.set(part, [before, moments]);
            }
        });
        worker.parallel_for(self.bodies.len(), |range| {
            for linkage in range {
                let turn = self.turn(linkage, step);
                self.turns.set(linkage, turn);
                if turn.theta.dot(turn.theta) > 0.0 {
                    let bodies = self.bodies[linkage].iter();
                    bodies.for_each(|&body| turn_body(body as usize, &turn, &step.bodies));
                }
            }
        });
        worker.parallel_for(self.members.chunks.len(), |range| {
            for chunk in range {
                let turn = self.turns.get(self.members.chunks[chunk].component);
                if turn.theta.dot(turn.theta) == 0.0 {
                    continue;
                }
                self.members.each(chunk, |slot| {
                    let of = |column| step.particles.gather::<W::Element>(column, slot).to_f64();
                    let (x, v) = (of(Column3::Position), of(Column3::Velocity));
                    replace(&step.particles, slot, [x, v - turn.at(x)]);
                });
            }
        });
    }

    /// Moments of r and v, with places from the first body's.
    fn moments_of<W: Width>(
        &self,
        part: usize,
        places: Column3,
        step: &StepContext<W::Element>,
    ) -> Moments {
        let chunks = self.members.chunks.len();
        let Some(linkage) = part.checked_sub(chunks) else {
            let origin = self.origin(self.members.chunks[part].component, step);
            return self.members.moments::<W>(part, step, |at, member| {
                let r = from::<W>(origin, step.particles.gather(places, at), member);
                [r, from::<W>(Vec3::zero(), step.particles.gather(Column3::Velocity, at), member)]
            });
        };
        let origin = self.origin(linkage, step);
        let moments = self.bodies[linkage].iter().map(|&body| {
            body_moments(
                origin,
                step.bodies.read::<W::Element>(body as usize),
                step.bodies.remainders(body as usize),
            )
        });
        moments.fold(Moments::none(), Moments::plus)
    }

    /// Where a linkage's first body is: any place near will do.
    fn origin<E: OneLane>(&self, linkage: usize, step: &StepContext<E>) -> Vec3<f64> {
        step.bodies.previous::<E>(self.bodies[linkage][0]).0.to_f64()
    }

    /// What is taken out of a linkage; it is untouched again.
    fn turn<E: OneLane>(&self, linkage: usize, step: &StepContext<E>) -> Turn {
        let chunks = &self.members.components[linkage];
        let [mut before, mut after] = [Moments::none(); 2];
        let mut touched = false;
        for part in chunks.clone().chain([self.members.chunks.len() + linkage]) {
            let [start, end] = self.moments.get(part);
            (before, after) = (before.plus(start), after.plus(end));
            touched |= self.touched.get(part);
            self.touched.set(part, false);
        }
        let gained = after.about_center() - before.about_center() * self.damping_factor;
        let theta = after.turn_of(gained);
        let is_sound = !touched && !after.are_held() && theta.dot(theta).is_finite();
        match is_sound {
            true => Turn { theta, center: self.origin(linkage, step) + after.center() },
            false => Turn::none(),
        }
    }
}

/// The slots of the particles and the numbers of the bodies of each linkage that is free.
fn free<'a, I: Iterator<Item = &'a dyn Subsystem>>(
    context: &BuildContext,
    [rows, tied]: [&[RowList]; 2],
    subsystems: impl Fn() -> I,
) -> impl Iterator<Item = [Vec<u32>; 2]> {
    let mut joined = Components::new(context.inverse_masses, rows, subsystems()).sets;
    let first = joined.extend(context.bodies.len());
    let moves = |node: u32| match node.checked_sub(first) {
        None => is_movable(context.inverse_masses, node),
        Some(body) => !context.bodies[body as usize].fixed,
    };
    // Nodes that stand for what is not free.
    let mut bound = Vec::new();
    let mut bonds = Vec::new();
    for subsystem in subsystems() {
        subsystem.each_bond(&mut |particles, bodies, keeps| {
            let bodies = bodies.iter().map(|body| first + body);
            let nodes: Vec<u32> = particles.iter().copied().chain(bodies).collect();
            if !keeps || !nodes.iter().all(|&node| moves(node)) {
                bound.extend(&nodes);
            }
            bonds.push(nodes.into_iter().filter(|&node| moves(node)).collect::<Vec<_>>());
        });
    }
    bonds.iter().for_each(|nodes| nodes.windows(2).for_each(|two| joined.join(two[0], two[1])));
    each_hold([rows, tied], subsystems(), |particles, always| {
        if always || !particles.iter().all(|&i| moves(i)) {
            bound.extend(particles);
        }
    });
    let bound: Vec<u32> = bound.into_iter().map(|node| joined.root(node)).collect();
    // Particles and bodies by root.
    let mut all: BTreeMap<u32, [Vec<u32>; 2]> = BTreeMap::new();
    for node in (0..first + context.bodies.len() as u32).filter(|&node| moves(node)) {
        let [particles, bodies] = all.entry(joined.root(node)).or_default();
        match node.checked_sub(first) {
            None => particles.push(context.permutation.storage(node)),
            Some(body) => bodies.push(body),
        }
    }
    bound.iter().for_each(|root| _ = all.remove(root));
    all.retain(|_, [particles, bodies]| !bodies.is_empty() && particles.len() + bodies.len() > 1);
    all.into_values()
}

/// Moments of a body; its inertia R I Rᵀ is that of Σ s a aᵀ along its axes a.
fn body_moments<E: Scalar>(origin: Vec3<f64>, body: BodyState<E>, rests: Remainders<E>) -> Moments {
    let exact = [(body.x, rests.x), (body.v, rests.v), (body.omega, rests.omega)];
    let [x, v, omega] = exact.map(|(rounded, rest)| rounded.to_f64() + rest.to_f64());
    let (r, inertia) = (x - origin, body.inertia.to_f64());
    let w = body.w.to_f64();
    let m = if w > 0.0 { 1.0 / w } else { 0.0 };
    let q = Quat::from(body.q.to_array().map(E::to_f64)).normalized();
    let spin = q.unrotate(omega);
    let spun = Vec3::new(inertia.x * spin.x, inertia.y * spin.y, inertia.z * spin.z);
    let l = r.cross(v) * m + q.rotate(spun);
    let [mut xx, mut yy, mut zz] = [r.x * r.x, r.y * r.y, r.z * r.z].map(|square| m * square);
    let [mut xy, mut xz, mut yz] = [r.x * r.y, r.x * r.z, r.y * r.z].map(|product| m * product);
    let half = 0.5 * (inertia.x + inertia.y + inertia.z);
    for (k, moment) in inertia.to_array().into_iter().enumerate() {
        let (a, s) = (q.rotate(Vec3::axis(k)), half - moment);
        (xx, yy, zz) = (xx + s * a.x * a.x, yy + s * a.y * a.y, zz + s * a.z * a.z);
        (xy, xz, yz) = (xy + s * a.x * a.y, xz + s * a.x * a.z, yz + s * a.y * a.z);
    }
    let (p, d) = (r * m, v * m);
    let held = if w > 0.0 { 0.0 } else { 1.0 };
    Moments([m, p.x, p.y, p.z, d.x, d.y, d.z, l.x, l.y, l.z, xx, yy, zz, xy, xz, yz, held])
}

/// Takes a turn (rad/s) out of a body's velocities.
fn turn_body<E: OneLane>(i: usize, turn: &Turn, bodies: &BodyView<E>) {
    let (BodyState { x, v, omega, .. }, rests) = (bodies.read::<E>(i), bodies.remainders::<E>(i));
    let exact = [(v, rests.v, turn.at(x.to_f64())), (omega, rests.omega, turn.theta)]
        .map(|(rounded, rest, less)| rounded.to_f64() + rest.to_f64() - less);
    let velocities = exact.map(Vec3::rounded::<E>);
    let rests = [0, 1].map(|k| (exact[k] - velocities[k].to_f64()).rounded::<E>());
    bodies.write_carried_velocities(i, velocities, rests);
}
