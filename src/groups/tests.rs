//! Tests of the groups.

use super::rotation::{Matrix, nearest_rotation, times};
use super::{Plastic, Pressures, Shapes};
use crate::math::{F32x8, Vec3, pack, unpack};
use crate::model::Model;
use crate::rows::Strength;
use crate::solvers::{Method, Scalar};
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

fn random_matrix(random: &mut Random) -> Matrix<f64> {
    [(); 3].map(|()| Vec3::of(random.point()))
}

fn multiply(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    b.map(|column| times(a, column))
}

fn transpose(m: &Matrix<f64>) -> Matrix<f64> {
    [
        Vec3::new(m[0].x, m[1].x, m[2].x),
        Vec3::new(m[0].y, m[1].y, m[2].y),
        Vec3::new(m[0].z, m[1].z, m[2].z),
    ]
}

fn diagonal(s: [f64; 3]) -> Matrix<f64> {
    [
        Vec3::new(s[0], 0.0, 0.0),
        Vec3::new(0.0, s[1], 0.0),
        Vec3::new(0.0, 0.0, s[2]),
    ]
}

fn difference(a: &Matrix<f64>, b: &Matrix<f64>) -> f64 {
    let parts = a.iter().zip(b).map(|(a, b)| (*a - *b).length());
    parts.fold(0.0, f64::max)
}

/// A rotation by random angles.
fn rotation(random: &mut Random) -> Matrix<f64> {
    let a = Vec3::of(random.point());
    let x = a * (1.0 / a.length());
    let b = Vec3::of(random.point());
    let y = b - x * x.dot(b);
    let y = y * (1.0 / y.length());
    [x, y, x.cross(y)]
}

fn in_f32(a: &Matrix<f64>) -> Matrix<f64> {
    let narrow = a.map(|v| Vec3::new(v.x as f32, v.y as f32, v.z as f32));
    nearest_rotation(narrow).map(|v| Vec3::of([v.x, v.y, v.z].map(f64::from)))
}

/// U Σ Vᵀ with a known rotation U Vᵀ: found again, also where the smallest singular value is negative (an inverted cluster,
/// whose nearest matrix is a reflection) or zero (a flat one).
#[test]
fn the_rotation_is_found() {
    let mut random = Random(5);
    for round in 0..2000 {
        let (u, v) = (rotation(&mut random), rotation(&mut random));
        let last = [1.0, 0.3, 0.0, -0.2][round % 4] * random.within(0.5, 1.0);
        let sigma = [random.within(1.0, 2.0), random.within(0.6, 1.0), 0.5 * last];
        let scale = 10_f64.powf(random.within(-6.0, 6.0));
        let a = multiply(
            &u,
            &multiply(&diagonal(sigma.map(|s| s * scale)), &transpose(&v)),
        );
        let expected = multiply(&u, &transpose(&v));
        let (wide, narrow) = (nearest_rotation(a), in_f32(&a));
        assert!(difference(&wide, &expected) < 1e-9, "{sigma:?}: {wide:?}");
        assert!(
            difference(&narrow, &expected) < 2e-5,
            "{sigma:?}: {narrow:?}"
        );
    }
}

/// Collinear, mirrored, zero, huge and tiny matrices: always a rotation, and as good as any other: tr(Rᵀ A) is the sum of
/// the singular values, the least of them with A's sign.
#[test]
fn degenerate_matrices_have_a_rotation() {
    let mut random = Random(6);
    let cases: [[f64; 3]; 8] = [
        [1.0, 0.0, 0.0],
        [1.0, 1.0, -1.0],
        [1.0, 0.5, -0.5],
        [0.0, 0.0, 0.0],
        [1.0, 1e-4, 1e-4],
        [1.0, 1.0, 1.0],
        [1.0, 1e-4, -1e-4],
        [1.0, 1.0, -0.999],
    ];
    for sigma in cases {
        for _ in 0..200 {
            let (u, v) = (rotation(&mut random), rotation(&mut random));
            let a = multiply(&u, &multiply(&diagonal(sigma), &transpose(&v)));
            // Two fits as good as each other but for this are not told apart.
            let gap = 2.0 * (sigma[1] + sigma[2]);
            for found in [nearest_rotation(a), in_f32(&a)] {
                let unit = multiply(&transpose(&found), &found);
                assert!(
                    difference(&unit, &diagonal([1.0; 3])) < 2e-6,
                    "{sigma:?}: {found:?}"
                );
                assert!(found[0].dot(found[1].cross(found[2])) > 0.99, "{sigma:?}");
                let fit: f64 = found.iter().zip(&a).map(|(r, a)| r.dot(*a)).sum();
                let best: f64 = sigma.iter().sum();
                assert!(fit > best - gap - 1e-5, "{sigma:?}: {fit} of {best}");
            }
        }
    }
    for scale in [1e-30, 1e-18, 1e18] {
        let found = in_f32(&diagonal([scale; 3]));
        assert!(
            found.iter().all(|v| v.dot(*v).is_finite()),
            "{scale}: {found:?}"
        );
    }
}

/// Eight at once are the eight one by one, bit for bit.
#[test]
fn eight_rotations_are_the_same_bits() {
    let mut random = Random(7);
    for _ in 0..200 {
        let eight: [Matrix<f32>; 8] = std::array::from_fn(|_| {
            random_matrix(&mut random).map(|v| Vec3::new(v.x as f32, v.y as f32, v.z as f32))
        });
        let wide: Matrix<F32x8> = std::array::from_fn(|c| {
            Vec3::new(
                pack(eight.map(|m| m[c].x)),
                pack(eight.map(|m| m[c].y)),
                pack(eight.map(|m| m[c].z)),
            )
        });
        let wide = nearest_rotation(wide);
        for (lane, one) in eight.into_iter().enumerate() {
            for (wide, one) in wide.iter().zip(nearest_rotation(one)) {
                assert_eq!(unpack(wide.x)[lane].to_bits(), one.x.to_bits());
                assert_eq!(unpack(wide.y)[lane].to_bits(), one.y.to_bits());
                assert_eq!(unpack(wide.z)[lane].to_bits(), one.z.to_bits());
            }
        }
    }
}

/// Strengths of every class.
const STRENGTHS: [Strength; 4] = [
    Strength::Stiffness(1.0),
    Strength::Stiffness(0.4),
    Strength::Compliance(1e-4),
    Strength::Damped(1e-4, 3.0),
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
        let plastic = (size >= 5 && which % 3 == 0).then_some(Plastic {
            strain: 0.05,
            creep: 2.0,
        });
        let rest = (which % 2 == 0).then_some(&rest[..]);
        let strength = STRENGTHS[which % 4];
        shapes
            .add(&model, &particles, rest, strength, plastic)
            .unwrap();
    }
    model.add_part(shapes);
    model.settings.iterations = 4;
    model
}

/// A closed surface: an octahedron split `n` times and pushed out to a sphere, at `center`.
fn sphere(model: &mut Model, n: usize, center: [f64; 3], radius: f64) -> Vec<[u32; 3]> {
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
        let strength = STRENGTHS[i % 4];
        pressures.add(&model, &surface, k, None, strength).unwrap();
        if i % 4 == 0 {
            pressures
                .add(&model, &surface, 1.1, None, strength)
                .unwrap();
        }
    }
    model.set_inverse_mass(3, 0.0).unwrap();
    model.add_part(pressures);
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
            assert!(
                outcome.bits() == expected.bits(),
                "{what}: {method:?}@{threads}"
            );
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
        let strength = STRENGTHS[round % 3];
        shapes
            .add(&model, &all, Some(&rest), strength, None)
            .unwrap();
        model.add_part(shapes);
        still(&mut model);
        let (linear, angular, size) =
            momenta(&model, &run(&model, Method::Lanes, 1, 1).positions());
        assert!(size > 0.01);
        assert!(
            linear.length() < 2e-6 * size,
            "{count}: {linear:?} of {size}"
        );
        assert!(
            angular.length() < 1e-5 * size,
            "{count}: {angular:?} of {size}"
        );
    }
    let mut model = Model::new();
    let surface = sphere(&mut model, 3, [0.5, 1.0, -0.3], 1.0);
    let mut pressures = Pressures::new();
    pressures
        .add(&model, &surface, 1.4, None, Strength::Stiffness(1.0))
        .unwrap();
    model.add_part(pressures);
    still(&mut model);
    let (linear, angular, size) = momenta(&model, &run(&model, Method::Lanes, 1, 1).positions());
    assert!(size > 1.0 && linear.length() < 1e-5 * size && angular.length() < 1e-5 * size);
}

/// No gravity, one iteration.
fn still(model: &mut Model) {
    model.settings.gravity = [0.0; 3];
    model.settings.iterations = 1;
}

/// A pinned member keeps its bits, and the others come to rest around it; a flat, a collinear and a mirrored cluster stay
/// finite and come back.
#[test]
fn clusters_come_back() {
    let shapes: [fn(usize) -> [f64; 3]; 3] = [
        |i| [(i % 2) as f64, (i / 2 % 2) as f64, (i / 4) as f64],
        |i| [(i % 4) as f64, (i / 4) as f64, 0.0],
        |i| [i as f64, 0.0, 0.0],
    ];
    for (which, rest) in shapes.iter().enumerate() {
        let rest: Vec<[f64; 3]> = (0..8).map(rest).collect();
        for (how, start) in [
            |x: [f64; 3]| [x[0] + 0.3 * x[1], 0.5 * x[1], x[2] - 0.2 * x[0]],
            |x: [f64; 3]| [-x[0], x[1], x[2]],
            |x: [f64; 3]| [x[0], 0.0, 0.0],
            |_: [f64; 3]| [0.0; 3],
        ]
        .into_iter()
        .enumerate()
        {
            let mut model = Model::new();
            for (i, x) in rest.iter().enumerate() {
                let w = if i == 0 { 0.0 } else { 1.0 };
                model.add_particle(start(*x), [0.0; 3], w).unwrap();
            }
            let mut cluster = Shapes::new();
            let all: Vec<u32> = (0..8).collect();
            cluster
                .add(&model, &all, Some(&rest), Strength::Stiffness(0.7), None)
                .unwrap();
            model.add_part(cluster);
            model.settings.gravity = [0.0; 3];
            model.settings.damping = 4.0;
            let outcome = run(&model, Method::Lanes, 1, 300);
            assert!(outcome.finite(), "{which} {how}");
            let x = outcome.positions();
            assert_eq!(x[0], model.positions()[0], "{which} {how}");
            for i in 0..8 {
                for j in 0..i {
                    let apart = |a, b| (Vec3::<f64>::of(a) - Vec3::of(b)).length();
                    let found = apart(x[i].map(f64::from), x[j].map(f64::from));
                    let expected = apart(rest[i], rest[j]);
                    assert!(
                        (found - expected).abs() < 0.02,
                        "{which} {how}: {found} for {expected}"
                    );
                }
            }
        }
    }
}

/// A compliance is a spring: two masses on a cluster of two swing with the period of C = sqrt(Σ m d²), U = C² / 2α, where
/// ω² = 1/α whatever the masses (f64; small steps).
#[test]
fn a_compliant_cluster_swings() {
    let alpha = 0.01;
    let mut model = Model::new();
    model.add_particle([0.0; 3], [0.0; 3], 1.0).unwrap();
    model.add_particle([1.1, 0.0, 0.0], [0.0; 3], 0.25).unwrap();
    let rest = [[0.0; 3], [1.0, 0.0, 0.0]];
    let mut shapes = Shapes::new();
    shapes
        .add(
            &model,
            &[0, 1],
            Some(&rest),
            Strength::Compliance(alpha),
            None,
        )
        .unwrap();
    model.add_part(shapes);
    model.settings.gravity = [0.0; 3];
    model.settings.dt = 1e-4;
    model.settings.iterations = 1;
    let (mut particles, mut solver) = Scalar::<f64>::authored(&model);
    let half = std::f64::consts::PI * alpha.sqrt();
    for _ in 0..(half / 1e-4) as usize {
        solver.step(&mut particles);
    }
    let x = particles.positions();
    let length = x[1][0] - x[0][0];
    assert!((length - 0.9).abs() < 2e-3, "{length} after half a period");
}

/// A plastic cluster keeps what it was bent to; below its yield it does not (S1-20).
#[test]
fn a_plastic_cluster_stays_bent() {
    for (pull, stays) in [(1.3, true), (1.05, false)] {
        let mut model = Model::new();
        let rest: Vec<[f64; 3]> = (0..8)
            .map(|i| [(i % 2) as f64, (i / 2 % 2) as f64, (i / 4) as f64])
            .collect();
        for x in &rest {
            model
                .add_particle([x[0] * pull, x[1], x[2]], [0.0; 3], 1.0)
                .unwrap();
        }
        let plastic = Plastic {
            strain: 0.1,
            creep: 60.0,
        };
        let mut shapes = Shapes::new();
        let all: Vec<u32> = (0..8).collect();
        shapes
            .add(
                &model,
                &all,
                Some(&rest),
                Strength::Stiffness(1.0),
                Some(plastic),
            )
            .unwrap();
        model.add_part(shapes);
        model.settings.gravity = [0.0; 3];
        model.settings.damping = 20.0;
        for (method, threads) in [(Method::Scalar, 1), (Method::Lanes, 2)] {
            let x = run(&model, method, threads, 60).positions();
            let length = f64::from(x[1][0] - x[0][0]);
            assert_eq!(length > 1.1, stays, "{pull}: {length}");
            let side = f64::from(x[2][1] - x[0][1]);
            let volume = length * side * f64::from(x[4][2] - x[0][2]);
            assert!((volume - 1.0).abs() < 0.03, "{volume}");
        }
    }
}

/// What is refused says the group and the number.
#[test]
fn wrong_groups_are_refused() {
    let mut model = Model::new();
    let surface = sphere(&mut model, 0, [0.0; 3], 1.0);
    let stiff = Strength::Stiffness(1.0);
    let mut flipped = surface.clone();
    flipped[0].swap(0, 1);
    type Case<'a> = (&'a [[u32; 3]], f64, Option<f64>, &'a str);
    let pressures: [Case; 7] = [
        (&surface[1..], 1.0, None, "boundary edges 3"),
        (&flipped, 1.0, None, "edges wound wrongly 3"),
        (&surface, -1.0, None, "pressure -1"),
        (&surface, 1.0, Some(f64::NAN), "rest_volume NaN"),
        (&surface, 1.0, Some(-1.0), "wound inward"),
        (&[[0, 1, 9]], 1.0, None, "particle 9 does not exist"),
        (&[[0, 1, 1]], 1.0, None, "particle 1 is named twice"),
    ];
    for (triangles, k, volume, says) in pressures {
        let error = Pressures::new()
            .add(&model, triangles, k, volume, stiff)
            .unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
    let flat = Some(Plastic {
        strain: 0.0,
        creep: 1.0,
    });
    type Cluster<'a> = (&'a [u32], Option<Plastic>, Strength, &'a str);
    let shapes: [Cluster; 6] = [
        (&[], None, stiff, "particles 0"),
        (&[0, 6], None, stiff, "particle 6 does not exist"),
        (&[0, 1, 0], None, stiff, "particle 0 is named twice"),
        (&[0, 1, 2], flat, stiff, "flat at rest"),
        (&[0, 1], None, Strength::Stiffness(1.5), "stiffness 1.5"),
        (&[0, 1], None, Strength::Material, "is missing"),
    ];
    for (particles, plastic, strength, says) in shapes {
        let error = Shapes::new()
            .add(&model, particles, None, strength, plastic)
            .unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
}
