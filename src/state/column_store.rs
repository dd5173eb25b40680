//! Rows loaded from columns and stored there: eight consecutive slots, or slots anywhere.

use super::particle_view::{Column3, ParticleView, particle};
use super::store::{Store, each_slot, nothing};
use super::width::{Consecutive, OneLane, Width};
use crate::constraints::Particle;
use crate::math::{F32x8, Real, Vec3, WIDTH, lanes_below};
use crate::threads::{PacketSlots, Slots};

/// As many consecutive slots as there are lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) first: u32,
}

/// A [`Run`] whose lanes from `live` on are padding: they keep their state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartialRun {
    pub(crate) first: u32,
    pub(crate) live: u32,
}

impl Slots for Run {
    fn end(self) -> usize {
        self.first as usize + WIDTH
    }
}

impl Slots for PartialRun {
    fn end(self) -> usize {
        self.first as usize + WIDTH
    }
}

impl<W: Consecutive<Element = f32>> Store<Run, W> for ParticleView<'_, f32> {
    #[inline(always)]
    fn predicted<const N: usize>(&self, slots: PacketSlots<Run, N>) -> [Vec3<W>; N] {
        each_slot(
            Vec3::zero(),
            #[inline(always)]
            |slot| self.read(Column3::Predicted, slots[slot].first as usize),
        )
    }
    #[inline(always)]
    fn load<const N: usize>(&self, slots: PacketSlots<Run, N>) -> [Particle<W>; N] {
        each_slot(
            nothing(),
            #[inline(always)]
            |slot| particle(W::read(&self.sites, slots[slot].first as usize)),
        )
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: PacketSlots<Run, N>) -> [Vec3<W>; N] {
        each_slot(
            Vec3::zero(),
            #[inline(always)]
            |slot| self.read(Column3::Previous, slots[slot].first as usize),
        )
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: PacketSlots<Run, N>, sites: [Particle<W>; N]) {
        for slot in 0..N {
            self.write(Column3::Position, slots[slot].first as usize, sites[slot].x);
        }
    }
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: PacketSlots<Run, N>) -> [Particle<W>; N] {
        each_slot(
            nothing(),
            #[inline(always)]
            |slot| particle(W::read(&self.sums, slots[slot].first as usize)),
        )
    }
    #[inline(always)]
    fn set_sums<const N: usize>(&self, slots: PacketSlots<Run, N>, sums: [Particle<W>; N]) {
        for slot in 0..N {
            self.write_sums(slots[slot].first as usize, sums[slot]);
        }
    }
}

/// Partial runs as runs.
#[inline(always)]
fn whole<const N: usize>(slots: PacketSlots<PartialRun, N>) -> PacketSlots<Run, N> {
    PacketSlots::from(each_slot(
        Run { first: 0 },
        #[inline(always)]
        |slot| Run { first: slots[slot].first },
    ))
}

impl Store<PartialRun, F32x8> for ParticleView<'_, f32> {
    #[inline(always)]
    fn predicted<const N: usize>(&self, slots: PacketSlots<PartialRun, N>) -> [Vec3<F32x8>; N] {
        Store::predicted(self, whole(slots))
    }
    #[inline(always)]
    fn load<const N: usize>(&self, slots: PacketSlots<PartialRun, N>) -> [Particle<F32x8>; N] {
        let live = lanes_below(slots[0].live as usize);
        let mut sites: [Particle<F32x8>; N] = Store::load(self, whole(slots));
        for site in &mut sites {
            // A lane of weight zero writes back the bits it read.
            site.w = F32x8::select(live, site.w, F32x8::zero());
        }
        sites
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: PacketSlots<PartialRun, N>) -> [Vec3<F32x8>; N] {
        Store::previous(self, whole(slots))
    }
    #[inline(always)]
    fn store<const N: usize>(
        &self,
        slots: PacketSlots<PartialRun, N>,
        sites: [Particle<F32x8>; N],
    ) {
        Store::store(self, whole(slots), sites);
    }
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: PacketSlots<PartialRun, N>) -> [Particle<F32x8>; N] {
        self.sums(whole(slots))
    }
    #[inline(always)]
    fn set_sums<const N: usize>(
        &self,
        slots: PacketSlots<PartialRun, N>,
        sums: [Particle<F32x8>; N],
    ) {
        self.set_sums(whole(slots), sums);
    }
}

/// What is anywhere, one lane or eight.
macro_rules! anywhere {
    ([$($generic:tt)*] $element:ty, $slots:ty, $number:ty) => {
        impl<$($generic)*> Store<$slots, $number> for ParticleView<'_, $element> {
            #[inline(always)]
            fn predicted<const N: usize>(&self, slots: PacketSlots<$slots, N>) -> [Vec3<$number>; N] {
                self.load_predicted(*slots)
            }
            #[inline(always)]
            fn load<const N: usize>(&self, slots: PacketSlots<$slots, N>) -> [Particle<$number>; N] {
                self.load(*slots)
            }
            #[inline(always)]
            fn previous<const N: usize>(&self, slots: PacketSlots<$slots, N>) -> [Vec3<$number>; N] {
                self.load_previous(*slots)
            }
            #[inline(always)]
            fn store<const N: usize>(&self, slots: PacketSlots<$slots, N>, sites: [Particle<$number>; N]) {
                self.store(*slots, sites);
            }
            #[inline(always)]
            fn sums<const N: usize>(&self, slots: PacketSlots<$slots, N>) -> [Particle<$number>; N] {
                each_slot(nothing(), #[inline(always)] |slot| particle(<$number>::gather(&self.sums, slots[slot])))
            }
            #[inline(always)]
            fn set_sums<const N: usize>(&self, slots: PacketSlots<$slots, N>, sums: [Particle<$number>; N]) {
                for slot in 0..N {
                    let Particle { x, w, .. } = sums[slot];
                    <$number>::scatter(&self.sums, slots[slot], [x.x, x.y, x.z, w]);
                }
            }
        }
    };
}
anywhere!([] f32, [u32; WIDTH], F32x8);
anywhere!([E: OneLane] E, u32, E);
