//! PLY: what is read, and what is refused.

use super::check_message;
use crate::io::{ReadError, ply};
use crate::mesh::Mesh;
use std::path::Path;

fn parse(bytes: impl AsRef<[u8]>) -> Result<Mesh, ReadError> {
    ply::parse(Path::new("a.ply"), bytes.as_ref())
}

const HEADER: &str = "ply\nformat ascii 1.0\ncomment by hand\nelement vertex 4\nproperty float x\nproperty float y\n\
    property float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n";
const BODY: &str = "0 0 0\n1 0 0\n1 1 0\n0 1 0.5\n";

/// Text: a quadrilateral becomes a fan, a triangle stays one.
#[test]
fn text_is_read() {
    let mesh = parse(format!("{HEADER}{BODY}4 0 1 2 3\n3 0 2 1\n")).unwrap();
    assert_eq!(mesh.positions[3], [0.0, 1.0, 0.5]);
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(mesh.warnings, ["1 duplicate face ignored"]);
}

/// The same in both byte orders, doubles and attributes beside the coordinates too.
#[test]
fn binary_is_read() {
    for (order, big) in [("binary_little_endian", false), ("binary_big_endian", true)] {
        let mut file = format!(
            "ply\nformat {order} 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\n\
             property uchar red\nelement face 1\nproperty list uchar uint vertex_index\nend_header\n"
        )
        .into_bytes();
        for i in 0..3_u8 {
            for v in [f64::from(i), f64::from(i * i), 0.25] {
                file.extend(if big { v.to_be_bytes() } else { v.to_le_bytes() });
            }
            file.push(200);
        }
        file.push(3);
        for i in [0_u32, 2, 1] {
            file.extend(if big { i.to_be_bytes() } else { i.to_le_bytes() });
        }
        let mesh = parse(&file).unwrap();
        assert_eq!(mesh.positions, [[0.0, 0.0, 0.25], [1.0, 1.0, 0.25], [2.0, 4.0, 0.25]]);
        assert_eq!(mesh.triangles, [[0, 2, 1]]);
        // Cut off anywhere, it is refused.
        for cut in 1..40 {
            assert!(parse(&file[..file.len() - cut]).is_err(), "{cut} bytes fewer");
        }
    }
}

/// What is refused says the line or the place, and the value.
#[test]
fn bad_files_are_refused() {
    let huge = "ply\nformat binary_little_endian 1.0\nelement vertex 2147483648\nend_header\n";
    let cases: [(String, &str); 11] = [
        (format!("{HEADER}{BODY}4 0 1 2 3\n"), "Line"),
        (format!("{HEADER}0 0 0\n1 zero 0\n"), "a.ply:12"),
        (format!("{HEADER}{BODY}3 0 1 4\n3 0 1 2\n"), "face 0: 4 is no vertex"),
        (format!("{HEADER}{BODY}3 0 1 -1\n3 0 1 2\n"), "face 0: -1 is no vertex"),
        (format!("{HEADER}{BODY}2 0 1\n3 0 1 2\n"), "at least 3 vertices"),
        (format!("{HEADER}0 0 nan\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n"), "0 0 nan"),
        (huge.into(), "the header says 2147483648"),
        (HEADER.replace("vertex 4", "vertex 99999999999999999999"), "a.ply"),
        ("solid cube".into(), "a.ply"),
        (String::new(), "a.ply"),
        (
            HEADER.replace("property float z\n", "") + "0 0\n1 0\n1 1\n0 1\n3 0 1 2\n3 0 2 3\n",
            "vertex 0 has no z",
        ),
    ];
    for (file, says) in cases {
        let message = parse(&file).expect_err(&file).to_string();
        check_message(&message, Path::new("a.ply"));
        assert!(message.contains(says), "{message}");
    }
}
