//! How many particles or bodies are computed side by side: one (`f32`, `f64`) or eight (`F32x8`).
//!
//! What is written over a [`Width`] is written once: the scalar loops are its instance of one lane.

use super::{BodyRecords, Column3, MovingBody, PositionView, Store};
use crate::constraints::Particle;
use crate::math::{
    F32x8, Quat, Real, Scalar, Vec3, WIDTH, each, each_lane, join, lane_bits, lanes_below, pack,
    transpose, unpack,
};
use crate::threads::{Cells, SharedColumns};
use std::fmt::Debug;

/// A number of one or more lanes, and how its lanes come from columns and records and go back there.
pub(crate) trait Width: Real {
    /// What columns hold.
    type Element: Scalar + Width<Element = Self::Element, Slots = u32>;
    /// Where the particles or bodies of a packet lie: an index for each lane.
    type Slots: Copy + Debug + PartialEq + Send + Sync;
    /// Numbers side by side.
    const LANES: usize;

    /// An index for each lane.
    fn slots(of: impl Fn(usize) -> u32) -> Self::Slots;
    /// A number for each lane.
    fn collect(of: impl Fn(usize) -> Self::Element) -> Self;
    /// The index of a lane.
    fn slot(slots: Self::Slots, lane: usize) -> u32;
    /// Replaces the index of a lane.
    fn set_slot(slots: &mut Self::Slots, lane: usize, to: u32);
    /// True in the first `count` lanes.
    fn lanes_below(count: usize) -> Self::Mask;
    /// The number of a lane.
    fn lane(self, lane: usize) -> Self::Element;
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

    /// Consecutive entries of columns, from slot `i`.
    fn read<const N: usize>(columns: &SharedColumns<Self::Element, N>, i: usize) -> [Self; N];
    /// Replaces consecutive entries of columns.
    fn write<const N: usize>(columns: &SharedColumns<Self::Element, N>, i: usize, of: [Self; N]);
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
    /// Replaces entries of columns, lane by lane.
    #[inline(always)]
    fn scatter<const N: usize>(
        columns: &SharedColumns<Self::Element, N>,
        slots: Self::Slots,
        of: [Self; N],
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

    /// Positions and inverse masses while rows are projected.
    fn load<const N: usize>(
        view: &PositionView<Self::Element>,
        slots: [Self::Slots; N],
    ) -> [Particle<Self>; N];
    /// Begins to fetch what [`load`](Width::load) will read, where that is far away.
    fn fetch<const N: usize>(view: &PositionView<Self::Element>, slots: &[Self::Slots; N]);
    /// Positions at the start of the substep.
    fn previous(view: &PositionView<Self::Element>, slots: Self::Slots) -> Vec3<Self>;
    /// Replaces positions while rows are projected.
    fn store<const N: usize>(
        view: &PositionView<Self::Element>,
        slots: [Self::Slots; N],
        sites: [Particle<Self>; N],
    );
    /// Consecutive particles' positions while rows are projected.
    fn read_positions(view: &PositionView<Self::Element>, i: usize) -> Vec3<Self>;
    /// Replaces the positions of consecutive particles, whose inverse masses are `w`.
    fn write_positions(view: &PositionView<Self::Element>, i: usize, x: Vec3<Self>, w: Self);

    /// Bodies while constraints are projected.
    fn load_bodies(records: &BodyRecords<Self::Element>, slots: Self::Slots) -> MovingBody<Self>;
    /// Replaces what moves of bodies.
    fn store_bodies(
        records: &BodyRecords<Self::Element>,
        slots: Self::Slots,
        bodies: MovingBody<Self>,
    );
}

macro_rules! one_lane {
    ($number:ty) => {
        impl Width for $number {
            type Element = $number;
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
            fn set_slot(slots: &mut u32, _: usize, to: u32) {
                *slots = to;
            }
            #[inline(always)]
            fn lanes_below(count: usize) -> bool {
                count > 0
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
            #[inline(always)]
            fn read<const N: usize>(columns: &SharedColumns<$number, N>, i: usize) -> [Self; N] {
                columns.get(i)
            }
            #[inline(always)]
            fn write<const N: usize>(columns: &SharedColumns<$number, N>, i: usize, of: [Self; N]) {
                columns.set(i, of);
            }
            #[inline(always)]
            fn load<const N: usize>(
                view: &PositionView<$number>,
                slots: [u32; N],
            ) -> [Particle<Self>; N] {
                Store::load(view, slots)
            }
            #[inline(always)]
            fn fetch<const N: usize>(_: &PositionView<$number>, _: &[u32; N]) {}
            #[inline(always)]
            fn previous(view: &PositionView<$number>, slots: u32) -> Vec3<Self> {
                let [x] = Store::previous(view, [slots]);
                x
            }
            #[inline(always)]
            fn store<const N: usize>(
                view: &PositionView<$number>,
                slots: [u32; N],
                sites: [Particle<Self>; N],
            ) {
                Store::store(view, slots, sites);
            }
            #[inline(always)]
            fn read_positions(view: &PositionView<$number>, i: usize) -> Vec3<Self> {
                let [site]: [Particle<$number>; 1] = Store::load(view, [i as u32]);
                site.x
            }
            #[inline(always)]
            fn write_positions(view: &PositionView<$number>, i: usize, x: Vec3<Self>, w: Self) {
                Store::store(view, [i as u32], [Particle { x, w }]);
            }
            #[inline(always)]
            fn load_bodies(records: &BodyRecords<$number>, slot: u32) -> MovingBody<Self> {
                records.one(slot as usize)
            }
            #[inline(always)]
            fn store_bodies(records: &BodyRecords<$number>, slot: u32, body: MovingBody<Self>) {
                records.set_one(slot as usize, body);
            }
        }
    };
}
one_lane!(f32);
one_lane!(f64);

impl Width for F32x8 {
    type Element = f32;
    type Slots = [u32; WIDTH];
    const LANES: usize = WIDTH;
    #[inline(always)]
    fn slots(of: impl Fn(usize) -> u32) -> [u32; WIDTH] {
        each_lane(of)
    }
    #[inline(always)]
    fn collect(of: impl Fn(usize) -> f32) -> Self {
        pack(each_lane(of))
    }
    #[inline(always)]
    fn slot(slots: [u32; WIDTH], lane: usize) -> u32 {
        slots[lane]
    }
    #[inline(always)]
    fn set_slot(slots: &mut [u32; WIDTH], lane: usize, to: u32) {
        slots[lane] = to;
    }
    #[inline(always)]
    fn lanes_below(count: usize) -> F32x8 {
        lanes_below(count)
    }
    #[inline(always)]
    fn lane(self, lane: usize) -> f32 {
        unpack(self)[lane]
    }
    #[inline(always)]
    fn bits(mask: Self::Mask) -> u32 {
        lane_bits(mask)
    }
    #[inline(always)]
    fn load_records(cells: &Cells<[f32; 8]>, slots: Self::Slots) -> [Self; 8] {
        let records = cells.gather(slots);
        transpose(each_lane(
            #[inline(always)]
            |lane| pack(records[lane]),
        ))
    }
    #[inline(always)]
    fn store_records(cells: &Cells<[f32; 8]>, slots: Self::Slots, of: [Self; 8]) {
        let rows = transpose(of);
        for lane in 0..WIDTH {
            cells.set(slots[lane] as usize, unpack(rows[lane]));
        }
    }
    #[inline(always)]
    fn read<const N: usize>(columns: &SharedColumns<f32, N>, i: usize) -> [Self; N] {
        each(columns.read(i), pack)
    }
    #[inline(always)]
    fn write<const N: usize>(columns: &SharedColumns<f32, N>, i: usize, of: [Self; N]) {
        columns.write(i, each(of, unpack));
    }
    #[inline(always)]
    fn gather<const N: usize>(columns: &SharedColumns<f32, N>, slots: Self::Slots) -> [Self; N] {
        let rows = each_lane(
            #[inline(always)]
            |lane| columns.get(slots[lane] as usize),
        );
        let mut out = [Self::ZERO; N];
        for (k, out) in out.iter_mut().enumerate() {
            *out = pack(each_lane(
                #[inline(always)]
                |lane| rows[lane][k],
            ));
        }
        out
    }
    #[inline(always)]
    fn scatter<const N: usize>(columns: &SharedColumns<f32, N>, slots: Self::Slots, of: [Self; N]) {
        let lanes = each(of, unpack);
        for lane in 0..WIDTH {
            let one = each(
                lanes,
                #[inline(always)]
                |lanes| lanes[lane],
            );
            columns.set(slots[lane] as usize, one);
        }
    }
    #[inline(always)]
    fn load<const N: usize>(
        view: &PositionView<f32>,
        slots: [Self::Slots; N],
    ) -> [Particle<Self>; N] {
        Store::load(view, slots)
    }
    #[inline(always)]
    fn fetch<const N: usize>(view: &PositionView<f32>, slots: &[Self::Slots; N]) {
        if let PositionView::Records(records) = view {
            records.fetch(slots);
        }
    }
    #[inline(always)]
    fn previous(view: &PositionView<f32>, slots: Self::Slots) -> Vec3<Self> {
        let [x] = Store::previous(view, [slots]);
        x
    }
    #[inline(always)]
    fn store<const N: usize>(
        view: &PositionView<f32>,
        slots: [Self::Slots; N],
        sites: [Particle<Self>; N],
    ) {
        Store::store(view, slots, sites);
    }
    #[inline(always)]
    fn read_positions(view: &PositionView<f32>, i: usize) -> Vec3<Self> {
        match view {
            PositionView::Columns(columns) => columns.read(Column3::Position, i),
            PositionView::Records(records) => records.read8(i),
        }
    }
    #[inline(always)]
    fn write_positions(view: &PositionView<f32>, i: usize, x: Vec3<Self>, w: Self) {
        match view {
            PositionView::Columns(columns) => columns.write(Column3::Position, i, x),
            PositionView::Records(records) => records.fill8(i, x, w),
        }
    }
    #[inline(always)]
    fn load_bodies(records: &BodyRecords<f32>, slots: Self::Slots) -> MovingBody<Self> {
        // Closures within closures are not always inlined; these must be.
        let rows = each_lane(
            #[inline(always)]
            |lane| records.moving.get(slots[lane] as usize),
        );
        let [x, y, z, _, qx, qy, qz, qw] = transpose(each_lane(
            #[inline(always)]
            |lane| rows[lane][0],
        ));
        let [px, py, pz, _, tx, ty, tz, _] = transpose(each_lane(
            #[inline(always)]
            |lane| rows[lane][1],
        ));
        let [w, a, b, c, ..] = transpose(each_lane(
            #[inline(always)]
            |lane| join(records.mass.get(slots[lane] as usize), [0.0; 4]),
        ));
        MovingBody {
            x: Vec3::new(x, y, z),
            q: Quat::new(qx, qy, qz, qw),
            push: Vec3::new(px, py, pz),
            turn: Vec3::new(tx, ty, tz),
            w,
            inverse_inertia: Vec3::new(a, b, c),
        }
    }
    #[inline(always)]
    fn store_bodies(records: &BodyRecords<f32>, slots: Self::Slots, bodies: MovingBody<Self>) {
        let [a, b, c, d, e, f, g, h, rest @ ..] = bodies.to_record();
        let low = transpose([a, b, c, d, e, f, g, h]);
        let high = transpose(rest);
        for lane in 0..WIDTH {
            let slot = slots[lane] as usize;
            records.moving.set(slot, [low[lane], high[lane]]);
        }
    }
}
