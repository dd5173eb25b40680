//! Drives: kinematic particles that a motion carries, all as one rigid body.
//!
//! ```text
//! x(t + h) = c + v t + R(t) (x(0) - c)          at the end of each substep, from the time alone
//! ```
//!
//! A drive is a subsystem without constraints: it moves its particles when a substep begins, before anything is projected.
//! Their inverse mass should be zero, or rows will move them too. Units: metres, radians, seconds.

use crate::math::{UPRIGHT, Vec3};
use crate::mesh::point;
use crate::state::Width;
use crate::state::{Motion, Pose};
use crate::subsystem::{
    BuildContext, Runtime, StepContext, StepPhase, Subsystem, needed, runtimes,
};
use crate::threads::Worker;

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

impl Subsystem for Drive {
    fn name(&self) -> &'static str {
        "drive"
    }
    fn len(&self) -> usize {
        0
    }
    fn needs(&self) -> [usize; 2] {
        [needed(self.particles.iter().copied()), 0]
    }
    runtimes!(described);
}

impl Drive {
    fn runtime<W: Width>(&self, context: &BuildContext) -> Box<dyn Runtime<W>> {
        let pose = Pose::new(self.center, UPRIGHT);
        let start =
            |&i: &u32| (context.permutation.storage(i), pose.local(point(context.positions, i)));
        Box::new(DriveRuntime {
            particles: self.particles.iter().map(start).collect(),
            pose,
            motion: self.motion,
            h: context.settings.h(),
        })
    }
}

/// A drive ready for a method.
struct DriveRuntime {
    /// Slot, and position in the drive's own frame.
    particles: Vec<(u32, Vec3<f64>)>,
    pose: Pose<f64>,
    motion: Motion,
    h: f64,
}

impl<W: Width> Runtime<W> for DriveRuntime {
    fn begin(&self, phase: StepPhase, worker: &Worker, step: &StepContext<W::Element>) {
        if phase == StepPhase::Iteration {
            return;
        }
        // Where each particle is at the end of the substep.
        let pose = self.pose.moved(&self.motion, step.time + self.h);
        worker.single(|| {
            for &(slot, x) in &self.particles {
                step.positions.place(slot, pose.world(x));
            }
        });
    }
}
