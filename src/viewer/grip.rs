//! A body in the hand: a spring pulls the point at which it is held.

use crate::math::{Quat, Vec3};
use crate::simulation::Simulation;
use crate::state::at_pose;

/// How fast the spring is (rad/s), critically damped: slow enough to be stable over a frame.
const SPRING: f32 = 12.0;

/// A body held at a point.
pub(super) struct Grip {
    pub body: u32,
    /// In the body's own frame (m).
    arm: [f32; 3],
    /// The force and torque that it had before.
    before: [[f32; 3]; 2],
}

impl Grip {
    /// The body in front along a ray from a point through another (m), and its distance along the ray, in the way between both.
    pub fn take(simulation: &Simulation, from: [f32; 3], through: [f32; 3]) -> Option<(Self, f32)> {
        let [from, through] = [from, through].map(Vec3::from);
        let poses = simulation.bodies();
        let bodies = simulation.model().bodies().iter().zip(&poses).enumerate();
        let met = bodies.filter(|(_, (body, _))| !body.fixed).filter_map(|(i, (body, pose))| {
            let (corners, triangles) = body.shape.surface();
            let corners: Vec<_> = corners.into_iter().map(|c| at_pose(*pose, c)).collect();
            let meets = |triangle: &[u32; 3]| {
                let corners = triangle.map(|k| Vec3::from(corners[k as usize]));
                meet(from, through - from, corners)
            };
            let distance = triangles.iter().filter_map(meets).min_by(f32::total_cmp)?;
            Some((i, distance))
        });
        let (body, distance) = met.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let [x, y, z, qx, qy, qz, qw] = poses[body];
        let point = from + (through - from) * distance;
        let arm = Quat::new(qx, qy, qz, qw).unrotate(point - Vec3::new(x, y, z));
        let before = simulation.model().forces().on_body(body as u32);
        let before = before.map(|v| v.map(|v| v as f32));
        Some((Self { body: body as u32, arm: arm.to_array(), before }, distance))
    }

    /// Pulls it towards a point (m) for a frame, its weight carried.
    pub fn pull(&self, simulation: &mut Simulation, to: [f32; 3]) {
        let i = self.body as usize;
        let state = simulation.visible();
        let [x, y, z, ..] = state.bodies[i];
        let [vx, vy, vz, wx, wy, wz] = state.body_velocities[i];
        let model = simulation.model();
        let body = &model.bodies()[i];
        let held = Vec3::from(at_pose(state.bodies[i], self.arm));
        let arm = held - Vec3::new(x, y, z);
        let velocity = Vec3::new(vx, vy, vz) + Vec3::new(wx, wy, wz).cross(arm);
        // What the point resists with, at the least.
        let mass = body.mass as f32;
        let inertia = body.inertia.into_iter().fold(f64::INFINITY, f64::min) as f32;
        let felt = 1.0 / (1.0 / mass + arm.dot(arm) / inertia);
        let gravity = Vec3::from(model.settings.gravity.map(|g| g as f32));
        let spring = (Vec3::from(to) - held) * (SPRING * SPRING) - velocity * (2.0 * SPRING);
        let pull = spring * felt;
        let force = (pull - gravity * mass).to_array();
        let [before, turn] = self.before;
        let add = |a: [f32; 3], b: [f32; 3]| std::array::from_fn(|k| a[k] + b[k]);
        let torque = add(turn, arm.cross(pull).to_array());
        simulation.set_body_force(self.body, add(before, force), torque);
    }

    /// Leaves it with what pulled it before.
    pub fn let_go(self, simulation: &mut Simulation) {
        let [force, torque] = self.before;
        simulation.set_body_force(self.body, force, torque);
    }
}

/// How many times `along` lies between a point and where it meets a triangle (Möller and Trumbore).
fn meet(from: Vec3<f32>, along: Vec3<f32>, [a, b, c]: [Vec3<f32>; 3]) -> Option<f32> {
    let (u, v, to) = (b - a, c - a, from - a);
    let across = along.cross(v);
    let scale = u.dot(across);
    let turned = to.cross(u);
    let (s, t) = (to.dot(across) / scale, along.dot(turned) / scale);
    let distance = v.dot(turned) / scale;
    (s >= 0.0 && t >= 0.0 && s + t <= 1.0 && distance > 0.0).then_some(distance)
}
