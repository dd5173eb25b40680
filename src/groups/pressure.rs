//! Pressure: a closed surface keeps a multiple of its volume.
//!
//! ```text
//! C = Σ (x1 × x2)·x3 - k 6 V0        over the triangles (x1, x2, x3)
//! ```
//!
//! (Müller et al., *Position Based Dynamics*, 2006, eq. 14-16; S1-25, E4: the sum is six times the volume, and V0 is the true
//! one.) Unit: m³; of a compliance m³ · m³ / J. The gradient at a vertex is Σ xj × xk over the triangles around it. A
//! surface that is not closed, or not wound one way, encloses no volume and is refused; one wound inward has a negative
//! volume and keeps it. A surface shrunk to a line has no gradient and gets no correction.

use super::large_groups::LargeGroups;
use super::levels::levels_of;
use super::members::Group;
use super::runtime::GroupRuntime;
use super::vertices::{Surfaces, Vertex};
use super::{Measured, add_residual, check_stiffness, elastic_energy, response_numbers};
use crate::error::{ModelError, check_row, violation};
use crate::math::Vec3;
use crate::mesh::{Surface, corners, enclosed_volume, point, survey_surface};
use crate::rows::{Residual, Stiffness};
use crate::state::{Snapshot, Width};
use crate::subsystem::{Authored, BuildContext, Measurement, Runtime, Subsystem, needed, runtimes};

/// A closed surface under pressure.
#[derive(Clone, Debug)]
struct Balloon {
    /// Its vertices, each once: by valence, so that eight side by side have rings of one length, then by index.
    vertices: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// k 6 V0 (m³).
    target: f64,
    stiffness: Stiffness,
}

/// Closed surfaces, each of which keeps k times its rest volume: kind `pressure`.
#[derive(Clone, Debug, Default)]
pub struct Pressures {
    balloons: Vec<Balloon>,
}

const KIND: &str = "pressure";

impl Pressures {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a closed surface with overpressure k = `pressure` and the rest volume `rest_volume` (m³); left out, the volume is
    /// measured from the positions given so far.
    ///
    /// # Errors
    /// A particle that does not exist, a surface that is not closed, numbers out of range.
    pub fn add<'a>(
        &mut self,
        model: impl Into<Authored<'a>>,
        triangles: &[[u32; 3]],
        pressure: f64,
        rest_volume: Option<f64>,
        stiffness: Stiffness,
    ) -> Result<(), ModelError> {
        let positions = model.into().positions;
        let row = self.balloons.len();
        check_surface(row, triangles, positions.len())?;
        if let Some(rule) = violation(pressure, 0.0) {
            return Err(ModelError::row(KIND, row, ("pressure", pressure, rule)));
        }
        let volume = checked_volume(row, rest_volume, enclosed_volume(positions, triangles))?;
        check_stiffness(KIND, row, stiffness)?;
        let mut sorted: Vec<u32> = triangles.as_flattened().to_vec();
        sorted.sort_unstable();
        let mut vertices: Vec<&[u32]> = sorted.chunk_by(|a, b| a == b).collect();
        vertices.sort_by_key(|same| (same.len(), same[0]));
        self.balloons.push(Balloon {
            vertices: vertices.into_iter().map(|same| same[0]).collect(),
            triangles: triangles.to_vec(),
            target: pressure * 6.0 * volume,
            stiffness,
        });
        Ok(())
    }

    /// Each surface as a group, with its vertices where they lie.
    fn group<E>(&self, which: usize, context: &BuildContext) -> (Group<E>, Vec<Vertex<E>>)
    where
        E: Width<Slots = u32>,
    {
        let balloon = &self.balloons[which];
        let numbers = response_numbers(balloon.stiffness, context.settings);
        let target = E::of(f64::from(balloon.target as f32));
        let group = Group { target, ..Group::new(numbers, which) };
        let corners = corners(&balloon.triangles);
        let vertex = |&vertex: &u32| {
            let first = corners.partition_point(|(v, _)| *v < vertex);
            let ring = corners[first..].iter().take_while(|(v, _)| *v == vertex);
            let ring = ring.map(|(_, pair)| pair.map(|i| context.permutation.storage(i)));
            Vertex::new(context.permutation.storage(vertex), ring)
        };
        (group, balloon.vertices.iter().map(vertex).collect())
    }

    /// C and |∇C| of each in a state.
    fn measured(&self, state: &Snapshot) -> impl Iterator<Item = Measured> {
        let balloons = self.balloons.iter().enumerate();
        balloons.map(|(i, balloon)| (i, balloon.stiffness, balloon.measure(state)))
    }
}

impl Balloon {
    fn measure(&self, state: &Snapshot) -> [f64; 2] {
        let at = |i: u32| point(&state.positions, i);
        let origin = at(self.vertices[0]);
        let mut sum = 0.0;
        let mut gradients = std::collections::BTreeMap::<u32, Vec3<f64>>::new();
        for &[a, b, c] in &self.triangles {
            let [x, y, z] = [a, b, c].map(|i| at(i) - origin);
            sum += x.cross(y).dot(z);
            for (i, g) in [(a, y.cross(z)), (b, z.cross(x)), (c, x.cross(y))] {
                *gradients.entry(i).or_insert_with(Vec3::zero) += g;
            }
        }
        let square: f64 = gradients.values().map(|g| g.dot(*g)).sum();
        [sum - self.target, square.sqrt()]
    }
}

impl Subsystem for Pressures {
    fn name(&self) -> &'static str {
        KIND
    }

    fn len(&self) -> usize {
        self.balloons.len()
    }

    fn each_joined(&self, act: &mut dyn FnMut(&[u32])) {
        self.balloons.iter().for_each(|balloon| act(&balloon.vertices));
    }
    fn is_internal(&self) -> bool {
        true
    }
    fn needs(&self) -> [usize; 2] {
        [needed(self.balloons.iter().flat_map(|balloon| &balloon.vertices).copied()), 0]
    }
    runtimes!(described);

    fn add_residual(&self, of: &Measurement, sum: &mut Residual) {
        add_residual(self.measured(of.state), of.lambda, of.settings, sum);
    }

    fn elastic_energy(&self, of: &Measurement) -> f64 {
        elastic_energy(self.measured(of.state), of.settings)
    }
}

impl Pressures {
    fn runtime<W: Width>(&self, context: &BuildContext) -> Box<dyn Runtime<W>> {
        let levels = levels_of(self.balloons.len(), |i| &self.balloons[i as usize].vertices);
        let group = |&i: &u32| self.group(i as usize, context);
        let levels = levels.colors();
        let groups = levels.iter().map(|level| level.iter().map(group).collect());
        let groups = LargeGroups::<W, Surfaces>::new(groups.collect());
        Box::new(GroupRuntime::<W> {
            groups: vec![Box::new(groups)],
            levels: levels.len(),
            count: self.balloons.len(),
        })
    }
}

/// Refuses what is not a closed surface, wound one way.
fn check_surface(row: usize, triangles: &[[u32; 3]], count: usize) -> Result<(), ModelError> {
    for triangle in triangles {
        check_row(KIND, row, triangle, count)?;
    }
    if triangles.is_empty() {
        return Err(ModelError::row(KIND, row, ("triangles", 0.0, "a surface has some")));
    }
    let Surface { boundary, unbalanced, .. } = survey_surface(triangles);
    if boundary > 0 {
        let what = "are open; the surface must be closed";
        return Err(ModelError::Surface { kind: KIND, row, count: boundary, what });
    }
    if unbalanced > 0 {
        let what = "are wound wrongly; the surface must be wound one way";
        return Err(ModelError::Surface { kind: KIND, row, count: unbalanced, what });
    }
    Ok(())
}

/// The rest volume (m³): what was given, else what is measured, of whose sign it must be.
fn checked_volume(row: usize, given: Option<f64>, measured: f64) -> Result<f64, ModelError> {
    let volume = given.unwrap_or(measured);
    if let Some(rule) = violation(volume, f64::NEG_INFINITY) {
        return Err(ModelError::row(KIND, row, ("rest_volume", volume, rule)));
    }
    if volume * measured < 0.0 {
        let rule = "of the other sign than the volume: the surface is wound inward";
        return Err(ModelError::row(KIND, row, ("rest_volume", volume, rule)));
    }
    Ok(volume)
}
