//! One contact of particles, or several side by side: it begins, is projected, and turns velocities about.

use super::parting::Parting;
use crate::constraints::{
    Contact, ContactImpulse, Particle, Rebound, Sliding, direction, project_contact, project_normal,
};
use crate::math::{Real, Vec3};
use crate::rows::largest_residual;

/// One contact, or several side by side: its parameters, and what it has done in this substep.
#[derive(Clone, Copy)]
pub(super) struct ContactRow<R, const N: usize, const P: usize> {
    pub(super) params: [R; P],
    /// Σ b start of the points that touch (m).
    pub(super) start: Vec3<R>,
    /// How fast they came together (m/s).
    pub(super) approach: R,
    /// How far they were apart when the substep began (m).
    pub(super) gap: R,
    pub(super) touch: ContactImpulse<R>,
}

impl<R: Real, const N: usize, const P: usize> ContactRow<R, N, P> {
    pub(super) fn new(params: [R; P]) -> Self {
        let (start, zero) = (Vec3::zero(), R::zero());
        Self { params, start, approach: zero, gap: zero, touch: ContactImpulse::none() }
    }

    /// The substep begins: particles were at `previous` and go with `velocities`.
    #[inline(always)]
    pub(super) fn begin<C: Contact<N, P>>(
        &mut self,
        previous: [Vec3<R>; N],
        velocities: [Particle<R>; N],
    ) {
        let (normal, shares) = direction::<C, R, N, P>(previous, self.params);
        let mut v = Vec3::zero();
        for i in 0..N {
            v += velocities[i].x * shares[i];
        }
        self.start = sum(shares, previous);
        self.approach = normal.dot(v);
        self.gap = self.apart::<C>(previous);
        self.touch = ContactImpulse::none();
    }

    /// Where impacts have taken its place, how it came together is no longer of any account, and nothing that parted it is taken back.
    #[inline(always)]
    pub(super) fn forget(&mut self, struck: R::Mask) {
        self.approach = R::select(struck, R::zero(), self.approach);
        self.gap = R::select(struck, R::huge(), self.gap);
    }

    /// How far particles at `x` are apart (m).
    #[inline(always)]
    pub(super) fn apart<C: Contact<N, P>>(&self, x: [Vec3<R>; N]) -> R {
        let [row] = C::evaluate(x, self.params);
        row.c
    }

    /// One iteration, in which overlaps part as `parting` says; `previous` gives the particles' positions when the substep began.
    #[inline(always)]
    pub(super) fn project<C: Contact<N, P>>(
        &mut self,
        sites: &mut [Particle<R>; N],
        mu: Option<R>,
        parting: &Parting<R>,
        previous: impl FnOnce() -> [Vec3<R>; N],
    ) {
        let (left, begun) = (parting.left(self.gap), self.start);
        let start = |shares| start::<C, R, N, P>(begun, shares, previous);
        project_contact::<C, _, R, N, P>(sites, self.params, mu, left, start, &mut self.touch);
    }

    /// The normal part of [`project`](Self::project); gives what `friction` is across, if there is any.
    #[inline(always)]
    pub(super) fn project_normal<C: Contact<N, P>>(
        &mut self,
        sites: &mut [Particle<R>; N],
        friction: bool,
        parting: &Parting<R>,
    ) -> Sliding<R, N> {
        let left = parting.left(self.gap);
        let row = project_normal::<C, _, R, N, P>(sites, self.params, left, &mut self.touch);
        match friction {
            true => Sliding::new::<C, _, P>(sites, &row),
            false => Sliding::nothing::<C, P>(),
        }
    }

    /// The rest of it.
    #[inline(always)]
    pub(super) fn project_friction<C: Contact<N, P>>(
        &mut self,
        sites: &mut [Particle<R>; N],
        sliding: Sliding<R, N>,
        mu: R,
        previous: impl FnOnce() -> [Vec3<R>; N],
    ) {
        let begun = self.start;
        let start = |shares| start::<C, R, N, P>(begun, shares, previous);
        sliding.project(sites, mu, start, &mut self.touch);
    }

    /// How far it is violated (m); what cannot be moved is not.
    pub(super) fn residual<C: Contact<N, P>>(&self, sites: &[Particle<R>; N]) -> R {
        let (mut x, mut w) = ([Vec3::zero(); N], R::zero());
        for i in 0..N {
            (x[i], w) = (sites[i].x, w + sites[i].w);
        }
        let none = [R::zero()];
        let error = largest_residual::<C, R, N, P, 1>(&x, &self.params, &none, &none);
        R::select(R::zero().lt(w), error, R::zero())
    }

    /// Velocities of particles that are now at `x`; `surface` is that of a side that is no particle.
    #[inline(always)]
    pub(super) fn respond<C: Contact<N, P>>(
        &self,
        x: [Vec3<R>; N],
        velocities: &mut [Particle<R>; N],
        surface: Vec3<R>,
        rebound: &Rebound<f64>,
    ) {
        let at = direction::<C, R, N, P>(x, self.params);
        rebound.in_lanes().respond(velocities, at, surface, [self.approach, self.gap], &self.touch);
    }
}

/// Σ b start: as the substep began, where the shares are always the same.
#[inline(always)]
fn start<C: Contact<N, P>, R: Real, const N: usize, const P: usize>(
    begun: Vec3<R>,
    shares: [R; N],
    previous: impl FnOnce() -> [Vec3<R>; N],
) -> Vec3<R> {
    match C::SHARES {
        Some(_) => begun,
        None => sum(shares, previous()),
    }
}

#[inline(always)]
fn sum<R: Real, const N: usize>(shares: [R; N], points: [Vec3<R>; N]) -> Vec3<R> {
    let mut sum = Vec3::zero();
    for i in 0..N {
        sum += points[i] * shares[i];
    }
    sum
}
