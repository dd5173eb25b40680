//! A manifold as an element of the solver: K points between two bodies, loaded once, solved one after another in registers,
//! stored once.
//!
//! ```text
//! C = n·(p_a - p_b) - r_a - r_b - bound >= 0,   p = x + R arm                           S4-12; the bound: see [`Pace`]
//! λ' = max(0, λ - C / (J M⁻¹ Jᵀ))               J = (n, l_a × n; -n, -l_b × n), l the levers x -> surface
//! r' = r - s / W_s held within |r'| <= µ λ'     s how far the surfaces slipped since the substep began
//! Δx = w P,  Δθ = I⁻¹ (l × P),  P = (λ' - λ) n + (r' - r)                               S4-14
//! ```
//!
//! λ and r begin with what they were in the substep before: what a stack carries is known from the start, and an iteration
//! only mends it. Both are summed over the substep, so that the cone is Coulomb's for any number of iterations, static and
//! kinetic (Deul et al. and Müller et al. leave the kinetic part to the velocity pass; within the cone the positions give
//! the same, without erratum E8). The velocity pass turns fast approaches about:
//!
//! ```text
//! v_n' = -e v_n⁻ where v_n⁻ < -2 |g| h, by impulses j >= 0 and friction |f| <= µ j       S1-07; Müller et al., section 3.6
//! ```
//!
//! Within an element turns are linear, each body is turned once by their sum. Units: λ and r kg m, impulses N s.

#![allow(clippy::needless_range_loop)] // points and multipliers run side by side

use super::frame::{Change, Two};
use crate::constraints::within;
use crate::lanes::{Quat, Real, Vec3};
use crate::rigid::Moving;

/// Sweeps over the small system of an element's normals.
const SWEEPS: usize = 6;

/// A point of a manifold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point<R> {
    /// In the frames of a and b; of a b that stands still, where it is at the end of the substep, in the world.
    pub(super) arms: [Vec3<R>; 2],
    /// -r_a - r_b; a point that is none lies far off.
    pub(super) offset: R,
    /// The offset less the bound.
    shift: R,
    /// p_a - p_b at the start of the substep, such that what the prediction turns is no slip.
    start: Vec3<R>,
    /// v_n⁻ (m/s).
    approach: R,
}

impl<R: Real> Point<R> {
    pub(super) fn new(arms: [Vec3<R>; 2], offset: R) -> Self {
        Self {
            arms,
            offset,
            shift: R::zero(),
            start: Vec3::zero(),
            approach: R::zero(),
        }
    }
}

/// A manifold, or as many as `R` has lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<I, R, const K: usize> {
    pub(super) slots: [I; 2],
    /// From b to a.
    pub(super) normal: Vec3<R>,
    pub(super) radii: [R; 2],
    pub(super) friction: R,
    pub(super) restitution: R,
    pub(super) points: [Point<R>; K],
}

/// What a point does in a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch<R> {
    pub(super) lambda: R,
    pub(super) rub: Vec3<R>,
}

/// Where a side's point was when the substep began, and its velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot<R> {
    pub(super) core: Vec3<R>,
    pub(super) slip: Vec3<R>,
    pub(super) velocity: Vec3<R>,
}

/// A body when the substep began: pose, predicted velocities.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past<R> {
    pub(super) x: Vec3<R>,
    pub(super) q: Quat<R>,
    pub(super) v: Vec3<R>,
    pub(super) omega: Vec3<R>,
}

impl<R: Real> Past<R> {
    /// The point at `arm`, with `round` from there to the surface.
    #[inline(always)]
    fn foot(&self, arm: Vec3<R>, round: Vec3<R>, h: R) -> Foot<R> {
        let arm = self.q.rotate(arm);
        Foot {
            core: self.x + arm,
            slip: self.x + arm - self.omega.cross(round) * h,
            velocity: self.v + self.omega.cross(arm + round),
        }
    }
}

/// How fast gaps close and overlaps part. Where a gap g is below the band b, it may be
///
/// ```text
/// g - max(β g, -v h)         at the end of the substep, and zero where g >= b
/// ```
///
/// so that what rests is held by its velocity, as in solvers of velocities. Were it held at g = 0 by its position alone, λ
/// would integrate a position: a stack of ten then trembles for ever, at 0.2 m/s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace<R> {
    pub(super) h: R,
    /// β.
    pub(super) part: R,
    /// v h (m).
    pub(super) most: R,
    /// b (m).
    pub(super) band: R,
    /// What is kept of λ from one substep to the next; r is kept whole, as a slip is no position.
    pub(super) kept: R,
}

impl<I: Copy, R: Real, const K: usize> Row<I, R, K> {
    /// The feet of a body on side a (0) or b (1).
    #[inline(always)]
    pub(super) fn feet(&self, side: usize, past: &Past<R>, h: R) -> [Foot<R>; K] {
        let round = match side {
            0 => -(self.normal * self.radii[0]),
            _ => self.normal * self.radii[1],
        };
        let mut feet = [past.foot(self.points[0].arms[side], round, h); K];
        for k in 1..K {
            feet[k] = past.foot(self.points[k].arms[side], round, h);
        }
        feet
    }

    /// A substep begins.
    #[inline(always)]
    pub(super) fn begin(&mut self, a: &[Foot<R>; K], b: &[Foot<R>; K], pace: &Pace<R>) {
        for k in 0..K {
            let point = &mut self.points[k];
            let gap = self.normal.dot(a[k].core - b[k].core) + point.offset;
            let kept = gap - (gap * pace.part).max(-pace.most);
            let bound = R::select(gap.lt(pace.band), kept, R::zero());
            point.shift = point.offset - bound;
            point.start = a[k].slip - b[k].slip;
            point.approach = self.normal.dot(a[k].velocity - b[k].velocity);
        }
    }

    /// What the substep before did, done again.
    #[inline(always)]
    pub(super) fn warm(
        &self,
        touch: &mut [Touch<R>; K],
        kept: R,
        a: &mut Moving<R>,
        b: &mut Moving<R>,
    ) {
        let two = Two::new(a, b, [a.q, b.q]);
        let mut change = Change::none();
        for k in 0..K {
            let [_, levers] = two.levers(self, k);
            touch[k].lambda = touch[k].lambda * kept;
            let p = self.normal * touch[k].lambda + touch[k].rub;
            two.push(&mut change, levers, p);
        }
        change.apply(a, b);
    }

    /// One iteration.
    #[inline(always)]
    pub(super) fn project(&self, touch: &mut [Touch<R>; K], a: &mut Moving<R>, b: &mut Moving<R>) {
        let two = Two::new(a, b, [a.q, b.q]);
        let n = self.normal;
        let apart = a.x - b.x;
        // What the corrections so far have turned of the round parts.
        let rolled = n.cross(a.turn * self.radii[0] + b.turn * self.radii[1]);
        let mut change = Change::none();
        let mut feet = [[[Vec3::zero(); 2]; 2]; K];
        for k in 0..K {
            feet[k] = two.levers(self, k);
        }
        let pushed = self.press(touch, &two, &feet, apart);
        for k in 0..K {
            two.push(&mut change, feet[k][1], n * pushed[k]);
        }
        for k in 0..K {
            let [cores, levers] = feet[k];
            let d =
                apart + cores[0] - cores[1] + change.parts(levers) + rolled - self.points[k].start;
            let slip = d - n * n.dot(d);
            // W over |slip|² weighs a unit along it; no root is needed.
            let (weight, _) = two.weigh(levers, slip);
            let wanted = touch[k].rub - slip * slip.dot(slip).over_positive(weight);
            let rub = within(wanted, self.friction * touch[k].lambda);
            two.push(&mut change, levers, rub - touch[k].rub);
            touch[k].rub = rub;
        }
        change.apply(a, b);
    }

    /// Solves the normals of all points together, as a small system A = J M⁻¹ Jᵀ by projected Gauss-Seidel; returns what
    /// each λ changed by. Its first guess divides by the sum of a row, so that points that lie alike press alike: one after
    /// another, the first of four presses most, and a stack walks towards it at 3 cm/s.
    #[inline(always)]
    fn press(
        &self,
        touch: &mut [Touch<R>; K],
        two: &Two<R>,
        feet: &[[[Vec3<R>; 2]; 2]; K],
        apart: Vec3<R>,
    ) -> [R; K] {
        let (n, zero) = (self.normal, R::zero());
        let w = (two.weights[0] + two.weights[1]) * n.dot(n);
        let mut torques = [[Vec3::zero(); 2]; K];
        let mut turns = torques;
        let mut c = [zero; K];
        for k in 0..K {
            let [cores, levers] = feet[k];
            for end in 0..2 {
                torques[k][end] = levers[end].cross(n);
                turns[k][end] = two.frames[end].inverse(torques[k][end]);
            }
            c[k] = n.dot(apart + cores[0] - cores[1]) + self.points[k].shift;
        }
        let mut matrix = [[zero; K]; K];
        for k in 0..K {
            for l in 0..=k {
                let a = w + torques[k][0].dot(turns[l][0]) + torques[k][1].dot(turns[l][1]);
                (matrix[k][l], matrix[l][k]) = (a, a);
            }
        }
        let mut change = [zero; K];
        for k in 0..K {
            let mut sum = zero;
            for l in 0..K {
                sum = sum + matrix[k][l];
            }
            change[k] = (-c[k].over_positive(sum)).max(-touch[k].lambda);
        }
        let sweeps = if K == 1 { 0 } else { SWEEPS };
        for _ in 0..sweeps {
            for k in 0..K {
                let mut left = c[k];
                for l in 0..K {
                    left = left + matrix[k][l] * change[l];
                }
                let step = change[k] - left.over_positive(matrix[k][k]);
                change[k] = step.max(-touch[k].lambda);
            }
        }
        for k in 0..K {
            touch[k].lambda = touch[k].lambda + change[k];
        }
        change
    }

    /// The velocity pass: bodies stand at their poses and go with `motions` (m/s, rad/s); `still` are the velocities of the
    /// points of a b that no contact moves. Impulses go on from those of the positions, so that no contact pulls.
    #[inline(always)]
    pub(super) fn respond(
        &self,
        touch: &mut [Touch<R>; K],
        [a, b]: [&Moving<R>; 2],
        motions: &mut [[Vec3<R>; 2]; 2],
        still: &[Vec3<R>; K],
        rebound: &Rebound<R>,
    ) {
        let two = Two::new(a, b, [a.q, b.q]);
        let mut change = Change {
            linear: [motions[0][0], motions[1][0]],
            angular: [motions[0][1], motions[1][1]],
        };
        let (zero, n, h) = (R::zero(), self.normal, rebound.h);
        let per_second = R::of(1.0) / h;
        let mut done = *touch;
        for done in &mut done {
            done.lambda = done.lambda * per_second;
            done.rub = done.rub * per_second;
        }
        let states = self.states(touch, rebound);
        for _ in 0..rebound.sweeps {
            for k in 0..K {
                let State { fast, active } = states[k];
                let [_, levers] = two.levers(self, k);
                let back = -(self.restitution * self.points[k].approach);
                let v = change.parts(levers) - still[k];
                let (weight, _) = two.weigh(levers, n);
                let missing = R::select(fast, back, zero) - v.dot(n);
                let wanted = (done[k].lambda + missing.over_positive(weight)).max(zero);
                let pushed = R::select(active, wanted, done[k].lambda);
                two.push(&mut change, levers, n * (pushed - done[k].lambda));
                done[k].lambda = pushed;

                let v = change.parts(levers) - still[k];
                let slide = v - n * n.dot(v);
                let (weight, _) = two.weigh(levers, slide);
                let wanted = done[k].rub - slide * slide.dot(slide).over_positive(weight);
                let rub = within(wanted, self.friction * pushed);
                let rub = Vec3::select(active, rub, done[k].rub);
                two.push(&mut change, levers, rub - done[k].rub);
                done[k].rub = rub;
            }
        }
        let mut any = states[0].active;
        for k in 0..K {
            let State { fast, active } = states[k];
            any = any | active;
            // What rebounded is no start for the next substep.
            let keep = |old: R, new: R| R::select(active, R::select(fast, zero, new * h), old);
            let (old, new) = (touch[k].rub, done[k].rub);
            touch[k].lambda = keep(touch[k].lambda, done[k].lambda);
            touch[k].rub = Vec3::new(keep(old.x, new.x), keep(old.y, new.y), keep(old.z, new.z));
        }
        for end in 0..2 {
            let [v, omega] = motions[end];
            motions[end] = [
                Vec3::select(any, change.linear[end], v),
                Vec3::select(any, change.angular[end], omega),
            ];
        }
    }

    /// Which points the velocity pass is for.
    #[inline(always)]
    pub(super) fn states(&self, touch: &[Touch<R>; K], rebound: &Rebound<R>) -> [State<R>; K] {
        let zero = R::zero();
        let of = |k: usize| {
            let point = &self.points[k];
            let fast = point.approach.lt(-rebound.least)
                & zero.lt(touch[k].lambda)
                & zero.lt(self.restitution);
            let deep = rebound.slop.lt(point.shift - point.offset);
            State {
                fast,
                active: fast | deep,
            }
        };
        let mut states = [of(0); K];
        for k in 1..K {
            states[k] = of(k);
        }
        states
    }
}

/// What the velocity pass does with a point.
#[derive(Clone, Copy)]
pub(super) struct State<R: Real> {
    /// It rebounds.
    fast: R::Mask,
    /// It rebounds, or it was deep: then the velocity with which it was parted is taken away again.
    pub(super) active: R::Mask,
}

/// The numbers of the velocity pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rebound<R> {
    pub(super) h: R,
    /// Slower approaches do not rebound (m/s).
    pub(super) least: R,
    /// What is less deep was not parted fast (m).
    pub(super) slop: R,
    /// Sweeps over an element's points.
    pub(super) sweeps: usize,
}
