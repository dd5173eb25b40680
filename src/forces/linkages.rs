//! Linkages: what joints and rows at arms make of bodies and particles, each with the rows between its particles. One that
//! nothing outside touches keeps its angular momentum about its center of mass.
//!
//! ```text
//! L = Σ (x - x_cm) × m v + Σ R I Rᵀ ω,   θ = J⁻¹ (L' - k L)        J: the whole linkage as if it were rigid; k: what damping leaves
//! v <- v - f θ × (x - x_cm),   ω <- ω - f θ
//! ```
//!
//! L is that before the prediction, or after it where forces act, and L' that of the end. An impulse that holds two points together at
//! the end of the substep has no torque there, but v = (x - x_prev) / h carries on the torque that it has about x_prev: what
//! spins loses (ω h)²/2 of it in every substep (particle on a body, 1 : 1, 8 rad/s, 5 s: a hundredth at 4 substeps).
//!
//! The turn is of those only whom corrections have moved: a rod between the centers of two balls has no torque on them, and what it
//! takes of their orbit is not given to their spins (they went from rest to 126 rad/s in 5 s); a joint that holds an orientation alone
//! pushes nobody, and what it takes of spins is not given to orbits (at 20 x 10 a motor sent a box 5 m away in a second). And f, up to
//! 1, is as large as it may be with a little more energy than the prediction had, or what the corrections have left: at large ω h
//! parts that move against each other take of the whole what it is given back (a welded pair at 20 rad/s went from 100 J to 16 000 in
//! half a second at 1 x 10).
//!
//! A linkage is left alone in a substep in which something from outside corrects one of its members: contacts, fluids, drives.
//! It is none where it is tied to the world, to what does not move, or by a joint that may break. A member that is held or asleep
//! leaves it alone, too. Forces and wind act before, friction and rebound after: theirs is kept.

use super::components::{Components, each_hold, is_movable, turn_of};
use super::linkage_sums::{Sums, has_been_moved, sums_of_body, turn_body};
use super::members::{Members, Turn, from, momentum_of, replace, stored};
use crate::coloring::RowList;
use crate::math::{Vec3, exponential};
use crate::settings::Gyro;
use crate::state::{Column3, MovingBody, OneLane, Width};
use crate::subsystem::{BuildContext, StepContext, Subsystem};
use crate::threads::{Cells, Worker};
use std::collections::BTreeMap;

/// How much more energy than was predicted a linkage may have, as a part of it: links that swing lose and gain as much in a step. By a
/// fiftieth a flail of a tonne at 1 x 10 lost a twentieth of its angular momentum.
const MORE: f64 = 0.05;
/// What is added to the inertia, as a part of its trace: of what lies on a line, and has no spin, a turn about that is rounding.
const THIN: f64 = 1e-6;

/// The linkages that are free. A part is a chunk of particles, or the bodies of one of them: those come last.
pub(crate) struct Linkages {
    members: Members,
    bodies: Vec<Vec<u32>>,
    /// Whether each subsystem corrects from outside.
    outside: Vec<bool>,
    /// By part: what is to be kept, what was predicted, and what is left at the end of the substep.
    sums: Cells<[Sums; 3]>,
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
            sums: Cells::new(parts, [Sums::none(); 3]),
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
        let keeps_predicted = self.is_turned || forced;
        if keeps_predicted && !predicted {
            return;
        }
        let places = if predicted { Column3::Previous } else { Column3::Position };
        worker.parallel_for(self.sums.len(), |range| {
            for part in range {
                let now = self.sums_of::<W>(part, places, step);
                let [before, ..] = self.sums.get(part);
                let kept = if predicted && !keeps_predicted { before } else { now };
                self.sums.set(part, [kept, now, Sums::none()]);
            }
        });
    }

    /// Gives back what corrections took of angular momentum.
    pub(crate) fn end<W: Width>(&self, worker: &Worker, step: &StepContext<W::Element>) {
        worker.parallel_for(self.sums.len(), |range| {
            // A linkage that is touched is left alone.
            for part in range.filter(|&part| !self.touched.get(part)) {
                let [kept, predicted, _] = self.sums.get(part);
                let now = self.sums_of::<W>(part, Column3::Position, step);
                self.sums.set(part, [kept, predicted, now]);
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

    /// Those of a part, with places from the first body's.
    fn sums_of<W: Width>(
        &self,
        part: usize,
        places: Column3,
        step: &StepContext<W::Element>,
    ) -> Sums {
        let chunks = self.members.chunks.len();
        let Some(linkage) = part.checked_sub(chunks) else {
            let origin = self.origin(self.members.chunks[part].component, step);
            let moments = self.members.moments::<W>(part, step, |at, member| {
                let r = from::<W>(origin, step.particles.gather(places, at), member);
                [r, from::<W>(Vec3::zero(), step.particles.gather(Column3::Velocity, at), member)]
            });
            return moments.into();
        };
        let origin = self.origin(linkage, step);
        let bodies = self.bodies[linkage].iter().map(|&body| {
            let i = body as usize;
            let (state, rests) = (step.bodies.read::<W::Element>(i), step.bodies.remainders(i));
            sums_of_body(origin, state, rests, has_been_moved(body, &step.bodies))
        });
        bodies.fold(Sums::none(), Sums::plus)
    }

    /// Where a linkage's first body is: any place near will do.
    fn origin<E: OneLane>(&self, linkage: usize, step: &StepContext<E>) -> Vec3<f64> {
        step.bodies.previous::<E>(self.bodies[linkage][0]).0.to_f64()
    }

    /// What is taken out of a linkage; it is untouched again.
    fn turn<E: OneLane>(&self, linkage: usize, step: &StepContext<E>) -> Turn {
        let chunks = &self.members.components[linkage];
        let mut all = [Sums::none(); 3];
        let mut touched = false;
        for part in chunks.clone().chain([self.members.chunks.len() + linkage]) {
            let sums = self.sums.get(part);
            all = std::array::from_fn(|k| all[k].plus(sums[k]));
            touched |= self.touched.get(part);
            self.touched.set(part, false);
        }
        let [kept, predicted, now] = all;
        let left = self.damping_factor;
        let gained = now.momentum() - kept.momentum() * left;
        let mut products = now.products();
        let thin = THIN * (products[0] + products[1] + products[2]);
        products[..3].iter_mut().for_each(|square| *square += thin);
        let theta = turn_of(products, gained);
        // Twice the energy after a part f of the turn is e - 2 f b + f² a.
        let e = now.twice_energy();
        let b = theta.dot(now.moved.about_center() + now.turned);
        let a = theta.dot(momentum_of(products, theta));
        let most = predicted.twice_energy() * left * left * (1.0 + MORE);
        let part = part_of([e, b, a], most.max(e));
        let is_sound = !touched && !now.moments.are_held() && theta.dot(theta).is_finite();
        match is_sound {
            true => {
                let center = self.origin(linkage, step) + now.moved.center();
                Turn { theta: theta * part, center }
            }
            false => Turn::none(),
        }
    }
}

/// The largest f up to 1 for which e - 2 f b + f² a is not above `most`, which e is not.
fn part_of([e, b, a]: [f64; 3], most: f64) -> f64 {
    let room = most - e;
    if a - 2.0 * b <= room {
        return 1.0;
    }
    // f² a - 2 f b = room
    let root = (b * b + a * room).max(0.0).sqrt();
    let f = if b > 0.0 { (b + root) / a } else { room / (root - b) };
    f.clamp(0.0, 1.0)
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
