//! What impacts and overlaps of particles do to energy and momentum, held against closed forms.

use super::simulate;
use crate::Simulation;
use crate::collision::Contacts;
use crate::constraints::Distance;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::solvers::Method;
use crate::tests::models::floor;

/// What begins inside rises to the surface and no higher, however deep and at any step: an overlap is no energy.
#[test]
fn overlaps_part_without_velocity() {
    for (substeps, method) in [(1, Method::Scalar), (4, Method::Lanes), (20, Method::Lanes)] {
        let mut model = Model::new();
        model.settings.substeps = substeps;
        for (k, depth) in [0.2, 0.02, 0.002].into_iter().enumerate() {
            model.add_particle([k as f64, -depth, 0.0], [0.0; 3], 1.0).unwrap();
        }
        model.set_contacts(Contacts { colliders: vec![floor()], ..Contacts::default() }).unwrap();
        let mut simulation = Simulation::new(model, method, 1).unwrap();
        for _ in 0..30 {
            simulation.step();
            let highest = simulation.positions().iter().map(|x| x[1]).fold(f32::MIN, f32::max);
            assert!(highest < 1e-6, "{substeps} substeps: {highest} m");
        }
        let lowest = simulation.positions().iter().map(|x| x[1]).fold(f32::MAX, f32::min);
        assert!(lowest > -1e-6, "{substeps} substeps: {lowest} m");
    }
}

/// Balls that begin in each other part and then rest: no momentum and no energy come from it.
#[test]
fn balls_in_each_other_part_without_velocity() {
    for substeps in [1, 20] {
        let mut model = Model::new();
        (model.settings.gravity, model.settings.substeps) = ([0.0; 3], substeps);
        for (x, w) in [(0.0, 1.0), (0.06, 1.0), (1.0, 1.0), (1.098, 0.25)] {
            model.add_particle([x, 0.0, 0.0], [0.0; 3], w).unwrap();
        }
        let contacts = Contacts { radius: 0.05, pairs: true, ..Contacts::default() };
        model.set_contacts(contacts).unwrap();
        let end = simulate(model, Method::Lanes, 30);
        let (x, v) = (end.positions(), end.velocities());
        for pair in [0, 2] {
            let gap = x[pair + 1][0] - x[pair][0] - 0.1;
            assert!(gap.abs() < 1e-4, "{substeps} substeps: {gap} m apart");
        }
        let fastest = v.iter().map(|v| v[0].abs()).fold(0.0, f32::max);
        assert!(fastest < 1e-4, "{substeps} substeps: {fastest} m/s");
    }
}

/// Through a row of balls that touch a blow goes to the other end: as many leave as came, at their speed, and the rest stays;
/// every order that promises it has the same bits.
#[test]
fn a_blow_goes_through_a_row_of_particles() {
    for (coming, substeps) in [(1, 20), (2, 10), (1, 1)] {
        let row = |method| {
            let mut model = Model::new();
            (model.settings.gravity, model.settings.substeps) = ([0.0; 3], substeps);
            for i in 0..5 {
                let x = 0.2 * i as f64;
                let (x, v) = if i < coming { (x - 1.0, 2.0) } else { (x, 0.0) };
                model.add_particle([x, 0.0, 0.0], [v, 0.0, 0.0], 1.0).unwrap();
            }
            let contacts = Contacts {
                radius: 0.1,
                restitution: Some(1.0),
                pairs: true,
                ..Contacts::default()
            };
            model.set_contacts(contacts).unwrap();
            simulate(model, method, 60)
        };
        let end = row(Method::Lanes);
        assert_eq!(end.observe().hash, row(Method::Colored).observe().hash);
        let v: Vec<f32> = end.velocities().iter().map(|v| v[0] / 2.0).collect();
        println!("{coming} came, {substeps} substeps: {v:.4?} of their speed");
        let (rest, left) = v.split_at(5 - coming);
        assert!(left.iter().all(|v| (v - 1.0).abs() < 0.01), "{v:?}");
        assert!(rest.iter().all(|v| v.abs() < 0.02), "{v:?}");
    }
}

/// A billiard break of sixteen particles, e = 1, keeps its energy.
#[test]
fn a_break_of_particles_keeps_energy() {
    let mut model = Model::new();
    (model.settings.gravity, model.settings.substeps) = ([0.0; 3], 10);
    model.add_particle([-1.0, 0.0, 0.013], [3.0, 0.0, 0.0], 1.0).unwrap();
    for row in 0..5 {
        let x = 0.2 * f64::from(row) * 0.75_f64.sqrt();
        for k in 0..=row {
            let z = 0.2 * f64::from(k) - 0.1 * f64::from(row);
            model.add_particle([x, 0.0, z], [0.0; 3], 1.0).unwrap();
        }
    }
    let contacts =
        Contacts { radius: 0.1, restitution: Some(1.0), pairs: true, ..Contacts::default() };
    model.set_contacts(contacts).unwrap();
    let seen = simulate(model, Method::Lanes, 60).observe();
    println!("{:.4} of the energy", seen.energy / 4.5);
    assert!((seen.energy / 4.5 - 1.0).abs() < 0.03, "{} J", seen.energy);
    assert!((seen.momentum[0] / 3.0 - 1.0).abs() < 1e-3, "{:?}", seen.momentum);
}

/// The same break of 29 from another angle and at any steps: what comes together fast again within a substep waits for the next
/// one, and is not stopped as what rests.
#[test]
fn a_break_keeps_energy_at_any_steps() {
    for [substeps, iterations] in [[1, 10], [4, 4], [7, 2], [8, 1], [8, 2], [8, 4], [20, 1]] {
        let mut model = Model::new();
        model.settings.gravity = [0.0; 3];
        (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
        let [begin, down, across] = [
            [0.523482691586739, -2.290856588778679, 0.8469317535999163],
            [0.049989050155055, 0.025391729566638, -0.068832904102899],
            [0.083497138151364, -0.029241524384598, -0.007400128875190],
        ];
        for row in 0..7 {
            for k in 0..=row {
                let at =
                    |i: usize| begin[i] + f64::from(row - k) * down[i] + f64::from(k) * across[i];
                model.add_particle([at(0), at(1), at(2)], [0.0; 3], 1.0).unwrap();
            }
        }
        let x = [0.2405727610267801, -2.2619476567491543, 0.9773489732562441];
        let v = [4.34047858825379, -0.1251814163613206, -2.478825374629718];
        model.add_particle(x, v, 1.0).unwrap();
        let contacts = Contacts {
            radius: 0.0443891896343664,
            restitution: Some(1.0),
            pairs: true,
            ..Contacts::default()
        };
        model.set_contacts(contacts).unwrap();
        let began = v.iter().map(|v| 0.5 * v * v).sum::<f64>();
        let kept = simulate(model, Method::Scalar, 60).observe().energy / began;
        println!("{substeps} x {iterations}: {kept:.4} of the energy");
        assert!((kept - 1.0).abs() < 0.03, "{substeps} x {iterations}: {kept}");
    }
}

/// Velocities of balls in a row along `d`, in the order of the row, after one came at `v` (m/s) and struck it; `masses` of them.
fn struck_row(d: [f64; 3], masses: &[f64], v: f64, [substeps, iterations]: [u32; 2]) -> Simulation {
    let (mut model, radius) = (Model::new(), 0.07);
    model.settings.gravity = [0.0; 3];
    (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
    for (i, mass) in masses.iter().enumerate() {
        let way = 2.0 * radius * i as f64 + if i > 0 { 0.3 } else { 0.0 };
        let v = if i == 0 { v } else { 0.0 };
        model.add_particle(d.map(|d| 1.0 + way * d), d.map(|d| v * d), 1.0 / mass).unwrap();
    }
    let contacts = Contacts { radius, restitution: Some(1.0), pairs: true, ..Contacts::default() };
    model.set_contacts(contacts).unwrap();
    simulate(model, Method::Lanes, 60)
}

/// A blow also goes through rows that lie askew, of f32's grain: what parts the small overlaps that it leaves is no speed.
#[test]
fn a_blow_goes_through_a_row_askew() {
    for (d, steps) in [
        ([1.0, 2.0, 2.0], [20, 1]),
        ([1.0, 2.0, 2.0], [50, 1]),
        ([-2.0, 1.0, 2.0], [100, 1]),
        ([2.0, 3.0, -6.0], [8, 2]),
        ([2.0, 3.0, -6.0], [1, 10]),
    ] {
        let length = d.iter().map(|d| d * d).sum::<f64>().sqrt();
        let d = d.map(|d| d / length);
        let end = struck_row(d, &[1.0; 5], 2.3, steps);
        let along = |v: &[f32; 3]| (0..3).map(|k| f64::from(v[k]) * d[k]).sum::<f64>() / 2.3;
        let v: Vec<f64> = end.velocities().iter().map(along).collect();
        println!("{steps:?}: {v:.4?} of the speed");
        assert!((v[4] - 1.0).abs() < 0.01, "{steps:?}: {v:?}");
        assert!(v[..4].iter().all(|v| v.abs() < 0.02), "{steps:?}: {v:?}");
    }
}

/// Through rows of unequal masses goes all the energy: a ball that comes back to the one behind strikes it too.
#[test]
fn a_row_of_unequal_masses_keeps_energy() {
    for masses in [[1.0, 1.0, 3.0], [1.0, 1.0, 1000.0]] {
        for steps in [[1, 10], [20, 1]] {
            let seen = struck_row([1.0, 0.0, 0.0], &masses, 2.0, steps).observe();
            assert!(
                (seen.energy / 2.0 - 1.0).abs() < 1e-3,
                "{masses:?}, {steps:?}: {} J",
                seen.energy
            );
            assert!((seen.momentum[0] / 2.0 - 1.0).abs() < 1e-4, "{masses:?}: {:?}", seen.momentum);
        }
    }
}

/// Balls on each other that begin in a floor and in each other rise as far as to touch: the energy is what that takes, and
/// hardly more on the way.
#[test]
fn a_held_overlap_is_no_energy() {
    for (overlap, steps) in [(0.013, [20, 1]), (0.013, [40, 1])] {
        let mut model = Model::new();
        (model.settings.substeps, model.settings.iterations) = (steps[0], steps[1]);
        model.add_particle([0.0, 0.05 - overlap, 0.0], [0.0; 3], 1.0).unwrap();
        model.add_particle([0.0, 0.15 - 2.0 * overlap, 0.0], [0.0; 3], 1.0).unwrap();
        let contacts =
            Contacts { colliders: vec![floor()], radius: 0.05, pairs: true, ..Contacts::default() };
        model.set_contacts(contacts).unwrap();
        let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
        let mut most = 0.0_f64;
        for _ in 0..60 {
            simulation.step();
            most = most.max(simulation.observe().energy);
        }
        let parted = 9.81 * 0.2;
        println!("{overlap} m, {steps:?}: {most:.3} J, {parted:.3} J apart");
        assert!(most < 1.05 * parted, "{overlap} m, {steps:?}: {most} J");
        let rest = simulation.observe().energy;
        assert!((rest / parted - 1.0).abs() < 0.01, "{overlap} m, {steps:?}: {rest} J");
    }
}

/// A column of rigid links that begins in a floor is not thrown up: its rows get the speed at which its foot is pushed out.
#[test]
fn a_column_in_a_floor_is_not_thrown_up() {
    for steps in [[8, 2], [20, 1], [40, 1]] {
        let mut model = Model::new();
        (model.settings.substeps, model.settings.iterations) = (steps[0], steps[1]);
        for k in 0..4 {
            model.add_particle([0.0, 0.1 * f64::from(k) - 0.005, 0.0], [0.0; 3], 1.0).unwrap();
        }
        for k in 0..3 {
            model.add(Distance, [k, k + 1], [None], Stiffness::Factor(1.0)).unwrap();
        }
        model.set_contacts(Contacts { colliders: vec![floor()], ..Contacts::default() }).unwrap();
        let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
        let mut highest = 0.0_f32;
        for _ in 0..30 {
            simulation.step();
            highest = highest.max(simulation.positions()[3][1] - 0.3);
        }
        println!("{steps:?}: {:.1} mm above its place", 1e3 * highest);
        assert!(highest < 0.01, "{steps:?}: {highest} m");
    }
}

/// On a smooth floor and under gravity a blow goes through a row as well.
#[test]
fn a_blow_goes_through_a_row_on_a_floor() {
    for steps in [[8, 2], [20, 1], [50, 1]] {
        let mut model = Model::new();
        (model.settings.substeps, model.settings.iterations) = (steps[0], steps[1]);
        for i in 0..5 {
            let way = 0.14 * f64::from(i) + if i > 0 { 0.14 } else { 0.0 };
            let v = if i == 0 { 2.3 } else { 0.0 };
            model.add_particle([0.6 * way, 0.07, 0.8 * way], [0.6 * v, 0.0, 0.8 * v], 1.0).unwrap();
        }
        let contacts = Contacts {
            colliders: vec![floor()],
            radius: 0.07,
            restitution: Some(1.0),
            pairs: true,
            ..Contacts::default()
        };
        model.set_contacts(contacts).unwrap();
        let end = simulate(model, Method::Lanes, 40);
        let along = |v: &[f32; 3]| (0.6 * v[0] + 0.8 * v[2]) / 2.3;
        let v: Vec<f32> = end.velocities().iter().map(along).collect();
        println!("{steps:?}: {v:.4?} of the speed");
        assert!((v[4] - 1.0).abs() < 0.01, "{steps:?}: {v:?}");
        assert!(v[..4].iter().all(|v| v.abs() < 0.02), "{steps:?}: {v:?}");
    }
}
