//! Stored bits: what the engine computes has the bits that it had, on every machine, width, number of threads and build.
//!
//! `tests/data/bits.txt` is a record of what was, not an oracle: that it was right is said by other tests. Where bits change on
//! purpose, `CHANGELOG.md` says why, and one command stores those of today:
//!
//! ```sh
//! TAUT_BITS=store cargo test --profile fast --lib ::bits::
//! ```

#[cfg(feature = "files")]
mod jointed;
#[cfg(feature = "files")]
mod rows;
#[cfg(feature = "files")]
mod running;
#[cfg(feature = "files")]
mod worlds;

use crate::math::{Quat, Vec3};
use std::sync::{Mutex, PoisonError};
use std::{env, fs};

const STORED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/bits.txt");

/// Tests run side by side, and each stores its own lines.
static STORING: Mutex<()> = Mutex::new(());

/// What many numbers come to, bit by bit.
#[derive(Clone, Copy, PartialEq)]
pub struct Bits(u64);

impl Bits {
    /// Of no numbers.
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Takes in a number.
    pub fn add(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    /// Takes in numbers; which of the patterns of what is no number it is depends on the machine.
    pub fn add_all(&mut self, values: &[f32]) {
        for v in values {
            self.add(u64::from(if v.is_nan() { u32::MAX } else { v.to_bits() }));
        }
    }

    /// The same in double precision.
    #[cfg(feature = "files")]
    pub fn add_exact(&mut self, values: &[f64]) {
        for v in values {
            self.add(if v.is_nan() { u64::MAX } else { v.to_bits() });
        }
    }

    /// Takes in a point.
    pub fn add_point(&mut self, p: Vec3<f32>) {
        self.add_all(&p.to_array());
    }

    /// Takes in a rotation.
    pub fn add_turn(&mut self, q: Quat<f32>) {
        self.add_all(&q.to_array());
    }
}

/// Holds what was found, by name, against what is stored of a `group`; or stores it.
///
/// # Panics
/// Where it differs: with all names of which it does.
pub fn check(group: &str, found: &[(String, Bits)]) {
    let own = format!("{group}/");
    let mut found: Vec<String> =
        found.iter().map(|(name, bits)| format!("{own}{name} {:016x}", bits.0)).collect();
    found.sort();
    if env::var_os("TAUT_BITS").is_some_and(|what| what == "store") {
        let _guard = STORING.lock().unwrap_or_else(PoisonError::into_inner);
        let stored = fs::read_to_string(STORED).unwrap_or_default();
        let others = stored.lines().filter(|line| !line.starts_with(&own));
        let mut all: Vec<&str> = others.chain(found.iter().map(String::as_str)).collect();
        all.sort_unstable();
        fs::write(STORED, all.join("\n") + "\n").expect("the record can be written");
        return;
    }
    let stored = fs::read_to_string(STORED).expect("tests/data/bits.txt");
    let stored: Vec<&str> = stored.lines().filter(|line| line.starts_with(&own)).collect();
    let new = found.iter().filter(|line| !stored.contains(&line.as_str()));
    let new: Vec<&str> = new.filter_map(|line| line.split(' ').next()).collect();
    let count = found.len();
    assert!(
        new.is_empty() && stored.len() == count,
        "other bits than before: {} of {count}, {} stored: {new:?}",
        new.len(),
        stored.len(),
    );
}
