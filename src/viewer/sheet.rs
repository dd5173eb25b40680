//! A contact sheet: small pictures side by side, the name of each pair under it.

use crate::render::{Canvas, FileError, SHADE, cell, write_png};
use std::path::Path;

/// Pairs in a row, and the most rows: a picture has no more than 8192 lines.
const COLUMNS: usize = 4;
const ROWS: usize = 40;

/// Small pictures with their names.
#[derive(Default)]
pub struct Sheet {
    cells: Vec<(String, [Canvas; 2])>,
}

impl Sheet {
    /// Adds two pictures of one scene.
    pub fn add(&mut self, name: String, pictures: [Canvas; 2]) {
        self.cells.push((name, pictures));
    }

    /// Writes it; nothing where there are no pictures.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        let Some((_, [first, _])) = self.cells.first() else {
            return Ok(());
        };
        let label = cell()[1] as usize + 8;
        let (wide, high) = (2 * first.width() + 8, first.height() + label);
        let columns = COLUMNS.max(self.cells.len().div_ceil(ROWS)).min(self.cells.len());
        let rows = self.cells.len().div_ceil(columns);
        let mut sheet = Canvas::new(columns * wide, rows * high);
        let size = [sheet.width() as i32, sheet.height() as i32];
        sheet.rectangle([0, 0], size, 0xFF_FFFF, 1.0);
        for (i, (name, pictures)) in self.cells.iter().enumerate() {
            let [x, y] = [i % columns * wide, i / columns * high];
            for (k, picture) in pictures.iter().enumerate() {
                sheet.paste([x + k * first.width(), y], picture);
            }
            let below = [x as i32 + 8, (y + first.height()) as i32 + 2];
            sheet.text(below, name, SHADE);
        }
        write_png(path, &sheet)
    }
}
