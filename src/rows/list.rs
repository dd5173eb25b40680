//! Packets of one form, and their multipliers.

use super::grouping::{Form, PADDING};
use super::motions::Motions;
use super::packet::Packet;
use crate::constraints::{Aim, Constraint, Response};
use crate::math::{Real, Scalar};
use crate::state::{Averaging, Store, Width};
use crate::threads::Cells;
use std::ops::Range;

/// Packets between the one being projected and the one being fetched.
const AHEAD: usize = 6;

/// Packets of one form, of all colors.
pub(super) struct List<I, R, A, const N: usize, const P: usize, const K: usize> {
    pub(super) packets: Vec<Packet<I, R, A, N, P>>,
    pub(super) lambda: Cells<[R; K]>,
    /// The multipliers of one iteration before, where they are remembered.
    earlier: Cells<[R; K]>,
    /// The authored row of each lane, or [`PADDING`].
    pub(super) rows: Vec<u32>,
    /// Where each color's packets begin, and the end.
    starts: Vec<usize>,
}

impl<I: Copy, R: Real, A: Response<R>, const N: usize, const P: usize, const K: usize>
    List<I, R, A, N, P, K>
{
    /// The packets of a form, of `lanes` rows each; `numbers` gives their parameters and response.
    pub(super) fn new(
        form: Form<I, N>,
        lanes: usize,
        numbers: impl Fn(&[u32]) -> ([R; P], A),
    ) -> Self {
        let Form { slots, rows, starts } = form;
        let packet = |(slots, rows): ([I; N], &[u32])| {
            let (params, response) = numbers(rows);
            Packet { slots, params, response }
        };
        let packets: Vec<_> = slots.into_iter().zip(rows.chunks_exact(lanes)).map(packet).collect();
        Self {
            lambda: Cells::new(packets.len(), [R::zero(); K]),
            earlier: Cells::new(0, [R::zero(); K]),
            packets,
            rows,
            starts,
        }
    }

    fn count(&self, color: usize) -> usize {
        self.starts[color + 1] - self.starts[color]
    }

    /// Does `act` with every slot of a color's packets.
    pub(super) fn each_slot(&self, color: usize, mut act: impl FnMut(I)) {
        for packet in &self.packets[self.range(color)] {
            packet.slots.into_iter().for_each(&mut act);
        }
    }

    /// Projects the packets among `units` of `color`, `before` of which lie in other lists;
    /// returns how many units have been passed. `INLINED` as in [`Packet::project`].
    #[inline(always)]
    pub(super) fn project<C: Constraint<N, P, K>, const INLINED: bool>(
        &self,
        color: usize,
        units: &Range<usize>,
        first: bool,
        before: usize,
        store: &impl Store<I, R>,
    ) -> usize {
        let count = self.count(color);
        let begin = self.starts[color];
        let at = |unit: usize| begin + unit.saturating_sub(before).min(count);
        let end = at(units.end);
        let packets = at(units.start)..end;
        if let Some(averaging) = store.averaging() {
            self.average::<C>(packets, first, store, averaging);
            return before + count;
        }
        for i in packets {
            if let Some(ahead) = self.packets[..end].get(i + AHEAD) {
                store.fetch(&ahead.slots);
            }
            let mut lambda = self.multipliers(i, first);
            self.packets[i].project::<C, INLINED, K>(store, &mut lambda);
            self.lambda.set(i, lambda);
        }
        before + count
    }

    /// Projects `packets`, corrections averaged: out of line, so that the loop of those that are not is as it would be alone.
    #[inline(never)]
    fn average<C: Constraint<N, P, K>>(
        &self,
        packets: Range<usize>,
        first: bool,
        store: &impl Store<I, R>,
        averaging: Averaging,
    ) {
        for i in packets {
            let mut lambda = self.multipliers(i, first);
            match self.earlier.len() {
                0 => self.packets[i].average::<C, K>(store, averaging, &mut lambda, None),
                _ => {
                    // In a first iteration nothing is left of what came before, were it no number.
                    let mut earlier = if first { [R::zero(); K] } else { self.earlier.get(i) };
                    self.packets[i].average::<C, K>(
                        store,
                        averaging,
                        &mut lambda,
                        Some(&mut earlier),
                    );
                    self.earlier.set(i, earlier);
                }
            }
            self.lambda.set(i, lambda);
        }
    }

    /// A packet's multipliers as the iteration finds them: zero in the `first` of a substep.
    #[inline(always)]
    fn multipliers(&self, i: usize, first: bool) -> [R; K] {
        match first {
            true => [R::zero(); K],
            false => self.lambda.get(i),
        }
    }

    pub(super) fn remember(&mut self) {
        self.earlier = Cells::new(self.packets.len(), [R::zero(); K]);
    }

    /// The largest residual of `packets`; `lanes` takes a packet's numbers apart, lane by lane.
    pub(super) fn residual<C: Constraint<N, P, K>, const L: usize>(
        &self,
        packets: Range<usize>,
        store: &impl Store<I, R>,
        lanes: impl Fn(R) -> [f32; L],
    ) -> f32 {
        let mut largest = 0.0_f32;
        for i in packets {
            let found = self.packets[i].residual::<C, K>(store, &self.lambda.get(i));
            for (&row, error) in self.rows[i * L..].iter().zip(lanes(found)) {
                if row != PADDING {
                    largest = largest.max(error);
                }
            }
        }
        largest
    }

    /// The packets of a color.
    pub(super) fn range(&self, color: usize) -> Range<usize> {
        self.starts[color]..self.starts[color + 1]
    }

    /// Gives every row's multipliers: row, number of the equation, value.
    pub(super) fn each_multiplier<const L: usize>(
        &self,
        lanes: impl Fn(R) -> [f32; L],
        mut give: impl FnMut(u32, usize, f32),
    ) {
        for (i, rows) in self.rows.chunks_exact(L).enumerate() {
            for (k, lambda) in self.lambda.get(i).into_iter().enumerate() {
                for (&row, value) in rows.iter().zip(lanes(lambda)) {
                    if row != PADDING {
                        give(row, k, value);
                    }
                }
            }
        }
    }

    /// Takes every row's multipliers from `of`; `packed` puts those of a packet side by side.
    pub(super) fn set_multipliers<const L: usize>(
        &self,
        packed: impl Fn([f32; L]) -> R,
        of: impl Fn(u32, usize) -> f32,
    ) {
        for (i, rows) in self.rows.as_chunks::<L>().0.iter().enumerate() {
            let lambda =
                |k: usize| packed(rows.map(|row| if row == PADDING { 0.0 } else { of(row, k) }));
            self.lambda.set(i, std::array::from_fn(lambda));
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let multipliers = self.lambda.len() + self.earlier.len();
        size_of_val(&*self.packets) + multipliers * size_of::<[R; K]>()
    }
}

impl<E, A, const N: usize, const P: usize, const K: usize> List<u32, E, A, N, P, K>
where
    E: Scalar + Width<Element = E, Slots = u32>,
    A: Response<E>,
{
    /// One pass of method `impulse` over `rows`; returns the largest error met.
    pub(super) fn push<C: Constraint<N, P, K>>(
        &self,
        rows: Range<usize>,
        first: bool,
        motions: &Motions<E>,
        aim: Aim,
    ) -> E {
        let mut largest = E::zero();
        for i in rows {
            let mut lambda = self.multipliers(i, first);
            let error = self.packets[i].push::<C, K>(motions, aim, &mut lambda);
            self.lambda.set(i, lambda);
            largest = largest.max(error.or_infinite());
        }
        largest
    }
}
