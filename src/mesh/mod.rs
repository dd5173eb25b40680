//! Meshes of triangles and tetrahedra: what they are made of, which elements are neighbors, how large everything is.

mod measure;
#[allow(clippy::module_inception)]
mod mesh;
#[cfg(test)]
mod tests;
mod topology;

pub use measure::{enclosed_volume, lump_masses, tetrahedron_volumes, triangle_areas};
pub use mesh::Mesh;
pub use topology::{
    Distinct, Surface, count_unused, keep_distinct, surface_triangles, survey_surface, unique_edges,
};
