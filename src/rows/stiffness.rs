//! How strongly a row holds, as authored.

use crate::constraints::{Compliant, Damped, Material, ResponseType as _, Stiff};
use crate::error::{Flaw, violation};
use crate::settings::{ResponseMode, Settings};

/// How strongly a row holds, as authored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stiffness {
    /// PBD stiffness k in 0..=1.
    Factor(f64),
    /// XPBD compliance α >= 0 (m/N, or the kind's unit).
    Compliance(f64),
    /// XPBD compliance α and damping β >= 0 (N s/m).
    Damped(f64, f64),
    /// As the kind's material says (`neo_hookean`): no stiffness, compliance or damping of the author's.
    Material,
}

/// The kind of response a set's rows share, so that none carries a column it does not need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseKind {
    /// PBD.
    Stiff,
    /// XPBD.
    Compliant,
    /// XPBD with damping.
    Damped,
    /// XPBD with the material's compliance.
    Material,
}

/// The response kind and stiffness that a row of `response_kind` and `stiffness` gets.
pub(crate) fn convert(
    response: ResponseMode,
    response_kind: ResponseKind,
    stiffness: f32,
) -> (ResponseKind, f32) {
    match (response, response_kind) {
        (ResponseMode::Pbd, ResponseKind::Compliant | ResponseKind::Damped) => {
            (ResponseKind::Stiff, 1.0)
        }
        (ResponseMode::Xpbd, ResponseKind::Stiff) if stiffness > 0.0 => {
            (ResponseKind::Compliant, 0.0)
        }
        (ResponseMode::Xpbd, ResponseKind::Stiff) => (ResponseKind::Compliant, f32::MAX),
        _ => (response_kind, stiffness),
    }
}

/// The projections that a stiffness is spread over: n of k' = 1 - (1-k)^(1/n).
pub(super) fn spread(settings: &Settings) -> u32 {
    if settings.plain_stiffness { 1 } else { settings.iterations }
}

/// α̃, γ and k' of a [`GenericResponse`](crate::constraints::GenericResponse), from a response kind, k or α, and β.
pub(crate) fn generic_numbers(
    kind: ResponseKind,
    value: f32,
    beta: f64,
    settings: &Settings,
) -> [f64; 3] {
    let (value, h, n) = (f64::from(value), settings.h(), spread(settings));
    let compliant = |[alpha, gamma]: [f64; 2]| [alpha, gamma, -1.0];
    match kind {
        ResponseKind::Stiff => [0.0, 0.0, Stiff::numbers(value, beta, h, n)[0]],
        ResponseKind::Compliant => compliant(Compliant::numbers(value, beta, h, n)),
        ResponseKind::Damped => compliant(Damped::numbers(value, beta, h, n)),
        ResponseKind::Material => compliant(Material::numbers(value, beta, h, n)),
    }
}

/// A number of each row; a single one as long as all are the same, as in most large models.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RowNumbers {
    /// One for so many rows.
    Same(f32, usize),
    /// Each row's own.
    Each(Vec<f32>),
}

impl Default for RowNumbers {
    /// Of no rows.
    fn default() -> Self {
        Self::Same(0.0, 0)
    }
}

impl RowNumbers {
    /// Adds a row's.
    pub(super) fn push(&mut self, value: f32) {
        match self {
            Self::Each(values) => values.push(value),
            Self::Same(_, 0) => *self = Self::Same(value, 1),
            Self::Same(one, rows) if one.to_bits() == value.to_bits() => *rows += 1,
            Self::Same(one, rows) => {
                let mut values = vec![*one; *rows];
                values.push(value);
                *self = Self::Each(values);
            }
        }
    }

    /// A row's; none where the rows have none.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> Option<f32> {
        match self {
            Self::Same(one, rows) => (row < *rows).then_some(*one),
            Self::Each(values) => values.get(row).copied(),
        }
    }

    /// Those of all rows.
    pub(crate) fn iter(&self) -> impl Iterator<Item = f32> {
        (0..).map_while(|row| self.get(row))
    }
}

impl Stiffness {
    /// The response kind of rows this stiffness belongs to.
    pub fn response_kind(self) -> ResponseKind {
        match self {
            Self::Factor(_) => ResponseKind::Stiff,
            Self::Compliance(_) => ResponseKind::Compliant,
            Self::Damped(..) => ResponseKind::Damped,
            Self::Material => ResponseKind::Material,
        }
    }

    /// α or k, and β; or what of it is refused for a kind that `is_material` or not: its name, value and the rule.
    pub(crate) fn numbers(self, is_material: bool) -> Result<(f64, Option<f64>), Flaw> {
        let follows = "it follows from the material";
        let check = |name, value| match violation(value, 0.0) {
            Some(rule) => Err((name, value, rule)),
            None => Ok(value),
        };
        match self {
            Self::Material => Ok((0.0, None)),
            Self::Factor(k) if is_material => Err(("stiffness", k, follows)),
            Self::Compliance(alpha) | Self::Damped(alpha, _) if is_material => {
                Err(("compliance", alpha, follows))
            }
            Self::Factor(k) if (0.0..=1.0).contains(&k) => Ok((k, None)),
            Self::Factor(k) => Err(("stiffness", k, "must be in 0..1")),
            Self::Compliance(alpha) => Ok((check("compliance", alpha)?, None)),
            Self::Damped(alpha, beta) => {
                Ok((check("compliance", alpha)?, Some(check("damping", beta)?)))
            }
        }
    }
}
