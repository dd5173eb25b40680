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

use super::lane_members::LaneGroups;
use super::levels::levels_of;
use super::members::{FlatGroups, Group};
use super::rings::{Packet, Vertex};
use super::{Hold, compliance, hold};
use crate::coloring::Numbering;
use crate::constraints::per_substep;
use crate::error::{ModelError, refusal};
use crate::math::{Scalar, Vec3, WIDTH};
use crate::mesh::{Surface, enclosed_volume, survey_surface};
use crate::model::Model;
use crate::rows::Points;
use crate::rows::Residual;
use crate::rows::Strength;
use crate::settings::Settings;
use crate::state::Particles;
use crate::state::Snapshot;
use crate::subsystem::{FlatPart, LanePart, Moment, Part, PartSource, Stage};
use crate::threads::{Team, Worker};

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
    pub fn add(
        &mut self,
        model: &Model,
        triangles: &[[u32; 3]],
        pressure: f64,
        rest_volume: Option<f64>,
        strength: Strength,
    ) -> Result<(), ModelError> {
        let row = self.balloons.len();
        let refuse = |name, value, rule| ModelError::Row {
            kind: KIND,
            row,
            name,
            value,
            rule,
        };
        let count = model.positions().len();
        for triangle in triangles {
            for (corner, &index) in triangle.iter().enumerate() {
                if index as usize >= count {
                    return Err(ModelError::Index {
                        kind: KIND,
                        row,
                        index,
                        count,
                    });
                }
                if triangle[..corner].contains(&index) {
                    return Err(ModelError::Twice {
                        kind: KIND,
                        row,
                        index,
                    });
                }
            }
        }
        if triangles.is_empty() {
            return Err(refuse("triangles", 0.0, "a surface has some"));
        }
        let Surface {
            boundary,
            unbalanced,
            ..
        } = survey_surface(triangles);
        if boundary > 0 {
            let rule = "the surface must be closed: no edge of one triangle only";
            return Err(refuse("boundary edges", boundary as f64, rule));
        }
        if unbalanced > 0 {
            let rule = "the surface must be wound one way";
            return Err(refuse("edges wound wrongly", unbalanced as f64, rule));
        }
        if let Some(rule) = refusal(pressure, 0.0) {
            return Err(refuse("pressure", pressure, rule));
        }
        let measured = enclosed_volume(model.positions(), triangles);
        let volume = rest_volume.unwrap_or(measured);
        if let Some(rule) = refusal(volume, f64::NEG_INFINITY) {
            return Err(refuse("rest_volume", volume, rule));
        }
        if volume * measured < 0.0 {
            let rule = "of the other sign than the volume: the surface is wound inward";
            return Err(refuse("rest_volume", volume, rule));
        }
        let numbers = strength.numbers(false);
        numbers.map_err(|(name, value, rule)| refuse(name, value, rule))?;
        if strength == Strength::Material {
            return Err(ModelError::Missing {
                kind: KIND,
                row,
                name: "stiffness or compliance",
            });
        }
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
    fn group<R: Scalar>(
        &self,
        which: usize,
        numbering: &Numbering,
        settings: &Settings,
    ) -> (Group<R>, Vec<Vertex<u32>>) {
        let balloon = &self.balloons[which];
        let numbers = hold(balloon.strength, settings);
        let group = Group {
            hold: Hold::new(numbers),
            damped: numbers[1] > 0.0,
            target: R::of(f64::from(balloon.target as f32)),
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
            let ring = ring.map(|(_, pair)| pair.map(|i| numbering.storage(i)));
            Vertex::<u32>::new(numbering.storage(vertex), ring)
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

impl<R: Scalar> PartSource<R> for Pressures {
    fn flat(&self, model: &Model, numbering: &Numbering) -> Box<dyn FlatPart<R>> {
        let mut flat = FlatGroups::new();
        for which in 0..self.balloons.len() {
            let (group, vertices) = self.group(which, numbering, &model.settings);
            flat.push(group, vertices);
        }
        Box::new(Flat(flat))
    }
}

struct Flat<R>(FlatGroups<R, Vertex<u32>>);

impl<R: Scalar> FlatPart<R> for Flat<R> {
    fn begin(&mut self, moment: Moment, _: &Particles<R>, points: &Points<R>) {
        if moment != Moment::Iteration {
            self.0.begin(points);
        }
    }
    fn project(&mut self, points: &Points<R>) {
        (0..self.0.len()).for_each(|which| self.0.project(which, points));
    }
    fn multipliers(&self) -> Vec<f32> {
        let mut out = vec![0.0; self.0.len()];
        self.0.each_multiplier(|i, lambda| out[i] = lambda);
        out
    }
}

struct Lanes {
    groups: LaneGroups<Packet, Vertex<u32>>,
    levels: usize,
    count: usize,
}

#[allow(private_interfaces)]
impl LanePart for Lanes {
    fn begin(&mut self, moment: Moment, _: &Team, stage: &Stage) {
        if moment != Moment::Iteration {
            self.groups.begin(&stage.places);
        }
    }
    fn project(&self, worker: &Worker, stage: &Stage) {
        (0..self.levels).for_each(|level| self.groups.project(level, worker, &stage.places));
    }
    fn multipliers(&self) -> Vec<f32> {
        let mut out = vec![0.0; self.count];
        self.groups.each_multiplier(|i, lambda| out[i] = lambda);
        out
    }
}

#[allow(private_interfaces)]
impl Part for Pressures {
    fn name(&self) -> &'static str {
        KIND
    }

    fn len(&self) -> usize {
        self.balloons.len()
    }

    fn lanes(&self, model: &Model, numbering: &Numbering) -> Box<dyn LanePart> {
        let levels = levels_of(self.len(), |i| &self.balloons[i as usize].vertices);
        let group = |&i: &u32| {
            let (group, mut vertices) = self.group(i as usize, numbering, &model.settings);
            let singles = vertices.split_off(vertices.len() / WIDTH * WIDTH);
            let packets = vertices.chunks_exact(WIDTH).map(Packet::new).collect();
            (group, packets, singles)
        };
        let all = levels.colors().iter();
        let all: Vec<Vec<_>> = all.map(|level| level.iter().map(group).collect()).collect();
        Box::new(Lanes {
            levels: all.len(),
            groups: LaneGroups::new(all),
            count: self.len(),
        })
    }

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
