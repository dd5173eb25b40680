//! Large groups: sums over all members, then a correction to each of them.
//!
//! ```text
//! moments    of every member: centroid and A           (what has a pose)
//! gradients  g of every member, Σ w |g|², Σ g·(x - x_prev) and a sum that C is made of
//! correct    x <- x + w g s
//! ```
//!
//! Here what every width shares, and the scalar loop; [`lane_members`](super::lane_members) has the lanes.

use super::rotation::{Matrix, nearest_rotation};
use super::sum::{CHUNK, Sums, plus};
use super::{Hold, flow::flow};
use crate::math::{Real, Scalar, Vec3};
use crate::rows::{Points, Store};
use std::ops::Range;

/// Where a group is, as a rigid fit: its center, seen from the origin, and how it is turned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose<R> {
    pub(super) center: Vec3<R>,
    pub(super) turn: Matrix<R>,
}

impl<R: Scalar> Pose<R> {
    pub(super) fn of(moments: [R; 12]) -> Self {
        let (center, a) = split(moments);
        Self {
            center,
            turn: nearest_rotation(a),
        }
    }

    pub(super) fn wide<Q: Real>(&self) -> Pose<Q> {
        let wide = |v: Vec3<R>| Vec3::of([v.x, v.y, v.z].map(R::to_f64));
        Pose {
            center: wide(self.center),
            turn: self.turn.map(wide),
        }
    }
}

/// A centroid and A, from the sums of [`moments`].
pub(super) fn split<R: Real>(m: [R; 12]) -> (Vec3<R>, Matrix<R>) {
    let v = |i: usize| Vec3::new(m[i], m[i + 1], m[i + 2]);
    (v(0), [v(3), v(6), v(9)])
}

/// One member of a group, or eight.
pub(super) trait Member<I: Copy, R: Real>: Send + Sync {
    /// Whether the group has a pose.
    const POSED: bool;
    /// Its particle.
    fn slot(&self) -> I;
    /// Its share of centroid and A; `u` is its position seen from the origin.
    fn moments(&self, _u: Vec3<R>) -> [R; 12] {
        [R::zero(); 12]
    }
    /// n ∇C, and its share of the sum that C is made of.
    fn gradient(
        &self,
        u: Vec3<R>,
        origin: Vec3<R>,
        pose: &Pose<R>,
        store: &impl Store<I, R>,
    ) -> (Vec3<R>, R);
    /// C and n, from Σ w |g|², the sum and what the group aims at.
    fn constraint(weight: R, sum: R, target: R) -> (R, R);
    /// Its share of Q.
    fn spread(&self) -> [R; 6] {
        [R::zero(); 6]
    }
    /// Changes its rest position for good.
    fn flow(&mut self, _by: &Matrix<R>) {}
}

/// What belongs to a group as a whole.
#[derive(Clone, Debug)]
pub(super) struct Group<R> {
    pub(super) hold: Hold<R>,
    pub(super) damped: bool,
    pub(super) target: R,
    /// Yield, and the share of the strain that a substep takes up; of a plastic group.
    pub(super) plastic: Option<[R; 2]>,
    /// Its place among the authored groups.
    pub(super) authored: usize,
}

/// Adds the moments of members that stand one by one.
pub(super) fn add_moments<R: Scalar, M: Member<u32, R>>(
    sums: &mut Sums<R, 12>,
    members: &[M],
    origin: Vec3<R>,
    store: &impl Store<u32, R>,
) {
    for (i, member) in members.iter().enumerate() {
        let [site] = store.load([member.slot()]);
        sums.add(i, member.moments(site.x - origin));
    }
}

/// g of a member, and its shares of Σ w |g|², Σ g·(x - x_prev) and the sum that C is made of.
#[inline(always)]
pub(super) fn gradient<I: Copy, R: Real, M: Member<I, R>>(
    member: &M,
    damped: bool,
    origin: Vec3<R>,
    pose: &Pose<R>,
    store: &impl Store<I, R>,
) -> (Vec3<R>, [R; 3]) {
    let [site] = store.load([member.slot()]);
    let (g, sum) = member.gradient(site.x - origin, origin, pose, store);
    let moved = match damped {
        true => g.dot(site.x - store.previous([member.slot()])[0]),
        false => R::zero(),
    };
    (g, [site.w * g.dot(g), moved, sum])
}

/// x <- x + w g s.
#[inline(always)]
pub(super) fn correct<I: Copy, R: Real>(slot: I, g: Vec3<R>, s: R, store: &impl Store<I, R>) {
    let [mut site] = store.load([slot]);
    site.x += g * (site.w * s);
    store.store([slot], [site]);
}

/// The chunks of a group of `count` members.
pub(super) fn chunks(count: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..count).step_by(CHUNK);
    starts.map(move |first| first..(first + CHUNK).min(count))
}

/// Groups in a scalar loop.
pub(super) struct FlatGroups<R, M> {
    groups: Vec<(Group<R>, Vec<M>)>,
    gradients: Vec<Vec3<R>>,
    lambda: Vec<R>,
}

impl<R: Scalar, M: Member<u32, R>> FlatGroups<R, M> {
    pub(super) fn new() -> Self {
        Self {
            groups: Vec::new(),
            gradients: Vec::new(),
            lambda: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, group: Group<R>, members: Vec<M>) {
        let longest = self.gradients.len().max(members.len());
        self.gradients.resize(longest, Vec3::zero());
        self.groups.push((group, members));
        self.lambda.push(R::zero());
    }

    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    fn moments(members: &[M], origin: Vec3<R>, store: &Points<R>) -> [R; 12] {
        let mut all = [R::zero(); 12];
        for chunk in chunks(members.len()) {
            let mut sums = Sums::zero();
            add_moments(&mut sums, &members[chunk], origin, store);
            all = plus(all, sums.total());
        }
        all
    }

    fn origin(members: &[M], store: &Points<R>) -> Vec3<R> {
        store.load([members[0].slot()])[0].x
    }

    #[inline(never)] // a frame of its own in profiles
    pub(super) fn project(&mut self, which: usize, store: &Points<R>) {
        let (group, members) = &self.groups[which];
        let origin = Self::origin(members, store);
        let moments = match M::POSED {
            true => Self::moments(members, origin, store),
            false => [R::zero(); 12],
        };
        let pose = Pose::of(moments);
        let mut all = [R::zero(); 3];
        for chunk in chunks(members.len()) {
            let mut sums = Sums::zero();
            for (i, member) in members[chunk.clone()].iter().enumerate() {
                let (g, terms) = gradient(member, group.damped, origin, &pose, store);
                self.gradients[chunk.start + i] = g;
                sums.add(i, terms);
            }
            all = plus(all, sums.total());
        }
        let s = step::<R, M>(group, all, &mut self.lambda[which]);
        for (member, &g) in members.iter().zip(&self.gradients) {
            correct(member.slot(), g, s, store);
        }
    }

    /// Multipliers to zero; plastic groups flow.
    pub(super) fn begin(&mut self, store: &Points<R>) {
        self.lambda.fill(R::zero());
        for (group, members) in &mut self.groups {
            if let Some(plastic) = group.plastic {
                let moments = Self::moments(members, Self::origin(members, store), store);
                let by = flow_by(moments, members.iter().map(|m| m.spread()), plastic);
                members.iter_mut().for_each(|member| member.flow(&by));
            }
        }
    }

    /// The multiplier of each group, by its authored place.
    pub(super) fn each_multiplier(&self, mut act: impl FnMut(usize, f32)) {
        for ((group, _), lambda) in self.groups.iter().zip(&self.lambda) {
            act(group.authored, lambda.to_f32());
        }
    }
}

/// s of a group, and its new multiplier.
pub(super) fn step<R: Scalar, M: Member<u32, R>>(
    group: &Group<R>,
    sums: [R; 3],
    lambda: &mut R,
) -> R {
    let [weight, moved, sum] = sums;
    let (c, n) = M::constraint(weight, sum, group.target);
    let (s, next) = group.hold.step(c, n, weight, moved, *lambda);
    *lambda = next;
    s
}

/// How a plastic group's rest shape changes.
fn flow_by<R: Scalar>(
    moments: [R; 12],
    spreads: impl Iterator<Item = [R; 6]>,
    plastic: [R; 2],
) -> Matrix<R> {
    let (_, a) = split(moments);
    let mut sums = Sums::zero();
    for (i, spread) in spreads.enumerate() {
        sums.add(i, spread);
    }
    flow(a, nearest_rotation(a), sums.total(), plastic)
}
