//! Members of large groups: what each adds to the sums of its group, and how it is corrected.

use super::flow::flow;
use super::rotation::{Matrix, nearest_rotation};
use super::torque::spin;
use crate::constraints::GenericResponse;
use crate::math::{Real, Scalar, Vec3};
use crate::state::{PositionView, Width};
use std::ops::Range;

/// Where a group is, as a rigid fit: its center, seen from the origin, and how it is turned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose<R> {
    pub(super) center: Vec3<R>,
    pub(super) turn: Matrix<R>,
    /// A.
    moments: Matrix<R>,
}

impl<R: Scalar> Pose<R> {
    pub(super) fn of(moments: [R; 12]) -> Self {
        let (center, a) = split(moments);
        Self { center, turn: nearest_rotation(a), moments: a }
    }

    pub(super) fn in_lanes<Q: Real>(&self) -> Pose<Q> {
        let [turn, moments] = [self.turn, self.moments].map(|m| m.map(in_lanes));
        Pose { center: in_lanes(self.center), turn, moments }
    }

    /// What a torque of Σ m ρ × (ρ - R r) of a group of `mass` is taken out by (rad).
    pub(super) fn spin(&self, torque: Vec3<R>, mass: R) -> Vec3<R> {
        spin(&self.moments, &self.turn, torque * R::of(1.0).over_positive(mass))
    }
}

/// What of the g of all members rounding made of nothing: Σ g, and by what their torque is taken out (rad), where it may
/// turn the group.
#[derive(Clone, Copy)]
pub(super) struct Rounded<R> {
    pub(super) sum: Vec3<R>,
    pub(super) spin: Option<Vec3<R>>,
}

impl<R: Scalar> Rounded<R> {
    pub(super) fn nothing() -> Self {
        Self { sum: Vec3::zero(), spin: None }
    }

    pub(super) fn in_lanes<Q: Real>(&self) -> Rounded<Q> {
        Rounded { sum: in_lanes(self.sum), spin: self.spin.map(in_lanes) }
    }
}

/// The same vector in every lane.
pub(super) fn in_lanes<R: Scalar, Q: Real>(v: Vec3<R>) -> Vec3<Q> {
    Vec3::of([v.x, v.y, v.z].map(R::to_f64))
}

/// A centroid and A, from the sums of [`Member::moments`].
fn split<R: Real>(m: [R; 12]) -> (Vec3<R>, Matrix<R>) {
    let v = |i: usize| Vec3::new(m[i], m[i + 1], m[i + 2]);
    (v(0), [v(3), v(6), v(9)])
}

/// How a plastic group's rest shape changes, from its moments and the sum of [`Member::spread`].
pub(super) fn plastic_flow<R: Scalar>(
    moments: [R; 12],
    spreads: [R; 6],
    plastic: [R; 2],
) -> Matrix<R> {
    let (_, a) = split(moments);
    flow(a, spreads, plastic)
}

/// A part of a group that one worker does: members side by side, and members alone.
pub(super) struct Chunk {
    pub(super) group: usize,
    pub(super) packets: Range<usize>,
    pub(super) singles: Range<usize>,
}

/// What a group is made of.
pub(super) trait GroupKind: Send + Sync + 'static {
    /// A member, or as many as there are lanes.
    type Member<W: Width>: Member<W>;
    /// Whether the group has a pose.
    const POSED: bool;
    /// Members side by side.
    fn side_by_side<W: Width>(members: &[Self::Member<W::Element>]) -> Self::Member<W>;
    /// C and n, from Σ w |g|², the sum that C is made of and what the group aims at.
    fn constraint<R: Real>(weight: R, sum: R, target: R) -> (R, R);
}

/// A member of a group, or as many as `W` has lanes.
pub(super) trait Member<W: Width>: Send + Sync {
    /// Its particle.
    fn slot(&self) -> W::Slots;
    /// Its share of centroid and A; `u` is its position seen from the origin.
    fn moments(&self, _u: Vec3<W>) -> [W; 12] {
        [W::zero(); 12]
    }
    /// n ∇C, and its share of the sum that C is made of.
    fn gradient(
        &self,
        u: Vec3<W>,
        origin: Vec3<W>,
        pose: &Pose<W>,
        positions: &PositionView<W::Element>,
    ) -> (Vec3<W>, W);
    /// g × (x - c), where that should add up to nothing.
    fn torque(&self, _u: Vec3<W>, _g: Vec3<W>, _pose: &Pose<W>) -> Vec3<W> {
        Vec3::zero()
    }
    /// g without its part of what rounding made.
    fn without(&self, g: Vec3<W>, _pose: &Pose<W>, _rounded: &Rounded<W>) -> Vec3<W> {
        g
    }
    /// Its share of Q.
    fn spread(&self) -> [W; 6] {
        [W::zero(); 6]
    }
    /// Changes its rest position for good.
    fn flow(&mut self, _by: &Matrix<W>) {}
    /// Its rest position, of a member that has one.
    fn rest(&self) -> Vec3<W> {
        Vec3::zero()
    }
    /// Replaces it.
    fn set_rest(&mut self, _rest: Vec3<W>) {}
}

/// What belongs to a group as a whole.
#[derive(Clone, Debug)]
pub(super) struct Group<R> {
    pub(super) response: GenericResponse<R>,
    pub(super) damped: bool,
    /// Whether the [torque](super::torque) of rounding may turn it: what is held does not.
    pub(super) turns: bool,
    pub(super) target: R,
    /// Σ m (kg), of a group with a pose.
    pub(super) mass: R,
    /// Yield, and the share of the strain that a substep takes up; of a plastic group.
    pub(super) plastic: Option<[R; 2]>,
    /// Its authored index.
    pub(super) authored: usize,
}

impl<R: Real> Group<R> {
    /// A group that is not plastic and has no target, of [`response_numbers`](super::response_numbers).
    pub(super) fn new(response_numbers: [f64; 3], authored: usize) -> Self {
        Self {
            response: GenericResponse::of(response_numbers.map(R::of)),
            damped: response_numbers[1] > 0.0,
            turns: false,
            target: R::zero(),
            mass: R::zero(),
            plastic: None,
            authored,
        }
    }
}

/// A member's share of its group's moments; where it was `BEFORE` the substep, if that is asked for.
#[inline(always)]
pub(super) fn moments<const BEFORE: bool, W: Width, M: Member<W>>(
    member: &M,
    origin: Vec3<W>,
    positions: &PositionView<W::Element>,
) -> [W; 12] {
    if BEFORE {
        return member.moments(positions.previous(member.slot()) - origin);
    }
    let [site] = positions.load([member.slot()]);
    member.moments(site.x - origin)
}

/// g of a member, and its shares of Σ w |g|², Σ g·(x - x_prev), the sum that C is made of, Σ g and the torque.
#[inline(always)]
pub(super) fn gradient<W: Width, M: Member<W>>(
    member: &M,
    [damped, turns]: [bool; 2],
    origin: Vec3<W>,
    pose: &Pose<W>,
    positions: &PositionView<W::Element>,
) -> (Vec3<W>, [W; 9]) {
    let [site] = positions.load([member.slot()]);
    let (g, sum) = member.gradient(site.x - origin, origin, pose, positions);
    let moved = match damped {
        true => g.dot(site.x - positions.previous(member.slot())),
        false => W::zero(),
    };
    let t = match turns {
        true => member.torque(site.x - origin, g, pose),
        false => Vec3::zero(),
    };
    (g, [site.w * g.dot(g), moved, sum, g.x, g.y, g.z, t.x, t.y, t.z])
}

/// Its shares of Σ w |g|², Σ |g|² and the sum that C is made of.
#[inline(always)]
pub(super) fn measure<W: Width, M: Member<W>>(
    member: &M,
    origin: Vec3<W>,
    pose: &Pose<W>,
    positions: &PositionView<W::Element>,
) -> [W; 3] {
    let [site] = positions.load([member.slot()]);
    let (g, sum) = member.gradient(site.x - origin, origin, pose, positions);
    let square = g.dot(g);
    [site.w * square, square, sum]
}

/// x <- x + w g s, with g as [`Member::without`] leaves it.
#[inline(always)]
pub(super) fn correct<W: Width, M: Member<W>>(
    member: &M,
    g: Vec3<W>,
    (s, pose, rounded): (W, &Pose<W>, &Rounded<W>),
    positions: &PositionView<W::Element>,
) {
    let [mut site] = positions.load([member.slot()]);
    site.correct(member.without(g, pose, rounded) * (site.w * s));
    positions.store([member.slot()], [site]);
}
