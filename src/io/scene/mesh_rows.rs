//! The rows and groups that hold a mesh together.

use super::builder::Builder;
use crate::constraints::{Bending, Distance, NeoHookean, Volume};
use crate::error::ModelError;
use crate::groups::{Plastic, regions};
use crate::materials::Material;
use crate::mesh::{Mesh, edge_length, sorted, survey_surface, triangle_areas, unique_edges};
use crate::model::Model;
use crate::model::attach;
use crate::rows::Stiffness;
use std::collections::HashMap;

/// By what a mesh is held together.
pub(super) enum Hold {
    /// Edges and hinges; of a balloon with pressure k.
    Sheet {
        stretch: Stiffness,
        bend: Stiffness,
        material: Option<Material>,
        /// Edges between attached particles.
        attach: Option<usize>,
        pressure: Option<f64>,
    },
    /// Edges and volumes.
    Soft { stretch: Stiffness, volume: Stiffness },
    /// An elastic solid.
    Flesh(Material),
    /// Overlapping clusters.
    Jelly { shape: Stiffness, plastic: Option<Plastic> },
}

/// A mesh whose particles are in the model.
pub(super) struct MeshRows {
    pub(super) mesh: Mesh,
    /// Its first particle.
    pub(super) first: u32,
    pub(super) hold: Hold,
}

impl MeshRows {
    /// Elements of the mesh, of particles of the model.
    fn particles<const N: usize>(&self, elements: &[[u32; N]]) -> Vec<[u32; N]> {
        elements.iter().map(|vertices| vertices.map(|i| i + self.first)).collect()
    }

    /// Adds the mesh's rows.
    pub(super) fn add_rows(&self, model: &mut Model) -> Result<(), ModelError> {
        match &self.hold {
            Hold::Sheet { stretch, bend, material, attach: spacing, .. } => {
                let triangles = self.particles(&self.mesh.triangles);
                let areas = around_edges(model, &triangles);
                let area = |edge: [u32; 2]| areas[&sorted(edge)];
                let edges = unique_edges(&triangles);
                for &edge in &edges {
                    let stiffness = match material {
                        Some(m) => soft(
                            m.stretch_compliance(edge_length(model.positions(), edge), area(edge)),
                        ),
                        None => *stretch,
                    };
                    model.add(Distance, edge, [None], stiffness)?;
                }
                for hinge in survey_surface(&triangles).interior {
                    let edge = [hinge[0], hinge[1]];
                    let stiffness = match material {
                        Some(m) => soft(
                            m.bend_compliance(edge_length(model.positions(), edge), area(edge)),
                        ),
                        None => *bend,
                    };
                    model.add(Bending, hinge, [None], stiffness)?;
                }
                if let Some(spacing) = *spacing {
                    attach(model, &edges, spacing)?;
                }
            }
            Hold::Soft { stretch, volume } => {
                let tetrahedra = self.particles(&self.mesh.tetrahedra);
                for edge in unique_edges(&tetrahedra) {
                    model.add(Distance, edge, [None], *stretch)?;
                }
                for corners in tetrahedra {
                    model.add(Volume, corners, [None], *volume)?;
                }
            }
            Hold::Flesh(material) => {
                let params = NeoHookean::material(material.young, material.poisson);
                for corners in self.particles(&self.mesh.tetrahedra) {
                    model.add(NeoHookean, corners, params, Stiffness::Material)?;
                }
            }
            Hold::Jelly { .. } => {}
        }
        Ok(())
    }

    /// Adds the mesh's groups.
    pub(super) fn add_groups(&self, to: &mut Builder) -> Result<(), ModelError> {
        match &self.hold {
            Hold::Sheet { pressure: Some(k), .. } => {
                let triangles = self.particles(&self.mesh.triangles);
                let (model, list) = to.pressures();
                list.add(model, &triangles, *k, None, Stiffness::Factor(1.0))
            }
            Hold::Jelly { shape, plastic } => {
                let mut used = vec![false; self.mesh.positions.len()];
                let solids = self.mesh.tetrahedra.as_flattened();
                let faces = self.mesh.triangles.as_flattened();
                solids.iter().chain(faces).for_each(|&i| used[i as usize] = true);
                let used = (0..used.len() as u32).filter(|&i| used[i as usize]);
                let (model, list) = to.shapes();
                // Cut in the mesh's own frame: a body is the same, whichever way it is turned.
                for cluster in regions(&self.mesh.positions, &used.collect::<Vec<u32>>()) {
                    let cluster: Vec<u32> = cluster.into_iter().map(|i| i + self.first).collect();
                    list.add(model, &cluster, None, *shape, *plastic)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// A compliance as f32 keeps it.
fn soft(compliance: f64) -> Stiffness {
    Stiffness::Compliance(compliance.min(f64::from(f32::MAX)))
}

/// The area of the triangles at each edge (m²).
fn around_edges(model: &Model, triangles: &[[u32; 3]]) -> HashMap<[u32; 2], f64> {
    let mut around = HashMap::new();
    let areas = triangle_areas(model.positions(), triangles);
    for (&[a, b, c], area) in triangles.iter().zip(areas) {
        for [i, j] in [[a, b], [b, c], [c, a]] {
            *around.entry(sorted([i, j])).or_insert(0.0) += area;
        }
    }
    around
}
