//! One row, or eight side by side.

#![allow(clippy::needless_range_loop)] // sites, sums and velocities run side by side

use crate::constraints::{Constraint, Particle, Response, project, push};
use crate::math::{Real, Vec3};
use crate::state::{Averaging, Gather, PositionView, Store};

/// One row, or eight side by side: which particles, which parameters, how strongly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packet<I, R, A, const N: usize, const P: usize> {
    pub(super) slots: [I; N],
    pub(super) params: [R; P],
    pub(super) response: A,
}

impl<I: Copy, R: Real, A: Response<R>, const N: usize, const P: usize> Packet<I, R, A, N, P> {
    /// Loads the particles, projects, stores them; the projection is part of the caller's loop if `INLINED`, unless it is damped:
    /// few rows are.
    #[inline(always)]
    pub(super) fn project<C: Constraint<N, P, K>, const INLINED: bool, const K: usize>(
        &self,
        store: &impl Store<I, R>,
        lambda: &mut [R; K],
    ) {
        let mut sites = store.load(self.slots);
        self.solve::<C, INLINED, K>(store, &mut sites, lambda);
        store.store(self.slots, sites);
    }

    /// Projects particles that were loaded.
    #[inline(always)]
    pub(super) fn solve<C: Constraint<N, P, K>, const INLINED: bool, const K: usize>(
        &self,
        store: &impl Store<I, R>,
        sites: &mut [Particle<R>; N],
        lambda: &mut [R; K],
    ) {
        let previous = self.previous(store);
        if INLINED && !A::DAMPED {
            let (params, response) = (self.params, self.response);
            project::<C, _, _, _, N, P, K>(sites, previous, params, response, lambda);
        } else {
            called::<C, A, R, N, P, K>(sites, &previous, &self.params, &self.response, lambda);
        }
    }

    /// The same where corrections are averaged.
    pub(super) fn average<C: Constraint<N, P, K>, E, const K: usize>(
        &self,
        positions: &PositionView<E>,
        averaging: Averaging,
        lambda: &mut [R; K],
    ) where
        for<'a> PositionView<'a, E>: Store<I, R>,
    {
        let mut sites = positions.load(self.slots);
        let before = *lambda;
        let previous = self.previous(positions);
        called::<C, A, R, N, P, K>(&mut sites, &previous, &self.params, &self.response, lambda);
        average(positions, averaging, self.slots, A::COMPLIANT, &sites, &before, lambda);
    }

    /// Adds one to what the corrections of its particles are averaged over, where it gives one.
    pub(super) fn count<C: Constraint<N, P, K>, E, const K: usize>(
        &self,
        positions: &PositionView<E>,
        mut lambda: [R; K],
    ) where
        for<'a> PositionView<'a, E>: Store<I, R>,
    {
        let mut sites = positions.load(self.slots);
        let previous = self.previous(positions);
        let lambda = &mut lambda;
        called::<C, A, R, N, P, K>(&mut sites, &previous, &self.params, &self.response, lambda);
        count(positions, self.slots, &sites);
    }

    /// Changes the velocities of its particles, which lie where sums do, so that dC/dt = 0; the largest error met (m/s).
    pub(super) fn push<C: Constraint<N, P, K>, E, const K: usize>(
        &self,
        positions: &PositionView<E>,
    ) -> R
    where
        for<'a> PositionView<'a, E>: Store<I, R>,
    {
        let sites = positions.load(self.slots);
        let mut sums = positions.sums(self.slots);
        let mut v = [Vec3::zero(); N];
        for i in 0..N {
            v[i] = sums[i].x;
        }
        let [alpha, _, stiffness] = self.response.parts();
        let response = [alpha, stiffness];
        let error = push::<C, R, N, P, K>(&sites, &mut v, &self.params, response);
        for i in 0..N {
            sums[i].x = v[i];
        }
        positions.set_sums(self.slots, sums);
        error
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

/// The projection as a function of its own, one for each kind, response and width: for all but the loops that most rows pass
/// through, since every copy of it costs a tenth of a second to compile.
#[inline(never)]
fn called<C, A, R, const N: usize, const P: usize, const K: usize>(
    sites: &mut [Particle<R>; N],
    previous: &[Vec3<R>; N],
    params: &[R; P],
    response: &A,
    lambda: &mut [R; K],
) where
    C: Constraint<N, P, K>,
    A: Response<R>,
    R: Real,
{
    project::<C, _, _, _, N, P, K>(sites, *previous, *params, *response, lambda);
}

/// Counts a row that would leave its particles as `sites`, if it moves any of them.
#[inline(never)] // the same for all kinds of as many particles
fn count<I: Copy, R: Real, E, const N: usize>(
    store: &PositionView<E>,
    slots: [I; N],
    sites: &[Particle<R>; N],
) where
    for<'a> PositionView<'a, E>: Store<I, R>,
{
    let zero = R::zero();
    let mut acts = zero.lt(zero);
    for Particle { moved, .. } in sites {
        let [x, y, z] = moved.to_array().map(|v| zero.lt(v.abs()));
        acts = acts | x | y | z;
    }
    let mut sums = store.sums(slots);
    for i in 0..N {
        sums[i].w = R::select(acts & zero.lt(sites[i].w), sums[i].w + R::of(1.0), sums[i].w);
    }
    store.set_sums(slots, sums);
}

/// Puts a row's corrections, `sites` and `lambda` as it alone would leave them, to those of the others.
#[inline(never)] // the same for all kinds of as many particles
fn average<I: Copy, R: Real, E, const N: usize, const K: usize>(
    store: &PositionView<E>,
    averaging: Averaging,
    slots: [I; N],
    compliant: bool,
    sites: &[Particle<R>; N],
    before: &[R; K],
    lambda: &mut [R; K],
) where
    for<'a> PositionView<'a, E>: Store<I, R>,
{
    let mut sites = *sites;
    let start = store.load(slots);
    let before_them = store.stored(slots, start);
    let mut sums = store.sums(slots);
    if compliant {
        let mut most = R::of(1.0);
        for sum in &sums {
            most = most.max(sum.w);
        }
        let fraction = R::of(1.0) / most;
        let fraction_of_lambda = R::of(averaging.omega) * fraction;
        for k in 0..K {
            lambda[k] = before[k] + (lambda[k] - before[k]) * fraction_of_lambda;
        }
        let alone = store.stored(slots, sites);
        sites = start;
        for i in 0..N {
            sites[i].correct((alone[i] - before_them[i]) * (sums[i].w * fraction));
        }
    }
    match averaging.gather {
        Gather::Sum => {
            let stored = store.stored(slots, sites);
            for i in 0..N {
                sums[i].x += stored[i] - before_them[i];
            }
            store.set_sums(slots, sums);
        }
        Gather::InPlace => store.store(slots, sites),
        Gather::Count => unreachable!("rows that are counted are not averaged"),
    }
}
