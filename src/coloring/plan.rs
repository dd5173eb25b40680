//! The plan of a model: where its particles lie and in which order its rows are projected.
//!
//! The colored order is band, then kind, then color, then packet; kinds in order of first appearance. A band is a stretch of
//! storage small enough to stay in a core's cache while all its colors pass over it; a small scene is one band. `colored`
//! and `lanes` walk the same plan, so their bits are equal.

use super::greedy::FirstFit;
use super::renumber::reverse_cuthill_mckee;
use super::{Coloring, RowList, ordered};
use crate::coloring::Numbering;
use crate::error::ModelError;
use crate::math::WIDTH;
use crate::model::Model;
use crate::rows::Span;

/// One color of one row set in one band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The band.
    pub band: usize,
    /// The row set.
    pub set: usize,
    /// The color, an index into the set's [`Coloring`].
    pub color: usize,
}

/// Numbering, colorings and order of a model.
pub struct Plan {
    /// Where the particles lie.
    pub numbering: Numbering,
    /// Whether the numbering was made by a generator so that rows form runs.
    pub structured: bool,
    /// A coloring for each of the model's row sets; colors are counted through all bands.
    pub colorings: Vec<Coloring>,
    /// The colored order.
    pub phases: Vec<Phase>,
    /// Places in a band: band b holds the rows whose first place is one of the b-th that many.
    pub band_places: usize,
}

/// A scene whose rows and particles take no more than this many bytes is one band: it stays in a second-level cache.
const ONE_BAND: usize = 1 << 20;
/// Bytes of rows and particles in a band otherwise: a wavefront has a band under way for every iteration, and its workers
/// start a few bands apart.
const BAND: usize = 32 << 10;
/// The same where packets gather. Rows stream well, so one band does for as long as the particles stay in cache; and colors
/// of a small band leave too many rows for the tail.
const ONE_GATHERED_BAND: usize = 8 << 20;
const GATHERED_BAND: usize = 384 << 10;
/// About what a particle slot of a row takes: its index, and its share of parameters, response and multipliers.
const SLOT_BYTES: usize = 10;
/// Position and inverse mass.
const PARTICLE_BYTES: usize = 16;

impl Plan {
    /// The generator's structure where there is one, else reverse Cuthill-McKee and first fit along it.
    ///
    /// # Errors
    /// A structure that is no coloring, or of another model.
    pub fn new(model: &Model) -> Result<Self, ModelError> {
        let sets = model.rows();
        let particles = model.positions().len();
        let lists: Vec<RowList> = sets.iter().map(|set| set.row_list()).collect();
        let structure = model.structure();
        let numbering = match structure {
            Some(structure) if structure.numbering.as_slice().len() == particles => {
                structure.numbering.clone()
            }
            Some(structure) => {
                return Err(ModelError::Length {
                    place: "structure.numbering",
                    found: structure.numbering.as_slice().len(),
                    expected: particles,
                });
            }
            None => reverse_cuthill_mckee(&lists, particles),
        };
        let layer = structure.map_or(1, |structure| structure.layer);
        let bytes = match structure {
            Some(_) => (ONE_BAND, BAND),
            None => (ONE_GATHERED_BAND, GATHERED_BAND),
        };
        // Parts follow the rows of every iteration, so iterations cannot overlap, and bands would only make phases small.
        let band_places = match model.parts().next().is_none() {
            true => band_places(&lists, numbering.places(), layer, bytes),
            false => numbering.places().max(1),
        };
        let mut order: Vec<usize> = (0..sets.len()).collect();
        let first = |set: usize| sets.iter().position(|s| s.name() == sets[set].name());
        order.sort_by_key(|&set| (first(set), set));

        let mut first_fit = FirstFit::new(particles);
        let mut phases = Vec::new();
        let mut colorings = Vec::new();
        for (set, &rows) in lists.iter().enumerate() {
            let bands = rows_of_bands(rows, &numbering, band_places);
            let hint = structure.and_then(|structure| structure.colors.get(set));
            if let Some(hint) = hint.filter(|hint| hint.len() != rows.len()) {
                let (found, expected) = (hint.len(), rows.len());
                let what = format!("a structure of {found} rows for {expected}");
                return Err(ModelError::Coloring(what));
            }
            let mut colors = Vec::new();
            for (band, members) in bands.into_iter().enumerate() {
                let before = colors.len();
                match hint {
                    Some(hint) => by_hint(hint, &members, &mut colors),
                    None => first_fit.fit(rows, members, &mut colors), // also rows added after the generator
                }
                phases.extend((before..colors.len()).map(|color| Phase { band, set, color }));
            }
            colorings.push(Coloring::verify(rows, particles, colors)?);
        }
        let kind = |set: usize| order.iter().position(|&s| s == set);
        phases.sort_by_key(|phase| (phase.band, kind(phase.set), phase.color));
        Ok(Self {
            numbering,
            structured: structure.is_some(),
            colorings,
            phases,
            band_places,
        })
    }

    /// The authored order by levels (method `ordered`), along a reverse Cuthill-McKee numbering.
    ///
    /// # Errors
    /// None that a valid model can cause: levels are proved like any coloring.
    pub fn ordered(model: &Model) -> Result<Self, ModelError> {
        let lists: Vec<RowList> = model.rows().iter().map(|set| set.row_list()).collect();
        let (colorings, phases) = ordered::schedule(model)?;
        let numbering = reverse_cuthill_mckee(&lists, model.positions().len());
        Ok(Self {
            band_places: numbering.places().max(1),
            numbering,
            structured: false,
            colorings,
            phases,
        })
    }

    /// The rows of each set, color by color.
    pub fn rows(&self) -> Vec<Vec<u32>> {
        self.colorings.iter().map(|c| c.colors().concat()).collect()
    }

    /// The phases as runs of [`rows`](Self::rows).
    pub fn spans(&self) -> Vec<Span> {
        // A set's colors are counted through all bands, so its rows, color by color, are met in that order.
        let mut next = vec![0; self.colorings.len()];
        let span = |phase: &Phase| {
            let color = &self.colorings[phase.set].colors()[phase.color];
            let first = next[phase.set];
            next[phase.set] += color.len();
            Span {
                set: phase.set,
                rows: first..next[phase.set],
            }
        };
        self.phases.iter().map(span).collect()
    }

    /// Rows of each color of a set, all bands together: their number is that of the colors in a band.
    pub fn color_sizes(&self, set: usize) -> Vec<usize> {
        let mut sizes: Vec<usize> = Vec::new();
        let phases = self.phases.iter().filter(|phase| phase.set == set);
        let mut last = None;
        let mut color = 0;
        for phase in phases {
            color = if last == Some(phase.band) {
                color + 1
            } else {
                0
            };
            last = Some(phase.band);
            if sizes.len() == color {
                sizes.push(0);
            }
            sizes[color] += self.colorings[set].colors()[phase.color].len();
        }
        sizes
    }

    /// Colors of all sets together, in a band.
    pub fn colors(&self) -> usize {
        let sets = 0..self.colorings.len();
        sets.map(|set| self.color_sizes(set).len()).sum()
    }

    /// The number of bands.
    pub fn bands(&self) -> usize {
        self.numbering.places().div_ceil(self.band_places)
    }
}

/// Places of a band of `band` bytes, in whole layers; of all, where all are not more than `one`.
fn band_places(
    lists: &[RowList],
    places: usize,
    layer: usize,
    (one, band): (usize, usize),
) -> usize {
    let slots: usize = lists.iter().map(|list| list.particles.len()).sum();
    let bytes = slots * SLOT_BYTES + places * PARTICLE_BYTES;
    match bytes <= one {
        true => places.max(1),
        false => {
            // Whole layers, and whole blocks of eight: particles are predicted band by band too.
            let layer = if layer.is_multiple_of(WIDTH) {
                layer
            } else {
                layer * WIDTH
            };
            (places * band / bytes)
                .next_multiple_of(layer.max(WIDTH))
                .max(layer.max(WIDTH))
        }
    }
}

/// The rows of each band, by the first place of each row, in the order of that place.
fn rows_of_bands(rows: RowList, numbering: &Numbering, band_places: usize) -> Vec<Vec<u32>> {
    let place = |row: u32| {
        let places = rows.row(row).iter().map(|&i| numbering.storage(i));
        places.min().expect("a row names a particle")
    };
    let mut order: Vec<(u32, u32)> = (0..rows.len() as u32)
        .map(|row| (place(row), row))
        .collect();
    order.sort_unstable();
    let mut bands = vec![Vec::new(); numbering.places().div_ceil(band_places)];
    for (place, row) in order {
        bands[place as usize / band_places].push(row);
    }
    bands
}

/// Splits the rows of a band by the generator's colors.
fn by_hint(hint: &[u16], members: &[u32], colors: &mut Vec<Vec<u32>>) {
    let mut parts: Vec<Vec<u32>> = Vec::new();
    for &row in members {
        let color = usize::from(hint[row as usize]);
        if parts.len() <= color {
            parts.resize(color + 1, Vec::new());
        }
        parts[color].push(row);
    }
    colors.extend(parts.into_iter().filter(|part| !part.is_empty()));
}
