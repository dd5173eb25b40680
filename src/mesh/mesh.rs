//! A mesh as read: vertices, triangles or tetrahedra, and what is odd about them.

use super::measure::{count_flat_tetrahedra, count_flat_triangles, tetrahedron_volumes};
use super::topology::{Distinct, count_unused, keep_distinct, survey_surface};

/// A mesh of triangles (a surface) or tetrahedra (a solid; its surface is [`surface_triangles`](super::surface_triangles)).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Where the vertices are, in meters, in the order of the file; all finite.
    pub positions: Vec<[f32; 3]>,
    /// Three different vertices each, no two triangles with the same three.
    pub triangles: Vec<[u32; 3]>,
    /// Four different vertices each, no two tetrahedra with the same four. Inverted ones are as the file has them.
    pub tetrahedra: Vec<[u32; 4]>,
    /// What a user should know: one sentence each, with counts.
    pub warnings: Vec<String>,
}

impl Mesh {
    /// A mesh without the elements that name a vertex twice or repeat another element, and with warnings.
    ///
    /// # Panics
    /// Where an element names a vertex that has no position.
    pub fn new(
        positions: Vec<[f32; 3]>,
        triangles: Vec<[u32; 3]>,
        tetrahedra: Vec<[u32; 4]>,
    ) -> Self {
        let faces = keep_distinct(&triangles);
        let solids = keep_distinct(&tetrahedra);
        let warnings = warn(&positions, &faces, &solids);
        Self { positions, triangles: faces.elements, tetrahedra: solids.elements, warnings }
    }
}

/// The oddities that are there, in a fixed order.
fn warn(positions: &[[f32; 3]], faces: &Distinct<3>, solids: &Distinct<4>) -> Vec<String> {
    let (triangles, tetrahedra) = (&faces.elements, &solids.elements);
    let count = positions.len();
    let surface = survey_surface(triangles);
    let volumes = tetrahedron_volumes(positions, tetrahedra);
    let inverted = volumes.iter().filter(|&&volume| volume < 0.0).count();
    let (faceless, loose) = if tetrahedra.is_empty() {
        (count_unused(count, triangles), 0)
    } else {
        (0, count_unused(count, tetrahedra))
    };
    #[rustfmt::skip]
    let found = [
        (faceless, "vertex belongs to no face", "vertices belong to no face"),
        (loose, "vertex belongs to no tetrahedron", "vertices belong to no tetrahedron"),
        (count_coincident(positions), "vertex has the position of an earlier one (they are not welded)",
            "vertices have the position of an earlier one (they are not welded)"),
        (faces.degenerate, "face that names a vertex twice ignored", "faces that name a vertex twice ignored"),
        (faces.duplicate, "duplicate face ignored", "duplicate faces ignored"),
        (count_flat_triangles(positions, triangles), "zero-area triangle", "zero-area triangles"),
        (surface.non_manifold, "edge of more than two faces: no bending there",
            "edges of more than two faces: no bending there"),
        (surface.flipped, "edge between faces wound in opposite directions", "edges between faces wound in opposite directions"),
        (solids.degenerate, "tetrahedron that names a vertex twice ignored", "tetrahedra that name a vertex twice ignored"),
        (solids.duplicate, "duplicate tetrahedron ignored", "duplicate tetrahedra ignored"),
        (count_flat_tetrahedra(positions, tetrahedra), "zero-volume tetrahedron", "zero-volume tetrahedra"),
        (inverted, "inverted tetrahedron: its rest volume is negative", "inverted tetrahedra: their rest volumes are negative"),
    ];
    let present = found.iter().filter(|(count, ..)| *count > 0);
    let sentence = |&(count, one, many): &(usize, &str, &str)| {
        format!("{count} {}", if count == 1 { one } else { many })
    };
    present.map(sentence).collect()
}

/// How many vertices stand exactly where an earlier one stands.
fn count_coincident(positions: &[[f32; 3]]) -> usize {
    // Adding zero makes -0 and 0 the same bits.
    let bits = |position: &[f32; 3]| position.map(|x| (x + 0.0).to_bits());
    let mut places: Vec<_> = positions.iter().map(bits).collect();
    places.sort_unstable();
    places.dedup();
    positions.len() - places.len()
}
