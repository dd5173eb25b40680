//! Inclines, rebounds, momentum: contacts against closed forms.

use super::{rebound, simulate};
use crate::Simulation;
use crate::collision::{Collider, Contacts};
use crate::constraints::{ContactImpulse, Pair, Particle, Rebound, project_contact};
use crate::math::Vec3;
use crate::model::Model;
use crate::solvers::Method;
use crate::tests::models::floor;

/// A particle resting on a slope of `angle` degrees, made of `shape`; slides along -x.
fn incline(angle: f64, mu: f64, substeps: u32, boxed: bool) -> Model {
    let (sin, cos) = angle.to_radians().sin_cos();
    let mut model = Model::new();
    model.settings.substeps = substeps;
    let normal = [-sin, cos, 0.0];
    let radius = 0.05;
    let start = normal.map(|v| v * radius);
    model.add_particle(start, [0.0; 3], 2.0).unwrap();
    let collider = match boxed {
        false => Collider::plane([0.0; 3], normal),
        true => {
            // A box turned about z, its upper face through the origin.
            let half = angle.to_radians() / 2.0;
            let turn = [0.0, 0.0, half.sin(), half.cos()];
            Collider::cuboid(normal.map(|v| -v), [5.0, 1.0, 5.0], turn)
        }
    };
    let contacts = Contacts {
        colliders: vec![collider.unwrap()],
        radius,
        friction: Some(mu),
        ..Contacts::default()
    };
    model.set_contacts(contacts).unwrap();
    model
}

/// Coulomb: s = ½ g (sin α - µ cos α) t² down the slope, or nothing at all (µ > tan α); 4 to 20 substeps.
#[test]
fn inclines_slide_and_stick_as_coulomb_says() {
    for boxed in [false, true] {
        for substeps in [4, 10, 20] {
            for (angle, mu, expected) in [(20.0, 0.3, 0.2949), (30.0, 0.5, 0.3286)] {
                for method in [Method::Scalar, Method::Lanes] {
                    let end = simulate(incline(angle, mu, substeps, boxed), method, 60);
                    let x = Vec3::<f64>::of(end.positions()[0].map(f64::from));
                    let (sin, cos) = f64::to_radians(angle).sin_cos();
                    let slid = -(x.x * cos + x.y * sin);
                    println!("{angle} degrees, mu {mu}, {substeps} substeps: {slid:.4} m");
                    assert!((slid / expected - 1.0).abs() < 0.02, "{slid} m, not {expected}");
                }
            }
            for (angle, mu) in [(20.0, 0.4), (30.0, 0.6)] {
                let end = simulate(incline(angle, mu, substeps, boxed), Method::Lanes, 60);
                let v = Vec3::<f64>::of(end.velocities()[0].map(f64::from));
                let v = v.dot(v).sqrt();
                println!("{angle} degrees, mu {mu}, {substeps} substeps: {v:.1e} m/s");
                assert!(v < 1e-3, "{v} m/s");
            }
        }
    }
}

/// Dropped from 1 m, a ball comes back to e² of it.
#[test]
fn rebounds_reach_their_height() {
    for substeps in [4, 20] {
        for e in [0.0, 0.3, 0.5, 0.8, 0.95] {
            let mut model = Model::new();
            model.settings.substeps = substeps;
            model.add_particle([0.0, 1.1, 0.0], [0.0; 3], 1.0).unwrap();
            let contacts = Contacts {
                colliders: vec![floor()],
                radius: 0.1,
                restitution: Some(e),
                ..Contacts::default()
            };
            model.set_contacts(contacts).unwrap();
            let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
            let (hit, highest) = rebound(&mut simulation);
            let error = highest - e * e;
            println!("e {e}, {substeps} substeps: {highest:.3} m, {error:+.3}");
            assert!(hit && error.abs() < 0.05, "e {e}: {highest} m");
        }
    }
}

/// Two balls that meet keep momentum, and part with e times their speed.
#[test]
fn balls_rebound_from_each_other() {
    for (e, method) in [(0.0, Method::Scalar), (0.5, Method::Lanes), (1.0, Method::Colored)] {
        let mut model = Model::new();
        model.settings.gravity = [0.0; 3];
        model.settings.substeps = 4;
        model.add_particle([-0.3, 0.0, 0.0], [1.0, 0.0, 0.0], 1.0).unwrap();
        model.add_particle([0.3, 0.0, 0.0], [-1.0, 0.0, 0.0], 0.5).unwrap();
        let contacts =
            Contacts { radius: 0.1, restitution: Some(e), pairs: true, ..Contacts::default() };
        model.set_contacts(contacts).unwrap();
        let v = simulate(model, method, 60).velocities();
        let (a, b) = (f64::from(v[0][0]), f64::from(v[1][0]));
        assert!((a + 2.0 * b + 1.0).abs() < 1e-4, "momentum {}", a + 2.0 * b);
        assert!((b - a - 2.0 * e).abs() < 0.01, "e {e}: {} m/s", b - a);
    }
}

/// Friction is across the normal, also where the normal has turned since the impulse was given.
#[test]
fn friction_stays_across_the_normal() {
    let site = |x: [f64; 3]| Particle::new(Vec3::<f64>::of(x), 1.0);
    let mut sites = [site([0.0; 3]), site([0.06, 0.08, 0.0])];
    let normal = Vec3::<f64>::of([-0.6, -0.8, 0.0]);
    let mut done = ContactImpulse { lambda: 1.0, friction: Vec3::of([0.0, 0.1, 0.02]) };
    let start = |_| normal * 0.1;
    project_contact::<Pair, _, _, 2, 1>(&mut sites, [0.11], Some(0.5), 0.0, start, &mut done);
    let along = done.friction.dot(normal);
    assert!(along.abs() < 1e-12 && done.friction.length() > 0.01, "{:?}", done.friction);
}

/// What holds takes back all that two balls have slid, each by its inverse mass.
#[test]
fn friction_holds_both_by_their_masses() {
    let weights = [1.0, 3.0];
    let came = [[0.01, 0.0, 0.02], [0.09, 0.004, -0.03]].map(Vec3::<f64>::of);
    let mut sites = [0, 1].map(|i| Particle::new(came[i], weights[i]));
    let normal = (came[0] - came[1]) * (1.0 / (came[0] - came[1]).length());
    let start = [[0.0; 3], [0.1, 0.0, 0.0]].map(Vec3::<f64>::of);
    let start_of = |b: [f64; 2]| start[0] * b[0] + start[1] * b[1];
    let mut done = ContactImpulse::none();
    project_contact::<Pair, _, _, 2, 1>(&mut sites, [0.12], Some(1e3), 0.0, start_of, &mut done);
    let slid = (sites[0].x - start[0]) - (sites[1].x - start[1]);
    assert!((slid - normal * slid.dot(normal)).length() < 1e-12, "{slid:?}");
    let given = [0, 1].map(|i| (sites[i].x - came[i]) * (1.0 / weights[i]));
    assert!((given[0] + given[1]).length() < 1e-12 && done.friction.length() > 1e-3);
}

/// What comes slower than gravity makes it does not rebound, and is stopped; what comes faster leaves at e of it; what nothing
/// pressed goes on.
#[test]
fn only_what_comes_fast_rebounds() {
    let (e, least) = (0.6, 0.2);
    let rebound = Rebound { restitution: e, friction: 0.0, least, stops: true, waits: false };
    for (came, pressed, goes) in
        [(-0.5, 1.0, 0.3), (-0.25, 1.0, 0.15), (-0.15, 1.0, 0.0), (-0.5, 0.0, -0.5)]
    {
        let mut sites = [Particle::new(Vec3::new(0.7, came, 0.0), 2.0)];
        let done = ContactImpulse { lambda: pressed, ..ContactImpulse::none() };
        let up = (Vec3::new(0.0, 1.0, 0.0), [1.0]);
        rebound.respond(&mut sites, up, Vec3::zero(), [came, 0.0], &done);
        let v: Vec3<f64> = sites[0].x;
        assert!((v.y - goes).abs() < 1e-12 && v.x == 0.7, "came at {came}, goes at {}", v.y);
    }
}
