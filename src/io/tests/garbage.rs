//! Nothing a file can hold makes a reader panic, and whatever is read is sound.

use super::{check_message, obj, tetgen};
use crate::io::ReadError;
use crate::mesh::Mesh;
use proptest::collection::vec;
use proptest::prelude::*;
use std::path::Path;

const OBJ: &[u8] = b"\xEF\xBB\xBF# c\nv 0 0 0\r\nv 1e-3 -2.5E+0 .5 1\nv 1 1 0\nv 0 \\\n1 0\nf -4/1/1 2//2 3/3 4\nf 1 2 9\nv 1 2 3\nl 1 2\n";
const NODE: &[u8] = b"# c\n4 3 0 1\n1 0 0 0 1\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
const ELE: &[u8] = b"2 4 0\n1 1 2 3 4\n\n2 2 1 3 4 # end\n";
/// Bytes that mean something to the readers, in front of any others.
const SPICE: &[u8] = b"0123456789-+.eE/\\#vf \t\r\n\0\xEF\xFF\xFE";

/// A text with some of its bytes replaced, removed or doubled.
fn mutated(text: &'static [u8]) -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![proptest::sample::select(SPICE), any::<u8>()];
    vec((0..text.len(), 0..3, byte), 0..12).prop_map(move |changes| {
        let mut bytes = text.to_vec();
        for (place, change, byte) in changes {
            let place = place.min(bytes.len() - 1);
            match change {
                0 => bytes[place] = byte,
                1 if bytes.len() > 1 => drop(bytes.remove(place)),
                _ => bytes.insert(place, byte),
            }
        }
        bytes
    })
}

fn check(result: Result<Mesh, ReadError>) {
    let mesh = match result {
        Ok(mesh) => mesh,
        Err(error) => return check_message(&error.to_string(), Path::new("a.node")),
    };
    assert!(mesh.positions.as_flattened().iter().all(|x| x.is_finite()));
    let count = mesh.positions.len() as u32;
    for &vertex in mesh.triangles.as_flattened() {
        assert!(vertex < count);
    }
    for &vertex in mesh.tetrahedra.as_flattened() {
        assert!(vertex < count);
    }
    assert!(mesh.triangles.iter().all(|[a, b, c]| a != b && b != c && c != a));
}

proptest! {
    #[test]
    fn random_bytes_do_not_panic(bytes in vec(any::<u8>(), 0..400)) {
        check(obj(&bytes));
        check(tetgen(&bytes, ELE));
        check(tetgen(NODE, &bytes));
    }

    #[test]
    fn random_spice_does_not_panic(bytes in vec(proptest::sample::select(SPICE), 0..200)) {
        check(obj(&bytes));
        check(tetgen(&bytes, ELE));
        check(tetgen(NODE, &bytes));
    }

    #[test]
    fn mutated_files_do_not_panic(a in mutated(OBJ), b in mutated(NODE), c in mutated(ELE)) {
        check(obj(a));
        check(tetgen(b, c));
    }
}
