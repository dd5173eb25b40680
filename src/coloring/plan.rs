//! The plan of a model: where its particles lie and in which order its rows are projected.
//!
//! The colored order is kind, then color, then packet; kinds in order of first appearance. `colored` and `lanes` walk the
//! same plan, so their bits are equal.

use super::{Coloring, RowList, Structure, first_fit, renumber::reverse_cuthill_mckee};
use crate::error::ModelError;
use crate::model::Model;
use crate::particles::Numbering;

/// Numbering and colorings of a model.
pub struct Plan {
    /// Where the particles lie.
    pub numbering: Numbering,
    /// Whether the numbering was made by a generator so that rows form runs.
    pub structured: bool,
    /// A coloring for each of the model's row sets.
    pub colorings: Vec<Coloring>,
    /// The row sets in the order they are projected: kinds by first appearance.
    pub order: Vec<usize>,
}

impl Plan {
    /// The generator's structure where there is one, else reverse Cuthill-McKee and first fit along it.
    ///
    /// # Errors
    /// A structure that is no coloring, or of another model.
    pub fn new(model: &Model) -> Result<Self, ModelError> {
        let sets = model.rows();
        let mut order: Vec<usize> = (0..sets.len()).collect();
        let first = |set: usize| sets.iter().position(|s| s.name() == sets[set].name());
        order.sort_by_key(|&set| (first(set), set));
        let (numbering, colorings) = match model.structure() {
            Some(structure) => (
                structure.numbering.clone(),
                structured_colorings(model, structure)?,
            ),
            None => {
                let lists: Vec<RowList> = sets.iter().map(|set| set.row_list()).collect();
                let numbering = reverse_cuthill_mckee(&lists, model.positions().len());
                let colorings = lists
                    .iter()
                    .map(|&list| greedy_along(list, &numbering))
                    .collect();
                (numbering, colorings)
            }
        };
        Ok(Self {
            numbering,
            structured: model.structure().is_some(),
            colorings,
            order,
        })
    }
}

fn structured_colorings(model: &Model, hint: &Structure) -> Result<Vec<Coloring>, ModelError> {
    let particles = model.positions().len();
    if hint.numbering.as_slice().len() != particles {
        return Err(ModelError::Length {
            place: "structure.numbering",
            found: hint.numbering.as_slice().len(),
            expected: particles,
        });
    }
    let sets = model.rows().iter().enumerate();
    sets.map(|(i, set)| {
        let rows = set.row_list();
        match hint.partition(i) {
            Some(colors) => Coloring::verify(rows, particles, colors),
            None => Ok(greedy_along(rows, &hint.numbering)), // rows added after the generator
        }
    })
    .collect()
}

/// First fit over the rows in the order their particles are stored.
fn greedy_along(rows: RowList, numbering: &Numbering) -> Coloring {
    let place = |row: u32| rows.row(row).iter().map(|&i| numbering.storage(i)).min();
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    order.sort_by_cached_key(|&row| (place(row), row));
    first_fit(rows, numbering.as_slice().len(), order.into_iter())
}
