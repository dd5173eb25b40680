//! What a simulation itself carries from frame to frame: its clock, who is held, and what positions and velocities do not tell.

use super::Simulation;
use super::clock::FrameClock;
use super::quarantine::{QUARANTINE, Quarantine};
use crate::error::CheckpointError;
use crate::forces::Forces;
use crate::settings::NonFinite;
use crate::state::{REMAINDERS, Resistance, Saved, Snapshot, Words};

const CLOCK: &str = "clock";
/// Particles in the hand, and the inverse masses that they get back.
const HELD: &str = "held particles";
/// Inverse masses that are not the authored ones.
const MASSES: &str = "inverse masses";
/// What acts until it is replaced, on particles and on bodies.
const FORCES: [&str; 2] = ["forces on particles", "forces on bodies"];
/// Bodies that do not resist as authored: those that sleep.
const RESISTANCES: &str = "resistances";
/// Principal axes of bodies that have some of their own: seen from the pose they are rounded twice.
const AXES: &str = "principal axes";
/// Bodies' positions, velocities and angular velocities of which rounding dropped something, and what.
const ROUNDED_OFF: &str = "rounded off";

impl Simulation {
    pub(super) fn save_own(&self) -> Saved {
        let mut saved = Saved::default();
        let mut words = Words::default();
        words.put_double(self.clock.dt);
        words.put_double(self.clock.began);
        words.put_long(self.clock.steps);
        // Else it is one step before.
        if self.clock.steps == 0 && self.clock.frame > 0 {
            words.put_double(self.clock.earlier);
        }
        saved.put(CLOCK, words);
        let mut words = Words::default();
        for &(particle, inverse_mass) in &self.held {
            words.put(particle);
            words.put_all([inverse_mass]);
        }
        saved.put(HELD, words);
        let mut words = Words::default();
        for (i, &authored) in (0..).zip(self.model.inverse_masses()) {
            let w = self.particles.inverse_mass(i);
            if w != authored {
                words.put(i);
                words.put_all([w]);
            }
        }
        saved.put(MASSES, words);
        let particles = 0..self.model.positions().len() as u32;
        let remainders: Vec<_> = particles.filter_map(|i| self.particles.remainders(i)).collect();
        saved.put_numbers(REMAINDERS, remainders.as_flattened().as_flattened());
        let [mut resistances, mut axes, mut rounded_off] = [(); 3].map(|()| Words::default());
        for (i, body) in self.model.bodies().iter().enumerate() {
            let Resistance { inverse_mass, inertia } = self.particles.bodies.resistance(i);
            if self.particles.bodies.resistance(i) != body.resistance() {
                resistances.put(i as u32);
                resistances.put_all([inverse_mass]);
                resistances.put_all(inertia);
            }
            if let Some(principal) = self.particles.bodies.principal(i) {
                axes.put(i as u32);
                axes.put_all(principal);
            }
            if let Some(numbers) = self.particles.bodies.rounded_off(i) {
                rounded_off.put(i as u32);
                rounded_off.put_all(numbers.into_iter().flatten().flatten());
            }
        }
        for (name, words) in FORCES.into_iter().zip(self.model.forces().save()) {
            saved.put(name, words);
        }
        // Only where particles are put aside: a breakdown that ends the simulation is no part of a state to go on from.
        if self.model.settings.nonfinite == NonFinite::Quarantine {
            saved.put(QUARANTINE, self.quarantine.save(&self.breakdowns));
        }
        saved.put(RESISTANCES, resistances);
        saved.put(AXES, axes);
        saved.put(ROUNDED_OFF, rounded_off);
        saved
    }

    /// Takes up a state.
    ///
    /// # Errors
    /// What does not fit the model; then part of it may have been taken up.
    pub(super) fn take(&mut self, state: &Snapshot) -> Result<(), CheckpointError> {
        let sizes = [state.positions.len(), state.velocities.len()];
        let bodies = [state.bodies.len(), state.body_velocities.len()];
        if sizes != [self.model.positions().len(); 2] || bodies != [self.model.bodies().len(); 2] {
            return Err(CheckpointError::Section("particles and bodies".into()));
        }
        self.take_triangles(&state.triangles)?;
        self.particles.take(state);
        let none = Saved::default();
        let own = state.carried.first().unwrap_or(&none);
        let sizes = [sizes[0], state.bodies.len()];
        (self.quarantine, self.breakdowns) = Quarantine::load(own.section(QUARANTINE), sizes)?;
        self.quarantine.waiting = self.model.waiting(Some(state));
        self.hide_quarantine();
        let remainders = own.numbers(REMAINDERS, 6 * sizes[0])?;
        for (i, rests) in (0..).zip(remainders.as_chunks().0.as_chunks().0) {
            self.particles.set_remainders(i, *rests);
        }
        self.take_clock(state, own)?;
        self.take_masses(own)?;
        if !state.carried.is_empty() {
            self.take_forces(own)?;
        }
        let mut axes = own.section(AXES);
        while !axes.is_empty() {
            let i = axes.index(state.bodies.len())?;
            let [.., x, y, z, w] = state.bodies[i];
            self.particles.bodies.set_principal(i, axes.numbers()?, [x, y, z, w]);
        }
        let mut rounded_off = own.section(ROUNDED_OFF);
        while !rounded_off.is_empty() {
            let i = rounded_off.index(state.bodies.len())?;
            let numbers: [f32; 18] = rounded_off.numbers()?;
            self.particles.bodies.set_rounded_off(i, bytemuck::cast(numbers));
        }
        let others = state.carried.get(1..).unwrap_or(&self.start);
        self.solver.core_mut().load(others)
    }

    fn take_clock(&mut self, state: &Snapshot, own: &Saved) -> Result<(), CheckpointError> {
        let (dt, began, frame) = (self.model.settings.dt, state.time, state.frame);
        self.clock = FrameClock { dt, began, earlier: began - dt, steps: 0, frame };
        let mut section = own.section(CLOCK);
        if !section.is_empty() {
            let [dt, began] = [section.double()?, section.double()?];
            let steps = section.long()?;
            let earlier = if section.is_empty() { began - dt } else { section.double()? };
            let saved = FrameClock { dt, began, earlier, steps, frame };
            // Another frame step counts from here, and so does a time that was set by hand.
            if saved.time() == state.time {
                match dt == self.clock.dt {
                    true => self.clock = saved,
                    false => self.clock.earlier = saved.before().unwrap_or(began),
                }
            }
        }
        section.end()
    }

    fn take_forces(&mut self, own: &Saved) -> Result<(), CheckpointError> {
        let Self { model, particles, .. } = self;
        let counts = [model.positions().len(), model.bodies().len()];
        let forces = Forces::load(FORCES.map(|name| own.section(name)), counts)?;
        model.replace_forces(forces);
        // What acts nowhere has no columns: rows and moments are then taken as if nothing ever had.
        particles.velocity_steps = None;
        particles.bodies.loads = None;
        let model = &*model;
        model.forces().apply(&model.into(), &model.settings, particles);
        Ok(())
    }

    /// Who is held, and how particles and bodies resist.
    fn take_masses(&mut self, own: &Saved) -> Result<(), CheckpointError> {
        for (i, &authored) in (0..).zip(self.model.inverse_masses()) {
            self.particles.set_inverse_mass(i, authored);
        }
        for (i, body) in self.model.bodies().iter().enumerate() {
            self.particles.bodies.set_resistance(i, body.resistance());
        }
        let particles = self.model.positions().len();
        let mut section = own.section(MASSES);
        while !section.is_empty() {
            let i = section.index(particles)?;
            self.particles.set_inverse_mass(i as u32, section.number()?);
        }
        let mut section = own.section(HELD);
        self.held.clear();
        while !section.is_empty() {
            self.held.push((section.index(particles)? as u32, section.number()?));
        }
        let mut section = own.section(RESISTANCES);
        while !section.is_empty() {
            let i = section.index(self.model.bodies().len())?;
            let resistance =
                Resistance { inverse_mass: section.number()?, inertia: section.numbers()? };
            self.particles.bodies.set_resistance(i, resistance);
        }
        Ok(())
    }
}
