//! Joint blocks of one kind, as many side by side as there are lanes.

use super::batch::{EndGroup, Packet, RowBatch, RowKernel, batch};
use super::end::EndKind;
use super::formula::{ForFormula, Formula, JointBlock};
use super::joint::Element;
use super::link::{Link, Params};
use crate::constraints::per_substep;
use crate::math::{Quat, Real, Vec3};
use crate::state::{MovingBody, Width};
use crate::subsystem::StepContext;
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// What the blocks of one kind do.
struct JointKernel<F, E> {
    formula: PhantomData<F>,
    block: JointBlock,
    /// Motors of velocity by element: what they add in a substep.
    rates: BTreeMap<u32, E>,
}

impl<F: Formula<K>, W: Width, const K: usize> RowKernel<W, 2, K> for JointKernel<F, W::Element> {
    type Numbers = Params<W>;

    fn is_renewed(&self) -> bool {
        !self.rates.is_empty()
    }

    /// Gives motors of velocity the goal of this substep.
    fn begin(
        &self,
        elements: &[u32],
        packet: &mut Packet<W, Params<W>, 2>,
        step: &StepContext<W::Element>,
    ) {
        let Packet { ends, slots, numbers } = packet;
        let pose = |end: usize, lane: usize| match ends[end] {
            EndKind::Body => step.bodies.previous::<W::Element>(W::slot(slots[end], lane)),
            _ => (Vec3::zero(), Quat::identity()),
        };
        numbers.middle = W::collect(|lane| match self.rates.get(&elements[lane]) {
            Some(rate) => {
                let own = Params::from_array(numbers.to_array().map(|v| v.lane(lane)));
                self.block.coordinate([pose(0, lane), pose(1, lane)], &own) + *rate
            }
            None => numbers.middle.lane(lane),
        });
    }

    #[inline(always)]
    fn project(params: &Params<W>, bodies: &mut [MovingBody<W>; 2], lambda: &mut [W; K]) {
        F::project(bodies, params, lambda);
    }

    /// In m or rad: a joint's directions move as far as its ends do.
    fn residual(params: &Params<W>, [a, b]: &[MovingBody<W>; 2], lambda: &[W; K]) -> W {
        let link = Link::new([(a.x, a.q), (b.x, b.q)], params);
        let mut largest = W::zero();
        for (row, &lambda) in F::rows(&link, params).iter().zip(lambda) {
            largest = largest.max((row.c + params.alpha * lambda).abs().or_infinite());
        }
        largest
    }
}

/// Elements of one block, of `all`, in substeps of `h` (s), to be made ready for a width.
pub(super) struct JointRows<'a, W> {
    pub(super) all: &'a [&'a Element],
    pub(super) group: &'a EndGroup<JointBlock, 2>,
    pub(super) h: f64,
    pub(super) width: PhantomData<W>,
}

impl<W: Width> ForFormula for JointRows<'_, W> {
    type Made = Box<dyn RowBatch<W>>;

    fn make<F: Formula<K>, const K: usize>(self) -> Self::Made {
        let Self { all, group, h, .. } = self;
        let rate = |(i, element): (u32, &&Element)| {
            let rate = element.rate.filter(|_| element.block == group.kind)?;
            Some((i, W::Element::of(rate * h)))
        };
        let kernel = JointKernel::<F, W::Element> {
            formula: PhantomData,
            block: group.kind,
            rates: (0..).zip(all).filter_map(rate).collect(),
        };
        batch::<_, W, _, 2, K>(kernel, group, 0, |elements| {
            let number = |n: usize| {
                W::singles(|lane| {
                    let params = all[elements[lane] as usize].params;
                    let alpha = per_substep(params.alpha, h);
                    Params { alpha, ..params }.to_array()[n] as f32
                })
            };
            Params::from_array(std::array::from_fn(number))
        })
    }
}
