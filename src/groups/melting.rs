//! Melting: a part whose hold fades as its temperature rises from the solidus to the liquidus, for good (S1-20).
//!
//! ```text
//! s(t) = 1 - (t - t0) / (t1 - t0), held within 0..1        x <- x + s (x' - x),  x' = where the part takes x
//! ```
//!
//! Heating is even, so the temperature is told by the time: t0 and t1 (s). A part's corrections are proportional to its
//! stiffness, so this is the part with s times its stiffness; all of its particles fade alike, so it keeps the momentum that
//! the part keeps. What takes over, such as a [`Fluid`](super::Fluid) of the same particles, is a part of its own.

use crate::coloring::Numbering;
use crate::constraints::Particle;
use crate::math::{Scalar, Vec3};
use crate::model::Model;
use crate::rows::{Points, Store};
use crate::state::Particles;
use crate::subsystem::{FlatPart, LanePart, Moment, Part, PartSource, Stage};
use crate::threads::{Cells, Team, Worker};
use std::sync::Arc;

/// A part that melts.
pub struct Melting<P> {
    part: P,
    particles: Arc<[u32]>,
    begins: f64,
    ends: f64,
}

impl<P: Part> Melting<P> {
    /// `part`, which moves `particles` and no others, melts from the time `begins` to the time `ends` (s).
    pub fn new(part: P, particles: &[u32], begins: f64, ends: f64) -> Self {
        Self {
            part,
            particles: particles.into(),
            begins,
            ends,
        }
    }

    fn clock(&self, numbering: &Numbering) -> (Vec<u32>, [f64; 2]) {
        let stored = self.particles.iter().map(|&i| numbering.storage(i));
        (stored.collect(), [self.begins, self.ends])
    }
}

/// s at a time.
fn hold([begins, ends]: [f64; 2], time: f64) -> f64 {
    match time < begins {
        true => 1.0,
        false => ((ends - time) / (ends - begins).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0),
    }
}

/// `after`, only `hold` of the way from `before`.
#[inline(always)]
fn blend<R: Scalar>(before: Vec3<R>, after: Vec3<R>, hold: R) -> Vec3<R> {
    before + (after - before) * hold
}

impl<P: Part> Part for Melting<P> {
    fn name(&self) -> &'static str {
        self.part.name()
    }
    fn len(&self) -> usize {
        self.part.len()
    }
    #[allow(private_interfaces)]
    fn lanes(&self, model: &Model, numbering: &Numbering) -> Box<dyn LanePart> {
        let (stored, clock) = self.clock(numbering);
        Box::new(Lanes {
            part: self.part.lanes(model, numbering),
            before: Cells::new(stored.len(), Vec3::zero()),
            stored,
            clock,
            hold: 1.0,
        })
    }
}

impl<P: Part, R: Scalar> PartSource<R> for Melting<P>
where
    P: PartSource<R>,
{
    fn flat(&self, model: &Model, numbering: &Numbering) -> Box<dyn FlatPart<R>> {
        let (stored, clock) = self.clock(numbering);
        Box::new(Flat {
            part: PartSource::<R>::flat(&self.part, model, numbering),
            before: vec![Vec3::zero(); stored.len()],
            stored,
            clock,
            hold: 1.0,
        })
    }
}

struct Flat<R> {
    part: Box<dyn FlatPart<R>>,
    before: Vec<Vec3<R>>,
    stored: Vec<u32>,
    clock: [f64; 2],
    hold: f64,
}

impl<R: Scalar> FlatPart<R> for Flat<R> {
    fn begin(&mut self, moment: Moment, particles: &Particles<R>, points: &Points<R>) {
        self.hold = hold(self.clock, particles.time);
        self.part.begin(moment, particles, points);
    }

    fn project(&mut self, points: &Points<R>) {
        if self.hold == 0.0 {
            return;
        }
        for (before, &at) in self.before.iter_mut().zip(&self.stored) {
            let [Particle { x, .. }] = points.load([at]);
            *before = x;
        }
        self.part.project(points);
        for (&before, &at) in self.before.iter().zip(&self.stored) {
            let [Particle { x, w }] = points.load([at]);
            let x = blend(before, x, R::of(self.hold));
            points.store([at], [Particle { x, w }]);
        }
    }
}

struct Lanes {
    part: Box<dyn LanePart>,
    before: Cells<Vec3<f32>>,
    stored: Vec<u32>,
    clock: [f64; 2],
    hold: f64,
}

impl LanePart for Lanes {
    fn begin(&mut self, moment: Moment, team: &Team, stage: &Stage) {
        self.hold = hold(self.clock, stage.time);
        self.part.begin(moment, team, stage);
    }

    fn project(&self, worker: &Worker, stage: &Stage) {
        if self.hold == 0.0 {
            return;
        }
        worker.share(self.stored.len(), |part| {
            for i in part {
                let [Particle { x, .. }]: [Particle<f32>; 1] = stage.places.load([self.stored[i]]);
                self.before.set(i, x);
            }
        });
        self.part.project(worker, stage);
        worker.share(self.stored.len(), |part| {
            for i in part {
                let [Particle { x, w }]: [Particle<f32>; 1] = stage.places.load([self.stored[i]]);
                let x = blend(self.before.get(i), x, self.hold as f32);
                stage.places.store([self.stored[i]], [Particle { x, w }]);
            }
        });
    }
}
