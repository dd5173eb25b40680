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
use super::vertices::{Surfaces, Vertex};
use super::{Hold, check_strength, compliance, hold};
use crate::constraints::per_substep;
use crate::error::{ModelError, check_row, refusal};
use crate::math::Vec3;
use crate::mesh::{Surface, enclosed_volume, survey_surface};
use crate::rows::{Residual, Strength};
use crate::settings::Settings;
use crate::state::{Snapshot, Width};
use crate::subsystem::{
    Authored, BuildContext, Runtime, StepContext, StepPhase, Subsystem, runtimes,
};
use crate::threads::Worker;

/// A closed surface under pressure.
#[derive(Clone, Debug)]
struct Balloon {
    /// Its vertices, each once: by valence, so that eight side by side have rings of one length, then by index.
    vertices: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// k 6 V0 (m³).
    target: f64,
    strength: Strength,
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
        strength: Strength,
    ) -> Result<(), ModelError> {
        let positions = model.into().positions;
        let row = self.balloons.len();
        check_surface(row, triangles, positions.len())?;
        if let Some(rule) = refusal(pressure, 0.0) {
            return Err(refuse(row, "pressure", pressure, rule));
        }
        let volume = checked_volume(row, rest_volume, enclosed_volume(positions, triangles))?;
        check_strength(KIND, row, strength)?;
        let mut sorted: Vec<u32> = triangles.as_flattened().to_vec();
        sorted.sort_unstable();
        let mut vertices: Vec<&[u32]> = sorted.chunk_by(|a, b| a == b).collect();
        vertices.sort_by_key(|same| (same.len(), same[0]));
        self.balloons.push(Balloon {
            vertices: vertices.into_iter().map(|same| same[0]).collect(),
            triangles: triangles.to_vec(),
            target: pressure * 6.0 * volume,
            strength,
        });
        Ok(())
    }

    /// Each surface as a group, with its vertices where they lie.
    fn group<E>(&self, which: usize, context: &BuildContext) -> (Group<E>, Vec<Vertex<E>>)
    where
        E: Width<Slots = u32>,
    {
        let balloon = &self.balloons[which];
        let numbers = hold(balloon.strength, context.settings);
        let group = Group {
            hold: Hold::new(numbers),
            damped: numbers[1] > 0.0,
            target: E::of(f64::from(balloon.target as f32)),
            plastic: None,
            authored: which,
        };
        let mut corners: Vec<(u32, [u32; 2])> = Vec::new();
        for &[a, b, c] in &balloon.triangles {
            corners.extend([(a, [b, c]), (b, [c, a]), (c, [a, b])]);
        }
        corners.sort_by_key(|(vertex, _)| *vertex); // stable: rings stay in the order of the triangles
        let vertex = |&vertex: &u32| {
            let first = corners.partition_point(|(v, _)| *v < vertex);
            let ring = corners[first..].iter().take_while(|(v, _)| *v == vertex);
            let ring = ring.map(|(_, pair)| pair.map(|i| context.permutation.storage(i)));
            Vertex::new(context.permutation.storage(vertex), ring)
        };
        (group, balloon.vertices.iter().map(vertex).collect())
    }

    /// C and |∇C| in a state.
    fn measure(&self, balloon: &Balloon, state: &Snapshot) -> (f64, f64) {
        let at = |i: u32| Vec3::of(state.positions[i as usize].map(f64::from));
        let origin = at(balloon.vertices[0]);
        let mut sum = 0.0;
        let mut gradients = std::collections::BTreeMap::<u32, Vec3<f64>>::new();
        for &[a, b, c] in &balloon.triangles {
            let [x, y, z] = [a, b, c].map(|i| at(i) - origin);
            sum += x.cross(y).dot(z);
            for (i, g) in [(a, y.cross(z)), (b, z.cross(x)), (c, x.cross(y))] {
                *gradients.entry(i).or_insert_with(Vec3::zero) += g;
            }
        }
        let square: f64 = gradients.values().map(|g| g.dot(*g)).sum();
        (sum - balloon.target, square.sqrt())
    }
}

impl Subsystem for Pressures {
    fn name(&self) -> &'static str {
        KIND
    }

    fn len(&self) -> usize {
        self.balloons.len()
    }

    runtimes!();

    fn add_residual(
        &self,
        state: &Snapshot,
        lambda: &[f32],
        settings: &Settings,
        sum: &mut Residual,
    ) {
        for (balloon, &lambda) in self.balloons.iter().zip(lambda) {
            let (c, gradient) = self.measure(balloon, state);
            let alpha = per_substep(compliance(balloon.strength, settings), settings.h());
            sum.add(c + alpha * f64::from(lambda), gradient);
        }
    }

    fn elastic_energy(&self, state: &Snapshot, settings: &Settings) -> f64 {
        let energy = |balloon: &Balloon| match compliance(balloon.strength, settings) {
            alpha if alpha > 0.0 => self.measure(balloon, state).0.powi(2) / (2.0 * alpha),
            _ => 0.0,
        };
        self.balloons.iter().map(energy).sum()
    }
}

impl Pressures {
    fn runtime<W: Width>(&self, context: &BuildContext) -> Box<dyn Runtime<W>> {
        let levels = levels_of(self.balloons.len(), |i| &self.balloons[i as usize].vertices);
        let group = |&i: &u32| self.group(i as usize, context);
        let levels = levels.colors().iter();
        let levels = levels.map(|level| level.iter().map(group).collect());
        let levels: Vec<Vec<_>> = levels.collect();
        Box::new(PressureRuntime::<W> {
            levels: levels.len(),
            groups: LargeGroups::new(levels),
            count: self.balloons.len(),
        })
    }
}

struct PressureRuntime<W: Width> {
    groups: LargeGroups<W, Surfaces>,
    levels: usize,
    count: usize,
}

impl<W: Width> Runtime<W> for PressureRuntime<W> {
    fn begin(&self, phase: StepPhase, worker: &Worker, step: &StepContext<W::Element>) {
        if phase != StepPhase::Iteration {
            worker.alone(|| self.groups.begin(&step.positions));
        }
    }

    fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        for level in 0..self.levels {
            self.groups.project(level, worker, &step.positions);
        }
    }

    fn multipliers(&self) -> Vec<f32> {
        let mut out = vec![0.0; self.count];
        self.groups.each_multiplier(|i, lambda| out[i] = lambda);
        out
    }
}

fn refuse(row: usize, name: &'static str, value: f64, rule: &'static str) -> ModelError {
    ModelError::Row {
        kind: KIND,
        row,
        name,
        value,
        rule,
    }
}

/// Refuses what is not a closed surface, wound one way.
fn check_surface(row: usize, triangles: &[[u32; 3]], count: usize) -> Result<(), ModelError> {
    for triangle in triangles {
        check_row(KIND, row, triangle, count)?;
    }
    if triangles.is_empty() {
        return Err(refuse(row, "triangles", 0.0, "a surface has some"));
    }
    let Surface {
        boundary,
        unbalanced,
        ..
    } = survey_surface(triangles);
    if boundary > 0 {
        let rule = "the surface must be closed: no edge of one triangle only";
        return Err(refuse(row, "boundary edges", boundary as f64, rule));
    }
    if unbalanced > 0 {
        let rule = "the surface must be wound one way";
        return Err(refuse(row, "edges wound wrongly", unbalanced as f64, rule));
    }
    Ok(())
}

/// The rest volume (m³): what was given, else what is measured, of whose sign it must be.
fn checked_volume(row: usize, given: Option<f64>, measured: f64) -> Result<f64, ModelError> {
    let volume = given.unwrap_or(measured);
    if let Some(rule) = refusal(volume, f64::NEG_INFINITY) {
        return Err(refuse(row, "rest_volume", volume, rule));
    }
    if volume * measured < 0.0 {
        let rule = "of the other sign than the volume: the surface is wound inward";
        return Err(refuse(row, "rest_volume", volume, rule));
    }
    Ok(volume)
}
