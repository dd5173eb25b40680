//! Connected components: particles that rows, groups and attachments join. Kinematic particles belong to none and connect
//! nothing, so two sheets on one pin are two components.

use crate::coloring::{RowList, UnionFind};
use crate::math::Vec3;
use crate::subsystem::Subsystem;

/// Particles by what joins them.
pub(crate) struct Components {
    pub(super) sets: UnionFind,
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
        let mut sets = UnionFind::new(inverse_masses.len());
        let mut joined = |particles: &[u32]| {
            let mut members = particles.iter().copied().filter(|&i| is_movable(inverse_masses, i));
            if let Some(a) = members.next() {
                members.for_each(|b| sets.join(a, b));
            }
        };
        for list in rows {
            list.rows().for_each(&mut joined);
        }
        subsystems.for_each(|subsystem| subsystem.each_joined(&mut joined));
        Self { sets }
    }

    /// The particles of each component of more than one, in authored order.
    pub(crate) fn members(mut self, inverse_masses: &[f32]) -> Vec<Vec<u32>> {
        let count = self.sets.len();
        let mut all = vec![Vec::new(); count];
        for i in (0..count as u32).filter(|&i| is_movable(inverse_masses, i)) {
            all[self.sets.root(i) as usize].push(i);
        }
        all.retain(|members| members.len() > 1);
        all
    }
}

/// Does `hold` with the particles of each row, of what each subsystem joins and, told apart by `true`, of all `tied` rows.
pub(super) fn each_hold<'a>(
    [rows, tied]: [&[RowList]; 2],
    subsystems: impl Iterator<Item = &'a dyn Subsystem>,
    mut hold: impl FnMut(&[u32], bool),
) {
    rows.iter().flat_map(|list| list.rows()).for_each(|row| hold(row, false));
    subsystems.for_each(|subsystem| subsystem.each_joined(&mut |group| hold(group, false)));
    tied.iter().for_each(|list| hold(list.particles, true));
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
