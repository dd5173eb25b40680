//! ∇C is the gradient of C: dual numbers over every kind, central differences as second opinion.

use super::dual::Dual;
use super::every_kind;
use super::sample::{Random, at_rest, deformed};
use crate::constraints::Constraint;
use crate::math::{Vec3, each, each_index};

/// `x` with direction `axis` of point `i` marked.
fn marked<const N: usize>(x: [Vec3<f64>; N], i: usize, axis: usize) -> [Vec3<Dual>; N] {
    each_index(|point| {
        let d = |a: usize| if point == i && a == axis { 1.0 } else { 0.0 };
        let Vec3 { x, y, z } = x[point];
        Vec3::new(Dual { v: x, d: d(0) }, Dual { v: y, d: d(1) }, Dual { v: z, d: d(2) })
    })
}

fn component(v: Vec3<f64>, axis: usize) -> f64 {
    [v.x, v.y, v.z][axis]
}

/// Compares every row's gradient with the dual number's, within `tolerance` of the row's largest component.
fn assert_gradient<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
    x: [Vec3<f64>; N],
    p: [f64; P],
    tolerance: f64,
) {
    let rows = C::evaluate(x, p);
    for (k, row) in rows.iter().enumerate() {
        assert!(row.n > 0.0, "{}: row {k} has no gradient at {x:?}", C::NAME);
        let lengths = each(row.g, |g| g.length() / row.n);
        let largest = lengths.into_iter().fold(0.0, f64::max);
        let pair = lengths.iter().all(|length| (length - 1.0).abs() < 1e-12);
        assert!(pair || !C::PAIR, "{}: gradients of lengths {lengths:?} at {x:?}", C::NAME);
        for i in 0..N {
            for axis in 0..3 {
                let dual = C::evaluate(marked(x, i, axis), each(p, |v| Dual { v, d: 0.0 }))[k];
                let hand = component(row.g[i], axis) / row.n;
                assert!((dual.c.v - row.c).abs() <= 1e-12 * (1.0 + row.c.abs()));
                assert!(
                    (dual.c.d - hand).abs() <= tolerance * largest,
                    "{} row {k} point {i} axis {axis}: {hand} by hand, {} by dual number at {x:?}",
                    C::NAME,
                    dual.c.d,
                );
            }
        }
    }
}

#[test]
fn gradients_are_those_of_dual_numbers() {
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        let mut random = Random(1);
        for _ in 0..300 {
            let (x, p) = deformed::<C, N, P, K>(&mut random);
            assert_gradient::<C, N, P, K>(x, p, 1e-8);
        }
    }
    every_kind!(check);
}

/// Squeezed a thousandfold towards a plane, a line and a point; small; large.
#[test]
fn gradients_hold_near_degenerate_points() {
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        let mut random = Random(2);
        let squeezes = [[1.0, 1.0, 1e-3], [1.0, 1e-3, 1e-3], [1e-3, 1e-3, 1e-3], [1e3, 1e3, 1e3]];
        for _ in 0..50 {
            let (x, p) = at_rest::<C, N, P, K>(&mut random);
            let x = each(x, |x| x + random.vector(0.1));
            for [sx, sy, sz] in squeezes {
                let x = each(x, |v| Vec3::new(v.x * sx, v.y * sy, v.z * sz));
                assert_gradient::<C, N, P, K>(x, p, 1e-5);
            }
        }
    }
    every_kind!(check);
}

#[test]
fn gradients_are_those_of_central_differences() {
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        let mut random = Random(3);
        let step = 1e-6;
        for _ in 0..30 {
            let (x, p) = deformed::<C, N, P, K>(&mut random);
            let rows = C::evaluate(x, p);
            for i in 0..N {
                for (axis, unit) in
                    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].into_iter().enumerate()
                {
                    let moved = |by: f64| {
                        let mut x = x;
                        x[i] += Vec3::<f64>::of(unit) * by;
                        each(C::evaluate(x, p), |row| row.c)
                    };
                    let (ahead, behind) = (moved(step), moved(-step));
                    for k in 0..K {
                        let difference = (ahead[k] - behind[k]) / (2.0 * step);
                        let hand = component(rows[k].g[i], axis) / rows[k].n;
                        let scale = each(rows[k].g, |g| g.length() / rows[k].n);
                        let scale = scale.into_iter().fold(1.0, f64::max);
                        assert!(
                            (difference - hand).abs() < 1e-4 * scale,
                            "{} row {k} point {i}: {hand} by hand, {difference} by differences",
                            C::NAME
                        );
                    }
                }
            }
        }
    }
    every_kind!(check);
}
