//! One projection of each block of rows: it solves them, keeps both momenta, and does no more than it may.

use super::formula::{ForFormula, Formula, JointBlock};
use super::frame::{Frame, Spread};
use super::link::{Params, Pose};
use crate::math::{Quat, Vec3};
use crate::state::MovingBody;
use crate::tests::models::Random;

type Bodies = [MovingBody<f64>; 2];

/// Projects two bodies that have these parameters, from no multipliers; gives these.
struct Project<'a>(&'a mut Bodies, &'a Params<f64>);

impl ForFormula for Project<'_> {
    type Made = Vec<f64>;
    fn make<F: Formula<K>, const K: usize>(self) -> Vec<f64> {
        let mut lambda = [0.0; K];
        F::project(self.0, self.1, &mut lambda);
        lambda.to_vec()
    }
}

fn poses(bodies: &Bodies) -> [Pose<f64>; 2] {
    bodies.map(|body| (body.x, body.q))
}

fn turn(v: Vec3<f64>) -> Quat<f64> {
    Quat::exp(v).normalized()
}

/// Two bodies of any mass and inertia that are as a block wants them, and its parameters; a coordinate may be 0.2 more or less than
/// it is, or is at one end of that, as `side` says.
fn meeting(block: JointBlock, side: f64, random: &mut Random) -> (Bodies, Params<f64>) {
    let vector = |random: &mut Random, size: f64| Vec3::of(random.point()) * size;
    let mut body = || MovingBody {
        x: vector(random, 1.0),
        q: turn(vector(random, 3.0)),
        w: random.within(0.2, 4.0),
        inverse_inertia: Vec3::of([0.0; 3].map(|_: f64| random.within(0.5, 20.0))),
        ..MovingBody::world()
    };
    let mut bodies = [body(), body()];
    if block == JointBlock::RoundBall {
        bodies.iter_mut().for_each(|body| {
            let i = body.inverse_inertia.x;
            body.inverse_inertia = Vec3::splat(i);
        });
    }
    let frames = [turn(vector(random, 3.0)), turn(vector(random, 3.0))];
    let arms = [vector(random, 0.5), vector(random, 0.5)];
    let (turned, apart) = match block {
        JointBlock::Angle | JointBlock::AngleAt => ([0.8, 0.0, 0.0], [0.0; 3]),
        JointBlock::Swing | JointBlock::SwingAt => ([0.0, 0.7, 0.0], [0.0; 3]),
        JointBlock::Rod | JointBlock::Length => ([0.0; 3], [0.3, -0.2, 0.4]),
        JointBlock::Way => ([0.0; 3], [0.3, 0.0, 0.0]),
        _ => ([0.0; 3], [0.0; 3]),
    };
    let axes = bodies[0].q * frames[0];
    bodies[1].q = axes * turn(Vec3::of(turned)) * frames[1].conjugate();
    let point = bodies[0].x + bodies[0].q.rotate(arms[0]) + axes.rotate(Vec3::of(apart));
    bodies[1].x = point - bodies[1].q.rotate(arms[1]);
    let infinite = f64::INFINITY;
    let mut p =
        Params { arms, frames, middle: 0.0, half: 0.0, alpha: 0.0, most: infinite, foreseen: 0.0 };
    if matches!(block, JointBlock::Angle | JointBlock::Swing | JointBlock::Way)
        || matches!(block, JointBlock::AngleAt | JointBlock::SwingAt)
        || matches!(block, JointBlock::Rod | JointBlock::Length)
    {
        p.middle = block.evaluate(poses(&bodies), &p)[0].c;
        if block != JointBlock::Rod {
            (p.middle, p.half) = (p.middle - 0.2 * side, 0.2 * side.abs());
        }
    }
    (bodies, p)
}

/// Near C = 0 one projection leaves C + α λ of second order, be the rows stiff or soft, and the momenta as they are: M⁻¹ Jᵀ λ is
/// what it gives. Within its limits a coordinate is let alone.
#[test]
fn one_projection_solves_a_block() {
    let mut random = Random(19);
    for &block in JointBlock::ALL {
        // These turn about the joint's point, not about the centers.
        if matches!(block, JointBlock::AngleAt | JointBlock::SwingAt) {
            continue;
        }
        let (mut solved, mut free) = (0, 0);
        for k in 0..60 {
            let side = [0.0, 1.0, -1.0][k % 3];
            let (mut bodies, mut p) = meeting(block, side, &mut random);
            p.alpha = if k % 2 == 0 { 0.0 } else { random.within(0.1, 3.0) };
            bodies[1].x += Vec3::of(random.point()) * 1e-5;
            bodies[1].q = turn(Vec3::of(random.point()) * 1e-5) * bodies[1].q;
            let before = bodies;
            let rows = block.evaluate(poses(&bodies), &p);
            let off = rows.iter().map(|row| row.c.abs()).fold(0.0, f64::max);
            let lambda = block.make(Project(&mut bodies, &p));
            let size = lambda.iter().map(|l| l.abs()).fold(0.0, f64::max);
            let after = block.evaluate(poses(&bodies), &p);
            for (row, lambda) in after.iter().zip(&lambda) {
                let left = (row.c + p.alpha * lambda).abs();
                assert!(left <= 1e-3 * off, "{block:?}: {off:e} to {left:e} with {:e}", p.alpha);
            }
            assert_eq!(size > 0.0, off > 0.0, "{block:?}");
            solved += usize::from(off > 0.0);
            free += usize::from(off == 0.0);
            let (mut push, mut spin) = (Vec3::zero(), Vec3::zero());
            for (end, body) in bodies.iter().enumerate() {
                let sign = [1.0, -1.0][end];
                let given = rows
                    .iter()
                    .zip(&lambda)
                    .fold(Vec3::zero(), |sum, (row, lambda)| sum + row.linear * *lambda);
                assert!(
                    (body.push * (1.0 / body.w) - given * sign).length() <= 1e-9 * size,
                    "{block:?}"
                );
                // I = R I_p Rᵀ of the pose before.
                let [x, y, z] = before[end].q.unrotate(body.turn).to_array();
                let i = body.inverse_inertia;
                let momentum = before[end].q.rotate(Vec3::new(x / i.x, y / i.y, z / i.z));
                push += body.push * (1.0 / body.w);
                spin += before[end].x.cross(body.push * (1.0 / body.w)) + momentum;
            }
            assert!(
                push.length() <= 1e-9 * size && spin.length() <= 1e-3 * size,
                "{block:?}: {spin:?}"
            );
        }
        assert!(solved >= 20, "{block:?}: {solved} solved, {free} free");
    }
}

/// A limit of a joint that makes one point of two closes in one projection, and all rows of the joint with it, however long the arms;
/// momenta are kept. Within its limits nothing moves.
#[test]
fn a_limit_turns_about_the_point() {
    let mut random = Random(31);
    for (block, joint) in
        [(JointBlock::AngleAt, JointBlock::Hinge), (JointBlock::SwingAt, JointBlock::Ball)]
    {
        for k in 0..60 {
            let side = [0.0, 1.0, -1.0][k % 3];
            let (mut bodies, mut p) = meeting(block, side, &mut random);
            let size = if k % 2 == 0 { 1.0 } else { 20.0 };
            p.arms = p.arms.map(|arm| arm * size);
            let point = |end: usize, body: &MovingBody<f64>| body.x + body.q.rotate(p.arms[end]);
            let apart = point(0, &bodies[0]) - point(1, &bodies[1]);
            bodies[1].x += apart;
            bodies[1].q = turn(Vec3::of(random.point()) * 1e-5) * bodies[1].q;
            bodies[1].x += point(0, &bodies[0]) - point(1, &bodies[1]);
            let largest = |bodies: &[MovingBody<f64>; 2]| {
                let all = [block, joint].map(|block| block.evaluate(poses(bodies), &p));
                all.concat().iter().fold(0.0_f64, |most, row| most.max(row.c.abs()))
            };
            let is_passed = block.evaluate(poses(&bodies), &p)[0].c != 0.0;
            let off = if is_passed { largest(&bodies) } else { 0.0 };
            let before = bodies;
            block.make(Project(&mut bodies, &p));
            let left = if is_passed { largest(&bodies) } else { 0.0 };
            let open = (point(0, &bodies[0]) - point(1, &bodies[1])).length();
            assert!(left <= 1e-3 * off * size, "{block:?}: {off:e} to {left:e}");
            assert!(open <= 1e-3 * off * size + 1e-13, "{block:?}: {open:e} m apart for {off:e}");
            let (mut push, mut spin) = (Vec3::zero(), Vec3::zero());
            for (end, body) in bodies.iter().enumerate() {
                let [x, y, z] = before[end].q.unrotate(body.turn).to_array();
                let i = body.inverse_inertia;
                push += body.push * (1.0 / body.w);
                spin += before[end].x.cross(body.push * (1.0 / body.w))
                    + before[end].q.rotate(Vec3::new(x / i.x, y / i.y, z / i.z));
            }
            assert!(push.length() <= 1e-9 * off, "{block:?}: {push:?}");
            assert!(spin.length() <= 1e-2 * off, "{block:?}: {spin:?}");
            assert_eq!(bodies[1].turn.length() > 0.0, is_passed, "{block:?}");
        }
    }
}

/// A motor does as much as it may and no more, the same way; one that does not need all of it does what it needs.
#[test]
fn a_motor_does_as_much_as_it_may() {
    let mut random = Random(29);
    for block in [JointBlock::Angle, JointBlock::Way, JointBlock::Length, JointBlock::Turn] {
        for _ in 0..10 {
            let (mut bodies, mut p) = meeting(block, 0.0, &mut random);
            bodies[1].x += Vec3::of(random.point()) * 1e-3;
            bodies[1].q = turn(Vec3::of(random.point()) * 1e-3) * bodies[1].q;
            let length = |l: &[f64]| l.iter().map(|v| v * v).sum::<f64>().sqrt();
            let needed = block.make(Project(&mut bodies.clone(), &p));
            for share in [0.3, 0.9, 1.1] {
                p.most = share * length(&needed);
                let given = block.make(Project(&mut bodies.clone(), &p));
                let off = needed.iter().zip(&given).map(|(n, g)| (n * share.min(1.0) - g).abs());
                assert!(off.fold(0.0, f64::max) < 1e-12 * length(&needed), "{block:?} {share}");
            }
        }
    }
}

/// What is not a number or overflows gives nothing.
#[test]
fn what_overflows_gives_nothing() {
    let mut random = Random(37);
    for block in [JointBlock::Ball, JointBlock::Hinge, JointBlock::Length] {
        for far in [1e200, f64::INFINITY, f64::NAN] {
            let (mut bodies, p) = meeting(block, 0.0, &mut random);
            bodies[1].x += Vec3::new(far, 1.0, 0.0);
            let lambda = block.make(Project(&mut bodies, &p));
            assert!(lambda.iter().all(|l| *l == 0.0), "{block:?} {far}: {lambda:?}");
            for body in bodies {
                assert_eq!((body.push.length(), body.turn.length()), (0.0, 0.0), "{block:?} {far}");
            }
        }
    }
}

/// The turn from the axes of a to those of b is the vector by which b was turned, however far.
#[test]
fn a_turn_is_the_vector_that_it_was_turned_by() {
    let mut random = Random(41);
    for k in 0..60 {
        let (mut bodies, p) = meeting(JointBlock::Turn, 0.0, &mut random);
        let way = Vec3::of(random.point());
        let angle = [1e-8, 1e-3, 0.5, 1.5, 2.0, 3.0][k % 6];
        let theta = way * (angle / way.length());
        bodies[1].q = turn(theta) * bodies[1].q;
        let rows = JointBlock::Turn.evaluate(poses(&bodies), &p);
        let found = Vec3::new(rows[0].c, rows[1].c, rows[2].c);
        assert!((found - theta).length() < 1e-7 * angle, "{angle}: {found:?} for {theta:?}");
    }
}

/// W is R I⁻¹ Rᵀ: of a vector, of an arm, its numbers, rows and trace.
#[test]
fn a_spread_is_the_inverse_inertia_in_the_world() {
    let mut random = Random(43);
    for _ in 0..50 {
        let q = turn(Vec3::of(random.point()) * 3.0);
        let i: Vec3<f64> = Vec3::of([0.0; 3].map(|_: f64| random.within(0.5, 20.0)));
        let frame = Frame::new(q);
        let spread = Spread::new(&frame, i);
        let of = |v: Vec3<f64>| {
            let [x, y, z] = q.unrotate(v).to_array();
            q.rotate(Vec3::new(i.x * x, i.y * y, i.z * z))
        };
        let [v, r] = [0, 1].map(|_| Vec3::of(random.point()));
        assert!((spread.of(v) - of(v)).length() < 1e-12);
        assert!((frame.turn(v) - q.rotate(v)).length() < 1e-12);
        assert!((frame.turn_back(v) - q.unrotate(v)).length() < 1e-12);
        assert!((spread.trace() - i.x - i.y - i.z).abs() < 1e-12);
        assert!((Spread::from_numbers(spread.numbers()).of(v) - of(v)).length() < 1e-12);
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::of);
        for (k, axis) in axes.into_iter().enumerate() {
            assert!((spread.of_arm(r)[k] - of(r.cross(axis))).length() < 1e-12, "{k}");
            assert!((spread.rows()[k] - of(axis)).length() < 1e-12, "{k}");
        }
    }
}
