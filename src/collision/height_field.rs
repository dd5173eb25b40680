//! Height fields as triangles.

use crate::error::ModelError;

/// Points (m) and triangles.
type Triangles = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// Two triangles a cell, facing up, about the middle of a grid with points `spacing` (m) apart along x and z; rows of heights lie
/// along x.
///
/// # Errors
/// Fewer than two rows or points in a row, rows of different lengths.
pub(super) fn triangulate(
    spacing: [f64; 2],
    heights: &[Vec<f64>],
) -> Result<Triangles, ModelError> {
    let (nz, nx) = (heights.len(), heights.first().map_or(0, Vec::len));
    if nx < 2 || nz < 2 || heights.iter().any(|row| row.len() != nx) {
        let rule = "rows must be two or more, of as many heights, two or more";
        return Err(ModelError::value("collider.heights", nz as f64, rule));
    }
    let at = |i: usize, n: usize, step: f64| step * (i as f64 - 0.5 * (n - 1) as f64);
    let point = |i: usize| {
        let (x, z) = (i % nx, i / nx);
        [at(x, nx, spacing[0]), heights[z][x], at(z, nz, spacing[1])]
    };
    let cell = |i: usize| {
        let corner = i / (nx - 1) * nx + i % (nx - 1);
        let [a, b, c, d] = [0, 1, nx, nx + 1].map(|k| (corner + k) as u32);
        [[a, c, d], [a, d, b]]
    };
    let points = (0..nx * nz).map(point).collect();
    Ok((points, (0..(nx - 1) * (nz - 1)).flat_map(cell).collect()))
}
