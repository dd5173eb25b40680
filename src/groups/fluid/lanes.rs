//! The fluid eight particles at a time, on threads.
//!
//! In every iteration particles are fetched from where they are stored into records along the grid's order, so that those of
//! a neighborhood lie together; two neighbors of eight particles are sixteen records and one register transpose.

use super::Fluid;
use super::kernel::{Density, Eddy, Flow, Numbers, Push, Wall, beside, walls};
use super::packets::Packets;
use crate::batch::Store;
use crate::collision::grid::Grid;
use crate::constraints::Particle;
use crate::lanes::{
    F32x8, Real, Vec3, WIDTH, each_lane, halves, join, lanes_below, transpose, unpack,
};
use crate::model::Model;
use crate::parallel::{Cells, Team, Velocities, Worker};
use crate::part::{LanePart, Moment, Stage};
use crate::particles::Numbering;

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
    work: Option<Work>,
    unit: f64,
}

/// What is found anew in every substep; all columns are in the order of the grid's places, in blocks of eight.
struct Work {
    grid: Grid,
    packets: Packets,
    /// Where the particles of a block are stored.
    stored: Cells<[u32; WIDTH]>,
    blocks: Cells<Block>,
    /// x y z w, then a multiplier or |ω| in place of w; one more block of nobody at the end.
    sites: Cells<[f32; 4]>,
    pushed: Cells<[f32; 4]>,
    velocities: Cells<[f32; 4]>,
}

/// Eight particles.
#[derive(Clone, Copy)]
struct Block {
    x: Vec3<F32x8>,
    w: F32x8,
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
fn put(records: &Cells<[f32; 4]>, block: usize, x: Vec3<F32x8>, w: F32x8) {
    let zero = F32x8::zero();
    let rows = transpose([x.x, x.y, x.z, w, zero, zero, zero, zero]);
    for (lane, row) in rows.into_iter().enumerate() {
        let [record, _] = halves(row);
        records.set(block * WIDTH + lane, record);
    }
}

/// Eight records of each of two columns, as lanes.
#[inline(always)]
fn take(
    a: &Cells<[f32; 4]>,
    at_a: [u32; WIDTH],
    b: &Cells<[f32; 4]>,
    at_b: [u32; WIDTH],
) -> [(Vec3<F32x8>, F32x8); 2] {
    let row = |lane: usize| join(a.get(at_a[lane] as usize), b.get(at_b[lane] as usize));
    let [ax, ay, az, aw, bx, by, bz, bw] = transpose(each_lane(row));
    [(Vec3::new(ax, ay, az), aw), (Vec3::new(bx, by, bz), bw)]
}

impl Work {
    fn new(count: usize, reach: f64, threads: usize) -> Self {
        let blocks = count.div_ceil(WIDTH);
        let records = || Cells::new((blocks + 1) * WIDTH, [NOWHERE as f32; 4]);
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
            work: None,
            unit: fluid.unit_of_multipliers(),
        }
    }

    fn find_multiplier(&self, work: &Work, b: usize, packets: &[[[u32; WIDTH]; 2]]) {
        let mut block = work.blocks.get(b);
        let mut sum = Density::new();
        for [first, second] in packets {
            for (x, w) in take(&work.sites, *first, &work.sites, *second) {
                sum.add(&self.numbers, block.x - x, w);
            }
        }
        let beside = beside(&self.walls, &self.numbers, block.x);
        block.last = sum.multiplier(&self.numbers, &beside, block.w);
        block.total += block.last;
        block.walled = beside.push;
        put(&work.pushed, b, block.x, block.last);
        work.blocks.set(b, block);
    }

    fn push<const CORRECT: bool>(
        &self,
        work: &Work,
        b: usize,
        packets: &[[[u32; WIDTH]; 2]],
    ) -> Particle<F32x8> {
        let block = work.blocks.get(b);
        let mut sum = Push::new();
        for [first, second] in packets {
            for (x, l) in take(&work.pushed, *first, &work.pushed, *second) {
                sum.add::<CORRECT>(&self.numbers, block.x - x, block.last + l);
            }
        }
        let x = block.x + sum.finish(block.walled, block.last, block.w);
        Particle { x, w: block.w }
    }

    /// Velocities and vorticity of a block.
    fn flow(&self, work: &Work, b: usize, packets: &[[[u32; WIDTH]; 2]]) {
        let mut block = work.blocks.get(b);
        let mut sum = Flow::new();
        for &near in packets.as_flattened() {
            let [(x, _), (v, w)] = take(&work.sites, near, &work.velocities, near);
            sum.add(&self.numbers, block.x - x, v - block.v, block.w, w);
        }
        block.walled = sum.vorticity(&self.numbers);
        block.v += sum.viscous(&self.numbers);
        put(&work.pushed, b, block.x, block.walled.length());
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
            worker.share(work.blocks.len(), |part| {
                for b in part {
                    let place = |lane: usize| (b * WIDTH + lane).min(count - 1);
                    let stored = each_lane(|lane| members[order[place(lane)] as usize]);
                    work.stored.set(b, stored);
                    work.blocks.set(b, NOBODY);
                }
            });
            work.packets.find(worker, &work.grid, reach, nobody);
        });
    }

    fn project(&self, worker: &Worker, stage: &Stage) {
        let Some(work) = &self.work else { return };
        worker.share(work.blocks.len(), |part| {
            for b in part {
                let Particle { x, w } = work.load(b, &stage.places);
                work.blocks.set(
                    b,
                    Block {
                        x,
                        w,
                        ..work.blocks.get(b)
                    },
                );
                put(&work.sites, b, x, w);
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
                    put(&work.sites, b, x, w);
                    put(&work.velocities, b, v, w);
                }
            });
            work.packets
                .share(worker, |b, packets| this.flow(work, b, packets));
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
            for (place, &member) in work.grid.order().iter().enumerate() {
                let total = unpack(work.blocks.get(place / WIDTH).total)[place % WIDTH];
                out[member as usize] = (self.unit * f64::from(total)) as f32;
            }
        }
        out
    }
}
