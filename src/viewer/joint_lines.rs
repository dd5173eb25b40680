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
    /// The joint of each point.
    joints: Vec<u32>,
}

impl JointLines {
    pub fn of(model: &Model) -> Self {
        let mut lines = Self { points: Vec::new(), joints: Vec::new() };
        for (i, joint) in (0..).zip(model.joints()) {
            lines.points.extend(points(model, joint));
            lines.joints.resize(lines.points.len(), i);
        }
        lines
    }

    /// The ends of all segments in a state (m).
    pub fn places<'a>(&'a self, state: &'a Snapshot) -> impl Iterator<Item = [f32; 3]> + 'a {
        self.points.iter().map(|point| match point.by {
            End::World => point.at,
            End::Particle(i) => state.positions[i as usize],
            End::Body(i) => at_pose(state.bodies[i as usize], point.at),
        })
    }

    /// The segments of all joints but those that have broken, given in order.
    pub fn segments(&self, broken: &[u32]) -> Vec<[u32; 2]> {
        let is_one = |i: &usize| self.joints[i - 1] == self.joints[*i] && self.is_whole(*i, broken);
        (1..self.points.len()).filter(is_one).map(|i| [i as u32 - 1, i as u32]).collect()
    }

    /// Where joints hold to the world (m), but for those that have broken.
    pub fn anchors<'a>(&'a self, broken: &'a [u32]) -> impl Iterator<Item = [f32; 3]> + 'a {
        let points = self.points.iter().enumerate();
        let fixed = points.filter(|(i, p)| p.by == End::World && self.is_whole(*i, broken));
        fixed.map(|(_, point)| point.at)
    }

    /// Whether the joint of a point has not broken.
    fn is_whole(&self, point: usize, broken: &[u32]) -> bool {
        broken.binary_search(&self.joints[point]).is_err()
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
