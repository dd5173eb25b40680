//! How strongly a row holds, as authored.

use crate::error::refusal;
use crate::settings::Respond;

/// How strongly a row holds, as authored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strength {
    /// PBD stiffness k in 0..=1.
    Stiffness(f64),
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

/// The class and strength that a row of `class` and `strength` gets.
pub(crate) fn convert(
    response: Respond,
    class: ResponseKind,
    strength: f32,
) -> (ResponseKind, f32) {
    match (response, class) {
        (Respond::Pbd, ResponseKind::Compliant | ResponseKind::Damped) => {
            (ResponseKind::Stiff, 1.0)
        }
        (Respond::Xpbd, ResponseKind::Stiff) if strength > 0.0 => (ResponseKind::Compliant, 0.0),
        (Respond::Xpbd, ResponseKind::Stiff) => (ResponseKind::Compliant, f32::MAX),
        _ => (class, strength),
    }
}

impl Strength {
    /// The class of rows this strength belongs to.
    pub fn class(self) -> ResponseKind {
        match self {
            Self::Stiffness(_) => ResponseKind::Stiff,
            Self::Compliance(_) => ResponseKind::Compliant,
            Self::Damped(..) => ResponseKind::Damped,
            Self::Material => ResponseKind::Material,
        }
    }

    /// α or k, and β; or what of it is refused for a kind that `is_material` or not: its name, value and the rule.
    pub(crate) fn numbers(
        self,
        is_material: bool,
    ) -> Result<(f64, Option<f64>), (&'static str, f64, &'static str)> {
        let follows = "it follows from the material";
        let check = |name, value| match refusal(value, 0.0) {
            Some(rule) => Err((name, value, rule)),
            None => Ok(value),
        };
        match self {
            Self::Material => Ok((0.0, None)),
            Self::Stiffness(k) if is_material => Err(("stiffness", k, follows)),
            Self::Compliance(alpha) | Self::Damped(alpha, _) if is_material => {
                Err(("compliance", alpha, follows))
            }
            Self::Stiffness(k) if (0.0..=1.0).contains(&k) => Ok((k, None)),
            Self::Stiffness(k) => Err(("stiffness", k, "must be in 0..1")),
            Self::Compliance(alpha) => Ok((check("compliance", alpha)?, None)),
            Self::Damped(alpha, beta) => {
                Ok((check("compliance", alpha)?, Some(check("damping", beta)?)))
            }
        }
    }
}
