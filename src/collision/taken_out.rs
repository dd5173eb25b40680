//! Particles that rows dragged into colliders, where no contact was found, are taken out again.

use super::collider::Solid;
use super::particle_collider::{Chunk, ColliderContacts};
use super::particle_mesh;
use super::reach::{PlacedCollider, list_near};
use super::shape::way_out;
use crate::math::Vec3;
use crate::state::{Column3, Width};
use crate::subsystem::StepContext;
use crate::threads::Worker;

/// What a particle may go deeper into a collider in a substep (m): more than rounding makes of planes that hold.
const SLACK: f64 = 1e-4;

impl<W: Width> ColliderContacts<W> {
    /// Takes particles back out of colliders, with their velocities.
    pub(super) fn take_out(&self, worker: &Worker, step: &StepContext<W::Element>) {
        let placed = self.place(step.time);
        let path = |block: usize| {
            let (i, _) = self.blocks[block];
            let read = |column| step.particles.read::<W>(column, i);
            [read(Column3::Previous), read(Column3::Position)]
        };
        worker.parallel_for(self.chunks.len(), |range| {
            for chunk in range {
                let Chunk { near, .. } = &mut *self.chunk(chunk);
                list_near(&placed, self.blocks_of(chunk).map(path), near);
                for block in self.blocks_of(chunk) {
                    self.take_out_block(block, (&placed, near), path(block), step);
                }
            }
        });
    }

    /// Takes those of a block out, which went from `previous` to `before`.
    fn take_out_block(
        &self,
        block: usize,
        (placed, near): (&[PlacedCollider<W>], &[u32]),
        [previous, before]: [Vec3<W>; 2],
        step: &StepContext<W::Element>,
    ) {
        let (i, member) = self.blocks[block];
        let moves = W::zero().lt(step.particles.inverse_mass(i));
        let member = W::select(moves, member, W::zero());
        let of_near = near.iter().map(|&collider| &placed[collider as usize]);
        let asked = of_near.filter(|placed| !placed.misses([previous, before], member));
        let x = self.taken_out(asked, [previous, before], member);
        let has_moved = |x: Vec3<W>| W::zero().lt((x - before).dot(x - before));
        if !W::any(has_moved(x)) {
            return;
        }
        // Where it is now it may be in others.
        let x = self.taken_out(placed.iter(), [previous, before], member);
        let moved = has_moved(x);
        let v = step.particles.read(Column3::Velocity, i);
        let v = Vec3::select(moved, v + (x - before) * W::of(1.0 / self.h), v);
        step.particles.write(Column3::Position, i, Vec3::select(moved, x, before));
        step.particles.write(Column3::Velocity, i, v);
    }

    /// Where particles that went from `previous` to `x` are when colliders have put them out, one after another.
    fn taken_out<'a>(
        &self,
        colliders: impl Iterator<Item = &'a PlacedCollider<'a, W>>,
        [previous, mut x]: [Vec3<W>; 2],
        member: W,
    ) -> Vec3<W> {
        let sizes = [self.radius, SLACK];
        for PlacedCollider { solid, exact, poses, .. } in colliders {
            let way = match solid {
                Solid::Shape(shape) => way_out(shape, poses, [previous, x], sizes.map(W::of)),
                Solid::Mesh(mesh) => {
                    particle_mesh::way_out(mesh, exact, [previous, x], sizes, member)
                }
            };
            x += Vec3::select(W::zero().lt(member), way, Vec3::zero());
        }
        x
    }
}
