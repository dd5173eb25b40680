//! Row sets with their types taken off: packed for lanes or put in an order, measured in a state.

use super::batch::{Batch, pack_rows};
use super::packing::Packing;
use super::row_set::{RowOrder, RowSet};
use super::scalar_rows::scalar_rows;
use super::stiffness::{ResponseKind, RowNumbers};
use super::width::is_sixteen;
use crate::coloring::{Coloring, Permutation, RowList};
use crate::constraints::{self, Compliant, Constraint, Damped, Material, Row, Stiff};
use crate::math::Real;
use crate::settings::Settings;
use crate::state::OneLane;
use crate::threads::Team;
use std::any::Any;
use std::ops::Range;

/// Running sums over rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// Σ r² with r = |C + α/h² λ| / |∇C| (m²).
    pub squares: f64,
    /// The largest r (m).
    pub largest: f64,
    /// Equations counted.
    pub count: usize,
    /// Equations that do not hold and get no correction: in f32 they have no gradient, or one that overflows.
    pub degenerate: usize,
}

impl Residual {
    /// Adds one equation: C + α/h² λ, and |∇C|.
    pub(crate) fn add(&mut self, error: f64, gradient: f64) {
        // Without a gradient there is no direction to measure along: C itself is what is wrong.
        let scale = if gradient > 0.0 { gradient } else { 1.0 };
        let r = (error.abs() / scale).or_infinite();
        self.squares += r * r;
        self.largest = self.largest.max(r);
        self.count += 1;
    }

    /// Adds the sums over other rows.
    pub(crate) fn add_all(&mut self, other: &Self) {
        self.squares += other.squares;
        self.largest = self.largest.max(other.largest);
        self.count += other.count;
        self.degenerate += other.degenerate;
    }
}

/// A row set with its types taken off.
pub(crate) trait AnyRows: Any + Send + Sync {
    /// The kind.
    fn name(&self) -> &'static str;
    /// The response kind all its rows belong to.
    fn response_kind(&self) -> ResponseKind;
    /// The number of rows.
    fn len(&self) -> usize;
    /// How many equations a row is.
    fn equations(&self) -> usize;
    /// The particles of all rows, authored indices.
    fn row_list(&self) -> RowList<'_>;
    /// Whether its corrections change neither momentum.
    fn is_internal(&self) -> bool;
    /// Whether they are of C >= 0.
    fn is_inequality(&self) -> bool;
    /// Stiffness k or compliance α of each row, and damping β, where there is any.
    fn stiffness_lists(&self) -> [&RowNumbers; 2];
    /// The parameters of all rows, one row after another; empty for kinds without parameters.
    fn param_list(&self) -> &[f32];
    /// The rows packed for the lanes by the calling thread alone. `structured`: the permutation was made for runs.
    fn pack(
        &self,
        coloring: &Coloring,
        permutation: &Permutation,
        structured: bool,
        settings: &Settings,
    ) -> Box<dyn Batch<f32>> {
        let team = &Team::alone();
        self.pack_by(&Packing { coloring, permutation, copies: None, structured, settings, team })
    }
    /// The rows packed for the lanes.
    fn pack_by(&self, packing: &Packing) -> Box<dyn Batch<f32>>;
    /// The rows one at a time, in a given order.
    fn in_order(&self, order: RowOrder, settings: &Settings) -> Box<dyn Batch<f32>>;
    /// The same in f64.
    #[cfg(test)]
    fn in_order_f64(&self, order: RowOrder, settings: &Settings) -> Box<dyn Batch<f64>>;
    /// Adds |C + α/h² λ| / |∇C| of some rows at `positions` (m), in f64; `lambda` of all rows as [`Batch::multipliers`] gives
    /// it. An inequality counts only where it is violated.
    fn add_residual(
        &self,
        rows: Range<usize>,
        positions: &[[f32; 3]],
        lambda: &[f32],
        settings: &Settings,
        sum: &mut Residual,
    );
    /// Σ C² / 2α over those of some rows with α > 0 (J).
    fn elastic_energy(
        &self,
        rows: Range<usize>,
        positions: &[[f32; 3]],
        settings: &Settings,
    ) -> f64;
    /// Rows made of these: of each the one that it is made of, and the particles that it has, row after row.
    fn remade(&self, of: &[u32], particles: &[u32]) -> Box<dyn AnyRows>;
}

/// A number that scalar loops are run in.
pub(crate) trait RowElement: OneLane {
    /// The rows of a set one at a time, in a given order.
    fn in_order(set: &dyn AnyRows, order: RowOrder, settings: &Settings) -> Box<dyn Batch<Self>>;
}

impl RowElement for f32 {
    fn in_order(set: &dyn AnyRows, order: RowOrder, settings: &Settings) -> Box<dyn Batch<f32>> {
        set.in_order(order, settings)
    }
}

#[cfg(test)]
impl RowElement for f64 {
    fn in_order(set: &dyn AnyRows, order: RowOrder, settings: &Settings) -> Box<dyn Batch<f64>> {
        set.in_order_f64(order, settings)
    }
}

/// The set's own type back.
pub(crate) fn typed_mut<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
    set: &mut dyn AnyRows,
) -> &mut RowSet<C, N, P, K> {
    (set as &mut dyn Any).downcast_mut().expect("a set of this kind")
}

/// Whether a set is of kind `C`, and its rows respond so.
pub(crate) fn is_of<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
    set: &dyn AnyRows,
    response_kind: ResponseKind,
) -> bool {
    (set as &dyn Any).is::<RowSet<C, N, P, K>>() && set.response_kind() == response_kind
}

/// Does `$make::<$response, ..>` for the response type that rows have under the settings' response.
macro_rules! for_response {
    ($self:ident, $settings:ident, |$response:ident| $make:expr) => {{
        if C::MATERIAL {
            type $response = Material;
            $make
        } else {
            match $self.response_kind_in($settings) {
                ResponseKind::Stiff => {
                    type $response = Stiff;
                    $make
                }
                ResponseKind::Compliant => {
                    type $response = Compliant;
                    $make
                }
                ResponseKind::Damped => {
                    type $response = Damped;
                    $make
                }
                ResponseKind::Material => unreachable!("refused when the row was added"),
            }
        }
    }};
}

impl<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize> RowSet<C, N, P, K> {
    fn in_order<E: OneLane>(&self, order: RowOrder, settings: &Settings) -> Box<dyn Batch<E>> {
        for_response!(self, settings, |A| scalar_rows::<A, C, E, N, P, K>(self, order, settings))
    }
}

impl<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize> AnyRows
    for RowSet<C, N, P, K>
{
    fn name(&self) -> &'static str {
        C::NAME
    }

    fn response_kind(&self) -> ResponseKind {
        self.response_kind
    }

    fn len(&self) -> usize {
        self.particles.len()
    }

    fn equations(&self) -> usize {
        K
    }

    fn row_list(&self) -> RowList<'_> {
        RowList { particles: self.particles.as_flattened(), arity: N }
    }

    fn is_internal(&self) -> bool {
        C::INTERNAL
    }

    fn is_inequality(&self) -> bool {
        C::SENSE == constraints::Sense::Inequality
    }

    fn stiffness_lists(&self) -> [&RowNumbers; 2] {
        [&self.stiffness, &self.damping]
    }

    fn param_list(&self) -> &[f32] {
        self.params.as_flattened()
    }

    fn pack_by(&self, packing: &Packing) -> Box<dyn Batch<f32>> {
        let settings = packing.settings;
        let sixteen = packing.structured && is_sixteen(settings);
        for_response!(self, settings, |A| pack_rows::<A, C, N, P, K>(self, packing, sixteen))
    }

    fn in_order(&self, order: RowOrder, settings: &Settings) -> Box<dyn Batch<f32>> {
        self.in_order(order, settings)
    }

    #[cfg(test)]
    fn in_order_f64(&self, order: RowOrder, settings: &Settings) -> Box<dyn Batch<f64>> {
        self.in_order(order, settings)
    }

    fn add_residual(
        &self,
        rows: Range<usize>,
        positions: &[[f32; 3]],
        lambda: &[f32],
        settings: &Settings,
        sum: &mut Residual,
    ) {
        let lambda = &lambda[K * rows.start..K * rows.end];
        for (row, lambda) in rows.zip(lambda.chunks_exact(K)) {
            sum.degenerate += self.degenerate(row, positions);
            let rows = self.evaluate(row, positions).into_iter();
            for ((Row { c, g, n }, alpha), &lambda) in
                rows.zip(self.compliance(row, settings)).zip(lambda)
            {
                let alpha = constraints::per_substep(alpha, settings.h());
                let gradient = g.iter().map(|g| g.dot(*g)).sum::<f64>().sqrt() / n;
                let violated = C::SENSE == constraints::Sense::Equality || c < 0.0 || c.is_nan();
                let error = if alpha > 0.0 { c + alpha * f64::from(lambda) } else { c };
                sum.add(if violated { error } else { 0.0 }, gradient);
            }
        }
    }

    fn elastic_energy(
        &self,
        rows: Range<usize>,
        positions: &[[f32; 3]],
        settings: &Settings,
    ) -> f64 {
        let energy = |(row, alpha): (Row<f64, N>, f64)| {
            let c = match C::SENSE {
                constraints::Sense::Equality => row.c,
                constraints::Sense::Inequality => row.c.min(0.0),
            };
            if alpha > 0.0 { c * c / (2.0 * alpha) } else { 0.0 }
        };
        let element = |row: usize| -> f64 {
            let rows = self.evaluate(row, positions).into_iter();
            rows.zip(self.compliance(row, settings)).map(energy).sum()
        };
        rows.map(element).sum()
    }

    fn remade(&self, of: &[u32], particles: &[u32]) -> Box<dyn AnyRows> {
        let mut rows = Self::new(self.response_kind);
        rows.particles = particles.as_chunks().0.to_vec();
        rows.params = of.iter().map(|&row| self.params[row as usize]).collect();
        for &row in of {
            self.stiffness.get(row as usize).into_iter().for_each(|k| rows.stiffness.push(k));
            self.damping.get(row as usize).into_iter().for_each(|beta| rows.damping.push(beta));
        }
        Box::new(rows)
    }
}

/// Rows of one kind and response kind, as authored.
#[derive(Clone, Copy, Debug)]
pub struct RowView<'a> {
    /// The kind.
    pub kind: &'static str,
    /// How they respond.
    pub response: ResponseKind,
    /// The particles of each row, authored indices.
    pub particles: RowList<'a>,
    /// The parameters of each row, one row after another.
    pub params: &'a [f32],
}
