//! Free clusters keep both momenta, also where they are at rest; what is held together is so in f64.

use super::{rotation, still};
use crate::groups::rotation::times;
use crate::groups::{Plastic, Shapes, regions};
use crate::math::Vec3;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::solvers::{Method, prepare};
use crate::tests::models::{Random, run};

/// Linear and angular momentum about the center, and Σ m r² (f64).
fn momenta(x: &[[f32; 3]], v: &[[f32; 3]], masses: &[f64]) -> (Vec3<f64>, Vec3<f64>, f64) {
    let (mut p, mut l, mut c) = (Vec3::zero(), Vec3::zero(), Vec3::zero());
    let wide = |x: [f32; 3]| Vec3::of(x.map(f64::from));
    let total: f64 = masses.iter().sum();
    x.iter().zip(masses).for_each(|(&x, &m)| c += wide(x) * (m / total));
    let mut inertia = 0.0;
    for ((&x, &v), &m) in x.iter().zip(v).zip(masses) {
        let r: Vec3<f64> = wide(x) - c;
        p += wide(v) * m;
        l += r.cross(wide(v)) * m;
        inertia += m * r.dot(r);
    }
    (p, l, inertia)
}

/// Random points of random masses in one cluster, `far` from the origin (m).
fn cluster(random: &mut Random, count: usize, far: f64, spin: [f64; 3]) -> (Model, Vec<f64>) {
    let mut model = Model::new();
    let mut masses = Vec::new();
    for _ in 0..count {
        let r: Vec3<f64> = Vec3::of(random.point()) * 0.4;
        let v = Vec3::of(spin).cross(r);
        masses.push(random.within(0.05, 0.2));
        let x = (r + Vec3::of([far, -0.5 * far, 0.3 * far])).to_array();
        model.add_particle(x, v.to_array(), 1.0 / masses.last().unwrap()).unwrap();
    }
    let all: Vec<u32> = (0..count as u32).collect();
    let mut shapes = Shapes::new();
    shapes.add(&model, &all, None, Stiffness::Factor(1.0), None).unwrap();
    model.add_subsystem(shapes).unwrap();
    still(&mut model);
    (model, masses)
}

/// What nothing touches stays at rest for ten seconds, however many projections there are. (30 points turned by 145 degrees, with a
/// spin of 0.5 /s at the end.)
#[test]
fn a_free_cluster_at_rest_does_not_turn() {
    for (substeps, iterations) in [(20, 5), (100, 1), (4, 4)] {
        for (count, far) in [(5, 0.0), (8, 3.0), (30, 0.0), (30, 10.0), (700, 1.0)] {
            let mut random = Random(31 + count as u64);
            let (mut model, masses) = cluster(&mut random, count, far, [0.0; 3]);
            (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
            let from = model.positions().to_vec();
            let end = run(&model, Method::Lanes, 1, if count > 100 { 150 } else { 600 });
            let (x, v) = (end.positions(), end.velocities());
            let (p, l, inertia) = momenta(&x, &v, &masses);
            let (spin, drift) = (l.length() / inertia, p.length() / masses.iter().sum::<f64>());
            let ways = x.iter().zip(&from).map(|(a, b)| {
                (Vec3::of(a.map(f64::from)) - Vec3::<f64>::of(b.map(f64::from))).length()
            });
            let way = ways.fold(0.0, f64::max);
            println!(
                "{substeps}x{iterations} {count} at {far}: {spin:.1e} /s, {drift:.1e} m/s, {way:.1e} m"
            );
            assert!(
                spin < 1e-4 && drift < 1e-4 && way < 1e-3,
                "{substeps}x{iterations} {count} {far}"
            );
        }
    }
}

/// A rigid body that turns slowly keeps its momentum but for what a substep is known to take of a spin, (ω h)²/2.
#[test]
fn a_free_cluster_that_turns_keeps_its_momentum() {
    let spin: [f64; 3] = [0.2, -0.15, 0.1];
    let square: f64 = spin.iter().map(|w| w * w).sum();
    for (substeps, iterations) in [(20, 5), (100, 1)] {
        for (count, far) in [(4, 0.0), (8, 2.0), (30, 0.0), (90, 5.0)] {
            let mut random = Random(77 + count as u64);
            let (mut model, masses) = cluster(&mut random, count, far, spin);
            (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
            let h = model.settings.h();
            let (mut particles, mut solver) = prepare(&model, Method::Lanes, 1).unwrap();
            let (_, start, _) = momenta(&particles.positions(), &particles.velocities(), &masses);
            (0..600).for_each(|_| solver.step(&mut particles));
            let (_, end, _) = momenta(&particles.positions(), &particles.velocities(), &masses);
            let off = (end - start).length() / start.length();
            println!("{substeps}x{iterations} {count} at {far}: {off:.1e} of the spin");
            assert!(
                off < 1e-4 + 10.0 / h * square * h * h / 2.0,
                "{substeps}x{iterations} {count}"
            );
        }
    }
}

/// The points of a box of cells, turned, each moved by up to `noise` of a cell.
fn lattice(random: &mut Random, cells: [usize; 3], noise: f64, turned: bool) -> Vec<[f32; 3]> {
    let turn = rotation(random);
    let mut points = Vec::new();
    for at in (0..(cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1)).map(|i| {
        let [x, y, _] = cells.map(|n| n + 1);
        [i % x, i / x % y, i / (x * y)]
    }) {
        let off = Vec3::of(random.point()) * (0.05 * noise);
        let x: Vec3<f64> = Vec3::of(at.map(|k| 0.05 * k as f64)) + off;
        let x = if turned { times(&turn, x) } else { x };
        points.push(x.to_array().map(|v| v as f32));
    }
    points
}

/// How many independent motions of N points move no cluster but as a rigid body: the nullity of Σ P, P what takes a cluster's motion
/// to that without its best rigid one.
fn free_motions(points: &[[f32; 3]], clusters: &[Vec<u32>]) -> usize {
    let n = 3 * points.len();
    let mut h = vec![vec![0.0; n]; n];
    for cluster in clusters {
        let x: Vec<Vec3<f64>> =
            cluster.iter().map(|&i| Vec3::of(points[i as usize].map(f64::from))).collect();
        let part = 1.0 / x.len() as f64;
        let center = x.iter().fold(Vec3::zero(), |c: Vec3<f64>, x| c + *x * part);
        let mut rigid: Vec<Vec<f64>> = Vec::new();
        for k in 0..6 {
            let mut unit = [0.0; 3];
            unit[k % 3] = 1.0;
            let unit: Vec3<f64> = Vec3::of(unit);
            let motion = |x: &Vec3<f64>| if k < 3 { unit } else { unit.cross(*x - center) * 20.0 };
            let mut motion: Vec<f64> = x.iter().flat_map(|x| motion(x).to_array()).collect();
            for other in &rigid {
                let along: f64 = motion.iter().zip(other).map(|(a, b)| a * b).sum();
                motion.iter_mut().zip(other).for_each(|(a, b)| *a -= along * b);
            }
            let length = motion.iter().map(|v| v * v).sum::<f64>().sqrt();
            if length > 1e-6 {
                motion.iter_mut().for_each(|v| *v /= length);
                rigid.push(motion);
            }
        }
        let at = |i: usize| 3 * cluster[i / 3] as usize + i % 3;
        for i in 0..3 * cluster.len() {
            h[at(i)][at(i)] += 1.0;
            for j in 0..3 * cluster.len() {
                h[at(i)][at(j)] -= rigid.iter().map(|r| r[i] * r[j]).sum::<f64>();
            }
        }
    }
    nullity(h)
}

/// By Cholesky's method with the largest pivot first.
fn nullity(mut h: Vec<Vec<f64>>) -> usize {
    let n = h.len();
    let mut left: Vec<usize> = (0..n).collect();
    while let Some(at) =
        (0..left.len()).max_by(|&a, &b| h[left[a]][left[a]].total_cmp(&h[left[b]][left[b]]))
    {
        let k = left[at];
        if h[k][k] < 1e-6 {
            break;
        }
        left.swap_remove(at);
        let pivot = h[k].clone();
        for &i in &left {
            let factor = pivot[i] / pivot[k];
            if factor != 0.0 {
                h[i].iter_mut().zip(&pivot).for_each(|(v, p)| *v -= factor * p);
            }
        }
    }
    left.len()
}

/// A jelly has the six motions of a rigid body and no other, whatever its mesh. (A box of 3 x 3 x 3 cells hung on hinges.)
#[test]
fn a_jelly_has_no_hinges() {
    let mut random = Random(12);
    for cells in
        [[1, 1, 1], [2, 2, 2], [3, 3, 3], [4, 4, 4], [5, 3, 2], [6, 1, 1], [3, 2, 7], [5, 5, 5]]
    {
        for (noise, turned) in [(0.0, false), (0.0, true), (0.3, false), (0.3, true)] {
            let points = lattice(&mut random, cells, noise, turned);
            let all: Vec<u32> = (0..points.len() as u32).collect();
            let clusters = regions(&points, &all);
            let free = free_motions(&points, &clusters);
            assert_eq!(free, 6, "{cells:?} {noise} {turned}: {} clusters", clusters.len());
        }
    }
}

/// A jelly of any regular box may creep. (Up to six cells a side were refused, as one layer of points was a cluster.)
#[test]
fn a_jelly_of_any_box_may_creep() {
    let mut random = Random(13);
    for n in 1..=9 {
        for (cells, turned) in
            [([n; 3], false), ([n; 3], true), ([n, 2, 1], false), ([1, n, 3], true)]
        {
            let mut model = Model::new();
            for x in lattice(&mut random, cells, 0.0, turned) {
                model.add_particle(x.map(f64::from), [0.0; 3], 1.0).unwrap();
            }
            let all: Vec<u32> = (0..model.positions().len() as u32).collect();
            let mut shapes = Shapes::new();
            for cluster in regions(model.positions(), &all) {
                let plastic = Some(Plastic { strain: 0.1, creep: 1.0 });
                let added = shapes.add(&model, &cluster, None, Stiffness::Factor(0.9), plastic);
                assert!(added.is_ok(), "{cells:?} {turned}: {added:?}");
            }
        }
    }
}
