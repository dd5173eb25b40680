//! Plain text as mesh files hold it: numbered lines of tokens between blanks, comments after `#`.
//!
//! Tokens are bytes, because comments and names in old files are in any encoding; only what becomes a number must be UTF-8.

use super::error::{ReadError, quote};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A file's text, known to be text.
pub(super) struct Text<'a> {
    path: &'a Path,
    bytes: &'a [u8],
}

/// A line without its comment and surrounding blanks, or a word or number of it; and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Token<'a> {
    path: &'a Path,
    line: usize,
    pub text: &'a [u8],
}

/// The most that is read of what is no regular file: a pipe will do, but a device may have no end.
const MOST_PIPED: u64 = 1 << 28;

/// The whole file.
pub(super) fn load(path: &Path) -> Result<Vec<u8>, ReadError> {
    let failed = |source| ReadError::Io { path: path.into(), source };
    if std::fs::metadata(path).map_err(failed)?.is_file() {
        return std::fs::read(path).map_err(failed);
    }
    let mut bytes = Vec::new();
    let pipe = File::open(path).map_err(failed)?;
    pipe.take(MOST_PIPED + 1).read_to_end(&mut bytes).map_err(failed)?;
    match bytes.len() as u64 > MOST_PIPED {
        true => {
            let what = format!("is no regular file, and has more than {} MiB", MOST_PIPED >> 20);
            Err(ReadError::File { path: path.into(), what })
        }
        false => Ok(bytes),
    }
}

/// A text without the byte order mark that it may begin with.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

impl<'a> Text<'a> {
    /// Skips a byte order mark; refuses UTF-16 and NUL bytes, which no text holds.
    pub fn new(path: &'a Path, bytes: &'a [u8]) -> Result<Self, ReadError> {
        let text = Self { path, bytes: without_mark(bytes) };
        if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
            return Err(text.refuse("this is UTF-16 text; save it as UTF-8"));
        }
        let Some(nul) = text.bytes.iter().position(|&b| b == 0) else {
            return Ok(text);
        };
        let breaks = text.bytes[..nul].iter().filter(|&&b| b == b'\n').count();
        Err(ReadError::Line {
            path: path.into(),
            line: breaks + 1,
            what: "a NUL byte: this is binary data or UTF-16, not plain text".into(),
        })
    }

    /// Every line, blank ones too. Lines end in LF or CRLF, in a file without any LF in CR.
    pub fn lines(&self) -> impl Iterator<Item = Token<'a>> {
        let end = if self.bytes.contains(&b'\n') { b'\n' } else { b'\r' };
        let path = self.path;
        let lines = self.bytes.split(move |&b| b == end);
        lines.enumerate().map(move |(i, line)| {
            let comment = line.iter().position(|&b| b == b'#');
            Token { path, line: i + 1, text: line[..comment.unwrap_or(line.len())].trim_ascii() }
        })
    }

    /// An error about the whole file.
    pub fn refuse(&self, what: impl Into<String>) -> ReadError {
        ReadError::File { path: self.path.into(), what: what.into() }
    }
}

impl<'a> Token<'a> {
    /// The words and numbers of a line.
    pub fn tokens(self) -> impl Iterator<Item = Self> {
        let words = self.text.split(|b| b.is_ascii_whitespace());
        words.filter(|word| !word.is_empty()).map(move |text| Self { text, ..self })
    }

    /// A coordinate.
    pub fn number(self) -> Result<f32, ReadError> {
        let text = str::from_utf8(self.text).ok();
        let number: f32 = text
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| self.refuse("is not a number"))?;
        if !number.is_finite() {
            return Err(self.refuse("is not a finite number in single precision"));
        }
        Ok(number)
    }

    /// A count or index.
    pub fn integer(self) -> Result<i64, ReadError> {
        parse_integer(self.text).ok_or_else(|| self.refuse("is not a whole number"))
    }

    /// An error about the value.
    pub fn refuse(self, what: impl Into<String>) -> ReadError {
        ReadError::Value {
            path: self.path.into(),
            line: self.line,
            value: quote(self.text),
            what: what.into(),
        }
    }

    /// An error about the line.
    pub fn refuse_line(self, what: impl Into<String>) -> ReadError {
        ReadError::Line { path: self.path.into(), line: self.line, what: what.into() }
    }
}

/// A whole number, if it is one.
pub(super) fn parse_integer(text: &[u8]) -> Option<i64> {
    str::from_utf8(text).ok()?.parse().ok()
}
