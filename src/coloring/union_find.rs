//! Sets that pairs join: which of many are connected with each other.

/// For each member the least one known to be connected with it, or one on the way there.
#[derive(Default)]
pub(crate) struct UnionFind {
    first: Vec<u32>,
}

impl UnionFind {
    /// Members that nothing joins yet.
    pub(crate) fn new(count: usize) -> Self {
        let mut all = Self::default();
        all.extend(count);
        all
    }

    /// As many members that nothing joins, in place of all.
    pub(crate) fn reset(&mut self, count: usize) {
        self.first.clear();
        self.extend(count);
    }

    /// Adds members that nothing joins yet; returns the number of the first.
    pub(crate) fn extend(&mut self, count: usize) -> u32 {
        let first = self.first.len() as u32;
        self.first.extend(first..first + count as u32);
        first
    }

    /// How many members there are.
    pub(crate) fn len(&self) -> usize {
        self.first.len()
    }

    /// The least member known to be connected with `i`, to which the way becomes shorter.
    pub(crate) fn root(&mut self, mut i: u32) -> u32 {
        let first = &mut self.first;
        while first[i as usize] != i {
            first[i as usize] = first[first[i as usize] as usize];
            i = first[i as usize];
        }
        i
    }

    /// Connects two members.
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.first[a.max(b) as usize] = a.min(b);
    }

    /// The least member of each set.
    pub(crate) fn roots(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.first).filter(|(i, first)| i == *first).map(|(i, _)| i)
    }
}
