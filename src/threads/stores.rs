//! Particles loaded from the columns and stored to them: runs, partial runs, eight anywhere, one alone.

use super::shared::{Shared, State, each_slot, nothing};
use crate::constraints::Particle;
use crate::math::{F32x8, Real, Vec3, WIDTH, each_lane, lanes_below, pack};
use crate::rows::{Sharing, Store};

/// Eight consecutive places, of which the first `live` take part: the others keep their state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) first: u32,
}

/// A [`Run`] whose lanes from `live` on are padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartialRun {
    pub(crate) first: u32,
    pub(crate) live: u32,
}

impl Store<Run, F32x8> for Shared<'_> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [Run; N]) -> [Particle<F32x8>; N] {
        each_slot(nothing(), |slot| Particle {
            x: self.get8(State::Position, slots[slot].first as usize),
            w: self.inverse_mass8(slots[slot].first as usize),
        })
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [Run; N]) -> [Vec3<F32x8>; N] {
        each_slot(Vec3::zero(), |slot| {
            self.get8(State::Previous, slots[slot].first as usize)
        })
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [Run; N], sites: [Particle<F32x8>; N]) {
        for slot in 0..N {
            self.set8(State::Position, slots[slot].first as usize, sites[slot].x);
        }
    }
    #[inline(always)]
    fn sharing(&self) -> Option<Sharing> {
        self.sharing
    }
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: [Run; N]) -> [Particle<F32x8>; N] {
        each_slot(nothing(), |slot| Particle {
            x: self.get8(State::Sum, slots[slot].first as usize),
            w: self.count8(slots[slot].first as usize),
        })
    }
    #[inline(always)]
    fn set_sums<const N: usize>(&self, slots: [Run; N], sums: [Particle<F32x8>; N]) {
        for slot in 0..N {
            self.set8(State::Sum, slots[slot].first as usize, sums[slot].x);
        }
    }
}

/// Partial runs as runs.
#[inline(always)]
fn whole<const N: usize>(slots: [PartialRun; N]) -> [Run; N] {
    each_slot(Run { first: 0 }, |slot| Run {
        first: slots[slot].first,
    })
}

impl Store<PartialRun, F32x8> for Shared<'_> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [PartialRun; N]) -> [Particle<F32x8>; N] {
        let live = lanes_below(slots[0].live as usize);
        let mut sites = self.load(whole(slots));
        for site in &mut sites {
            // A lane of weight zero writes back the bits it read.
            site.w = F32x8::select(live, site.w, F32x8::zero());
        }
        sites
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [PartialRun; N]) -> [Vec3<F32x8>; N] {
        self.previous(whole(slots))
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [PartialRun; N], sites: [Particle<F32x8>; N]) {
        self.store(whole(slots), sites);
    }
    #[inline(always)]
    fn sharing(&self) -> Option<Sharing> {
        self.sharing
    }
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: [PartialRun; N]) -> [Particle<F32x8>; N] {
        self.sums(whole(slots))
    }
    #[inline(always)]
    fn set_sums<const N: usize>(&self, slots: [PartialRun; N], sums: [Particle<F32x8>; N]) {
        self.set_sums(whole(slots), sums);
    }
}

impl Store<[u32; WIDTH], F32x8> for Shared<'_> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [[u32; WIDTH]; N]) -> [Particle<F32x8>; N] {
        each_slot(nothing(), |slot| {
            let at = slots[slot];
            Particle {
                x: self.gather(State::Position, at),
                w: pack(each_lane(|lane| self.inverse_mass(at[lane] as usize))),
            }
        })
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [[u32; WIDTH]; N]) -> [Vec3<F32x8>; N] {
        each_slot(Vec3::zero(), |slot| {
            self.gather(State::Previous, slots[slot])
        })
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [[u32; WIDTH]; N], sites: [Particle<F32x8>; N]) {
        for (at, Particle { x, .. }) in slots.into_iter().zip(sites) {
            self.scatter(State::Position, at, x);
        }
    }
    #[inline(always)]
    fn sharing(&self) -> Option<Sharing> {
        self.sharing
    }
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: [[u32; WIDTH]; N]) -> [Particle<F32x8>; N] {
        each_slot(nothing(), |slot| {
            let at = slots[slot];
            Particle {
                x: self.gather(State::Sum, at),
                w: pack(each_lane(|lane| self.count(at[lane] as usize))),
            }
        })
    }
    #[inline(always)]
    fn set_sums<const N: usize>(&self, slots: [[u32; WIDTH]; N], sums: [Particle<F32x8>; N]) {
        for (at, Particle { x, .. }) in slots.into_iter().zip(sums) {
            self.scatter(State::Sum, at, x);
        }
    }
}

impl Store<u32, f32> for Shared<'_> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [u32; N]) -> [Particle<f32>; N] {
        each_slot(nothing(), |slot| Particle {
            x: self.get(State::Position, slots[slot] as usize),
            w: self.inverse_mass(slots[slot] as usize),
        })
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [u32; N]) -> [Vec3<f32>; N] {
        each_slot(Vec3::zero(), |slot| {
            self.get(State::Previous, slots[slot] as usize)
        })
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [u32; N], sites: [Particle<f32>; N]) {
        for (i, Particle { x, .. }) in slots.into_iter().zip(sites) {
            self.set(State::Position, i as usize, [x.x, x.y, x.z]);
        }
    }
    #[inline(always)]
    fn sharing(&self) -> Option<Sharing> {
        self.sharing
    }
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: [u32; N]) -> [Particle<f32>; N] {
        each_slot(nothing(), |slot| Particle {
            x: self.get(State::Sum, slots[slot] as usize),
            w: self.count(slots[slot] as usize),
        })
    }
    #[inline(always)]
    fn set_sums<const N: usize>(&self, slots: [u32; N], sums: [Particle<f32>; N]) {
        for (i, Particle { x, .. }) in slots.into_iter().zip(sums) {
            self.set(State::Sum, i as usize, [x.x, x.y, x.z]);
        }
    }
}
