//! Text: Noto Sans Mono, letters of one width, from a crate that holds them as coverage bytes.

use super::canvas::Canvas;
use super::color::mix_by;
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};

const STYLE: (FontWeight, RasterHeight) = (FontWeight::Regular, RasterHeight::Size16);

/// Width and height of one letter's cell (pixels).
pub fn cell() -> [i32; 2] {
    let (weight, size) = STYLE;
    [get_raster_width(weight, size) as i32, size.val() as i32]
}

/// Width and height of a text: its longest line by its number of lines (pixels).
pub fn text_size(text: &str) -> [i32; 2] {
    let longest = text.lines().map(|l| l.chars().count()).max();
    let [width, height] = cell();
    let lines = text.lines().count() as i32;
    [width * longest.unwrap_or(0) as i32, height * lines]
}

impl Canvas {
    /// Writes `text` over everything, `at` the upper left corner (column, row); parts beyond the canvas are cut off.
    /// Letters other than Latin-1 become `?`; a line break starts a new line below.
    pub fn text(&mut self, at: [i32; 2], text: &str, color: u32) {
        self.text_enlarged(at, text, color, 1);
    }

    /// [`text`](Self::text), its letters `times` as wide and high.
    pub fn text_enlarged(&mut self, at: [i32; 2], text: &str, color: u32, times: usize) {
        let (weight, size) = STYLE;
        let [across, down] = cell().map(|side| i64::from(side) * times as i64);
        for (j, line) in (0..).zip(text.lines()) {
            for (i, letter) in (0..).zip(line.chars()) {
                let raster = get_raster(letter, weight, size);
                let raster = raster.or_else(|| get_raster('?', weight, size));
                if let Some(raster) = raster {
                    let offset = [i * across, j * down];
                    let corner = [0, 1].map(|k| i64::from(at[k]) + offset[k]);
                    let rows = raster.pixels().chunks_exact(raster.width());
                    self.stamp(corner, rows, color, times);
                }
            }
        }
    }

    /// Lays a color over the canvas by rows of coverage bytes, each byte `times` as wide and high.
    fn stamp<'a>(
        &mut self,
        corner: [i64; 2],
        coverage: impl Iterator<Item = &'a [u8]>,
        color: u32,
        times: usize,
    ) {
        let inside = |v: i64, most: usize| usize::try_from(v).ok().filter(|&v| v < most);
        let rows = coverage.flat_map(|row| std::iter::repeat_n(row, times));
        for (y, row) in (corner[1]..).zip(rows) {
            let Some(y) = inside(y, self.height()) else {
                continue;
            };
            let row = row.iter().flat_map(|byte| std::iter::repeat_n(byte, times));
            // Most of a letter's cell is empty.
            for (x, &byte) in (corner[0]..).zip(row).filter(|(_, byte)| **byte > 0) {
                if let Some(x) = inside(x, self.width()) {
                    // 255ths as 256ths, rounded.
                    let weight = u32::from(byte) + u32::from(byte >> 7);
                    let at = y * self.width() + x;
                    self.pixels[at] = mix_by(self.pixels[at], color, weight);
                }
            }
        }
    }
}
