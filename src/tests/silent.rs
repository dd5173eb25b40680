//! What was once wrong in silence, or a panic: each is an error, a count, or right.

use super::models::{Apart, rope, run, scene};
use super::sample::Random;
use crate::collision::Contacts;
use crate::constraints::{Constraint, Distance, Pair, Param, Row, Tether, Volume};
use crate::forces::Drive;
use crate::groups::{Fluid, FluidNumbers, Melting, Shapes};
use crate::math::{Real, Vec3};
use crate::model::Model;
use crate::rigid::{At, Attachments, Body, End, Joint, JointKind, Joints, Shape, Weight};
use crate::rows::Stiffness;
use crate::solvers::Method;
use crate::state::Motion;
use std::sync::Arc;

const STIFF: Stiffness = Stiffness::Factor(1.0);

/// Particles of 1 kg on a line, a metre apart.
fn line(count: u32) -> Model {
    let mut model = Model::new();
    for i in 0..count {
        model.add_particle([f64::from(i), 0.0, 0.0], [0.0; 3], 1.0).unwrap();
    }
    model
}

/// A tetrahedron of a body, with a corner and a triangle replaced.
fn tetrahedron(corner: [f32; 3], triangle: [u32; 3]) -> Shape {
    let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], corner];
    Shape::Mesh(Arc::new((corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], triangle])))
}

#[test]
fn a_broken_mesh_is_refused() {
    let good = || tetrahedron([0.0, 0.0, 1.0], [2, 0, 3]);
    let broken = [
        (tetrahedron([0.0, f32::NAN, 1.0], [2, 0, 3]), "mesh corner"),
        (tetrahedron([0.0, 0.0, f32::INFINITY], [2, 0, 3]), "mesh corner"),
        (tetrahedron([0.0, 0.0, 1.0], [2, 0, 4]), "mesh triangle"),
    ];
    for (shape, what) in broken {
        assert!(shape.solid().is_none());
        for inertia in [None, Some([1.0; 3])] {
            let refused = Body::new(shape.clone(), Weight::Mass(1.0), inertia).unwrap_err();
            assert_eq!(refused.0, what);
        }
        // The fields of a body are its author's.
        let mut body = Body::new(good(), Weight::Mass(1.0), None).unwrap();
        body.shape = shape;
        let refused = Model::new().add_body(body).unwrap_err();
        assert!(refused.to_string().contains(what), "{refused}");
    }
}

#[test]
fn a_drive_of_nobody_is_refused() {
    let drive = || Drive { particles: vec![0, 2], center: [0.0; 3], motion: Motion::default() };
    let refusals = [
        line(2).add_subsystem(drive()),
        line(2).add_subsystem(Melting::new(drive(), &[0], 0.0, 1.0)),
        line(2).add_subsystem(Melting::new(Shapes::new(), &[2], 0.0, 1.0)),
    ];
    for refused in refusals {
        let said = refused.unwrap_err().to_string();
        assert!(said.contains("no such particle") && said.contains('2'), "{said}");
    }
    line(3).add_subsystem(drive()).unwrap();
}

/// Two kinds in one type: beside two points, the first and the last of three are kept apart.
impl Constraint<3, 1> for Apart {
    const NAME: &'static str = "apart of three";
    const EQUATION: &'static str = "|a - c| - least >= 0";
    const PARAMS: [Param; 1] = <Self as Constraint<2, 1>>::PARAMS;
    fn evaluate<R: Real>([a, _, c]: [Vec3<R>; 3], least: [R; 1]) -> [Row<R, 3>; 1] {
        let [Row { c, g: [g, h], n }] = Self::evaluate([a, c], least);
        [Row { c, g: [g, Vec3::zero(), h], n }]
    }
}

#[test]
fn a_type_may_be_two_kinds() {
    let mut model = line(3);
    let least = [Some(1.5)];
    model.add(Apart, [0, 1], least, STIFF).unwrap();
    model.add(Apart, [0, 1, 2], least, STIFF).unwrap();
    let kinds: Vec<_> = model.row_sets().map(|set| set.kind).collect();
    assert_eq!(kinds, ["apart", "apart of three"]);
    let mut held = Attachments::new();
    held.add(&model, Apart, [0, 1].map(At::Particle), least, STIFF).unwrap();
    held.add(&model, Apart, [0, 1, 2].map(At::Particle), least, STIFF).unwrap();
    model.add_subsystem(held).unwrap();
    assert!(run(&model, Method::Lanes, 1, 2).finite());
}

#[test]
fn a_refused_row_leaves_nothing() {
    let mut model = line(4);
    model.add(Distance, [0, 9], [None], STIFF).unwrap_err();
    model.add(Volume, [0, 1, 2, 3], [Some(f64::NAN)], STIFF).unwrap_err();
    model.add(Distance, [0, 1], [None], Stiffness::Compliance(-1.0)).unwrap_err();
    assert_eq!(model.row_sets().count(), 0);
    model.add(Distance, [0, 1], [None], STIFF).unwrap();
    model.add(Distance, [0, 1], [Some(-1.0)], STIFF).unwrap_err();
    model.add(Distance, [0, 1], [None], Stiffness::Compliance(-1.0)).unwrap_err();
    let sets: Vec<_> = model.row_sets().map(|set| set.particles.len()).collect();
    assert_eq!(sets, [1]);
    assert!(run(&model, Method::Lanes, 1, 1).finite());
}

/// |d|² overflows: no correction by any response, method or width, and one degenerate equation.
#[test]
fn what_overflows_is_left_alone_and_counted() {
    for stiffness in [STIFF, Stiffness::Compliance(1e-6), Stiffness::Damped(1e-6, 1.0)] {
        for rows in [1, 9] {
            let mut model = Model::new();
            (model.settings.gravity, model.settings.iterations) = ([0.0; 3], 3);
            for i in 0..rows {
                let y = f64::from(i);
                model.add_particle([0.0, y, 0.0], [0.0; 3], 1.0).unwrap();
                model.add_particle([1e20, y, 0.0], [0.0; 3], 1.0).unwrap();
                model.add(Distance, [2 * i, 2 * i + 1], [Some(1.0)], stiffness).unwrap();
            }
            for method in Method::ALL {
                let outcome = run(&model, method, 1, 2);
                assert_eq!(outcome.positions(), model.positions(), "{stiffness:?} by {method:?}");
                let seen = outcome.observe(&model);
                assert_eq!(seen.degenerate, rows as usize, "{stiffness:?} by {method:?}");
            }
        }
    }
}

/// An equation is degenerate where it does not hold and has no gradient in f32; what holds or rests is not.
#[test]
fn what_cannot_be_corrected_is_counted() {
    fn degenerate(kind: impl Constraint<2, 1>, apart: f64, length: Option<f64>) -> usize {
        let mut model = line(0);
        model.add_particle([0.0; 3], [0.0; 3], 1.0).unwrap();
        model.add_particle([apart, 0.0, 0.0], [0.0; 3], 1.0).unwrap();
        model.add(kind, [0, 1], [length], STIFF).unwrap();
        let outcome = run(&model, Method::Scalar, 1, 0);
        outcome.observe(&model).degenerate
    }
    // Squares of 1e-25 m are zero in f32, of 1e20 m infinite.
    for (apart, length, expected) in [
        (1e-3, Some(1.0), 0),
        (0.0, Some(1.0), 1),
        (0.0, Some(0.0), 0),
        (1e-25, None, 0),
        (1e-25, Some(2e-25), 1),
        (1e20, Some(1.0), 1),
        (1e20, None, 0),
    ] {
        assert_eq!(degenerate(Distance, apart, length), expected, "{apart} m, {length:?}");
    }
    assert_eq!([0.0, 2.0].map(|apart| degenerate(Pair, apart, Some(1.0))), [1, 0]);
    assert_eq!([0.0, 1e20].map(|apart| degenerate(Tether, apart, Some(1.0))), [0, 1]);
}

/// M / 3N: equations, not elements, over what can move, bodies six each.
#[test]
fn equations_over_unknowns() {
    let mobile = scene("mobile", 7);
    assert_eq!(
        [mobile.equation_count(), mobile.unknown_count()],
        [127 * 3, mobile.bodies().len() * 6]
    );
    let mut model = scene("kind-neo_hookean", 2);
    let free = model.inverse_masses().iter().filter(|w| **w > 0.0).count();
    assert_eq!([model.equation_count(), model.unknown_count()], [2 * model.row_count(), 3 * free]);
    model.set_inverse_mass(0, 0.0).unwrap();
    model.set_contacts(Contacts::default()).unwrap();
    assert_eq!(model.equation_count(), 2 * model.row_count());
}

/// Iterations 0 under a wavefront: a ballistic flight, not a frozen one.
#[test]
fn no_iterations_are_ballistic_in_tiles_too() {
    let mut model = rope(&mut Random(3), 50_000);
    model.settings.iterations = 0;
    let expected = run(&model, Method::Colored, 1, 2);
    assert_ne!(expected.positions(), model.positions());
    for (method, threads) in
        [(Method::Lanes, 1), (Method::Lanes, 2), (Method::Jacobi, 1), (Method::Jacobi, 2)]
    {
        assert_eq!(
            run(&model, method, threads, 2).positions(),
            expected.positions(),
            "{method:?} @{threads}"
        );
    }
}

/// Before it melts a part is all that it is alone: multipliers, energy, residual, joined pairs, and what it does to velocities.
#[test]
fn what_melts_is_still_the_part() {
    let mut fluid = Model::new();
    for i in 0..27 {
        let at = [i % 3, i / 3 % 3, i / 9].map(|k| f64::from(k) * 0.047);
        fluid.add_particle(at, [f64::from(i % 5) - 2.0, 0.0, 0.0], 8.0).unwrap();
    }
    let water = |model: &Model| {
        let numbers = FluidNumbers { viscosity: 0.2, ..FluidNumbers::default() };
        Fluid::new(model, (0..27).collect(), numbers).unwrap()
    };
    let mut alone = line(0);
    copy(&fluid, &mut alone);
    alone.add_subsystem(water(&fluid)).unwrap();
    let mut melting = line(0);
    copy(&fluid, &mut melting);
    let all: Vec<u32> = (0..27).collect();
    melting.add_subsystem(Melting::new(water(&fluid), &all, 9.0, 10.0)).unwrap();
    compare(alone, melting);

    let shapes = |model: &Model| {
        let mut shapes = Shapes::new();
        shapes.add(model, &[0, 1, 2], None, Stiffness::Compliance(1e-3), None).unwrap();
        shapes
    };
    let (mut alone, mut melting) = (line(3), line(3));
    for model in [&mut alone, &mut melting] {
        model.add_particle([0.0; 3], [0.0; 3], 0.0).unwrap();
        model.add(Distance, [0, 3], [Some(0.5)], STIFF).unwrap();
    }
    alone.add_subsystem(shapes(&alone)).unwrap();
    melting.add_subsystem(Melting::new(shapes(&melting), &[0, 1, 2], 9.0, 10.0)).unwrap();
    compare(alone, melting);
}

fn copy(from: &Model, to: &mut Model) {
    for (i, x) in from.positions().iter().enumerate() {
        let v = from.velocities()[i].map(f64::from);
        to.add_particle(x.map(f64::from), v, from.inverse_masses()[i].into()).unwrap();
    }
}

/// Both go the same way (the way is taken up to rounding), and observers are told the same.
fn compare(alone: Model, melting: Model) {
    assert_eq!(alone.equation_count(), melting.equation_count());
    for method in [Method::Scalar, Method::Lanes] {
        let seen = [&alone, &melting].map(|model| {
            let outcome = run(model, method, 1, 5);
            let multipliers = outcome.solver.core().multipliers();
            (outcome.observe(model), multipliers, outcome.positions())
        });
        let [(a, la, xa), (b, lb, xb)] = seen;
        for (x, y) in xa.as_flattened().iter().zip(xb.as_flattened()) {
            assert!((x - y).abs() < 1e-4, "{method:?}: {x} and {y}");
        }
        for (x, y) in la.concat().iter().zip(lb.concat()) {
            assert!((x - y).abs() < 1e-3 * (1.0 + x.abs()), "{method:?}: {x} and {y}");
        }
        assert_eq!(la.concat().len(), lb.concat().len(), "{method:?}");
        assert!((a.energy - b.energy).abs() < 1e-3 * (1.0 + a.energy.abs()), "{a:?} {b:?}");
        assert!((a.residual_max - b.residual_max).abs() < 1e-4, "{a:?} {b:?}");
    }
}

/// Bodies whose joint melts do not touch each other, as those of the joint alone.
#[test]
fn what_melts_joins_pairs() {
    let mut model = Model::new();
    for x in [0.0, 0.1] {
        let body = Body::new(Shape::Sphere(0.5), Weight::Mass(1.0), None).unwrap();
        model.add_body(body.at([x, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])).unwrap();
    }
    model.settings.gravity = [0.0; 3];
    let mut joints = Joints::new();
    let joint = Joint::new(JointKind::Ball, [End::Body(0), End::Body(1)], [0.05, 0.0, 0.0]);
    joints.add(&model, joint).unwrap();
    model.add_subsystem(Melting::new(joints, &[], 9.0, 10.0)).unwrap();
    model.set_contacts(Contacts::default()).unwrap();
    let outcome = run(&model, Method::Lanes, 1, 20);
    let [a, b] = [0, 1].map(|i| outcome.particles.bodies.poses()[i][0]);
    assert!((b - a - 0.1).abs() < 1e-4, "pushed apart: {a} and {b}");
}
