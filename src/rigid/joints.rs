//! Joints as a part of a model: after the rows of every iteration, colored among themselves.
//!
//! Elements of one sort and signature are one bunch, in the order in which they first appear, motors and limits after all
//! joints; within a bunch they are colored by first fit along the authored order. Every method walks that order.

use super::element::{Bunch, Element, FlatBunch, Place, flat};
use super::formula::{Params, Pose};
use super::joint::{Built, End, Joint};
use super::packed::{LaneBunch, packed};
use crate::coloring::Numbering;
use crate::coloring::{RowList, first_fit};
use crate::constraints::per_substep;
use crate::error::ModelError;
use crate::math::{Quat, Scalar, Vec3};
use crate::model::Model;
use crate::rows::Points;
use crate::rows::Residual;
use crate::settings::Settings;
use crate::state::Particles;
use crate::state::Snapshot;
use crate::subsystem::{FlatPart, LanePart, Moment, Part, PartSource, Stage};
use crate::threads::{Team, Worker};

/// All joints of a model.
#[derive(Default)]
pub struct Joints {
    joints: Vec<Joint>,
    /// The rows of the joints, then those of motors and limits apart.
    elements: Vec<Element>,
    drives: Vec<Element>,
    /// The axes of the model's bodies, to see their principal ones in a state.
    axes: Vec<Quat<f64>>,
}

impl Joints {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a joint between bodies and particles that `model` has, where they are now.
    ///
    /// # Errors
    /// An end that does not exist, a body joined to itself, two ends that cannot move; a number out of range or not finite;
    /// an axis that is missing; limits or a motor on a kind without a coordinate.
    pub fn add(&mut self, model: &Model, joint: Joint) -> Result<(), ModelError> {
        let Built { rows, rate } = joint.build(model, self.joints.len())?;
        for (i, (sort, params)) in rows.into_iter().enumerate() {
            let element = Element {
                sort,
                ends: joint.ends,
                params,
                rate: rate.filter(|rate| rate.0 == i).map(|rate| rate.1),
            };
            match i {
                0 => self.elements.push(element),
                _ => self.drives.push(element),
            }
        }
        self.axes = model.bodies().iter().map(|b| Quat::of(b.axes)).collect();
        self.joints.push(joint);
        Ok(())
    }

    /// The joints as authored.
    pub fn as_slice(&self) -> &[Joint] {
        &self.joints
    }

    fn all(&self) -> impl Iterator<Item = &Element> {
        self.elements.iter().chain(&self.drives)
    }

    /// Where the multipliers of each element begin, and how many there are.
    fn offsets(&self) -> (Vec<usize>, usize) {
        let mut end = 0;
        let starts = self.all().map(|element| {
            end += element.sort.rows();
            end - element.sort.rows()
        });
        (starts.collect(), end)
    }

    fn bunches(&self, model: &Model, numbering: &Numbering) -> Vec<Bunch> {
        let (bodies, places) = (model.bodies().len() as u32, numbering.places() as u32);
        let h = model.settings.h();
        let mut bunches: Vec<(Bunch, Vec<u32>)> = Vec::new();
        for (i, element) in (0..).zip(self.all()) {
            let signature = element.ends.map(Place::of);
            let slots = element.ends.map(|end| match end {
                End::World => 0,
                End::Body(body) => body,
                End::Particle(particle) => numbering.storage(particle),
            });
            // For the coloring everything has a number; each end in the world its own, as nothing is written there.
            let name = |end: usize| match signature[end] {
                Place::Body => slots[end],
                Place::Particle => bodies + slots[end],
                Place::World => bodies + places + i,
            };
            let of = |(bunch, _): &(Bunch, _)| {
                bunch.sort == element.sort && bunch.signature == signature
            };
            let at = bunches.iter().position(of).unwrap_or_else(|| {
                let bunch = Bunch {
                    sort: element.sort,
                    signature,
                    rows: Vec::new(),
                    params: Vec::new(),
                    coloring: first_fit(
                        RowList {
                            particles: &[],
                            arity: 2,
                        },
                        0,
                        0..0,
                    ),
                };
                bunches.push((bunch, Vec::new()));
                bunches.len() - 1
            });
            let (bunch, names) = &mut bunches[at];
            let alpha = per_substep(element.params.alpha, h);
            let params = Params {
                alpha,
                ..element.params
            };
            bunch.rows.push((i, slots));
            bunch
                .params
                .push((params, element.rate.map(|rate| rate * h)));
            names.extend([name(0), name(1)]);
        }
        let things = bodies as usize + places as usize + self.elements.len() + self.drives.len();
        let colored = bunches.into_iter().map(|(mut bunch, names)| {
            let rows = RowList {
                particles: &names,
                arity: 2,
            };
            bunch.coloring = first_fit(rows, things, 0..rows.len() as u32);
            bunch
        });
        colored.collect()
    }

    fn pose(&self, end: End, state: &Snapshot) -> Pose<f64> {
        match end {
            End::World => (Vec3::zero(), Quat::identity()),
            End::Particle(i) => {
                let x = state.positions[i as usize].map(f64::from);
                (Vec3::of(x), Quat::identity())
            }
            End::Body(i) => {
                let [x, y, z, qx, qy, qz, qw] = state.bodies[i as usize].map(f64::from);
                let q = Quat::new(qx, qy, qz, qw).normalized();
                (Vec3::new(x, y, z), q * self.axes[i as usize])
            }
        }
    }

    /// What every row of every joint, motors of velocity left out, is in a state: C (m or rad), α and where its multiplier is.
    fn errors(&self, state: &Snapshot) -> Vec<(f64, f64, usize)> {
        let mut errors = Vec::new();
        let (offsets, _) = self.offsets();
        for (element, first) in self.all().zip(offsets) {
            if element.rate.is_none() {
                let poses = element.ends.map(|end| self.pose(end, state));
                let rows = element.sort.evaluate(poses, &element.params);
                let alpha = element.params.alpha;
                errors.extend(
                    rows.iter()
                        .enumerate()
                        .map(|(k, row)| (row.c, alpha, first + k)),
                );
            }
        }
        errors
    }

    /// The largest |C| of all rows in a state: of those that hold a point or a distance (m), and of those that hold an
    /// angle (rad).
    pub fn largest_gaps(&self, state: &Snapshot) -> [f64; 2] {
        let mut most = [0.0_f64; 2];
        for element in self.all().filter(|element| element.rate.is_none()) {
            let poses = element.ends.map(|end| self.pose(end, state));
            for row in element.sort.evaluate(poses, &element.params) {
                let unit = usize::from(row.linear.length() == 0.0);
                most[unit] = most[unit].max(row.c.abs());
            }
        }
        most
    }
}

#[allow(private_interfaces)]
impl Part for Joints {
    fn name(&self) -> &'static str {
        "joints"
    }

    fn len(&self) -> usize {
        self.joints.len()
    }

    fn joined(&self) -> Vec<[u32; 2]> {
        let pairs = self.joints.iter().filter_map(|joint| match joint.ends {
            [End::Body(a), End::Body(b)] => Some([a, b]),
            _ => None,
        });
        pairs.collect()
    }

    fn lanes(&self, model: &Model, numbering: &Numbering) -> Box<dyn LanePart> {
        let bunches = self.bunches(model, numbering);
        let bunches: Vec<_> = bunches.iter().map(packed).collect();
        Box::new(Ready::new(bunches, self.offsets()))
    }

    /// |C + α/h² λ| of every row, in m or rad: a joint's points and directions move as far as its ends do.
    fn add_residual(
        &self,
        state: &Snapshot,
        lambda: &[f32],
        settings: &Settings,
        sum: &mut Residual,
    ) {
        for (c, alpha, at) in self.errors(state) {
            let force = lambda.get(at).map_or(0.0, |l| f64::from(*l));
            let r = (c + per_substep(alpha, settings.h()) * force).abs();
            sum.squares += r * r;
            sum.largest = sum.largest.max(r);
            sum.count += 1;
        }
    }

    fn elastic_energy(&self, state: &Snapshot, _settings: &Settings) -> f64 {
        let errors = self.errors(state).into_iter();
        let soft = errors.filter(|(_, alpha, _)| *alpha > 0.0);
        soft.map(|(c, alpha, _)| c * c / (2.0 * alpha)).sum()
    }

    fn joints(&self) -> &[Joint] {
        &self.joints
    }
}

impl<R: Scalar> PartSource<R> for Joints {
    fn flat(&self, model: &Model, numbering: &Numbering) -> Box<dyn FlatPart<R>> {
        let bunches = self.bunches(model, numbering);
        let bunches: Vec<_> = bunches.iter().map(flat::<R>).collect();
        Box::new(Ready::new(bunches, self.offsets()))
    }
}

/// The bunches in one of their forms.
pub(super) struct Ready<B> {
    bunches: Vec<B>,
    offsets: (Vec<usize>, usize),
}

impl<B> Ready<B> {
    /// `offsets`: where the multipliers of each element begin, and how many there are.
    pub(super) fn new(bunches: Vec<B>, offsets: (Vec<usize>, usize)) -> Self {
        Self { bunches, offsets }
    }

    /// Multipliers by element, in order.
    fn multipliers(&self, of: impl Fn(&B, &mut dyn FnMut(u32, usize, f32))) -> Vec<f32> {
        let (starts, len) = &self.offsets;
        let mut out = vec![0.0; *len];
        for bunch in &self.bunches {
            of(bunch, &mut |element, k, l| {
                out[starts[element as usize] + k] = l
            });
        }
        out
    }
}

impl<R: Scalar> FlatPart<R> for Ready<Box<dyn FlatBunch<R>>> {
    fn begin(&mut self, _: Moment, particles: &Particles<R>, _: &Points<R>) {
        self.bunches
            .iter_mut()
            .for_each(|bunch| bunch.begin(particles));
    }

    fn project(&mut self, points: &Points<R>) {
        self.bunches
            .iter_mut()
            .for_each(|bunch| bunch.project(points));
    }

    fn multipliers(&self) -> Vec<f32> {
        self.multipliers(|bunch, give| bunch.multipliers(give))
    }
}

#[allow(private_interfaces)]
impl LanePart for Ready<Box<dyn LaneBunch>> {
    fn begin(&mut self, _: Moment, _: &Team, stage: &Stage) {
        self.bunches.iter_mut().for_each(|bunch| bunch.begin(stage));
    }

    fn project(&self, worker: &Worker, stage: &Stage) {
        self.bunches
            .iter()
            .for_each(|bunch| bunch.project(worker, stage));
    }

    fn multipliers(&self) -> Vec<f32> {
        self.multipliers(|bunch, give| bunch.multipliers(give))
    }
}
