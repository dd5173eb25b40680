//! Balls of liquid as one surface: screen-space fluid (van der Laan, Green and Sainz 2009).
//!
//! ```text
//! nearest depth of all balls at every cell -> smoothed where neighbors are about as near -> normals from its slopes -> color
//! ```
//!
//! A cell is two by two pixels. Depth is 1 / distance as on the canvas, in which a plane is linear: smoothing leaves it plane.
//! Where no neighbor is near, a ball stays a ball: a drop.

use super::band::Band;
use super::camera::View;
use super::canvas::Canvas;
use super::color::{channels, rgb};
use super::light::{Haze, Light};
use super::picture::Points;
use crate::math::Vec3;

/// Pixels along a side of a cell.
const CELL: f32 = 2.0;
/// Balls are drawn so much larger, so that no gaps show between neighbors.
const SWELL: f32 = 1.3;
/// Depths farther apart than so many radii belong to different surfaces.
const APART: f32 = 4.0;
/// Balls so many radii behind the surface color it too.
const SEEN: f32 = 3.0;
/// What the thinnest liquid hides of what is behind it.
const OPACITY: f32 = 0.72;
/// What the surface mirrors.
const SKY: [f32; 3] = [236.0, 241.0, 247.0];

/// A ball on the grid of cells: center, radius and distance, and its color.
struct Ball {
    at: [f32; 2],
    radius: f32,
    distance: f32,
    color: [f32; 3],
}

/// The cells that the liquid covers, and a rim of empty ones.
struct Cells {
    /// Column and row of the first.
    first: [i32; 2],
    size: [usize; 2],
    /// 1 / distance (1/m); zero where there is no liquid.
    depth: Vec<f32>,
    /// Of the liquid along the view (m).
    thickness: Vec<f32>,
    /// Color times weight, and the weight.
    color: Vec<[f32; 4]>,
}

/// A shaded cell: red, green, blue, opacity.
type Shaded = [f32; 4];

/// Draws all balls as one surface.
pub(super) fn draw(canvas: &mut Canvas, view: &View, haze: &Haze, liquid: &Points) {
    let (balls, radius) = (balls(view, liquid), liquid.radius.most());
    let Some(mut cells) = Cells::around(&balls, canvas) else {
        return;
    };
    cells.cover(&balls, SWELL * radius);
    for stride in strides(&balls) {
        cells.smooth(stride, APART * radius);
    }
    let shaded = cells.shade(view, haze, radius);
    canvas.bands(1).iter_mut().for_each(|band| cells.lay_over(band, &shaded));
}

fn balls(view: &View, liquid: &Points) -> Vec<Ball> {
    let ball = |(i, &position): (usize, &[f32; 3])| {
        let [x, y, distance] = view.project(position)?;
        let radius = SWELL * liquid.radius.of(i) * view.focal / distance / CELL;
        let color = channels(liquid.paint.of(i));
        Some(Ball { at: [x / CELL, y / CELL], radius: radius.max(0.5), distance, color })
    };
    liquid.positions.iter().enumerate().filter_map(ball).collect()
}

/// Strides of the smoothing (cells): powers of two up to the radius of a ball and down again, so that no ball is told apart.
fn strides(balls: &[Ball]) -> Vec<usize> {
    let mean = balls.iter().map(|ball| ball.radius).sum::<f32>() / balls.len() as f32;
    let up: Vec<usize> =
        (0..6).map(|power| 1 << power).filter(|&s| s as f32 <= mean.max(1.0)).collect();
    up.iter().chain(up.iter().rev().skip(1)).copied().collect()
}

impl Cells {
    fn around(balls: &[Ball], canvas: &Canvas) -> Option<Self> {
        let most = [canvas.width(), canvas.height()].map(|side| side as f32 / CELL);
        let side = |k: usize| {
            let low = balls.iter().map(|b| b.at[k] - b.radius).fold(f32::INFINITY, f32::min);
            let high = balls.iter().map(|b| b.at[k] + b.radius).fold(f32::NEG_INFINITY, f32::max);
            let low = (low - 2.0).max(-1.0).min(most[k]) as i32;
            let high = (high + 2.0).max(0.0).min(most[k] + 1.0) as i32;
            (low, (high - low).max(0) as usize)
        };
        let [(left, wide), (top, high)] = [side(0), side(1)];
        let count = wide * high;
        (count > 0).then(|| Self {
            first: [left, top],
            size: [wide, high],
            depth: vec![0.0; count],
            thickness: vec![0.0; count],
            color: vec![[0.0; 4]; count],
        })
    }

    /// Hands over every cell that a ball covers: its index, and how far the ball rises there towards the eye, in radii.
    fn each_cell(&self, ball: &Ball, mut cell: impl FnMut(usize, f32)) {
        let center = [0, 1].map(|k| ball.at[k] - self.first[k] as f32);
        let span = |k: usize| {
            let hold = |v: f32| v.max(0.0).min(self.size[k] as f32) as usize;
            hold(center[k] - ball.radius)..hold(center[k] + ball.radius + 1.0)
        };
        let inverse = 1.0 / ball.radius;
        for y in span(1) {
            let dy = (y as f32 + 0.5 - center[1]) * inverse;
            for x in span(0) {
                let dx = (x as f32 + 0.5 - center[0]) * inverse;
                let square = 1.0 - dx * dx - dy * dy;
                if square > 0.0 {
                    cell(y * self.size[0] + x, square.sqrt());
                }
            }
        }
    }

    /// Nearest depth and thickness of balls of `radius` (m); then the colors of those that are seen.
    fn cover(&mut self, balls: &[Ball], radius: f32) {
        let mut depth = std::mem::take(&mut self.depth);
        let mut thickness = std::mem::take(&mut self.thickness);
        let mut color = std::mem::take(&mut self.color);
        for ball in balls {
            self.each_cell(ball, |i, rise| {
                let near = ball.distance - rise * radius;
                if near > 0.0 {
                    depth[i] = depth[i].max(1.0 / near);
                    thickness[i] += 2.0 * rise * radius;
                }
            });
        }
        for ball in balls {
            self.each_cell(ball, |i, rise| {
                let behind = (ball.distance - rise * radius) * depth[i] - 1.0;
                if behind < SEEN * radius * depth[i] {
                    let weight = rise * rise;
                    let [r, g, b] = ball.color;
                    for (sum, share) in color[i].iter_mut().zip([r, g, b, 1.0]) {
                        *sum += weight * share;
                    }
                }
            });
        }
        (self.depth, self.thickness, self.color) = (depth, thickness, color);
    }

    /// Each depth becomes the mean of five along the row, then along the column, of those within `apart` (m) of it.
    fn smooth(&mut self, stride: usize, apart: f32) {
        const WEIGHTS: [f32; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];
        let [wide, high] = self.size;
        let mut next = self.depth.clone();
        for (step, along, most) in [(stride, 0, wide), (stride * wide, 1, high)] {
            for (i, next) in next.iter_mut().enumerate() {
                let own = self.depth[i];
                if own <= 0.0 {
                    continue;
                }
                let place = if along == 0 { i % wide } else { i / wide };
                let (mut sum, mut weights) = (0.0, 0.0);
                for (k, weight) in WEIGHTS.into_iter().enumerate() {
                    let there = place + k * stride;
                    if there < 2 * stride || there >= most + 2 * stride {
                        continue;
                    }
                    let other = self.depth[i + k * step - 2 * step];
                    if other > 0.0 && (other - own).abs() <= apart * own * other {
                        sum += weight * other;
                        weights += weight;
                    }
                }
                *next = sum / weights;
            }
            self.depth.copy_from_slice(&next);
        }
    }

    fn shade(&self, view: &View, haze: &Haze, radius: f32) -> Vec<Shaded> {
        let light = Light::facing(view);
        let shade = |i: usize| {
            let depth = self.depth[i];
            if depth <= 0.0 {
                return [0.0; 4];
            }
            let normal = self.normal(i, view, APART * radius);
            let (gain, shine) = light.on(normal, Vec3::new(0.0, 0.0, 1.0));
            // Schlick's share of what is mirrored.
            let grazing = (1.0 - normal.z).max(0.0).min(1.0);
            let square = grazing * grazing;
            let mirrored = 0.02 + 0.55 * square * square * grazing;
            let [r, g, b, weight] = self.color[i];
            let own = [r, g, b].map(|c| c / weight.max(1e-6) * gain + 2.0 * shine);
            let lit = std::array::from_fn(|k| own[k] + (SKY[k] - own[k]) * mirrored);
            let [r, g, b] = haze.over(lit, haze.share(1.0 / depth));
            let thickness = self.thickness[i];
            [r, g, b, OPACITY + (1.0 - OPACITY) * thickness / (thickness + 6.0 * radius)]
        };
        (0..self.depth.len()).map(shade).collect()
    }

    /// The unit normal at a cell: right, up, towards the eye. Of the two neighbors along an axis those within `apart` (m) count.
    fn normal(&self, i: usize, view: &View, apart: f32) -> Vec3<f32> {
        let [wide, high] = self.size;
        let [x, y] = [i % wide, i / wide];
        let place = |x: usize, y: usize| {
            let w = 1.0 / self.depth[y * wide + x];
            let at = |cell: usize, k: usize| {
                ((cell as i32 + self.first[k]) as f32 + 0.5) * CELL - view.center[k]
            };
            Vec3::new(at(x, 0) * w / view.focal, at(y, 1) * w / view.focal, w)
        };
        let own = self.depth[i];
        let near = |j: usize| {
            let other = self.depth[j];
            other > 0.0 && (other - own).abs() <= apart * own * other
        };
        let left = if x > 0 && near(i - 1) { x - 1 } else { x };
        let right = if x + 1 < wide && near(i + 1) { x + 1 } else { x };
        let above = if y > 0 && near(i - wide) { y - 1 } else { y };
        let below = if y + 1 < high && near(i + wide) { y + 1 } else { y };
        let across = place(right, y) - place(left, y);
        let down = place(x, below) - place(x, above);
        let normal = across.cross(down);
        let length = normal.length();
        match length > 0.0 && length.is_finite() {
            true => Vec3::new(-normal.x, normal.y, normal.z) * (1.0 / length),
            false => Vec3::new(0.0, 0.0, 1.0),
        }
    }

    /// Lays the shaded cells over the canvas, each pixel between the four cells around it, where nothing is nearer.
    fn lay_over(&self, band: &mut Band, shaded: &[Shaded]) {
        let [wide, high] = self.size;
        let from = self.first.map(|cell| (cell * CELL as i32).max(0) as usize);
        let to = [
            (from[0] + wide * CELL as usize).min(band.width()),
            (from[1] + high * CELL as usize).min(band.rows().end),
        ];
        for y in from[1]..to[1] {
            for x in from[0]..to[0] {
                let at = [x, y].map(|v| (v as f32 + 0.5) / CELL - 0.5);
                let Some((depth, color, coverage)) = self.between(at, shaded) else {
                    continue;
                };
                band.blend([x, y], depth, color, coverage);
            }
        }
    }

    /// Depth, color and coverage at a place between cells' centers.
    fn between(&self, at: [f32; 2], shaded: &[Shaded]) -> Option<(f32, u32, f32)> {
        let [u, v] = [0, 1].map(|k| (at[k] - self.first[k] as f32).max(0.0));
        let (i, j) = (u as usize, v as usize);
        let (s, t) = (u - i as f32, v - j as f32);
        let (mut sum, mut depth, mut weights) = ([0.0; 4], 0.0, 0.0);
        for (x, y, weight) in [
            (i, j, (1.0 - s) * (1.0 - t)),
            (i + 1, j, s * (1.0 - t)),
            (i, j + 1, (1.0 - s) * t),
            (i + 1, j + 1, s * t),
        ] {
            if x < self.size[0] && y < self.size[1] && self.depth[y * self.size[0] + x] > 0.0 {
                let cell = y * self.size[0] + x;
                for k in 0..4 {
                    sum[k] += weight * shaded[cell][k];
                }
                depth += weight * self.depth[cell];
                weights += weight;
            }
        }
        // The rim, sharper than the cells.
        let rim = (2.0 * weights - 0.5).min(1.0);
        (rim > 0.0).then(|| {
            let [r, g, b, opacity] = sum.map(|c| c / weights);
            (depth / weights, rgb([r, g, b]), rim * opacity)
        })
    }
}
