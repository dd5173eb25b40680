//! What goes on from one pass to the next.

use super::super::instance::{Instance, InstanceState};
use super::super::manifold::Point;
use super::super::narrow_phase::NarrowPhase;
use crate::collision::Contacts;
use crate::math::{Quat, Vec3};
use crate::state::{Body, Shape, Weight};

/// Looks for contacts of two balls, the first of which touches the second in a direction so many degrees from the x axis.
fn look(narrow: &mut NarrowPhase, degrees: f32) {
    let angle = degrees.to_radians();
    let at = |x: Point| InstanceState {
        x,
        q: Quat::new(0.0, 0.0, 0.0, 1.0),
        v: Vec3::zero(),
        spin: 0.0,
    };
    look_at(narrow, [Vec3::new(angle.cos(), angle.sin(), 0.0) * 1.1, Vec3::zero()].map(at));
}

/// Looks for contacts of two instances that stand so.
fn look_at(narrow: &mut NarrowPhase, states: [InstanceState; 2]) {
    narrow.look(0..2, |i| states[i]);
    let [anew, search] = narrow.plan();
    assert!(anew);
    if search {
        let chunks = narrow.cache.sweep.chunks.len();
        narrow.cache.search(&narrow.instances, 0..chunks);
    }
    narrow.list_pairs(search);
    narrow.collide(0..narrow.chunk_count());
    let others = narrow.count();
    narrow.collect(0..narrow.chunk_count(), others);
    if others {
        narrow.exchange();
    }
}

/// A small ball that rolls about a large one touches it in the same two anchors, its center and the other's: it goes on with its
/// impulses where the normal has turned by 25 degrees, and with none where by 35.
#[test]
fn impulses_go_on_where_the_normal_is_alike() {
    for (degrees, lambda, friction) in [(25.0, 3.0, 2.0), (35.0, 0.0, 0.0)] {
        let ball = |radius| {
            let body = Body::new(Shape::Sphere(radius), Weight::Mass(1.0), None);
            Instance::of_body(&body.expect("a body"))
        };
        let balls = vec![ball(0.1), Instance { fixed: true, ..ball(1.0) }];
        let mut narrow = NarrowPhase::new(balls, Vec::new(), &Contacts::default(), [0.01, 0.0], 1);
        look(&mut narrow, 0.0);
        narrow.manifolds.update(0, |found| {
            let point = &mut found.points[0];
            (point.lambda, point.friction) = (3.0, Vec3::new(0.0, 0.0, 2.0));
        });
        look(&mut narrow, degrees);
        let [found] = narrow.manifolds.as_slice() else { panic!("one manifold") };
        let point = &found.points[0];
        assert_eq!((point.lambda, point.friction.z), (lambda, friction), "{degrees} degrees");
    }
}

/// What neither moved nor goes fast is not looked for again; what went elsewhere is, be it to the other side of the origin, and
/// what is about to.
#[test]
fn what_moved_is_looked_for_again() {
    let ball = Body::new(Shape::Sphere(0.1), Weight::Mass(1.0), None).expect("a body");
    let mut narrow = NarrowPhase::new(
        vec![Instance::of_body(&ball)],
        Vec::new(),
        &Contacts::default(),
        [0.01, 0.0],
        1,
    );
    let mut looks = |x: f32, v: f32| {
        let [x, v] = [x, v].map(|x| Vec3::new(x, 0.0, 0.0));
        narrow.look(0..1, |_| InstanceState { x, q: Quat::identity(), v, spin: 0.0 });
        narrow.plan()[0]
    };
    // A fiftieth of the radius and more counts, and half of it a second; what is a ten-thousandth does not.
    for (x, v, anew) in [
        (0.002, 0.0, true),
        (0.002, 0.0, false),
        (0.00201, 1e-3, false),
        (-0.002, 0.0, true),
        (-0.002, 1e-3, false),
        (-0.002, 3.0, true),
        (0.05, 0.0, true),
        (0.05, 0.0, false),
    ] {
        assert_eq!(looks(x, v), anew, "at {x} m with {v} m/s");
    }
}

/// A point that moves on both goes on where it was as long as that is within a tenth of the smaller reach: two edges that cross
/// elsewhere.
#[test]
fn impulses_go_on_where_the_point_is_near() {
    let rod = |half| Body::new(Shape::Box(half), Weight::Mass(1.0), None).expect("a body");
    let eighth = std::f32::consts::FRAC_PI_4;
    for (way, lambda) in [(0.005, 3.0), (0.03, 0.0)] {
        let low = Instance::of_body(&rod([0.1, 0.01, 0.01]));
        let high = Instance::of_body(&rod([0.01, 0.01, 0.1]));
        let rods = vec![low, Instance { fixed: true, ..high }];
        let mut narrow = NarrowPhase::new(rods, Vec::new(), &Contacts::default(), [0.01, 0.0], 1);
        let state = |x: Point, turn: Point| InstanceState {
            x,
            q: Quat::exp(turn).normalized(),
            v: Vec3::zero(),
            spin: 0.0,
        };
        let states = |way: f32| {
            let height = -0.02 * std::f32::consts::SQRT_2;
            [
                state(Vec3::new(way, height, way), Vec3::new(eighth, 0.0, 0.0)),
                state(Vec3::zero(), Vec3::new(0.0, 0.0, eighth)),
            ]
        };
        look_at(&mut narrow, states(0.0));
        narrow.manifolds.update(0, |found| found.points[0].lambda = 3.0);
        look_at(&mut narrow, states(way));
        let [found] = narrow.manifolds.as_slice() else { panic!("one manifold") };
        assert_eq!((found.count, found.points[0].lambda), (1, lambda), "{way} m");
    }
}
