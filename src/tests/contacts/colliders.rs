//! Shapes of colliders: their distances; nothing passes through, moving ones carry.

use super::{shapes, simulate};
use crate::Simulation;
use crate::collision::{Collider, Contacts, Frustum, Motion, Shape};
use crate::constraints::Distance;
use crate::math::{F32x8, Vec3, pack, unpack};
use crate::model::Model;
use crate::rows::Stiffness;
use crate::settings::Detect;
use crate::solvers::Method;
use crate::tests::models::{Random, run};

/// At 100 m/s nothing is passed, whatever it is made of, in one substep or eight; a sheet holds from both sides.
#[test]
fn nothing_tunnels() {
    for (name, collider) in shapes() {
        for (substeps, y, sense) in [(1, 0.9, 1.0), (8, 0.9, 1.0), (1, -0.9, -1.0)] {
            if sense < 0.0 && name != "sheet" {
                continue;
            }
            let mut model = Model::new();
            model.settings.substeps = substeps;
            model.settings.gravity = [0.0; 3];
            for k in 0..3 {
                let at = [0.013 * f64::from(k), y, 0.007];
                model.add_particle(at, [0.0, -100.0 * sense, 0.0], 1.0).unwrap();
            }
            let contacts =
                Contacts { colliders: vec![collider.clone()], radius: 0.01, ..Contacts::default() };
            model.set_contacts(contacts).unwrap();
            for method in [Method::Scalar, Method::Lanes] {
                let mut simulation = Simulation::new(
                    {
                        let mut copy = Model::new();
                        copy.settings = model.settings.clone();
                        for (x, v) in model.positions().iter().zip(model.velocities()) {
                            copy.add_particle(x.map(f64::from), v.map(f64::from), 1.0).unwrap();
                        }
                        copy.set_contacts(model.contacts().unwrap().clone()).unwrap();
                        copy
                    },
                    method,
                    1,
                )
                .unwrap();
                // What is round turns the rest of the path aside.
                let round = name == "sphere" || name == "capsule";
                let (steps, least) = if round { (1, -0.02) } else { (5, 0.0) };
                (0..steps).for_each(|_| simulation.step());
                for x in simulation.positions() {
                    let height = f64::from(x[1]) * sense;
                    assert!(height > least, "{name}, {substeps} substeps: at {x:?}");
                    assert!(height < 0.05, "{name}: stopped short, at {x:?}");
                }
            }
        }
    }
}

const SOLIDS: [Shape; 7] = [
    Shape::Frustum(Frustum { ends: [-0.3, 0.2], radii: [0.4, 0.4] }),
    Shape::Frustum(Frustum { ends: [-0.2, 0.4], radii: [0.4, 0.0] }),
    Shape::Frustum(Frustum { ends: [-0.3, 0.3], radii: [0.1, 0.35] }),
    Shape::Sphere { radius: 0.4 },
    Shape::Capsule { half: [0.3, 0.2, -0.1], radius: 0.2 },
    Shape::Box { half_size: [0.3, 0.2, 0.4] },
    Shape::Plane { normal: [0.6, 0.8, 0.0] },
];

/// Normals and distances of the shapes: of unit length, and the gradient of the distance; entry points lie on the surface.
#[test]
fn shapes_are_their_distance() {
    let mut random = Random(31);
    for shape in SOLIDS {
        for _ in 0..500 {
            let [y0, y1] = [random.point(), random.point()].map(Vec3::<f64>::of);
            let (d, n) = shape.surface(y0);
            assert!((n.dot(n) - 1.0).abs() < 1e-9);
            let h = 1e-6;
            let (further, _) = shape.surface(y0 + n * h);
            assert!(((further - d) / h - 1.0).abs() < 1e-4, "{shape:?} at {y0:?}");
            let (r, margin) = (0.05, 0.02);
            let (q, n) = shape.contact(y0, y1, r, margin);
            let (end, _) = shape.surface(y1);
            if n.dot(n) == 0.0 {
                assert!(end >= r + margin, "{shape:?}: {y1:?} was missed");
                continue;
            }
            let (on, normal) = shape.surface(q);
            assert!((on - r).abs() < 1e-9, "{shape:?}: {q:?} lies {on} out");
            assert!((normal - n).dot(normal - n) < 1e-12);
            // From outside, what is solid lies wholly below the plane of the contact.
            if d > r {
                assert!((y0 - q).dot(n) > -1e-9, "{shape:?}: pushed back over its start");
                for _ in 0..20 {
                    let inside = Vec3::of(random.point());
                    let solid = shape.surface(inside).0 <= 0.0;
                    assert!(!solid || (inside - q).dot(n) <= -r + 1e-9);
                }
            }
        }
    }
}

/// A path that starts on the surface, rounded to just within it, is held where it starts, not where it would leave on the other
/// side.
#[test]
fn a_path_from_the_surface_is_held_there() {
    let mut random = Random(34);
    for shape in SOLIDS {
        for _ in 0..500 {
            let out = Vec3::<f64>::of(random.point());
            let (d, normal) = shape.surface(out);
            let r = 0.05;
            let start = out - normal * (d - r + 1e-7);
            let (at, n) = shape.surface(start);
            if (at - r).abs() > 1e-6 || (n - normal).dot(n - normal) > 1e-6 {
                continue; // From the inside of a box another face may be nearer.
            }
            let (q, n) = shape.contact(start, start - normal * 1.7, r, 0.0);
            assert!((start - q).dot(n) > -1e-3, "{shape:?}: {start:?} is held by {q:?}, {n:?}");
        }
    }
}

/// Eight lanes have the bits of one.
#[test]
fn contacts_of_shapes_are_the_same_in_lanes() {
    let mut random = Random(32);
    for shape in SOLIDS {
        let points: Vec<[f32; 3]> = (0..16).map(|_| random.point().map(|v| v as f32)).collect();
        let lanes = |first: usize| {
            let axis = |k: usize| pack(std::array::from_fn(|i| points[first + i][k]));
            Vec3::new(axis(0), axis(1), axis(2))
        };
        let (q, n) = shape.contact::<F32x8>(lanes(0), lanes(8), of8(0.05), of8(0.02));
        for i in 0..8 {
            let one = |p: [f32; 3]| Vec3::new(p[0], p[1], p[2]);
            let (a, b) = shape.contact::<f32>(one(points[i]), one(points[8 + i]), 0.05, 0.02);
            let bits = |v: Vec3<f32>| [v.x, v.y, v.z].map(f32::to_bits);
            let lane = |v: Vec3<F32x8>| Vec3::new(unpack(v.x)[i], unpack(v.y)[i], unpack(v.z)[i]);
            assert_eq!([bits(a), bits(b)], [bits(lane(q)), bits(lane(n))], "{shape:?}");
        }
    }
}

fn of8(v: f32) -> F32x8 {
    pack([v; 8])
}

/// A belt takes what lies on it along; a lift carries, whatever turns throws nothing through itself.
#[test]
fn moving_colliders_carry() {
    let model = |motion: Motion| {
        let mut model = Model::new();
        model.settings.substeps = 4;
        model.add_particle([0.1, 0.05, 0.0], [0.0; 3], 1.0).unwrap();
        let slab = Collider::cuboid([0.0, -0.5, 0.0], [2.0, 0.5, 2.0], [0.0, 0.0, 0.0, 1.0]);
        let contacts = Contacts {
            colliders: vec![slab.unwrap().moving(motion).unwrap()],
            radius: 0.05,
            friction: Some(0.5),
            ..Contacts::default()
        };
        model.set_contacts(contacts).unwrap();
        model
    };
    let velocity = [0.4, 0.2, 0.0];
    for method in [Method::Scalar, Method::Lanes] {
        let carried = model(Motion { velocity, ..Motion::default() });
        let end = simulate(carried, method, 60);
        let [v] = end.velocities()[..] else { panic!() };
        assert!((v[0] - 0.4).abs() < 1e-3 && (v[1] - 0.2).abs() < 1e-3, "{v:?}");
        // Turning about the vertical at 1 rad/s, 0.1 m out: it goes round.
        let turned = model(Motion { angular_velocity: [0.0, 1.0, 0.0], ..Motion::default() });
        let end = simulate(turned, method, 60);
        let [x] = end.positions()[..] else { panic!() };
        let angle = f64::from(-x[2]).atan2(x[0].into());
        let out = f64::from(x[0].hypot(x[2]));
        assert!((angle - 1.0).abs() < 0.05 && (out - 0.1).abs() < 0.005, "{x:?}");
    }
}

/// What a row drags into a moving collider where no contact was found is taken out of where that is in the substep, by every method.
#[test]
fn what_rows_drag_into_moving_colliders_is_taken_out() {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations, model.settings.omega) = (4, 1, 1.0);
    let high = model.add_particle([0.1, 0.5, 0.0], [0.0; 3], 1.0).unwrap();
    let low = model.add_particle([0.1, -0.3, 0.0], [0.0; 3], 0.0).unwrap();
    model.add(Distance, [high, low], [Some(0.1)], Stiffness::Compliance(0.0)).unwrap();
    let (velocity, angular_velocity) = ([0.4, 2.2, 0.0], [0.5, 1.0, -0.6]);
    let motion = Motion { velocity, angular_velocity, ..Motion::default() };
    let slab = Collider::cuboid([0.0, -0.5, 0.0], [2.0, 0.5, 2.0], [0.0, 0.0, 0.0, 1.0]);
    let contacts = Contacts {
        colliders: vec![slab.unwrap().moving(motion).unwrap()],
        radius: 0.05,
        detect: Detect::Frame,
        ..Contacts::default()
    };
    model.set_contacts(contacts).unwrap();
    let end = |method| run(&model, method, 1, 3).positions();
    let lanes = end(Method::Lanes);
    // The slab's top has risen by 0.11 m, the radius more.
    assert!((lanes[0][1] - 0.16).abs() < 0.01, "{lanes:?}");
    for method in [Method::Scalar, Method::Jacobi, Method::Hybrid] {
        assert_eq!(end(method), lanes, "{}", method.name());
    }
}

/// Points without a radius, the default, stay on what has no inside: on slopes, thrown or laid down on it, and where f32 is coarse.
#[test]
fn points_stay_on_sheets() {
    let slope = |x: f64| -0.3 * x;
    let corners = [[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]];
    let sheet = corners.map(|[x, z]| [x, slope(x), z]);
    let heights = vec![vec![slope(-9.0), 0.0, slope(9.0)]; 3];
    let sheets = [
        ("mesh", Collider::mesh(&sheet, &[[0, 2, 1], [0, 3, 2]], [0.0; 3], [0.0, 0.0, 0.0, 1.0])),
        ("height field", Collider::height_field([0.0; 3], [9.0, 9.0], &heights)),
    ];
    let mut random = Random(7);
    for (name, collider) in sheets.map(|(name, collider)| (name, collider.unwrap())) {
        for (substeps, iterations, friction) in [(1, 10, 0.0), (4, 2, 0.2), (20, 1, 0.5)] {
            let mut model = Model::new();
            (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
            for k in 0..64 {
                let [x, _, z] = random.point();
                let height = f64::from(k % 4) * 0.1;
                model.add_particle([x, slope(x) + height, z], [0.0; 3], 1.0).unwrap();
            }
            let friction = Some(friction);
            let colliders = vec![collider.clone()];
            model.set_contacts(Contacts { colliders, friction, ..Contacts::default() }).unwrap();
            let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
            (0..60).for_each(|_| simulation.step());
            for x in simulation.positions() {
                let above = f64::from(x[1]) - slope(f64::from(x[0]));
                assert!((0.0..1e-3).contains(&above), "{name}, {substeps} substeps: {above} m");
            }
        }
    }
}
