//! PLY, text and binary: `vertex` elements with x y z, `face` elements with `vertex_indices` (or `vertex_index`).
//!
//! The crate `ply-rs-bw` does the parsing. A header's counts are held against the size of the file before anything is read,
//! so that they allocate nothing by themselves. Faces of more than three vertices become a fan around their first.

use super::error::ReadError;
use super::text::load;
use crate::mesh::Mesh;
use ply_rs_bw::parser::{ParseError, Parser, Reader};
use ply_rs_bw::ply::{DefaultElement, Property};
use std::path::Path;

/// The names of a face's corners.
const CORNERS: [&str; 2] = ["vertex_indices", "vertex_index"];

/// Reads a PLY file.
pub(super) fn read(path: &Path) -> Result<Mesh, ReadError> {
    parse(path, &load(path)?)
}

/// Reads PLY data; `path` is for the errors.
pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Mesh, ReadError> {
    let refuse = |what: String| ReadError::File { path: path.into(), what };
    let failed = |error: ParseError| {
        let what = format!("not a PLY file: {}", super::error::quote(error.to_string().as_bytes()));
        match error.line() {
            Some(line) => ReadError::Line { path: path.into(), line, what },
            None => refuse(what),
        }
    };
    let parser = Parser::<DefaultElement>::new();
    let mut reader = Reader::new(bytes);
    let header = parser.read_header(&mut reader).map_err(failed)?;
    for (name, element) in &header.elements {
        if element.count > bytes.len() {
            let name = super::error::quote(name.as_bytes());
            let (count, size) = (element.count, bytes.len());
            return Err(refuse(format!(
                "the header says {count} of \"{name}\", the file has {size} bytes in all"
            )));
        }
    }
    let payload = parser.read_payload(&mut reader, &header).map_err(failed)?;
    let elements = |name: &str| payload.get(name).map_or(&[][..], Vec::as_slice);
    let vertices = elements("vertex").iter().enumerate();
    let positions = vertices.map(|(i, vertex)| position(i, vertex).map_err(refuse));
    let positions = positions.collect::<Result<Vec<_>, _>>()?;
    if positions.is_empty() {
        return Err(refuse("no vertices".into()));
    }
    let mut triangles = Vec::new();
    for (i, face) in elements("face").iter().enumerate() {
        triangles.extend(fan(i, face, positions.len()).map_err(refuse)?);
    }
    Ok(Mesh::new(positions, triangles, Vec::new()))
}

fn position(i: usize, vertex: &DefaultElement) -> Result<[f32; 3], String> {
    let mut position = [0.0; 3];
    for (position, key) in position.iter_mut().zip(["x", "y", "z"]) {
        let value = vertex.get(key).and_then(number);
        let value = value.ok_or_else(|| format!("vertex {i} has no {key}"))?;
        *position = value as f32;
        if !position.is_finite() {
            return Err(format!(
                "vertex {i}: {key} {value} is not a finite number in single precision"
            ));
        }
    }
    Ok(position)
}

/// The triangles of a face, around its first corner.
fn fan(i: usize, face: &DefaultElement, count: usize) -> Result<Vec<[u32; 3]>, String> {
    let named = CORNERS.iter().find_map(|key| face.get(*key));
    let corners = named.and_then(whole_numbers);
    let corners = corners.ok_or_else(|| format!("face {i} has no vertex_indices"))?;
    if corners.len() < 3 {
        let have = corners.len();
        return Err(format!("face {i} needs at least 3 vertices, not {have}"));
    }
    if let Some(corner) = corners.iter().find(|c| !(0..count as i64).contains(*c)) {
        let last = count - 1;
        return Err(format!("face {i}: {corner} is no vertex: they are 0 to {last}"));
    }
    let corner = |k: usize| corners[k] as u32;
    let triangle = |k: usize| [corner(0), corner(k - 1), corner(k)];
    Ok((2..corners.len()).map(triangle).collect())
}

fn number(property: &Property) -> Option<f64> {
    Some(match *property {
        Property::Char(v) => v.into(),
        Property::UChar(v) => v.into(),
        Property::Short(v) => v.into(),
        Property::UShort(v) => v.into(),
        Property::Int(v) => v.into(),
        Property::UInt(v) => v.into(),
        Property::Float(v) => v.into(),
        Property::Double(v) => v,
        _ => return None,
    })
}

fn whole_numbers(property: &Property) -> Option<Vec<i64>> {
    fn widen<T: Copy + Into<i64>>(list: &[T]) -> Vec<i64> {
        list.iter().map(|&v| v.into()).collect()
    }
    Some(match property {
        Property::ListChar(list) => widen(list),
        Property::ListUChar(list) => widen(list),
        Property::ListShort(list) => widen(list),
        Property::ListUShort(list) => widen(list),
        Property::ListInt(list) => widen(list),
        Property::ListUInt(list) => widen(list),
        _ => return None,
    })
}
