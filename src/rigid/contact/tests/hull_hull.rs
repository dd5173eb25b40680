//! Hulls against hulls.

use super::super::box_box::collide_boxes;
use super::super::hull::Hull;
use super::super::hull_hull::collide_hulls;
use super::super::manifold::{Manifold, Point, ReferenceBody, Relative};
use super::super::workspace::Workspace;
use crate::math::{Quat, Vec3};
use crate::tests::models::Random;

/// The least gap of a manifold's points along its normal, and the normal in a's frame.
fn seen(m: &Manifold, at: &Relative) -> (f32, Point) {
    let normal = match m.reference {
        ReferenceBody::A => m.normal,
        ReferenceBody::B => at.turn.rotate(m.normal),
    };
    let gap = |k: usize| {
        let [a, b] = m.points[k].anchors;
        normal.dot(a - at.center - at.turn.rotate(b))
    };
    let gaps = (0..m.count).map(gap);
    (gaps.fold(f32::INFINITY, f32::min), normal)
}

/// Boxes as hulls touch as boxes do: the same normal and depth, and all gaps within reach.
#[test]
fn boxes_as_hulls_touch_as_boxes() {
    let mut random = Random(17);
    let (a, b): (Point, Point) = (Vec3::new(0.3, 0.2, 0.25), Vec3::new(0.15, 0.4, 0.2));
    let hulls = [a, b].map(|half| Hull::of_box(half).expect("a hull"));
    let (mut met, mut crossed, mut room) = (0, 0, Workspace::default());
    let mut hull_room = Workspace::default();
    for _ in 0..5000 {
        let turn = Quat::<f64>::exp(Vec3::of(random.point()) * 2.0);
        let at = Relative {
            center: Vec3::of(random.point().map(|v| 0.7 * v)),
            turn: Quat::of(turn.to_array()),
        };
        let reach = 0.02;
        let expected = collide_boxes(a, b, &at, reach, &mut room);
        let mut of = |[a, b]: [&Hull; 2], at: &Relative| {
            let mut found = Vec::new();
            collide_hulls([a, b], at, reach, &mut hull_room, &mut found);
            assert!(found.len() < 2, "faces of four corners");
            found.pop()
        };
        let found = of([&hulls[0], &hulls[1]], &at);
        let (Some(expected), Some(found)) = (&expected, &found) else {
            // Corners apart may be farther than any of the boxes' axes says, and at the very limit rounding decides.
            let apart = expected.is_none_or(|m| seen(&m, &at).0 > 0.0);
            assert!(apart, "missed at {at:?}");
            assert!(found.is_none() || collide_boxes(a, b, &at, reach + 1e-5, &mut room).is_some());
            continue;
        };
        let ((d, n), (e, m)) = (seen(found, &at), seen(expected, &at));
        met += 1;
        crossed += usize::from(expected.base.is_none());
        // Where two axes part alike within a hair, either will do.
        if n.dot(m) < 0.999 {
            assert!((d - e).abs() < 0.01, "{d} and {e} along {n:?} and {m:?}");
            continue;
        }
        assert!((d - e).abs() < 1e-5, "{d} and {e}");
        // One on the very limit may be in one and not in the other.
        assert!(found.count.abs_diff(expected.count) <= 1, "{at:?}");
        // Seen the other way round it is the same.
        let back = at.reversed();
        let other = of([&hulls[1], &hulls[0]], &back).expect("as near");
        assert!((seen(&other, &back).0 - e).abs() < 0.01);
    }
    println!("{met} meet, {crossed} of them by edges");
    assert!(met > 1000 && crossed > 50);
}
