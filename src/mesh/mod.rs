//! Meshes of triangles and tetrahedra: what they are made of, which elements are neighbors, how large everything is.

mod convex_hull;
#[cfg(test)]
mod convex_hull_tests;
#[cfg(feature = "decompose")]
mod convex_parts;
mod measure;
#[allow(clippy::module_inception)]
mod mesh;
mod tear;
#[cfg(test)]
mod tests;
mod topology;

pub(crate) use convex_hull::{Convex, Exact, hull_of};
#[cfg(test)]
pub(crate) use convex_hull::{MOST_HULL_CORNERS, convex_hull};
#[cfg(feature = "decompose")]
pub(crate) use convex_parts::convex_parts;
pub use measure::{
    edge_length, enclosed_volume, lump_masses, point, tetrahedron_volumes, triangle_areas,
};
pub use mesh::Mesh;
pub use tear::Tear;
pub(crate) use tear::{Tension, Torn, tear};
pub(crate) use topology::sorted;
pub use topology::{
    Distinct, Surface, corners, count_unused, keep_distinct, surface_triangles, survey_surface,
    unique_edges,
};
