//! A software rasteriser: slices in, pixels out. It knows no solver, no scene, no window and no clock.
//!
//! A `Picture` lists meshes, lines, points and a ground; it is drawn with a [`Camera`] on a [`Canvas`] of `0x00RRGGBB` pixels,
//! over which text, rectangles and bar charts are laid. [`write_png`] and [`write_gif`] write it to files.
//!
//! The same input gives the same bytes on every run, machine and build, for any number of threads (`band`): plain f32
//! arithmetic, no function of the platform's mathematics library. Points that are not finite or lie beyond 1e15, and
//! indices out of range, are skipped.

// `max(least).min(most)` turns what is not a number into `least`; `clamp` would let it through to a pixel.
#![allow(clippy::manual_clamp)]

mod ball;
mod band;
mod bare;
mod camera;
mod canvas;
pub mod color;
mod file;
mod ground;
mod light;
mod line;
mod liquid;
mod mesh;
mod palette;
mod panel;
mod picture;
mod shadow;
#[cfg(test)]
pub(crate) mod tests;
mod text;
mod triangle;

pub use camera::{Bounds, Camera};
pub use canvas::{Canvas, MOST};
pub use file::{FileError, encode_png, write_gif, write_png};
pub use panel::{Bar, INK, SHADE};
pub use picture::{Ground, Lines, Mesh, Paint, Picture, Points, Radius};
pub use text::{cell, text_size};

use crate::threads::Team;
use ball::Balls;
use ground::Floor;
use light::Haze;
use line::Strokes;
use mesh::{Meshes, Sight};

impl Picture<'_> {
    /// Draws everything, over what was on the canvas before, by one thread.
    #[cfg(test)]
    pub(crate) fn draw(&self, camera: &Camera, canvas: &mut Canvas) {
        self.draw_by(&Team::alone(), camera, canvas);
    }

    /// Draws everything, over what was on the canvas before; the same picture for any number of threads.
    #[doc(hidden)]
    pub fn draw_by(&self, team: &Team, camera: &Camera, canvas: &mut Canvas) {
        let (width, height) = (canvas.width(), canvas.height());
        let view = camera.view(width, height);
        let haze = Haze::new(&view, color::mix(self.background[0], self.background[1], 0.5));
        let size = [width, height];
        let (planes, guard) = (triangle::planes(&view, size), triangle::guard(size));
        let sight = Sight { view: &view, haze: &haze, planes, guard };
        let floor = self.ground.and_then(|ground| Floor::new(&view, ground, self, team));
        let seat = floor.as_ref().map(|floor| floor.seat(self.background));
        canvas.bare.keep(seat, width * height);
        let meshes = Meshes::new(self.meshes, &sight, team);
        let blocks = meshes.blocks(&sight, team);
        let lines = self.lines.iter().map(|lines| Strokes::new(&view, &haze, lines));
        let strokes: Vec<Strokes> = lines.collect();
        let balls = self.points.iter().map(|points| Balls::new(&view, &haze, points, team));
        let balls: Vec<Balls> = balls.collect();
        team.each(canvas.bands(team.threads()), |mut band| {
            band.clear();
            blocks.draw(&mut band, &sight);
            ground::draw_behind(floor.as_ref(), self.background, height, &mut band);
            // After all surfaces, as their soft rims blend with what is behind them.
            strokes.iter().for_each(|strokes| strokes.draw(&mut band));
            balls.iter().for_each(|balls| balls.draw(&mut band));
        });
        for liquid in self.liquids {
            liquid::draw(canvas, &view, &haze, liquid);
        }
    }
}
