//! The functions that `Real` provides, against the library's.

use crate::math::Real;

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
