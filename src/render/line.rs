//! Lines: strokes that look like rods, their rims soft.
//!
//! A stroke is all pixels within a radius of a segment of the screen. The radius and the depth run linearly along it.

use super::band::{Band, Extent};
use super::camera::View;
use super::color::{channels, rgb};
use super::light::{Haze, Light};
use super::picture::Lines;
use crate::math::Vec3;

/// No disc or stroke is thinner than this radius (pixels).
const HAIR: f32 = 0.6;
/// A stroke is nearer by this factor than it is: a margin that lifts lines off their surface.
pub(super) const LIFT: f32 = 1.002;

/// One end of a stroke, or a ball, on the screen.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub at: [f32; 2],
    pub depth: f32,
    pub radius: f32,
    pub color: u32,
}

/// A stroke ready to be drawn.
struct Stroke {
    ends: [End; 2],
    extent: Extent,
}

/// Lines ready to be drawn.
pub(super) struct Strokes {
    all: Vec<Stroke>,
    light: Light,
    focal: f32,
    lift: f32,
}

impl Strokes {
    /// Every segment as a rod.
    pub fn new(view: &View, haze: &Haze, lines: &Lines) -> Self {
        let (light, focal) = (Light::facing(view), view.focal);
        let stroke = |segment: &[u32; 2]| {
            let [i, j] = segment.map(|i| i as usize);
            let [a, b] = [*lines.positions.get(i)?, *lines.positions.get(j)?];
            let [a, b] = in_front(view.turn(a), view.turn(b), view.near)?;
            let end = |at, i| end(view, haze, at, lines.radius, lines.paint.of(i));
            Some(Stroke::new([end(a, i), end(b, j)], focal))
        };
        let all = lines.segments.iter().filter_map(stroke).collect();
        Self { all, light, focal, lift: if lines.lifted { LIFT } else { 1.0 } }
    }

    pub fn draw(&self, band: &mut Band) {
        for stroke in &self.all {
            // Too thin to hide anything.
            if band.reaches(&stroke.extent) {
                self.stroke(band, stroke.ends);
            }
        }
    }
}

impl Stroke {
    fn new(ends: [End; 2], focal: f32) -> Self {
        let [a, b] = ends;
        let reach = a.radius.max(b.radius) + 0.5;
        let nearest = |end: End| end.depth * (LIFT + reach / focal);
        let extent = Extent {
            least: [0, 1].map(|k| a.at[k].min(b.at[k]) - reach),
            most: [0, 1].map(|k| a.at[k].max(b.at[k]) + reach + 1.0),
            nearest: nearest(a).max(nearest(b)),
        };
        Self { ends, extent }
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

pub(super) fn end(view: &View, haze: &Haze, [x, y, w]: [f32; 3], radius: f32, color: u32) -> End {
    let depth = 1.0 / w;
    End {
        at: [view.center[0] + x * depth, view.center[1] + y * depth],
        depth,
        radius: (radius * view.focal * depth).max(HAIR),
        color: haze.tint(color, w),
    }
}

impl Strokes {
    /// Every pixel nearer to the segment than its radius, softly.
    fn stroke(&self, band: &mut Band, [a, b]: [End; 2]) {
        let (width, rows) = (band.width() as f32, band.rows());
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
        let first_row = first(top, rows.end as f32).max(rows.start as i32);
        for y in first_row..last(bottom, rows.end as f32) {
            let dy = y as f32 + 0.5 - a.at[1];
            // On this row, the endless strip around the segment: |cross(along, offset)| <= reach |along|.
            let (mut from, mut to) = (left, right);
            if inverse == 0.0 {
                let half = (reach * reach - dy * dy).max(0.0).sqrt();
                (from, to) = (from - half + reach, to + half - reach);
            } else if along[1] != 0.0 {
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
                // How far the round surface rises towards the eye, in radii.
                let (ox, oy) = (ox / radius, oy / radius);
                let rise = (1.0 - ox * ox - oy * oy).max(0.0).sqrt();
                let depth =
                    (a.depth + (b.depth - a.depth) * t) * (self.lift + rise * radius / self.focal);
                let at = [x as usize, y as usize];
                // Tested before shading: most pixels of a pile of balls are hidden.
                if depth > band.depth(at[0], at[1]) {
                    let normal = round.then(|| Vec3::new(ox, -oy, rise));
                    let color = shaded(&self.light, &a, &b, t, normal);
                    band.blend(at, depth, color, coverage);
                }
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
