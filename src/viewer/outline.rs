//! What a camera has to frame: the outermost points of a motion in many directions. The box around them is larger: its near and
//! its upper far corners are mostly empty, and a picture that holds those shows its subject small and aside.

use crate::render::Bounds;

/// Directions are whole steps along each axis, up to so many.
const STEPS: i32 = 2;

/// The outermost points seen so far, one for each direction.
#[derive(Clone)]
pub(super) struct Outline {
    farthest: Vec<Farthest>,
}

#[derive(Clone)]
struct Farthest {
    direction: [f32; 3],
    /// How far the point is along the direction; less than any number where there is none.
    reach: f32,
    /// (m)
    point: [f32; 3],
}

impl Outline {
    pub fn new() -> Self {
        let steps = || -STEPS..=STEPS;
        let all = steps().flat_map(|x| steps().flat_map(move |y| steps().map(move |z| [x, y, z])));
        // Of those that point the same way one: the even ones are twice another, or nothing.
        let distinct = all.filter(|direction| direction.iter().any(|step| step % 2 != 0));
        let farthest = distinct.map(|direction| Farthest {
            direction: direction.map(|step| step as f32),
            reach: f32::NEG_INFINITY,
            point: [0.0; 3],
        });
        Self { farthest: farthest.collect() }
    }

    /// Widens it to hold all finite points.
    pub fn add(&mut self, points: impl IntoIterator<Item = [f32; 3]>) {
        for point in points.into_iter().filter(|p| p.iter().all(|c| c.is_finite())) {
            for farthest in &mut self.farthest {
                let [x, y, z] = farthest.direction;
                let reach = x * point[0] + y * point[1] + z * point[2];
                if reach > farthest.reach {
                    (farthest.reach, farthest.point) = (reach, point);
                }
            }
        }
    }

    /// The points.
    pub fn points(&self) -> Vec<[f32; 3]> {
        let known = self.farthest.iter().filter(|farthest| farthest.reach.is_finite());
        known.map(|farthest| farthest.point).collect()
    }

    /// The box around all that was added: the axes are among the directions.
    pub fn bounds(&self) -> Option<Bounds> {
        Bounds::of(&self.points())
    }
}
