//! Contact rows of one kind: made anew, colored, packed as many side by side as the width has lanes, projected, and turned
//! about in the velocity pass.

use super::contact_row::ContactRow;
use super::parting::Parting;
use crate::coloring::DynamicColoring;
use crate::constraints::{Contact, Rebound, Sliding};
use crate::math::{Real, Vec3};
use crate::rows::overlap_halves;
use crate::state::{Column3, RecordView, Width, largest_lane, nothing};
use crate::subsystem::StepContext;
use crate::threads::{Cells, Worker};
use std::ops::Range;

/// As many rows as `W` has lanes, and where their particles lie.
#[derive(Clone, Copy)]
pub(super) struct Packet<W: Width, const N: usize, const P: usize> {
    pub(super) slots: [W::Slots; N],
    pub(super) row: ContactRow<W, N, P>,
}

impl<W: Width, const N: usize, const P: usize> Packet<W, N, P> {
    /// The rows that `order` lists; lanes beyond the last repeat it, and do what it does.
    pub(super) fn new(order: &[u32], rows: &[[u32; N]], params: &[[f32; P]]) -> Self {
        let mut packet = Self::empty();
        let row = |lane: usize| order[lane.min(order.len() - 1)] as usize;
        for (slot, slots) in packet.slots.iter_mut().enumerate() {
            *slots = W::slots(|lane| rows[row(lane)][slot]);
        }
        for (p, out) in packet.row.params.iter_mut().enumerate() {
            let param = |lane: usize| f64::from(params[row(lane)][p]);
            *out = W::collect(|lane| W::Element::of(param(lane)));
        }
        packet
    }

    fn empty() -> Self {
        Self { slots: [W::slots(|_| 0); N], row: ContactRow::new([W::zero(); P]) }
    }

    #[inline(always)]
    pub(super) fn begin<C: Contact<N, P>>(&mut self, step: &StepContext<W::Element>) {
        let previous = step.particles.load_previous(self.slots);
        let velocities = step.particles.load_velocities(self.slots);
        self.row.begin::<C>(previous, velocities);
    }

    #[inline(always)]
    pub(super) fn project<C: Contact<N, P>>(
        &mut self,
        step: &StepContext<W::Element>,
        mu: Option<W>,
        parting: &Parting<W>,
    ) {
        let mut sites = step.positions.load(self.slots);
        let previous = || step.particles.load_previous(self.slots);
        self.row.project::<C>(&mut sites, mu, parting, previous);
        step.positions.store(self.slots, sites);
    }

    /// How far each contact is violated (m), where anything can move.
    pub(super) fn residual<C: Contact<N, P>>(&self, step: &StepContext<W::Element>) -> f32 {
        let sites = step.positions.load(self.slots);
        largest_lane(self.row.residual::<C>(&sites))
    }

    #[inline(always)]
    pub(super) fn respond<C: Contact<N, P>>(
        &self,
        step: &StepContext<W::Element>,
        rebound: &Rebound<f64>,
    ) {
        let pressed = W::zero().lt(self.row.touch.lambda);
        let acts = pressed & self.row.gap.lt(W::zero());
        if !(rebound.stops || W::any(acts)) {
            return;
        }
        let mut x = [Vec3::zero(); N];
        for i in 0..N {
            x[i] = step.particles.gather(Column3::Position, self.slots[i]);
        }
        let before = step.particles.load_velocities(self.slots);
        let mut velocities = before;
        self.row.respond::<C>(x, &mut velocities, Vec3::zero(), rebound);
        if !rebound.stops {
            // Lanes that do not act stay as they are, whatever their neighbors do: 0 · ∞ would be NaN.
            for i in 0..N {
                velocities[i].x = Vec3::select(acts, velocities[i].x, before[i].x);
            }
        }
        step.particles.store_velocities(self.slots, velocities);
    }
}

/// Fewer packets of a color than this are not worth sharing: each worker meets particles that the other has just written.
const SHARED: usize = 48;

/// The rows of a kind.
pub(super) struct ContactRows<W: Width, const N: usize, const P: usize> {
    packets: Cells<Packet<W, N, P>>,
    /// The remainder.
    tail: Cells<Packet<W::Element, N, P>>,
    /// Where the rows of each packet, then those of the remainder, lie in the coloring's order.
    places: Vec<Range<u32>>,
    /// The packets of each color.
    colors: Vec<Range<usize>>,
}

impl<W: Width, const N: usize, const P: usize> ContactRows<W, N, P> {
    pub(super) fn new() -> Self {
        Self {
            packets: Cells::new(0, Packet::empty()),
            tail: Cells::new(0, Packet::empty()),
            places: Vec::new(),
            colors: Vec::new(),
        }
    }

    /// Makes room for rows as colored.
    pub(super) fn resize(&mut self, coloring: &DynamicColoring) {
        let Self { places, colors, .. } = self;
        colors.clear();
        places.clear();
        let mut first = 0;
        for color in coloring.colors() {
            let (begin, end) = (places.len(), first + color.len() as u32);
            let packets = (first..end).step_by(W::LANES);
            places.extend(packets.map(|first| first..end.min(first + W::LANES as u32)));
            colors.push(begin..places.len());
            first = end;
        }
        self.packets.resize(places.len(), Packet::empty());
        self.tail.resize(coloring.remainder().len(), Packet::empty());
        places.extend((first..coloring.order().len() as u32).map(|row| row..row + 1));
    }

    /// All rows, in any order, by where they lie in the coloring's order.
    pub(super) fn each(
        &self,
        worker: &Worker,
        packet: impl Fn(Range<usize>, &mut Packet<W, N, P>),
        single: impl Fn(Range<usize>, &mut Packet<W::Element, N, P>),
    ) {
        let place = |k: usize| self.places[k].start as usize..self.places[k].end as usize;
        worker.parallel_for(self.packets.len(), |range| {
            range.for_each(|k| self.packets.update(k, |row| packet(place(k), row)));
        });
        let packets = self.packets.len();
        worker.parallel_for(self.tail.len(), |range| {
            range.for_each(|k| self.tail.update(k, |row| single(place(packets + k), row)));
        });
    }

    /// All rows, color by color, then the remainder one after another.
    pub(super) fn walk(
        &self,
        worker: &Worker,
        packet: impl Fn(&mut Packet<W, N, P>),
        single: impl Fn(&mut Packet<W::Element, N, P>),
    ) {
        let act = |range: Range<usize>| range.for_each(|k| self.packets.update(k, &packet));
        self.walk_colors(worker, act, single);
    }

    /// One iteration of packets whose particles lie in `records`: as [`Packet::project`], four packets under way.
    pub(super) fn project_records<C: Contact<N, P>>(
        &self,
        worker: &Worker,
        (step, records): (&StepContext<W::Element>, &RecordView<W::Element>),
        mu: Option<W>,
        parting: &Parting<W>,
        single: impl Fn(&mut Packet<W::Element, N, P>),
    ) {
        let slots = |k: usize| self.packets.get(k).slots;
        let unmoved = Sliding::nothing::<C, P>();
        let act = |range: Range<usize>| {
            overlap_halves(
                range,
                ([nothing(); N], ([nothing(); N], unmoved)),
                #[inline(always)]
                |k| records.load(slots(k)),
                #[inline(always)]
                |k, mut sites| {
                    let mut sliding = unmoved;
                    self.packets.update(
                        k,
                        #[inline(always)]
                        |Packet { row, .. }| {
                            sliding = row.project_normal::<C>(&mut sites, mu.is_some(), parting);
                        },
                    );
                    (sites, sliding)
                },
                #[inline(always)]
                |k, (mut sites, sliding)| {
                    let Some(mu) = mu else { return sites };
                    self.packets.update(
                        k,
                        #[inline(always)]
                        |&mut Packet { slots, ref mut row }| {
                            let previous = || step.particles.load_previous(slots);
                            row.project_friction::<C>(&mut sites, sliding, mu, previous);
                        },
                    );
                    sites
                },
                #[inline(always)]
                |k, sites| records.store(slots(k), sites),
            );
        };
        self.walk_colors(worker, act, single);
    }

    /// Does `act` with packets of one color, then of the next.
    fn walk_colors(
        &self,
        worker: &Worker,
        act: impl Fn(Range<usize>),
        single: impl Fn(&mut Packet<W::Element, N, P>),
    ) {
        let shared = |color: &Range<usize>| color.len() >= SHARED;
        for colors in self.colors.chunk_by(|a, b| shared(a) == shared(b)) {
            if !shared(&colors[0]) {
                worker.single(|| colors.iter().cloned().for_each(&act));
                continue;
            }
            for color in colors {
                let at = |k: usize| color.start + k;
                worker.parallel_for(color.len(), |range| act(at(range.start)..at(range.end)));
            }
        }
        if self.tail.len() > 0 {
            worker.single(|| (0..self.tail.len()).for_each(|k| self.tail.update(k, &single)));
        }
    }
}
