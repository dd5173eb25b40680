//! Fluids at the edge of what they are for: heaps in one point, far away, alone; and a dam to its end.

use super::super::neighbor_search::{LONGEST, Search, stretch};
use super::super::{Fluid, FluidNumbers};
use super::{RADIUS, all_of_it, block, numbers, tank, with};
use crate::Simulation;
use crate::collision::candidates::{Candidates, MOST};
use crate::collision::grid::Grid;
use crate::math::Vec3;
use crate::model::Model;
use crate::scenes::Scene;
use crate::solvers::Method;
use crate::tests::models::simulate;
use crate::tests::sample::Random;
use crate::threads::Team;

/// Random points in a cube `size` wide.
fn scattered(count: usize, size: f32) -> Vec<[f32; 3]> {
    let mut random = Random(1);
    let mut next = || size * random.unit() as f32;
    (0..count).map(|_| [next(), next(), next()]).collect()
}

fn grid(points: &[[f32; 3]], search_radius: f64) -> Grid {
    let grid = Grid::new(points.len(), search_radius, 1);
    Team::alone().run(|worker| grid.build(worker, |i| points[i]));
    grid
}

/// Against all pairs.
#[test]
fn neighbors_are_all_that_are_near() {
    for (count, size) in [(1000, 1.0), (1, 1.0), (13, 0.1), (700, 30.0)] {
        let points = scattered(count, size);
        let grid = grid(&points, 0.2);
        let (mut search, mut found) = (Search::new(&grid, 0.2), Candidates::default());
        for slot in 0..count {
            search.find(slot, &mut found);
            let at = |slot: usize| grid.point_at(slot);
            let near = |other: &usize| {
                let d: [f32; 3] = std::array::from_fn(|k| at(*other)[k] - at(slot)[k]);
                *other != slot && d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < (0.2_f64 * 0.2) as f32
            };
            let expected: Vec<u32> = (0..count).filter(near).map(|i| i as u32).collect();
            assert_eq!(found.list(), expected, "{count}: {slot}");
        }
    }
}

/// Twenty thousand in one point: who is looked at and who is found is bounded for each of them.
#[test]
fn a_heap_in_one_point_takes_no_quadratic_time() {
    let points = vec![[0.3; 3]; 20_000];
    let grid = grid(&points, 0.2);
    let (mut search, mut found) = (Search::new(&grid, 0.2), Candidates::default());
    for slot in (0..points.len()).step_by(17) {
        let ranges = grid.near(points[slot]);
        let looked: usize = ranges.iter().map(|range| stretch(range, slot).len()).sum();
        assert!((1..=LONGEST).contains(&looked), "{looked}");
        search.find(slot, &mut found);
        assert_eq!(found.list().len(), MOST);
    }
}

/// 64 particles in one point part on all sides, and the same way each time; their middle stays.
#[test]
fn coincident_particles_are_spread() {
    let run = |method, threads| {
        let mut model = Model::new();
        for _ in 0..64 {
            let w = 1.0 / numbers().mass();
            model.add_particle([0.2; 3], [0.0; 3], w).expect("a particle");
        }
        model.settings.gravity = [0.0; 3];
        model.settings.dt = 1.0 / 240.0;
        model.settings.damping = 20.0;
        let model = with(model, numbers());
        simulate(model, method, threads, 60)
    };
    let simulation = run(Method::Lanes, 1);
    let x = simulation.positions();
    let apart = |a: [f32; 3], b: [f32; 3]| {
        let square = (0..3).map(|k| f64::from(a[k] - b[k]).powi(2));
        square.sum::<f64>().sqrt()
    };
    let mut nearest = f64::INFINITY;
    for i in 0..64 {
        for j in 0..i {
            nearest = nearest.min(apart(x[i], x[j]));
        }
    }
    let middle: [f32; 3] = std::array::from_fn(|k| x.iter().map(|x| x[k]).sum::<f32>() / 64.0);
    let farthest = x.iter().map(|&x| apart(x, middle)).fold(0.0, f64::max);
    println!("{nearest:.4} m apart, {farthest:.3} m away, middle {middle:?}");
    assert!(nearest > 0.5 * RADIUS, "{nearest} m apart");
    // 64 particles at rest fill a ball of 2.5 diameters.
    assert!((4.0 * RADIUS..40.0 * RADIUS).contains(&farthest), "{farthest} m away");
    assert!(apart(middle, [0.2; 3]) < 1e-4, "{middle:?}");
    for (method, threads) in [(Method::Scalar, 1), (Method::Lanes, 3)] {
        assert!(run(method, threads).positions() == x, "{method:?}");
    }
}

#[test]
fn one_far_away_and_one_alone_stay_finite() {
    let near = |model: Model| {
        let simulation = simulate(with(model, all_of_it()), Method::Lanes, 2, 30);
        assert!(simulation.observe().finite);
        simulation.positions()
    };
    let alone = near(block([5, 5, 5], 0.9));
    let mut model = block([5, 5, 5], 0.9);
    model.add_particle([1e9, 0.0, 0.0], [0.0; 3], 1.0 / numbers().mass()).expect("a particle");
    let with_far = near(model);
    for (a, b) in alone.iter().zip(&with_far) {
        for k in 0..3 {
            assert!((a[k] - b[k]).abs() < 1e-3, "{a:?} {b:?}");
        }
    }
    let mut single = Model::new();
    single.add_particle([0.0; 3], [0.0; 3], 1.0).expect("a particle");
    near(single);
    near(Model::new());
}

#[test]
fn bad_numbers_are_refused() {
    let model = block([2, 2, 2], 1.0);
    type Spoil = fn(&mut FluidNumbers);
    let cases: [(&str, Spoil); 8] = [
        ("fluid.radius: 0 ", |n| n.radius = 0.0),
        ("fluid.rest_density: 0 ", |n| n.rest_density = 0.0),
        ("fluid.support: 0 ", |n| n.support = Some(0.0)),
        ("fluid.support: 1 ", |n| n.support = Some(1.0)),
        ("fluid.viscosity: -1 ", |n| n.viscosity = -1.0),
        ("fluid.s_corr: NaN ", |n| n.s_corr = f64::NAN),
        ("fluid.vorticity: -2 ", |n| n.vorticity = -2.0),
        ("fluid.radius: inf ", |n| n.radius = f64::INFINITY),
    ];
    for (says, spoil) in cases {
        let mut numbers = numbers();
        spoil(&mut numbers);
        let error = Fluid::new(&model, vec![0, 1], numbers).expect_err(says);
        assert!(error.to_string().starts_with(says), "{error}");
    }
    for particles in [vec![0, 8], vec![3, 3]] {
        Fluid::new(&model, particles, numbers()).expect_err("a wrong particle");
    }
}

/// A lattice at rest is at rest beside a wall, and where two or three walls meet.
#[test]
fn a_lattice_in_a_corner_is_at_rest() {
    let mut model = Model::new();
    for i in 0..6 * 6 * 6 {
        let at = [i % 6, i / 6 % 6, i / 36].map(|k| (f64::from(k) + 0.5) * 2.0 * RADIUS);
        model.add_particle(at, [0.0; 3], 1.0 / numbers().mass()).expect("a particle");
    }
    let all = (0..6 * 6 * 6).collect();
    let model = tank(model, 10.0, 10.0);
    let fluid = Fluid::new(&model, all, numbers()).expect("a fluid");
    let densities = fluid.relative_densities(&model.still_planes(), model.positions());
    for (i, density) in [0, 3 + 3 * 36, 3 + 3 * 6 + 3 * 36].map(|i| (i, densities[i])) {
        assert!((density - 1.0).abs() < 1e-6, "{i}: {density}");
    }
}

/// A wall counts as a mirror: particles strewn in a corner are as dense as among all their images, told one by one.
#[test]
fn walls_are_mirrors() {
    let mut random = Random(7);
    let mut model = Model::new();
    for _ in 0..200 {
        let at = [0; 3].map(|_| RADIUS + random.unit() * 10.0 * RADIUS);
        model.add_particle(at, [0.0; 3], 1.0 / numbers().mass()).expect("a particle");
    }
    let model = tank(model, 10.0, 10.0);
    let fluid = Fluid::new(&model, (0..200).collect(), numbers()).expect("a fluid");
    // A plane that is there twice, or lies behind another, changes nothing.
    let mut planes = model.still_planes();
    planes.extend([planes[0], [[0.0, -0.5 * RADIUS, 0.0], [0.0, 1.0, 0.0]]]);
    let densities = fluid.relative_densities(&planes, model.positions());
    let h = fluid.support();
    let kernel = |r: f64| (1.0 - r / h).max(0.0).powi(3);
    let lattice = 1.0 + fluid.lattice(&|_, t| kernel(t.sqrt() * h));
    for (i, x) in model.positions().iter().enumerate() {
        let mut sum = 0.0;
        for y in model.positions() {
            for signs in 0..8 {
                let off = |k: usize| {
                    let y = if signs >> k & 1 == 1 { -y[k] } else { y[k] };
                    f64::from(x[k] - y).powi(2)
                };
                sum += kernel((off(0) + off(1) + off(2)).sqrt());
            }
        }
        let expected = sum / lattice;
        assert!((densities[i] - expected).abs() < 1e-5, "{i}: {} {expected}", densities[i]);
    }
}

/// Where walls meet at 120 degrees, the images in each fill all space; a valley that is nearly flat is as one plane, wherever its
/// planes have their points.
#[test]
fn walls_that_meet_obtusely_leave_no_gap() {
    let mut random = Random(11);
    let mut model = Model::new();
    for _ in 0..150 {
        let [x, y, z] = [0; 3].map(|_| random.unit() * 8.0 * RADIUS);
        // Within the valleys below, a radius off their planes.
        let at = [x - 4.0 * RADIUS, y + 2.5 * RADIUS + 0.6 * (x - 4.0 * RADIUS).abs(), z];
        model.add_particle(at, [0.0; 3], 1.0 / numbers().mass()).expect("a particle");
    }
    let fluid = Fluid::new(&model, (0..150).collect(), numbers()).expect("a fluid");
    let valley = |slope: f64, off: f64| {
        let (sin, cos) = slope.sin_cos();
        [-1.0, 1.0].map(|side| [[off * side * cos, off * sin, 0.0], [-side * sin, cos, 0.0]])
    };
    let densities = |planes: &[_]| fluid.relative_densities(planes, model.positions());
    let planes = valley(std::f64::consts::PI / 6.0, 0.0);
    let (found, h) = (densities(&planes), fluid.support());
    let kernel = |d: Vec3<f64>| (1.0 - d.length() / h).max(0.0).powi(3);
    let lattice = 1.0 + fluid.lattice(&|_, t| (1.0 - t.sqrt()).powi(3));
    let all: Vec<_> = model.positions().iter().map(|x| Vec3::from(x.map(f64::from))).collect();
    for (x, found) in all.iter().zip(found) {
        let around = |y: &Vec3<f64>| {
            let images = planes.map(|[_, n]| *y - Vec3::from(n) * (2.0 * Vec3::from(n).dot(*y)));
            kernel(*x - *y) + images.into_iter().map(|y| kernel(*x - y)).sum::<f64>()
        };
        let expected = all.iter().map(around).sum::<f64>() / lattice;
        assert!((found - expected).abs() < 1e-5, "{x:?}: {found} for {expected}");
    }
    let flat = densities(&[[[0.0; 3], [0.0, 1.0, 0.0]]]);
    for (found, flat) in densities(&valley(1e-3, 5.0)).into_iter().zip(flat) {
        assert!((found - flat).abs() < 0.01, "{found} for {flat}");
    }
}

/// A small dam for half a minute: at no time denser than at rest by more than a hundredth on average, nobody lost, and
/// level at last.
#[test]
fn a_dam_comes_to_rest() {
    let scene = Scene::find("dam").expect("a scene");
    let model = scene.model(Some(1728)).expect("a model");
    let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
    for step in 0..=7200 {
        simulation.step();
        if step % 24 == 0 || step < 24 {
            let passed = (scene.check)(simulation.model(), &simulation.snapshot());
            assert!(passed.is_ok(), "step {step}: {passed:?}");
        }
    }
}
