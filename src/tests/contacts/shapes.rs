//! Shapes in closed form: distances, normals and entry points, at every width.

use crate::collision::Shape;
use crate::math::{F32x8, Vec3, pack, unpack};
use crate::tests::models::Random;

fn shapes() -> [Shape; 4] {
    [
        Shape::Sphere { radius: 0.4 },
        Shape::Capsule {
            half: [0.3, 0.2, -0.1],
            radius: 0.2,
        },
        Shape::Box {
            half_size: [0.3, 0.2, 0.4],
        },
        Shape::Plane {
            normal: [0.6, 0.8, 0.0],
        },
    ]
}

/// Normals and distances of the shapes: of unit length, and the gradient of the distance; entry points lie on the surface.
#[test]
fn shapes_are_their_distance() {
    let mut random = Random(31);
    for shape in shapes() {
        for _ in 0..500 {
            let [y0, y1] = [random.point(), random.point()].map(Vec3::<f64>::of);
            let (d, n) = shape.surface(y0);
            assert!((n.dot(n) - 1.0).abs() < 1e-9);
            let h = 1e-6;
            let (further, _) = shape.surface(y0 + n * h);
            assert!(
                ((further - d) / h - 1.0).abs() < 1e-4,
                "{shape:?} at {y0:?}"
            );
            let (r, margin) = (0.05, 0.02);
            let (q, n) = shape.contact(y0, y1, r, margin);
            let (end, _) = shape.surface(y1);
            if n.dot(n) == 0.0 {
                assert!(end >= r + margin, "{shape:?}: {y1:?} was missed");
                continue;
            }
            let (on, normal) = shape.surface(q);
            assert!((on - r).abs() < 1e-9, "{shape:?}: {q:?} lies {on} out");
            assert!((normal - n).dot(normal - n) < 1e-12);
            // From outside, what is solid lies wholly below the plane of the contact.
            if d > r {
                assert!(
                    (y0 - q).dot(n) > -1e-9,
                    "{shape:?}: pushed back over its start"
                );
                for _ in 0..20 {
                    let inside = Vec3::of(random.point());
                    let solid = shape.surface(inside).0 <= 0.0;
                    assert!(!solid || (inside - q).dot(n) <= -r + 1e-9);
                }
            }
        }
    }
}

/// Eight lanes have the bits of one.
#[test]
fn shapes_have_the_same_bits_at_every_width() {
    let mut random = Random(32);
    for shape in shapes() {
        let points: Vec<[f32; 3]> = (0..16).map(|_| random.point().map(|v| v as f32)).collect();
        let lanes = |first: usize| {
            let axis = |k: usize| pack(std::array::from_fn(|i| points[first + i][k]));
            Vec3::new(axis(0), axis(1), axis(2))
        };
        let (q, n) = shape.contact::<F32x8>(lanes(0), lanes(8), of8(0.05), of8(0.02));
        for i in 0..8 {
            let one = |p: [f32; 3]| Vec3::new(p[0], p[1], p[2]);
            let (a, b) = shape.contact::<f32>(one(points[i]), one(points[8 + i]), 0.05, 0.02);
            let bits = |v: Vec3<f32>| [v.x, v.y, v.z].map(f32::to_bits);
            let lane = |v: Vec3<F32x8>| Vec3::new(unpack(v.x)[i], unpack(v.y)[i], unpack(v.z)[i]);
            assert_eq!(
                [bits(a), bits(b)],
                [bits(lane(q)), bits(lane(n))],
                "{shape:?}"
            );
        }
    }
}

fn of8(v: f32) -> F32x8 {
    pack([v; 8])
}
