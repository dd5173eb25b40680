//! Contact: a one-sided row with Coulomb friction, and what it does to velocities.
//!
//! The normal part is the kind's own row by [`project`](super::project)'s update, its multiplier λ held at zero or more. Where
//! the gradients are g_i = b_i n (shares b_i of the two sides, Σ b_i = 0 or one fixed side), the material points that touch
//! have moved by u = Σ b_i (x_i - start_i) since the substep began, and the positional impulse r against it is
//!
//! ```text
//! r' = r_t - u_t / Σ w b²,  held within |r'| <= µ λ,   Δx_i = w_i b_i (r' - r)        friction, static and kinetic
//! v_n' = max(v_n, -e v_n⁻), e = 0 where v_n⁻ >= -2 |a| h,   with µ times its impulse against v_t    restitution
//! v_n' = min(v_n', max(v_n⁻, -e v_n⁻, 0)) where the substep began with an overlap                   parting is no motion
//! ```
//!
//! An overlap at the start, g < 0, parts by no more than b in a substep: C + max(-g - b, 0) >= 0 is asked in place of C >= 0.
//!
//! (Macklin et al., *Unified Particle Physics*, 2014, section 6.1, with the impulses of a substep summed, so that the cone is
//! Coulomb's for any number of iterations; Müller et al., *Detailed Rigid Body Simulation*, 2020, section 3.6 for the
//! velocities, S1-07.) Units: λ and r in kg m, velocities in m/s.

use super::project::{Site, project_row};
use super::{Compliant, Constraint, Response, Row};
use crate::math::{Real, Vec3, each};

/// A kind that may touch: its gradients are shares of one direction.
pub trait Contact<const N: usize, const P: usize>: Constraint<N, P> {
    /// How many of the first slots are on the side that the direction points to.
    const SIDE: usize;
    /// The shares, where they are always the same.
    const SHARES: Option<[f64; N]> = None;
}

/// What a contact has done in this substep.
#[derive(Clone, Copy, Debug)]
pub struct ContactImpulse<R> {
    /// The normal multiplier λ >= 0.
    pub lambda: R,
    /// The friction r.
    pub friction: Vec3<R>,
}

impl<R: Real> ContactImpulse<R> {
    /// Nothing yet.
    #[inline(always)]
    pub fn none() -> Self {
        Self { lambda: R::zero(), friction: Vec3::zero() }
    }

    /// The whole of it, where the normal is n.
    #[inline(always)]
    pub fn vector(&self, n: Vec3<R>) -> Vec3<R> {
        n * self.lambda + self.friction
    }
}

/// The direction n of a contact and the shares b of its points; zero where there is no direction.
#[inline(always)]
pub fn direction<C, R, const N: usize, const P: usize>(
    x: [Vec3<R>; N],
    p: [R; P],
) -> (Vec3<R>, [R; N])
where
    C: Contact<N, P>,
    R: Real,
{
    let [row] = C::evaluate(x, p);
    shares::<C, R, N, P>(&row)
}

#[inline(always)]
fn shares<C, R, const N: usize, const P: usize>(row: &Row<R, N>) -> (Vec3<R>, [R; N])
where
    C: Contact<N, P>,
    R: Real,
{
    let inverse = R::of(1.0).over_positive(row.n);
    let mut normal = row.g[0];
    for i in 1..C::SIDE {
        normal += row.g[i];
    }
    let normal = normal * inverse;
    if let Some(fixed) = fixed_shares::<C, R, N, P>() {
        return (normal, fixed);
    }
    let mut shares = [R::zero(); N];
    for i in 0..N {
        shares[i] = row.g[i].dot(normal) * inverse;
    }
    (normal, shares)
}

/// The shares, where they are always the same.
#[inline(always)]
fn fixed_shares<C, R, const N: usize, const P: usize>() -> Option<[R; N]>
where
    C: Contact<N, P>,
    R: Real,
{
    let fixed = C::SHARES?;
    let mut shares = [R::zero(); N];
    for i in 0..N {
        shares[i] = R::of(fixed[i]);
    }
    Some(shares)
}

/// Projects a contact with friction `mu`, if there is any; `start` gives Σ b_i start_i for the shares b; an overlap of `left`
/// (m, not negative) may stay.
#[inline(always)]
pub fn project_contact<C, S, R, const N: usize, const P: usize>(
    sites: &mut [S; N],
    p: [R; P],
    mu: Option<R>,
    left: R,
    start: impl FnOnce([R; N]) -> Vec3<R>,
    done: &mut ContactImpulse<R>,
) where
    C: Contact<N, P>,
    S: Site<R>,
    R: Real,
{
    let row = project_normal::<C, S, R, N, P>(sites, p, left, done);
    if let Some(mu) = mu {
        Sliding::new::<C, S, P>(sites, &row).project(sites, mu, start, done);
    }
}

/// The normal part of [`project_contact`]; gives the row by which the sites were moved.
#[inline(always)]
pub(crate) fn project_normal<C, S, R, const N: usize, const P: usize>(
    sites: &mut [S; N],
    p: [R; P],
    left: R,
    done: &mut ContactImpulse<R>,
) -> Row<R, N>
where
    C: Contact<N, P>,
    S: Site<R>,
    R: Real,
{
    let x = super::project::points(sites);
    let [mut row] = C::evaluate(x, p);
    row.c = row.c + left;
    press::<C, S, R, N, P>(sites, &mut row, done);
    row
}

/// Moves the sites by a row that has been evaluated.
#[inline(always)]
pub(crate) fn press<C, S, R, const N: usize, const P: usize>(
    sites: &mut [S; N],
    row: &mut Row<R, N>,
    done: &mut ContactImpulse<R>,
) where
    C: Contact<N, P>,
    S: Site<R>,
    R: Real,
{
    let (x, rigid) = (super::project::points(sites), Compliant::new([R::zero(); 2]));
    done.lambda = project_row::<C, S, _, R, N, P, 1>(sites, row, x, x, rigid, done.lambda);
}

/// What friction is across: the direction n of a contact, the shares b, and 1 / Σ w b² (kg).
#[derive(Clone, Copy)]
pub(crate) struct Sliding<R, const N: usize> {
    normal: Vec3<R>,
    shares: [R; N],
    mass: R,
}

impl<R: Real, const N: usize> Sliding<R, N> {
    /// Without a direction.
    #[inline(always)]
    pub(crate) fn nothing<C: Contact<N, P>, const P: usize>() -> Self {
        let zero = R::zero();
        let shares = fixed_shares::<C, R, N, P>().unwrap_or([zero; N]);
        Self { normal: Vec3::zero(), shares, mass: zero }
    }

    /// Across the row that moved the sites.
    #[inline(always)]
    pub(crate) fn new<C: Contact<N, P>, S: Site<R>, const P: usize>(
        sites: &[S; N],
        row: &Row<R, N>,
    ) -> Self {
        let (normal, shares) = shares::<C, R, N, P>(row);
        let mut weight = R::zero();
        for i in 0..N {
            let g = normal * shares[i];
            weight = weight + sites[i].weight(g, g);
        }
        Self { normal, shares, mass: R::of(1.0).over_positive(weight) }
    }

    /// Moves the sites back along what they slid since the substep began.
    #[inline(always)]
    pub(crate) fn project<S: Site<R>>(
        self,
        sites: &mut [S; N],
        mu: R,
        start: impl FnOnce([R; N]) -> Vec3<R>,
        done: &mut ContactImpulse<R>,
    ) {
        let mut moved = -start(self.shares);
        for i in 0..N {
            moved += sites[i].point() * self.shares[i];
        }
        self.slide(sites, mu * done.lambda, moved, done);
    }

    /// 1 / Σ w b² (kg).
    #[inline(always)]
    pub(crate) fn mass(&self) -> R {
        self.mass
    }

    /// The same of what has `moved` by so much (m), with a friction of `most` at most.
    #[inline(always)]
    pub(crate) fn slide<S: Site<R>>(
        self,
        sites: &mut [S; N],
        most: R,
        moved: Vec3<R>,
        done: &mut ContactImpulse<R>,
    ) {
        let Self { normal, shares, mass } = self;
        let slip = across(moved, normal);
        let wanted = across(done.friction, normal) - slip * mass;
        let friction = within(wanted, most);
        let change = friction - done.friction;
        for i in 0..N {
            sites[i].apply(change * shares[i], R::of(1.0));
        }
        done.friction = friction;
    }
}

/// What of `v` is across the unit vector `n`.
#[inline(always)]
pub fn across<R: Real>(v: Vec3<R>, n: Vec3<R>) -> Vec3<R> {
    v - n * n.dot(v)
}

/// `v`, made no longer than `most`.
#[inline(always)]
pub fn within<R: Real>(v: Vec3<R>, most: R) -> Vec3<R> {
    let length = v.length();
    let held = v * most.over_positive(length);
    Vec3::select(most.lt(length), held, v)
}

/// What a contact does to velocities once positions are known.
#[derive(Clone, Copy, Debug)]
pub struct Rebound<R> {
    /// Restitution e.
    pub restitution: R,
    /// Friction µ.
    pub friction: R,
    /// Slower approaches than this do not rebound: 2 |a| h, what gravity gives in two substeps (m/s).
    pub least: R,
    /// Whether what still approaches is stopped, or turned about.
    pub stops: bool,
    /// Whether what still comes together fast waits for impacts of the next substep: it has not touched yet. To stop it as what
    /// rests would take its energy.
    pub waits: bool,
}

impl Rebound<f64> {
    /// The same in every lane.
    #[inline(always)]
    pub(crate) fn in_lanes<R: Real>(&self) -> Rebound<R> {
        let Self { restitution, friction, least, stops, waits } = *self;
        let [restitution, friction, least] = each([restitution, friction, least], R::of);
        Rebound { restitution, friction, least, stops, waits }
    }
}

impl<R: Real> Rebound<R> {
    /// Turns the velocities of `sites` (m/s in place of positions) about; `normal` and `shares` are where the points are now,
    /// `surface` is the velocity of a side that is no site, `approach` v_n⁻ before the substep, in which the gap was `gap`.
    #[inline(always)]
    pub fn respond<S: Site<R>, const N: usize>(
        &self,
        sites: &mut [S; N],
        (normal, shares): (Vec3<R>, [R; N]),
        surface: Vec3<R>,
        [approach, gap]: [R; 2],
        done: &ContactImpulse<R>,
    ) {
        let zero = R::zero();
        let mut weight = R::zero();
        let mut v = -surface;
        for i in 0..N {
            let g = normal * shares[i];
            weight = weight + sites[i].weight(g, g);
            v += sites[i].point() * shares[i];
        }
        // Not `Response::step`: one impulse on velocities, never accumulated, that may exceed what it takes to stop.
        let along = v.dot(normal);
        let fast = approach.lt(-self.least);
        let back = R::select(fast, -(self.restitution * approach), zero);
        let gain = if self.stops { (back - along).max(zero) } else { zero };
        let gain = match self.waits {
            true => R::select(along.lt(-self.least), zero, gain),
            false => gain,
        };
        // What an overlap gave as it parted.
        let parted = (back.max(approach) - along).min(zero);
        // Of a row, what lies between balls that part is pressed too, and has nothing to press any more when they are held back.
        let parts = if self.waits { gap.lt(R::huge()) } else { gap.lt(zero) };
        let parted = R::select(parts, parted, zero);
        let pressed = zero.lt(done.lambda);
        let [impulse, taken] =
            each([gain, parted], |v| R::select(pressed, v.over_positive(weight), zero));
        let sliding = (v - normal * along) * R::of(1.0).over_positive(weight);
        let change = normal * (impulse + taken) - within(sliding, self.friction * impulse);
        for i in 0..N {
            sites[i].apply(change * shares[i], R::of(1.0));
        }
    }
}
