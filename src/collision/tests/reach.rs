//! What a collider is said to miss has no contact with it, and is not taken out of it.

use super::super::particle_mesh;
use super::super::reach::PlacedCollider;
use super::super::shape::{contact, way_out};
use super::super::{Collider, Motion, Solid};
use crate::math::{UPRIGHT, Vec3};

/// One of each kind, of size one or so, at the center, turned.
fn colliders(center: [f64; 3], turn: [f64; 4]) -> Vec<Collider> {
    let end = |sign: f64| [center[0] + 0.3 * sign, center[1] + 0.2 * sign, center[2] - 0.5 * sign];
    let points = [[-0.5, -0.5, -0.5], [0.9, -0.2, 0.0], [0.0, 1.0, 0.1], [0.1, 0.2, 0.8]];
    let closed = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    let all = [
        Collider::plane(center, [0.3, 0.8, -0.5]),
        Collider::sphere(center, 0.7),
        Collider::cuboid(center, [0.2, 0.9, 0.4], turn),
        Collider::capsule(end(-1.0), end(1.0), 0.25),
        Collider::cylinder(end(-1.0), end(1.0), 0.5),
        Collider::cone(end(-1.0), end(1.0), 0.6),
        Collider::mesh(&points, &closed, center, turn),
        Collider::mesh(&points, &closed[..2], center, turn),
        Collider::height_field(center, [0.5, 0.7], &[vec![0.0, 0.2, 0.1], vec![0.3, 0.0, -0.4]]),
    ];
    all.map(|collider| collider.expect("sound")).into()
}

#[test]
fn what_is_missed_has_no_contact() {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut number = |size: f64| (rng.f64() * 2.0 - 1.0) * size;
    let (mut missed, mut all) = (0, 0);
    for round in 0..4000 {
        let far = [1.0, 30.0, 3000.0][round % 3];
        let center = [number(far), number(far), number(far)];
        let turn = [number(1.0), number(1.0), number(1.0), number(1.0)];
        let length = turn.iter().map(|v| v * v).sum::<f64>().sqrt();
        let (moves, turns) = ([0.0, 3.0][round % 2], [0.0, 0.0, 4.0, 40.0][round % 4]);
        let motion = Motion {
            velocity: [number(moves), number(moves), number(moves)],
            angular_velocity: [number(turns), number(turns), number(turns)],
            ..Motion::default()
        };
        let sizes @ [radius, margin] = [0.05, [0.0, 0.1][round / 2 % 2]];
        for collider in colliders(center, turn.map(|v| v / length)) {
            let collider = collider.moving(motion).expect("sound");
            let placed = PlacedCollider::<f32>::new(&collider, [0.0, 0.01], sizes);
            let at = center.map(|c| c + number(2.5));
            let to = at.map(|x| x + number([0.01, 0.3, 2.0][round % 3]));
            let path = [Vec3::of(at), Vec3::of(to)];
            all += 1;
            if !placed.misses(path, 1.0) {
                continue;
            }
            missed += 1;
            let ([_, normal, _], way) = match placed.solid {
                Solid::Shape(shape) => (
                    contact(shape, &placed.poses, path, sizes.map(|v| v as f32)).0,
                    way_out(shape, &placed.poses, path, [radius as f32, 1e-4]),
                ),
                Solid::Mesh(mesh) => (
                    particle_mesh::contacts(mesh, &placed.exact, path, sizes, 1.0)[0].0,
                    particle_mesh::way_out(mesh, &placed.exact, path, [radius, 1e-4], 1.0),
                ),
            };
            assert_eq!(
                [normal.length(), way.length()],
                [0.0; 2],
                "{collider:?}, {path:?}, {margin}"
            );
        }
    }
    assert!(missed > all / 5, "{missed} of {all}");
}

/// Far from a collider little is asked, and where it lies it is.
#[test]
fn what_is_near_is_asked() {
    for collider in colliders([1.0, 2.0, 3.0], UPRIGHT).into_iter().skip(1) {
        let placed = PlacedCollider::<f32>::new(&collider, [0.0, 0.01], [0.05, 0.0]);
        let still = |x: [f64; 3]| placed.misses([Vec3::of(x); 2], 1.0);
        assert!(!still([1.0, 2.0, 3.0]), "{collider:?}");
        assert!(still([13.0, 2.0, 3.0]) && still([1.0, -10.0, 3.0]), "{collider:?}");
    }
}
