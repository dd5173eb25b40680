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

    /// The plane as row `y` of a canvas so wide sees it, nothing where it does not: towards the horizon all is faded, above it w is
    /// negative.
    fn row<'b>(
        &'b self,
        [y, width]: [usize; 2],
        behind: u32,
        bare: &'b [Cell<u32>],
        dark: &'b mut Vec<f32>,
    ) -> Option<Row<'b>> {
        let view = self.view;
        let rise = (view.center[1] - (y as f32 + 0.5)) / view.focal;
        let w = self.below / (view.forward.y + view.up.y * rise);
        let is_seen = w > view.near && w < (REACH + 2.0) * view.distance;
        is_seen.then(|| Row { bare, ..Row::new(self, [rise, w, width as f32], behind, dark) })
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
    let mut dark = Vec::new();
    for y in band.rows() {
        let sky = mix(top, bottom, y as f32 / last as f32);
        let bare = bare.next().unwrap_or_default();
        match floor.and_then(|floor| floor.row([y, band.width()], sky, bare, &mut dark)) {
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

/// How dark every eighth pixel of a row is. It is blurred, so that between them a straight line will do.
struct Shade<'a>(&'a [f32]);

impl<'a> Row<'a> {
    fn new(floor: &Floor, [rise, w, width]: [f32; 3], behind: u32, dark: &'a mut Vec<f32>) -> Self {
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
        let shade = floor.shadow.as_ref();
        let shade = shade.and_then(|shadow| Shade::new(shadow, from, step, width, dark));
        Self {
            depth: SINK / w,
            from,
            step,
            target: [view.target.x, view.target.z],
            fade_per_length: 1.0 / (REACH * view.distance),
            behind: channels(behind),
            grids: [grid(floor.spacing, 0.4), grid(5.0 * floor.spacing, 0.9)],
            shade,
            bare: &[],
        }
    }
}

impl<'a> Shade<'a> {
    /// Nothing where none of `width` pixels is on the map; `dark` is memory to write on.
    fn new(
        shadow: &Shadow,
        from: [f32; 2],
        step: [f32; 2],
        width: f32,
        dark: &'a mut Vec<f32>,
    ) -> Option<Self> {
        let from = [0, 1].map(|k| (from[k] - shadow.corner[k]) * shadow.per_length);
        let step = step.map(|s| s * shadow.per_length);
        // from + i step within 0 ..= LAST, for both.
        let (mut first, mut last) = (0.0f32, width);
        for k in 0..2 {
            let ends = [0.0, Shadow::LAST].map(|end| (end - from[k]) / step[k]);
            first = first.max(ends[0].min(ends[1]));
            last = last.min(ends[0].max(ends[1]));
        }
        if first >= last {
            return None;
        }
        dark.clear();
        dark.resize((width as usize / WIDTH + 2).next_multiple_of(WIDTH), 0.0);
        let (eights, _) = dark.as_chunks_mut::<WIDTH>();
        let span = [first, last].map(|pixel| pixel as usize / (WIDTH * WIDTH));
        for (k, eight) in eights.iter_mut().enumerate().take(span[1] + 1).skip(span[0]) {
            let pixel = splat((k * WIDTH * WIDTH) as f32) + indices() * splat(WIDTH as f32);
            let at = |k: usize| splat(from[k]) + splat(step[k]) * pixel;
            *eight = unpack(shadow.at(at(0), at(1)));
        }
        Some(Self(dark))
    }

    /// How dark the eight pixels from a column on are, nothing where none of them is.
    #[inline(always)]
    fn at(&self, column: usize) -> Option<F32x8> {
        let [first, next] = [self.0[column / WIDTH], self.0[column / WIDTH + 1]];
        let step = (next - first) * (1.0 / WIDTH as f32);
        (first > 0.0 || next > 0.0).then(|| splat(first) + splat(step) * indices())
    }
}

/// 0 1 2 3 4 5 6 7.
#[inline(always)]
fn indices() -> F32x8 {
    pack(each_lane(|i| i as f32))
}

impl Row<'_> {
    /// Floor and grid over the background.
    #[inline(always)]
    fn bare(&self, column: usize) -> [u32; WIDTH] {
        let [x, z] = self.places(column);
        let fade = self.fade(x, z);
        let line = Real::max(self.grids[0].at(x, z), self.grids[1].at(x, z));
        let (floor, lines) = (channels(FLOOR), channels(LINES));
        rgb_lanes(each([0, 1, 2], |k: usize| {
            let c = splat(floor[k]) + splat(lines[k] - floor[k]) * line;
            splat(self.behind[k]) + (c - splat(self.behind[k])) * fade
        }))
    }

    /// The same in a shadow: of c = behind + (ground - behind) fade it takes its share of ground fade.
    #[inline(always)]
    fn shaded(&self, column: usize, bare: [u32; WIDTH], shade: F32x8) -> [u32; WIDTH] {
        let [x, z] = self.places(column);
        let behind = F32x8::of(1.0) - self.fade(x, z);
        rgb_lanes(each([0, 1, 2], |k: usize| {
            let c = pack(each_lane(|i| (bare[i] >> (16 - 8 * k) & 0xff) as i32 as f32));
            c - (c - splat(self.behind[k]) * behind) * (splat(DARK[k]) * shade)
        }))
    }

    /// x and z of eight pixels.
    #[inline(always)]
    fn places(&self, column: usize) -> [F32x8; 2] {
        let i = splat(column as f32) + indices();
        each([0, 1], |k: usize| splat(self.from[k]) + splat(self.step[k]) * i)
    }

    /// How much of the ground is seen there.
    #[inline(always)]
    fn fade(&self, x: F32x8, z: F32x8) -> F32x8 {
        let away = |at: F32x8, k: usize| (at - splat(self.target[k])) * splat(self.fade_per_length);
        let (u, v) = (away(x, 0), away(z, 1));
        let fade = Real::max(F32x8::of(1.0) - u * u - v * v, F32x8::zero());
        fade * fade
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
        let bare = match self.bare.get(column..column + WIDTH) {
            Some(kept) if kept[0].get() != UNKNOWN => each_lane(|i| kept[i].get()),
            Some(kept) => {
                let bare = self.bare(column);
                kept.iter().zip(bare).for_each(|(kept, color)| kept.set(color));
                bare
            }
            None => self.bare(column),
        };
        let colors = match self.shade.as_ref().and_then(|shade| shade.at(column)) {
            Some(shade) => self.shaded(column, bare, shade),
            None => bare,
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
