//! The one multiplier update, for every kind, width and method.
//!
//! All of PBD, XPBD, IBDS and position-based rigid bodies solve J M⁻¹ Jᵀ λ = -C (S0-04, S4-14); only what multiplies λ and
//! where the correction lands differ. With ∇C = g / n and the response (α̃, γ, k'):
//!
//! ```text
//! Δλ = k' (-C - α̃ λ - γ ∇C·(x - x_prev)) / ((1 + γ) Σ w |∇C|² + α̃)   XPBD eq. 18 and 26 (S2-01)
//! Δx = w ∇C Δλ                                                        S0-05, S0-08, S1-16
//! ```
//!
//! computed with s = Δλ / n, which needs one division: s = (n (-C - α̃ λ) - γ g·(x - x_prev)) / ((1 + γ) Σ w |g|² + α̃ n²).
//! Rows solved together do the same with a small matrix in place of the denominator.
//! λ has the sign of S0, so Δx = +w ∇C λ; S1 writes the opposite sign (S1-16, E3).

use super::{Constraint, Response, Row, Sense, Solve};
use crate::math::{Real, Vec3};

/// Where a constraint is attached: a particle, or a rigid body at an arm (Deul et al. eq. 4-6).
pub trait Site<R: Real>: Copy {
    /// The point in space.
    fn point(&self) -> Vec3<R>;
    /// aᵀ M⁻¹ b for gradients `a` and `b` at the point [1/kg].
    fn weight(&self, a: Vec3<R>, b: Vec3<R>) -> R;
    /// Moves the site by the positional impulse `g s`: Δx = M⁻¹ g s.
    fn apply(&mut self, g: Vec3<R>, s: R);
    /// The inverse mass of a site that is a point mass [1/kg].
    #[inline(always)]
    fn point_mass(&self) -> Option<R> {
        None
    }
}

/// A point mass: position (m) and inverse mass (1/kg).
#[derive(Clone, Copy, Debug)]
pub struct Particle<R> {
    /// Position.
    pub x: Vec3<R>,
    /// Inverse mass; zero does not move.
    pub w: R,
    /// Σ Δx since it was loaded (m): what is stored where corrections are kept, and costs nothing elsewhere.
    pub moved: Vec3<R>,
}

impl<R: Real> Particle<R> {
    /// A particle that has not been moved yet.
    #[inline(always)]
    pub fn new(x: Vec3<R>, w: R) -> Self {
        // Minus zero: the one number that a compiler need not add.
        Self { x, w, moved: Vec3::of([-0.0; 3]) }
    }

    /// x <- x + Δx.
    #[inline(always)]
    pub fn correct(&mut self, dx: Vec3<R>) {
        self.x += dx;
        self.moved += dx;
    }
}

impl<R: Real> Site<R> for Particle<R> {
    #[inline(always)]
    fn point(&self) -> Vec3<R> {
        self.x
    }
    #[inline(always)]
    fn weight(&self, a: Vec3<R>, b: Vec3<R>) -> R {
        self.w * a.dot(b)
    }
    #[inline(always)]
    fn apply(&mut self, g: Vec3<R>, s: R) {
        self.correct(g * (self.w * s));
    }
    #[inline(always)]
    fn point_mass(&self) -> Option<R> {
        Some(self.w)
    }
}

/// Projects one element: moves its sites towards C = 0 (or C >= 0) and updates its multipliers.
///
/// `previous` are the sites' points at the start of the substep; only a damped response reads them. A geometry without
/// gradient, or one that overflows, gets no correction.
#[inline(always)]
pub fn project<C, S, A, R, const N: usize, const P: usize, const K: usize>(
    sites: &mut [S; N],
    previous: [Vec3<R>; N],
    p: [R; P],
    response: A,
    lambda: &mut [R; K],
) where
    C: Constraint<N, P, K>,
    S: Site<R>,
    A: Response<R>,
    R: Real,
{
    const { assert!(matches!((C::SOLVE, C::SENSE), (Solve::Rows, _) | (_, Sense::Equality))) };
    match C::SOLVE {
        Solve::Rows => project_rows::<C, S, A, R, N, P, K>(sites, previous, p, response, lambda),
        Solve::Block => project_block::<C, S, A, R, N, P, K>(sites, previous, p, response, lambda),
    }
}

/// The most rows an element may have.
const MOST_ROWS: usize = 6;

/// One row after another, each evaluated where the one before left the points.
#[inline(always)]
fn project_rows<C, S, A, R, const N: usize, const P: usize, const K: usize>(
    sites: &mut [S; N],
    previous: [Vec3<R>; N],
    p: [R; P],
    response: A,
    lambda: &mut [R; K],
) where
    C: Constraint<N, P, K>,
    S: Site<R>,
    A: Response<R>,
    R: Real,
{
    const { assert!(K <= MOST_ROWS) };
    // Unrolled by hand: with a constant k the compiler drops the other rows of each evaluation; in a loop it need not.
    macro_rules! rows {
        ($($k:literal)*) => {$(
            if $k < K {
                let x = points(sites);
                let mut row = C::evaluate(x, p)[$k];
                let response = match C::compliance(p) {
                    Some(alpha) => response.of_material(alpha[$k]),
                    None => response,
                };
                lambda[$k] = project_row::<C, S, A, R, N, P, K>(
                    sites, &mut row, x, previous, response, lambda[$k],
                );
            }
        )*};
    }
    rows!(0 1 2 3 4 5);
}

/// Moves the sites along one row's gradient; returns its new multiplier.
#[inline(always)]
pub(super) fn project_row<C, S, A, R, const N: usize, const P: usize, const K: usize>(
    sites: &mut [S; N],
    row: &mut Row<R, N>,
    x: [Vec3<R>; N],
    previous: [Vec3<R>; N],
    response: A,
    lambda: R,
) -> R
where
    C: Constraint<N, P, K>,
    S: Site<R>,
    A: Response<R>,
    R: Real,
{
    let masses = C::PAIR.then(|| masses(sites)).flatten();
    let weight = match masses {
        // |g| = n on either side: (Σ w + α̃) |g|², one square for all.
        Some(masses) => response.soften(response.damp(masses), R::of(1.0)) * row.g[0].dot(row.g[0]),
        None => response.soften(response.damp(coupling(sites, row, row)), row.n),
    };
    let moved = motion::<A, R, N>(row, x, previous);
    let (s, lambda) = response.step(C::SENSE, row, [weight, moved], masses.is_some(), lambda);
    for i in 0..N {
        match C::PAIR && i == 1 {
            // One sign changed in place of three: the gradient of the other point is the opposite.
            true => sites[i].apply(row.g[0], -s),
            false => sites[i].apply(row.g[i], s),
        }
    }
    lambda
}

/// Σ w of sites that are all point masses.
#[inline(always)]
fn masses<S: Site<R>, R: Real, const N: usize>(sites: &[S; N]) -> Option<R> {
    let mut sum = sites[0].point_mass()?;
    for i in 1..N {
        sum = sum + sites[i].point_mass()?;
    }
    Some(sum)
}

/// All rows at once, evaluated at the same points, a matrix in place of `Response::step`'s denominator:
/// ((1 + γ) G + α̃ n²) s = n (-C - α̃ λ) - γ g·(x - x_prev), G = g M⁻¹ gᵀ.
#[inline(always)]
fn project_block<C, S, A, R, const N: usize, const P: usize, const K: usize>(
    sites: &mut [S; N],
    previous: [Vec3<R>; N],
    p: [R; P],
    response: A,
    lambda: &mut [R; K],
) where
    C: Constraint<N, P, K>,
    S: Site<R>,
    A: Response<R>,
    R: Real,
{
    let x = points(sites);
    let mut rows = C::evaluate(x, p);
    let material = C::compliance(p);
    let mut a = [[R::zero(); K]; K];
    let mut b = [R::zero(); K];
    for k in 0..K {
        let Row { c, n, .. } = rows[k];
        let response = material.map_or(response, |alpha| response.of_material(alpha[k]));
        for l in 0..=k {
            a[k][l] = response.damp(coupling(sites, &rows[k], &rows[l]));
        }
        // Dependent rows (a tetrahedron that has only swollen) are told apart by a millionth: more than f32 loses.
        a[k][k] = response.soften(a[k][k] * R::of(1.0 + 1e-6), n);
        let moved = motion::<A, R, N>(&rows[k], x, previous);
        b[k] = response.error(c, n, moved, lambda[k]);
    }
    let [.., stiffness] = response.parts();
    let diagonal = a;
    let s = solve(a, b);
    for k in 0..K {
        let s = rows[k].keep_sound(s[k], diagonal[k][k]) * stiffness;
        lambda[k] = lambda[k] + (s * rows[k].n).finite_or_zero();
        for i in 0..N {
            sites[i].apply(rows[k].g[i], s);
        }
    }
}

/// Σ g_a M⁻¹ g_b over the sites.
#[inline(always)]
fn coupling<S: Site<R>, R: Real, const N: usize>(
    sites: &[S; N],
    a: &Row<R, N>,
    b: &Row<R, N>,
) -> R {
    let mut weight = sites[0].weight(a.g[0], b.g[0]);
    for i in 1..N {
        weight = weight + sites[i].weight(a.g[i], b.g[i]);
    }
    weight
}

/// g·(x - x_prev), where the response asks for it.
#[inline(always)]
fn motion<A: Response<R>, R: Real, const N: usize>(
    row: &Row<R, N>,
    x: [Vec3<R>; N],
    previous: [Vec3<R>; N],
) -> R {
    let mut moved = R::zero();
    if A::DAMPED {
        for i in 0..N {
            moved = moved + row.g[i].dot(x[i] - previous[i]);
        }
    }
    moved
}

/// Solves a symmetric system by L D Lᵀ, reading the lower triangle.
///
/// A row whose pivot is not positive, or has overflowed, takes no part: a degenerate system gives no correction.
#[inline(always)]
pub fn solve<R: Real, const K: usize>(mut a: [[R; K]; K], mut b: [R; K]) -> [R; K] {
    // The pivots' inverses; `a` becomes L below its diagonal, `b` the solution.
    let mut inverse = [R::zero(); K];
    for j in 0..K {
        let mut scaled = [R::zero(); K];
        for m in 0..j {
            scaled[m] = a[j][m];
            a[j][m] = a[j][m] * inverse[m];
            a[j][j] = a[j][j] - a[j][m] * scaled[m];
        }
        inverse[j] = R::of(1.0).over_positive(a[j][j]).finite_or_zero();
        for i in j + 1..K {
            for m in 0..j {
                a[i][j] = a[i][j] - a[i][m] * a[j][m];
            }
        }
        for m in 0..j {
            b[j] = b[j] - a[j][m] * b[m];
        }
    }
    for j in (0..K).rev() {
        b[j] = b[j] * inverse[j];
        for i in j + 1..K {
            b[j] = b[j] - a[i][j] * b[i];
        }
        b[j] = b[j].finite_or_zero();
    }
    b
}

/// The sites' points. (A loop: `map` on arrays is not always inlined, and costs a lane kernel most of its speed where it is
/// not.)
#[inline(always)]
pub(super) fn points<S: Site<R>, R: Real, const N: usize>(sites: &[S; N]) -> [Vec3<R>; N] {
    let mut x = [Vec3::zero(); N];
    for (x, site) in x.iter_mut().zip(sites) {
        *x = site.point();
    }
    x
}
