//! What a linkage's members sum up to, and what is taken out of a body.

use super::members::{Moments, Turn, moments_of_one};
use crate::math::{Quat, Scalar, Vec3};
use crate::state::{BodyState, BodyView, MovingBody, OneLane, Remainders};

/// Sums over members.
#[derive(Clone, Copy)]
pub(super) struct Sums {
    /// Of r and v: particles, and centers of bodies.
    pub(super) moments: Moments,
    /// The same without the bodies that corrections have not pushed.
    pub(super) moved: Moments,
    /// Spins: Σ R I Rᵀ ω, and twice their energy.
    spins: Vec3<f64>,
    twice: f64,
    /// Spins that corrections have turned, and Σ s a aᵀ along the axes a of those as xx, yy, zz, xy, xz, yz, of which R I Rᵀ is the inertia.
    pub(super) turned: Vec3<f64>,
    products: [f64; 6],
}

impl From<Moments> for Sums {
    /// Without spins.
    fn from(moments: Moments) -> Self {
        Self { moments, moved: moments, ..Self::none() }
    }
}

impl Sums {
    pub(super) fn none() -> Self {
        let (spins, turned) = (Vec3::zero(), Vec3::zero());
        let (moments, moved) = (Moments::none(), Moments::none());
        Self { moments, moved, spins, twice: 0.0, turned, products: [0.0; 6] }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            moments: self.moments.plus(other.moments),
            moved: self.moved.plus(other.moved),
            spins: self.spins + other.spins,
            twice: self.twice + other.twice,
            turned: self.turned + other.turned,
            products: std::array::from_fn(|k| self.products[k] + other.products[k]),
        }
    }

    /// Of the inertia of all that can turn, about the center of what was moved.
    pub(super) fn products(&self) -> [f64; 6] {
        let centers = self.moved.products();
        std::array::from_fn(|k| centers[k] + self.products[k])
    }

    /// L about the center.
    pub(super) fn momentum(&self) -> Vec3<f64> {
        self.moments.about_center() + self.spins
    }

    /// Twice the energy of the motion about the center.
    pub(super) fn twice_energy(&self) -> f64 {
        self.moments.twice_energy() + self.twice
    }
}

/// Whether corrections have pushed and turned a body in this substep: on others no row has a force or a torque.
pub(super) fn has_been_moved<E: OneLane>(body: u32, bodies: &BodyView<E>) -> [bool; 2] {
    let MovingBody { push, turn, .. } = bodies.load::<E>(body);
    [push, turn].map(|sum| sum.to_f64() != Vec3::zero())
}

/// Those of a body that has been pushed or turned, with its place from `origin` (m).
pub(super) fn sums_of_body<E: Scalar>(
    origin: Vec3<f64>,
    body: BodyState<E>,
    rests: Remainders<E>,
    [is_pushed, is_turned]: [bool; 2],
) -> Sums {
    let exact = [(body.x, rests.x), (body.v, rests.v), (body.omega, rests.omega)];
    let [x, v, omega] = exact.map(|(rounded, rest)| rounded.to_f64() + rest.to_f64());
    let (r, w, inertia) = (x - origin, body.w.to_f64(), body.inertia.to_f64());
    let m = if w > 0.0 { 1.0 / w } else { 0.0 };
    let q = Quat::from(body.q.to_array().map(E::to_f64)).normalized();
    let spin = q.unrotate(omega);
    let spun = Vec3::new(inertia.x * spin.x, inertia.y * spin.y, inertia.z * spin.z);
    let (spins, twice) = (q.rotate(spun), spin.dot(spun));
    let held = if w > 0.0 { 0.0 } else { 1.0 };
    let moments = Moments(moments_of_one(m, [r, v], held));
    let moved = if is_pushed { moments } else { Moments::none() };
    if !is_turned {
        return Sums { moments, moved, spins, twice, ..Sums::none() };
    }
    let half = 0.5 * (inertia.x + inertia.y + inertia.z);
    let mut products = [0.0; 6];
    for (k, moment) in inertia.to_array().into_iter().enumerate() {
        let a = q.rotate(Vec3::axis(k));
        let own = [a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z];
        products = std::array::from_fn(|k| products[k] + (half - moment) * own[k]);
    }
    Sums { moments, moved, spins, twice, turned: spins, products }
}

/// Takes a turn (rad/s) out of a body's velocity where rows have pushed it, and out of its spin where they have turned it.
pub(super) fn turn_body<E: OneLane>(i: usize, turn: &Turn, bodies: &BodyView<E>) {
    let (BodyState { x, v, omega, .. }, rests) = (bodies.read::<E>(i), bodies.remainders::<E>(i));
    let [is_pushed, is_turned] = has_been_moved(i as u32, bodies);
    let orbit = if is_pushed { turn.at(x.to_f64()) } else { Vec3::zero() };
    let spin = if is_turned { turn.theta } else { Vec3::zero() };
    let exact = [(v, rests.v, orbit), (omega, rests.omega, spin)]
        .map(|(rounded, rest, less)| rounded.to_f64() + rest.to_f64() - less);
    let velocities = exact.map(Vec3::rounded::<E>);
    let rests = [0, 1].map(|k| (exact[k] - velocities[k].to_f64()).rounded::<E>());
    bodies.write_carried_velocities(i, velocities, rests);
}
