//! Neo-Hookean: a tetrahedron of an elastic material of Young's modulus E and Poisson's ratio ν.
//!
//! The energy is that of Macklin and Müller, *A Constraint-based Formulation of Stable Neo-Hookean Materials*, 2021, with
//! the Lamé numbers matched to linear elasticity (Smith et al., *Stable Neo-Hookean Flesh Simulation*, 2018, section 3.4),
//! J = det F, V the rest volume, µ = E / 2(1 + ν), λ = 2µν / (1 - 2ν):
//!
//! ```text
//! Ψ / V = µ/2 (|F|² - 3) - µ (J - 1) + (λ + µ)/2 (J - 1)²  =  µ/2 C_D² + λ/2 C_H²
//! C_D² = |F|² - 3 - 2 (J - 1) + β (J - 1)²,   C_H = J - 1,   β = 1,   α_D = 1 / µV,   α_H = 1 / λV
//! ```
//!
//! Both rows vanish at rest, so it has no stress, energy or residual. The paper's own split, C_D = |F| and
//! C_H = J - 1 - µ/(λ + µ), holds the same energy by two rows that pull against each other: at rest a tetrahedron of 0.1 m
//! trembled at 9 m/s (E = 1e5, h = 1/60) or flew apart (E = 1e9, h = 1/1200), against 2e-3 m/s at most up to E = 1e11 here.
//! With the strain G = Fᵀ F - 1 and its second and third invariants, C_D² = (1 + β) (J - 1)² - I₂(G) - I₃(G): differences
//! of small numbers, which f32 holds.
//!
//! Of auxetic materials (ν < 0, λ < 0) β = 1 + λ/µ and α_H is next to infinite: the same energy; crushed flat, it does not recover.
//! Units: E in Pa, C pure numbers, α in 1/(N m); the block is solved as one (S4-14). The deviatoric row's scale is C_D:
//! a rest shape gets no correction, nor does one crushed to a point. A rest tetrahedron without volume is refused, as are
//! stiffness, compliance and damping.

use super::{Constraint, Param, Range, Row, Solve, Source, ValidationError, element};
use crate::math::{Real, Vec3};

/// The least λ / µ of the hydrostatic row. Of zero its steps would be too small for normal numbers of f32, which takes an Intel
/// processor several times as long; of this they do as little.
const LEAST: f64 = 1e-10;

/// µ/2 C_D² + λ/2 C_H² over the rest volume.
#[derive(Clone, Copy, Debug)]
pub struct NeoHookean;

impl NeoHookean {
    /// The parameters of a material: `young` (Pa), `poisson` in (-1, 0.5).
    pub fn material(young: f64, poisson: f64) -> [Option<f64>; 11] {
        let mut p = [None; 11];
        (p[0], p[1]) = (Some(young), Some(poisson));
        p
    }
}

impl Constraint<4, 11, 2> for NeoHookean {
    const REGISTERED: bool = true;
    const NAME: &'static str = "neo_hookean";
    const EQUATION: &'static str = "sqrt(|F|^2 + J^2 - 4 J) = 0, J - 1 = 0";
    const PARAMS: [Param; 11] = {
        let rest = Param::derived("inverse_rest", "1/m");
        [
            Param::new("young", "Pa", Range::POSITIVE, Source::Required),
            Param::new(
                "poisson",
                "1",
                Range::between(-1.0, 0.5, "must lie between -1 and 0.5"),
                Source::Required,
            ),
            rest,
            rest,
            rest,
            rest,
            rest,
            rest,
            Param::derived("deviatoric compliance", "1/(N m)"),
            Param::derived("hydrostatic compliance", "1/(N m)"),
            Param::derived("beta", "1"),
        ]
    };
    const SOLVE: Solve = Solve::Block;
    const MATERIAL: bool = true;

    #[inline(always)]
    fn evaluate<R: Real>(x: [Vec3<R>; 4], p: [R; 11]) -> [Row<R, 4>; 2] {
        let [_, _, q @ .., _, _, beta] = p;
        let one = R::of(1.0);
        let f = element::tetrahedron_columns(x, q);
        let cofactor = [f[1].cross(f[2]), f[2].cross(f[0]), f[0].cross(f[1])];
        // Where its square overflows so does its gradient: such a shape gets no correction.
        let j = f[0].dot(cofactor[0]) - one;
        let j = R::select((j * j).lt(R::huge()), j, R::zero());
        // Fᵀ F - 1, its minors of the first row, and its second and third invariants.
        let square = |i: usize| f[i].dot(f[i]) - one;
        let (g00, g11, g22) = (square(0), square(1), square(2));
        let (g01, g02, g12) = (f[0].dot(f[1]), f[0].dot(f[2]), f[1].dot(f[2]));
        let m00 = g11 * g22 - g12 * g12;
        let m01 = g01 * g22 - g12 * g02;
        let m02 = g01 * g12 - g11 * g02;
        let second = m00 + (g00 * g22 - g02 * g02) + (g00 * g11 - g01 * g01);
        let third = g00 * m00 - g01 * m01 + g02 * m02;
        let squared = (one + beta) * (j * j) - second - third;
        let c = squared.max(R::zero()).sqrt().finite_or_zero();
        // ½ ∂C_D²/∂F = F + (β (J - 1) - 1) cof F.
        let pressure = beta * j - one;
        let h = [0, 1, 2].map(|i| f[i] + cofactor[i] * pressure);
        [
            Row { c, g: element::tetrahedron_gradient(h, q), n: c },
            Row { c: j, g: element::tetrahedron_gradient(cofactor, q), n: one },
        ]
    }

    #[inline(always)]
    fn compliance<R: Real>(p: [R; 11]) -> Option<[R; 2]> {
        Some([p[8], p[9]])
    }

    fn rest(
        x: [Vec3<f64>; 4],
        mut p: [Option<f64>; 11],
    ) -> Result<[Option<f64>; 11], ValidationError> {
        let [Some(young), Some(poisson), ..] = p else {
            return Ok(p);
        };
        let volume = element::rest_volume(x)?.abs();
        for (p, q) in p[2..].iter_mut().zip(element::tetrahedron_inverse(x)?) {
            *p = Some(q);
        }
        let mu = young / (2.0 * (1.0 + poisson));
        let lambda = 2.0 * mu * poisson / (1.0 - 2.0 * poisson);
        p[8] = Some(1.0 / (mu * volume));
        p[9] = Some((1.0 / (lambda.max(LEAST * mu) * volume)).min(1e30));
        p[10] = Some(1.0 + lambda.min(0.0) / mu);
        Ok(p)
    }
}
