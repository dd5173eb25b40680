//! Rows of particle kinds that hold bodies, made ready: of one kind, class and kinds of ends each.

#![allow(clippy::needless_range_loop)] // slots, arms and sites run side by side

use super::batch::{Packets, RowBatch};
use super::end::{End, EndKind};
use super::frame::Frame;
use super::generic_response::GenericResponse;
use super::local_anchor::LocalAnchor;
use crate::constraints::{Compliant, Constraint, Damped, Material, Response, Stiff, project};
use crate::math::{F32x8, Quat, Real, Scalar, Vec3};
use crate::rows::{AnyRows, ResponseKind, RowSet};
use crate::settings::Settings;
use crate::state::{Column3, MovingBody, Width};
use crate::subsystem::{BuildContext, StepContext};
use crate::threads::{Cells, Phased, Worker};
use std::marker::PhantomData;
use std::ops::Range;

/// What one place of a row is attached to: an end, and where at it, in the principal frame (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Attachment {
    pub(super) end: End,
    pub(super) arm: Vec3<f64>,
}

/// What rows of a set are made ready from; `first` is the number of rows in the sets before.
#[derive(Clone, Copy)]
pub(super) struct AttachmentContext<'a> {
    pub(super) context: &'a BuildContext<'a>,
    pub(super) attachments: &'a [Attachment],
    pub(super) first: u32,
}

/// Rows of one kind and class, with their types taken off.
pub(super) trait AttachmentRows: AnyRows {
    /// How many equations a row is.
    fn equations(&self) -> usize;
    /// Ready for the scalar loops.
    fn scalar(&self, of: AttachmentContext) -> Vec<Box<dyn RowBatch<f32>>>;
    /// The same in f64.
    #[cfg(test)]
    fn double(&self, of: AttachmentContext) -> Vec<Box<dyn RowBatch<f64>>>;
    /// Ready for eight lanes.
    fn lanes(&self, of: AttachmentContext) -> Vec<Box<dyn RowBatch<F32x8>>>;
}

impl<C, const N: usize, const P: usize, const K: usize> AttachmentRows for RowSet<C, N, P, K>
where
    C: Constraint<N, P, K>,
{
    fn equations(&self) -> usize {
        K
    }
    fn scalar(&self, of: AttachmentContext) -> Vec<Box<dyn RowBatch<f32>>> {
        self.batches(of)
    }
    #[cfg(test)]
    fn double(&self, of: AttachmentContext) -> Vec<Box<dyn RowBatch<f64>>> {
        self.batches(of)
    }
    fn lanes(&self, of: AttachmentContext) -> Vec<Box<dyn RowBatch<F32x8>>> {
        self.batches(of)
    }
}

/// A width that rows with attachments are made ready for.
pub(super) trait AttachmentWidth: Width {
    fn batches(set: &dyn AttachmentRows, of: AttachmentContext) -> Vec<Box<dyn RowBatch<Self>>>;
}

impl AttachmentWidth for f32 {
    fn batches(set: &dyn AttachmentRows, of: AttachmentContext) -> Vec<Box<dyn RowBatch<Self>>> {
        set.scalar(of)
    }
}

#[cfg(test)]
impl AttachmentWidth for f64 {
    fn batches(set: &dyn AttachmentRows, of: AttachmentContext) -> Vec<Box<dyn RowBatch<Self>>> {
        set.double(of)
    }
}

impl AttachmentWidth for F32x8 {
    fn batches(set: &dyn AttachmentRows, of: AttachmentContext) -> Vec<Box<dyn RowBatch<Self>>> {
        set.lanes(of)
    }
}

/// The rows of one combination of kinds of ends.
struct Group<const N: usize> {
    ends: [EndKind; N],
    /// Rows of the set, and the storage slots of their ends.
    rows: Vec<(u32, [u32; N])>,
    /// What the ends are numbered as for the coloring.
    names: Vec<u32>,
}

/// As many rows as there are lanes.
#[derive(Clone, Copy)]
struct Packet<W: Width, const N: usize, const P: usize> {
    slots: [W::Slots; N],
    arms: [Vec3<W>; N],
    params: [W; P],
    response: GenericResponse<W>,
    /// The places at the start of the substep, where the response is damped.
    previous: [Vec3<W>; N],
}

impl<C, const N: usize, const P: usize, const K: usize> RowSet<C, N, P, K>
where
    C: Constraint<N, P, K>,
{
    fn groups(&self, of: AttachmentContext) -> Vec<Group<N>> {
        let bodies = of.context.bodies.len() as u32;
        let mut groups: Vec<Group<N>> = Vec::new();
        for row in 0..AnyRows::len(self) as u32 {
            let at = self.particles(row).map(|i| of.attachments[i as usize].end);
            let ends = at.map(End::kind);
            let slots = at.map(|end| end.slot(of.context.permutation));
            let which = groups.iter().position(|group| group.ends == ends);
            let which = which.unwrap_or_else(|| {
                groups.push(Group {
                    ends,
                    rows: Vec::new(),
                    names: Vec::new(),
                });
                groups.len() - 1
            });
            let group = &mut groups[which];
            group.rows.push((row, slots));
            // For the coloring everything has a number.
            group.names.extend((0..N).map(|slot| match ends[slot] {
                EndKind::Particle => bodies + slots[slot],
                _ => slots[slot],
            }));
        }
        groups
    }

    fn batches<W: Width>(&self, of: AttachmentContext) -> Vec<Box<dyn RowBatch<W>>> {
        let most = of.context.bodies.len() + of.context.permutation.places();
        let make = |group: Group<N>| -> Box<dyn RowBatch<W>> {
            let order = Packets::new(&group.names, N, most, W::LANES);
            let packets = order.rows.chunks_exact(W::LANES);
            let packets: Vec<_> = packets.map(|rows| self.packet(&group, rows, of)).collect();
            let row = |&row: &u32| of.first + group.rows[row as usize].0;
            Box::new(AttachmentBatch::<C, W, N, P, K> {
                kind: PhantomData,
                ends: group.ends,
                damped: self.class_in(of.context.settings) == ResponseKind::Damped,
                lambda: Cells::new(packets.len(), [W::zero(); K]),
                packets: Phased::new(packets),
                authored: order.rows.iter().map(row).collect(),
                order,
            })
        };
        self.groups(of).into_iter().map(make).collect()
    }

    fn packet<W: Width>(
        &self,
        group: &Group<N>,
        rows: &[u32],
        of: AttachmentContext,
    ) -> Packet<W, N, P> {
        let row = |lane: usize| group.rows[rows[lane] as usize];
        let own = |lane: usize| row(lane).0;
        let single = |v: f64| W::Element::of(f64::from(v as f32));
        let arm = |slot: usize| {
            let arm = |lane: usize| {
                let i = self.particles(own(lane))[slot];
                of.attachments[i as usize].arm.to_array()
            };
            let [x, y, z] = [0, 1, 2].map(|axis| W::collect(|lane| single(arm(lane)[axis])));
            Vec3::new(x, y, z)
        };
        let param =
            |p: usize| W::collect(|lane| W::Element::of(f64::from(self.params(own(lane))[p])));
        Packet {
            slots: std::array::from_fn(|slot| W::slots(|lane| row(lane).1[slot])),
            arms: std::array::from_fn(arm),
            params: std::array::from_fn(param),
            response: GenericResponse::collect(|lane| {
                self.generic_response(own(lane), of.context.settings)
            }),
            previous: [Vec3::zero(); N],
        }
    }

    fn generic_response<E: Real>(&self, row: u32, settings: &Settings) -> GenericResponse<E> {
        let of = |numbers: [f64; 2]| numbers.map(E::of);
        match self.class_in(settings) {
            _ if C::MATERIAL => GenericResponse::new(of(self.numbers::<Material>(row, settings))),
            ResponseKind::Stiff => {
                GenericResponse::stiff(of(self.numbers::<Stiff>(row, settings))[0])
            }
            ResponseKind::Compliant => {
                GenericResponse::new(of(self.numbers::<Compliant>(row, settings)))
            }
            ResponseKind::Damped => GenericResponse::new(of(self.numbers::<Damped>(row, settings))),
            ResponseKind::Material => unreachable!("refused when the row was added"),
        }
    }
}

/// A place of a body that lies so.
fn point<R: Real>((x, q): (Vec3<R>, Quat<R>), arm: Vec3<R>) -> Vec3<R> {
    x + Frame::new(q).turn(arm)
}

struct AttachmentBatch<C, W: Width, const N: usize, const P: usize, const K: usize> {
    kind: PhantomData<C>,
    ends: [EndKind; N],
    damped: bool,
    order: Packets,
    packets: Phased<Vec<Packet<W, N, P>>>,
    lambda: Cells<[W; K]>,
    /// The number of each lane's row among those of all sets.
    authored: Vec<u32>,
}

impl<C, W: Width, const N: usize, const P: usize, const K: usize> AttachmentBatch<C, W, N, P, K>
where
    C: Constraint<N, P, K>,
{
    #[inline(never)] // a frame of its own in profiles
    fn project_packets(&self, range: Range<usize>, step: &StepContext<W::Element>) {
        let packets = self.packets.read();
        let world = LocalAnchor {
            body: MovingBody::world(),
            arm: Vec3::zero(),
        };
        for i in range {
            let packet = &packets[i];
            let mut lambda = self.lambda.get(i);
            let mut sites = [world; N];
            for slot in 0..N {
                sites[slot] = LocalAnchor {
                    body: self.ends[slot].load(step, packet.slots[slot]),
                    arm: packet.arms[slot],
                };
            }
            project::<C, _, _, W, N, P, K>(
                &mut sites,
                packet.previous,
                packet.params,
                packet.response,
                &mut lambda,
            );
            for slot in 0..N {
                self.ends[slot].store(step, packet.slots[slot], sites[slot].body);
            }
            self.lambda.set(i, lambda);
        }
    }
}

impl<C, W: Width, const N: usize, const P: usize, const K: usize> RowBatch<W>
    for AttachmentBatch<C, W, N, P, K>
where
    C: Constraint<N, P, K>,
{
    fn begin(&self, step: &StepContext<W::Element>) {
        for i in 0..self.lambda.len() {
            self.lambda.set(i, [W::zero(); K]);
        }
        if !self.damped {
            return;
        }
        for packet in self.packets.write().iter_mut() {
            for slot in 0..N {
                let slots = packet.slots[slot];
                packet.previous[slot] = match self.ends[slot] {
                    EndKind::World => Vec3::zero(),
                    EndKind::Particle => step.particles.gather(Column3::Previous, slots),
                    EndKind::Body => point(step.bodies.previous(slots), packet.arms[slot]),
                };
            }
        }
    }

    fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.order
            .project(worker, |packets| self.project_packets(packets, step));
    }

    fn multipliers(&self, give: &mut dyn FnMut(u32, usize, f32)) {
        for (i, rows) in self.authored.chunks_exact(W::LANES).enumerate() {
            for (k, lanes) in self.lambda.get(i).into_iter().enumerate() {
                for (lane, &row) in rows.iter().enumerate() {
                    give(row, k, lanes.lane(lane).to_f32());
                }
            }
        }
    }
}
