//! How what no contact moves goes through a substep, against turns and ways that are known.

use super::super::kinematic::KinematicMotion;
use super::super::manifold::Point;
use crate::math::{Quat, Vec3};

fn at(x: f64, angle: f64) -> (Point, Quat<f32>) {
    let turn = Quat::<f64>::exp(Vec3::new(0.0, angle, 0.0)).normalized();
    (Vec3::of([x, 0.0, 0.0]), Quat::of(turn.to_array()))
}

fn motion(from: (Point, Quat<f32>), to: (Point, Quat<f32>)) -> KinematicMotion {
    KinematicMotion { from, to, still: false }
}

/// Still is what stays where it stayed in the substep before: not what comes, goes, goes again, or was taken elsewhere between two
/// substeps.
#[test]
fn still_is_what_stays_where_it_stayed() {
    let (here, there, turned) = (at(0.0, 0.0), at(1.0, 0.0), at(0.0, 0.1));
    for (before, now, still) in [
        ([here, here], [here, here], true),
        ([here, there], [there, there], false),
        ([here, here], [there, there], false),
        ([here, here], [here, there], false),
        ([here, there], [here, there], false),
        ([here, turned], [turned, turned], false),
        ([turned, turned], [here, here], false),
        ([there, here], [there, here], false),
    ] {
        let mut motion_of = motion(before[0], before[1]);
        motion_of.follow(motion(now[0], now[1]));
        assert_eq!(motion_of.still, still, "{before:?} {now:?}");
        assert_eq!((motion_of.from, motion_of.to), (now[0], now[1]));
    }
}

/// A turn about y by an angle either way and its points' ways; a spin of at least that and no more than twice.
#[test]
fn a_turn_is_as_long_as_its_angle() {
    for angle in [0.0_f64, 1e-3, -0.4, 1.5, -3.0] {
        let moved = motion(at(0.2, 0.3), at(0.7, 0.3 + angle));
        let off = moved.turn() - Vec3::of([0.0, angle, 0.0]);
        assert!(off.length() < 1e-6, "{angle}: {:?}", moved.turn());
        let h = 0.01;
        let state = moved.state(h);
        assert!((state.v.x - 50.0).abs() < 1e-3 && state.x.x == 0.2, "{:?}", state.v);
        let spin = (angle.abs() / f64::from(h)) as f32;
        // 2 sin(φ/2) >= 2 φ / π.
        assert!(state.spin >= 0.7 * spin && state.spin <= 1.11 * spin, "{}, {spin}", state.spin);
        // A point at (0, 0, 1) of the frame, with a shell around of 0.1 along x of the world.
        let [begins, way] = moved.points(Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.1, 0.0, 0.0));
        let z = |a: f64| Vec3::<f32>::of([a.sin(), 0.0, a.cos()]);
        let core = Vec3::of([0.2, 0.0, 0.0]) + z(0.3);
        assert!((begins - core).length() < 1e-6, "{begins:?}");
        // The shell's 0.1 along x turns by the angle as well.
        let shell = |a: f64| Vec3::<f32>::of([0.1 * a.cos(), 0.0, -0.1 * a.sin()]);
        let expected =
            Vec3::of([0.5, 0.0, 0.0]) + z(0.3 + angle) - z(0.3) + shell(angle) - shell(0.0);
        assert!((way - expected).length() < 1e-6, "{way:?} {expected:?}");
    }
}
