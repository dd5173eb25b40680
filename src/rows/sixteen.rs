//! Two packets of eight rows side by side, where registers hold sixteen lanes.
//!
//! Packets are the same for both widths, and so are the bits: rows of a color share no particle, so that it does not matter
//! which are projected together.

#![allow(clippy::needless_range_loop)] // rows' numbers run side by side, and `zip` is not always inlined

use super::list::List;
use super::packet::Packet;
use crate::constraints::{Constraint, Response, ResponseType};
use crate::math::{F32x8, F32x16, WIDTH, both, halves_of};
use crate::state::{Run, Store};
use std::ops::Range;

/// Runs of rows whose response is `A`.
type Runs<A, const N: usize, const P: usize, const K: usize> =
    List<Run, F32x8, <A as ResponseType>::At<F32x8>, N, P, K>;

/// As [`List::project`], two runs at a time where `sixteen` says so and the second continues the first.
#[inline(always)]
pub(super) fn project<A, C, S, const N: usize, const P: usize, const K: usize>(
    list: &Runs<A, N, P, K>,
    color: usize,
    units: &Range<usize>,
    first: bool,
    sixteen: bool,
    store: &S,
) -> usize
where
    A: ResponseType,
    C: Constraint<N, P, K>,
    S: Store<Run, F32x8> + Store<Run, F32x16>,
{
    let (Range { start: mut i, end }, passed) = list.packets(color, units, 0);
    let multipliers = &list.multipliers;
    while i < end {
        if sixteen
            && let [a, b, ..] = &list.packets[i..end]
            && continues(a.slots, b.slots)
        {
            let packet = Packet::<Run, F32x16, A::At<F32x16>, N, P> {
                slots: a.slots,
                params: pairs([a.params, b.params]),
                response: A::At::new(pairs([a, b].map(|packet| packet.response.numbers()))),
            };
            let mut lambda = match first {
                true => [F32x16::ZERO; K],
                false => pairs([multipliers.lambda.get(i), multipliers.lambda.get(i + 1)]),
            };
            packet.project::<C, true, K>(store, &mut lambda);
            let mut halves = [[F32x8::ZERO; K]; 2];
            for k in 0..K {
                [halves[0][k], halves[1][k]] = halves_of(lambda[k]);
            }
            multipliers.lambda.set(i, halves[0]);
            multipliers.lambda.set(i + 1, halves[1]);
            i += 2;
        } else {
            let mut lambda = multipliers.get(i, first);
            list.packets[i].project::<C, true, K>(store, &mut lambda);
            multipliers.lambda.set(i, lambda);
            i += 1;
        }
    }
    passed
}

/// Whether the slots of `second` continue those of `first`.
#[inline(always)]
fn continues<const N: usize>(first: [Run; N], second: [Run; N]) -> bool {
    let mut continues = true;
    for i in 0..N {
        continues &= second[i].first == first[i].first + WIDTH as u32;
    }
    continues
}

/// Numbers of two packets side by side.
#[inline(always)]
fn pairs<const M: usize>([first, second]: [[F32x8; M]; 2]) -> [F32x16; M] {
    let mut out = [F32x16::ZERO; M];
    for m in 0..M {
        out[m] = both([first[m], second[m]]);
    }
    out
}
