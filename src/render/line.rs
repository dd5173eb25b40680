//! Points and lines: discs that look like balls, strokes that look like rods, both with soft rims.
//!
//! One shape serves both: all pixels within a radius of a segment of the screen (a disc is a segment of length 0). The
//! radius and the depth run linearly along it.

use super::camera::View;
use super::canvas::Canvas;
use super::color::{channels, rgb};
use super::light::{Haze, Light};
use super::picture::{Lines, Points};
use crate::math::Vec3;

/// No disc or stroke is thinner than this radius (pixels).
const HAIR: f32 = 0.6;

/// One end of a stroke, on the screen.
#[derive(Clone, Copy)]
struct End {
    at: [f32; 2],
    depth: f32,
    radius: f32,
    color: u32,
}

/// Draws every point as a ball.
pub(super) fn points(canvas: &mut Canvas, view: &View, haze: &Haze, points: &Points) {
    let light = Light::facing(view);
    for (i, &position) in points.positions.iter().enumerate() {
        let turned = view.turn(position);
        if turned[2] >= view.near {
            let end = end(view, haze, turned, points.radius, points.paint.of(i));
            stroke(canvas, view, &light, end, end);
        }
    }
}

/// Draws every segment as a rod.
pub(super) fn lines(canvas: &mut Canvas, view: &View, haze: &Haze, lines: &Lines) {
    let light = Light::facing(view);
    for segment in lines.segments {
        let [i, j] = segment.map(|i| i as usize);
        let (Some(&a), Some(&b)) = (lines.positions.get(i), lines.positions.get(j)) else {
            continue;
        };
        let Some([a, b]) = in_front(view.turn(a), view.turn(b), view.near) else {
            continue;
        };
        let paint = |i| lines.paint.of(i);
        stroke(
            canvas,
            view,
            &light,
            end(view, haze, a, lines.radius, paint(i)),
            end(view, haze, b, lines.radius, paint(j)),
        );
    }
}

/// The part of a segment beyond the near plane.
fn in_front(a: [f32; 3], b: [f32; 3], near: f32) -> Option<[[f32; 3]; 2]> {
    let cut = |inner: [f32; 3], outer: [f32; 3]| {
        let t = (inner[2] - near) / (inner[2] - outer[2]);
        let [x, y] = [0, 1].map(|k| inner[k] + (outer[k] - inner[k]) * t);
        [x, y, near]
    };
    match (a[2] >= near, b[2] >= near) {
        (true, true) => Some([a, b]),
        (true, false) => Some([a, cut(a, b)]),
        (false, true) => Some([cut(b, a), b]),
        (false, false) => None,
    }
}

fn end(view: &View, haze: &Haze, [x, y, w]: [f32; 3], radius: f32, color: u32) -> End {
    let depth = 1.0 / w;
    End {
        at: [view.center[0] + x * depth, view.center[1] + y * depth],
        depth,
        radius: (radius * view.focal * depth).max(HAIR),
        color: haze.tint(color, w),
    }
}

/// Every pixel nearer to the segment than its radius, softly.
fn stroke(canvas: &mut Canvas, view: &View, light: &Light, a: End, b: End) {
    let (width, height) = (canvas.width() as f32, canvas.height() as f32);
    let reach = a.radius.max(b.radius) + 0.5;
    let along = [b.at[0] - a.at[0], b.at[1] - a.at[1]];
    let square = along[0] * along[0] + along[1] * along[1];
    // Also turns away what is not finite; beyond 1e9 pixels the arithmetic has no digits left for the canvas.
    if !(square < 1e18 && reach < 1e9 && a.at[0].abs() < 1e9 && a.at[1].abs() < 1e9) {
        return;
    }
    let inverse = if square > 1e-12 { 1.0 / square } else { 0.0 };
    let first = |v: f32, most: f32| (v - reach).max(0.0).min(most) as i32;
    let last = |v: f32, most: f32| (v + reach + 1.0).max(0.0).min(most) as i32;
    let (left, right) = (a.at[0].min(b.at[0]), a.at[0].max(b.at[0]));
    let (top, bottom) = (a.at[1].min(b.at[1]), a.at[1].max(b.at[1]));
    let round = a.radius.max(b.radius) > 1.5;
    for y in first(top, height)..last(bottom, height) {
        let dy = y as f32 + 0.5 - a.at[1];
        // On this row, the endless strip around the segment: |cross(along, offset)| <= reach |along|.
        let (mut from, mut to) = (left, right);
        if along[1] != 0.0 && inverse > 0.0 {
            let middle = a.at[0] + dy * along[0] / along[1];
            let half = reach * (square.sqrt() / along[1]).abs();
            // `first` and `last` below add the reach themselves.
            from = from.max(middle - half + reach);
            to = to.min(middle + half - reach);
        }
        for x in first(from, width)..last(to, width) {
            let dx = x as f32 + 0.5 - a.at[0];
            let t = ((dx * along[0] + dy * along[1]) * inverse).max(0.0).min(1.0);
            let (ox, oy) = (dx - t * along[0], dy - t * along[1]);
            let radius = a.radius + (b.radius - a.radius) * t;
            let square = ox * ox + oy * oy;
            let coverage = radius + 0.5 - square.sqrt();
            if coverage <= 0.0 {
                continue;
            }
            // How far the round surface rises towards the eye, in radii; and a margin that lifts lines off their surface.
            let (ox, oy) = (ox / radius, oy / radius);
            let rise = (1.0 - ox * ox - oy * oy).max(0.0).sqrt();
            let depth = (a.depth + (b.depth - a.depth) * t) * (1.002 + rise * radius / view.focal);
            let at = y as usize * canvas.width() + x as usize;
            // Tested before shading: most pixels of a pile of balls are hidden.
            if depth > canvas.depth[at] {
                let normal = round.then(|| Vec3::new(ox, -oy, rise));
                canvas.blend(at, depth, shaded(light, &a, &b, t, normal), coverage);
            }
        }
    }
}

/// The color at `t` along a stroke, lit where it is wide enough to look round.
#[inline(always)]
fn shaded(light: &Light, a: &End, b: &End, t: f32, normal: Option<Vec3<f32>>) -> u32 {
    let (from, to) = (channels(a.color), channels(b.color));
    let (gain, shine) = normal.map_or((1.0, 0.0), |n| light.on(n, Vec3::new(0.0, 0.0, 1.0)));
    rgb(core::array::from_fn(|k| (from[k] + (to[k] - from[k]) * t) * gain + shine))
}
