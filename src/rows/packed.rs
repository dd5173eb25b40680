//! Packed rows: the lanes' form, eight rows of a color side by side.

use super::grouping::{ColorStats, Form, Grouping, PADDING};
use super::{Packet, Places, Sharing, Store};
use crate::coloring::Coloring;
use crate::constraints::{Class, Constraint, Response};
use crate::math::{F32x8, Real, WIDTH, each_lane, pack, unpack};
use crate::rows::RowSet;
use crate::settings::Settings;
use crate::threads::{Cells, PartialRun, Run};
use std::marker::PhantomData;
use std::ops::Range;

/// All rows of a kind and class, colored and packed.
#[allow(private_interfaces)] // made and driven by the crate's own methods
pub trait Batch: Send + Sync {
    /// The kind.
    fn name(&self) -> &'static str;
    /// What each color is made of.
    fn colors(&self) -> &[ColorStats];
    /// Projects a part of a color's units, runs first, then partial runs, gathers and tail; the `first` time in a substep
    /// from multipliers of zero.
    #[doc(hidden)]
    fn project(&self, color: usize, part: Range<usize>, first: bool, places: &Places);
    /// Makes room for the multipliers of one iteration before, which Chebyshev's acceleration needs.
    fn remember(&mut self);
    /// The largest residual |C + α/h² λ| / |∇C| of a color's rows (m).
    #[doc(hidden)]
    fn residual(&self, color: usize, places: &Places) -> f32;
    /// Every row's multipliers, in the rows' authored order.
    fn multipliers(&self) -> Vec<f32>;
    /// Does `act` with every place that a color's packets read or write, padding lanes included.
    fn places(&self, color: usize, act: &mut dyn FnMut(u32));
    /// Bytes an iteration reads: packets and multipliers.
    fn bytes(&self) -> usize;
}

/// Packets between the one being projected and the one being fetched.
const AHEAD: usize = 6;

/// Packets of one form, of all colors.
struct List<I, R, A, const N: usize, const P: usize, const K: usize> {
    packets: Vec<Packet<I, R, A, N, P>>,
    lambda: Cells<[R; K]>,
    /// The multipliers of one iteration before, where they are remembered.
    earlier: Cells<[R; K]>,
    /// The authored row of each lane, or [`PADDING`].
    rows: Vec<u32>,
    /// Where each color's packets begin, and the end.
    starts: Vec<usize>,
}

impl<I: Copy, R: Real, A: Response<R>, const N: usize, const P: usize, const K: usize>
    List<I, R, A, N, P, K>
{
    /// The packets of a form, of `lanes` rows each; `numbers` gives their parameters and response.
    fn new(form: Form<I, N>, lanes: usize, numbers: impl Fn(&[u32]) -> ([R; P], A)) -> Self {
        let Form {
            slots,
            rows,
            starts,
        } = form;
        let packet = |(slots, rows): ([I; N], &[u32])| {
            let (params, response) = numbers(rows);
            Packet {
                slots,
                params,
                response,
            }
        };
        let packets: Vec<_> = slots
            .into_iter()
            .zip(rows.chunks_exact(lanes))
            .map(packet)
            .collect();
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

    fn of(&self, color: usize) -> &[Packet<I, R, A, N, P>] {
        &self.packets[self.starts[color]..self.starts[color + 1]]
    }

    /// Projects the packets of `color` that `part` (of the color's units, `before` of which lie in other lists) covers;
    /// returns how many units have been passed.
    #[inline(always)]
    fn project<C: Constraint<N, P, K>>(
        &self,
        color: usize,
        part: &Range<usize>,
        first: bool,
        before: usize,
        store: &impl Store<I, R>,
    ) -> usize {
        let count = self.count(color);
        let begin = self.starts[color];
        let at = |unit: usize| begin + unit.saturating_sub(before).min(count);
        let end = at(part.end);
        let packets = at(part.start)..end;
        if let Some(sharing) = store.sharing() {
            self.share::<C>(packets, first, store, sharing);
            return before + count;
        }
        for i in packets {
            if let Some(ahead) = self.packets[..end].get(i + AHEAD) {
                store.fetch(&ahead.slots);
            }
            let mut lambda = self.multipliers(i, first);
            self.packets[i].project::<C, K>(store, &mut lambda);
            self.lambda.set(i, lambda);
        }
        before + count
    }

    /// Projects `packets`, corrections shared: out of line, so that the loop of those that are not is as it would be alone.
    #[inline(never)]
    fn share<C: Constraint<N, P, K>>(
        &self,
        packets: Range<usize>,
        first: bool,
        store: &impl Store<I, R>,
        sharing: Sharing,
    ) {
        for i in packets {
            let mut lambda = self.multipliers(i, first);
            match self.earlier.len() {
                0 => self.packets[i].share::<C, K>(store, sharing, &mut lambda, None),
                _ => {
                    let mut earlier = self.earlier.get(i);
                    self.packets[i].share::<C, K>(store, sharing, &mut lambda, Some(&mut earlier));
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

    fn remember(&mut self) {
        self.earlier = Cells::new(self.packets.len(), [R::zero(); K]);
    }

    /// The largest residual of the color's rows; `lanes` takes a packet's numbers apart, lane by lane.
    fn residual<C: Constraint<N, P, K>, const L: usize>(
        &self,
        color: usize,
        store: &impl Store<I, R>,
        lanes: impl Fn(R) -> [f32; L],
    ) -> f32 {
        let mut largest = 0.0_f32;
        for i in self.starts[color]..self.starts[color + 1] {
            let found = self.packets[i].residual::<C, K>(store, &self.lambda.get(i));
            for (&row, error) in self.rows[i * L..].iter().zip(lanes(found)) {
                if row != PADDING {
                    largest = largest.max(error);
                }
            }
        }
        largest
    }

    fn bytes(&self) -> usize {
        let multipliers = self.lambda.len() + self.earlier.len();
        size_of_val(&*self.packets) + multipliers * size_of::<[R; K]>()
    }
}

struct Packed<C, A: Class, const N: usize, const P: usize, const K: usize> {
    kind: PhantomData<C>,
    colors: Vec<ColorStats>,
    runs: List<Run, F32x8, A::At<F32x8>, N, P, K>,
    partial_runs: List<PartialRun, F32x8, A::At<F32x8>, N, P, K>,
    gathers: List<[u32; WIDTH], F32x8, A::At<F32x8>, N, P, K>,
    tail: List<u32, f32, A::At<f32>, N, P, K>,
}

/// Packs the rows of `set`, whose particles lie at `slots` among `places`. `structured`: they were numbered so that rows
/// form runs; without it all rows are gathered.
pub(crate) fn pack_rows<A, C, const N: usize, const P: usize, const K: usize>(
    set: &RowSet<C, N, P, K>,
    coloring: &Coloring,
    slots: &[[u32; N]],
    places: usize,
    structured: bool,
    settings: &Settings,
) -> Box<dyn Batch>
where
    A: Class,
    C: Constraint<N, P, K>,
{
    let Grouping {
        colors,
        runs,
        partial_runs,
        gathers,
        tail,
    } = Grouping::new(slots, places, coloring, structured);
    let numbers = |row: u32| set.numbers::<A>(row, settings).map(|v| v as f32);
    // Eight rows side by side; padding lanes have the first row's numbers.
    let wide = |rows: &[u32]| {
        let lane = |i: usize| if rows[i] == PADDING { rows[0] } else { rows[i] };
        (
            std::array::from_fn(|p| pack(each_lane(|i| set.params(lane(i))[p]))),
            A::At::<F32x8>::new(std::array::from_fn(|n| {
                pack(each_lane(|i| numbers(lane(i))[n]))
            })),
        )
    };
    let narrow = |rows: &[u32]| (set.params(rows[0]), A::At::<f32>::new(numbers(rows[0])));
    Box::new(Packed::<C, A, N, P, K> {
        kind: PhantomData,
        colors,
        runs: List::new(runs, WIDTH, wide),
        partial_runs: List::new(partial_runs, WIDTH, wide),
        gathers: List::new(gathers, WIDTH, wide),
        tail: List::new(tail, 1, narrow),
    })
}

#[allow(private_interfaces)]
impl<C, A, const N: usize, const P: usize, const K: usize> Batch for Packed<C, A, N, P, K>
where
    C: Constraint<N, P, K>,
    A: Class,
{
    fn name(&self) -> &'static str {
        C::NAME
    }

    fn colors(&self) -> &[ColorStats] {
        &self.colors
    }

    #[inline(never)] // a frame of its own in profiles
    fn project(&self, color: usize, part: Range<usize>, first: bool, places: &Places) {
        match places {
            Places::Columns(store) => {
                let passed = self.runs.project::<C>(color, &part, first, 0, store);
                let passed = self
                    .partial_runs
                    .project::<C>(color, &part, first, passed, store);
                let passed = self
                    .gathers
                    .project::<C>(color, &part, first, passed, store);
                self.tail.project::<C>(color, &part, first, passed, store);
            }
            Places::Records(store) => {
                let passed = self.gathers.project::<C>(color, &part, first, 0, store);
                self.tail.project::<C>(color, &part, first, passed, store);
            }
        }
    }

    fn remember(&mut self) {
        self.runs.remember();
        self.partial_runs.remember();
        self.gathers.remember();
        self.tail.remember();
    }

    fn residual(&self, color: usize, places: &Places) -> f32 {
        let one = |error| [error];
        match places {
            Places::Columns(store) => {
                let runs = self.runs.residual::<C, _>(color, store, unpack);
                let partial = self.partial_runs.residual::<C, _>(color, store, unpack);
                let gathers = self.gathers.residual::<C, _>(color, store, unpack);
                let tail = self.tail.residual::<C, _>(color, store, one);
                runs.max(partial).max(gathers).max(tail)
            }
            Places::Records(store) => {
                let gathers = self.gathers.residual::<C, _>(color, store, unpack);
                gathers.max(self.tail.residual::<C, _>(color, store, one))
            }
        }
    }

    fn multipliers(&self) -> Vec<f32> {
        let rows: usize = self.colors.iter().map(|color| color.rows).sum();
        let mut out = vec![0.0; rows * K];
        let mut put = |row: u32, k: usize, value: f32| {
            if row != PADDING {
                out[row as usize * K + k] = value;
            }
        };
        let mut wide = |rows: &[u32], lambda: &Cells<[F32x8; K]>| {
            for (i, rows) in rows.chunks_exact(WIDTH).enumerate() {
                for (k, lanes) in lambda.get(i).into_iter().enumerate() {
                    for (&row, value) in rows.iter().zip(unpack(lanes)) {
                        put(row, k, value);
                    }
                }
            }
        };
        wide(&self.runs.rows, &self.runs.lambda);
        wide(&self.partial_runs.rows, &self.partial_runs.lambda);
        wide(&self.gathers.rows, &self.gathers.lambda);
        for (i, &row) in self.tail.rows.iter().enumerate() {
            for (k, value) in self.tail.lambda.get(i).into_iter().enumerate() {
                put(row, k, value);
            }
        }
        out
    }

    fn places(&self, color: usize, act: &mut dyn FnMut(u32)) {
        let mut run = |first: u32| (first..first + WIDTH as u32).for_each(&mut *act);
        for packet in self.runs.of(color) {
            packet.slots.iter().for_each(|slot| run(slot.first));
        }
        for packet in self.partial_runs.of(color) {
            packet.slots.iter().for_each(|slot| run(slot.first));
        }
        for packet in self.gathers.of(color) {
            packet
                .slots
                .as_flattened()
                .iter()
                .copied()
                .for_each(&mut *act);
        }
        for packet in self.tail.of(color) {
            packet.slots.iter().copied().for_each(&mut *act);
        }
    }

    fn bytes(&self) -> usize {
        self.runs.bytes() + self.partial_runs.bytes() + self.gathers.bytes() + self.tail.bytes()
    }
}
