//! Particles: struct-of-arrays columns, padded to eight (S1-03).
//!
//! Columns lie in *storage* order, which is the engine's own; a [`Permutation`] says where each authored particle went.
//! Whatever leaves or enters the engine (files, hashes, pictures, the caller) goes through it.

use super::columns::{Column, Columns3};
use super::{Bodies, InitialBody, Snapshot};
use crate::coloring::Permutation;
use crate::math::Scalar;

/// Particles as they start, in authored order.
pub(crate) struct InitialParticles<'a> {
    /// m.
    pub(crate) positions: &'a [[f32; 3]],
    /// m/s.
    pub(crate) velocities: &'a [[f32; 3]],
    /// 1/kg.
    pub(crate) inverse_masses: &'a [f32],
}

/// Columns beside the others, where what they are rounded off by is carried.
#[derive(Clone)]
pub(crate) struct CarriedColumns<R: Scalar> {
    /// Positions predicted (m), while rows are projected.
    pub(crate) predicted: Columns3<R>,
    /// What positions (m) and velocities (m/s) are rounded off by.
    pub(crate) remainders: [Columns3<R>; 2],
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
    /// What positions and velocities are rounded off by, where that is carried.
    pub(crate) carried: Option<CarriedColumns<R>>,
    /// Inverse masses (1/kg); zero in padding.
    pub inverse_mass: Column<R>,
    /// h a: what each velocity grows by in a substep (m/s); nothing where gravity acts alone.
    pub(crate) velocity_steps: Option<Columns3<R>>,
    /// The time at the start of the substep (s): where what is driven stands.
    pub time: f64,
    /// The rigid bodies beside them.
    pub bodies: Bodies<R>,
    permutation: Permutation,
}

impl Particles<f32> {
    /// Takes positions and velocities of particles and bodies.
    pub(crate) fn take(&mut self, state: &Snapshot) {
        for (i, (&x, &v)) in (0..).zip(state.positions.iter().zip(&state.velocities)) {
            self.set(i, x, v);
        }
        let bodies = state.bodies.iter().zip(&state.body_velocities);
        bodies.enumerate().for_each(|(i, (&pose, &motion))| self.bodies.set(i, pose, motion));
    }
}

impl<R: Scalar> Particles<R> {
    /// Particles as they start, stored as `permutation` says, and bodies beside them.
    ///
    /// # Panics
    /// If the permutation is of another number of particles.
    pub(crate) fn new(
        start: &InitialParticles,
        bodies: impl ExactSizeIterator<Item = InitialBody>,
        permutation: Permutation,
    ) -> Self {
        assert_eq!(
            permutation.as_slice().len(),
            start.positions.len(),
            "a permutation of another model"
        );
        let len = permutation.slot_count();
        let mut particles = Self {
            position: Columns3::zeros(len),
            previous: Columns3::zeros(len),
            velocity: Columns3::zeros(len),
            carried: None,
            inverse_mass: Column::zeros(len),
            velocity_steps: None,
            time: 0.0,
            bodies: Bodies::new(bodies),
            permutation,
        };
        let wide = |v: [f32; 3]| v.map(|v| R::of(f64::from(v)));
        for i in 0..start.positions.len() {
            let s = particles.permutation.storage(i as u32) as usize;
            particles.position.write(s, wide(start.positions[i]));
            particles.velocity.write(s, wide(start.velocities[i]));
            let w = R::of(f64::from(start.inverse_masses[i]));
            particles.inverse_mass.as_mut_slice()[s] = w;
        }
        for (previous, x) in particles.previous.0.iter_mut().zip(&particles.position.0) {
            previous.as_mut_slice().copy_from_slice(x.as_slice());
        }
        particles
    }

    /// Slots, padding included.
    pub fn slot_count(&self) -> usize {
        self.permutation.slot_count()
    }

    /// Position of authored particle `i` (m).
    pub fn position(&self, i: u32) -> [R; 3] {
        self.position.read(self.permutation.storage(i) as usize)
    }

    /// Puts authored particle `i` to a position (m) and a velocity (m/s).
    pub fn set(&mut self, i: u32, position: [R; 3], velocity: [R; 3]) {
        let s = self.permutation.storage(i) as usize;
        self.position.write(s, position);
        self.velocity.write(s, velocity);
        self.set_remainders(i, [[R::zero(); 3]; 2]);
    }

    /// From now on what positions and velocities are rounded off by is carried.
    pub(crate) fn carry(&mut self) {
        let len = self.slot_count();
        let zeros = || Columns3::zeros(len);
        self.carried = Some(CarriedColumns { predicted: zeros(), remainders: [zeros(), zeros()] });
    }

    /// What position (m) and velocity (m/s) of authored particle `i` are rounded off by.
    pub(crate) fn remainders(&self, i: u32) -> Option<[[R; 3]; 2]> {
        let s = self.permutation.storage(i) as usize;
        let [x, v] = &self.carried.as_ref()?.remainders;
        Some([x.read(s), v.read(s)])
    }

    /// Replaces them, where they are carried.
    pub(crate) fn set_remainders(&mut self, i: u32, rests: [[R; 3]; 2]) {
        let s = self.permutation.storage(i) as usize;
        if let Some(carried) = &mut self.carried {
            carried
                .remainders
                .iter_mut()
                .zip(rests)
                .for_each(|(columns, rest)| columns.write(s, rest));
        }
    }

    /// Inverse mass of authored particle `i` (1/kg).
    pub fn inverse_mass(&self, i: u32) -> R {
        self.inverse_mass.as_slice()[self.permutation.storage(i) as usize]
    }

    /// Gives authored particle `i` another inverse mass (1/kg).
    pub fn set_inverse_mass(&mut self, i: u32, inverse_mass: R) {
        self.inverse_mass.as_mut_slice()[self.permutation.storage(i) as usize] = inverse_mass;
    }

    /// Velocity of authored particle `i` (m/s).
    pub fn velocity(&self, i: u32) -> [R; 3] {
        self.velocity.read(self.permutation.storage(i) as usize)
    }

    /// Says what the velocity of authored particle `i` grows by in a substep (m/s); of the others `usual`, where nothing
    /// was said of them.
    pub(crate) fn set_velocity_step(&mut self, i: u32, step: [R; 3], usual: [R; 3]) {
        let slots = self.slot_count();
        let steps = self.velocity_steps.get_or_insert_with(|| Columns3::filled(slots, usual));
        steps.write(self.permutation.storage(i) as usize, step);
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
        self.permutation.as_slice().iter().map(read).collect()
    }
}
