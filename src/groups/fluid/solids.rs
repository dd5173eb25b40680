//! Rigid bodies and colliders in a fluid: what of a particle's kernel lies within them.
//!
//! A solid counts as fluid at rest density; else particles beside it lie closer to each other, and a body sinks deeper than what it
//! displaces says. What of the kernel lies beyond a plane is `beyond_wall`, scaled and shifted to what the first two layers of a lattice lack
//! there. Within a box of half sizes a lies, with y the distance from its middle along each axis,
//!
//! ```text
//! Π (1 - beyond(a - y) - beyond(a + y))
//! ```
//!
//! of the kernel, as if it were a product over the axes: exact beside a face. A ball of radius R curves away from the plane that
//! touches it, by 0.07 h²/R on average over the kernel there; the side of a cylinder or a cone, which curves along one direction only,
//! by half as much. No particle has more beside it than one that touches a face. What lies behind triangles is summed over
//! [those near](super::surfaces); in the corner of a tank made of them that is more than a face.
//!
//! Solids press by contacts alone, which act on both: no momentum is lost. So what is beside a particle is found once a substep.

use super::kernel::Numbers;
use super::shape::beyond_wall;
use super::surfaces::behind;
use crate::collision::volumes_of;
use crate::math::{Quat, Real, Scalar, Vec3};
use crate::state::{BodyView, Obstacle, Pose, Volume, Width};
use crate::subsystem::BuildContext;

/// How far a ball's surface is from the plane that touches it, on average over the kernel there, times R/h².
const CURVED: f64 = 0.07;

/// A body in a fluid.
struct Solid {
    body: u32,
    /// From its principal axes to its own.
    axes: [f64; 4],
    /// How far it reaches from its center (m).
    reach: f64,
    parts: Vec<(Volume, Pose<f64>)>,
}

/// What of the kernel lies below `s` (m).
#[inline(always)]
fn below<R: Real>(s: R, numbers: &Numbers<R>) -> R {
    let share = beyond_wall(s.abs() * numbers.inverse);
    R::select(s.lt(R::zero()), share, R::of(1.0) - share)
}

/// What of the kernel of a particle at `y` lies within a solid.
#[inline(always)]
pub(super) fn within<R: Width>(volume: &Volume, y: Vec3<R>, numbers: &Numbers<R>, h: f64) -> R {
    match *volume {
        Volume::HalfSpace { normal } => beyond_wall(y.dot(Vec3::of(normal)) * numbers.inverse),
        Volume::Box { half } => {
            let [a, b, c] = half.map(R::of);
            let along = |y: R, a: R| below(a - y, numbers) + below(a + y, numbers) - R::of(1.0);
            along(y.x, a) * along(y.y, b) * along(y.z, c)
        }
        Volume::Ball { half, radius } => {
            let axis = Vec3::<R>::of(half);
            let along = y.dot(axis).over_positive(axis.dot(axis));
            let distance = (y - axis * along.clamp(R::of(-1.0), R::of(1.0))).length();
            let curved = R::of(CURVED / radius) / (numbers.inverse * numbers.inverse);
            beyond_wall((distance - R::of(radius) + curved) * numbers.inverse)
        }
        Volume::Frustum { ends: [low, high], radii: [r0, r1] } => {
            let slope = (r1 - r0) / (high - low);
            let unit = 1.0 / (1.0 + slope * slope).sqrt();
            let rho = (y.x * y.x + y.z * y.z).sqrt();
            let radius = R::of(r0) + R::of(slope) * (y.y - R::of(low));
            let beside = (rho - radius) * R::of(unit);
            // The nearest circle of the side curves by unit/radius across.
            let nearest = (rho - beside * R::of(unit)).max(R::of(1e-3 * h));
            let curved = R::of(0.5 * CURVED * h * h * unit) / nearest;
            let along = below(R::of(high) - y.y, numbers) + below(y.y - R::of(low), numbers);
            (along - R::of(1.0)) * below(-(beside + curved), numbers)
        }
        Volume::Surface { ref triangles, .. } => R::collect(|lane| {
            let y = R::vector_lane(y, lane).to_array().map(|v| v.to_f64());
            R::Element::of(behind(&**triangles, Vec3::from(y), h))
        }),
    }
}

/// The most that one solid counts as: what touches a face of it; of triangles, what touches three in a corner.
#[inline(always)]
fn most<R: Real>(volume: &Volume, numbers: &Numbers<R>) -> R {
    let free = R::of(1.0) - numbers.beside_face;
    match volume {
        Volume::Surface { .. } => R::of(1.0) - free * free * free,
        _ => numbers.beside_face,
    }
}

/// What is in a fluid.
pub(super) struct Solids {
    bodies: Vec<Solid>,
    obstacles: Vec<Obstacle>,
    support: f64,
    h: f64,
}

/// A collider where a substep ends.
pub(super) struct Placed<'a, W> {
    volume: &'a Volume,
    pose: Pose<W>,
    /// The square of how far from its center kernels may have something within it (m²).
    near: W,
}

impl Solids {
    /// Those of the model that particles touch.
    pub(super) fn new(context: &BuildContext, support: f64) -> Self {
        let solid = |&body: &u32| {
            let of = &context.bodies[body as usize];
            let parts = volumes_of(of);
            let far = |(volume, pose): &(Volume, Pose<f64>)| pose.center.length() + volume.reach();
            let reach = parts.iter().map(far).fold(0.0, f64::max);
            Solid { body, axes: of.axes, reach, parts }
        };
        Self {
            bodies: context.touched.iter().map(solid).filter(|s| !s.parts.is_empty()).collect(),
            obstacles: context.obstacles.clone(),
            support,
            h: context.settings.h(),
        }
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.bodies.is_empty() && self.obstacles.is_empty()
    }

    /// The colliders at the end of the substep that begins at `time`.
    pub(super) fn place<W: Width>(&self, time: f64) -> Vec<Placed<'_, W>> {
        let place = |of| {
            let Obstacle { volume, pose, motion }: &Obstacle = of;
            let pose = pose.moved(motion, time + self.h);
            // And what rounding may make of it.
            let far = (volume.reach() + self.support) * 1.001 + 4e-6 * pose.center.length();
            Placed { volume, pose: pose.round(), near: W::of(far * far) }
        };
        self.obstacles.iter().map(place).collect()
    }

    /// What of the kernels of particles at `x` lies within solids.
    pub(super) fn share<W: Width>(
        &self,
        numbers: &Numbers<W>,
        bodies: &BodyView<W::Element>,
        colliders: &[Placed<W>],
        x: Vec3<W>,
    ) -> W {
        let one = W::of(1.0);
        let mut free = one;
        let mut add = |volume: &Volume, y: Vec3<W>| {
            let share = numbers.beside(within(volume, y, numbers, self.support));
            free = free * (one - share.min(most(volume, numbers)));
        };
        for solid in &self.bodies {
            let body = bodies.load::<W>(W::slots(|_| solid.body));
            let (from, far) = (x - body.x, W::of(solid.reach + self.support));
            if W::any(from.dot(from).lt(far * far)) {
                let own = Quat::of(solid.axes).rotate(body.q.unrotate(from));
                solid.parts.iter().for_each(|(volume, pose)| add(volume, pose.round().local(own)));
            }
        }
        for Placed { volume, pose, near } in colliders {
            let from = x - pose.center;
            if !W::all(near.lt(from.dot(from))) {
                add(volume, pose.local(x));
            }
        }
        one - free
    }
}
