//! What the file system can do to a reader.

use super::check_message;
use crate::io::{ReadError, read_mesh};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A directory of its own, gone when dropped.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new(name: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0); // tests of one name run at once
        let own = (std::process::id(), COUNT.fetch_add(1, Relaxed));
        let path = std::env::temp_dir().join(format!("taut_{name}_{}_{}", own.0, own.1));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
    pub(super) fn write(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn error_of(path: &Path) -> String {
    let message = read_mesh(path).unwrap_err().to_string();
    check_message(&message, path);
    message
}

#[test]
fn what_cannot_be_read_is_named() {
    let scratch = Scratch::new("io_errors");
    fs::create_dir_all(scratch.path("directory.obj")).unwrap();
    let mut paths = vec![scratch.path("directory.obj"), scratch.path("missing.obj")];
    #[cfg(unix)]
    {
        // A link to itself: unreadable for everyone, root too.
        std::os::unix::fs::symlink(scratch.path("loop.obj"), scratch.path("loop.obj")).unwrap();
        paths.push(scratch.path("loop.obj"));
    }
    for path in paths {
        let error = read_mesh(&path).unwrap_err();
        assert!(matches!(error, ReadError::Io { .. }), "{error:?}");
        let message = error.to_string();
        check_message(&message, &path);
        assert!(message.starts_with(path.to_str().unwrap()), "{message}");
    }
}

/// What has no end is not read without end.
#[cfg(unix)]
#[test]
fn a_device_without_end_is_refused() {
    let scratch = Scratch::new("io_devices");
    let path = scratch.path("zero.obj");
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    let message = error_of(&path);
    assert!(message.ends_with("is no regular file, and has more than 256 MiB"), "{message}");
}

#[test]
fn the_other_half_of_a_pair_is_looked_for() {
    let scratch = Scratch::new("io_pairs");
    let node = scratch.write("a.1.node", "4 3\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n");
    let message = error_of(&node);
    let ele = scratch.path("a.1.ele");
    assert!(message.starts_with(ele.to_str().unwrap()), "{message}");
    scratch.write("a.1.ele", "1 4\n0 0 1 2 3\n");
    assert_eq!(read_mesh(&node).unwrap(), read_mesh(&ele).unwrap());
    fs::remove_file(&node).unwrap();
    let message = error_of(&ele);
    assert!(message.starts_with(node.to_str().unwrap()), "{message}");
}

#[test]
fn the_extension_says_the_format() {
    let scratch = Scratch::new("io_extensions");
    let upper = scratch.write("A.OBJ", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_eq!(read_mesh(&upper).unwrap().triangles, [[0, 1, 2]]);
    for name in ["a.stl", "obj", "a.obj.txt", ".obj", ""] {
        let message = error_of(name.as_ref());
        let what = ": unknown kind of mesh file; known are .obj, .ply, .gltf, .glb, .node, .ele";
        assert_eq!(message, format!("{name}{what}"));
    }
    let message = error_of("a\n\x1b[31m\u{9b}.obj".as_ref());
    assert!(message.starts_with("a\\n\\u{1b}[31m\\u{9b}.obj: "), "{message}");
}
