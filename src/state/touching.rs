//! Who may touch whom, and what is reported of it.

/// Which things a thing may touch: two meet where the category of each is in the other's mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollisionFilter {
    /// The categories that it is of, one bit each.
    pub category: u32,
    /// The categories that it touches.
    pub mask: u32,
}

impl Default for CollisionFilter {
    /// Of the first category, touching all.
    fn default() -> Self {
        Self { category: 1, mask: u32::MAX }
    }
}

impl CollisionFilter {
    /// Whether both masks let the other in.
    pub fn meets(&self, other: &Self) -> bool {
        self.category & other.mask != 0 && other.category & self.mask != 0
    }
}

/// A body or a collider, by its place among its like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContactSide {
    /// A body.
    Body(u32),
    /// A collider.
    Collider(u32),
}

/// Two that touch. Bodies come before colliders, and of each the one of the lower number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyContact {
    /// The two.
    pub sides: [ContactSide; 2],
    /// What the second does to the first (N), on average over the frame; zero where one of them is a sensor.
    pub force: [f64; 3],
}

/// A change from one frame to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactEvent {
    /// Two touch that did not in the frame before.
    Begin(BodyContact),
    /// Two do not touch any more; the force is that of the frame before.
    End(BodyContact),
}
