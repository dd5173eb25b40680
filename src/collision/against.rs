//! Particles against colliders: no coloring, as each contact moves one particle only; eight consecutive particles at a time.

use super::collider::{Collider, Solid, contact};
use super::motion::Pose;
use super::rows::{ContactRow, rebound_of};
use crate::constraints::{Particle, Plane};
use crate::math::{F32x8, Real, Scalar, Vec3, WIDTH, each_lane, lane_bits, pack, unpack};
use crate::rows::{Places, Points, Store};
use crate::state::Particles;
use crate::subsystem::Stage;
use crate::threads::{Cells, Run, State, Team, Worker};

/// Numbers that can be taken apart, for queries that go one by one.
pub(super) trait ByOne: Real {
    /// Numbers side by side.
    const COUNT: usize;
    /// One of them.
    fn one(self, lane: usize) -> f64;
    /// From each of them, rounded.
    fn each(make: impl Fn(usize) -> f64) -> Self;
}

macro_rules! by_one {
    ($number:ty) => {
        impl ByOne for $number {
            const COUNT: usize = 1;
            fn one(self, _: usize) -> f64 {
                self.into()
            }
            fn each(make: impl Fn(usize) -> f64) -> Self {
                make(0) as $number
            }
        }
    };
}
by_one!(f32);
by_one!(f64);

impl ByOne for F32x8 {
    const COUNT: usize = WIDTH;
    fn one(self, lane: usize) -> f64 {
        unpack(self)[lane].into()
    }
    fn each(make: impl Fn(usize) -> f64) -> Self {
        pack(each_lane(|lane| make(lane) as f32))
    }
}

/// A row of the kind `plane`, made anew: a point, a normal (zero: no contact), and where the surface touched came from.
type PlaneRow<I, R> = ContactRow<I, R, 1, 6>;

/// What all forms know of the colliders.
pub(super) struct Colliders {
    list: Vec<Collider>,
    /// Friction and restitution of each against the particles.
    materials: Vec<[f64; 2]>,
    radius: f64,
    margin: f64,
    h: f64,
    /// Slower approaches do not rebound (m/s).
    least: f64,
}

/// A collider in one substep.
struct Placed<'a, R> {
    solid: &'a Solid,
    exact: [Pose<f64>; 2],
    poses: [Pose<R>; 2],
}

impl Colliders {
    pub(super) fn new(contacts: &super::Contacts, h: f64, least: f64) -> Self {
        let against = |c: &Collider| c.against(contacts.friction, contacts.restitution);
        Self {
            materials: contacts.colliders.iter().map(against).collect(),
            list: contacts.colliders.clone(),
            radius: contacts.radius,
            margin: contacts.margin(),
            h,
            least,
        }
    }

    fn friction<R: Real>(&self, collider: usize) -> Option<R> {
        let [mu, _] = self.materials[collider];
        (mu > 0.0).then(|| R::of(mu))
    }

    /// Where all are in the substep that begins at `time`.
    fn place<R: Real>(&self, time: f64) -> Vec<Placed<'_, R>> {
        let place = |collider| {
            let collider: &Collider = collider;
            let exact = [time, time + self.h].map(|time| collider.pose(time));
            Placed {
                solid: collider.solid(),
                exact,
                poses: exact.map(|pose| pose.round()),
            }
        };
        self.list.iter().map(place).collect()
    }

    /// Renews a contact with a collider: particles went from `previous` to `x` with velocities `v`; those of `member` zero
    /// are not asked. Says whether any touches.
    #[inline(always)]
    fn renew<I: Copy, R: ByOne>(
        &self,
        placed: &Placed<R>,
        row: &mut PlaneRow<I, R>,
        [previous, x, v]: [Vec3<R>; 3],
        member: R,
    ) -> R::Mask {
        let [point, normal, drift] = match placed.solid {
            Solid::Shape(shape) => {
                let sizes = [R::of(self.radius), R::of(self.margin)];
                contact(shape, &placed.poses, [previous, x], sizes)
            }
            Solid::Mesh(mesh) => {
                let mut out = [[[0.0; 3]; 3]; WIDTH];
                for (lane, out) in out.iter_mut().enumerate().take(R::COUNT) {
                    if member.one(lane) > 0.0 {
                        let [from, to] = &placed.exact;
                        let one =
                            |p: Vec3<R>| Vec3::new(p.x.one(lane), p.y.one(lane), p.z.one(lane));
                        let (y0, y1) = (from.local(one(previous)), to.local(one(x)));
                        let (point, normal) = mesh.contact(y0, y1, self.radius, self.margin);
                        let p = to.world(point);
                        *out = [p, to.turn(normal), p - from.world(point)].map(|v| [v.x, v.y, v.z]);
                    }
                }
                [0, 1, 2].map(|k| {
                    Vec3::new(
                        R::each(|lane| out[lane][k][0]),
                        R::each(|lane| out[lane][k][1]),
                        R::each(|lane| out[lane][k][2]),
                    )
                })
            }
        };
        let zero = R::zero();
        let normal = Vec3::select(zero.lt(member), normal, Vec3::zero());
        row.params = [point.x, point.y, point.z, normal.x, normal.y, normal.z];
        row.start = previous + drift;
        row.approach = normal.dot(v - drift * R::of(1.0 / self.h));
        zero.lt(normal.dot(normal))
    }

    /// A contact in the velocity pass.
    #[inline(always)]
    fn respond<I: Copy, R: Real>(
        &self,
        collider: usize,
        row: &PlaneRow<I, R>,
        previous: Vec3<R>,
        x: Particle<R>,
        v: &mut Particle<R>,
    ) {
        let [mu, e] = self.materials[collider];
        let surface = (row.start - previous) * R::of(1.0 / self.h);
        let mut all = [*v];
        row.respond::<Plane>([x], &mut all, surface, &rebound_of([e, mu, self.least]));
        [*v] = all;
    }
}

/// Contacts with colliders, for the lanes: one row of eight for every collider and block of eight particles.
pub(super) struct LaneColliders {
    all: Colliders,
    rows: Cells<PlaneRow<Run, F32x8>>,
    touching: Cells<bool>,
    /// One for each particle that may touch.
    member: Vec<F32x8>,
    /// Blocks in which something touches.
    active: Vec<u32>,
}

impl LaneColliders {
    pub(super) fn new(all: Colliders, places: usize, members: impl Iterator<Item = u32>) -> Self {
        let blocks = places / WIDTH;
        let mut member = vec![[0.0; WIDTH]; blocks];
        for place in members {
            member[place as usize / WIDTH][place as usize % WIDTH] = 1.0;
        }
        let empty = PlaneRow::new([Run { first: 0 }], [F32x8::zero(); 6]);
        Self {
            rows: Cells::new(all.list.len() * blocks, empty),
            touching: Cells::new(all.list.len() * blocks, false),
            member: member.into_iter().map(pack).collect(),
            active: Vec::new(),
            all,
        }
    }

    fn at(&self, collider: usize, block: usize) -> usize {
        collider * self.member.len() + block
    }

    /// Finds all contacts. `again`: within a substep, where what a contact has done so far stays.
    pub(super) fn find(&mut self, team: &Team, stage: &Stage, again: bool) {
        let placed = self.all.place::<F32x8>(stage.time);
        let this = &*self;
        team.run(|worker| {
            worker.share(this.member.len(), |part| {
                for block in part {
                    let i = block * WIDTH;
                    let run = Run { first: i as u32 };
                    let previous = stage.particles.get8(State::Previous, i);
                    let [site] = stage.places.load([run]);
                    let v = stage.particles.get8(State::Velocity, i);
                    for (collider, placed) in placed.iter().enumerate() {
                        let at = this.at(collider, block);
                        let mut row = match again && this.touching.get(at) {
                            true => this.rows.get(at),
                            false => PlaneRow::new([run], [F32x8::zero(); 6]),
                        };
                        let state = [previous, site.x, v];
                        let touches = this.all.renew(placed, &mut row, state, this.member[block]);
                        let any = lane_bits(touches) != 0;
                        this.touching.set(at, any);
                        if any {
                            this.rows.set(at, row);
                        }
                    }
                }
            });
        });
        self.active.clear();
        let colliders = 0..self.all.list.len();
        for block in 0..self.member.len() {
            if colliders
                .clone()
                .any(|c| self.touching.get(self.at(c, block)))
            {
                self.active.push(block as u32);
            }
        }
    }

    /// A substep begins in which contacts stay.
    pub(super) fn begin(&self, team: &Team, stage: &Stage) {
        team.run(|worker| {
            self.each(worker, |_, block, mut row| {
                let previous = stage.particles.get8(State::Previous, block * WIDTH);
                let x = stage.particles.get8(State::Velocity, block * WIDTH);
                let w = F32x8::zero();
                row.begin::<Plane>([previous], [Particle { x, w }]);
                row
            });
        });
    }

    /// One iteration.
    pub(super) fn project(&self, worker: &Worker, places: &Places) {
        self.each(worker, |collider, _, mut row| {
            row.project::<Plane>(places, self.all.friction(collider));
            row
        });
    }

    /// The velocity pass; positions are in the columns.
    pub(super) fn respond(&self, worker: &Worker, stage: &Stage) {
        let columns = &stage.particles;
        self.each(worker, |collider, block, row| {
            let i = block * WIDTH;
            let of = |state| Particle {
                x: columns.get8(state, i),
                w: columns.inverse_mass8(i),
            };
            let mut v = of(State::Velocity);
            let previous = columns.get8(State::Previous, i);
            self.all
                .respond(collider, &row, previous, of(State::Position), &mut v);
            columns.set8(State::Velocity, i, v.x);
            row
        });
    }

    /// Replaces the rows of all contacts, those of a block one after another.
    fn each(
        &self,
        worker: &Worker,
        act: impl Fn(usize, usize, PlaneRow<Run, F32x8>) -> PlaneRow<Run, F32x8>,
    ) {
        worker.share(self.active.len(), |part| {
            for &block in &self.active[part] {
                for collider in 0..self.all.list.len() {
                    let at = self.at(collider, block as usize);
                    if self.touching.get(at) {
                        self.rows
                            .set(at, act(collider, block as usize, self.rows.get(at)));
                    }
                }
            }
        });
    }

    /// Blocks of eight with contacts.
    pub(super) fn count(&self) -> usize {
        self.active.len()
    }
}

/// Contacts with colliders, for the scalar loops.
pub(super) struct FlatColliders<R> {
    all: Colliders,
    members: Vec<u32>,
    rows: Vec<PlaneRow<u32, R>>,
    /// Collider and row of each contact.
    active: Vec<[u32; 2]>,
    touching: Vec<bool>,
}

impl<R: Scalar + ByOne> FlatColliders<R>
where
    bool: From<R::Mask>,
{
    pub(super) fn new(all: Colliders, members: impl Iterator<Item = u32>) -> Self {
        let members: Vec<u32> = members.collect();
        let count = members.len() * all.list.len();
        Self {
            all,
            members,
            rows: vec![PlaneRow::new([0], [R::zero(); 6]); count],
            active: Vec::new(),
            touching: vec![false; count],
        }
    }

    /// As [`LaneColliders::find`].
    pub(super) fn find(&mut self, particles: &Particles<R>, points: &Points<R>, again: bool) {
        let placed = self.all.place::<R>(particles.time);
        self.active.clear();
        for (k, &i) in self.members.iter().enumerate() {
            let [previous] = points.previous([i]);
            let [site] = points.load([i]);
            let v = velocity(particles, i);
            for (collider, placed) in placed.iter().enumerate() {
                let at = collider * self.members.len() + k;
                let row = &mut self.rows[at];
                if !(again && self.touching[at]) {
                    *row = PlaneRow::new([i], [R::zero(); 6]);
                }
                let state = [previous, site.x, v];
                let touches = self.all.renew(placed, row, state, R::of(1.0));
                self.touching[at] = touches.into();
                if self.touching[at] {
                    self.active.push([collider as u32, at as u32]);
                }
            }
        }
    }

    /// As [`LaneColliders::begin`].
    pub(super) fn begin(&mut self, particles: &Particles<R>, points: &Points<R>) {
        for &[_, at] in &self.active {
            let row = &mut self.rows[at as usize];
            let x = velocity(particles, row.slots[0]);
            let w = R::zero();
            row.begin::<Plane>(points.previous(row.slots), [Particle { x, w }]);
        }
    }

    /// One iteration.
    pub(super) fn project(&mut self, points: &Points<R>) {
        for &[collider, at] in &self.active {
            let mu = self.all.friction(collider as usize);
            self.rows[at as usize].project::<Plane>(points, mu);
        }
    }

    /// The velocity pass.
    pub(super) fn respond(&self, particles: &mut Particles<R>) {
        for &[collider, at] in &self.active {
            let row = &self.rows[at as usize];
            let i = row.slots[0] as usize;
            let vector = |[x, y, z]: [R; 3]| Vec3::new(x, y, z);
            let w = particles.inverse_mass.as_slice()[i];
            let [x, previous] =
                [&particles.position, &particles.previous].map(|c| vector(c.read(i)));
            let mut v = Particle {
                x: velocity(particles, i as u32),
                w,
            };
            let x = Particle { x, w };
            self.all
                .respond(collider as usize, row, previous, x, &mut v);
            particles.velocity.write(i, [v.x.x, v.x.y, v.x.z]);
        }
    }

    /// Contacts.
    pub(super) fn count(&self) -> usize {
        self.active.len()
    }
}

fn velocity<R: Scalar>(particles: &Particles<R>, i: u32) -> Vec3<R> {
    let [x, y, z] = particles.velocity.read(i as usize);
    Vec3::new(x, y, z)
}
