//! Numbers: the functions that `Real` provides and those of `f64` against the library's, lanes, polygons.

use super::sample::Random;
use crate::constraints::solve;
use crate::math::{
    F64x8, Real, Vec3, clip, cube_side, exponential, hypotenuse, power, sine_cosine, splat, unpack,
};

/// Largest error of `atan2` over angles and radii, in units of the last place of `f32` and absolute in `f64`.
#[test]
fn atan2_is_accurate() {
    let (mut ulps, mut error) = (0.0_f64, 0.0_f64);
    for i in 0..40_000 {
        let angle = (f64::from(i) - 20_000.0) / 20_000.0 * std::f64::consts::PI;
        for radius in [1e-3, 1.0, 7e5] {
            let (y, x) = (radius * angle.sin(), radius * angle.cos());
            error = error.max((Real::atan2(y, x) - y.atan2(x)).abs());
            let (y, x) = (y as f32, x as f32);
            let exact = f64::from(y).atan2(f64::from(x));
            let ulp = f64::from((exact as f32).abs().next_up()) - f64::from((exact as f32).abs());
            ulps = ulps.max((f64::from(Real::atan2(y, x)) - exact).abs() / ulp);
        }
    }
    println!("atan2: {ulps:.2} ulp in f32, {error:.1e} in f64");
    assert!(ulps < 2.6, "{ulps} ulp in f32");
    assert!(error < 1e-12, "{error} in f64");
}

#[test]
fn atan2_at_the_axes() {
    use std::f32::consts::{FRAC_PI_2, PI};
    for (y, x, angle) in [
        (0.0, 0.0, 0.0),
        (0.0, 1.0, 0.0),
        (0.0, -1.0, PI),
        (-0.0, -1.0, PI),
        (2.0, 0.0, FRAC_PI_2),
        (-2.0, 0.0, -FRAC_PI_2),
        (1e-30, -1.0, PI),
        (1e-30, 1.0, 1e-30),
        (3e37, 3e37, PI / 4.0),
    ] {
        assert_eq!(Real::atan2(y, x), angle, "atan2({y}, {x})");
    }
}

/// The functions that models are set up with, against the platform's.
#[test]
fn functions_agree_with_the_platform() {
    let off = |own: f64, theirs: f64| (own - theirs).abs() / theirs.abs().max(f64::MIN_POSITIVE);
    let mut errors = [0.0_f64; 4];
    for i in -4000..4000_i32 {
        let x = 0.037 * f64::from(i);
        let (sin, cos) = sine_cosine(x);
        let error = (sin - x.sin()).abs().max((cos - x.cos()).abs());
        errors[0] = errors[0].max(error);
        errors[1] = errors[1].max(off(exponential(x), x.exp()));
        errors[2] = errors[2].max(off(hypotenuse(x, 3e3), x.hypot(3e3)));
        let (base, by) = (f64::from(i + 4001) / 8001.0, 1.0 / f64::from(1 + i.abs() % 50));
        errors[3] = errors[3].max(off(power(base, by), base.powf(by)));
    }
    println!(
        "sine and cosine {:.1e}, exponential {:.1e}, hypotenuse {:.1e}, power {:.1e}",
        errors[0], errors[1], errors[2], errors[3]
    );
    assert!(errors.iter().all(|error| *error < 1e-15), "{errors:?}");
    assert_eq!(sine_cosine(f64::NAN), (0.0, 1.0));
    assert_eq!([-2e3, -745.2, 0.0, 2e3].map(exponential), [0.0, 0.0, 1.0, f64::INFINITY]);
    assert_eq!([power(0.0, 0.5), power(0.3, 1.0)], [0.0, 0.3]);
    assert!(off(power(1e-310, 0.5), 1e-155) < 1e-14, "of a number without an exponent of its own");
    assert_eq!([hypotenuse(0.0, 0.0), hypotenuse(3e300, 4e300)], [0.0, 5e300]);
    assert_eq!([0, 1, 8, 9, 27, 1000, 1001].map(cube_side), [0, 1, 2, 3, 3, 10, 11]);
}

/// A lane of `F64x8` is told apart from the seven others in sums, comparisons and choices.
#[test]
fn eight_doubles_are_eight_numbers() {
    let powers = F64x8::new(std::array::from_fn(|lane| f64::from(1 << lane)));
    assert_eq!(powers.total(), 255.0);
    assert!(F64x8::all(powers.lt(F64x8::of(129.0))));
    for lane in 0..8 {
        let above = F64x8::new(std::array::from_fn(|i| if i == lane { 1e9 } else { 0.0 }));
        let mask = powers.lt(above);
        assert_eq!(mask, [1, 2, 4, 8, 16, 32, 64, 128][lane]);
        assert!(!F64x8::all(mask), "one lane is not all");
        let chosen = F64x8::select(mask, -powers, powers).lanes();
        for (i, (chosen, power)) in chosen.into_iter().zip(powers.lanes()).enumerate() {
            assert_eq!(chosen, if i == lane { -power } else { power });
        }
    }
}

/// What is left of a square of side 2 in z = 1: its area, and no corner twice.
#[test]
fn a_square_is_clipped() {
    let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
    for (n, offset, area, corners) in [
        ([1.0, 0.0], 0.5, 1.0, 4),
        ([0.0, -1.0], -1.5, 1.0, 4),
        ([1.0, 0.0], 3.0, 4.0, 4),
        ([1.0, 0.0], -1.0, 0.0, 0),
        ([1.0, 0.0], 2.0, 4.0, 4),
        ([1.0, 0.0], 0.0, 0.0, 2),
        ([1.0, 1.0], 2.0, 2.0, 3),
        ([1.0, 1.0], 1.0, 0.5, 3),
        ([-1.0, -1.0], -1.0, 3.5, 5),
    ] {
        let [x, y] = n;
        let mut polygon = square.map(|[x, y]| Vec3::new(x, y, 1.0)).to_vec();
        clip(&mut polygon, &mut vec![Vec3::zero()], Vec3::new(x, y, 0.0), offset);
        let next = polygon.iter().cycle().skip(1);
        let doubled: f32 = polygon.iter().zip(next).map(|(a, b)| a.cross(*b).z).sum();
        assert_eq!((0.5 * doubled, polygon.len()), (area, corners), "{n:?} {offset}");
        assert!(polygon.iter().all(|p| x * p.x + y * p.y <= offset && p.z == 1.0));
    }
}

#[test]
fn lanes_choose_the_smaller_and_the_larger_as_one_number_does() {
    let odd = [0.0, -0.0, 1.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-40];
    for a in odd {
        for b in odd {
            let lanes = [Real::min(splat(a), splat(b)), Real::max(splat(a), splat(b))];
            let one = [Real::min(a, b), Real::max(a, b)];
            assert_eq!(lanes.map(|v| unpack(v)[3].to_bits()), one.map(f32::to_bits), "{a} {b}");
        }
    }
}

/// A symmetric system of K rows: A x = b for a known x, with A = B Bᵀ + 0.1 by plain sums.
#[test]
fn a_symmetric_system_is_solved() {
    fn check<const K: usize>(random: &mut Random) {
        let mut number = || random.within(-1.0, 1.0);
        let root: [[f64; K]; K] = std::array::from_fn(|_| std::array::from_fn(|_| number()));
        let x: [f64; K] = std::array::from_fn(|_| number());
        let product = |i: usize, j: usize| -> f64 { (0..K).map(|m| root[i][m] * root[j][m]).sum() };
        let a: [[f64; K]; K] = std::array::from_fn(|i| {
            std::array::from_fn(|j| product(i, j) + if i == j { 0.1 } else { 0.0 })
        });
        let b = a.map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum());
        for (found, x) in solve(a, b).into_iter().zip(x) {
            assert!((found - x).abs() < 1e-9, "{K} rows: {found} for {x}");
        }
    }
    let mut random = Random(61);
    for _ in 0..20 {
        check::<1>(&mut random);
        check::<2>(&mut random);
        check::<3>(&mut random);
        check::<6>(&mut random);
    }
}
