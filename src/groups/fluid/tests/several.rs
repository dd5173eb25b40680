//! Several fluids that meet.

use super::known::{STEP, column, lattice, simulation};
use super::{RADIUS, all_of_it, block, momentum_scale, numbers, tank, tank_for};
use crate::Simulation;
use crate::collision::{Collider, Contacts};
use crate::groups::{Fluid, FluidNumbers};
use crate::model::Model;
use crate::solvers::Method;

/// The model with two fluids: of all its particles, those that `is_first` says, and the others.
fn with_two(
    mut model: Model,
    numbers: [FluidNumbers; 2],
    is_first: impl Fn([f64; 3]) -> bool,
) -> (Model, Vec<bool>) {
    let first: Vec<bool> = model.positions().iter().map(|x| is_first(x.map(f64::from))).collect();
    for (numbers, which) in numbers.into_iter().zip([true, false]) {
        let of = (0..first.len() as u32).filter(|&i| first[i as usize] == which).collect();
        let fluid = Fluid::new(&model, of, numbers).expect("a fluid");
        model.add_subsystem(fluid).expect("it meets the other");
    }
    (model, first)
}

/// Oil and water that is twice as dense, in a tank as wide as they are.
fn oil_and_water(is_water: impl Fn([f64; 3]) -> bool) -> (Simulation, Vec<bool>) {
    let (n, layers) = (8, 8);
    let model = lattice([n, layers, n], |at| if is_water(at) { 2.0 } else { 1.0 });
    let dense = 2.0 * numbers().rest_density;
    let water = FluidNumbers { rest_density: dense, viscosity: 0.0, ..numbers() };
    let oil = FluidNumbers { viscosity: 0.0, dynamic_viscosity: 1.0, ..numbers() };
    let (model, first) = with_two(model, [water, oil], is_water);
    let width = n as f64 * STEP;
    (simulation(tank_for(RADIUS, model, width, width)), first)
}

/// Every other place or so, without an order.
fn mix(at: [f64; 3]) -> bool {
    let [x, y, z] = at.map(|x| (x / STEP) as u32);
    (x + 8 * (y + 8 * z) + 1).wrapping_mul(0x9e37_79b1) >> 17 & 1 == 1
}

/// What of the lower half is of the first fluid.
fn share_below(simulation: &Simulation, is_first: &[bool]) -> f64 {
    let y = column(simulation, 1);
    let mut order: Vec<usize> = (0..y.len()).collect();
    order.sort_by(|&i, &j| y[i].total_cmp(&y[j]));
    let half = y.len() / 2;
    order[..half].iter().filter(|&&i| is_first[i]).count() as f64 / half as f64
}

/// Liquids whose densities differ by a tenth or a quarter lie in layers after 15 s, mixed at first or the heavy one above; their energy is
/// never more than at the start. (They stayed as they were put.)
#[test]
fn liquids_of_nearly_one_density_layer() {
    let (n, middle) = (8, 4.0 * STEP);
    for (ratio, mixed) in [(1.1, false), (1.1, true), (1.25, false), (1.25, true)] {
        let heavy = |at: [f64; 3]| match mixed {
            true => mix(at),
            false => at[1] > middle + if at[0] < middle { -0.1 } else { 0.1 },
        };
        let model = lattice([n; 3], |at| if heavy(at) { ratio } else { 1.0 });
        let of =
            |part: f64| FluidNumbers { rest_density: 1000.0 * part, viscosity: 0.01, ..numbers() };
        let (model, is_heavy) = with_two(model, [of(ratio), of(1.0)], heavy);
        let mut simulation = simulation(tank_for(RADIUS, model, n as f64 * STEP, n as f64 * STEP));
        let (before, start) = (share_below(&simulation, &is_heavy), simulation.observe().energy);
        let mut most = start;
        for step in 0..15 * 240 {
            simulation.step();
            if step % 24 == 0 {
                most = most.max(simulation.observe().energy);
            }
        }
        let after = share_below(&simulation, &is_heavy);
        println!("{ratio}: {before:.2}, then {after:.2} below; energy {:.5}", most / start);
        assert!(after > if mixed { 0.8 } else { 0.65 }, "{ratio}: {after} of the lower half");
        assert!(most < 1.0001 * start, "{ratio}: {} times the energy", most / start);
    }
}

/// Oil that floats on water stays there, and both stay as high as they are together; water above oil goes down.
#[test]
fn two_fluids_lie_by_their_densities() {
    let middle = 4.0 * STEP;
    for upside_down in [false, true] {
        let water = |[x, y, _]: [f64; 3]| match upside_down {
            true => y > middle + if x < 4.0 * STEP { -0.1 } else { 0.1 },
            false => y < middle,
        };
        let (mut simulation, is_water) = oil_and_water(water);
        let below = |simulation: &Simulation| share_below(simulation, &is_water);
        let before = below(&simulation);
        (0..if upside_down { 1800 } else { 480 }).for_each(|_| simulation.step());
        let after = below(&simulation);
        let y = column(&simulation, 1);
        let level = 2.0 * y.iter().sum::<f64>() / y.len() as f64;
        println!("{before:.2}, then {after:.2} of the lower half are water; {level:.3} m high");
        assert!(after > if upside_down { 0.7 } else { 0.99 }, "{after}");
        assert!((level / (8.0 * STEP) - 1.0).abs() < 0.02, "{level} m high");
    }
}

/// u of a layer of ν1 below one of ν2, each h high, between plates at rest and pulled along by g: u = a y - g y²/2ν from each plate, the same
/// velocity and the same shear stress where they meet.
fn expected(y: f64, [first, second]: [f64; 2], h: f64, g: f64) -> f64 {
    // ν1 a1 + ν2 a2 = 2 g h; a1 - a2 = g h/2 (1/ν1 - 1/ν2).
    let differs = 0.5 * g * h * (1.0 / first - 1.0 / second);
    let upper = (2.0 * g * h - first * differs) / (first + second);
    let (a, nu, y) = match y < h {
        true => (upper + differs, first, y),
        false => (upper, second, 2.0 * h - y),
    };
    a * y - 0.5 * g / nu * y * y
}

/// One five times as viscous as the other, of the same density.
#[test]
fn two_fluids_between_plates_share_the_stress() {
    let (layers, g, nu) = (12, 0.1, [0.3, 0.06]);
    let height = layers as f64 * STEP;
    let of = |nu| FluidNumbers { viscosity: 0.0, dynamic_viscosity: 1000.0 * nu, ..numbers() };
    let lower = |[_, y, _]: [f64; 3]| y < 0.5 * height;
    let (mut model, _) = with_two(lattice([24, layers, 5], |_| 1.0), nu.map(of), lower);
    model.settings.gravity = [g, 0.0, 0.0];
    let plate = |y, normal| Collider::plane([0.0, y, 0.0], [0.0, normal, 0.0]).expect("a plane");
    let colliders = vec![plate(0.0, 1.0), plate(height, -1.0)];
    let contacts = Contacts { colliders, radius: RADIUS, ..Contacts::default() };
    model.set_contacts(contacts).expect("contacts");
    let mut simulation = simulation(model);
    (0..(240.0 * 0.4 * height * height / nu[1]) as usize / 4).for_each(|_| simulation.step());
    let (begun, frames) = (column(&simulation, 0), 240);
    (0..frames).for_each(|_| simulation.step());
    let all: Vec<_> = simulation.positions().into_iter().zip(simulation.velocities()).collect();
    let middle = 0.5 * (begun.iter().sum::<f64>() / begun.len() as f64 + 12.0 * STEP);
    let (mut worst, mut most): (f64, f64) = (0.0, 0.0);
    for layer in 0..layers {
        let y = (layer as f64 + 0.5) * STEP;
        let near = |x: &[f32; 3]| {
            let off = f64::from(x[0]) - middle;
            off.abs() < 4.0 * STEP && (f64::from(x[1]) / STEP) as usize == layer
        };
        let speeds: Vec<f64> =
            all.iter().filter(|(x, _)| near(x)).map(|(_, v)| f64::from(v[0])).collect();
        let speed = speeds.iter().sum::<f64>() / speeds.len() as f64;
        let expected = expected(y, nu, 0.5 * height, g);
        println!("y = {y:.2} m: {speed:.4} m/s, expected {expected:.4}");
        (worst, most) = (worst.max((speed - expected).abs()), most.max(expected));
    }
    assert!(worst < 0.1 * most, "{worst} of {most} m/s");
}

/// A free blob of two, in the scalar reference and in lanes on any threads, with everything that a fluid can do.
#[test]
fn two_fluids_keep_their_momentum_and_their_bits() {
    let run = |method, threads, held: bool| {
        let numbers = [1.0, 3.0].map(|k| FluidNumbers {
            dynamic_viscosity: 20.0 * k,
            surface_tension: 5.0 / k,
            // Vorticity confinement is no pair of opposite pushes.
            vorticity: if held { 0.2 } else { 0.0 },
            ..all_of_it()
        });
        let (model, _) = with_two(block([7, 9, 5], 0.9), numbers, |[x, ..]| x < 0.3);
        let mut model = if held { tank(model, 0.9, 0.7) } else { model };
        if !held {
            model.settings.gravity = [0.0; 3];
        }
        let mut simulation = Simulation::new(model, method, threads).expect("a simulation");
        let before = simulation.observe().momentum;
        (0..60).for_each(|_| simulation.step());
        let seen = simulation.observe();
        assert!(seen.finite);
        if !held {
            let lost: f64 = (0..3).map(|k| (seen.momentum[k] - before[k]).powi(2)).sum();
            let part = lost.sqrt() / momentum_scale(&simulation);
            println!("{part:.1e} of the momentum");
            assert!(part < 1e-5, "{part}");
        }
        (seen.hash, simulation.velocities())
    };
    run(Method::Lanes, 1, false);
    let reference = run(Method::Scalar, 1, true);
    for threads in [1, 2, 3, 7] {
        assert!(run(Method::Lanes, threads, true) == reference, "{threads} threads");
    }
}

#[test]
fn fluids_that_meet_are_computed_alike() {
    let cases: [(&str, FluidNumbers); 3] = [
        ("fluid.radius: 0.04 ", FluidNumbers { radius: 0.04, ..numbers() }),
        ("fluid.s_corr: 0.1 ", FluidNumbers { s_corr: 0.1, ..numbers() }),
        ("fluid.vorticity: 2 ", FluidNumbers { vorticity: 2.0, ..numbers() }),
    ];
    let mut model = block([2, 2, 2], 1.0);
    let fluid = |model: &Model, list, numbers| Fluid::new(model, list, numbers).expect("a fluid");
    model.add_subsystem(fluid(&model, vec![0, 1], numbers())).expect("one");
    for (says, numbers) in cases {
        let error = model.add_subsystem(fluid(&model, vec![2], numbers)).expect_err(says);
        assert!(error.to_string().starts_with(says), "{error}");
    }
    let error = model.add_subsystem(fluid(&model, vec![1, 2], numbers())).expect_err("of both");
    assert!(error.to_string().contains("is of another fluid already"), "{error}");
}
