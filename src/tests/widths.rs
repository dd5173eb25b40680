//! One lane and eight give the same bits, for every kind and class, degenerate lanes included; and their kernels are compiled once.

use super::every_kind;
use super::sample::{How, Random, cast, deformed, project_once, sites};
use crate::constraints::{
    Compliant, Constraint, Damped, Material, Particle, Response, ResponseType, Stiff, project,
};
use crate::math::{F32x8, Vec3, WIDTH, each, each_index, pack, unpack};

fn bits<C, A, const N: usize, const P: usize, const K: usize>(random: &mut Random, how: How)
where
    C: Constraint<N, P, K>,
    A: ResponseType,
{
    let mut states: [_; WIDTH] = each_index(|_| deformed::<C, N, P, K>(random));
    states[3].0 = [states[3].0[0]; N];
    states[5].0 = each(states[5].0, |x| Vec3::new(x.x, 0.0, 0.0));
    // And lanes that overflow.
    states[1].0[0].x = 1e20;
    states[6].0 = each(states[6].0, |x| x * 1e25);
    states[7].0[N - 1].y = -3e38;
    let previous = each(states, |(x, _)| each(x, |x| x + random.vector(0.01)));
    let w = each(states, |_| each_index(|_| random.within(-0.5, 4.0).max(0.0)));

    let mut narrow: [[Particle<f32>; N]; WIDTH] = each_index(|lane| sites(states[lane].0, w[lane]));
    let mut wide: [Particle<F32x8>; N] = each_index(|i| {
        let of = |get: fn(&Particle<f32>) -> f32| pack(each(narrow, |lane| get(&lane[i])));
        Particle::new(Vec3::new(of(|s| s.x.x), of(|s| s.x.y), of(|s| s.x.z)), of(|s| s.w))
    });
    let wide_previous: [Vec3<F32x8>; N] = each_index(|i| {
        let lanes = each(previous, |lane| cast::<f32, N>(lane)[i]);
        Vec3::new(
            pack(each(lanes, |v| v.x)),
            pack(each(lanes, |v| v.y)),
            pack(each(lanes, |v| v.z)),
        )
    });
    let p = each_index(|i| pack(each(states, |(_, p)| p[i] as f32)));
    let numbers = A::numbers(how.stiffness, how.damping, how.h, 1);
    let response = A::At::<F32x8>::new(each(numbers, |v| pack([v as f32; WIDTH])));
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
                let eight = each([x, y, z], |v| unpack(v)[lane].to_bits());
                let one = each([site.x.x, site.x.y, site.x.z], f32::to_bits);
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
