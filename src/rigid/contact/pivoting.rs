//! Complementarity problems of few unknowns between bounds, in f64.
//!
//! ```text
//! A x + q = 0 where l < x < u,  >= 0 where x = l,  <= 0 where x = u        A symmetric, positive, its diagonal 1 + ε times what is said
//! ```
//!
//! by block principal pivoting (Júdice and Pires, *A block principal pivoting algorithm for large-scale strictly monotone linear
//! complementarity problems*, 1994): guess which unknowns are free, solve for them, let all that are on a wrong side change it.

use std::ops::Range;

/// So many blocks in a row may not lessen what is wrong.
const BLOCKS: u32 = 6;
/// How often blocks begin anew, and how many times Gauss-Seidel goes there and back before.
const STAGES: usize = 8;
const SWEEPS: usize = 20;
/// How many times larger ε is then, and what it is before.
const SOFTER: f64 = 30.0;
pub(super) const EXTRA: f64 = 1e-7;
/// What changes rows by less than this, of the largest q, is as good as nothing.
const CLOSE: f64 = 3e-4;
/// So much less is nothing.
const IDLE: f64 = 0.1;
/// What is less than this, of the largest q, is nothing wrong.
const TOLERANCE: f64 = 1e-12;

/// Where an unknown is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    Lower,
    Free,
    Upper,
}

/// A problem, and room to solve it.
#[derive(Default)]
pub(super) struct Pivoting {
    /// Row by row, without ε, each from the first to the last column where it is not zero.
    a: Vec<f64>,
    /// Where each row begins in `a`, and its columns.
    rows: Vec<(usize, Range<usize>)>,
    /// ε: of rows that depend on each other the least x is found, and what they push against each other does not add up.
    extra: f64,
    q: Vec<f64>,
    /// l and u.
    bounds: Vec<[f64; 2]>,
    x: Vec<f64>,
    /// What it was before, and what Gauss-Seidel makes of it.
    guess: Vec<f64>,
    swept: Vec<f64>,
    /// A x + q without ε, of what it was before, and of that.
    now: Vec<f64>,
    slacks: Vec<f64>,
    sides: Vec<Side>,
    free: Vec<usize>,
    /// The lower triangle L of A = L Lᵀ among `factored`, row by row.
    factor: Vec<f64>,
    factored: Vec<usize>,
    /// Where each row of L begins in `factor`, and its first column: before it there are zeros only, as in A.
    begins: Vec<[usize; 2]>,
    right: Vec<f64>,
    wrong: Vec<(usize, Side)>,
}

impl Pivoting {
    /// A problem of zeros, of whose rows these columns may become others.
    pub(super) fn clear(&mut self, rows: impl Iterator<Item = Range<usize>>, extra: f64) {
        self.extra = extra;
        self.rows.clear();
        let mut room = 0;
        for columns in rows {
            self.rows.push((room, columns.clone()));
            room += columns.len();
        }
        let count = self.rows.len();
        for (list, len) in [(&mut self.q, count), (&mut self.x, count), (&mut self.a, room)] {
            list.clear();
            list.resize(len, 0.0);
        }
        self.bounds.resize(count, [0.0; 2]);
        self.sides.resize(count, Side::Lower);
        self.guess.resize(count, 0.0);
        self.now.resize(count, 0.0);
        self.factored.clear();
    }

    /// Adds to an element of A, among its row's columns.
    pub(super) fn add(&mut self, [row, column]: [usize; 2], value: f64) {
        let (begin, columns) = &self.rows[row];
        self.a[begin + column - columns.start] += value;
    }

    /// A row: without ε, A x + q is `now` at the `x` of before; bounds, and a guess.
    pub(super) fn pose(&mut self, row: usize, now: f64, x: f64, bounds: [f64; 2], side: Side) {
        (self.now[row], self.guess[row]) = (now, x);
        (self.bounds[row], self.sides[row]) = (bounds, side);
    }

    /// Bounds an unknown anew, to both sides of zero.
    pub(super) fn rebound(&mut self, k: usize, most: f64) {
        self.bounds[k] = [-most, most];
    }

    /// Bounds an unknown anew, to both sides of zero; it is beyond.
    pub(super) fn bound(&mut self, k: usize, most: f64) {
        self.bounds[k] = [-most, most];
        self.sides[k] = if self.x[k] < 0.0 { Side::Lower } else { Side::Upper };
    }

    /// What was found of an unknown.
    pub(super) fn x(&self, k: usize) -> f64 {
        self.x[k]
    }

    /// The columns of a row, and what is there.
    fn row(&self, k: usize) -> (Range<usize>, &[f64]) {
        let (begin, columns) = &self.rows[k];
        (columns.clone(), &self.a[*begin..begin + columns.len()])
    }

    /// A row's own entry.
    pub(super) fn diagonal(&self, k: usize) -> f64 {
        let (columns, a) = self.row(k);
        a[k - columns.start]
    }

    /// ε as it is by now.
    #[cfg(test)]
    pub(super) fn extra(&self) -> f64 {
        self.extra
    }

    /// A x + q of a row.
    pub(super) fn slack(&self, k: usize) -> f64 {
        let (columns, a) = self.row(k);
        self.q[k] + dot(a, &self.x[columns]) + self.extra * self.diagonal(k) * self.x[k]
    }

    /// Solves it; whether that was done. Where blocks do not end, they begin anew from what Gauss-Seidel finds, and where rows that
    /// nearly depend on each other ask for different things, with a larger ε, which stays until A is another.
    pub(super) fn solve(&mut self) -> bool {
        for k in 0..self.q.len() {
            let (columns, a) = self.row(k);
            self.q[k] = self.now[k] - dot(a, &self.guess[columns]);
        }
        self.begin_sweeps();
        for stage in 0..STAGES {
            if self.pivot() {
                return self.x.iter().all(|x| x.is_finite());
            }
            self.sweep();
            if stage > 0 {
                self.extra = SOFTER * self.extra.max(EXTRA);
                self.factored.clear();
            }
        }
        false
    }

    /// Blocks, while they lessen what is wrong; whether nothing is.
    fn pivot(&mut self) -> bool {
        let (mut best, mut blocks) = (self.q.len() + 1, BLOCKS);
        let least = TOLERANCE * self.q.iter().fold(0.0_f64, |m, q| m.max(q.abs()));
        loop {
            self.solve_free();
            self.find_wrong(least);
            if self.wrong.len() < best {
                (best, blocks) = (self.wrong.len(), BLOCKS);
            } else if blocks > 0 {
                blocks -= 1;
            } else {
                return false;
            }
            if self.wrong.is_empty() {
                return true;
            }
            for (k, side) in &self.wrong {
                self.sides[*k] = *side;
            }
        }
    }

    /// Nearly solves it by Gauss-Seidel, there and back, at most so many times; `act` bounds unknowns after each of these.
    pub(super) fn relax(&mut self, times: usize, mut act: impl FnMut(&mut Self)) {
        let sizes = (0..self.now.len())
            .map(|k| self.now[k].abs().max((self.diagonal(k) * self.guess[k]).abs()));
        let least = CLOSE * sizes.fold(0.0, f64::max);
        self.begin_sweeps();
        for _ in 0..times {
            let change = self.there_and_back(IDLE * least);
            self.x.clone_from(&self.swept);
            act(self);
            if change <= least {
                break;
            }
        }
    }

    fn begin_sweeps(&mut self) {
        let start = self.guess.iter().zip(&self.bounds).map(|(x, [l, u])| x.max(*l).min(*u));
        self.swept.clear();
        self.swept.extend(start);
        self.slacks.clone_from(&self.now);
        for k in 0..self.now.len() {
            if self.swept[k] != self.guess[k] {
                self.step(k, self.swept[k] - self.guess[k]);
            }
        }
    }

    /// An unknown takes a step, and A x + q follows: A is symmetric, its column is its row.
    fn step(&mut self, k: usize, step: f64) {
        let (begin, columns) = &self.rows[k];
        let a = &self.a[*begin..begin + columns.len()];
        let slacks = &mut self.slacks[columns.clone()];
        slacks.iter_mut().zip(a).for_each(|(slack, a)| *slack += a * step);
    }

    /// Each row between its bounds, unless that changes its value by no more than `idle`; how much it changes one at most.
    fn there_and_back(&mut self, idle: f64) -> f64 {
        let (count, mut change) = (self.rows.len(), 0.0_f64);
        for k in (0..count).chain((0..count).rev()) {
            let (begin, columns) = &self.rows[k];
            let diagonal = self.a[begin + k - columns.start];
            let ([l, u], x) = (self.bounds[k], self.swept[k]);
            let now = self.slacks[k] + self.extra * diagonal * x;
            let own = diagonal * (1.0 + self.extra);
            let new = if own > 0.0 { (x - now / own).min(u).max(l) } else { x };
            let by = (new - x).abs() * own;
            if by > idle {
                self.swept[k] = new;
                change = change.max(by);
                self.step(k, new - x);
            }
        }
        change
    }

    /// Gauss-Seidel; then what is free is what lies between its bounds.
    fn sweep(&mut self) {
        for _ in 0..SWEEPS {
            self.there_and_back(0.0);
        }
        for ((side, x), [l, u]) in self.sides.iter_mut().zip(&self.swept).zip(&self.bounds) {
            *side = match x {
                x if x <= l => Side::Lower,
                x if x >= u => Side::Upper,
                _ => Side::Free,
            };
        }
    }

    /// The unknowns on a wrong side, and the side that they should be on.
    fn find_wrong(&mut self, least: f64) {
        self.wrong.clear();
        for k in 0..self.q.len() {
            let ([l, u], x) = (self.bounds[k], self.x[k]);
            let side = match self.sides[k] {
                Side::Free if x < l => Side::Lower,
                Side::Free if x > u => Side::Upper,
                Side::Lower if l < u && self.slack(k) < -least => Side::Free,
                Side::Upper if l < u && self.slack(k) > least => Side::Free,
                _ => continue,
            };
            self.wrong.push((k, side));
        }
    }

    /// A x = -q among the free unknowns, by Cholesky; the others are at their bounds.
    fn solve_free(&mut self) {
        self.free.clear();
        self.free.extend((0..self.q.len()).filter(|k| self.sides[*k] == Side::Free));
        for k in 0..self.q.len() {
            self.x[k] = match self.sides[k] {
                Side::Lower => self.bounds[k][0],
                Side::Free => 0.0,
                Side::Upper => self.bounds[k][1],
            };
        }
        self.right.clear();
        for i in 0..self.free.len() {
            self.right.push(-self.slack(self.free[i]));
        }
        if self.free != self.factored {
            self.factorize();
        }
        // L y = -q, then Lᵀ x = y, in place.
        let (y, n) = (&mut self.right, self.free.len());
        for i in 0..n {
            let [at, from] = self.begins[i];
            let l = &self.factor[at..=at + i - from];
            y[i] = (y[i] - dot(&l[..i - from], &y[from..i])) / l[i - from];
        }
        for i in (0..n).rev() {
            let [at, from] = self.begins[i];
            let l = &self.factor[at..=at + i - from];
            y[i] /= l[i - from];
            for k in from..i {
                y[k] -= l[k - from] * y[i];
            }
            self.x[self.free[i]] = y[i];
        }
    }

    fn factorize(&mut self) {
        self.factored.clone_from(&self.free);
        self.begins.clear();
        self.factor.clear();
        let (free, begins, factor) = (&self.free, &mut self.begins, &mut self.factor);
        for i in 0..free.len() {
            let (begin, columns) = &self.rows[free[i]];
            let row = &self.a[*begin..begin + columns.len()];
            let first = free.partition_point(|k| *k < columns.start);
            begins.push([factor.len(), first]);
            for j in first..=i {
                let [[own, _], [other, its_first]] = [begins[i], begins[j]];
                let from = first.max(its_first).min(j);
                let its = &factor[other + from - its_first..other + j - its_first];
                let known = dot(&factor[own + from - first..own + j - first], its);
                let element = row[free[j] - columns.start];
                factor.push(match i == j {
                    // What depends on the others up to rounding is held by them.
                    true => (element * (1.0 + self.extra) - known).max(1e-14 * element).sqrt(),
                    false => (element - known) / factor[other + j - its_first],
                });
            }
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
