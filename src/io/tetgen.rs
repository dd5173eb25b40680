//! TetGen: nodes in `.node`, tetrahedra in the `.ele` beside it.
//!
//! Each file is a header (how many rows, how many numbers each), then rows that begin with their own number. Nodes are
//! counted from 0 or 1, as the first of them says; attributes and boundary markers are skipped. The order of a
//! tetrahedron's nodes is kept: an inverted one has a negative volume and a warning.

use super::error::ReadError;
use super::text::{Text, Token, load};
use crate::mesh::Mesh;
use std::path::Path;

/// What a file lists.
struct Listing {
    /// The rows, in a message.
    noun: &'static str,
    /// The numbers of a row, in a message.
    each: &'static str,
}

const NODES: Listing = Listing { noun: "nodes", each: "coordinates per node" };
const TETRAHEDRA: Listing = Listing { noun: "tetrahedra", each: "nodes per tetrahedron" };

/// Reads the pair of files, given either.
pub(super) fn read(path: &Path) -> Result<Mesh, ReadError> {
    let is_node = path.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("node"));
    let (node, ele) = if is_node {
        (path.to_path_buf(), path.with_extension("ele"))
    } else {
        (path.with_extension("node"), path.to_path_buf())
    };
    parse((&node, &load(&node)?), (&ele, &load(&ele)?))
}

/// Reads the text of both files; the paths are for the errors.
pub(super) fn parse(node: (&Path, &[u8]), ele: (&Path, &[u8])) -> Result<Mesh, ReadError> {
    let mut positions = Vec::new();
    let base = read_rows(&Text::new(node.0, node.1)?, &NODES, None, |row: [Token; 3]| {
        positions.push([row[0].number()?, row[1].number()?, row[2].number()?]);
        Ok(())
    })?;
    let nodes = base..base + positions.len() as i64;
    let mut tetrahedra = Vec::new();
    read_rows(&Text::new(ele.0, ele.1)?, &TETRAHEDRA, Some(base), |row: [Token; 4]| {
        let mut tetrahedron = [0; 4];
        for (i, token) in row.into_iter().enumerate() {
            let node = token.integer()?;
            if !nodes.contains(&node) {
                let (first, last) = (nodes.start, nodes.end - 1);
                return Err(token.refuse(format!("is no node: they are {first} to {last}")));
            }
            let node = (node - base) as u32;
            if tetrahedron[..i].contains(&node) {
                return Err(token.refuse("is named twice by this tetrahedron"));
            }
            tetrahedron[i] = node;
        }
        tetrahedra.push(tetrahedron);
        Ok(())
    })?;
    Ok(Mesh::new(positions, Vec::new(), tetrahedra))
}

/// Hands each row of N numbers to `take`; returns the first row's number, which is `base` where that is known.
///
/// Nothing is allocated by what the header says: it is only compared with the rows that are there.
fn read_rows<'a, const N: usize>(
    text: &Text<'a>,
    listing: &Listing,
    base: Option<i64>,
    mut take: impl FnMut([Token<'a>; N]) -> Result<(), ReadError>,
) -> Result<i64, ReadError> {
    let Listing { noun, each } = listing;
    let mut lines = text.lines().filter(|line| !line.text.is_empty());
    let header =
        lines.next().ok_or_else(|| text.refuse(format!("no {noun}: the file is empty")))?;
    let count = read_header(header, N, each)?;
    if count == 0 {
        return Err(header.refuse_line(format!("no {noun}: the header says 0")));
    }
    let (mut base, mut present) = (base, 0);
    for line in lines {
        let mut tokens = line.tokens();
        let number = tokens.next().expect("blank lines are filtered out");
        let index = number.integer()?;
        let first = *base.get_or_insert(index);
        if !(0..=1).contains(&first) {
            return Err(number.refuse(format!("is out of order: {noun} are counted from 0 or 1")));
        }
        if present == count {
            return Err(
                line.refuse_line(format!("the header says {count} {noun}, here is one more"))
            );
        }
        if index != first + present {
            let expected = first + present;
            return Err(number.refuse(format!("is out of order: {expected} comes here")));
        }
        let mut row = [number; N];
        for (i, slot) in row.iter_mut().enumerate() {
            let what = || format!("{N} {each} are needed, not {i}");
            *slot = tokens.next().ok_or_else(|| line.refuse_line(what()))?;
        }
        take(row)?;
        present += 1;
    }
    if present < count {
        return Err(
            header.refuse_line(format!("the header says {count} {noun}, {present} are there"))
        );
    }
    Ok(base.unwrap_or(0))
}

/// The number of rows; refuses rows of other than `width` numbers, which TetGen lets a header leave out.
fn read_header(header: Token, width: usize, each: &str) -> Result<i64, ReadError> {
    let mut tokens = header.tokens();
    let count = tokens.next().expect("blank lines are filtered out");
    let rows = count.integer()?;
    if rows < 0 {
        return Err(count.refuse("is a negative count"));
    }
    if let Some(token) = tokens.next()
        && token.integer()? != width as i64
    {
        return Err(token.refuse(format!("{each} are not supported, only {width}")));
    }
    Ok(rows)
}
