//! The brightness of a surface: a sky above, one key light, a little light from the eye, and haze with distance.
//!
//! Light adds up linearly while pixels are about its square root, so a gain is the root of the light and multiplies the
//! color as stored: no color is ever decoded.

use super::camera::View;
use super::color::{channels, rgb};
use crate::math::{Real, Vec3};

/// Towards the key light, in the world; of length 1.
pub(super) const KEY: [f32; 3] = [0.36, 0.8, 0.48];

/// The lights as seen in the world (surfaces) or in the view (discs and strokes, whose normals face the eye).
#[derive(Clone, Copy)]
pub(super) struct Light {
    key: Vec3<f32>,
    sky: Vec3<f32>,
}

impl Light {
    /// For normals in world coordinates.
    pub fn world() -> Self {
        Self { key: Vec3::from(KEY), sky: Vec3::from([0.0, 1.0, 0.0]) }
    }

    /// For normals in view coordinates: right, up, towards the eye.
    pub fn facing(view: &View) -> Self {
        let turned =
            |d: Vec3<f32>| Vec3::new(d.dot(view.right), d.dot(view.up), -d.dot(view.forward));
        let world = Self::world();
        Self { key: turned(world.key), sky: turned(world.sky) }
    }

    /// The gain and the highlight (0..=255) of a surface with this unit normal, seen from the unit direction `eye`.
    #[inline(always)]
    pub fn on<R: Real>(&self, normal: Vec3<R>, eye: Vec3<R>) -> (R, R) {
        let (of, zero) = (R::of, R::zero());
        // Written out: `map` of an array is a call here, and a ball took a third longer.
        let lanes = |d: Vec3<f32>| Vec3::new(of(d.x.into()), of(d.y.into()), of(d.z.into()));
        let (toward, up) = (lanes(self.key), lanes(self.sky));
        let sky = of(0.27) + of(0.17) * normal.dot(up);
        // Half Lambert: folds still shade on the side away from the light.
        let wrapped = of(0.5) + of(0.5) * normal.dot(toward);
        let key = of(0.52) * wrapped * wrapped;
        let headlight = of(0.14) * normal.dot(eye).max(zero);
        // Blinn: the normal against the direction halfway between light and eye; |half|² spares its normalization.
        let half = toward + eye;
        let shine = normal.dot(half).max(zero);
        // The quotient does not depend on the normal: where the eye is far, it is taken once.
        let shine = (shine * shine * (of(1.0) / half.dot(half).max(of(1e-6)))).min(of(1.0));
        let shine = shine * shine * shine * shine;
        let shine = shine * shine * shine;
        ((sky + key + headlight).max(zero).sqrt(), of(26.0) * shine)
    }
}

/// Distance mixes a color with the haze, up to less than half.
#[derive(Clone, Copy)]
pub(super) struct Haze {
    color: [f32; 3],
    per_distance: f32,
}

impl Haze {
    pub fn new(view: &View, color: u32) -> Self {
        Self { color: channels(color), per_distance: 0.35 / view.distance.max(1e-6) }
    }

    /// How much of the haze is seen at this distance along the view.
    #[inline(always)]
    pub fn share(&self, distance: f32) -> f32 {
        (distance * self.per_distance - 0.28).max(0.0).min(0.45)
    }

    /// Channels behind so much haze.
    #[inline(always)]
    pub fn over(&self, color: [f32; 3], share: f32) -> [f32; 3] {
        core::array::from_fn(|k| color[k] + (self.color[k] - color[k]) * share)
    }

    /// A color at this distance.
    pub fn tint(&self, color: u32, distance: f32) -> u32 {
        rgb(self.over(channels(color), self.share(distance)))
    }
}

/// Normals per vertex, not yet of length 1: the sum of the triangles' normals, each weighted with its area. Indices beyond the
/// positions and triangles that are not finite are passed over.
pub(super) fn normals(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<Vec3<f32>> {
    let mut sums = vec![Vec3::zero(); positions.len()];
    for triangle in triangles {
        let Some(corners) = corners(positions, triangle) else {
            continue;
        };
        let normal = across(corners);
        if normal.dot(normal) < f32::INFINITY {
            for &i in triangle {
                sums[i as usize] += normal;
            }
        }
    }
    sums
}

/// The three corners of a triangle, if all exist.
#[inline(always)]
pub(super) fn corners(positions: &[[f32; 3]], triangle: &[u32; 3]) -> Option<[Vec3<f32>; 3]> {
    let at = |k: usize| positions.get(triangle[k] as usize).map(|&p| Vec3::from(p));
    Some([at(0)?, at(1)?, at(2)?])
}

/// The normal of a triangle, twice its area long.
#[inline(always)]
pub(super) fn across([a, b, c]: [Vec3<f32>; 3]) -> Vec3<f32> {
    (b - a).cross(c - a)
}

/// Scaled to length 1; upwards where that is impossible.
#[inline(always)]
pub(super) fn unit(v: Vec3<f32>) -> Vec3<f32> {
    let square = v.dot(v);
    if square > 1e-36 && square < f32::INFINITY {
        v * (1.0 / square.sqrt())
    } else {
        Vec3::new(0.0, 1.0, 0.0)
    }
}
