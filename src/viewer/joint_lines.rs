//! Joints as thin lines: from the center of one body to where each end carries the joint, to the center of the other.

use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::rigid::{End, Joint, JointKind};
use crate::state::Snapshot;
use crate::state::at_pose;

/// A point that something carries.
struct Carried {
    by: End,
    /// In the body's own frame; of the world, a point of it (m).
    at: [f32; 3],
}

/// The joints of a model as lines.
pub(super) struct JointLines {
    points: Vec<Carried>,
    pub(super) segments: Vec<[u32; 2]>,
    /// Where joints hold to the world (m).
    pub(super) anchors: Vec<[f32; 3]>,
}

impl JointLines {
    pub fn of(model: &Model) -> Self {
        let mut lines = Self { points: Vec::new(), segments: Vec::new(), anchors: Vec::new() };
        for joint in model.joints() {
            let first = lines.points.len() as u32;
            lines.points.extend(points(model, joint));
            let last = lines.points.len() as u32;
            lines.segments.extend((first + 1..last).map(|i| [i - 1, i]));
        }
        let fixed = lines.points.iter().filter(|point| point.by == End::World);
        lines.anchors = fixed.map(|point| point.at).collect();
        lines
    }

    /// The ends of all segments in a state (m).
    pub fn place(&self, state: &Snapshot) -> Vec<[f32; 3]> {
        let place = |point: &Carried| match point.by {
            End::World => point.at,
            End::Particle(i) => state.positions[i as usize],
            End::Body(i) => at_pose(state.bodies[i as usize], point.at),
        };
        self.points.iter().map(place).collect()
    }
}

/// The points of a joint's line, from one end to the other.
fn points(model: &Model, joint: &Joint) -> Vec<Carried> {
    // The world has no center.
    let center = |by: End| (by != End::World).then_some(Carried { by, at: [0.0; 3] });
    let anchor = |by: End| {
        let at = match by {
            End::Body(i) => {
                let body = &model.bodies()[i as usize];
                let arm = Vec3::of(joint.anchor) - Vec3::of(body.position);
                Quat::of(body.orientation).unrotate(arm)
            }
            End::World | End::Particle(_) => Vec3::of(joint.anchor),
        };
        let at = at.to_array().map(|v: f64| v as f32);
        Some(Carried { by, at })
    };
    let [a, b] = joint.ends;
    let all = match joint.kind {
        // A distance is held at one anchor and one center.
        JointKind::Distance if b == End::World => vec![center(a), anchor(b)],
        JointKind::Distance => vec![center(a), anchor(a), center(b)],
        // What has no place is a line between the two.
        kind if !kind.has_anchor() => vec![center(a), center(b)],
        _ => vec![center(a), anchor(a), anchor(b), center(b)],
    };
    all.into_iter().flatten().collect()
}
