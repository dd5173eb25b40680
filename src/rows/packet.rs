//! One row, or eight side by side.

use crate::constraints::{Constraint, Particle, Response, project, push};
use crate::math::{Real, Vec3, each};
use crate::state::{Averaging, Gather, Store};
use crate::threads::PacketSlots;

/// One row, or eight side by side: which particles, which parameters, how strongly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packet<I, R, A, const N: usize, const P: usize> {
    pub(super) slots: PacketSlots<I, N>,
    pub(super) params: [R; P],
    pub(super) response: A,
}

impl<I: Copy, R: Real, A: Response<R>, const N: usize, const P: usize> Packet<I, R, A, N, P> {
    /// Loads the particles, projects, stores them, as part of the caller's loop.
    #[inline(always)]
    pub(super) fn project<C: Constraint<N, P, K>, const K: usize>(
        &self,
        store: &impl Store<I, R>,
        lambda: &mut [R; K],
    ) {
        let mut sites = store.load(self.slots);
        self.solve::<C, K>(store, &mut sites, lambda);
        store.store(self.slots, sites);
    }

    /// Projects particles that were loaded.
    #[inline(always)]
    pub(super) fn solve<C: Constraint<N, P, K>, const K: usize>(
        &self,
        store: &impl Store<I, R>,
        sites: &mut [Particle<R>; N],
        lambda: &mut [R; K],
    ) {
        let previous = previous(store, self.slots, A::DAMPED);
        // Few rows are damped.
        if A::DAMPED {
            called::<C, A, R, N, P, K>(sites, &previous, &self.params, &self.response, lambda);
        } else {
            let (params, response) = (self.params, self.response);
            project::<C, _, _, _, N, P, K>(sites, previous, params, response, lambda);
        }
    }

    /// The same by calls, wherever the particles are.
    pub(super) fn project_apart<C: Constraint<N, P, K>, const K: usize>(
        &self,
        positions: &impl Store<I, R>,
        lambda: &mut [R; K],
    ) {
        project_apart(positions, self.slots, A::DAMPED, lambda, &|s, x, l| {
            called::<C, A, R, N, P, K>(s, x, &self.params, &self.response, l);
        });
    }

    /// The same where corrections are averaged; or counts the row, if it would move any of its particles.
    pub(super) fn average<C: Constraint<N, P, K>, const K: usize>(
        &self,
        positions: &impl Store<I, R>,
        averaging: Averaging,
        lambda: &mut [R; K],
    ) {
        average(positions, self.slots, [A::DAMPED, A::COMPLIANT], averaging, lambda, &|s, x, l| {
            called::<C, A, R, N, P, K>(s, x, &self.params, &self.response, l);
        });
    }

    /// Changes the velocities of its particles, which lie where sums do, so that dC/dt = 0; the largest error met (m/s).
    pub(super) fn push<C: Constraint<N, P, K>, const K: usize>(
        &self,
        positions: &impl Store<I, R>,
    ) -> R {
        let [alpha, _, stiffness] = self.response.parts();
        change_velocities(positions, self.slots, &|sites, v| {
            push::<C, R, N, P, K>(sites, v, &self.params, [alpha, stiffness])
        })
    }
}

/// Positions at the start of the substep, where a response reads them.
#[inline(always)]
fn previous<I: Copy, R: Real, const N: usize>(
    store: &impl Store<I, R>,
    slots: PacketSlots<I, N>,
    damped: bool,
) -> [Vec3<R>; N] {
    if damped { store.previous(slots) } else { [Vec3::zero(); N] }
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

/// What a row by itself would do: sites, previous positions, multipliers.
type Project<'a, R, const N: usize, const K: usize> =
    &'a dyn Fn(&mut [Particle<R>; N], &[Vec3<R>; N], &mut [R; K]);

/// What a row does to the velocities of its sites; its error (m/s).
type Push<'a, R, const N: usize> = &'a dyn Fn(&[Particle<R>; N], &mut [Vec3<R>; N]) -> R;

// Of what follows there is one for each number of particles and width, not one for each kind: a row is handed in as a call.

/// Loads the particles of a row, projects, stores them.
#[inline(never)]
fn project_apart<I: Copy, R: Real, const N: usize, const K: usize>(
    store: &impl Store<I, R>,
    slots: PacketSlots<I, N>,
    damped: bool,
    lambda: &mut [R; K],
    project: Project<R, N, K>,
) {
    let mut sites = store.load(slots);
    project(&mut sites, &previous(store, slots, damped), lambda);
    store.store(slots, sites);
}

/// Puts the corrections of a row, as it alone would make them, to those of the others, or counts it among those that act.
#[inline(never)]
fn average<I: Copy, R: Real, const N: usize, const K: usize>(
    store: &impl Store<I, R>,
    slots: PacketSlots<I, N>,
    [damped, compliant]: [bool; 2],
    averaging: Averaging,
    lambda: &mut [R; K],
    project: Project<R, N, K>,
) {
    let start = store.load(slots);
    let (mut sites, before) = (start, *lambda);
    project(&mut sites, &previous(store, slots, damped), lambda);
    let mut sums = store.sums(slots);
    if averaging.gather == Gather::Count {
        count(&sites, &mut sums);
        return store.set_sums(slots, sums);
    }
    let before_them = store.stored(slots, start);
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
    if averaging.gather == Gather::InPlace {
        return store.store(slots, sites);
    }
    let stored = store.stored(slots, sites);
    for i in 0..N {
        sums[i].x += stored[i] - before_them[i];
    }
    store.set_sums(slots, sums);
}

/// Adds one to what the corrections of particles are averaged over, where a row moves any of them.
#[inline(always)]
fn count<R: Real, const N: usize>(sites: &[Particle<R>; N], sums: &mut [Particle<R>; N]) {
    let zero = R::zero();
    let mut acts = zero.lt(zero);
    for Particle { moved, .. } in sites {
        let [x, y, z] = each(moved.to_array(), |v| zero.lt(v.abs()));
        acts = acts | x | y | z;
    }
    for i in 0..N {
        sums[i].w = R::select(acts & zero.lt(sites[i].w), sums[i].w + R::of(1.0), sums[i].w);
    }
}

/// Changes the velocities of a row's particles, which lie where sums do; returns its error (m/s).
#[inline(never)]
fn change_velocities<I: Copy, R: Real, const N: usize>(
    store: &impl Store<I, R>,
    slots: PacketSlots<I, N>,
    push: Push<R, N>,
) -> R {
    let (sites, mut sums) = (store.load(slots), store.sums(slots));
    let mut v = [Vec3::zero(); N];
    for i in 0..N {
        v[i] = sums[i].x;
    }
    let error = push(&sites, &mut v);
    for i in 0..N {
        sums[i].x = v[i];
    }
    store.set_sums(slots, sums);
    error
}

/// Positions alone, for what is not hot.
#[inline(never)]
pub(super) fn points<I: Copy, R: Real, const N: usize>(
    store: &impl Store<I, R>,
    slots: PacketSlots<I, N>,
) -> [Vec3<R>; N] {
    let sites = store.load(slots);
    let mut x = [Vec3::zero(); N];
    for i in 0..N {
        x[i] = sites[i].x;
    }
    x
}
