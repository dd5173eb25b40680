//! Rows as authored: one set per kind and class of response.

use super::strength::{ResponseKind, Strength, convert};
use crate::constraints::{self, Constraint, Given, Row};
use crate::error::ModelError;
use crate::math::Vec3;
use crate::settings::Settings;

/// The rows of kind `C` and one class.
pub(crate) struct RowSet<C, const N: usize, const P: usize, const K: usize> {
    kind: std::marker::PhantomData<C>,
    pub(super) class: ResponseKind,
    pub(super) particles: Vec<[u32; N]>,
    pub(super) params: Vec<[f32; P]>,
    /// Stiffness k or compliance α of each row.
    strength: Vec<f32>,
    /// Damping β of each row; empty unless the class is damped.
    damping: Vec<f32>,
}

impl<C, const N: usize, const P: usize, const K: usize> RowSet<C, N, P, K>
where
    C: Constraint<N, P, K>,
{
    pub(crate) fn new(class: ResponseKind) -> Self {
        Self {
            kind: std::marker::PhantomData,
            class,
            particles: Vec::new(),
            params: Vec::new(),
            strength: Vec::new(),
            damping: Vec::new(),
        }
    }

    /// Adds a row; `x` are its rest positions, `given` what the author says of its parameters.
    pub(crate) fn push(
        &mut self,
        particles: [u32; N],
        x: [Vec3<f64>; N],
        given: [Option<f64>; P],
        strength: Strength,
    ) -> Result<(), ModelError> {
        let row = self.particles.len();
        let refuse = |(name, value, rule)| ModelError::Row {
            kind: C::NAME,
            row,
            name,
            value,
            rule,
        };
        for (param, value) in C::PARAMS.iter().zip(given) {
            match value.map(|value| (value, param.range.refusal(value))) {
                Some((value, _)) if param.given == Given::Derived => {
                    return Err(refuse((param.name, value, "it is computed, not given")));
                }
                Some((value, Some(rule))) => return Err(refuse((param.name, value, rule))),
                _ => {}
            }
        }
        let params = C::rest(x, given).map_err(|r| refuse((r.name, r.value, r.rule)))?;
        let mut p = [0.0; P];
        for (i, param) in C::PARAMS.iter().enumerate() {
            let value = params[i].ok_or(ModelError::Missing {
                kind: C::NAME,
                row,
                name: param.name,
            })?;
            if let Some(rule) = param.range.refusal(value) {
                return Err(refuse((param.name, value, rule)));
            }
            p[i] = value as f32;
        }
        if strength == Strength::Material && !C::MATERIAL {
            return Err(ModelError::Missing {
                kind: C::NAME,
                row,
                name: "stiffness or compliance",
            });
        }
        let (value, damping) = strength.numbers(C::MATERIAL).map_err(refuse)?;
        self.particles.push(particles);
        self.params.push(p);
        self.strength.push(value as f32);
        self.damping.extend(damping.map(|beta| beta as f32));
        Ok(())
    }
}

impl<C, const N: usize, const P: usize, const K: usize> RowSet<C, N, P, K>
where
    C: Constraint<N, P, K>,
{
    /// The particles of a row, authored indices.
    #[inline]
    pub fn particles(&self, row: u32) -> [u32; N] {
        self.particles[row as usize]
    }

    /// The parameters of a row.
    #[inline]
    pub fn params(&self, row: u32) -> [f32; P] {
        self.params[row as usize]
    }

    /// What class `A` needs of a row.
    #[inline]
    pub(crate) fn numbers<A: constraints::Class>(&self, row: u32, settings: &Settings) -> [f64; 2] {
        let damping = self.damping.get(row as usize).copied().unwrap_or(0.0);
        let (_, strength) = self.response(row as usize, settings);
        let (h, iterations) = (settings.h(), settings.iterations);
        A::numbers(f64::from(strength), f64::from(damping), h, iterations)
    }

    /// ResponseKind and strength of a row under the settings' response.
    fn response(&self, row: usize, settings: &Settings) -> (ResponseKind, f32) {
        convert(settings.response, self.class, self.strength[row])
    }

    /// The class of all rows under the settings' response.
    pub(crate) fn class_in(&self, settings: &Settings) -> ResponseKind {
        convert(settings.response, self.class, 1.0).0
    }

    /// The compliance of each equation of a row (m/N, or the kind's unit): zero for stiff rows.
    pub(super) fn compliance(&self, row: usize, settings: &Settings) -> [f64; K] {
        match self.response(row, settings) {
            (ResponseKind::Stiff, _) => [0.0; K],
            (ResponseKind::Compliant | ResponseKind::Damped, alpha) => [f64::from(alpha); K],
            (ResponseKind::Material, _) => {
                C::compliance(self.params[row].map(f64::from)).expect("a material's row")
            }
        }
    }
}

impl<C, const N: usize, const P: usize, const K: usize> RowSet<C, N, P, K>
where
    C: Constraint<N, P, K>,
{
    pub(super) fn evaluate(&self, row: usize, positions: &[[f32; 3]]) -> [Row<f64, N>; K] {
        let x = self.particles[row].map(|i| Vec3::of(positions[i as usize].map(f64::from)));
        C::evaluate(x, self.params[row].map(f64::from))
    }
}
