//! What corrections to a particle are averaged over.

use crate::model::Model;
use crate::settings::JacobiMode;

/// n_i of each particle, authored order: the rows that name it, at least one; one for all where sums are taken as they are.
pub(super) fn counts(model: &Model) -> Vec<f32> {
    let mut counts = vec![0.0_f32; model.positions().len()];
    if model.settings.jacobi != JacobiMode::Sum {
        for set in model.rows() {
            for &i in set.row_list().particles {
                counts[i as usize] += 1.0;
            }
        }
    }
    for (n, &w) in counts.iter_mut().zip(model.inverse_masses()) {
        *n = if w > 0.0 { n.max(1.0) } else { 1.0 };
    }
    counts
}
