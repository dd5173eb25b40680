//! The rows of one kind and response kind made ready for scalar loops: one after another, in a given order.

use super::batch::Batch;
use super::grouping::{ColorStats, Form};
use super::list::List;
use super::row_set::{RowOrder, RowSet};
use crate::constraints::{Constraint, Response, ResponseType};
use crate::math::each;
use crate::settings::Settings;
use crate::state::{OneLane, PositionView};
use crate::threads::Team;
use std::marker::PhantomData;
use std::ops::Range;

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
    E: OneLane,
{
    let RowOrder { rows, permutation } = order;
    let slots = rows.iter().map(|&row| set.particles(row));
    let form = Form {
        slots: slots.map(|p| each(p, |i| permutation.storage(i))).collect(),
        starts: vec![0, rows.len()],
        rows,
    };
    let params = |rows: &[u32]| set.params(rows[0]).map(|p| E::of(f64::from(p)));
    let response = |rows: &[u32]| A::At::<E>::new(each(set.numbers::<A>(rows[0], settings), E::of));
    Box::new(ScalarRows::<C, E, A::At<E>, N, P, K> {
        kind: PhantomData,
        stats: [ColorStats {
            rows: form.rows.len(),
            tail: form.rows.len(),
            ..ColorStats::default()
        }],
        rows: List::new(form, 1, (&params, &response), set.is_uniform(), &Team::alone()),
    })
}

impl<C, E, A, const N: usize, const P: usize, const K: usize> Batch<E>
    for ScalarRows<C, E, A, N, P, K>
where
    C: Constraint<N, P, K>,
    E: OneLane,
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
            self.rows.average::<C>(color, &units, first, 0, positions, averaging);
            return;
        }
        match positions {
            PositionView::Records(store) => {
                self.rows.project::<C>(color, &units, first, 0, store);
            }
            PositionView::CarriedRecords(store) => {
                self.rows.project::<C>(color, &units, first, 0, store);
            }
            _ => unreachable!("scalar loops read records"),
        }
    }

    /// From the last to the first: here rows of a color share particles.
    fn project_back(&self, color: usize, units: Range<usize>, positions: &PositionView<E>) {
        units.rev().for_each(|i| self.project(color, i..i + 1, false, positions));
    }

    fn push(&self, color: usize, units: Range<usize>, positions: &PositionView<E>) -> f32 {
        self.rows.push::<C>(color, &units, 0, positions).0
    }

    fn remember(&mut self) {
        self.rows.multipliers.remember();
    }

    fn residual(&self, color: usize, positions: &PositionView<E>) -> f32 {
        self.rows.residual::<C>(color, positions)
    }

    fn multipliers(&self) -> Vec<f32> {
        let multipliers = &self.rows.multipliers;
        let mut out = vec![0.0; multipliers.len() * K];
        let mut give = |row: u32, k: usize, value: f32| out[row as usize * K + k] = value;
        multipliers.each(&mut give);
        out
    }

    fn set_multipliers(&self, multipliers: &[f32]) {
        let of = |row: u32, k: usize| multipliers[row as usize * K + k];
        self.rows.multipliers.set(&of);
    }

    fn slots(&self, color: usize, act: &mut dyn FnMut(u32)) {
        self.rows.each_slot(color, act);
    }

    fn bytes(&self) -> usize {
        self.rows.bytes()
    }
}
