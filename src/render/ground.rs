//! The ground: a level plane with a grid that fades with distance, and the soft shadow of what stands on it.
//!
//! The camera has no roll, so a row of the canvas sees the plane at one distance w = (height - eye.y) / direction.y: along a
//! row nothing is divided. Seen from below there is no ground.

use super::band::Band;
use super::camera::View;
use super::color::{channels, pack, whole};
use super::picture::{Ground, Picture};
use super::shadow::Shadow;
use crate::threads::Team;

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

    pub fn draw(&self, band: &mut Band) {
        let view = self.view;
        let mut shade = vec![0.0; band.width()];
        for y in band.rows() {
            let rise = (view.center[1] - (y as f32 + 0.5)) / view.focal;
            let w = self.below / (view.forward.y + view.up.y * rise);
            // Towards the horizon all is faded; above it w is negative.
            if !(w > view.near && w < (REACH + 2.0) * view.distance) {
                continue;
            }
            let row = Row::new(view, rise, w);
            row.shadow(self.shadow.as_ref(), &mut shade);
            let (pixels, depths) = band.span(y, 0..shade.len());
            row.floor(view, self.spacing, &shade, pixels);
            depths.fill(SINK / w);
        }
    }
}

/// The plane as one row of the canvas sees it: x and z of its first pixel and their steps from pixel to pixel.
struct Row {
    from: [f32; 2],
    step: [f32; 2],
    /// How much of x and z a pixel spans.
    footprint: [f32; 2],
}

impl Row {
    fn new(view: &View, rise: f32, w: f32) -> Self {
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
        Self { from: [x, z], step: [dx, dz], footprint: [fx, fz] }
    }

    /// How dark each pixel is.
    fn shadow(&self, shadow: Option<&Shadow>, shade: &mut [f32]) {
        shade.fill(0.0);
        let Some(shadow) = shadow else { return };
        let from = [0, 1].map(|k| (self.from[k] - shadow.corner[k]) * shadow.per_length);
        let step = self.step.map(|s| s * shadow.per_length);
        // The pixels on the map: from + i step within 0 ..= LAST, for both.
        let (mut first, mut last) = (0.0f32, shade.len() as f32);
        for k in 0..2 {
            let ends = [0.0, Shadow::LAST].map(|end| (end - from[k]) / step[k]);
            first = first.max(ends[0].min(ends[1]));
            last = last.min(ends[0].max(ends[1]));
        }
        for i in first as usize..(last as usize).min(shade.len()) {
            shade[i] = shadow.at(from[0] + step[0] * i as f32, from[1] + step[1] * i as f32);
        }
    }

    /// Floor, grid and shadow over the background.
    fn floor(&self, view: &View, spacing: f32, shade: &[f32], pixels: &mut [u32]) {
        let fine = Grid::new(self.footprint, spacing);
        let coarse = Grid::new(self.footprint, 5.0 * spacing);
        let (floor, lines) = (channels(FLOOR), channels(LINES));
        let target = [view.target.x, view.target.z];
        let fade_per_length = 1.0 / (REACH * view.distance);
        let behind = channels(pixels.first().copied().unwrap_or(0));
        for (i, (pixel, shade)) in pixels.iter_mut().zip(shade).enumerate() {
            let i = i as i32 as f32;
            let at: [f32; 2] = core::array::from_fn(|k| self.from[k] + self.step[k] * i);
            let away = [0, 1].map(|k| (at[k] - target[k]) * fade_per_length);
            let fade = (1.0 - away[0] * away[0] - away[1] * away[1]).max(0.0);
            let fade = fade * fade;
            let line = (0.4 * fine.at(at)).max(0.9 * coarse.at(at));
            *pixel = pack(core::array::from_fn(|k| {
                let c = floor[k] + (lines[k] - floor[k]) * line;
                let c = c - c * (DARK[k] * shade);
                behind[k] + (c - behind[k]) * fade
            }));
        }
    }
}

/// Lines at the multiples of a spacing, about a pixel wide.
struct Grid {
    per_length: f32,
    /// Per unit of `at * per_length`, for x and z.
    pixels: [f32; 2],
    /// Less where lines crowd.
    weight: [f32; 2],
}

impl Grid {
    fn new(footprint: [f32; 2], spacing: f32) -> Self {
        Self {
            per_length: 1.0 / spacing,
            pixels: footprint.map(|f| spacing / f.max(1e-12)),
            weight: footprint.map(|f| (1.0 - 2.5 * f / spacing).max(0.0)),
        }
    }

    /// How much of the pixel at x, z a line covers.
    #[inline(always)]
    fn at(&self, at: [f32; 2]) -> f32 {
        let cover = |k: usize| {
            let u = at[k] * self.per_length;
            let off = (u - whole(u) as f32).abs();
            (1.1 - off * self.pixels[k]).max(0.0).min(1.0) * self.weight[k]
        };
        cover(0).max(cover(1))
    }
}

/// The largest power of ten not above `length`, between 1e-4 and 1e4.
fn power_of_ten(length: f32) -> f32 {
    let powers = [1e4, 1e3, 1e2, 1e1, 1.0, 1e-1, 1e-2, 1e-3];
    powers.into_iter().find(|&p| p <= length).unwrap_or(1e-4)
}
