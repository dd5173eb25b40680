//! The values of scene files: numbers within bounds, whole numbers, vectors, words. Reading one checks it; the schema has
//! the same bounds.

use super::message::{Shown, refused};
use crate::error::ModelError;
use crate::materials::{MATERIALS, Material};
use crate::math::length;
use crate::state::CollisionFilter;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de::Error};
use std::borrow::Cow;

/// What a value is in the engine.
pub(super) trait Plain {
    type Plain;
    fn plain(self) -> Self::Plain;
}

/// Of what holds one value, this.
macro_rules! plain {
    ([$($generic:tt)*] $type:ty: $value:ty) => {
        impl<$($generic)*> Plain for $type {
            type Plain = $value;
            fn plain(self) -> $value {
                self.0
            }
        }
    };
}

macro_rules! numbers {
    ($($name:ident: $allowed:expr, $rule:literal, $schema:tt;)*) => {$(
        #[derive(Clone, Copy, Deserialize, JsonSchema)]
        #[serde(try_from = "f64")]
        #[schemars(inline, extend $schema)]
        pub(super) struct $name(f64);

        impl TryFrom<f64> for $name {
            type Error = String;
            fn try_from(v: f64) -> Result<Self, String> {
                let allowed: fn(f64) -> bool = $allowed;
                match (v as f32).is_finite() {
                    false => Err(refused(Shown(v), "must be finite in f32")),
                    true => allowed(v).then_some(Self(v)).ok_or_else(|| refused(Shown(v), $rule)),
                }
            }
        }
        plain!([] $name: f64);
    )*};
}

numbers! {
    Finite: |_| true, "", ();
    Positive: |v| v > 0.0, "must be positive", ("exclusiveMinimum" = 0);
    NotNegative: |v| v >= 0.0, "must not be negative", ("minimum" = 0);
    Fraction: |v| (0.0..=1.0).contains(&v), "must be in 0..1", ("minimum" = 0, "maximum" = 1);
    Relaxation: |v| v > 0.0 && v <= 2.0, "must be above 0 and at most 2", ("exclusiveMinimum" = 0, "maximum" = 2);
    Below1: |v| (0.0..1.0).contains(&v), "must be at least 0 and below 1", ("minimum" = 0, "exclusiveMaximum" = 1);
    Version: |v| v == 1.0, "this program reads version 1", ("const" = 1);
}

// A whole number, also as 1.0 or 1e1.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(try_from = "f64")]
#[schemars(inline, extend("type" = "integer", "minimum" = LEAST, "maximum" = MOST))]
pub(super) struct Whole<const LEAST: u32, const MOST: u32>(u32);

/// Categories: a sum of powers of two.
pub(super) type Categories = Whole<0, { u32::MAX }>;

impl<const LEAST: u32, const MOST: u32> TryFrom<f64> for Whole<LEAST, MOST> {
    type Error = String;
    fn try_from(v: f64) -> Result<Self, String> {
        let whole = v.fract() == 0.0 && (f64::from(LEAST)..=f64::from(MOST)).contains(&v);
        let rule = || format!("must be a whole number from {LEAST} to {MOST}");
        whole.then_some(Self(v as u32)).ok_or_else(|| refused(Shown(v), rule()))
    }
}

plain!([const LEAST: u32, const MOST: u32] Whole<LEAST, MOST>: u32);

// A particle, body, mesh or vertex by its place in its list, whose length `Place::index` knows. (No words for the schema.)
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(from = "f64")]
#[schemars(inline, extend("type" = "integer", "minimum" = 0, "maximum" = u32::MAX))]
pub(super) struct Index(f64);

impl From<f64> for Index {
    fn from(v: f64) -> Self {
        Self(v)
    }
}

plain!([] Index: f64);

// How many lanes.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(try_from = "f64")]
#[schemars(inline, extend("type" = "integer", "enum" = [8, 16]))]
pub(super) struct LaneCount(u32);

impl TryFrom<f64> for LaneCount {
    type Error = String;
    fn try_from(v: f64) -> Result<Self, String> {
        let known = [8, 16].into_iter().find(|lanes| f64::from(*lanes) == v);
        known.map(Self).ok_or_else(|| refused(Shown(v), "must be 8 or 16"))
    }
}

plain!([] LaneCount: u32);

/// What a category and a mask let touch.
pub(super) fn filter(category: Option<Categories>, mask: Option<Categories>) -> CollisionFilter {
    let all = CollisionFilter::default();
    CollisionFilter {
        category: category.plain().unwrap_or(all.category),
        mask: mask.plain().unwrap_or(all.mask),
    }
}

/// Three numbers.
pub(super) type Vector = [Finite; 3];

impl<T: Plain, const N: usize> Plain for [T; N] {
    type Plain = [T::Plain; N];
    fn plain(self) -> Self::Plain {
        self.map(T::plain)
    }
}

impl<T: Plain> Plain for Option<T> {
    type Plain = Option<T::Plain>;
    fn plain(self) -> Self::Plain {
        self.map(T::plain)
    }
}

impl Plain for bool {
    type Plain = bool;
    fn plain(self) -> bool {
        self
    }
}

/// A unit quaternion [x, y, z, w].
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(try_from = "[Finite; 4]")]
#[schemars(inline)]
pub(super) struct Rotation([Finite; 4]);

impl TryFrom<[Finite; 4]> for Rotation {
    type Error = String;
    fn try_from(q: [Finite; 4]) -> Result<Self, String> {
        match (length(&q.plain()) - 1.0).abs() < 1e-3 {
            true => Ok(Self(q)),
            false => Err(refused("a list of 4", "must be a unit quaternion [x, y, z, w]")),
        }
    }
}

impl Plain for Rotation {
    type Plain = [f64; 4];
    /// Of length 1.
    fn plain(self) -> [f64; 4] {
        let q = self.0.plain();
        q.map(|v| v / length(&q))
    }
}

/// Something that scene files name by a word.
pub(super) trait Word: Copy + 'static {
    /// What the words are for, in messages.
    const WHAT: &'static str;
    /// All of them, each with its word.
    fn all() -> Vec<(&'static str, Self)>;
}

/// A word of a list.
#[derive(Clone, Copy)]
pub(super) struct Named<T>(T);

impl<T> Plain for Named<T> {
    type Plain = T;
    fn plain(self) -> T {
        self.0
    }
}

impl<'de, T: Word> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = Cow::<str>::deserialize(deserializer)?;
        let all = T::all();
        let found = all.iter().find(|(name, _)| *name == word);
        let names = all.iter().map(|(name, _)| *name);
        let unknown = || D::Error::custom(ModelError::unknown(T::WHAT, &word, names));
        found.map(|(_, value)| Self(*value)).ok_or_else(unknown)
    }
}

impl<T: Word> JsonSchema for Named<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        T::WHAT.into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = T::all().into_iter().map(|(name, _)| name).collect();
        json_schema!({ "enum": names })
    }
}

/// Enumerations that know all their values and the word of each.
macro_rules! words {
    ($($type:ty: $what:literal;)*) => {$(
        impl Word for $type {
            const WHAT: &'static str = $what;
            fn all() -> Vec<(&'static str, Self)> {
                Self::ALL.into_iter().map(|value| (value.name(), value)).collect()
            }
        }
    )*};
}

words! {
    crate::solvers::Method: "method";
    crate::settings::ResponseMode: "response";
    crate::settings::JacobiMode: "jacobi";
    crate::settings::Rigid: "rigid";
    crate::settings::Gyro: "gyro";
    crate::settings::NonFinite: "nonfinite";
    crate::settings::Precision: "precision";
    crate::rigid::JointKind: "joint";
    crate::collision::Detect: "detect";
    crate::collision::Order: "order";
    crate::collision::Tangled: "tangled";
}

impl Word for &'static Material {
    const WHAT: &'static str = "material";
    fn all() -> Vec<(&'static str, Self)> {
        MATERIALS.iter().map(|material| (material.name, material)).collect()
    }
}
