//! An orbit camera: the eye, and the projection of points onto the canvas and back.
//!
//! Right-handed, y up. `eye = target + distance (cos pitch sin yaw, sin pitch, cos pitch cos yaw)`; at yaw = pitch = 0 it looks
//! along -z. There is no roll, so every canvas row sees a plane y = const at one distance (`ground.rs` lives from it).

use crate::math::{Real, Vec3, sine_cosine};

/// Half the height of the picture at distance 1: the tangent of 20 degrees.
const TANGENT: f32 = 0.363_970_23;
/// A framed box fills this much of the picture.
const AIR: f32 = 0.9;
/// A box is flat where it is no deeper than this share of its width.
const FLAT: f32 = 0.2;
/// The near plane, as a share of the distance to the target.
const NEAR: f32 = 0.01;
/// An eye is so far above the ground, as a share of its distance from the target.
const CLEAR: f32 = 0.03;
/// No camera is farther from its target.
const FARTHEST: f32 = 1e6;
/// Steeper than this the view has no sideways direction.
const STEEPEST: f32 = 1.55;

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest coordinates.
    pub least: [f32; 3],
    /// Largest coordinates.
    pub most: [f32; 3],
}

impl Bounds {
    /// The box around all finite points, `None` without any.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a [f32; 3]>) -> Option<Self> {
        Self::of_all(points.into_iter().copied())
    }

    /// The same of points that are made on the way.
    pub fn of_all(points: impl Iterator<Item = [f32; 3]>) -> Option<Self> {
        let (mut least, mut most) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        points.for_each(|[x, y, z]| {
            if x.is_finite() && y.is_finite() && z.is_finite() {
                least = [least[0].min(x), least[1].min(y), least[2].min(z)];
                most = [most[0].max(x), most[1].max(y), most[2].max(z)];
            }
        });
        (least[0] <= most[0]).then_some(Self { least, most })
    }

    /// The box around both.
    pub fn and(self, other: Self) -> Self {
        Self {
            least: core::array::from_fn(|k| self.least[k].min(other.least[k])),
            most: core::array::from_fn(|k| self.most[k].max(other.most[k])),
        }
    }

    /// What of it lies within another.
    pub fn within(self, other: Self) -> Self {
        let hold =
            |p: [f32; 3]| core::array::from_fn(|k| p[k].max(other.least[k]).min(other.most[k]));
        Self { least: hold(self.least), most: hold(self.most) }
    }

    /// The longest side.
    pub fn longest_side(self) -> f32 {
        (0..3).map(|k| self.most[k] - self.least[k]).fold(0.0, f32::max)
    }

    /// The eight corners.
    pub fn corners(self) -> [[f32; 3]; 8] {
        core::array::from_fn(|i| core::array::from_fn(|k| [self.least, self.most][i >> k & 1][k]))
    }
}

/// A camera that turns around a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The point that it looks at.
    pub target: [f32; 3],
    /// Turn about the vertical (rad).
    pub yaw: f32,
    /// Height above the horizontal (rad).
    pub pitch: f32,
    /// From eye to target.
    pub distance: f32,
    /// Where the target is seen: so far right and down of the picture's middle, in heights of the picture.
    pub middle: [f32; 2],
}

impl Default for Camera {
    /// From the front right, a little above.
    fn default() -> Self {
        Self { target: [0.0; 3], yaw: 0.6, pitch: 0.35, distance: 5.0, middle: [0.0; 2] }
    }
}

/// A pixel in the middle of a picture, in distances of the camera or as an angle: about a thousandth.
const PIXEL: f32 = 1e-3;

impl Camera {
    /// The usual direction; what is flat and faces +z is seen more from its front.
    pub fn facing(bounds: Bounds) -> Self {
        let [x, _, z] = core::array::from_fn(|k| bounds.most[k] - bounds.least[k]);
        let usual = Self::default();
        if z < FLAT * x { Self { yaw: 0.2, pitch: 0.2, ..usual } } else { usual }
    }

    /// The same direction, moved so that all of `bounds` just fits into the picture, with a little air around it.
    pub fn frame(self, bounds: Bounds, width: usize, height: usize) -> Self {
        self.frame_points(&bounds.corners(), width, height)
    }

    /// The same of some points; without any of a unit box.
    pub fn frame_points(self, points: &[[f32; 3]], width: usize, height: usize) -> Self {
        self.frame_within(points, [width, height], [[0, 0], [width as i32, height as i32]])
    }

    /// The same within a part of the picture, between two of its columns and rows.
    pub fn frame_within(
        self,
        points: &[[f32; 3]],
        size: [usize; 2],
        [from, to]: [[i32; 2]; 2],
    ) -> Self {
        let Some(Bounds { least, most }) = Bounds::of(points) else {
            let unit = Bounds { least: [-0.5; 3], most: [0.5; 3] };
            return self.frame_within(&unit.corners(), size, [from, to]);
        };
        let height = size[1].max(1) as f32;
        let middle = [0, 1].map(|k| 0.5 * ((from[k] + to[k]) as f32 - size[k] as f32) / height);
        let share = [0, 1].map(|k| (to[k] - from[k]).max(1) as f32 / height);
        let center: [f32; 3] = core::array::from_fn(|k| 0.5 * (least[k] + most[k]));
        let [right, up, forward] = self.axes();
        let relative = |&point: &[f32; 3]| {
            let p = Vec3::from(point) - Vec3::from(center);
            [p.dot(right), p.dot(up), p.dot(forward)]
        };
        let points: Vec<[f32; 3]> = points.iter().map(relative).collect();
        // An eye at (e, z) sees a point (x, d) if |x - e| <= tangent (d - z). Over all points that is
        // most + tangent z <= e <= least - tangent z: the largest z there is room for, and the e in the middle.
        let fit = |axis: usize, tangent: f32| {
            let lower = points.iter().map(|p| p[axis] + tangent * p[2]);
            let upper = points.iter().map(|p| p[axis] - tangent * p[2]);
            let least = lower.fold(f32::INFINITY, f32::min);
            let most = upper.fold(f32::NEG_INFINITY, f32::max);
            (0.5 * (least + most), (least - most) / (2.0 * tangent))
        };
        let (across, z) = fit(0, AIR * TANGENT * share[0]);
        let (above, z_above) = fit(1, AIR * TANGENT * share[1]);
        let nearest = points.iter().map(|p| p[2]).fold(0.0, f32::min);
        // Nothing may come nearer than the near plane, which matters for long thin boxes seen from their end.
        let distance = -z.min(z_above).min(nearest / (1.0 - 2.0 * NEAR));
        let target = Vec3::from(center) + right * across + up * above;
        // A single point is seen from one unit away; a box too large for f32 from as far as the camera goes.
        let distance = if distance > 1e-6 { distance.min(FARTHEST) } else { 1.0 };
        Self { target: target.to_array(), distance, middle, ..self }
    }

    /// Where it is.
    pub fn eye(&self) -> [f32; 3] {
        let [_, _, forward] = self.axes();
        (Vec3::from(self.target) - forward * self.distance).to_array()
    }

    /// Turned by so many radians.
    pub fn orbit(self, yaw: f32, pitch: f32) -> Self {
        Self { yaw: self.yaw + yaw, pitch: (self.pitch + pitch).clamp(-STEEPEST, STEEPEST), ..self }
    }

    /// Nearer (`factor < 1`) or farther.
    pub fn zoom(self, factor: f32) -> Self {
        Self { distance: (self.distance * factor).clamp(1e-4, FARTHEST), ..self }
    }

    /// Moved sideways, so that what is at the target follows the pointer by `pixels` (x right, y down).
    pub fn pan(self, pixels: [f32; 2], height: usize) -> Self {
        let [right, up, _] = self.axes();
        let pixel = self.distance * 2.0 * TANGENT / height.max(1) as f32;
        let t = Vec3::from(self.target) - right * (pixels[0] * pixel) + up * (pixels[1] * pixel);
        Self { target: t.to_array(), ..self }
    }

    /// The same, turned or lifted so that its eye lies clearly above `height`.
    pub fn above(self, height: f32) -> Self {
        let lowest = height + CLEAR * self.distance;
        let lacks = lowest - self.eye()[1];
        if lacks <= 0.0 || !lacks.is_finite() {
            return self;
        }
        let sine = (lowest - self.target[1]) / self.distance;
        if sine < 0.99 {
            return Self { pitch: Real::atan2(sine, (1.0 - sine * sine).sqrt()), ..self };
        }
        let [x, y, z] = self.target;
        Self { target: [x, y + lacks, z], ..self }
    }

    /// A share of the way from this camera to `goal`.
    pub fn toward(self, goal: Self, share: f32) -> Self {
        let mix = |from: f32, to: f32| from + (to - from) * share;
        Self {
            target: core::array::from_fn(|k| mix(self.target[k], goal.target[k])),
            yaw: mix(self.yaw, goal.yaw),
            pitch: mix(self.pitch, goal.pitch),
            distance: mix(self.distance, goal.distance),
            middle: core::array::from_fn(|k| mix(self.middle[k], goal.middle[k])),
        }
    }

    /// Whether the other camera sees the same to about a pixel.
    pub fn is_beside(&self, other: &Self) -> bool {
        let far = (0..3).map(|k| (self.target[k] - other.target[k]).abs());
        let far = far.fold((self.distance - other.distance).abs(), f32::max);
        let turned = (self.yaw - other.yaw).abs().max((self.pitch - other.pitch).abs());
        let shifted = (0..2).all(|k| (self.middle[k] - other.middle[k]).abs() <= PIXEL);
        far <= PIXEL * self.distance && turned <= PIXEL && shifted
    }

    /// The camera looking at a canvas of this size.
    pub fn view(&self, width: usize, height: usize) -> View {
        let [right, up, forward] = self.axes();
        View {
            eye: Vec3::from(self.eye()),
            right,
            up,
            forward,
            target: Vec3::from(self.target),
            distance: self.distance,
            near: self.distance * NEAR,
            focal: 0.5 * height as f32 / TANGENT,
            center: [0, 1]
                .map(|k| 0.5 * [width, height][k] as f32 + self.middle[k] * height as f32),
        }
    }

    /// Unit vectors to the right, upwards and away from the eye.
    fn axes(&self) -> [Vec3<f32>; 3] {
        let (sy, cy) = sine_cosine(self.yaw.into());
        let (sp, cp) = sine_cosine(self.pitch.clamp(-STEEPEST, STEEPEST).into());
        let round = |v: [f64; 3]| Vec3::from(v.map(|c| c as f32));
        [round([cy, 0.0, -sy]), round([-sp * sy, cp, -sp * cy]), round([-cp * sy, -sp, -cp * cy])]
    }
}

/// A camera together with the canvas it looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    pub(super) eye: Vec3<f32>,
    pub(super) right: Vec3<f32>,
    pub(super) up: Vec3<f32>,
    pub(super) forward: Vec3<f32>,
    pub(super) target: Vec3<f32>,
    /// From eye to target.
    pub(super) distance: f32,
    /// Nothing nearer than this is drawn.
    pub(super) near: f32,
    /// Pixels per unit at distance 1.
    pub(super) focal: f32,
    /// Where the target is seen (pixels).
    pub(super) center: [f32; 2],
}

impl View {
    /// Pixel column and row of a point and its distance along the view; `None` behind the near plane or not finite.
    /// A point beside the canvas has a column and row outside of it.
    pub fn project(&self, point: [f32; 3]) -> Option<[f32; 3]> {
        let [x, y, w] = self.turn(point);
        (w >= self.near && x.abs() < 1e15 && y.abs() < 1e15 && w < 1e15)
            .then(|| [self.center[0] + x / w, self.center[1] + y / w, w])
    }

    /// The point seen at a place on the canvas at `distance` along the view: undoes [`View::project`], for dragging.
    pub fn unproject(&self, [x, y, distance]: [f32; 3]) -> [f32; 3] {
        (self.eye + self.direction(x, y) * distance).to_array()
    }

    /// Right, down (both in pixels at distance 1) and away from the eye: `(x / w, y / w)` is the offset from the center.
    #[inline(always)]
    pub(super) fn turn(&self, point: [f32; 3]) -> [f32; 3] {
        let p = Vec3::from(point) - self.eye;
        [p.dot(self.right) * self.focal, -(p.dot(self.up) * self.focal), p.dot(self.forward)]
    }

    /// Away from the eye by 1 along the view.
    fn direction(&self, x: f32, y: f32) -> Vec3<f32> {
        // A canvas without height has no focal length: it sees straight ahead.
        let pixel = if self.focal > 0.0 { 1.0 / self.focal } else { 0.0 };
        self.forward
            + self.right * ((x - self.center[0]) * pixel)
            + self.up * ((self.center[1] - y) * pixel)
    }
}
