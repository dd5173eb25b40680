//! Scope 2, one projection: rows per second of every registered kind on data in the first-level cache, at `f32` and at
//! `f32x8`. No schedule, no threads, no gathers: what the formula itself costs.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fastrand::Rng;
use taut::constraints::{
    Compliant, Constraint, Particle, Response, ResponseType, Source, Visitor, project, visit_kinds,
};
use taut::math::{F32x8, Real, Vec3, WIDTH, each_lane, pack};

/// Elements: few enough to stay in the first-level cache.
const ROWS: usize = 128;

/// An element in general position: points of a unit cube, at rest but for a push of a hundredth.
fn element<C, const N: usize, const P: usize, const K: usize>(
    random: &mut Rng,
) -> ([[f32; 3]; N], [f32; P])
where
    C: Constraint<N, P, K>,
{
    loop {
        let x: [[f64; 3]; N] = std::array::from_fn(|_| std::array::from_fn(|_| random.f64()));
        let given = C::PARAMS.map(|param| (param.given == Source::Required).then_some(0.3));
        if let Ok(p) = C::rest(x.map(Vec3::of), given) {
            let p = p.map(|v| v.expect("measured or derived") as f32);
            return (x.map(|x| x.map(|v| (v + 0.01 * random.f64()) as f32)), p);
        }
    }
}

struct Benches<'c>(&'c mut Criterion);

impl Visitor for Benches<'_> {
    fn visit<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(&mut self) {
        let mut random = Rng::with_seed(1);
        let rows: Vec<_> = (0..ROWS).map(|_| element::<C, N, P, K>(&mut random)).collect();
        let mut group = self.0.benchmark_group(format!("projection/{}", C::NAME));
        group.throughput(Throughput::Elements(ROWS as u64));

        let lone = |v: [f32; 3]| Particle::new(Vec3::new(v[0], v[1], v[2]), 1.0_f32);
        let mut scalar: Vec<_> =
            rows.iter().map(|(x, p)| (x.map(lone), *p, [0.0_f32; K])).collect();
        group.bench_function("f32", |b| b.iter(|| pass::<C, f32, N, P, K>(&mut scalar)));

        let eight = |eight: &[([[f32; 3]; N], [f32; P])]| {
            let number =
                |slot: usize, axis: usize| pack(each_lane(|lane| eight[lane].0[slot][axis]));
            let sites: [Particle<F32x8>; N] = std::array::from_fn(|slot| {
                let x = Vec3::new(number(slot, 0), number(slot, 1), number(slot, 2));
                Particle::new(x, F32x8::of(1.0))
            });
            let p = std::array::from_fn(|p| pack(each_lane(|lane| eight[lane].1[p])));
            (sites, p, [F32x8::zero(); K])
        };
        let mut lanes: Vec<_> = rows.chunks_exact(WIDTH).map(eight).collect();
        group.bench_function("f32x8", |b| b.iter(|| pass::<C, F32x8, N, P, K>(&mut lanes)));
        group.finish();
    }
}

type Element<R, const N: usize, const P: usize, const K: usize> =
    ([Particle<R>; N], [R; P], [R; K]);

fn pass<C, R, const N: usize, const P: usize, const K: usize>(rows: &mut [Element<R, N, P, K>])
where
    C: Constraint<N, P, K>,
    R: Real,
{
    let response = <Compliant as ResponseType>::At::<R>::new([R::of(1e-3), R::of(0.0)]);
    for (sites, p, lambda) in rows {
        project::<C, _, _, _, N, P, K>(sites, [Vec3::zero(); N], *p, response, lambda);
    }
}

fn kinds(c: &mut Criterion) {
    visit_kinds(&mut Benches(c));
}

criterion_group!(benches, kinds);
criterion_main!(benches);
