//! A band of a canvas: rows that one worker draws. Workers share nothing, so that a picture is the same for any number of
//! them; within a band all is drawn in one order.
//!
//! Of every tile of a band it is known how near its farthest pixel is, at least: what lies behind all tiles that it reaches into
//! is not drawn at all. Therefore what may hide something is drawn from the front to the back.

use super::canvas::Canvas;
use super::color::{mix, weight};
use crate::math::{Real, WIDTH};
use std::ops::Range;

/// Pixels along a tile's side.
const TILE: usize = 16;
/// A tile's floor is found anew when so many of its pixels may have been drawn: as many as it has.
const RENEWED: u16 = (TILE * TILE) as u16;
/// Bands for each worker, so that none waits for long; one worker has one.
const EACH: usize = 4;

/// Some rows of a canvas.
pub(super) struct Band<'a> {
    width: usize,
    rows: Range<usize>,
    pixels: &'a mut [u32],
    depth: &'a mut [f32],
    /// As [`Bare`](super::bare::Bare) keeps them; none where nothing is kept.
    bare: &'a mut [u32],
    /// Of each tile, a depth that all of its pixels have or exceed.
    floors: Vec<f32>,
    /// Pixels of each tile that may have been drawn since. What is drawn only comes nearer: an old floor is at most too low.
    drawn: Vec<u16>,
}

/// A rectangle of the screen that something lies within, and the depth of its nearest point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Column and row, before all of its pixels.
    pub least: [f32; 2],
    /// Column and row, beyond all of its pixels.
    pub most: [f32; 2],
    pub nearest: f32,
}

impl Extent {
    /// What cannot be told: everywhere, and in front of everything.
    pub const ALL: Self =
        Self { least: [f32::NEG_INFINITY; 2], most: [f32::INFINITY; 2], nearest: f32::INFINITY };

    /// Nothing, infinitely far.
    pub const NOTHING: Self =
        Self { least: [f32::INFINITY; 2], most: [f32::NEG_INFINITY; 2], nearest: 0.0 };

    /// Widens it by a place: column, row and depth.
    pub fn take(&mut self, [x, y, depth]: [f32; 3]) {
        self.least = [self.least[0].min(x), self.least[1].min(y)];
        self.most = [self.most[0].max(x), self.most[1].max(y)];
        self.nearest = self.nearest.max(depth);
    }
}

/// What is drawn eight pixels at a time.
pub(super) trait Eights {
    /// Draws what it has of eight pixels side by side, the first in this column, which is divisible by eight.
    fn draw(&self, column: usize, pixels: &mut [u32; WIDTH], depths: &mut [f32; WIDTH]);
}

/// The same of fewer than eight, at the end of a canvas; the others are beyond it, and in front of everything.
#[cold]
fn draw_fewer(column: usize, pixels: &mut [u32], depths: &mut [f32], row: &impl Eights) {
    let (mut eight, mut eight_depths) = ([0; WIDTH], [f32::INFINITY; WIDTH]);
    eight[..pixels.len()].copy_from_slice(pixels);
    eight_depths[..depths.len()].copy_from_slice(depths);
    row.draw(column, &mut eight, &mut eight_depths);
    pixels.copy_from_slice(&eight[..pixels.len()]);
    depths.copy_from_slice(&eight_depths[..depths.len()]);
}

impl Canvas {
    /// The canvas in bands for `workers` workers.
    pub(super) fn bands(&mut self, workers: usize) -> Vec<Band<'_>> {
        let (width, height) = (self.width(), self.height());
        if width == 0 || height == 0 {
            return Vec::new();
        }
        let count = if workers > 1 { EACH * workers } else { 1 };
        let rows = height.div_ceil(count).next_multiple_of(TILE);
        let tiles = width.div_ceil(TILE);
        let pixels = self.pixels.chunks_mut(rows * width);
        let parts = pixels.zip(self.depth.chunks_mut(rows * width)).enumerate();
        let mut bare = self.bare.pixels.chunks_mut(rows * width);
        let bands = parts.map(|(i, (pixels, depth))| {
            let rows = i * rows..i * rows + pixels.len() / width;
            let count = tiles * rows.len().div_ceil(TILE);
            let (floors, drawn) = (vec![0.0; count], vec![RENEWED; count]);
            let bare = bare.next().unwrap_or_default();
            Band { width, rows, pixels, depth, bare, floors, drawn }
        });
        bands.collect()
    }
}

impl<'a> Band<'a> {
    /// The columns of the canvas.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Its rows of the canvas.
    pub fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// The kept pixels of all rows, taken out.
    pub fn take_bare(&mut self) -> &'a mut [u32] {
        std::mem::take(&mut self.bare)
    }

    /// Pixels and depths in some columns of a row of the canvas.
    #[inline(always)]
    pub fn span(&mut self, y: usize, columns: Range<usize>) -> (&mut [u32], &mut [f32]) {
        let from = (y - self.rows.start) * self.width;
        let span = from + columns.start..from + columns.end;
        (&mut self.pixels[span.clone()], &mut self.depth[span])
    }

    /// Draws the columns of a row eight at a time.
    #[inline(always)]
    pub fn eights(&mut self, y: usize, columns: Range<usize>, row: &impl Eights) {
        let mut column = columns.start;
        let end = column + columns.len().next_multiple_of(WIDTH);
        let (pixels, depths) = self.span(y, column..end.min(self.width));
        let (pixels, last_pixels) = pixels.as_chunks_mut::<WIDTH>();
        let (depths, last_depths) = depths.as_chunks_mut::<WIDTH>();
        for (pixels, depths) in pixels.iter_mut().zip(depths) {
            row.draw(column, pixels, depths);
            column += WIDTH;
        }
        if !last_pixels.is_empty() {
            draw_fewer(column, last_pixels, last_depths, row);
        }
    }

    /// Forgets how near anything was.
    pub fn clear(&mut self) {
        self.depth.fill(0.0);
    }

    /// The depth of a pixel.
    #[inline(always)]
    pub fn depth(&self, x: usize, y: usize) -> f32 {
        self.depth[(y - self.rows.start) * self.width + x]
    }

    /// Lays `color` over one pixel, by `coverage` in 0..=1, where `depth` is nearer than what is there; mostly covered
    /// pixels take the new depth.
    #[inline(always)]
    pub fn blend(&mut self, [x, y]: [usize; 2], depth: f32, color: u32, coverage: f32) {
        let at = (y - self.rows.start) * self.width + x;
        if depth > self.depth[at] && weight(coverage) > 0 {
            self.pixels[at] = mix(self.pixels[at], color, coverage);
            if coverage >= 0.5 {
                self.depth[at] = depth;
            }
        }
    }

    /// Whether an extent reaches into this band.
    pub fn reaches(&self, extent: &Extent) -> bool {
        let [columns, rows] = self.held(extent);
        !columns.is_empty() && !rows.is_empty()
    }

    /// The columns and rows of this band that an extent reaches into.
    fn held(&self, extent: &Extent) -> [Range<usize>; 2] {
        let hold = |v: f32, most: usize| v.max(0.0).min(most as f32) as usize;
        let columns = hold(extent.least[0], self.width)..hold(extent.most[0] + 1.0, self.width);
        let rows = hold(extent.least[1], self.rows.end).max(self.rows.start)
            ..hold(extent.most[1] + 1.0, self.rows.end);
        [columns, rows]
    }

    /// Whether anything of what lies within an extent can be seen in this band; if so, it is about to be drawn.
    pub fn admits(&mut self, extent: &Extent) -> bool {
        let [columns, rows] = self.held(extent);
        if columns.is_empty() || rows.is_empty() {
            return false;
        }
        let tiles = |from: usize, to: usize| from / TILE..to.div_ceil(TILE);
        let across = tiles(columns.start, columns.end);
        let down = tiles(rows.start - self.rows.start, rows.end - self.rows.start);
        let tiles = self.width.div_ceil(TILE);
        let all = || down.clone().flat_map(|j| across.clone().map(move |i| j * tiles + i));
        // What is no number hides nothing and is not hidden.
        let is_hidden = all().all(|tile| self.floor(tile) >= extent.nearest);
        if !is_hidden {
            let area = columns.len().min(TILE) * rows.len().min(TILE);
            all().for_each(|tile| self.drawn[tile] = self.drawn[tile].saturating_add(area as u16));
        }
        !is_hidden
    }

    /// A depth that all pixels of a tile have or exceed.
    fn floor(&mut self, tile: usize) -> f32 {
        if self.drawn[tile] >= RENEWED {
            self.drawn[tile] = 0;
            let tiles = self.width.div_ceil(TILE);
            let (x, y) = (tile % tiles * TILE, tile / tiles * TILE);
            let columns = x..(x + TILE).min(self.width);
            let rows = y..(y + TILE).min(self.rows.len());
            // Columns side by side: along one the next comparison would wait for the last.
            let mut least = [f32::INFINITY; TILE];
            for y in rows {
                let row = &self.depth[y * self.width..][columns.clone()];
                for (least, &depth) in least.iter_mut().zip(row) {
                    *least = Real::min(depth, *least);
                }
            }
            self.floors[tile] = least.into_iter().fold(f32::INFINITY, f32::min);
        }
        self.floors[tile]
    }
}
