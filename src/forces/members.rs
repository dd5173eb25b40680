//! Members of components, summed up eight side by side: in f64, in authored order, within chunks of fixed size, so that every
//! method on any number of threads has the same bits.

use super::components::turn_of;
use crate::constraints::Particle;
use crate::math::{F64x8, Real, Vec3, WIDTH, each_lane};
use crate::state::{Column3, OneLane, ParticleView, Width};
use crate::subsystem::StepContext;
use std::ops::Range;

/// Blocks of a chunk.
const CHUNK: usize = 64;

/// Eight members in authored order, as every method has them: their slots, and one for each; zero beyond the last.
struct Block {
    slots: [u32; WIDTH],
    members: [f32; WIDTH],
}

/// Blocks of one component that a worker sums up alone.
pub(super) struct Chunk {
    pub(super) component: usize,
    blocks: Range<usize>,
}

/// Particles by component.
pub(super) struct Members {
    /// The chunks of each component.
    pub(super) components: Vec<Range<usize>>,
    pub(super) chunks: Vec<Chunk>,
    blocks: Vec<Block>,
}

/// What is taken out of a component: a turn (rad, or rad/s) about its center.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub(super) theta: Vec3<f64>,
    pub(super) center: Vec3<f64>,
}

impl Turn {
    pub(super) fn none() -> Self {
        Self { theta: Vec3::zero(), center: Vec3::zero() }
    }

    /// How it moves a point (m, or m/s).
    pub(super) fn at(&self, x: Vec3<f64>) -> Vec3<f64> {
        self.theta.cross(x - self.center)
    }
}

/// How many numbers [`Moments`] are.
pub(super) const SUMS: usize = 18;

/// Σ m, Σ m r, Σ m u, Σ r × m u, Σ m r rᵀ as xx, yy, zz, xy, xz, yz, Σ m u², and how many are held: of places r and changes or
/// velocities u.
#[derive(Clone, Copy)]
pub(super) struct Moments(pub(super) [f64; SUMS]);

impl Moments {
    pub(super) fn none() -> Self {
        Self([0.0; SUMS])
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] + other.0[k]))
    }

    /// Σ m r / Σ m; of nothing the origin.
    pub(super) fn center(&self) -> Vec3<f64> {
        let [m, x, y, z, ..] = self.0;
        if m > 0.0 { Vec3::new(x, y, z) / m } else { Vec3::zero() }
    }

    /// Σ (r - center) × m u.
    pub(super) fn about_center(&self) -> Vec3<f64> {
        let [_, _, _, _, x, y, z, lx, ly, lz, ..] = self.0;
        Vec3::new(lx, ly, lz) - self.center().cross(Vec3::new(x, y, z))
    }

    /// Twice the energy of the motion about the center.
    pub(super) fn twice_energy(&self) -> f64 {
        let [m, _, _, _, x, y, z, ..] = self.0;
        let p = Vec3::new(x, y, z);
        self.0[SUMS - 2] - p.dot(p) / m
    }

    pub(super) fn are_held(&self) -> bool {
        self.0[SUMS - 1] != 0.0
    }

    /// I⁻¹ L about the center.
    pub(super) fn turn_of(&self, momentum: Vec3<f64>) -> Vec3<f64> {
        turn_of(self.products(), momentum)
    }

    /// Σ m r rᵀ about the center.
    pub(super) fn products(&self) -> [f64; 6] {
        let [m, .., xx, yy, zz, xy, xz, yz, _, _] = self.0;
        let r = self.center();
        [
            xx - m * r.x * r.x,
            yy - m * r.y * r.y,
            zz - m * r.z * r.z,
            xy - m * r.x * r.y,
            xz - m * r.x * r.z,
            yz - m * r.y * r.z,
        ]
    }
}

/// I θ, with I = tr(S) - S and S as xx, yy, zz, xy, xz, yz.
pub(super) fn momentum_of([xx, yy, zz, xy, xz, yz]: [f64; 6], turn: Vec3<f64>) -> Vec3<f64> {
    let rows = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    let [x, y, z] = rows.map(|row| Vec3::<f64>::of(row).dot(turn));
    turn * (xx + yy + zz) - Vec3::new(x, y, z)
}

/// [`Moments`] of one mass, which is held or not.
#[inline(always)]
pub(super) fn moments_of_one<R: Real>(m: R, [r, u]: [Vec3<R>; 2], held: R) -> [R; SUMS] {
    let d = u * m;
    let (p, l) = (r * m, r.cross(d));
    let products = [p.x * r.x, p.y * r.y, p.z * r.z, p.x * r.y, p.x * r.z, p.y * r.z];
    let [xx, yy, zz, xy, xz, yz] = products;
    let square = u.dot(d);
    [m, p.x, p.y, p.z, d.x, d.y, d.z, l.x, l.y, l.z, xx, yy, zz, xy, xz, yz, square, held]
}

impl Members {
    /// Components by the slots of their members.
    pub(super) fn new(all: impl Iterator<Item = Vec<u32>>) -> Self {
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
            components.push(first_chunk..chunks.len());
        }
        Self { components, chunks, blocks }
    }

    /// Σ of `terms` of slots and of which of them are members, over a chunk.
    #[inline(always)]
    pub(super) fn sum<W: Width, const N: usize>(
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

    /// [`Moments`] of a chunk, of r and u as `places` gives them.
    #[inline(always)]
    pub(super) fn moments<W: Width>(
        &self,
        chunk: usize,
        step: &StepContext<W::Element>,
        places: impl Fn(W::Slots, W) -> [Vec3<W::Double>; 2],
    ) -> Moments {
        Moments(self.sum::<W, SUMS>(chunk, |at, member| {
            let [r, u] = places(at, member);
            let w: W = step.particles.inverse_masses(at);
            let held = W::select(W::zero().lt(w), W::zero(), member);
            moments_of_one(member.over_positive(w).double(), [r, u], held.double())
        }))
    }

    /// Does `act` with the slot of each member of a chunk.
    pub(super) fn each(&self, chunk: usize, mut act: impl FnMut(u32)) {
        for Block { slots, members } in &self.blocks[self.chunks[chunk].blocks.clone()] {
            let members = slots.iter().zip(members).filter(|(_, member)| **member > 0.0);
            members.for_each(|(&slot, _)| act(slot));
        }
    }
}

/// Where particles are while rows are projected, or their corrections.
#[inline(always)]
pub(super) fn stored<W: Width>(step: &StepContext<W::Element>, at: W::Slots) -> Vec3<W> {
    let [site]: [Particle<W>; 1] = step.positions.stored().load([at]);
    site.x
}

/// From an origin to `v`, of members; zero of others, which may be no numbers.
#[inline(always)]
pub(super) fn from<W: Width>(origin: Vec3<f64>, v: Vec3<W>, member: W) -> Vec3<W::Double> {
    let v = Vec3::select(W::zero().lt(member), v, Vec3::zero());
    W::double_vector(v) - origin.rounded()
}

/// Replaces the position (m) and velocity (m/s) of a particle; what is carried of them stays, with what they are rounded off by.
pub(super) fn replace<E: OneLane>(particles: &ParticleView<E>, slot: u32, [x, v]: [Vec3<f64>; 2]) {
    let columns = [(Column3::Position, x), (Column3::Velocity, v)];
    if !particles.is_carried() {
        for (column, to) in columns {
            particles.scatter::<E>(column, slot, to.rounded());
        }
        return;
    }
    let mut rests: [Vec3<E>; 2] = particles.read_remainders(slot as usize);
    for ((column, to), rest) in columns.into_iter().zip(&mut rests) {
        let exact = to + rest.to_f64();
        let rounded: Vec3<E> = exact.rounded();
        *rest = (exact - rounded.to_f64()).rounded();
        particles.scatter::<E>(column, slot, rounded);
    }
    particles.write_remainders(slot as usize, rests);
}
