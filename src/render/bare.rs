//! What the ground looks like without shadows: the same in every picture while the camera stands still, and kept for the next.

use super::camera::View;

/// No color.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// All that it depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Seat {
    pub view: View,
    /// From the eye down to it.
    pub below: f32,
    /// Between grid lines.
    pub spacing: f32,
    pub background: [u32; 2],
}

/// The ground as the last picture saw it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Bare {
    from: Option<Seat>,
    /// All pixels, [`UNKNOWN`] where they were not seen yet; none while the camera moves.
    pub pixels: Vec<u32>,
}

impl Bare {
    /// Keeps what is known of `count` pixels if the ground looks as it did in the last picture.
    pub fn keep(&mut self, from: Option<Seat>, count: usize) {
        if from != self.from || from.is_none() {
            *self = Self { from, pixels: Vec::new() };
        } else if self.pixels.is_empty() {
            self.pixels = vec![UNKNOWN; count];
        }
    }
}
