//! Everything that can be wrong with a model, said before the first step.

use std::fmt;
use thiserror::Error;

/// Why a model, a setting or a run cannot be built. Each says what, where and the value.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ModelError {
    /// A position, velocity, mass or setting that is out of its range or not finite.
    #[error("{place}: {} is not allowed ({rule})", Shown(*.value))]
    Value {
        /// Which number, for example `particles.position[3]`.
        place: String,
        /// The value refused.
        value: f64,
        /// What is allowed.
        rule: &'static str,
    },
    /// A row's parameter or stiffness that is out of its range or not finite.
    #[error("{kind} row {row}: {name} {} is not allowed ({rule})", Shown(*.value))]
    Row {
        /// The kind.
        kind: &'static str,
        /// The row's place among the rows of its kind, from zero.
        row: usize,
        /// The parameter.
        name: &'static str,
        /// The value refused.
        value: f64,
        /// What is allowed.
        rule: &'static str,
    },
    /// A parameter that must be given.
    #[error("{kind} row {row}: {name} is missing")]
    Missing {
        /// The kind.
        kind: &'static str,
        /// The row's place among the rows of its kind.
        row: usize,
        /// The parameter.
        name: &'static str,
    },
    /// A particle index beyond the particles.
    #[error("{kind} row {row}: particle {index} does not exist ({count} particles)")]
    Index {
        /// The kind.
        kind: &'static str,
        /// The row's place among the rows of its kind.
        row: usize,
        /// The index refused.
        index: u32,
        /// How many particles there are.
        count: usize,
    },
    /// A row that names one particle twice.
    #[error("{kind} row {row}: particle {index} is named twice")]
    Twice {
        /// The kind.
        kind: &'static str,
        /// The row's place among the rows of its kind.
        row: usize,
        /// The particle.
        index: u32,
    },
    /// A surface with edges that it cannot have.
    #[error("{kind} row {row}: {count} edges {what}")]
    Surface {
        /// The kind.
        kind: &'static str,
        /// The row's place among the rows of its kind.
        row: usize,
        /// How many edges.
        count: usize,
        /// What they are, and what the surface must be.
        what: &'static str,
    },
    /// Columns of particles that do not match.
    #[error("{place}: {found} entries for {expected} particles")]
    Length {
        /// Which column.
        place: &'static str,
        /// How many it has.
        found: usize,
        /// How many particles there are.
        expected: usize,
    },
    /// A name that is not known.
    #[error("unknown {what} `{name}`; {known}")]
    Unknown {
        /// What was named: a method, a scene, a setting.
        what: &'static str,
        /// The name.
        name: String,
        /// The name that may be meant, and those that exist.
        known: String,
    },
    /// Threads that the system refuses.
    #[error("the system refuses {threads} threads: {what}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system says.
        what: String,
    },
    /// A coloring that is not one: two rows of a color share a particle, or a row is missing or twice.
    #[error("not a coloring: {0}")]
    Coloring(String),
}

/// Why a checkpoint cannot be written, read or taken up.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The system does not take or give the bytes.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The file is something else.
    #[error("not a checkpoint")]
    Foreign,
    /// The file is laid out as another version of the crate does it.
    #[error("a checkpoint of format {0}, which this version cannot read")]
    Format(u64),
    /// The file ends too early.
    #[error("the checkpoint is cut short")]
    Truncated,
    /// The file's content is not what was written.
    #[error("the checkpoint is damaged: its content does not agree with its checksum or lengths")]
    Damaged,
    /// It was written by another version of the crate, or of another model.
    #[error("a checkpoint of another {what}: {saved}, not {here}")]
    Other {
        /// What differs.
        what: &'static str,
        /// Of the checkpoint.
        saved: String,
        /// Of this program or model.
        here: String,
    },
    /// A part of the state is not one of this model.
    #[error("a checkpoint of another model: its {0} do not fit")]
    Section(String),
}

/// A number as a message shows it: short, however large or small.
pub(crate) struct Shown(pub(crate) f64);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            v if v.abs() >= 1e16 || (v != 0.0 && v.abs() < 1e-6) => write!(f, "{v:e}"),
            v => write!(f, "{v}"),
        }
    }
}

/// What is wrong with a value: its name, the value and the rule.
pub(crate) type Flaw = (&'static str, f64, &'static str);

impl ModelError {
    /// A [`Value`](ModelError::Value) that is refused.
    pub fn value(place: impl Into<String>, value: f64, rule: &'static str) -> Self {
        Self::Value { place: place.into(), value, rule }
    }

    /// A [`Row`](ModelError::Row) that is refused.
    pub(crate) fn row(kind: &'static str, row: usize, (name, value, rule): Flaw) -> Self {
        Self::Row { kind, row, name, value, rule }
    }

    /// An [`Unknown`](ModelError::Unknown) name, quoted at most 60 characters long, with the names that exist and the one
    /// that may be meant.
    pub fn unknown<'a>(
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let plain: String = name.chars().take(60).collect();
        let known: Vec<&str> = known.into_iter().collect();
        let known = match (known.len() > MOST_LISTED, nearest(&plain, &known)) {
            (true, Some(meant)) => format!("meant `{meant}`? {} {what}s", known.len()),
            (true, None) => format!("{} {what}s", known.len()),
            (false, _) => list(&plain, &known),
        };
        Self::Unknown { what, known, name: plain.escape_debug().to_string() }
    }
}

/// Of more names than this only the one that may be meant is told, and how many there are.
const MOST_LISTED: usize = 48;

/// The name that `name` may mean, and all `known` ones, a blank between them.
pub(crate) fn list(name: &str, known: &[&str]) -> String {
    let listed = known.join(" ");
    match nearest(name, known) {
        Some(meant) => format!("meant `{meant}`? known: {listed}"),
        None => format!("known: {listed}"),
    }
}

/// The known name that differs from `name` by a third of its letters or less: replaced, left out, added or swapped.
#[cfg(feature = "files")]
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let distance = |one: &&str| strsim::osa_distance(name, one);
    let nearest = known.iter().copied().min_by_key(distance)?;
    (3 * distance(&nearest) <= nearest.len()).then_some(nearest)
}

/// Names are typed in files and on the command line only.
#[cfg(not(feature = "files"))]
fn nearest<'a>(_: &str, _: &[&'a str]) -> Option<&'a str> {
    None
}

/// Refuses a row that names a particle beyond `count`, or one twice.
pub(crate) fn check_row(
    kind: &'static str,
    row: usize,
    particles: &[u32],
    count: usize,
) -> Result<(), ModelError> {
    for (slot, &index) in particles.iter().enumerate() {
        if index as usize >= count {
            return Err(ModelError::Index { kind, row, index, count });
        }
        if particles[..slot].contains(&index) {
            return Err(ModelError::Twice { kind, row, index });
        }
    }
    Ok(())
}

/// `value` as a finite f32 of at least `least`, or the error of `place`.
pub fn checked(place: impl FnOnce() -> String, value: f64, least: f64) -> Result<f32, ModelError> {
    match violation(value, least) {
        None => Ok(value as f32),
        Some(rule) => Err(ModelError::value(place(), value, rule)),
    }
}

/// Why a vector of a length is no direction, if so.
pub(crate) fn direction_flaw(length: f64) -> Option<&'static str> {
    match length as f32 {
        0.0 => Some("the vector has no length"),
        length if length.is_finite() => None,
        _ => Some("the vector's length must be finite in f32"),
    }
}

/// Refuses values by that name of which one is no finite f32 of at least `least`.
pub(crate) fn check_numbers(name: &'static str, values: &[f64], least: f64) -> Result<(), Flaw> {
    let broken = values.iter().find_map(|&v| Some((name, v, violation(v, least)?)));
    broken.map_or(Ok(()), Err)
}

/// Why `value` is no finite f32 of at least `least`, if so.
pub fn violation(value: f64, least: f64) -> Option<&'static str> {
    if !(value as f32).is_finite() {
        Some("must be finite in f32")
    } else if value < least {
        Some(if least == 0.0 { "must not be negative" } else { "too small" })
    } else {
        None
    }
}
