//! A hollow surface as convex parts: voxels, cut by planes as long as what they leave is not convex (Mamou and Ghorbel, *A
//! simple and efficient approach for 3D mesh approximate convex decomposition*, 2009; V-HACD of the crate `parry3d`).

use super::hull_of;
use parry3d::math::Vector;
use parry3d::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d::transformation::voxelization::FillMode;

/// Corners (m) and triangles.
type Surface = (Vec<[f32; 3]>, Vec<[u32; 3]>);

/// Voxels along the longest side: a wall of that part of it is still told from a solid.
const RESOLUTION: u32 = 96;
/// Parts whose hull is larger than they are by less than this share of the whole are convex.
const CONCAVITY: f32 = 0.002;

/// At most so many convex surfaces that together are about the closed surface: each is the hull of the stretch of surface that
/// its voxels meet, so no part reaches beyond the hull of the whole. The same on every machine.
pub(crate) fn convex_parts((corners, triangles): &Surface, most: usize) -> Vec<Surface> {
    let points: Vec<Vector> = corners.iter().map(|&[x, y, z]| Vector::new(x, y, z)).collect();
    let how = VHACDParameters {
        resolution: RESOLUTION,
        concavity: CONCAVITY,
        max_convex_hulls: most as u32,
        fill_mode: FillMode::FloodFill { detect_cavities: true },
        ..VHACDParameters::default()
    };
    let split = VHACD::decompose(&how, &points, triangles, true);
    let parts = split.compute_primitive_intersections(&points, triangles);
    parts.iter().filter_map(|points| hull(points)).collect()
}

/// None where the points are flat.
fn hull(points: &[Vector]) -> Option<Surface> {
    let convex = hull_of(points.iter().map(|p| [p.x, p.y, p.z]))?;
    let corners = convex.corners.iter().map(|p| p.to_array().map(|v| v as f32));
    Some((corners.collect(), convex.triangles().collect()))
}
