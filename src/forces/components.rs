//! Connected components: particles that rows, groups and attachments join. Kinematic particles belong to none and connect
//! nothing, so two sheets on one pin are two components.

use crate::coloring::RowList;
use crate::math::Vec3;
use crate::subsystem::Subsystem;

/// For each particle the least one known to be connected with it, or one on the way there.
pub(crate) struct Components {
    first: Vec<u32>,
}

/// Whether nothing holds a particle from the start.
pub(super) fn is_movable(inverse_masses: &[f32], i: u32) -> bool {
    inverse_masses[i as usize] > 0.0
}

impl Components {
    /// What `rows` and `subsystems` join.
    pub(crate) fn new<'a>(
        inverse_masses: &[f32],
        rows: &[RowList],
        subsystems: impl Iterator<Item = &'a dyn Subsystem>,
    ) -> Self {
        let mut all = Self { first: (0..inverse_masses.len() as u32).collect() };
        let mut joined = |particles: &[u32]| {
            let mut members = particles.iter().copied().filter(|&i| is_movable(inverse_masses, i));
            if let Some(a) = members.next() {
                members.for_each(|b| all.join(a, b));
            }
        };
        for list in rows {
            list.particles.chunks_exact(list.arity).for_each(&mut joined);
        }
        subsystems.for_each(|subsystem| subsystem.each_joined(&mut joined));
        all
    }

    /// The least particle known to be connected with `i`.
    pub(super) fn root(&mut self, mut i: u32) -> u32 {
        let first = &mut self.first;
        while first[i as usize] != i {
            first[i as usize] = first[first[i as usize] as usize];
            i = first[i as usize];
        }
        i
    }

    /// Adds as many members that nothing joins yet; returns the number of the first.
    pub(super) fn extend(&mut self, count: usize) -> u32 {
        let first = self.first.len() as u32;
        self.first.extend(first..first + count as u32);
        first
    }

    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.first[a.max(b) as usize] = a.min(b);
    }

    /// The particles of each component of more than one, in authored order.
    pub(crate) fn members(mut self, inverse_masses: &[f32]) -> Vec<Vec<u32>> {
        let count = self.first.len();
        let mut all = vec![Vec::new(); count];
        for i in (0..count as u32).filter(|&i| is_movable(inverse_masses, i)) {
            all[self.root(i) as usize].push(i);
        }
        all.retain(|members| members.len() > 1);
        all
    }
}

/// Added to the inertia, as a part of its trace.
const THIN: f64 = 1e-12;

/// I⁻¹ L, with I = tr(S) - S and S = Σ m r rᵀ as xx, yy, zz, xy, xz, yz. What lies on a line or in a point has no inverse: a
/// trillionth of its trace is added to I, which gives it the turn it has.
pub(super) fn turn_of([xx, yy, zz, xy, xz, yz]: [f64; 6], momentum: Vec3<f64>) -> Vec3<f64> {
    let thin = THIN * (xx + yy + zz);
    // I by columns; symmetric.
    let a = Vec3::new(yy + zz + thin, -xy, -xz);
    let b = Vec3::new(-xy, xx + zz + thin, -yz);
    let c = Vec3::new(-xz, -yz, xx + yy + thin);
    let (ab, bc, ca) = (a.cross(b), b.cross(c), c.cross(a));
    let determinant: f64 = a.dot(bc);
    match determinant > 0.0 {
        true => {
            Vec3::new(bc.dot(momentum), ca.dot(momentum), ab.dot(momentum)) * (1.0 / determinant)
        }
        false => Vec3::zero(),
    }
}
