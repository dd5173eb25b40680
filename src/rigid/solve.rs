//! Projects a joint: all its rows at once (S4-14). Apart from `constraints::project`, as its rows turn bodies about their
//! centers: no gradient at a `Site` says that.
//!
//! ```text
//! (J M⁻¹ Jᵀ + α̃) Δλ = -s C - α̃ λ      Δx = M⁻¹ Jᵀ Δλ, s the row's share
//! ball: J M⁻¹ Jᵀ = (w_a + w_b) 1 + Σ [r]ᵀ W [r],  [r] t = r × t
//! ```

#![allow(clippy::needless_range_loop)] // rows, gradients and multipliers run side by side

use super::frame::Spread;
use super::link::{Link, Params, Row};
use super::precession::precess;
use crate::math::{Real, Vec3};
use crate::state::MovingBody;

/// Rows that say the same are told apart by a millionth, as everywhere.
const APART: f64 = 1.0 + 1e-6;

/// A joint of any `rows`; where it `drives`, |λ| is at most `p.most`; where it
/// `meets`, making one point of two, impulses precess.
#[inline(always)]
pub(super) fn project_rows<R: Real, const K: usize>(
    rows: impl Fn(&Link<R>, &Params<R>) -> [Row<R>; K],
    bodies: &mut [MovingBody<R>; 2],
    p: &Params<R>,
    lambda: &mut [R; K],
    [drives, meets]: [bool; 2],
) {
    let [a, b] = bodies;
    let link = Link::new([(a.x, a.q), (b.x, b.q)], p);
    let spread = [
        Spread::new(&link.frames[0], a.inverse_inertia),
        Spread::new(&link.frames[1], b.inverse_inertia),
    ];
    let rows = rows(&link, p);
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
    if drives {
        hold_back(&mut s, lambda, p.most);
    }
    let mut given = [Vec3::zero(); 3];
    for k in 0..K {
        given[0] += rows[k].linear * s[k];
        given[1] += moved[k][0] * s[k];
        given[2] += moved[k][1] * s[k];
    }
    keep_sound(&mut given, &mut s);
    let [push, turn_a, turn_b] = given;
    for k in 0..K {
        lambda[k] = lambda[k] + s[k];
    }
    if meets {
        precess(a, [p.arms[0], link.arms[0]], &spread[0], push);
        precess(b, [p.arms[1], link.arms[1]], &spread[1], -push);
    }
    a.correct(push * a.w, turn_a);
    b.correct(-(push * b.w), turn_b);
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

/// The three rows of a ball joint, whose linear parts are the world's axes: half the operations of [`project_rows`].
#[inline(always)]
pub(super) fn project_ball<R: Real>(
    bodies: &mut [MovingBody<R>; 2],
    p: &Params<R>,
    lambda: &mut [R; 3],
) {
    let [a, b] = bodies;
    let link = Link::new([(a.x, a.q), (b.x, b.q)], p);
    let [ra, rb] = link.arms;
    let [fa, fb] = link.frames;
    let spread = [Spread::new(&fa, a.inverse_inertia), Spread::new(&fb, b.inverse_inertia)];
    let moved = [spread[0].of_arm(ra), spread[1].of_arm(rb)];
    let w = a.w + b.w;
    let zero = R::zero();
    let mut matrix = [[w, zero, zero], [zero, w, zero], [zero, zero, w]];
    for ([x, y, z], r) in moved.into_iter().zip(link.arms) {
        matrix[0][0] = matrix[0][0] + (r.z * x.y - r.y * x.z);
        matrix[1][0] = matrix[1][0] + (r.x * x.z - r.z * x.x);
        matrix[2][0] = matrix[2][0] + (r.y * x.x - r.x * x.y);
        matrix[1][1] = matrix[1][1] + (r.x * y.z - r.z * y.x);
        matrix[2][1] = matrix[2][1] + (r.y * y.x - r.x * y.y);
        matrix[2][2] = matrix[2][2] + (r.y * z.x - r.x * z.y);
    }
    let gap = (link.points[0] - link.points[1]).to_array();
    let mut error = [zero; 3];
    for k in 0..3 {
        matrix[k][k] = matrix[k][k] * R::of(APART) + p.alpha;
        error[k] = -gap[k] - p.alpha * lambda[k];
    }
    let mut s = solve_three(matrix, error);
    let push = Vec3::from(s);
    let turn = |[x, y, z]: [Vec3<R>; 3]| x * push.x + y * push.y + z * push.z;
    let mut given = [push, turn(moved[0]), -turn(moved[1])];
    keep_sound(&mut given, &mut s);
    let [push, turn_a, turn_b] = given;
    for k in 0..3 {
        lambda[k] = lambda[k] + s[k];
    }
    precess(a, [p.arms[0], ra], &spread[0], push);
    precess(b, [p.arms[1], rb], &spread[1], -push);
    a.correct(push * a.w, turn_a);
    b.correct(-(push * b.w), turn_b);
}

/// Solves a symmetric system of three rows, of which the lower triangle is read: the first eliminated, the others by their
/// cofactors. Two divisions instead of the three, each waiting for the one before, of `constraints::solve`.
#[inline(always)]
fn solve_three<R: Real>(a: [[R; 3]; 3], [x, y, z]: [R; 3]) -> [R; 3] {
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
