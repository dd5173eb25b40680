//! What joints and attachments hold on to: the world, a body or a particle.

use crate::coloring::Permutation;
use crate::constraints::Particle;
use crate::state::{MovingBody, Width};
use crate::subsystem::StepContext;

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
    pub(super) fn kind(self) -> EndKind {
        match self {
            Self::World => EndKind::World,
            Self::Body(_) => EndKind::Body,
            Self::Particle(_) => EndKind::Particle,
        }
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
                let [Particle { x, w }] = step.positions.load([slots]);
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
                let MovingBody { x, w, .. } = body;
                step.positions.store([slots], [Particle { x, w }]);
            }
        }
    }
}
