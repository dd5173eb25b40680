//! The element nearest to a point, by a tree of boxes around elements, so that not every one is asked.
//!
//! What an element says of its distance may be anything that is no less than that of its box. Of equals the first element is
//! found.

use crate::collision::{Bvh, around};

/// A tree over elements that do not move.
pub(super) struct Nearest {
    tree: Bvh,
    /// The elements of its boxes.
    elements: Vec<u32>,
}

impl Nearest {
    /// The tree over elements, each given by its number and its corners (m).
    pub(super) fn new<const N: usize>(
        elements: impl Iterator<Item = (u32, [[f32; 3]; N])>,
    ) -> Self {
        let (elements, corners): (Vec<u32>, Vec<_>) = elements.unzip();
        Self { tree: Bvh::new(corners.into_iter().map(around)), elements }
    }

    /// The element of the least `distance` (m) from `point`; `guess` is asked first.
    pub(super) fn find(
        &self,
        point: [f32; 3],
        guess: Option<u32>,
        distance: impl Fn(u32) -> Option<f64>,
    ) -> Option<u32> {
        let mut best = guess.and_then(|i| Some((distance(i)?, i)));
        // Farther by more than rounding makes of the squares of boxes.
        let square = |best: Option<(f64, u32)>| best.map(|(d, _)| (1.00001 * d * d) as f32);
        let first = square(best).unwrap_or(f32::INFINITY);
        self.tree.nearest(point, first, &mut |item| {
            let i = self.elements[item as usize];
            let own = distance(i).map(|d| (d, i));
            if own.is_some_and(|own| best.is_none_or(|best| own < best)) {
                best = own;
            }
            square(best)
        });
        best.map(|(_, i)| i)
    }
}
