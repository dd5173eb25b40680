//! Wind and the resistance of air on surfaces.
//!
//! ```text
//! F = c A |u| u n,  u = (wind - v)·n        c: drag (kg/m³), A n: a vertex's third of the area vectors around it (m²)
//! v <- v + n u β / (1 + β),  β = h w c A |u|
//! ```
//!
//! The force of moving air on a plate across it: half the air's density times the plate's drag coefficient is c, about 0.6
//! kg/m³. The step is implicit in u, so that no wind, however strong, blows a light vertex beyond its own speed. Only what is
//! drawn as a surface meets air. Computed in f64 and rounded once; every vertex writes its own velocity and reads positions
//! alone, so vertices may be shared out to any number of threads.

use super::rigid_damping::{read, write_velocity};
use crate::math::{Scalar, Vec3};
use crate::mesh::corners;
use crate::state::{Column3, ParticleView, Width};
use crate::subsystem::BuildContext;
use std::ops::Range;

/// A vertex of a surface.
struct Vertex {
    slot: u32,
    /// h w c (m³ of air against the vertex's own mass, s).
    factor: f64,
    /// Its range of `Wind::sides`.
    ring: Range<usize>,
}

/// Surfaces in the wind.
pub struct Wind {
    wind: Vec3<f64>,
    vertices: Vec<Vertex>,
    /// The two other corners of each triangle at a vertex.
    sides: Vec<[u32; 2]>,
}

impl Wind {
    /// Nothing where the settings have no wind and no drag, or no surface is there.
    pub fn new(context: &BuildContext) -> Option<Self> {
        let drag = context.settings.air_drag();
        if drag == 0.0 {
            return None;
        }
        let mut corners = corners(context.triangles);
        corners.retain(|(i, _)| context.inverse_masses[*i as usize] > 0.0);
        let factor = context.settings.h() * drag;
        let mut vertices = Vec::new();
        let mut begin = 0;
        for ring in corners.chunk_by(|a, b| a.0 == b.0) {
            let vertex = ring[0].0;
            vertices.push(Vertex {
                slot: context.permutation.storage(vertex),
                factor: factor * f64::from(context.inverse_masses[vertex as usize]),
                ring: begin..begin + ring.len(),
            });
            begin += ring.len();
        }
        let side = |(_, pair): &(u32, [u32; 2])| pair.map(|i| context.permutation.storage(i));
        Some(Self {
            wind: Vec3::of(context.settings.wind),
            vertices,
            sides: corners.iter().map(side).collect(),
        })
    }

    /// Vertices that meet the air.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Blows at a range of the vertices.
    pub fn blow<E>(&self, range: Range<usize>, state: &mut ParticleView<E>)
    where
        E: Scalar + Width<Element = E, Slots = u32>,
    {
        for vertex in &self.vertices[range] {
            let [x, v] = [Column3::Position, Column3::Velocity]
                .map(|column| read(state, column, vertex.slot));
            let mut area = Vec3::zero();
            for side in &self.sides[vertex.ring.clone()] {
                let [j, k] = side.map(|slot| read(state, Column3::Position, slot) - x);
                area += j.cross(k);
            }
            // A third of each triangle, half of each product; the normal is area / size.
            let size = area.length();
            if size > 0.0 {
                let normal = area * (1.0 / size);
                let speed = (self.wind - v).dot(normal);
                let beta = vertex.factor * speed.abs() * size / 6.0;
                // Held by its pin or in the hand, it keeps its velocity.
                if state.inverse_masses::<E>(vertex.slot) > E::zero() {
                    write_velocity(state, vertex.slot, v + normal * (speed * beta / (1.0 + beta)));
                }
            }
        }
    }
}
