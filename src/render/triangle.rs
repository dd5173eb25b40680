//! Triangles: clipped, scanned row by row, shaded between their corners.
//!
//! A pixel belongs to the triangle that holds its center. An edge's crossing of a row is computed from the edge's upper end,
//! alike for both triangles at it, and spans are half open: neighbors neither overlap nor leave a gap.
//! Depth (1 / distance) and color run linearly across the screen; both stay within those of the corners, so that a sliver
//! cannot overshoot.

use super::band::{Band, Eights};
use super::camera::View;
use super::color::rgb_lanes;
use crate::math::{F32x8, Real, WIDTH, each_lane, lane_bits, pack, splat, unpack, whole_parts};
use std::ops::Range;

/// A corner before the division by the distance: right, down, distance, red, green, blue; after it column, row, depth and the
/// colors.
pub(super) type Corner = [f32; 6];

/// Farther out than this in either direction, a point is not drawn: products of such numbers overflow.
const FAR: f32 = 1e15;

/// A triangle is cut away behind the near plane and far beside the canvas: inside is where `plane · (x, y, w) + plane[3] >= 0`.
pub(super) type Planes = [[f32; 4]; 5];

/// How far from the middle of a canvas of `width` x `height` pixels nothing is cut away: a margin around it, as triangles that
/// reach a little beyond it are cheaper to scan than to clip.
pub(super) fn guard([width, height]: [usize; 2]) -> f32 {
    2.0 * width.max(height) as f32
}

/// The planes for a canvas of `width` x `height` pixels.
pub(super) fn planes(view: &View, size: [usize; 2]) -> Planes {
    let guard = guard(size);
    [
        [0.0, 0.0, 1.0, -view.near],
        [1.0, 0.0, guard, 0.0],
        [-1.0, 0.0, guard, 0.0],
        [0.0, 1.0, guard, 0.0],
        [0.0, -1.0, guard, 0.0],
    ]
}

/// Draws a triangle, cut where it must be.
pub(super) fn draw(band: &mut Band, view: &View, planes: &Planes, triangle: [Corner; 3]) {
    // Written so that what is not a number is not drawn either.
    if !triangle.iter().flatten().all(|c| c.abs() < FAR) {
        return;
    }
    let beyond = |p: &[f32; 4]| triangle.iter().filter(|c| height(p, c) < 0.0).count();
    let outside = planes.each_ref().map(beyond);
    if outside.contains(&3) {
        return;
    }
    if outside == [0; 5] {
        return draw_whole(band, view, triangle);
    }
    let polygon = planes.iter().fold(triangle.to_vec(), |polygon, plane| cut(&polygon, plane));
    for k in 2..polygon.len() {
        draw_whole(band, view, [polygon[0], polygon[k - 1], polygon[k]]);
    }
}

/// Draws a triangle of which nothing is cut away.
fn draw_whole(band: &mut Band, view: &View, triangle: [Corner; 3]) {
    let [cx, cy] = view.center;
    let place = |[x, y, w, r, g, b]: Corner| {
        let depth = 1.0 / w;
        [cx + x * depth, cy + y * depth, depth, r, g, b]
    };
    fill(band, triangle.map(place));
}

#[inline(always)]
fn height(plane: &[f32; 4], c: &Corner) -> f32 {
    plane[0] * c[0] + plane[1] * c[1] + plane[2] * c[2] + plane[3]
}

/// The part of a convex polygon inside a plane (Sutherland and Hodgman).
fn cut(polygon: &[Corner], plane: &[f32; 4]) -> Vec<Corner> {
    let mut inside = Vec::with_capacity(polygon.len() + 1);
    for (k, to) in polygon.iter().enumerate() {
        let from = &polygon[(k + polygon.len() - 1) % polygon.len()];
        let (a, b) = (height(plane, from), height(plane, to));
        if (a < 0.0) != (b < 0.0) {
            // From the inner end outwards, whichever way the edge runs: neighbors cut it at the same point.
            let (inner, outer, t) =
                if b < 0.0 { (from, to, a / (a - b)) } else { (to, from, b / (b - a)) };
            inside.push(core::array::from_fn(|i| inner[i] + (outer[i] - inner[i]) * t));
        }
        if b >= 0.0 {
            inside.push(*to);
        }
    }
    inside
}

/// Whether a triangle, its corners in these columns and rows, holds the center of a row and of a column: many of a fine mesh
/// lie between the centers of pixels.
#[inline(always)]
pub(super) fn holds_centers(band: &Band, [a, b, c]: [[f32; 3]; 3]) -> bool {
    let held = |k: usize, most: usize| {
        let least = Real::min(Real::min(a[k], b[k]), c[k]);
        let greatest = Real::max(Real::max(a[k], b[k]), c[k]);
        first_center(least, most)..first_center(greatest, most)
    };
    let (columns, rows) = (held(0, band.width()), held(1, band.rows().end));
    !columns.is_empty() && !rows.is_empty() && rows.end > band.rows().start
}

/// Fills a triangle given as pixel column, row, depth, red, green, blue.
pub(super) fn fill(band: &mut Band, [a, b, c]: [Corner; 3]) {
    let (ab, ac) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
    let area = ab[0] * ac[1] - ab[1] * ac[0];
    if area == 0.0 || !area.is_finite() {
        return;
    }
    let least_of = |k: usize| Real::min(Real::min(a[k], b[k]), c[k]);
    let most_of = |k: usize| Real::max(Real::max(a[k], b[k]), c[k]);
    let scale = 1.0 / area;
    // Of depth, red, green, blue: per column, per row, at the canvas corner's pixel center, least, most.
    let slopes: [[f32; 2]; 4] = core::array::from_fn(|k| {
        let (db, dc) = (b[k + 2] - a[k + 2], c[k + 2] - a[k + 2]);
        [(db * ac[1] - dc * ab[1]) * scale, (dc * ab[0] - db * ac[0]) * scale]
    });
    let least: [f32; 4] = core::array::from_fn(|k| least_of(k + 2));
    let most: [f32; 4] = core::array::from_fn(|k| most_of(k + 2));
    let corners = [[a[0], a[1]], [b[0], b[1]], [c[0], c[1]]];
    scan(corners, band.width(), band.rows(), |y, columns| {
        let (dx, dy) = (columns.start as f32 + 0.5 - a[0], y as f32 + 0.5 - a[1]);
        let first: [f32; 4] =
            core::array::from_fn(|k| a[k + 2] + slopes[k][0] * dx + slopes[k][1] * dy);
        let slopes = core::array::from_fn(|k| slopes[k][0]);
        let columns_at = [columns.start, columns.len()].map(|c| c as f32);
        band.eights(y, columns, &Row { first, slopes, least, most, columns: columns_at });
    });
}

/// A row of a triangle: depth, red, green and blue of its first pixel, their steps from pixel to pixel and their limits.
struct Row {
    first: [f32; 4],
    slopes: [f32; 4],
    least: [f32; 4],
    most: [f32; 4],
    /// The first column, and how many there are.
    columns: [f32; 2],
}

impl Eights for Row {
    #[inline(always)]
    fn draw(&self, column: usize, pixels: &mut [u32; WIDTH], depths: &mut [f32; WIDTH]) {
        let [start, count] = self.columns;
        let t = splat(column as f32 - start) + pack(each_lane(|i| i as f32));
        let value = |k: usize| {
            let v = splat(self.first[k]) + splat(self.slopes[k]) * t;
            Real::clamp(v, splat(self.least[k]), splat(self.most[k]))
        };
        let (depth, old) = (value(0), pack(*depths));
        let seen = old.lt(depth) & t.lt(splat(count));
        if lane_bits(seen) == 0 {
            return;
        }
        *depths = unpack(F32x8::select(seen, depth, old));
        let colors = rgb_lanes([value(1), value(2), value(3)]).map(f32::from_bits);
        let kept = pack(pixels.map(f32::from_bits));
        *pixels = unpack(F32x8::select(seen, pack(colors), kept)).map(f32::to_bits);
    }
}

/// Hands over every row of a triangle with the columns whose centers it holds, of the columns below `width` and of `rows`.
#[inline(always)]
pub(super) fn scan(
    mut corners: [[f32; 2]; 3],
    width: usize,
    rows: Range<usize>,
    mut row: impl FnMut(usize, Range<usize>),
) {
    // By row, then by column: an edge has the same upper end in both of its triangles.
    let swap = |c: &mut [[f32; 2]; 3], i: usize, j: usize| {
        if (c[j][1], c[j][0]) < (c[i][1], c[i][0]) {
            c.swap(i, j);
        }
    };
    swap(&mut corners, 0, 1);
    swap(&mut corners, 1, 2);
    swap(&mut corners, 0, 1);
    let [top, middle, bottom] = corners;
    let (long, upper, lower) =
        (Edge::new(top, bottom), Edge::new(top, middle), Edge::new(middle, bottom));
    let first = first_center(top[1], rows.end).max(rows.start);
    let end = first_center(bottom[1], rows.end);
    for block in (first..end).step_by(WIDTH) {
        let centers = splat(block as f32 + 0.5) + pack(each_lane(|i| i as f32));
        let is_lower = splat(middle[1]).lt(centers);
        let short = F32x8::select(is_lower, lower.columns(centers), upper.columns(centers));
        let hold = |x: F32x8| Real::clamp(x + splat(0.5), F32x8::zero(), splat(width as f32));
        let (a, b) = (hold(long.columns(centers)), hold(short));
        let (from, to) = (whole_parts(Real::min(a, b)), whole_parts(Real::max(a, b)));
        for y in block..end.min(block + WIDTH) {
            let (from, to) = (from[y - block] as usize, to[y - block] as usize);
            if from < to {
                row(y, from..to);
            }
        }
    }
}

/// The first pixel whose center lies beyond `at`, held to `0 ..= most`; 0 for what is not a number.
#[inline(always)]
fn first_center(at: f32, most: usize) -> usize {
    Real::clamp(at + 0.5, 0.0, most as f32) as i32 as usize
}

/// Where an edge, given from its upper end, crosses rows.
struct Edge {
    from: [f32; 2],
    slope: f32,
    least: f32,
    most: f32,
}

impl Edge {
    #[inline(always)]
    fn new(from: [f32; 2], to: [f32; 2]) -> Self {
        Self {
            from,
            slope: (to[0] - from[0]) / (to[1] - from[1]),
            least: Real::min(from[0], to[0]),
            most: Real::max(from[0], to[0]),
        }
    }

    #[inline(always)]
    fn columns(&self, y: F32x8) -> F32x8 {
        let column = splat(self.from[0]) + (y - splat(self.from[1])) * splat(self.slope);
        // An almost level edge must not shoot past its ends where a row center is rounded to just beyond it.
        Real::clamp(column, splat(self.least), splat(self.most))
    }
}
