//! Sheets of a material bend as it says: a cantilever strip, and the drape of a round piece of cloth.

use super::models::{Random, simulate};
use crate::Method;
use crate::constraints::{Bending, Distance};
use crate::materials::Material;
use crate::mesh::{survey_surface, triangle_areas, unique_edges};
use crate::model::Model;
use crate::rows::Stiffness;
use std::collections::{HashMap, HashSet};

/// A flat mesh: points (x, z) and triangles.
type Flat = (Vec<[f64; 2]>, Vec<[u32; 3]>);

/// A sheet of a material: edges and hinges, masses lumped to the vertices; `held` do not move, the others lie up to `bump` (m)
/// above or below.
fn sheet(
    material: &Material,
    (points, triangles): &Flat,
    held: impl Fn([f64; 2]) -> bool,
    bump: f64,
) -> Model {
    let (mut model, mut random) = (Model::new(), Random(7));
    let flat: Vec<[f32; 3]> = points.iter().map(|[x, z]| [*x as f32, 0.0, *z as f32]).collect();
    let areas = triangle_areas(&flat, triangles);
    let mut masses = vec![0.0; points.len()];
    let mut around: HashMap<[u32; 2], f64> = HashMap::new();
    for (&[a, b, c], area) in triangles.iter().zip(areas) {
        for i in [a, b, c] {
            masses[i as usize] += area * material.sheet_density() / 3.0;
        }
        for [i, j] in [[a, b], [b, c], [c, a]] {
            *around.entry([i.min(j), i.max(j)]).or_default() += area;
        }
    }
    for (&[x, z], mass) in points.iter().zip(masses) {
        let (w, y) = match held([x, z]) {
            true => (0.0, 0.0),
            false => (1.0 / mass, random.within(-bump, bump)),
        };
        model.add_particle([x, y, z], [0.0; 3], w).unwrap();
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

/// q L⁴ / 8 D at the free end, D = E t³ / 12 a metre (a beam, as its sides are free), for a load q that bends it by a twentieth
/// of L. The clamp lies half a cell before the second row, the last that is held: the hinges there bend for half a cell on either
/// side. The lattices themselves have D from 0.93 to 1.06 of that, as edges of few directions couple bending and twist.
#[test]
fn a_strip_sags_as_a_beam_does() {
    let cotton = Material::find("cotton").unwrap();
    let beam = cotton.young * cotton.thickness.powi(3) / 12.0;
    let free = 0.1;
    for how in [[false, false], [false, true], [true, false]] {
        for along in [8, 12] {
            let s = free / (along as f64 + 0.5);
            let mesh = strip(along + 1, 8, s, how);
            let mut model = sheet(cotton, &mesh, |[x, _]| x < 1.5 * s, 0.0);
            let load = 0.05 * free * 8.0 * beam / free.powi(4);
            model.settings.gravity = [0.0, -load / cotton.sheet_density(), 0.0];
            (model.settings.substeps, model.settings.iterations) = (8, 8);
            model.settings.damping = 4.0;
            let simulation = simulate(model, Method::Lanes, 1, 300);
            let end = simulation.snapshot().positions;
            let tip = &end[end.len() - 9..];
            let sag = -tip.iter().map(|x| f64::from(x[1])).sum::<f64>() / 9.0;
            let ratio = sag / (0.05 * free);
            println!("{how:?}, {along} cells: {ratio:.3} of q L^4 / 8 D");
            assert!((ratio - 1.0).abs() < 0.1, "{how:?} {along}: {ratio}");
        }
    }
}

/// Rings of 6 k points, `rings` of them out to `radius`.
fn disc(rings: usize, radius: f64) -> Flat {
    let (mut points, mut triangles) = (vec![[0.0; 2]], Vec::new());
    let at = |k: usize, j: usize| match k {
        0 => 0,
        _ => (1 + 3 * k * (k - 1) + j % (6 * k)) as u32,
    };
    for k in 1..=rings {
        for j in 0..6 * k {
            let angle = std::f64::consts::TAU * j as f64 / (6 * k) as f64;
            let r = radius * k as f64 / rings as f64;
            points.push([r * angle.cos(), r * angle.sin()]);
            // Of the six sectors each has k triangles that stand on this ring and k - 1 on the one before.
            let (sector, place) = (j / k, j % k);
            let inner = sector * (k - 1) + place;
            triangles.push([at(k, j), at(k - 1, inner), at(k, j + 1)]);
            if place + 1 < k {
                triangles.push([at(k - 1, inner), at(k - 1, inner + 1), at(k, j + 1)]);
            }
        }
    }
    (points, triangles)
}

/// The area that a surface covers seen from above (m²), in cells of a millimetre and a half.
fn shadow(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> f64 {
    const CELL: f64 = 1.5e-3;
    let mut covered = HashSet::new();
    for triangle in triangles {
        let corners = triangle.map(|i| {
            let [x, _, z] = positions[i as usize].map(f64::from);
            [x / CELL, z / CELL]
        });
        let [a, b, c] = corners;
        let side = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
            (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
        };
        let whole = side(a, b, c);
        let range = |axis: usize| {
            let values = corners.map(|p| p[axis]);
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            least.floor() as i64..most.ceil() as i64
        };
        for i in range(0) {
            for k in range(1) {
                let p = [i as f64 + 0.5, k as f64 + 0.5];
                if [side(a, b, p), side(b, c, p), side(c, a, p)].iter().all(|s| s * whole >= 0.0) {
                    covered.insert((i, k));
                }
            }
        }
    }
    covered.len() as f64 * CELL * CELL
}

/// Cusick's drape test: a disc of 30 cm over a stand of 18 cm; the drape coefficient is how much of the free ring's area its
/// shadow covers. Cloth of these kinds is known for about 50 and 85 %.
#[test]
fn cotton_and_denim_drape_as_cloth_does() {
    for (name, expected) in [("cotton", 0.5), ("denim", 0.85)] {
        let mesh = disc(10, 0.15);
        let material = Material::find(name).unwrap();
        let mut model = sheet(material, &mesh, |[x, z]| x.hypot(z) < 0.0901, 1e-4);
        (model.settings.substeps, model.settings.iterations) = (20, 2);
        model.settings.damping = 3.0;
        let flat = shadow(model.positions(), &mesh.1);
        let simulation = simulate(model, Method::Lanes, 1, 150);
        let stand = std::f64::consts::PI * 0.09 * 0.09;
        let drape = (shadow(&simulation.snapshot().positions, &mesh.1) - stand) / (flat - stand);
        println!("{name}: drape coefficient {drape:.3}");
        assert!((drape - expected).abs() < 0.08, "{name}: {drape}");
    }
}
