//! Rigid damping: takes motion out of a body that is not the motion of a rigid one, and keeps its momenta.
//!
//! ```text
//! x_cm = Σ m x / Σ m,  v_cm = Σ m v / Σ m,  r = x - x_cm
//! L = Σ r × m v,  I = Σ m (r·r - r rᵀ),  ω = I⁻¹ L
//! v <- v + k (v_cm + ω × r - v)                         S1-09
//! ```
//!
//! (Müller et al., *Position Based Dynamics*, 2006, section 3.5.) For any k in 0..1 both momenta stay; k = 1 leaves rigid
//! motion only. The source damps an object before it is predicted, here it is damped at the end of the substep: the same,
//! as gravity moves all of a body alike.
//!
//! A body is a connected component of rows, groups and attachments: two ropes in one scene turn each about its own center.
//! A particle in the hand keeps its velocity and counts in no sum. A body of one particle has nothing to damp.
//! All sums are in f64, eight lanes side by side added pairwise, so every method on any number
//! of threads has the same bits.

use super::components::{Components, turn_of};
use crate::coloring::RowList;
use crate::groups::plus;
use crate::math::{F64x8, Real, Vec3, WIDTH, each_lane};
use crate::state::{Column3, OneLane, ParticleView};
use crate::subsystem::{BuildContext, Subsystem};
use std::ops::Range;

/// Position (m) or velocity (m/s) in a slot.
fn read<E: OneLane>(state: &ParticleView<E>, column: Column3, slot: u32) -> Vec3<f64> {
    state.gather::<E>(column, slot).to_f64()
}

/// A model's bodies and how strongly they are damped.
#[derive(Clone, Debug)]
pub struct RigidDamping {
    k: f64,
    /// Slot and mass (kg) of each particle of each body, in authored order.
    bodies: Vec<Vec<(u32, f64)>>,
}

impl RigidDamping {
    /// The bodies that `rows` and `subsystems` join, or nothing where the settings do not damp them.
    pub fn new<'a>(
        context: &BuildContext,
        rows: &[RowList],
        subsystems: impl Iterator<Item = &'a dyn Subsystem>,
    ) -> Option<Self> {
        let k = context.settings.rigid_damping;
        if k == 0.0 {
            return None;
        }
        let mass = |i: u32| 1.0 / f64::from(context.inverse_masses[i as usize]);
        let body = |members: Vec<u32>| {
            members.into_iter().map(|i| (context.permutation.storage(i), mass(i))).collect()
        };
        let components = Components::new(context.inverse_masses, rows, subsystems)
            .members(context.inverse_masses);
        let bodies = components.into_iter().map(body).collect();
        Some(Self { k, bodies })
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Damps some bodies.
    pub fn damp<E: OneLane>(&self, bodies: Range<usize>, state: &mut ParticleView<E>) {
        for body in &self.bodies[bodies] {
            self.damp_body(body, state);
        }
    }

    fn damp_body<E: OneLane>(&self, body: &[(u32, f64)], state: &mut ParticleView<E>) {
        let [m, x, y, z, vx, vy, vz] = sum(body, state, |Eight { m, x, v }| {
            let (x, v) = (x * m, v * m);
            [m, x.x, x.y, x.z, v.x, v.y, v.z]
        });
        if m <= 0.0 {
            return;
        }
        let (center, drift) = (Vec3::new(x, y, z) / m, Vec3::new(vx, vy, vz) / m);
        let (wide_center, wide_drift) = (F64x8::splat(center), F64x8::splat(drift));
        let [lx, ly, lz, xx, yy, zz, xy, xz, yz] = sum(body, state, |Eight { m, x, v }| {
            // About the center the drift has no angular momentum; without it f64 keeps more of what is left.
            let (r, v) = (x - wide_center, v - wide_drift);
            let (l, p) = (r.cross(v) * m, r * m);
            let products = [p.x * r.x, p.y * r.y, p.z * r.z, p.x * r.y, p.x * r.z, p.y * r.z];
            let [xx, yy, zz, xy, xz, yz] = products;
            [l.x, l.y, l.z, xx, yy, zz, xy, xz, yz]
        });
        let turn = turn_of([xx, yy, zz, xy, xz, yz], Vec3::new(lx, ly, lz));
        for &(slot, _) in body {
            if !is_free(state, slot) {
                continue;
            }
            let [x, v] =
                [Column3::Position, Column3::Velocity].map(|column| read(state, column, slot));
            let rigid = drift + turn.cross(x - center);
            let damped = v + (rigid - v) * self.k;
            state.scatter::<E>(Column3::Velocity, slot, damped.rounded());
        }
    }
}

/// Whether a particle can move: one in the hand has lost its mass.
fn is_free<E: OneLane>(state: &ParticleView<E>, slot: u32) -> bool {
    E::zero() < state.inverse_mass::<E>(slot as usize)
}

/// Masses, positions and velocities of eight members.
struct Eight {
    m: F64x8,
    x: Vec3<F64x8>,
    v: Vec3<F64x8>,
}

/// Σ of `terms` over a body; what is held, and lanes beyond the last member, weigh nothing.
fn sum<E: OneLane, const N: usize>(
    body: &[(u32, f64)],
    state: &ParticleView<E>,
    terms: impl Fn(Eight) -> [F64x8; N],
) -> [f64; N] {
    let mut sums = [F64x8::zero(); N];
    for members in body.chunks(WIDTH) {
        let member = |lane: usize| members[lane.min(members.len() - 1)].0;
        let mass = |lane: usize| match members.get(lane) {
            Some(&(slot, mass)) if is_free(state, slot) => mass,
            _ => 0.0,
        };
        let of = |column| F64x8::vectors(|lane| read(state, column, member(lane)));
        let (x, v) = (of(Column3::Position), of(Column3::Velocity));
        let terms = terms(Eight { m: F64x8::new(each_lane(mass)), x, v });
        sums = plus(sums, terms);
    }
    sums.map(F64x8::total)
}
