//! Finding the contacts of particles with colliders, for blocks that lie together.

use super::collider::Solid;
use super::collider_frame::Frame;
use super::particle_collider::{Chunk, ColliderContacts, PlaneRow, Touching, touches};
use super::particle_mesh;
use super::reach::{PlacedCollider, list_near};
use super::shape::{WorldContact, contact};
use crate::constraints::ContactImpulse;
use crate::math::Vec3;
use crate::state::{Column3, Width};
use crate::subsystem::StepContext;
use crate::threads::Worker;
use std::iter::Peekable;

/// The most colliders that one particle touches; of more the first are kept, so that memory stays bounded where hundreds
/// lie in one place.
const MOST_TOUCHED: usize = 16;

impl<W: Width> ColliderContacts<W> {
    /// Finds all contacts. `again`: within a substep, where what a contact has done so far stays.
    pub(super) fn find(&self, worker: &Worker, step: &StepContext<W::Element>, again: bool) {
        if self.colliders.is_empty() {
            return;
        }
        let placed = self.place(step.time);
        worker.parallel_for(self.chunks.len(), |range| {
            for chunk in range {
                let Chunk { touching, before, near } = &mut *self.chunk(chunk);
                std::mem::swap(touching, before);
                touching.clear();
                let paths = self.blocks_of(chunk).map(|block| {
                    let (i, _) = self.blocks[block];
                    [step.particles.read(Column3::Previous, i), step.positions.read(i)]
                });
                list_near(&placed, paths, near);
                if near.is_empty() {
                    continue;
                }
                let mut known = before.iter().filter(|_| again).peekable();
                for block in self.blocks_of(chunk) {
                    self.find_in(block, (&placed, near), step, &mut known, touching);
                }
            }
        });
        worker.single(|| {
            let touches = |&chunk: &u32| !self.chunk(chunk as usize).touching.is_empty();
            let active = &mut *self.active.write();
            active.clear();
            active.extend((0..self.chunks.len() as u32).filter(touches));
        });
    }

    /// Adds the contacts of a block; `known` are those to go on with, in the same order.
    fn find_in<'a>(
        &self,
        block: usize,
        (placed, near): (&[PlacedCollider<W>], &[u32]),
        step: &StepContext<W::Element>,
        known: &mut Peekable<impl Iterator<Item = &'a Touching<W>>>,
        touching: &mut Vec<Touching<W>>,
    ) {
        let (i, member) = self.blocks[block];
        let previous = step.particles.read(Column3::Previous, i);
        let x = step.positions.read(i);
        let v = step.particles.read(Column3::Velocity, i);
        let zero = W::zero();
        let mut touched = zero;
        for &collider in near {
            let placed = &placed[collider as usize];
            if placed.misses([previous, x], member) {
                continue;
            }
            let free = touched.lt(W::of(MOST_TOUCHED as f64));
            let asked = W::select(free, member, zero);
            self.ask(placed, [previous, x], asked, |face, met| {
                let at = [block as u32, collider, face];
                while known.next_if(|known| known.place() < at).is_some() {}
                let known = known.next_if(|known| known.place() == at);
                let mut row = known.map_or(PlaneRow::new([zero; 6]), |known| known.row);
                if let Some(drift) = self.renew(met, &mut row, [previous, v], asked) {
                    touched = touched + W::select(touches(&row), W::of(1.0), zero);
                    let frame = Frame::new(&row, drift, (i, step, self.h));
                    row.gap = frame.gap(row.gap, self.radius);
                    let [block, collider, face] = at;
                    touching.push(Touching { block, collider, face, row, frame });
                }
            });
        }
    }

    /// Does `act` with each contact of particles with a collider, which went by a path; those whose `member` is zero are not asked.
    #[inline(always)]
    fn ask(
        &self,
        placed: &PlacedCollider<W>,
        path: [Vec3<W>; 2],
        member: W,
        mut act: impl FnMut(u32, WorldContact<W>),
    ) {
        match placed.solid {
            Solid::Shape(shape) => {
                let sizes = [W::of(self.radius), W::of(self.margin)];
                act(0, contact(shape, &placed.poses, path, sizes));
            }
            Solid::Mesh(mesh) => {
                let sizes = [self.radius, self.margin];
                let met = particle_mesh::contacts(mesh, &placed.exact, path, sizes, member);
                (0..).zip(met).for_each(|(face, met)| act(face, met));
            }
        }
    }

    /// Renews contacts with what is met: particles were at `previous` and have velocities `v`; those whose `member` is zero touch
    /// nothing. Gives how far the surfaces move, if any touches.
    #[inline(always)]
    fn renew(
        &self,
        ([point, normal, drift], gap): WorldContact<W>,
        row: &mut PlaneRow<W>,
        [previous, v]: [Vec3<W>; 2],
        member: W,
    ) -> Option<Vec3<W>> {
        let zero = W::zero();
        let normal = Vec3::select(zero.lt(member), normal, Vec3::zero());
        row.params = [point.x, point.y, point.z, normal.x, normal.y, normal.z];
        row.start = previous + drift;
        row.approach = normal.dot(v - drift * W::of(1.0 / self.h));
        row.gap = gap;
        let touches = touches(row);
        // What parts in one lane while others touch begins anew when it touches again.
        let ContactImpulse { lambda, friction } = row.touch;
        row.touch = ContactImpulse {
            lambda: W::select(touches, lambda, zero),
            friction: Vec3::select(touches, friction, Vec3::zero()),
        };
        W::any(touches).then_some(drift)
    }
}
