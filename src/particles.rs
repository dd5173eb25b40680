//! Particles: struct-of-arrays columns, padded to eight (S1-03).
//!
//! Columns lie in *storage* order, which is the engine's own; a [`Numbering`] says where each authored particle went.
//! Whatever leaves or enters the engine (files, hashes, pictures, the caller) goes through it.

use crate::lanes::{Scalar, WIDTH};
use crate::model::Model;

/// Numbers side by side, in blocks of eight that vectors load aligned.
#[derive(Clone)]
pub struct Column<R: Scalar>(Vec<R::Block>);

impl<R: Scalar> Column<R> {
    fn zeros(len: usize) -> Self {
        Self(vec![R::ZERO_BLOCK; len.div_ceil(WIDTH)])
    }

    /// The numbers, padding included.
    pub fn as_slice(&self) -> &[R] {
        R::flat(&self.0)
    }

    /// The numbers, padding included, to write.
    pub fn as_mut_slice(&mut self) -> &mut [R] {
        R::flat_mut(&mut self.0)
    }
}

/// Three columns: x, y and z.
#[derive(Clone)]
pub struct Columns3<R: Scalar>(pub [Column<R>; 3]);

impl<R: Scalar> Columns3<R> {
    fn zeros(len: usize) -> Self {
        Self(std::array::from_fn(|_| Column::zeros(len)))
    }

    /// The entry at storage index `i`.
    pub fn read(&self, i: usize) -> [R; 3] {
        std::array::from_fn(|axis| self.0[axis].as_slice()[i])
    }

    /// Replaces the entry at storage index `i`.
    pub fn write(&mut self, i: usize, value: [R; 3]) {
        for (column, v) in self.0.iter_mut().zip(value) {
            column.as_mut_slice()[i] = v;
        }
    }

    /// The three columns as slices.
    pub fn as_slices(&self) -> [&[R]; 3] {
        self.0.each_ref().map(Column::as_slice)
    }

    /// The three columns as slices, to write.
    pub fn as_mut_slices(&mut self) -> [&mut [R]; 3] {
        self.0.each_mut().map(Column::as_mut_slice)
    }
}

/// Where each authored particle is stored; storage indices not in it are ghosts (w = 0, in no row).
#[derive(Clone, Debug, PartialEq)]
pub struct Numbering {
    storage: Vec<u32>,
    len: usize,
}

impl Numbering {
    /// Storage order = authored order.
    pub fn identity(count: usize) -> Self {
        Self {
            storage: (0..count as u32).collect(),
            len: count.next_multiple_of(WIDTH),
        }
    }

    /// `storage[i]` is where authored particle i lies, among `len` places. `None` where two share a place or one lies
    /// outside.
    pub fn new(storage: Vec<u32>, len: usize) -> Option<Self> {
        let len = len.next_multiple_of(WIDTH);
        let mut taken = vec![false; len];
        for &s in &storage {
            if std::mem::replace(taken.get_mut(s as usize)?, true) {
                return None;
            }
        }
        Some(Self { storage, len })
    }

    /// Storage index of authored particle `i`.
    #[inline]
    pub fn storage(&self, i: u32) -> u32 {
        self.storage[i as usize]
    }

    /// Storage indices in authored order.
    pub fn as_slice(&self) -> &[u32] {
        &self.storage
    }

    /// Places, ghosts and padding included: a multiple of eight.
    pub fn places(&self) -> usize {
        self.len
    }
}

/// The state of all particles, in storage order.
#[derive(Clone)]
pub struct Particles<R: Scalar = f32> {
    /// Positions (m).
    pub position: Columns3<R>,
    /// Positions at the start of the substep (m).
    pub previous: Columns3<R>,
    /// Velocities (m/s).
    pub velocity: Columns3<R>,
    /// Inverse masses (1/kg); zero in ghosts and padding.
    pub inverse_mass: Column<R>,
    /// The time at the start of the substep (s): where what is driven stands.
    pub time: f64,
    numbering: Numbering,
}

impl<R: Scalar> Particles<R> {
    /// The model's particles, stored as `numbering` says.
    ///
    /// # Panics
    /// If the numbering is of another number of particles.
    pub fn new(model: &Model, numbering: Numbering) -> Self {
        assert_eq!(
            numbering.as_slice().len(),
            model.positions().len(),
            "a numbering of another model"
        );
        let len = numbering.places();
        let mut particles = Self {
            position: Columns3::zeros(len),
            previous: Columns3::zeros(len),
            velocity: Columns3::zeros(len),
            inverse_mass: Column::zeros(len),
            time: 0.0,
            numbering,
        };
        let wide = |v: [f32; 3]| v.map(|v| R::of(f64::from(v)));
        for i in 0..model.positions().len() {
            let s = particles.numbering.storage[i] as usize;
            particles.position.write(s, wide(model.positions()[i]));
            particles.velocity.write(s, wide(model.velocities()[i]));
            particles.inverse_mass.as_mut_slice()[s] = R::of(f64::from(model.inverse_masses()[i]));
        }
        particles.previous = particles.position.clone();
        particles
    }

    /// Where the authored particles lie.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// Places, ghosts and padding included.
    pub fn places(&self) -> usize {
        self.numbering.len
    }

    /// Position of authored particle `i` (m).
    pub fn position(&self, i: u32) -> [R; 3] {
        self.position.read(self.numbering.storage(i) as usize)
    }

    /// Puts authored particle `i` to a position (m) and a velocity (m/s).
    pub fn set(&mut self, i: u32, position: [R; 3], velocity: [R; 3]) {
        let s = self.numbering.storage(i) as usize;
        self.position.write(s, position);
        self.velocity.write(s, velocity);
    }

    /// Inverse mass of authored particle `i` (1/kg).
    pub fn inverse_mass(&self, i: u32) -> R {
        self.inverse_mass.as_slice()[self.numbering.storage(i) as usize]
    }

    /// Gives authored particle `i` another inverse mass (1/kg).
    pub fn set_inverse_mass(&mut self, i: u32, inverse_mass: R) {
        self.inverse_mass.as_mut_slice()[self.numbering.storage(i) as usize] = inverse_mass;
    }

    /// Positions in authored order (m).
    pub fn positions(&self) -> Vec<[R; 3]> {
        self.authored(&self.position)
    }

    /// Velocities in authored order (m/s).
    pub fn velocities(&self) -> Vec<[R; 3]> {
        self.authored(&self.velocity)
    }

    fn authored(&self, columns: &Columns3<R>) -> Vec<[R; 3]> {
        let [x, y, z] = columns.as_slices();
        let read = |&s: &u32| [x[s as usize], y[s as usize], z[s as usize]];
        self.numbering.storage.iter().map(read).collect()
    }
}
