//! Random rest states and deformed states of any kind, from a fixed seed.

use crate::constraints::{Constraint, Particle, Response, ResponseType, Source, project};
use crate::math::{Real, Vec3, each, each_index};

/// Random numbers, the same on every machine.
pub struct Random(pub u64);

impl Random {
    /// Uniform in `0..1`.
    pub fn unit(&mut self) -> f64 {
        let mut generator = fastrand::Rng::with_seed(self.0);
        let unit = generator.f64();
        self.0 = generator.get_seed();
        unit
    }

    /// Uniform in `low..high`.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Each coordinate uniform in `-size..size`.
    pub fn vector(&mut self, size: f64) -> Vec3<f64> {
        Vec3::new(self.within(-size, size), self.within(-size, size), self.within(-size, size))
    }

    /// A direction.
    pub fn direction(&mut self) -> Vec3<f64> {
        loop {
            let v = self.vector(1.0);
            if (0.1..1.0).contains(&v.length()) {
                return v * (1.0 / v.length());
            }
        }
    }

    /// A rotation, as the images of the axes.
    pub fn rotation(&mut self) -> [Vec3<f64>; 3] {
        let x = self.direction();
        let y = x.cross(self.direction());
        let y = y * (1.0 / y.length());
        [x, y, x.cross(y)]
    }
}

/// `v` turned by `rotation`.
pub fn turn([x, y, z]: [Vec3<f64>; 3], v: Vec3<f64>) -> Vec3<f64> {
    x * v.x + y * v.y + z * v.z
}

/// A rest state of unit size, well shaped, with its parameters as the engine would compute them.
///
/// `isometric_bending` is at rest only when flat, so its points are an edge and two wings in a plane.
pub fn at_rest<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
    random: &mut Random,
) -> ([Vec3<f64>; N], [f64; P]) {
    let x = if C::NAME == "isometric_bending" {
        let rotation = random.rotation();
        let flat = [
            (0.0, 0.0),
            (1.0, 0.0),
            (random.within(0.0, 1.0), random.within(0.5, 1.0)),
            (random.within(0.0, 1.0), random.within(-1.0, -0.5)),
        ];
        each_index(|i| turn(rotation, Vec3::new(flat[i].0, flat[i].1, 0.0)))
    } else {
        loop {
            let x: [Vec3<f64>; N] = each_index(|_| random.vector(0.5));
            if well_shaped(&x) {
                break x;
            }
        }
    };
    (x, parameters::<C, N, P, K>(x, random))
}

/// No three points nearly in a line, no four nearly in a plane.
fn well_shaped(x: &[Vec3<f64>]) -> bool {
    let e: Vec<_> = x.iter().skip(1).map(|p| *p - x[0]).collect();
    match e[..] {
        [] => true,
        [a] => a.length() > 0.3,
        [a, b] => a.cross(b).length() > 0.3,
        [a, b, c] => {
            a.dot(b.cross(c)).abs() > 0.15
                && a.cross(b).length().min(a.cross(c).length()) > 0.3
                && b.cross(c).length() > 0.3
        }
        _ => unreachable!("no kind has more than four points"),
    }
}

/// Sensible values where the author must give one, the kind's own for all others.
pub fn parameters<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
    x: [Vec3<f64>; N],
    random: &mut Random,
) -> [f64; P] {
    let given = C::PARAMS.map(|param| {
        (param.given == Source::Required).then(|| match param.name {
            "young" => 1e4,
            "poisson" => random.within(0.0, 0.45),
            "normal" | "point" => random.within(-1.0, 1.0),
            _ => random.within(0.0, 0.8),
        })
    });
    let p = C::rest(x, given).expect("a well-shaped rest state");
    each(p, |p| p.expect("measured or derived"))
}

/// A rest state whose points have since moved by up to 0.3: (points, parameters).
pub fn deformed<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
    random: &mut Random,
) -> ([Vec3<f64>; N], [f64; P]) {
    let (x, p) = at_rest::<C, N, P, K>(random);
    (each(x, |x| x + random.vector(0.3)), p)
}

/// Points in another number.
pub fn cast<R: Real, const N: usize>(x: [Vec3<f64>; N]) -> [Vec3<R>; N] {
    each(x, |x| Vec3::of([x.x, x.y, x.z]))
}

/// Particles at `x` with inverse masses `w`.
pub fn sites<R: Real, const N: usize>(x: [Vec3<f64>; N], w: [f64; N]) -> [Particle<R>; N] {
    let x = cast(x);
    each_index(|i| Particle::new(x[i], R::of(w[i])))
}

/// How a state is projected: stiffness and damping of class `A`, the substep [s].
#[derive(Clone, Copy)]
pub struct How {
    pub stiffness: f64,
    pub damping: f64,
    pub h: f64,
}

/// Projects once, in numbers `R`; `previous` is where the points were at the start of the substep. Called,
/// not inlined into every test of every kind.
#[inline(never)]
pub fn project_once<C, A, R, const N: usize, const P: usize, const K: usize>(
    sites: &mut [Particle<R>; N],
    previous: [Vec3<f64>; N],
    p: [f64; P],
    how: How,
    lambda: &mut [R; K],
) where
    C: Constraint<N, P, K>,
    A: ResponseType,
    R: Real,
{
    let numbers = each(A::numbers(how.stiffness, how.damping, how.h, 1), R::of);
    let response = A::At::<R>::new(numbers);
    let p = each(p, R::of);
    project::<C, _, _, R, N, P, K>(sites, cast(previous), p, response, lambda);
}
