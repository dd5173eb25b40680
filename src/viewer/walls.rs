//! Planes that stand still, but for floors: what they leave of the space around a scene, as faces that are seen from within and
//! edges of those that would hide what is behind them.

use crate::collision::Collider;
use crate::math::{Vec3, clip};
use crate::render::Bounds;

/// A wall as far as the others and the picture leave it.
pub(super) struct Wall {
    /// Around it (m).
    pub corners: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
    pub edges: Vec<[u32; 2]>,
    normal: Vec3<f32>,
}

/// A half-space: what is in front of a point, seen along a normal.
type Half = (Vec3<f32>, Vec3<f32>);

/// The walls among `colliders`, cut by each other and by `room`.
pub(super) fn walls(colliders: &[Collider], room: Bounds) -> Vec<Wall> {
    let planes = colliders.iter().filter_map(Collider::still_plane);
    let planes: Vec<Half> = planes.map(|[p, n]| (Vec3::of(p), Vec3::of(n))).collect();
    let least = Vec3::from(room.least);
    let most = Vec3::from(room.most);
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::<f32>::from);
    let sides = axes.iter().flat_map(|&axis| [(least, axis), (most, -axis)]);
    let halves: Vec<Half> = planes.iter().copied().chain(sides).collect();
    let reach = (most - least).length();
    let middle = (least + most) * 0.5;
    let upright = planes.iter().enumerate().filter(|(_, (_, normal))| normal.y < 0.999);
    let walls = upright.map(|(own, &(point, normal))| {
        let across = if normal.y.abs() < 0.9 { axes[1] } else { axes[0] };
        let u = across.cross(normal);
        let u = u * (1.0 / u.length());
        let v = normal.cross(u);
        let center = middle - normal * (middle - point).dot(normal);
        let square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let mut face = square.map(|(a, b)| center + u * (a * reach) + v * (b * reach)).to_vec();
        let mut spare = Vec::new();
        for (i, &(point, normal)) in halves.iter().enumerate() {
            if i != own {
                clip(&mut face, &mut spare, -normal, -normal.dot(point));
            }
        }
        let count = face.len() as u32;
        Wall {
            corners: face.into_iter().map(Vec3::to_array).collect(),
            triangles: (2..count).map(|i| [0, i - 1, i]).collect(),
            edges: (0..count).map(|i| [i, (i + 1) % count]).collect(),
            normal,
        }
    });
    walls.filter(|wall| wall.corners.len() > 2).collect()
}

impl Wall {
    /// Whether an eye looks at its free side.
    pub fn faces(&self, eye: [f32; 3]) -> bool {
        self.normal.dot(Vec3::from(eye) - Vec3::from(self.corners[0])) > 0.0
    }
}
