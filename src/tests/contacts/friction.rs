//! Friction on colliders against Coulomb's law, far from the origin and in small substeps.

use super::super::models::run;
use crate::collision::{Collider, Contacts};
use crate::math::Vec3;
use crate::model::Model;
use crate::solvers::Method;

const RADIUS: f64 = 0.02;
const GRAVITY: f64 = 9.81;

/// How far a particle slides in two seconds along the slope of `angle` (rad) of a collider `far` from the origin (m), from `speed` on.
fn slides(
    [angle, far, mu, speed]: [f64; 4],
    (box_, substeps, iterations): (bool, u32, u32),
    method: Method,
) -> f64 {
    let (sin, cos) = angle.sin_cos();
    let (normal, down) = (Vec3::new(sin, cos, 0.0), Vec3::new(cos, -sin, 0.0));
    let origin = Vec3::new(0.3 * far, far, -0.2 * far);
    let mut model = Model::new();
    let start: Vec3<f64> = origin + normal * RADIUS;
    model.add_particle(start.to_array(), (down * speed).to_array(), 2.0).unwrap();
    let collider = if box_ {
        let center: Vec3<f64> = origin - normal * 0.5 + down * 3.0;
        let half = -angle / 2.0;
        let turn = [0.0, 0.0, half.sin(), half.cos()];
        Collider::cuboid(center.to_array(), [8.0, 0.5, 1.0], turn).unwrap()
    } else {
        Collider::plane(origin.to_array(), normal.to_array()).unwrap()
    };
    let contacts = Contacts { colliders: vec![collider], radius: RADIUS, ..Contacts::default() };
    model.set_contacts(Contacts { friction: Some(mu), ..contacts }).unwrap();
    (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
    let end = run(&model, method, 1, 120).positions()[0];
    (Vec3::of(end.map(f64::from)) - start).dot(down)
}

/// v²/2µg on the level, a t (t + h) / 2 with a = g (sin - µ cos) on a slope. (At 3 m and 200 substeps it stopped after 0.39 m of 0.68, and slid
/// 0.07 m of 2.98 down a box.)
#[test]
fn friction_is_coulombs_at_any_substep() {
    for method in [Method::Lanes, Method::Scalar] {
        for (substeps, iterations) in [(4, 4), (20, 1), (50, 1), (200, 1), (100, 3)] {
            for far in [0.0, 3.1, 12.7] {
                for box_ in [false, true] {
                    let how = (box_, substeps, iterations);
                    let level = slides([0.0, far, 0.3, 2.0], how, method);
                    let expected = 4.0 / (2.0 * 0.3 * GRAVITY);
                    println!("{method:?} {how:?} {far} m: level {level:.4} of {expected:.4} m");
                    // What is stopped slides for half a substep more or less.
                    let slack = 0.01 * expected + 2.0 / (120.0 * f64::from(substeps));
                    assert!(
                        (level - expected).abs() < slack,
                        "{how:?} {far} m: {level} m of {expected}"
                    );
                    let a = GRAVITY * (0.6_f64.sin() - 0.5 * 0.6_f64.cos());
                    let expected = 0.5 * a * 2.0 * (2.0 + 1.0 / (60.0 * f64::from(substeps)));
                    let slope = slides([0.6, far, 0.5, 0.0], how, method);
                    println!("{method:?} {how:?} {far} m: slope {slope:.4} of {expected:.4} m");
                    assert!(
                        (slope / expected - 1.0).abs() < 0.02,
                        "{how:?} {far} m: {slope} m of {expected}"
                    );
                }
            }
        }
    }
}

/// Below the angle of friction nothing slides.
#[test]
fn friction_holds_what_it_can_hold() {
    for (substeps, iterations) in [(4, 4), (20, 1), (50, 1), (200, 1)] {
        for (far, box_) in [(0.0, false), (3.1, false), (3.1, true), (12.7, true)] {
            let slope = slides([0.4, far, 0.5, 0.0], (box_, substeps, iterations), Method::Lanes);
            println!("{substeps}x{iterations} {far} m: {slope:.2e} m");
            assert!(slope.abs() < 2e-3, "{substeps}x{iterations} {far} m {box_}: {slope} m");
        }
    }
}
