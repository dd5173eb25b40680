//! The soft shadow on the ground: everything above it, thrown along the key light onto a coarse map, and blurred.

use super::camera::Bounds;
use super::color::rounded;
use super::light::{KEY, corners};
use super::picture::{Lines, Mesh, Picture, Points};
use super::triangle::scan;
use crate::math::{F32x8, Real, Vec3, WIDTH, each_lane, pack, splat, whole_parts};
use crate::threads::Team;
use std::sync::{Mutex, PoisonError};

/// Cells along a side of the map.
const SIDE: usize = 128;
/// Empty cells left around the shadow for the blur to fade into.
const RIM: f32 = 10.0;

/// A surface is finer than the cells where it has more triangles for each of them.
const FINE: f32 = 4.0;
/// Meshes that a worker throws at a time.
const MESHES: usize = 64;
/// Points that a worker throws at a time.
const POINTS: usize = 2048;

/// What a worker throws at a time.
enum Thrown<'a> {
    Meshes(&'a [Mesh<'a>]),
    Lines(&'a Lines<'a>),
    Points(Points<'a>),
}

/// How dark the ground is, on a square of cells.
pub(super) struct Shadow {
    /// Coordinates x, z of the first cell's center.
    pub corner: [f32; 2],
    /// Cells per unit of length.
    pub per_length: f32,
    cells: Vec<f32>,
}

impl Shadow {
    /// The last index along either side.
    pub const LAST: f32 = (SIDE - 1) as f32;

    /// The shadow of all that stands above `height`, `None` if nothing does.
    pub fn of(picture: &Picture, height: f32, team: &Team) -> Option<Self> {
        // Where the light through a point meets the ground, and how far above it the point is. What is below throws none.
        let fall = |p: &[f32; 3]| {
            let above = (p[1] - height).max(0.0);
            [p[0] - above * KEY[0] / KEY[1], above, p[2] - above * KEY[2] / KEY[1]]
        };
        let reach = |positions: &[[f32; 3]], radius: f32| {
            let Bounds { least, most } = Bounds::of_all(positions.iter().map(fall))?;
            let (least, most) = (least.map(|c| c - radius), most.map(|c| c + radius));
            Some(Bounds { least, most })
        };
        let meshes = picture.meshes.iter().map(|m| reach(m.positions, 0.0));
        let lines = picture.lines.iter().map(|l| reach(l.positions, l.radius));
        let points = picture.points.iter().chain(picture.liquids);
        let points = points.map(|p| reach(p.positions, p.radius.most()));
        let all = meshes.chain(lines).chain(points).flatten();
        let bounds = all.reduce(Bounds::and)?;
        let size = (bounds.most[0] - bounds.least[0]).max(bounds.most[2] - bounds.least[2]);
        // What hangs as high as the shadow is wide throws half of it.
        let rise = size.max(1e-3);
        let per_length = (Self::LAST - 2.0 * RIM) / rise;
        let middle = [0, 2].map(|k| 0.5 * bounds.least[k] + 0.5 * bounds.most[k]);
        let corner = middle.map(|m| m - 0.5 * Self::LAST / per_length);
        if !(per_length > 0.0 && bounds.most[1] > 0.0 && corner.iter().all(|c| c.is_finite())) {
            return None;
        }
        let empty = || Self { corner, per_length, cells: vec![0.0; SIDE * SIDE] };
        let place = |p: &[f32; 3]| {
            let [x, above, z] = fall(p);
            let strength = rise / (rise + above);
            [(x - corner[0]) * per_length, (z - corner[1]) * per_length, strength]
        };
        // The darkest of all that falls on a cell: in whatever order, and on however many maps.
        let shadow = Mutex::new(empty());
        let meshes = picture.meshes.chunks(MESHES).map(Thrown::Meshes);
        let lines = picture.lines.iter().map(Thrown::Lines);
        let points = picture.points.iter().chain(picture.liquids);
        let points = points.flat_map(|points| points.chunks(POINTS)).map(Thrown::Points);
        let all = meshes.chain(lines).chain(points);
        team.each(all, |thrown| {
            let mut own = empty();
            match thrown {
                Thrown::Meshes(meshes) => meshes.iter().for_each(|mesh| own.mesh(mesh, place)),
                Thrown::Lines(lines) => own.lines(lines, place),
                Thrown::Points(points) => own.points(&points, place),
            }
            let mut shadow = shadow.lock().unwrap_or_else(PoisonError::into_inner);
            shadow.cells.iter_mut().zip(&own.cells).for_each(|(cell, own)| *cell = cell.max(*own));
        });
        let mut shadow = shadow.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Three box blurs are nearly a bell.
        for _ in 0..3 {
            shadow.blur();
        }
        Some(shadow)
    }

    /// How dark it is between the four cells around places given in cells.
    #[inline(always)]
    pub fn at(&self, u: F32x8, v: F32x8) -> F32x8 {
        let hold = |c: F32x8| Real::clamp(c, F32x8::zero(), splat(Self::LAST));
        let (u, v) = (hold(u), hold(v));
        // At a whole number, the cell before or the cell itself: between the two the result is the same.
        let first = |c: F32x8| rounded(Real::max(c - splat(0.5), F32x8::zero()));
        let (i, j) = (first(u), first(v));
        let (s, t) = (u - i, v - j);
        let at = whole_parts(j * splat(SIDE as f32) + i);
        let [a, b] = [self.cells(at, 0), self.cells(at, 1)];
        let [c, d] = [self.cells(at, SIDE), self.cells(at, SIDE + 1)];
        let (near, far) = (a + (b - a) * s, c + (d - c) * s);
        near + (far - near) * t
    }

    /// The cells `offset` after these.
    #[inline(always)]
    fn cells(&self, at: [i32; WIDTH], offset: usize) -> F32x8 {
        let cells = &self.cells[offset..];
        pack(each_lane(|lane| cells[at[lane] as usize]))
    }

    fn mesh(&mut self, mesh: &Mesh, place: impl Fn(&[f32; 3]) -> [f32; 3]) {
        let placed: Vec<_> = mesh.positions.iter().map(place).collect();
        // Of a surface finer than the cells the corners are enough.
        let cells = Bounds::of(&placed).map_or(0.0, |Bounds { least, most }| {
            (most[0] - least[0] + 1.0) * (most[1] - least[1] + 1.0)
        });
        if mesh.triangles.len() as f32 > FINE * cells {
            return placed.iter().for_each(|p| self.darken(p[0] + 0.5, p[1] + 0.5, p[2]));
        }
        for triangle in mesh.triangles {
            let Some([a, b, c]) = corners(&placed, triangle) else {
                continue;
            };
            // Of what is closed the lower side is as wide as the upper, and darker.
            let is_upper = (b.x - a.x) * (c.y - a.y) < (b.y - a.y) * (c.x - a.x);
            if mesh.closed && is_upper {
                continue;
            }
            let strength = (a.z + b.z + c.z) / 3.0;
            // A cell's center is at its index here, at a half in `scan`.
            let flat = [a, b, c].map(|p| [p.x + 0.5, p.y + 0.5]);
            scan(flat, SIDE, 0..SIDE, |j, columns| {
                for cell in &mut self.cells[j * SIDE..][columns] {
                    *cell = cell.max(strength);
                }
            });
        }
    }

    fn lines(&mut self, lines: &Lines, place: impl Fn(&[f32; 3]) -> [f32; 3]) {
        // Thinner than a cell, it covers a part of it.
        let share = (2.0 * lines.radius * self.per_length).clamp(0.15, 1.0);
        let placed: Vec<_> = lines.positions.iter().map(place).collect();
        for &[i, j] in lines.segments {
            let Some([a, b, _]) = corners(&placed, &[i, j, j]) else {
                continue;
            };
            let cells = (b.x - a.x).abs().max((b.y - a.y).abs());
            let steps = cells.max(1.0).min(2.0 * Self::LAST) as i32;
            for step in 0..=steps {
                let p = a + (b - a) * (step as f32 / steps as f32);
                self.darken(p.x + 0.5, p.y + 0.5, p.z * share);
            }
        }
    }

    fn points(&mut self, points: &Points, place: impl Fn(&[f32; 3]) -> [f32; 3]) {
        for (i, p) in points.positions.iter().enumerate() {
            let radius = (points.radius.of(i) * self.per_length).max(0.0).min(Self::LAST);
            let share = (2.0 * radius).clamp(0.15, 1.0);
            let reach = radius as i32;
            let p = Vec3::from(place(p));
            for j in -reach..=reach {
                for i in -reach..=reach {
                    if ((i * i + j * j) as f32) <= radius * radius {
                        self.darken(p.x + 0.5 + i as f32, p.y + 0.5 + j as f32, p.z * share);
                    }
                }
            }
        }
    }

    fn darken(&mut self, x: f32, y: f32, strength: f32) {
        let most = SIDE as f32;
        if x >= 0.0 && y >= 0.0 && x < most && y < most {
            let cell = &mut self.cells[y as usize * SIDE + x as usize];
            *cell = cell.max(strength);
        }
    }

    /// The mean of five, along rows and then along columns.
    fn blur(&mut self) {
        for step in [1, SIDE] {
            let before = self.cells.clone();
            let from = |cells: usize| before[cells * step..].iter();
            let sums = from(0).zip(from(1)).zip(from(2)).zip(from(3)).zip(from(4));
            for (cell, ((((a, b), c), d), e)) in self.cells[2 * step..].iter_mut().zip(sums) {
                *cell = (a + b + c + d + e) * 0.2;
            }
        }
    }
}
