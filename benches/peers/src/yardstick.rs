//! How far joints open and bodies overlap at given poses, whoever computed them.

use super::peer::{joints, world};
use rapier3d::pipeline::PhysicsWorld;
use rapier3d::prelude::*;
use std::error::Error;
use taut::Model;
use taut::math::{Quat, Vec3};
use taut::rigid::{Body, End};

/// A point of the world in a body's own frame (m).
pub fn arm(body: &Body, point: [f64; 3]) -> Vec3<f64> {
    Quat::of(body.orientation).unrotate(Vec3::of(point) - Vec3::of(body.position))
}

pub struct Yardstick {
    /// Where each joint is held: a body and an arm, or a point of the world.
    joints: Vec<[(Option<usize>, Vec3<f64>); 2]>,
    /// rapier's contact search, without its solver.
    world: PhysicsWorld,
    handles: Vec<RigidBodyHandle>,
    touches: bool,
}

impl Yardstick {
    pub fn new(model: &Model) -> Result<Self, Box<dyn Error>> {
        let held = |end: End, anchor: [f64; 3]| match end {
            End::Body(i) => {
                let i = i as usize;
                (Some(i), arm(&model.bodies()[i], anchor))
            }
            End::World | End::Particle(_) => (None, Vec3::of(anchor)),
        };
        let (world, handles) = world(model)?;
        Ok(Self {
            joints: joints(model)
                .iter()
                .map(|joint| joint.ends.map(|end| held(end, joint.anchor)))
                .collect(),
            world,
            handles,
            touches: model.contacts().is_some(),
        })
    }

    /// The largest distance of two points that a ball joint holds together (m).
    pub fn gap(&self, poses: &[[f32; 7]]) -> f64 {
        let at = |&(body, arm): &(Option<usize>, Vec3<f64>)| match body {
            None => arm,
            Some(i) => {
                let [x, y, z, a, b, c, d] = poses[i].map(f64::from);
                Quat::new(a, b, c, d).normalized().rotate(arm) + Vec3::new(x, y, z)
            }
        };
        let gap = |ends: &[_; 2]| (at(&ends[0]) - at(&ends[1])).length();
        self.joints.iter().map(gap).fold(0.0, f64::max)
    }

    /// The deepest contact (m).
    pub fn overlap(&mut self, poses: &[[f32; 7]]) -> f64 {
        if !self.touches {
            return 0.0;
        }
        for (&handle, &[x, y, z, a, b, c, d]) in self.handles.iter().zip(poses) {
            let q = Rotation::from_xyzw(a, b, c, d);
            let place = rapier3d::math::Pose::from_parts(Vector::new(x, y, z), q);
            self.world.bodies[handle].set_position(place, true);
        }
        self.world.detect_collisions(&(), &());
        let pairs = self.world.narrow_phase.contact_pairs();
        let deepest = pairs.filter_map(|pair| pair.find_deepest_contact());
        deepest.fold(0.0, |most, (_, contact)| most.max(-f64::from(contact.dist)))
    }
}
