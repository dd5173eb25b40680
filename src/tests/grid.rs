//! The grid and the dynamic coloring: against brute force, far out, on bad points, on any number of threads.

use super::models::Random;
use crate::collision::ball_pairs::BallPairs;
use crate::collision::grid::Grid;
use crate::collision::narrow_phase::{Detector, MOST_NEAR, Search, SubstepMotion};
use crate::coloring::{Coloring, DynamicColoring, MOST_COLORS, RowList};
use crate::threads::Team;

const SEARCH_RADIUS: f32 = 0.1;

/// Clouds that are dense, thin, flat, far out, split in two places, and stacked on a lattice of cell borders.
fn clouds() -> Vec<(&'static str, Vec<[f32; 3]>)> {
    let mut random = Random(21);
    let mut cloud = |count: usize, size: [f64; 3], at: [f64; 3]| -> Vec<[f32; 3]> {
        let mut point = || {
            let p = random.point();
            std::array::from_fn(|k| (at[k] + size[k] * p[k]) as f32)
        };
        (0..count).map(|_| point()).collect()
    };
    let lattice = |i: usize| [i % 9, i / 9 % 9, i / 81].map(|k| k as f32 * SEARCH_RADIUS - 0.4);
    let mut split = cloud(300, [0.3; 3], [0.0; 3]);
    split.extend(cloud(300, [0.3; 3], [1e4, -3e3, 77.0]));
    vec![
        ("dense", cloud(1500, [0.4; 3], [0.0; 3])),
        ("thin", cloud(1000, [20.0; 3], [3.0; 3])),
        ("flat", cloud(800, [2.0, 0.0, 2.0], [0.0, -0.1, 0.0])),
        ("line", cloud(200, [9.0, 0.0, 0.0], [0.0; 3])),
        ("far", cloud(300, [0.5; 3], [-2e4, 3e4, 1e4])),
        ("split", split),
        ("lattice", (0..729).map(lattice).collect()),
        ("one", vec![[0.5; 3]]),
        ("none", vec![]),
    ]
}

fn distance2(a: [f32; 3], b: [f32; 3]) -> f64 {
    (0..3).map(|k| (f64::from(a[k]) - f64::from(b[k])).powi(2)).sum()
}

fn build(points: &[[f32; 3]], threads: usize) -> Grid {
    let grid = Grid::new(points.len(), f64::from(SEARCH_RADIUS), threads);
    Team::new(threads).unwrap().run(|worker| grid.build(worker, |i| points[i]));
    grid
}

/// Everything within the search radius stands in the ranges, once; the columns hold the points.
#[test]
fn the_grid_finds_all_neighbors_once() {
    for (name, points) in clouds() {
        let grid = build(&points, 2);
        for (at, &i) in grid.order().iter().enumerate() {
            assert_eq!(grid.point_at(at), points[i as usize], "{name}");
        }
        for (i, &p) in points.iter().enumerate() {
            let mut met = vec![0; points.len()];
            for range in grid.near(p).iter() {
                range.for_each(|at| met[grid.order()[at] as usize] += 1);
            }
            for (j, &q) in points.iter().enumerate() {
                assert!(met[j] <= 1, "{name}: {j} twice near {i}");
                let within = distance2(p, q) <= f64::from(SEARCH_RADIUS).powi(2);
                assert!(met[j] == 1 || !within, "{name}: {j} missed near {i}");
            }
        }
    }
}

/// What is near is found with few candidates: ranges hold 27 cells, not the cloud; where cells are hashed, as many slots of
/// which every second holds a point.
#[test]
fn the_grid_meets_few_others() {
    for (name, points) in clouds() {
        let grid = build(&points, 1);
        let mut candidates = 0;
        let mut expected = 0;
        for &p in &points {
            candidates += grid.near(p).iter().map(|range| range.len()).sum::<usize>();
            let search_radius = 3.5 * f64::from(SEARCH_RADIUS);
            expected += points.iter().filter(|q| distance2(p, **q) < search_radius.powi(2)).count();
        }
        let hashed = if name == "thin" || name == "split" { 20 * points.len() } else { 0 };
        assert!(candidates <= 2 * expected + hashed, "{name}: {candidates} of {expected}");
    }
}

fn pairs(points: &[[f32; 3]], threads: usize) -> Vec<[u32; 2]> {
    let slots = (0..points.len() as u32).collect();
    let search_radius = f64::from(SEARCH_RADIUS);
    let margins = [0.5 * search_radius; 2];
    let search = Search::new(BallPairs::new(slots, 0.5 * search_radius, margins, threads));
    let moved = vec![[0.0; 4]; points.len()];
    Team::new(threads).unwrap().run(|worker| {
        let motion = SubstepMotion { moved: &moved, ..SubstepMotion::default() };
        search.detector.sort(worker, |i| points[i as usize], motion);
        search.find(worker, motion);
    });
    let (mut pairs, mut params) = (Vec::new(), Vec::new());
    search.collect(&mut pairs, &mut params);
    assert_eq!(params, vec![[0.5 * SEARCH_RADIUS]; pairs.len()]);
    pairs
}

#[test]
fn pairs_are_those_of_brute_force_on_any_threads() {
    for (name, points) in clouds() {
        let found = pairs(&points, 1);
        for threads in [2, 3, 7] {
            assert!(found == pairs(&points, threads), "{name} on {threads} threads");
        }
        let sorted = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
        let mut found: Vec<[u32; 2]> = found.into_iter().map(sorted).collect();
        found.sort_unstable();
        let count = points.len() as u32;
        let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
        let close = |&[a, b]: &[u32; 2]| {
            let d = [0, 1, 2].map(|k| points[a as usize][k] - points[b as usize][k]);
            d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < SEARCH_RADIUS * SEARCH_RADIUS
        };
        let expected: Vec<[u32; 2]> = all.filter(close).collect();
        assert!(found == expected, "{name}: {} for {}", found.len(), expected.len());
    }
}

/// Two balls are found from the mean of their margins off: each twice its way, within the least and the most.
#[test]
fn what_goes_far_is_found_from_far_off() {
    let (diameter, margins) = (1.0, [0.25, 0.5]);
    let is_found = |apart: f32, ways: [f32; 2]| {
        let balls = BallPairs::new(vec![0, 1], diameter, margins, 1);
        let search = Search::new(balls);
        let moved = ways.map(|way| [0.0, 0.6 * way, -0.8 * way, 0.0]);
        Team::new(1).unwrap().run(|worker| {
            let motion = SubstepMotion { moved: &moved, ..SubstepMotion::default() };
            search.detector.sort(worker, |i| [i as f32 * (1.0 + apart), 0.0, 0.0], motion);
            search.find(worker, motion);
        });
        let (mut pairs, mut params) = (Vec::new(), Vec::new());
        search.collect(&mut pairs, &mut params);
        !pairs.is_empty()
    };
    for (ways, margin) in [
        ([0.0, 0.0], 0.25),
        ([0.1, 0.0], 0.25),
        ([0.2, 0.2], 0.4),
        ([0.0, 0.2], 0.325),
        ([9.0, 0.0], 0.375),
        ([9.0, 9.0], 0.5),
        ([f32::NAN, 0.0], 0.25),
    ] {
        let found = [0.99, 1.01].map(|part| is_found(part * margin, ways));
        assert_eq!(found, [true, false], "{ways:?}");
    }
}

/// Points that are not finite, beyond all cells, or ten thousand in one place: finite work, bounded memory, no panic.
#[test]
fn bad_points_cost_nothing() {
    let mut points = vec![[0.25; 3]; 10_000];
    points.extend([[f32::NAN; 3], [f32::INFINITY; 3], [f32::MAX, -f32::MAX, 0.0], [1e9; 3]]);
    points.extend([[1e9; 3], [2e9, 0.0, 0.0]]);
    let found = pairs(&points, 2);
    assert!(found.len() <= MOST_NEAR * 10_001, "{}", found.len());
    assert!(found.iter().flatten().all(|&i| i < 10_000 || i == 10_003 || i == 10_004));
    assert!(found.contains(&[10_003, 10_004]));
}

/// Random rows, hubs that overflow the colors included, are colored soundly and completely, and in few colors.
#[test]
fn dynamic_colors_are_a_coloring() {
    let mut random = Random(22);
    let mut coloring = DynamicColoring::new(500);
    for (rows, particles) in [(0, 2), (1, 2), (2000, 500), (300, 4), (90, 2), (700, 40), (600, 2)] {
        let row = |random: &mut Random| {
            let a = random.below(particles);
            [a as u32, ((a + 1 + random.below(particles - 1)) % particles) as u32]
        };
        let rows: Vec<[u32; 2]> = (0..rows).map(|_| row(&mut random)).collect();
        coloring.color(&rows);
        let mut colors: Vec<Vec<u32>> = coloring.colors().map(<[u32]>::to_vec).collect();
        let colored = colors.len();
        colors.extend(coloring.remainder().iter().map(|&row| vec![row]));
        assert_eq!(coloring.order(), colors.concat());
        let list = RowList { particles: rows.as_flattened(), arity: 2 };
        let clique = list.clique_bound(500);
        Coloring::verify(list, 500, colors).expect("a coloring");
        assert!(colored <= (2 * clique).min(MOST_COLORS), "{colored} for {clique}");
        let overflows = clique > MOST_COLORS;
        assert!(!overflows || !coloring.remainder().is_empty());
    }
}

/// The colors are held against the rows in release builds too.
#[test]
#[should_panic = "is met twice by rows of one color"]
fn dynamic_colors_of_other_rows_are_refused() {
    let mut coloring = DynamicColoring::new(4);
    coloring.color(&[[0, 1], [2, 3]]);
    coloring.prove(&[[0, 1], [1, 3]]);
}

/// A row that names a slot twice would be written by two lanes.
#[test]
#[should_panic = "is met twice by rows of one color"]
fn dynamic_rows_name_a_slot_once() {
    DynamicColoring::new(4).color(&[[1, 1]]);
}
