//! Drives: kinematic particles that a motion carries, all as one rigid thing.
//!
//! ```text
//! x(t + h) = c + v t + R(t) (x(0) - c)          at the end of each substep, from the time alone
//! ```
//!
//! A drive is a part without constraints: it moves its particles when a substep begins, before anything is projected. Their
//! inverse mass should be zero, or rows will move them too. Units: metres, radians, seconds.

use crate::collision::{Motion, Pose};
use crate::coloring::Numbering;
use crate::constraints::Particle;
use crate::math::{Real, Scalar, Vec3};
use crate::model::Model;
use crate::rows::{Points, Store};
use crate::state::Particles;
use crate::subsystem::{FlatPart, LanePart, Moment, Part, PartSource, Stage};
use crate::threads::{Team, Worker};

/// Particles that are driven.
#[derive(Clone, Debug)]
pub struct Drive {
    /// Authored indices.
    pub particles: Vec<u32>,
    /// What they turn about (m).
    pub center: [f64; 3],
    /// How they go.
    pub motion: Motion,
}

/// A drive ready for a method.
struct Ready {
    /// Place, and position in the drive's own frame.
    particles: Vec<(u32, Vec3<f64>)>,
    pose: Pose<f64>,
    motion: Motion,
    h: f64,
}

impl Ready {
    /// Where each particle is at the end of the substep that begins at `time`.
    fn after<R: Real>(&self, time: f64) -> impl Iterator<Item = (u32, Vec3<R>)> {
        let pose = self.pose.moved(&self.motion, time + self.h);
        self.particles.iter().map(move |&(place, x)| {
            let x = pose.world(x);
            (place, Vec3::of([x.x, x.y, x.z]))
        })
    }

    fn new(drive: &Drive, model: &Model, numbering: &Numbering) -> Self {
        let pose = Pose::new(drive.center, [0.0, 0.0, 0.0, 1.0]);
        let start = |&i: &u32| {
            let x = Vec3::of(model.positions()[i as usize].map(f64::from));
            (numbering.storage(i), pose.local(x))
        };
        Self {
            particles: drive.particles.iter().map(start).collect(),
            pose,
            motion: drive.motion,
            h: model.settings.h(),
        }
    }

    fn place<R: Real>(&self, moment: Moment, time: f64, store: &impl Store<u32, R>) {
        if moment != Moment::Iteration {
            for (place, x) in self.after(time) {
                let [Particle { w, .. }] = store.load([place]);
                store.store([place], [Particle { x, w }]);
            }
        }
    }
}

impl Part for Drive {
    fn name(&self) -> &'static str {
        "drive"
    }
    fn len(&self) -> usize {
        0
    }
    #[allow(private_interfaces)]
    fn lanes(&self, model: &Model, numbering: &Numbering) -> Box<dyn LanePart> {
        Box::new(Ready::new(self, model, numbering))
    }
}

impl<R: Scalar> PartSource<R> for Drive {
    fn flat(&self, model: &Model, numbering: &Numbering) -> Box<dyn FlatPart<R>> {
        Box::new(Ready::new(self, model, numbering))
    }
}

impl<R: Scalar> FlatPart<R> for Ready {
    fn begin(&mut self, moment: Moment, particles: &Particles<R>, points: &Points<R>) {
        self.place(moment, particles.time, points);
    }
    fn project(&mut self, _: &Points<R>) {}
}

#[allow(private_interfaces)]
impl LanePart for Ready {
    fn begin(&mut self, moment: Moment, _: &Team, stage: &Stage) {
        self.place::<f32>(moment, stage.time, &stage.places);
    }
    fn project(&self, _: &Worker, _: &Stage) {}
}
