//! Plain text tables.

/// Rows of cells as aligned columns, a header and a rule; the first column to the left, the others to the right.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let width = |c: usize| {
        let cells = rows.iter().map(|row| row[c].chars().count());
        cells.chain([header[c].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let mut out = String::new();
    let mut line = |cells: &mut dyn Iterator<Item = &str>| {
        let padded = cells
            .zip(&widths)
            .enumerate()
            .map(|(c, (cell, &w))| match c {
                0 => format!("{cell:<w$}"),
                _ => format!("{cell:>w$}"),
            });
        out.push_str(padded.collect::<Vec<_>>().join("  ").trim_end());
        out.push('\n');
    };
    line(&mut header.iter().copied());
    let rule: Vec<String> = widths.iter().map(|&w| "-".repeat(w)).collect();
    line(&mut rule.iter().map(String::as_str));
    for row in rows {
        line(&mut row.iter().map(String::as_str));
    }
    out
}
