//! Parameters: what a kind needs to be told, measures or derives, and in which range.

/// Where a parameter's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The author must give it.
    Required,
    /// Measured from the rest positions where the author leaves it out.
    Measured,
    /// Always computed from the rest positions and the other parameters: no scene file names it.
    Derived,
}

/// The values a parameter may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least value.
    pub least: f64,
    /// The largest value.
    pub most: f64,
    /// Whether `least` and `most` themselves are refused.
    pub open: bool,
    /// The range in words, for the refusal.
    pub rule: &'static str,
}

impl Range {
    /// Any finite number.
    pub const ANY: Range = Range {
        least: f64::NEG_INFINITY,
        most: f64::INFINITY,
        open: false,
        rule: "must be finite",
    };
    /// Zero or more.
    pub const NOT_NEGATIVE: Range =
        Range { least: 0.0, rule: "must not be negative", ..Range::ANY };
    /// More than zero.
    pub const POSITIVE: Range =
        Range { least: 0.0, open: true, rule: "must be positive", ..Range::ANY };

    /// More than `least` and less than `most`.
    pub const fn between(least: f64, most: f64, rule: &'static str) -> Self {
        Range { least, most, open: true, rule }
    }

    /// Why `value`, rounded to the `f32` it is kept as, is refused, if so.
    pub fn violation(&self, value: f64) -> Option<&'static str> {
        let v = f64::from(value as f32);
        let outside = v < self.least || v > self.most;
        if !v.is_finite() {
            Some("must be finite in f32")
        } else if outside || (self.open && (v == self.least || v == self.most)) {
            Some(self.rule)
        } else {
            None
        }
    }
}

/// A parameter of a kind: its name in scene files, unit and range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// The word in scene files.
    pub name: &'static str,
    /// Which component of a vector this is (0, 1, 2): the three stand in a row under one name, an array in scene files.
    pub axis: Option<u8>,
    /// The unit, for reports.
    pub unit: &'static str,
    /// The values allowed.
    pub range: Range,
    /// Whether it can be left out.
    pub given: Source,
}

impl Param {
    /// A rest length (m), measured where left out.
    pub const REST_LENGTH: Param =
        Param::new("rest_length", "m", Range::NOT_NEGATIVE, Source::Measured);

    /// A number.
    pub const fn new(name: &'static str, unit: &'static str, range: Range, given: Source) -> Self {
        Self { name, axis: None, unit, range, given }
    }

    /// A component of a vector that the author must give.
    pub const fn component(name: &'static str, unit: &'static str, axis: u8) -> Self {
        Self { axis: Some(axis), ..Self::new(name, unit, Range::ANY, Source::Required) }
    }

    /// Whether it is a word of scene files: derived ones are not, and a vector stands once, under its first component.
    pub fn is_authored(&self) -> bool {
        self.given != Source::Derived && self.axis.is_none_or(|axis| axis == 0)
    }

    /// A number that the kind computes for itself.
    pub const fn derived(name: &'static str, unit: &'static str) -> Self {
        Self::new(name, unit, Range::ANY, Source::Derived)
    }
}

/// A rest state that a kind cannot take: what of it, its value and what is allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValidationError {
    /// What is wrong: a parameter, `rest_area`, `rest_volume`.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// What is allowed.
    pub rule: &'static str,
}
