//! Points: discs that look like balls, their rims soft.
//!
//! A row of a ball is drawn eight pixels at a time, from a column divisible by eight: what is outside has no coverage.

use super::band::{Band, Eights, Extent};
use super::camera::View;
use super::color::{channels, mix_by, rgb_lanes, whole};
use super::light::{Haze, Light};
use super::line::{End, LIFT, end};
use super::picture::Points;
use crate::math::{F32x8, Real, Vec3, WIDTH, each_lane, lane_bits, pack, splat, unpack};
use crate::threads::Team;

/// Points that a worker makes ready at a time.
const CHUNK: usize = 2048;
/// Smaller balls (pixels) are discs of one color.
const FLAT: f32 = 1.5;

/// Balls ready to be drawn, those in front first. They are solid up to the middle of their rims: what is behind them may come
/// later.
pub(super) struct Balls {
    all: Vec<End>,
    light: Light,
    focal: f32,
}

/// What is the same for all pixels of a row of a ball.
struct Row<'a, const ROUND: bool> {
    ball: &'a End,
    light: &'a Light,
    color: [f32; 3],
    /// The depth of its nearest point, or more.
    nearest: f32,
    /// How much nearer its middle is than its rim.
    bulge: f32,
    /// 1 / radius.
    inverse: f32,
    /// From the ball's center to the row (pixels).
    dy: f32,
}

impl Balls {
    /// Every point as a ball.
    pub fn new(view: &View, haze: &Haze, points: &Points, team: &Team) -> Self {
        let focal = view.focal;
        let mut chunks: Vec<_> =
            points.positions.chunks(CHUNK).map(|at| (at, Vec::new(), Vec::new())).collect();
        team.each(chunks.iter_mut().enumerate(), |(chunk, (positions, balls, keys))| {
            for (i, &position) in (chunk * CHUNK..).zip(*positions) {
                let turned = view.turn(position);
                if turned[2] >= view.near {
                    let ball = end(view, haze, turned, points.radius.of(i), points.paint.of(i));
                    keys.push(front_first(nearest(&ball, focal), chunk * CHUNK + balls.len()));
                    balls.push(ball);
                }
            }
            keys.sort_unstable();
        });
        let mut keys: Vec<u64> = chunks.iter().flat_map(|(.., keys)| keys).copied().collect();
        keys.sort(); // merges what is sorted
        let ball = |key: u64| {
            let i = key as u32 as usize;
            chunks[i / CHUNK].1[i % CHUNK]
        };
        let all = keys.into_iter().map(ball).collect();
        Self { all, light: Light::facing(view), focal }
    }

    pub fn draw(&self, band: &mut Band) {
        let [from, to] = [band.rows().start, band.rows().end].map(|row| row as f32);
        for ball in &self.all {
            let reach = ball.radius + 0.5;
            let [x, y] = ball.at;
            // Most balls are in other bands; what is not a number is in none.
            if !(y + reach >= from && y - reach <= to) {
                continue;
            }
            let extent = Extent {
                least: [x - reach, y - reach],
                most: [x + reach + 1.0, y + reach + 1.0],
                nearest: nearest(ball, self.focal),
            };
            // Beyond 1e9 pixels the arithmetic has no digits left for the canvas.
            let is_finite = reach < 1e9 && x.abs() < 1e9 && y.abs() < 1e9;
            if is_finite && band.admits(&extent) {
                match ball.radius > FLAT {
                    true => self.ball::<true>(band, ball),
                    false => self.ball::<false>(band, ball),
                }
            }
        }
    }

    /// Every pixel nearer to the center than the radius; lit where it is wide enough to look round.
    fn ball<const ROUND: bool>(&self, band: &mut Band, ball: &End) {
        let (width, rows) = (band.width(), band.rows());
        let reach = ball.radius + 0.5;
        let [x, y] = ball.at;
        let nearest = nearest(ball, self.focal);
        let (bulge, inverse) = (ball.depth * ball.radius / self.focal, 1.0 / ball.radius);
        let hold = |v: f32, most: usize| v.max(0.0).min(most as f32) as i32 as usize;
        for row in hold(y - reach, rows.end).max(rows.start)..hold(y + reach + 1.0, rows.end) {
            let dy = row as f32 + 0.5 - y;
            let half = (reach * reach - dy * dy).max(0.0).sqrt();
            let columns = hold(x - half, width)..hold(x + half + 1.0, width);
            if columns.is_empty() {
                continue;
            }
            let (light, color) = (&self.light, channels(ball.color));
            let drawn = Row::<ROUND> { ball, light, color, nearest, bulge, inverse, dy };
            band.eights(row, columns, &drawn);
        }
    }
}

impl<const ROUND: bool> Eights for Row<'_, ROUND> {
    #[inline(always)]
    fn draw(&self, column: usize, pixels: &mut [u32; WIDTH], depths: &mut [f32; WIDTH]) {
        let old = pack(*depths);
        // Most pixels of a pile of balls are hidden.
        if lane_bits(old.lt(splat(self.nearest))) == 0 {
            return;
        }
        let Self { ball, light, color, dy, .. } = *self;
        let one = F32x8::of(1.0);
        let dx = splat(column as f32 + 0.5 - ball.at[0]) + pack(each_lane(|i| i as f32));
        let square = dx * dx + splat(dy * dy);
        // How far the round surface rises towards the eye, in radii.
        let rise = one - square * splat(self.inverse * self.inverse);
        let rise = Real::max(rise, F32x8::zero()).sqrt();
        let depth = splat(ball.depth * LIFT) + rise * splat(self.bulge);
        let reach = ball.radius + 0.5;
        let seen = old.lt(depth) & square.lt(splat(reach * reach));
        if lane_bits(seen) == 0 {
            return;
        }
        let colors = match ROUND {
            true => {
                let eye = Vec3::new(F32x8::zero(), F32x8::zero(), one);
                let inverse = splat(self.inverse);
                let normal = Vec3::new(dx * inverse, splat(-dy) * inverse, rise);
                let (gain, shine) = light.on(normal, eye);
                let lit = |k: usize| splat(color[k]) * gain + shine;
                rgb_lanes([lit(0), lit(1), lit(2)])
            }
            false => [ball.color; WIDTH],
        };
        let soft = seen & splat(ball.radius * ball.radius).lt(square);
        if lane_bits(soft) == 0 {
            let kept = pack(pixels.map(f32::from_bits));
            let colors = pack(colors.map(f32::from_bits));
            *pixels = unpack(F32x8::select(seen, colors, kept)).map(f32::to_bits);
        } else {
            let coverage = F32x8::select(soft, splat(reach) - square.sqrt(), one);
            let share = F32x8::select(seen, coverage * splat(256.0), F32x8::zero());
            let share = unpack(share);
            *pixels = each_lane(|i| mix_by(pixels[i], colors[i], whole(share[i]) as u32));
        }
        *depths = unpack(F32x8::select(soft, old, F32x8::select(seen, depth, old)));
    }
}

/// Nearer balls have smaller keys, and an index distinguishes those that are as near. Numbers above zero have the order of
/// their bits.
fn front_first(nearest: f32, index: usize) -> u64 {
    u64::from(!nearest.to_bits()) << 32 | index as u64
}

/// The depth of a ball's nearest point, or more.
fn nearest(ball: &End, focal: f32) -> f32 {
    ball.depth * (LIFT + (ball.radius + 0.5) / focal)
}
