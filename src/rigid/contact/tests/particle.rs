//! A particle on a body, in one projection, against what is allowed to an overlap and what comes back of a speed.

use super::super::body_pair::SolverBody;
use super::super::constraint::StartPose;
use super::super::particle_contact::{ParticleContact, ParticleParting, PlacedBody, Rebound};
use crate::constraints::Particle;
use crate::math::{Quat, Vec3};
use crate::rigid::frame::Spread;
use crate::state::MovingBody;

const RADIUS: f64 = 0.1;

fn up(y: f64) -> Vec3<f64> {
    Vec3::new(0.0, y, 0.0)
}

/// What parts at once, by no more than `most` (m).
fn at_once(most: f64) -> ParticleParting<f64> {
    ParticleParting { rate: 1.0, least: 0.0, most, begun: 0.0, deep: -1.0 }
}

/// A particle that begins `inside` (m) the top of a body that nothing moves and goes at `v` (m/s); an overlap parts by no more than
/// `most` (m). The contact after a projection, and where the particle is then.
fn pressed(inside: f64, v: f64, most: f64, ball: bool) -> (ParticleContact<f64>, Particle<f64>) {
    let (n, anchor, size) = (up(1.0), up(0.5), if ball { 0.5 } else { 0.0 });
    let mut contact = ParticleContact::new([anchor, n], 1.0, 0.0, size);
    let at = up(0.5 + RADIUS - inside);
    let pose = StartPose { x: Vec3::zero(), q: Quat::identity() };
    let still = SolverBody { v: Vec3::zero(), omega: Vec3::zero(), w: 0.0, spread: Spread::none() };
    contact.begin([at, up(v)], (&pose, &still), RADIUS, &at_once(most));
    let placed = PlacedBody::new(MovingBody::world());
    let mut particle = Particle::new(at, 2.0);
    let expected = inside.min(most);
    assert!((contact.residual(&particle, &placed) - expected).abs() < 1e-12);
    let seen = contact.evaluate(particle.x, &placed);
    contact.project(&seen, &mut particle, &placed, 1.0);
    assert!(contact.residual(&particle, &placed) < 1e-12);
    (contact, particle)
}

/// A small overlap goes at once, a deep one by as much as it may.
#[test]
fn an_overlap_parts_by_what_it_may() {
    for ball in [false, true] {
        for (inside, most) in [(0.005, 0.01), (0.05, 0.01), (0.3, 0.01), (0.05, 0.2)] {
            let (_, particle) = pressed(inside, 0.0, most, ball);
            let risen = particle.x.y - (0.5 + RADIUS - inside);
            assert!((risen - f64::min(inside, most)).abs() < 1e-12, "{inside}: {risen} m");
        }
    }
}

/// What came faster than the threshold leaves at e of its speed; what came slower, or leaves, goes on as it does.
#[test]
fn only_what_came_fast_comes_back() {
    let rebound = Rebound { restitution: 0.5, threshold: 0.2, parts: 0.0 };
    let pose = StartPose { x: Vec3::zero(), q: Quat::identity() };
    let still = SolverBody { v: Vec3::zero(), omega: Vec3::zero(), w: 0.0, spread: Spread::none() };
    for (came, goes) in [(-1.0, 0.5), (-0.3, 0.15), (-0.1, -0.1), (0.1, 0.1)] {
        let (contact, particle) = pressed(0.01, came, 1.0, false);
        let mut velocity = Particle::new(up(came), 2.0);
        contact.respond((particle.x, &mut velocity), (&pose, &still), &rebound, 1.0);
        let found = velocity.x.y;
        assert!((found - goes).abs() < 1e-12, "came at {came}, goes at {found}");
    }
}

/// The same beside a body that is elsewhere, goes and spins: what counts is the speed of its surface there.
#[test]
fn what_came_fast_came_so_to_the_surface() {
    let rebound = Rebound { restitution: 0.5, threshold: 0.2, parts: 0.0 };
    let pose = StartPose { x: Vec3::new(3.0, -2.0, 5.0), q: Quat::identity() };
    let (v, omega) = (Vec3::new(0.4, -0.7, 0.2), Vec3::new(0.0, 0.0, 2.0));
    let body = SolverBody { v, omega, w: 0.0, spread: Spread::none() };
    let anchor = Vec3::new(0.3, 0.5, -0.1);
    let at = pose.x + anchor + up(RADIUS - 0.01);
    // ω × l has 2 · 0.3 along y.
    let surface = v + omega.cross(at - pose.x);
    assert!((surface.y - (-0.7 + 0.6)).abs() < 1e-12);
    for (came, goes) in [(-1.0, 0.5), (-0.3, 0.15), (-0.1, -0.1), (0.1, 0.1)] {
        let mut contact = ParticleContact::new([anchor, up(1.0)], 1.0, 0.0, 0.0);
        let mut velocity = Particle::new(surface + up(came), 2.0);
        contact.begin([at, velocity.x], (&pose, &body), RADIUS, &at_once(1.0));
        let placed = PlacedBody::new(MovingBody { x: pose.x, ..MovingBody::world() });
        let mut particle = Particle::new(at, 2.0);
        let seen = contact.evaluate(particle.x, &placed);
        contact.project(&seen, &mut particle, &placed, 1.0);
        assert!((particle.x.y - at.y - 0.01).abs() < 1e-12);
        contact.respond((at, &mut velocity), (&pose, &body), &rebound, 1.0);
        let found = (velocity.x - surface).y;
        assert!((found - goes).abs() < 1e-12, "came at {came}, goes at {found}");
    }
}
