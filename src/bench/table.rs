//! Plain text tables.

/// A column: its header, and an item's cell.
pub type Column<'a, T> = (&'a str, &'a dyn Fn(&T) -> String);

/// A row for each item below a header and a rule; the first column to the left, the others to the right.
pub fn table<T>(items: &[T], columns: &[Column<T>]) -> String {
    let header: Vec<String> = columns.iter().map(|(name, _)| (*name).into()).collect();
    let cells = |item: &T| columns.iter().map(|(_, cell)| cell(item)).collect();
    let mut rows: Vec<Vec<String>> = items.iter().map(cells).collect();
    rows.insert(0, header);
    let widest = |c: usize| rows.iter().map(|row| row[c].chars().count()).max();
    let widths: Vec<usize> = (0..columns.len()).map(|c| widest(c).unwrap_or(0)).collect();
    rows.insert(1, widths.iter().map(|&w| "-".repeat(w)).collect());
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(c, (cell, &w))| match c {
            0 => format!("{cell:<w$}"),
            _ => format!("{cell:>w$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
