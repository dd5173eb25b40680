//! What joints and attachments hold on to: the world, a body or a particle.

use super::link::Pose;
use crate::coloring::Permutation;
use crate::constraints::Particle;
use crate::math::{Quat, Vec3};
use crate::mesh::point;
use crate::state::{MovingBody, Snapshot, Width};
use crate::subsystem::{StepContext, needed};

/// One end of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The world: it does not move.
    World,
    /// A body.
    Body(u32),
    /// A particle.
    Particle(u32),
}

impl End {
    pub(super) fn particle(self) -> Option<u32> {
        if let Self::Particle(i) = self { Some(i) } else { None }
    }

    pub(super) fn body(self) -> Option<u32> {
        if let Self::Body(i) = self { Some(i) } else { None }
    }

    /// How many particles and bodies a model must have for some ends.
    pub(super) fn needed(ends: impl Iterator<Item = Self> + Clone) -> [usize; 2] {
        [needed(ends.clone().filter_map(Self::particle)), needed(ends.filter_map(Self::body))]
    }

    pub(super) fn kind(self) -> EndKind {
        match self {
            Self::World => EndKind::World,
            Self::Body(_) => EndKind::Body,
            Self::Particle(_) => EndKind::Particle,
        }
    }

    /// Where it is in a state, `axes` being those of the bodies: a position (m) and a principal frame.
    pub(super) fn pose(self, state: &Snapshot, axes: &[Quat<f64>]) -> Pose<f64> {
        match self {
            Self::World => (Vec3::zero(), Quat::identity()),
            Self::Particle(i) => (point(&state.positions, i), Quat::identity()),
            Self::Body(i) => {
                let [x, y, z, qx, qy, qz, qw] = state.bodies[i as usize].map(f64::from);
                let q = Quat::new(qx, qy, qz, qw).normalized();
                (Vec3::new(x, y, z), q * axes[i as usize])
            }
        }
    }

    /// Does `act` with the particles and bodies among `ends`.
    pub(super) fn link(ends: &[Self], act: &mut dyn FnMut(&[u32], &[u32])) {
        let particles: Vec<u32> = ends.iter().copied().filter_map(Self::particle).collect();
        let bodies: Vec<u32> = ends.iter().copied().filter_map(Self::body).collect();
        act(&particles, &bodies);
    }

    /// Where it lies in storage.
    pub(super) fn slot(self, permutation: &Permutation) -> u32 {
        match self {
            Self::World => 0,
            Self::Body(body) => body,
            Self::Particle(particle) => permutation.storage(particle),
        }
    }
}

/// What an end is loaded from. All rows of a batch have ends of the same kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndKind {
    World,
    Body,
    Particle,
}

impl EndKind {
    #[inline(always)]
    pub(super) fn load<W: Width>(
        self,
        step: &StepContext<W::Element>,
        slots: W::Slots,
    ) -> MovingBody<W> {
        match self {
            Self::World => MovingBody::world(),
            Self::Body => step.bodies.load(slots),
            Self::Particle => {
                let [Particle { x, w, .. }] = step.positions.load([slots]);
                MovingBody::particle(x, w)
            }
        }
    }

    #[inline(always)]
    pub(super) fn store<W: Width>(
        self,
        step: &StepContext<W::Element>,
        slots: W::Slots,
        body: MovingBody<W>,
    ) {
        match self {
            Self::World => {}
            Self::Body => step.bodies.store(slots, body),
            Self::Particle => {
                let MovingBody { x, w, push: moved, .. } = body;
                step.positions.store([slots], [Particle { x, w, moved }]);
            }
        }
    }
}
