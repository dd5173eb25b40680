//! Wavefront OBJ: vertices `v` and faces `f`; everything else is skipped.
//!
//! Vertex i of the file is vertex i of the mesh, unused ones too: scenes pin vertices by number. Faces of more than three
//! vertices become a fan around their first. A face may name vertices that follow it; a negative index counts back from
//! the last vertex read. (The crate `tobj` renumbers and drops vertices, and its errors name no line.)

use super::error::ReadError;
use super::text::{Text, Token, load, parse_integer};
use crate::mesh::Mesh;
use std::path::Path;

/// Numbers in a `v`: three coordinates, then a weight or a color (r g b, r g b a), which are not used.
const VERTEX_NUMBERS: std::ops::RangeInclusive<usize> = 3..=7;

/// Reads an OBJ file.
pub(super) fn read(path: &Path) -> Result<Mesh, ReadError> {
    parse(path, &load(path)?)
}

/// Reads OBJ text; `path` is for the errors.
pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Mesh, ReadError> {
    let text = Text::new(path, bytes)?;
    let mut reader = Reader::default();
    let mut statement = Vec::new();
    for mut line in text.lines() {
        let continued = line.text.strip_suffix(b"\\");
        line.text = continued.unwrap_or(line.text);
        statement.extend(line.tokens());
        if continued.is_none() {
            reader.take(&statement)?;
            statement.clear();
        }
    }
    reader.take(&statement)?; // the last line may end in a backslash
    reader.finish(&text)
}

/// What has been read so far.
#[derive(Default)]
struct Reader<'a> {
    positions: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    /// Vertices named before they were read, and where.
    forward: Vec<(u32, Token<'a>)>,
}

impl<'a> Reader<'a> {
    fn take(&mut self, statement: &[Token<'a>]) -> Result<(), ReadError> {
        match statement {
            [keyword, numbers @ ..] if keyword.text == b"v" => self.vertex(*keyword, numbers),
            [keyword, corners @ ..] if keyword.text == b"f" => self.face(*keyword, corners),
            _ => Ok(()),
        }
    }

    fn vertex(&mut self, keyword: Token<'a>, numbers: &[Token<'a>]) -> Result<(), ReadError> {
        if !VERTEX_NUMBERS.contains(&numbers.len()) {
            let count = numbers.len();
            let what =
                format!("a vertex has 3 coordinates and at most 4 more numbers, not {count}");
            return Err(keyword.refuse_line(what));
        }
        let mut position = [0.0; 3];
        for (i, token) in numbers.iter().enumerate() {
            let number = token.number()?;
            if i < 3 {
                position[i] = number;
            }
        }
        self.positions.push(position);
        Ok(())
    }

    fn face(&mut self, keyword: Token<'a>, corners: &[Token<'a>]) -> Result<(), ReadError> {
        if corners.len() < 3 {
            let what = format!("a face needs at least 3 vertices, not {}", corners.len());
            return Err(keyword.refuse_line(what));
        }
        let (first, mut before) = (self.corner(corners[0])?, self.corner(corners[1])?);
        for &token in &corners[2..] {
            let next = self.corner(token)?;
            self.triangles.push([first, before, next]);
            before = next;
        }
        Ok(())
    }

    /// The vertex named by `i`, `i/t`, `i//n` or `i/t/n`, counted from 0.
    fn corner(&mut self, token: Token<'a>) -> Result<u32, ReadError> {
        let mut parts = token.text.split(|&b| b == b'/');
        let index = parts.next().and_then(parse_integer);
        let unused = |part: &[u8]| part.is_empty() || parse_integer(part).is_some();
        let index = index.filter(|_| parts.clone().count() <= 2 && parts.all(unused));
        let index = index.ok_or_else(|| token.refuse("is not a vertex index"))?;

        let known = self.positions.len() as i64;
        let vertex = match index {
            0 => return Err(token.refuse("is no vertex: OBJ counts from 1")),
            1.. => index - 1,
            _ => known.saturating_add(index),
        };
        let what = || format!("is out of range: {known} vertices so far");
        let vertex = u32::try_from(vertex).map_err(|_| token.refuse(what()))?;
        if i64::from(vertex) >= known {
            self.forward.push((vertex, token));
        }
        Ok(vertex)
    }

    fn finish(self, text: &Text) -> Result<Mesh, ReadError> {
        let count = self.positions.len();
        if count == 0 {
            return Err(text.refuse("no vertices: this is no OBJ file, or an empty one"));
        }
        for (vertex, token) in self.forward {
            if vertex as usize >= count {
                return Err(token.refuse(format!("is out of range: the file has {count} vertices")));
            }
        }
        Ok(Mesh::new(self.positions, self.triangles, Vec::new()))
    }
}
