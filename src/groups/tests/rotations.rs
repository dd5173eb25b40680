//! The nearest rotation of a matrix.

use super::rotation;
use crate::groups::rotation::{Matrix, nearest_rotation, times};
use crate::math::{F32x8, Vec3, pack, unpack};
use crate::tests::models::Random;

fn random_matrix(random: &mut Random) -> Matrix<f64> {
    [(); 3].map(|()| Vec3::of(random.point()))
}

fn multiply(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    b.map(|column| times(a, column))
}

fn transpose(m: &Matrix<f64>) -> Matrix<f64> {
    [
        Vec3::new(m[0].x, m[1].x, m[2].x),
        Vec3::new(m[0].y, m[1].y, m[2].y),
        Vec3::new(m[0].z, m[1].z, m[2].z),
    ]
}

fn diagonal(s: [f64; 3]) -> Matrix<f64> {
    [Vec3::new(s[0], 0.0, 0.0), Vec3::new(0.0, s[1], 0.0), Vec3::new(0.0, 0.0, s[2])]
}

fn difference(a: &Matrix<f64>, b: &Matrix<f64>) -> f64 {
    let parts = a.iter().zip(b).map(|(a, b)| (*a - *b).length());
    parts.fold(0.0, f64::max)
}

fn in_f32(a: &Matrix<f64>) -> Matrix<f64> {
    let narrow = a.map(|v| Vec3::new(v.x as f32, v.y as f32, v.z as f32));
    nearest_rotation(narrow).map(|v| Vec3::of([v.x, v.y, v.z].map(f64::from)))
}

/// U Σ Vᵀ with a known rotation U Vᵀ: found again, also where the smallest singular value is negative (an inverted cluster,
/// whose nearest matrix is a reflection) or zero (a flat one).
#[test]
fn the_rotation_is_found() {
    let mut random = Random(5);
    for round in 0..2000 {
        let (u, v) = (rotation(&mut random), rotation(&mut random));
        let last = [1.0, 0.3, 0.0, -0.2][round % 4] * random.within(0.5, 1.0);
        let sigma = [random.within(1.0, 2.0), random.within(0.6, 1.0), 0.5 * last];
        let scale = 10_f64.powf(random.within(-6.0, 6.0));
        let a = multiply(&u, &multiply(&diagonal(sigma.map(|s| s * scale)), &transpose(&v)));
        let expected = multiply(&u, &transpose(&v));
        let (wide, narrow) = (nearest_rotation(a), in_f32(&a));
        assert!(difference(&wide, &expected) < 1e-9, "{sigma:?}: {wide:?}");
        assert!(difference(&narrow, &expected) < 2e-5, "{sigma:?}: {narrow:?}");
    }
}

/// Collinear, mirrored, zero, huge and tiny matrices: always a rotation, and as good as any other: tr(Rᵀ A) is the sum of
/// the singular values, the least of them with A's sign.
#[test]
fn degenerate_matrices_have_a_rotation() {
    let mut random = Random(6);
    let cases: [[f64; 3]; 8] = [
        [1.0, 0.0, 0.0],
        [1.0, 1.0, -1.0],
        [1.0, 0.5, -0.5],
        [0.0, 0.0, 0.0],
        [1.0, 1e-4, 1e-4],
        [1.0, 1.0, 1.0],
        [1.0, 1e-4, -1e-4],
        [1.0, 1.0, -0.999],
    ];
    for sigma in cases {
        for _ in 0..200 {
            let (u, v) = (rotation(&mut random), rotation(&mut random));
            let a = multiply(&u, &multiply(&diagonal(sigma), &transpose(&v)));
            // Two fits as good as each other but for this are not told apart.
            let gap = 2.0 * (sigma[1] + sigma[2]);
            for found in [nearest_rotation(a), in_f32(&a)] {
                let unit = multiply(&transpose(&found), &found);
                assert!(difference(&unit, &diagonal([1.0; 3])) < 2e-6, "{sigma:?}: {found:?}");
                assert!(found[0].dot(found[1].cross(found[2])) > 0.99, "{sigma:?}");
                let fit: f64 = found.iter().zip(&a).map(|(r, a)| r.dot(*a)).sum();
                let best: f64 = sigma.iter().sum();
                assert!(fit > best - gap - 1e-5, "{sigma:?}: {fit} of {best}");
            }
        }
    }
    for scale in [1e-30, 1e-18, 1e18] {
        let found = in_f32(&diagonal([scale; 3]));
        assert!(found.iter().all(|v| v.dot(*v).is_finite()), "{scale}: {found:?}");
    }
}

/// Eight at once are the eight one by one, bit for bit.
#[test]
fn eight_rotations_are_the_same_bits() {
    let mut random = Random(7);
    for _ in 0..200 {
        let eight: [Matrix<f32>; 8] = std::array::from_fn(|_| {
            random_matrix(&mut random).map(|v| Vec3::new(v.x as f32, v.y as f32, v.z as f32))
        });
        let wide: Matrix<F32x8> = std::array::from_fn(|c| {
            Vec3::new(
                pack(eight.map(|m| m[c].x)),
                pack(eight.map(|m| m[c].y)),
                pack(eight.map(|m| m[c].z)),
            )
        });
        let wide = nearest_rotation(wide);
        for (lane, one) in eight.into_iter().enumerate() {
            for (wide, one) in wide.iter().zip(nearest_rotation(one)) {
                assert_eq!(unpack(wide.x)[lane].to_bits(), one.x.to_bits());
                assert_eq!(unpack(wide.y)[lane].to_bits(), one.y.to_bits());
                assert_eq!(unpack(wide.z)[lane].to_bits(), one.z.to_bits());
            }
        }
    }
}
