//! The contents of a picture: surfaces, segments, points, and the ground.

use super::color;

/// Colors of vertices, points or line ends.
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
    /// Its color or colors.
    pub paint: Paint<'a>,
    /// Round (normals shared by neighbors) or faceted.
    pub smooth: bool,
    /// Whether it has an inside that the eye is not in: then backs are not drawn.
    pub closed: bool,
}

impl<'a> Mesh<'a> {
    /// A smooth blue mesh.
    pub fn new(positions: &'a [[f32; 3]], triangles: &'a [[u32; 3]]) -> Self {
        Self {
            positions,
            triangles,
            paint: Paint::One(color::distinct(0)),
            smooth: true,
            closed: false,
        }
    }
}

/// Segments, drawn as rods; a radius of 0 draws hairlines.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    /// Ends (m).
    pub positions: &'a [[f32; 3]],
    /// Two indices into `positions` each.
    pub segments: &'a [[u32; 2]],
    /// Its color or colors.
    pub paint: Paint<'a>,
    /// Their radius (m).
    pub radius: f32,
    /// Whether they are seen before a surface that they lie on.
    pub lifted: bool,
}

/// Radii of points (m).
#[derive(Clone, Copy, Debug)]
pub enum Radius<'a> {
    /// All alike.
    One(f32),
    /// One for each position; 0 where the slice is too short.
    Each(&'a [f32]),
}

impl Radius<'_> {
    /// The radius of position `i`.
    #[inline(always)]
    pub fn of(self, i: usize) -> f32 {
        match self {
            Radius::One(radius) => radius,
            Radius::Each(radii) => radii.get(i).copied().unwrap_or(0.0),
        }
    }

    /// The largest; what is not a number is passed over.
    pub fn most(self) -> f32 {
        match self {
            Radius::One(radius) => radius,
            Radius::Each(radii) => radii.iter().copied().fold(0.0, f32::max),
        }
    }
}

/// Points, drawn as balls; a radius of 0 draws dots.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a> {
    /// Centers (m).
    pub positions: &'a [[f32; 3]],
    /// Its color or colors.
    pub paint: Paint<'a>,
    /// One radius or one each (m).
    pub radius: Radius<'a>,
}

impl<'a> Points<'a> {
    /// All of them, up to `size` at a time, without their paint.
    pub fn chunks(self, size: usize) -> impl Iterator<Item = Self> {
        let radius = move |from: usize| match self.radius {
            Radius::One(radius) => Radius::One(radius),
            Radius::Each(radii) => Radius::Each(radii.get(from..).unwrap_or_default()),
        };
        let chunks = self.positions.chunks(size).enumerate();
        chunks.map(move |(i, positions)| Self { positions, radius: radius(i * size), ..self })
    }
}

/// A plane y = height with a grid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ground {
    /// Where it lies (m).
    pub height: f32,
    /// Between grid lines (m); 0 takes the power of ten that suits the camera's distance.
    pub spacing: f32,
}

/// Everything to be seen.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// Background colors at the top and the bottom.
    pub background: [u32; 2],
    /// The ground, where there is one.
    pub ground: Option<Ground>,
    /// Surfaces.
    pub meshes: &'a [Mesh<'a>],
    /// Segments.
    pub lines: &'a [Lines<'a>],
    /// Balls.
    pub points: &'a [Points<'a>],
    /// Balls of liquid, those of a list alike, drawn as one surface; after everything else, as it is seen through.
    pub liquids: &'a [Points<'a>],
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
            liquids: &[],
        }
    }
}
