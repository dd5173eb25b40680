//! The ground: a level plane with a grid that fades with distance, and the soft shadow of what stands on it.
//!
//! The camera has no roll, so a row of the canvas sees the plane at one distance w = (height - eye.y) / direction.y: along a
//! row nothing is divided. Seen from below there is no ground.

use super::band::{Band, Eights};
use super::bare::{Seat, UNKNOWN};
use super::camera::View;
use super::color::{channels, mix, rgb_lanes, rounded};
use super::picture::{Ground, Picture};
use super::shadow::Shadow;
use crate::math::{F32x8, Real, WIDTH, each, each_lane, lane_bits, pack, splat, unpack};
use crate::threads::Team;
use std::cell::Cell;

/// The plane lies this share of the distance farther away than it is, so that a cloth lying on it is seen.
const SINK: f32 = 0.998;
/// The floor reaches this many camera distances from the target.
const REACH: f32 = 2.6;
/// Colors of the floor and of the grid lines.
const FLOOR: u32 = 0xDC_E0E6;
const LINES: u32 = 0x8A_94A3;
/// Share of red, green and blue that the deepest shadow takes.
const DARK: [f32; 3] = [0.52, 0.48, 0.42];

/// The ground of a picture, ready to be drawn.
pub(super) struct Floor<'a> {
    view: &'a View,
    /// From the eye down to it.
    below: f32,
    spacing: f32,
    shadow: Option<Shadow>,
}

impl<'a> Floor<'a> {
    /// Nothing where the eye is not above it.
    pub fn new(view: &'a View, ground: Ground, picture: &Picture, team: &Team) -> Option<Self> {
        let below = ground.height - view.eye.y;
        // Also where either is not a number.
        if !(below < 0.0 && below.is_finite() && view.focal > 0.0) {
            return None;
        }
        let spacing =
            if ground.spacing > 0.0 { ground.spacing } else { power_of_ten(0.4 * view.distance) };
        Some(Self { view, below, spacing, shadow: Shadow::of(picture, ground.height, team) })
    }

    /// All that its look depends on but for shadows.
    pub fn seat(&self, background: [u32; 2]) -> Seat {
        Seat { view: *self.view, below: self.below, spacing: self.spacing, background }
    }

    /// The plane as a row of the canvas sees it, nothing where it does not: towards the horizon all is faded, above it w is
    /// negative.
    fn row<'b>(&'b self, y: usize, behind: u32, bare: &'b [Cell<u32>]) -> Option<Row<'b>> {
        let view = self.view;
        let rise = (view.center[1] - (y as f32 + 0.5)) / view.focal;
        let w = self.below / (view.forward.y + view.up.y * rise);
        let is_seen = w > view.near && w < (REACH + 2.0) * view.distance;
        is_seen.then(|| Row { bare, ..Row::new(self, rise, w, behind) })
    }
}

/// Draws what is behind everything else, where nothing hides it: the ground, and over the other rows of a canvas so high a
/// vertical gradient, infinitely far.
pub(super) fn draw_behind(
    floor: Option<&Floor>,
    [top, bottom]: [u32; 2],
    height: usize,
    band: &mut Band,
) {
    let (columns, last) = (0..band.width(), height.max(2) - 1);
    let mut bare = Cell::from_mut(band.take_bare()).as_slice_of_cells().chunks_exact(band.width());
    for y in band.rows() {
        let sky = mix(top, bottom, y as f32 / last as f32);
        let bare = bare.next().unwrap_or_default();
        match floor.and_then(|floor| floor.row(y, sky, bare)) {
            Some(row) => band.eights(y, columns.clone(), &row),
            None => band.eights(y, columns.clone(), &Sky(sky)),
        }
    }
}

/// A row without ground.
struct Sky(u32);

impl Eights for Sky {
    #[inline(always)]
    fn draw(&self, _: usize, pixels: &mut [u32; WIDTH], depths: &mut [f32; WIDTH]) {
        *pixels = each_lane(|i| if depths[i] > 0.0 { pixels[i] } else { self.0 });
    }
}

/// The plane as one row of the canvas sees it: x and z of its first pixel and their steps from pixel to pixel.
struct Row<'a> {
    depth: f32,
    from: [f32; 2],
    step: [f32; 2],
    /// Of x and z: their target, where nothing fades yet.
    target: [f32; 2],
    fade_per_length: f32,
    behind: [f32; 3],
    grids: [Grid; 2],
    shade: Option<Shade<'a>>,
    bare: &'a [Cell<u32>],
}

/// The shadow along a row.
struct Shade<'a> {
    shadow: &'a Shadow,
    /// The first pixel's place on the map, and the step from pixel to pixel (cells).
    from: [f32; 2],
    step: [f32; 2],
    /// The pixels that lie on the map.
    pixels: [f32; 2],
}

impl<'a> Row<'a> {
    fn new(floor: &'a Floor, rise: f32, w: f32, behind: u32) -> Self {
        let view = floor.view;
        let across = (0.5 - view.center[0]) / view.focal;
        let slope = view.forward.y + view.up.y * rise;
        let axis = |eye: f32, right: f32, up: f32, forward: f32| {
            let ahead = forward + up * rise;
            let down = (up - ahead * view.up.y / slope).abs();
            let footprint = (right.abs() + down) * w / view.focal;
            (eye + w * (ahead + right * across), w * right / view.focal, footprint)
        };
        let (x, dx, fx) = axis(view.eye.x, view.right.x, view.up.x, view.forward.x);
        let (z, dz, fz) = axis(view.eye.z, view.right.z, view.up.z, view.forward.z);
        // How much of x and z a pixel spans.
        let footprint = [fx, fz];
        let grid = |spacing: f32, strength: f32| Grid::new(footprint, spacing, strength);
        let (from, step) = ([x, z], [dx, dz]);
        let width = 2.0 * view.center[0];
        Self {
            depth: SINK / w,
            from,
            step,
            target: [view.target.x, view.target.z],
            fade_per_length: 1.0 / (REACH * view.distance),
            behind: channels(behind),
            grids: [grid(floor.spacing, 0.4), grid(5.0 * floor.spacing, 0.9)],
            shade: floor.shadow.as_ref().and_then(|shadow| Shade::new(shadow, from, step, width)),
            bare: &[],
        }
    }
}

impl<'a> Shade<'a> {
    /// Nothing where none of `width` pixels is on the map.
    fn new(shadow: &'a Shadow, from: [f32; 2], step: [f32; 2], width: f32) -> Option<Self> {
        let from = [0, 1].map(|k| (from[k] - shadow.corner[k]) * shadow.per_length);
        let step = step.map(|s| s * shadow.per_length);
        // from + i step within 0 ..= LAST, for both.
        let (mut first, mut last) = (0.0f32, width);
        for k in 0..2 {
            let ends = [0.0, Shadow::LAST].map(|end| (end - from[k]) / step[k]);
            first = first.max(ends[0].min(ends[1]));
            last = last.min(ends[0].max(ends[1]));
        }
        let pixels = [first.floor(), last.floor()];
        (first < last).then_some(Self { shadow, from, step, pixels })
    }

    /// How dark pixels are, nothing where none of them is.
    #[inline(always)]
    fn at(&self, i: F32x8) -> Option<F32x8> {
        let [first, last] = self.pixels;
        let held = splat(first - 0.5).lt(i) & i.lt(splat(last));
        if lane_bits(held) == 0 {
            return None;
        }
        let at = |k: usize| splat(self.from[k]) + splat(self.step[k]) * i;
        let dark = F32x8::select(held, self.shadow.at(at(0), at(1)), F32x8::zero());
        (lane_bits(F32x8::zero().lt(dark)) != 0).then_some(dark)
    }
}

impl Row<'_> {
    /// Floor, grid and shadow over the background.
    #[inline(always)]
    fn colors(&self, i: F32x8, shade: F32x8) -> [u32; WIDTH] {
        let one = F32x8::of(1.0);
        let at = |k: usize| splat(self.from[k]) + splat(self.step[k]) * i;
        let (x, z) = (at(0), at(1));
        let away = |at: F32x8, k: usize| (at - splat(self.target[k])) * splat(self.fade_per_length);
        let (u, v) = (away(x, 0), away(z, 1));
        let fade = Real::max(one - u * u - v * v, F32x8::zero());
        let fade = fade * fade;
        let line = Real::max(self.grids[0].at(x, z), self.grids[1].at(x, z));
        let (floor, lines) = (channels(FLOOR), channels(LINES));
        rgb_lanes(each([0, 1, 2], |k: usize| {
            let c = splat(floor[k]) + splat(lines[k] - floor[k]) * line;
            let c = c - c * (splat(DARK[k]) * shade);
            splat(self.behind[k]) + (c - splat(self.behind[k])) * fade
        }))
    }
}

impl Eights for Row<'_> {
    #[inline(always)]
    fn draw(&self, column: usize, pixels: &mut [u32; WIDTH], depths: &mut [f32; WIDTH]) {
        let (depth, old) = (splat(self.depth), pack(*depths));
        let hidden = depth.lt(old);
        if lane_bits(hidden) == (1 << WIDTH) - 1 {
            return;
        }
        *depths = unpack(F32x8::select(hidden, old, depth));
        let i = splat(column as f32) + pack(each_lane(|i| i as f32));
        let shade = self.shade.as_ref().and_then(|shade| shade.at(i));
        let bare = self.bare.get(column..column + WIDTH);
        let colors = match (shade, bare) {
            (None, Some(bare)) if bare[0].get() != UNKNOWN => each_lane(|i| bare[i].get()),
            (None, Some(bare)) => {
                let colors = self.colors(i, F32x8::zero());
                bare.iter().zip(colors).for_each(|(bare, color)| bare.set(color));
                colors
            }
            (shade, _) => self.colors(i, shade.unwrap_or(F32x8::zero())),
        };
        let colors = pack(colors.map(f32::from_bits));
        let kept = pack(pixels.map(f32::from_bits));
        *pixels = unpack(F32x8::select(hidden, kept, colors)).map(f32::to_bits);
    }
}

/// Lines at the multiples of a spacing, about a pixel wide.
struct Grid {
    per_length: f32,
    /// Per unit of `at * per_length`, for x and z.
    pixels: [f32; 2],
    /// Less where lines crowd.
    weight: [f32; 2],
    strength: f32,
}

impl Grid {
    fn new(footprint: [f32; 2], spacing: f32, strength: f32) -> Self {
        Self {
            per_length: 1.0 / spacing,
            pixels: footprint.map(|f| spacing / f.max(1e-12)),
            weight: footprint.map(|f| (1.0 - 2.5 * f / spacing).max(0.0)),
            strength,
        }
    }

    /// How much of the pixels at x, z the lines cover.
    #[inline(always)]
    fn at(&self, x: F32x8, z: F32x8) -> F32x8 {
        let cover = |at: F32x8, k: usize| {
            let u = at * splat(self.per_length);
            let off = (u - rounded(u)).abs();
            let cover = splat(1.1) - off * splat(self.pixels[k]);
            Real::clamp(cover, F32x8::zero(), F32x8::of(1.0)) * splat(self.weight[k])
        };
        Real::max(cover(x, 0), cover(z, 1)) * splat(self.strength)
    }
}

/// The largest power of ten not above `length`, between 1e-4 and 1e4.
fn power_of_ten(length: f32) -> f32 {
    let powers = [1e4, 1e3, 1e2, 1e1, 1.0, 1e-1, 1e-2, 1e-3];
    powers.into_iter().find(|&p| p <= length).unwrap_or(1e-4)
}
