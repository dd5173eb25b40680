//! Rows of particle kinds that hold bodies, made ready: of one kind, response kind and kinds of ends each.

use super::batch::{Packet, RowBatch, RowKernel, batch, groups};
use super::end::{End, EndKind};
use super::frame::Frame;
use super::geometric_stiffness::{Projected, in_steps, is_near, is_pulled, resisting, share};
use super::local_anchor::LocalAnchor;
use crate::constraints::{
    Constraint, GenericResponse, Response as _, Site as _, Visitor, project, visit_kinds,
};
use crate::math::{F32x8, Quat, Real, Vec3, each};
use crate::rows::{AnyRows, ResponseKind, RowSet, empty_of, largest_residual};
use crate::state::{Column3, MovingBody, Width};
use crate::subsystem::{BuildContext, StepContext};
use std::any::TypeId;
use std::marker::PhantomData;

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

/// Rows of one kind and response kind, with their types taken off.
pub(super) trait AttachmentRows: AnyRows {
    /// Ready for the scalar loops.
    fn scalar(&self, of: AttachmentContext) -> Vec<Box<dyn RowBatch<f32>>>;
    /// The same in f64.
    #[cfg(test)]
    fn double(&self, of: AttachmentContext) -> Vec<Box<dyn RowBatch<f64>>>;
    /// Ready for eight lanes.
    fn lanes(&self, of: AttachmentContext) -> Vec<Box<dyn RowBatch<F32x8>>>;
}

empty_of!(AttachmentRows);

impl<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize> AttachmentRows
    for RowSet<C, N, P, K>
{
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

/// What rows of a kind do at attachments.
struct AttachmentKernel<C, const P: usize> {
    kind: PhantomData<C>,
    is_damped: bool,
}

/// The numbers of a packet.
#[derive(Clone, Copy)]
struct Numbers<W, const N: usize, const P: usize> {
    arms: [Vec3<W>; N],
    params: [W; P],
    response: GenericResponse<W>,
    /// The points at the start of the substep, where the response is damped.
    previous: [Vec3<W>; N],
}

/// How far a step has moved and turned a body (m, rad).
#[inline(always)]
fn step<R: Real>(before: &MovingBody<R>, after: &MovingBody<R>) -> [Vec3<R>; 2] {
    [after.push - before.push, after.turn - before.turn]
}

/// Projects a packet, and says for which lanes that turns its bodies by little.
#[inline(always)]
fn project_free<
    C: Constraint<N, P, K>,
    W: Width,
    const N: usize,
    const P: usize,
    const K: usize,
>(
    (before, mut lambda): Projected<W, N, K>,
    Numbers { arms, params, response, previous }: &Numbers<W, N, P>,
) -> (Projected<W, N, K>, W::Mask) {
    let mut sites = [LocalAnchor { body: MovingBody::world(), arm: Vec3::zero() }; N];
    for slot in 0..N {
        sites[slot] = LocalAnchor { body: before[slot], arm: arms[slot] };
    }
    project::<C, _, _, W, N, P, K>(&mut sites, *previous, *params, *response, &mut lambda);
    let mut bodies = before;
    let (mut turned, mut moved) = (W::zero(), W::zero());
    for slot in 0..N {
        bodies[slot] = sites[slot].body;
        let [push, turn] = step(&before[slot], &bodies[slot]);
        turned = turned + turn.dot(turn);
        moved = moved + push.dot(push);
    }
    ((bodies, lambda), is_near(turned, moved))
}

/// The same as a call, for what is not hot.
#[inline(never)]
fn project_apart<
    C: Constraint<N, P, K>,
    W: Width,
    const N: usize,
    const P: usize,
    const K: usize,
>(
    before: Projected<W, N, K>,
    numbers: &Numbers<W, N, P>,
) -> (Projected<W, N, K>, W::Mask) {
    project_free::<C, W, N, P, K>(before, numbers)
}

/// The same of bodies that are pulled and resist (`geometric_stiffness.rs`), as far as a step may turn them; and how far that is, of
/// the whole.
fn project_step<
    C: Constraint<N, P, K>,
    W: Width,
    const N: usize,
    const P: usize,
    const K: usize,
>(
    (before, own): Projected<W, N, K>,
    numbers: &Numbers<W, N, P>,
) -> (Projected<W, N, K>, W) {
    let ((mut bodies, mut lambda), is_near) =
        project_apart::<C, W, N, P, K>((before, own), numbers);
    let (arms, one) = (&numbers.arms, W::of(1.0));
    let inverse = each(before, |body| body.inverse_inertia);
    let mut squares = [W::zero(); N];
    for slot in 0..N {
        let [push, _] = step(&before[slot], &bodies[slot]);
        let impulse = push * one.over_positive(before[slot].w);
        squares[slot] = W::select(is_near, W::zero(), impulse.dot(impulse));
    }
    let is_pulled = is_pulled(arms, &inverse, squares);
    let mut resisting_bodies = before;
    for slot in 0..N {
        resisting_bodies[slot].inverse_inertia =
            resisting(arms[slot], inverse[slot], squares[slot]);
    }
    let ((moved, given), _) = project_apart::<C, W, N, P, K>((resisting_bodies, own), numbers);
    let mut part = one;
    for slot in 0..N {
        let [_, turn] = step(&before[slot], &moved[slot]);
        part = part.min(share(turn.dot(turn)));
    }
    for slot in 0..N {
        let [push, turn] = step(&before[slot], &moved[slot]);
        let mut body = before[slot];
        body.correct(push * part, turn * part);
        bodies[slot] = MovingBody::select(is_pulled, body, bodies[slot]);
    }
    for k in 0..K {
        let shortened = own[k] + (given[k] - own[k]) * part;
        lambda[k] = W::select(is_pulled, shortened, lambda[k]);
    }
    ((bodies, lambda), W::select(is_pulled, part, one))
}

/// What turns bodies far, in steps. Of copies: what a call may change does not lie in registers.
#[cold]
#[inline(never)]
fn project_far<C: Constraint<N, P, K>, W: Width, const N: usize, const P: usize, const K: usize>(
    before: Projected<W, N, K>,
    numbers: Numbers<W, N, P>,
) -> Projected<W, N, K> {
    in_steps(before, |now| project_step::<C, W, N, P, K>(now, &numbers))
}

impl<C: Constraint<N, P, K>, W: Width, const N: usize, const P: usize, const K: usize>
    RowKernel<W, N, K> for AttachmentKernel<C, P>
{
    type Numbers = Numbers<W, N, P>;

    fn is_renewed(&self) -> bool {
        self.is_damped
    }

    fn begin(
        &self,
        _: &[u32],
        packet: &mut Packet<W, Self::Numbers, N>,
        step: &StepContext<W::Element>,
    ) {
        let Packet { ends, slots, numbers } = packet;
        for slot in 0..N {
            numbers.previous[slot] = match ends[slot] {
                EndKind::World => Vec3::zero(),
                EndKind::Particle => step.particles.gather(Column3::Previous, slots[slot]),
                EndKind::Body => {
                    let (x, q): (_, Quat<W>) = step.bodies.previous(slots[slot]);
                    x + Frame::new(q).turn(numbers.arms[slot])
                }
            };
        }
    }

    #[inline(always)]
    fn project(numbers: &Self::Numbers, bodies: &mut [MovingBody<W>; N], lambda: &mut [W; K]) {
        let before = (*bodies, *lambda);
        let (mut after, is_near) = project_free::<C, W, N, P, K>(before, numbers);
        if !W::all(is_near) {
            after = project_far::<C, W, N, P, K>(before, *numbers);
        }
        (*bodies, *lambda) = after;
    }

    fn residual(numbers: &Self::Numbers, bodies: &[MovingBody<W>; N], lambda: &[W; K]) -> W {
        let Numbers { arms, params, response, .. } = *numbers;
        let mut x = [Vec3::zero(); N];
        for slot in 0..N {
            x[slot] = LocalAnchor { body: bodies[slot], arm: arms[slot] }.point();
        }
        let mut alpha = [response.parts()[0]; K];
        if let Some(material) = C::compliance(params) {
            alpha = each(material, |alpha| response.of_material(alpha).parts()[0]);
        }
        largest_residual::<C, W, N, P, K>(&x, &params, &alpha, lambda)
    }
}

impl<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize> RowSet<C, N, P, K> {
    fn batches<W: Width>(&self, of: AttachmentContext) -> Vec<Box<dyn RowBatch<W>>> {
        let end = |i: u32| of.attachments[i as usize].end;
        let mut rows =
            (0..AnyRows::len(self) as u32).map(|row| (row, (), each(self.particles(row), end)));
        let make = |group: &_| {
            let kernel = AttachmentKernel::<C, P> {
                kind: PhantomData,
                is_damped: self.response_kind_in(of.context.settings) == ResponseKind::Damped,
            };
            batch(kernel, group, of.first, |rows| self.numbers_of(rows, of))
        };
        groups(&mut rows, of.context).iter().map(make).collect()
    }

    fn numbers_of<W: Width>(&self, rows: &[u32], of: AttachmentContext) -> Numbers<W, N, P> {
        let mut arms = [Vec3::zero(); N];
        for slot in 0..N {
            arms[slot] = W::single_vectors(|lane| {
                let i = self.particles(rows[lane])[slot];
                Vec3::of(of.attachments[i as usize].arm.to_array())
            });
        }
        let mut params = [W::zero(); P];
        for p in 0..P {
            params[p] = W::singles(|lane| self.params(rows[lane])[p]);
        }
        let settings = of.context.settings;
        let response = each([0, 1, 2], |number: usize| {
            let number = |lane: usize| self.generic_numbers(rows[lane], settings)[number];
            W::collect(|lane| W::Element::of(number(lane)))
        });
        let previous = [Vec3::zero(); N];
        Numbers { arms, params, response: GenericResponse::of(response), previous }
    }
}
