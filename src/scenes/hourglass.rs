//! `hourglass:N`: balls that run out of a hopper between two panes and heap up below it.

use super::prelude::*;
use crate::math::{cube_side, sine_cosine};

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "hourglass", role: Watched, size: 3_000, seconds: 6.0, color: STONE, sizes: (1, 100_000), build: hourglass, check: has_run_through,
        about: "N balls with friction that run out of a hopper and heap up in a bin" },
];

/// Radius of a ball (m).
const RADIUS: f64 = 0.02;
/// The hopper's slopes above the horizontal (rad), and half their thickness (m).
const SLOPE: f64 = 0.87;
const HALF_THICKNESS: f64 = 0.01;

/// The sizes of an hourglass (m).
struct Glass {
    /// Half of the distance of the panes.
    depth: f64,
    /// Half of the bin's width.
    half: f64,
    /// Half of the slot's width: four balls side by side at least, so that they do not jam.
    slot: f64,
    /// The height of the slot.
    foot: f64,
}

impl Glass {
    fn of(n: usize) -> Self {
        let unit = RADIUS * cube_side(n).max(6) as f64;
        Self {
            depth: 0.5 * unit,
            half: 3.2 * unit,
            slot: (0.4 * unit).max(4.0 * RADIUS),
            foot: 2.4 * unit,
        }
    }

    /// `n` places in the hopper, layer upon layer from the slot up, each layer above the gaps of the one below; and the height
    /// above the last of them.
    fn fill(&self, n: usize) -> (Vec<[f64; 3]>, f64) {
        let (sin, cos) = sine_cosine(SLOPE);
        let mut random = Random(5);
        let mut places = Vec::with_capacity(n);
        let mut layer = 0;
        let height = |layer: usize| self.foot + RADIUS * (1.0 + 1.8 * layer as f64);
        while places.len() < n {
            let y = height(layer);
            let wide = self.slot + (y - self.foot) * cos / sin - 1.3 * RADIUS;
            let count = |half: f64| ((half / (1.1 * RADIUS)) as usize + 1 - layer % 2).max(1);
            let [columns, rows] = [wide, self.depth - RADIUS].map(count);
            for i in 0..(columns * rows).min(n - places.len()) {
                let mut along = |k: usize, count: usize| {
                    let from_middle = k as f64 - 0.5 * (count - 1) as f64;
                    2.2 * RADIUS * from_middle + random.within(0.05 * RADIUS)
                };
                places.push([along(i % columns, columns), y, along(i / columns, rows)]);
            }
            layer += 1;
        }
        (places, height(layer))
    }

    /// The bin, and the two slopes of a hopper that reaches up to `top`.
    fn colliders(&self, top: f64) -> Result<Vec<Collider>, ModelError> {
        let (sin, cos) = sine_cosine(SLOPE);
        let length = 0.5 * (top - self.foot) / sin;
        let x = self.slot + length * cos + HALF_THICKNESS * sin;
        let y = self.foot + length * sin - HALF_THICKNESS * cos;
        let mut colliders = Collider::bin([-self.half, self.half], [-self.depth, self.depth])?;
        for side in [-1.0, 1.0] {
            let (sin, cos) = sine_cosine(0.5 * side * SLOPE);
            let half_size = [length, HALF_THICKNESS, self.depth];
            colliders.push(Collider::cuboid([side * x, y, 0.0], half_size, [0.0, 0.0, sin, cos])?);
        }
        Ok(colliders)
    }
}

fn hourglass(n: usize) -> Result<Model, ModelError> {
    let glass = Glass::of(n);
    let (places, top) = glass.fill(n);
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (4, 4);
    for place in places {
        model.add_particle(place, [0.0; 3], 1.0 / 0.05)?;
    }
    model.set_contacts(Contacts {
        colliders: glass.colliders(top)?,
        radius: RADIUS,
        friction: Some(0.35),
        pairs: true,
        ..Contacts::default()
    })?;
    Ok(model)
}

/// All balls are in the bin; at last they lie in a heap that is higher in its middle than at its sides.
fn has_run_through(model: &Model, state: &Snapshot) -> Outcome {
    let n = model.positions().len();
    let glass = Glass::of(n);
    in_the_bin([glass.half, glass.depth], RADIUS, model, state)?;
    // More take longer to run out; few make no heap.
    if state.time < 6.0 || !(300..=3_000).contains(&n) || !is_as_built(model) {
        return Ok(());
    }
    let third = (glass.half / 3.0) as f32;
    let parts = state.positions.iter().partition::<Vec<[f32; 3]>, _>(|x| x[0].abs() < third);
    let [middle, sides] = [parts.0, parts.1].map(|part| mean_height(&part));
    ensure!(middle > 1.3 * sides; "no heap: the mean height is {middle:.3} m in the middle, {sides:.3} m beside it");
    let above = state.positions.iter().filter(|x| f64::from(x[1]) > glass.foot).count();
    ensure!(above < n / 20; "{above} of {n} balls are still in the hopper");
    Ok(())
}
