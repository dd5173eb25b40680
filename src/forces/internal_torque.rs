//! Internal torque: angular momentum that corrections inside a free component make of nothing, found and taken out.
//!
//! ```text
//! L' - L = Σ x_prev × m (x - x_prev) / h - Σ x_prev × m v = Σ x_prev × m Δx / h       Δx = x - (x_prev + h v)
//! ```
//!
//! A row changes no angular momentum about the points where it is evaluated, Σ x × m Δx = 0, but v = (x - x_prev) / h asks for
//! that about x_prev. The difference is of second order. It takes (ω h)² of what spins in every substep, and under forces that
//! stand, as between a skin and the pressure inside, it has always the same sign, set by the order of the rows: a balloon at
//! rest begins to spin. So
//!
//! ```text
//! δ = Σ r × m Δx - Σ r × m Δx_external,   r = x_prev - x_cm,   θ = I⁻¹ δ
//! x <- x - θ × r,   v <- v - θ × r / h
//! ```
//!
//! where Δx_external is what contacts, attachments and whatever else acts from outside have corrected: it is measured around
//! each of their phases. v takes what rounding x drops, so nothing is lost in f32.
//!
//! A component is left alone while one of its particles cannot move, or where a row ties one to the world; and so are all in a
//! scene in which no force can stand, which has neither pressure nor anything external: there the difference is the method's
//! known damping of spin, (ω h)²/2 a substep. Only where substeps are below 2 ms, positions are carried and particles move at
//! the start is spin kept there too. Coarse levels turn what they carry along, so that a scene with them is watched.
//!
//! Sums are in f64, eight members of a component side by side in authored order, within chunks of fixed size: the same bits by
//! every method on any number of threads.

use super::components::{Components, each_hold, is_movable};
use super::members::{Members, Moments, SUMS, Turn, from, replace, stored};
use crate::coloring::RowList;
use crate::math::{Vec3, exponential};
use crate::state::{Column3, OneLane, Width};
use crate::subsystem::{BuildContext, StepContext, Subsystem};
use crate::threads::{Cells, Worker};

/// The components that are watched.
pub(crate) struct InternalTorque {
    members: Members,
    /// A member's slot of each component; sums are about where it was.
    origins: Vec<u32>,
    sums: Cells<[f64; SUMS]>,
    /// Σ m Δx_external and Σ r × m Δx_external of each chunk.
    external: Cells<[f64; 6]>,
    turns: Cells<Turn>,
    h: f64,
    /// What damping leaves of a velocity.
    damping_factor: f64,
}

impl InternalTorque {
    /// The free components that `rows` and `subsystems` join, where forces can stand or it `keeps_spin` all the same; `tied` are
    /// rows that hold particles to the world. Nothing where there is none.
    pub(crate) fn new<'a, I: Iterator<Item = &'a dyn Subsystem>>(
        context: &BuildContext,
        [rows, tied]: [&[RowList]; 2],
        subsystems: impl Fn() -> I,
        keeps_spin: bool,
    ) -> Option<Self> {
        let has_levels = context.settings.hierarchy > 0;
        if !(keeps_spin || has_levels || subsystems().any(|subsystem| subsystem.bears())) {
            return None;
        }
        let mut joined = Components::new(context.inverse_masses, rows, subsystems());
        let mut free = vec![true; context.positions.len()];
        each_hold([rows, tied], subsystems(), |particles, always| {
            if always || !particles.iter().all(|&i| is_movable(context.inverse_masses, i)) {
                particles.iter().for_each(|&i| free[joined.sets.root(i) as usize] = false);
            }
        });
        let components = joined.members(context.inverse_masses).into_iter();
        let components = components.filter(|members| free[members[0] as usize]);
        let slots = |members: Vec<u32>| -> Vec<u32> {
            members.iter().map(|&i| context.permutation.storage(i)).collect()
        };
        let components: Vec<Vec<u32>> = components.map(slots).collect();
        let origins: Vec<u32> = components.iter().map(|slots| slots[0]).collect();
        let members = Members::new(components.into_iter());
        let settings = context.settings;
        (!origins.is_empty()).then(|| Self {
            sums: Cells::new(members.chunks.len(), [0.0; SUMS]),
            external: Cells::new(members.chunks.len(), [0.0; 6]),
            turns: Cells::new(origins.len(), Turn::none()),
            members,
            origins,
            h: settings.h(),
            damping_factor: exponential(-settings.damping * settings.h()),
        })
    }

    /// Does `act`, which corrects from outside, and counts what it does.
    pub(crate) fn around<W: Width>(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        act: impl FnOnce(),
    ) {
        self.count_external::<W>(worker, step, -1.0);
        act();
        self.count_external::<W>(worker, step, 1.0);
    }

    /// Adds Σ m x and Σ r × m x, times `sign`.
    fn count_external<W: Width>(&self, worker: &Worker, step: &StepContext<W::Element>, sign: f64) {
        worker.parallel_for(self.members.chunks.len(), |range| {
            for at in range {
                let origin = self.origin(at, step);
                let sums = self.members.sum::<W, 6>(at, |at, member| {
                    let r = from::<W>(origin, step.particles.gather(Column3::Previous, at), member);
                    // It is what changes that counts, of positions or of corrections.
                    let x = from::<W>(origin, stored::<W>(step, at), member);
                    let m = member.over_positive(step.particles.inverse_masses(at)).double();
                    let (p, l) = (x * m, r.cross(x) * m);
                    [p.x, p.y, p.z, l.x, l.y, l.z]
                });
                let before = self.external.get(at);
                self.external.set(at, std::array::from_fn(|k| before[k] + sign * sums[k]));
            }
        });
    }

    /// Finds what is to be taken out: after the last iteration, while velocities are still those predicted.
    pub(crate) fn measure<W: Width>(&self, worker: &Worker, step: &StepContext<W::Element>) {
        worker.parallel_for(self.members.chunks.len(), |range| {
            range.for_each(|at| self.sums.set(at, self.sums_of::<W>(at, step)));
        });
        worker.parallel_for(self.origins.len(), |range| {
            range.for_each(|i| self.turns.set(i, self.turn(i, step)));
        });
    }

    /// Moments of r and Δx.
    fn sums_of<W: Width>(&self, at: usize, step: &StepContext<W::Element>) -> [f64; SUMS] {
        let origin = self.origin(at, step);
        let h = W::of(self.h).double();
        let Moments(sums) = self.members.moments::<W>(at, step, |at, member| {
            let r = from::<W>(origin, step.particles.gather(Column3::Previous, at), member);
            let given = |of| from::<W>(Vec3::zero(), of, member);
            let moved = match step.positions.is_carried() {
                true => given(stored::<W>(step, at)),
                false => {
                    let x = from::<W>(origin, stored::<W>(step, at), member);
                    x - r - given(step.particles.gather(Column3::Velocity, at)) * h
                }
            };
            [r, moved]
        });
        sums
    }

    /// What is taken out of a component; what was counted of the outside is zero again.
    fn turn<E: OneLane>(&self, component: usize, step: &StepContext<E>) -> Turn {
        let chunks = &self.members.components[component];
        let (mut moments, mut external) = (Moments::none(), [0.0; 6]);
        for at in chunks.clone() {
            let outside = self.external.get(at);
            moments = moments.plus(Moments(self.sums.get(at)));
            external = std::array::from_fn(|k| external[k] + outside[k]);
            self.external.set(at, [0.0; 6]);
        }
        (0..6).for_each(|k| moments.0[4 + k] -= external[k]);
        let center = self.origin(chunks.start, step) + moments.center();
        let theta = moments.turn_of(moments.about_center());
        let sound = !moments.are_held() && theta.dot(theta) < 1.0;
        Turn { theta: if sound { theta } else { Vec3::zero() }, center }
    }

    /// Takes it out: once positions are back in the columns and velocities follow from them.
    pub(crate) fn apply<W: Width>(&self, worker: &Worker, step: &StepContext<W::Element>) {
        let rate = self.damping_factor / self.h;
        worker.parallel_for(self.members.chunks.len(), |range| {
            for at in range {
                let turn = self.turns.get(self.members.chunks[at].component);
                if turn.theta.dot(turn.theta) == 0.0 {
                    continue;
                }
                self.members.each(at, |slot| {
                    let of = |column| step.particles.gather::<W::Element>(column, slot).to_f64();
                    let by = turn.at(of(Column3::Previous));
                    let (x, v) = (of(Column3::Position), of(Column3::Velocity));
                    replace(&step.particles, slot, [x - by, v - by * rate]);
                });
            }
        });
    }

    /// Where the member of a chunk's component was that sums are about.
    fn origin<E: OneLane>(&self, chunk: usize, step: &StepContext<E>) -> Vec3<f64> {
        let slot = self.origins[self.members.chunks[chunk].component];
        step.particles.gather::<E>(Column3::Previous, slot).to_f64()
    }
}
