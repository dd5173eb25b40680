//! Groups by every method: same bits, momenta kept, refusals.

use super::still;
use crate::groups::{Plastic, Pressures, Shapes};
use crate::math::Vec3;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::solvers::Method;
use crate::tests::models::{Random, cloud, run};

/// Every method, and the lanes on several numbers of threads.
const RUNS: [(Method, usize); 7] = [
    (Method::Scalar, 1),
    (Method::Colored, 1),
    (Method::Ordered, 2),
    (Method::Lanes, 1),
    (Method::Lanes, 2),
    (Method::Lanes, 3),
    (Method::Lanes, 7),
];

/// Stiffness of every class.
const STRENGTHS: [Stiffness; 4] = [
    Stiffness::Factor(1.0),
    Stiffness::Factor(0.4),
    Stiffness::Compliance(1e-4),
    Stiffness::Damped(1e-4, 3.0),
];

/// Overlapping clusters of every small size and a few large ones, some plastic, some with pins.
fn clusters(random: &mut Random, count: usize) -> Model {
    let mut model = cloud(random, 700, 0.5);
    for i in 0..20 {
        model.set_inverse_mass(i * 35, 0.0).unwrap();
    }
    let mut shapes = Shapes::new();
    for which in 0..count {
        let size = match which % 12 {
            10 => 9 + random.below(40),
            11 if which > 40 => 300,
            k => 1 + k % 8,
        };
        let first = random.below(700);
        let particles: Vec<u32> = (0..size).map(|i| ((first + 3 * i) % 700) as u32).collect();
        let rest: Vec<[f64; 3]> = particles.iter().map(|_| random.point()).collect();
        let plastic = (size >= 5 && which % 3 == 0).then_some(Plastic { strain: 0.05, creep: 2.0 });
        let rest = (which % 2 == 0).then_some(&rest[..]);
        let stiffness = STRENGTHS[which % 4];
        shapes.add(&model, &particles, rest, stiffness, plastic).unwrap();
    }
    model.add_subsystem(shapes).unwrap();
    model.settings.iterations = 4;
    model
}

/// A closed surface: an octahedron split `n` times and pushed out to a sphere, at `center`.
pub(super) fn sphere(model: &mut Model, n: usize, center: [f64; 3], radius: f64) -> Vec<[u32; 3]> {
    let first = model.positions().len() as u32;
    let mut points: Vec<[f64; 3]> = vec![
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let mut faces = vec![
        [0, 2, 4],
        [2, 1, 4],
        [1, 3, 4],
        [3, 0, 4],
        [2, 0, 5],
        [1, 2, 5],
        [3, 1, 5],
        [0, 3, 5],
    ];
    for _ in 0..n {
        let mut known = std::collections::HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *known.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let (p, q) = (points[a as usize], points[b as usize]);
                let m = Vec3::of([p[0] + q[0], p[1] + q[1], p[2] + q[2]]);
                let m = m * (1.0 / m.length());
                points.push([m.x, m.y, m.z]);
                points.len() as u32 - 1
            })
        };
        let split = |[a, b, c]: [u32; 3]| {
            let (d, e, f) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
        };
        faces = faces.into_iter().flat_map(split).collect();
    }
    for p in points {
        let x = std::array::from_fn::<f64, 3, _>(|axis| center[axis] + radius * p[axis]);
        model.add_particle(x, [0.0; 3], 1.0).unwrap();
    }
    faces.into_iter().map(|t| t.map(|i| i + first)).collect()
}

/// Balloons of many sizes, two of them sharing a vertex, one large enough for several chunks.
fn balloons() -> Model {
    let mut model = Model::new();
    let mut pressures = Pressures::new();
    for i in 0..12_usize {
        let size = if i == 5 { 4 } else { i % 3 };
        let surface = sphere(&mut model, size, [3.0 * i as f64, 40.0, 0.0], 1.0);
        let k = 0.5 + 0.2 * i as f64;
        let stiffness = STRENGTHS[i % 4];
        pressures.add(&model, &surface, k, None, stiffness).unwrap();
        if i % 4 == 0 {
            pressures.add(&model, &surface, 1.1, None, stiffness).unwrap();
        }
    }
    model.set_inverse_mass(3, 0.0).unwrap();
    model.add_subsystem(pressures).unwrap();
    model.settings.iterations = 3;
    model
}

/// Scalar, colored, ordered and lanes on any number of threads: one result, multipliers too.
#[test]
fn every_method_has_the_same_bits() {
    for (what, model) in [
        ("few clusters", clusters(&mut Random(1), 13)),
        ("clusters", clusters(&mut Random(2), 400)),
        ("balloons", balloons()),
    ] {
        let expected = run(&model, Method::Scalar, 1, 5);
        assert!(expected.finite(), "{what}");
        assert_ne!(expected.positions(), model.positions(), "{what}");
        for (method, threads) in RUNS {
            let outcome = run(&model, method, threads, 5);
            assert!(outcome.bits() == expected.bits(), "{what}: {method:?}@{threads}");
        }
    }
}

/// Linear and angular momentum of a step's corrections, against what the members moved.
fn momenta(model: &Model, after: &[[f32; 3]]) -> (Vec3<f64>, Vec3<f64>, f64) {
    let (mut linear, mut angular, mut size) = (Vec3::zero(), Vec3::zero(), 0.0);
    for (i, (x, y)) in model.positions().iter().zip(after).enumerate() {
        let m = 1.0 / f64::from(model.inverse_masses()[i]);
        let (x, y) = (Vec3::of(x.map(f64::from)), Vec3::of(y.map(f64::from)));
        linear += (y - x) * m;
        angular += x.cross(y - x) * m;
        size += (y - x).length() * m;
    }
    (linear, angular, size)
}

/// Both groups keep both momenta (S1-15).
#[test]
fn momentum_is_kept() {
    let mut random = Random(9);
    for round in 0..60 {
        let count = [4, 7, 8, 30, 300][round % 5];
        let mut model = cloud(&mut random, count, 0.0);
        let all: Vec<u32> = (0..count as u32).collect();
        let rest: Vec<[f64; 3]> = all.iter().map(|_| random.point()).collect();
        let mut shapes = Shapes::new();
        let stiffness = STRENGTHS[round % 3];
        shapes.add(&model, &all, Some(&rest), stiffness, None).unwrap();
        model.add_subsystem(shapes).unwrap();
        still(&mut model);
        let (linear, angular, size) =
            momenta(&model, &run(&model, Method::Lanes, 1, 1).positions());
        assert!(size > 0.01);
        assert!(linear.length() < 2e-6 * size, "{count}: {linear:?} of {size}");
        assert!(angular.length() < 1e-5 * size, "{count}: {angular:?} of {size}");
    }
    let mut model = Model::new();
    let surface = sphere(&mut model, 3, [0.5, 1.0, -0.3], 1.0);
    let mut pressures = Pressures::new();
    pressures.add(&model, &surface, 1.4, None, Stiffness::Factor(1.0)).unwrap();
    model.add_subsystem(pressures).unwrap();
    still(&mut model);
    let (linear, angular, size) = momenta(&model, &run(&model, Method::Lanes, 1, 1).positions());
    assert!(size > 1.0 && linear.length() < 1e-5 * size && angular.length() < 1e-5 * size);
}

/// What is refused says the group and the number.
#[test]
fn wrong_groups_are_refused() {
    let mut model = Model::new();
    let surface = sphere(&mut model, 0, [0.0; 3], 1.0);
    let stiff = Stiffness::Factor(1.0);
    let mut flipped = surface.clone();
    flipped[0].swap(0, 1);
    type Case<'a> = (&'a [[u32; 3]], f64, Option<f64>, &'a str);
    let pressures: [Case; 7] = [
        (&surface[1..], 1.0, None, "3 edges are open; the surface must be closed"),
        (&flipped, 1.0, None, "3 edges are wound wrongly"),
        (&surface, -1.0, None, "pressure -1"),
        (&surface, 1.0, Some(f64::NAN), "rest_volume NaN"),
        (&surface, 1.0, Some(-1.0), "wound inward"),
        (&[[0, 1, 9]], 1.0, None, "particle 9 does not exist"),
        (&[[0, 1, 1]], 1.0, None, "particle 1 is named twice"),
    ];
    for (triangles, k, volume, says) in pressures {
        let error = Pressures::new().add(&model, triangles, k, volume, stiff).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
    let flat = Some(Plastic { strain: 0.0, creep: 1.0 });
    type Cluster<'a> = (&'a [u32], Option<Plastic>, Stiffness, &'a str);
    let shapes: [Cluster; 6] = [
        (&[], None, stiff, "particles 0"),
        (&[0, 6], None, stiff, "particle 6 does not exist"),
        (&[0, 1, 0], None, stiff, "particle 0 is named twice"),
        (&[0, 1, 2], flat, stiff, "flat at rest"),
        (&[0, 1], None, Stiffness::Factor(1.5), "stiffness 1.5"),
        (&[0, 1], None, Stiffness::Material, "is missing"),
    ];
    for (particles, plastic, stiffness, says) in shapes {
        let error = Shapes::new().add(&model, particles, None, stiffness, plastic).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
}
