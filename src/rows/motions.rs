//! Positions and velocities side by side, for method `impulse`.

use super::packet::Packet;
use crate::constraints::{Aim, Constraint, Moving, Response, push};
use crate::math::{Scalar, Vec3};
use crate::state::Integrator;
use std::cell::Cell;

/// All particles as records of position and inverse mass `[x, y, z, w]` and of velocity `[x, y, z]`, for one thread.
pub(crate) struct Motions<'a, R> {
    positions: &'a [[R; 4]],
    velocities: &'a [Cell<[R; 3]>],
    /// h a of each, where forces act.
    steps: Option<&'a [[R; 3]]>,
    integrator: Integrator<R>,
}

impl<'a, R: Scalar> Motions<'a, R> {
    /// A view of the records, and what predicts them.
    pub fn new(
        positions: &'a [[R; 4]],
        velocities: &'a mut [[R; 3]],
        steps: Option<&'a [[R; 3]]>,
        integrator: Integrator<R>,
    ) -> Self {
        let velocities = Cell::from_mut(velocities).as_slice_of_cells();
        Self { positions, velocities, steps, integrator }
    }

    fn load(&self, i: u32) -> Moving<R> {
        let [x, y, z, w] = self.positions[i as usize];
        let [vx, vy, vz] = self.velocities[i as usize].get();
        let step = self.steps.map(|steps| Vec3::from(steps[i as usize]));
        let step = step.unwrap_or(self.integrator.gravity_step);
        Moving { x: Vec3::new(x, y, z), v: Vec3::new(vx, vy, vz), w, step }
    }
}

impl<R: Scalar, A: Response<R>, const N: usize, const P: usize> Packet<u32, R, A, N, P> {
    /// Loads the particles, gives them the row's impulse, stores their velocities; the error it met.
    #[inline(always)]
    pub(super) fn push<C: Constraint<N, P, K>, const K: usize>(
        &self,
        motions: &Motions<R>,
        aim: Aim,
        lambda: &mut [R; K],
    ) -> R {
        let mut sites = self.slots.map(|i| motions.load(i));
        let predict = |site: Moving<R>| {
            let Moving { x, v, w, step } = site;
            motions.integrator.predict(step, x, v, w).0
        };
        let (h, params, response) = (motions.integrator.h, self.params, self.response);
        let error = push::<C, _, _, N, P, K>(&mut sites, predict, h, params, response, aim, lambda);
        for (i, Moving { v, .. }) in self.slots.into_iter().zip(sites) {
            motions.velocities[i as usize].set([v.x, v.y, v.z]);
        }
        error
    }
}
