//! Who is whose neighbor: edges, wings and surfaces, from vertex numbers alone.
//!
//! All results are in order of first appearance in the list given, whatever the platform: elements are sorted by the
//! vertices they name, and the groups put back in order. Elements that name the same vertices in another order are the
//! same element.

use super::measure::tetrahedron_volumes;

/// The faces of a tetrahedron of positive volume, wound outward.
const OUTWARD: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// An element by its sorted vertices, and its place in the list.
type Keyed<const N: usize> = ([u32; N], usize);

fn sort_by_vertices<const N: usize>(elements: &[[u32; N]]) -> Vec<Keyed<N>> {
    let keyed = elements.iter().enumerate().map(|(place, &element)| {
        let mut key = element;
        key.sort_unstable();
        (key, place)
    });
    let mut keyed: Vec<_> = keyed.collect();
    keyed.sort_unstable();
    keyed
}

/// Elements of the same vertices, in order of first appearance; within a group likewise.
fn group<const N: usize>(sorted: &[Keyed<N>]) -> Vec<&[Keyed<N>]> {
    let mut groups: Vec<_> = sorted.chunk_by(|a, b| a.0 == b.0).collect();
    groups.sort_unstable_by_key(|group| group[0].1);
    groups
}

/// The elements of a list worth keeping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distinct<const N: usize> {
    /// Those with N different vertices, each once.
    pub elements: Vec<[u32; N]>,
    /// How many named a vertex twice.
    pub degenerate: usize,
    /// How many named the vertices of an earlier one.
    pub duplicate: usize,
}

/// Drops elements that name a vertex twice or repeat an earlier element, wound either way.
pub fn keep_distinct<const N: usize>(elements: &[[u32; N]]) -> Distinct<N> {
    let mut sorted = sort_by_vertices(elements);
    sorted.retain(|(key, _)| key.windows(2).all(|pair| pair[0] != pair[1]));
    let groups = group(&sorted);
    Distinct {
        elements: groups.iter().map(|group| elements[group[0].1]).collect(),
        degenerate: elements.len() - sorted.len(),
        duplicate: sorted.len() - groups.len(),
    }
}

/// An edge by the lesser of its vertices first.
pub(crate) fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// The edges of triangles or tetrahedra, each once, directed as first met: 0-1, 0-2, (0-3,) 1-2, (1-3, 2-3) of each element.
pub fn unique_edges<const N: usize>(elements: &[[u32; N]]) -> Vec<[u32; 2]> {
    let mut edges = Vec::with_capacity(elements.len() * N * (N - 1) / 2);
    for element in elements {
        for (i, &a) in element.iter().enumerate() {
            edges.extend(element[i + 1..].iter().map(|&b| [a, b]));
        }
    }
    keep_distinct(&edges).elements
}

/// How the triangles of a surface meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surface {
    /// Edges of two triangles as `[e0, e1, w0, w1]`: the edge as the first triangle walks it, then the vertex opposite to it
    /// in the first and in the second triangle. What bending needs.
    pub interior: Vec<[u32; 4]>,
    /// Edges of one triangle.
    pub boundary: usize,
    /// Edges of three or more triangles.
    pub non_manifold: usize,
    /// Interior edges that both triangles walk in the same direction: one of them is wound the wrong way.
    pub flipped: usize,
    /// Edges walked more often in one direction than in the other. Zero: the surface is closed, and encloses a volume.
    pub unbalanced: usize,
}

/// Looks at every edge of a surface. Degenerate and duplicate triangles are left out.
pub fn survey_surface(triangles: &[[u32; 3]]) -> Surface {
    let triangles = keep_distinct(triangles).elements;
    let sides: Vec<[u32; 2]> =
        triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    let opposite = |place: usize| triangles[place / 3][(place + 2) % 3];
    let mut surface = Surface::default();
    for edge in group(&sort_by_vertices(&sides)) {
        let [e0, e1] = sides[edge[0].1];
        let along = edge.iter().filter(|side| sides[side.1] == [e0, e1]).count();
        surface.unbalanced += usize::from(2 * along != edge.len());
        match edge {
            [_] => surface.boundary += 1,
            [first, second] => {
                surface.flipped += usize::from(along == 2);
                let wings = (opposite(first.1), opposite(second.1));
                surface.interior.push([e0, e1, wings.0, wings.1]);
            }
            _ => surface.non_manifold += 1,
        }
    }
    surface
}

/// The triangles that belong to one tetrahedron only, wound outward, also where the tetrahedron is inverted.
///
/// # Panics
/// Where a tetrahedron names a vertex that has no position.
pub fn surface_triangles(positions: &[[f32; 3]], tetrahedra: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let volumes = tetrahedron_volumes(positions, tetrahedra);
    let mut faces = Vec::with_capacity(4 * tetrahedra.len());
    for (tetrahedron, volume) in tetrahedra.iter().zip(volumes) {
        for face in OUTWARD {
            let [a, b, c] = face.map(|i| tetrahedron[i]);
            faces.push(if volume < 0.0 { [a, c, b] } else { [a, b, c] });
        }
    }
    let sorted = sort_by_vertices(&faces);
    let alone = group(&sorted).into_iter().filter(|face| face.len() == 1);
    alone.map(|face| faces[face[0].1]).collect()
}

/// The corners of triangles by vertex: a vertex, and the two others of its triangle in their order around it. Corners of one
/// vertex follow each other in the order of the triangles.
pub fn corners(triangles: &[[u32; 3]]) -> Vec<(u32, [u32; 2])> {
    let of = |&[a, b, c]: &[u32; 3]| [(a, [b, c]), (b, [c, a]), (c, [a, b])];
    let mut corners: Vec<_> = triangles.iter().flat_map(of).collect();
    corners.sort_by_key(|(vertex, _)| *vertex); // stable
    corners
}

/// How many of `count` vertices no element names.
///
/// # Panics
/// Where an element names a vertex of `count` or above.
pub fn count_unused<const N: usize>(count: usize, elements: &[[u32; N]]) -> usize {
    let mut used = vec![false; count];
    for &vertex in elements.as_flattened() {
        used[vertex as usize] = true;
    }
    used.iter().filter(|&&used| !used).count()
}
