//! The plan of a model: where its particles lie and in which order its rows are projected.
//!
//! The colored order is tile, then kind, then color, then packet; kinds in order of first appearance. A tile is a stretch of
//! storage small enough to stay in a core's cache while all its colors pass over it; a small scene is one tile. `colored`
//! and `lanes` walk the same plan, so their bits are equal.

use super::greedy::FirstFit;
use super::renumber::reverse_cuthill_mckee;
use super::{Coloring, GridLayout, Permutation, Phase, RowList, Span, ordered};
use crate::error::ModelError;
use crate::math::WIDTH;

/// What a plan is made of.
pub struct PlanInput<'a> {
    /// The number of particles.
    pub particles: usize,
    /// The kind's name and the rows of each row set.
    pub sets: Vec<(&'static str, RowList<'a>)>,
    /// The authored order.
    pub order: &'a [Span],
    /// The generator's hint.
    pub layout: Option<&'a GridLayout>,
    /// Whether subsystems follow the rows of every iteration: iterations cannot overlap then, and tiles would only make
    /// phases small.
    pub is_followed: bool,
    /// Whether colors that no generator gives are made of similar size.
    pub is_balanced: bool,
}

/// Permutation, colorings and order of a model.
pub struct Plan {
    /// Where the particles lie.
    pub permutation: Permutation,
    /// Whether the permutation was made by a generator so that rows form runs.
    pub structured: bool,
    /// A coloring for each of the model's row sets; colors are counted through all tiles.
    pub colorings: Vec<Coloring>,
    /// The colored order.
    pub phases: Vec<Phase>,
    /// Slots in a tile: tile b holds the rows whose first slot is one of the b-th that many.
    pub tile_slots: usize,
}

/// A scene whose rows and particles take no more than this many bytes is one tile: not worth a second thread.
const ONE_TILE: usize = 128 << 10;
/// Most bytes of rows and particles in a tile otherwise: a wavefront has a tile under way for every iteration.
const TILE: usize = 32 << 10;
/// The same where packets gather. Rows stream well, so one tile does for as long as the particles stay in cache; and colors
/// of a small tile leave too many rows for the tail.
const ONE_GATHERED_TILE: usize = 8 << 20;
const GATHERED_TILE: usize = 384 << 10;
/// Fewest tiles of a grid that is not one: workers of a wavefront start a few tiles apart.
const TILES: usize = 16;
/// About what a particle slot of a row takes: its index, and its share of parameters, response and multipliers.
const SLOT_BYTES: usize = 10;
/// Position and inverse mass.
const PARTICLE_BYTES: usize = 16;

impl<'a> PlanInput<'a> {
    /// The rows of each set.
    pub(super) fn lists(&self) -> Vec<RowList<'a>> {
        self.sets.iter().map(|(_, rows)| *rows).collect()
    }

    fn permutation(&self) -> Result<Permutation, ModelError> {
        match self.layout.map(|layout| &layout.permutation) {
            Some(given) if given.as_slice().len() != self.particles => Err(ModelError::Length {
                place: "layout.permutation",
                found: given.as_slice().len(),
                expected: self.particles,
            }),
            Some(given) => Ok(given.clone()),
            None => Ok(reverse_cuthill_mckee(&self.lists(), self.particles)),
        }
    }

    /// The generator's colors of a set; none for rows added after it.
    fn hint(&self, set: usize) -> Result<Option<&'a [u16]>, ModelError> {
        let hint = self.layout.and_then(|layout| layout.colors.get(set));
        let (rows, hint) = (self.sets[set].1.len(), hint.map(Vec::as_slice));
        match hint {
            Some(hint) if hint.len() != rows => {
                let what = format!("a layout of {} rows for {rows}", hint.len());
                Err(ModelError::Coloring(what))
            }
            hint => Ok(hint),
        }
    }

    /// Slots of a tile, in whole layers; all, where rows and particles are small or iterations cannot overlap.
    fn tile_slots(&self, slot_count: usize) -> usize {
        let slots: usize = self.sets.iter().map(|(_, l)| l.particles.len()).sum();
        let bytes = slots * SLOT_BYTES + slot_count * PARTICLE_BYTES;
        let (one, tile) = match self.layout {
            Some(_) => (ONE_TILE, TILE.min(bytes / TILES)),
            None => (ONE_GATHERED_TILE, GATHERED_TILE),
        };
        if self.is_followed || bytes <= one {
            return slot_count.max(1);
        }
        // Whole layers, and whole blocks of eight: particles are predicted tile by tile too.
        let layer = match self.layout.map_or(1, |layout| layout.layer) {
            layer if layer.is_multiple_of(WIDTH) => layer.max(WIDTH),
            layer => layer * WIDTH,
        };
        (slot_count * tile / bytes).next_multiple_of(layer).max(layer)
    }
}

impl Plan {
    /// The generator's layout where there is one, else reverse Cuthill-McKee and first fit along it.
    ///
    /// # Errors
    /// A layout that is no coloring, or of another model.
    pub fn new(input: &PlanInput) -> Result<Self, ModelError> {
        let lists = input.lists();
        let permutation = input.permutation()?;
        let tile_slots = input.tile_slots(permutation.slot_count());
        let mut first_fit = FirstFit::new(input.particles, input.is_balanced);
        let mut phases = Vec::new();
        let mut colorings = Vec::new();
        for (set, &rows) in lists.iter().enumerate() {
            let hint = input.hint(set)?;
            let (order, ends) = rows_of_tiles(rows, &permutation, tile_slots);
            let mut begin = 0;
            let mut colors = Vec::new();
            for (tile, end) in ends.into_iter().enumerate() {
                let before = colors.len();
                let members = &order[begin..end];
                begin = end;
                match hint {
                    Some(hint) => by_hint(hint, members, &mut colors),
                    None => first_fit.fit(rows, members.to_vec(), &mut colors), // also rows added after the generator
                }
                phases.extend((before..colors.len()).map(|color| Phase { tile, set, color }));
            }
            colorings.push(Coloring::verify(rows, input.particles, colors)?);
        }
        // Kinds in order of first appearance, and the sets of a kind in theirs.
        let kind = |set: usize| input.sets.iter().position(|s| s.0 == input.sets[set].0);
        phases.sort_by_key(|phase| (phase.tile, kind(phase.set), phase.set, phase.color));
        Ok(Self { permutation, structured: input.layout.is_some(), colorings, phases, tile_slots })
    }

    /// The authored order by levels (method `ordered`), along a reverse Cuthill-McKee permutation.
    ///
    /// # Errors
    /// None that a valid model can cause: levels are proved like any coloring.
    pub fn ordered(input: &PlanInput) -> Result<Self, ModelError> {
        let lists = input.lists();
        let (colorings, phases) = ordered::schedule(&lists, input.particles, input.order)?;
        Ok(Self {
            colorings,
            phases,
            ..Self::unordered(reverse_cuthill_mckee(&lists, input.particles))
        })
    }

    /// No rows: those that will be projected stand in an order of their own.
    pub(crate) fn unordered(permutation: Permutation) -> Self {
        Self {
            tile_slots: permutation.slot_count().max(1),
            permutation,
            structured: false,
            colorings: Vec::new(),
            phases: Vec::new(),
        }
    }

    /// The rows of each set, color by color.
    pub fn rows(&self) -> Vec<Vec<u32>> {
        self.colorings.iter().map(|c| c.colors().concat()).collect()
    }

    /// The phases as runs of [`rows`](Self::rows).
    pub fn spans(&self) -> Vec<Span> {
        // A set's colors are counted through all tiles, so its rows, color by color, are met in that order.
        let mut next = vec![0; self.colorings.len()];
        let span = |phase: &Phase| {
            let color = &self.colorings[phase.set].colors()[phase.color];
            let first = next[phase.set];
            next[phase.set] += color.len();
            Span { set: phase.set, rows: first..next[phase.set] }
        };
        self.phases.iter().map(span).collect()
    }

    /// Rows of each color of a set, all tiles together: their number is that of the colors in a tile.
    pub fn color_sizes(&self, set: usize) -> Vec<usize> {
        let mut sizes: Vec<usize> = Vec::new();
        let phases = self.phases.iter().filter(|phase| phase.set == set);
        let mut last = None;
        let mut color = 0;
        for phase in phases {
            color = if last == Some(phase.tile) { color + 1 } else { 0 };
            last = Some(phase.tile);
            if sizes.len() == color {
                sizes.push(0);
            }
            sizes[color] += self.colorings[set].colors()[phase.color].len();
        }
        sizes
    }

    /// Colors of all sets together, in a tile.
    pub fn colors(&self) -> usize {
        let sets = 0..self.colorings.len();
        sets.map(|set| self.color_sizes(set).len()).sum()
    }

    /// The number of tiles.
    pub fn tiles(&self) -> usize {
        self.permutation.slot_count().div_ceil(self.tile_slots)
    }
}

/// The rows in the order of the first slot of each, those of one slot as authored; and where each tile's end. Sorted by
/// counting: a large cloth has as many rows as memory has room for, and they are sorted where they lie.
fn rows_of_tiles(
    rows: RowList,
    permutation: &Permutation,
    tile_slots: usize,
) -> (Vec<u32>, Vec<usize>) {
    let slot = |row: u32| {
        let slots = rows.row(row).iter().map(|&i| permutation.storage(i));
        slots.min().expect("a row names a particle") as usize
    };
    let count = rows.len() as u32;
    // How many rows begin at each slot, then where its next row goes, in the end where its rows end.
    let mut next = vec![0_u32; permutation.slot_count()];
    (0..count).for_each(|row| next[slot(row)] += 1);
    let mut begin = 0;
    for next in &mut next {
        begin += std::mem::replace(next, begin);
    }
    let mut order = vec![0; rows.len()];
    for row in 0..count {
        let next = &mut next[slot(row)];
        order[*next as usize] = row;
        *next += 1;
    }
    let tiles = next.chunks(tile_slots);
    let ends = tiles.map(|tile| tile.last().map_or(0, |&end| end as usize));
    (order, ends.collect())
}

/// Splits the rows of a tile by the generator's colors.
fn by_hint(hint: &[u16], members: &[u32], colors: &mut Vec<Vec<u32>>) {
    let color = |row: &u32| usize::from(hint[*row as usize]);
    let mut sizes = vec![0; members.iter().map(color).max().map_or(0, |last| last + 1)];
    members.iter().for_each(|row| sizes[color(row)] += 1);
    let mut by_color: Vec<Vec<u32>> = sizes.into_iter().map(Vec::with_capacity).collect();
    for row in members {
        by_color[color(row)].push(*row);
    }
    colors.extend(by_color.into_iter().filter(|rows| !rows.is_empty()));
}
