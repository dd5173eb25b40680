//! Particles against colliders: no coloring, as each contact moves one particle only; as many consecutive particles at a time
//! as the width has lanes.

use super::Contacts;
use super::collider::{Collider, Solid, contact};
use super::contact_rows::ContactRow;
use super::motion::Pose;
use crate::constraints::{Particle, Plane, Touch};
use crate::math::{Real, Scalar, Vec3};
use crate::state::{Column3, Width};
use crate::subsystem::{BuildContext, StepContext};
use crate::threads::{Cells, Phased, Worker};

/// Rows of the kind `plane`, made anew: a point, a normal (zero: no contact), and where the surface touched came from.
type PlaneRow<W> = ContactRow<W, 1, 6>;

/// A collider in one substep.
struct PlacedCollider<'a, W> {
    solid: &'a Solid,
    exact: [Pose<f64>; 2],
    poses: [Pose<W>; 2],
}

/// Contacts with colliders: a row for every collider and block of particles.
pub(super) struct ColliderContacts<W: Width> {
    colliders: Vec<Collider>,
    /// Friction and restitution of each against the particles.
    materials: Vec<[f64; 2]>,
    radius: f64,
    margin: f64,
    h: f64,
    /// Slower approaches do not rebound (m/s).
    least: f64,
    /// The first slot of each block in which a particle may touch, and one in the lane of each that may.
    blocks: Vec<(usize, W)>,
    rows: Cells<PlaneRow<W>>,
    touching: Cells<bool>,
    /// Blocks in which something touches.
    active: Phased<Vec<u32>>,
}

impl<W: Width> ColliderContacts<W> {
    pub(super) fn new(contacts: &Contacts, context: &BuildContext, least: f64) -> Self {
        let against = |c: &Collider| c.against(contacts.friction, contacts.restitution);
        let mut member = vec![false; context.permutation.places()];
        for slot in contacts.slots(context) {
            member[slot as usize] = true;
        }
        let lanes = |(k, member): (usize, &[bool])| {
            let lane = |lane: usize| W::Element::of(if member[lane] { 1.0 } else { 0.0 });
            member
                .contains(&true)
                .then(|| (k * W::LANES, W::collect(lane)))
        };
        let blocks = member.chunks_exact(W::LANES).enumerate();
        let blocks: Vec<_> = blocks.filter_map(lanes).collect();
        let rows = contacts.colliders.len() * blocks.len();
        Self {
            materials: contacts.colliders.iter().map(against).collect(),
            colliders: contacts.colliders.clone(),
            radius: contacts.radius,
            margin: contacts.margin(),
            h: context.settings.h(),
            least,
            blocks,
            rows: Cells::new(rows, PlaneRow::new([W::zero(); 6])),
            touching: Cells::new(rows, false),
            active: Phased::default(),
        }
    }

    /// Where a collider's row of a block is.
    fn at(&self, collider: usize, block: usize) -> usize {
        block * self.colliders.len() + collider
    }

    /// Where all colliders are in the substep that begins at `time`.
    fn place(&self, time: f64) -> Vec<PlacedCollider<'_, W>> {
        let place = |collider| {
            let collider: &Collider = collider;
            let exact = [time, time + self.h].map(|time| collider.pose(time));
            PlacedCollider {
                solid: collider.solid(),
                exact,
                poses: exact.map(|pose| pose.round()),
            }
        };
        self.colliders.iter().map(place).collect()
    }

    /// Finds all contacts. `again`: within a substep, where what a contact has done so far stays.
    pub(super) fn find(&self, worker: &Worker, step: &StepContext<W::Element>, again: bool) {
        if self.colliders.is_empty() {
            return;
        }
        let placed = self.place(step.time);
        worker.share(self.blocks.len(), |range| {
            for block in range {
                let (i, member) = self.blocks[block];
                let previous = step.particles.read(Column3::Previous, i);
                let x = step.positions.read(i);
                let v = step.particles.read(Column3::Velocity, i);
                for (collider, placed) in placed.iter().enumerate() {
                    let at = self.at(collider, block);
                    let mut row = match again && self.touching.get(at) {
                        true => self.rows.get(at),
                        false => PlaneRow::new([W::zero(); 6]),
                    };
                    let touches = self.renew(placed, &mut row, [previous, x, v], member);
                    self.touching.set(at, touches);
                    if touches {
                        self.rows.set(at, row);
                    }
                }
            }
        });
        worker.alone(|| {
            let touches = |&block: &u32| {
                let mut colliders = 0..self.colliders.len();
                colliders.any(|c| self.touching.get(self.at(c, block as usize)))
            };
            let active = &mut *self.active.write();
            active.clear();
            active.extend((0..self.blocks.len() as u32).filter(touches));
        });
    }

    /// Renews contacts with a collider: particles went from `previous` to `x` with velocities `v`; those whose `member` is zero
    /// are not asked. Says whether any touches.
    #[inline(always)]
    fn renew(
        &self,
        placed: &PlacedCollider<W>,
        row: &mut PlaneRow<W>,
        [previous, x, v]: [Vec3<W>; 3],
        member: W,
    ) -> bool {
        let [point, normal, drift] = match placed.solid {
            Solid::Shape(shape) => {
                let sizes = [W::of(self.radius), W::of(self.margin)];
                contact(shape, &placed.poses, [previous, x], sizes)
            }
            Solid::Mesh(mesh) => self.touch_mesh(mesh, &placed.exact, [previous, x], member),
        };
        let zero = W::zero();
        let normal = Vec3::select(zero.lt(member), normal, Vec3::zero());
        row.params = [point.x, point.y, point.z, normal.x, normal.y, normal.z];
        row.start = previous + drift;
        row.approach = normal.dot(v - drift * W::of(1.0 / self.h));
        let touches = zero.lt(normal.dot(normal));
        // What parts in one lane while others touch begins anew when it touches again.
        let Touch { lambda, rub } = row.touch;
        row.touch = Touch {
            lambda: W::select(touches, lambda, zero),
            rub: Vec3::select(touches, rub, Vec3::zero()),
        };
        W::any(touches)
    }

    /// As [`contact`], of a mesh and one particle after another.
    fn touch_mesh(
        &self,
        mesh: &super::mesh::ColliderMesh,
        [from, to]: &[Pose<f64>; 2],
        [previous, x]: [Vec3<W>; 2],
        member: W,
    ) -> [Vec3<W>; 3] {
        let mut out = [[[0.0; 3]; 3]; crate::math::WIDTH];
        for (lane, out) in out.iter_mut().enumerate().take(W::LANES) {
            if member.lane(lane).to_f64() > 0.0 {
                let one = |p: Vec3<W>| Vec3::from(p.to_array().map(|v| v.lane(lane).to_f64()));
                let (y0, y1) = (from.local(one(previous)), to.local(one(x)));
                let (point, normal) = mesh.contact(y0, y1, self.radius, self.margin);
                let p = to.world(point);
                *out = [p, to.turn(normal), p - from.world(point)].map(Vec3::to_array);
            }
        }
        let wide = |k: usize, axis: usize| W::collect(|lane| W::Element::of(out[lane][k][axis]));
        [0, 1, 2].map(|k| Vec3::new(wide(k, 0), wide(k, 1), wide(k, 2)))
    }

    /// A substep begins in which contacts stay.
    pub(super) fn begin(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.each(worker, |_, i, row| {
            let previous = step.particles.read(Column3::Previous, i);
            let x = step.particles.read(Column3::Velocity, i);
            let w = W::zero();
            row.begin::<Plane>([previous], [Particle { x, w }]);
        });
    }

    /// One iteration.
    pub(super) fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.each(worker, |collider, i, row| {
            let [mu, _] = self.materials[collider];
            let mu = (mu > 0.0).then(|| W::of(mu));
            let w = step.particles.inverse_mass(i);
            let x = step.positions.read(i);
            let mut sites = [Particle { x, w }];
            // A plane's share is always one, so nobody asks for the previous position.
            row.project::<Plane>(&mut sites, mu, || [Vec3::zero()]);
            step.positions.write(i, sites[0].x, w);
        });
    }

    /// The velocity pass; positions are in the columns.
    pub(super) fn respond(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.each(worker, |collider, i, row| {
            let [mu, e] = self.materials[collider];
            let read = |column| step.particles.read(column, i);
            let surface = (row.start - read(Column3::Previous)) * W::of(1.0 / self.h);
            let x = read(Column3::Velocity);
            let w = step.particles.inverse_mass(i);
            let mut v = [Particle { x, w }];
            let rebound = [e, mu, self.least];
            row.respond::<Plane>([read(Column3::Position)], &mut v, surface, rebound);
            step.particles.write(Column3::Velocity, i, v[0].x);
        });
    }

    /// Does `act` with the collider, the first slot and the row of all contacts, those of a block one after another.
    #[inline(always)]
    fn each(&self, worker: &Worker, act: impl Fn(usize, usize, &mut PlaneRow<W>)) {
        let active = self.active.read();
        worker.share(active.len(), |range| {
            for &block in &active[range] {
                let (i, _) = self.blocks[block as usize];
                for collider in 0..self.colliders.len() {
                    let at = self.at(collider, block as usize);
                    if self.touching.get(at) {
                        let mut row = self.rows.get(at);
                        act(collider, i, &mut row);
                        self.rows.set(at, row);
                    }
                }
            }
        });
    }

    /// Blocks of particles with contacts.
    pub(super) fn count(&self) -> usize {
        self.active.read().len()
    }
}
