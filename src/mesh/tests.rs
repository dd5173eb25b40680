//! Neighbors and measures, on shapes one can count by hand.

use crate::mesh::{
    Surface, count_unused, enclosed_volume, keep_distinct, lump_masses, surface_triangles,
    survey_surface, tetrahedron_volumes, triangle_areas, unique_edges,
};

/// A unit tetrahedron, its opposite corner, and one more above.
const POSITIONS: [[f32; 3]; 6] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 0.0, 3.0],
];
const SIXTH: f64 = 1.0 / 6.0;

#[test]
fn edges_come_once_in_order_of_appearance() {
    let expected = [[4, 1], [4, 2], [1, 2], [2, 3], [1, 3]];
    assert_eq!(unique_edges(&[[4, 1, 2], [2, 1, 3]]), expected);
    assert_eq!(unique_edges(&[[4, 1, 2], [2, 1, 3], [1, 2, 4]]), expected);
    let expected = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3], [4, 1], [4, 2], [4, 3]];
    assert_eq!(unique_edges(&[[0, 1, 2, 3], [4, 1, 2, 3]]), expected);
    assert_eq!(unique_edges(&[[1, 1, 2]]), [[1, 2]]);
    assert_eq!(unique_edges::<3>(&[]), [[0; 2]; 0]);
}

#[test]
fn repeated_elements_are_dropped_and_counted() {
    let distinct = keep_distinct(&[[5, 1, 2], [0, 1, 0], [0, 1, 2], [2, 5, 1], [2, 1, 0]]);
    assert_eq!(distinct.elements, [[5, 1, 2], [0, 1, 2]]);
    assert_eq!((distinct.degenerate, distinct.duplicate), (1, 2));
}

#[test]
fn bending_takes_the_edge_then_the_wings() {
    let sheet = survey_surface(&[[0, 1, 2], [2, 1, 3]]);
    let expected =
        Surface { interior: vec![[1, 2, 0, 3]], boundary: 4, unbalanced: 4, ..Surface::default() };
    assert_eq!(sheet, expected);
    // A fan round vertex 0: the inner edges in the order the triangles walk them.
    let fan = survey_surface(&[[0, 1, 2], [0, 2, 3], [0, 3, 1]]);
    assert_eq!(fan.interior, [[0, 1, 2, 3], [2, 0, 1, 3], [3, 0, 2, 1]]);
    assert_eq!((fan.boundary, fan.flipped), (3, 0));
}

#[test]
fn flaws_of_a_surface_are_counted() {
    let flipped = survey_surface(&[[0, 1, 2], [1, 2, 3]]);
    assert_eq!((flipped.flipped, flipped.unbalanced), (1, 5));
    assert_eq!(flipped.interior, [[1, 2, 0, 3]]);
    // Three leaves on one spine, and a fourth that balances the directions.
    let leaves = [[0, 1, 2], [0, 1, 3], [1, 0, 4], [1, 0, 5]];
    let book = survey_surface(&leaves[..3]);
    assert_eq!((book.non_manifold, book.boundary, book.unbalanced), (1, 6, 7));
    assert_eq!(book.interior, [[0; 4]; 0]);
    assert_eq!(survey_surface(&leaves).unbalanced, 8);
    let repeated = survey_surface(&[[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 0, 1]]);
    assert_eq!(repeated, survey_surface(&[[0, 1, 2]]));
}

#[test]
fn a_solid_has_an_outward_surface() {
    // The second tetrahedron is inverted, the third stands alone on an edge.
    for solid in [
        &[[0, 1, 2, 3]][..],
        &[[0, 2, 1, 3]],
        &[[0, 1, 2, 3], [1, 2, 3, 4]],
        &[[0, 2, 1, 3], [1, 3, 2, 4]],
        &[[0, 1, 2, 3], [1, 3, 2, 4]],
    ] {
        let surface = surface_triangles(&POSITIONS, solid);
        let survey = survey_surface(&surface);
        assert_eq!((survey.unbalanced, survey.non_manifold), (0, 0), "{solid:?}");
        let volumes = tetrahedron_volumes(&POSITIONS, solid);
        let volume: f64 = volumes.iter().map(|volume| volume.abs()).sum();
        assert!((enclosed_volume(&POSITIONS, &surface) - volume).abs() < 1e-15, "{solid:?}");
    }
    let surface = surface_triangles(&POSITIONS, &[[0, 1, 2, 3]]);
    assert_eq!(surface, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]);
}

#[test]
fn measures_are_signed_where_they_should_be() {
    let areas = triangle_areas(&POSITIONS, &[[0, 1, 2], [2, 1, 0], [1, 2, 3], [0, 3, 5]]);
    assert_eq!(areas, [0.5, 0.5, 3f64.sqrt() / 2.0, 0.0]);
    let volumes = tetrahedron_volumes(&POSITIONS, &[[0, 1, 2, 3], [0, 2, 1, 3], [1, 2, 3, 4]]);
    assert_eq!(volumes, [SIXTH, -SIXTH, 2.0 * SIXTH]);
    let outward = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let inward = outward.map(|[a, b, c]| [a, c, b]);
    let far = POSITIONS.map(|[x, y, z]| [x + 1e6, y - 1e6, z + 1e6]);
    for positions in [POSITIONS, far] {
        assert!((enclosed_volume(&positions, &outward) - SIXTH).abs() < 1e-15);
        assert!((enclosed_volume(&positions, &inward) + SIXTH).abs() < 1e-15);
    }
    assert_eq!(enclosed_volume(&POSITIONS, &[]), 0.0);
}

#[test]
fn masses_are_shared_equally() {
    let triangles = [[0, 1, 2], [0, 2, 3]];
    let areas = triangle_areas(&POSITIONS, &triangles);
    let masses = lump_masses(5, &triangles, &areas, 0.6);
    for (mass, expected) in masses.iter().zip([0.2, 0.1, 0.2, 0.1, 0.0]) {
        assert!((mass - expected).abs() < 1e-15, "{masses:?}");
    }
    let solid = [[0, 2, 1, 3]];
    let volumes = tetrahedron_volumes(&POSITIONS, &solid);
    let masses = lump_masses(4, &solid, &volumes, 1000.0);
    assert!(masses.iter().all(|mass| (mass - 1000.0 / 24.0).abs() < 1e-12), "{masses:?}");
}

#[test]
fn unused_vertices_are_counted() {
    assert_eq!(count_unused(6, &[[0, 1, 2], [2, 1, 4]]), 2);
    assert_eq!(count_unused::<4>(3, &[]), 3);
}
