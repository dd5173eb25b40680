//! Points of contacts in one pass and after many, against what a contact is: it lets nothing in, pulls nothing, and rubs within
//! Coulomb's cone.

use super::super::batch::ContactBatch;
use super::super::body_pair::{BodyPair, SolverBody};
use super::super::constraint::{ContactConstraint, PointStart, StartPose};
use super::super::pass::PassParameters;
use super::hard_pass;
use crate::constraints::ContactImpulse;
use crate::math::{Quat, Vec3};
use crate::rigid::frame::{Frame, Spread};
use crate::tests::models::Random;

type Vector = Vec3<f64>;

/// A pass over velocities, without anything to part; `parts` over positions, where overlaps part at a tenth of them a substep.
fn pass(parts: bool) -> PassParameters<f64> {
    let rate = if parts { 10.0 } else { 0.0 };
    PassParameters { parts, rate, max_speed: 0.5, ..hard_pass(0.01) }
}

/// Two bodies anywhere with their inverse inertias, and points that are the same place of both.
struct Touch<const K: usize, const FIXED: bool> {
    contact: ContactConstraint<f64, K, FIXED>,
    poses: [StartPose<f64>; 2],
    bodies: [SolverBody<f64>; 2],
    inertias: [Vector; 2],
    at: [Vector; K],
}

fn vector(random: &mut Random, size: f64) -> Vector {
    Vec3::of(random.point()) * size
}

impl<const K: usize, const FIXED: bool> Touch<K, FIXED> {
    fn new(random: &mut Random, friction: f64) -> Self {
        let mut contact = ContactBatch::<f64, K, FIXED>::blank();
        let n = vector(random, 1.0);
        contact.normal = n * (1.0 / n.length());
        contact.friction = friction;
        contact.radii = [random.unit() * 0.1, random.unit() * 0.1];
        let mut pose =
            || StartPose { x: vector(random, 1.0), q: Quat::exp(vector(random, 2.0)).normalized() };
        let poses = [pose(), pose()];
        let inertias = [0, 1].map(|_| Vec3::of([0.0; 3].map(|_: f64| random.within(0.5, 5.0))));
        let mut body = |k: usize| SolverBody {
            v: vector(random, 1.0),
            omega: vector(random, 1.0),
            w: random.within(0.3, 3.0),
            spread: Spread::new(&Frame::new(poses[k].q), inertias[k]),
        };
        let bodies = [body(0), body(1)];
        // Corners about a middle, across n.
        let side = contact.normal.cross(vector(random, 1.0));
        let side = side * (0.2 / side.length());
        let other = contact.normal.cross(side);
        let middle = vector(random, 0.5);
        let corners = [side + other, side * -1.0 - other, side - other, other - side];
        let at = std::array::from_fn(|k| middle + corners[k]);
        for k in 0..K {
            for (end, sign) in [(0, 1.0), (1, -1.0)] {
                let core = at[k] + contact.normal * (sign * contact.radii[end]);
                contact.points[k].anchors[end] = poses[end].q.unrotate(core - poses[end].x);
            }
            contact.points[k].offset = -contact.radii[0] - contact.radii[1];
        }
        Self { contact, poses, bodies, inertias, at }
    }

    /// The points when the substep begins, with their gaps.
    fn starts(&self, pass: &PassParameters<f64>) -> [PointStart<f64>; K] {
        std::array::from_fn(|k| {
            let end = self.contact.end(k, &self.poses[1]);
            let start = self.contact.start(k, &self.poses[0], end, pass);
            assert!(start.gap.abs() < 1e-12, "{} m", start.gap);
            for (lever, pose) in start.levers.iter().zip(&self.poses) {
                assert!((pose.x + *lever - self.at[k]).length() < 1e-12, "{lever:?}");
            }
            start
        })
    }

    /// How fast the k-th points part.
    fn apart(&self, bodies: &[SolverBody<f64>; 2], k: usize) -> Vector {
        let of =
            |end: usize| bodies[end].v + bodies[end].omega.cross(self.at[k] - self.poses[end].x);
        of(0) - of(1)
    }

    /// Linear and angular momentum about the origin, and the energy.
    fn momenta(&self, bodies: &[SolverBody<f64>; 2]) -> (Vector, Vector, f64) {
        let (mut push, mut spin, mut energy) = (Vec3::zero(), Vec3::zero(), 0.0);
        for end in 0..2 {
            let SolverBody { v, omega, w, .. } = bodies[end];
            let (StartPose { x, q }, i) = (self.poses[end], self.inertias[end]);
            let own = q.unrotate(omega);
            let l = q.rotate(Vec3::new(own.x / i.x, own.y / i.y, own.z / i.z));
            push += v * (1.0 / w);
            spin += x.cross(v) * (1.0 / w) + l;
            energy += 0.5 * (v.dot(v) / w + l.dot(omega));
        }
        (push, spin, energy)
    }
}

/// One pass takes the whole approach of a point and nothing else; both momenta stay, energy does not grow.
#[test]
fn one_pass_stops_what_comes() {
    let mut random = Random(61);
    let mut came = 0;
    for _ in 0..60 {
        let touch = Touch::<1, false>::new(&mut random, 0.0);
        let mut starts = touch.starts(&pass(false));
        let mut impulses = [ContactImpulse::none()];
        let mut bodies = BodyPair::<f64, false>(touch.bodies);
        touch.contact.warm_start(&mut starts, &impulses, &mut bodies);
        touch.contact.project(&starts, &mut impulses, &mut bodies, &pass(false));
        let n = touch.contact.normal;
        let [before, after] = [touch.bodies, bodies.0].map(|b| n.dot(touch.apart(&b, 0)));
        assert!((after - before.max(0.0)).abs() < 1e-12, "{before} to {after}");
        came += usize::from(before < 0.0);
        let ([p, l, e], [q, m, f]) = {
            let ((p, l, e), (q, m, f)) = (touch.momenta(&touch.bodies), touch.momenta(&bodies.0));
            ([p, l, Vec3::new(e, 0.0, 0.0)], [q, m, Vec3::new(f, 0.0, 0.0)])
        };
        assert!((p - q).length() < 1e-12 && (l - m).length() < 1e-12);
        assert!(f.x < e.x + 1e-12);
        // Begun again with what it did, it has nothing to do.
        let mut again = BodyPair::<f64, false>(touch.bodies);
        touch.contact.warm_start(&mut starts, &impulses, &mut again);
        assert!((again.0[0].v - bodies.0[0].v).length() < 1e-12);
        let done = impulses[0].lambda;
        touch.contact.project(&starts, &mut impulses, &mut again, &pass(false));
        assert!((impulses[0].lambda - done).abs() < 1e-12);
    }
    assert!(came > 15, "{came}");
}

/// After many passes no point comes, none pulls, what presses stays; friction is within the cone, stops what it can and else does
/// its most against the slide.
#[test]
fn many_passes_end_in_signorinis_and_coulombs_laws() {
    fn check<const K: usize>(random: &mut Random, friction: f64) -> usize {
        let touch = Touch::<K, false>::new(random, friction);
        let mut starts = touch.starts(&pass(false));
        let mut impulses = [ContactImpulse::none(); K];
        let mut bodies = BodyPair::<f64, false>(touch.bodies);
        touch.contact.warm_start(&mut starts, &impulses, &mut bodies);
        (0..3000)
            .for_each(|_| touch.contact.project(&starts, &mut impulses, &mut bodies, &pass(false)));
        let (n, mut pressed) = (touch.contact.normal, 0);
        for k in 0..K {
            let (ContactImpulse { lambda, friction: f }, v) =
                (impulses[k], touch.apart(&bodies.0, k));
            let (along, slide) = (n.dot(v), v - n * n.dot(v));
            assert!(lambda >= 0.0 && along > -1e-6, "{K}: {lambda} N s, {along} m/s");
            assert!(lambda * along < 1e-6, "{K}: {lambda} N s, {along} m/s");
            assert!(f.length() <= friction * lambda * (1.0 + 1e-9), "{K}: {f:?}");
            assert!(n.dot(f).abs() < 1e-9);
            if lambda > 1e-6 {
                pressed += 1;
                match f.length() < friction * lambda * (1.0 - 1e-6) {
                    true => assert!(slide.length() < 1e-5, "{K}: sticks at {slide:?}"),
                    false => assert!(f.dot(slide) <= 1e-9, "{K}: {f:?} along {slide:?}"),
                }
            }
        }
        let ((p, l, e), (q, m, f)) = (touch.momenta(&touch.bodies), touch.momenta(&bodies.0));
        assert!((p - q).length() < 1e-9 && (l - m).length() < 1e-9 && f < e + 1e-9);
        pressed
    }
    let mut random = Random(67);
    let mut pressed = [0; 3];
    for k in 0..24 {
        let friction = [0.1, 0.5, 2.0][k % 3];
        pressed[0] += check::<1>(&mut random, friction);
        pressed[1] += check::<2>(&mut random, friction);
        pressed[2] += check::<4>(&mut random, friction);
    }
    assert!(pressed.iter().all(|p| *p > 8), "{pressed:?}");
}

/// Beside what no contact moves a point is stopped at the speed of the surface there.
#[test]
fn a_point_goes_with_a_surface_that_moves() {
    let mut random = Random(71);
    for _ in 0..30 {
        let touch = Touch::<1, true>::new(&mut random, 0.0);
        let surface = vector(&mut random, 1.0);
        let [core, _] = touch.contact.end(0, &touch.poses[1]);
        let mut starts = [touch.contact.start(0, &touch.poses[0], [core, surface], &pass(false))];
        let mut impulses = [ContactImpulse::none()];
        let mut bodies =
            BodyPair::<f64, true>::new(touch.bodies[0], || unreachable!("it is fixed"));
        touch.contact.warm_start(&mut starts, &impulses, &mut bodies);
        touch.contact.project(&starts, &mut impulses, &mut bodies, &pass(false));
        let lever = touch.at[0] - touch.poses[0].x;
        let along = |body: &SolverBody<f64>| {
            touch.contact.normal.dot(body.v + body.omega.cross(lever) - surface)
        };
        let (before, after) = (along(&touch.bodies[0]), along(&bodies.0[0]));
        assert!((after - before.max(0.0)).abs() < 1e-12, "{before} to {after}");
    }
}

/// In a pass over positions a point may come as far as to touch, and what overlaps parts at the rate of it, no faster than it may.
#[test]
fn positions_close_gaps_and_part_overlaps_gently() {
    let mut random = Random(73);
    for k in 0..60 {
        let mut touch = Touch::<1, false>::new(&mut random, 0.0);
        let gap = [0.004, -0.02, -0.2][k % 3];
        let n = touch.contact.normal;
        // Apart along n by the gap.
        touch.poses[0].x += n * gap;
        let pass = pass(true);
        let start =
            touch.contact.start(0, &touch.poses[0], touch.contact.end(0, &touch.poses[1]), &pass);
        assert!((start.gap - gap).abs() < 1e-12);
        let mut starts = [start];
        let mut impulses = [ContactImpulse::none()];
        let mut bodies = BodyPair::<f64, false>(touch.bodies);
        touch.contact.warm_start(&mut starts, &impulses, &mut bodies);
        touch.contact.project(&starts, &mut impulses, &mut bodies, &pass);
        let levers = starts[0].levers;
        let along = |b: &[SolverBody<f64>; 2]| {
            let of = |end: usize| b[end].v + b[end].omega.cross(levers[end]);
            n.dot(of(0) - of(1))
        };
        let least = [-0.4, 0.2, 0.5][k % 3];
        let (before, after) = (along(&touch.bodies), along(&bodies.0));
        assert!((after - before.max(least)).abs() < 1e-9, "{gap}: {before} to {after}");
    }
}

/// What has slid since it was found comes back at the rate, across the normal, no faster than it may; what is round does not.
#[test]
fn what_crept_comes_back() {
    let mut random = Random(79);
    for k in 0..30 {
        let mut touch = Touch::<1, false>::new(&mut random, 0.0);
        let n = touch.contact.normal;
        let side = n.cross(vector(&mut random, 1.0));
        let crept = side * ([1e-4, 1e-2][k % 2] / side.length());
        let is_round = k % 3 == 0;
        if !is_round {
            let Touch { contact, poses, at, .. } = &mut touch;
            (contact.radii, contact.points[0].offset) = ([0.0; 2], 0.0);
            contact.points[0].anchors = [0, 1].map(|e| poses[e].q.unrotate(at[0] - poses[e].x));
        }
        touch.poses[0].x += crept;
        let pass = PassParameters { creep_rate: 2.0, creep: 1e-3, ..pass(true) };
        let start =
            touch.contact.start(0, &touch.poses[0], touch.contact.end(0, &touch.poses[1]), &pass);
        let most = if is_round { 0.0 } else { 1e-3 / crept.length() };
        let expected = crept * f64::min(2.0, most);
        assert!((start.creep - expected).length() < 1e-12, "{:?} for {expected:?}", start.creep);
    }
}
