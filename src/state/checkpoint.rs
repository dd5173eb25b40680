//! Checkpoints: a whole state as bytes, so that a run can go on in another process with the bits it would have had.
//!
//! ```text
//! magic      8 bytes     TAUT-CKP
//! format     u32         of this layout
//! zero       u32
//! words      u64         how many 32-bit words follow
//! checksum   u64         FNV-1a over them, a word at a time
//! words                  texts, then the state; a list is its length, then its items
//! ```
//!
//! Little endian. A length is held against what is left of the file before anything is allocated for it.

use super::Snapshot;
use super::saved::{Saved, Words};
use crate::error::CheckpointError;
use crate::math::{FNV, fnv};
use std::io::{Read, Write};

const MAGIC: [u8; 8] = *b"TAUT-CKP";
/// Counted up when the layout changes, or what sections mean.
pub(crate) const FORMAT: u32 = 3;
const HEADER: usize = 32;
/// Who writes: bits may differ between versions, so a state is not taken over from another.
const CRATE: &str = env!("CARGO_PKG_VERSION");

/// A whole state, and what it is the state of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint {
    /// The name of a run of the command line.
    pub run: String,
    /// The text of its scene file.
    pub scene: String,
    /// The settings given beside it.
    pub overrides: Vec<[String; 2]>,
    /// The frame that it was to run to.
    pub last_frame: u64,
    /// Of the model as authored, settings and forces left out.
    pub(crate) fingerprint: u64,
    pub(crate) settings: String,
    pub(crate) state: Snapshot,
}

impl Checkpoint {
    pub(crate) fn write(&self, to: &mut impl Write) -> Result<(), CheckpointError> {
        let words = self.words();
        let mut header = MAGIC.to_vec();
        header.extend(u64::from(FORMAT).to_le_bytes());
        header.extend((words.len() as u64).to_le_bytes());
        header.extend(checksum(&words).to_le_bytes());
        to.write_all(&header)?;
        let words: Vec<u32> = words.into_iter().map(u32::to_le).collect();
        to.write_all(bytemuck::cast_slice(&words))?;
        Ok(())
    }

    pub(crate) fn read(from: &mut impl Read) -> Result<Self, CheckpointError> {
        let mut header = Vec::new();
        from.take(HEADER as u64).read_to_end(&mut header)?;
        let begins = header.len().min(MAGIC.len());
        if begins == 0 || header[..begins] != MAGIC[..begins] {
            return Err(CheckpointError::Foreign);
        }
        if header.len() < HEADER {
            return Err(CheckpointError::Truncated);
        }
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|k| header[at + k]));
        let [format, count, sum] = [8, 16, 24].map(long);
        if format != u64::from(FORMAT) {
            return Err(CheckpointError::Format(format));
        }
        let size = count.checked_mul(4).ok_or(CheckpointError::Damaged)?;
        let mut bytes = Vec::new();
        // Grows with what is there, not with what the header says; a byte more would be one too many.
        from.take(size.saturating_add(1)).read_to_end(&mut bytes)?;
        match bytes.len() as u64 {
            len if len < size => return Err(CheckpointError::Truncated),
            len if len > size => return Err(CheckpointError::Damaged),
            _ => {}
        }
        let words = bytes.as_chunks().0.iter();
        let words: Vec<u32> = words.map(|word| u32::from_le_bytes(*word)).collect();
        if checksum(&words) != sum {
            return Err(CheckpointError::Damaged);
        }
        Self::of_words(&words)
    }

    fn words(&self) -> Vec<u32> {
        let Self { run, scene, overrides, last_frame, fingerprint, settings, state } = self;
        let Snapshot { time, frame, positions, velocities, bodies, body_velocities, .. } = state;
        let Snapshot { triangles, carried, .. } = state;
        let mut out = Words::default();
        put_text(&mut out, CRATE);
        put_text(&mut out, run);
        put_text(&mut out, scene);
        out.put_long(overrides.len() as u64);
        overrides.as_flattened().iter().for_each(|text| put_text(&mut out, text));
        out.put_long(*last_frame);
        out.put_long(*fingerprint);
        put_text(&mut out, settings);
        out.put_double(*time);
        out.put_long(*frame);
        put_rows(&mut out, positions);
        put_rows(&mut out, velocities);
        put_rows(&mut out, bodies);
        put_rows(&mut out, body_velocities);
        out.put_long(triangles.len() as u64);
        out.0.extend_from_slice(triangles.as_flattened());
        out.put_long(carried.len() as u64);
        for Saved { sections } in carried {
            out.put_long(sections.len() as u64);
            for (name, Words(words)) in sections {
                put_text(&mut out, name);
                out.put_long(words.len() as u64);
                out.0.extend_from_slice(words);
            }
        }
        out.0
    }

    fn of_words(words: &[u32]) -> Result<Self, CheckpointError> {
        let mut from = Cursor(words);
        let version = from.text()?;
        if version != CRATE {
            return Err(CheckpointError::Other {
                what: "version of taut",
                saved: version,
                here: CRATE.into(),
            });
        }
        let (run, scene) = (from.text()?, from.text()?);
        let count = from.length(1)?;
        let overrides = (0..count).map(|_| Ok([from.text()?, from.text()?]));
        let overrides = overrides.collect::<Result<_, CheckpointError>>()?;
        let (last_frame, fingerprint) = (from.long()?, from.long()?);
        let settings = from.text()?;
        let state = Snapshot {
            time: f64::from_bits(from.long()?),
            frame: from.long()?,
            positions: from.rows()?,
            velocities: from.rows()?,
            bodies: from.rows()?,
            body_velocities: from.rows()?,
            triangles: from.words()?.to_vec(),
            carried: from.carried()?,
        };
        match from.0 {
            [] => Ok(Self { run, scene, overrides, last_frame, fingerprint, settings, state }),
            _ => Err(CheckpointError::Damaged),
        }
    }
}

fn put_text(out: &mut Words, text: &str) {
    out.put_long(text.len() as u64);
    let word =
        |four: &[u8]| u32::from_le_bytes(std::array::from_fn(|k| *four.get(k).unwrap_or(&0)));
    out.0.extend(text.as_bytes().chunks(4).map(word));
}

fn put_rows<const N: usize>(out: &mut Words, rows: &[[f32; N]]) {
    out.put_long(rows.len() as u64);
    out.put_all(rows.as_flattened().iter().copied());
}

/// Words to read. Their checksum was right, so what does not fit was never written by [`Checkpoint::write`].
struct Cursor<'a>(&'a [u32]);

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u32], CheckpointError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(CheckpointError::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn long(&mut self) -> Result<u64, CheckpointError> {
        let words = self.take(2)?;
        Ok(u64::from(words[0]) | u64::from(words[1]) << 32)
    }

    /// The length of a list of items of at least `words` words each, of which so many are left.
    fn length(&mut self, words: usize) -> Result<usize, CheckpointError> {
        let length = self.long()?;
        let fits = length <= (self.0.len() / words) as u64;
        fits.then_some(length as usize).ok_or(CheckpointError::Damaged)
    }

    fn text(&mut self) -> Result<String, CheckpointError> {
        let length = self.long()?;
        let most = 4 * self.0.len() as u64;
        let length =
            if length <= most { length as usize } else { return Err(CheckpointError::Damaged) };
        let words = self.take(length.div_ceil(4))?;
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(length);
        String::from_utf8(bytes).map_err(|_| CheckpointError::Damaged)
    }

    fn words<const N: usize>(&mut self) -> Result<&'a [[u32; N]], CheckpointError> {
        let length = self.length(N)?;
        Ok(self.take(length * N)?.as_chunks().0)
    }

    fn rows<const N: usize>(&mut self) -> Result<Vec<[f32; N]>, CheckpointError> {
        Ok(self.words()?.iter().map(|row: &[u32; N]| row.map(f32::from_bits)).collect())
    }

    fn carried(&mut self) -> Result<Vec<Saved>, CheckpointError> {
        let parts = self.length(2)?;
        let part = |_| {
            let sections = self.length(4)?;
            let section = |_| {
                let name = self.text()?;
                let length = self.length(1)?;
                Ok((name, Words(self.take(length)?.to_vec())))
            };
            let sections = (0..sections).map(section).collect::<Result<_, CheckpointError>>()?;
            Ok(Saved { sections })
        };
        (0..parts).map(part).collect()
    }
}

/// FNV-1a of words: no other word in one place gives the same.
fn checksum(words: &[u32]) -> u64 {
    words.iter().copied().fold(FNV, fnv)
}
