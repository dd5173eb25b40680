//! Scope 1, loads and stores alone: eight particles of two slots are loaded, moved by a constant and stored, per layout
//! and per permutation. Why packets that run are worth a storage order, and packets that gather are worth packed records.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use taut::math::{
    F32x4, F32x8, Real, WIDTH, each_lane, pack, side_by_side, sides, transpose, unpack,
};

/// Particles: their records take half of a second-level cache of one MiB.
const PARTICLES: usize = 32_768;

/// Pairs of slots of eight indices; every particle once.
fn packets(order: &[u32]) -> Vec<[[u32; WIDTH]; 2]> {
    let (a, b) = order.split_at(order.len() / 2);
    let slots = a.chunks_exact(WIDTH).zip(b.chunks_exact(WIDTH));
    slots.map(|(a, b)| [each_lane(|i| a[i]), each_lane(|i| b[i])]).collect()
}

/// A random order within windows of `window` slots: a renumbered mesh has locality, but no runs.
fn shuffled(window: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..PARTICLES as u32).collect();
    let mut random = fastrand::Rng::with_seed(1);
    for part in order.chunks_mut(window) {
        random.shuffle(part);
    }
    order
}

fn columns_gather(columns: &mut [Vec<f32>; 3], packets: &[[[u32; WIDTH]; 2]], by: F32x8) {
    for packet in packets {
        for slot in packet {
            for column in columns.iter_mut() {
                let v = unpack(pack(each_lane(|i| column[slot[i] as usize])) + by);
                for lane in 0..WIDTH {
                    column[slot[lane] as usize] = v[lane];
                }
            }
        }
    }
}

fn columns_run(columns: &mut [Vec<f32>; 3], firsts: &[[u32; 2]], by: F32x8) {
    for slots in firsts {
        for &first in slots {
            for column in columns.iter_mut() {
                let eight = &mut column[first as usize..first as usize + WIDTH];
                let v = pack(each_lane(|i| eight[i])) + by;
                eight.copy_from_slice(&unpack(v));
            }
        }
    }
}

fn records_transposed(records: &mut [[f32; 4]], packets: &[[[u32; WIDTH]; 2]], by: F32x8) {
    for [a, b] in packets {
        let record = |i: u32| -> F32x4 { bytemuck::cast(records[i as usize]) };
        let row = |i: usize| side_by_side(record(a[i]), record(b[i]));
        let [ax, ay, az, aw, bx, by_, bz, bw] = transpose(each_lane(row));
        let rows = transpose([ax + by, ay + by, az + by, aw, bx + by, by_ + by, bz + by, bw]);
        for lane in 0..WIDTH {
            let [first, second] = sides(rows[lane]);
            records[a[lane] as usize] = bytemuck::cast(first);
            records[b[lane] as usize] = bytemuck::cast(second);
        }
    }
}

fn records_scalar(records: &mut [[f32; 4]], packets: &[[[u32; WIDTH]; 2]], by: f32) {
    for &i in packets.as_flattened().as_flattened() {
        let [x, y, z, w] = records[i as usize];
        records[i as usize] = [x + by, y + by, z + by, w];
    }
}

fn layouts(c: &mut Criterion) {
    let mut group = c.benchmark_group("gather");
    group.throughput(Throughput::Elements(PARTICLES as u64));
    let mut columns = [const { Vec::new() }; 3].map(|_: Vec<f32>| vec![0.0_f32; PARTICLES]);
    let mut records = vec![[0.0_f32; 4]; PARTICLES];
    let by = F32x8::of(1e-3);
    let runs: Vec<[u32; 2]> = packets(&shuffled(1)).iter().map(|[a, b]| [a[0], b[0]]).collect();
    group.bench_function("columns, runs of eight", |b| {
        b.iter(|| columns_run(&mut columns, &runs, by))
    });
    for (permutation, window) in [("local", 256), ("random", PARTICLES)] {
        let packets = packets(&shuffled(window));
        let mut bench = |layout: &str, act: &mut dyn FnMut()| {
            group.bench_function(format!("{layout}, {permutation}"), |b| b.iter(&mut *act));
        };
        bench("columns, lane by lane", &mut || columns_gather(&mut columns, &packets, by));
        bench("records, transposed", &mut || records_transposed(&mut records, &packets, by));
        bench("records, scalar", &mut || records_scalar(&mut records, &packets, 1e-3));
    }
    group.finish();
}

criterion_group!(benches, layouts);
criterion_main!(benches);
