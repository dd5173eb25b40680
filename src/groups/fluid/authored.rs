//! A fluid as authored, and what follows from its numbers alone.

use super::shape::spiky;
use crate::error::{ModelError, checked};
use crate::math::length;
use crate::settings::Settings;
use crate::subsystem::Authored;
use std::collections::HashSet;

/// The support h where none is given, in radii: about 33 neighbors at rest.
const SUPPORT: f64 = 4.0;
/// The least and the largest support, in radii: a particle alone must not be as dense as the fluid, and no more than about
/// 113 neighbors stand around one at rest.
const SUPPORTS: [f64; 2] = [2.5, 6.0];

/// How far off its position a particle is taken to lie, at most and along each axis, in radii.
const OFFSET: f64 = 2e-4;

/// What a fluid is, as in `docs/scene-format.md`.
#[derive(Clone, Debug, PartialEq)]
pub struct FluidNumbers {
    /// ρ0 (kg/m³), of particles that weigh ρ0 (2r)³.
    pub rest_density: f64,
    /// Radius of a particle (m): half the distance of neighbors at rest.
    pub radius: f64,
    /// Kernel support h (m); left out: four radii.
    pub support: Option<f64>,
    /// XSPH's c, 0..=1: what is smoothed of a velocity in 1/240 s.
    pub viscosity: f64,
    /// Viscosity µ (Pa s), of particles that weigh ρ0 (2r)³; others have the same µ/ρ. Walls then hold what touches them.
    pub dynamic_viscosity: f64,
    /// Surface tension σ (N/m).
    pub surface_tension: f64,
    /// k of the artificial pressure s_corr: close pairs press up to 1 + k times as hard.
    pub s_corr: f64,
    /// ε of vorticity confinement (m/s).
    pub vorticity: f64,
    /// How often the fluid is projected in an iteration of constraints; left out, as often as its depth and the substep ask for.
    pub rounds: Option<u32>,
}

impl Default for FluidNumbers {
    /// Water in particles of 5 cm.
    fn default() -> Self {
        Self {
            rest_density: 1000.0,
            radius: 0.025,
            support: None,
            viscosity: 0.01,
            dynamic_viscosity: 0.0,
            surface_tension: 0.0,
            s_corr: 0.0,
            vorticity: 0.0,
            rounds: None,
        }
    }
}

impl FluidNumbers {
    /// Whether it changes velocities.
    pub(super) fn flows(&self) -> bool {
        let Self { viscosity, dynamic_viscosity, surface_tension, vorticity, .. } = self;
        [viscosity, dynamic_viscosity, surface_tension, vorticity].iter().any(|v| **v > 0.0)
    }

    /// The mass of a particle, ρ0 (2r)³ (kg).
    pub fn mass(&self) -> f64 {
        self.rest_density * (2.0 * self.radius).powi(3)
    }
}

/// A fluid, as authored.
#[derive(Clone, Debug)]
pub struct Fluid {
    pub(super) particles: Vec<u32>,
    pub(super) numbers: FluidNumbers,
    /// Fluids that it meets: where the particles of each begin among all, and what it is.
    pub(super) others: Vec<(usize, FluidNumbers)>,
    /// Mean inverse mass of the particles that can move (1/kg), and how many those are.
    pub(super) inverse_mass: f64,
    movable: u32,
}

impl Fluid {
    /// A fluid of some of the model's particles.
    ///
    /// # Errors
    /// A number out of range, a particle that does not exist or stands twice.
    pub fn new<'a>(
        model: impl Into<Authored<'a>>,
        particles: Vec<u32>,
        numbers: FluidNumbers,
    ) -> Result<Self, ModelError> {
        let model = model.into();
        let refuse = |name: &str, value: f64, rule| {
            Err(ModelError::Value { place: format!("fluid.{name}"), value, rule })
        };
        let FluidNumbers { radius, .. } = numbers;
        let support = numbers.support.unwrap_or(SUPPORT * radius);
        for (name, value) in
            [("rest_density", numbers.rest_density), ("radius", radius), ("support", support)]
        {
            if !(value as f32 > 0.0 && (value as f32).is_finite()) {
                return refuse(name, value, "must be positive and finite in f32");
            }
        }
        let [least, most] = SUPPORTS.map(|radii| radii * radius);
        if !(least..=most).contains(&support) {
            return refuse("support", support, "must be 2.5 to 6 radii");
        }
        if !(1e-9..=1e9).contains(&radius) {
            return refuse("radius", radius, "must be 1e-9 to 1e9 m");
        }
        for (name, value) in [
            ("s_corr", numbers.s_corr),
            ("vorticity", numbers.vorticity),
            ("dynamic_viscosity", numbers.dynamic_viscosity),
            ("surface_tension", numbers.surface_tension),
        ] {
            checked(|| format!("fluid.{name}"), value, 0.0)?;
        }
        if !(0.0..=1.0).contains(&numbers.viscosity) {
            return refuse("viscosity", numbers.viscosity, "must be in 0..1");
        }
        if numbers.rounds == Some(0) {
            return refuse("rounds", 0.0, "must be at least 1");
        }
        let mut listed = vec![false; model.positions.len()];
        let (mut sum, mut count) = (0.0, 0_u32);
        for &i in &particles {
            match listed.get_mut(i as usize) {
                None => return refuse("particles", f64::from(i), "no such particle"),
                Some(true) => return refuse("particles", f64::from(i), "stands twice"),
                Some(listed) => *listed = true,
            }
            let w = model.inverse_masses[i as usize];
            if w > 0.0 {
                (sum, count) = (sum + f64::from(w), count + 1);
            }
        }
        let inverse_mass = sum / f64::from(count.max(1));
        Ok(Self { particles, numbers, others: Vec::new(), inverse_mass, movable: count })
    }

    /// Takes in another fluid, which it meets: what they are made of may differ, how it is computed may not.
    ///
    /// # Errors
    /// Another radius, support, `s_corr`, vorticity or number of rounds; a particle of both.
    pub(super) fn meet(&mut self, other: &Self) -> Result<(), ModelError> {
        let rounds = |fluid: &Self| fluid.numbers.rounds.map_or(0.0, f64::from);
        let (a, b) = (&self.numbers, &other.numbers);
        for (name, first, second) in [
            ("radius", a.radius, b.radius),
            ("support", self.support(), other.support()),
            ("s_corr", a.s_corr, b.s_corr),
            ("vorticity", a.vorticity, b.vorticity),
            ("rounds", rounds(self), rounds(other)),
        ] {
            if first != second {
                let place = format!("fluid.{name}");
                let rule = "must be that of the fluid before, which it meets";
                return Err(ModelError::Value { place, value: second, rule });
            }
        }
        let known: HashSet<u32> = self.particles.iter().copied().collect();
        if let Some(&i) = other.particles.iter().find(|i| known.contains(i)) {
            let (place, rule) = ("fluid.particles".into(), "is of another fluid already");
            return Err(ModelError::Value { place, value: f64::from(i), rule });
        }
        let [before, more] = [&*self, other].map(|fluid| f64::from(fluid.movable));
        let sum = before * self.inverse_mass + more * other.inverse_mass;
        self.inverse_mass = sum / (before + more).max(1.0);
        self.movable += other.movable;
        self.others.push((self.particles.len(), other.numbers.clone()));
        self.particles.extend(&other.particles);
        Ok(())
    }

    /// What it and those it meets are.
    pub(super) fn all_numbers(&self) -> impl Iterator<Item = &FluidNumbers> {
        std::iter::once(&self.numbers).chain(self.others.iter().map(|(_, numbers)| numbers))
    }

    /// Its particles and those of fluids that it meets, authored indices.
    pub fn particles(&self) -> &[u32] {
        &self.particles
    }

    /// What it is.
    pub fn numbers(&self) -> &FluidNumbers {
        &self.numbers
    }

    /// The kernel's support h (m).
    pub fn support(&self) -> f64 {
        self.numbers.support.unwrap_or(SUPPORT * self.numbers.radius)
    }

    /// How far gravity moves a particle in a substep, in parts of the distance of two at rest: g h²/2r.
    pub(super) fn fall(&self, settings: &Settings) -> f64 {
        length(&settings.gravity) * settings.h() * settings.h() / (2.0 * self.numbers.radius)
    }

    /// The volume a particle takes up at rest, (2r)³ (m³).
    pub fn volume(&self) -> f64 {
        (2.0 * self.numbers.radius).powi(3)
    }

    /// Σ f(x/h, r²/h²) over the neighbors within a lattice at rest.
    pub(super) fn lattice(&self, f: &dyn Fn(f64, f64) -> f64) -> f64 {
        let step = 2.0 * self.numbers.radius / self.support();
        let n = (1.0 / step) as i32 + 1;
        let all =
            (-n..=n).flat_map(|x| (-n..=n).flat_map(move |y| (-n..=n).map(move |z| [x, y, z])));
        let square = |p: [i32; 3]| p.map(|k| (f64::from(k) * step).powi(2)).iter().sum::<f64>();
        let near = all.map(|p| (f64::from(p[0]) * step, square(p)));
        near.filter(|&(_, t)| t > 0.0 && t < 1.0).map(|(x, t)| f(x, t)).sum()
    }

    /// Factor b of the gradient V ∇W = -b/h² s d: in a lattice at rest, Σ V ∇W (x_j - x_i)ᵀ is the unit matrix.
    pub(super) fn steepness(&self) -> f64 {
        3.0 / self.lattice(&|_, t| spiky(t).1 * t)
    }

    /// How far off its position the particle of authored index `i` is taken to lie, along each axis (m): Roberts' sequence in three
    /// dimensions (powers of 1/1.2207), which comes back to no point in 2^32 particles.
    pub(super) fn offset(&self, i: u32) -> [f32; 3] {
        let size = OFFSET * self.numbers.radius;
        [0xd1b5_4a33, 0xabc9_8389, 0x8cb9_2ba7_u32].map(|step| {
            let turn = f64::from(i.wrapping_add(1).wrapping_mul(step)) / 2_f64.powi(31) - 1.0;
            (size * turn) as f32
        })
    }

    /// The pressure of every particle (Pa), from what an observer is given as this subsystem's multipliers.
    pub fn pressures(&self, multipliers: &[f32], settings: &Settings) -> Vec<f64> {
        // f_i = Σ (λ_i + λ_j) V ∇W / h² is Σ V² (p_i + p_j) ∇W.
        let scale = -1.0 / (self.volume() * settings.h().powi(2));
        multipliers.iter().map(|&l| scale * f64::from(l)).collect()
    }

    /// λ of a sum of `multiplier`s: -l h²/b.
    pub(super) fn unit_of_multipliers(&self) -> f64 {
        let h = self.support();
        -h * h / self.steepness()
    }
}
