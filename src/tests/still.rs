//! What is at rest stays at rest over a thousand steps, and what is bent or crushed comes back.

use super::sample::{Random, turn};
use crate::constraints::{Bending, Distance, NeoHookean};
use crate::math::Vec3;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::{Method, Simulation};

/// An N x N grid of triangles, 1 m wide, turned anyhow, its `lift` added along its normal.
fn sheet(
    n: usize,
    edges: bool,
    rotation: [Vec3<f64>; 3],
    lift: impl Fn(usize, usize) -> f64,
) -> Model {
    let mut model = Model::new();
    model.settings.gravity = [0.0; 3];
    let at = |x: usize, y: usize| (y * n + x) as u32;
    for y in 0..n {
        for x in 0..n {
            let step = 1.0 / (n - 1) as f64;
            let p = Vec3::new(x as f64 * step, y as f64 * step, lift(x, y));
            let p = turn(rotation, p);
            model.add_particle([p.x, p.y, p.z], [0.0; 3], 100.0).expect("a particle");
        }
    }
    let flat = Some(std::f64::consts::PI);
    let stiff = Stiffness::Factor(1.0);
    for y in 0..n {
        for x in 0..n {
            let mut edge = |e0, e1, wings: Option<[u32; 2]>| {
                if edges {
                    let row = model.add(Distance, [e0, e1], [None], stiff);
                    row.expect("an edge");
                }
                if let Some([w0, w1]) = wings {
                    let row = model.add(Bending, [e0, e1, w0, w1], [flat], stiff);
                    row.expect("a hinge");
                }
            };
            if x + 1 < n {
                let wings = (y > 0 && y + 1 < n).then(|| [at(x + 1, y - 1), at(x, y + 1)]);
                edge(at(x, y), at(x + 1, y), wings);
            }
            if y + 1 < n {
                let wings = (x > 0 && x + 1 < n).then(|| [at(x - 1, y + 1), at(x + 1, y)]);
                edge(at(x, y), at(x, y + 1), wings);
            }
            if x + 1 < n && y + 1 < n {
                edge(at(x + 1, y), at(x, y + 1), Some([at(x, y), at(x + 1, y + 1)]));
            }
        }
    }
    model
}

/// The largest speed in the second half of `steps` steps.
fn speed(simulation: &mut Simulation, steps: usize) -> f32 {
    let mut largest = 0.0_f32;
    for step in 0..steps {
        simulation.step();
        if step >= steps / 2 {
            let v = simulation.velocities();
            largest = v.as_flattened().iter().fold(largest, |m, v| m.max(v.abs()));
        }
    }
    largest
}

/// Level, to a micrometre a second; tilted, what a thousand steps of rounding do to a free sheet.
#[test]
fn a_flat_sheet_stays_at_rest() {
    let mut random = Random(11);
    let level = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]].map(Vec3::of);
    for (rotation, most) in [(level, 1e-5), (random.rotation(), 5e-4)] {
        for method in [Method::Scalar, Method::Lanes] {
            for edges in [false, true] {
                let model = sheet(8, edges, rotation, |_, _| 0.0);
                let mut simulation = Simulation::new(model, method, 1).expect("a simulation");
                let v = speed(&mut simulation, 1000);
                println!("flat sheet, {method:?}, edges {edges}: {v:.1e} m/s");
                assert!(v < most, "{method:?}: {v} m/s");
            }
        }
    }
}

#[test]
fn a_slightly_bent_sheet_is_flattened() {
    let mut random = Random(12);
    let bump = |x: usize, y: usize| 0.01 * ((x * 3 + y * 5) % 7) as f64 / 7.0;
    let mut model = sheet(8, true, random.rotation(), bump);
    model.settings.damping = 1.0;
    let bent = |simulation: &Simulation| {
        let rows = simulation.observe();
        assert!(rows.finite);
        rows.residual
    };
    let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
    let before = bent(&simulation);
    for _ in 0..300 {
        simulation.step();
    }
    let after = bent(&simulation);
    println!("bent sheet: residual {before:.1e} to {after:.1e} m");
    assert!(after < 0.05 * before, "residual {before} to {after}");
}

/// One tetrahedron of 0.1 m and 1000 kg/m³, from soft to stiffer than steel: no stress, no energy, no motion at rest.
#[test]
fn a_material_at_rest_stays_at_rest() {
    for (young, poisson, substeps, iterations) in [
        (1e3, 0.3, 1, 10),
        (1e5, 0.45, 1, 10),
        (1e6, -0.4, 20, 1),
        (1e7, 0.3, 1, 10),
        (1e9, 0.3, 20, 1),
        (1e12, 0.499, 1, 10),
    ] {
        let mut model = Model::new();
        model.settings.gravity = [0.0; 3];
        model.settings.substeps = substeps;
        model.settings.iterations = iterations;
        let l = 0.1;
        let w = 4.0 / (1000.0 * l * l * l / 6.0);
        for x in [[0.3, 0.1, 0.2], [0.4, 0.11, 0.2], [0.31, 0.2, 0.21], [0.3, 0.1, 0.3]] {
            model.add_particle(x, [0.0; 3], w).expect("a particle");
        }
        let material = NeoHookean::material(young, poisson);
        let row = model.add(NeoHookean, [0, 1, 2, 3], material, Stiffness::Material);
        row.expect("a tetrahedron");
        let mut simulation = Simulation::new(model, Method::Scalar, 1).expect("a simulation");
        let v = speed(&mut simulation, 1000);
        let seen = simulation.observe();
        println!(
            "E {young:e}: {v:.1e} m/s, residual {:.1e} m, energy {:.1e} J",
            seen.residual, seen.energy
        );
        // One rounding of a coordinate in a substep: 3e-8 m / h.
        let rounding = 3e-8 * 60.0 * f32::from(substeps as u16);
        assert!(v < 20.0 * rounding, "E {young}: {v} m/s");
        assert!(seen.residual_max < 1e-6, "E {young}: {}", seen.residual_max);
    }
}

/// A loaded tetrahedron is in balance when C + α̃ λ = 0: strained, with energy, and without residual.
#[test]
fn a_loaded_material_has_strain_but_no_residual() {
    let mut model = Model::new();
    model.settings.damping = 5.0;
    let corners = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.0, 0.1], [0.03, -0.1, 0.03]];
    for (x, w) in corners.into_iter().zip([0.0, 0.0, 0.0, 10.0]) {
        model.add_particle(x, [0.0; 3], w).expect("a particle");
    }
    let material = NeoHookean::material(1e4, 0.3);
    let row = model.add(NeoHookean, [0, 1, 2, 3], material, Stiffness::Material);
    row.expect("a tetrahedron");
    let mut simulation = Simulation::new(model, Method::Scalar, 1).expect("a simulation");
    for _ in 0..600 {
        simulation.step();
    }
    let sag = -0.1 - f64::from(simulation.positions()[3][1]);
    let seen = simulation.observe();
    println!("loaded: {sag:.1e} m lower, residual {:.1e} m", seen.residual_max);
    assert!(sag > 1e-4, "{sag} m");
    assert!(seen.residual_max < 1e-3 * sag, "{} m", seen.residual_max);
}
