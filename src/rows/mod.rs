//! Rows as authored become rows as projected: flat for the scalar loops, packets of eight (AoSoA) for the lanes.
//!
//! A batch is erased per kind ([`Batch`], [`FlatRows`]) and monomorphic within: one virtual call a color, none a row.

mod flat;
mod grouping;
mod motions;
mod packed;
mod places;
mod residual;
mod schedule;
mod set;
mod sharing;
mod strength;

pub(crate) use flat::flatten_rows;
pub use flat::{FlatRows, FlatSource, Points};
pub use grouping::ColorStats;
pub use motions::Motions;
pub use packed::Batch;
pub(crate) use packed::pack_rows;
pub(crate) use places::{Field, Places};
pub(crate) use schedule::{Band, Schedule, Turn, schedule};
pub(crate) use set::typed_mut;
pub use set::{AnyRows, Residual, RowSet, Span};
pub use sharing::{Sharing, counts};
pub(crate) use strength::convert;
pub use strength::{ResponseKind, Strength};

use crate::constraints::{Constraint, Particle, Response, project};
use crate::math::{Real, Vec3};

/// Where particles lie: loads and stores the particles that slots `I` name, as many a slot as `R` has lanes.
pub trait Store<I: Copy, R: Real> {
    /// Positions and inverse masses.
    fn load<const N: usize>(&self, slots: [I; N]) -> [Particle<R>; N];
    /// Begins to fetch what [`load`](Store::load) will read, where that is far away.
    #[inline(always)]
    fn fetch<const N: usize>(&self, _slots: &[I; N]) {}
    /// Positions at the start of the substep.
    fn previous<const N: usize>(&self, slots: [I; N]) -> [Vec3<R>; N];
    /// Replaces the positions.
    fn store<const N: usize>(&self, slots: [I; N], sites: [Particle<R>; N]);
    /// Set where rows start from the same positions, and their corrections must be put together.
    #[inline(always)]
    fn sharing(&self) -> Option<Sharing> {
        None
    }
    /// Corrections gathered so far, and in place of the inverse mass how many they are averaged over; of a store that shares.
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: [I; N]) -> [Particle<R>; N] {
        self.load(slots)
    }
    /// Replaces the corrections gathered.
    #[inline(always)]
    fn set_sums<const N: usize>(&self, slots: [I; N], sums: [Particle<R>; N]) {
        self.store(slots, sums);
    }
}

/// One row, or eight side by side: which particles, which parameters, how strongly.
#[derive(Clone, Copy, Debug)]
pub struct Packet<I, R, A, const N: usize, const P: usize> {
    slots: [I; N],
    params: [R; P],
    response: A,
}

impl<I: Copy, R: Real, A: Response<R>, const N: usize, const P: usize> Packet<I, R, A, N, P> {
    /// Loads the particles, projects, stores them.
    #[inline(always)]
    fn project<C: Constraint<N, P, K>, const K: usize>(
        &self,
        store: &impl Store<I, R>,
        lambda: &mut [R; K],
    ) {
        let mut sites = store.load(self.slots);
        let previous = self.previous(store);
        project::<C, _, _, _, N, P, K>(&mut sites, previous, self.params, self.response, lambda);
        store.store(self.slots, sites);
    }

    /// The same where corrections are shared; `earlier`, if remembered, are the multipliers of one iteration before.
    fn share<C: Constraint<N, P, K>, const K: usize>(
        &self,
        store: &impl Store<I, R>,
        sharing: Sharing,
        lambda: &mut [R; K],
        earlier: Option<&mut [R; K]>,
    ) {
        let mut sites = store.load(self.slots);
        let before = *lambda;
        let previous = self.previous(store);
        project::<C, _, _, _, N, P, K>(&mut sites, previous, self.params, self.response, lambda);
        sharing::share(
            store,
            sharing,
            self.slots,
            A::COMPLIANT,
            sites,
            before,
            lambda,
        );
        if let Some(earlier) = earlier {
            sharing.settle_multipliers(lambda, before, *earlier);
            *earlier = before;
        }
    }

    /// Positions at the start of the substep, where the response reads them.
    #[inline(always)]
    fn previous(&self, store: &impl Store<I, R>) -> [Vec3<R>; N] {
        match A::DAMPED {
            true => store.previous(self.slots),
            false => [Vec3::zero(); N],
        }
    }
}
