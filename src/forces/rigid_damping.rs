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
//! A body is a connected component of rows: two ropes in one scene turn each about its own center. Kinematic particles
//! belong to none and connect nothing, so two sheets on one pin are two bodies. A body of one particle has nothing to damp.
//! Bodies on a line or in a point have no inverse inertia: a trillionth of its trace is added to I, which gives them the
//! turn they have. All sums are in f64, eight running ones over index mod 8 added pairwise, so every method on any number
//! of threads has the same bits.

use crate::coloring::RowList;
use crate::math::{Scalar, Vec3, WIDTH};
use crate::state::{Column3, ParticleView, Width};
use crate::subsystem::BuildContext;

/// Where positions and velocities are found, by place in storage.
pub trait Motion {
    /// Position (m) and velocity (m/s).
    fn read(&self, place: u32) -> [Vec3<f64>; 2];
    /// Position (m) alone: velocities may be written at the time.
    fn point(&self, place: u32) -> Vec3<f64>;
    /// Whether it has an inverse mass.
    fn is_free(&self, place: u32) -> bool;
    /// Replaces the velocity.
    fn write(&mut self, place: u32, velocity: Vec3<f64>);
}

impl<E: Scalar + Width<Element = E, Slots = u32>> Motion for ParticleView<'_, E> {
    fn read(&self, place: u32) -> [Vec3<f64>; 2] {
        [Column3::Position, Column3::Velocity].map(|column| wide(self.gather::<E>(column, place)))
    }
    fn point(&self, place: u32) -> Vec3<f64> {
        wide(self.gather::<E>(Column3::Position, place))
    }
    fn is_free(&self, place: u32) -> bool {
        self.inverse_masses::<E>(place) > E::zero()
    }
    fn write(&mut self, place: u32, velocity: Vec3<f64>) {
        let Vec3 { x, y, z } = velocity;
        self.scatter::<E>(Column3::Velocity, place, Vec3::of([x, y, z]));
    }
}

fn wide<E: Scalar>(v: Vec3<E>) -> Vec3<f64> {
    Vec3::of([v.x, v.y, v.z].map(E::to_f64))
}

/// A model's bodies and how strongly they are damped.
#[derive(Clone, Debug)]
pub struct RigidDamping {
    k: f64,
    /// Place and mass (kg) of each particle of each body, in authored order.
    bodies: Vec<Vec<(u32, f64)>>,
}

/// Added to the inertia, as a part of its trace.
const THIN: f64 = 1e-12;

impl RigidDamping {
    /// The bodies that `rows` join, or nothing where the settings do not damp them.
    pub fn new(context: &BuildContext, rows: &[RowList]) -> Option<Self> {
        let k = context.settings.rigid_damping;
        if k == 0.0 {
            return None;
        }
        let count = context.positions.len();
        let mut first: Vec<u32> = (0..count as u32).collect();
        let movable = |i: &u32| context.inverse_masses[*i as usize] > 0.0;
        for list in rows {
            for row in list.particles.chunks_exact(list.arity) {
                let mut members = row.iter().copied().filter(movable);
                if let Some(a) = members.next() {
                    members.for_each(|b| join(&mut first, a, b));
                }
            }
        }
        let mut bodies = vec![Vec::new(); count];
        for i in (0..count as u32).filter(movable) {
            let mass = 1.0 / f64::from(context.inverse_masses[i as usize]);
            bodies[root(&mut first, i) as usize].push((context.permutation.storage(i), mass));
        }
        bodies.retain(|body| body.len() > 1);
        Some(Self { k, bodies })
    }

    /// Damps every body.
    pub fn damp(&self, state: &mut impl Motion) {
        for body in &self.bodies {
            self.damp_body(body, state);
        }
    }

    fn damp_body(&self, body: &[(u32, f64)], state: &mut impl Motion) {
        let [m, x, y, z, vx, vy, vz] = sum(body, |place, m| {
            let [x, v] = state.read(place);
            [m, m * x.x, m * x.y, m * x.z, m * v.x, m * v.y, m * v.z]
        });
        let center = Vec3::new(x / m, y / m, z / m);
        let drift = Vec3::new(vx / m, vy / m, vz / m);
        let [lx, ly, lz, xx, yy, zz, xy, xz, yz] = sum(body, |place, m| {
            let [x, v] = state.read(place);
            // About the center the drift has no angular momentum; without it f64 keeps more of what is left.
            let (r, v) = (x - center, v - drift);
            let l = r.cross(v) * m;
            let p = r * m;
            let products = [
                p.x * r.x,
                p.y * r.y,
                p.z * r.z,
                p.x * r.y,
                p.x * r.z,
                p.y * r.z,
            ];
            let [xx, yy, zz, xy, xz, yz] = products;
            [l.x, l.y, l.z, xx, yy, zz, xy, xz, yz]
        });
        let thin = THIN * (xx + yy + zz);
        // I by columns; symmetric.
        let a = Vec3::new(yy + zz + thin, -xy, -xz);
        let b = Vec3::new(-xy, xx + zz + thin, -yz);
        let c = Vec3::new(-xz, -yz, xx + yy + thin);
        let (ab, bc, ca) = (a.cross(b), b.cross(c), c.cross(a));
        let determinant = a.dot(bc);
        let l = Vec3::new(lx, ly, lz);
        let turn = match determinant > 0.0 {
            true => Vec3::new(bc.dot(l), ca.dot(l), ab.dot(l)) * (1.0 / determinant),
            false => Vec3::zero(),
        };
        for &(place, _) in body {
            let [x, v] = state.read(place);
            let rigid = drift + turn.cross(x - center);
            state.write(place, v + (rigid - v) * self.k);
        }
    }
}

/// Σ of `term` over a body.
fn sum<const N: usize>(body: &[(u32, f64)], term: impl Fn(u32, f64) -> [f64; N]) -> [f64; N] {
    let mut sums = [[0.0; N]; WIDTH];
    for (i, &(place, mass)) in body.iter().enumerate() {
        for (sum, term) in sums[i % WIDTH].iter_mut().zip(term(place, mass)) {
            *sum += term;
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    std::array::from_fn(|n| ((a[n] + b[n]) + (c[n] + d[n])) + ((e[n] + f[n]) + (g[n] + h[n])))
}

/// The least particle known to be connected with `i`.
fn root(first: &mut [u32], mut i: u32) -> u32 {
    while first[i as usize] != i {
        first[i as usize] = first[first[i as usize] as usize];
        i = first[i as usize];
    }
    i
}

fn join(first: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(first, a), root(first, b));
    first[a.max(b) as usize] = a.min(b);
}
