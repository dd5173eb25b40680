//! Residuals, energies, and rows that cannot be corrected: what is measured of rows, at the numbers between too.

use crate::coloring::{Coloring, Permutation};
use crate::constraints::{Constraint, Distance, Param, Range, Row, Sense, Source, Tether};
use crate::math::{Real, Vec3};
use crate::rows::row_set::RowSet;
use crate::rows::{AnyRows, Residual, ResponseKind, RowOrder, Stiffness};
use crate::settings::Settings;

const fn number(name: &'static str) -> Param {
    Param::new(name, "", Range::ANY, Source::Required)
}

/// C = c s with a gradient g and its scale n, whatever the points are; and a second equation that always can be corrected.
struct Given<const ONE_SIDED: bool>;

impl<const ONE_SIDED: bool> Constraint<2, 4, 2> for Given<ONE_SIDED> {
    const NAME: &'static str = "given";
    const EQUATION: &'static str = "c s = 0";
    const PARAMS: [Param; 4] = [number("c"), number("s"), number("g"), number("n")];
    const SENSE: Sense = if ONE_SIDED { Sense::Inequality } else { Sense::Equality };

    fn evaluate<R: Real>(_: [Vec3<R>; 2], [c, s, g, n]: [R; 4]) -> [Row<R, 2>; 2] {
        let zero = R::zero();
        let along = |g| [Vec3::new(g, zero, zero), Vec3::zero()];
        let one = R::of(1.0);
        [Row { c: c * s, g: along(g), n }, Row { c: one, g: along(one), n: one }]
    }
}

/// How many equations of a row of c, s, g and n between points `size` apart are degenerate.
fn degenerate<const ONE_SIDED: bool>(size: f32, params: [f64; 4]) -> usize {
    let mut set: RowSet<Given<ONE_SIDED>, 2, 4, 2> = RowSet::new(ResponseKind::Stiff);
    let added = set.push([0, 1], [Vec3::zero(); 2], params.map(Some), Stiffness::Factor(1.0));
    added.expect("a row");
    // Far from the origin: the size is that of the row, not where it lies.
    set.degenerate(0, &[[4e9, 0.0, 0.0], [4e9, size, 0.0]])
}

/// What has a gradient in f32 can be corrected, what holds need not be.
#[test]
fn a_gradient_in_f32_corrects() {
    let both = |size, params| [degenerate::<false>(size, params), degenerate::<true>(size, params)];
    assert_eq!(both(1.0, [1.0, 1.0, 1.0, 1.0]), [0, 0]);
    assert_eq!(both(1.0, [1.0, 1.0, 0.0, 1.0]), [1, 0]);
    assert_eq!(both(1.0, [-1.0, 1.0, 0.0, 1.0]), [1, 1]);
    assert_eq!(both(1.0, [0.0, 1.0, 0.0, 1.0]), [0, 0]);
    // The square of 1e-25 is zero in f32.
    assert_eq!(both(1.0, [-1.0, 1.0, 1e-25, 1.0]), [1, 1]);
    // C itself overflows in f32, not in f64.
    assert_eq!(both(1.0, [1e30, 1e30, 1.0, 1.0]), [1, 0]);
    assert_eq!(both(1.0, [-1e30, 1e30, 1.0, 1.0]), [1, 1]);
    // No scale and no gradient: nothing to go along, however small the row is.
    assert_eq!(both(1.0, [-1.0, 1.0, 0.0, 0.0]), [1, 1]);
}

/// Where f32 has no gradient but f64 has, a row rests that lacks less than a millionth of its size: |C| n <= 1e-6 size |n ∇C|; one of
/// 1e9 m and more never does.
#[test]
fn what_f32_cannot_tell_rests() {
    // A size of 8 m and a gradient of 1e25, whose square overflows: 8e19.
    let of = |c| degenerate::<false>(8.0, [c, 1.0, 1e25, 4.0]);
    assert_eq!([1.9e19, 2.1e19, -1.9e19, -2.1e19].map(of), [0, 1, 0, 1]);
    let far = |size| degenerate::<false>(size, [1.0, 1.0, 1.0, 0.0]);
    assert_eq!([0.9e9, 1e9, 1.1e9].map(far), [0, 1, 1]);
    assert_eq!(degenerate::<true>(2e9, [-1.0, 1.0, 1.0, 0.0]), 1);
    assert_eq!(degenerate::<true>(2e9, [1.0, 1.0, 1.0, 0.0]), 0);
}

/// A row of two points 3 m apart, whose rest length is `length`.
fn measured<C: Constraint<2, 1>>(
    length: f64,
    stiffness: Stiffness,
    lambda: f32,
) -> (Residual, f64) {
    let mut set: RowSet<C, 2, 1, 1> = RowSet::new(stiffness.response_kind());
    set.push([0, 1], [Vec3::zero(); 2], [Some(length)], stiffness).expect("a row");
    let positions = [[0.0; 3], [3.0, 0.0, 0.0]];
    // One substep of a second: α / h² = α.
    let settings = Settings { dt: 1.0, substeps: 1, ..Settings::default() };
    let mut sum = Residual::default();
    set.add_residual(0..1, &positions, &[lambda], &settings, &mut sum);
    (sum, set.elastic_energy(0..1, &positions, &settings))
}

/// |C + α/h² λ| / |∇C| with |∇C| = √2 of a distance; an inequality counts where it is violated, not where it just holds, and a
/// multiplier where there is a compliance, be it infinite.
#[test]
fn residuals_count_what_does_not_hold() {
    let squares = |(sum, _): (Residual, f64)| (sum.squares * 2.0 * 1e9).round() / 1e9;
    let (stiff, soft) = (Stiffness::Factor(1.0), Stiffness::Compliance(0.5));
    assert_eq!(squares(measured::<Distance>(1.0, stiff, 4.0)), 4.0);
    assert_eq!(squares(measured::<Distance>(1.0, stiff, f32::INFINITY)), 4.0);
    assert_eq!(squares(measured::<Distance>(1.0, soft, 4.0)), 16.0);
    assert_eq!(squares(measured::<Distance>(1.0, soft, -4.0)), 0.0);
    // A tether of 1 m is 2 m too long; one of 3 m just holds, one of 5 m is slack.
    assert_eq!([1.0, 3.0, 5.0].map(|d| squares(measured::<Tether>(d, soft, 4.0))), [0.0; 3]);
    assert_eq!([1.0, 3.0, 5.0].map(|d| squares(measured::<Tether>(d, soft, 8.0))), [4.0, 0.0, 0.0]);
    assert_eq!(measured::<Tether>(5.0, soft, 4.0).0.count, 1);
}

/// C² / 2α, of what has a compliance and does not hold.
#[test]
fn compliant_rows_hold_energy() {
    let soft = Stiffness::Compliance(0.25);
    let stiff = [Stiffness::Factor(1.0), Stiffness::Compliance(0.0)];
    assert_eq!(measured::<Distance>(1.0, soft, 0.0).1, 8.0);
    assert_eq!(measured::<Distance>(5.0, soft, 0.0).1, 8.0);
    assert_eq!([1.0, 3.0, 5.0].map(|d| measured::<Tether>(d, soft, 0.0).1), [8.0, 0.0, 0.0]);
    assert_eq!(stiff.map(|stiffness| measured::<Distance>(1.0, stiffness, 0.0).1), [0.0; 2]);
}

/// Multipliers are those that were set, row after row as authored, equation after equation; in any order, in packets and alone.
#[test]
fn multipliers_are_those_that_were_set() {
    let mut set: RowSet<Given<false>, 2, 4, 2> = RowSet::new(ResponseKind::Stiff);
    for i in 0..20 {
        let params = [Some(1.0); 4];
        set.push([i, 20 + i], [Vec3::zero(); 2], params, Stiffness::Factor(1.0)).expect("a row");
    }
    let (set, settings): (&dyn AnyRows, _) = (&set, Settings::default());
    let coloring = Coloring::verify(set.row_list(), 40, vec![(0..20).rev().collect()]);
    let permutation = &Permutation::identity(40);
    let order = RowOrder { rows: (0..20).rev().collect(), permutation };
    let runs = set.pack(&coloring.expect("rows that share none"), permutation, true, &settings);
    let given: Vec<f32> = (1..=40).map(|v| v as f32).collect();
    for batch in [runs, set.in_order(order, &settings)] {
        assert_eq!(batch.multipliers(), [0.0; 40]);
        batch.set_multipliers(&given);
        assert_eq!(batch.multipliers(), given);
    }
}
