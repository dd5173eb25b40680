//! Two packets of eight rows side by side, where registers hold sixteen lanes.
//!
//! Packets are the same for both widths, and so are the bits: rows of a color share no particle, so that it does not matter
//! which are projected together.

use super::list::List;
use super::packet::Packet;
use crate::constraints::{Constraint, Response, ResponseType};
use crate::math::{F32x8, F32x16, joined, split};
use crate::state::{Run, Store};
use std::ops::Range;

/// Runs of rows whose response is `A`.
type Runs<A, const N: usize, const P: usize, const K: usize> =
    List<Run, F32x8, <A as ResponseType>::At<F32x8>, N, P, K>;

/// Projects some `packets` of `color` two at a time, those of them that are pairs, which end at `paired`; returns the packets
/// left.
#[inline(always)]
pub(super) fn project<A, C, S, const N: usize, const P: usize, const K: usize>(
    list: &Runs<A, N, P, K>,
    [color, paired]: [usize; 2],
    packets: Range<usize>,
    first: bool,
    store: &S,
) -> Range<usize>
where
    A: ResponseType,
    C: Constraint<N, P, K>,
    S: Store<Run, F32x8> + Store<Run, F32x16>,
{
    let Range { mut start, end } = packets;
    let multipliers = &list.multipliers;
    let is_second = !(start - list.range(color).start).is_multiple_of(2);
    if is_second && start < paired.min(end) {
        // Another worker has the first half of this pair.
        list.project_all::<C>(start..start + 1, first, store);
        start += 1;
    }
    let pairs = paired.min(end).saturating_sub(start) / 2;
    let end_of_pairs = start + 2 * pairs;
    let slots = list.slots[start..end_of_pairs].as_chunks().0;
    let params = list.params[start..end_of_pairs].as_chunks().0;
    for (k, (&[slots, _], &params)) in slots.iter().zip(params).enumerate() {
        let i = start + 2 * k;
        let packet = Packet::<Run, F32x16, A::At<F32x16>, N, P> {
            slots: slots.into(),
            params: joined(params),
            response: A::At::new(joined(list.responses.two(i).map(A::At::numbers))),
        };
        let mut lambda = match first {
            true => [F32x16::ZERO; K],
            false => joined(multipliers.lambda.get_two(i)),
        };
        packet.project::<C, K>(store, &mut lambda);
        multipliers.lambda.set_two(i, split(lambda));
    }
    end_of_pairs..end
}
