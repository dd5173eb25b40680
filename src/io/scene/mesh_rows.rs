//! The rows and groups that hold a mesh together.

use super::groups::GroupList;
use crate::constraints::{Bending, Distance, NeoHookean, Volume};
use crate::error::ModelError;
use crate::groups::{Plastic, regions};
use crate::materials::Material;
use crate::math::Vec3;
use crate::mesh::Mesh;
use crate::mesh::{survey_surface, triangle_areas, unique_edges};
use crate::model::Model;
use crate::model::attach;
use crate::rows::Strength;
use std::collections::HashMap;

/// By what a mesh is held together.
pub(super) enum Hold {
    /// Edges and hinges; of a balloon with pressure k.
    Sheet {
        stretch: Strength,
        bend: Strength,
        material: Option<Material>,
        /// Edges between attached particles.
        attach: Option<usize>,
        pressure: Option<f64>,
    },
    /// Edges and volumes.
    Soft { stretch: Strength, volume: Strength },
    /// An elastic solid.
    Flesh(Material),
    /// Overlapping clusters.
    Jelly {
        shape: Strength,
        plastic: Option<Plastic>,
    },
}

/// A mesh whose particles are in the model.
pub(super) struct MeshRows {
    pub(super) mesh: Mesh,
    /// Its first particle.
    pub(super) first: u32,
    pub(super) hold: Hold,
}

impl MeshRows {
    fn particles<const N: usize>(&self, vertices: [u32; N]) -> [u32; N] {
        vertices.map(|i| i + self.first)
    }

    /// Adds the mesh's rows.
    pub(super) fn add_rows(&self, model: &mut Model) -> Result<(), ModelError> {
        match &self.hold {
            Hold::Sheet {
                stretch,
                bend,
                material,
                attach: spacing,
                ..
            } => {
                let triangles: Vec<[u32; 3]> = self
                    .mesh
                    .triangles
                    .iter()
                    .map(|t| self.particles(*t))
                    .collect();
                let areas = around_edges(model, &triangles);
                let area = |edge: [u32; 2]| areas[&[edge[0].min(edge[1]), edge[0].max(edge[1])]];
                let edges = unique_edges(&triangles);
                for &edge in &edges {
                    let strength = match material {
                        Some(m) => soft(m.stretch_compliance(length(model, edge), area(edge))),
                        None => *stretch,
                    };
                    model.add(Distance, edge, [None], strength)?;
                }
                for hinge in survey_surface(&triangles).interior {
                    let edge = [hinge[0], hinge[1]];
                    let strength = match material {
                        Some(m) => soft(m.bend_compliance(length(model, edge), area(edge))),
                        None => *bend,
                    };
                    model.add(Bending, hinge, [None], strength)?;
                }
                if let Some(spacing) = *spacing {
                    attach(model, &edges, spacing)?;
                }
            }
            Hold::Soft { stretch, volume } => {
                for edge in unique_edges(&self.mesh.tetrahedra) {
                    model.add(Distance, self.particles(edge), [None], *stretch)?;
                }
                for &corners in &self.mesh.tetrahedra {
                    model.add(Volume, self.particles(corners), [None], *volume)?;
                }
            }
            Hold::Flesh(material) => {
                let params = NeoHookean::material(material.young, material.poisson);
                for &corners in &self.mesh.tetrahedra {
                    let corners = self.particles(corners);
                    model.add(NeoHookean, corners, params, Strength::Material)?;
                }
            }
            Hold::Jelly { .. } => {}
        }
        Ok(())
    }

    /// Adds the mesh's groups.
    pub(super) fn add_groups(
        &self,
        model: &mut Model,
        groups: &mut GroupList,
    ) -> Result<(), ModelError> {
        match &self.hold {
            Hold::Sheet {
                pressure: Some(k), ..
            } => {
                let triangles = self.mesh.triangles.iter().map(|t| self.particles(*t));
                let triangles: Vec<_> = triangles.collect();
                let list = groups.pressures(model);
                list.add(&*model, &triangles, *k, None, Strength::Stiffness(1.0))
            }
            Hold::Jelly { shape, plastic } => {
                let mut used = vec![false; self.mesh.positions.len()];
                let solids = self.mesh.tetrahedra.as_flattened();
                let faces = self.mesh.triangles.as_flattened();
                solids
                    .iter()
                    .chain(faces)
                    .for_each(|&i| used[i as usize] = true);
                let used = (0..used.len() as u32).filter(|&i| used[i as usize]);
                let particles: Vec<u32> = used.map(|i| i + self.first).collect();
                let list = groups.shapes(model);
                for cluster in regions(model.positions(), &particles) {
                    list.add(&*model, &cluster, None, *shape, *plastic)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// A compliance as f32 keeps it.
fn soft(compliance: f64) -> Strength {
    Strength::Compliance(compliance.min(f64::from(f32::MAX)))
}

fn length(model: &Model, [a, b]: [u32; 2]) -> f64 {
    let x = |i: u32| Vec3::of(model.positions()[i as usize].map(f64::from));
    (x(a) - x(b)).length()
}

/// The area of the triangles at each edge (m²).
fn around_edges(model: &Model, triangles: &[[u32; 3]]) -> HashMap<[u32; 2], f64> {
    let mut around = HashMap::new();
    let areas = triangle_areas(model.positions(), triangles);
    for (&[a, b, c], area) in triangles.iter().zip(areas) {
        for [i, j] in [[a, b], [b, c], [c, a]] {
            *around.entry([i.min(j), i.max(j)]).or_insert(0.0) += area;
        }
    }
    around
}
