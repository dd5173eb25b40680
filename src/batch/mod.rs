//! Rows as authored become rows as projected: flat for the scalar loops, packets of eight (AoSoA) for the lanes.
//!
//! A batch is erased per kind ([`Batch`], [`FlatRows`]) and monomorphic within: one virtual call a color, none a row.

mod flat;
mod grouping;
mod packed;
mod places;

pub(crate) use flat::flatten_rows;
pub use flat::{FlatRows, FlatSource, Points};
pub use grouping::ColorStats;
pub use packed::Batch;
pub(crate) use packed::pack_rows;
pub(crate) use places::Places;

use crate::constraints::{Constraint, Particle, Response, project};
use crate::lanes::{Real, Vec3};

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
        let previous = if A::DAMPED {
            store.previous(self.slots)
        } else {
            [Vec3::zero(); N]
        };
        project::<C, _, _, _, N, P, K>(&mut sites, previous, self.params, self.response, lambda);
        store.store(self.slots, sites);
    }
}
