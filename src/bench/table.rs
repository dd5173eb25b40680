//! Plain text tables.

/// A column: its header, and an item's cell.
pub type Column<'a, T> = (&'a str, &'a dyn Fn(&T) -> String);

/// A header, and a row for each item.
pub fn rows<T>(items: &[T], columns: &[Column<T>]) -> Vec<Vec<String>> {
    let header: Vec<String> = columns.iter().map(|(name, _)| (*name).into()).collect();
    let cells = |item: &T| columns.iter().map(|(_, cell)| cell(item)).collect();
    [header].into_iter().chain(items.iter().map(cells)).collect()
}

/// A row for each item below a header and a rule; the first column to the left, the others to the right.
pub fn table<T>(items: &[T], columns: &[Column<T>]) -> String {
    layout(&rows(items, columns))
}

/// Rows as text, a rule below the first.
pub fn layout(rows: &[Vec<String>]) -> String {
    let mut rows = rows.to_vec();
    let columns = rows[0].len();
    let widest = |c: usize| rows.iter().map(|row| row[c].chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|c| widest(c).unwrap_or(0)).collect();
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
