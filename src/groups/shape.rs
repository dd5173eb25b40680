//! Shape matching: clusters of particles are pulled towards the rigid placement of their rest shape that fits them best.
//!
//! ```text
//! c = Σ μ x,  A = Σ μ (x - c) rᵀ,  R = the rotation nearest to A,  goal = R r + c        r: rest, seen from its center
//! C = sqrt(Σ m |x - goal|²)
//! ```
//!
//! (Müller et al., *Meshless Deformations Based on Shape Matching*, 2005; S1-19, S2-08.) As c and R are what makes the sum
//! least, ∇C is m (x - goal) / C, and Σ w |∇C|² = 1: a projection with stiffness k moves every member k of its way to its
//! goal, which is shape matching as it was published, and a compliance (m² kg / J) makes it an elastic body of energy
//! C² / 2α. Both momenta stay. μ = m / Σ m; a pinned member weighs [`PINNED`] times as much as all free ones together: the
//! fit follows it, and does not forget the others. Masses are those when the cluster was added.
//!
//! A cluster that has shrunk to a point goes back to its shape as it was authored, unturned; a collinear one has no turn
//! about its line, and a mirrored one several, of which one is taken.

use super::flow::spread;
use super::rotation::{nearest_rotation, times};
use super::{Measured, check_stiffness, sum::plus};
use crate::error::{ModelError, checked};
use crate::math::Vec3;
use crate::mesh::point;
use crate::rows::Stiffness;
use crate::state::Snapshot;
use crate::subsystem::Authored;

/// When a cluster changes its shape for good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plastic {
    /// The strain |S - 1| beyond which it flows.
    pub strain: f64,
    /// How much of its strain it takes on in a second (1/s).
    pub creep: f64,
}

/// Weight of a pinned member, in those of all free members together.
pub(super) const PINNED: f64 = 16.0;

/// Clusters of particles that keep their shape: kind `shape`.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    pub(super) clusters: Vec<Cluster>,
    /// The members of all clusters, one cluster after another.
    pub(super) particles: Vec<u32>,
    /// Their rest positions, seen from the center (m), and weights.
    pub(super) members: Vec<[f32; 4]>,
    /// Whether they are free.
    free: Vec<bool>,
}

/// What a cluster is as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cluster {
    /// Its first member.
    pub(super) first: usize,
    pub(super) count: usize,
    /// What μ = 1 stands for (kg).
    pub(super) mass: f64,
    pub(super) stiffness: Stiffness,
    pub(super) plastic: Option<Plastic>,
}

pub(super) const KIND: &str = "shape";

impl Shapes {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a cluster of the rest shape `rest` (m, one position a member); left out, it is measured from the positions given
    /// so far.
    ///
    /// # Errors
    /// No member, one that does not exist or is named twice; another number of rest positions; numbers out of range; a
    /// plastic cluster that is flat at rest.
    pub fn add<'a>(
        &mut self,
        model: impl Into<Authored<'a>>,
        particles: &[u32],
        rest: Option<&[[f64; 3]]>,
        stiffness: Stiffness,
        plastic: Option<Plastic>,
    ) -> Result<(), ModelError> {
        let model = &model.into();
        let row = self.clusters.len();
        check_members(model, row, particles)?;
        check_stiffness(KIND, row, stiffness)?;
        let x = rest_positions(model, row, particles, rest)?;
        let w = |&i: &u32| f64::from(model.inverse_masses[i as usize]);
        let masses = || particles.iter().map(|i| 1.0 / w(i));
        let free: f64 = masses().filter(|m| m.is_finite()).sum();
        // All pinned: they weigh alike, and do not move.
        let pinned = if free > 0.0 { PINNED * free } else { 1.0 };
        let heavy = |m: f64| if m.is_finite() { m } else { pinned };
        let mass: f64 = masses().map(heavy).sum();
        let weights: Vec<f64> = masses().map(|m| heavy(m) / mass).collect();
        let mut center = Vec3::zero();
        for (&x, &weight) in x.iter().zip(&weights) {
            center += x * weight;
        }
        let members = x.into_iter().zip(weights).map(|(x, weight)| {
            let r = x - center;
            [r.x, r.y, r.z, weight].map(|v| v as f32)
        });
        let members: Vec<[f32; 4]> = members.collect();
        if let Some(plastic) = plastic {
            check_plastic(row, plastic, &members)?;
        }
        let first = self.members.len();
        self.members.extend(members);
        self.free.extend(particles.iter().map(|i| w(i) > 0.0));
        self.particles.extend_from_slice(particles);
        self.clusters.push(Cluster { first, count: particles.len(), mass, stiffness, plastic });
        Ok(())
    }

    /// The particles of a cluster.
    pub(super) fn particles_of(&self, cluster: u32) -> &[u32] {
        let Cluster { first, count, .. } = self.clusters[cluster as usize];
        &self.particles[first..first + count]
    }

    /// C and |∇C| of a cluster in a state.
    fn measure(&self, cluster: &Cluster, state: &Snapshot) -> [f64; 2] {
        let range = cluster.first..cluster.first + cluster.count;
        let members = || {
            let particles = &self.particles[range.clone()];
            particles.iter().zip(&self.members[range.clone()]).map(|(&i, m)| {
                let x = point(&state.positions, i);
                let [a, b, c, weight] = m.map(f64::from);
                (x, Vec3::new(a, b, c), weight)
            })
        };
        let mut center = Vec3::zero();
        members().for_each(|(x, _, weight)| center += x * weight);
        let mut a = [Vec3::zero(); 3];
        for (x, r, weight) in members() {
            let v = (x - center) * weight;
            a[0] += v * r.x;
            a[1] += v * r.y;
            a[2] += v * r.z;
        }
        let turn = nearest_rotation(a);
        let (mut square, mut gradient) = (0.0, 0.0);
        for ((x, r, weight), &free) in members().zip(&self.free[range.clone()]) {
            let d = x - center - times(&turn, r);
            if free {
                let m = weight * cluster.mass;
                square += m * d.dot(d);
                gradient += m * m * d.dot(d);
            }
        }
        let c = square.sqrt();
        [c, if c > 0.0 { gradient.sqrt() / c } else { 0.0 }]
    }

    /// C and |∇C| of each elastic cluster in a state: a plastic one has no strain left to show, as its shape of now is the
    /// method's own.
    pub(super) fn measured(&self, state: &Snapshot) -> impl Iterator<Item = Measured> {
        let elastic = self.clusters.iter().enumerate().filter(|(_, c)| c.plastic.is_none());
        elastic.map(|(i, cluster)| (i, cluster.stiffness, self.measure(cluster, state)))
    }
}

/// Where the members are at rest (m): as given, else where they are now.
fn rest_positions(
    model: &Authored,
    row: usize,
    particles: &[u32],
    rest: Option<&[[f64; 3]]>,
) -> Result<Vec<Vec3<f64>>, ModelError> {
    if let Some(rest) = rest.filter(|rest| rest.len() != particles.len()) {
        let rule = "one rest position for each particle";
        return Err(ModelError::row(KIND, row, ("rest positions", rest.len() as f64, rule)));
    }
    let mut x = Vec::with_capacity(particles.len());
    for (i, &particle) in particles.iter().enumerate() {
        let measured = model.positions[particle as usize].map(f64::from);
        let point = rest.map_or(measured, |rest| rest[i]);
        for v in point {
            let place = || format!("shape row {row}: rest[{i}]");
            checked(place, v, f64::NEG_INFINITY)?;
        }
        x.push(Vec3::of(point));
    }
    Ok(x)
}

/// Refuses numbers that are negative, and a cluster that is flat: it has no strain to flow by.
fn check_plastic(row: usize, plastic: Plastic, members: &[[f32; 4]]) -> Result<(), ModelError> {
    let Plastic { strain, creep } = plastic;
    for (name, v) in [("yield", strain), ("creep", creep)] {
        if !(v >= 0.0 && (v as f32).is_finite()) {
            return Err(ModelError::row(KIND, row, (name, v, "must not be negative")));
        }
    }
    let spread = members.iter().fold([0.0; 6], |all, m| {
        let [x, y, z, w] = m.map(f64::from);
        plus(all, spread(Vec3::new(x, y, z), w))
    });
    let [xx, yy, zz, xy, xz, yz] = spread;
    let det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    let size = xx + yy + zz;
    if det <= 1e-9 * size * size * size {
        let rule = "a cluster that is flat at rest has no strain to flow by";
        return Err(ModelError::row(KIND, row, ("creep", creep, rule)));
    }
    Ok(())
}

fn check_members(model: &Authored, row: usize, particles: &[u32]) -> Result<(), ModelError> {
    let kind = KIND;
    let count = model.positions.len();
    if particles.is_empty() {
        return Err(ModelError::row(KIND, row, ("particles", 0.0, "a cluster has some")));
    }
    if let Some(&index) = particles.iter().find(|&&i| i as usize >= count) {
        return Err(ModelError::Index { kind, row, index, count });
    }
    let mut sorted = particles.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(ModelError::Twice { kind, row, index: pair[0] }),
        None => Ok(()),
    }
}
