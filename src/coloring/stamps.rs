//! Which slots a color has met, so that one met twice is found in one pass.

/// A stamp for each slot: the last color that met it.
pub(crate) struct Stamps {
    last: Vec<u32>,
    color: u32,
}

impl Stamps {
    pub(crate) fn new(slots: usize) -> Self {
        Self { last: vec![0; slots], color: 0 }
    }

    /// Begins a color.
    pub(crate) fn next_color(&mut self) {
        if self.color == u32::MAX {
            self.last.fill(0);
            self.color = 0;
        }
        self.color += 1;
    }

    /// Whether this color meets the slot for the first time; `None` where there is no such slot.
    pub(crate) fn meet(&mut self, slot: u32) -> Option<bool> {
        let last = self.last.get_mut(slot as usize)?;
        Some(std::mem::replace(last, self.color) != self.color)
    }
}
