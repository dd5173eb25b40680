//! The numbers of a glTF file: buffers, and accessors into them.

use super::document::{Buffer, Document};
use crate::io::error::{ReadError, quote};
use crate::io::text::load;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::borrow::Cow;
use std::path::Path;

/// Numbers of glTF's component types.
const U8: u32 = 5121;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// A document and the bytes of its buffers.
pub(super) struct Buffers<'a> {
    document: &'a Document,
    bytes: Vec<Cow<'a, [u8]>>,
}

impl<'a> Buffers<'a> {
    /// Reads all buffers: `binary` is that of the file itself.
    pub fn load(
        path: &Path,
        document: &'a Document,
        binary: Option<&'a [u8]>,
    ) -> Result<Self, ReadError> {
        let buffers = document.buffers.iter().enumerate();
        let bytes = buffers.map(|(i, buffer)| bytes_of(path, i, buffer, binary));
        Ok(Self { document, bytes: bytes.collect::<Result<_, _>>()? })
    }

    /// The points (m) of an accessor.
    pub fn points(&self, accessor: usize) -> Result<Vec<[f64; 3]>, String> {
        let elements = self.elements(accessor, ("VEC3", 3), &[(F32, 4)])?;
        let number = |four: &[u8; 4]| f64::from(f32::from_le_bytes(*four));
        let point = |bytes: &[u8]| {
            let numbers = bytes.as_chunks().0;
            [number(&numbers[0]), number(&numbers[1]), number(&numbers[2])]
        };
        Ok(elements.into_iter().map(point).collect())
    }

    /// The indices of an accessor.
    pub fn indices(&self, accessor: usize) -> Result<Vec<u32>, String> {
        let elements = self.elements(accessor, ("SCALAR", 1), &[(U8, 1), (U16, 2), (U32, 4)])?;
        let index =
            |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte));
        Ok(elements.into_iter().map(index).collect())
    }

    /// The bytes of each element of an accessor, which must be of a kind, so many numbers, of one of some types and their sizes.
    fn elements(
        &self,
        i: usize,
        (kind, numbers): (&str, usize),
        types: &[(u32, usize)],
    ) -> Result<Vec<&[u8]>, String> {
        let wrong = |what: &str| format!("accessors[{i}]: {what}");
        let accessor = self.document.accessors.get(i).ok_or_else(|| wrong("there is none"))?;
        let component = accessor.component_type;
        let size = types.iter().find(|(known, _)| *known == component);
        let Some((_, size)) = size.filter(|_| accessor.kind == kind) else {
            let found = quote(accessor.kind.as_bytes());
            let known: Vec<String> = types.iter().map(|(known, _)| known.to_string()).collect();
            let known = known.join(", ");
            return Err(wrong(&format!("{found} of type {component}; must be {kind} of {known}")));
        };
        if accessor.sparse.is_some() {
            return Err(wrong("sparse accessors are not read"));
        }
        let view = accessor.buffer_view.and_then(|view| self.document.buffer_views.get(view));
        let view = view.ok_or_else(|| wrong("no such bufferView"))?;
        let whole = self.bytes.get(view.buffer).ok_or_else(|| wrong("no such buffer"))?;
        let end = view.byte_offset.checked_add(view.byte_length);
        let bytes = end.and_then(|end| whole.get(view.byte_offset..end));
        let bytes = bytes.and_then(|bytes| bytes.get(accessor.byte_offset..));
        let size = size * numbers;
        let stride = view.byte_stride.unwrap_or(size).max(size);
        // The last element needs no room behind it.
        let needed = accessor.count.checked_sub(1).map_or(Some(0), |before| {
            before.checked_mul(stride).and_then(|before| before.checked_add(size))
        });
        let fits = |bytes: &&[u8]| needed.is_some_and(|needed| needed <= bytes.len());
        let bytes = bytes.filter(fits).ok_or_else(|| wrong("ends behind its buffer"))?;
        Ok((0..accessor.count).map(|k| &bytes[k * stride..k * stride + size]).collect())
    }
}

/// The bytes of a buffer: of the file itself, of its text, or of a file beside it.
fn bytes_of<'a>(
    path: &Path,
    i: usize,
    buffer: &Buffer,
    binary: Option<&'a [u8]>,
) -> Result<Cow<'a, [u8]>, ReadError> {
    let refuse =
        |what: &str| ReadError::File { path: path.into(), what: format!("buffers[{i}]: {what}") };
    let Some(uri) = &buffer.uri else {
        return binary
            .map(Cow::Borrowed)
            .ok_or_else(|| refuse("no uri, and the file has no binary chunk"));
    };
    if let Some(data) = uri.strip_prefix("data:") {
        let text = data.split_once(";base64,").ok_or_else(|| refuse("data that is not base64"))?.1;
        let bytes = BASE64_STANDARD.decode(text);
        return bytes.map(Cow::Owned).map_err(|error| refuse(&format!("not base64: {error}")));
    }
    let beside = path.parent().unwrap_or(Path::new("")).join(plain(uri));
    load(&beside).map(Cow::Owned)
}

/// A relative address without its escapes: `my%20mesh.bin` is `my mesh.bin`.
fn plain(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let [first, behind @ ..] = rest {
        let digits = behind.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match escaped.filter(|_| *first == b'%') {
            Some(byte) => (bytes.push(byte), rest = &behind[2..]),
            None => (bytes.push(*first), rest = behind),
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
