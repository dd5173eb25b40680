//! Contacts of a cloth with itself, from pairs that are kept: against all pairs, and against pairs found anew.

use super::super::cloth::Cloth;
use super::super::cloth_edges::ClothEdges;
use super::super::cloth_faces::ClothFaces;
use super::super::narrow_phase::{Detector, FoundRow, Search, SubstepMotion};
use crate::math::Vec3;
use crate::mesh::unique_edges;
use crate::tests::models::Random;
use crate::threads::Team;

const N: usize = 9;
/// Two sheets of N x N points (m).
const SPACING: f64 = 0.1;
const NEAR: f64 = 0.04;

type At = Vec<[f32; 4]>;

/// Two sheets, one below the other; the upper one slides and turns over the lower one, comes down, and stretches to half as
/// much again.
fn at(step: usize) -> At {
    let t = step as f64 / 60.0;
    let each = |i: usize| {
        let [layer, x, z] = [i / (N * N), i % N, i / N % N];
        let [x, z] = [x, z].map(|k| SPACING * (k as f64 - 4.0));
        let wave = 0.03 * (9.0 * x + 7.0 * z + 5.0 * t).sin();
        let (x, z) = (x * (1.0 + 0.5 * t), z * (1.0 - 0.3 * t));
        let [x, y, z] = match layer {
            0 => [x, wave, z],
            _ => {
                let (sin, cos) = (2.0 * t).sin_cos();
                [cos * x - sin * z + 3.0 * t, 0.09 - 0.08 * t - wave, sin * x + cos * z - t]
            }
        };
        [x as f32 + 3.0 * t as f32, y as f32, z as f32, 0.0]
    };
    (0..2 * N * N).map(each).collect()
}

fn cloth(rest: At) -> Cloth {
    let layers = rest.len() / (N * N);
    let mut triangles = Vec::new();
    for layer in 0..layers {
        for i in 0..(N - 1) * (N - 1) {
            let a = (layer * N * N + i / (N - 1) * N + i % (N - 1)) as u32;
            let [b, c, d] = [a + 1, a + N as u32, a + N as u32 + 1];
            triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    let corners = (0..rest.len() as u32).collect();
    Cloth { corners, triangles, rest, thickness: 0.03, near: NEAR, graph: None }
}

/// What a detector finds where particles stood at `at` and have `moved` since.
fn found<D, const P: usize>(
    search: &Search<D, 4, P>,
    threads: usize,
    at: &At,
    moved: &At,
) -> Vec<FoundRow<4, P>>
where
    D: Detector<4, P>,
{
    let ways = moved.iter().map(|way| way.iter().map(|v| v * v).sum::<f32>().sqrt());
    let most = ways.filter(|way| way.is_finite()).fold(0.0, f32::max);
    let motion = SubstepMotion { previous: at, moved, most };
    Team::new(threads).unwrap().run(|worker| {
        search.detector.sort(worker, |_| [0.0; 3], motion);
        search.find(worker, motion);
    });
    let (mut rows, mut params) = (Vec::new(), Vec::new());
    search.collect(&mut rows, &mut params);
    rows.into_iter().zip(params).collect()
}

/// Nowhere.
fn still(at: &At) -> At {
    vec![[0.0; 4]; at.len()]
}

fn point(at: &At, i: u32) -> Vec3<f64> {
    let [x, y, z, _] = at[i as usize].map(f64::from);
    Vec3::new(x, y, z)
}

/// The least distance of points of two convex bodies, by walking down from where they are closest on a lattice.
fn least(of: impl Fn(f64, f64) -> f64) -> f64 {
    let (mut best, mut step) = ((0.5, 0.5), 0.5);
    while step > 1e-4 {
        let around = [-1.0, 0.0, 1.0].into_iter();
        let lattice = around.flat_map(|i| [-1.0, 0.0, 1.0].map(|j| [i, j]));
        let near = lattice.map(|[i, j]: [f64; 2]| {
            let place = |v: f64, by: f64| (v + by * step).clamp(0.0, 1.0);
            (place(best.0, i), place(best.1, j))
        });
        let next = near.min_by(|a, b| of(a.0, a.1).total_cmp(&of(b.0, b.1))).unwrap();
        if of(next.0, next.1) < of(best.0, best.1) {
            best = next;
        } else {
            step *= 0.5;
        }
    }
    of(best.0, best.1)
}

/// How far a corner is from a triangle, or an edge from an edge.
fn apart(at: &At, [a, b, c, d]: [u32; 4], face: bool) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(|i| point(at, i));
    match face {
        true => least(|s, t| (a - (b + ((c - b) * (1.0 - t) + (d - b) * t) * s)).length()),
        false => least(|s, t| (a + (b - a) * s - c - (d - c) * t).length()),
    }
}

/// What is nearer than `NEAR` is found, what is further is not; in the same order where nothing was kept.
fn agrees<D: Detector<4, P>, const P: usize>(new: impl Fn() -> D, all: &[[u32; 4]], face: bool) {
    let kept = Search::new(new());
    let mut most = 0;
    for step in 0..60 {
        let at = at(step);
        let still = still(&at);
        let rows = found(&kept, 2, &at, &still);
        most = most.max(rows.len());
        let anew = found(&Search::new(new()), 1, &at, &still);
        assert!(rows == anew, "step {step}: found anew");
        if step % 12 != 11 {
            continue;
        }
        let sorted = |mut row: [u32; 4]| {
            row.sort_unstable();
            row
        };
        let mut listed: Vec<_> = rows.iter().map(|(row, _)| sorted(*row)).collect();
        listed.sort_unstable();
        for &pair in all {
            let listed = listed.binary_search(&sorted(pair)).is_ok();
            let [x, y] = [pair[0], pair[3]].map(|i| point(&at, i));
            if (x - y).length() > 0.4 {
                assert!(!listed, "step {step}: {pair:?}");
                continue;
            }
            let apart = apart(&at, pair, face);
            assert!(listed || apart > 0.999 * NEAR, "step {step}: {pair:?} at {apart} is missed");
            assert!(!listed || apart < 1.001 * NEAR, "step {step}: {pair:?} at {apart} is found");
        }
    }
    assert!(most > 20, "{most} contacts at most");
}

#[test]
fn corners_find_all_triangles_that_are_near() {
    let cloth = cloth(at(0));
    let mut all = Vec::new();
    for &q in &cloth.corners {
        let apart = cloth.triangles.iter().filter(|t| !t.contains(&q));
        all.extend(apart.map(|&[a, b, c]| [q, a, b, c]));
    }
    agrees(|| ClothFaces::new(&cloth, 2), &all, true);
}

#[test]
fn edges_find_all_edges_that_are_near() {
    let cloth = cloth(at(0));
    let edges = unique_edges(&cloth.triangles);
    let mut all = Vec::new();
    for (i, e) in edges.iter().enumerate() {
        let apart = edges[..i].iter().filter(|f| e.iter().all(|i| !f.contains(i)));
        all.extend(apart.map(|&[c, d]| [e[0], e[1], c, d]));
    }
    agrees(|| ClothEdges::new(&cloth, 2), &all, false);
}

/// A cloth in one place, and one that is nowhere, end; what comes back from there is found.
#[test]
fn what_collapses_or_is_lost_is_found_when_it_is_back() {
    let cloth = cloth(at(0));
    let search = Search::new(ClothEdges::new(&cloth, 2));
    let lost = |place: f32| vec![[place, place, place, 0.0]; cloth.rest.len()];
    let back = at(50);
    for place in [lost(1.0), lost(f32::NAN), back.clone(), lost(f32::INFINITY), back.clone()] {
        let still = still(&place);
        let rows = found(&search, 1, &place, &still);
        let anew = found(&Search::new(ClothEdges::new(&cloth, 2)), 1, &place, &still);
        assert!(rows == anew, "{} rows and {} anew", rows.len(), anew.len());
    }
}

/// Five layers, torn about: squeezed into one place, drawn out into slivers and to and fro until each long element has more others
/// in its box than a search keeps, carried far out; particles are lost and come back.
fn torn(steps: usize) -> impl Iterator<Item = At> {
    let mut random = Random(9);
    let (mut size, mut long, mut offset, mut lost) = ([1.0; 3], 0.0, 0.0, None);
    (0..steps).map(move |step| {
        if step % 6 == 0 {
            size = [(); 3].map(|()| [1.0, 1.0, 0.3, 0.0][random.below(4)]);
            long = [0.0, 0.7, 2.0][random.below(3)];
            offset = [0.0, 0.0, 50.0, 1e4][random.below(4)];
        }
        if step % 3 == 0 {
            let nan = f32::NAN;
            let values = [nan, nan, nan, f32::INFINITY, -f32::INFINITY, 2e19, -1e30, 7.0];
            lost = [None, Some(values[random.below(8)])][random.below(2)]
                .map(|value| (random.below(5 * N * N), random.below(3), value));
        }
        let mut at = layers(|x| {
            let jitter = random.point().map(|v| 0.004 * v);
            let row = (x[2] / SPACING).round();
            let out = [0.06 * row, -0.06 * row, 0.0].map(|v| long * ((row % 2.0) + v));
            [0, 1, 2].map(|k| size[k] * x[k] + jitter[k] + out[k] + offset)
        });
        if let Some((i, axis, value)) = lost {
            at[i][axis] = value;
        }
        at
    })
}

/// Five layers where `place` puts their points.
fn layers(mut place: impl FnMut([f64; 3]) -> [f64; 3]) -> At {
    let each = |i: usize| {
        let [x, y, z] = [i % N, i / (N * N), i / N % N].map(|k| k as f64);
        let [x, y, z] = place([SPACING * x, 0.02 * y, SPACING * z]).map(|v| v as f32);
        [x, y, z, 0.0]
    };
    (0..5 * N * N).map(each).collect()
}

/// What is found is the same, bit for bit, whatever was kept before; every other step as far on its way as from one to the next.
fn forgets<D: Detector<4, P>, const P: usize>(new: impl Fn(usize) -> D) {
    let bits = |(row, params): &FoundRow<4, P>| (*row, params.map(f32::to_bits));
    let kept = Search::new(new(2));
    let (mut most, mut last) = (0, layers(|x| x));
    for (step, at) in torn(48).enumerate() {
        let way = |(a, b): (&[f32; 4], &[f32; 4])| [0, 1, 2, 3].map(|k| a[k] - b[k]);
        let moved = match step % 2 {
            0 => still(&at),
            _ => at.iter().zip(&last).map(way).collect(),
        };
        let rows = found(&kept, 2, &at, &moved);
        let anew = found(&Search::new(new(1)), 1, &at, &moved);
        last.clone_from(&at);
        let same = rows.iter().map(bits).eq(anew.iter().map(bits));
        assert!(same, "step {step}: {} rows and {} anew", rows.len(), anew.len());
        most = most.max(rows.len());
    }
    assert!(most > 10_000, "{most} contacts at most");
}

#[test]
fn corners_found_do_not_depend_on_what_was_kept() {
    let cloth = cloth(layers(|x| x));
    forgets(|threads| ClothFaces::new(&cloth, threads));
}

#[test]
fn edges_found_do_not_depend_on_what_was_kept() {
    let cloth = cloth(layers(|x| x));
    forgets(|threads| ClothEdges::new(&cloth, threads));
}
