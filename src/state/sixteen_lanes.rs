//! Sixteen lanes: how `F32x16` comes from columns and records and goes back there. Records come as two halves of eight lanes.

#![allow(clippy::needless_range_loop)] // halves and sites run side by side, and `zip` is not always inlined

use super::moving_body::{MASS, MOVING, MovingBody};
use super::store::nothing;
use super::width::{BodyCells, Consecutive, Width};
use crate::constraints::Particle;
use crate::math::{F32x8, F32x16, Vec3, WIDTH, both, each, halves_of};
use crate::threads::{Cells, SharedColumns, SharedSlice};

/// Lanes of both halves.
const LANES: usize = 2 * WIDTH;

impl Consecutive for F32x16 {
    type Element = f32;
    #[inline(always)]
    fn read<const N: usize>(columns: &SharedColumns<f32, N>, i: usize) -> [Self; N] {
        each(columns.read(i), F32x16::new)
    }
    #[inline(always)]
    fn write<const N: usize, const M: usize>(
        columns: &SharedColumns<f32, N>,
        i: usize,
        of: [Self; M],
    ) {
        columns.write(i, each(of, |lanes| lanes.to_array()));
    }
}

impl Width for F32x16 {
    type Wide = Self;
    type Slots = [u32; LANES];
    const LANES: usize = LANES;
    #[inline(always)]
    fn slots(of: impl Fn(usize) -> u32) -> [u32; LANES] {
        lanes(of)
    }
    #[inline(always)]
    fn collect(of: impl Fn(usize) -> f32) -> Self {
        F32x16::new(lanes(of))
    }
    #[inline(always)]
    fn slot(slots: [u32; LANES], lane: usize) -> u32 {
        slots[lane]
    }
    #[inline(always)]
    fn set_slot(slots: &mut [u32; LANES], lane: usize, to: u32) {
        slots[lane] = to;
    }
    #[inline(always)]
    fn lanes_below(count: usize) -> F32x16 {
        lanes_below_sixteen(count)
    }
    #[inline(always)]
    fn lane(self, lane: usize) -> f32 {
        self.to_array()[lane]
    }
    #[inline(always)]
    fn bits(mask: Self::Mask) -> u32 {
        mask.to_bitmask()
    }
    #[inline(always)]
    fn load_records(cells: &Cells<[f32; 8]>, slots: Self::Slots) -> [Self; 8] {
        joined(each(halves(slots), |half| F32x8::load_records(cells, half)))
    }
    #[inline(always)]
    fn store_records(cells: &Cells<[f32; 8]>, slots: Self::Slots, of: [Self; 8]) {
        let (slots, of) = (halves(slots), split(of));
        for half in 0..2 {
            F32x8::store_records(cells, slots[half], of[half]);
        }
    }
    #[inline(always)]
    fn load_particles<const N: usize>(
        records: &SharedSlice<[f32; 4]>,
        slots: [Self::Slots; N],
    ) -> [Particle<Self>; N] {
        joined_particles(each(slots_of_halves(slots), |half| F32x8::load_particles(records, half)))
    }
    #[inline(always)]
    fn load_sums<const N: usize>(
        records: [&SharedSlice<[f32; 4]>; 2],
        slots: [Self::Slots; N],
    ) -> [Particle<Self>; N] {
        joined_particles(each(slots_of_halves(slots), |half| F32x8::load_sums(records, half)))
    }
    #[inline(always)]
    fn store_particles<const N: usize>(
        records: &SharedSlice<[f32; 4]>,
        slots: [Self::Slots; N],
        sites: [Particle<Self>; N],
    ) {
        let slots = slots_of_halves(slots);
        let mut parts = [[nothing::<F32x8>(); N]; 2];
        for i in 0..N {
            let Particle { x, w, .. } = sites[i];
            let of = split([x.x, x.y, x.z, w]);
            for half in 0..2 {
                let [x, y, z, w] = of[half];
                parts[half][i] = Particle::new(Vec3::new(x, y, z), w);
            }
        }
        for half in 0..2 {
            F32x8::store_particles(records, slots[half], parts[half]);
        }
    }
    #[inline(always)]
    fn load_bodies(records: BodyCells<f32>, slots: Self::Slots) -> MovingBody<Self> {
        let bodies = each(halves(slots), |half| F32x8::load_bodies(records, half));
        let moving: [Self; MOVING] = joined(each(bodies, MovingBody::to_record));
        let mass: [Self; MASS] = joined(each(bodies, MovingBody::mass_record));
        MovingBody::from_record(moving, mass)
    }
    #[inline(always)]
    fn store_bodies(records: BodyCells<f32>, slots: Self::Slots, bodies: MovingBody<Self>) {
        let (slots, of) = (halves(slots), split(bodies.to_record()));
        for half in 0..2 {
            let body = MovingBody::from_record(of[half], [F32x8::ZERO; MASS]);
            F32x8::store_bodies(records, slots[half], body);
        }
    }
}

/// One value for each lane.
#[inline(always)]
fn lanes<T>(f: impl Fn(usize) -> T) -> [T; LANES] {
    [
        f(0),
        f(1),
        f(2),
        f(3),
        f(4),
        f(5),
        f(6),
        f(7),
        f(8),
        f(9),
        f(10),
        f(11),
        f(12),
        f(13),
        f(14),
        f(15),
    ]
}

/// True in the first `count` lanes.
#[inline(always)]
fn lanes_below_sixteen(count: usize) -> F32x16 {
    both([F32x8::lanes_below(count), F32x8::lanes_below(count.saturating_sub(WIDTH))])
}

/// The slots of the first eight lanes, and of the others.
#[inline(always)]
fn halves(slots: [u32; LANES]) -> [[u32; WIDTH]; 2] {
    bytemuck::cast(slots)
}

/// The same of N slots a lane.
#[inline(always)]
fn slots_of_halves<const N: usize>(slots: [[u32; LANES]; N]) -> [[[u32; WIDTH]; N]; 2] {
    let mut of = [[[0; WIDTH]; N]; 2];
    for i in 0..N {
        [of[0][i], of[1][i]] = halves(slots[i]);
    }
    of
}

/// Numbers of both halves side by side.
#[inline(always)]
fn joined<const M: usize>([first, second]: [[F32x8; M]; 2]) -> [F32x16; M] {
    let mut out = [F32x16::ZERO; M];
    for m in 0..M {
        out[m] = both([first[m], second[m]]);
    }
    out
}

/// The halves of [`joined`].
#[inline(always)]
fn split<const M: usize>(of: [F32x16; M]) -> [[F32x8; M]; 2] {
    let mut out = [[F32x8::ZERO; M]; 2];
    for m in 0..M {
        [out[0][m], out[1][m]] = halves_of(of[m]);
    }
    out
}

/// Particles of both halves side by side.
#[inline(always)]
fn joined_particles<const N: usize>(
    [first, second]: [[Particle<F32x8>; N]; 2],
) -> [Particle<F32x16>; N] {
    let mut sites = [nothing(); N];
    for i in 0..N {
        let numbers = |p: Particle<F32x8>| [p.x.x, p.x.y, p.x.z, p.w];
        let [x, y, z, w] = joined([numbers(first[i]), numbers(second[i])]);
        sites[i] = Particle::new(Vec3::new(x, y, z), w);
    }
    sites
}
