//! Lists one behind another: of the neighbors of each vertex, of the holders of each row.

/// A list for each of some indices.
pub(crate) struct Lists<T> {
    /// Where each begins, and the end of the last.
    starts: Vec<usize>,
    entries: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    /// None yet.
    pub(crate) fn new() -> Self {
        Self { starts: vec![0], entries: Vec::new() }
    }

    /// Lists of `len` indices: `each` hands over all entries and whose they are, twice the same. Those of a list keep their order.
    pub(crate) fn of(len: usize, each: impl Fn(&mut dyn FnMut(u32, T))) -> Self {
        let mut starts = vec![0; len + 1];
        each(&mut |i, _| starts[i as usize + 1] += 1);
        for i in 0..len {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut entries = vec![T::default(); starts[len]];
        each(&mut |i, entry| {
            entries[next[i as usize]] = entry;
            next[i as usize] += 1;
        });
        Self { starts, entries }
    }

    /// Adds the list of the next index.
    pub(crate) fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.entries.extend(list);
        self.starts.push(self.entries.len());
    }

    /// The list of an index.
    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> &[T] {
        &self.entries[self.starts[i]..self.starts[i + 1]]
    }
}

impl<T: Copy + Ord> Lists<T> {
    /// The same, each sorted and without repeats.
    pub(crate) fn sorted_distinct(mut self) -> Self {
        let (mut kept, mut begin) = (0, 0);
        for i in 0..self.starts.len() - 1 {
            let end = self.starts[i + 1];
            self.entries[begin..end].sort_unstable();
            let first = kept;
            for at in begin..end {
                let entry = self.entries[at];
                if kept == first || self.entries[kept - 1] != entry {
                    self.entries[kept] = entry;
                    kept += 1;
                }
            }
            begin = end;
            self.starts[i + 1] = kept;
        }
        self.entries.truncate(kept);
        self
    }
}
