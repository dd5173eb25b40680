//! Triangles: clipped, scanned row by row, shaded between their corners.
//!
//! A pixel belongs to the triangle that holds its center. An edge's crossing of a row is computed from the edge's upper end,
//! alike for both triangles at it, and spans are half open: neighbors neither overlap nor leave a gap.
//! Depth (1 / distance) and color run linearly across the screen; both stay within those of the corners, so that a sliver
//! cannot overshoot.

use super::camera::View;
use super::canvas::Canvas;
use super::color::{channels, pack};
use super::light::{Haze, Light, across, corners, normals, unit};
use super::picture::Mesh;
use crate::math::Vec3;

/// A corner before the division by the distance: right, down, distance, red, green, blue.
type Corner = [f32; 6];

/// Farther out than this in either direction, a point is not drawn: products of such numbers overflow.
const FAR: f32 = 1e15;

/// Draws all triangles of a mesh that face either way.
pub(super) fn mesh(canvas: &mut Canvas, view: &View, haze: &Haze, mesh: &Mesh) {
    let light = Light::world();
    let projected: Vec<[f32; 3]> = mesh.positions.iter().map(|&p| view.turn(p)).collect();
    let smooth = if mesh.smooth { normals(mesh.positions, mesh.triangles) } else { Vec::new() };
    let shade = |i: usize, position: Vec3<f32>, normal: Vec3<f32>, back: bool| {
        let color = channels(mesh.paint.of(i));
        let eye = unit(view.eye - position);
        let (gain, shine) = light.on(if back { -normal } else { normal }, eye);
        let (tint, shine) = if back { (BACK, 0.0) } else { ([1.0; 3], shine) };
        let lit = core::array::from_fn(|k| (color[k] * tint[k] * gain + shine).min(255.0));
        haze.over(lit, haze.share(projected[i][2]))
    };
    // Both sides of every vertex: cheaper than finding out which are seen.
    let sides: Vec<[[f32; 3]; 2]> = (smooth.iter().enumerate())
        .map(|(i, &n)| {
            let p = Vec3::from(mesh.positions[i]);
            [shade(i, p, n, false), shade(i, p, n, true)]
        })
        .collect();
    let planes = planes(view, canvas);
    for triangle in mesh.triangles {
        let Some(points) = corners(mesh.positions, triangle) else {
            continue;
        };
        let normal = across(points);
        let back = normal.dot(view.eye - points[0]) < 0.0;
        let corner = |k: usize| {
            let i = triangle[k] as usize;
            let [r, g, b] = match sides.get(i) {
                Some(side) => side[usize::from(back)],
                None => shade(i, points[k], unit(normal), back),
            };
            let [x, y, w] = projected[i];
            [x, y, w, r, g, b]
        };
        draw(canvas, view, &planes, [corner(0), corner(1), corner(2)]);
    }
}

/// Share of red, green and blue that the back reflects: it is a little darker and cooler than the front.
const BACK: [f32; 3] = [0.84, 0.87, 0.93];

/// A triangle is cut away behind the near plane and far beside the canvas: inside is where `plane · (x, y, w) + plane[3] >= 0`.
type Planes = [[f32; 4]; 5];

fn planes(view: &View, canvas: &Canvas) -> Planes {
    // A margin around the canvas: triangles that reach a little beyond it are cheaper to scan than to clip.
    let guard = 2.0 * canvas.width().max(canvas.height()) as f32;
    [
        [0.0, 0.0, 1.0, -view.near],
        [1.0, 0.0, guard, 0.0],
        [-1.0, 0.0, guard, 0.0],
        [0.0, 1.0, guard, 0.0],
        [0.0, -1.0, guard, 0.0],
    ]
}

fn draw(canvas: &mut Canvas, view: &View, planes: &Planes, triangle: [Corner; 3]) {
    // Written so that what is not a number is not drawn either.
    if !triangle.iter().flatten().all(|c| c.abs() < FAR) {
        return;
    }
    let beyond = |p: &[f32; 4]| triangle.iter().filter(|c| height(p, c) < 0.0).count();
    let outside = planes.each_ref().map(beyond);
    if outside.contains(&3) {
        return;
    }
    let place = |[x, y, w, r, g, b]: Corner| {
        let depth = 1.0 / w;
        let [cx, cy] = view.center;
        [cx + x * depth, cy + y * depth, depth, r, g, b]
    };
    if outside == [0; 5] {
        return fill(canvas, triangle.map(place));
    }
    let polygon = planes.iter().fold(triangle.to_vec(), |polygon, plane| cut(&polygon, plane));
    for k in 2..polygon.len() {
        fill(canvas, [polygon[0], polygon[k - 1], polygon[k]].map(place));
    }
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

/// Fills a triangle given as pixel column, row, depth, red, green, blue.
fn fill(canvas: &mut Canvas, [a, b, c]: [[f32; 6]; 3]) {
    let (ab, ac) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
    let area = ab[0] * ac[1] - ab[1] * ac[0];
    if area == 0.0 || !area.is_finite() {
        return;
    }
    let scale = 1.0 / area;
    // Of depth, red, green, blue: per column, per row, at the canvas corner's pixel center, least, most.
    let slopes: [[f32; 2]; 4] = core::array::from_fn(|k| {
        let (db, dc) = (b[k + 2] - a[k + 2], c[k + 2] - a[k + 2]);
        [(db * ac[1] - dc * ab[1]) * scale, (dc * ab[0] - db * ac[0]) * scale]
    });
    let least: [f32; 4] = core::array::from_fn(|k| a[k + 2].min(b[k + 2]).min(c[k + 2]));
    let most: [f32; 4] = core::array::from_fn(|k| a[k + 2].max(b[k + 2]).max(c[k + 2]));
    let (width, height) = (canvas.width(), canvas.height());
    let corners = [[a[0], a[1]], [b[0], b[1]], [c[0], c[1]]];
    scan(corners, width, height, |y, columns| {
        let (dx, dy) = (columns.start as f32 + 0.5 - a[0], y as f32 + 0.5 - a[1]);
        let first: [f32; 4] =
            core::array::from_fn(|k| a[k + 2] + slopes[k][0] * dx + slopes[k][1] * dy);
        let span = y * width + columns.start..y * width + columns.end;
        let depths = &mut canvas.depth[span.clone()];
        let pixels = &mut canvas.pixels[span];
        for (t, (old, pixel)) in depths.iter_mut().zip(pixels).enumerate() {
            let t = t as i32 as f32;
            let at = |k: usize| (first[k] + slopes[k][0] * t).max(least[k]).min(most[k]);
            let (depth, color) = (at(0), pack([at(1), at(2), at(3)]));
            let nearer = depth > *old;
            *pixel = if nearer { color } else { *pixel };
            *old = if nearer { depth } else { *old };
        }
    });
}

/// Hands over every row of a triangle with the columns whose centers it holds, within `width` x `height`.
#[inline(always)]
pub(super) fn scan(
    mut corners: [[f32; 2]; 3],
    width: usize,
    height: usize,
    mut row: impl FnMut(usize, core::ops::Range<usize>),
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
    for y in first_center(top[1], height)..first_center(bottom[1], height) {
        let center = y as f32 + 0.5;
        let short = if center <= middle[1] { &upper } else { &lower };
        let ends = [long.column(center), short.column(center)].map(|x| first_center(x, width));
        let columns = ends[0].min(ends[1])..ends[0].max(ends[1]);
        if !columns.is_empty() {
            row(y, columns);
        }
    }
}

/// The first pixel whose center lies beyond `at`, held to `0 ..= most`; 0 for what is not a number.
#[inline(always)]
fn first_center(at: f32, most: usize) -> usize {
    (at + 0.5).max(0.0).min(most as f32) as i32 as usize
}

/// Where an edge, given from its upper end, crosses a row.
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
            least: from[0].min(to[0]),
            most: from[0].max(to[0]),
        }
    }

    #[inline(always)]
    fn column(&self, y: f32) -> f32 {
        // An almost level edge must not shoot past its ends where a row center is rounded to just beyond it.
        (self.from[0] + (y - self.from[1]) * self.slope).max(self.least).min(self.most)
    }
}
