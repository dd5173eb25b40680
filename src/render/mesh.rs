//! Meshes made ready to be drawn: their corners on the screen, their light, and their triangles in blocks.
//!
//! Triangles that follow each other in a mesh are mostly neighbors. So a block of them has an extent, by which it is left out
//! where nothing of it can be seen, and blocks are drawn from the front to the back.
//!
//! A large mesh is lit once, by all workers. A small one (of which there may be thousands, most of them hidden) is lit by the
//! bands that see it.

use super::band::{Band, Extent};
use super::camera::View;
use super::color::channels;
use super::light::{Haze, Light, across, corners, normals, unit};
use super::picture::Mesh;
use super::triangle::{Corner, Planes, draw, fill, holds_centers};
use crate::math::Vec3;
use crate::threads::Team;
use std::ops::Range;

/// A mesh of more corners is lit once.
const LARGE: usize = 2048;
/// Corners that a worker turns or lights at a time.
const CHUNK: usize = 1024;
/// Triangles of a block.
const BLOCK: usize = 64;
/// Pieces of work, and blocks to measure, that a worker takes at a time.
const FEW: usize = 4;
const MANY: usize = 64;
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

/// A corner as it is seen.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// Right, down (pixels at distance 1) and distance.
    turned: [f32; 3],
    /// Column, row and 1 / distance; behind the near plane no numbers.
    place: [f32; 3],
}

/// A mesh ready to be drawn.
struct Prepared<'a> {
    mesh: &'a Mesh<'a>,
    /// Where its corners begin among those of all meshes.
    first: usize,
    /// Of a large mesh that is smooth: as [`normals`] says, and the light on its corners.
    normals: Vec<Vec3<f32>>,
    sides: Vec<Sides>,
}

/// What is to be known of corners before they are lit.
enum Task<'a> {
    /// Where they are seen.
    Turn(&'a [[f32; 3]], &'a mut [Seen]),
    /// The normals of a mesh.
    Sum(&'a Mesh<'a>, &'a mut Vec<Vec3<f32>>),
}

/// Some triangles of a mesh.
struct Block<'a> {
    mesh: &'a Prepared<'a>,
    /// All corners of the mesh.
    seen: &'a [Seen],
    triangles: Range<usize>,
    extent: Extent,
    /// Whether none of it is cut away at the near plane or far beside the canvas.
    is_whole: bool,
}

/// All meshes of a picture.
pub(super) struct Meshes<'a> {
    all: Vec<Prepared<'a>>,
    seen: Vec<Seen>,
}

/// Their triangles, those in front first.
pub(super) struct Blocks<'a>(Vec<Block<'a>>);

impl<'a> Meshes<'a> {
    /// Where their corners are seen, and the light on those of large ones.
    pub fn new(meshes: &'a [Mesh<'a>], sight: &Sight, team: &Team) -> Self {
        let mut first = 0;
        let new = |mesh: &'a Mesh| {
            first += mesh.positions.len();
            let first = first - mesh.positions.len();
            Prepared { mesh, first, normals: Vec::new(), sides: Vec::new() }
        };
        let mut all: Vec<_> = meshes.iter().map(new).collect();
        let mut seen = vec![Seen::default(); first];
        let mut rest = &mut seen[..];
        let parts = meshes.iter().map(|mesh| {
            let (own, others) = std::mem::take(&mut rest).split_at_mut(mesh.positions.len());
            rest = others;
            (mesh.positions, own)
        });
        let turns = parts.flat_map(|(at, seen)| at.chunks(CHUNK).zip(seen.chunks_mut(CHUNK)));
        let lit = all.iter_mut().filter(|mesh| mesh.is_lit_once());
        // What takes longest begins first.
        let sums = lit.map(|mesh| Task::Sum(mesh.mesh, &mut mesh.normals));
        let mut tasks: Vec<_> = sums.chain(turns.map(|(at, seen)| Task::Turn(at, seen))).collect();
        team.each(tasks.chunks_mut(FEW), |some| {
            some.iter_mut().for_each(|task| match task {
                Task::Turn(positions, seen) => turn(positions, seen, sight),
                Task::Sum(mesh, sums) => **sums = normals(mesh.positions, mesh.triangles),
            });
        });
        for mesh in all.iter_mut().filter(|mesh| mesh.is_lit_once()) {
            mesh.light(&seen[mesh.first..], sight, team);
        }
        Self { all, seen }
    }

    pub fn blocks(&self, sight: &Sight, team: &Team) -> Blocks<'_> {
        let blocks = self.all.iter().flat_map(|mesh| {
            let count = mesh.mesh.triangles.len();
            // What bands light they light as a whole.
            let size = if mesh.mesh.smooth && !mesh.is_lit_once() { count.max(1) } else { BLOCK };
            (0..count).step_by(size).map(move |first| Block {
                mesh,
                seen: &self.seen[mesh.first..][..mesh.mesh.positions.len()],
                triangles: first..(first + size).min(count),
                extent: Extent::NOTHING,
                is_whole: true,
            })
        });
        let mut blocks: Vec<_> = blocks.collect();
        team.each(blocks.chunks_mut(MANY), |some| {
            some.iter_mut().for_each(|block| block.measure(sight));
        });
        blocks.retain(|block| block.extent.nearest > 0.0);
        blocks.sort_unstable_by(|a, b| b.extent.nearest.total_cmp(&a.extent.nearest));
        Blocks(blocks)
    }
}

impl Blocks<'_> {
    pub fn draw(&self, band: &mut Band, sight: &Sight) {
        for block in &self.0 {
            if band.admits(&block.extent) {
                block.draw(band, sight);
            }
        }
    }
}

/// Where the view sees corners.
fn turn(positions: &[[f32; 3]], seen: &mut [Seen], sight: &Sight) {
    let view = sight.view;
    for (&position, seen) in positions.iter().zip(seen) {
        let [x, y, w] = view.turn(position);
        let depth = if w >= view.near { 1.0 / w } else { f32::NAN };
        let place = [view.center[0] + x * depth, view.center[1] + y * depth, depth];
        *seen = Seen { turned: [x, y, w], place };
    }
}

impl Prepared<'_> {
    fn is_lit_once(&self) -> bool {
        self.mesh.smooth && self.mesh.positions.len() > LARGE
    }

    /// The color of a corner with this unit normal.
    fn shade(
        &self,
        sight: &Sight,
        light: &Light,
        corner: usize,
        distance: f32,
        normal: Vec3<f32>,
        is_back: bool,
    ) -> [f32; 3] {
        let color = channels(self.mesh.paint.of(corner));
        let eye = unit(sight.view.eye - Vec3::from(self.mesh.positions[corner]));
        let (gain, shine) = light.on(if is_back { -normal } else { normal }, eye);
        let (tint, shine) = if is_back { (BACK, 0.0) } else { ([1.0; 3], shine) };
        let lit = core::array::from_fn(|k| (color[k] * tint[k] * gain + shine).min(255.0));
        sight.haze.over(lit, sight.haze.share(distance))
    }

    /// Lights all corners, by all workers.
    fn light(&mut self, seen: &[Seen], sight: &Sight, team: &Team) {
        let (light, normals) = (Light::world(), &self.normals);
        let mut sides = vec![Sides::default(); normals.len()];
        let chunks = sides.chunks_mut(CHUNK).zip(normals.chunks(CHUNK)).enumerate();
        team.each(chunks, |(chunk, (sides, normals))| {
            for (i, (sides, &normal)) in sides.iter_mut().zip(normals).enumerate() {
                let i = chunk * CHUNK + i;
                let (distance, normal) = (seen[i].turned[2], unit(normal));
                let shade = |back| self.shade(sight, &light, i, distance, normal, back);
                // Both sides: cheaper than finding out which are seen.
                let front = shade(false);
                *sides = [front, if self.mesh.closed { front } else { shade(true) }];
            }
        });
        self.sides = sides;
    }
}

impl Block<'_> {
    /// The places of a triangle's corners, if all exist.
    #[inline(always)]
    fn places(&self, &[a, b, c]: &[u32; 3]) -> Option<[[f32; 3]; 3]> {
        // Written out: `map` of an array is a call here, and a picture of small triangles took a third longer.
        let place = |i: u32| Some(self.seen.get(i as usize)?.place);
        Some([place(a)?, place(b)?, place(c)?])
    }

    /// Finds where it is seen: nowhere, if it is all backs of a closed mesh.
    fn measure(&mut self, sight: &Sight) {
        let (mesh, view) = (self.mesh.mesh, sight.view);
        for triangle in &mesh.triangles[self.triangles.clone()] {
            let Some(places) = self.places(triangle) else {
                continue;
            };
            // What is not finite is told when it is drawn.
            let is_whole = |[x, y, _]: [f32; 3]| {
                (x - view.center[0]).abs() < sight.guard && (y - view.center[1]).abs() < sight.guard
            };
            if !places.iter().all(|&place| is_whole(place)) {
                (self.extent, self.is_whole) = (Extent::ALL, false);
                return;
            }
            if !(mesh.closed && is_back(places)) {
                places.iter().for_each(|&place| self.extent.take(place));
            }
        }
    }

    /// Draws all of its triangles that face either way, of a closed mesh those that face the eye.
    fn draw(&self, band: &mut Band, sight: &Sight) {
        let Self { mesh: prepared, is_whole, .. } = *self;
        let (mesh, light) = (prepared.mesh, Light::world());
        let is_lit_here = mesh.smooth && prepared.sides.is_empty();
        let sums = if is_lit_here { normals(mesh.positions, mesh.triangles) } else { Vec::new() };
        let smooth: Vec<_> = sums.into_iter().map(unit).collect();
        for triangle in &mesh.triangles[self.triangles.clone()] {
            let Some(places) = self.places(triangle) else {
                continue;
            };
            if is_whole && ((mesh.closed && is_back(places)) || !holds_centers(band, places)) {
                continue;
            }
            let Some(points) = corners(mesh.positions, triangle) else {
                continue;
            };
            let normal = across(points);
            let is_back = match is_whole {
                true => is_back(places),
                false => normal.dot(sight.view.eye - points[0]) < 0.0,
            };
            if is_back && mesh.closed {
                continue;
            }
            let normal = if mesh.smooth { normal } else { unit(normal) };
            let color = |k: usize| -> [f32; 3] {
                let i = triangle[k] as usize;
                match (prepared.sides.get(i), smooth.get(i)) {
                    (Some(sides), _) => sides[usize::from(is_back)],
                    (None, smooth) => {
                        let normal = smooth.copied().unwrap_or(normal);
                        prepared.shade(sight, &light, i, self.seen[i].turned[2], normal, is_back)
                    }
                }
            };
            let corner = |k: usize, [x, y, z]: [f32; 3]| -> Corner {
                let [r, g, b] = color(k);
                [x, y, z, r, g, b]
            };
            if is_whole {
                let [a, b, c] = places;
                fill(band, [corner(0, a), corner(1, b), corner(2, c)]);
            } else {
                let turned = |k: usize| corner(k, self.seen[triangle[k] as usize].turned);
                draw(band, sight.view, &sight.planes, [turned(0), turned(1), turned(2)]);
            }
        }
    }
}

/// Whether the eye sees the back of a triangle with its corners in these columns and rows.
#[inline(always)]
fn is_back([a, b, c]: [[f32; 3]; 3]) -> bool {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0
}
