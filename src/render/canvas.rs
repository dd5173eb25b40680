//! Pixels and their depth: what everything is drawn on.
//!
//! A pixel is `0x00RRGGBB` (what a minifb window takes). Depth is `1 / distance` along the view: it is linear across a
//! flat triangle on the screen, larger is nearer, and 0 is infinitely far.

use super::bare::Bare;
use super::color::{mix_by, weight};
use crate::math::{FNV, fnv};

/// The largest width and height; larger wishes are held to it.
pub const MOST: usize = 8192;

/// A picture in the making. A canvas of zero width or height is allowed: nothing is drawn on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Canvas {
    width: usize,
    height: usize,
    pub(super) pixels: Vec<u32>,
    pub(super) depth: Vec<f32>,
    pub(super) bare: Bare,
}

impl Canvas {
    /// A black canvas of `width` x `height` pixels.
    pub fn new(width: usize, height: usize) -> Self {
        let (width, height) = (width.min(MOST), height.min(MOST));
        let (pixels, depth) = (vec![0; width * height], vec![0.0; width * height]);
        Self { width, height, pixels, depth, bare: Bare::default() }
    }

    /// Pixels in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows, counted from the top.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All pixels, row by row from the top, each `0x00RRGGBB`.
    pub fn pixels(&self) -> &[u32] {
        &self.pixels
    }

    /// FNV-1a, 64 bit, of size and pixels: equal pictures have equal hashes.
    pub fn hash(&self) -> u64 {
        let size = [self.width as u32, self.height as u32];
        let bytes = size.iter().chain(&self.pixels).flat_map(|word| word.to_le_bytes());
        bytes.fold(FNV, fnv)
    }

    /// Half the size, each pixel the mean of 2 x 2: antialiasing for stills. Draw text after it.
    pub fn halve(&self) -> Self {
        let mut half = Self::new(self.width / 2, self.height / 2);
        for y in 0..half.height {
            for x in 0..half.width {
                let at = 2 * y * self.width + 2 * x;
                let four = [at, at + 1, at + self.width, at + self.width + 1];
                let mean = |shift: u32| {
                    let sum: u32 = four.iter().map(|&i| self.pixels[i] >> shift & 0xff).sum();
                    ((sum + 2) / 4) << shift
                };
                half.pixels[y * half.width + x] = mean(16) | mean(8) | mean(0);
                half.depth[y * half.width + x] =
                    four.iter().fold(0.0, |d, &i| self.depth[i].max(d));
            }
        }
        half
    }

    /// Lays a picture over everything, `corner` its upper left pixel (column, row); what lies beyond the canvas is cut off.
    pub fn paste(&mut self, [x, y]: [usize; 2], picture: &Self) {
        let wide = picture.width.min(self.width.saturating_sub(x));
        let high = picture.height.min(self.height.saturating_sub(y));
        for row in 0..high {
            let from = &picture.pixels[row * picture.width..][..wide];
            self.pixels[(y + row) * self.width + x..][..wide].copy_from_slice(from);
        }
    }

    /// A filled rectangle over everything, covering what is below by `opacity` in 0..=1.
    pub fn rectangle(&mut self, corner: [i32; 2], size: [i32; 2], color: u32, opacity: f32) {
        let across = held(corner[0], size[0], self.width);
        let down = held(corner[1], size[1], self.height);
        let weight = weight(opacity);
        for y in down {
            for pixel in &mut self.pixels[y * self.width..][across.clone()] {
                *pixel = mix_by(*pixel, color, weight);
            }
        }
    }
}

/// The part of `start .. start + length` that lies in `0 .. most`.
fn held(start: i32, length: i32, most: usize) -> core::ops::Range<usize> {
    let hold = |v: i64| v.clamp(0, most as i64) as usize;
    let start = i64::from(start);
    hold(start)..hold(start + i64::from(length.max(0)))
}
