//! A picture, drawn: ground, surfaces, then segments and points.

use super::camera::Camera;
use super::canvas::Canvas;
use super::light::Haze;
use super::picture::{Lines, Paint, Picture};
use super::{color, ground, line, triangle};

impl Picture<'_> {
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
