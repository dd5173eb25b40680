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
mod file;
mod ground;
mod light;
mod line;
mod palette;
mod panel;
mod shadow;
#[cfg(test)]
mod tests;
mod text;
mod triangle;

pub use camera::{Bounds, Camera, Ray, View};
pub use canvas::{Canvas, MOST};
pub use file::{FileError, write_gif, write_png};
pub use ground::Ground;
pub use panel::Bar;
pub use text::Font;

use light::Haze;

/// What the vertices, points or line ends are painted with.
#[derive(Clone, Copy, Debug)]
pub enum Paint<'a> {
    /// All alike.
    One(u32),
    /// One color per position; gray where the slice is too short.
    Each(&'a [u32]),
}

impl Paint<'_> {
    /// The color of position `i`.
    #[inline(always)]
    pub fn of(self, i: usize) -> u32 {
        match self {
            Paint::One(color) => color,
            Paint::Each(colors) => colors.get(i).copied().unwrap_or(0x80_8080),
        }
    }
}

/// Triangles, lit on both sides; the front is where their corners run counter-clockwise.
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'a> {
    /// Corners (m).
    pub positions: &'a [[f32; 3]],
    /// Three indices into `positions` each.
    pub triangles: &'a [[u32; 3]],
    /// One color, or one per position.
    pub paint: Paint<'a>,
    /// Round (normals shared by neighbors) or faceted.
    pub smooth: bool,
    /// Draws the edges in this color too.
    pub edges: Option<u32>,
}

impl<'a> Mesh<'a> {
    /// A smooth mesh in the house blue.
    pub fn new(positions: &'a [[f32; 3]], triangles: &'a [[u32; 3]]) -> Self {
        Self {
            positions,
            triangles,
            paint: Paint::One(color::distinct(0)),
            smooth: true,
            edges: None,
        }
    }
}

/// Segments, drawn as rods.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    /// Ends (m).
    pub positions: &'a [[f32; 3]],
    /// Two indices into `positions` each.
    pub segments: &'a [[u32; 2]],
    /// One color, or one per position.
    pub paint: Paint<'a>,
    /// Radius (m); 0 draws hairlines.
    pub radius: f32,
}

/// Points, drawn as balls.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a> {
    /// Centers (m).
    pub positions: &'a [[f32; 3]],
    /// One color, or one per position.
    pub paint: Paint<'a>,
    /// Radius (m); 0 draws dots.
    pub radius: f32,
}

/// What is to be seen.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// Background colors at the top and the bottom.
    pub background: [u32; 2],
    /// A plane to stand on.
    pub ground: Option<Ground>,
    /// Surfaces.
    pub meshes: &'a [Mesh<'a>],
    /// Segments.
    pub lines: &'a [Lines<'a>],
    /// Points.
    pub points: &'a [Points<'a>],
}

impl Default for Picture<'_> {
    /// An empty, bright room.
    fn default() -> Self {
        Self {
            background: [0xF2_F4F7, 0xC3_CAD4],
            ground: None,
            meshes: &[],
            lines: &[],
            points: &[],
        }
    }
}

impl Picture<'_> {
    /// The box around everything but the ground, `None` if there is nothing.
    pub fn bounds(&self) -> Option<Bounds> {
        let mesh = self.meshes.iter().flat_map(|m| m.positions);
        let lines = self.lines.iter().flat_map(|l| l.positions);
        let points = self.points.iter().flat_map(|p| p.positions);
        Bounds::of(mesh.chain(lines).chain(points))
    }

    /// Draws everything, over what was on the canvas before.
    pub fn draw(&self, camera: &Camera, canvas: &mut Canvas) {
        canvas.clear(self.background[0], self.background[1]);
        let view = camera.view(canvas.width(), canvas.height());
        let haze = Haze::new(
            &view,
            color::mix(self.background[0], self.background[1], 0.5),
        );
        if let Some(ground) = self.ground {
            ground::draw(canvas, &view, ground, self);
        }
        for mesh in self.meshes {
            triangle::mesh(canvas, &view, &haze, mesh);
        }
        // After all surfaces, as their soft rims blend with what is behind them.
        for mesh in self.meshes {
            if let Some(color) = mesh.edges {
                let segments = &edges(mesh.triangles);
                let lines = Lines {
                    positions: mesh.positions,
                    segments,
                    paint: Paint::One(color),
                    radius: 0.0,
                };
                line::lines(canvas, &view, &haze, &lines);
            }
        }
        for lines in self.lines {
            line::lines(canvas, &view, &haze, lines);
        }
        for points in self.points {
            line::points(canvas, &view, &haze, points);
        }
    }
}

/// Every edge of some triangles once.
fn edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let all = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<_> = all.map(|[i, j]| [i.min(j), i.max(j)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}
