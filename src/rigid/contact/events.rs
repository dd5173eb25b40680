//! What is reported of contacts: which pairs touch, with what force, and which of them have just begun or ended.
//!
//! The impulses of a frame's substeps are summed pair by pair; their mean force is Σ P / dt. A pair touches in a frame if in any
//! substep a normal carried something, or, of a sensor, if a point was inside or came through.

use super::instance::InstanceState;
use super::manifold::{Manifold, Point};
use crate::constraints::across;
use crate::error::CheckpointError;
use crate::math::{Quat, Vec3};
use crate::state::{BodyContact, ContactEvent, ContactSide, Saved, Words};

/// Who touched whom in the last frame, and with what impulse.
const TOUCHING: &str = "touching";

/// Where an instance stands.
pub(super) type Pose = (Point, Quat<f32>);

/// How far beside each other points may be that come through each other, in parts of the smaller reach.
const BESIDE: f32 = 0.1;

/// A pair of instances, the lower number first, and the impulse on the first (N s).
type Touch = ([u32; 2], [f64; 3]);

/// Who touches whom in this frame and did in the last, sorted.
pub(super) struct Events {
    bodies: u32,
    /// The frame (s).
    dt: f64,
    now: Vec<Touch>,
    before: Vec<Touch>,
}

impl Events {
    /// Of frames of `dt` (s), of instances of which the first are `bodies`.
    pub(super) fn new(bodies: usize, dt: f64) -> Self {
        Self { bodies: bodies as u32, dt, now: Vec::new(), before: Vec::new() }
    }

    /// A frame begins.
    pub(super) fn begin_frame(&mut self) {
        std::mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
    }

    /// A substep has ended: `impulses` of each manifold what its points do to a, and the sum of their normals (N s); `states` as
    /// instances were last looked at. Of sensors it is asked what has [come through](Manifold::comes_through) since then.
    pub(super) fn add(
        &mut self,
        manifolds: &[Manifold],
        impulses: &[[f32; 4]],
        states: &[InstanceState],
        comes_through: impl Fn(&Manifold) -> bool,
    ) {
        for (manifold, [x, y, z, normal]) in manifolds.iter().zip(impulses) {
            let touches = match manifold.is_sensor {
                true => manifold.overlaps(states) || comes_through(manifold),
                false => *normal > 0.0,
            };
            if touches {
                let first = manifold.pair[0] == manifold.ends()[0];
                let sign = if first { 1.0 } else { -1.0 };
                self.now.push((manifold.ends(), [*x, *y, *z].map(|v| sign * f64::from(v))));
            }
        }
        // Stable, so that impulses are summed in the order of the substeps.
        self.now.sort_by_key(|(pair, _)| *pair);
        self.now.dedup_by(|(pair, more), (kept, sum)| {
            let same = pair == kept;
            if same {
                (0..3).for_each(|k| sum[k] += more[k]);
            }
            same
        });
    }

    fn contact(&self, ([a, b], impulse): &Touch) -> BodyContact {
        let side = |i: u32| match i.checked_sub(self.bodies) {
            None => ContactSide::Body(i),
            Some(collider) => ContactSide::Collider(collider),
        };
        BodyContact { sides: [side(*a), side(*b)], force: impulse.map(|p| p / self.dt) }
    }

    /// The pairs that touched in the last frame.
    pub(super) fn contacts(&self) -> Vec<BodyContact> {
        self.now.iter().map(|touch| self.contact(touch)).collect()
    }

    /// What the last frame changed, in the order of the pairs.
    pub(super) fn changes(&self) -> Vec<ContactEvent> {
        let missing =
            |from: &[Touch], pair| from.binary_search_by_key(pair, |touch| touch.0).is_err();
        let begins = self.now.iter().filter(|touch| missing(&self.before, &touch.0));
        let ends = self.before.iter().filter(|touch| missing(&self.now, &touch.0));
        let begins = begins.map(|touch| (touch.0, ContactEvent::Begin(self.contact(touch))));
        let ends = ends.map(|touch| (touch.0, ContactEvent::End(self.contact(touch))));
        let mut all: Vec<_> = begins.chain(ends).collect();
        all.sort_by_key(|(pair, _)| *pair);
        all.into_iter().map(|(_, event)| event).collect()
    }

    pub(super) fn save(&self, to: &mut Saved) {
        let mut words = Words::default();
        for (pair, impulse) in &self.now {
            pair.iter().for_each(|i| words.put(*i));
            impulse.iter().for_each(|p| words.put_double(*p));
        }
        to.put(TOUCHING, words);
    }

    pub(super) fn load(&mut self, from: &Saved, instances: usize) -> Result<(), CheckpointError> {
        let mut section = from.section(TOUCHING);
        self.now.clear();
        while !section.is_empty() {
            let pair = [section.index(instances)?, section.index(instances)?];
            self.now.push((pair.map(|i| i as u32), section.doubles()?));
        }
        self.before.clone_from(&self.now);
        Ok(())
    }
}

impl Manifold {
    /// Whether any of its points lies inside, as instances stood when they were last looked at.
    fn overlaps(&self, states: &[InstanceState]) -> bool {
        let n = states[self.reference_body() as usize].q.rotate(self.normal);
        self.points[..self.count].iter().any(|point| {
            let [a, b] = [0, 1].map(|end| {
                let InstanceState { x, q, .. } = states[self.pair[end] as usize];
                x + q.rotate(point.anchors[end])
            });
            n.dot(a - b) <= self.radii[0] + self.radii[1]
        })
    }

    /// Whether any of its points has come through, from where instances stood when they were last looked at to where they stand now:
    /// what is fast is in front then, and behind when it is looked at again. Points that pass beside each other, of shapes of which the
    /// smaller reaches as far as `smaller`, have not.
    pub(super) fn comes_through(
        &self,
        states: &[InstanceState],
        now: impl Fn(u32) -> Pose,
        smaller: f32,
    ) -> bool {
        let n = states[self.reference_body() as usize].q.rotate(self.normal);
        let before = self.pair.map(|i| (states[i as usize].x, states[i as usize].q));
        let after = self.pair.map(now);
        self.points[..self.count].iter().any(|point| {
            let apart = |poses: [Pose; 2]| {
                let [a, b] = [0, 1].map(|end| {
                    let (x, q) = poses[end];
                    x + q.rotate(point.anchors[end])
                });
                a - b
            };
            let (from, to) = (apart(before), apart(after));
            let [first, last] = [from, to].map(|d| n.dot(d) - self.radii[0] - self.radii[1]);
            if first <= 0.0 || last > 0.0 {
                return false;
            }
            let meeting = from + (to - from) * (first / (first - last));
            across(meeting, n).length() <= BESIDE * smaller
        })
    }

    /// What its points did last to a, and the sum of their normals (N s), as it keeps them itself.
    pub(super) fn impulse(&self, states: &[InstanceState]) -> [f32; 4] {
        let n = states[self.reference_body() as usize].q.rotate(self.normal);
        let points = &self.points[..self.count];
        let normal = points.iter().map(|point| point.lambda).sum();
        let friction = points.iter().fold(Vec3::zero(), |sum, point| sum + point.friction);
        let Vec3 { x, y, z } = n * normal + friction;
        [x, y, z, normal]
    }
}
