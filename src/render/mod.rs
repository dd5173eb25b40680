//! A software rasteriser: slices in, pixels out. It knows no solver, no scene, no window and no clock.
//!
//! A [`Picture`] lists what is to be seen ([`Mesh`], [`Lines`], [`Points`], [`Ground`]); it is drawn with a [`Camera`] on a
//! [`Canvas`] of `0x00RRGGBB` pixels, over which text, rectangles and [`Bar`] charts are laid. [`write_png`] and
//! [`write_gif`] keep it.
//!
//! The same input gives the same bytes on every run, machine and build: one thread, plain f32 arithmetic, no function of the
//! platform's mathematics library. Coordinates that are not finite, or farther away than 1e15, are not drawn; indices out
//! of range neither.
//!
//! ```
//! use taut::render::{Camera, Canvas, Ground, Mesh, Picture};
//!
//! let positions = [[0.0, 0.1, 0.0], [1.0, 0.1, 0.0], [0.0, 1.1, 0.0]];
//! let meshes = [Mesh::new(&positions, &[[0, 1, 2]])];
//! let picture = Picture { meshes: &meshes, ground: Some(Ground::default()), ..Picture::default() };
//! let mut canvas = Canvas::new(320, 180);
//! let camera = Camera::default().frame(picture.bounds().unwrap(), 320, 180);
//! picture.draw(&camera, &mut canvas);
//! canvas.text([8, 8], "one triangle", 0x202020, Default::default());
//! ```

// `max(least).min(most)` turns what is not a number into `least`; `clamp` would let it through to a pixel.
#![allow(clippy::manual_clamp)]

mod camera;
mod canvas;
pub mod color;
mod draw;
mod file;
mod ground;
mod light;
mod line;
mod palette;
mod panel;
mod picture;
mod shadow;
#[cfg(test)]
mod tests;
mod text;
mod triangle;

pub use camera::{Bounds, Camera, Ray, View};
pub use canvas::{Canvas, MOST};
pub use file::{FileError, write_gif, write_png};
pub use panel::Bar;
pub use picture::{Ground, Lines, Mesh, Paint, Picture, Points};
pub use text::Font;
