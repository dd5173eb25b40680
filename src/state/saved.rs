//! What is carried from frame to frame beside positions and velocities: named sections of 32-bit words.
//!
//! Whoever saves a section writes it in authored order and the same at every width, so that any method on any number of
//! threads can take it up.

use crate::error::CheckpointError;
use crate::math::{Quat, Vec3};

/// Multipliers of the last substep: they hold for its length and response only.
pub(crate) const MULTIPLIERS: &str = "multipliers";
/// What positions and velocities are rounded off by, where that is carried.
pub(crate) const REMAINDERS: &str = "remainders";
/// What contacts of bodies begin the next substep with: as it was, it is right for the same length of a substep only.
pub(crate) const IMPULSES: &str = "contact impulses";

/// A section's words, to write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Words(pub(crate) Vec<u32>);

impl Words {
    pub(crate) fn put(&mut self, word: u32) {
        self.0.push(word);
    }

    pub(crate) fn put_long(&mut self, word: u64) {
        self.0.extend([word as u32, (word >> 32) as u32]);
    }

    pub(crate) fn put_double(&mut self, number: f64) {
        self.put_long(number.to_bits());
    }

    pub(crate) fn put_all(&mut self, numbers: impl IntoIterator<Item = f32>) {
        self.0.extend(numbers.into_iter().map(f32::to_bits));
    }

    pub(crate) fn put_vector(&mut self, v: Vec3<f32>) {
        self.put_all(v.to_array());
    }

    pub(crate) fn put_turn(&mut self, q: Quat<f32>) {
        self.put_all(q.to_array());
    }
}

/// A section's words, to read from the first to the last.
#[derive(Clone, Copy)]
pub(crate) struct Section<'a> {
    name: &'a str,
    rest: &'a [u32],
}

impl Section<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// An error unless `holds`.
    pub(crate) fn check(&self, holds: bool) -> Result<(), CheckpointError> {
        match holds {
            true => Ok(()),
            false => Err(CheckpointError::Section(self.name.into())),
        }
    }

    pub(crate) fn words<const N: usize>(&mut self) -> Result<[u32; N], CheckpointError> {
        self.check(self.rest.len() >= N)?;
        let (words, rest) = self.rest.split_at(N);
        self.rest = rest;
        Ok(std::array::from_fn(|k| words[k]))
    }

    pub(crate) fn word(&mut self) -> Result<u32, CheckpointError> {
        self.words().map(|[word]| word)
    }

    /// An index below `count`.
    pub(crate) fn index(&mut self, count: usize) -> Result<usize, CheckpointError> {
        let index = self.word()? as usize;
        self.check(index < count)?;
        Ok(index)
    }

    /// A word that says yes or no.
    pub(crate) fn flag(&mut self) -> Result<bool, CheckpointError> {
        self.index(2).map(|word| word == 1)
    }

    pub(crate) fn long(&mut self) -> Result<u64, CheckpointError> {
        self.words().map(|[low, high]| u64::from(low) | u64::from(high) << 32)
    }

    pub(crate) fn double(&mut self) -> Result<f64, CheckpointError> {
        self.long().map(f64::from_bits)
    }

    pub(crate) fn doubles(&mut self) -> Result<[f64; 3], CheckpointError> {
        Ok([self.double()?, self.double()?, self.double()?])
    }

    pub(crate) fn numbers<const N: usize>(&mut self) -> Result<[f32; N], CheckpointError> {
        self.words().map(|words: [u32; N]| words.map(f32::from_bits))
    }

    pub(crate) fn number(&mut self) -> Result<f32, CheckpointError> {
        self.numbers().map(|[number]| number)
    }

    pub(crate) fn vector(&mut self) -> Result<Vec3<f32>, CheckpointError> {
        self.numbers().map(|v: [f32; 3]| Vec3::from(v))
    }

    pub(crate) fn turn(&mut self) -> Result<Quat<f32>, CheckpointError> {
        self.numbers().map(|q: [f32; 4]| Quat::from(q))
    }

    /// All numbers that are left: as many as `count` says.
    pub(crate) fn all(mut self, count: usize) -> Result<Vec<f32>, CheckpointError> {
        self.check(self.rest.len() == count)?;
        let numbers = std::mem::take(&mut self.rest).iter();
        Ok(numbers.map(|word| f32::from_bits(*word)).collect())
    }

    /// An error unless all is read.
    pub(crate) fn end(self) -> Result<(), CheckpointError> {
        self.check(self.rest.is_empty())
    }
}

/// What one part of a simulation (its rows, a subsystem) carries from one frame to the next, section by section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) sections: Vec<(String, Words)>,
}

impl Saved {
    /// Adds a section; without words it is as if it was not there.
    pub(crate) fn put(&mut self, name: &str, words: Words) {
        if !words.0.is_empty() {
            self.sections.push((name.into(), words));
        }
    }

    /// Adds a section of numbers, unless all are the zeros that it would be taken for.
    pub(crate) fn put_numbers(&mut self, name: &str, numbers: &[f32]) {
        if numbers.iter().any(|number| number.to_bits() != 0) {
            let mut words = Words::default();
            words.put_all(numbers.iter().copied());
            self.put(name, words);
        }
    }

    /// A section, to read; one that is not there is empty.
    pub(crate) fn section<'a>(&'a self, name: &'a str) -> Section<'a> {
        let found = self.sections.iter().find(|(known, _)| known == name);
        Section { name, rest: found.map_or(&[], |(_, words)| &words.0) }
    }

    /// A section of as many numbers as `count` says; zeros, where it is not there.
    pub(crate) fn numbers(&self, name: &str, count: usize) -> Result<Vec<f32>, CheckpointError> {
        let section = self.section(name);
        match section.is_empty() {
            true => Ok(vec![0.0; count]),
            false => section.all(count),
        }
    }

    /// Leaves a section out; whether it was there.
    pub(crate) fn drop_section(&mut self, name: &str) -> bool {
        let before = self.sections.len();
        self.sections.retain(|(known, _)| known != name);
        self.sections.len() < before
    }
}
