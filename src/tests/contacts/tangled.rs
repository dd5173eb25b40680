//! Cloths that start tangled are pulled apart: crossings are counted exactly, energy and momentum watched.

use crate::Simulation;
use crate::collision::{Collider, Contacts, SelfContact, Tangled, tangles};
use crate::constraints::{Bending, Distance};
use crate::mesh::{survey_surface, unique_edges};
use crate::model::Model;
use crate::rows::Stiffness;
use crate::solvers::Method;
use crate::tests::models::{Random, simulate};

/// How far layers are kept apart (m).
const THICKNESS: f64 = 0.01;
/// Of a particle (1/kg).
const INVERSE_MASS: f64 = 500.0;

/// Sheets and balls, in one cloth.
#[derive(Clone, Default)]
struct World {
    points: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    pinned: Vec<u32>,
    gravity: f64,
    floor: Option<f64>,
}

impl World {
    /// Adds a sheet of so many points along each side, where `place` puts (u, v) of -1..=1; the first of its points.
    fn sheet(&mut self, [n, m]: [u32; 2], place: impl Fn(f64, f64) -> [f64; 3]) -> u32 {
        let first = self.points.len() as u32;
        for i in 0..n * m {
            let at = |k: u32, n: u32| 2.0 * f64::from(k) / f64::from(n - 1) - 1.0;
            self.points.push(place(at(i % n, n), at(i / n, m)));
            if i % n + 1 < n && i / n + 1 < m {
                let a = first + i;
                self.triangles.extend([[a, a + 1, a + n + 1], [a, a + n + 1, a + n]]);
            }
        }
        first
    }

    /// Adds a ball of rings from pole to pole.
    fn ball(&mut self, center: [f64; 3], radius: f64) {
        const RINGS: u32 = 11;
        const ROUND: u32 = 20;
        let first = self.points.len() as u32;
        let mut add = |polar: f64, turn: f64| {
            let [x, z] = [polar.sin() * turn.cos(), polar.sin() * turn.sin()];
            let [x, y, z] = [x, polar.cos(), z].map(|v| radius * v);
            self.points.push([center[0] + x, center[1] + y, center[2] + z]);
        };
        let pi = std::f64::consts::PI;
        add(0.0, 0.0);
        for i in 0..RINGS * ROUND {
            let [ring, k] = [i / ROUND, i % ROUND].map(f64::from);
            add(pi * (ring + 1.0) / f64::from(RINGS + 1), 2.0 * pi * k / f64::from(ROUND));
        }
        add(pi, 0.0);
        let at = |ring: u32, k: u32| first + 1 + ring * ROUND + k % ROUND;
        for k in 0..ROUND {
            self.triangles.push([first, at(0, k + 1), at(0, k)]);
            let last = first + 1 + RINGS * ROUND;
            self.triangles.push([last, at(RINGS - 1, k), at(RINGS - 1, k + 1)]);
            for ring in 0..RINGS - 1 {
                let [a, b, c, d] =
                    [at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k)];
                self.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }

    /// Lets it fall on a floor below.
    fn fall(&mut self) {
        let lowest = self.points.iter().map(|x| x[1]).fold(1.0, f64::min);
        (self.gravity, self.floor) = (9.81, Some(lowest - 0.1));
    }

    fn model(&self, [substeps, iterations]: [u32; 2]) -> Model {
        let mut model = Model::new();
        for (i, &x) in self.points.iter().enumerate() {
            let w = if self.pinned.contains(&(i as u32)) { 0.0 } else { INVERSE_MASS };
            model.add_particle(x, [0.0; 3], w).unwrap();
        }
        for edge in unique_edges(&self.triangles) {
            model.add(Distance, edge, [None], Stiffness::Factor(1.0)).unwrap();
        }
        for [e0, e1, w0, w1] in survey_surface(&self.triangles).interior {
            model.add(Bending, [e0, e1, w0, w1], [None], Stiffness::Factor(0.1)).unwrap();
        }
        (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
        model.settings.gravity = [0.0, -self.gravity, 0.0];
        let floor = self.floor.map(|y| Collider::plane([0.0, y, 0.0], [0.0, 1.0, 0.0]).unwrap());
        let cloths = vec![SelfContact {
            triangles: self.triangles.clone(),
            thickness: THICKNESS,
            ..SelfContact::default()
        }];
        let contacts = Contacts {
            colliders: floor.into_iter().collect(),
            radius: 0.005,
            friction: Some(0.3),
            cloths,
            ..Contacts::default()
        };
        model.set_contacts(contacts).unwrap();
        model
    }
}

/// A tangled cloth under way.
struct Run {
    simulation: Simulation,
    triangles: Vec<[u32; 3]>,
    masses: Vec<f64>,
}

impl Run {
    fn new(model: Model, method: Method, threads: usize) -> Self {
        let triangles = model.contacts().unwrap().cloths[0].triangles.clone();
        let mass = |&w: &f32| if w > 0.0 { 1.0 / f64::from(w) } else { 0.0 };
        let masses = model.inverse_masses().iter().map(mass).collect();
        Self { simulation: Simulation::new(model, method, threads).unwrap(), triangles, masses }
    }

    fn crossings(&self) -> usize {
        tangles(&self.simulation.positions(), &self.triangles)
    }

    /// Σ m f(v) or the like, of velocities or positions.
    fn sum(&self, of: &[[f32; 3]], f: impl Fn([f64; 3]) -> f64) -> f64 {
        of.iter().zip(&self.masses).map(|(v, m)| m * f(v.map(f64::from))).sum()
    }

    /// How fast its particles are, as a root mean square (m/s).
    fn speed(&self) -> f64 {
        let squares = self.sum(&self.simulation.velocities(), |v| v.iter().map(|v| v * v).sum());
        (squares / self.masses.iter().sum::<f64>()).sqrt()
    }

    /// Velocity and place of the center of mass (m/s, m).
    fn center(&self) -> [[f64; 3]; 2] {
        let mass = self.masses.iter().sum::<f64>();
        [self.simulation.velocities(), self.simulation.positions()]
            .map(|of| [0, 1, 2].map(|k| self.sum(&of, |v| v[k]) / mass))
    }
}

/// A sheet level, and one that stands with a corner through its middle.
fn corner() -> World {
    let mut world = World::default();
    world.sheet([12, 12], |u, v| [0.3 * u, 0.0, 0.3 * v]);
    world.sheet([12, 12], |u, v| {
        let [s, t] = [0.2 * (u + 1.0), 0.2 * (v + 1.0)];
        [0.03 + 0.5 * (s - t), -0.08 + 0.7 * (s + t), 0.02 + 0.5 * (s - t)]
    });
    world
}

/// A sheet level, and one of so much of its width that stands through it, shifted along the line in which they cross.
fn crossed(width: f64, shift: f64) -> World {
    let mut world = World::default();
    world.sheet([12, 12], |u, v| [0.3 * u, 0.0, 0.3 * v]);
    world.sheet([12, 12], |u, v| [0.03 + 0.05 * v, 0.3 * u + 0.07, 0.3 * width * v + shift]);
    world
}

/// A strip folded over so that its upper layer goes down through the lower one.
fn fold() -> World {
    let mut world = World::default();
    world.sheet([24, 8], |u, v| match u < 0.0 {
        true => [-0.3 * u, 0.0, 0.12 * v],
        false => [0.3 * u, 0.04 - 0.1 * u, 0.12 * v],
    });
    world
}

/// Two balls, one dipped into the other.
fn balls() -> World {
    let mut world = World::default();
    world.ball([0.0, 0.0, 0.0], 0.15);
    world.ball([0.23, 0.03, 0.02], 0.15);
    world
}

/// A sheet level, and one through its middle that hangs from an edge.
fn hanging() -> World {
    let mut world = World::default();
    world.sheet([12, 12], |u, v| [0.3 * u, 0.0, 0.3 * v]);
    let first = world.sheet([8, 14], |u, v| [0.15 * u + 0.02, 0.1 + 0.3 * v, 0.03 + 0.02 * v]);
    world.pinned = (first + 104..first + 112).collect();
    world
}

/// A fold whose points are moved at random by more than its layers are apart.
fn noise() -> World {
    let (mut world, mut random) = (World::default(), Random(5));
    world.sheet([32, 12], |u, v| [0.4 * u.abs(), if u < 0.0 { 0.0 } else { 0.02 }, 0.2 * v]);
    for x in &mut world.points {
        let by = random.point();
        *x = [0, 1, 2].map(|k| x[k] + 0.012 * by[k]);
    }
    world
}

/// Pulls a world apart, free and on a floor: nothing passes through anything from some frame on, nothing gets fast, and where
/// nothing holds it neither its momentum nor its center of mass changes. Without the repair all stay tangled.
fn comes_apart(world: &World) {
    for (falls, steps) in [(false, [8, 4]), (true, [20, 1])] {
        let mut world = world.clone();
        if falls {
            world.fall();
        }
        let mut run = Run::new(world.model(steps), Method::Lanes, 1);
        assert!(run.crossings() > 0);
        let (energy, [_, center]) = (run.simulation.observe().energy, run.center());
        let (mut counts, mut clean) = (Vec::new(), 0);
        while clean < 20 {
            run.simulation.step();
            counts.push(run.crossings());
            clean = if counts.ends_with(&[0]) { clean + 1 } else { 0 };
            assert!(counts.len() < 140, "{falls}: {counts:?}");
            let gained = run.simulation.observe().energy - energy;
            let most = 0.5 * run.masses.iter().sum::<f64>() * FAST * FAST;
            assert!(gained < most, "{falls}: {gained} J gained, {most} allowed: {counts:?}");
        }
        println!("{steps:?}, falls {falls}: {:.2} m/s, {counts:?}", run.speed());
        // The repair has ended: nothing comes back. (What lies on a floor is pressed by its weight, which one iteration does not hold.)
        for _ in 0..if falls { 0 } else { 40 } {
            run.simulation.step();
            assert_eq!(run.crossings(), 0, "{falls}: {counts:?}");
        }
        if !falls && world.pinned.is_empty() {
            let [v, x] = run.center();
            for k in 0..3 {
                assert!(v[k].abs() < 1e-5, "momentum {v:?}");
                assert!((x[k] - center[k]).abs() < 1e-4, "from {center:?} to {x:?}");
            }
        }
    }
}

/// Nothing that comes apart is faster, as a root mean square (m/s).
const FAST: f64 = 0.5;

macro_rules! come_apart {
    ($($name:ident: $world:expr;)*) => {$(
        #[test]
        fn $name() {
            comes_apart(&$world);
        }
    )*};
}

come_apart! {
    a_corner_comes_out: corner();
    a_narrow_sheet_slides_out: crossed(0.6, 0.01);
    crossed_sheets_come_apart: crossed(1.0, 0.01);
    slit_sheets_come_apart: crossed(1.0, 0.3);
    a_fold_comes_out_of_itself: fold();
    balls_come_apart: balls();
    a_hanging_sheet_comes_free: hanging();
    a_rough_fold_comes_apart: noise();
}

/// What is held on both sides stays tangled, is told, and rests.
#[test]
fn what_is_pinned_stays_tangled() {
    let mut world = crossed(1.0, 0.01);
    let on_rim = |i: &u32| [i % 12, i / 12 % 12].iter().any(|k| [0, 11].contains(k));
    world.pinned = (0..288).filter(on_rim).collect();
    let mut run = Run::new(world.model([8, 2]), Method::Lanes, 1);
    for _ in 0..60 {
        run.simulation.step();
        assert!(run.speed() < 2.0 * FAST, "{} m/s", run.speed());
    }
    println!("{} crossings, {} m/s", run.crossings(), run.speed());
    assert!(run.crossings() > 0);
    assert_eq!(run.simulation.tangled(), Some(run.crossings()));
    let all = run.simulation.positions();
    assert!(all.iter().flatten().all(|x| x.abs() < 1.0), "{all:?}");
}

/// A repair has the same bits on any threads and lanes, and goes on from a state in its middle.
#[test]
fn a_repair_goes_on_from_any_frame() {
    const FRAMES: usize = 8;
    let hash = |simulation: &mut Simulation| {
        simulation.step();
        simulation.observe().hash
    };
    for world in [corner(), crossed(1.0, 0.3)] {
        let mut seen = Vec::new();
        for method in [Method::Scalar, Method::Ordered, Method::Colored, Method::Lanes] {
            let start = |threads| Simulation::new(world.model([4, 2]), method, threads).unwrap();
            let threads = if method.threaded() { 3 } else { 1 };
            let (mut first, mut second, mut file) = (start(1), start(threads), Vec::new());
            let mut hashes: Vec<_> = (0..3).map(|_| hash(&mut first)).collect();
            let middle = first.snapshot();
            first.save(&mut file).unwrap();
            hashes.extend((3..FRAMES).map(|_| hash(&mut first)));
            second.load(&mut &file[..]).unwrap();
            first.restore(&middle);
            for expected in &hashes[3..] {
                assert_eq!(hash(&mut second), *expected, "{method:?}, loaded");
                assert_eq!(hash(&mut first), *expected, "{method:?}, restored");
            }
            seen.push(hashes);
        }
        assert!(seen[0] == seen[1] && seen[2] == seen[3], "{seen:?}");
    }
}

/// Whether a repair is over is part of a state: of two that are the same but for that, one displaces what is tangled.
#[test]
fn a_repair_that_is_over_stays_over() {
    let world = corner();
    let mut simulation = Simulation::new(world.model([8, 4]), Method::Lanes, 1).unwrap();
    let start = simulation.snapshot();
    (0..90).for_each(|_| simulation.step());
    let mut over = simulation.snapshot();
    assert_eq!(simulation.tangled(), Some(0));
    (over.positions, over.velocities) = (start.positions.clone(), start.velocities.clone());
    simulation.restore(&over);
    (0..30).for_each(|_| simulation.step());
    assert!(simulation.tangled() > Some(0));
    simulation.restore(&start);
    (0..60).for_each(|_| simulation.step());
    assert_eq!(simulation.tangled(), Some(0));
}

/// What does not start tangled has the bits that it has where tangles are refused.
#[test]
fn what_is_not_tangled_has_the_same_bits() {
    let mut world = crossed(1.0, 0.0);
    world.points[144..].iter_mut().for_each(|x| x[1] += 0.3);
    world.fall();
    let mut hashes = [Tangled::Repair, Tangled::Refuse].map(|tangled| {
        let mut model = world.model([4, 2]);
        let mut contacts = model.contacts().unwrap().clone();
        contacts.cloths[0].tangled = tangled;
        model.set_contacts(contacts).unwrap();
        let simulation = simulate(model, Method::Lanes, 1, 30);
        simulation.observe().hash
    });
    hashes.sort_unstable();
    assert_eq!(hashes[0], hashes[1]);
}
