//! What of a kernel lies within solids, against sums over the kernel.

use super::super::FluidNumbers;
use super::super::kernel::Numbers;
use super::super::shape::beyond_wall;
use super::super::solids::within;
use super::super::surfaces::behind;
use super::known::{STEP, largest, lattice, simulation};
use super::{RADIUS, block, kernel, numbers, tank, with};
use crate::collision::{Collider, Contacts};
use crate::groups::Fluid;
use crate::math::Vec3;
use crate::model::Model;
use crate::settings::Settings;
use crate::solvers::Method;
use crate::state::{Body, Shape, Surface, Volume, Weight};
use crate::tests::models::simulate;
use std::sync::Arc;

type Triangles = Vec<[Vec3<f64>; 3]>;

/// A box by half its sizes, wound outward, every side of two triangles.
pub(super) fn box_of_triangles(half: [f64; 3]) -> Surface {
    let corner =
        |i: u32| [0, 1, 2].map(|k| (if i >> k & 1 == 1 { half[k] } else { -half[k] }) as f32);
    let sides =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    ((0..8).map(corner).collect(), triangles.collect())
}

fn exact((points, triangles): &Surface) -> Triangles {
    let corner = |i: u32| Vec3::of(points[i as usize].map(f64::from));
    triangles.iter().map(|t| t.map(corner)).collect()
}

/// What of the kernel of support 1 at `x` lies where `is_inside`, summed over a fine lattice.
fn summed(x: [f64; 3], is_inside: impl Fn([f64; 3]) -> bool) -> f64 {
    let n = 40;
    let at = |i: i32| (f64::from(i) + 0.5) / f64::from(n);
    let (mut sum, mut all) = (0.0, 0.0);
    for i in (-n..n).flat_map(|i| (-n..n).flat_map(move |j| (-n..n).map(move |k| [i, j, k]))) {
        let d = i.map(at);
        let u = d.iter().map(|v| v * v).sum::<f64>().sqrt();
        if u < 1.0 {
            all += kernel(u);
            sum += if is_inside([0, 1, 2].map(|k| x[k] + d[k])) { kernel(u) } else { 0.0 };
        }
    }
    sum / all
}

/// Besides faces, edges, corners and a thin plate, of large triangles and of small ones.
#[test]
fn what_lies_behind_triangles_is_the_kernels_sum() {
    for (half, at) in [
        ([2.0, 1.0, 1.5], [2.3, 0.2, 0.1]),
        ([2.0, 1.0, 1.5], [2.3, 1.3, 0.1]),
        ([2.0, 1.0, 1.5], [2.2, 0.9, -1.4]),
        ([2.0, 0.1, 1.5], [1.9, 0.4, 0.3]),
    ] {
        let inside = |p: [f64; 3]| (0..3).all(|k| p[k].abs() < half[k]);
        let expected = summed(at, inside);
        let mut triangles = exact(&box_of_triangles(half));
        for _ in 0..4 {
            let share = behind(&triangles, Vec3::of(at), 1.0);
            println!("{} triangles: {share:.5}, summed {expected:.5}", triangles.len());
            assert!((share - expected).abs() < 1e-3, "{half:?} {at:?}: {share} {expected}");
            let quarters = |[a, b, c]: [Vec3<f64>; 3]| {
                let [p, q, r] = [a + b, b + c, c + a].map(|p| p * 0.5);
                [[a, p, r], [p, b, q], [r, q, c], [p, q, r]]
            };
            triangles = triangles.into_iter().flat_map(quarters).collect();
        }
    }
    // From within, what is outside: a tank.
    let tank = exact(&box_of_triangles([1.0; 3]));
    let corner = behind(&tank, Vec3::of([0.75; 3]), 1.0);
    let expected = summed([0.75; 3], |p| p.iter().any(|v| v.abs() > 1.0));
    assert!((corner - expected).abs() < 1e-3, "{corner} {expected}");
    let wall = behind(&exact(&box_of_triangles([9.0; 3])), Vec3::of([8.6, 0.1, 0.3]), 1.0);
    assert!((wall - beyond_wall(0.4)).abs() < 1e-5, "{wall}");
}

/// The closed form of a round side is right to a fortieth of the kernel, where particles are: a radius off.
#[test]
fn what_lies_within_cylinders_and_cones_is_the_kernels_sum() {
    let fluid = Fluid::new(&Model::new(), vec![], numbers()).expect("a fluid");
    let numbers = Numbers::<f64>::new(&fluid, 1.0, &Settings::default());
    let h = fluid.support();
    let r = 0.25;
    for ([r0, r1], at) in [
        ([2.0, 2.0], [2.0 + r, 0.0, 0.0]),
        ([2.0, 2.0], [1.2, 0.0, 1.6 + 2.0 * r]),
        ([2.0, 2.0], [0.3, 1.0 + r, 0.1]),
        ([2.0, 2.0], [2.0 + r, 1.0, 0.0]),
        ([2.0, 0.0], [1.0 + r * 0.71, r * 0.71, 0.0]),
        ([2.0, 0.0], [0.2, -1.0 - r, 0.0]),
    ] {
        let ends = [-1.0, 1.0];
        let inside = |[x, y, z]: [f64; 3]| {
            let radius = r0 + (r1 - r0) * (y - ends[0]) / (ends[1] - ends[0]);
            y.abs() < 1.0 && x * x + z * z < radius * radius
        };
        let expected = summed(at, inside);
        let scaled = Volume::Frustum { ends: ends.map(|v| v * h), radii: [r0 * h, r1 * h] };
        let share = within(&scaled, Vec3::of(at.map(|v| v * h)), &numbers, h);
        println!("{r0} {r1} {at:?}: {share:.4}, summed {expected:.4}");
        assert!((share - expected).abs() < 0.025, "{at:?}: {share} {expected}");
    }
}

/// A dam breaks in a tank of triangles wound inward, twelve sides and no plane: nobody gets out, nothing shoots up in the corners, and the
/// water comes to lie as high as its volume says.
#[test]
fn a_tank_of_triangles_holds_water_without_jets() {
    let (n, deep) = (10, 8);
    let half = [n as f64 * STEP, n as f64 * STEP, 0.5 * deep as f64 * STEP];
    let mut model = with(lattice([n, n, deep], |_| 1.0), numbers());
    let (points, triangles) = box_of_triangles(half);
    let points: Vec<[f64; 3]> = points.iter().map(|p| p.map(f64::from)).collect();
    let inward: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let tank = Collider::mesh(&points, &inward, half, [0.0, 0.0, 0.0, 1.0]).expect("a mesh");
    let contacts = Contacts { colliders: vec![tank], radius: RADIUS, ..Contacts::default() };
    model.set_contacts(contacts).expect("contacts");
    let mut simulation = simulation(model);
    let height = |x: &[f32; 3]| f64::from(x[1]);
    let (start, mut rise): (Vec<f64>, f64) =
        (simulation.positions().iter().map(height).collect(), 0.0);
    for step in 0..1200 {
        simulation.step();
        let x = simulation.positions();
        for x in &x {
            for k in 0..3 {
                let x = f64::from(x[k]);
                let inside = (0.5 * RADIUS..2.0 * half[k] - 0.5 * RADIUS).contains(&x);
                assert!(inside, "step {step}: at {x} along {k}");
            }
        }
        // Before the front is at the other wall.
        if step < 100 {
            rise = rise.max(largest(x.iter().zip(&start).map(|(x, start)| height(x) - start)));
        }
    }
    let level = 2.0 * simulation.positions().iter().map(height).sum::<f64>() / start.len() as f64;
    println!("rises by {rise:.3} m, comes to {level:.3} m");
    assert!(rise < RADIUS, "rises by {rise} m");
    assert!((level / (0.5 * n as f64 * STEP) - 1.0).abs() < 0.03, "{level} m high");
}

/// In the corners of a tank of three sides, 60° each, water at 1/60 s crossed one side where another put it out: 16 of 392 particles were lost.
#[test]
fn a_tank_with_sharp_corners_holds_water_in_long_steps() {
    let (size, middle) = (0.9, 0.45);
    // Inward: the floor, and three sides.
    let corner = |k: usize, y: f64| {
        let angle = 0.2 + 2.0 * std::f64::consts::PI * k as f64 / 3.0;
        [size * angle.cos(), y, size * angle.sin()]
    };
    let points: Vec<_> = (0..6).map(|k| corner(k % 3, if k < 3 { 0.0 } else { 3.0 })).collect();
    let sides = (0..3_u32).flat_map(|k| {
        let next = (k + 1) % 3;
        [[k, next, k + 3], [next, next + 3, k + 3]]
    });
    let triangles: Vec<[u32; 3]> = sides.chain([[0, 2, 1]]).collect();
    let tank = Collider::mesh(&points, &triangles, [0.0; 3], [0.0, 0.0, 0.0, 1.0]).expect("a mesh");
    let mut model = Model::new();
    let is_inside = |[x, _, z]: [f64; 3]| x.hypot(z) < middle - RADIUS;
    for i in 0..9 * 9 * 8 {
        let at = [i % 9 - 4, i / 81, i / 9 % 9 - 4_i32].map(|k| f64::from(k) * STEP);
        let at = [at[0], at[1] + RADIUS, at[2]];
        if is_inside(at) {
            model.add_particle(at, [0.0; 3], 1.0 / numbers().mass()).expect("a particle");
        }
    }
    let mut model = with(model, FluidNumbers { viscosity: 0.01, ..numbers() });
    let contacts = Contacts { colliders: vec![tank], radius: RADIUS, ..Contacts::default() };
    model.set_contacts(contacts).expect("contacts");
    (model.settings.dt, model.settings.iterations) = (1.0 / 60.0, 5);
    let mut simulation = simulation(model);
    (0..360).for_each(|_| simulation.step());
    let normals = [0, 1, 2].map(|k| corner(k, 0.0).map(|v| v / size));
    let is_lost = |x: &&[f32; 3]| {
        let x = x.map(f64::from);
        // A side lies opposite to its corner.
        x[1] < 0.0 || normals.iter().any(|n| -(n[0] * x[0] + n[2] * x[2]) > middle)
    };
    let lost = simulation.positions().iter().filter(is_lost).count();
    assert_eq!(lost, 0, "of {}", simulation.positions().len());
}

/// Beside a cone, a cylinder and an island of triangles, with a body that is a mesh.
#[test]
fn solids_are_the_same_in_lanes_on_any_threads() {
    let run = |method, threads| {
        let mut model = with(block([7, 6, 7], 0.95), numbers());
        let surface = box_of_triangles([0.1, 0.1, 0.12]);
        let mut body =
            Body::new(Shape::Mesh(Arc::new(surface.clone())), Weight::Density(500.0), None)
                .expect("a body");
        body.position = [0.35, 0.75, 0.35];
        model.add_body(body).expect("a body");
        let mut model = tank(model, 0.75, 0.75);
        let mut contacts = model.contacts().expect("walls").clone();
        let island = surface.0.iter().map(|p| p.map(f64::from)).collect::<Vec<_>>();
        contacts.colliders.extend([
            Collider::cone([0.1, 0.0, 0.1], [0.1, 0.3, 0.1], 0.1).expect("a cone"),
            Collider::cylinder([0.6, 0.0, 0.1], [0.6, 0.3, 0.2], 0.1).expect("a cylinder"),
            Collider::mesh(&island, &surface.1, [0.4, 0.0, 0.6], [0.0, 0.0, 0.0, 1.0])
                .expect("an island"),
        ]);
        model.set_contacts(contacts).expect("contacts");
        let simulation = simulate(model, method, threads, 20);
        let seen = simulation.observe();
        assert!(seen.finite);
        seen.hash
    };
    let reference = run(Method::Scalar, 1);
    for threads in [1, 2, 3, 7] {
        assert!(run(Method::Lanes, threads) == reference, "{threads} threads");
    }
}
