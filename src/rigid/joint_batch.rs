//! Joint blocks of one kind, as many side by side as there are lanes.

use super::batch::{EndGroup, Packet, RowBatch, RowKernel, batch};
use super::braking::Braking;
use super::end::EndKind;
use super::formula::{ForFormula, Formula, JointBlock, nearest};
use super::joint::Element;
use super::link::{Link, Params, Pose};
use crate::constraints::per_substep;
use crate::math::{Quat, Scalar, Vec3, WIDTH, each_lane};
use crate::state::{Breaks, MovingBody, OneLane, Width};
use crate::subsystem::StepContext;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;

/// An end where a substep begins; of a particle or the world the origin.
pub(super) struct Start<E> {
    pose: Pose<E>,
    /// Of the predicted state: the spin, 1 / m and the inverse principal moments.
    omega: Vec3<E>,
    pub(super) w: E,
    pub(super) inverse_inertia: Vec3<E>,
}

impl<E: OneLane> Start<E> {
    /// An end of a step, rounded to another number.
    pub(super) fn of<T: OneLane>(kind: EndKind, slot: u32, step: &StepContext<T>) -> Self {
        let vector = |v: Vec3<T>| Vec3::of(v.to_f64().to_array());
        let (zero, none) = (Vec3::zero(), E::zero());
        if kind != EndKind::Body {
            let pose = (zero, Quat::identity());
            return Self { pose, omega: zero, w: none, inverse_inertia: zero };
        }
        let (x, q) = step.bodies.previous::<T>(slot);
        let state = step.bodies.read(slot as usize);
        Self {
            pose: (vector(x), Quat::of(q.to_array().map(T::to_f64))),
            omega: vector(state.omega),
            w: E::of(state.w.to_f64()),
            inverse_inertia: vector(state.inverse_inertia()),
        }
    }
}

/// What changes of an element from substep to substep.
pub(super) struct Renewal<E> {
    /// What a motor of velocity adds in a substep.
    step: Option<Vec3<E>>,
    /// How a motor of a position brakes.
    braking: Option<Braking<E>>,
    /// Its joint, if that may break, and α / h² while it is whole.
    breaks: Option<(Arc<Breaks>, usize)>,
    alpha: E,
    /// The substep (s).
    h: E,
}

impl<E: Scalar> Renewal<E> {
    /// Of an element in substeps of `h` (s), if anything changes.
    pub(super) fn of(element: &Element, h: f64, breaks: Option<&Arc<Breaks>>) -> Option<Self> {
        let step = element.rate.map(|rate| Vec3::of(rate.map(|v| v * h)));
        let breaks = breaks.filter(|breaks| breaks.may_break(element.joint));
        let breaks = breaks.map(|breaks| (Arc::clone(breaks), element.joint));
        let alpha = E::of(f64::from(per_substep(element.params.alpha, h) as f32));
        let counts = matches!(element.block, JointBlock::Angle | JointBlock::AngleAt);
        let braking = Braking::of(element, h);
        let changes = counts || step.is_some() || braking.is_some() || breaks.is_some();
        changes.then_some(Self { step, braking, breaks, alpha, h: E::of(h) })
    }

    /// The numbers of a substep that begins so.
    pub(super) fn renew(
        &self,
        block: JointBlock,
        ends: &[Start<E>; 2],
        mut own: Params<E>,
    ) -> Params<E> {
        let poses = [ends[0].pose, ends[1].pose];
        if let Some(step) = self.step {
            match block {
                JointBlock::Turn => {
                    // b's axes are to be where a's are now, turned on.
                    let [(_, a), (_, b)] = poses;
                    own.frames[1] = b.conjugate() * a * own.frames[0] * Quat::exp(-step);
                }
                _ => own.middle = block.coordinate(poses, &own) + step.x,
            }
        }
        if let Some(braking) = &self.braking {
            let off = block.coordinate(poses, &own) - braking.target;
            let is_angle = block == JointBlock::Angle;
            let off = if is_angle { nearest(off, E::zero()) } else { off };
            let moved = [0, 1].map(|end: usize| (ends[end].w, ends[end].inverse_inertia));
            own.middle = braking.goal(off, braking.inverse_mass(block, poses, moved, &own));
        }
        if matches!(block, JointBlock::Angle | JointBlock::AngleAt) {
            let off = match self.step {
                Some(step) => -step.x,
                None => nearest(block.coordinate(poses, &own) - own.middle, E::zero()),
            };
            let axis = Link::new(poses, &own).axis(&own, 0, 0);
            own.foreseen = off + axis.dot(ends[1].omega - ends[0].omega) * self.h;
        }
        let broken = self.breaks.as_ref().is_some_and(|(breaks, joint)| breaks.is_broken(*joint));
        own.alpha = if broken { E::of(f64::INFINITY) } else { self.alpha };
        own
    }
}

/// What the blocks of one kind do.
struct JointKernel<F, E> {
    formula: PhantomData<F>,
    block: JointBlock,
    renewals: BTreeMap<u32, Renewal<E>>,
}

impl<F: Formula<K>, W: Width, const K: usize> RowKernel<W, 2, K> for JointKernel<F, W::Element> {
    type Numbers = Params<W>;

    fn is_renewed(&self) -> bool {
        !self.renewals.is_empty()
    }

    fn begin(
        &self,
        elements: &[u32],
        packet: &mut Packet<W, Params<W>, 2>,
        step: &StepContext<W::Element>,
    ) {
        renew(&self.renewals, self.block, elements, packet, step);
    }

    #[inline(always)]
    fn project(params: &Params<W>, bodies: &mut [MovingBody<W>; 2], lambda: &mut [W; K]) {
        F::project(bodies, params, lambda);
    }

    /// In m or rad: a joint's directions move as far as its ends do.
    fn residual(params: &Params<W>, [a, b]: &[MovingBody<W>; 2], lambda: &[W; K]) -> W {
        let link = Link::of_moving([a, b], params);
        let (mut largest, mut square) = (W::zero(), W::zero());
        for (row, &lambda) in F::rows(&link, params).iter().zip(lambda) {
            largest = largest.max((row.c + params.alpha * lambda).abs().or_infinite());
            square = square + lambda * lambda;
        }
        // What is broken holds nothing, and a motor that does its most can do no more.
        let whole = params.alpha.lt(W::of(f64::INFINITY));
        let spared = square.lt(params.most * params.most * W::of(0.999));
        W::select(whole & spared, largest, W::zero())
    }
}

/// Elements of one block, of `all`, in substeps of `h` (s), to be made ready for a width.
pub(super) struct JointRows<'a, W> {
    pub(super) all: &'a [&'a Element],
    pub(super) group: &'a EndGroup<JointBlock, 2>,
    pub(super) h: f64,
    /// Which joints may break, where any may.
    pub(super) breaks: Option<&'a Arc<Breaks>>,
    pub(super) width: PhantomData<W>,
}

impl<W: Width> ForFormula for JointRows<'_, W> {
    type Made = Box<dyn RowBatch<W>>;

    fn make<F: Formula<K>, const K: usize>(self) -> Self::Made {
        let Self { all, group, h, breaks, .. } = self;
        let kernel = JointKernel::<F, W::Element> {
            formula: PhantomData,
            block: group.kind,
            renewals: renewals(all, group.kind, h, breaks),
        };
        batch::<_, W, _, 2, K>(kernel, group, 0, |elements| params(all, h, elements))
    }
}

/// What changes of the elements of a block from substep to substep.
fn renewals<E: Scalar>(
    all: &[&Element],
    block: JointBlock,
    h: f64,
    breaks: Option<&Arc<Breaks>>,
) -> BTreeMap<u32, Renewal<E>> {
    let renewal = |(i, element): (u32, &&Element)| {
        let renewal = (element.block == block).then(|| Renewal::of(element, h, breaks));
        renewal.flatten().map(|renewal| (i, renewal))
    };
    (0..).zip(all).filter_map(renewal).collect()
}

/// The numbers of elements side by side in substeps of `h` (s).
fn params<W: Width>(all: &[&Element], h: f64, elements: &[u32]) -> Params<W> {
    let number = |n: usize| {
        W::singles(|lane| {
            let params = all[elements[lane] as usize].params;
            let alpha = per_substep(params.alpha, h);
            let most = params.most * h * h;
            Params { alpha, most, ..params }.to_array()[n] as f32
        })
    };
    Params::from_array(std::array::from_fn(number))
}

/// Renews the numbers of a packet of elements where a substep begins.
fn renew<W: Width>(
    renewals: &BTreeMap<u32, Renewal<W::Element>>,
    block: JointBlock,
    elements: &[u32],
    packet: &mut Packet<W, Params<W>, 2>,
    step: &StepContext<W::Element>,
) {
    let Packet { ends, slots, numbers } = packet;
    let before = numbers.to_array();
    let lanes: [_; WIDTH] = each_lane(|lane| {
        let lane = lane % W::LANES;
        let own = Params::from_array(before.map(|v| v.lane(lane)));
        let renewal = renewals.get(&elements[lane]);
        let starts = [0, 1].map(|end| Start::of(ends[end], W::slot(slots[end], lane), step));
        renewal.map_or(own, |renewal| renewal.renew(block, &starts, own)).to_array()
    });
    *numbers = Params::from_array(std::array::from_fn(|n| W::collect(|lane| lanes[lane][n])));
}
