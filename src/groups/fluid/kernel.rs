//! The sums of a fluid over the neighbors of a particle, written once for one particle and for eight.
//!
//! With t = r²/h², u = r/h and d = x_i - x_j:
//!
//! ```text
//! poly6     W(r)  =  315/(64π h³) (1 - t)³            density, viscosity
//! spiky    ∇W(r)  = -45/(π h⁴) (1 - u)² d/r           gradients
//! ```
//!
//! (Müller et al., *Particle-Based Fluid Simulation for Interactive Applications*, 2003, eq. 20 and 21.) Sums are taken
//! without these factors, which follow once a particle, so nothing overflows whatever the unit of length. Two particles in
//! one place have no direction: they count as density and do not push each other.
//!
//! A flat wall is a half-space at rest density. The share of a kernel that lies beyond the distance z = d/h from its middle,
//! and what of it lies on that plane, follow in closed form:
//!
//! ```text
//! poly6    ∫ beyond = 1/2 - 315/256 (z - 4z³/3 + 6z⁵/5 - 4z⁷/7 + z⁹/9)
//! spiky    on the plane = 30 ((1 - z)⁴/4 - (1 - z)⁵/5) / h,   ∫ beyond = (1 - z)⁵ (1/2 + z)
//! ```
//!
//! Where walls meet, their half-spaces overlap: together they hold 1 - Π (1 - share) of the kernel. A wall pushes across; along
//! it, what lies beyond would have carried its share of the pressure's gradient, so the push along is divided by the rest of
//! the kernel, as in Bonet and Lok, *Variational and Momentum Preservation Aspects of SPH*, 1999. Without, a column eight
//! particles wide showed a pressure 7 to 15 % too high, and water climbed the walls.
//!
//! Sums over a lattice at rest are a little off the integrals (poly6 1 %, the gradient's first moment 4 %); both factors are
//! set so that the lattice has its density and the pressure's gradient its force.

use super::Fluid;
use crate::math::{Real, Vec3};
use crate::settings::Settings;

/// C is taken for no more than this: what is packed tighter is parted over several iterations.
const MOST: f64 = 1.0;
/// ε as a share of Σ |∇C|² within a lattice at rest (Macklin and Müller, eq. 11).
const RELAXATION: f64 = 0.01;
/// Δq of s_corr as a share of h (Macklin and Müller, section 4: 0.1 to 0.3).
const CORRECTED_AT: f64 = 0.2;

/// The numbers of a fluid, rounded once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers<R> {
    /// 1/h² (1/m²).
    inverse_square: R,
    /// 1/h (1/m).
    inverse: R,
    /// Factor of poly6, times the volume of a particle: 1 / Σ (1 - t)³ at rest.
    density: R,
    /// Factor b of spiky, times the volume of a particle: 3 / Σ u (1 - u)² at rest.
    b: R,
    /// b/h² (1/m²).
    slope: R,
    /// h/b (m).
    wall: R,
    /// ε, in the unit of Σ w (1 - u)⁴ (1/kg).
    relaxation: R,
    /// s_corr at Δq (kg).
    correction: R,
    /// 1 / W(Δq), without the kernel's factor.
    corrected: R,
    /// XSPH's c.
    viscosity: R,
    /// ε of vorticity confinement, times the substep.
    vorticity: R,
}

impl<R: Real> Numbers<R> {
    pub(super) fn new(fluid: &Fluid, inverse_mass: f64, settings: &Settings) -> Self {
        let h = fluid.support();
        let b = fluid.steepness();
        let steep = inverse_mass * fluid.lattice(|t| (1.0 - t.sqrt()).powi(4));
        let whole = 1.0 - CORRECTED_AT * CORRECTED_AT;
        let given = fluid.numbers();
        let reference = if steep > 0.0 { 1.0 / (b * steep) } else { 0.0 };
        Self {
            inverse_square: R::of(1.0 / (h * h)),
            inverse: R::of(1.0 / h),
            density: R::of(1.0 / (1.0 + fluid.lattice(|t| (1.0 - t).powi(3)))),
            b: R::of(b),
            slope: R::of(b / (h * h)),
            wall: R::of(h / b),
            relaxation: R::of(RELAXATION * steep),
            correction: R::of(given.s_corr * reference),
            corrected: R::of(1.0 / whole.powi(3)),
            viscosity: R::of(given.viscosity),
            vorticity: R::of(given.vorticity * settings.h()),
        }
    }

    /// t = r²/h².
    #[inline(always)]
    fn reach(&self, d: Vec3<R>) -> R {
        d.dot(d) * self.inverse_square
    }

    /// The unit of gradients, b/h (1/m).
    pub(super) fn steepness(&self) -> R {
        self.b * self.inverse
    }

    /// C + 1 of a particle whose neighbors' poly6 sum up to `around`.
    #[inline(always)]
    pub(super) fn relative_density(&self, around: R, wall: R) -> R {
        self.density * (R::of(1.0) + around) + wall
    }
}

/// (1 - t)³ within reach, else zero.
#[inline(always)]
pub(super) fn poly6<R: Real>(t: R) -> R {
    let rest = R::of(1.0) - t;
    R::select(t.lt(R::of(1.0)), rest * rest * rest, R::zero())
}

/// (1 - u)² and (1 - u)²/u within reach and apart, else zero.
#[inline(always)]
pub(super) fn spiky<R: Real>(t: R) -> (R, R) {
    let u = t.sqrt();
    let rest = R::of(1.0) - u;
    let square = rest * rest;
    let acts = R::zero().lt(t) & t.lt(R::of(1.0));
    let zero = R::zero();
    (
        R::select(acts, square, zero),
        R::select(acts, square / u, zero),
    )
}

/// The share of poly6 beyond a wall at z = d/h, and of spiky on it, times h; nothing beyond reach. A particle within the
/// wall counts as one on it.
#[inline(always)]
pub(super) fn beyond_wall<R: Real>(z: R) -> (R, R) {
    let z = z.max(R::zero());
    let (one, zero) = (R::of(1.0), R::zero());
    let s = z * z;
    let series = R::of(-4.0 / 7.0) + s * R::of(1.0 / 9.0);
    let series = R::of(6.0 / 5.0) + s * series;
    let series = R::of(-4.0 / 3.0) + s * series;
    let series = z * (one + s * series);
    let share = R::of(0.5) - R::of(315.0 / 256.0) * series;
    let rest = one - z;
    let square = rest * rest;
    let on = R::of(30.0) * (square * square) * (R::of(0.25) - R::of(0.2) * rest);
    let near = z.lt(one);
    (
        R::select(near, share.max(zero), zero),
        R::select(near, on, zero),
    )
}

/// The share of spiky beyond a wall at z < 1.
#[inline(always)]
pub(super) fn spiky_beyond_wall<R: Real>(z: R) -> R {
    let rest = R::of(1.0) - z.max(R::zero());
    let square = rest * rest;
    square * square * rest * (R::of(1.5) - rest)
}

/// A wall, in the numbers of a method.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall<R> {
    point: Vec3<R>,
    normal: Vec3<R>,
}

impl<R: Real> Wall<R> {
    /// z = d/h.
    #[inline(always)]
    fn distance(&self, numbers: &Numbers<R>, x: Vec3<R>) -> R {
        (x - self.point).dot(self.normal) * numbers.inverse
    }
}

/// The model's walls: plane colliders that do not move.
pub(super) fn walls<R: Real>(planes: &[[[f64; 3]; 2]]) -> Vec<Wall<R>> {
    let wall = |&[point, normal]: &[[f64; 3]; 2]| Wall {
        point: Vec3::of(point),
        normal: Vec3::of(normal),
    };
    planes.iter().map(wall).collect()
}

/// What walls add to a particle: density, and their part of Σ s d (m).
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside<R> {
    density: R,
    pub(super) push: Vec3<R>,
}

/// What the walls add at `x`.
#[inline(always)]
pub(super) fn beside<R: Real>(walls: &[Wall<R>], numbers: &Numbers<R>, x: Vec3<R>) -> Beside<R> {
    let one = R::of(1.0);
    let (mut free, mut push) = (one, Vec3::zero());
    for wall in walls {
        let (share, on) = beyond_wall(wall.distance(numbers, x));
        free = free * (one - share);
        push += wall.normal * (on * numbers.wall);
    }
    Beside {
        density: one - free,
        push,
    }
}

/// Σ (l_i + l_j) s d at `x` as it is with fluid beyond the walls, along each of them. `any` says whether a z is in reach.
#[inline(always)]
pub(super) fn along_walls<R: Real>(
    walls: &[Wall<R>],
    numbers: &Numbers<R>,
    x: Vec3<R>,
    mut push: Vec3<R>,
    any: impl Fn(R) -> bool,
) -> Vec3<R> {
    let one = R::of(1.0);
    for wall in walls {
        let z = wall.distance(numbers, x);
        if any(z) {
            let across = wall.normal * push.dot(wall.normal);
            let more = one / (one - spiky_beyond_wall(z));
            let whole = across + (push - across) * more;
            push = Vec3::select(z.lt(one), whole, push);
        }
    }
    push
}

/// Sums around a particle that lead to its multiplier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Density<R> {
    /// Σ (1 - t)³.
    pub(super) around: R,
    /// Σ s d (m), s = (1 - u)²/u.
    push: Vec3<R>,
    /// Σ w_j (1 - u)⁴ (1/kg).
    square: R,
}

impl<R: Real> Density<R> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            around: R::zero(),
            push: Vec3::zero(),
            square: R::zero(),
        }
    }

    /// Adds the neighbor at x - d, of inverse mass w.
    #[inline(always)]
    pub(super) fn add(&mut self, numbers: &Numbers<R>, d: Vec3<R>, w: R) {
        let t = numbers.reach(d);
        let (square, s) = spiky(t);
        self.around = self.around + poly6(t);
        self.push += d * s;
        self.square = self.square + w * (square * square);
    }

    /// C, and Σ_k w_k |∇_k C|² in units of (b/h)².
    #[inline(always)]
    pub(super) fn constraint(&self, numbers: &Numbers<R>, beside: &Beside<R>, w: R) -> (R, R) {
        let c = numbers.relative_density(self.around, beside.density) - R::of(1.0);
        let push = self.push + beside.push;
        let own = w * (push.dot(push) * numbers.inverse_square);
        (c, self.square + own)
    }

    /// -λ b/h² where C > 0, else zero (kg): a fluid presses, and pulls nothing (Macklin et al. 2014, section 7.1).
    #[inline(always)]
    pub(super) fn multiplier(&self, numbers: &Numbers<R>, beside: &Beside<R>, w: R) -> R {
        let (c, weight) = self.constraint(numbers, beside, w);
        let c = c.max(R::zero()).min(R::of(MOST));
        let weight = numbers.b * (weight + numbers.relaxation);
        c.over_positive(weight).finite_or_zero()
    }
}

/// The correction of a particle, from its own multiplier and those of its neighbors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push<R>(pub(super) Vec3<R>);

impl<R: Real> Push<R> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self(Vec3::zero())
    }

    /// Adds (l_i + l_j + s_corr) s d.
    #[inline(always)]
    pub(super) fn add<const CORRECT: bool>(&mut self, numbers: &Numbers<R>, d: Vec3<R>, l: R) {
        let t = numbers.reach(d);
        let (_, s) = spiky(t);
        let mut l = l;
        if CORRECT {
            let ratio = poly6(t) * numbers.corrected;
            let square = ratio * ratio;
            l = l + numbers.correction * (square * square);
        }
        self.0 += d * (l * s);
    }

    /// Δx. Walls press back as a fluid of the same pressure would: twice with the particle's own multiplier.
    #[inline(always)]
    pub(super) fn finish(&self, wall: Vec3<R>, l: R, w: R) -> Vec3<R> {
        let all = self.0 + wall * (l + l);
        Vec3::new(
            (w * all.x).finite_or_zero(),
            (w * all.y).finite_or_zero(),
            (w * all.z).finite_or_zero(),
        )
    }
}

/// Sums over velocities: XSPH's change and the vorticity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow<R> {
    change: Vec3<R>,
    curl: Vec3<R>,
}

impl<R: Real> Flow<R> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            change: Vec3::zero(),
            curl: Vec3::zero(),
        }
    }

    /// Adds a neighbor at x - d that moves with `dv` more than the particle; the two share by their inverse masses, so that
    /// none of the momentum is lost.
    #[inline(always)]
    pub(super) fn add<const SWIRL: bool>(
        &mut self,
        numbers: &Numbers<R>,
        d: Vec3<R>,
        dv: Vec3<R>,
        [w, wj]: [R; 2],
    ) {
        let t = numbers.reach(d);
        let share = (w + w).over_positive(w + wj);
        self.change += dv * (poly6(t) * share);
        if SWIRL {
            let (_, s) = spiky(t);
            self.curl += dv.cross(d * s);
        }
    }

    /// Δv = c Σ V W (v_j - v_i) (Schechter and Bridson 2012; Macklin and Müller, eq. 17).
    #[inline(always)]
    pub(super) fn viscous(&self, numbers: &Numbers<R>) -> Vec3<R> {
        self.change * (numbers.viscosity * numbers.density)
    }

    /// ω = Σ V (v_j - v_i) × ∇_j W (1/s) (Macklin and Müller, eq. 15).
    #[inline(always)]
    pub(super) fn vorticity(&self, numbers: &Numbers<R>) -> Vec3<R> {
        self.curl * numbers.slope
    }
}

/// η = ∇|ω|, up to a positive factor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eddy<R>(Vec3<R>);

impl<R: Real> Eddy<R> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self(Vec3::zero())
    }

    /// Adds a neighbor at x - d whose |ω| is larger by `more`.
    #[inline(always)]
    pub(super) fn add(&mut self, numbers: &Numbers<R>, d: Vec3<R>, more: R) {
        let (_, s) = spiky(numbers.reach(d));
        self.0 = self.0 - d * (more * s);
    }

    /// Δv = ε h N × ω with N = η/|η| (Macklin and Müller, eq. 16).
    #[inline(always)]
    pub(super) fn confine(&self, numbers: &Numbers<R>, vorticity: Vec3<R>) -> Vec3<R> {
        let normal = self.0 * R::of(1.0).over_positive(self.0.length());
        normal.cross(vorticity) * numbers.vorticity
    }
}
