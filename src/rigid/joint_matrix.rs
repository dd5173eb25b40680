//! J M⁻¹ Jᵀ of rows between bodies, as a factor: for what is solved at once.

use super::skyline::Skyline;
use crate::math::Vec3;
use crate::state::VelocityRow;

/// A row between two bodies, none where nothing moves one: its gradient, and how that moves the bodies.
#[derive(Clone, Copy)]
pub(super) struct DirectRow {
    pub(super) ends: [Option<u32>; 2],
    /// 1 / m of both (1/kg).
    pub(super) masses: [f64; 2],
    pub(super) row: VelocityRow,
    /// W t of both turns t.
    pub(super) turned: [Vec3<f64>; 2],
}

impl DirectRow {
    /// What it has in common with another: its entry of J M⁻¹ Jᵀ.
    pub(super) fn met(&self, other: &Self) -> f64 {
        let mut sum = 0.0;
        for (k, end) in self.ends.iter().enumerate().filter(|(_, end)| end.is_some()) {
            for l in (0..2).filter(|l| other.ends[*l] == *end) {
                let along = self.row.linear.dot(other.row.linear) * self.masses[k];
                let side = if k == l { along } else { -along };
                sum += side + self.row.turns[k].dot(other.turned[l]);
            }
        }
        sum
    }

    /// Tells `act` of each body what M⁻¹ Jᵀ µ is there.
    pub(super) fn give(&self, mu: f64, mut act: impl FnMut(u32, [Vec3<f64>; 2])) {
        for k in 0..2 {
            if let Some(body) = self.ends[k] {
                let side = if k == 0 { mu } else { -mu };
                act(body, [self.row.linear * (side * self.masses[k]), self.turned[k] * mu]);
            }
        }
    }
}

/// The matrix of some rows. Room that grows.
#[derive(Default)]
pub(super) struct JointMatrix {
    factor: Skyline,
    /// The first row of each body, and the first column of each row.
    firsts: Vec<usize>,
    starts: Vec<usize>,
}

impl JointMatrix {
    /// Where rows between bodies below `count` begin; how many products their factor takes.
    pub(super) fn begin(&mut self, count: usize, rows: &[DirectRow]) -> usize {
        let Self { firsts, starts, .. } = self;
        firsts.resize(count.max(firsts.len()), usize::MAX);
        starts.clear();
        let ends = |row: &DirectRow| row.ends.into_iter().flatten();
        rows.iter().flat_map(ends).for_each(|body| firsts[body as usize] = usize::MAX);
        let mut work = 0;
        for (i, row) in rows.iter().enumerate() {
            let mut start = i;
            for body in ends(row) {
                let first = &mut firsts[body as usize];
                *first = i.min(*first);
                start = start.min(*first);
            }
            starts.push(start);
            work += (i - start).pow(2) / 2;
        }
        work
    }

    /// Factors the matrix of the rows that it began with, with what `diagonal` makes of each row's own entry.
    pub(super) fn factorize(&mut self, rows: &[DirectRow], diagonal: impl Fn(usize, f64) -> f64) {
        self.factor.clear();
        for (i, row) in rows.iter().enumerate() {
            self.factor.add_row(self.starts[i], |j| match row.met(&rows[j]) {
                own if i == j => diagonal(i, own),
                met => met,
            });
        }
    }

    /// Solves A x = b, in its place, for so many b at once.
    pub(super) fn solve<const N: usize>(&self, b: &mut [[f64; N]]) {
        self.factor.solve(b);
    }
}
