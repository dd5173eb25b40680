//! Spin by the defaults: free bodies keep energy and angular momentum, a fast top keeps its angle and precesses as it should.

use super::models::Random;
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::observe::observe;
use crate::rigid::{Body, End, Joint, JointKind, Joints, Shape, Weight};
use crate::settings::Rigid;
use crate::{Method, Simulation};

/// Energy (J) and angular momentum (kg m²/s) of the only body.
fn seen(simulation: &Simulation) -> (f64, Vec3<f64>) {
    let seen = observe(simulation.model(), &simulation.snapshot(), &[]);
    (seen.energy, Vec3::of(seen.angular_momentum))
}

/// Rods, plates and blocks at 30 rad/s, one substep a frame, a minute. Fast ones of 300 rad/s, which turn by five radians a
/// frame, too.
#[test]
fn boxes_of_any_proportion_keep_energy_and_momentum() {
    let mut random = Random(11);
    let sizes = [[0.1, 0.2, 0.3], [0.3, 0.3, 0.01], [0.01, 0.02, 0.5], [0.2, 0.21, 0.22], [1.0; 3]];
    for (size, speed) in sizes.into_iter().flat_map(|size| [(size, 30.0), (size, 300.0)]) {
        let mut model = Model::new();
        model.settings.gravity = [0.0; 3];
        let mut body = Body::new(Shape::Box(size), Weight::Density(500.0), None).unwrap();
        let axis: Vec3<f64> = Vec3::of(random.point());
        body.angular_velocity = (axis * (speed / axis.length())).to_array();
        model.add_body(body).unwrap();
        let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
        let (energy, momentum) = seen(&simulation);
        let (mut gained, mut turned) = (0.0_f64, 0.0_f64);
        for _ in 0..60 {
            (0..60).for_each(|_| simulation.step());
            let (now, l) = seen(&simulation);
            let off = [(now / energy - 1.0).abs(), (l - momentum).length() / momentum.length()];
            assert!(off.iter().all(|v| *v < 5e-5), "{size:?} {speed}: {off:?}");
            (gained, turned) = (gained.max(off[0]), turned.max(off[1]));
        }
        println!("{size:?} {speed} rad/s: energy {gained:.1e}, momentum {turned:.1e}");
    }
}

/// A top of mass 1 kg at r = 0.1 m from its foot, tilted by θ = 30°, in steady precession: Ω is the smaller root of
/// I₁ cos θ Ω² - I₃ ω Ω + m g r = 0, I₁ about the foot, ω about the axis of figure (Goldstein, *Classical Mechanics*, 5.7).
#[test]
fn a_fast_top_stays_at_its_angle() {
    let (r, tilt, spin, [i1, i3]) = (0.1_f64, 30.0_f64.to_radians(), 300.0, [0.0015, 0.002]);
    let (a, b, c) = ((i1 + r * r) * tilt.cos(), i3 * spin, 9.81 * r);
    let precession = 2.0 * c / (b + (b * b - 4.0 * a * c).sqrt());
    let mut wrong = false;
    for rigid in Rigid::ALL {
        for (substeps, iterations) in [(8, 1), (10, 1), (10, 4), (20, 1), (50, 1)] {
            let mut model = Model::new();
            (model.settings.rigid, model.settings.substeps) = (rigid, substeps);
            model.settings.iterations = iterations;
            let mut top = Body::new(Shape::None, Weight::Mass(1.0), Some([i1, i3, i1])).unwrap();
            let axis = [tilt.sin(), tilt.cos(), 0.0];
            let half = -tilt / 2.0;
            top = top.at(axis.map(|v| v * r), [0.0, 0.0, half.sin(), half.cos()]);
            // About the vertical by Ω beside the spin about the figure, which has Ω cos θ of it already.
            let own = spin - precession * tilt.cos();
            let omega: Vec3<f64> = Vec3::of(axis) * own + Vec3::new(0.0, precession, 0.0);
            top.angular_velocity = omega.to_array();
            top.velocity = omega.cross(Vec3::of(axis) * r).to_array();
            model.add_body(top).unwrap();
            let mut joints = Joints::new();
            let ends = [End::Body(0), End::World];
            joints.add(&model, Joint::new(JointKind::Ball, ends, [0.0; 3])).unwrap();
            model.add_subsystem(joints).unwrap();
            let mut simulation = Simulation::new(model, Method::Scalar, 1).unwrap();
            let (mut most, mut turned, mut last) = (0.0_f64, 0.0, 0.0);
            for _ in 0..600 {
                simulation.step();
                let [.., x, y, z, w] = simulation.snapshot().bodies[0].map(f64::from);
                let up = Quat::new(x, y, z, w).rotate(Vec3::new(0.0, 1.0, 0.0));
                most = most.max((up.y.acos() - tilt).abs().to_degrees());
                let now = (-up.z).atan2(up.x);
                let by = now - last;
                turned += by - (by / std::f64::consts::TAU).round() * std::f64::consts::TAU;
                last = now;
            }
            let off = turned / (10.0 * precession) - 1.0;
            println!(
                "{} {substeps} x {iterations}: {most:.3}°, precession {off:+.2e}",
                rigid.name()
            );
            wrong |= !(most < 0.3 && off.abs() < 0.02);
        }
    }
    assert!(!wrong, "a top rises or falls");
}
