//! Where a segment comes closest to another one and to a box, in closed form.

use super::manifold::Point;
use super::polygon::closest;
use crate::math::Real;

/// The square of the sine below which two segments are parallel.
const PARALLEL: f32 = 1e-4;
/// The square of the cosine between the way to a box and the normal of a face, from which on it is the way to that face.
const FACE: f32 = 0.9998;

/// Where along `p` another segment is closest: its part in 0..=1; of parallel ones the middle of what lies side by side.
pub(super) fn beside_segment(p: [Point; 2], q: [Point; 2]) -> f32 {
    let (e, d) = (p[1] - p[0], q[1] - q[0]);
    let ee = e.dot(e);
    let part = |x: Point| Real::clamp((x - p[0]).dot(e).over_positive(ee), 0.0, 1.0);
    let across = e.cross(d);
    if across.dot(across) < PARALLEL * ee * d.dot(d) {
        return 0.5 * (part(q[0]) + part(q[1]));
    }
    part(closest(p, q)[0])
}

/// How far a point is out of the slabs of a box.
fn ways_out(p: [f32; 3], half: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|k| p[k] - Real::clamp(p[k], -half[k], half[k]))
}

/// Where along a segment a box of this half size about the origin is closest: its part in 0..=1, the middle where it is as
/// close on the way; nothing where the segment enters the box.
///
/// The square of the distance is that of the ways out of the slabs. Between the places where the segment crosses a plane of the
/// box its slope is linear, so it is zero in closed form.
pub(super) fn beside_box(from: Point, to: Point, half: Point) -> Option<f32> {
    let (from, line, half) = (from.to_array(), (to - from).to_array(), half.to_array());
    let point = |t: f32| std::array::from_fn(|k| from[k] + line[k] * t);
    let slope = |t: f32| {
        let [x, y, z] = ways_out(point(t), half);
        x * line[0] + y * line[1] + z * line[2]
    };
    let (mut low, mut high) = ((0.0, slope(0.0)), (1.0, slope(1.0)));
    let mut level = [f32::INFINITY, f32::NEG_INFINITY];
    let mut see = |t: f32, s: f32| {
        if s == 0.0 {
            level = [level[0].min(t), level[1].max(t)];
        } else if s < 0.0 && t >= low.0 {
            low = (t, s);
        } else if s > 0.0 && t <= high.0 {
            high = (t, s);
        }
    };
    see(0.0, slope(0.0));
    see(1.0, slope(1.0));
    for k in 0..3 {
        for side in [-half[k], half[k]] {
            let t = (side - from[k]) / line[k];
            if t > 0.0 && t < 1.0 {
                see(t, slope(t));
            }
        }
    }
    let t = if level[0] <= level[1] {
        0.5 * (level[0] + level[1])
    } else if low.1 > 0.0 {
        0.0
    } else if high.1 < 0.0 {
        1.0
    } else {
        low.0 + (high.0 - low.0) * (-low.1).over_positive(high.1 - low.1)
    };
    let is_out = ways_out(point(t), half) != [0.0; 3];
    is_out.then_some(t)
}

/// Where a segment comes over the face of a box that it is nearest to at `t`, and where it leaves it; nothing where that is an
/// edge or a corner, or it is within the box.
pub(super) fn over_box_face(from: Point, line: Point, t: f32, half: Point) -> Option<[f32; 2]> {
    let (from, line, half) = (from.to_array(), line.to_array(), half.to_array());
    let out = ways_out(std::array::from_fn(|k| from[k] + line[k] * t), half);
    let square: f32 = out.iter().map(|e| e * e).sum();
    let face = (0..3).find(|k| square > 0.0 && out[*k] * out[*k] > FACE * square)?;
    let [mut low, mut high] = [0.0, 1.0];
    for k in (0..3).filter(|k| *k != face && line[*k] != 0.0) {
        let ends = [-half[k], half[k]].map(|side| (side - from[k]) / line[k]);
        low = ends[0].min(ends[1]).max(low);
        high = ends[0].max(ends[1]).min(high);
    }
    Some([low.min(t), high.max(t)])
}
