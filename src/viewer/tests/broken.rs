//! What has broken is not drawn.

use crate::model::Model;
use crate::render::{Bounds, Camera, Canvas};
use crate::rigid::{Body, End, Joint, JointKind, Joints, Shape, Weight};
use crate::viewer::shot::Shot;
use crate::viewer::{Overlay, Stage};
use crate::{Method, Simulation};

const SEEN: Bounds = Bounds { least: [-1.0, -2.0, -1.0], most: [1.0; 3] };

/// Two bodies of 1 kg, half a metre apart, and these joints.
fn hung(joints: &[Joint]) -> Model {
    let mut model = Model::new();
    for x in [0.0, 0.5] {
        let body = Body::new(Shape::Box([0.1; 3]), Weight::Mass(1.0), None).unwrap();
        model.add_body(body.at([x, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])).unwrap();
    }
    let mut all = Joints::new();
    joints.iter().for_each(|joint| all.add(&model, joint.clone()).unwrap());
    model.add_subsystem(all).unwrap();
    model
}

fn picture(model: &Model, shot: &Shot) -> Canvas {
    let stage = Stage::new(model, Overlay::Plain, SEEN).unwrap();
    let mut canvas = Canvas::new(320, 180);
    stage.draw_shot(shot, &Camera::default().frame(SEEN, 320, 180), &mut canvas);
    canvas
}

/// One body hangs from what bears twice its weight, the other from what bears half of it or twice: once that has broken, the
/// picture is that of a model without it.
#[test]
fn a_joint_is_drawn_until_it_breaks() {
    let joint = |body: u32, most: f64| {
        let anchor = [0.5 * f64::from(body), 0.5, 0.0];
        let joint = Joint::new(JointKind::Ball, [End::World, End::Body(body)], anchor);
        Joint { break_force: Some(most * 9.81), ..joint }
    };
    for (most, left) in [(0.5, 1), (2.0, 2)] {
        let joints = [joint(0, 2.0), joint(1, most)];
        let mut simulation = Simulation::new(hung(&joints), Method::Lanes, 1).unwrap();
        (0..10).for_each(|_| simulation.step());
        assert_eq!(simulation.broken_joints().len(), 2 - left, "bears {most} times the weight");
        let shot = Shot::of(&simulation);
        let found = picture(&hung(&joints), &shot);
        let whole = Shot { broken: Vec::new(), ..shot };
        assert!(found == picture(&hung(&joints[..left]), &whole), "bears {most} times the weight");
        assert_eq!(found == picture(&hung(&joints), &whole), left == 2, "the joint can be seen");
    }
}
