//! The rows of one kind and response kind made ready for the lanes: eight of a color side by side.

use super::grouping::{ColorStats, Grouping, PADDING, pairs};
use super::list::List;
use super::packing::Packing;
use super::row_set::RowSet;
use super::sixteen;
use crate::constraints::{Constraint, Response, ResponseType};
use crate::math::{F32x8, F32x16, SIXTEEN, WIDTH, each, each_lane, pack};
use crate::state::{Averaging, PartialRun, PositionView, Run, Store};
use crate::threads::Colored;
use std::marker::PhantomData;
use std::ops::Range;

/// All rows of a kind and response kind, ready to be projected.
pub(crate) trait Batch<E>: Send + Sync {
    /// The kind.
    fn name(&self) -> &'static str;
    /// What each color is made of; rows in a given order are one color.
    fn colors(&self) -> &[ColorStats];
    /// Lanes that most of its rows are computed in.
    fn lanes(&self) -> usize {
        1
    }
    /// The proof that workers may share a color; none for rows in a given order, which one worker walks.
    fn colored(&self) -> Option<&Colored> {
        None
    }
    /// Projects some of a color's units, runs first, then partial runs, gathers and tail; the `first` time in a substep
    /// from multipliers of zero.
    fn project(&self, color: usize, units: Range<usize>, first: bool, positions: &PositionView<E>);
    /// Projects some of a color's units as the way back of a sweep does, never first: rows that share no particle in any order.
    fn project_back(&self, color: usize, units: Range<usize>, positions: &PositionView<E>) {
        self.project(color, units, false, positions);
    }
    /// Changes velocities, which lie where sums of corrections would, so that dC/dt = 0 of some of a color's units; the
    /// largest error met, |dC/dt| / |∇C| (m/s).
    fn push(&self, color: usize, units: Range<usize>, positions: &PositionView<E>) -> f32;
    /// Makes room for the multipliers of one iteration before, which Chebyshev's acceleration needs.
    fn remember(&mut self);
    /// The largest residual |C + α/h² λ| / |∇C| of a color's rows (m).
    fn residual(&self, color: usize, positions: &PositionView<E>) -> f32;
    /// Every row's multipliers, in the rows' authored order.
    fn multipliers(&self) -> Vec<f32>;
    /// Replaces them by what [`multipliers`](Batch::multipliers) gave.
    fn set_multipliers(&self, multipliers: &[f32]);
    /// Does `act` with every slot that a color's packets read or write, padding lanes included.
    fn slots(&self, color: usize, act: &mut dyn FnMut(u32));
    /// Bytes an iteration reads: packets and multipliers.
    fn bytes(&self) -> usize;
}

/// Rows packed for the lanes.
struct PackedRows<C, A: ResponseType, const N: usize, const P: usize, const K: usize> {
    kind: PhantomData<C>,
    colors: Vec<ColorStats>,
    colored: Option<Colored>,
    /// Where the pairs of runs of each color end that are projected sixteen rows at a time, if any are.
    pairs: Option<Vec<usize>>,
    runs: List<Run, F32x8, A::At<F32x8>, N, P, K>,
    partial_runs: List<PartialRun, F32x8, A::At<F32x8>, N, P, K>,
    gathers: List<[u32; WIDTH], F32x8, A::At<F32x8>, N, P, K>,
    tail: List<u32, f32, A::At<f32>, N, P, K>,
}

/// Packs the rows of `set`. `sixteen`: runs side by side are projected sixteen rows at a time.
///
/// # Panics
/// If the coloring is one of other rows.
pub(crate) fn pack_rows<A, C, const N: usize, const P: usize, const K: usize>(
    set: &RowSet<C, N, P, K>,
    packing: &Packing,
    sixteen: bool,
) -> Box<dyn Batch<f32>>
where
    A: ResponseType,
    C: Constraint<N, P, K>,
{
    let Packing { coloring, permutation, structured, settings, team, .. } = *packing;
    let count = permutation.slot_count();
    let slots = |row: u32| packing.slots(row, set.particles(row));
    let Grouping { colors, runs, partial_runs, gathers, tail } =
        Grouping::new(&slots, count, coloring, structured, team);
    let numbers = |row: u32| each(set.numbers::<A>(row, settings), |v| v as f32);
    // Eight rows side by side; padding lanes have the first row's numbers.
    let lanes = |rows: &[u32]| each_lane(|i| if rows[i] == PADDING { rows[0] } else { rows[i] });
    let wide_params = |rows: &[u32]| {
        let of = each(lanes(rows), |row| set.params(row));
        let mut params = [F32x8::ZERO; P];
        for p in 0..P {
            params[p] = pack(each_lane(|i| of[i][p]));
        }
        params
    };
    let wide_response = |rows: &[u32]| {
        let of = each(lanes(rows), numbers);
        A::At::<F32x8>::new(each([0, 1], |n: usize| pack(each_lane(|i| of[i][n]))))
    };
    let wide = (&wide_params as &_, &wide_response as &_);
    let params = |rows: &[u32]| set.params(rows[0]);
    let response = |rows: &[u32]| A::At::<f32>::new(numbers(rows[0]));
    let uniform = set.is_uniform();
    let packed: usize = colors.iter().map(|color| color.rows).sum();
    assert_eq!(packed, set.particles.len(), "a coloring of other rows");
    let mut batch = PackedRows::<C, A, N, P, K> {
        kind: PhantomData,
        colors,
        colored: None,
        pairs: sixteen.then(|| pairs(&runs)),
        runs: List::new(runs, WIDTH, wide, uniform, team),
        partial_runs: List::new(partial_runs, WIDTH, wide, uniform, team),
        gathers: List::new(gathers, WIDTH, wide, uniform, team),
        tail: List::new(tail, 1, (&params, &response), uniform, team),
    };
    // Held against the packets themselves: a coloring proved on other rows is found here.
    let units = batch.colors.iter().map(ColorStats::units).collect();
    let colored = Colored::new(count, units, |color, touch| batch.slots(color, touch), team);
    batch.colored = Some(colored);
    Box::new(batch)
}

impl<C, A, const N: usize, const P: usize, const K: usize> PackedRows<C, A, N, P, K>
where
    C: Constraint<N, P, K>,
    A: ResponseType,
{
    /// Runs and partial runs of a color; returns how many units they are.
    #[inline(always)]
    fn project_runs(
        &self,
        color: usize,
        units: &Range<usize>,
        first: bool,
        store: &(impl Store<Run, F32x8> + Store<Run, F32x16> + Store<PartialRun, F32x8>),
    ) -> usize {
        let (mut runs, passed) = self.runs.packets(color, units, 0);
        if SIXTEEN
            && !A::At::<F32x8>::DAMPED
            && let Some(pairs) = &self.pairs
        {
            runs = sixteen::project::<A, C, _, N, P, K>(
                &self.runs,
                [color, pairs[color]],
                runs,
                first,
                store,
            );
        }
        self.runs.project_all::<C>(runs, first, store);
        self.partial_runs.project::<C>(color, units, first, passed, store)
    }

    /// Gathers and tail of a color, wherever the positions are: not where most rows pass through.
    #[inline(always)]
    fn gather(
        &self,
        color: usize,
        units: &Range<usize>,
        first: bool,
        passed: usize,
        positions: &PositionView<f32>,
    ) {
        let rest = passed..self.colors[color].units().min(units.end);
        if !rest.is_empty() {
            self.gather_some(color, units, first, passed, positions);
        }
    }

    #[inline(never)]
    fn gather_some(
        &self,
        color: usize,
        units: &Range<usize>,
        first: bool,
        passed: usize,
        positions: &PositionView<f32>,
    ) {
        let passed = self.gathers.project_apart::<C>(color, units, first, passed, positions);
        self.tail.project_apart::<C>(color, units, first, passed, positions);
    }

    /// Units of a color, corrections averaged.
    fn average(
        &self,
        color: usize,
        units: &Range<usize>,
        first: bool,
        positions: &PositionView<f32>,
        averaging: Averaging,
    ) {
        let Self { runs, partial_runs, gathers, tail, .. } = self;
        let passed = runs.average::<C>(color, units, first, 0, positions, averaging);
        let passed = partial_runs.average::<C>(color, units, first, passed, positions, averaging);
        let passed = gathers.average::<C>(color, units, first, passed, positions, averaging);
        tail.average::<C>(color, units, first, passed, positions, averaging);
    }
}

impl<C, A, const N: usize, const P: usize, const K: usize> Batch<f32> for PackedRows<C, A, N, P, K>
where
    C: Constraint<N, P, K>,
    A: ResponseType,
{
    fn name(&self) -> &'static str {
        C::NAME
    }

    fn colors(&self) -> &[ColorStats] {
        &self.colors
    }

    fn lanes(&self) -> usize {
        if self.pairs.is_some() { 2 * WIDTH } else { WIDTH }
    }

    fn colored(&self) -> Option<&Colored> {
        self.colored.as_ref()
    }

    #[inline(never)] // a frame of its own in profiles
    fn project(
        &self,
        color: usize,
        units: Range<usize>,
        first: bool,
        positions: &PositionView<f32>,
    ) {
        if let Some(averaging) = positions.averaging() {
            return self.average(color, &units, first, positions, averaging);
        }
        match positions {
            PositionView::Columns(store) => {
                let passed = self.project_runs(color, &units, first, store);
                self.gather(color, &units, first, passed, positions);
            }
            PositionView::CarriedColumns(store) => {
                let passed = self.project_runs(color, &units, first, store);
                self.gather(color, &units, first, passed, positions);
            }
            PositionView::Records(store) => {
                let (gathers, passed) = self.gathers.packets(color, &units, 0);
                self.gathers.overlap::<C>(gathers, first, store);
                self.tail.project_apart::<C>(color, &units, first, passed, positions);
            }
            PositionView::CarriedRecords(store) => {
                let passed = self.gathers.project::<C>(color, &units, first, 0, store);
                self.tail.project_apart::<C>(color, &units, first, passed, positions);
            }
        }
    }

    fn push(&self, color: usize, units: Range<usize>, positions: &PositionView<f32>) -> f32 {
        let Self { runs, partial_runs, gathers, tail, .. } = self;
        let (of_runs, passed) = runs.push::<C>(color, &units, 0, positions);
        let (partial, passed) = partial_runs.push::<C>(color, &units, passed, positions);
        let (gathered, passed) = gathers.push::<C>(color, &units, passed, positions);
        let (tail, _) = tail.push::<C>(color, &units, passed, positions);
        of_runs.max(partial).max(gathered).max(tail)
    }

    fn remember(&mut self) {
        self.runs.multipliers.remember();
        self.partial_runs.multipliers.remember();
        self.gathers.multipliers.remember();
        self.tail.multipliers.remember();
    }

    fn residual(&self, color: usize, positions: &PositionView<f32>) -> f32 {
        let runs = self.runs.residual::<C>(color, positions);
        let partial = self.partial_runs.residual::<C>(color, positions);
        let gathers = self.gathers.residual::<C>(color, positions);
        let tail = self.tail.residual::<C>(color, positions);
        runs.max(partial).max(gathers).max(tail)
    }

    fn multipliers(&self) -> Vec<f32> {
        let rows: usize = self.colors.iter().map(|color| color.rows).sum();
        let mut out = vec![0.0; rows * K];
        let mut give = |row: u32, k: usize, value: f32| out[row as usize * K + k] = value;
        self.runs.multipliers.each(&mut give);
        self.partial_runs.multipliers.each(&mut give);
        self.gathers.multipliers.each(&mut give);
        self.tail.multipliers.each(&mut give);
        out
    }

    fn set_multipliers(&self, multipliers: &[f32]) {
        let of = |row: u32, k: usize| multipliers[row as usize * K + k];
        self.runs.multipliers.set(&of);
        self.partial_runs.multipliers.set(&of);
        self.gathers.multipliers.set(&of);
        self.tail.multipliers.set(&of);
    }

    fn slots(&self, color: usize, act: &mut dyn FnMut(u32)) {
        let mut run = |first: u32| (first..first + WIDTH as u32).for_each(&mut *act);
        self.runs.each_slot(color, |slot| run(slot.first));
        self.partial_runs.each_slot(color, |slot| run(slot.first));
        self.gathers.each_slot(color, |slots| slots.into_iter().for_each(&mut *act));
        self.tail.each_slot(color, act);
    }

    fn bytes(&self) -> usize {
        self.runs.bytes() + self.partial_runs.bytes() + self.gathers.bytes() + self.tail.bytes()
    }
}
