//! Rows as authored: one set per kind and response kind.

use super::stiffness::{ResponseKind, RowNumbers, Stiffness, convert, generic_numbers, spread};
use crate::coloring::Permutation;
use crate::constraints::{self, Constraint, Row, Sense, Source};
use crate::error::ModelError;
use crate::math::{Vec3, each};
use crate::mesh::point;
use crate::settings::Settings;

/// In which order, and where, rows are projected one at a time.
pub(crate) struct RowOrder<'a> {
    /// A permutation of the authored rows.
    pub(crate) rows: Vec<u32>,
    /// Where the particles lie.
    pub(crate) permutation: &'a Permutation,
}

/// The rows of kind `C` and one response kind.
pub(crate) struct RowSet<C, const N: usize, const P: usize, const K: usize> {
    kind: std::marker::PhantomData<C>,
    pub(super) response_kind: ResponseKind,
    pub(super) particles: Vec<[u32; N]>,
    pub(super) params: Vec<[f32; P]>,
    /// Stiffness k or compliance α of each row.
    pub(super) stiffness: RowNumbers,
    /// Damping β of each row; empty unless the response is damped.
    pub(super) damping: RowNumbers,
}

impl<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize> RowSet<C, N, P, K> {
    pub(crate) fn new(response_kind: ResponseKind) -> Self {
        Self {
            kind: std::marker::PhantomData,
            response_kind,
            particles: Vec::new(),
            params: Vec::new(),
            stiffness: RowNumbers::default(),
            damping: RowNumbers::default(),
        }
    }

    /// Adds a row; `x` are its rest positions, `given` what the author says of its parameters.
    pub(crate) fn push(
        &mut self,
        particles: [u32; N],
        x: [Vec3<f64>; N],
        given: [Option<f64>; P],
        stiffness: Stiffness,
    ) -> Result<(), ModelError> {
        let row = self.particles.len();
        let refuse = |flaw| ModelError::row(C::NAME, row, flaw);
        for (param, value) in C::PARAMS.iter().zip(given) {
            match value.map(|value| (value, param.range.violation(value))) {
                Some((value, _)) if param.given == Source::Derived => {
                    return Err(refuse((param.name, value, "it is computed, not given")));
                }
                Some((value, Some(rule))) => return Err(refuse((param.name, value, rule))),
                _ => {}
            }
        }
        let params = C::rest(x, given).map_err(|r| refuse((r.name, r.value, r.rule)))?;
        let mut p = [0.0; P];
        for (i, param) in C::PARAMS.iter().enumerate() {
            let value =
                params[i].ok_or(ModelError::Missing { kind: C::NAME, row, name: param.name })?;
            if let Some(rule) = param.range.violation(value) {
                return Err(refuse((param.name, value, rule)));
            }
            p[i] = value as f32;
        }
        if stiffness == Stiffness::Material && !C::MATERIAL {
            return Err(ModelError::Missing {
                kind: C::NAME,
                row,
                name: "stiffness or compliance",
            });
        }
        let (value, damping) = stiffness.numbers(C::MATERIAL).map_err(refuse)?;
        self.particles.push(particles);
        self.params.push(p);
        self.stiffness.push(value as f32);
        damping.into_iter().for_each(|beta| self.damping.push(beta as f32));
        Ok(())
    }
}

impl<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize> RowSet<C, N, P, K> {
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

    /// What response `A` needs of a row.
    #[inline]
    pub(crate) fn numbers<A: constraints::ResponseType>(
        &self,
        row: u32,
        settings: &Settings,
    ) -> [f64; 2] {
        let damping = self.damping.get(row as usize).unwrap_or(0.0);
        let (_, stiffness) = self.response(row as usize, settings);
        let (h, n) = (settings.h(), spread(settings));
        A::numbers(f64::from(stiffness), f64::from(damping), h, n)
    }

    /// Whether all rows have the same stiffness and damping.
    pub(crate) fn is_uniform(&self) -> bool {
        [&self.stiffness, &self.damping].iter().all(|of| matches!(of, RowNumbers::Same(..)))
    }

    /// α̃, γ and k' of a row, for a kernel of all response kinds.
    pub(crate) fn generic_numbers(&self, row: u32, settings: &Settings) -> [f64; 3] {
        let damping = self.damping.get(row as usize).unwrap_or(0.0);
        let (kind, stiffness) = self.response(row as usize, settings);
        generic_numbers(kind, stiffness, f64::from(damping), settings)
    }

    /// ResponseKind and stiffness of a row under the settings' response.
    fn response(&self, row: usize, settings: &Settings) -> (ResponseKind, f32) {
        let stiffness = self.stiffness.get(row).expect("a number for each row");
        convert(settings.response, self.response_kind, stiffness)
    }

    /// The response kind of all rows under the settings' response.
    pub(crate) fn response_kind_in(&self, settings: &Settings) -> ResponseKind {
        convert(settings.response, self.response_kind, 1.0).0
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

impl<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize> RowSet<C, N, P, K> {
    pub(super) fn evaluate(&self, row: usize, positions: &[[f32; 3]]) -> [Row<f64, N>; K] {
        let x = each(self.particles[row], |i| point(positions, i));
        C::evaluate(x, self.params[row].map(f64::from))
    }

    /// How many equations of a row do not hold and have no gradient in f32, or overflow; what overflows is known in f64.
    pub(super) fn degenerate(&self, row: usize, positions: &[[f32; 3]]) -> usize {
        let x = each(self.particles[row], |i| Vec3::from(positions[i as usize]));
        let rows = C::evaluate(x, self.params[row]);
        let slope = |row: &Row<f32, N>| row.g.iter().map(|g| g.dot(*g)).sum::<f32>();
        let known = |row: &Row<f32, N>| row.n > 0.0 && slope(row).is_finite() && row.c.is_finite();
        // Nearly all rows; what else there is to ask, in f64, costs more.
        if rows.iter().all(|row| known(row) && slope(row) > 0.0) {
            return 0;
        }
        let exact = x.map(Vec3::to_f64);
        let size = exact.iter().map(|v| (*v - exact[0]).length()).fold(0.0, f64::max);
        let is_degenerate = |(row, exact): &(Row<f32, N>, Row<f64, N>)| {
            let steep = exact.g.iter().map(|g| g.dot(*g)).sum::<f64>().sqrt();
            // At rest by all that f32 can tell; what is larger may have overflowed.
            let near = exact.c.abs() * exact.n <= 1e-6 * size * steep;
            let rests = size < 1e9 && steep > 0.0 && near;
            let c = match known(row) {
                true => f64::from(row.c),
                false if rests => 0.0,
                false => exact.c,
            };
            let holds = match C::SENSE {
                Sense::Equality => c == 0.0,
                Sense::Inequality => c >= 0.0,
            };
            !(holds || known(row) && slope(row) > 0.0)
        };
        rows.into_iter().zip(self.evaluate(row, positions)).filter(is_degenerate).count()
    }
}
