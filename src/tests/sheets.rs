//! Sheets of a material bend as it says: a cantilever strip, and the drape of a round piece of cloth.

use crate::constraints::{Bending, Distance};
use crate::materials::Material;
use crate::mesh::{survey_surface, triangle_areas, unique_edges};
use crate::model::Model;
use crate::rows::Stiffness;
use crate::{Method, Simulation};
use std::collections::HashMap;

/// A flat mesh: points (x, z) and triangles.
type Flat = (Vec<[f64; 2]>, Vec<[u32; 3]>);

/// A sheet of a material: edges and hinges, masses lumped to the vertices; `held` do not move.
fn sheet(
    material: &Material,
    (points, triangles): &Flat,
    held: impl Fn([f64; 2]) -> bool,
) -> Model {
    let mut model = Model::new();
    let flat: Vec<[f32; 3]> = points.iter().map(|[x, z]| [*x as f32, 0.0, *z as f32]).collect();
    let areas = triangle_areas(&flat, triangles);
    let mut masses = vec![0.0; points.len()];
    let mut around: HashMap<[u32; 2], f64> = HashMap::new();
    for (&[a, b, c], area) in triangles.iter().zip(areas) {
        [a, b, c].map(|i| masses[i as usize] += area * material.sheet_density() / 3.0);
        for [i, j] in [[a, b], [b, c], [c, a]] {
            *around.entry([i.min(j), i.max(j)]).or_default() += area;
        }
    }
    for (&[x, z], mass) in points.iter().zip(masses) {
        let w = if held([x, z]) { 0.0 } else { 1.0 / mass };
        model.add_particle([x, 0.0, z], [0.0; 3], w).unwrap();
    }
    let length = |[a, b]: [u32; 2]| {
        let [[ax, az], [bx, bz]] = [points[a as usize], points[b as usize]];
        (ax - bx).hypot(az - bz)
    };
    let area = |[a, b]: [u32; 2]| around[&[a.min(b), a.max(b)]];
    for edge in unique_edges(triangles) {
        let alpha = material.stretch_compliance(length(edge), area(edge));
        model.add(Distance, edge, [None], Stiffness::Compliance(alpha)).unwrap();
    }
    for hinge in survey_surface(triangles).interior {
        let edge = [hinge[0], hinge[1]];
        let alpha = material.bend_compliance(length(edge), area(edge));
        model.add(Bending, hinge, [None], Stiffness::Compliance(alpha)).unwrap();
    }
    model
}

/// Rows of `across` + 1 points at every s along x. With `skew` every other row is shifted by half a cell and has one point more:
/// triangles of equal sides for cells of 2/√3 s. Without, squares, cut one way or by turns.
fn strip(along: usize, across: usize, s: f64, [skew, turns]: [bool; 2]) -> Flat {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    let cell = if skew { s * 2.0 / 3.0_f64.sqrt() } else { s };
    for i in 0..=along {
        for k in 0..=across {
            let shift = if skew && i % 2 == 1 { 0.5 } else { 0.0 };
            points.push([i as f64 * s, (k as f64 + shift) * cell]);
        }
    }
    let at = |i: usize, k: usize| (i * (across + 1) + k) as u32;
    for i in 0..along {
        for k in 0..across {
            let [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
            let other = if skew { i % 2 == 1 } else { turns && (i + k) % 2 == 1 };
            triangles.extend(match other {
                false => [[a, d, b], [b, d, c]],
                true => [[a, c, b], [a, d, c]],
            });
        }
    }
    (points, triangles)
}

/// q L⁴ / 8 B at the free end, for a load q that bends it by a twentieth of L. The clamp lies half a cell before the second row,
/// the last that is held: the hinges there bend for half a cell on either side.
#[test]
fn a_strip_sags_as_a_beam_does() {
    let cotton = Material::find("cotton").unwrap();
    let plate = cotton.young * cotton.thickness.powi(3) / (12.0 * (1.0 - cotton.poisson.powi(2)));
    let free = 0.1;
    for how in [[false, false], [false, true], [true, false]] {
        for along in [8, 16] {
            let s = free / (along as f64 + 0.5);
            let mesh = strip(along + 1, 8, s, how);
            let mut model = sheet(cotton, &mesh, |[x, _]| x < 1.5 * s);
            let load = 0.05 * free * 8.0 * plate / free.powi(4);
            model.settings.gravity = [0.0, -load / cotton.sheet_density(), 0.0];
            (model.settings.substeps, model.settings.iterations) = (30, 2);
            model.settings.damping = 6.0;
            let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
            (0..150).for_each(|_| simulation.step());
            let end = simulation.snapshot().positions;
            let tip = &end[end.len() - 9..];
            let sag = -tip.iter().map(|x| f64::from(x[1])).sum::<f64>() / 9.0;
            let ratio = sag / (0.05 * free);
            println!("{how:?}, {along} cells: {ratio:.3} of q L^4 / 8 B");
            assert!((ratio - 1.0).abs() < 0.1, "{how:?} {along}: {ratio}");
        }
    }
}
