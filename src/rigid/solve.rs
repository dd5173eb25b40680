//! Projects a joint: all its rows at once (S4-14). Apart from `constraints::project`, as its rows turn bodies about their
//! centers: no gradient at a `Site` says that.
//!
//! ```text
//! (J M⁻¹ Jᵀ + α̃) Δλ = -s C - α̃ λ      Δx = M⁻¹ Jᵀ Δλ, s the row's share
//! ball: J M⁻¹ Jᵀ = (w_a + w_b) 1 + Σ [r]ᵀ W [r],  [r] t = r × t
//! ```

use super::frame::Spread;
use super::geometric_stiffness::{Projected, in_steps, is_near, is_pulled, resisting, share};
use super::lever::{Lever, Resistance};
use super::link::{Link, Params, Row, Rows};
use super::precession::precess;
use crate::math::{Real, Vec3, each, each_index};
use crate::state::MovingBody;
use std::marker::PhantomData;

/// Rows that say the same are told apart by a millionth, as everywhere.
const APART: f64 = 1.0 + 1e-6;

/// What a joint gives to its bodies, solved.
struct Solved<R, S, const K: usize> {
    /// Where it is given, from the centers.
    arms: [Vec3<R>; 2],
    /// How each resists turns.
    spread: [S; 2],
    /// The impulse on a, and the turns of both.
    given: [Vec3<R>; 3],
    /// Δλ.
    s: [R; K],
}

impl<R: Real, S: Resistance<R>, const K: usize> Solved<R, S, K> {
    /// Whether neither body turns far, and nothing overflows.
    #[inline(always)]
    fn is_near(&self) -> R::Mask {
        let [push, turns @ ..] = self.given;
        is_near(turns[0].dot(turns[0]) + turns[1].dot(turns[1]), push.dot(push))
    }

    /// Shortens it where it turns a body that `is_pulled` too far; to which part.
    #[inline(always)]
    fn shorten(&mut self, is_pulled: R::Mask) -> R {
        let [_, turn_a, turn_b] = self.given;
        let part = share(turn_a.dot(turn_a)).min(share(turn_b.dot(turn_b)));
        let part = R::select(is_pulled, part, R::of(1.0));
        self.given = each(self.given, |v| v * part);
        self.s = each(self.s, |s| s * part);
        part
    }

    /// Gives it; where the joint `meets`, making one point of two, impulses precess.
    #[inline(always)]
    fn give(
        &self,
        [a, b]: &mut [MovingBody<R>; 2],
        p: &Params<R>,
        lambda: &mut [R; K],
        meets: bool,
    ) {
        let Self { arms, spread, given: [push, turn_a, turn_b], s } = self;
        for k in 0..K {
            lambda[k] = lambda[k] + s[k];
        }
        if meets {
            precess(a, [p.arms[0], arms[0]], |v| spread[0].of(v), *push);
            precess(b, [p.arms[1], arms[1]], |v| spread[1].of(v), -*push);
        }
        a.correct(*push * a.w, *turn_a);
        b.correct(-(*push * b.w), *turn_b);
    }
}

/// How a joint is solved.
trait Solve<R: Real, const K: usize> {
    /// How its bodies resist turns.
    type Resistance: Resistance<R>;
    /// Its rows at once, between bodies of these inverse moments.
    fn solve(
        &self,
        bodies: &[MovingBody<R>; 2],
        p: &Params<R>,
        lambda: &[R; K],
        inverse: [Vec3<R>; 2],
    ) -> Solved<R, Self::Resistance, K>;
}

/// Projects a joint between bodies of given inverse moments.
#[inline(always)]
fn project_solved<R: Real, const K: usize>(
    joint: impl Solve<R, K>,
    bodies: &mut [MovingBody<R>; 2],
    p: &Params<R>,
    lambda: &mut [R; K],
    meets: bool,
) {
    let inverse = [bodies[0].inverse_inertia, bodies[1].inverse_inertia];
    let solved = joint.solve(bodies, p, lambda, inverse);
    if R::all(solved.is_near()) {
        solved.give(bodies, p, lambda, meets);
    } else {
        (*bodies, *lambda) = project_far(joint, (*bodies, *lambda), *p, meets);
    }
}

/// The same of bodies that turn far: they resist, and what is too far is done in steps. Of copies: what a call may change does not lie
/// in registers.
#[cold]
#[inline(never)]
fn project_far<R: Real, const K: usize>(
    joint: impl Solve<R, K>,
    before: Projected<R, 2, K>,
    p: Params<R>,
    meets: bool,
) -> Projected<R, 2, K> {
    in_steps(before, |(mut bodies, mut lambda)| {
        let inverse = [bodies[0].inverse_inertia, bodies[1].inverse_inertia];
        let mut solved = solve_apart(&joint, (&bodies, &lambda), &p, inverse);
        let push = solved.given[0];
        // What is near is not looked at beside others that are not: bits do not depend on the width.
        let square = R::select(solved.is_near(), R::zero(), push.dot(push));
        let arms = each_index(|end| bodies[end].q.conjugate().rotate(solved.arms[end]));
        let is_pulled = is_pulled(&arms, &inverse, [square; 2]);
        let inverse = each_index(|end| resisting(arms[end], inverse[end], square));
        solved = solve_apart(&joint, (&bodies, &lambda), &p, inverse);
        let part = solved.shorten(is_pulled);
        keep_sound(&mut solved.given, &mut solved.s);
        solved.give(&mut bodies, &p, &mut lambda, meets);
        ((bodies, lambda), part)
    })
}

/// Solves a joint as a call, for what is not hot.
#[inline(never)]
fn solve_apart<S: Solve<R, K>, R: Real, const K: usize>(
    joint: &S,
    (bodies, lambda): (&[MovingBody<R>; 2], &[R; K]),
    p: &Params<R>,
    inverse: [Vec3<R>; 2],
) -> Solved<R, S::Resistance, K> {
    joint.solve(bodies, p, lambda, inverse)
}

/// Projects a joint of any rows.
#[inline(always)]
pub(super) fn project_rows<F: Rows<K>, R: Real, const K: usize>(
    bodies: &mut [MovingBody<R>; 2],
    p: &Params<R>,
    lambda: &mut [R; K],
) {
    project_solved(AnyRows(PhantomData::<F>), bodies, p, lambda, F::MEETS);
}

/// A joint of any rows.
struct AnyRows<F>(PhantomData<F>);

impl<F: Rows<K>, R: Real, const K: usize> Solve<R, K> for AnyRows<F> {
    type Resistance = Spread<R>;

    #[inline(always)]
    fn solve(
        &self,
        [a, b]: &[MovingBody<R>; 2],
        p: &Params<R>,
        lambda: &[R; K],
        [inverse_a, inverse_b]: [Vec3<R>; 2],
    ) -> Solved<R, Spread<R>, K> {
        let link = Link::of_moving([a, b], p);
        let spread =
            [Spread::new(&link.frames[0], inverse_a), Spread::new(&link.frames[1], inverse_b)];
        let rows = F::rows(&link, p);
        let w = a.w + b.w;
        // M⁻¹ Jᵀ of the turns.
        let mut moved = [[Vec3::zero(); 2]; K];
        let mut matrix = [[R::zero(); K]; K];
        let mut error = [R::zero(); K];
        for k in 0..K {
            let Row { c, linear, turn, share } = rows[k];
            moved[k] = [spread[0].of(turn[0]), spread[1].of(turn[1])];
            for l in 0..=k {
                matrix[k][l] = w * linear.dot(rows[l].linear)
                    + turn[0].dot(moved[l][0])
                    + turn[1].dot(moved[l][1]);
            }
            matrix[k][k] = matrix[k][k] * R::of(APART) + p.alpha;
            error[k] = -c * share - p.alpha * lambda[k];
        }
        let mut s = crate::constraints::solve(matrix, error);
        if F::DRIVES {
            hold_back(&mut s, lambda, p.most);
        }
        let mut given = [Vec3::zero(); 3];
        for k in 0..K {
            given[0] += rows[k].linear * s[k];
            given[1] += moved[k][0] * s[k];
            given[2] += moved[k][1] * s[k];
        }
        let mut arms = link.arms;
        if F::SLIDES {
            arms[0] += link.points[1] - link.points[0];
        }
        Solved { arms, spread, given, s }
    }
}

/// What a joint gives, the impulse and both turns, and its steps `s`: nothing where that overflows.
#[inline(always)]
fn keep_sound<R: Real, const K: usize>(given: &mut [Vec3<R>; 3], s: &mut [R; K]) {
    let mut size = R::zero();
    for v in given.iter() {
        size = size + v.dot(*v);
    }
    let sound = size.lt(R::huge());
    if !R::all(sound) {
        for v in given {
            *v = Vec3::select(sound, *v, Vec3::zero());
        }
        for s in s {
            *s = R::select(sound, *s, R::zero());
        }
    }
}

/// Shortens λ + s to a length of `most`.
#[inline(always)]
fn hold_back<R: Real, const K: usize>(s: &mut [R; K], lambda: &[R; K], most: R) {
    let mut square = R::zero();
    for k in 0..K {
        let sum = lambda[k] + s[k];
        square = square + sum * sum;
    }
    let length = square.sqrt();
    let (over, share) = (most.lt(length), most.over_positive(length));
    for k in 0..K {
        s[k] = R::select(over, (lambda[k] + s[k]) * share - lambda[k], s[k]);
    }
}

/// The three rows of a ball joint, whose linear parts are the world's axes: half the operations of [`project_rows`], and fewer
/// still between bodies that are round.
#[inline(always)]
pub(super) fn project_ball<R: Real, L: Lever<R>>(
    bodies: &mut [MovingBody<R>; 2],
    p: &Params<R>,
    lambda: &mut [R; 3],
) {
    project_solved(Ball(PhantomData::<L>), bodies, p, lambda, true);
}

/// A ball joint.
struct Ball<L>(PhantomData<L>);

impl<R: Real, L: Lever<R>> Solve<R, 3> for Ball<L> {
    type Resistance = L;

    #[inline(always)]
    fn solve(
        &self,
        [a, b]: &[MovingBody<R>; 2],
        p: &Params<R>,
        lambda: &[R; 3],
        [inverse_a, inverse_b]: [Vec3<R>; 2],
    ) -> Solved<R, L, 3> {
        let link = Link::new([(a.x, a.q), (b.x, b.q)], p);
        let levers = [
            L::new(link.arms[0], &link.frames[0], inverse_a),
            L::new(link.arms[1], &link.frames[1], inverse_b),
        ];
        let w = a.w + b.w;
        let zero = R::zero();
        let [of_a, of_b] = [levers[0].matrix(), levers[1].matrix()];
        let mut sum = [w, zero, w, zero, zero, w];
        for k in 0..6 {
            sum[k] = sum[k] + of_a[k] + of_b[k];
        }
        let [xx, yx, yy, zx, zy, zz] = sum;
        let mut matrix = [[xx, zero, zero], [yx, yy, zero], [zx, zy, zz]];
        let gap = (link.points[0] - link.points[1]).to_array();
        let mut error = [zero; 3];
        for k in 0..3 {
            matrix[k][k] = matrix[k][k] * R::of(APART) + p.alpha;
            error[k] = -gap[k] - p.alpha * lambda[k];
        }
        let s = solve_three(matrix, error);
        let push = Vec3::from(s);
        let given = [push, levers[0].turn(push), -levers[1].turn(push)];
        Solved { arms: link.arms, spread: levers, given, s }
    }
}

/// Solves a symmetric system of three rows, of which the lower triangle is read: the first eliminated, the others by their
/// cofactors. Two divisions instead of the three, each waiting for the one before, of `constraints::solve`.
#[inline(always)]
pub(super) fn solve_three<R: Real>(a: [[R; 3]; 3], [x, y, z]: [R; 3]) -> [R; 3] {
    let [[xx, ..], [yx, yy, _], [zx, zy, zz]] = a;
    let first = R::of(1.0).over_positive(xx).finite_or_zero();
    let (ly, lz) = (yx * first, zx * first);
    let (yy, zy, zz) = (yy - ly * yx, zy - lz * yx, zz - lz * zx);
    let (y, z) = (y - ly * x, z - lz * x);
    let inverse = R::of(1.0).over_positive(yy * zz - zy * zy);
    let y_ = ((zz * y - zy * z) * inverse).finite_or_zero();
    let z_ = ((yy * z - zy * y) * inverse).finite_or_zero();
    let x_ = (x * first - ly * y_ - lz * z_).finite_or_zero();
    [x_, y_, z_]
}
