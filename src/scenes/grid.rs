//! Grids of points, the rows on them, and the storage order and colors that make all of those rows run packets.
//!
//! A grid row is stored as its even columns, then its odd ones; each half has at least one slot of padding at its end and
//! begins at a multiple of eight. Rows are colored by the parity of their first point, so that neighbors of a color lie two
//! columns apart: eight of them name eight consecutive slots. Sheets lie in x-z; layers are slices of z.

use super::random::Random;
use crate::coloring::{GridLayout, Permutation};
use crate::constraints::Constraint;
use crate::error::ModelError;
use crate::math::WIDTH;
use crate::model::Model;
use crate::rows::Stiffness;

/// Particles of a row, and its color.
pub(super) type Colored<const N: usize> = ([u32; N], u16);

/// Points of a grid: x runs fastest, then y, then z.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    /// Points along x.
    pub x: usize,
    /// Points along y; one in a sheet.
    pub y: usize,
    /// Points along z.
    pub z: usize,
}

/// The tetrahedra of a cell by its corners x + 2y + 4z, of positive volume; odd cells are the mirror image, so that the
/// faces of neighbors meet.
#[rustfmt::skip]
pub(crate) const TETRAHEDRA: [[[usize; 4]; 5]; 2] = [
    [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]],
    [[1, 0, 5, 3], [2, 3, 6, 0], [4, 5, 0, 6], [7, 6, 3, 5], [0, 3, 6, 5]],
];

/// The first color of [`Grid::links`] that diagonals have.
pub(super) const DIAGONALS: u16 = 4;

/// The model with colored rows of one kind, all with the same parameters and stiffness, and the layout that they ask for.
pub(super) fn colored<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
    mut model: Model,
    grid: Grid,
    kind: C,
    rows: impl IntoIterator<Item = Colored<N>>,
    params: [Option<f64>; P],
    stiffness: Stiffness,
) -> Result<Model, ModelError> {
    let colors = add(&mut model, kind, rows, params, stiffness)?;
    model.set_layout(grid.layout(vec![colors]));
    Ok(model)
}

/// Adds rows of a kind, all with the same parameters and stiffness; returns their colors.
pub(super) fn add<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
    model: &mut Model,
    _kind: C,
    rows: impl IntoIterator<Item = Colored<N>>,
    params: [Option<f64>; P],
    stiffness: Stiffness,
) -> Result<Vec<u16>, ModelError> {
    let mut colors = Vec::new();
    for (row, color) in rows {
        model.add_as::<C, N, P, K>(row, params, stiffness)?;
        colors.push(color);
    }
    Ok(colors)
}

impl Grid {
    /// A sheet of `n` x `n` points.
    pub fn sheet(n: usize) -> Self {
        Self { x: n, y: 1, z: n }
    }

    /// A block of `n` x `n` x `n` points.
    pub fn cube(n: usize) -> Self {
        Self { x: n, y: n, z: n }
    }

    /// A model of the points; `particle` says position (m), velocity (m/s) and inverse mass (1/kg) of each.
    pub fn model(
        self,
        mut particle: impl FnMut([usize; 3]) -> ([f64; 3], [f64; 3], f64),
    ) -> Result<Model, ModelError> {
        let mut model = Model::new();
        for point in self.points() {
            let (x, v, w) = particle(point);
            model.add_particle(x, v, w)?;
        }
        Ok(model)
    }

    /// A sheet with triangles of `mass` (kg): `place` says where the point at the shares x and z (0..=1) of its sides is,
    /// `pinned` which columns x and rows z are held.
    pub fn cloth(
        self,
        mass: f64,
        place: impl Fn(f64, f64) -> [f64; 3],
        pinned: impl Fn(usize, usize) -> bool,
    ) -> Result<Model, ModelError> {
        let w = self.len() as f64 / mass;
        let [across, along] = [self.x, self.z].map(|count| (count - 1) as f64);
        let mut model = self.model(|[x, _, z]| {
            let at = place(x as f64 / across, z as f64 / along);
            (at, [0.0; 3], if pinned(x, z) { 0.0 } else { w })
        })?;
        model.add_triangles(self.faces());
        Ok(model)
    }

    /// A model of points `step` apart (m), each moved by up to a tenth of it; those of an inverse mass above zero start at up
    /// to 0.05 m/s along y.
    pub fn shaken(self, step: f64, w: impl Fn([usize; 3]) -> f64) -> Result<Model, ModelError> {
        let mut random = Random(1);
        self.model(|point| {
            let position = point.map(|i| i as f64 * step + random.within(0.1 * step));
            let w = w(point);
            let v = if w > 0.0 { random.within(0.05) } else { 0.0 };
            (position, [0.0, v, 0.0], w)
        })
    }

    /// The number of points.
    pub fn len(self) -> usize {
        self.x * self.y * self.z
    }

    /// The index of a point.
    pub fn at(self, x: usize, y: usize, z: usize) -> u32 {
        ((z * self.y + y) * self.x + x) as u32
    }

    /// All points, in order.
    pub fn points(self) -> impl Iterator<Item = [usize; 3]> {
        let Grid { x, y, z } = self;
        (0..z).flat_map(move |z| (0..y).flat_map(move |y| (0..x).map(move |x| [x, y, z])))
    }

    /// The first corner of every cell of a sheet.
    pub fn cells(self) -> impl Iterator<Item = [usize; 2]> {
        (0..self.z - 1).flat_map(move |z| (0..self.x - 1).map(move |x| [x, z]))
    }

    /// The corners of a cell of a sheet in turn: its first, along x, opposite, along z.
    pub fn corners(self, [x, z]: [usize; 2]) -> [u32; 4] {
        [(x, z), (x + 1, z), (x + 1, z + 1), (x, z + 1)].map(|(x, z)| self.at(x, 0, z))
    }

    /// The triangles of a sheet without colors, their normals up: all cells are cut along one diagonal.
    pub fn halves(self) -> impl Iterator<Item = [u32; 3]> {
        self.cells()
            .map(move |cell| self.corners(cell))
            .flat_map(|[a, b, c, d]| [[a, c, b], [a, d, c]])
    }

    /// Every cell of a block: its first corner, and all eight by x + 2y + 4z.
    pub fn blocks(self) -> impl Iterator<Item = ([usize; 3], [u32; 8])> {
        let inner =
            move |[x, y, z]: &[usize; 3]| x + 1 < self.x && y + 1 < self.y && z + 1 < self.z;
        self.points().filter(inner).map(move |[x, y, z]| {
            let corner = |i: usize| self.at(x + i % 2, y + i / 2 % 2, z + i / 4);
            ([x, y, z], std::array::from_fn(corner))
        })
    }

    /// [`links`](Self::links) along the edges of cells, and those along diagonals.
    pub fn edges_and_diagonals(self) -> [Vec<Colored<2>>; 2] {
        self.links().partition(|(_, color)| *color < DIAGONALS).into()
    }

    /// The links of a sheet: along x, along z and both diagonals of each cell; 8 colors.
    pub fn links(self) -> impl Iterator<Item = Colored<2>> {
        let link = move |[a, b]: [[usize; 2]; 2], color: usize| {
            ([a, b].map(|[x, z]| self.at(x, 0, z)), color as u16)
        };
        self.points().flat_map(move |[x, _, z]| {
            // Two colors a direction: neighbors along it alternate.
            let (right, down) = (x + 1 < self.x, z + 1 < self.z);
            let of_point = [
                right.then(|| link([[x, z], [x + 1, z]], x % 2)),
                down.then(|| link([[x, z], [x, z + 1]], 2 + z % 2)),
                (right && down).then(|| link([[x, z], [x + 1, z + 1]], 4 + z % 2)),
                (right && down).then(|| link([[x + 1, z], [x, z + 1]], 6 + z % 2)),
            ];
            of_point.into_iter().flatten()
        })
    }

    /// The triangles of a sheet, two a cell, their normals up; 8 colors.
    pub fn triangles(self) -> impl Iterator<Item = Colored<3>> {
        self.cells().flat_map(move |[x, z]| {
            let [a, b, d, c] = self.corners([x, z]);
            [([a, c, b], parity(x, 0, z)), ([b, c, d], 4 + parity(x, 0, z))]
        })
    }

    /// The inner edges of [`triangles`](Self::triangles), each with the two corners opposite to it; 12 colors.
    pub fn hinges(self) -> Vec<Colored<4>> {
        let at = |x, z| self.at(x, 0, z);
        let mut hinges = Vec::new();
        for [x, z] in self.cells() {
            let color = parity(x, 0, z);
            if z > 0 {
                let wings = [at(x, z + 1), at(x + 1, z - 1)];
                hinges.push(([at(x, z), at(x + 1, z), wings[0], wings[1]], color));
            }
            if x > 0 {
                let wings = [at(x + 1, z), at(x - 1, z + 1)];
                hinges.push(([at(x, z), at(x, z + 1), wings[0], wings[1]], 4 + color));
            }
            let wings = [at(x, z), at(x + 1, z + 1)];
            hinges.push(([at(x + 1, z), at(x, z + 1), wings[0], wings[1]], 8 + color));
        }
        hinges
    }

    /// [`triangles`](Self::triangles) without their colors.
    pub fn faces(self) -> impl Iterator<Item = [u32; 3]> {
        self.triangles().map(|(triangle, _)| triangle)
    }

    /// Five tetrahedra of positive volume a cell of a block; 40 colors.
    pub fn tetrahedra(self) -> Vec<Colored<4>> {
        let mut tetrahedra = Vec::new();
        for ([x, y, z], all) in self.blocks() {
            for (which, corners) in TETRAHEDRA[(x + y + z) % 2].iter().enumerate() {
                let color = 8 * which as u16 + parity(x, y, z);
                tetrahedra.push((corners.map(|i| all[i]), color));
            }
        }
        tetrahedra
    }

    /// The point of an index.
    pub fn point(self, i: u32) -> [usize; 3] {
        let i = i as usize;
        [i % self.x, i / self.x % self.y, i / (self.x * self.y)]
    }

    /// The faces of [`tetrahedra`](Self::tetrahedra) that lie in a side of the block, wound outward.
    pub fn skin(self) -> Vec<[u32; 3]> {
        let most = [self.x - 1, self.y - 1, self.z - 1];
        let is_outer = |face: &[u32; 3]| {
            let corners = face.map(|i| self.point(i));
            let all = |axis: usize, side| corners.iter().all(|corner| corner[axis] == side);
            (0..3).any(|axis| all(axis, 0) || all(axis, most[axis]))
        };
        let faces = |([a, b, c, d], _): Colored<4>| [[a, c, b], [a, b, d], [a, d, c], [b, c, d]];
        let faces = self.tetrahedra().into_iter().flat_map(faces);
        faces.filter(is_outer).collect()
    }

    /// The storage order, and the colors of the rows of each set.
    pub fn layout(self, colors: Vec<Vec<u16>>) -> GridLayout {
        // From the start of a cache line, for sixteen lanes.
        let half = (self.x.div_ceil(2).next_multiple_of(WIDTH) + WIDTH).next_multiple_of(2 * WIDTH);
        let row = 2 * half;
        let slot = |[x, y, z]: [usize; 3]| (z * self.y + y) * row + x % 2 * half + x / 2;
        let storage = self.points().map(|point| slot(point) as u32).collect();
        let permutation = Permutation::new(storage, row * self.y * self.z);
        GridLayout {
            permutation: permutation.expect("points lie apart"),
            layer: row * self.y,
            colors,
        }
    }
}

/// The parity class of a cell, one of eight: cells of a class share no corner.
pub(super) fn parity(x: usize, y: usize, z: usize) -> u16 {
    (x % 2 + 2 * (z % 2) + 4 * (y % 2)) as u16
}

/// For rows that alone hold nothing up: no gravity, damping, and the velocities that the points were given.
pub(super) fn tremble(mut model: Model) -> Model {
    model.settings.gravity = [0.0; 3];
    model.settings.damping = 5.0;
    model
}
