//! Different things at rest on each other.

use super::{CAPSULE, THICK, block, body, net, soften, space, touching, wrapped};
use crate::math::{Quat, Vec3};
use crate::rigid::Shape;
use crate::rows::Stiffness;
use crate::solvers::{Method, prepare};
use crate::tests::stacking::floor;

/// What is wrapped goes along: no particle is inside the capsule, and after two seconds both are as fast as each other.
#[test]
fn a_wrapped_cloth_goes_along() {
    let model = wrapped(20);
    let (mut state, mut solver) = prepare(&model, Method::Lanes, 1).expect("a solver");
    let mut least = f64::INFINITY;
    for _ in 0..120 {
        solver.step(&mut state);
        let body = state.bodies.state(0);
        let center = Vec3::<f64>::of(body.x.to_array().map(f64::from));
        let q = Quat::<f64>::of(body.q.to_array().map(f64::from)).normalized();
        let axes = Quat::<f64>::of(model.bodies()[0].axes);
        for x in state.positions() {
            let y = (q * axes.conjugate()).unrotate(Vec3::of(x.map(f64::from)) - center);
            let along = y.y.clamp(-CAPSULE[1], CAPSULE[1]);
            let from = (y - Vec3::new(0.0, along, 0.0)).length();
            least = least.min(from - CAPSULE[0]);
        }
    }
    let mean: f64 = state.velocities().iter().map(|v| f64::from(v[0])).sum::<f64>() / 100.0;
    let body = f64::from(state.bodies.motions()[0][0]);
    println!(
        "least distance {least:.4} m of {THICK}; cloth {mean:.4} m/s, body {body:.4} m/s; {:?}",
        state.bodies.motions()
    );
    // 2 kg at 1 m/s share with 0.5 kg.
    assert!(least > 0.9 * THICK, "{least}");
    assert!((body - 0.8).abs() < 0.01 && (mean - 0.8).abs() < 0.01);
}

/// A jelly lies on a box that stands on the floor: after five seconds both rest, and none of it is in the box. The box creeps aside,
/// by 0.3 mm a second; that it should not is not reached (docs/rigid.md).
#[test]
fn a_jelly_rests_on_a_box() {
    let mut model = space(16, 2);
    model.settings.gravity = [0.0, -9.81, 0.0];
    let thing = body(Shape::Box([0.4, 0.2, 0.4]), 20.0, [0.0, 0.2, 0.0]);
    model.add_body(thing).expect("a body");
    let all = block(&mut model, 5, 0.08, [[0.0, 0.5, 0.0], [0.0; 3]], 0.05);
    soften(&mut model, &all);
    touching(&mut model, 0.04, vec![floor()]);
    let (mut state, mut solver) = prepare(&model, Method::Lanes, 1).expect("a solver");
    (0..300).for_each(|_| solver.step(&mut state));
    let lowest = state.positions().iter().map(|x| x[1]).fold(f32::MAX, f32::min);
    let speed = |v: &[f32]| f64::from(v.iter().map(|v| v * v).sum::<f32>().sqrt());
    let fastest = state.velocities().iter().map(|v| speed(v)).fold(0.0, f64::max);
    let pose = state.bodies.poses()[0];
    let motion = speed(&state.bodies.motions()[0][..3]);
    println!("lowest {lowest}, fastest {fastest:.1e}, box {pose:?} {motion:.1e}");
    assert!((lowest - 0.44).abs() < 2e-3, "{lowest}");
    assert!(fastest < 1e-2 && motion < 1e-3, "{fastest} {motion}");
    assert!((pose[1] - 0.2).abs() < 1e-3 && pose[0].hypot(pose[2]) < 3e-3, "{pose:?}");
}

/// A ball comes to rest on a trampoline of springs: what their stretch pulls up at the border is the weight of all that hangs
/// there, and the ball has not sunk into the net.
#[test]
fn a_trampoline_carries_what_lies_on_it() {
    let (n, alpha, mass, ball) = (13, 1e-3, 0.1, 10.0);
    let mut model = space(20, 4);
    model.settings.gravity = [0.0, -9.81, 0.0];
    model.settings.damping = 1.0;
    let thing = body(Shape::Sphere(0.2), ball, [0.01, 0.4, 0.02]);
    model.add_body(thing).expect("a body");
    net(&mut model, n, 0.1, [mass, 0.0], Stiffness::Compliance(alpha));
    let border = |i: usize| [0, n - 1].iter().any(|&k| i % n == k || i / n == k);
    for i in (0..n * n).filter(|&i| border(i)) {
        model.set_inverse_mass(i as u32, 0.0).expect("a particle");
    }
    touching(&mut model, 0.045, Vec::new());
    let (mut state, mut solver) = prepare(&model, Method::Lanes, 1).expect("a solver");
    (0..900).for_each(|_| solver.step(&mut state));
    let x: Vec<Vec3<f64>> = state.positions().iter().map(|x| Vec3::of(x.map(f64::from))).collect();
    let mut pull = 0.0;
    for i in 0..n * n {
        for (other, inside) in [(i + 1, i % n + 1 < n), (i + n, i + n < n * n)] {
            if inside && border(i) != border(other) {
                let (held, free) = if border(i) { (i, other) } else { (other, i) };
                let d = x[held] - x[free];
                pull += (d.length() - 0.1) / alpha * d.y / d.length();
            }
        }
    }
    let weight = 9.81 * (ball + mass * ((n - 2) * (n - 2)) as f64);
    let center = state.bodies.poses()[0];
    let at = Vec3::<f64>::of([0, 1, 2].map(|k| f64::from(center[k])));
    let least = x.iter().map(|x| (*x - at).length()).fold(f64::INFINITY, f64::min);
    let v = state.bodies.motions()[0];
    println!(
        "pull {pull:.2} N of {weight:.2} N; {:.4} m between center and net; ball at {center:?}, {v:?}",
        least
    );
    assert!((pull / weight - 1.0).abs() < 0.01, "{pull} N for {weight} N");
    assert!(least > 0.244, "{least}");
    assert!(v[1].abs() < 1e-3, "{v:?}");
}
