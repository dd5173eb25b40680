//! How strongly a row holds, as authored.

use crate::error::refusal;

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
pub enum Class {
    /// PBD.
    Stiff,
    /// XPBD.
    Compliant,
    /// XPBD with damping.
    Damped,
    /// XPBD with the material's compliance.
    Material,
}

/// Which response all rows have, for comparing PBD and XPBD on one scene. A material's rows keep their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Respond {
    /// As each row says.
    #[default]
    AsGiven,
    /// PBD: a compliance, with its damping, becomes stiffness 1.
    Pbd,
    /// XPBD: a stiffness becomes compliance 0, or no constraint where it is 0.
    Xpbd,
}

impl Respond {
    /// All of them.
    pub const ALL: [Respond; 3] = [Respond::AsGiven, Respond::Pbd, Respond::Xpbd];

    /// The word in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Self::AsGiven => "as given",
            Self::Pbd => "pbd",
            Self::Xpbd => "xpbd",
        }
    }

    /// The class and strength that a row of `class` and `strength` gets.
    pub(crate) fn convert(self, class: Class, strength: f32) -> (Class, f32) {
        match (self, class) {
            (Self::Pbd, Class::Compliant | Class::Damped) => (Class::Stiff, 1.0),
            (Self::Xpbd, Class::Stiff) if strength > 0.0 => (Class::Compliant, 0.0),
            (Self::Xpbd, Class::Stiff) => (Class::Compliant, f32::MAX),
            _ => (class, strength),
        }
    }
}

impl Strength {
    /// The class of rows this strength belongs to.
    pub fn class(self) -> Class {
        match self {
            Self::Stiffness(_) => Class::Stiff,
            Self::Compliance(_) => Class::Compliant,
            Self::Damped(..) => Class::Damped,
            Self::Material => Class::Material,
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
