//! What bodies bring into the impacts of a substep, and what they have afterwards.
//!
//! ```text
//! u  = v_pred + Σ Δx / h,  ω = W(q_prev) L_pred + Σ Δθ / h      Δx, Δθ what others than contacts corrected
//! ω' = s W(q) L, L = I(q_prev) ω                                s such that ω'·L = ω·L
//! ```
//!
//! Impacts, and the pass of the velocities after them, see bodies as they lay when the substep began, where lever arms and gaps are
//! those of their contacts. In free flight
//! a body keeps L and its energy, so ω goes there and back with both; where contacts turned the body on its way, L alone would
//! give a slender one many times its energy, so the length of ω is that of the energy. Taking the impulses of contacts off the
//! velocities at the end is u as well, but for what is not linear: rods that bounced at 1 x 10 so gained a hundred times their energy.

use super::solver_bodies::{SolverBodies, vector, velocities_of, velocity_record};
use crate::math::{Quat, Real, Vec3, each};
use crate::rigid::frame::{Frame, is_round};
use crate::rigid::free_turn::by_axis;
use crate::state::{BodyView, MovingBody, OneLane, Width};
use crate::threads::Worker;

/// ω of a body that lies as `from` says, carried to where it lies as `to` says.
#[inline(always)]
fn carried<R: Real>(omega: Vec3<R>, [from, to]: [Quat<R>; 2], inertia: Vec3<R>) -> Vec3<R> {
    let (from, to, one) = (Frame::new(from), Frame::new(to), R::of(1.0));
    let momentum = from.turn(by_axis(from.turn_back(omega), inertia));
    let own = to.turn_back(momentum);
    let spin = to.turn(Vec3::new(
        own.x.over_positive(inertia.x),
        own.y.over_positive(inertia.y),
        own.z.over_positive(inertia.z),
    ));
    let share = omega.dot(momentum).over_positive(spin.dot(momentum));
    let kept = spin * share.max(R::zero()).sqrt();
    // What does not turn, or alike about all axes.
    let moves = R::zero().lt(spin.dot(momentum));
    let round = R::select(is_round(inertia), R::zero(), one);
    Vec3::select(moves, Vec3::select(R::zero().lt(round), kept, omega), omega)
}

impl<E: OneLane> SolverBodies<E> {
    /// A substep begins: the predicted velocities where the body came from.
    #[inline(always)]
    pub(super) fn begin_struck<W: Width<Element = E>>(
        &self,
        slots: W::Slots,
        [v, omega]: [Vec3<W>; 2],
        way: [Quat<W>; 2],
        inertia: Vec3<W>,
    ) {
        let velocities = [v, carried(omega, way, inertia)];
        W::store_records(&self.struck, slots, velocity_record(velocities));
        W::store_records(&self.moved, slots, [W::zero(); 8]);
    }

    /// Contacts have corrected some bodies.
    #[inline(always)]
    pub(super) fn count_moved<W: Width<Element = E>>(
        &self,
        slots: W::Slots,
        [dx, dtheta]: [Vec3<W>; 2],
    ) {
        let [x, theta] = velocities_of(W::load_records(&self.moved, slots));
        W::store_records(&self.moved, slots, velocity_record([x + dx, theta + dtheta]));
    }

    /// Impacts begin.
    pub(super) fn begin_impacts<W: Width<Element = E>>(
        &self,
        worker: &Worker,
        bodies: &BodyView<E>,
        [h, keep]: [f64; 2],
    ) {
        let rate = W::of(1.0 / h);
        self.each::<W>(worker, |i, slots| {
            let MovingBody { push, turn, .. } = bodies.load::<W>(slots);
            let [x, theta] = velocities_of(W::load_records(&self.moved, slots));
            let [u, omega] = velocities_of(W::load_records(&self.struck, slots));
            let now = W::load_records(&self.velocities, slots);
            let after = bodies.read::<W>(i);
            // What particles gave after the positions.
            let given = [vector(now, 0) - after.v, vector(now, 4) - after.omega];
            let keep = W::of(keep);
            let velocities = [
                (u + (push - x) * rate) * keep + given[0],
                (omega + (turn - theta) * rate) * keep + given[1],
            ];
            W::store_records(&self.struck, slots, velocity_record(velocities));
        });
    }

    /// What impacts struck has the velocities that they left.
    pub(super) fn take_struck<W: Width<Element = E>>(&self, worker: &Worker) {
        self.each_struck::<W>(worker, |_, [_, of_impacts]| of_impacts);
    }

    /// What was struck is carried to where it lies now, after the pass of the velocities.
    pub(super) fn carry_struck<W: Width<Element = E>>(
        &self,
        worker: &Worker,
        bodies: &BodyView<E>,
    ) {
        self.each_struck::<W>(worker, |i, [[v, omega], _]| {
            let (state, (_, before)) = (bodies.read::<W>(i), bodies.read_previous(i));
            [v, carried(omega, [before, state.q], state.inertia)]
        });
    }

    /// Replaces the velocities of what was struck by what `new` makes of them and of those of impacts.
    fn each_struck<W: Width<Element = E>>(
        &self,
        worker: &Worker,
        new: impl Fn(usize, [[Vec3<W>; 2]; 2]) -> [Vec3<W>; 2],
    ) {
        self.each::<W>(worker, |i, slots| {
            let record: [W; 8] = W::load_records(&self.struck, slots);
            let struck = W::zero().lt(record[3]);
            if W::any(struck) {
                let now = velocities_of(W::load_records(&self.velocities, slots));
                let new = new(i, [now, velocities_of(record)]);
                let velocities = each([0, 1], |k| Vec3::select(struck, new[k], now[k]));
                W::store_records(&self.velocities, slots, velocity_record(velocities));
            }
        });
    }
}
