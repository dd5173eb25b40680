//! A software rasteriser: slices in, pixels out. It knows no solver, no scene, no window and no clock.
//!
//! A `Picture` lists meshes, lines, points and a ground; it is drawn with a [`Camera`] on a [`Canvas`] of `0x00RRGGBB` pixels,
//! over which text, rectangles and bar charts are laid. [`write_png`] and [`write_gif`] write it to files.
//!
//! The same input gives the same bytes on every run, machine and build: one thread, plain f32 arithmetic, no function of the
//! platform's mathematics library. Coordinates that are not finite, or farther away than 1e15, are not drawn; indices out
//! of range neither.

// `max(least).min(most)` turns what is not a number into `least`; `clamp` would let it through to a pixel.
#![allow(clippy::manual_clamp)]

mod camera;
mod canvas;
pub(crate) mod color;
mod file;
mod ground;
mod light;
mod line;
mod liquid;
mod palette;
mod panel;
mod picture;
mod shadow;
#[cfg(test)]
pub(crate) mod tests;
mod text;
mod triangle;

pub use camera::{Bounds, Camera};
pub use canvas::Canvas;
pub(crate) use canvas::MOST;
pub use file::{FileError, encode_png, write_gif, write_png};
pub(crate) use panel::{Bar, INK, SHADE};
pub(crate) use picture::{Ground, Lines, Mesh, Paint, Picture, Points};
pub(crate) use text::{cell, text_size};

use light::Haze;

impl Picture<'_> {
    /// Draws everything, over what was on the canvas before.
    pub(crate) fn draw(&self, camera: &Camera, canvas: &mut Canvas) {
        canvas.clear(self.background[0], self.background[1]);
        let view = camera.view(canvas.width(), canvas.height());
        let haze = Haze::new(&view, color::mix(self.background[0], self.background[1], 0.5));
        if let Some(ground) = self.ground {
            ground::draw(canvas, &view, ground, self);
        }
        for mesh in self.meshes {
            triangle::mesh(canvas, &view, &haze, mesh);
        }
        // After all surfaces, as their soft rims blend with what is behind them.
        for lines in self.lines {
            line::lines(canvas, &view, &haze, lines);
        }
        for points in self.points {
            line::points(canvas, &view, &haze, points);
        }
        for liquid in self.liquids {
            liquid::draw(canvas, &view, &haze, liquid);
        }
    }
}
