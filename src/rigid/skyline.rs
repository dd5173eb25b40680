//! A symmetric positive matrix that is zero far from its diagonal: its Cholesky factor, row by row from the first entry of each
//! (George and Liu, *Computer Solution of Large Sparse Positive Definite Systems*, 1981, chapter 4: the envelope method).

/// What is added to the diagonal, so that rows that say the same have a factor; and the least pivot, in parts of the diagonal.
const APART: f64 = 1e-10;

/// The factor. Room that grows.
#[derive(Default)]
pub(super) struct Skyline {
    /// The first column of each row, and where that entry is.
    rows: Vec<(usize, usize)>,
    entries: Vec<f64>,
}

impl Skyline {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.entries.clear();
    }

    /// Adds a row from the column `first` to the diagonal on, as `entry` of its column says.
    pub(super) fn add_row(&mut self, first: usize, entry: impl Fn(usize) -> f64) {
        let (i, start) = (self.rows.len(), self.entries.len());
        self.rows.push((first, start));
        for j in first..=i {
            let entry = entry(j);
            let (from, other) = self.rows[j];
            let common = from.max(first);
            let mine = &self.entries[start + common - first..start + j - first];
            let sum: f64 = match j == i {
                true => mine.iter().map(|l| l * l).sum(),
                false => {
                    let theirs = &self.entries[other + common - from..other + j - from];
                    mine.iter().zip(theirs).map(|(l, m)| l * m).sum()
                }
            };
            let new = match j == i {
                true => (entry * (1.0 + APART) - sum).max(entry * APART).sqrt(),
                false => (entry - sum) / self.diagonal(j),
            };
            self.entries.push(if new.is_finite() { new } else { 0.0 });
        }
    }

    fn diagonal(&self, i: usize) -> f64 {
        let (first, start) = self.rows[i];
        let diagonal = self.entries[start + i - first];
        if diagonal > 0.0 { diagonal } else { f64::INFINITY }
    }

    /// Solves A x = b, in its place, for so many b at once.
    pub(super) fn solve<const N: usize>(&self, b: &mut [[f64; N]]) {
        for (i, (first, start)) in self.rows.iter().enumerate() {
            let row = &self.entries[*start..start + i - first];
            let mut sums = [0.0; N];
            for (l, b) in row.iter().zip(&b[*first..i]) {
                sums.iter_mut().zip(b).for_each(|(sum, b)| *sum += l * b);
            }
            let diagonal = self.diagonal(i);
            b[i].iter_mut().zip(sums).for_each(|(b, sum)| *b = (*b - sum) / diagonal);
        }
        for (i, (first, start)) in self.rows.iter().enumerate().rev() {
            let diagonal = self.diagonal(i);
            let x = b[i].map(|b| b / diagonal);
            b[i] = x;
            let row = &self.entries[*start..start + i - first];
            for (b, l) in b[*first..i].iter_mut().zip(row) {
                b.iter_mut().zip(x).for_each(|(b, x)| *b -= l * x);
            }
        }
    }
}
