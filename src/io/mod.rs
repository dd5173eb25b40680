//! Files: scenes and meshes as others write them, and recordings.
//!
//! [`read_scene`] reads a scene file, [`read_mesh`] Wavefront OBJ, PLY, glTF and TetGen files into a [`Mesh`]. A file is refused with
//! its place and value ([`ReadError`]), or read with warnings: what is read never holds a non-finite position, an index out of
//! range, or an element that names a vertex twice.

#[cfg(feature = "files")]
mod checkpoint;
mod error;
#[cfg(feature = "files")]
mod gltf;
mod obj;
mod obj_write;
#[cfg(feature = "files")]
mod ply;
#[cfg(feature = "files")]
mod record;
#[cfg(feature = "files")]
mod scene;
mod surfaces;
mod tetgen;
mod text;

#[cfg(test)]
mod tests;

#[cfg(feature = "files")]
#[doc(hidden)] // for the command line
pub use checkpoint::{read_checkpoint, write_checkpoint};
pub use error::ReadError;
#[cfg(feature = "files")]
#[doc(hidden)]
pub use error::quote;
pub use obj_write::ObjSequence;
#[cfg(feature = "files")]
pub use record::Recorder;
#[cfg(feature = "files")]
#[doc(hidden)]
pub use scene::{MOST_THREADS, override_settings, parse_scene, read_scene_text};
#[cfg(feature = "files")]
pub use scene::{Override, SceneFile, read_scene, scene_schema};

use crate::mesh::Mesh;
use std::path::Path;

/// Reads a file of one format.
type Reader = fn(&Path) -> Result<Mesh, ReadError>;

/// The formats by extension: a new one is one file and one line.
const READERS: &[(&str, Reader)] = &[
    ("obj", obj::read),
    #[cfg(feature = "files")]
    ("ply", ply::read),
    #[cfg(feature = "files")]
    ("gltf", gltf::read),
    #[cfg(feature = "files")]
    ("glb", gltf::read),
    ("node", tetgen::read),
    ("ele", tetgen::read),
];

/// Reads a mesh; the extension says the format, in either case. A `.node` or `.ele` stands for the pair of both.
///
/// # Errors
/// Where a file cannot be read or is malformed, and for other extensions.
pub fn read_mesh(path: &Path) -> Result<Mesh, ReadError> {
    let extension = path.extension().unwrap_or_default();
    let reader = READERS.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known));
    if let Some((_, read)) = reader {
        return read(path);
    }
    let known: Vec<String> = READERS.iter().map(|(known, _)| format!(".{known}")).collect();
    let known = known.join(", ");
    Err(ReadError::File {
        path: path.into(),
        what: format!("unknown kind of mesh file; known are {known}"),
    })
}
