//! Rows of particle kinds at arms of bodies, as a part of a model: after the rows of every iteration and groups, before
//! joints where they are added before them.
//!
//! A row's places are numbered as they come, and the numbers stand where plain rows have their particles: all that a
//! [`RowSet`] knows of its rows (parameters, responses, residuals) serves here too. Rows of one kind,
//! response kind and kinds of ends are one batch, colored by first fit along the authored order; every method walks that order.

use super::attachment_rows::{Attachment, AttachmentContext, AttachmentRows, empty};
use super::batch::{BatchRuntime, RowBatch};
use super::end::End;
use crate::constraints::Constraint;
use crate::error::{ModelError, check_numbers};
use crate::math::{F32x8, Quat, Vec3};
use crate::rows::{Residual, Stiffness, is_of, typed_mut};
use crate::state::{Snapshot, Width};
use crate::subsystem::{Authored, Bond, BuildContext, Measurement, Runtime, Subsystem};
use std::fmt;

/// Where a row at arms is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum At {
    /// By a particle.
    Particle(u32),
    /// By a body, at a point of the world where it is now (m).
    Body(u32, [f64; 3]),
}

/// How near each other places are one, in parts of a metre or of how far out they are: what f32 rounds off.
const SAME_PLACE: f64 = 1e-6;

/// The particle and the body of two places, if they are of one each.
fn particle_and_body(one: At, other: At) -> Option<[u32; 2]> {
    match (one, other) {
        (At::Particle(i), At::Body(b, _)) | (At::Body(b, _), At::Particle(i)) => Some([i, b]),
        _ => None,
    }
}

/// Rows of particle kinds of which bodies are part.
#[derive(Default)]
pub struct Attachments {
    attachments: Vec<Attachment>,
    sets: Vec<Box<dyn AttachmentRows>>,
    /// The particle and the body of each row between them that begins at one place.
    joined: Vec<[u32; 2]>,
    /// The axes of the model's bodies, to see their principal ones in a state.
    axes: Vec<Quat<f64>>,
}

impl Attachments {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a row, as `Model::add` does, between particles and points of bodies that `model` has, where they are now.
    ///
    /// # Errors
    /// As `Model::add`; a body that does not exist or is named twice; a point that is not finite.
    pub fn add<'a, C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
        &mut self,
        model: impl Into<Authored<'a>>,
        _kind: C,
        at: [At; N],
        params: [Option<f64>; P],
        stiffness: Stiffness,
    ) -> Result<(), ModelError> {
        self.add_as::<C, N, P, K>(model, at, params, stiffness)
    }

    /// [`add`](Self::add) for a kind that is only known as a type.
    ///
    /// # Errors
    /// As `add`.
    pub fn add_as<'a, C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
        &mut self,
        model: impl Into<Authored<'a>>,
        at: [At; N],
        params: [Option<f64>; P],
        stiffness: Stiffness,
    ) -> Result<(), ModelError> {
        let model = &model.into();
        let response_kind = stiffness.response_kind();
        let set = self.sets.iter().position(|set| is_of::<C, N, P, K>(set.as_ref(), response_kind));
        let set = set.unwrap_or_else(|| {
            self.sets.push(empty::<C, N, P, K>(response_kind));
            self.sets.len() - 1
        });
        let pushed = self.push_row::<C, N, P, K>(model, set, at, params, stiffness);
        // A set made for a row that is refused goes with it.
        if pushed.is_err() && self.sets[set].len() == 0 {
            self.sets.pop();
        }
        pushed
    }

    fn push_row<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
        &mut self,
        model: &Authored,
        set: usize,
        at: [At; N],
        params: [Option<f64>; P],
        stiffness: Stiffness,
    ) -> Result<(), ModelError> {
        let row = self.sets[set].len();
        let mut held = Vec::new();
        let mut x = [Vec3::zero(); N];
        for (slot, &at) in at.iter().enumerate() {
            let (end, point, arm) = self.place(model, at, C::NAME, row)?;
            if held.iter().any(|held: &Attachment| held.end == end) {
                return Err(match at {
                    At::Particle(index) => ModelError::Twice { kind: C::NAME, row, index },
                    At::Body(i, _) => {
                        ModelError::row(C::NAME, row, ("body", f64::from(i), "it is named twice"))
                    }
                });
            }
            held.push(Attachment { end, arm });
            x[slot] = point;
        }
        let first = self.attachments.len() as u32;
        let places = std::array::from_fn(|slot| first + slot as u32);
        typed_mut::<C, N, P, K>(self.sets[set].as_mut()).push(places, x, params, stiffness)?;
        self.attachments.extend(held);
        if let &[one, other] = &at[..] {
            let (pair, apart) = (particle_and_body(one, other), (x[0] - x[N - 1]).length());
            self.joined.extend(pair.filter(|_| apart <= SAME_PLACE * (1.0 + x[0].length())));
        }
        let added = model.bodies.iter().skip(self.axes.len());
        self.axes.extend(added.map(|body| Quat::of(body.axes)));
        Ok(())
    }

    /// Checks a place: what holds it, where it is and its arm.
    fn place(
        &self,
        model: &Authored,
        at: At,
        kind: &'static str,
        row: usize,
    ) -> Result<(End, Vec3<f64>, Vec3<f64>), ModelError> {
        match at {
            At::Particle(index) => {
                let count = model.positions.len();
                let x = model.positions.get(index as usize);
                let x = x.ok_or(ModelError::Index { kind, row, index, count })?;
                let x = Vec3::of(x.map(f64::from));
                Ok((End::Particle(index), x, Vec3::zero()))
            }
            At::Body(i, point) => {
                let missing = ("body", f64::from(i), "there is no such body");
                let body = model.bodies.get(i as usize);
                let body = body.ok_or_else(|| ModelError::row(kind, row, missing))?;
                check_numbers("point", &point, f64::NEG_INFINITY)
                    .map_err(|flaw| ModelError::row(kind, row, flaw))?;
                Ok((End::Body(i), Vec3::of(point), body.to_local(point)))
            }
        }
    }

    /// Does `act` with the set and the ends of each row.
    fn each_row(&self, mut act: impl FnMut(&dyn AttachmentRows, &[End])) {
        for set in &self.sets {
            for places in set.row_list().rows() {
                let end = |&place: &u32| self.attachments[place as usize].end;
                act(set.as_ref(), &places.iter().map(end).collect::<Vec<_>>());
            }
        }
    }

    /// Where every place is in a state (m).
    fn points(&self, state: &Snapshot) -> Vec<[f32; 3]> {
        let point = |held: &Attachment| {
            let (x, q) = held.end.pose(state, &self.axes);
            (x + q.rotate(held.arm)).to_array().map(|v| v as f32)
        };
        self.attachments.iter().map(point).collect()
    }

    /// The rows ready for a width, as `ready` says of each set.
    fn runtime<W: Width>(
        &self,
        context: &BuildContext,
        ready: impl Fn(&dyn AttachmentRows, AttachmentContext) -> Vec<Box<dyn RowBatch<W>>>,
    ) -> Box<dyn Runtime<W>> {
        let (mut batches, mut equations) = (Vec::new(), Vec::new());
        for set in &self.sets {
            let first = equations.len() as u32;
            let of = AttachmentContext { context, attachments: &self.attachments, first };
            batches.extend(ready(set.as_ref(), of));
            equations.extend(vec![set.equations(); set.len()]);
        }
        Box::new(BatchRuntime { batches, equations })
    }
}

impl Subsystem for Attachments {
    fn name(&self) -> &'static str {
        "rows at arms"
    }

    fn len(&self) -> usize {
        self.sets.iter().map(|set| set.len()).sum()
    }

    fn equations(&self) -> usize {
        self.sets.iter().map(|set| set.len() * set.equations()).sum()
    }

    fn joined(&self) -> [Vec<[u32; 2]>; 2] {
        [Vec::new(), self.joined.clone()]
    }

    fn each_joined(&self, act: &mut dyn FnMut(&[u32])) {
        self.each_row(|_, ends| End::link(ends, &mut |particles, _| act(particles)));
    }
    fn describe(&self, to: &mut dyn fmt::Write) -> fmt::Result {
        write!(to, "{:?}", self.attachments)?;
        self.sets.iter().try_for_each(|set| {
            let (name, list) = (set.name(), set.row_list().particles);
            write!(to, "{name} {list:?} {:?} {:?}", set.param_list(), set.stiffness_lists())
        })
    }
    fn needs(&self) -> [usize; 2] {
        End::needed(self.attachments.iter().map(|attachment| attachment.end))
    }

    fn each_link(&self, act: &mut dyn FnMut(&[u32], &[u32])) {
        self.each_row(|_, ends| End::link(ends, act));
    }

    fn each_bond(&self, act: &mut Bond) {
        self.each_row(|set, ends| {
            End::link(ends, &mut |particles, bodies| act(particles, bodies, set.is_internal()));
        });
    }

    fn scalar(&self, context: &BuildContext) -> Box<dyn Runtime<f32>> {
        self.runtime(context, |set, of| set.scalar(of))
    }

    #[cfg(test)]
    fn double(&self, context: &BuildContext) -> Box<dyn Runtime<f64>> {
        self.runtime(context, |set, of| set.double(of))
    }

    fn lanes(&self, context: &BuildContext) -> Box<dyn Runtime<F32x8>> {
        self.runtime(context, |set, of| set.lanes(of))
    }

    fn add_residual(&self, of: &Measurement, sum: &mut Residual) {
        let points = self.points(of.state);
        let mut rest = of.lambda;
        for set in &self.sets {
            let count = set.len() * set.equations();
            let none = vec![0.0; count];
            let own = rest.get(..count).unwrap_or(&none);
            set.add_residual(0..set.len(), &points, own, of.settings, sum);
            rest = rest.get(count..).unwrap_or(&[]);
        }
    }

    fn elastic_energy(&self, of: &Measurement) -> f64 {
        let points = self.points(of.state);
        let sets = self.sets.iter();
        sets.map(|set| set.elastic_energy(0..set.len(), &points, of.settings)).sum()
    }
}
