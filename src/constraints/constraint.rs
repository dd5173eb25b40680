//! What a constraint is: its equations, and nothing of how they are solved.

use super::{Param, ValidationError};
use crate::math::{Real, Vec3};

/// Whether a constraint holds from both sides or from one (S1-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// C = 0.
    Equality,
    /// C >= 0: projected only where it is violated.
    Inequality,
}

/// How the K rows of one element are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solve {
    /// One after another, each evaluated where the one before left the particles.
    Rows,
    /// Together: (J M⁻¹ Jᵀ + α̃) Δλ = -C - α̃ λ as one K x K system. For equalities only.
    Block,
}

/// One scalar equation on N points: its value and gradient.
///
/// A degenerate geometry has a finite `c`, and `n` and every `g` zero: no response then moves anything.
#[derive(Clone, Copy, Debug)]
pub struct Row<R, const N: usize> {
    /// C(x).
    pub c: R,
    /// The gradient of C with respect to each point, times [`n`](Row::n).
    pub g: [Vec3<R>; N],
    /// The gradient's common scale, ∇C = g / n: one unless it saves a division (distance returns its length, which makes
    /// the projection 1.2-1.85x faster). Never negative.
    pub n: R,
}

/// A kind of constraint: K equations on N points with P parameters.
///
/// K rows on the same particles are one element: loaded once, solved in registers, stored once, counted as one constraint.
pub trait Constraint<const N: usize, const P: usize, const K: usize = 1>:
    Send + Sync + 'static
{
    /// The kind's word in scene files, on the command line and in bench ids.
    const NAME: &'static str;
    /// C in one line, for `taut list`.
    const EQUATION: &'static str;
    /// The parameters, in the order [`evaluate`](Constraint::evaluate) takes them.
    const PARAMS: [Param; P];
    /// Equality unless said otherwise.
    const SENSE: Sense = Sense::Equality;
    /// One row after another unless said otherwise.
    const SOLVE: Solve = Solve::Rows;
    /// Whether the material sets the [`compliance`](Constraint::compliance), so that an author's stiffness and compliance
    /// are refused. A constant, so that no code is made for responses that a kind cannot have.
    const MATERIAL: bool = false;

    /// Whether each gradient is as long as the scale [`n`](Row::n), as of the distance of two points: the projection then needs one
    /// square.
    const PAIR: bool = false;

    /// Whether `kinds!` registers it: the kernels of such kinds are compiled with the engine, not by each crate that adds rows of them.
    #[doc(hidden)]
    const REGISTERED: bool = false;

    /// Whether C depends on nothing but where the points are from each other: corrections then change neither momentum. Unless
    /// said otherwise, where there is more than one point.
    const INTERNAL: bool = N > 1;

    /// C and its gradient at the points `x` with parameters `p`.
    fn evaluate<R: Real>(x: [Vec3<R>; N], p: [R; P]) -> [Row<R, N>; K];

    /// The compliance of each row where the material sets it, not the author: `Some` just where [`MATERIAL`](Self::MATERIAL).
    #[inline(always)]
    fn compliance<R: Real>(_p: [R; P]) -> Option<[R; K]> {
        None
    }

    /// Fills the parameters left out from the rest positions; what stays `None` is refused as missing. What is given lies
    /// in its range, but some of it may be missing.
    ///
    /// # Errors
    /// A rest state that the kind cannot take, such as an element without volume.
    fn rest(
        _x: [Vec3<f64>; N],
        given: [Option<f64>; P],
    ) -> Result<[Option<f64>; P], ValidationError> {
        Ok(given)
    }
}

/// Something done once for every registered kind: a test, a bench, a table, the scene reader.
pub trait Visitor {
    /// Called with each kind as the type parameter.
    fn visit<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(&mut self);
}
