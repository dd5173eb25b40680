//! C is right: each kind on shapes whose C is known.

use super::sample::{Random, at_rest};
use crate::constraints::{
    Bending, Constraint, EdgeEdge, IsometricBending, NeoHookean, Plane, StrainTetrahedron,
    StrainTriangle, Triangle, Volume,
};
use crate::math::Vec3;

fn v(x: f64, y: f64, z: f64) -> Vec3<f64> {
    Vec3::new(x, y, z)
}

fn assert_near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-12, "{value} for {expected}");
}

#[test]
fn bending_is_the_angle_of_the_normals() {
    for i in 0..=12 {
        // The second wing, turned about the edge from folded (0) to flat (π) and on to the other side.
        let angle = f64::from(i) / 6.0 * std::f64::consts::PI;
        let x = [
            v(0.0, 0.0, 0.0),
            v(0.0, 0.0, 2.0),
            v(1.0, 0.0, 0.3),
            v(angle.cos(), angle.sin(), 1.0),
        ];
        let [row] = Bending::evaluate(x, [0.25]);
        let unsigned = angle.min(2.0 * std::f64::consts::PI - angle);
        assert_near(row.c, unsigned - 0.25);
        assert_near(Bending::rest(x, [None]).unwrap()[0].unwrap(), unsigned);
        // The wing moves along its circle of radius 1: one radian a metre.
        assert_near(row.g[3].length(), 1.0);
    }
}

/// The survey's Q, written out: cotangents of a right-angled grid cell are 0 and 1, whatever its size.
#[test]
fn isometric_bending_is_the_quadratic_form() {
    [1.0, 2.0, 3.0].into_iter().for_each(is_the_quadratic_form);
}

fn is_the_quadratic_form(size: f64) {
    let rest = [v(0.0, 1.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 0.0, 0.0), v(1.0, 1.0, 0.0)];
    let (rest, area) = (rest.map(|x| x * size), 0.5 * size * size);
    let p = IsometricBending::rest(rest, [None; 3]).unwrap().map(Option::unwrap);
    let k = [2.0, 2.0, -2.0, -2.0];
    let mut random = Random(20);
    for _ in 0..20 {
        let x = rest.map(|x| x + random.vector(0.5));
        let mut sum = 0.0;
        for i in 0..4 {
            for j in 0..4 {
                sum += 3.0 / (area + area) * k[i] * k[j] * x[i].dot(x[j]);
            }
        }
        assert_near(IsometricBending::evaluate(x, p)[0].c, 0.5 * sum);
    }
    assert_near(IsometricBending::evaluate(rest, p)[0].c, 0.0);
}

#[test]
fn volume_is_signed() {
    let [a, b, c, d] = [v(1.0, 1.0, 1.0), v(2.0, 1.0, 1.0), v(1.0, 2.0, 1.0), v(1.0, 1.0, 2.0)];
    assert_near(Volume::evaluate([a, b, c, d], [0.0])[0].c, 1.0 / 6.0);
    assert_near(Volume::evaluate([a, c, b, d], [0.5])[0].c, -1.0 / 6.0 - 0.5);
    assert_near(Volume::rest([a, c, b, d], [None]).unwrap()[0].unwrap(), -1.0 / 6.0);
}

/// Stretched along its axes and sheared, an element has just those strains.
#[test]
fn strains_are_stretch_and_shear() {
    let rest = [v(0.0, 0.0, 0.0), v(2.0, 0.0, 0.0), v(0.4, 0.5, 0.0), v(0.1, -0.3, 0.7)];
    let map = |x: Vec3<f64>| v(1.5 * x.x + 0.2 * x.y, 0.8 * x.y, 1.1 * x.z);
    let x = rest.map(map);
    let stretches = [0.5, (0.2_f64 * 0.2 + 0.8 * 0.8).sqrt() - 1.0, 1.1 - 1.0];
    let p = StrainTetrahedron::rest(rest, [None; 6]).unwrap().map(Option::unwrap);
    let c = StrainTetrahedron::evaluate(x, p).map(|row| row.c);
    for (c, expected) in
        c.into_iter().zip([stretches[0], stretches[1], stretches[2], 0.3, 0.0, 0.0])
    {
        assert_near(c, expected);
    }
    let [a, b, c, _] = rest;
    let p = StrainTriangle::rest([a, b, c], [None; 3]).unwrap().map(Option::unwrap);
    let c = StrainTriangle::evaluate([x[0], x[1], x[2]], p).map(|row| row.c);
    for (c, expected) in c.into_iter().zip([stretches[0], stretches[1], 0.3]) {
        assert_near(c, expected);
    }
}

/// Σ C² / 2α is the material's energy, V (µ/2 (|F|² - 3) - µ (J - 1) + (λ + µ)/2 (J - 1)²), whatever F.
#[test]
fn neo_hookean_has_its_energy() {
    let mut random = Random(21);
    for poisson in [-0.4, 0.1, 0.3, 0.49] {
        for _ in 0..50 {
            let (rest, _) = at_rest::<NeoHookean, 4, 11, 2>(&mut random);
            let young = 1e5;
            let p = NeoHookean::rest(rest, NeoHookean::material(young, poisson));
            let p = p.unwrap().map(Option::unwrap);
            let f = [v(1.1, 0.1, 0.0), v(-0.2, 1.2, 0.1), v(0.0, 0.1, 0.95)]
                .map(|f| f + random.vector(0.1));
            let x = rest.map(|x| f[0] * x.x + f[1] * x.y + f[2] * x.z);
            let rows = NeoHookean::evaluate(x, p);
            let alpha = NeoHookean::compliance(p).unwrap();
            let energy: f64 =
                rows.iter().zip(alpha).map(|(row, a)| row.c * row.c / (2.0 * a)).sum();

            let [e1, e2, e3] = [1, 2, 3].map(|i| rest[i] - rest[0]);
            let volume = e1.dot(e2.cross(e3)).abs() / 6.0;
            let j = f[0].dot(f[1].cross(f[2])) - 1.0;
            let mu = young / (2.0 * (1.0 + poisson));
            let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
            let squares: f64 = f.iter().map(|f| f.dot(*f)).sum();
            let density = mu / 2.0 * (squares - 3.0) - mu * j + (lambda + mu) / 2.0 * j * j;
            let expected = volume * density;
            assert!(
                (energy - expected).abs() < 1e-9 * young * volume,
                "ν {poisson}: {energy} J for {expected}"
            );
        }
    }
}

#[test]
fn planes_and_triangles_are_signed_distances() {
    let p = [0.0, 1.0, 0.0, 0.0, 3.0, 4.0].map(Some);
    let p = Plane::rest([Vec3::zero()], p).unwrap().map(Option::unwrap);
    assert_near(Plane::evaluate([v(7.0, 2.0, 1.0)], p)[0].c, 0.6 + 0.8);

    let [x1, x2, x3] = [v(0.0, 0.0, 0.0), v(0.0, 0.0, 2.0), v(3.0, 0.0, 0.0)]; // its normal is +y
    let q = v(0.5, 0.25, 0.5);
    assert_near(Triangle::evaluate([q, x1, x2, x3], [0.1])[0].c, 0.15);
    assert_near(Triangle::evaluate([q, x1, x3, x2], [0.1])[0].c, -0.35);
}

/// Against the least distance over a fine mesh of pairs; crossing, parallel, clamped and pointlike segments exactly.
#[test]
fn edges_keep_the_distance_of_their_closest_points() {
    let distance = |x| EdgeEdge::evaluate(x, [0.0])[0].c;
    let (o, x) = (v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0));
    assert_near(distance([o, x, v(0.5, 0.3, -1.0), v(0.5, 0.3, 1.0)]), 0.3); // crossing above
    assert_near(distance([o, x, v(0.2, 0.0, -1.0), v(0.2, 0.0, 1.0)]), 0.0); // touching
    assert_near(distance([o, x, v(0.2, 0.4, 0.0), v(0.9, 0.4, 0.0)]), 0.4); // parallel
    assert_near(distance([o, x, v(4.0, 4.0, 0.0), v(5.0, 4.0, 0.0)]), 5.0); // parallel, apart
    assert_near(distance([o, x, v(1.3, 0.4, 0.0), v(3.0, 2.0, 0.0)]), 0.5); // end to end
    assert_near(distance([o, o, v(0.0, 0.7, 0.0), v(0.0, 0.7, 0.0)]), 0.7); // two points
    let mut random = Random(22);
    for _ in 0..300 {
        let s: [Vec3<f64>; 4] = std::array::from_fn(|_| random.vector(1.0));
        let [a, b, c, d] = s;
        let steps = 60;
        let mut least = f64::INFINITY;
        for i in 0..=steps {
            for j in 0..=steps {
                let (s, t) = (f64::from(i) / f64::from(steps), f64::from(j) / f64::from(steps));
                least = least.min((a + (b - a) * s - c - (d - c) * t).length());
            }
        }
        let found = distance(s);
        assert!(found <= least + 1e-12 && found > least - 0.03, "{found} for {least}");
    }
}
