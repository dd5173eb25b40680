//! Files: meshes as others write them.
//!
//! [`read_mesh`] reads Wavefront OBJ, PLY and TetGen files into a [`Mesh`]; [`survey_surface`] and its neighbors say who is whose
//! neighbor, [`triangle_areas`] and its neighbors how large everything is. A file is refused with its line and value
//! ([`ReadError`]), or read with warnings: what is read never holds a non-finite position, an index out of range, or an
//! element that names a vertex twice.

#[cfg(feature = "files")]
mod bodies;
#[cfg(feature = "files")]
mod colliders;
#[cfg(feature = "files")]
mod contacts;
mod error;
#[cfg(feature = "files")]
mod form;
#[cfg(feature = "files")]
mod groups;
#[cfg(feature = "files")]
mod joints;
mod measure;
mod mesh;
#[cfg(feature = "files")]
mod mesh_rows;
mod obj;
mod obj_write;
#[cfg(feature = "files")]
mod ply;
#[cfg(feature = "files")]
mod record;
#[cfg(feature = "files")]
mod rows;
#[cfg(feature = "files")]
mod scene;
#[cfg(feature = "files")]
mod scene_mesh;
#[cfg(feature = "files")]
mod settings;
#[cfg(feature = "files")]
mod strict;
mod tetgen;
mod text;
mod topology;
#[cfg(feature = "files")]
mod values;

#[cfg(test)]
mod tests;

pub use error::ReadError;
#[cfg(feature = "files")]
pub(crate) use error::quote;
pub use measure::{enclosed_volume, lump_masses, tetrahedron_volumes, triangle_areas};
pub use mesh::Mesh;
pub use obj_write::ObjSequence;
#[cfg(feature = "files")]
pub use record::Recorder;
#[cfg(feature = "files")]
pub use scene::{SceneFile, read_scene, scene_schema};
#[cfg(feature = "files")]
pub use settings::Override;
#[cfg(feature = "files")]
pub(crate) use settings::{MOST_THREADS, override_settings};
pub use topology::{
    Distinct, Surface, count_unused, keep_distinct, surface_triangles, survey_surface, unique_edges,
};

use std::path::Path;

/// Reads a file of one format.
type Reader = fn(&Path) -> Result<Mesh, ReadError>;

/// The formats by extension: a new one is one file and one line.
const READERS: &[(&str, Reader)] = &[
    ("obj", obj::read),
    #[cfg(feature = "files")]
    ("ply", ply::read),
    ("node", tetgen::read),
    ("ele", tetgen::read),
];

/// Reads a mesh; the extension says the format, in either case. A `.node` or `.ele` stands for the pair of both.
///
/// # Errors
/// Where a file cannot be read or is malformed, and for other extensions.
pub fn read_mesh(path: &Path) -> Result<Mesh, ReadError> {
    let extension = path.extension().unwrap_or_default();
    let reader = READERS
        .iter()
        .find(|(known, _)| extension.eq_ignore_ascii_case(known));
    if let Some((_, read)) = reader {
        return read(path);
    }
    let known: Vec<String> = READERS
        .iter()
        .map(|(known, _)| format!(".{known}"))
        .collect();
    let known = known.join(", ");
    Err(ReadError::File {
        path: path.into(),
        what: format!("unknown kind of mesh file; known are {known}"),
    })
}
