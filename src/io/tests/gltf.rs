//! glTF: what is read, and what is refused.

use super::check_message;
use crate::io::{ReadError, gltf};
use crate::mesh::Mesh;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use std::path::Path;

/// A square of four vertices and one that repeats the first, as glTF splits it; indices of 16 bits behind the points.
fn bytes() -> Vec<u8> {
    let points: [[f32; 3]; 5] =
        [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3]];
    let indices: [u16; 6] = [0, 1, 2, 4, 2, 3];
    let points = points.as_flattened().iter().flat_map(|v| v.to_le_bytes());
    points.chain(indices.iter().flat_map(|i| i.to_le_bytes())).collect()
}

/// The square is turned by a quarter about z, then moved; its parent doubles all.
fn document() -> Value {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [1]}],
        "nodes": [{"mesh": 0, "rotation": [0, 0, half, half], "translation": [0, 0, 3]}, {"scale": [2, 2, 2], "children": [0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 9}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 5, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 60}, {"buffer": 0, "byteOffset": 60, "byteLength": 12}],
        "buffers": [{"byteLength": 72}],
    })
}

fn parse(document: &Value, bytes: &[u8]) -> Result<Mesh, ReadError> {
    let mut document = document.clone();
    let uri = format!("data:application/octet-stream;base64,{}", BASE64_STANDARD.encode(bytes));
    document["buffers"][0]["uri"] = uri.into();
    gltf::parse(Path::new("a.gltf"), document.to_string().as_bytes())
}

fn glb(document: &Value, bytes: &[u8]) -> Vec<u8> {
    let json = document.to_string();
    let mut file = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (name, chunk) in [(b"JSON", json.as_bytes()), (b"BIN\0", bytes)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(name);
        file.extend(chunk);
    }
    file
}

/// Nodes put their meshes where they say; vertices of one place are one.
#[test]
fn a_square_is_read() {
    let expected = [[0.0, 0.0, 6.0], [0.0, 2.0, 6.0], [-2.0, 2.0, 6.0], [-2.0, 0.0, 6.0]];
    let text = parse(&document(), &bytes()).unwrap();
    let binary = gltf::parse(Path::new("a.glb"), &glb(&document(), &bytes())).unwrap();
    assert_eq!(text, binary);
    assert_eq!(text.triangles, [[0, 1, 2], [0, 2, 3]]);
    for (found, expected) in text.positions.as_flattened().iter().zip(expected.as_flattened()) {
        assert!((found - expected).abs() < 1e-6, "{:?}", text.positions);
    }
    assert_eq!(text.positions.len(), 4);
    assert_eq!(text.warnings, ["1 vertex lies where an earlier one does: joined"]);
    // A mirror turns triangles over, so that they stay wound outward.
    let mut mirrored = document();
    mirrored["nodes"][1]["scale"] = json!([-2, 2, 2]);
    assert_eq!(parse(&mirrored, &bytes()).unwrap().triangles, [[0, 2, 1], [0, 3, 2]]);
}

/// Refused with the place: what cannot be read, and what lies about its sizes.
#[test]
fn what_is_wrong_is_refused() {
    let nan = [f32::NAN.to_le_bytes().as_slice(), &bytes()[4..]].concat();
    let message = |document: &Value, bytes: &[u8]| {
        let message = parse(document, bytes).expect_err("must be refused").to_string();
        check_message(&message, Path::new("a.gltf"));
        message
    };
    assert!(message(&document(), &nan).contains("meshes[0]: vertex 0: not finite"));
    assert!(message(&document(), &bytes()[..70]).contains("accessors[1]: ends behind"));
    let huge = u64::MAX;
    for (place, value, says) in [
        ("/asset/version", json!("1.0"), "only 2 is read"),
        ("/nodes/0/mesh", json!(7), "meshes[7]: there is none"),
        ("/nodes/1/children", json!([1]), "nodes are a tree"),
        ("/nodes/1/children", json!([5]), "there is no nodes[5]"),
        ("/scenes/0/nodes", json!([]), "no node shows a mesh"),
        ("/meshes/0/primitives/0/mode", json!(5), "mode 5"),
        ("/meshes/0/primitives/0/attributes", json!({}), "without POSITION"),
        (
            "/meshes/0/primitives/0/indices",
            json!(0),
            "accessors[0]: VEC3 of type 5126; must be SCALAR",
        ),
        ("/accessors/0/count", json!(6), "accessors[0]: ends behind"),
        ("/accessors/0/count", json!(huge), "accessors[0]: ends behind"),
        ("/accessors/0/count", json!(2), "is no vertex: there are 2"),
        ("/accessors/0/byteOffset", json!(huge), "accessors[0]: ends behind"),
        ("/accessors/0/sparse", json!({}), "sparse"),
        ("/bufferViews/0/byteOffset", json!(huge), "accessors[0]: ends behind"),
        ("/bufferViews/0/buffer", json!(3), "no such buffer"),
        ("/accessors/0/bufferView", json!(3), "no such bufferView"),
        ("/nodes", json!(3), "not a glTF file"),
    ] {
        let mut wrong = document();
        wrong["meshes"][0]["primitives"][0]["mode"] = 4.into();
        for entry in ["accessors", "bufferViews"] {
            wrong[entry][0]["byteOffset"] = 0.into();
        }
        if place.ends_with("sparse") {
            wrong["accessors"][0]["sparse"] = Value::Null;
        }
        *wrong.pointer_mut(place).unwrap() = value;
        let found = message(&wrong, &bytes());
        assert!(found.contains(says), "{place}: {found}");
    }
    let mut compressed = document();
    compressed["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    assert!(message(&compressed, &bytes()).contains("KHR_draco"));
    let whole = glb(&document(), &bytes());
    for end in 0..whole.len() {
        assert!(gltf::parse(Path::new("a.glb"), &whole[..end]).is_err(), "cut at {end}");
    }
}

/// A buffer in a file beside, whose name has a blank.
#[test]
fn a_buffer_beside() {
    let folder = std::env::temp_dir().join(format!("taut gltf {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("my mesh.bin"), bytes()).unwrap();
    let mut beside = document();
    beside["buffers"][0]["uri"] = "my%20mesh.bin".into();
    std::fs::write(folder.join("a.gltf"), beside.to_string()).unwrap();
    let found = crate::io::read_mesh(&folder.join("a.gltf"));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(found.unwrap().positions.len(), 4);
}
