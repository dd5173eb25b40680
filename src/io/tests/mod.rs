//! What the readers promise, on small files written out here and on the shared ones.

#[cfg(feature = "files")]
mod bodies;
#[cfg(feature = "files")]
mod cloths;
#[cfg(feature = "files")]
mod emitters;
#[cfg(feature = "files")]
mod fluid;
mod garbage;
#[cfg(feature = "files")]
mod gltf;
#[cfg(feature = "files")]
mod jellies;
mod obj;
mod path;
#[cfg(feature = "files")]
mod ply;
mod shared;
#[cfg(feature = "files")]
mod strict;
#[cfg(feature = "files")]
mod tears;
mod tetgen;
#[cfg(feature = "files")]
mod touching;

use super::{Mesh, ReadError};
use std::path::Path;

fn obj(text: impl AsRef<[u8]>) -> Result<Mesh, ReadError> {
    super::obj::parse(Path::new("a.obj"), text.as_ref())
}

fn tetgen(node: impl AsRef<[u8]>, ele: impl AsRef<[u8]>) -> Result<Mesh, ReadError> {
    let (node, ele) = (node.as_ref(), ele.as_ref());
    super::tetgen::parse((Path::new("a.node"), node), (Path::new("a.ele"), ele))
}

/// The message of a refusal, after checking that it is short and printable.
fn error_in(result: Result<Mesh, ReadError>) -> String {
    let message = result.expect_err("this must be refused").to_string();
    check_message(&message, Path::new("a.node"));
    message
}

/// A message is short beyond the path, and printable.
fn check_message(message: &str, path: &Path) {
    let path = path.to_string_lossy().escape_debug().count();
    assert!(message.chars().count() <= path + 200, "too long: {message}");
    assert!(!message.chars().any(char::is_control), "{message:?}");
}

/// What is wrong about a refusal, if anything: its message must have every part of `says`.
#[cfg(feature = "files")]
fn refused<T>(what: &str, read: Result<T, ReadError>, says: &[&str]) -> Option<String> {
    match read {
        Ok(_) => Some(format!("accepted: {what}")),
        Err(error) => {
            let error = error.to_string();
            let is_said = says.iter().all(|part| error.contains(part));
            (!is_said).then(|| format!("{error}, without {says:?}"))
        }
    }
}
