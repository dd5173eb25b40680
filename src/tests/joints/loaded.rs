//! Loads that passes over one joint after another do not hold, judged from poses, closed forms and conservation laws.

use super::{cuboid, model};
use crate::model::Model;
use crate::rigid::{Body, End, Joint, JointKind, Joints, Motor, Shape, Weight};
use crate::settings::Rigid;
use crate::tests::models::{bits, scene, simulate};
use crate::{Method, Simulation};

const G: f64 = 9.81;
/// Substeps and iterations.
const SETTINGS: [[u32; 2]; 5] = [[1, 10], [4, 4], [8, 1], [20, 1], [1, 1]];
/// A link's length and the load's radius (m).
const LINK: f64 = 0.2;
const RADIUS: f64 = 0.3;

/// A chain of links of 1 kg, `turn` from hanging (rad), and a ball of `load` (kg) at its end, where it has one.
#[derive(Clone)]
struct Chain {
    from: [f64; 3],
    links: u32,
    load: Option<f64>,
    turn: f64,
    kind: JointKind,
    /// Whether the world holds its first link.
    held: bool,
    /// What its joints have beside their kind.
    with: fn(Joint) -> Joint,
}

impl Chain {
    fn at(&self, way: f64) -> [f64; 3] {
        let [x, y, z] = self.from;
        [x + way * self.turn.sin(), y - way * self.turn.cos(), z]
    }

    fn length(&self) -> f64 {
        LINK * f64::from(self.links)
    }

    fn bodies(&self) -> Vec<Body> {
        let half = self.turn / 2.0;
        let link = |i: u32| {
            let shape = Shape::Capsule([0.03, LINK / 2.0 - 0.03]);
            let body = Body::new(shape, Weight::Mass(1.0), None).unwrap();
            body.at(self.at(LINK * (f64::from(i) + 0.5)), [0.0, 0.0, half.sin(), half.cos()])
        };
        let load = self.load.map(|mass| ball(mass, self.at(self.length() + RADIUS)));
        (0..self.links).map(link).chain(load).collect()
    }

    /// Adds it; the number of its first body.
    fn add(&self, model: &mut Model, joints: &mut Joints) -> u32 {
        let first = model.bodies().len() as u32;
        for body in self.bodies() {
            model.add_body(body).unwrap();
        }
        let (from, to) = (u32::from(!self.held), model.bodies().len() as u32 - first);
        for i in from..to {
            let before = if i == 0 { End::World } else { End::Body(first + i - 1) };
            let ends = [before, End::Body(first + i)];
            let joint = Joint::new(self.kind, ends, self.at(LINK * f64::from(i)));
            joints.add(&*model, (self.with)(joint.along([0.0, 0.0, 1.0]))).unwrap();
        }
        first
    }

    fn model(&self, settings: [u32; 2]) -> Model {
        let mut model = model(settings[0], settings[1]);
        let mut joints = Joints::new();
        self.add(&mut model, &mut joints);
        model.add_subsystem(joints).unwrap();
        model
    }
}

fn ball(mass: f64, position: [f64; 3]) -> Body {
    let body = Body::new(Shape::Sphere(RADIUS), Weight::Mass(mass), None).unwrap();
    body.at(position, [0.0, 0.0, 0.0, 1.0])
}

fn chain(links: u32, load: f64, turn: f64, kind: JointKind) -> Chain {
    Chain { from: [0.0; 3], links, load: Some(load), turn, kind, held: true, with: |joint| joint }
}

fn solved_at_once(simulation: &Simulation) -> usize {
    let counts = simulation.counts();
    counts.iter().find(|(name, _)| *name == "joints solved at once").map_or(0, |(_, count)| *count)
}

/// A ball of up to 10 t on links of 1 kg hangs, swings and falls over at the chain's length, and gains no energy: passes let a tonne
/// sink by two lengths or threw it about.
#[test]
fn light_links_bear_a_heavy_load() {
    let pi = std::f64::consts::PI;
    for (links, load) in [(10, 1000.0), (20, 1000.0), (5, 10_000.0)] {
        for turn in [0.0, 0.8, 0.5 * pi, 0.95 * pi] {
            for settings in SETTINGS {
                let what = format!("{links} links, {load} kg, {turn:.2} rad, {settings:?}");
                let chain = chain(links, load, turn, JointKind::Ball);
                let mut simulation =
                    Simulation::new(chain.model(settings), Method::Lanes, 1).unwrap();
                assert_eq!(solved_at_once(&simulation), links as usize + 1, "{what}");
                let length = chain.length() + RADIUS;
                let start = simulation.observe().energy;
                let mut lowest = f64::INFINITY;
                for _ in 0..120 {
                    simulation.step();
                    let [x, y, z, ..] = simulation.bodies()[links as usize].map(f64::from);
                    let far = x.hypot(y).hypot(z) / length - 1.0;
                    assert!(far < 1e-4, "{what}: {far} too far");
                    lowest = lowest.min(y);
                    let gained = (simulation.observe().energy - start) / (load * G * length);
                    assert!(gained < 1e-3, "{what}: gained {gained}");
                }
                assert!(simulation.observe().residual_max < 1e-5, "{what}");
                assert!(lowest < -0.8 * length, "{what}: it does not fall: {lowest}");
            }
        }
    }
}

/// A beam of fixed joints stays level; one of hinges about a level axis falls as far as it can.
#[test]
fn a_beam_bears_its_end() {
    for load in [1.0, 50.0] {
        for settings in [[1, 10], [4, 4], [8, 1], [1, 1]] {
            let beam = |kind| {
                let model = chain(8, load, std::f64::consts::FRAC_PI_2, kind).model(settings);
                simulate(model, Method::Lanes, 1, 120)
            };
            let fallen = -beam(JointKind::Fixed).bodies()[8][1];
            assert!(fallen.abs() < 1e-4, "{load} kg, {settings:?}: {fallen} m");
            assert!(beam(JointKind::Hinge).observe().residual_max < 1e-5);
        }
    }
}

/// A beam of hinges with limits of 0.1 rad bends by that at each of them, whatever it bears, and one whose motors hold it stays level.
#[test]
fn limits_and_motors_bear_the_end_of_a_beam() {
    for load in [20.0, 1000.0] {
        for settings in SETTINGS {
            let beam = chain(5, load, std::f64::consts::FRAC_PI_2, JointKind::Hinge);
            let end = |with| {
                let model = Chain { with, ..beam.clone() }.model(settings);
                f64::from(simulate(model, Method::Lanes, 1, 200).bodies()[5][1])
            };
            let bent = end(|joint| Joint { limits: Some([-0.1, 0.1]), ..joint });
            let links = (1..=5).map(|i| LINK * (0.1 * f64::from(i)).sin());
            let expected = -links.sum::<f64>() - RADIUS * 0.6_f64.sin();
            assert!((bent - expected).abs() < 2e-3, "{load} kg, {settings:?}: {bent}, {expected}");
            let level = end(|joint| Joint { motor: Some(Motor::Position(0.0)), ..joint });
            assert!(level.abs() < 1e-4, "{load} kg, {settings:?}: {level} m");
        }
    }
}

/// A loop: a seat of half a tonne swings on four chains and stays level.
#[test]
fn four_chains_bear_a_seat() {
    for settings in SETTINGS {
        let mut model = model(settings[0], settings[1]);
        let mut joints = Joints::new();
        let low = 2.0;
        let mut seat = cuboid(500.0, [0.5, 0.05, 0.3], [0.0, -low - 0.05, 0.0]);
        seat.velocity = [1.0, 0.0, 0.3];
        let seat = model.add_body(seat).unwrap();
        for [x, z] in [[-0.5, -0.3], [-0.5, 0.3], [0.5, -0.3], [0.5, 0.3]] {
            let chain =
                Chain { from: [x, 0.0, z], load: None, ..chain(10, 0.0, 0.0, JointKind::Ball) };
            let first = chain.add(&mut model, &mut joints);
            let ends = [End::Body(first + 9), End::Body(seat)];
            joints.add(&model, Joint::new(JointKind::Ball, ends, [x, -low, z])).unwrap();
        }
        model.add_subsystem(joints).unwrap();
        let simulation = simulate(model, Method::Lanes, 1, 120);
        let seen = simulation.observe();
        assert!(seen.residual_max < 1e-5, "{settings:?}: {}", seen.residual_max);
        let [.., qx, _, qz, _] = simulation.bodies()[seat as usize];
        assert!(qx.abs() + qz.abs() < 0.01, "{settings:?}: {qx}, {qz}");
    }
}

/// A loop that hardly yields: a tonne in the middle of a chain that is held tight at both ends.
#[test]
fn a_tight_chain_bears_a_load() {
    for settings in SETTINGS {
        let mut model = model(settings[0], settings[1]);
        let mut joints = Joints::new();
        let chain =
            Chain { load: None, ..chain(20, 0.0, std::f64::consts::FRAC_PI_2, JointKind::Ball) };
        chain.add(&mut model, &mut joints);
        let end = [End::Body(19), End::World];
        joints.add(&model, Joint::new(JointKind::Ball, end, chain.at(chain.length()))).unwrap();
        let ball = model.add_body(ball(1000.0, [2.1, -0.4, 0.0])).unwrap();
        let ends = [End::Body(10), End::Body(ball)];
        joints.add(&model, Joint::new(JointKind::Ball, ends, [2.1, 0.0, 0.0])).unwrap();
        model.add_subsystem(joints).unwrap();
        let simulation = simulate(model, Method::Lanes, 1, 120);
        let fallen = -0.4 - simulation.bodies()[ball as usize][1];
        assert!(fallen.abs() < 0.02, "{settings:?}: {fallen} m");
    }
}

/// A tonne and a tenth of one on a chain that nothing holds: both momenta stay.
#[test]
fn a_free_flail_keeps_its_momenta() {
    for rigid in Rigid::ALL {
        for settings in SETTINGS {
            let flail = Chain { held: false, ..chain(10, 1000.0, 0.7, JointKind::Ball) };
            let mut model = model(settings[0], settings[1]);
            model.settings.rigid = rigid;
            model.settings.gravity = [0.0; 3];
            let mut handle = Body::new(Shape::Sphere(0.1), Weight::Mass(100.0), None).unwrap();
            handle.velocity = [0.0, 2.0, 3.0];
            handle.angular_velocity = [1.0, 2.0, 3.0];
            let handle = handle.at(flail.at(-0.1), [0.0, 0.0, 0.0, 1.0]);
            let handle = model.add_body(handle).unwrap();
            let mut joints = Joints::new();
            flail.add(&mut model, &mut joints);
            let ends = [End::Body(handle), End::Body(1)];
            joints.add(&model, Joint::new(JointKind::Ball, ends, [0.0; 3])).unwrap();
            model.add_subsystem(joints).unwrap();
            let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
            let start = simulation.observe();
            (0..180).for_each(|_| simulation.step());
            let end = simulation.observe();
            let off = |a: [f64; 3], b: [f64; 3]| {
                let size = a.iter().map(|v| v * v).sum::<f64>().sqrt();
                (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max) / size
            };
            let linear = off(start.momentum, end.momentum);
            let angular = off(start.angular_momentum, end.angular_momentum);
            assert!(linear < 1e-5 && angular < 1e-3, "{rigid:?} {settings:?}: {linear}, {angular}");
            assert!(end.energy <= start.energy * 1.001, "{rigid:?} {settings:?}");
            assert!(end.residual_max < 1e-5, "{rigid:?} {settings:?}: {}", end.residual_max);
        }
    }
}

/// What bears a load at once breaks where it says: between the weight of the ball and one link, and that of two.
#[test]
fn a_chain_that_is_solved_at_once_breaks_where_it_says() {
    for (above, breaks) in [(0.97, true), (1.03, false)] {
        let chain = chain(6, 500.0, 0.0, JointKind::Ball);
        let mut model = model(4, 4);
        for body in chain.bodies() {
            model.add_body(body).unwrap();
        }
        let mut joints = Joints::new();
        for i in 0..=6 {
            let ends = [if i == 0 { End::World } else { End::Body(i - 1) }, End::Body(i)];
            let weight = G * (500.0 + 6.0 - f64::from(i));
            let break_force = (i == 3).then_some(above * weight);
            let joint = Joint::new(JointKind::Ball, ends, chain.at(LINK * f64::from(i)));
            joints.add(&model, Joint { break_force, ..joint }).unwrap();
        }
        model.add_subsystem(joints).unwrap();
        let simulation = simulate(model, Method::Lanes, 1, 60);
        assert_eq!(simulation.broken_joints().len(), usize::from(breaks), "{above}");
        assert!(simulation.observe().finite);
        let fallen = -chain.length() - RADIUS - f64::from(simulation.bodies()[6][1]);
        assert_eq!(fallen > 1.0, breaks, "{above}: {fallen} m");
    }
}

/// The same bits by every method that walks the same order, on any number of threads, and after a checkpoint.
#[test]
fn what_is_solved_at_once_has_the_same_bits() {
    let build = || {
        let mut model = model(4, 4);
        let mut joints = Joints::new();
        chain(10, 1000.0, 0.8, JointKind::Ball).add(&mut model, &mut joints);
        chain(7, 300.0, -0.5, JointKind::Hinge).add(&mut model, &mut joints);
        chain(4, 1.0, 0.3, JointKind::Universal).add(&mut model, &mut joints);
        let limits = |joint| Joint { limits: Some([-0.1, 0.1]), ..joint };
        let turns = |joint| Joint { motor: Some(Motor::Velocity(0.2)), ..joint };
        let soft = |joint| Joint { compliance: 1e-5, ..joint };
        for with in [limits, turns, soft] {
            Chain { with, ..chain(5, 100.0, 1.2, JointKind::Hinge) }.add(&mut model, &mut joints);
        }
        model.add_subsystem(joints).unwrap();
        model
    };
    let expected = simulate(build(), Method::Lanes, 1, 40);
    assert_eq!(solved_at_once(&expected), 11 + 8 + 2 * 6 + 2 * 6 + 6, "all but the light chain");
    for (method, threads) in [(Method::Colored, 1), (Method::Lanes, 2), (Method::Lanes, 7)] {
        let other = simulate(build(), method, threads, 40);
        assert_eq!(bits(&other.snapshot()), bits(&expected.snapshot()), "{method:?}@{threads}");
    }
    let mut saved = Vec::new();
    simulate(build(), Method::Lanes, 1, 20).save(&mut saved).unwrap();
    let mut loaded = Simulation::new(build(), Method::Lanes, 2).unwrap();
    loaded.load(&mut &saved[..]).unwrap();
    (0..20).for_each(|_| loaded.step());
    assert_eq!(bits(&loaded.snapshot()), bits(&expected.snapshot()), "after a checkpoint");
}

/// A tolerance ends iterations when a step has closed all rows.
#[test]
fn a_tolerance_is_met_at_once() {
    for turn in [0.0, 0.8] {
        let mut model = chain(10, 1000.0, turn, JointKind::Ball).model([1, 50]);
        (model.settings.tolerance, model.settings.check_every) = (1e-5, true);
        let simulation = simulate(model, Method::Lanes, 1, 30);
        let statistics = simulation.statistics();
        assert!(statistics.iterations <= 2, "{turn}: {}", statistics.iterations);
        let error = statistics.error.expect("it was checked");
        assert!(error < 1e-5 && simulation.observe().residual_max < 1e-5, "{turn}: {error}");
    }
}

/// What passes hold is left to them.
#[test]
fn what_passes_hold_is_left_to_them() {
    for (name, size) in [("mobile", 7), ("chain", 100), ("net", 10), ("joints", 3), ("car", 1)] {
        let simulation = Simulation::new(scene(name, size), Method::Lanes, 1).unwrap();
        assert_eq!(solved_at_once(&simulation), 0, "{name}");
    }
}
