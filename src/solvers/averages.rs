//! What corrections to a particle are averaged over.

use crate::model::Model;
use crate::settings::JacobiMode;

/// Whether inequalities are counted anew before each iteration.
pub(super) fn counts_inequalities(model: &Model) -> bool {
    let mut sets = model.rows().iter();
    model.settings.jacobi != JacobiMode::Sum && sets.any(|set| set.is_inequality())
}

/// What n_i of each particle begins with, authored order: the equalities that name it; one where it cannot move, and for all
/// where sums are taken as they are. Inequalities that act are added to it; none is one.
pub(super) fn counts(model: &Model) -> Vec<f32> {
    let mut counts = vec![0.0_f32; model.positions().len()];
    if model.settings.jacobi == JacobiMode::Sum {
        counts.fill(1.0);
    } else {
        for set in model.rows().iter().filter(|set| !set.is_inequality()) {
            for &i in set.row_list().particles {
                counts[i as usize] += 1.0;
            }
        }
    }
    for (n, &w) in counts.iter_mut().zip(model.inverse_masses()) {
        *n = if w > 0.0 { *n } else { 1.0 };
    }
    counts
}
