//! A fluid in a step, as many particles at a time as there are lanes.
//!
//! In every iteration particles are fetched from where they are stored into records along the grid's order; a neighbor of
//! each of eight particles is eight records and a transpose within halves of a register.

use super::authored::{Fluid, FluidNumbers};
use super::block::Block;
use super::depth::Depths;
use super::excess::Excess;
use super::kernel::{Numbers, made_of, sweeps};
use super::lasting::Lasting;
use super::neighbor_search::reach;
use super::packets::Packets;
use super::records::{FluidWidth, NOWHERE};
use super::solids::{Placed, Solids};
use super::walls::{Wall, walls};
use crate::collision::grid::Grid;
use crate::constraints::Particle;
use crate::error::CheckpointError;
use crate::math::{Scalar, Vec3};
use crate::state::{Lanes, MULTIPLIERS, PositionView, Saved};
use crate::subsystem::{BuildContext, Note, Runtime, StepContext, StepPhase};
use crate::threads::{Cells, Worker};
use std::ops::Range;

/// A fluid ready for a method. Records are in the order of the grid's slots, all else in blocks of as many of them as there
/// are lanes.
pub(super) struct FluidRuntime<W: FluidWidth> {
    pub(super) numbers: Numbers<W>,
    pub(super) walls: Vec<Wall<W>>,
    solids: Solids,
    corrects: bool,
    flows: bool,
    pub(super) swirls: bool,
    pub(super) coheres: bool,
    /// Whether walls hold the velocity along them.
    pub(super) drags: bool,
    /// How often velocities are smoothed in a substep.
    pub(super) sweeps: usize,
    /// How far off neighbors are looked for (m).
    reach: f64,
    /// Where each particle of the fluid is stored.
    members: Vec<u32>,
    offsets: Vec<[f32; 3]>,
    grid: Grid,
    pub(super) packets: Packets<W>,
    /// Where the particles of a block are stored, and which of the fluid's they are.
    pub(super) stored: Cells<W::Slots>,
    pub(super) owners: Cells<W::Slots>,
    pub(super) blocks: Cells<Block<W>>,
    /// x y z w, then a multiplier or |ω| in place of w; one more block of nobody at the end.
    pub(super) sites: Cells<W::Record>,
    pub(super) shared: Cells<W::Record>,
    pub(super) velocities: Cells<W::Record>,
    /// Where several fluids meet, what each particle is made of: viscosity, drag and the root of cohesion in a sweep.
    pub(super) kinds: Cells<W::Record>,
    made_of: Vec<[f32; 3]>,
    unit: f64,
    /// Whether its surface may not sink where it is shallow.
    levels: bool,
    depth: Depths,
    lasting: Lasting<W>,
    pub(super) excess: Excess,
    h: f64,
}

/// Neighbors of a block, as many side by side as there are lanes.
pub(super) type Neighbors<'a, W> = &'a [<W as Lanes>::Slots];

impl<W: FluidWidth> FluidRuntime<W> {
    pub(super) fn new(fluid: &Fluid, context: &BuildContext) -> Self {
        let given = fluid.numbers();
        let members = fluid.particles().iter();
        let members: Vec<u32> = members.map(|&i| context.permutation.storage(i)).collect();
        let blocks = members.len().div_ceil(W::LANES);
        let owners = Cells::new(blocks, W::slots(|_| 0));
        (0..blocks).for_each(|b| owners.set(b, W::consecutive(b * W::LANES)));
        let solids = Solids::new(context, fluid.support());
        let made_of = made_of(fluid, context.settings);
        let levels = made_of.is_empty() && solids.is_empty() && given.surface_tension == 0.0;
        let reach = reach(fluid, context.settings);
        let records = || Cells::new((blocks + 1) * W::LANES, W::nowhere());
        Self {
            numbers: Numbers::new(fluid, fluid.inverse_mass, context.settings),
            walls: walls(&context.walls),
            solids,
            corrects: given.s_corr > 0.0,
            flows: !made_of.is_empty() || fluid.all_numbers().any(FluidNumbers::flows),
            swirls: given.vorticity > 0.0,
            coheres: given.surface_tension > 0.0,
            drags: given.dynamic_viscosity > 0.0,
            sweeps: sweeps(fluid, context.settings),
            reach,
            offsets: fluid.particles().iter().map(|&i| fluid.offset(i)).collect(),
            grid: Grid::new(members.len(), reach, context.threads),
            packets: Packets::new(
                blocks,
                walls(&context.walls),
                (fluid.support() - given.radius) as f32,
            ),
            stored: Cells::new(blocks, W::slots(|_| 0)),
            blocks: Cells::new(blocks, Block::nobody()),
            sites: records(),
            shared: records(),
            velocities: records(),
            kinds: records(),
            made_of,
            owners,
            unit: fluid.unit_of_multipliers(),
            lasting: Lasting::new(members.len()),
            levels,
            depth: Depths::new(fluid, context),
            excess: Excess::new(members.len()),
            h: context.settings.h(),
            members,
        }
    }

    /// Whether several fluids meet.
    pub(super) fn mixes(&self) -> bool {
        !self.made_of.is_empty()
    }

    /// The multipliers of blocks, whose they are, and how many lanes have one.
    fn totals(&self, part: Range<usize>) -> impl Iterator<Item = (W, W::Slots, usize)> {
        part.map(|b| (self.blocks.get(b).total, self.owners.get(b), self.live(b)))
    }

    /// How many particles a block has.
    #[inline(always)]
    pub(super) fn live(&self, block: usize) -> usize {
        (self.grid.len() - block * W::LANES).min(W::LANES)
    }

    /// What is no particle is nowhere, and weighs nothing.
    #[inline(always)]
    pub(super) fn only_live(
        &self,
        block: usize,
        Particle { x, w, .. }: Particle<W>,
    ) -> Particle<W> {
        let live = W::lanes_below(self.live(block));
        let x = Vec3::select(live, x, Vec3::of([NOWHERE; 3]));
        Particle::new(x, W::select(live, w, W::zero()))
    }

    /// Does `store` with the slots of a block, whole where it is full, else one by one.
    #[inline(always)]
    pub(super) fn each_live(
        &self,
        block: usize,
        site: Particle<W>,
        whole: impl Fn(W::Slots, Particle<W>),
        one: impl Fn(u32, Particle<W::Element>),
    ) {
        let (stored, live) = (self.stored.get(block), self.live(block));
        if live == W::LANES {
            return whole(stored, site);
        }
        for lane in 0..live {
            one(W::slot(stored, lane), W::particle_lane(site, lane));
        }
    }

    fn store(&self, block: usize, to: &PositionView<W::Element>, site: Particle<W>) {
        self.each_live(
            block,
            site,
            |slots, site| to.store([slots], [site]),
            |slot, site| to.store([slot], [site]),
        );
    }

    /// Takes where the particles are.
    fn fetch(&self, worker: &Worker, step: &StepContext<W::Element>) {
        worker.parallel_for(self.blocks.len(), |part| {
            for b in part {
                let [site] = step.positions.load([self.stored.get(b)]);
                let Particle { x, w, .. } = self.only_live(b, site);
                self.blocks.update(b, |block| {
                    (block.x, block.w) = (x, w);
                    W::put(&self.sites, self.packets.slots(b), x + block.offset, w);
                });
            }
        });
    }

    /// What one at the surface counts as more dense than it is.
    #[inline(always)]
    pub(super) fn surface(&self) -> W {
        match self.levels && self.depth.now().shallow {
            true => self.numbers.beside_face,
            false => W::zero(),
        }
    }

    /// What of the kernels of a block lies within bodies and colliders.
    fn within_solids(&self, at: usize, all: &[Placed<W>], step: &StepContext<W::Element>) -> W {
        if self.solids.is_empty() {
            return W::zero();
        }
        let [site] = step.positions.load([self.stored.get(at)]);
        self.solids.share(&self.numbers, &step.bodies, all, self.only_live(at, site).x)
    }
}

impl<W: FluidWidth> Runtime<W> for FluidRuntime<W> {
    fn begin(&self, phase: StepPhase, worker: &Worker, step: &StepContext<W::Element>) {
        let (count, members) = (self.members.len(), &self.members);
        worker.parallel_for(self.blocks.len(), |part| {
            self.lasting.update(self.totals(part), self.depth.now().rate);
        });
        let point = |i: usize| {
            let [Particle { x, .. }]: [Particle<W::Element>; 1] = step.positions.load([members[i]]);
            [x.x, x.y, x.z].map(W::Element::to_f32)
        };
        if phase == StepPhase::Frame {
            self.depth.measure(worker, count, point);
        }
        self.grid.build(worker, point);
        let nobody = (self.blocks.len() * W::LANES) as u32;
        self.packets.find(worker, &self.grid, self.reach, nobody);
        if worker.is_first() {
            self.lasting.begin();
        }
        worker.parallel_for(self.blocks.len(), |part| {
            let (order, colliders) = (self.grid.order(), self.solids.place(step.time));
            let depth = self.depth.now();
            for b in part {
                let slots = self.packets.slots(b);
                let member = |lane: usize| {
                    let slot = W::slot(slots, lane) as usize;
                    order[slot.min(count - 1)]
                };
                self.owners.set(b, W::slots(member));
                self.stored.set(b, W::slots(|lane| members[member(lane) as usize]));
                let offset = |k: usize| W::singles(|lane| self.offsets[member(lane) as usize][k]);
                let offset = Vec3::new(offset(0), offset(1), offset(2));
                let solid = self.within_solids(b, &colliders, step);
                let lasting = W::collect(|lane| self.lasting.of(member(lane)));
                let part = lasting.min(W::of(depth.most)) / W::of(f64::from(depth.parts));
                let coming = depth.parts;
                self.blocks.set(b, Block { offset, part, coming, solid, ..Block::nobody() });
                if self.mixes() {
                    let of = |k: usize| W::singles(|lane| self.made_of[member(lane) as usize][k]);
                    W::put(&self.kinds, slots, Vec3::new(of(0), of(1), of(2)), W::zero());
                }
            }
        });
        self.allow_excess(worker, step, self.h);
    }

    fn rounds(&self) -> usize {
        self.depth.now().rounds
    }

    fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.fetch(worker, step);
        self.packets.parallel_for(worker, |b, neighbors| self.find_multiplier(b, neighbors));
        self.packets.parallel_for(worker, |b, neighbors| {
            let site = match self.corrects {
                true => self.correct::<true>(b, neighbors),
                false => self.correct::<false>(b, neighbors),
            };
            self.store(b, &step.positions, site);
        });
    }

    fn residual(&self, worker: &Worker, step: &StepContext<W::Element>, note: Note) {
        self.fetch(worker, step);
        self.packets.parallel_for(worker, |b, neighbors| note(self.error(b, neighbors)));
    }

    fn respond(&self, worker: &Worker, step: &StepContext<W::Element>) {
        if self.flows {
            self.change_velocities(worker, step);
        }
    }

    fn save(&self) -> Saved {
        let mut saved = Saved::default();
        let mut numbers = self.multipliers();
        numbers.extend(self.lasting.next(self.totals(0..self.blocks.len()), self.depth.now().rate));
        saved.put_numbers(MULTIPLIERS, &numbers);
        self.excess.save(&mut saved);
        saved
    }

    fn load(&self, from: &Saved) -> Result<(), CheckpointError> {
        let numbers = from.numbers(MULTIPLIERS, 2 * self.members.len())?;
        self.lasting.load(numbers);
        self.excess.load(from)
    }

    fn multipliers(&self) -> Vec<f32> {
        if let Some(loaded) = self.lasting.loaded() {
            return loaded;
        }
        let mut out = vec![0.0; self.members.len()];
        for (total, owners, live) in self.totals(0..self.blocks.len()) {
            for lane in 0..live {
                let total = total.lane(lane).to_f64();
                out[W::slot(owners, lane) as usize] = (self.unit * total) as f32;
            }
        }
        out
    }
}
