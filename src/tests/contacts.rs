//! Contacts against closed forms: inclines, rebounds, momentum; nothing tunnels; every order and thread count has the same bits.

use super::models::{Random, run};
use crate::collision::{Collider, Contacts, Detect, Motion, Shape, tangles};
use crate::math::{F32x8, Vec3, pack, unpack};
use crate::model::Model;
use crate::scenes::{Scene, mean_height};
use crate::solvers::Method;
use crate::{ModelError, Simulation};

fn simulate(model: Model, method: Method, steps: usize) -> Simulation {
    let mut simulation = Simulation::new(model, method, 1).expect("a simulation");
    (0..steps).for_each(|_| simulation.step());
    simulation
}

/// A particle resting on a slope of `angle` degrees, made of `shape`; slides along -x.
fn incline(angle: f64, mu: f64, substeps: u32, boxed: bool) -> Model {
    let (sin, cos) = angle.to_radians().sin_cos();
    let mut model = Model::new();
    model.settings.substeps = substeps;
    let normal = [-sin, cos, 0.0];
    let radius = 0.05;
    let start = normal.map(|v| v * radius);
    model.add_particle(start, [0.0; 3], 2.0).unwrap();
    let collider = match boxed {
        false => Collider::plane([0.0; 3], normal),
        true => {
            // A box turned about z, its upper face through the origin.
            let half = angle.to_radians() / 2.0;
            let turn = [0.0, 0.0, half.sin(), half.cos()];
            Collider::cuboid(normal.map(|v| -v), [5.0, 1.0, 5.0], turn)
        }
    };
    let contacts = Contacts {
        colliders: vec![collider.unwrap()],
        radius,
        friction: Some(mu),
        ..Contacts::default()
    };
    model.set_contacts(contacts).unwrap();
    model
}

/// Coulomb: s = ½ g (sin α - µ cos α) t² down the slope, or nothing at all (µ > tan α); 4 to 20 substeps.
#[test]
fn inclines_slide_and_stick_as_coulomb_says() {
    for boxed in [false, true] {
        for substeps in [4, 10, 20] {
            for (angle, mu, expected) in [(20.0, 0.3, 0.2949), (30.0, 0.5, 0.3286)] {
                for method in [Method::Scalar, Method::Lanes] {
                    let end = simulate(incline(angle, mu, substeps, boxed), method, 60);
                    let x = Vec3::<f64>::of(end.positions()[0].map(f64::from));
                    let (sin, cos) = f64::to_radians(angle).sin_cos();
                    let slid = -(x.x * cos + x.y * sin);
                    println!("{angle} degrees, mu {mu}, {substeps} substeps: {slid:.4} m");
                    assert!(
                        (slid / expected - 1.0).abs() < 0.02,
                        "{slid} m, not {expected}"
                    );
                }
            }
            for (angle, mu) in [(20.0, 0.4), (30.0, 0.6)] {
                let end = simulate(incline(angle, mu, substeps, boxed), Method::Lanes, 60);
                let v = Vec3::<f64>::of(end.velocities()[0].map(f64::from));
                let v = v.dot(v).sqrt();
                println!("{angle} degrees, mu {mu}, {substeps} substeps: {v:.1e} m/s");
                assert!(v < 1e-3, "{v} m/s");
            }
        }
    }
}

/// Dropped from 1 m, a ball comes back to e² of it.
#[test]
fn rebounds_reach_their_height() {
    for substeps in [4, 20] {
        for e in [0.0, 0.3, 0.5, 0.8, 0.95] {
            let mut model = Model::new();
            model.settings.substeps = substeps;
            model.add_particle([0.0, 1.1, 0.0], [0.0; 3], 1.0).unwrap();
            let floor = Collider::plane([0.0; 3], [0.0, 1.0, 0.0]).unwrap();
            let contacts = Contacts {
                colliders: vec![floor],
                radius: 0.1,
                restitution: Some(e),
                ..Contacts::default()
            };
            model.set_contacts(contacts).unwrap();
            let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
            let (mut hit, mut highest) = (false, 0.0_f32);
            for _ in 0..100 {
                simulation.step();
                let height = simulation.positions()[0][1] - 0.1;
                hit |= height < 0.05;
                if hit && simulation.velocities()[0][1] > 0.0 {
                    highest = highest.max(height);
                } else if highest > 0.1 {
                    break;
                }
            }
            let error = f64::from(highest) - e * e;
            println!("e {e}, {substeps} substeps: {highest:.3} m, {error:+.3}");
            assert!(hit && error.abs() < 0.05, "e {e}: {highest} m");
        }
    }
}

/// Two balls that meet keep momentum, and part with e times their speed.
#[test]
fn balls_rebound_from_each_other() {
    for (e, method) in [
        (0.0, Method::Scalar),
        (0.5, Method::Lanes),
        (1.0, Method::Colored),
    ] {
        let mut model = Model::new();
        model.settings.gravity = [0.0; 3];
        model.settings.substeps = 4;
        model
            .add_particle([-0.3, 0.0, 0.0], [1.0, 0.0, 0.0], 1.0)
            .unwrap();
        model
            .add_particle([0.3, 0.0, 0.0], [-1.0, 0.0, 0.0], 0.5)
            .unwrap();
        let contacts = Contacts {
            radius: 0.1,
            restitution: Some(e),
            pairs: true,
            ..Contacts::default()
        };
        model.set_contacts(contacts).unwrap();
        let v = simulate(model, method, 60).velocities();
        let (a, b) = (f64::from(v[0][0]), f64::from(v[1][0]));
        assert!((a + 2.0 * b + 1.0).abs() < 1e-4, "momentum {}", a + 2.0 * b);
        assert!((b - a - 2.0 * e).abs() < 0.01, "e {e}: {} m/s", b - a);
    }
}

fn shapes() -> Vec<(&'static str, Collider)> {
    vec![
        ("plane", Collider::plane([0.0; 3], [0.0, 2.0, 0.0]).unwrap()),
        ("sphere", Collider::sphere([0.0, -0.2, 0.0], 0.2).unwrap()),
        (
            "capsule",
            Collider::capsule([-1.0, -0.1, 0.0], [1.0, -0.1, 0.0], 0.1).unwrap(),
        ),
        (
            "box",
            Collider::cuboid([0.0, -0.1, 0.0], [0.3, 0.1, 0.3], [0.0, 0.0, 0.0, 1.0]).unwrap(),
        ),
        ("sheet", {
            let points = [
                [-1.0, 0.0, -1.0],
                [1.0, 0.0, -1.0],
                [1.0, 0.0, 1.0],
                [-1.0, 0.0, 1.0],
            ];
            let faces = [[0, 2, 1], [0, 3, 2]];
            Collider::mesh(&points, &faces, [0.0; 3], [0.0, 0.0, 0.0, 1.0]).unwrap()
        }),
    ]
}

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
                model
                    .add_particle(at, [0.0, -100.0 * sense, 0.0], 1.0)
                    .unwrap();
            }
            let contacts = Contacts {
                colliders: vec![collider.clone()],
                radius: 0.01,
                ..Contacts::default()
            };
            model.set_contacts(contacts).unwrap();
            for method in [Method::Scalar, Method::Lanes] {
                let mut simulation = Simulation::new(
                    {
                        let mut copy = Model::new();
                        copy.settings = model.settings.clone();
                        for (x, v) in model.positions().iter().zip(model.velocities()) {
                            copy.add_particle(x.map(f64::from), v.map(f64::from), 1.0)
                                .unwrap();
                        }
                        copy.set_contacts(model.contacts().unwrap().clone())
                            .unwrap();
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

/// Normals and distances of the shapes: of unit length, and the gradient of the distance; entry points lie on the surface,
/// and eight lanes have the bits of one.
#[test]
fn shapes_are_their_distance() {
    let mut random = Random(31);
    let solids = [
        Shape::Sphere { radius: 0.4 },
        Shape::Capsule {
            half: [0.3, 0.2, -0.1],
            radius: 0.2,
        },
        Shape::Box {
            half_size: [0.3, 0.2, 0.4],
        },
        Shape::Plane {
            normal: [0.6, 0.8, 0.0],
        },
    ];
    for shape in solids {
        for _ in 0..500 {
            let [y0, y1] = [random.point(), random.point()].map(Vec3::<f64>::of);
            let (d, n) = shape.surface(y0);
            assert!((n.dot(n) - 1.0).abs() < 1e-9);
            let h = 1e-6;
            let (further, _) = shape.surface(y0 + n * h);
            assert!(
                ((further - d) / h - 1.0).abs() < 1e-4,
                "{shape:?} at {y0:?}"
            );
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
                assert!(
                    (y0 - q).dot(n) > -1e-9,
                    "{shape:?}: pushed back over its start"
                );
                for _ in 0..20 {
                    let inside = Vec3::of(random.point());
                    let solid = shape.surface(inside).0 <= 0.0;
                    assert!(!solid || (inside - q).dot(n) <= -r + 1e-9);
                }
            }
        }
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
            assert_eq!(
                [bits(a), bits(b)],
                [bits(lane(q)), bits(lane(n))],
                "{shape:?}"
            );
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
        let carried = model(Motion {
            velocity,
            ..Motion::default()
        });
        let end = simulate(carried, method, 60);
        let [v] = end.velocities()[..] else { panic!() };
        assert!(
            (v[0] - 0.4).abs() < 1e-3 && (v[1] - 0.2).abs() < 1e-3,
            "{v:?}"
        );
        // Turning about the vertical at 1 rad/s, 0.1 m out: it goes round.
        let turned = model(Motion {
            angular_velocity: [0.0, 1.0, 0.0],
            ..Motion::default()
        });
        let end = simulate(turned, method, 60);
        let [x] = end.positions()[..] else { panic!() };
        let angle = f64::from(-x[2]).atan2(x[0].into());
        let out = f64::from(x[0].hypot(x[2]));
        assert!(
            (angle - 1.0).abs() < 0.05 && (out - 0.1).abs() < 0.005,
            "{x:?}"
        );
    }
}

/// Where contacts are found by all methods and on any threads: the scenes, small.
fn scenes() -> Vec<(&'static str, usize, usize)> {
    vec![
        ("drape", 16, 25),
        ("fold", 12, 20),
        ("twist", 16, 20),
        ("curtain", 14, 40),
        ("pile", 700, 25),
        ("limits-delay", 0, 30),
        ("limits-delay", 1, 30),
        ("limits-delay", 2, 30),
        ("limits-flow", 60, 30),
    ]
}

#[test]
fn contacts_have_the_same_bits_by_all_methods() {
    for (name, size, steps) in scenes() {
        let model = Scene::find(name).unwrap().model(Some(size)).unwrap();
        for (one, many) in [
            (Method::Colored, Method::Lanes),
            (Method::Scalar, Method::Ordered),
        ] {
            let expected = run(&model, one, 1, steps).bits();
            for threads in [1, 2, 3, 7] {
                let found = run(&model, many, threads, steps).bits();
                assert!(found == expected, "{name}:{size} by {many:?} on {threads}");
            }
        }
    }
}

/// The experiments of S1-36 and S1-37: how deep the upper ball sinks into the lower one when the floor stops it, and how far a ball
/// without room swings between two, over 300 frames.
#[test]
fn finding_contacts_sooner_shortens_the_delay() {
    let mut outcome = Vec::new();
    for size in 0..4 {
        let model = Scene::find("limits-delay")
            .unwrap()
            .model(Some(size))
            .unwrap();
        let mut simulation = Simulation::new(model, Method::Scalar, 1).unwrap();
        let (mut deepest, mut swing) = (0.0_f32, [f32::MAX, f32::MIN]);
        for frame in 0..300 {
            simulation.step();
            let x = simulation.positions();
            deepest = deepest.max(0.04 - (x[1][1] - x[0][1]).abs());
            deepest = deepest.max(0.02 - x[0][1]);
            if frame >= 10 {
                swing = [swing[0].min(x[3][0]), swing[1].max(x[3][0])];
            }
        }
        let swing = swing[1] - swing[0];
        println!("limits-delay:{size}: {deepest:.5} m deep, {swing:.5} m swing");
        outcome.push((deepest, swing));
    }
    let [late, sooner @ ..] = &outcome[..] else {
        panic!()
    };
    assert!(
        late.0 > 0.02 && late.1 > 0.02,
        "the delay is gone: {late:?}"
    );
    for outcome in sooner {
        assert!(outcome.0 < 1e-3 && outcome.1 < 1e-3, "{outcome:?}");
    }
}

/// S1-35: how high poured balls and poured water lie after a second by iterations, at one substep and at many.
#[test]
fn what_is_poured_depends_on_the_iterations() {
    let heights = |iterations: u32, substeps: u32| {
        let mut model = Scene::find("limits-flow")
            .unwrap()
            .model(Some(200))
            .unwrap();
        (model.settings.iterations, model.settings.substeps) = (iterations, substeps);
        let end = simulate(model, Method::Lanes, 60);
        let all = end.positions();
        let (balls, water) = all.split_at(200);
        [mean_height(balls), mean_height(water)]
    };
    let frames = [2, 8, 32].map(|iterations| heights(iterations, 1));
    let small = [1, 2, 4].map(|iterations| heights(iterations, 16));
    println!("balls and water, one substep of 2, 8, 32 iterations: {frames:.4?} m");
    println!("balls and water, 16 substeps of 1, 2, 4 iterations:  {small:.4?} m");
    let [few, _, many] = frames;
    for k in 0..2 {
        assert!((many[k] - few[k]).abs() > 1e-3, "{frames:?}");
    }
    // They lie on the floor or on each other, no higher than they came from.
    let all = frames.iter().chain(&small).flatten();
    assert!(all.into_iter().all(|h| (0.019..0.6).contains(h)));
}

/// A flat sheet is not tangled; one corner pushed through another part is, and such a cloth is refused.
#[test]
fn tangles_are_counted_and_refused() {
    let model = Scene::find("twist").unwrap().model(Some(8)).unwrap();
    let mut x = model.positions().to_vec();
    assert_eq!(tangles(&x, model.triangles()), 0);
    // The corner goes over the sheet and through it.
    (x[0], x[1][1], x[8][1]) = ([0.04, -0.02, 0.05], 0.05, 0.05);
    let count = tangles(&x, model.triangles());
    assert!(count > 0);
    let mut tangled = Model::new();
    for x in &x {
        tangled
            .add_particle(x.map(f64::from), [0.0; 3], 1.0)
            .unwrap();
    }
    let contacts = Contacts {
        cloths: model.contacts().unwrap().cloths.clone(),
        ..Contacts::default()
    };
    let Err(ModelError::Value { value, .. }) = tangled.set_contacts(contacts) else {
        panic!("a tangled cloth was taken");
    };
    assert_eq!(value, count as f64);
}

/// Bad places cost nothing and stay finite: 10^9 m away, ten thousand balls in one point, a ball inside everything.
#[test]
fn bad_places_stay_finite() {
    let mut model = Model::new();
    for i in 0..10_000 {
        let at = if i == 17 {
            [1e9, -1e9, 1e9]
        } else {
            [0.0, 0.5, 0.0]
        };
        model.add_particle(at, [0.0; 3], 1.0).unwrap();
    }
    let contacts = Contacts {
        colliders: shapes().into_iter().map(|(_, c)| c).collect(),
        radius: 0.02,
        friction: Some(0.4),
        restitution: Some(0.5),
        pairs: true,
        ..Contacts::default()
    };
    model.set_contacts(contacts).unwrap();
    let mut simulation = simulate(model, Method::Lanes, 3);
    assert!(simulation.snapshot().finite());
    assert!(
        simulation.statistics()[0]
            .counts
            .iter()
            .any(|c| c.0 == "remainder" && c.1 > 0)
    );
    simulation.step();
}

/// What cannot be a contact is refused with its place and value.
#[test]
fn bad_contacts_are_refused() {
    let nan = f64::NAN;
    assert!(Collider::sphere([0.0; 3], 0.0).is_err());
    assert!(Collider::sphere([nan, 0.0, 0.0], 1.0).is_err());
    assert!(Collider::sphere([0.0; 3], nan).is_err());
    assert!(Collider::plane([0.0; 3], [0.0; 3]).is_err());
    assert!(Collider::cuboid([0.0; 3], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]).is_err());
    assert!(Collider::cuboid([0.0; 3], [1.0; 3], [0.0, 0.0, 0.0, 2.0]).is_err());
    assert!(Collider::capsule([0.0; 3], [0.0; 3], -1.0).is_err());
    let sphere = || Collider::sphere([0.0; 3], 1.0).unwrap();
    assert!(sphere().of_material(Some(-0.1), None).is_err());
    assert!(sphere().of_material(None, Some(1.1)).is_err());
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    let upright = [0.0, 0.0, 0.0, 1.0];
    assert!(Collider::mesh(&corners, &[[0, 1, 2]], [0.0; 3], upright).is_err());
    assert!(Collider::mesh(&corners, &[[0, 1, 3]], [0.0; 3], upright).is_err());
    let mut model = Model::new();
    model.add_particle([0.0; 3], [0.0; 3], 1.0).unwrap();
    let mut refused = |contacts: Contacts| {
        let error = model.set_contacts(contacts).expect_err("refused");
        error.to_string()
    };
    let none = Contacts::default;
    assert!(
        refused(Contacts {
            radius: nan,
            ..none()
        })
        .contains("radius")
    );
    assert!(
        refused(Contacts {
            pairs: true,
            ..none()
        })
        .contains("radius")
    );
    assert!(
        refused(Contacts {
            particles: Some(vec![1]),
            ..none()
        })
        .contains("particles")
    );
    assert!(
        refused(Contacts {
            particles: Some(vec![0, 0]),
            ..none()
        })
        .contains("twice")
    );
    assert!(
        refused(Contacts {
            max_speed: Some(0.0),
            ..none()
        })
        .contains("max_speed")
    );
    assert!(
        refused(Contacts {
            friction: Some(-1.0),
            ..none()
        })
        .contains("friction")
    );
    assert_eq!(
        Detect::ALL.map(Detect::name),
        ["frame", "substep", "iteration"]
    );
}

/// Steps a scene for `frames`, with its check in every one.
fn checked(name: &str, size: usize, frames: usize) -> Simulation {
    let scene = Scene::find(name).unwrap();
    let model = scene.model(Some(size)).unwrap();
    let mut simulation = Simulation::new(model, Method::Lanes, 2).unwrap();
    for frame in 0..frames {
        simulation.step();
        let seen = (scene.check)(simulation.model(), &simulation.snapshot());
        seen.unwrap_or_else(|what| panic!("{name}:{size}, frame {frame}: {what}"));
    }
    simulation
}

/// Draped over a ball, a cloth comes to rest: no faster than 1 cm/s, no deeper than half its radius, not tangled.
#[test]
fn a_draped_cloth_comes_to_rest() {
    let end = checked("drape", 20, 360);
    let fastest = |v: &[f32; 3]| f64::from((v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt());
    let v = end.velocities().iter().map(fastest).fold(0.0, f64::max);
    println!("drape:20 after 6 s: {v:.1e} m/s");
    assert!(v < 0.01, "{v} m/s");
}

/// Layers of a fold stay in order (the scene's check).
#[test]
fn a_fold_keeps_its_layers() {
    checked("fold", 16, 240);
}

/// Two full turns: how many edges pass through triangles, in every frame.
#[test]
fn a_wrung_cloth_is_not_tangled() {
    let model = Scene::find("twist").unwrap().model(Some(24)).unwrap();
    let mut simulation = Simulation::new(model, Method::Lanes, 2).unwrap();
    let mut counts = Vec::new();
    for _ in 0..250 {
        simulation.step();
        let triangles = simulation.model().triangles();
        counts.push(tangles(&simulation.positions(), triangles));
    }
    let worst = counts.iter().max().unwrap();
    let frames = counts.iter().filter(|count| **count > 0).count();
    println!("twist:24: {frames} frames tangled, {worst} edges at most: {counts:?}");
    assert_eq!(*worst, 0);
}
