//! Meshes made ready to be drawn: their corners on the screen, their extents, and their light.
//!
//! A large mesh is lit once, by all workers. A small one (of which there may be thousands, most of them hidden) is lit by the
//! bands that see it.

use super::band::{Band, Extent, each};
use super::camera::View;
use super::color::channels;
use super::light::{Haze, Light, across, corners, normals, unit};
use super::picture::Mesh;
use super::triangle::{Corner, Planes, draw, draw_whole};
use crate::math::Vec3;
use crate::threads::Team;

/// A mesh of more corners is lit once; the rows of more triangles are looked up once.
const LARGE: usize = 2048;
/// Corners that a worker lights at a time, and triangles whose rows it looks up.
const CHUNK: usize = 2048;
/// Share of red, green and blue that the back reflects: it is a little darker and cooler than the front.
const BACK: [f32; 3] = [0.84, 0.87, 0.93];

/// The colors of a corner: of its front and of its back.
type Sides = [[f32; 3]; 2];

/// What all meshes of a picture are seen by.
pub(super) struct Sight<'a> {
    pub view: &'a View,
    pub haze: &'a Haze,
    pub planes: Planes,
    /// As [`guard`](super::triangle::guard) says.
    pub guard: f32,
}

/// A mesh ready to be drawn.
pub(super) struct Prepared<'a> {
    mesh: &'a Mesh<'a>,
    /// Right, down (pixels at distance 1) and distance of each corner.
    turned: Vec<[f32; 3]>,
    /// The row of each corner; of those behind the near plane no number.
    rows: Vec<f32>,
    /// Of a large mesh that is smooth.
    sides: Vec<Sides>,
    /// Of a large mesh, the first and the last row of each triangle; of one that is not drawn, beyond all rows.
    spans: Vec<[f32; 2]>,
    extent: Extent,
    /// Whether none of it is cut away at the near plane or far beside the canvas.
    is_whole: bool,
}

impl<'a> Prepared<'a> {
    fn new(mesh: &'a Mesh<'a>) -> Self {
        Self {
            mesh,
            turned: Vec::new(),
            rows: Vec::new(),
            sides: Vec::new(),
            spans: Vec::new(),
            extent: Extent::ALL,
            is_whole: false,
        }
    }

    fn is_lit_once(&self) -> bool {
        self.mesh.smooth && self.mesh.positions.len() > LARGE
    }

    fn turn(&mut self, sight: &Sight) {
        let view = sight.view;
        self.turned = self.mesh.positions.iter().map(|&p| view.turn(p)).collect();
        let row = |&[_, y, w]: &[f32; 3]| {
            if w >= view.near { view.center[1] + y / w } else { f32::NAN }
        };
        self.rows = self.turned.iter().map(row).collect();
        let mut extent =
            Extent { least: [f32::INFINITY; 2], most: [f32::NEG_INFINITY; 2], nearest: 0.0 };
        for &[x, y, w] in &self.turned {
            // Not so either of what is not a number.
            if !(w >= view.near && x.abs() < f32::INFINITY && y.abs() < f32::INFINITY) {
                extent = Extent::ALL;
                break;
            }
            let depth = 1.0 / w;
            let at = [view.center[0] + x * depth, view.center[1] + y * depth];
            extent.least = [0, 1].map(|k| extent.least[k].min(at[k]));
            extent.most = [0, 1].map(|k| extent.most[k].max(at[k]));
            extent.nearest = extent.nearest.max(depth);
        }
        self.extent = extent;
        self.is_whole = (0..2).all(|k| {
            let [least, most] = [extent.least[k], extent.most[k]].map(|at| at - view.center[k]);
            least > -sight.guard && most < sight.guard
        });
    }

    /// The first and the last row of a triangle; all where that cannot be told.
    fn rows_of(&self, triangle: &[u32; 3]) -> [f32; 2] {
        let rows = triangle.map(|i| self.rows.get(i as usize).copied().unwrap_or(f32::NAN));
        match rows.iter().any(|row| row.is_nan()) {
            true => [f32::NEG_INFINITY, f32::INFINITY],
            false => [rows[0].min(rows[1]).min(rows[2]), rows[0].max(rows[1]).max(rows[2])],
        }
    }

    /// Looks up the rows of all triangles, by all workers.
    fn look_up_rows(&mut self, sight: &Sight, team: &Team) {
        let (mesh, mut spans) = (self.mesh, vec![[0.0; 2]; self.mesh.triangles.len()]);
        let chunks = spans.chunks_mut(CHUNK).zip(mesh.triangles.chunks(CHUNK));
        each(team, chunks, |(spans, triangles)| {
            for (span, triangle) in spans.iter_mut().zip(triangles) {
                let is_seen = !mesh.closed
                    || corners(mesh.positions, triangle)
                        .is_some_and(|points| !is_back(across(points), points, sight.view));
                *span = if is_seen { self.rows_of(triangle) } else { [f32::INFINITY; 2] };
            }
        });
        self.spans = spans;
    }

    /// Draws all of its triangles that face either way, of a closed mesh those that face the eye.
    pub fn draw(&self, band: &mut Band, sight: &Sight) {
        if !band.admits(&self.extent) {
            return;
        }
        let (mesh, light, view) = (self.mesh, Light::world(), sight.view);
        let is_lit_here = mesh.smooth && self.sides.is_empty();
        let smooth = if is_lit_here { normals(mesh.positions, mesh.triangles) } else { Vec::new() };
        let [from, to] = [band.rows().start as f32, band.rows().end as f32];
        for (n, triangle) in mesh.triangles.iter().enumerate() {
            let [first, last] =
                self.spans.get(n).copied().unwrap_or_else(|| self.rows_of(triangle));
            if last < from || first > to {
                continue;
            }
            let Some(points) = corners(mesh.positions, triangle) else {
                continue;
            };
            let normal = across(points);
            let is_back = is_back(normal, points, view);
            if is_back && mesh.closed {
                continue;
            }
            let normal = if mesh.smooth { normal } else { unit(normal) };
            let corner = |k: usize| -> Corner {
                let i = triangle[k] as usize;
                let shade = |normal| self.shade(sight, &light, i, normal, is_back);
                let [r, g, b] = match (self.sides.get(i), smooth.get(i)) {
                    (Some(sides), _) => sides[usize::from(is_back)],
                    (None, Some(&normal)) => shade(normal),
                    (None, None) => shade(normal),
                };
                let [x, y, w] = self.turned[i];
                [x, y, w, r, g, b]
            };
            let corners = [corner(0), corner(1), corner(2)];
            match self.is_whole {
                true => draw_whole(band, view, corners),
                false => draw(band, view, &sight.planes, corners),
            }
        }
    }

    /// The color of a corner with this unit normal.
    fn shade(
        &self,
        sight: &Sight,
        light: &Light,
        corner: usize,
        normal: Vec3<f32>,
        is_back: bool,
    ) -> [f32; 3] {
        let color = channels(self.mesh.paint.of(corner));
        let eye = unit(sight.view.eye - Vec3::from(self.mesh.positions[corner]));
        let (gain, shine) = light.on(if is_back { -normal } else { normal }, eye);
        let (tint, shine) = if is_back { (BACK, 0.0) } else { ([1.0; 3], shine) };
        let lit = core::array::from_fn(|k| (color[k] * tint[k] * gain + shine).min(255.0));
        sight.haze.over(lit, sight.haze.share(self.turned[corner][2]))
    }

    /// Lights all corners, by all workers.
    fn light(&mut self, sight: &Sight, team: &Team) {
        let smooth = normals(self.mesh.positions, self.mesh.triangles);
        let light = Light::world();
        let mut sides = vec![Sides::default(); smooth.len()];
        let chunks = sides.chunks_mut(CHUNK).zip(smooth.chunks(CHUNK)).enumerate();
        each(team, chunks, |(chunk, (sides, normals))| {
            for (i, (sides, &normal)) in sides.iter_mut().zip(normals).enumerate() {
                let shade = |back| self.shade(sight, &light, chunk * CHUNK + i, normal, back);
                // Both sides: cheaper than finding out which are seen.
                let front = shade(false);
                *sides = [front, if self.mesh.closed { front } else { shade(true) }];
            }
        });
        self.sides = sides;
    }
}

/// Whether the eye sees the back of a triangle of this normal.
fn is_back(normal: Vec3<f32>, points: [Vec3<f32>; 3], view: &View) -> bool {
    normal.dot(view.eye - points[0]) < 0.0
}

/// All meshes, those that are in front first.
pub(super) fn prepare<'a>(meshes: &'a [Mesh<'a>], sight: &Sight, team: &Team) -> Vec<Prepared<'a>> {
    let mut all: Vec<_> = meshes.iter().map(Prepared::new).collect();
    each(team, all.chunks_mut(64), |some| some.iter_mut().for_each(|mesh| mesh.turn(sight)));
    for mesh in &mut all {
        if mesh.is_lit_once() {
            mesh.light(sight, team);
        }
        if mesh.mesh.triangles.len() > LARGE {
            mesh.look_up_rows(sight, team);
        }
    }
    all.sort_by(|a, b| b.extent.nearest.total_cmp(&a.extent.nearest));
    all
}
