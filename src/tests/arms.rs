//! Rows of particle kinds at arms of bodies, for every kind by its registration alone: what one projection does against the
//! row's own C, momenta, joints that hold the same, methods and threads.

use super::every_kind;
use super::sample::{Random, at_rest, deformed};
use crate::constraints::{
    Constraint, Distance, Given, Sense, Site, Solve, Visitor, project, visit_kinds,
};
use crate::constraints::{Plane, Tether};
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::observe::observe;
use crate::rigid::{
    At, Attachments, Body, End, GenericResponse, Joint, JointKind, Joints, LocalAnchor, Shape,
    Weight,
};
use crate::rows::Strength;
use crate::settings::Gyro;
use crate::solvers::Scalar;
use crate::state::MovingBody;
use crate::state::Particles;
use crate::state::Snapshot;
use crate::subsystem::Subsystem;
use crate::{Method, Simulation};

/// A body with its point at `x`: random mass, inertia, orientation and arm.
fn grip(random: &mut Random, x: Vec3<f64>) -> LocalAnchor<f64> {
    let q = Quat::exp(random.vector(2.0));
    let arm = random.vector(0.5);
    let inertia = || random.within(0.5, 20.0);
    let mut inertia = inertia;
    let inverse_inertia = Vec3::new(inertia(), inertia(), inertia());
    LocalAnchor {
        body: MovingBody {
            x: x - q.rotate(arm),
            q,
            w: random.within(0.2, 4.0),
            inverse_inertia,
            ..MovingBody::world()
        },
        arm,
    }
}

/// From near C = 0 one projection leaves C of second order: the weight and where the correction lands belong to the
/// gradient of C about the bodies' positions and turns. Of rows projected one after another, the last.
#[test]
fn one_projection_solves_a_row() {
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        if C::MATERIAL {
            return; // its compliance leaves an error by design; the test of momenta and of bits has it
        }
        let mut random = Random(17);
        let mut tried = 0;
        for _ in 0..200 {
            let (x, p) = at_rest::<C, N, P, K>(&mut random);
            let x = x.map(|x| x + random.vector(1e-5));
            let mut grips = x.map(|x| grip(&mut random, x));
            let value =
                |grips: &[LocalAnchor<f64>; N]| C::evaluate(grips.map(|g| g.point()), p)[K - 1].c;
            let before = value(&grips);
            let near = before.abs() < 1e-3 && before.abs() > 1e-9;
            if !near || (C::SENSE == Sense::Inequality && before > 0.0) {
                continue;
            }
            let mut lambda = [0.0; K];
            let response = GenericResponse::stiff(1.0);
            let previous = [Vec3::zero(); N];
            project::<C, _, _, _, N, P, K>(&mut grips, previous, p, response, &mut lambda);
            let after = value(&grips);
            // Rows solved together are told apart by a millionth.
            let rest = if C::SOLVE == Solve::Block { 1e-4 } else { 0.0 };
            let most = before.abs() * rest + 1e-7;
            assert!(after.abs() < most, "{}: {before:e} to {after:e}", C::NAME);
            tried += 1;
        }
        let needed = match C::NAME {
            "plane" | "pair" | "triangle" | "edge_edge" => 0, // seldom near zero at random: the tests below have them
            _ => 20,
        };
        assert!(tried >= needed, "{}: {tried}", C::NAME);
    }
    every_kind!(check);
}

/// Σ m Δx = 0 and Σ x × m Δx + I Δθ = 0, whatever the kind; a plane is outside and takes what it likes.
#[test]
fn one_projection_keeps_both_momenta() {
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        if C::NAME == "plane" {
            return;
        }
        let mut random = Random(23);
        let mut moved = 0;
        for round in 0..60 {
            let (x, p) = deformed::<C, N, P, K>(&mut random);
            let mut grips = x.map(|x| grip(&mut random, x));
            let before = grips;
            let response = match round % 2 {
                0 if !C::MATERIAL => GenericResponse::stiff(1.0),
                _ => crate::constraints::Response::new([1e-4, 0.0]),
            };
            let mut lambda = [0.0; K];
            let previous = [Vec3::zero(); N];
            project::<C, _, _, _, N, P, K>(&mut grips, previous, p, response, &mut lambda);
            let (mut linear, mut angular, mut size) = (Vec3::zero(), Vec3::zero(), 0.0);
            for (grip, was) in grips.iter().zip(&before) {
                let dx = grip.body.push * (1.0 / grip.body.w);
                linear += dx;
                // Each correction turned the body where it was then: of one row that is where it began.
                let local = was.body.q.unrotate(grip.body.turn);
                let i = grip.body.inverse_inertia;
                let spin = Vec3::new(local.x / i.x, local.y / i.y, local.z / i.z);
                angular += was.body.x.cross(dx) + was.body.q.rotate(spin);
                size += dx.length() + spin.length();
            }
            moved += usize::from(size > 1e-6);
            assert!(
                linear.length() < 1e-9 * (1.0 + size),
                "{}: {linear:?}",
                C::NAME
            );
            if K == 1 {
                assert!(
                    angular.length() < 1e-9 * (1.0 + size),
                    "{}: {angular:?}",
                    C::NAME
                );
            }
        }
        assert!(moved > 5, "{}: {moved} moved", C::NAME);
    }
    every_kind!(check);
}

/// Rows of every kind and class, half of their places on bodies.
struct Zoo {
    model: Model,
    arms: Attachments,
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
                std::array::from_fn(|k| (C::PARAMS[k].given == Given::Required).then_some(p[k]));
            let strength = match i % 3 {
                _ if C::MATERIAL => Strength::Material,
                0 => Strength::Stiffness(0.7),
                1 => Strength::Compliance(1e-4),
                _ => Strength::Damped(1e-4, 3.0),
            };
            let added = self
                .arms
                .add_as::<C, N, P, K>(&self.model, at, given, strength);
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
fn arms_are_the_same_in_lanes() {
    let build = |kind| {
        let zoo = Zoo {
            model: Model::new(),
            arms: Attachments::new(),
            random: Random(5),
            copies: 29,
        };
        let mut only = Only(kind, zoo);
        visit_kinds(&mut only);
        let Only(
            _,
            Zoo {
                mut model, arms, ..
            },
        ) = only;
        (model.settings.substeps, model.settings.iterations) = (2, 3);
        model.settings.gyro = Gyro::Momentum; // planes lie anywhere, and throw what is behind them
        assert_eq!(arms.len(), 29);
        model.add_part(arms);
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
            let mut simulation = Simulation::new(build(kind.name), method, threads).unwrap();
            (0..10).for_each(|_| simulation.step());
            let now = simulation.observe();
            assert!(now.finite, "{}", kind.name);
            // Multipliers too: they are in the residual.
            seen.push((now.hash, now.residual.to_bits()));
        }
        assert!(
            seen.iter().all(|s| *s == seen[0]),
            "{}: {seen:x?}",
            kind.name
        );
    }
}

fn still(substeps: u32) -> Model {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (substeps, 1);
    model.settings.gyro = Gyro::Momentum;
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
        let strength = Strength::Compliance(0.0);
        model.add(Distance, [nail, p], [None], strength).unwrap();
        let corner = [0.2, -0.4, 0.3];
        match joint {
            true => {
                let ends = [End::Body(body), End::Particle(p)];
                let mut joint = Joint::new(JointKind::Distance, ends, corner);
                joint.compliance = compliance;
                let mut joints = Joints::new();
                joints.add(&model, joint).unwrap();
                model.add_part(joints);
            }
            false => {
                let at = [At::Body(body, corner), At::Particle(p)];
                let mut arms = Attachments::new();
                let strength = Strength::Compliance(compliance);
                arms.add(&model, Distance, at, [None], strength).unwrap();
                model.add_part(arms);
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
    let mut arms = Attachments::new();
    let rope = [At::Particle(nail), At::Body(hung, [0.5, 0.0, 0.0])];
    let strength = Strength::Compliance(1e-3);
    arms.add(&model, Tether, rope, [Some(1.0)], strength)
        .unwrap();
    for x in [2.5, 3.5] {
        for z in [-0.05, 0.05] {
            let corner = [At::Body(lying, [x, -0.05, z])];
            let plane = [0.0, -0.5, 0.0, 0.0, 1.0, 0.0].map(Some);
            let strength = Strength::Stiffness(1.0);
            arms.add(&model, Plane, corner, plane, strength).unwrap();
        }
    }
    model.add_part(arms);
    let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
    (0..900).for_each(|_| simulation.step());
    let [hung, lying] = [0, 1].map(|i| simulation.bodies()[i].map(f64::from));
    // Straight down from the nail: the rope, what it gives way, half the beam.
    let expected = 1.0 - (1.0 + 1e-3 * 2.0 * 9.81) - 0.5;
    assert!(
        (hung[0] - 0.5).abs() < 2e-3 && (hung[1] - expected).abs() < 2e-4,
        "{hung:?}"
    );
    assert!((lying[1] + 0.45).abs() < 1e-3, "{lying:?}");
}

/// Two spinning bodies on a stiff and on soft rows, either 1000 times heavier: the total momenta stay (f64: in f32 the
/// rounding of the heavy one's orientation, over h, is more).
#[test]
fn rows_at_arms_keep_the_momenta() {
    for strength in [
        Strength::Stiffness(1.0),
        Strength::Compliance(1e-2),
        Strength::Damped(1e-2, 2.0),
    ] {
        for masses in [[1.0, 1.0], [1.0, 1000.0], [1000.0, 1.0]] {
            let mut model = still(20);
            model.settings.iterations = 4;
            model.settings.gravity = [0.0; 3];
            let mut arms = Attachments::new();
            let [a, b] = [0, 1].map(|i| {
                let x = i as f64;
                let mut body = cuboid(masses[i], [0.2, 0.1, 0.15], [x, 0.0, 0.0]);
                body.angular_velocity = [0.02, 0.05 - 0.1 * x, 0.04];
                model.add_body(body).unwrap()
            });
            let at = [At::Body(a, [0.2, 0.1, 0.0]), At::Body(b, [0.8, -0.1, 0.1])];
            arms.add(&model, Distance, at, [None], strength).unwrap();
            model.add_part(arms);
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
            println!(
                "{strength:?}, {masses:?}: linear {:.1e}, angular {:.1e}",
                off[0], off[1]
            );
            assert!(off[0] < 1e-5 && off[1] < 1e-5, "{strength:?}: {off:?}");
        }
    }
}

#[test]
fn arms_that_are_refused() {
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
        let mut arms = Attachments::new();
        let strength = Strength::Stiffness(1.0);
        let error = arms
            .add(&model, Distance, at, [None], strength)
            .unwrap_err();
        assert!(error.to_string().contains(needle), "{error}");
        assert!(arms.len() == 0);
    }
}
