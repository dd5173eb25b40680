//! Skins of every shape and material under pressure come to rest: sweeps in one direction made them shake for ever.

use super::methods::sphere;
use crate::Method;
use crate::constraints::{Bending, Distance};
use crate::groups::Pressures;
use crate::materials::Material;
use crate::math::Vec3;
use crate::mesh::{survey_surface, triangle_areas, unique_edges};
use crate::model::Model;
use crate::rows::Stiffness;
use crate::tests::models::simulate;
use std::collections::HashMap;
use std::f64::consts::TAU;

type Surface = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// A torus of radii `big` and `small`, n points around and m across.
fn torus([big, small]: [f64; 2], [n, m]: [u32; 2]) -> Surface {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    let at = |i: u32, j: u32| i % n * m + j % m;
    for i in 0..n {
        for j in 0..m {
            let [a, b] = [TAU * f64::from(i) / f64::from(n), TAU * f64::from(j) / f64::from(m)];
            let r = big + small * b.cos();
            points.push([r * a.cos(), r * a.sin(), small * b.sin()]);
            let [p, q, r, s] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[p, q, r], [p, r, s]]);
        }
    }
    (points, triangles)
}

/// An ellipsoid of these half axes.
fn ellipsoid(axes: [f64; 3]) -> Surface {
    let mut model = Model::new();
    let triangles = sphere(&mut model, 3, [0.0; 3], 1.0);
    let stretch = |x: &[f32; 3]| std::array::from_fn(|k| axes[k] * f64::from(x[k]));
    (model.positions().iter().map(stretch).collect(), triangles)
}

/// Edges and hinges of a material, else of stiffness 1 and 0.1, as a mesh that is a balloon has them, around `pressure` volumes.
fn balloon((points, triangles): &Surface, material: &str, pressure: f64) -> Model {
    let material = Material::find(material);
    let mut model = Model::new();
    model.settings.gravity = [0.0; 3];
    let at: Vec<[f32; 3]> = points.iter().map(|x| x.map(|v| v as f32)).collect();
    let density = material.map_or(0.3, Material::sheet_density);
    let mut masses = vec![0.0; points.len()];
    let mut around: HashMap<[u32; 2], f64> = HashMap::new();
    for (&[a, b, c], area) in triangles.iter().zip(triangle_areas(&at, triangles)) {
        [a, b, c].iter().for_each(|&i| masses[i as usize] += area * density / 3.0);
        for [i, j] in [[a, b], [b, c], [c, a]] {
            *around.entry([i.min(j), i.max(j)]).or_default() += area;
        }
    }
    for (&x, mass) in points.iter().zip(masses) {
        model.add_particle(x, [0.0; 3], 1.0 / mass).unwrap();
    }
    let length = |[a, b]: [u32; 2]| {
        (Vec3::of(points[a as usize]) - Vec3::<f64>::of(points[b as usize])).length()
    };
    let area = |[a, b]: [u32; 2]| around[&[a.min(b), a.max(b)]];
    for edge in unique_edges(triangles) {
        let soft =
            |m: &Material| Stiffness::Compliance(m.stretch_compliance(length(edge), area(edge)));
        model.add(Distance, edge, [None], material.map_or(Stiffness::Factor(1.0), soft)).unwrap();
    }
    for hinge in survey_surface(triangles).interior {
        let edge = [hinge[0], hinge[1]];
        let soft =
            |m: &Material| Stiffness::Compliance(m.bend_compliance(length(edge), area(edge)));
        model.add(Bending, hinge, [None], material.map_or(Stiffness::Factor(0.1), soft)).unwrap();
    }
    let mut pressures = Pressures::new();
    pressures.add(&model, triangles, pressure, None, Stiffness::Factor(1.0)).unwrap();
    model.add_subsystem(pressures).unwrap();
    model
}

/// The root of the mean square of the points' velocities about their mean after 10 s (m/s).
fn shaking(mut model: Model, method: Method, [substeps, iterations]: [u32; 2]) -> f64 {
    (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
    let simulation = simulate(model, method, 1, 600);
    let velocities = simulation.snapshot().velocities;
    let velocities: Vec<Vec3<f64>> =
        velocities.iter().map(|v| Vec3::of(v.map(f64::from))).collect();
    let (mut mean, count) = (Vec3::zero(), velocities.len() as f64);
    velocities.iter().for_each(|v| mean += *v * (1.0 / count));
    let square: f64 = velocities.iter().map(|v| (*v - mean).dot(*v - mean)).sum();
    (square / count).sqrt()
}

/// What begins at rest stays there: the skin holds its volume without strain. One direction left
/// 0.03 to 6 m/s.
#[test]
fn unstrained_skins_stay_at_rest() {
    let shapes = [
        ("torus", torus([0.5, 0.2], [30, 12])),
        ("thin torus", torus([0.6, 0.1], [40, 8])),
        ("sphere", ellipsoid([0.5; 3])),
        ("ellipsoid", ellipsoid([0.6, 0.4, 0.3])),
    ];
    for (name, shape) in &shapes {
        for method in [Method::Scalar, Method::Lanes] {
            for steps in [[4, 5], [20, 1]] {
                let speed = shaking(balloon(shape, "silk", 1.0), method, steps);
                println!("{name}, {method:?}, {steps:?}: {speed:.1e} m/s");
                assert!(speed < 1e-3, "{name}, {method:?}, {steps:?}: {speed} m/s");
            }
        }
    }
}

/// A torus of 1.3 times its volume has no state in which all holds, and comes to rest all the same. One direction left 0.1 to 50 m/s.
#[test]
fn a_blown_up_torus_comes_to_rest() {
    let shape = torus([0.5, 0.2], [30, 12]);
    for material in ["silk", "none"] {
        for method in [Method::Ordered, Method::Lanes] {
            for steps in [[1, 10], [20, 1]] {
                let speed = shaking(balloon(&shape, material, 1.3), method, steps);
                println!("{material}, {method:?}, {steps:?}: {speed:.1e} m/s");
                assert!(speed < 1e-3, "{material}, {method:?}, {steps:?}: {speed} m/s");
            }
        }
    }
}

/// The way back goes over the same rows in the same order by every method: same bits, few rows or many side by side.
#[test]
fn the_way_back_has_the_same_bits() {
    let shape = torus([0.6, 0.1], [40, 8]);
    let positions = |method, threads| {
        let mut model = balloon(&shape, "silk", 1.3);
        (model.settings.substeps, model.settings.iterations) = (2, 3);
        assert!(model.is_swept_back());
        let simulation = simulate(model, method, threads, 20);
        simulation.snapshot().positions.iter().map(|x| x.map(f32::to_bits)).collect::<Vec<_>>()
    };
    let (authored, colored) = (positions(Method::Scalar, 1), positions(Method::Colored, 1));
    for threads in 1..=3 {
        assert_eq!(positions(Method::Ordered, threads), authored, "{threads} threads, ordered");
        assert_eq!(positions(Method::Lanes, threads), colored, "{threads} threads, lanes");
    }
}
