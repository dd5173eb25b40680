//! Scope 3, whole steps: scene x method x threads, each checked before it is timed; and the scalar reference beside the
//! best plain loop we can write, so that no speedup is over a straw man.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use taut::runs::Run;

fn ladder(c: &mut Criterion) {
    for scene in ["cloth:64", "cloth:256", "sphere:5"] {
        let mut group = c.benchmark_group(scene);
        for rung in ["scalar", "colored", "lanes@1", "lanes@2"] {
            let run: Run = format!("{scene}/{rung}").parse().expect("a run's name");
            let mut opened = run.open(&[]).expect("a scene of the catalogue");
            for _ in 0..10 {
                opened.simulation.step();
            }
            opened.check().expect("the scene's check");
            let model = opened.simulation.model();
            let projections = model.row_count() as u64 * u64::from(model.settings.iterations);
            group.throughput(Throughput::Elements(projections));
            group.bench_function(rung, |b| b.iter(|| opened.simulation.step()));
        }
        group.finish();
    }
}

/// One row of the hand-written loop.
struct Link {
    a: usize,
    b: usize,
    rest: f32,
    alpha: f32,
    lambda: f32,
}

/// XPBD distance rows written out by hand: records, one loop, nothing generic.
struct Flat {
    points: Vec<[f32; 4]>,
    previous: Vec<[f32; 3]>,
    velocity: Vec<[f32; 3]>,
    links: Vec<Link>,
}

impl Flat {
    fn new(model: &taut::Model) -> Self {
        let h = model.settings.h();
        let x = model.positions();
        let set = model.row_sets().next().expect("rows");
        let rows = set.particles;
        let link = |row: &[u32]| {
            let (a, b) = (row[0] as usize, row[1] as usize);
            let d: f32 = (0..3).map(|i| (x[a][i] - x[b][i]).powi(2)).sum();
            Link { a, b, rest: d.sqrt(), alpha: (1e-7 / (h * h)) as f32, lambda: 0.0 }
        };
        let masses = model.inverse_masses();
        let points = x.iter().zip(masses).map(|(x, &w)| [x[0], x[1], x[2], w]);
        Self {
            points: points.collect(),
            previous: x.to_vec(),
            velocity: model.velocities().to_vec(),
            links: rows.particles.chunks_exact(2).map(link).collect(),
        }
    }

    fn step(&mut self, h: f32, gravity: f32, iterations: u32) {
        for (i, p) in self.points.iter_mut().enumerate() {
            let v = &mut self.velocity[i];
            if p[3] > 0.0 {
                v[1] += h * gravity;
            }
            self.previous[i] = [p[0], p[1], p[2]];
            for (p, v) in p.iter_mut().zip(v) {
                *p += h * *v;
            }
        }
        self.links.iter_mut().for_each(|link| link.lambda = 0.0);
        for _ in 0..iterations {
            for link in &mut self.links {
                let (p, q) = (self.points[link.a], self.points[link.b]);
                let d = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
                let length_squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                let n = length_squared.sqrt();
                let weight = p[3] * length_squared + q[3] * length_squared + link.alpha * (n * n);
                let error = n * (link.rest - n - link.alpha * link.lambda);
                let s = if weight > 0.0 { error / weight } else { 0.0 };
                link.lambda += s * n;
                let (wp, wq) = (p[3] * s, q[3] * s);
                self.points[link.a] = [p[0] + d[0] * wp, p[1] + d[1] * wp, p[2] + d[2] * wp, p[3]];
                self.points[link.b] = [q[0] - d[0] * wq, q[1] - d[1] * wq, q[2] - d[2] * wq, q[3]];
            }
        }
        for (i, p) in self.points.iter().enumerate() {
            if p[3] > 0.0 {
                let moved = p.iter().zip(self.previous[i]);
                for (v, (p, previous)) in self.velocity[i].iter_mut().zip(moved) {
                    *v = (p - previous) / h;
                }
            }
        }
    }
}

fn reference(c: &mut Criterion) {
    let mut group = c.benchmark_group("reference");
    let run: Run = "cloth:256/scalar".parse().expect("a run's name");
    let mut opened = run.open(&[]).expect("a scene of the catalogue");
    let settings = opened.simulation.model().settings.clone();
    let mut flat = Flat::new(opened.simulation.model());
    let h = settings.h() as f32;
    let mut hand = || flat.step(black_box(h), settings.gravity[1] as f32, settings.iterations);
    group.bench_function("hand-written flat loop", |b| b.iter(&mut hand));
    group.bench_function("scalar", |b| b.iter(|| opened.simulation.step()));
    group.finish();
}

criterion_group!(benches, reference, ladder);
criterion_main!(benches);
