//! Rows as authored become rows as projected: flat for the scalar loops, packets of eight (AoSoA) for the lanes.
//!
//! A batch is erased per kind ([`Batch`], [`FlatRows`]) and monomorphic within: one virtual call a color, none a row.

mod flat;
mod packed;

pub(crate) use flat::flatten_rows;
pub use flat::{FlatRows, FlatSource, Points};
pub(crate) use packed::pack_rows;
pub use packed::{Batch, ColorStats};

use crate::constraints::{Constraint, Particle, Response, project};
use crate::lanes::{Real, Vec3};

/// Where particles lie: loads and stores the particles that slot `I` names, as many as `R` has lanes.
pub trait Store<I: Copy, R: Real> {
    /// Position and inverse mass.
    fn load(&self, slot: I) -> Particle<R>;
    /// Position at the start of the substep.
    fn previous(&self, slot: I) -> Vec3<R>;
    /// Replaces the position.
    fn store(&self, slot: I, x: Vec3<R>);
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
        let mut sites = self.slots.map(|slot| store.load(slot));
        let previous = if A::DAMPED {
            self.slots.map(|slot| store.previous(slot))
        } else {
            [Vec3::zero(); N]
        };
        project::<C, _, _, _, N, P, K>(&mut sites, previous, self.params, self.response, lambda);
        for (slot, site) in self.slots.into_iter().zip(sites) {
            store.store(slot, site.x);
        }
    }
}
