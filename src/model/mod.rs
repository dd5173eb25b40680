//! The model: particles, rows per kind and settings, as authored; validated once, before the first step.

mod attach;
mod loads;
mod nearest;
mod parts;
mod precision;
mod runtime;
mod skin;
mod surfaces;
mod sweeps;
mod tear;
mod tearing;
#[cfg(test)]
mod tests;
mod waiting;

pub use attach::attach;
#[doc(hidden)] // for reports
pub use parts::PackedSet;
pub use skin::Skin;
pub(crate) use sweeps::presses;
pub(crate) use tearing::Tearing;

use crate::collision::Contacts;
use crate::coloring::{GridLayout, Span};
use crate::constraints::Constraint;
use crate::error::{Flaw, ModelError, check_row, checked};
use crate::forces::Forces;
use crate::mesh::{Tear, point};
use crate::rigid::{Body, BodyContacts, Joint, Joints, untouchable};
use crate::rows::{AnyRows, ResponseKind, Stiffness, empty, is_of, typed_mut};
use crate::settings::Settings;
use crate::subsystem::{self, AnySubsystem, Authored, Subsystem};
use glam::DVec3;
use std::ops::Range;

/// What is simulated, as authored. Indices are the author's own; storage order is the engine's.
#[derive(Default)]
pub struct Model {
    /// How it is simulated.
    pub settings: Settings,
    positions: Vec<[f32; 3]>,
    velocities: Vec<[f32; 3]>,
    inverse_masses: Vec<f32>,
    sets: Vec<Box<dyn AnyRows>>,
    order: Vec<Span>,
    subsystems: Vec<Box<dyn Subsystem>>,
    contacts: Option<Contacts>,
    body_contacts: Option<BodyContacts>,
    bodies: Vec<Body>,
    forces: Forces,
    layout: Option<GridLayout>,
    triangles: Vec<[u32; 3]>,
    skins: Vec<Skin>,
    /// The triangles that skins are drawn in place of.
    hidden: Vec<Range<usize>>,
    tears: Vec<Tear>,
}

impl Model {
    /// An empty model with the default settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a particle: position (m), velocity (m/s), inverse mass (1/kg) (zero: kinematic, it keeps its own velocity; S1-06).
    /// Returns its index.
    ///
    /// # Errors
    /// A number that is not finite in f32, or a negative inverse mass.
    pub fn add_particle(
        &mut self,
        position: impl Into<DVec3>,
        velocity: impl Into<DVec3>,
        inverse_mass: f64,
    ) -> Result<u32, ModelError> {
        let i = self.positions.len();
        if i >= (1 << 30) {
            return Err(ModelError::value("particles", i as f64, "at most 2^30 particles"));
        }
        let point = |name: &str, v: DVec3| -> Result<[f32; 3], ModelError> {
            let mut out = [0.0; 3];
            for (axis, (out, v)) in out.iter_mut().zip(v.to_array()).enumerate() {
                // + 0 so that no coordinate starts as -0: a masked lane then writes back the very bits it read.
                *out = checked(|| format!("particles.{name}[{i}][{axis}]"), v, f64::NEG_INFINITY)?
                    + 0.0;
            }
            Ok(out)
        };
        let position = point("position", position.into())?;
        let velocity = point("velocity", velocity.into())?;
        let w = checked(|| format!("particles.inverse_mass[{i}]"), inverse_mass, 0.0)?;
        self.positions.push(position);
        self.velocities.push(velocity);
        self.inverse_masses.push(w);
        Ok(i as u32)
    }

    /// Adds a row of any kind, in lib or outside it: `model.add(Distance, [0, 1], [None], Stiffness::Compliance(1e-7))`.
    /// Parameters left out (`None`) are measured from the positions given so far; derived ones are always left out.
    ///
    /// # Errors
    /// An index out of range or named twice; a parameter or stiffness out of range, not finite or missing; a rest state
    /// that the kind cannot take.
    pub fn add<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
        &mut self,
        _kind: C,
        particles: [u32; N],
        params: [Option<f64>; P],
        stiffness: Stiffness,
    ) -> Result<(), ModelError> {
        self.add_as::<C, N, P, K>(particles, params, stiffness)
    }

    /// [`add`](Model::add) for a kind that is only known as a type.
    ///
    /// # Errors
    /// As `add`.
    pub fn add_as<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
        &mut self,
        particles: [u32; N],
        params: [Option<f64>; P],
        stiffness: Stiffness,
    ) -> Result<(), ModelError> {
        let before = self.sets.len();
        let set = self.set::<C, N, P, K>(stiffness.response_kind());
        let row = self.sets[set].len();
        if let Err(refused) = self.push_row::<C, N, P, K>(set, particles, params, stiffness) {
            // A set made for a row that is refused goes with it.
            self.sets.truncate(before);
            return Err(refused);
        }
        match self.order.last_mut() {
            Some(span) if span.set == set => span.rows.end += 1,
            _ => self.order.push(Span { set, rows: row..row + 1 }),
        }
        Ok(())
    }

    fn push_row<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
        &mut self,
        set: usize,
        particles: [u32; N],
        params: [Option<f64>; P],
        stiffness: Stiffness,
    ) -> Result<(), ModelError> {
        let rows = typed_mut::<C, N, P, K>(self.sets[set].as_mut());
        check_row(C::NAME, AnyRows::len(rows), &particles, self.positions.len())?;
        let x = particles.map(|i| point(&self.positions, i));
        rows.push(particles, x, params, stiffness)
    }

    /// The set of kind `C` and a response kind, made on first use.
    fn set<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
        &mut self,
        response_kind: ResponseKind,
    ) -> usize {
        let is_it = |set: &dyn AnyRows| is_of::<C, N, P, K>(set, response_kind);
        let last = self.order.last().map(|span| span.set);
        if let Some(set) = last.filter(|&set| is_it(self.sets[set].as_ref())) {
            return set; // the common case: generators add a kind at a time
        }
        self.sets.iter().position(|set| is_it(set.as_ref())).unwrap_or_else(|| {
            self.sets.push(empty::<C, N, P, K>(response_kind));
            self.sets.len() - 1
        })
    }

    /// Replaces the inverse mass of a particle (1/kg); 0 pins it.
    ///
    /// # Errors
    /// A negative or non-finite inverse mass, a particle that does not exist.
    pub fn set_inverse_mass(&mut self, particle: u32, inverse_mass: f64) -> Result<(), ModelError> {
        let place = || format!("particles.inverse_mass[{particle}]");
        let w = checked(place, inverse_mass, 0.0)?;
        let missing = || ModelError::value(place(), f64::from(particle), "no such particle");
        *self.inverse_masses.get_mut(particle as usize).ok_or_else(missing)? = w;
        Ok(())
    }

    /// Says how the model's particles should be stored and its rows colored, where its generator knows better than a
    /// search. It is verified when a solver is built.
    pub fn set_layout(&mut self, layout: GridLayout) {
        self.layout = Some(layout);
    }

    /// The generator's hint, if there is one.
    pub fn layout(&self) -> Option<&GridLayout> {
        self.layout.as_ref()
    }

    /// Positions (m), authored order.
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// Velocities (m/s), authored order.
    pub fn velocities(&self) -> &[[f32; 3]] {
        &self.velocities
    }

    /// Inverse masses (1/kg), authored order.
    pub fn inverse_masses(&self) -> &[f32] {
        &self.inverse_masses
    }

    /// The rows, one set per kind and response kind, in order of first appearance.
    pub(crate) fn rows(&self) -> &[Box<dyn AnyRows>] {
        &self.sets
    }

    /// The authored order, as runs of one set.
    pub fn order(&self) -> &[Span] {
        &self.order
    }

    /// Adds a rigid body. Returns its index.
    ///
    /// # Errors
    /// A number out of range or not finite in f32, an orientation that is not of length one; a flat mesh where there are
    /// contacts already.
    pub fn add_body(&mut self, body: Body) -> Result<u32, ModelError> {
        let i = self.bodies.len();
        let touches = self.contacts.is_some();
        let untouchable = || touches.then(|| untouchable(&body)).flatten();
        if let Some(flaw) = body.flaw().or_else(untouchable) {
            return Err(body_error(i, flaw));
        }
        self.bodies.push(body);
        Ok(i as u32)
    }

    /// The rigid bodies, authored order.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Adds what is projected after the rows of every iteration, in the order added.
    ///
    /// # Errors
    /// A subsystem that names what does not exist; a fluid of another radius than one that it meets.
    pub fn add_subsystem(&mut self, subsystem: impl Into<AnySubsystem>) -> Result<(), ModelError> {
        let subsystem = subsystem.into().0;
        let counts = [self.positions.len(), self.bodies.len()];
        let rules = [("particles", "no such particle"), ("bodies", "no such body")];
        for ((needs, has), (list, rule)) in subsystem.needs().into_iter().zip(counts).zip(rules) {
            if needs > has {
                let place = format!("{}.{list}", subsystem.name());
                return Err(ModelError::value(place, (needs - 1) as f64, rule));
            }
        }
        subsystem::add(&mut self.subsystems, subsystem)
    }

    /// Says what the particles may touch, where nothing else is said all there are so far; bodies touch each other and
    /// colliders from then on. Contacts are the last subsystem, whatever is added after them.
    ///
    /// # Errors
    /// As [`Contacts::validate`]; a body whose mesh is flat, so that it has no convex hull to touch with.
    pub fn set_contacts(&mut self, mut contacts: Contacts) -> Result<(), ModelError> {
        contacts.validate(&self.positions)?;
        let flaws = self.bodies.iter().map(untouchable).enumerate();
        if let Some((i, flaw)) = flaws.filter_map(|(i, flaw)| Some((i, flaw?))).next() {
            return Err(body_error(i, flaw));
        }
        let all = || self.authored_particles().collect();
        contacts.particles.get_or_insert_with(all);
        self.body_contacts = Some(BodyContacts::new(&contacts));
        self.contacts = Some(contacts);
        Ok(())
    }

    /// What the particles may touch.
    pub fn contacts(&self) -> Option<&Contacts> {
        self.contacts.as_ref()
    }

    /// The subsystems, in authored order; contacts last.
    pub(crate) fn subsystems(&self) -> impl Iterator<Item = &dyn Subsystem> {
        let contacts = self.contacts.as_ref();
        let contacts = contacts.map(|contacts| contacts as &dyn Subsystem);
        let of_bodies = self.body_contacts.as_ref().filter(|_| !self.bodies.is_empty());
        let of_bodies = of_bodies.map(|contacts| contacts as &dyn Subsystem);
        let subsystems = self.subsystems.iter().map(Box::as_ref);
        subsystems.chain(contacts).chain(of_bodies)
    }

    /// The joints of all bodies, in authored order.
    pub fn joints(&self) -> impl Iterator<Item = &Joint> {
        self.subsystems_of::<Joints>().flat_map(Joints::as_slice)
    }

    /// The number of rows of all kinds.
    pub fn row_count(&self) -> usize {
        self.sets.iter().map(|set| set.len()).sum()
    }

    /// The number of constraints: rows, and what subsystems count as.
    pub fn constraint_count(&self) -> usize {
        self.row_count() + self.subsystems().map(|subsystem| subsystem.len()).sum::<usize>()
    }
}

/// What is wrong with the i-th body.
fn body_error(i: usize, (name, value, rule): Flaw) -> ModelError {
    ModelError::value(format!("bodies[{i}].{name}"), value, rule)
}

impl<'a> From<&'a Model> for Authored<'a> {
    fn from(model: &'a Model) -> Self {
        Self {
            positions: &model.positions,
            inverse_masses: &model.inverse_masses,
            bodies: &model.bodies,
        }
    }
}
