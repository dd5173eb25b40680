//! Hollow bodies: a cup that is split into convex parts holds a ball, one that touches by its hull does not.
//! `cargo test --release --features decompose --test hollow`

use std::sync::{Arc, LazyLock};
use taut::collision::{Collider, Contacts};
use taut::math::sine_cosine;
use taut::mesh::enclosed_volume;
use taut::rigid::{Body, Shape, Weight};
use taut::{Method, Model, Simulation};

const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];
/// Sides of the cup.
const SIDES: u32 = 20;
/// Its outer and inner radius (m).
const OUTER: f64 = 0.3;
const INNER: f64 = 0.26;
/// How high it is, and how thick its bottom (m).
const HEIGHT: f64 = 0.4;
const BOTTOM: f64 = 0.05;

/// A cup that stands in the origin, open above: corners (m) and triangles, wound outward.
fn cup() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let profile = [[OUTER, 0.0], [OUTER, HEIGHT], [INNER, HEIGHT], [INNER, BOTTOM]];
    let mut corners = vec![[0.0; 3], [0.0, BOTTOM as f32, 0.0]];
    for side in 0..SIDES {
        let angle = f64::from(side) * core::f64::consts::TAU / f64::from(SIDES);
        let (sin, cos) = sine_cosine(angle);
        corners.extend(profile.map(|[r, y]| [r * cos, y, r * sin].map(|v| v as f32)));
    }
    let mut triangles = Vec::new();
    for side in 0..SIDES {
        let at = |side: u32, k: u32| 2 + 4 * (side % SIDES) + k;
        triangles.extend([[0, at(side, 0), at(side + 1, 0)], [1, at(side + 1, 3), at(side, 3)]]);
        for k in 0..3 {
            let [a, b] = [at(side, k), at(side + 1, k)];
            triangles.extend([[a, a + 1, b], [a + 1, b + 1, b]]);
        }
    }
    (corners, triangles)
}

fn body() -> Body {
    Body::new(Shape::Mesh(Arc::new(cup())), Weight::Density(1000.0), None).expect("a cup")
}

/// The same, split.
static SPLIT: LazyLock<Body> = LazyLock::new(|| body().split(32).expect("parts"));

/// Volume between two prisms of [`SIDES`] sides.
fn volume() -> f64 {
    let sides = f64::from(SIDES);
    let base = 0.5 * sides * sine_cosine(core::f64::consts::TAU / sides).0;
    base * (OUTER * OUTER * HEIGHT - INNER * INNER * (HEIGHT - BOTTOM))
}

/// Together the parts are about as large as the cup, of which the hull is more than three times as large; mass and inertia are the
/// cup's.
#[test]
fn parts_are_the_cup() {
    let whole = body();
    assert!((whole.mass - 1000.0 * volume()).abs() < 1e-4 * whole.mass, "{}", whole.mass);
    let split = &*SPLIT;
    assert_eq!((split.mass, split.inertia, split.axes), (whole.mass, whole.inertia, whole.axes));
    let Shape::Compound(parts) = &split.shape else { panic!("{:?}", split.shape) };
    let of = |shape: &Shape| match shape {
        Shape::Mesh(mesh) => enclosed_volume(&mesh.0, &mesh.1),
        shape => panic!("{shape:?}"),
    };
    let sum: f64 = parts.iter().map(|part| of(&part.shape)).sum();
    println!("{} parts of {sum} m³, the cup {}", parts.len(), volume());
    assert!(parts.len() <= 32);
    assert!((sum / volume() - 1.0).abs() < 0.1, "{sum} of {}", volume());
}

/// Where a ball comes to rest that falls into a cup on a floor (m).
fn rest(cup: Body, method: Method) -> f32 {
    let mut model = Model::new();
    model.settings.substeps = 4;
    let low = cup.shape.surface().0.iter().map(|x| x[1]).fold(0.0, f32::min);
    model.add_body(cup.at([0.0, f64::from(-low), 0.0], UPRIGHT)).expect("a cup");
    let ball = Body::new(Shape::Sphere(0.1), Weight::Density(1000.0), None).expect("a ball");
    model.add_body(ball.at([0.02, 0.8, 0.01], UPRIGHT)).expect("a ball");
    let colliders = vec![Collider::plane([0.0; 3], [0.0, 1.0, 0.0]).expect("a floor")];
    let contacts = Contacts { colliders, friction: Some(0.5), ..Contacts::default() };
    model.set_contacts(contacts).expect("sound contacts");
    let mut simulation = Simulation::new(model, method, 1).expect("a simulation");
    (0..180).for_each(|_| simulation.step());
    let state = simulation.snapshot();
    let cup = state.body_velocities[0];
    assert!(cup.iter().all(|v| v.abs() < 0.01), "the cup moves: {cup:?}");
    state.bodies[1][1]
}

#[test]
fn a_cup_holds_a_ball() {
    let [inside, again] =
        [Method::Lanes, Method::Colored].map(|method| rest(SPLIT.clone(), method));
    assert_eq!(inside.to_bits(), again.to_bits());
    assert!((f64::from(inside) - BOTTOM - 0.1).abs() < 0.01, "rests at {inside} m");
    let above = rest(body(), Method::Lanes);
    assert!((f64::from(above) - HEIGHT - 0.1).abs() < 0.01, "rests at {above} m");
}
