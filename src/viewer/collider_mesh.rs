//! Colliders as triangles to draw.

use crate::collision::{Collider, Frustum, Shape, Solid};
use crate::math::Vec3;
use crate::rigid::Shape as Form;

/// A collider at one time.
pub(super) struct ColliderMesh {
    /// Corners (m).
    pub positions: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
    pub smooth: bool,
}

/// Segments around what is round, and from the pole of a ball to its equator.
const ROUND: [u32; 2] = [48, 12];

impl ColliderMesh {
    /// A collider at `time`; a plane has no triangles: the ground shows floors, other planes would hide what they hold.
    pub fn of(collider: &Collider, time: f64) -> Self {
        let (mut up, mut lift) = (Vec3::new(0.0, 1.0, 0.0), 0.0);
        let form = match collider.solid() {
            Solid::Shape(Shape::Plane { .. }) => Form::None,
            Solid::Shape(Shape::Sphere { radius }) => Form::Sphere(*radius),
            Solid::Shape(Shape::Box { half_size }) => Form::Box(*half_size),
            Solid::Shape(Shape::Capsule { half, radius }) => {
                let half = Vec3::<f64>::of(*half);
                let length = half.length();
                if length > 0.0 {
                    up = half * (1.0 / length);
                }
                Form::Capsule([*radius, length])
            }
            Solid::Shape(Shape::Frustum(Frustum { ends, radii })) => {
                // Colliders lie about the middle, cones as bodies about their center of mass.
                let half = 0.5 * (ends[1] - ends[0]);
                match radii[1] > 0.0 {
                    true => Form::Cylinder([radii[0], half]),
                    false => {
                        lift = -0.5 * half;
                        Form::Cone([radii[0], half])
                    }
                }
            }
            Solid::Mesh(_) => Form::None,
        };
        let (mut positions, mut triangles) = form.surface_of(ROUND);
        if let Solid::Mesh(mesh) = collider.solid() {
            let corners = mesh.faces().flatten();
            positions = corners.map(|p| p.to_array().map(|v| v as f32)).collect();
            let firsts = (0..positions.len() as u32).step_by(3);
            triangles = firsts.map(|i| [i, i + 1, i + 2]).collect();
        }
        let [side, front] = across(up);
        let pose = collider.pose(time);
        for position in &mut positions {
            let [x, y, z] = position.map(f64::from);
            let p = pose.world(side * x + up * (y + lift) + front * z);
            *position = p.to_array().map(|v| v as f32);
        }
        Self { positions, triangles, smooth: form.is_round() }
    }
}

/// Two unit vectors across a unit vector, right-handed with it between them; x and z where it is y.
fn across(up: Vec3<f64>) -> [Vec3<f64>; 2] {
    let other = match up.z.abs() < 0.9 {
        true => Vec3::new(0.0, 0.0, 1.0),
        false => Vec3::new(1.0, 0.0, 0.0),
    };
    let side = up.cross(other);
    let side = side * (1.0 / side.length());
    [side, side.cross(up)]
}
