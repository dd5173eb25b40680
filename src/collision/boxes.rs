//! Boxes along the axes.

/// Least and largest coordinates (m).
pub(super) type Bounds = [[f32; 3]; 2];

/// The box of no point.
pub(super) const NOTHING: Bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];

/// The box around two.
#[inline(always)]
pub(super) fn join([a, b]: Bounds, [c, d]: Bounds) -> Bounds {
    [[0, 1, 2].map(|k| a[k].min(c[k])), [0, 1, 2].map(|k| b[k].max(d[k]))]
}

/// The box of all `points`; what is not a number is left out.
#[inline(always)]
pub(super) fn around(points: impl IntoIterator<Item = [f32; 4]>) -> Bounds {
    points.into_iter().fold(NOTHING, |all, [x, y, z, _]| join(all, [[x, y, z]; 2]))
}

/// A box wider by `more` on every side, and by what is rounded off far out.
#[inline(always)]
pub(super) fn widen([least, most]: Bounds, more: f32) -> Bounds {
    let more = |v: f32| more + 3e-7 * v.abs();
    [least.map(|v| v - more(v)), most.map(|v| v + more(v))]
}
