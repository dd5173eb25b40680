//! Particles against colliders: no coloring, as each contact moves one particle only; as many consecutive particles at a time
//! as the width has lanes. Rows are kept of what touches only, for each particle of a bounded number.

use super::Contacts;
use super::collider::{Collider, Solid};
use super::collider_frame::Frame;
use super::contact_row::ContactRow;
use super::parting::Parting;
use super::reach::PlacedCollider;
use crate::constraints::{Particle, Plane, Rebound};
use crate::math::{Real, Vec3};
use crate::state::{Column3, Width, largest_lane};
use crate::subsystem::{BuildContext, Note, StepContext};
use crate::threads::{Phased, Worker, lock};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

/// Rows of the kind `plane`, made anew: a point, a normal (zero: no contact), and where the surface touched came from.
pub(super) type PlaneRow<W> = ContactRow<W, 1, 6>;

/// The least radius (m) where a mesh has no inside. A particle on the sheet itself would be on neither side of it, and rounding, up to
/// a kilometre from the origin, would put it through.
const OFF_SHEETS: f64 = 1e-4;
/// Blocks whose contacts lie together.
const CHUNK: usize = 16;

/// A collider that touches a block of particles.
pub(super) struct Touching<W: Width> {
    pub(super) block: u32,
    pub(super) collider: u32,
    /// Which of the faces that it touches, as a corner of a mesh has several.
    pub(super) face: u32,
    pub(super) row: PlaneRow<W>,
    pub(super) frame: Frame<W>,
}

impl<W: Width> Touching<W> {
    /// Contacts stand in ascending order of it.
    pub(super) fn place(&self) -> [u32; 3] {
        [self.block, self.collider, self.face]
    }
}

/// The contacts of some blocks, block by block and in the order of the colliders.
pub(super) struct Chunk<W: Width> {
    pub(super) touching: Vec<Touching<W>>,
    /// Those found before, while new ones are.
    pub(super) before: Vec<Touching<W>>,
    /// Colliders that may touch a particle of it, in order.
    pub(super) near: Vec<u32>,
}

/// Where a row has a normal. Elsewhere it changes nothing, whatever its numbers are: those of a particle far away overflow.
#[inline(always)]
pub(super) fn touches<W: Width>(row: &PlaneRow<W>) -> W::Mask {
    let [.., x, y, z] = row.params;
    let normal = Vec3::new(x, y, z);
    W::zero().lt(normal.dot(normal))
}

/// Contacts with colliders: a row for every collider and block of particles that touch.
pub(super) struct ColliderContacts<W: Width> {
    pub(super) colliders: Vec<Collider>,
    /// Friction and restitution of each against the particles.
    pub(super) materials: Vec<[f64; 2]>,
    pub(super) radius: f64,
    pub(super) margin: f64,
    pub(super) h: f64,
    parting: Parting<W>,
    /// Slower approaches do not rebound (m/s).
    least: f64,
    /// Whether impacts strike what rebounds.
    strikes: bool,
    /// The first slot of each block in which a particle may touch, and one in the lane of each that may.
    pub(super) blocks: Vec<(usize, W)>,
    pub(super) chunks: Vec<Mutex<Chunk<W>>>,
    /// Chunks in which something touches.
    pub(super) active: Phased<Vec<u32>>,
}

impl<W: Width> ColliderContacts<W> {
    pub(super) fn new(
        contacts: &Contacts,
        context: &BuildContext,
        least: f64,
        strikes: bool,
    ) -> Self {
        let against = |c: &Collider| c.against(contacts.friction, contacts.restitution);
        let mut member = vec![false; context.permutation.slot_count()];
        for slot in contacts.slots(context) {
            member[slot as usize] = true;
        }
        let lanes = |(k, member): (usize, &[bool])| {
            let lane = |lane: usize| W::Element::of(if member[lane] { 1.0 } else { 0.0 });
            member.contains(&true).then(|| (k * W::LANES, W::collect(lane)))
        };
        let blocks = member.chunks_exact(W::LANES).enumerate();
        let blocks: Vec<_> = blocks.filter_map(lanes).collect();
        let chunks = match contacts.of_particles().next().is_none() {
            true => 0,
            false => blocks.len().div_ceil(CHUNK),
        };
        let has_sheet = contacts.of_particles().any(|collider| match collider.solid() {
            Solid::Mesh(mesh) => !mesh.is_closed(),
            Solid::Shape(_) => false,
        });
        let empty =
            || Mutex::new(Chunk { touching: Vec::new(), before: Vec::new(), near: Vec::new() });
        Self {
            materials: contacts.of_particles().map(against).collect(),
            colliders: contacts.of_particles().cloned().collect(),
            radius: contacts.radius.max(if has_sheet { OFF_SHEETS } else { 0.0 }),
            margin: contacts.margin(),
            h: context.settings.h(),
            parting: contacts.parting(f64::INFINITY, context.settings),
            least,
            strikes,
            blocks,
            chunks: std::iter::repeat_with(empty).take(chunks).collect(),
            active: Phased::default(),
        }
    }

    pub(super) fn chunk(&self, chunk: usize) -> MutexGuard<'_, Chunk<W>> {
        lock(&self.chunks[chunk])
    }

    /// Where all colliders are in the substep that begins at `time`.
    pub(super) fn place(&self, time: f64) -> Vec<PlacedCollider<'_, W>> {
        let sizes = [self.radius, self.margin];
        let place = |c| PlacedCollider::new(c, [time, time + self.h], sizes);
        self.colliders.iter().map(place).collect()
    }

    /// The blocks of a chunk.
    pub(super) fn blocks_of(&self, chunk: usize) -> Range<usize> {
        let first = chunk * CHUNK;
        first..(first + CHUNK).min(self.blocks.len())
    }

    /// A substep begins in which contacts stay.
    pub(super) fn begin(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.each_framed(worker, |_, i, (row, frame)| {
            let previous = step.particles.read(Column3::Previous, i);
            let x = step.particles.read(Column3::Velocity, i);
            let w = W::zero();
            row.begin::<Plane>([previous], [Particle::new(x, w)]);
            *frame = Frame::new(row, Vec3::zero(), (i, step, self.h));
            row.gap = frame.gap(row.gap, self.radius);
        });
    }

    /// One iteration.
    pub(super) fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        let parting = self.parting.at(step.time);
        let carried = step.positions.is_carried();
        self.each_framed(worker, |collider, i, (row, frame)| {
            let [mu, _] = self.materials[collider];
            let mu = (mu > 0.0).then(|| W::of(mu));
            let w = step.particles.inverse_mass(i);
            let before = Particle::new(step.positions.read(i), w);
            let site = if carried {
                frame.project(row, parting.left(row.gap), mu, (i, step))
            } else {
                let mut sites = [before];
                // A plane's share is always one, so nobody asks for the previous position.
                row.project::<Plane>(&mut sites, mu, &parting, || [Vec3::zero()]);
                sites[0]
            };
            let touches = touches(row);
            let x = Vec3::select(touches, site.x, before.x);
            let moved = Vec3::select(touches, site.moved, before.moved);
            step.positions.write(i, Particle { x, w, moved });
        });
    }

    /// Tells `note` how far contacts are violated (m).
    pub(super) fn residual(&self, worker: &Worker, step: &StepContext<W::Element>, note: Note) {
        self.each(worker, |_, i, row| {
            let w = step.particles.inverse_mass(i);
            let site = Particle::new(step.positions.read(i), w);
            let error = row.residual::<Plane>(&[site]);
            // A lane beside one that touches holds no contact, wherever its particle is.
            note(largest_lane(W::select(touches(row), error, W::zero())));
        });
    }

    /// The velocity pass; positions are in the columns.
    pub(super) fn respond(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.each(worker, |collider, i, row| {
            let [mu, e] = self.materials[collider];
            let read = |column| step.particles.read(column, i);
            let surface = (row.start - read(Column3::Previous)) * W::of(1.0 / self.h);
            let x = read(Column3::Velocity);
            let w = step.particles.inverse_mass(i);
            let mut v = [Particle::new(x, w)];
            let rebound = Rebound {
                restitution: e,
                friction: mu,
                least: self.least,
                stops: true,
                waits: self.strikes && e > 0.0,
            };
            row.respond::<Plane>([read(Column3::Position)], &mut v, surface, &rebound);
            step.particles.write(Column3::Velocity, i, Vec3::select(touches(row), v[0].x, x));
        });
    }

    /// Does `act` with the collider, the first slot and the row of all contacts, those of a block one after another.
    #[inline(always)]
    pub(super) fn each(&self, worker: &Worker, act: impl Fn(usize, usize, &mut PlaneRow<W>)) {
        self.each_framed(worker, |collider, i, (row, _)| act(collider, i, row));
    }

    /// The same with what rows are seen from.
    #[inline(always)]
    fn each_framed(
        &self,
        worker: &Worker,
        act: impl Fn(usize, usize, (&mut PlaneRow<W>, &mut Frame<W>)),
    ) {
        let active = self.active.read();
        worker.parallel_for(active.len(), |range| {
            for &chunk in &active[range] {
                let touching = &mut self.chunk(chunk as usize).touching;
                for Touching { block, collider, row, frame, .. } in touching {
                    let (i, _) = self.blocks[*block as usize];
                    act(*collider as usize, i, (row, frame));
                }
            }
        });
    }

    /// Blocks of particles with contacts.
    pub(super) fn count(&self) -> usize {
        let blocks = |&chunk: &u32| {
            let Chunk { touching, .. } = &*self.chunk(chunk as usize);
            touching.chunk_by(|a, b| a.block == b.block).count()
        };
        self.active.read().iter().map(blocks).sum()
    }
}
