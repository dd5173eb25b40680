//! How many frames were stepped, and the time.

/// Frames and time. Time is counted in whole steps, so that it is the same whether a run was interrupted or not.
#[derive(Clone, Copy)]
pub(super) struct FrameClock {
    pub(super) dt: f64,
    /// The time when the frame step last changed (s), that of the frame before it, and steps since.
    pub(super) began: f64,
    pub(super) earlier: f64,
    pub(super) steps: u64,
    /// Frames since the start.
    pub(super) frame: u64,
}

impl FrameClock {
    pub(super) fn new(dt: f64) -> Self {
        Self { dt, began: 0.0, earlier: -dt, steps: 0, frame: 0 }
    }

    pub(super) fn time(&self) -> f64 {
        self.began + self.steps as f64 * self.dt
    }

    /// The time of the frame before, if there was one (s).
    pub(super) fn before(&self) -> Option<f64> {
        let before = match self.steps {
            0 => self.earlier,
            steps => self.began + (steps - 1) as f64 * self.dt,
        };
        (self.frame > 0).then_some(before)
    }

    pub(super) fn tick(&mut self) {
        self.steps += 1;
        self.frame += 1;
    }
}
