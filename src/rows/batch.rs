//! The rows of one kind and response kind made ready: in a given order for scalar loops, eight of a color side by side for lanes.

use super::grouping::{ColorStats, Form, Grouping, PADDING};
use super::list::List;
use super::motions::Motions;
use super::row_set::{RowOrder, RowSet};
use crate::coloring::Coloring;
use crate::constraints::{Aim, Constraint, Response, ResponseType};
use crate::math::{F32x8, Scalar, WIDTH, each_lane, pack, unpack};
use crate::settings::Settings;
use crate::state::{Averaging, PartialRun, PositionView, Run, Width};
use crate::threads::Colored;
use std::marker::PhantomData;
use std::ops::Range;

/// All rows of a kind and response kind, ready to be projected.
pub(crate) trait Batch<E>: Send + Sync {
    /// The kind.
    fn name(&self) -> &'static str;
    /// What each color is made of; rows in a given order are one color.
    fn colors(&self) -> &[ColorStats];
    /// The proof that workers may share a color; none for rows in a given order, which one worker walks.
    fn colored(&self) -> Option<&Colored> {
        None
    }
    /// Projects some of a color's units, runs first, then partial runs, gathers and tail; the `first` time in a substep
    /// from multipliers of zero.
    fn project(&self, color: usize, units: Range<usize>, first: bool, positions: &PositionView<E>);
    /// One pass of method `impulse` over rows of a given order; returns the largest error met.
    fn push(&self, rows: Range<usize>, first: bool, motions: &Motions<E>, aim: Aim) -> E;
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

/// Rows one at a time, in a given order.
struct ScalarRows<C, E, A, const N: usize, const P: usize, const K: usize> {
    kind: PhantomData<C>,
    stats: [ColorStats; 1],
    rows: List<u32, E, A, N, P, K>,
}

/// The rows of `set` in an order, of response `A`.
pub(crate) fn scalar_rows<A, C, E, const N: usize, const P: usize, const K: usize>(
    set: &RowSet<C, N, P, K>,
    order: RowOrder,
    settings: &Settings,
) -> Box<dyn Batch<E>>
where
    A: ResponseType,
    C: Constraint<N, P, K>,
    E: Scalar + Width<Element = E, Slots = u32>,
{
    let RowOrder { rows, permutation } = order;
    let slots = rows.iter().map(|&row| set.particles(row));
    let form = Form {
        slots: slots.map(|p| p.map(|i| permutation.storage(i))).collect(),
        starts: vec![0, rows.len()],
        rows,
    };
    let number = |rows: &[u32]| {
        (
            set.params(rows[0]).map(|p| E::of(f64::from(p))),
            A::At::<E>::new(set.numbers::<A>(rows[0], settings).map(E::of)),
        )
    };
    Box::new(ScalarRows::<C, E, A::At<E>, N, P, K> {
        kind: PhantomData,
        stats: [ColorStats {
            rows: form.rows.len(),
            tail: form.rows.len(),
            ..ColorStats::default()
        }],
        rows: List::new(form, 1, &number),
    })
}

impl<C, E, A, const N: usize, const P: usize, const K: usize> Batch<E>
    for ScalarRows<C, E, A, N, P, K>
where
    C: Constraint<N, P, K>,
    E: Scalar + Width<Element = E, Slots = u32>,
    A: Response<E>,
{
    fn name(&self) -> &'static str {
        C::NAME
    }

    fn colors(&self) -> &[ColorStats] {
        &self.stats
    }

    #[inline(never)] // a frame of its own in profiles
    fn project(&self, color: usize, units: Range<usize>, first: bool, positions: &PositionView<E>) {
        if let Some(averaging) = positions.averaging() {
            self.rows.average::<C, E>(color, &units, first, 0, positions, averaging);
            return;
        }
        match positions {
            PositionView::Records(store) => {
                self.rows.project::<C, true>(color, &units, first, 0, store);
            }
            PositionView::CarriedRecords(_) => {
                self.rows.project::<C, false>(color, &units, first, 0, positions);
            }
            _ => unreachable!("scalar loops read records"),
        }
    }

    fn push(&self, rows: Range<usize>, first: bool, motions: &Motions<E>, aim: Aim) -> E {
        self.rows.push::<C>(rows, first, motions, aim)
    }

    fn remember(&mut self) {
        self.rows.multipliers.remember();
    }

    fn residual(&self, color: usize, positions: &PositionView<E>) -> f32 {
        let rows = self.rows.range(color);
        self.rows.residual::<C, E, 1>(rows, positions, |error| [error.to_f32()])
    }

    fn multipliers(&self) -> Vec<f32> {
        let multipliers = &self.rows.multipliers;
        let mut out = vec![0.0; multipliers.len() * K];
        let mut give = |row: u32, k: usize, value: f32| out[row as usize * K + k] = value;
        multipliers.each(|v| [v.to_f32()], &mut give);
        out
    }

    fn set_multipliers(&self, multipliers: &[f32]) {
        let of = |row: u32, k: usize| multipliers[row as usize * K + k];
        self.rows.multipliers.set(|[v]| E::of(f64::from(v)), &of);
    }

    fn slots(&self, color: usize, act: &mut dyn FnMut(u32)) {
        self.rows.each_slot(color, act);
    }

    fn bytes(&self) -> usize {
        self.rows.bytes()
    }
}

/// Rows packed for the lanes.
struct PackedRows<C, A: ResponseType, const N: usize, const P: usize, const K: usize> {
    kind: PhantomData<C>,
    colors: Vec<ColorStats>,
    colored: Option<Colored>,
    runs: List<Run, F32x8, A::At<F32x8>, N, P, K>,
    partial_runs: List<PartialRun, F32x8, A::At<F32x8>, N, P, K>,
    gathers: List<[u32; WIDTH], F32x8, A::At<F32x8>, N, P, K>,
    tail: List<u32, f32, A::At<f32>, N, P, K>,
}

/// Packs the rows of `set`, whose particles lie at `slots` among `len` slots. `structured`: they were numbered so that rows
/// form runs; without it all rows are gathered.
///
/// # Panics
/// If the coloring is one of other rows.
pub(crate) fn pack_rows<A, C, const N: usize, const P: usize, const K: usize>(
    set: &RowSet<C, N, P, K>,
    coloring: &Coloring,
    slots: &[[u32; N]],
    len: usize,
    structured: bool,
    settings: &Settings,
) -> Box<dyn Batch<f32>>
where
    A: ResponseType,
    C: Constraint<N, P, K>,
{
    let Grouping { colors, runs, partial_runs, gathers, tail } =
        Grouping::new(slots, len, coloring, structured);
    let numbers = |row: u32| set.numbers::<A>(row, settings).map(|v| v as f32);
    // Eight rows side by side; padding lanes have the first row's numbers.
    let wide = |rows: &[u32]| {
        let lane = |i: usize| if rows[i] == PADDING { rows[0] } else { rows[i] };
        (
            std::array::from_fn(|p| pack(each_lane(|i| set.params(lane(i))[p]))),
            A::At::<F32x8>::new(std::array::from_fn(|n| pack(each_lane(|i| numbers(lane(i))[n])))),
        )
    };
    let narrow = |rows: &[u32]| (set.params(rows[0]), A::At::<f32>::new(numbers(rows[0])));
    let packed: usize = colors.iter().map(|color| color.rows).sum();
    assert_eq!(packed, set.particles.len(), "a coloring of other rows");
    let mut batch = PackedRows::<C, A, N, P, K> {
        kind: PhantomData,
        colors,
        colored: None,
        runs: List::new(runs, WIDTH, &wide),
        partial_runs: List::new(partial_runs, WIDTH, &wide),
        gathers: List::new(gathers, WIDTH, &wide),
        tail: List::new(tail, 1, &narrow),
    };
    // Held against the packets themselves: a coloring proved on other rows is found here.
    let units = batch.colors.iter().map(ColorStats::units).collect();
    let colored = Colored::new(len, units, |color, touch| batch.slots(color, touch));
    batch.colored = Some(colored);
    Box::new(batch)
}

impl<C, A, const N: usize, const P: usize, const K: usize> PackedRows<C, A, N, P, K>
where
    C: Constraint<N, P, K>,
    A: ResponseType,
{
    /// Gathers and tail of a color, wherever the positions are: not where most rows pass through.
    fn gather(
        &self,
        color: usize,
        units: &Range<usize>,
        first: bool,
        passed: usize,
        positions: &PositionView<f32>,
    ) {
        let passed = self.gathers.project::<C, false>(color, units, first, passed, positions);
        self.tail.project::<C, false>(color, units, first, passed, positions);
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
        let passed = runs.average::<C, f32>(color, units, first, 0, positions, averaging);
        let passed =
            partial_runs.average::<C, f32>(color, units, first, passed, positions, averaging);
        let passed = gathers.average::<C, f32>(color, units, first, passed, positions, averaging);
        tail.average::<C, f32>(color, units, first, passed, positions, averaging);
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
                let passed = self.runs.project::<C, true>(color, &units, first, 0, store);
                let passed =
                    self.partial_runs.project::<C, true>(color, &units, first, passed, store);
                self.gather(color, &units, first, passed, positions);
            }
            PositionView::CarriedColumns(store) => {
                let passed = self.runs.project::<C, true>(color, &units, first, 0, store);
                let runs = &self.partial_runs;
                let passed = runs.project::<C, false>(color, &units, first, passed, positions);
                self.gather(color, &units, first, passed, positions);
            }
            PositionView::Records(store) => {
                let passed = self.gathers.project::<C, true>(color, &units, first, 0, store);
                self.tail.project::<C, false>(color, &units, first, passed, positions);
            }
            PositionView::CarriedRecords(_) => self.gather(color, &units, first, 0, positions),
        }
    }

    fn push(&self, _: Range<usize>, _: bool, _: &Motions<f32>, _: Aim) -> f32 {
        unreachable!("impulses are given one row after another")
    }

    fn remember(&mut self) {
        self.runs.multipliers.remember();
        self.partial_runs.multipliers.remember();
        self.gathers.multipliers.remember();
        self.tail.multipliers.remember();
    }

    fn residual(&self, color: usize, positions: &PositionView<f32>) -> f32 {
        let runs = self.runs.range(color);
        let runs = self.runs.residual::<C, f32, _>(runs, positions, unpack);
        let partial = self.partial_runs.range(color);
        let partial = self.partial_runs.residual::<C, f32, _>(partial, positions, unpack);
        let gathers = self.gathers.range(color);
        let gathers = self.gathers.residual::<C, f32, _>(gathers, positions, unpack);
        let tail = self.tail.range(color);
        let tail = self.tail.residual::<C, f32, _>(tail, positions, |error| [error]);
        runs.max(partial).max(gathers).max(tail)
    }

    fn multipliers(&self) -> Vec<f32> {
        let rows: usize = self.colors.iter().map(|color| color.rows).sum();
        let mut out = vec![0.0; rows * K];
        let mut give = |row: u32, k: usize, value: f32| out[row as usize * K + k] = value;
        self.runs.multipliers.each(unpack, &mut give);
        self.partial_runs.multipliers.each(unpack, &mut give);
        self.gathers.multipliers.each(unpack, &mut give);
        self.tail.multipliers.each(|v| [v], &mut give);
        out
    }

    fn set_multipliers(&self, multipliers: &[f32]) {
        let of = |row: u32, k: usize| multipliers[row as usize * K + k];
        self.runs.multipliers.set(pack, &of);
        self.partial_runs.multipliers.set(pack, &of);
        self.gathers.multipliers.set(pack, &of);
        self.tail.multipliers.set(|[v]| v, &of);
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
