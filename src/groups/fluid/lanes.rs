//! The fluid eight particles at a time, on threads.
//!
//! In every iteration particles are fetched from where they are stored into records along the grid's order, so that those of
//! a neighborhood lie together; two neighbors of eight particles are sixteen records and one register transpose.

use super::Fluid;
use super::kernel::{Density, Eddy, Flow, Numbers, Push, Wall, along_walls, beside, walls};
use super::packets::Packets;
use crate::collision::grid::Grid;
use crate::coloring::Numbering;
use crate::constraints::Particle;
use crate::math::{
    F32x4, F32x8, Real, Vec3, WIDTH, each_lane, lane_bits, lanes_below, pack, side_by_side, sides,
    transpose, unpack,
};
use crate::model::Model;
use crate::rows::Store;
use crate::subsystem::{LanePart, Moment, Stage};
use crate::threads::{Cells, Team, Velocities, Worker};

/// Where nobody is: out of everyone's reach.
const NOWHERE: f64 = 1e30;

/// A fluid in lanes.
pub(super) struct LaneFluid {
    numbers: Numbers<F32x8>,
    walls: Vec<Wall<F32x8>>,
    corrects: bool,
    flows: bool,
    swirls: bool,
    reach: f64,
    /// Where each particle of the fluid is stored.
    members: Vec<u32>,
    hairs: Vec<[f32; 3]>,
    work: Option<Work>,
    unit: f64,
}

/// What is found anew in every substep; records are in the order of the grid's places, all else in blocks of eight of them.
struct Work {
    grid: Grid,
    packets: Packets,
    /// Where the particles of a block are stored.
    stored: Cells<[u32; WIDTH]>,
    blocks: Cells<Block>,
    /// x y z w, then a multiplier or |ω| in place of w; one more block of nobody at the end.
    sites: Cells<F32x4>,
    pushed: Cells<F32x4>,
    velocities: Cells<F32x4>,
}

/// Eight particles.
#[derive(Clone, Copy)]
struct Block {
    x: Vec3<F32x8>,
    w: F32x8,
    /// How far off its place each is taken to lie.
    hair: Vec3<F32x8>,
    /// What the walls add to Σ s d; while velocities respond, v, then the vorticity.
    walled: Vec3<F32x8>,
    v: Vec3<F32x8>,
    /// Multipliers of the iteration, and of all of the substep.
    last: F32x8,
    total: F32x8,
}

const NOBODY: Block = Block {
    x: ZERO3,
    w: F32x8::ZERO,
    hair: ZERO3,
    walled: ZERO3,
    v: ZERO3,
    last: F32x8::ZERO,
    total: F32x8::ZERO,
};
const ZERO3: Vec3<F32x8> = Vec3 {
    x: F32x8::ZERO,
    y: F32x8::ZERO,
    z: F32x8::ZERO,
};

/// Writes eight records.
#[inline(always)]
fn put(records: &Cells<F32x4>, places: [u32; WIDTH], x: Vec3<F32x8>, w: F32x8) {
    let zero = F32x8::zero();
    let rows = transpose([x.x, x.y, x.z, w, zero, zero, zero, zero]);
    for (lane, row) in rows.into_iter().enumerate() {
        let [record, _] = sides(row);
        records.set(places[lane] as usize, record);
    }
}

/// Eight records of each of two columns, as lanes.
#[inline(always)]
fn take(
    a: &Cells<F32x4>,
    at_a: [u32; WIDTH],
    b: &Cells<F32x4>,
    at_b: [u32; WIDTH],
) -> [(Vec3<F32x8>, F32x8); 2] {
    let (first, second) = (a.gather(at_a), b.gather(at_b));
    let row = |lane: usize| side_by_side(first[lane], second[lane]);
    let [ax, ay, az, aw, bx, by, bz, bw] = transpose(each_lane(row));
    [(Vec3::new(ax, ay, az), aw), (Vec3::new(bx, by, bz), bw)]
}

impl Work {
    fn new(count: usize, reach: f64, threads: usize) -> Self {
        let blocks = count.div_ceil(WIDTH);
        let records = || Cells::new((blocks + 1) * WIDTH, F32x4::splat(NOWHERE as f32));
        Self {
            grid: Grid::new(count, reach, threads),
            packets: Packets::new(blocks),
            stored: Cells::new(blocks, [0; WIDTH]),
            blocks: Cells::new(blocks, NOBODY),
            sites: records(),
            pushed: records(),
            velocities: records(),
        }
    }

    /// How many particles a block has.
    #[inline(always)]
    fn live(&self, block: usize) -> usize {
        (self.grid.len() - block * WIDTH).min(WIDTH)
    }

    /// The particles of a block, from where they are stored; what is no particle is nowhere.
    #[inline(always)]
    fn load(&self, block: usize, from: &impl Store<[u32; WIDTH], F32x8>) -> Particle<F32x8> {
        let [Particle { x, w }] = from.load([self.stored.get(block)]);
        let live = lanes_below(self.live(block));
        Particle {
            x: Vec3::select(live, x, Vec3::of([NOWHERE; 3])),
            w: F32x8::select(live, w, F32x8::zero()),
        }
    }

    /// Stores the particles of a block.
    #[inline(always)]
    fn store<S>(&self, block: usize, to: &S, site: Particle<F32x8>)
    where
        S: Store<[u32; WIDTH], F32x8> + Store<u32, f32>,
    {
        let (stored, live) = (self.stored.get(block), self.live(block));
        if live == WIDTH {
            return to.store([stored], [site]);
        }
        let [x, y, z, w] = [site.x.x, site.x.y, site.x.z, site.w].map(unpack);
        for lane in 0..live {
            let x = Vec3::new(x[lane], y[lane], z[lane]);
            to.store([stored[lane]], [Particle { x, w: w[lane] }]);
        }
    }
}

impl LaneFluid {
    pub(super) fn new(fluid: &Fluid, model: &Model, numbering: &Numbering) -> Self {
        let given = fluid.numbers();
        Self {
            numbers: Numbers::new(fluid, fluid.inverse_mass, &model.settings),
            walls: walls(model),
            corrects: given.s_corr > 0.0,
            flows: given.viscosity > 0.0 || given.vorticity > 0.0,
            swirls: given.vorticity > 0.0,
            reach: fluid.support(),
            members: fluid
                .particles()
                .iter()
                .map(|&i| numbering.storage(i))
                .collect(),
            hairs: fluid.particles().iter().map(|&i| fluid.hair(i)).collect(),
            work: None,
            unit: fluid.unit_of_multipliers(),
        }
    }

    fn find_multiplier(&self, work: &Work, b: usize, packets: &[[[u32; WIDTH]; 2]]) {
        let mut block = work.blocks.get(b);
        let x = block.x + block.hair;
        let mut sum = Density::new();
        for [first, second] in packets {
            for (other, w) in take(&work.sites, *first, &work.sites, *second) {
                sum.add(&self.numbers, x - other, w);
            }
        }
        let beside = beside(&self.walls, &self.numbers, x);
        block.last = sum.multiplier(&self.numbers, &beside, block.w);
        block.total += block.last;
        block.walled = beside.push;
        put(&work.pushed, work.packets.places(b), x, block.last);
        work.blocks.set(b, block);
    }

    fn push<const CORRECT: bool>(
        &self,
        work: &Work,
        b: usize,
        packets: &[[[u32; WIDTH]; 2]],
    ) -> Particle<F32x8> {
        let block = work.blocks.get(b);
        let x = block.x + block.hair;
        let mut sum = Push::new();
        for [first, second] in packets {
            for (other, l) in take(&work.pushed, *first, &work.pushed, *second) {
                sum.add::<CORRECT>(&self.numbers, x - other, block.last + l);
            }
        }
        let near = |z: F32x8| lane_bits(z.lt(F32x8::ONE)) != 0;
        let sum = Push(along_walls(&self.walls, &self.numbers, x, sum.0, near));
        let x = block.x + sum.finish(block.walled, block.last, block.w);
        Particle { x, w: block.w }
    }

    /// Velocities of a block, and its vorticity where it is asked for.
    fn flow<const SWIRL: bool>(&self, work: &Work, b: usize, packets: &[[[u32; WIDTH]; 2]]) {
        let mut block = work.blocks.get(b);
        let mut sum = Flow::new();
        for &near in packets.as_flattened() {
            let [(x, _), (v, w)] = take(&work.sites, near, &work.velocities, near);
            sum.add::<SWIRL>(&self.numbers, block.x - x, v - block.v, [block.w, w]);
        }
        block.walled = sum.vorticity(&self.numbers);
        block.v += sum.viscous(&self.numbers);
        let places = work.packets.places(b);
        put(&work.pushed, places, block.x, block.walled.length());
        work.blocks.set(b, block);
    }

    fn swirl(&self, work: &Work, b: usize, packets: &[[[u32; WIDTH]; 2]]) -> Vec3<F32x8> {
        let block = work.blocks.get(b);
        let size = block.walled.length();
        let mut sum = Eddy::new();
        for [first, second] in packets {
            for (x, other) in take(&work.pushed, *first, &work.pushed, *second) {
                sum.add(&self.numbers, block.x - x, other - size);
            }
        }
        let swirled = block.v + sum.confine(&self.numbers, block.walled);
        Vec3::select(F32x8::zero().lt(block.w), swirled, block.v)
    }
}

impl LanePart for LaneFluid {
    fn begin(&mut self, _: Moment, team: &Team, stage: &Stage) {
        let (count, reach, members) = (self.members.len(), self.reach, &self.members);
        let hairs = &self.hairs;
        let work = self
            .work
            .get_or_insert_with(|| Work::new(count, reach, team.threads()));
        work.grid.build(team, |i| {
            let [Particle { x, .. }]: [Particle<f32>; 1] = stage.places.load([members[i]]);
            [x.x, x.y, x.z]
        });
        let work = &*work;
        let order = work.grid.order();
        let nobody = (work.blocks.len() * WIDTH) as u32;
        team.run(|worker| {
            work.packets.find(worker, &work.grid, reach, nobody);
            worker.share(work.blocks.len(), |part| {
                for b in part {
                    let places = work.packets.places(b);
                    let member = |lane: usize| order[(places[lane] as usize).min(count - 1)];
                    let stored = each_lane(|lane| members[member(lane) as usize]);
                    work.stored.set(b, stored);
                    let hair = |k: usize| pack(each_lane(|lane| hairs[member(lane) as usize][k]));
                    let hair = Vec3::new(hair(0), hair(1), hair(2));
                    work.blocks.set(b, Block { hair, ..NOBODY });
                }
            });
        });
    }

    fn project(&self, worker: &Worker, stage: &Stage) {
        let Some(work) = &self.work else { return };
        worker.share(work.blocks.len(), |part| {
            for b in part {
                let Particle { x, w } = work.load(b, &stage.places);
                let block = Block {
                    x,
                    w,
                    ..work.blocks.get(b)
                };
                work.blocks.set(b, block);
                put(&work.sites, work.packets.places(b), x + block.hair, w);
            }
        });
        work.packets
            .share(worker, |b, packets| self.find_multiplier(work, b, packets));
        work.packets.share(worker, |b, packets| {
            let site = match self.corrects {
                true => self.push::<true>(work, b, packets),
                false => self.push::<false>(work, b, packets),
            };
            work.store(b, &stage.places, site);
        });
    }

    fn respond(&mut self, team: &Team, stage: &Stage) {
        let Some(work) = self.work.as_ref().filter(|_| self.flows) else {
            return;
        };
        let velocities = Velocities(stage.particles);
        let this = &*self;
        team.run(|worker| {
            worker.share(work.blocks.len(), |part| {
                for b in part {
                    let Particle { x, w } = work.load(b, &stage.particles);
                    let Particle { x: v, .. } = work.load(b, &velocities);
                    let before = work.blocks.get(b);
                    work.blocks.set(b, Block { x, w, v, ..before });
                    let places = work.packets.places(b);
                    put(&work.sites, places, x, w);
                    put(&work.velocities, places, v, w);
                }
            });
            work.packets.share(worker, |b, packets| match this.swirls {
                true => this.flow::<true>(work, b, packets),
                false => this.flow::<false>(work, b, packets),
            });
            work.packets.share(worker, |b, packets| {
                let Block { v, w, .. } = work.blocks.get(b);
                let x = match this.swirls {
                    true => this.swirl(work, b, packets),
                    false => v,
                };
                work.store(b, &velocities, Particle { x, w });
            });
        });
    }

    fn multipliers(&self) -> Vec<f32> {
        let mut out = vec![0.0; self.members.len()];
        if let Some(work) = &self.work {
            for b in 0..work.blocks.len() {
                let total = unpack(work.blocks.get(b).total);
                let places = work.packets.places(b);
                for lane in 0..work.live(b) {
                    let member = work.grid.order()[places[lane] as usize];
                    out[member as usize] = (self.unit * f64::from(total[lane])) as f32;
                }
            }
        }
        out
    }
}
