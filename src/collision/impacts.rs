//! Impacts of particles: what comes together fast rebounds, one contact after another in the order of the colors, round after
//! round, until nothing comes together any more; as of bodies (`rigid/contact/impacts.rs`).
//!
//! ```text
//! u = v - w b (λ n + r) / h                       v without what contacts did in this substep
//! n·u' = -e n·u, |f| <= µ j                       where n·u < -2 |g| h, and so soon that they touch: g + h n·u < 0
//! v' = u of what was struck; of what touches it   v - w b (λ n + r) / h
//! ```

use super::contact_rows::Packet;
use crate::constraints::{Contact, ContactImpulse, Particle, direction, within};
use crate::math::{Real, Vec3};
use crate::state::{Column3, OneLane, Width};
use crate::subsystem::StepContext;
use crate::threads::{Cells, Worker};
use std::sync::atomic::{AtomicBool, Ordering};

/// The most rounds in a substep.
const ROUNDS: usize = 100;
/// Slower approaches than this never rebound: rounds must end (m/s).
pub(super) const STILL: f64 = 1e-5;

/// The velocities when impacts began, and who was struck since.
pub(super) struct Impacts<E> {
    pub(super) h: f64,
    /// Slower approaches do not rebound (m/s).
    least: f64,
    /// By slot; the fourth number is one where the particle was struck.
    before: Cells<[E; 4]>,
    rounds: Vec<AtomicBool>,
}

/// What comes together, and how: the direction, the shares, the relative velocity, Σ w b².
pub(super) struct Meeting<R, const N: usize> {
    pub(super) normal: Vec3<R>,
    pub(super) shares: [R; N],
    pub(super) velocity: Vec3<R>,
    pub(super) gap: R,
}

impl<E: OneLane> Impacts<E> {
    pub(super) fn new(slots: usize, h: f64, least: f64) -> Self {
        Self {
            h,
            least,
            before: Cells::new(slots, [E::zero(); 4]),
            rounds: (0..ROUNDS).map(|_| AtomicBool::new(false)).collect(),
        }
    }

    /// Rounds of `strike`, which says whether anything was struck, until nothing is; `undo` before them, `settle` after.
    pub(super) fn run(
        &self,
        worker: &Worker,
        step: &StepContext<E>,
        undo: impl Fn(),
        strike: impl Fn(&AtomicBool),
        settle: impl Fn(),
    ) {
        worker
            .single(|| self.rounds.iter().for_each(|round| round.store(false, Ordering::Relaxed)));
        worker.parallel_for(self.before.len(), |range| {
            for slot in range {
                let [x, y, z] = step.particles.read::<E>(Column3::Velocity, slot).to_array();
                self.before.set(slot, [x, y, z, E::zero()]);
            }
        });
        undo();
        for round in &self.rounds {
            strike(round);
            worker.meet();
            if !round.load(Ordering::Relaxed) {
                break;
            }
        }
        if self.rounds[0].load(Ordering::Relaxed) {
            settle();
        }
        worker.parallel_for(self.before.len(), |range| {
            for slot in range {
                let [x, y, z, struck] = self.before.get(slot);
                if E::bits(E::zero().lt(struck)) == 0 {
                    step.particles.write::<E>(Column3::Velocity, slot, Vec3::new(x, y, z));
                }
            }
        });
    }

    /// What a contact that comes together fast does to velocities; of others nothing, and whether there is one.
    #[inline(always)]
    pub(super) fn strike<W: Width<Element = E>, const N: usize>(
        &self,
        meeting: &Meeting<W, N>,
        slots: [W::Slots; N],
        v: &mut [Particle<W>; N],
        [friction, restitution]: [f64; 2],
    ) -> bool {
        let Meeting { normal, shares, velocity, gap } = meeting;
        let (zero, one) = (W::zero(), W::of(1.0));
        let weight = weight(normal, shares, v);
        let along = velocity.dot(*normal);
        let soon = (*gap + W::of(self.h) * along).lt(zero);
        let fast = along.lt(-W::of(self.least)) & soon & zero.lt(weight);
        if restitution <= 0.0 || !W::any(fast) {
            return false;
        }
        let back = -along * (one + W::of(restitution));
        let impulse = W::select(fast, back.over_positive(weight), zero);
        let sliding = (*velocity - *normal * along) * one.over_positive(weight);
        let change = *normal * impulse - within(sliding, W::of(friction) * impulse);
        for i in 0..N {
            // Lanes that are not struck stay as they are, whatever their neighbors do: 0 · ∞ would be NaN.
            v[i].x = Vec3::select(fast, v[i].x + change * (shares[i] * v[i].w), v[i].x);
            for lane in 0..W::LANES {
                if W::bits(fast) >> lane & 1 == 1 {
                    let slot = W::slot(slots[i], lane) as usize;
                    let [x, y, z, _] = self.before.get(slot);
                    self.before.set(slot, [x, y, z, E::of(1.0)]);
                }
            }
        }
        true
    }

    /// Takes what a contact did from those of its particles that were not struck, where one was: one in these lanes.
    #[inline(always)]
    pub(super) fn settle<W: Width<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
        changes: [Vec3<W>; N],
    ) -> W {
        let struck =
            slots.map(|at| W::collect(|lane| self.before.get(W::slot(at, lane) as usize)[3]));
        let any = struck.into_iter().fold(W::zero(), |any, one| any.max(one));
        for i in 0..N {
            let alone = W::bits(W::zero().lt(any)) & !W::bits(W::zero().lt(struck[i]));
            for lane in (0..W::LANES).filter(|lane| alone >> lane & 1 == 1) {
                let slot = W::slot(slots[i], lane) as usize;
                // Lanes of padding repeat the one before.
                if lane > 0 && slot == W::slot(slots[i], lane - 1) as usize {
                    continue;
                }
                let [x, y, z, struck] = self.before.get(slot);
                let v = Vec3::new(x, y, z) - W::vector_lane(changes[i], lane);
                let [x, y, z] = v.to_array();
                self.before.set(slot, [x, y, z, struck]);
            }
        }
        any
    }
}

/// Σ w b².
#[inline(always)]
fn weight<R: Real, const N: usize>(normal: &Vec3<R>, shares: &[R; N], v: &[Particle<R>; N]) -> R {
    let mut weight = R::zero();
    for i in 0..N {
        let g = *normal * shares[i];
        weight = weight + v[i].w * g.dot(g);
    }
    weight
}

/// What a contact did to the velocities of its particles in a substep of `h` (s).
#[inline(always)]
pub(super) fn done<R: Real, const N: usize>(
    normal: Vec3<R>,
    shares: [R; N],
    touch: &ContactImpulse<R>,
    h: f64,
    v: &[Particle<R>; N],
) -> [Vec3<R>; N] {
    let p = (normal * touch.lambda + touch.friction) * R::of(1.0 / h);
    let mut out = [Vec3::zero(); N];
    for i in 0..N {
        out[i] = p * (shares[i] * v[i].w);
    }
    out
}

impl<W: Width, const N: usize, const P: usize> Packet<W, N, P> {
    #[inline(always)]
    fn place<C: Contact<N, P>>(&self, step: &StepContext<W::Element>) -> (Vec3<W>, [W; N]) {
        let mut x = [Vec3::zero(); N];
        for i in 0..N {
            x[i] = step.particles.gather(Column3::Position, self.slots[i]);
        }
        direction::<C, W, N, P>(x, self.row.params)
    }

    /// Takes back what it did in this substep.
    pub(super) fn undo<C: Contact<N, P>>(&self, step: &StepContext<W::Element>, h: f64) {
        let pressed = W::zero().lt(self.row.touch.lambda);
        if W::any(pressed) {
            let (normal, shares) = self.place::<C>(step);
            let mut v = step.particles.load_velocities(self.slots);
            let done = done(normal, shares, &self.row.touch, h, &v);
            for i in 0..N {
                v[i].x = Vec3::select(pressed, v[i].x - done[i], v[i].x);
            }
            step.particles.store_velocities(self.slots, v);
        }
    }

    /// One round of impacts: whether there was any.
    pub(super) fn strike<C: Contact<N, P>>(
        &self,
        step: &StepContext<W::Element>,
        impacts: &Impacts<W::Element>,
        material: [f64; 2],
    ) -> bool {
        let (normal, shares) = self.place::<C>(step);
        let mut v: [Particle<W>; N] = step.particles.load_velocities(self.slots);
        let mut velocity = Vec3::zero();
        for i in 0..N {
            velocity += v[i].x * shares[i];
        }
        let meeting = Meeting { normal, shares, velocity, gap: self.row.gap };
        let struck = impacts.strike(&meeting, self.slots, &mut v, material);
        if struck {
            step.particles.store_velocities(self.slots, v);
        }
        struck
    }

    /// Impacts are over.
    pub(super) fn settle<C: Contact<N, P>>(
        &mut self,
        step: &StepContext<W::Element>,
        impacts: &Impacts<W::Element>,
    ) {
        let (normal, shares) = self.place::<C>(step);
        let v = step.particles.load_velocities(self.slots);
        let done = done(normal, shares, &self.row.touch, impacts.h, &v);
        let struck = impacts.settle(self.slots, done);
        self.row.forget(W::zero().lt(struck));
    }
}
