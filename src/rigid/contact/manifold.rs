//! Where two shapes touch: up to four points with one normal, kept as local points of both, so that every iteration sees
//! the gap as it then is (S4-12, S4-21; Müller et al. 2020, section 3.5).

use crate::math::{Quat, Vec3};

/// In the number of a second manifold of one face: what its points did may be that of points of the first.
const SECOND: u32 = 1 << 31;

/// The most points of a manifold.
pub(super) const MOST: usize = 4;

/// A point.
pub(super) type Point = Vec3<f32>;

/// A point on a and on b, each in its own frame, and its gap.
pub(super) type FoundPoint = ([Point; 2], f32);

/// A point that touches, or may soon.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactPoint {
    /// On a and on b, each in its own frame, from its center (m); of a capsule, on its core.
    pub(super) anchors: [Point; 2],
    /// λ of the last substep (N s).
    pub(super) lambda: f32,
    /// The friction of the last substep (N s), in the world.
    pub(super) friction: Point,
}

/// Where b is as a sees it: its center and its axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relative {
    pub(super) center: Point,
    pub(super) turn: Quat<f32>,
}

impl Relative {
    pub(super) fn new(a: (Point, Quat<f32>), b: (Point, Quat<f32>)) -> Self {
        Self { center: a.1.unrotate(b.0 - a.0), turn: a.1.conjugate() * b.1 }
    }

    /// b's axes.
    pub(super) fn axes(&self) -> [Point; 3] {
        [0, 1, 2].map(|k| self.turn.rotate(Vec3::axis(k)))
    }

    /// A point of a's frame, in b's.
    pub(super) fn to_b(self, p: Point) -> Point {
        self.turn.unrotate(p - self.center)
    }

    /// a's center, in b's frame.
    pub(super) fn center_in_b(&self) -> Point {
        -self.turn.unrotate(self.center)
    }

    /// a as b sees it.
    pub(super) fn reversed(&self) -> Self {
        Self { center: self.center_in_b(), turn: self.turn.conjugate() }
    }

    /// Whether this is `other` but for `far` (m) and `turned` (rad, about).
    pub(super) fn is_near(&self, other: &Self, far: f32, turned: f32) -> bool {
        let d = self.center - other.center;
        let q = self.turn.conjugate() * other.turn;
        let sine = q.vector();
        d.dot(d) < far * far && 4.0 * sine.dot(sine) < turned * turned
    }
}

/// Which constraints take their numbers from their manifolds.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Fill {
    All,
    /// Those of manifolds that were found in this pass.
    New,
    None,
}

/// Which of the two carries the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ReferenceBody {
    A,
    B,
}

/// Where two shapes touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manifold {
    /// The instances, a body that moves first.
    pub(super) pair: [u32; 2],
    /// Which of several manifolds of the two.
    pub(super) part: u32,
    /// From b to a, in the frame of the reference body.
    pub(super) normal: Point,
    pub(super) reference: ReferenceBody,
    /// The radii around the points of a and b (m).
    pub(super) radii: [f32; 2],
    pub(super) count: usize,
    pub(super) points: [ContactPoint; MOST],
    /// Where b was when the points were found, if they may be kept while it stays there.
    pub(super) base: Option<Relative>,
    pub(super) friction: f32,
    pub(super) restitution: f32,
    /// Arms against rolling and turning about the normal (m), and what they did in the last substep, in the world (N m s).
    pub(super) arms: [f32; 2],
    pub(super) torque: Point,
    /// Whether it is reported only.
    pub(super) is_sensor: bool,
    /// In which pass it was found.
    pub(super) stamp: u32,
}

impl Manifold {
    /// Of at most four points; of none, nothing.
    pub(super) fn new(
        normal: Point,
        reference: ReferenceBody,
        radii: [f32; 2],
        found: &[FoundPoint],
    ) -> Option<Self> {
        let mut points = Self::blank().points;
        for (point, (anchors, _)) in points.iter_mut().zip(found) {
            point.anchors = *anchors;
        }
        let count = found.len().min(MOST);
        let blank = Self::blank();
        (count > 0).then_some(Self { normal, reference, radii, count, points, ..blank })
    }

    /// Adds those of one face: of four points, and of what [`choose_corners`](super::reduction::choose_corners) found besides.
    pub(super) fn add_face(
        normal: Point,
        reference: ReferenceBody,
        radii: [f32; 2],
        [points, more]: [&[FoundPoint]; 2],
        part: u32,
        out: &mut Vec<Self>,
    ) {
        for (found, part) in [(points, part), (more, part ^ SECOND)] {
            let manifold = Self::new(normal, reference, radii, found);
            out.extend(manifold.map(|m| Self { part, ..m }));
        }
    }

    /// Of no points.
    pub(super) fn blank() -> Self {
        let none = ContactPoint { anchors: [Vec3::zero(); 2], lambda: 0.0, friction: Vec3::zero() };
        Self {
            pair: [0; 2],
            part: 0,
            normal: Vec3::zero(),
            reference: ReferenceBody::A,
            radii: [0.0; 2],
            count: 0,
            points: [none; MOST],
            base: None,
            friction: 0.0,
            restitution: 0.0,
            arms: [0.0; 2],
            torque: Vec3::zero(),
            is_sensor: false,
            stamp: 0,
        }
    }

    /// The same seen from the other side.
    pub(super) fn reversed(mut self) -> Self {
        self.normal = -self.normal;
        self.reference = match self.reference {
            ReferenceBody::A => ReferenceBody::B,
            ReferenceBody::B => ReferenceBody::A,
        };
        self.radii.reverse();
        self.base = self.base.map(|base| base.reversed());
        self.points.iter_mut().for_each(|point| point.anchors.reverse());
        self
    }

    /// The instance that carries the normal.
    pub(super) fn reference_body(&self) -> u32 {
        match self.reference {
            ReferenceBody::A => self.pair[0],
            ReferenceBody::B => self.pair[1],
        }
    }

    /// The instances, the lower number first: what orders manifolds.
    pub(super) fn ends(&self) -> [u32; 2] {
        let [a, b] = self.pair;
        [a.min(b), a.max(b)]
    }

    /// Whether it is of this part of the two, the first or the second of a face.
    pub(super) fn is_of(&self, part: u32) -> bool {
        (self.part ^ part) & !SECOND == 0
    }

    /// Whether it goes where the other was in the solver: between the same two, with as many points but for rounding up.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let points = |m: &Self| m.count.next_power_of_two();
        self.pair == other.pair && points(self) == points(other)
    }

    /// Goes on with what the points of `before` did that are within `far` (m).
    pub(super) fn inherit(&mut self, before: &Self, far: f32) {
        let mut used = [false; MOST];
        for point in &mut self.points[..self.count] {
            let mut best = (far * far, MOST);
            for (k, old) in before.points[..before.count].iter().enumerate() {
                let d = point.anchors[0] - old.anchors[0];
                let e = point.anchors[1] - old.anchors[1];
                // Sliding moves the point on one of the two only.
                let square = d.dot(d).min(e.dot(e));
                if !used[k] && square < best.0 {
                    best = (square, k);
                }
            }
            if best.1 < MOST {
                used[best.1] = true;
                let old = before.points[best.1];
                (point.lambda, point.friction) = (old.lambda, old.friction);
                self.torque = before.torque;
            }
        }
    }
}
