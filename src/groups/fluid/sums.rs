//! The sums of a fluid over the neighbors of a particle, written once for any width. Kernels are summed without their factors,
//! which follow once a particle, so nothing overflows whatever the unit of length. Two particles at one position have no
//! direction: they count as density and do not push each other.

use super::kernel::Numbers;
use super::shape::{Apart, spiky};
use crate::math::{Real, Vec3};

/// C is taken for no more than this: what is packed tighter is parted over several iterations.
const MOST: f64 = 1.0;

/// A neighbor at x - d, and what of it is summed: its inverse mass (1/kg), or a multiplier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbor<R> {
    d: Vec3<R>,
    apart: Apart<R>,
    of: R,
}

impl<R: Real> Neighbor<R> {
    #[inline(always)]
    pub(super) fn new(numbers: &Numbers<R>, d: Vec3<R>, of: R) -> Self {
        Self { d, apart: Apart::new(numbers.relative_square(d)), of }
    }

    /// t = r²/h².
    #[inline(always)]
    pub(super) fn relative_square(&self) -> R {
        self.apart.t
    }

    /// Its image, farther by some way.
    #[inline(always)]
    pub(super) fn image(self, across: Vec3<R>, t: R) -> Self {
        Self { d: self.d + across, apart: Apart::new(t), ..self }
    }
}

/// Sums around a particle that lead to its multiplier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Density<R> {
    /// Σ (1 - u)³.
    pub(super) around: R,
    /// Σ s d (m), s = (1 - u)²/u.
    gradient: Vec3<R>,
    /// Σ w_j |s d|² (m²/kg).
    square: R,
}

impl<R: Real> Density<R> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { around: R::zero(), gradient: Vec3::zero(), square: R::zero() }
    }

    /// Adds a neighbor with its inverse mass, or an image of one with what it counts as.
    #[inline(always)]
    pub(super) fn add(&mut self, near: Neighbor<R>, image: Option<R>) {
        let Neighbor { d, apart, of: w } = near;
        let (mut around, mut s) = apart.spiky();
        if let Some(part) = image {
            (around, s) = (around * part, s * part);
        }
        self.around = self.around + around;
        let gradient = d * s;
        self.gradient += gradient;
        // Not s² t: that is 0 ∞ where nobody is.
        self.square = self.square + w * gradient.dot(gradient);
    }

    /// C, and Σ_k w_k |∇_k C|² in units of (steepness/h)²; beside what is `solid` and at a `surface` it counts as denser by so much.
    #[inline(always)]
    pub(super) fn constraint(
        &self,
        numbers: &Numbers<R>,
        [solid, surface]: [R; 2],
        w: R,
    ) -> (R, R) {
        // What the neighbors lack that all lie to one side, where neither wall nor body makes up for it.
        let uneven = self.gradient.dot(self.gradient) * numbers.uneven;
        let lacks = surface * uneven.min(R::of(1.0));
        let around = solid.max(lacks);
        let c = numbers.relative_density(self.around, around) - R::of(1.0);
        (c, (self.square + w * self.gradient.dot(self.gradient)) * numbers.inverse_square)
    }

    /// -λ b/h² after a Jacobi iteration from `before` (kg), which may take back what was too much: a fluid presses, and pulls
    /// nothing (Macklin et al. 2014, section 7.1). C of `left` may stay.
    #[inline(always)]
    pub(super) fn multiplier(
        &self,
        numbers: &Numbers<R>,
        beside: [R; 2],
        w: R,
        [before, left]: [R; 2],
    ) -> R {
        // Not `Response::step`: ε is a share of the weight, not a compliance.
        let (c, weight) = self.constraint(numbers, beside, w);
        let c = (c - left).min(R::of(MOST)) * numbers.step;
        let more = c.over_positive(weight + numbers.relaxation);
        (before + more).finite_or_zero().max(R::zero())
    }
}

/// The correction of a particle, from its own multiplier and those of its neighbors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Correction<R>(pub(super) Vec3<R>);

impl<R: Real> Correction<R> {
    /// Adds (l_i + l_j) (1 + s_corr) s d, for a neighbor with its l_i + l_j, or an image of one with what it counts as.
    #[inline(always)]
    pub(super) fn add<const CORRECT: bool>(
        &mut self,
        numbers: &Numbers<R>,
        near: Neighbor<R>,
        image: Option<R>,
    ) {
        let Neighbor { d, apart, of: mut l } = near;
        let (w, s) = apart.spiky();
        if let Some(part) = image {
            l = l * part;
        }
        if CORRECT {
            let ratio = w * numbers.corrected;
            let square = ratio * ratio;
            l = l + l * (numbers.correction * (square * square));
        }
        self.0 += d * (l * s);
    }

    /// Δx.
    #[inline(always)]
    pub(super) fn finish(&self, w: R) -> Vec3<R> {
        let by = self.0 * w;
        Vec3::new(by.x.finite_or_zero(), by.y.finite_or_zero(), by.z.finite_or_zero())
    }
}

/// Sums over velocities: XSPH's change and the vorticity; and how neighbors attract.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow<R> {
    change: Vec3<R>,
    pull: Vec3<R>,
    curl: Vec3<R>,
}

impl<R: Real> Flow<R> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { change: Vec3::zero(), pull: Vec3::zero(), curl: Vec3::zero() }
    }

    /// Adds a neighbor at x - d that moves with `dv` more than the particle; the two share by their inverse masses, so that
    /// none of the momentum is lost.
    #[inline(always)]
    pub(super) fn add<const SWIRL: bool, const PULL: bool>(
        &mut self,
        numbers: &Numbers<R>,
        [d, dv]: [Vec3<R>; 2],
        [w, wj]: [R; 2],
    ) {
        let t = numbers.relative_square(d);
        let share = (w + w).over_positive(w + wj);
        let (around, s) = spiky(t);
        self.change += dv * (around * share);
        if SWIRL {
            self.curl += dv.cross(d * s);
        }
        if PULL {
            let rest = (R::of(1.0) - t).max(R::zero());
            self.pull += d * (rest * rest);
        }
    }

    /// As [`add`](Self::add) with what each of the two is made of, `own` and `other`: the viscosity of a pair is the harmonic
    /// mean, so that the shear stress goes on across an interface (Cleary and Monaghan, *Conduction Modelling Using Smoothed Particle
    /// Hydrodynamics*, 1999); its attraction is the geometric one, so that the interface has the tension (√σ1 - √σ2)² (Girifalco
    /// and Good, *A Theory for the Estimation of Surface and Interfacial Energies*, 1957). The sums have their factors.
    #[inline(always)]
    pub(super) fn add_mixed(
        &mut self,
        numbers: &Numbers<R>,
        [d, dv]: [Vec3<R>; 2],
        [w, wj]: [R; 2],
        [own, other]: [Vec3<R>; 2],
    ) {
        let t = numbers.relative_square(d);
        let share = (w + w).over_positive(w + wj);
        let (around, s) = spiky(t);
        let viscosity = (R::of(2.0) * own.x * other.x).over_positive(own.x + other.x);
        let passing = numbers.passing.push([d, dv], [w, wj]);
        self.change += (dv * viscosity + passing) * (around * share);
        self.curl += dv.cross(d * s);
        let rest = (R::of(1.0) - t).max(R::zero());
        self.pull += d * (rest * rest * (own.z * other.z));
    }

    /// What pairs of [different fluids](Self::add_mixed) change of a velocity.
    #[inline(always)]
    pub(super) fn mixed(&self, w: R) -> Vec3<R> {
        self.change - self.pull * w
    }

    /// Δv = c Σ V W (v_j - v_i) (Schechter and Bridson 2012; Macklin and Müller, eq. 17).
    #[inline(always)]
    pub(super) fn viscous(&self, numbers: &Numbers<R>) -> Vec3<R> {
        self.change * numbers.viscosity
    }

    /// Δv of the attraction.
    #[inline(always)]
    pub(super) fn cohesive(&self, numbers: &Numbers<R>, w: R) -> Vec3<R> {
        -(self.pull * (numbers.cohesion * w))
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
        let (_, s) = spiky(numbers.relative_square(d));
        self.0 = self.0 - d * (more * s);
    }

    /// Δv = ε h N × ω with N = η/|η| (Macklin and Müller, eq. 16).
    #[inline(always)]
    pub(super) fn confine(&self, numbers: &Numbers<R>, vorticity: Vec3<R>) -> Vec3<R> {
        let normal = self.0 * R::of(1.0).over_positive(self.0.length());
        normal.cross(vorticity) * numbers.vorticity
    }
}
