//! Particles of a fluid side by side.

use crate::math::{Real, Vec3};

/// As many particles as there are lanes. All blocks are more than a cache holds: a pass replaces only what it changes.
#[derive(Clone, Copy)]
pub(super) struct Block<W> {
    pub(super) x: Vec3<W>,
    pub(super) w: W,
    /// How far off its position each is taken to lie.
    pub(super) offset: Vec3<W>,
    /// What of the kernel lies within bodies.
    pub(super) solid: W,
    /// While velocities respond: v, and ω.
    pub(super) v: Vec3<W>,
    pub(super) vorticity: Vec3<W>,
    /// The multiplier, how much of it has been applied, and what the iteration applies.
    pub(super) total: W,
    pub(super) applied: W,
    pub(super) last: W,
    /// A part of the pressure that lasts, and how many of them are still to come.
    pub(super) part: W,
    pub(super) coming: u32,
    /// How much too dense each may be.
    pub(super) left: W,
}

impl<W: Real> Block<W> {
    /// Of nobody.
    pub(super) fn nobody() -> Self {
        Self {
            x: Vec3::zero(),
            w: W::zero(),
            offset: Vec3::zero(),
            solid: W::zero(),
            v: Vec3::zero(),
            vorticity: Vec3::zero(),
            total: W::zero(),
            applied: W::zero(),
            last: W::zero(),
            part: W::zero(),
            coming: 0,
            left: W::zero(),
        }
    }
}
