//! What the particles of a model may touch, as authored; names and defaults as in `docs/scene-format.md`, `"contacts"`.

use super::Collider;
use super::collider::check_material;
use super::parting::Parting;
use super::tangle::tangles;
use crate::error::ModelError;
use crate::math::Real;
use crate::settings::{Detect, Order, Settings, Tangled};
use crate::state::CollisionFilter;
use crate::subsystem::BuildContext;

/// How fast what overlaps is parted where nothing is said (m/s).
pub(crate) const MAX_SPEED: f64 = 3.0;

/// A cloth that may touch itself.
#[derive(Clone, Debug, Default)]
pub struct SelfContact {
    /// Its triangles, authored indices.
    pub triangles: Vec<[u32; 3]>,
    /// How far its layers are kept apart (m).
    pub thickness: f64,
    /// What becomes of it if it starts tangled.
    pub tangled: Tangled,
}

/// What the particles may touch, and how.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// What no particle moves.
    pub colliders: Vec<Collider>,
    /// The particles that touch, authored indices; left out: all.
    pub particles: Option<Vec<u32>>,
    /// Radius of the ball around each (m).
    pub radius: f64,
    /// Friction µ >= 0 of the particles.
    pub friction: Option<f64>,
    /// Restitution e in 0..=1 of the particles.
    pub restitution: Option<f64>,
    /// Whether the balls touch each other.
    pub pairs: bool,
    /// Cloths that touch themselves.
    pub cloths: Vec<SelfContact>,
    /// When contacts are found anew.
    pub detect: Detect,
    /// How much further than touching contacts are found (m); left out: half the larger of radius and thickness, of a cloth with
    /// itself half its thickness, of balls with each other half their radius; where there is one substep, the mean of twice their
    /// ways in it, each within a quarter and half of the radius.
    pub margin: Option<f64>,
    /// Nothing that touches is faster than this at the end of a substep (m/s).
    pub max_speed: Option<f64>,
    /// In which order contacts of bodies are projected.
    pub order: Order,
    /// After how long at rest bodies that touch fall asleep (s); left out: never.
    pub sleep: Option<f64>,
    /// What the particles may touch of bodies and colliders.
    pub filter: CollisionFilter,
    /// Whether it is reported which bodies touch what, and with what force.
    pub events: bool,
}

impl Contacts {
    /// The margin, given or not (m).
    pub fn margin(&self) -> f64 {
        let thickness = self.cloths.iter().map(|cloth| cloth.thickness);
        let largest = thickness.fold(self.radius, f64::max);
        self.margin.unwrap_or(0.5 * largest)
    }

    /// The margins of balls that touch each other, of such as hardly move and of others (m). By many substeps the narrow one leaves out
    /// few pairs, and a poured heap creeps more.
    pub(super) fn margins_of_pairs(&self, settings: &Settings) -> [f64; 2] {
        let least = if settings.substeps == 1 { 0.25 } else { 0.5 };
        self.margin.map_or([least * self.radius, 0.5 * self.radius], |margin| [margin; 2])
    }

    /// How far overlaps of particles part in a substep that begin with `begun` at most (m).
    pub(super) fn parting<R: Real>(&self, begun: f64, settings: &Settings) -> Parting<R> {
        Parting::new(self.max_speed.unwrap_or(MAX_SPEED), self.restitution, begun, settings)
    }

    /// The colliders that particles touch.
    pub(crate) fn of_particles(&self) -> impl Iterator<Item = &Collider> {
        self.colliders.iter().filter(|c| !c.sensor && c.filter.meets(&self.filter))
    }

    /// The particles that touch, of `count`.
    pub(crate) fn members(&self, count: usize) -> Box<dyn Iterator<Item = u32> + '_> {
        match &self.particles {
            Some(list) => Box::new(list.iter().copied()),
            None => Box::new(0..count as u32),
        }
    }

    /// The slots of the particles that touch, in authored order.
    pub(super) fn slots(&self, context: &BuildContext) -> Vec<u32> {
        let members = self.members(context.positions.len());
        members.map(|i| context.permutation.storage(i)).collect()
    }

    /// Checks every number, for particles at `positions` (m).
    ///
    /// # Errors
    /// The first that is out of range; a particle that does not exist or stands twice; a cloth that starts tangled and is not to
    /// be repaired.
    pub fn validate(&self, positions: &[[f32; 3]]) -> Result<(), ModelError> {
        let refuse = |place: &str, value, rule| {
            let place = format!("contacts.{place}");
            Err(ModelError::Value { place, value, rule })
        };
        let length = |place: &str, value: f64| match value >= 0.0 && (value as f32).is_finite() {
            true => Ok(()),
            false => refuse(place, value, "must be finite and not negative"),
        };
        length("radius", self.radius)?;
        length("margin", self.margin.unwrap_or(0.0))?;
        check_material("contacts", self.friction, self.restitution)?;
        if let Some(speed) = self.max_speed
            && (speed as f32).partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater)
        {
            return refuse("max_speed", speed, "must be positive");
        }
        if let Some(after) = self.sleep
            && !(after >= 0.0 && after.is_finite())
        {
            return refuse("sleep", after, "must be finite and not negative");
        }
        if self.pairs && self.radius as f32 <= 0.0 {
            return refuse("radius", self.radius, "must be positive where pairs touch");
        }
        let count = positions.len();
        let mut listed = vec![false; count];
        for &i in self.particles.iter().flatten() {
            match listed.get_mut(i as usize) {
                None => return refuse("particles", f64::from(i), "no such particle"),
                Some(true) => return refuse("particles", f64::from(i), "stands twice"),
                Some(listed) => *listed = true,
            }
        }
        for (k, cloth) in self.cloths.iter().enumerate() {
            if cloth.thickness as f32 <= 0.0 || !(cloth.thickness as f32).is_finite() {
                let place = format!("self[{k}].thickness");
                return refuse(&place, cloth.thickness, "must be positive and finite in f32");
            }
            let known = |i: &&u32| **i as usize >= count;
            if let Some(&i) = cloth.triangles.as_flattened().iter().find(known) {
                return refuse(&format!("self[{k}]"), f64::from(i), "no such particle");
            }
            let twice = |t: &&[u32; 3]| t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
            if let Some(&[a, b, c]) = cloth.triangles.iter().find(twice) {
                let named = if b == c { b } else { a };
                let rule = "is named twice by a triangle";
                return refuse(&format!("self[{k}]"), f64::from(named), rule);
            }
            let tangles = match cloth.tangled {
                Tangled::Repair => 0,
                Tangled::Refuse => tangles(positions, &cloth.triangles),
            };
            if tangles > 0 {
                let rule = "edges that pass through triangles: the cloth starts tangled";
                return refuse(&format!("self[{k}]"), tangles as f64, rule);
            }
        }
        Ok(())
    }
}
