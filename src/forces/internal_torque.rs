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

use super::components::{Components, is_movable, turn_of};
use crate::coloring::RowList;
use crate::constraints::Particle;
use crate::math::{F64x8, Scalar, Vec3, WIDTH, each_lane, exponential};
use crate::state::{Column3, ParticleView, Width};
use crate::subsystem::{BuildContext, StepContext, Subsystem};
use crate::threads::{Cells, Worker};
use std::ops::Range;

/// Blocks of a chunk.
const CHUNK: usize = 64;

/// Eight members in authored order, as every method has them: their slots, and one for each; zero beyond the last.
struct Block {
    slots: [u32; WIDTH],
    members: [f32; WIDTH],
}

/// Blocks of one component that a worker sums up alone.
struct Chunk {
    component: usize,
    blocks: Range<usize>,
}

struct Component {
    /// A member's slot; sums are about where it was.
    origin: u32,
    chunks: Range<usize>,
}

/// What is taken out of a component: a turn (rad) about its center.
#[derive(Clone, Copy)]
struct Turn {
    theta: Vec3<f64>,
    center: Vec3<f64>,
}

/// Σ m, Σ m r, Σ m Δx, Σ r × m Δx, Σ m r rᵀ and how many are held.
const SUMS: usize = 17;

/// The components that are watched.
pub(crate) struct InternalTorque {
    components: Vec<Component>,
    chunks: Vec<Chunk>,
    blocks: Vec<Block>,
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
        let mut hold = |particles: &[u32], always: bool| {
            if always || !particles.iter().all(|&i| is_movable(context.inverse_masses, i)) {
                particles.iter().for_each(|&i| free[joined.root(i) as usize] = false);
            }
        };
        for list in rows {
            list.particles.chunks_exact(list.arity).for_each(|row| hold(row, false));
        }
        subsystems().for_each(|subsystem| subsystem.each_joined(&mut |group| hold(group, false)));
        tied.iter().for_each(|list| hold(list.particles, true));
        let components = joined.members(context.inverse_masses).into_iter();
        let components = components.filter(|members| free[members[0] as usize]);
        let slots = |members: Vec<u32>| -> Vec<u32> {
            members.iter().map(|&i| context.permutation.storage(i)).collect()
        };
        let mut all = Self::of(components.map(slots));
        let settings = context.settings;
        all.h = settings.h();
        all.damping_factor = exponential(-settings.damping * settings.h());
        (!all.components.is_empty()).then_some(all)
    }

    /// Components by the slots of their members.
    fn of(all: impl Iterator<Item = Vec<u32>>) -> Self {
        let (mut components, mut chunks) = (Vec::new(), Vec::<Chunk>::new());
        let mut blocks: Vec<Block> = Vec::new();
        for (component, slots) in all.enumerate() {
            let (first_chunk, first) = (chunks.len(), blocks.len());
            for part in slots.chunks(WIDTH) {
                let last = part.len() - 1;
                blocks.push(Block {
                    slots: each_lane(|lane| part[lane.min(last)]),
                    members: each_lane(|lane| if lane <= last { 1.0 } else { 0.0 }),
                });
            }
            for start in (first..blocks.len()).step_by(CHUNK) {
                chunks.push(Chunk { component, blocks: start..blocks.len().min(start + CHUNK) });
            }
            components.push(Component { origin: slots[0], chunks: first_chunk..chunks.len() });
        }
        let none = Turn { theta: Vec3::zero(), center: Vec3::zero() };
        Self {
            sums: Cells::new(chunks.len(), [0.0; SUMS]),
            external: Cells::new(chunks.len(), [0.0; 6]),
            turns: Cells::new(components.len(), none),
            components,
            chunks,
            blocks,
            h: 0.0,
            damping_factor: 1.0,
        }
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
        worker.parallel_for(self.chunks.len(), |range| {
            for at in range {
                let origin = self.origin(at, step);
                let sums = self.sum::<W, 6>(at, |at, member| {
                    let r = from::<W>(origin, step.particles.gather(Column3::Previous, at), member);
                    // It is what changes that counts, of positions or of corrections.
                    let [site]: [Particle<W>; 1] = step.positions.stored().load([at]);
                    let x = from::<W>(origin, site.x, member);
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
        worker.parallel_for(self.chunks.len(), |range| {
            range.for_each(|at| self.sums.set(at, self.sums_of::<W>(at, step)));
        });
        worker.parallel_for(self.components.len(), |range| {
            range.for_each(|i| self.turns.set(i, self.turn(i, step)));
        });
    }

    fn sums_of<W: Width>(&self, at: usize, step: &StepContext<W::Element>) -> [f64; SUMS] {
        let origin = self.origin(at, step);
        let h = W::of(self.h).double();
        self.sum::<W, SUMS>(at, |at, member| {
            let r = from::<W>(origin, step.particles.gather(Column3::Previous, at), member);
            let given = |of| from::<W>(Vec3::zero(), of, member);
            let [site]: [Particle<W>; 1] = step.positions.stored().load([at]);
            let moved = match step.positions.is_carried() {
                true => given(site.x),
                false => {
                    let x = from::<W>(origin, site.x, member);
                    x - r - given(step.particles.gather(Column3::Velocity, at)) * h
                }
            };
            let w: W = step.particles.inverse_masses(at);
            let held = W::select(W::zero().lt(w), W::zero(), member);
            let m = member.over_positive(w).double();
            let d = moved * m;
            let (p, l) = (r * m, r.cross(d));
            let products = [p.x * r.x, p.y * r.y, p.z * r.z, p.x * r.y, p.x * r.z, p.y * r.z];
            let [xx, yy, zz, xy, xz, yz] = products;
            let held = held.double();
            [m, p.x, p.y, p.z, d.x, d.y, d.z, l.x, l.y, l.z, xx, yy, zz, xy, xz, yz, held]
        })
    }

    /// What is taken out of a component; what was counted of the outside is zero again.
    fn turn<E>(&self, component: usize, step: &StepContext<E>) -> Turn
    where
        E: Scalar + Width<Element = E, Slots = u32>,
    {
        let chunks = &self.components[component].chunks;
        let (mut sums, mut external) = ([0.0; SUMS], [0.0; 6]);
        for at in chunks.clone() {
            let (own, outside) = (self.sums.get(at), self.external.get(at));
            sums = std::array::from_fn(|k| sums[k] + own[k]);
            external = std::array::from_fn(|k| external[k] + outside[k]);
            self.external.set(at, [0.0; 6]);
        }
        let [m, x, y, z, dx, dy, dz, lx, ly, lz, xx, yy, zz, xy, xz, yz, held] = sums;
        let [ex, ey, ez, tx, ty, tz] = external;
        let r = Vec3::new(x / m, y / m, z / m);
        let center = self.origin(chunks.start, step) + r;
        let moved = Vec3::new(dx - ex, dy - ey, dz - ez);
        let torque = Vec3::new(lx - tx, ly - ty, lz - tz) - r.cross(moved);
        let products = [
            xx - m * r.x * r.x,
            yy - m * r.y * r.y,
            zz - m * r.z * r.z,
            xy - m * r.x * r.y,
            xz - m * r.x * r.z,
            yz - m * r.y * r.z,
        ];
        let theta = turn_of(products, torque);
        let sound = held == 0.0 && theta.dot(theta) < 1.0;
        Turn { theta: if sound { theta } else { Vec3::zero() }, center }
    }

    /// Takes it out: once positions are back in the columns and velocities follow from them.
    pub(crate) fn apply<W: Width>(&self, worker: &Worker, step: &StepContext<W::Element>) {
        let rate = self.damping_factor / self.h;
        worker.parallel_for(self.chunks.len(), |range| {
            for Chunk { component, blocks } in &self.chunks[range] {
                let Turn { theta, center } = self.turns.get(*component);
                if theta.dot(theta) == 0.0 {
                    continue;
                }
                for Block { slots, members } in &self.blocks[blocks.clone()] {
                    for (&slot, _) in slots.iter().zip(members).filter(|(_, m)| **m > 0.0) {
                        let of = |column| wide(step.particles.gather::<W::Element>(column, slot));
                        let by = theta.cross(of(Column3::Previous) - center);
                        let x = of(Column3::Position) - by;
                        let v = of(Column3::Velocity) - by * rate;
                        let both = [(Column3::Position, x), (Column3::Velocity, v)];
                        if step.particles.is_carried() {
                            put_pairs(&step.particles, slot, both);
                            continue;
                        }
                        for (column, to) in both {
                            let to: Vec3<W::Element> = Vec3::of(to.to_array());
                            step.particles.scatter::<W::Element>(column, slot, to);
                        }
                    }
                }
            }
        });
    }

    /// Where the member of a chunk's component was that sums are about.
    fn origin<E>(&self, chunk: usize, step: &StepContext<E>) -> Vec3<f64>
    where
        E: Scalar + Width<Element = E, Slots = u32>,
    {
        let slot = self.components[self.chunks[chunk].component].origin;
        wide(step.particles.gather::<E>(Column3::Previous, slot))
    }

    /// Σ of `terms` of slots and of which of them are members, over a chunk.
    #[inline(always)]
    fn sum<W: Width, const N: usize>(
        &self,
        chunk: usize,
        terms: impl Fn(W::Slots, W) -> [W::Double; N],
    ) -> [f64; N] {
        let mut sums = [[0.0; WIDTH]; N];
        for Block { slots, members } in &self.blocks[self.chunks[chunk].blocks.clone()] {
            for first in (0..WIDTH).step_by(W::LANES) {
                let member = W::singles(|lane| members[first + lane]);
                let terms = terms(W::slots(|lane| slots[first + lane]), member);
                for (sum, term) in sums.iter_mut().zip(terms) {
                    for lane in 0..W::LANES {
                        sum[first + lane] += W::double_lane(term, lane);
                    }
                }
            }
        }
        sums.map(|sum| F64x8::new(sum).total())
    }
}

/// From an origin to `v`, of members; zero of others, which may be no numbers.
#[inline(always)]
fn from<W: Width>(origin: Vec3<f64>, v: Vec3<W>, member: W) -> Vec3<W::Double> {
    let v = Vec3::select(W::zero().lt(member), v, Vec3::zero());
    Vec3::new(v.x.double(), v.y.double(), v.z.double()) - Vec3::of(origin.to_array())
}

fn wide<E: Scalar>(v: Vec3<E>) -> Vec3<f64> {
    Vec3::new(v.x.to_f64(), v.y.to_f64(), v.z.to_f64())
}

/// Replaces columns, with what they were and are now rounded off by.
fn put_pairs<E>(particles: &ParticleView<E>, slot: u32, columns: [(Column3, Vec3<f64>); 2])
where
    E: Scalar + Width<Element = E, Slots = u32>,
{
    let mut rests: [Vec3<E>; 2] = particles.read_remainders(slot as usize);
    for ((column, to), rest) in columns.into_iter().zip(&mut rests) {
        let exact = to + wide(*rest);
        let rounded: Vec3<E> = Vec3::of(exact.to_array());
        *rest = Vec3::of((exact - wide(rounded)).to_array());
        particles.scatter::<E>(column, slot, rounded);
    }
    particles.write_remainders(slot as usize, rests);
}
