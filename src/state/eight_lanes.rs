//! Eight lanes: how `F32x8` comes from columns and records and goes back there.

use super::moving_body::MovingBody;
use super::store::nothing;
use super::width::{BodyCells, Consecutive, Lanes, ParticleRecords, Width};
use crate::constraints::Particle;
use crate::math::{
    F32x4, F32x8, F32x16, F64x8, Quat, Vec3, WIDTH, each, each_lane, lane_bits, lanes_below, pack,
    side_by_side, sides, transpose, unpack,
};
use crate::threads::{Cells, SharedColumns};

impl Consecutive for F32x8 {
    type Element = f32;
    #[inline(always)]
    fn read<const N: usize>(columns: &SharedColumns<f32, N>, i: usize) -> [Self; N] {
        each(columns.read(i), pack)
    }
    #[inline(always)]
    fn write<const N: usize, const M: usize>(
        columns: &SharedColumns<f32, N>,
        i: usize,
        of: [Self; M],
    ) {
        columns.write(i, each(of, unpack));
    }
}

impl Lanes for F32x8 {
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
}

impl Width for F32x8 {
    type Double = F64x8;
    type Wide = F32x16;
    #[inline(always)]
    fn double(self) -> F64x8 {
        let lanes = unpack(self);
        F64x8::new(each_lane(|lane| f64::from(lanes[lane])))
    }
    #[inline(always)]
    fn from_double(of: F64x8) -> Self {
        let lanes = of.lanes();
        pack(each_lane(|lane| lanes[lane] as f32))
    }
    #[inline(always)]
    fn double_lane(of: F64x8, lane: usize) -> f64 {
        of.lanes()[lane]
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
    fn scatter<const N: usize, const M: usize>(
        columns: &SharedColumns<f32, N>,
        slots: Self::Slots,
        of: [Self; M],
    ) {
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
    fn load_particles<const N: usize>(records: ParticleRecords<Self, N>) -> [Particle<Self>; N] {
        load_rows(
            #[inline(always)]
            |of, lane| record(&records, of, lane),
        )
    }
    #[inline(always)]
    fn load_sums<const N: usize>([a, b]: [ParticleRecords<Self, N>; 2]) -> [Particle<Self>; N] {
        // Added as records: one transpose in place of two.
        load_rows(
            #[inline(always)]
            |of, lane| record(&a, of, lane) + record(&b, of, lane),
        )
    }
    #[inline(always)]
    fn add_particles<const N: usize>(
        records: ParticleRecords<Self, N>,
        sites: [Particle<Self>; N],
    ) {
        pairs::<N>(
            #[inline(always)]
            |[a, b]| {
                let rows = rows_of([sites[a], sites[b]]);
                // All are read before any is stored, since a lane of padding repeats another.
                let sums = each_lane(
                    #[inline(always)]
                    |lane| {
                        let [a, b] = [record(&records, a, lane), record(&records, b, lane)];
                        rows[lane] + side_by_side(a, b)
                    },
                );
                store_rows(&records, [a, b], sums);
            },
        );
    }
    #[inline(always)]
    fn store_particles<const N: usize>(
        records: ParticleRecords<Self, N>,
        sites: [Particle<Self>; N],
    ) {
        pairs::<N>(
            #[inline(always)]
            |[a, b]| store_rows(&records, [a, b], rows_of([sites[a], sites[b]])),
        );
    }
    #[inline(always)]
    fn load_bodies((moving, mass): BodyCells<f32>, slots: Self::Slots) -> MovingBody<Self> {
        // Closures within closures are not always inlined; these must be.
        let rows = each_lane(
            #[inline(always)]
            |lane| moving.get(slots[lane] as usize),
        );
        let [x, y, z, spin_x, qx, qy, qz, qw] = transpose(each_lane(
            #[inline(always)]
            |lane| rows[lane][0],
        ));
        let [px, py, pz, spin_y, tx, ty, tz, spin_z] = transpose(each_lane(
            #[inline(always)]
            |lane| rows[lane][1],
        ));
        let [w, a, b, c, ox, oy, oz, ow] = transpose(each_lane(
            #[inline(always)]
            |lane| F32x8::new(mass.get(slots[lane] as usize)),
        ));
        MovingBody {
            x: Vec3::new(x, y, z),
            q: Quat::new(qx, qy, qz, qw),
            push: Vec3::new(px, py, pz),
            turn: Vec3::new(tx, ty, tz),
            precession: Vec3::new(spin_x, spin_y, spin_z),
            previous: Quat::new(ox, oy, oz, ow),
            w,
            inverse_inertia: Vec3::new(a, b, c),
        }
    }
    #[inline(always)]
    fn store_bodies((moving, _): BodyCells<f32>, slots: Self::Slots, bodies: MovingBody<Self>) {
        let [a, b, c, d, e, f, g, h, rest @ ..] = bodies.to_record();
        let low = transpose([a, b, c, d, e, f, g, h]);
        let high = transpose(rest);
        for lane in 0..WIDTH {
            let slot = slots[lane] as usize;
            moving.set(slot, [low[lane], high[lane]]);
        }
    }
}

#[inline(always)]
fn record<const N: usize>(records: &ParticleRecords<F32x8, N>, of: usize, lane: usize) -> F32x4 {
    bytemuck::cast(records.get_lane(of, lane))
}

/// Does `act` with the particles of a packet two by two, as one transpose takes them; the last may be there twice. The first two
/// pairs are written out: a loop that is not unrolled puts all through memory.
#[inline(always)]
fn pairs<const N: usize>(mut act: impl FnMut([usize; 2])) {
    let pair = |a: usize| [a, (a + 1).min(N - 1)];
    act(pair(0));
    if N > 2 {
        act(pair(2));
    }
    for a in (4..N).step_by(2) {
        act(pair(a));
    }
}

/// Particles whose records `get` gives.
#[inline(always)]
fn load_rows<const N: usize>(get: impl Fn(usize, usize) -> F32x4) -> [Particle<F32x8>; N] {
    let mut sites = [nothing(); N];
    pairs::<N>(
        #[inline(always)]
        |[a, b]| {
            let [ax, ay, az, aw, bx, by, bz, bw] = transpose(each_lane(
                #[inline(always)]
                |lane| side_by_side(get(a, lane), get(b, lane)),
            ));
            sites[b] = Particle::new(Vec3::new(bx, by, bz), bw);
            sites[a] = Particle::new(Vec3::new(ax, ay, az), aw);
        },
    );
    sites
}

/// The records of two particles side by side, lane by lane.
#[inline(always)]
fn rows_of([p, q]: [Particle<F32x8>; 2]) -> [F32x8; WIDTH] {
    transpose([p.x.x, p.x.y, p.x.z, p.w, q.x.x, q.x.y, q.x.z, q.w])
}

/// Stores them as those of the particles `a` and `b`, which may be the same.
#[inline(always)]
fn store_rows<const N: usize>(
    records: &ParticleRecords<F32x8, N>,
    [a, b]: [usize; 2],
    rows: [F32x8; WIDTH],
) {
    for lane in 0..WIDTH {
        let [first, second] = sides(rows[lane]);
        records.set_lane(a, lane, bytemuck::cast(first));
        if b != a {
            records.set_lane(b, lane, bytemuck::cast(second));
        }
    }
}
