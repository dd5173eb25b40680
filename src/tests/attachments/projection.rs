//! One projection of a row at local anchors.

use crate::constraints::{Constraint, GenericResponse, Sense, Site, Solve, project};
use crate::math::{Quat, Vec3};
use crate::rigid::LocalAnchor;
use crate::state::MovingBody;
use crate::tests::every_kind;
use crate::tests::sample::{Random, at_rest, deformed};

/// A body with its point at `x`: random mass, inertia, orientation and arm.
fn anchor(random: &mut Random, x: Vec3<f64>) -> LocalAnchor<f64> {
    let q = Quat::exp(random.vector(2.0));
    let arm = random.vector(0.5);
    let inertia = || random.within(0.5, 20.0);
    let mut inertia = inertia;
    let inverse_inertia = Vec3::new(inertia(), inertia(), inertia());
    LocalAnchor {
        body: MovingBody {
            x: x - q.rotate(arm),
            q,
            w: random.within(0.2, 4.0),
            inverse_inertia,
            ..MovingBody::world()
        },
        arm,
    }
}

/// One projection, of points that did not move in the substep; called, so that both tests share it.
#[inline(never)]
fn project_anchors<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
    anchors: &mut [LocalAnchor<f64>; N],
    p: [f64; P],
    response: GenericResponse<f64>,
    lambda: &mut [f64; K],
) {
    project::<C, _, _, _, N, P, K>(anchors, [Vec3::zero(); N], p, response, lambda);
}

/// From near C = 0 one projection leaves C of second order: the weight and where the correction lands belong to the
/// gradient of C about the bodies' positions and turns. Of rows projected one after another, the last.
#[test]
fn one_projection_solves_a_row() {
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        if C::MATERIAL {
            return; // its compliance leaves an error by design; the test of momenta and of bits has it
        }
        let mut random = Random(17);
        let mut tried = 0;
        for _ in 0..200 {
            let (x, p) = at_rest::<C, N, P, K>(&mut random);
            let x = x.map(|x| x + random.vector(1e-5));
            let mut anchors = x.map(|x| anchor(&mut random, x));
            let value = |anchors: &[LocalAnchor<f64>; N]| {
                C::evaluate(anchors.map(|g| g.point()), p)[K - 1].c
            };
            let before = value(&anchors);
            let near = before.abs() < 1e-3 && before.abs() > 1e-9;
            if !near || (C::SENSE == Sense::Inequality && before > 0.0) {
                continue;
            }
            let mut lambda = [0.0; K];
            let response = GenericResponse::of([0.0, 0.0, 1.0]);
            project_anchors::<C, N, P, K>(&mut anchors, p, response, &mut lambda);
            let after = value(&anchors);
            // Rows solved together are told apart by a millionth.
            let rest = if C::SOLVE == Solve::Block { 1e-4 } else { 0.0 };
            let most = before.abs() * rest + 1e-7;
            assert!(after.abs() < most, "{}: {before:e} to {after:e}", C::NAME);
            tried += 1;
        }
        let needed = match C::NAME {
            "plane" | "pair" | "triangle" | "edge_edge" => 0, // seldom near zero at random: the tests below have them
            _ => 20,
        };
        assert!(tried >= needed, "{}: {tried}", C::NAME);
    }
    every_kind!(check);
}

/// Σ m Δx = 0 and Σ x × m Δx + I Δθ = 0, whatever the kind; a plane is outside and takes what it likes.
#[test]
fn one_projection_keeps_both_momenta() {
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        if C::NAME == "plane" {
            return;
        }
        let mut random = Random(23);
        let mut moved = 0;
        for round in 0..60 {
            let (x, p) = deformed::<C, N, P, K>(&mut random);
            let mut anchors = x.map(|x| anchor(&mut random, x));
            let before = anchors;
            let response = match round % 2 {
                0 if !C::MATERIAL => GenericResponse::of([0.0, 0.0, 1.0]),
                _ => crate::constraints::Response::new([1e-4, 0.0]),
            };
            let mut lambda = [0.0; K];
            project_anchors::<C, N, P, K>(&mut anchors, p, response, &mut lambda);
            let (mut linear, mut angular, mut size) = (Vec3::zero(), Vec3::zero(), 0.0);
            for (anchor, was) in anchors.iter().zip(&before) {
                let dx = anchor.body.push * (1.0 / anchor.body.w);
                linear += dx;
                // Each correction turned the body where it was then: of one row that is where it began.
                let local = was.body.q.unrotate(anchor.body.turn);
                let i = anchor.body.inverse_inertia;
                let spin = Vec3::new(local.x / i.x, local.y / i.y, local.z / i.z);
                angular += was.body.x.cross(dx) + was.body.q.rotate(spin);
                size += dx.length() + spin.length();
            }
            moved += usize::from(size > 1e-6);
            assert!(linear.length() < 1e-9 * (1.0 + size), "{}: {linear:?}", C::NAME);
            if K == 1 {
                assert!(angular.length() < 1e-9 * (1.0 + size), "{}: {angular:?}", C::NAME);
            }
        }
        assert!(moved > 5, "{}: {moved} moved", C::NAME);
    }
    every_kind!(check);
}
