//! Rows at local anchors in models.

use crate::constraints::{Constraint, Distance, Plane, Source, Tether, Visitor, visit_kinds};
use crate::math::Vec3;
use crate::model::Model;
use crate::observe::observe;
use crate::rigid::{At, Attachments, Body, End, Joint, JointKind, Joints, Shape, Weight};
use crate::rows::Stiffness;
use crate::solvers::Scalar;
use crate::state::{Particles, Snapshot};
use crate::subsystem::Subsystem;
use crate::tests::models::simulate;
use crate::tests::sample::{Random, at_rest};
use crate::{Method, Simulation};

/// Rows of every kind and class, half of their places on bodies.
struct Zoo {
    model: Model,
    attachments: Attachments,
    random: Random,
    copies: usize,
}

impl Visitor for Zoo {
    fn visit<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(&mut self) {
        for i in 0..self.copies {
            let (x, p) = at_rest::<C, N, P, K>(&mut self.random);
            let shift = Vec3::new(3.0 * i as f64, 0.0, 0.0);
            let at = std::array::from_fn(|slot| {
                let point = (x[slot] + shift).to_array().map(|v| f64::from(v as f32));
                let v = self.random.vector(0.5).to_array();
                // One signature or another; a kind of one place is on a body.
                if N > 1 && (slot + i % 2) % 2 == 1 {
                    return At::Particle(self.model.add_particle(point, v, 1.5).unwrap());
                }
                let mut body = cuboid(1.0, [0.1, 0.2, 0.15], point);
                let arm = self.random.vector(0.2).to_array();
                body.position = std::array::from_fn(|k| point[k] + arm[k]);
                body.velocity = v;
                At::Body(self.model.add_body(body).unwrap(), point)
            });
            let given =
                std::array::from_fn(|k| (C::PARAMS[k].given == Source::Required).then_some(p[k]));
            let stiffness = match i % 3 {
                _ if C::MATERIAL => Stiffness::Material,
                0 => Stiffness::Factor(0.7),
                1 => Stiffness::Compliance(1e-4),
                _ => Stiffness::Damped(1e-4, 3.0),
            };
            let added = self.attachments.add_as::<C, N, P, K>(&self.model, at, given, stiffness);
            added.unwrap_or_else(|e| panic!("{}: {e}", C::NAME));
        }
    }
}

fn cuboid(mass: f64, half: [f64; 3], position: [f64; 3]) -> Body {
    let body = Body::new(Shape::Box(half), Weight::Mass(mass), None).unwrap();
    body.at(position, [0.0, 0.0, 0.0, 1.0])
}

/// Only rows of one kind.
struct Only<'a>(&'a str, Zoo);

impl Visitor for Only<'_> {
    fn visit<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(&mut self) {
        if C::NAME == self.0 {
            self.1.visit::<C, N, P, K>();
        }
    }
}

/// The same bits by every method that walks the same order, on any number of threads.
#[test]
fn attachments_are_the_same_in_lanes() {
    let build = |kind| {
        let zoo = Zoo {
            model: Model::new(),
            attachments: Attachments::new(),
            random: Random(5),
            copies: 29,
        };
        let mut only = Only(kind, zoo);
        visit_kinds(&mut only);
        let Only(_, Zoo { mut model, attachments, .. }) = only;
        (model.settings.substeps, model.settings.iterations) = (2, 3);
        assert_eq!(attachments.len(), 29);
        model.add_subsystem(attachments).unwrap();
        model
    };
    for kind in crate::constraints::kinds() {
        let mut seen = Vec::new();
        for (method, threads) in [
            (Method::Colored, 1),
            (Method::Scalar, 1),
            (Method::Lanes, 1),
            (Method::Lanes, 2),
            (Method::Lanes, 7),
        ] {
            let simulation = simulate(build(kind.name), method, threads, 10);
            let now = simulation.observe();
            assert!(now.finite, "{}", kind.name);
            // Multipliers too: they are in the residual.
            seen.push((now.hash, now.residual.to_bits()));
        }
        assert!(seen.iter().all(|s| *s == seen[0]), "{}: {seen:x?}", kind.name);
    }
}

fn still(substeps: u32) -> Model {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (substeps, 1);
    model
}

/// A distance row at an arm is the distance joint: a body hung from a particle at its corner, in f64 (in f32 rounding parts
/// them by 1e-4 in half a second).
#[test]
fn a_distance_row_is_the_distance_joint() {
    let run = |joint: bool, compliance: f64| {
        let mut model = still(20);
        let mut body = cuboid(2.0, [0.3, 0.1, 0.2], [0.5, -0.5, 0.1]);
        body.angular_velocity = [0.3, -0.2, 0.5];
        let body = model.add_body(body).unwrap();
        let p = model.add_particle([0.0; 3], [0.0; 3], 0.5).unwrap();
        let nail = model.add_particle([0.0, 0.7, 0.0], [0.0; 3], 0.0).unwrap();
        let stiffness = Stiffness::Compliance(0.0);
        model.add(Distance, [nail, p], [None], stiffness).unwrap();
        let corner = [0.2, -0.4, 0.3];
        match joint {
            true => {
                let ends = [End::Body(body), End::Particle(p)];
                let mut joint = Joint::new(JointKind::Distance, ends, corner);
                joint.compliance = compliance;
                let mut joints = Joints::new();
                joints.add(&model, joint).unwrap();
                model.add_subsystem(joints).unwrap();
            }
            false => {
                let at = [At::Body(body, corner), At::Particle(p)];
                let mut attachments = Attachments::new();
                let stiffness = Stiffness::Compliance(compliance);
                attachments.add(&model, Distance, at, [None], stiffness).unwrap();
                model.add_subsystem(attachments).unwrap();
            }
        }
        let (mut state, mut solver) = Scalar::<f64>::authored(&model);
        (0..60).for_each(|_| solver.step(&mut state));
        state.bodies.poses()[0]
    };
    for compliance in [0.0, 1e-3] {
        let (row, joint) = (run(false, compliance), run(true, compliance));
        let apart = row.iter().zip(&joint).map(|(a, b)| (a - b).abs());
        let apart = apart.fold(0.0, f64::max);
        println!("compliance {compliance}: row and joint are {apart:.1e} apart after 1 s");
        assert!(apart < 1e-5, "{compliance}: {apart}");
    }
}

/// A rope from a beam's end, and a plane that its corner must not pass: they hang and lie where they must, and the
/// compliant row gives way by α F.
#[test]
fn bodies_hang_and_lie() {
    let mut model = still(10);
    model.settings.damping = 3.0;
    let beam = |x: f64| cuboid(2.0, [0.5, 0.05, 0.05], [x, 0.0, 0.0]);
    let hung = model.add_body(beam(0.0)).unwrap();
    let nail = model.add_particle([0.5, 1.0, 0.0], [0.0; 3], 0.0).unwrap();
    let lying = model.add_body(beam(3.0)).unwrap();
    let mut attachments = Attachments::new();
    let rope = [At::Particle(nail), At::Body(hung, [0.5, 0.0, 0.0])];
    let stiffness = Stiffness::Compliance(1e-3);
    attachments.add(&model, Tether, rope, [Some(1.0)], stiffness).unwrap();
    for x in [2.5, 3.5] {
        for z in [-0.05, 0.05] {
            let corner = [At::Body(lying, [x, -0.05, z])];
            let plane = [0.0, -0.5, 0.0, 0.0, 1.0, 0.0].map(Some);
            let stiffness = Stiffness::Factor(1.0);
            attachments.add(&model, Plane, corner, plane, stiffness).unwrap();
        }
    }
    model.add_subsystem(attachments).unwrap();
    let simulation = simulate(model, Method::Lanes, 1, 900);
    let [hung, lying] = [0, 1].map(|i| simulation.bodies()[i].map(f64::from));
    // Straight down from the nail: the rope, what it gives way, half the beam.
    let expected = 1.0 - (1.0 + 1e-3 * 2.0 * 9.81) - 0.5;
    assert!((hung[0] - 0.5).abs() < 2e-3 && (hung[1] - expected).abs() < 2e-4, "{hung:?}");
    assert!((lying[1] + 0.45).abs() < 1e-3, "{lying:?}");
}

/// In f32 and substeps of 1/6000 s, a heavy body keeps its angular momentum with a light particle on a row for a second. (What rounds its
/// orientation off, over h, took 4.7 %.)
#[test]
fn a_light_particle_leaves_a_heavy_body_its_spin() {
    for method in [Method::Scalar, Method::Lanes] {
        let mut model = still(100);
        model.settings.gravity = [0.0; 3];
        let mut body = cuboid(1000.0, [0.1, 0.075, 0.05], [0.0; 3]);
        body.angular_velocity = [0.5, -1.0, 0.8];
        let body = model.add_body(body).unwrap();
        let particle = model.add_particle([0.7, 0.0, 0.0], [0.0, 0.7, -0.4], 1.0).unwrap();
        let at = [At::Particle(particle), At::Body(body, [0.1, 0.0, 0.0])];
        let mut attachments = Attachments::new();
        attachments.add(&model, Distance, at, [None], Stiffness::Compliance(0.0)).unwrap();
        model.add_subsystem(attachments).unwrap();
        let mut simulation = Simulation::new(model, method, 1).unwrap();
        let total = |of: &Simulation| Vec3::<f64>::of(of.observe().angular_momentum);
        let before = total(&simulation);
        (0..60).for_each(|_| simulation.step());
        let off = (total(&simulation) - before).length() / before.length();
        println!("{method:?}: {off:.1e} of the angular momentum");
        assert!(off < 1e-4, "{method:?}: {off}");
    }
}

/// Two spinning bodies on a stiff and on soft rows, either 1000 times heavier: the total momenta stay (f64).
#[test]
fn attachments_keep_the_momenta() {
    for stiffness in
        [Stiffness::Factor(1.0), Stiffness::Compliance(1e-2), Stiffness::Damped(1e-2, 2.0)]
    {
        for masses in [[1.0, 1.0], [1.0, 1000.0], [1000.0, 1.0]] {
            let mut model = still(20);
            model.settings.iterations = 4;
            model.settings.gravity = [0.0; 3];
            let mut attachments = Attachments::new();
            let [a, b] = [0, 1].map(|i| {
                let x = i as f64;
                let mut body = cuboid(masses[i], [0.2, 0.1, 0.15], [x, 0.0, 0.0]);
                body.angular_velocity = [0.02, 0.05 - 0.1 * x, 0.04];
                model.add_body(body).unwrap()
            });
            let at = [At::Body(a, [0.2, 0.1, 0.0]), At::Body(b, [0.8, -0.1, 0.1])];
            attachments.add(&model, Distance, at, [None], stiffness).unwrap();
            model.add_subsystem(attachments).unwrap();
            let (mut state, mut solver) = Scalar::<f64>::authored(&model);
            let total = |state: &Particles<f64>| {
                let narrow = |v: &[f64; 7]| v.map(|v| v as f32);
                let seen = Snapshot {
                    bodies: state.bodies.poses().iter().map(narrow).collect(),
                    body_velocities: state
                        .bodies
                        .motions()
                        .iter()
                        .map(|v| v.map(|v| v as f32))
                        .collect(),
                    ..Snapshot::default()
                };
                let seen = observe(&model, &seen, &[]);
                [seen.momentum, seen.angular_momentum].map(Vec3::<f64>::of)
            };
            let before = total(&state);
            (0..60).for_each(|_| solver.step(&mut state));
            let after = total(&state);
            let off = [0, 1].map(|i| (after[i] - before[i]).length() / before[1].length());
            println!("{stiffness:?}, {masses:?}: linear {:.1e}, angular {:.1e}", off[0], off[1]);
            assert!(off[0] < 1e-5 && off[1] < 1e-5, "{stiffness:?}: {off:?}");
        }
    }
}

#[test]
fn attachments_that_are_refused() {
    let mut model = still(1);
    let b = model.add_body(cuboid(1.0, [0.1; 3], [0.0; 3])).unwrap();
    let p = model.add_particle([1.0, 0.0, 0.0], [0.0; 3], 1.0).unwrap();
    let o = [0.0; 3];
    for (at, needle) in [
        ([At::Body(7, o), At::Particle(p)], "7"),
        ([At::Body(b, o), At::Particle(9)], "9"),
        ([At::Body(b, o), At::Body(b, [0.1; 3])], "twice"),
        ([At::Particle(p), At::Particle(p)], "twice"),
        ([At::Body(b, [f64::NAN, 0.0, 0.0]), At::Particle(p)], "NaN"),
    ] {
        let mut attachments = Attachments::new();
        let stiffness = Stiffness::Factor(1.0);
        let error = attachments.add(&model, Distance, at, [None], stiffness).unwrap_err();
        assert!(error.to_string().contains(needle), "{error}");
        assert_eq!(attachments.len(), 0);
    }
}
