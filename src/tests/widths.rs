//! One lane and eight give the same bits, for every kind and class, degenerate lanes included; and their kernels are compiled once.

use super::every_kind;
use super::sample::{How, Random, cast, deformed, project_once, sites};
use crate::constraints::{
    Compliant, Constraint, Damped, Material, Particle, Response, ResponseType, Stiff, project,
};
use crate::math::{F32x8, Vec3, WIDTH, pack, unpack};

fn bits<C, A, const N: usize, const P: usize, const K: usize>(random: &mut Random, how: How)
where
    C: Constraint<N, P, K>,
    A: ResponseType,
{
    let mut states: [_; WIDTH] = std::array::from_fn(|_| deformed::<C, N, P, K>(random));
    states[3].0 = [states[3].0[0]; N];
    states[5].0 = states[5].0.map(|x| Vec3::new(x.x, 0.0, 0.0));
    // And lanes that overflow.
    states[1].0[0].x = 1e20;
    states[6].0 = states[6].0.map(|x| x * 1e25);
    states[7].0[N - 1].y = -3e38;
    let previous = states.map(|(x, _)| x.map(|x| x + random.vector(0.01)));
    let w = states.map(|_| std::array::from_fn(|_| random.within(-0.5, 4.0).max(0.0)));

    let mut narrow: [[Particle<f32>; N]; WIDTH] =
        std::array::from_fn(|lane| sites(states[lane].0, w[lane]));
    let mut wide: [Particle<F32x8>; N] = std::array::from_fn(|i| {
        let of = |get: fn(&Particle<f32>) -> f32| pack(narrow.map(|lane| get(&lane[i])));
        Particle::new(Vec3::new(of(|s| s.x.x), of(|s| s.x.y), of(|s| s.x.z)), of(|s| s.w))
    });
    let wide_previous: [Vec3<F32x8>; N] = std::array::from_fn(|i| {
        let lanes = previous.map(|lane| cast::<f32, N>(lane)[i]);
        Vec3::new(pack(lanes.map(|v| v.x)), pack(lanes.map(|v| v.y)), pack(lanes.map(|v| v.z)))
    });
    let p = std::array::from_fn(|i| pack(states.map(|(_, p)| p[i] as f32)));
    let numbers = A::numbers(how.stiffness, how.damping, how.h, 1);
    let response = A::At::<F32x8>::new(numbers.map(|v| pack([v as f32; WIDTH])));
    let mut lambda = [[0.0_f32; K]; WIDTH];
    let mut wide_lambda = [pack([0.0; WIDTH]); K];
    for _ in 0..3 {
        for lane in 0..WIDTH {
            let (_, p) = states[lane];
            let sites = &mut narrow[lane];
            project_once::<C, A, _, N, P, K>(sites, previous[lane], p, how, &mut lambda[lane]);
        }
        project::<C, _, _, _, N, P, K>(&mut wide, wide_previous, p, response, &mut wide_lambda);
        for lane in 0..WIDTH {
            for (i, site) in narrow[lane].iter().enumerate() {
                let Vec3 { x, y, z } = wide[i].x;
                let eight = [x, y, z].map(|v| unpack(v)[lane].to_bits());
                let one = [site.x.x, site.x.y, site.x.z].map(f32::to_bits);
                assert_eq!(one, eight, "{} point {i} lane {lane}", C::NAME);
            }
            for k in 0..K {
                let (one, eight) = (lambda[lane][k], unpack(wide_lambda[k])[lane]);
                assert_eq!(one.to_bits(), eight.to_bits(), "{} λ {k}", C::NAME);
            }
        }
    }
}

#[test]
fn eight_lanes_give_the_bits_of_one() {
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        let mut random = Random(4);
        let how = |stiffness, damping| How { stiffness, damping, h: 1.0 / 60.0 };
        for _ in 0..40 {
            if C::MATERIAL {
                bits::<C, Material, N, P, K>(&mut random, how(0.0, 0.0));
            } else {
                bits::<C, Stiff, N, P, K>(&mut random, how(0.7, 0.0));
                bits::<C, Compliant, N, P, K>(&mut random, how(1e-4, 0.0));
                bits::<C, Damped, N, P, K>(&mut random, how(1e-4, 20.0));
            }
        }
    }
    every_kind!(check);
}

/// Kernels of registered kinds are compiled with the engine, not by all who use it.
#[test]
fn registered_kinds_say_so() {
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        assert!(C::REGISTERED, "{}", C::NAME);
    }
    every_kind!(check);
}
