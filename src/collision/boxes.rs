//! Boxes along the axes, one or eight side by side.

use crate::math::{F32x8, Real, WIDTH, each, unpack};

/// Least and largest coordinates (m).
pub(crate) type Bounds<R = f32> = [[R; 3]; 2];

/// The box of no point.
pub(super) const NOTHING: Bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];

/// The box around two; what is not a number in the second is left out.
#[inline(always)]
pub(super) fn join<R: Real>([a, b]: Bounds<R>, [c, d]: Bounds<R>) -> Bounds<R> {
    [each([0, 1, 2], |k| c[k].min(a[k])), each([0, 1, 2], |k| d[k].max(b[k]))]
}

/// The box around `points`, wider by what is rounded off; what is not a number is left out.
#[inline(always)]
pub(crate) fn around<R: Real>(points: impl IntoIterator<Item = [R; 3]>) -> Bounds<R> {
    let mut bounds = each(NOTHING, |corner| each(corner, |v| R::of(v.into())));
    for x in points {
        bounds = join(bounds, [x; 2]);
    }
    widen(bounds, rounded(bounds))
}

/// The box around eight.
#[inline(always)]
pub(super) fn around_eight(boxes: Bounds<F32x8>) -> Bounds {
    let [least, most] = each(boxes, |corner| each(corner, unpack));
    (0..WIDTH)
        .fold(NOTHING, |all, lane| join(all, [each(least, |v| v[lane]), each(most, |v| v[lane])]))
}

/// A box wider by `more` on every side.
#[inline(always)]
pub(super) fn widen<R: Real>([least, most]: Bounds<R>, more: R) -> Bounds<R> {
    [each(least, |v| v - more), each(most, |v| v + more)]
}

/// Whether two boxes meet.
pub(super) fn overlap([begin, end]: Bounds, [least, most]: Bounds) -> bool {
    (0..3).all(|k| least[k] < end[k] && begin[k] < most[k])
}

/// What distances of points in a box may be wrong by (m): a little of its size, as the normals of slivers are, and of how far
/// out it is.
#[inline(always)]
pub(super) fn rounded<R: Real>([least, most]: Bounds<R>) -> R {
    let along = |k: usize| {
        let far = least[k].abs().max(most[k].abs());
        R::of(5e-4) * (most[k] - least[k]) + R::of(3e-7) * far
    };
    [0, 1, 2].into_iter().fold(R::zero(), |most, k| along(k).max(most))
}
