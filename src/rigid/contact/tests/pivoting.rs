//! Problems between bounds hold what they ask, and have the solution of another way.

use crate::rigid::contact::pivoting::{Pivoting, Side};
use crate::tests::sample::Random;

/// A = B Bᵀ + d, q and bounds of a size, normals and friction by turns.
struct Problem {
    a: Vec<Vec<f64>>,
    q: Vec<f64>,
    bounds: Vec<[f64; 2]>,
}

impl Problem {
    fn new(random: &mut Random, count: usize, rank: usize) -> Self {
        let b: Vec<Vec<f64>> =
            (0..count).map(|_| (0..rank).map(|_| random.within(-1.0, 1.0)).collect()).collect();
        let dot = |i: usize, j: usize| b[i].iter().zip(&b[j]).map(|(a, b)| a * b).sum::<f64>();
        let element = |i: usize, j: usize| dot(i, j) + if i == j { 1e-3 } else { 0.0 };
        let a = (0..count).map(|i| (0..count).map(|j| element(i, j)).collect()).collect();
        let q = (0..count).map(|_| random.within(-1.0, 1.0)).collect();
        let bound = |k: usize| match k % 3 {
            0 => [0.0, f64::INFINITY],
            1 => [-0.1, 0.1],
            _ => [-0.02 * k as f64, 0.02 * k as f64],
        };
        Self { a, q, bounds: (0..count).map(bound).collect() }
    }

    fn slack(&self, k: usize, x: &[f64]) -> f64 {
        self.q[k] + self.a[k].iter().zip(x).map(|(a, x)| a * x).sum::<f64>()
    }

    /// Gauss-Seidel, projected, as often as it takes.
    fn swept(&self) -> Vec<f64> {
        let mut x = vec![0.0; self.q.len()];
        for _ in 0..200_000 {
            let mut moved = 0.0_f64;
            for k in 0..x.len() {
                let [l, u] = self.bounds[k];
                let new = (x[k] - self.slack(k, &x) / self.a[k][k]).min(u).max(l);
                moved = moved.max((new - x[k]).abs());
                x[k] = new;
            }
            if moved < 1e-14 {
                break;
            }
        }
        x
    }
}

#[test]
fn problems_between_bounds_are_solved() {
    let (mut random, mut late) = (Random(5), 0);
    for (count, rank) in [(1, 1), (3, 3), (12, 12), (12, 5), (24, 6), (48, 40)] {
        for _ in 0..20 {
            let problem = Problem::new(&mut random, count, rank);
            let mut pivoting = Pivoting::default();
            pivoting.clear((0..count).map(|_| 0..count), 0.0);
            for (i, row) in problem.a.iter().enumerate() {
                row.iter().enumerate().for_each(|(j, a)| pivoting.add([i, j], *a));
            }
            for k in 0..count {
                let side = if k % 2 == 0 { Side::Free } else { Side::Lower };
                pivoting.pose(k, problem.q[k], 0.0, problem.bounds[k], side);
            }
            assert!(pivoting.solve(), "{count}, {rank}");
            if pivoting.extra() > 0.0 {
                late += 1;
                continue;
            }
            let found: Vec<f64> = (0..count).map(|k| pivoting.x(k)).collect();
            for (k, [l, u]) in problem.bounds.iter().enumerate() {
                let (x, slack) = (found[k], problem.slack(k, &found));
                let holds = match x {
                    x if x <= *l => slack > -1e-9,
                    x if x >= *u => slack < 1e-9,
                    _ => slack.abs() < 1e-9,
                };
                assert!(holds && x >= *l && x <= *u, "{count}, {rank}: {x} in {l}..{u}, {slack}");
            }
            for (found, expected) in found.iter().zip(problem.swept()) {
                assert!(
                    (found - expected).abs() < 1e-5,
                    "{count}, {rank}: {found}, not {expected}"
                );
            }
        }
    }
    // Of the 120, those of few that depend on each other.
    assert!(late <= 6, "{late} were made softer");
}
