//! What every projection keeps: momenta, rest states wherever they are, finite numbers, one-sidedness.

use super::every_kind;
use super::sample::{How, Random, at_rest, deformed, project_once, sites, turn};
use crate::constraints::{
    Compliant, Constraint, Damped, Material, ResponseType, Row, Sense, Solve, Stiff,
};
use crate::math::{Real, Vec3, each, each_index};

const HOW: How = How { stiffness: 1.0, damping: 0.0, h: 1.0 / 60.0 };

/// Σ m Δx = 0 and Σ r × m Δx = 0 (S0-08, S1-15); of rows taken one after another the second holds row by row.
#[test]
fn momenta_are_kept() {
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        if C::NAME == "plane" {
            return; // it holds on to the world
        }
        let mut random = Random(5);
        for _ in 0..200 {
            let (x, p) = deformed::<C, N, P, K>(&mut random);
            for row in C::evaluate(x, p) {
                let (mut force, mut torque) = (Vec3::zero(), Vec3::zero());
                for (x, g) in x.into_iter().zip(row.g) {
                    force += g;
                    torque += x.cross(g);
                }
                let scale = row.g.iter().map(|g| g.length()).fold(1.0, f64::max);
                assert!(force.length() < 1e-12 * scale, "{}: {force:?}", C::NAME);
                assert!(torque.length() < 1e-12 * scale, "{}: {torque:?}", C::NAME);
            }
            let w = each_index(|_| random.within(0.2, 5.0));
            let mut moved = sites::<f64, N>(x, w);
            project_once::<C, Stiff, _, N, P, K>(&mut moved, x, p, HOW, &mut [0.0; K]);
            let (mut linear, mut angular) = (Vec3::zero(), Vec3::zero());
            for i in 0..N {
                let impulse = (moved[i].x - x[i]) * (1.0 / w[i]);
                linear += impulse;
                angular += x[i].cross(impulse);
            }
            assert!(linear.length() < 1e-12, "{}: {linear:?}", C::NAME);
            if K == 1 || C::SOLVE == Solve::Block {
                assert!(angular.length() < 1e-12, "{}: {angular:?}", C::NAME);
            }
        }
    }
    every_kind!(check);
}

/// The largest |Δx| of a projection of a rest state that was turned and moved by 10 m.
fn drift<C, A, R, const N: usize, const P: usize, const K: usize>(
    random: &mut Random,
    to_f64: fn(R) -> f64,
) -> f64
where
    C: Constraint<N, P, K>,
    A: ResponseType,
    R: Real,
{
    let (x, p) = at_rest::<C, N, P, K>(random);
    let (rotation, offset) = (random.rotation(), random.direction() * 10.0);
    let x = each(x, |x| turn(rotation, x) + offset);
    let before = sites::<R, N>(x, [1.0; N]);
    let mut after = before;
    project_once::<C, A, R, N, P, K>(&mut after, x, p, HOW, &mut [R::zero(); K]);
    let moved = (0..N).map(|i| to_f64((after[i].x - before[i].x).length()));
    moved.fold(0.0, f64::max)
}

#[test]
fn rest_states_stay_wherever_they_are() {
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        if C::NAME == "plane" || (C::SENSE == Sense::Inequality && C::NAME != "tether") {
            return; // at rest wherever C >= 0: nothing is measured
        }
        let mut random = Random(6);
        let (mut narrow, mut exact) = (0.0_f64, 0.0_f64);
        for _ in 0..1000 {
            let (single, double) = if C::MATERIAL {
                (
                    drift::<C, Material, f32, N, P, K>(&mut random, f64::from),
                    drift::<C, Material, f64, N, P, K>(&mut random, |v| v),
                )
            } else {
                (
                    drift::<C, Stiff, f32, N, P, K>(&mut random, f64::from),
                    drift::<C, Stiff, f64, N, P, K>(&mut random, |v| v),
                )
            };
            narrow = narrow.max(single);
            exact = exact.max(double);
        }
        println!("{}: {narrow:.1e} m in f32, {exact:.1e} m in f64", C::NAME);
        assert!(narrow < 2e-6, "{}: moved by {narrow} m in f32", C::NAME);
        assert!(exact < 1e-12, "{}: moved by {exact} m in f64", C::NAME);
    }
    every_kind!(check);
}

/// One projection of what is linear along its gradient reaches C = 0; repeated, all equations of one row do (S1-13).
#[test]
fn projections_solve() {
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        let mut random = Random(7);
        for _ in 0..100 {
            let (rest, p) = at_rest::<C, N, P, K>(&mut random);
            let x = each(rest, |x| x + random.vector(0.05));
            let mut s = sites::<f64, N>(x, [1.0; N]);
            let c = |x: [Vec3<f64>; N]| {
                let error = |c: f64| match C::SENSE {
                    Sense::Equality => c.abs(),
                    Sense::Inequality => (-c).max(0.0),
                };
                let rows = C::evaluate(x, p);
                each(rows, |row| error(row.c)).into_iter().fold(0.0, f64::max)
            };
            let times = if N <= 2 { 1 } else { 40 };
            for _ in 0..times {
                project_once::<C, Stiff, _, N, P, K>(&mut s, x, p, HOW, &mut [0.0; K]);
            }
            let (before, after) = (c(x), c(each(s, |s| s.x)));
            let enough = if K == 1 { 1e-12 } else { 1e-2 * before };
            assert!(after <= enough, "{}: C {before} to {after}", C::NAME);
        }
    }
    every_kind!(check);
}

/// From λ = 0 an inequality moves its points up the gradient or not at all, and λ stays >= 0 whatever follows.
#[test]
fn inequalities_never_pull() {
    fn pulls<C, A, const N: usize, const P: usize, const K: usize>(random: &mut Random, how: How)
    where
        C: Constraint<N, P, K>,
        A: ResponseType,
    {
        let (x, p) = deformed::<C, N, P, K>(random);
        let previous = each(x, |x| x + random.vector(0.1));
        let [row, ..] = &C::evaluate(x, p)[..] else { unreachable!("every kind has a row") };
        let mut s = sites::<f64, N>(x, [1.0; N]);
        let mut lambda = [0.0; K];
        project_once::<C, A, _, N, P, K>(&mut s, previous, p, how, &mut lambda);
        let along: f64 = (0..N).map(|i| row.g[i].dot(s[i].x - x[i])).sum();
        assert!(along >= 0.0, "{} pulls by {along}", C::NAME);
        if row.c > 0.0 && how.damping == 0.0 {
            let still = (0..N).all(|i| s[i].x == x[i]);
            assert!(still, "{} moves though C = {}", C::NAME, row.c);
        }
        for _ in 0..10 {
            for site in &mut s {
                site.x += random.vector(0.1);
            }
            project_once::<C, A, _, N, P, K>(&mut s, previous, p, how, &mut lambda);
            assert!(lambda[0] >= 0.0, "{}: λ = {}", C::NAME, lambda[0]);
        }
    }
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        if C::SENSE == Sense::Equality {
            return;
        }
        let mut random = Random(8);
        let compliant = How { stiffness: 1e-4, ..HOW };
        let damped = How { damping: 50.0, ..compliant };
        for _ in 0..200 {
            pulls::<C, Stiff, N, P, K>(&mut random, HOW);
            pulls::<C, Compliant, N, P, K>(&mut random, compliant);
            pulls::<C, Damped, N, P, K>(&mut random, compliant);
            pulls::<C, Damped, N, P, K>(&mut random, damped);
        }
    }
    every_kind!(check);
}

/// Coincident, collinear, flat, tiny and huge geometries leave finite numbers, in f32 and for every class.
#[test]
fn degenerate_geometry_stays_finite() {
    fn finite<C, A, const N: usize, const P: usize, const K: usize>(
        x: [Vec3<f64>; N],
        p: [f64; P],
        stiffness: f64,
    ) where
        C: Constraint<N, P, K>,
        A: ResponseType,
    {
        let how = How { stiffness, damping: 10.0, h: 1.0 / 60.0 };
        let mut s = sites::<f32, N>(x, each_index(|i| i as f64 + 0.5));
        let mut lambda = [0.0; K];
        let previous = each(x, |x| x * 0.99);
        let rows = C::evaluate(each(s, |s| s.x), each(p, |p| p as f32));
        let weight =
            |row: &Row<f32, N>| (0..N).map(|i| s[i].w * row.g[i].dot(row.g[i])).sum::<f32>();
        let lost = rows.iter().all(|row| !weight(row).is_finite());
        for _ in 0..3 {
            let before = each(s, |s| s.x);
            project_once::<C, A, _, N, P, K>(&mut s, previous, p, how, &mut lambda);
            for v in each(s, |s| s.x) {
                let sound = [v.x, v.y, v.z].iter().all(|v| v.is_finite());
                assert!(sound, "{} from {x:?} to {v:?}", C::NAME);
            }
            assert!(lambda.iter().all(|l| l.is_finite()), "{}: λ", C::NAME);
            assert!(!lost || each(s, |s| s.x) == before, "{} moves from {x:?}", C::NAME);
        }
    }
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        let mut random = Random(9);
        for round in 0..20 {
            let (x, p) = at_rest::<C, N, P, K>(&mut random);
            let line = random.direction();
            let one = |i: usize, v: Vec3<f64>| {
                let mut x = x;
                x[i % N] = v;
                x
            };
            let states = [
                [x[0]; N],
                each(x, |v| line * v.x),
                each(x, |v| Vec3::new(v.x, v.y, 0.0)),
                each(x, |v| v * 1e-30),
                each(x, |v| v * 1e-22),
                each(x, |v| v * 1e-12),
                each(x, |v| v * 1e18),
                each(x, |v| v * 1e12),
                each(x, |v| v * 1e6),
                each(x, |v| line * (v.x * 1e18)),
                one(round, line * 1e18),
                each(x, |v| v * 1e19),
                each(x, |v| v * 1e20),
                each(x, |v| v * 1e25),
                one(round, line * 1e19),
                one(round, line * 1e20),
                one(round, line * 1e25),
                one(round, line * 3e38),
                one(round, x[(round + 1) % N]),
                one(round, x[(round + 1) % N] + line * 1e-30),
            ];
            for x in states {
                finite::<C, Stiff, N, P, K>(x, p, 1.0);
                finite::<C, Compliant, N, P, K>(x, p, 1e-6);
                finite::<C, Compliant, N, P, K>(x, p, 0.0);
                finite::<C, Compliant, N, P, K>(x, p, 1e37);
                finite::<C, Damped, N, P, K>(x, p, 1e-4);
                finite::<C, Material, N, P, K>(x, p, 0.0);
            }
        }
    }
    every_kind!(check);
}
