//! Colors show bodies too, and what is held without distances.

use crate::constraints::Volume;
use crate::model::Model;
use crate::render::{Bounds, Camera, Canvas};
use crate::rigid::{Body, Shape, Weight};
use crate::rows::Stiffness;
use crate::state::Snapshot;
use crate::viewer::shot::Shot;
use crate::viewer::{Overlay, Stage};
use crate::{Method, Simulation};

const SEEN: Bounds = Bounds { least: [-1.0; 3], most: [1.0; 3] };

/// A box, a ball and a thin rod.
fn bodies() -> Model {
    let mut model = Model::new();
    let shapes = [Shape::Box([0.2; 3]), Shape::Sphere(0.2), Shape::Box([0.005, 0.4, 0.005])];
    for (x, shape) in [-0.6, 0.0, 0.6].into_iter().zip(shapes) {
        let body = Body::new(shape, Weight::Mass(1.0), None).unwrap();
        model.add_body(body.at([x, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])).unwrap();
    }
    model
}

/// What goes at 5 m/s sets the scale, and has another color than at rest.
#[test]
fn bodies_have_the_color_of_their_speed() {
    let model = bodies();
    let still = Simulation::new(bodies(), Method::Lanes, 1).unwrap();
    let at_rest = still.snapshot();
    for body in 0..3 {
        let mut moving = at_rest.clone();
        moving.body_velocities[body] = [0.0, 3.0, 4.0, 0.0, 0.0, 0.0];
        let picture = |overlay, state: &Snapshot| {
            let mut stage = Stage::new(&model, overlay, SEEN).unwrap();
            stage.include(&moving);
            let shot = Shot { state: state.clone(), ..Shot::of(&still) };
            let mut canvas = Canvas::new(320, 180);
            stage.draw_shot(&shot, &Camera::default().frame(SEEN, 320, 180), &mut canvas);
            (canvas, stage.scale())
        };
        let (fast, scale) = picture(Overlay::Speed, &moving);
        assert_eq!(scale, Some(["0", "5 m/s"].map(String::from)), "body {body}");
        assert!(fast != picture(Overlay::Speed, &at_rest).0, "body {body}");
        let plain = |state| picture(Overlay::Plain, state).0;
        assert!(plain(&moving) == plain(&at_rest), "body {body}");
    }
}

/// A tetrahedron that is twice as long along every axis: its edges are stretched by all of their length.
#[test]
fn solids_show_their_stretch() {
    let mut model = Model::new();
    let mut stretched = Snapshot::default();
    for x in [[0.0; 3], [0.3, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.3]] {
        model.add_particle(x, [0.0; 3], 1.0).unwrap();
        stretched.positions.push(x.map(|x| 2.0 * x as f32));
    }
    model.add(Volume, [0, 1, 2, 3], [None], Stiffness::Factor(1.0)).unwrap();
    let mut stage = Stage::new(&model, Overlay::Stretch, SEEN).unwrap();
    stage.include(&stretched);
    assert_eq!(stage.scale(), Some(["-100 %", "+100 %"].map(String::from)));
}
