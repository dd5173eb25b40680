//! Where fast shapes will touch: how far one may move along a straight way before it is near the other (conservative advancement:
//! Mirtich, *Impulse-based Dynamic Simulation of Rigid Body Systems*, 1996, section 2.3.2).
//!
//! ```text
//! t <- t + (|v| - r) / (v/|v| · d)        v the shortest vector from b to a, d the way of b as a sees it, r what counts as near
//! ```
//!
//! Faces that look at each other from afar are not those that meet: points found there hold nothing, or hold the wrong way. So
//! points of what comes by more than a part of its size are those where it will be. They are local, so their gaps now are the way
//! to go until then.

use super::geometry::{Geometry, PlacedGeometry};
use super::gjk::shortest;
use super::manifold::{Point, ReferenceBody, Relative};
use crate::math::Real;

/// Ways longer than this are looked along, in parts of the smaller shape's reach.
const FAST: f32 = 0.5;
/// How much more than near is near enough, in the same parts.
const CLOSE: f32 = 0.01;
/// The most steps along a way.
const STEPS: usize = 32;

/// A way that two shapes may come together by until contacts are found again.
#[derive(Clone, Copy)]
pub(super) struct Approach {
    /// Of b, as a sees it (m).
    way: Point,
    /// What counts as near (m): the margin, and what turning may add.
    near: f32,
    /// Near enough (m).
    reach: f32,
}

impl Approach {
    /// Of shapes of which the smaller reaches as far as `smaller`; none where they do not come far.
    pub(super) fn new(way: Point, near: f32, smaller: f32) -> Option<Self> {
        let far = FAST * smaller;
        let reach = near + CLOSE * smaller;
        (way.dot(way) > far * far).then_some(Self { way, near, reach })
    }

    /// The same of a part, where the `whole` is a or b.
    pub(super) fn of_part(self, part: &PlacedGeometry, whole: ReferenceBody) -> Self {
        match whole {
            ReferenceBody::A => Self { way: part.q.unrotate(self.way), ..self },
            ReferenceBody::B => self,
        }
    }

    /// How a sees b when they come near. None where they are near already, pass each other, or are not convex.
    pub(super) fn first_touch(&self, [a, b]: [&Geometry; 2], at: &Relative) -> Option<Relative> {
        let round = f64::from(a.core_radius()? + b.core_radius()?);
        let way = self.way.to_f64();
        let [near, reach] = [self.near, self.reach].map(f64::from);
        if at.center.dot(at.center) == 0.0 {
            return None;
        }
        let mut t = 0.0;
        for _ in 0..STEPS {
            let now = Relative { center: at.center + (way * t).rounded(), ..*at };
            let v = shortest(now.center.to_f64(), |d| {
                let d: Point = (d * (1.0 / d.length())).rounded();
                let of_b = now.center + now.turn.rotate(b.farthest_of_core(now.turn.unrotate(-d)));
                (a.farthest_of_core(d) - of_b).to_f64()
            })?;
            let apart = v.length() - round;
            if apart <= reach {
                return (t > 0.0).then_some(now);
            }
            let closing = v.dot(way) / v.length();
            t += (apart - near).over_positive(closing);
            if closing <= 0.0 || t > 1.0 {
                return None;
            }
        }
        None
    }
}
