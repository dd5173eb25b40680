//! Areas, volumes and masses of a mesh, in f64 from f32 positions in meters, summed in the order of the list.

use crate::math::Vec3;

/// A length ratio under which an element counts as flat: f32 positions do not say more.
const FLAT: f64 = 1e-6;

/// Where vertex `i` is (m), in f64.
///
/// # Panics
/// Where it has no position.
pub fn point(positions: &[[f32; 3]], i: u32) -> Vec3<f64> {
    Vec3::of(positions[i as usize].map(f64::from))
}

/// The distance of two vertices (m).
///
/// # Panics
/// Where one has no position.
pub fn edge_length(positions: &[[f32; 3]], [a, b]: [u32; 2]) -> f64 {
    (point(positions, a) - point(positions, b)).length()
}

/// The corners of an element.
fn place<const N: usize>(positions: &[[f32; 3]], element: &[u32; N]) -> [Vec3<f64>; N] {
    element.map(|vertex| point(positions, vertex))
}

/// The length of an element's longest edge in m.
fn longest<const N: usize>(corners: &[Vec3<f64>; N]) -> f64 {
    let mut longest = 0.0_f64;
    for (i, &a) in corners.iter().enumerate() {
        for &b in &corners[i + 1..] {
            longest = longest.max((a - b).length());
        }
    }
    longest
}

/// The area of each triangle in m².
///
/// # Panics
/// Where a triangle names a vertex that has no position.
pub fn triangle_areas(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<f64> {
    let area = |triangle| {
        let [a, b, c] = place(positions, triangle);
        (b - a).cross(c - a).length() / 2.0
    };
    triangles.iter().map(area).collect()
}

/// The signed volume of each tetrahedron a b c d in m³: (b-a) · ((c-a) × (d-a)) / 6.
///
/// # Panics
/// Where a tetrahedron names a vertex that has no position.
pub fn tetrahedron_volumes(positions: &[[f32; 3]], tetrahedra: &[[u32; 4]]) -> Vec<f64> {
    let volume = |tetrahedron| {
        let [a, b, c, d] = place(positions, tetrahedron);
        (b - a).dot((c - a).cross(d - a)) / 6.0
    };
    tetrahedra.iter().map(volume).collect()
}

/// The volume a closed surface encloses in m³: positive where it is wound outward. Of an open surface it means nothing.
///
/// # Panics
/// Where a triangle names a vertex that has no position.
pub fn enclosed_volume(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> f64 {
    let Some(first) = triangles.first() else {
        return 0.0;
    };
    // Seen from a vertex, not from the origin: a small mesh far away would cancel.
    let [origin, ..] = place(positions, first);
    let cone = |triangle| {
        let [a, b, c] = place(positions, triangle).map(|corner| corner - origin);
        a.dot(b.cross(c)) / 6.0
    };
    triangles.iter().map(cone).sum()
}

/// The mass of each of `count` vertices in kg: every element shares its mass equally among its vertices.
///
/// `measures` are [`triangle_areas`] with a `density` in kg/m², or [`tetrahedron_volumes`] with one in kg/m³; an inverted
/// tetrahedron has mass like any other. A vertex no element names has mass 0.
///
/// # Panics
/// Where an element names a vertex of `count` or above.
pub fn lump_masses<const N: usize>(
    count: usize,
    elements: &[[u32; N]],
    measures: &[f64],
    density: f64,
) -> Vec<f64> {
    let mut masses = vec![0.0; count];
    for (element, measure) in elements.iter().zip(measures) {
        for &vertex in element {
            masses[vertex as usize] += measure.abs() * density / N as f64;
        }
    }
    masses
}

/// How many triangles have no area: a height under a millionth of their longest edge.
pub(super) fn count_flat_triangles(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> usize {
    let areas = triangle_areas(positions, triangles);
    let flat = |(triangle, area): &(&[u32; 3], f64)| {
        2.0 * area <= FLAT * longest(&place(positions, triangle)).powi(2)
    };
    triangles.iter().zip(areas).filter(flat).count()
}

/// How many tetrahedra have no volume: 6 V under a millionth of their longest edge cubed.
pub(super) fn count_flat_tetrahedra(positions: &[[f32; 3]], tetrahedra: &[[u32; 4]]) -> usize {
    let volumes = tetrahedron_volumes(positions, tetrahedra);
    let flat = |(tetrahedron, volume): &(&[u32; 4], f64)| {
        6.0 * volume.abs() <= FLAT * longest(&place(positions, tetrahedron)).powi(3)
    };
    tetrahedra.iter().zip(volumes).filter(flat).count()
}
