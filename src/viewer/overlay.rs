//! Colors of surfaces and lines: one color, the stretch, the batch color or the speed.

use crate::model::Model;
use crate::render::color;
use crate::state::Snapshot;
use std::collections::BTreeSet;

/// What the colors of a picture show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlay {
    /// Nothing: one color.
    #[default]
    Plain,
    /// The strain of distance rows or edges, the mean over those of a particle: blue shorter, red longer.
    Stretch,
    /// A row's color in the coloring.
    Batch,
    /// The speed of a particle, or of a body's center.
    Speed,
}

impl Overlay {
    /// All overlays, in the order the viewer goes through them.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Stretch, Self::Batch, Self::Speed];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Stretch => "stretch",
            Self::Batch => "batch",
            Self::Speed => "speed",
        }
    }
}

/// What tells a model's stretch: its distance rows, and where there are none the edges of what is shown, of tetrahedra or clusters.
pub(super) struct Springs {
    ends: Vec<[u32; 2]>,
    rest_lengths: Vec<f32>,
}

impl Springs {
    pub fn of(model: &Model, shown: &[[u32; 3]]) -> Self {
        let (mut ends, mut rest_lengths) = (Vec::new(), Vec::new());
        for set in model.row_sets().filter(|set| set.kind == "distance") {
            ends.extend(set.particles.rows().map(|row| [row[0], row[1]]));
            rest_lengths.extend(set.params);
        }
        let mut held = vec![false; model.positions().len()];
        ends.iter().flatten().for_each(|&i| held[i as usize] = true);
        let sides = shown.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let sides = sides.filter(|ends| ends.iter().all(|&i| !held[i as usize]));
        let sides: BTreeSet<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        rest_lengths.extend(sides.iter().map(|&ends| distance(model.positions(), ends)));
        ends.extend(sides);
        Self { ends, rest_lengths }
    }

    /// (|a - b| - d) / d, the mean over the rows of each particle; 0 without rows.
    pub fn strains(&self, positions: &[[f32; 3]]) -> Vec<f32> {
        let mut sums = vec![[0.0_f32; 2]; positions.len()];
        for (&ends, &d) in self.ends.iter().zip(&self.rest_lengths) {
            if d > 0.0 {
                let [a, b] = ends;
                let strain = (distance(positions, ends) - d) / d;
                for i in [a, b] {
                    sums[i as usize][0] += strain;
                    sums[i as usize][1] += 1.0;
                }
            }
        }
        sums.into_iter().map(|[s, n]| s / n.max(1.0)).collect()
    }
}

/// The distance of two particles (m).
pub(super) fn distance(positions: &[[f32; 3]], [a, b]: [u32; 2]) -> f32 {
    let (a, b) = (positions[a as usize], positions[b as usize]);
    let square: f32 = (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum();
    square.sqrt()
}

/// |v| (m/s).
fn speed(v: &[f32]) -> f32 {
    v.iter().map(|v| v * v).sum::<f32>().sqrt()
}

/// The speed of each particle (m/s).
pub(super) fn speeds(state: &Snapshot) -> Vec<f32> {
    state.velocities.iter().map(|v| speed(v)).collect()
}

/// The speed of each body's center (m/s).
pub(super) fn body_speeds(state: &Snapshot) -> Vec<f32> {
    state.body_velocities.iter().map(|v| speed(&v[..3])).collect()
}

/// The size that one value in fifty exceeds: a few odd particles do not set the scale.
pub(super) fn typical_most(values: &[f32]) -> f32 {
    let mut sizes: Vec<f32> = values.iter().map(|v| v.abs()).collect();
    sizes.retain(|v| v.is_finite());
    sizes.sort_unstable_by(f32::total_cmp);
    let at = sizes.len().saturating_sub(1 + sizes.len() / 50);
    sizes.get(at).copied().unwrap_or(0.0)
}

/// The least of 1, 2, 5, 10, 20 ... thousandths that is not below `value`: a full scale that reads well.
pub(super) fn round_up(value: f32) -> f32 {
    let mut unit = 1_u32;
    while unit < 100_000_000 {
        for step in [1, 2, 5] {
            let scale = (unit * step) as f32 / 1000.0;
            if value <= scale {
                return scale;
            }
        }
        unit *= 10;
    }
    f32::MAX
}

/// The colors of an overlay's scale from its least to its most, for a legend.
pub(super) fn scale_color(overlay: Overlay, share: f32) -> u32 {
    match overlay {
        Overlay::Stretch => color::diverging(2.0 * share - 1.0),
        _ => color::sequential(share),
    }
}
