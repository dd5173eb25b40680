//! Forces from outside, each lasting until it is replaced; and impulses, which act once.
//!
//! ```text
//! a = g + w f,  v <- v + h a             force f (N) on a particle or at a body's center of mass           S0-10, S1-05
//! ω <- ω + h I⁻¹ (τ - ω × I ω)           torque τ (N m) on a body, in the world                            S4-07
//! v <- v + w p,  ω <- ω + I⁻¹ r × p      impulse p (N s) at r from the center of mass
//! ```
//!
//! a is summed in f64 and h a rounded once, so that a force moves a particle as the same acceleration by gravity does, to the
//! last bit. What cannot move takes none.

use crate::error::{CheckpointError, ModelError, checked};
use crate::math::{Quat, Scalar, Vec3};
use crate::settings::Settings;
use crate::state::{Bodies, Particles, Section, Words};
use crate::subsystem::Authored;
use std::collections::BTreeMap;

/// The forces on particles and bodies, by authored index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forces {
    /// N.
    particles: BTreeMap<u32, [f64; 3]>,
    /// Force (N) and torque (N m).
    bodies: BTreeMap<u32, [[f64; 3]; 2]>,
}

impl Forces {
    /// The force on a particle (N).
    pub fn on_particle(&self, particle: u32) -> [f64; 3] {
        self.particles.get(&particle).copied().unwrap_or_default()
    }

    /// The force (N) and the torque (N m) on a body.
    pub fn on_body(&self, body: u32) -> [[f64; 3]; 2] {
        self.bodies.get(&body).copied().unwrap_or_default()
    }

    /// Replaces the force on a particle of `count` (N).
    ///
    /// # Errors
    /// A particle that does not exist, a force that is not finite in f32.
    pub(crate) fn set_particle(
        &mut self,
        (particle, count): (u32, usize),
        force: [f64; 3],
    ) -> Result<(), ModelError> {
        check("particle", (particle, count), "force", force)?;
        self.particles.insert(particle, force);
        Ok(())
    }

    /// Replaces the force (N) and the torque (N m) on a body of `count`.
    ///
    /// # Errors
    /// A body that does not exist, a number that is not finite in f32.
    pub(crate) fn set_body(
        &mut self,
        (body, count): (u32, usize),
        [force, torque]: [[f64; 3]; 2],
    ) -> Result<(), ModelError> {
        check("body", (body, count), "force", force)?;
        check("body", (body, count), "torque", torque)?;
        self.bodies.insert(body, [force, torque]);
        Ok(())
    }

    /// As words: index, and what acts there.
    pub(crate) fn save(&self) -> [Words; 2] {
        let [mut particles, mut bodies] = [Words::default(), Words::default()];
        for (i, force) in &self.particles {
            particles.put(*i);
            force.iter().for_each(|f| particles.put_double(*f));
        }
        for (i, load) in &self.bodies {
            bodies.put(*i);
            load.as_flattened().iter().for_each(|f| bodies.put_double(*f));
        }
        [particles, bodies]
    }

    /// What [`save`](Self::save) gave, of so many particles and bodies.
    ///
    /// # Errors
    /// A particle or body that does not exist.
    pub(crate) fn load(
        [mut particles, mut bodies]: [Section; 2],
        counts: [usize; 2],
    ) -> Result<Self, CheckpointError> {
        let mut forces = Self::default();
        while !particles.is_empty() {
            let i = particles.index(counts[0])? as u32;
            forces.particles.insert(i, particles.doubles()?);
        }
        while !bodies.is_empty() {
            let i = bodies.index(counts[1])? as u32;
            forces.bodies.insert(i, [bodies.doubles()?, bodies.doubles()?]);
        }
        Ok(forces)
    }

    /// Makes all of them act.
    pub(crate) fn apply<R: Scalar>(
        &self,
        authored: &Authored,
        settings: &Settings,
        to: &mut Particles<R>,
    ) {
        self.particles.keys().for_each(|&i| self.apply_to_particle(i, authored, settings, to));
        self.bodies.keys().for_each(|&i| self.apply_to_body(i, authored, settings, to));
    }

    /// Makes the force on a particle act.
    pub(crate) fn apply_to_particle<R: Scalar>(
        &self,
        i: u32,
        authored: &Authored,
        settings: &Settings,
        to: &mut Particles<R>,
    ) {
        let w = f64::from(authored.inverse_masses[i as usize]);
        let step = velocity_step(settings, self.on_particle(i).map(|f| w * f));
        to.set_velocity_step(i, step, velocity_step(settings, [0.0; 3]));
    }

    /// Makes what is on a body act.
    pub(crate) fn apply_to_body<R: Scalar>(
        &self,
        i: u32,
        authored: &Authored,
        settings: &Settings,
        to: &mut Particles<R>,
    ) {
        let [force, torque] = self.on_body(i);
        let mass = authored.bodies[i as usize].mass;
        let step = velocity_step(settings, force.map(|f| f / mass));
        let angular = torque.map(|t| R::of(settings.h() * t));
        let usual = velocity_step(settings, [0.0; 3]);
        to.bodies.set_load(i as usize, [step, angular], usual);
    }
}

/// h (g + a), rounded once.
fn velocity_step<R: Scalar>(settings: &Settings, a: [f64; 3]) -> [R; 3] {
    let g = settings.gravity;
    std::array::from_fn(|k| R::of(settings.h() * (g[k] + a[k])))
}

fn check(
    what: &str,
    (index, count): (u32, usize),
    name: &str,
    value: [f64; 3],
) -> Result<(), ModelError> {
    if index as usize >= count {
        let place = format!("{name} on {what} {index}");
        return Err(ModelError::value(place, count as f64, "so many there are"));
    }
    for (axis, v) in value.into_iter().enumerate() {
        checked(|| format!("{name} on {what} {index}, axis {axis}"), v, f64::NEG_INFINITY)?;
    }
    Ok(())
}

/// Gives a particle an impulse (N s).
pub(crate) fn push_particle(particles: &mut Particles, i: u32, impulse: [f32; 3]) {
    let (x, v) = (particles.position(i), particles.velocity(i));
    let w = f64::from(particles.inverse_mass(i));
    if w > 0.0 {
        let add = |k: usize| (f64::from(v[k]) + w * f64::from(impulse[k])) as f32;
        particles.set(i, x, std::array::from_fn(add));
    }
}

/// Gives a body an impulse (N s) at a point of the world (m).
pub(crate) fn push_body(bodies: &mut Bodies, i: usize, impulse: [f32; 3], at: [f32; 3]) {
    let mut body = bodies.state(i);
    if body.w > 0.0 {
        let [impulse, at] = [impulse, at].map(|v| Vec3::from(v).to_f64());
        let q = Quat::<f64>::of(body.q.to_array().map(f64::from));
        let turn = q.unrotate((at - body.x.to_f64()).cross(impulse));
        let inertia = body.inertia.to_f64();
        let spin = Vec3::new(turn.x / inertia.x, turn.y / inertia.y, turn.z / inertia.z);
        body.v = (body.v.to_f64() + impulse * f64::from(body.w)).rounded();
        body.omega = (body.omega.to_f64() + q.rotate(spin)).rounded();
        bodies.set_state(i, &body);
    }
}
