//! A row's residual |C + α/h² λ| / |∇C| (m), as `docs/scene-format.md` has it: where it stops iterations.

use super::packet::{Packet, points};
use crate::constraints::{Constraint, Response, Sense};
use crate::math::{Real, Vec3};
use crate::state::Store;

/// The largest residual of an element's rows at the points `x`; an inequality counts where it is violated, and what is not a
/// number is infinitely wrong. A call of its own and of the kind alone: checks are rare, and responses many.
#[inline(never)]
pub(crate) fn largest_residual<C, R, const N: usize, const P: usize, const K: usize>(
    x: &[Vec3<R>; N],
    params: &[R; P],
    alpha: &[R; K],
    lambda: &[R; K],
) -> R
where
    C: Constraint<N, P, K>,
    R: Real,
{
    let rows = C::evaluate(*x, *params);
    let mut largest = R::zero();
    for k in 0..K {
        let row = &rows[k];
        let mut squares = R::zero();
        for g in &row.g {
            squares = squares + g.dot(*g);
        }
        let gradient = squares.sqrt();
        let error = (row.c + alpha[k] * lambda[k]).abs();
        // Without a gradient there is no direction to measure along: C itself is what is wrong.
        let sloped = R::zero().lt(gradient);
        let error = R::select(sloped, (error * row.n).over_positive(gradient), error);
        let error = error.or_infinite();
        let violated = R::select(row.c.lt(R::zero()), error, R::zero());
        largest = largest.max(match C::SENSE {
            Sense::Equality => error,
            // A C that is not a number does not hold.
            Sense::Inequality => R::select(row.c.lt(R::of(f64::INFINITY)), violated, error),
        });
    }
    largest
}

impl<I: Copy, R: Real, A: Response<R>, const N: usize, const P: usize> Packet<I, R, A, N, P> {
    /// The largest residual of the packet's rows, lane by lane.
    pub(super) fn residual<C: Constraint<N, P, K>, const K: usize>(
        &self,
        positions: &impl Store<I, R>,
        lambda: &[R; K],
    ) -> R {
        let x = points(positions, self.slots);
        let mut alpha = [self.response.parts()[0]; K];
        if let Some(material) = C::compliance(self.params) {
            for k in 0..K {
                alpha[k] = self.response.of_material(material[k]).parts()[0];
            }
        }
        largest_residual::<C, R, N, P, K>(&x, &self.params, &alpha, lambda)
    }
}
