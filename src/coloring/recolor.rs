//! Colors of rows of which only some have changed: the others keep theirs.

use super::RowList;
use std::collections::BTreeMap;

/// The colors of all rows: those that have one keep it, each of the others takes, in its turn, the first color that no row of its
/// particles has. Where those kept are of a coloring, all are.
pub(crate) fn recolor(rows: RowList, kept: &[Option<u16>]) -> Vec<u16> {
    let all = || (0..).zip(kept);
    let mut taken = BTreeMap::<u32, Vec<u16>>::new();
    for (row, _) in all().filter(|(_, color)| color.is_none()) {
        for &i in rows.row(row) {
            taken.entry(i).or_default();
        }
    }
    if taken.is_empty() {
        return kept.iter().copied().flatten().collect();
    }
    for (row, &color) in all() {
        for i in rows.row(row) {
            taken.get_mut(i).into_iter().for_each(|colors| colors.extend(color));
        }
    }
    let mut color_of = |row: u32| {
        let is_free = |color: &u16| rows.row(row).iter().all(|i| !taken[i].contains(color));
        let color = (0..u16::MAX).find(is_free).expect("a particle of fewer rows than colors");
        let own = rows.row(row).iter();
        own.for_each(|i| taken.get_mut(i).into_iter().for_each(|colors| colors.push(color)));
        color
    };
    all().map(|(row, color)| color.unwrap_or_else(|| color_of(row))).collect()
}
