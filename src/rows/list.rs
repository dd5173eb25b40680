//! Packets of one form, and their multipliers.

use super::grouping::{Form, PADDING};
use super::overlap::overlap;
use super::packet::Packet;
use crate::constraints::{Constraint, Response, Sense};
use crate::math::Scalar;
use crate::state::{Averaging, Gather, Lanes, Store, nothing};
use crate::threads::{Cells, SlotList, Slots, Team};
use std::ops::Range;

/// Packets between the one being projected and the one being fetched.
pub(super) const AHEAD: usize = 6;

/// What of the rows that stand side by side: parameters or response.
type Of<'a, T> = dyn Fn(&[u32]) -> T + Sync + 'a;

/// Packets of one form, of all colors, by columns.
pub(super) struct List<I, R, A, const N: usize, const P: usize, const K: usize> {
    pub(super) slots: SlotList<I, N>,
    pub(super) params: Vec<[R; P]>,
    pub(super) responses: Responses<A>,
    pub(super) multipliers: Multipliers<R, K>,
    /// Where each color's packets begin, and the end.
    starts: Vec<usize>,
}

/// The response of each packet; a single one where all have the same, as in most large models.
pub(super) struct Responses<A> {
    values: Vec<A>,
    /// Zero where all have the first, which then stands twice.
    mask: usize,
}

/// The multipliers of packets: the same code for all kinds of as many equations.
pub(crate) struct Multipliers<R, const K: usize> {
    pub(crate) lambda: Cells<[R; K]>,
    /// Those of one iteration before, where they are remembered.
    earlier: Cells<[R; K]>,
    /// The authored row of each lane, or [`PADDING`].
    pub(crate) rows: Vec<u32>,
}

impl<I: Slots, R: Lanes, A: Response<R>, const N: usize, const P: usize, const K: usize>
    List<I, R, A, N, P, K>
{
    /// The packets of a form, of `lanes` rows each, made by a team; `uniform`: all rows have the same response.
    pub(super) fn new(
        form: Form<I, N>,
        lanes: usize,
        (params, response): (&Of<[R; P]>, &Of<A>),
        uniform: bool,
        team: &Team,
    ) -> Self {
        let Form { slots, rows, starts } = form;
        let count = slots.len();
        let of = |i: usize| &rows[i * lanes..(i + 1) * lanes];
        let params = team.collect(count, |i| params(of(i)));
        // Twice where all have the same: pairs read two.
        let (values, mask) = match (uniform, count) {
            (true, 1..) => (vec![response(of(0)); 2], 0),
            _ => (team.collect(count, |i| response(of(i))), usize::MAX),
        };
        let responses = Responses { values, mask };
        let slots = SlotList::new(slots);
        Self { slots, params, responses, multipliers: Multipliers::new(count, rows), starts }
    }

    /// A packet.
    #[inline(always)]
    fn packet(&self, i: usize) -> Packet<I, R, A, N, P> {
        let response = self.responses.get(i);
        Packet { slots: self.slots.of(i), params: self.params[i], response }
    }

    fn count(&self, color: usize) -> usize {
        self.starts[color + 1] - self.starts[color]
    }

    /// Does `act` with every slot of a color's packets.
    pub(super) fn each_slot(&self, color: usize, mut act: impl FnMut(I)) {
        self.slots[self.range(color)].as_flattened().iter().copied().for_each(&mut act);
    }

    /// The packets among `units` of `color`, before which lie `before` units in other lists; and how many lie before the next
    /// list's.
    #[inline(always)]
    pub(super) fn packets(
        &self,
        color: usize,
        units: &Range<usize>,
        before: usize,
    ) -> (Range<usize>, usize) {
        let count = self.count(color);
        let begin = self.starts[color];
        let at = |unit: usize| begin + unit.saturating_sub(before).min(count);
        (at(units.start)..at(units.end), before + count)
    }

    /// Projects the packets among `units` of `color`, `before` of which lie in other lists;
    /// returns how many units have been passed.
    #[inline(always)]
    pub(super) fn project<C: Constraint<N, P, K>>(
        &self,
        color: usize,
        units: &Range<usize>,
        first: bool,
        before: usize,
        store: &impl Store<I, R>,
    ) -> usize {
        let (packets, passed) = self.packets(color, units, before);
        self.project_all::<C>(packets, first, store);
        passed
    }

    /// The same for some `packets`.
    #[inline(always)]
    pub(super) fn project_all<C: Constraint<N, P, K>>(
        &self,
        packets: Range<usize>,
        first: bool,
        store: &impl Store<I, R>,
    ) {
        let end = packets.end;
        for i in packets {
            if let Some(ahead) = self.slots[..end].get(i + AHEAD) {
                store.fetch(ahead);
            }
            let mut lambda = self.multipliers.get(i, first);
            self.packet(i).project::<C, K>(store, &mut lambda);
            self.multipliers.lambda.set(i, lambda);
        }
    }

    /// As [`project`](Self::project), by calls, wherever the positions are.
    pub(super) fn project_apart<C: Constraint<N, P, K>>(
        &self,
        color: usize,
        units: &Range<usize>,
        first: bool,
        before: usize,
        positions: &impl Store<I, R>,
    ) -> usize {
        let (packets, passed) = self.packets(color, units, before);
        for i in packets {
            let mut lambda = self.multipliers.get(i, first);
            self.packet(i).project_apart::<C, K>(positions, &mut lambda);
            self.multipliers.lambda.set(i, lambda);
        }
        passed
    }

    /// As [`project_all`](Self::project_all), overlapped.
    #[inline(always)]
    pub(super) fn overlap<C: Constraint<N, P, K>>(
        &self,
        packets: Range<usize>,
        first: bool,
        store: &impl Store<I, R>,
    ) {
        let end = packets.end;
        overlap(
            packets,
            [nothing(); N],
            #[inline(always)]
            |i| {
                if let Some(ahead) = self.slots[..end].get(i + AHEAD) {
                    store.fetch(ahead);
                }
                store.load(self.slots.of(i))
            },
            #[inline(always)]
            |i, mut sites| {
                let mut lambda = self.multipliers.get(i, first);
                self.packet(i).solve::<C, K>(store, &mut sites, &mut lambda);
                self.multipliers.lambda.set(i, lambda);
                sites
            },
            #[inline(always)]
            |i, sites| store.store(self.slots.of(i), sites),
        );
    }

    /// The same where corrections are averaged.
    #[inline(never)]
    pub(super) fn average<C: Constraint<N, P, K>>(
        &self,
        color: usize,
        units: &Range<usize>,
        first: bool,
        before: usize,
        positions: &impl Store<I, R>,
        averaging: Averaging,
    ) -> usize {
        let (packets, passed) = self.packets(color, units, before);
        let counting = averaging.gather == Gather::Count;
        if counting && C::SENSE == Sense::Equality {
            return passed;
        }
        for i in packets {
            let before = self.multipliers.get(i, first);
            let mut lambda = before;
            self.packet(i).average::<C, K>(positions, averaging, &mut lambda);
            if !counting {
                self.multipliers.settle(i, first, averaging, before, lambda);
            }
        }
        passed
    }

    /// The largest residual of a color's packets.
    pub(super) fn residual<C: Constraint<N, P, K>>(
        &self,
        color: usize,
        positions: &impl Store<I, R>,
    ) -> f32 {
        let lambda = |i| self.multipliers.lambda.get(i);
        let residual = |i: usize| self.packet(i).residual::<C, K>(positions, &lambda(i));
        self.multipliers.largest(self.range(color), &residual)
    }

    /// Changes the velocities of packets as [`project`](Self::project) does their positions: the largest error met (m/s), and
    /// how many units have been passed.
    pub(super) fn push<C: Constraint<N, P, K>>(
        &self,
        color: usize,
        units: &Range<usize>,
        before: usize,
        positions: &impl Store<I, R>,
    ) -> (f32, usize) {
        let (packets, passed) = self.packets(color, units, before);
        let push = |i: usize| self.packet(i).push::<C, K>(positions);
        (self.multipliers.largest(packets, &push), passed)
    }

    /// The packets of a color.
    pub(super) fn range(&self, color: usize) -> Range<usize> {
        self.starts[color]..self.starts[color + 1]
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
            + size_of_val(&*self.params)
            + size_of_val(&*self.responses.values)
            + self.multipliers.bytes()
    }
}

impl<A: Copy> Responses<A> {
    #[inline(always)]
    fn get(&self, i: usize) -> A {
        self.values[i & self.mask]
    }

    /// Those of two packets side by side.
    #[inline(always)]
    pub(super) fn two(&self, i: usize) -> [A; 2] {
        let two = &self.values[i & self.mask..][..2];
        [two[0], two[1]]
    }
}

impl<R: Lanes, const K: usize> Multipliers<R, K> {
    pub(crate) fn new(packets: usize, mut rows: Vec<u32>) -> Self {
        rows.shrink_to_fit();
        let zero = [R::zero(); K];
        Self { lambda: Cells::new(packets, zero), earlier: Cells::new(0, zero), rows }
    }

    /// A packet's as the iteration finds them: zero in the `first` of a substep.
    #[inline(always)]
    pub(super) fn get(&self, i: usize, first: bool) -> [R; K] {
        match first {
            true => [R::zero(); K],
            false => self.lambda.get(i),
        }
    }

    /// Replaces those of a packet, which averaging led from `before` to `lambda`.
    fn settle(
        &self,
        i: usize,
        first: bool,
        averaging: Averaging,
        before: [R; K],
        mut lambda: [R; K],
    ) {
        if self.earlier.len() > 0 {
            // In a first iteration nothing is left of what came before, were it no number.
            let earlier = if first { [R::zero(); K] } else { self.earlier.get(i) };
            averaging.settle_multipliers(&mut lambda, before, earlier);
            self.earlier.set(i, before);
        }
        self.lambda.set(i, lambda);
    }

    /// Makes room for those of one iteration before.
    pub(super) fn remember(&mut self) {
        self.earlier = Cells::new(self.lambda.len(), [R::zero(); K]);
    }

    /// How many rows there are, padding lanes counted.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The largest `error` of some packets, lanes of padding left out.
    fn largest(&self, packets: Range<usize>, error: &dyn Fn(usize) -> R) -> f32 {
        let mut largest = 0.0_f32;
        for i in packets {
            let error = error(i);
            for (lane, &row) in self.rows[i * R::LANES..][..R::LANES].iter().enumerate() {
                if row != PADDING {
                    largest = largest.max(error.lane(lane).to_f32());
                }
            }
        }
        largest
    }

    /// Gives every row's: row, number of the equation, value.
    pub(crate) fn each(&self, give: &mut dyn FnMut(u32, usize, f32)) {
        for (i, rows) in self.rows.chunks_exact(R::LANES).enumerate() {
            for (k, &lambda) in self.lambda.get(i).iter().enumerate() {
                for (lane, &row) in rows.iter().enumerate() {
                    if row != PADDING {
                        give(row, k, lambda.lane(lane).to_f32());
                    }
                }
            }
        }
    }

    /// Takes every row's from `of`: row, number of the equation.
    pub(crate) fn set(&self, of: &dyn Fn(u32, usize) -> f32) {
        for (i, rows) in self.rows.chunks_exact(R::LANES).enumerate() {
            let value = |row, k| if row == PADDING { 0.0 } else { of(row, k) };
            let lambda = std::array::from_fn(|k| R::singles(|lane| value(rows[lane], k)));
            self.lambda.set(i, lambda);
        }
    }

    fn bytes(&self) -> usize {
        (self.lambda.len() + self.earlier.len()) * size_of::<[R; K]>()
    }
}
