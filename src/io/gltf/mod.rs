//! glTF 2.0, `.gltf` and `.glb`: all triangles of the scene, where its nodes put them. Cameras, materials, skins and animations
//! are skipped.
//!
//! glTF splits a vertex where its normal or texture changes; vertices of a node's mesh that lie at the very same place are one
//! here, or a cloth would tear there. (The crate `gltf` asserts where a file lies about its sizes, which a reader of other
//! people's files must not.)

mod accessor;
mod document;

use super::error::{ReadError, quote};
use super::text::{load, without_mark};
use crate::math::UPRIGHT;
use crate::mesh::Mesh;
use accessor::Buffers;
use document::{Document, Node, Primitive};
use glam::{DMat4, DQuat, DVec3};
use std::collections::HashMap;
use std::path::Path;

/// The most vertices that the nodes of a scene may come to: a mesh may be shown many times.
const MOST_VERTICES: usize = 1 << 26;
/// The most triangles of theirs.
const MOST_TRIANGLES: usize = 1 << 26;
/// The mode of primitives that are triangles.
const TRIANGLES: u32 = 4;

/// Reads a glTF file, and those that hold its buffers.
pub(super) fn read(path: &Path) -> Result<Mesh, ReadError> {
    parse(path, &load(path)?)
}

/// Reads glTF data; `path` is for the errors, and for files beside.
pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Mesh, ReadError> {
    let refuse = |what: String| ReadError::File { path: path.into(), what };
    let (json, binary) = chunks(bytes).map_err(refuse)?;
    let document: Document = serde_json::from_slice(json).map_err(|error| {
        let what = format!("not a glTF file: {}", quote(error.to_string().as_bytes()));
        match error.line() {
            0 => refuse(what),
            line => ReadError::Line { path: path.into(), line, what },
        }
    })?;
    if !document.asset.version.starts_with("2.") {
        let version = quote(document.asset.version.as_bytes());
        return Err(refuse(format!("glTF version \"{version}\"; only 2 is read")));
    }
    if let Some(needed) = document.extensions_required.first() {
        return Err(refuse(format!("needs the extension \"{}\"", quote(needed.as_bytes()))));
    }
    let buffers = Buffers::load(path, &document, binary)?;
    let mut reader = Reader {
        document: &document,
        buffers,
        positions: Vec::new(),
        triangles: Vec::new(),
        split: 0,
    };
    reader.walk().map_err(refuse)?;
    if reader.positions.is_empty() {
        return Err(refuse("no node shows a mesh of triangles".into()));
    }
    let split = reader.split;
    let mut mesh = Mesh::new(reader.positions, reader.triangles, Vec::new());
    if split > 0 {
        let are = if split == 1 { "vertex lies" } else { "vertices lie" };
        mesh.warnings.push(format!("{split} {are} where an earlier one does: joined"));
    }
    Ok(mesh)
}

/// The JSON and the binary chunk of a `.glb`; of anything else all, and none.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), String> {
    if !bytes.starts_with(b"glTF") {
        return Ok((without_mark(bytes), None));
    }
    let (mut json, mut binary) = (None, None);
    let mut rest = bytes.get(12..).unwrap_or_default();
    while let Some((head, after)) = rest.split_first_chunk::<8>() {
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let chunk = after.get(..length);
        let chunk = chunk
            .ok_or_else(|| format!("cut short: a chunk of {length} bytes ends behind the file"))?;
        match &head[4..] {
            b"JSON" => json = json.or(Some(chunk)),
            b"BIN\0" => binary = binary.or(Some(chunk)),
            _ => {}
        }
        rest = &after[length..];
    }
    Ok((json.ok_or("a .glb file without a JSON chunk")?, binary))
}

struct Reader<'a> {
    document: &'a Document,
    buffers: Buffers<'a>,
    positions: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    /// Vertices that an earlier one stands for.
    split: usize,
}

impl Reader<'_> {
    /// All nodes of the scene; where there is no scene, of all that are no children.
    fn walk(&mut self) -> Result<(), String> {
        let document = self.document;
        let scene = document.scenes.get(document.scene.unwrap_or(0));
        let mut is_root = vec![true; document.nodes.len()];
        for &child in document.nodes.iter().flat_map(|node| &node.children) {
            is_root.get_mut(child).into_iter().for_each(|is_root| *is_root = false);
        }
        let roots = || (0..is_root.len()).filter(|&i| is_root[i]).collect();
        let roots: Vec<usize> = scene.map_or_else(roots, |scene| scene.nodes.clone());
        let mut open: Vec<(usize, DMat4)> =
            roots.into_iter().rev().map(|i| (i, DMat4::IDENTITY)).collect();
        let mut seen = vec![false; document.nodes.len()];
        while let Some((i, parent)) = open.pop() {
            let node = document.nodes.get(i).ok_or_else(|| format!("there is no nodes[{i}]"))?;
            if std::mem::replace(&mut seen[i], true) {
                return Err(format!("nodes[{i}] is there twice: nodes are a tree"));
            }
            let placed = parent * transform(node);
            if let Some(mesh) = node.mesh {
                let wrong = |what| format!("meshes[{mesh}]: {what}");
                let found =
                    document.meshes.get(mesh).ok_or_else(|| wrong("there is none".into()))?;
                self.show(&found.primitives, placed).map_err(wrong)?;
            }
            open.extend(node.children.iter().rev().map(|&child| (child, placed)));
        }
        Ok(())
    }

    /// Adds a mesh where a node puts it.
    fn show(&mut self, primitives: &[Primitive], placed: DMat4) -> Result<(), String> {
        let mut known = HashMap::new();
        let is_mirrored = placed.determinant() < 0.0;
        for primitive in primitives {
            let mode = primitive.mode.unwrap_or(TRIANGLES);
            if mode != TRIANGLES {
                return Err(format!("primitives of mode {mode}; only triangles (4) are read"));
            }
            let position =
                primitive.attributes.get("POSITION").ok_or("primitives without POSITION")?;
            let mut own = Vec::new();
            for point in self.buffers.points(*position)? {
                let point = placed.transform_point3(DVec3::from_array(point)).as_vec3() + 0.0;
                if !point.is_finite() {
                    return Err(format!("vertex {}: not finite in single precision", own.len()));
                }
                let next = self.positions.len() as u32;
                let index = *known.entry(point.to_array().map(f32::to_bits)).or_insert(next);
                match index == next {
                    true => self.positions.push(point.to_array()),
                    false => self.split += 1,
                }
                own.push(index);
            }
            if self.positions.len() > MOST_VERTICES {
                return Err(format!("more than {MOST_VERTICES} vertices"));
            }
            let corners = match primitive.indices {
                Some(indices) => self.buffers.indices(indices)?,
                None => (0..own.len() as u32).collect(),
            };
            if self.triangles.len() + corners.len() / 3 > MOST_TRIANGLES {
                return Err(format!("more than {MOST_TRIANGLES} triangles"));
            }
            for triangle in corners.as_chunks().0 {
                let [a, b, c]: [u32; 3] = *triangle;
                let corner = |i: u32| {
                    let corner = own.get(i as usize).copied();
                    corner.ok_or_else(|| format!("{i} is no vertex: there are {}", own.len()))
                };
                let [a, b, c] = [corner(a)?, corner(b)?, corner(c)?];
                self.triangles.push(if is_mirrored { [a, c, b] } else { [a, b, c] });
            }
        }
        Ok(())
    }
}

/// Where a node puts what is in it.
fn transform(node: &Node) -> DMat4 {
    match &node.matrix {
        Some(matrix) => DMat4::from_cols_array(matrix),
        None => DMat4::from_scale_rotation_translation(
            DVec3::from_array(node.scale.unwrap_or([1.0; 3])),
            DQuat::from_array(node.rotation.unwrap_or(UPRIGHT)).normalize(),
            DVec3::from_array(node.translation.unwrap_or([0.0; 3])),
        ),
    }
}
