//! Projects a joint: all its rows at once (S4-14). Apart from `constraints::project`, as its rows turn bodies about their
//! centers: no gradient at a `Site` says that.
//!
//! ```text
//! (J M⁻¹ Jᵀ + α̃) Δλ = -s C - α̃ λ      Δx = M⁻¹ Jᵀ Δλ, s the row's share
//! ball: J M⁻¹ Jᵀ = (w_a + w_b) 1 + Σ [r]ᵀ W [r],  [r] t = r × t
//! ```

use super::frame::{Frame, Spread};
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
    let link = Link::of_moving([a, b], p);
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
        precess(a, [p.arms[0], link.arms[0]], |v| spread[0].of(v), push);
        precess(b, [p.arms[1], link.arms[1]], |v| spread[1].of(v), -push);
    }
    a.correct(push * a.w, turn_a);
    b.correct(-(push * b.w), turn_b);
}

/// One row about the joint's point: it and three rows that keep the point where the joint has left it, at once. Where the row turned
/// the bodies about their centers, the joint would undo that: of a load whose radius of gyration is k at the arm r all but k²/r²,
/// and its own rows stayed open instead.
#[inline(always)]
pub(super) fn project_about_point<R: Real>(
    rows: impl Fn(&Link<R>, &Params<R>) -> [Row<R>; 1],
    bodies: &mut [MovingBody<R>; 2],
    p: &Params<R>,
    lambda: &mut [R; 1],
) {
    let all = |link: &Link<R>, p: &Params<R>| {
        let [row] = rows(link, p);
        let held = |k: usize| Row { c: R::zero(), ..link.along_world(k) };
        [row, held(0), held(1), held(2)]
    };
    let zero = R::zero();
    let mut sums = [lambda[0], zero, zero, zero];
    project_rows(all, bodies, p, &mut sums, [false, true]);
    lambda[0] = sums[0];
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

/// How a body resists an impulse at the end of an arm r.
pub(super) trait Lever<R: Real> {
    /// Of the arm, where the body lies as the frame says and has these inverse principal moments.
    fn new(arm: Vec3<R>, frame: &Frame<R>, i: Vec3<R>) -> Self;
    /// [r]ᵀ W [r]: the lower triangle, row by row.
    fn matrix(&self) -> [R; 6];
    /// W (r × p).
    fn turn(&self, p: Vec3<R>) -> Vec3<R>;
    /// W v.
    fn spread(&self, v: Vec3<R>) -> Vec3<R>;
}

/// Of any body.
pub(super) struct AnyLever<R> {
    arm: Vec3<R>,
    spread: Spread<R>,
    /// W (r × e) for the world's three axes e.
    turns: [Vec3<R>; 3],
}

impl<R: Real> Lever<R> for AnyLever<R> {
    #[inline(always)]
    fn new(arm: Vec3<R>, frame: &Frame<R>, i: Vec3<R>) -> Self {
        let spread = Spread::new(frame, i);
        Self { arm, spread, turns: spread.of_arm(arm) }
    }

    #[inline(always)]
    fn matrix(&self) -> [R; 6] {
        let (r, [x, y, z]) = (self.arm, self.turns);
        [
            r.z * x.y - r.y * x.z,
            r.x * x.z - r.z * x.x,
            r.x * y.z - r.z * y.x,
            r.y * x.x - r.x * x.y,
            r.y * y.x - r.x * y.y,
            r.y * z.x - r.x * z.y,
        ]
    }

    #[inline(always)]
    fn turn(&self, p: Vec3<R>) -> Vec3<R> {
        let [x, y, z] = self.turns;
        x * p.x + y * p.y + z * p.z
    }

    #[inline(always)]
    fn spread(&self, v: Vec3<R>) -> Vec3<R> {
        self.spread.of(v)
    }
}

/// Of a body that resists alike in all directions, W = i 1, as balls and cubes do and what nothing turns.
pub(super) struct RoundLever<R> {
    arm: Vec3<R>,
    i: R,
    /// i r.
    moment: Vec3<R>,
}

impl<R: Real> Lever<R> for RoundLever<R> {
    #[inline(always)]
    fn new(arm: Vec3<R>, _: &Frame<R>, i: Vec3<R>) -> Self {
        Self { arm, i: i.x, moment: arm * i.x }
    }

    #[inline(always)]
    fn matrix(&self) -> [R; 6] {
        let (r, m) = (self.arm, self.moment);
        let (x, y, z) = (r.x * m.x, r.y * m.y, r.z * m.z);
        [y + z, -(r.x * m.y), z + x, -(r.x * m.z), -(r.y * m.z), x + y]
    }

    #[inline(always)]
    fn turn(&self, p: Vec3<R>) -> Vec3<R> {
        self.moment.cross(p)
    }

    #[inline(always)]
    fn spread(&self, v: Vec3<R>) -> Vec3<R> {
        v * self.i
    }
}

/// The three rows of a ball joint, whose linear parts are the world's axes: half the operations of [`project_rows`], and fewer
/// still between bodies that are round.
#[inline(always)]
pub(super) fn project_ball<R: Real, L: Lever<R>>(
    [a, b]: &mut [MovingBody<R>; 2],
    p: &Params<R>,
    lambda: &mut [R; 3],
) {
    let link = Link::new([(a.x, a.q), (b.x, b.q)], p);
    let of = |end: usize, i| L::new(link.arms[end], &link.frames[end], i);
    let levers = [of(0, a.inverse_inertia), of(1, b.inverse_inertia)];
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
    let mut s = solve_three(matrix, error);
    let push = Vec3::from(s);
    let mut given = [push, levers[0].turn(push), -levers[1].turn(push)];
    keep_sound(&mut given, &mut s);
    let [push, turn_a, turn_b] = given;
    for k in 0..3 {
        lambda[k] = lambda[k] + s[k];
    }
    precess(a, [p.arms[0], link.arms[0]], |v| levers[0].spread(v), push);
    precess(b, [p.arms[1], link.arms[1]], |v| levers[1].spread(v), -push);
    a.correct(push * a.w, turn_a);
    b.correct(-(push * b.w), turn_b);
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
