//! How many particles or bodies are computed side by side: one (`f32`, `f64`), eight (`F32x8`), or sixteen
//! (`F32x16`) where only records of eight numbers are loaded.
//!
//! What is written over a [`Width`] is written once: the scalar loops are its instance of one lane.

use super::moving_body::{MASS, MovingBody};
use crate::constraints::Particle;
use crate::math::{Real, Scalar, Vec3, WIDTH, each, each_index};
use crate::threads::{Cells, RecordsAt, SharedColumns, Slots};
use bytemuck::Zeroable;
use std::fmt::Debug;

/// No width has more lanes.
pub(crate) const MOST_LANES: usize = 2 * WIDTH;

/// A number of one or more lanes, and how its lanes come from consecutive entries of columns and go back there.
pub(crate) trait Consecutive: Real {
    /// What columns hold.
    type Element: OneLane;
    /// Consecutive entries of columns, from slot `i`.
    fn read<const N: usize>(columns: &SharedColumns<Self::Element, N>, i: usize) -> [Self; N];
    /// Replaces consecutive entries of the first M columns.
    fn write<const N: usize, const M: usize>(
        columns: &SharedColumns<Self::Element, N>,
        i: usize,
        of: [Self; M],
    );
}

/// A number of one or more lanes, and how its lanes come from records of eight numbers and go back there.
pub(crate) trait Lanes: Consecutive {
    /// Where the particles or bodies of a packet lie: an index for each lane.
    type Slots: Slots + Debug + PartialEq + Send + Sync;
    /// Numbers side by side.
    const LANES: usize;

    /// An index for each lane.
    fn slots(of: impl Fn(usize) -> u32) -> Self::Slots;
    /// One slot after another, from slot `i`.
    #[inline(always)]
    fn consecutive(i: usize) -> Self::Slots {
        Self::slots(
            #[inline(always)]
            |lane| (i + lane) as u32,
        )
    }
    /// A number for each lane.
    fn collect(of: impl Fn(usize) -> Self::Element) -> Self;
    /// The index of a lane.
    fn slot(slots: Self::Slots, lane: usize) -> u32;
    /// The number of a lane.
    fn lane(self, lane: usize) -> Self::Element;
    /// The same with `new` in some lanes.
    #[inline(always)]
    fn with(self, is_new: impl Fn(usize) -> bool, new: Self::Element) -> Self {
        Self::collect(
            #[inline(always)]
            |lane| if is_new(lane) { new } else { self.lane(lane) },
        )
    }
    /// A bit for each lane in which `mask` holds, the first lane lowest.
    fn bits(mask: Self::Mask) -> u32;
    /// Whether a mask holds in any lane.
    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        Self::bits(mask) != 0
    }
    /// A number for each lane, rounded to f32.
    #[inline(always)]
    fn singles(of: impl Fn(usize) -> f32) -> Self {
        Self::collect(
            #[inline(always)]
            |lane| Self::Element::of(f64::from(of(lane))),
        )
    }
    /// A vector for each lane, rounded to f32.
    #[inline(always)]
    fn single_vectors(of: impl Fn(usize) -> Vec3<f32>) -> Vec3<Self> {
        Vec3::new(
            Self::singles(|lane| of(lane).x),
            Self::singles(|lane| of(lane).y),
            Self::singles(|lane| of(lane).z),
        )
    }
    /// A vector's lane.
    #[inline(always)]
    fn vector_lane(v: Vec3<Self>, lane: usize) -> Vec3<Self::Element> {
        Vec3::new(v.x.lane(lane), v.y.lane(lane), v.z.lane(lane))
    }
    /// Records of eight numbers.
    fn load_records(cells: &Cells<[Self::Element; 8]>, slots: Self::Slots) -> [Self; 8];
    /// Replaces records of eight numbers, lane by lane.
    fn store_records(cells: &Cells<[Self::Element; 8]>, slots: Self::Slots, of: [Self; 8]);
}

/// A number of one or more lanes, and how its lanes come from columns and all records and go back there.
pub(crate) trait Width: Lanes {
    /// As many numbers of double precision side by side.
    type Double: Real;
    /// Twice as many lanes where there is such a width, for loops that wait for their own results (`--set width`).
    type Wide: Lanes<Element = Self::Element>;

    /// Widened to double precision.
    fn double(self) -> Self::Double;
    /// Rounded from double precision.
    fn from_double(of: Self::Double) -> Self;
    /// A vector widened to double precision.
    #[inline(always)]
    fn double_vector(v: Vec3<Self>) -> Vec3<Self::Double> {
        Vec3::new(v.x.double(), v.y.double(), v.z.double())
    }
    /// A vector rounded from double precision.
    #[inline(always)]
    fn from_double_vector(v: Vec3<Self::Double>) -> Vec3<Self> {
        Vec3::new(Self::from_double(v.x), Self::from_double(v.y), Self::from_double(v.z))
    }
    /// The number of a lane in double precision.
    fn double_lane(of: Self::Double, lane: usize) -> f64;
    /// Replaces the index of a lane.
    fn set_slot(slots: &mut Self::Slots, lane: usize, to: u32);
    /// True in the first `count` lanes.
    fn lanes_below(count: usize) -> Self::Mask;
    /// A particle's lane.
    #[inline(always)]
    fn particle_lane(site: Particle<Self>, lane: usize) -> Particle<Self::Element> {
        let [x, moved] = [site.x, site.moved].map(|v| Self::vector_lane(v, lane));
        Particle { x, w: site.w.lane(lane), moved }
    }
    /// Entries of columns.
    #[inline(always)]
    fn gather<const N: usize>(
        columns: &SharedColumns<Self::Element, N>,
        slots: Self::Slots,
    ) -> [Self; N] {
        let mut out = [Self::zero(); N];
        for (k, out) in out.iter_mut().enumerate() {
            *out = Self::collect(
                #[inline(always)]
                |lane| columns.get(Self::slot(slots, lane) as usize)[k],
            );
        }
        out
    }
    /// Replaces entries of the first M columns, lane by lane.
    #[inline(always)]
    fn scatter<const N: usize, const M: usize>(
        columns: &SharedColumns<Self::Element, N>,
        slots: Self::Slots,
        of: [Self; M],
    ) {
        for lane in 0..Self::LANES {
            let one = each(
                of,
                #[inline(always)]
                |v| v.lane(lane),
            );
            columns.set(Self::slot(slots, lane) as usize, one);
        }
    }

    /// Positions and inverse masses of particles, from records `x y z w`.
    fn load_particles<const N: usize>(records: ParticleRecords<Self, N>) -> [Particle<Self>; N];
    /// The same of the sums of two records each.
    fn load_sums<const N: usize>(records: [ParticleRecords<Self, N>; 2]) -> [Particle<Self>; N];
    /// Adds to records of particles; a particle that is there twice is the same one.
    fn add_particles<const N: usize>(records: ParticleRecords<Self, N>, sites: [Particle<Self>; N]);
    /// Replaces records of particles.
    fn store_particles<const N: usize>(
        records: ParticleRecords<Self, N>,
        sites: [Particle<Self>; N],
    );
    /// Bodies while constraints are projected.
    fn load_bodies(records: BodyCells<Self::Element>, slots: Self::Slots) -> MovingBody<Self>;
    /// Replaces what moves of bodies.
    fn store_bodies(
        records: BodyCells<Self::Element>,
        slots: Self::Slots,
        bodies: MovingBody<Self>,
    );
}

/// A number as a width of one lane: what columns hold.
pub(crate) trait OneLane: Scalar + Width<Element = Self, Slots = u32> {}

impl<E: Scalar + Width<Element = E, Slots = u32>> OneLane for E {}

/// Records `x y z w` of the particles of a packet.
pub(super) type ParticleRecords<'a, W, const N: usize> =
    RecordsAt<'a, [<W as Consecutive>::Element; 4], <W as Lanes>::Slots, N>;

/// Records of bodies: what moves of each as two blocks of eight numbers, and w with the inverse principal moments.
pub(super) type BodyCells<'a, E> = (&'a Cells<[<E as Scalar>::Block; 2]>, &'a Cells<[E; MASS]>);

macro_rules! one_lane {
    ($number:ty) => {
        impl Consecutive for $number {
            type Element = $number;
            #[inline(always)]
            fn read<const N: usize>(columns: &SharedColumns<$number, N>, i: usize) -> [Self; N] {
                columns.get(i)
            }
            #[inline(always)]
            fn write<const N: usize, const M: usize>(
                columns: &SharedColumns<$number, N>,
                i: usize,
                of: [Self; M],
            ) {
                columns.set(i, of);
            }
        }

        impl Lanes for $number {
            type Slots = u32;
            const LANES: usize = 1;
            #[inline(always)]
            fn slots(of: impl Fn(usize) -> u32) -> u32 {
                of(0)
            }
            #[inline(always)]
            fn collect(of: impl Fn(usize) -> $number) -> Self {
                of(0)
            }
            #[inline(always)]
            fn slot(slots: u32, _: usize) -> u32 {
                slots
            }
            #[inline(always)]
            fn lane(self, _: usize) -> $number {
                self
            }
            #[inline(always)]
            fn bits(mask: bool) -> u32 {
                u32::from(mask)
            }
            #[inline(always)]
            fn load_records(cells: &Cells<[$number; 8]>, slot: u32) -> [Self; 8] {
                cells.get(slot as usize)
            }
            #[inline(always)]
            fn store_records(cells: &Cells<[$number; 8]>, slot: u32, of: [Self; 8]) {
                cells.set(slot as usize, of);
            }
        }

        impl Width for $number {
            type Double = f64;
            type Wide = $number;
            #[inline(always)]
            fn double(self) -> f64 {
                self.to_f64()
            }
            #[inline(always)]
            fn from_double(of: f64) -> Self {
                of as $number
            }
            #[inline(always)]
            fn double_lane(of: f64, _: usize) -> f64 {
                of
            }
            #[inline(always)]
            fn set_slot(slots: &mut u32, _: usize, to: u32) {
                *slots = to;
            }
            #[inline(always)]
            fn lanes_below(count: usize) -> bool {
                count > 0
            }
            #[inline(always)]
            fn load_particles<const N: usize>(
                records: ParticleRecords<Self, N>,
            ) -> [Particle<Self>; N] {
                each_index(
                    #[inline(always)]
                    |i| {
                        let [x, y, z, w] = records.get(i);
                        let x = Vec3::new(x, y, z);
                        Particle::new(x, w)
                    },
                )
            }
            #[inline(always)]
            fn load_sums<const N: usize>(
                [a, b]: [ParticleRecords<Self, N>; 2],
            ) -> [Particle<Self>; N] {
                let mut sums = Self::load_particles(a);
                let others = Self::load_particles(b);
                for i in 0..N {
                    sums[i].x += others[i].x;
                    sums[i].w += others[i].w;
                }
                sums
            }
            #[inline(always)]
            fn add_particles<const N: usize>(
                records: ParticleRecords<Self, N>,
                sites: [Particle<Self>; N],
            ) {
                let mut sums = Self::load_particles(records);
                for i in 0..N {
                    sums[i].x += sites[i].x;
                    sums[i].w += sites[i].w;
                }
                Self::store_particles(records, sums);
            }
            #[inline(always)]
            fn store_particles<const N: usize>(
                records: ParticleRecords<Self, N>,
                sites: [Particle<Self>; N],
            ) {
                for i in 0..N {
                    let Particle { x, w, .. } = sites[i];
                    records.set(i, [x.x, x.y, x.z, w]);
                }
            }
            #[inline(always)]
            fn load_bodies((moving, mass): BodyCells<$number>, slot: u32) -> MovingBody<Self> {
                let blocks = moving.get(slot as usize);
                let record = bytemuck::cast_slice::<_, $number>(&blocks);
                let record = std::array::from_fn(|k| record[k]);
                MovingBody::from_record(record, mass.get(slot as usize))
            }
            #[inline(always)]
            fn store_bodies((moving, _): BodyCells<$number>, slot: u32, body: MovingBody<Self>) {
                let mut blocks = [<$number as Scalar>::Block::zeroed(); 2];
                bytemuck::cast_slice_mut(&mut blocks).copy_from_slice(&body.to_record());
                moving.set(slot as usize, blocks);
            }
        }
    };
}
one_lane!(f32);
one_lane!(f64);

/// The largest of all lanes, none of which is negative; not a number where one of them is.
pub(crate) fn largest_lane<W: Lanes>(lanes: W) -> f32 {
    let bits = |lane| lanes.lane(lane).to_f32().abs().to_bits();
    f32::from_bits((0..W::LANES).map(bits).max().unwrap_or(0))
}
