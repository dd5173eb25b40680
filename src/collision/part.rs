//! Contacts as the last part of a step, for the scalar loops and for the lanes.

use super::against::{ByOne, Colliders, FlatColliders, LaneColliders};
use super::cloth::{Crossing, Face};
use super::contacts::{Contacts, Detect};
use super::find::{Finder, PACK, RESPOND};
use super::rows::{ContactRow, LaneRows, rebound_of};
use crate::coloring::Permutation;
use crate::constraints::{Contact, Pair, Particle, within};
use crate::math::{F32x8, Real, Scalar, Vec3, WIDTH};
use crate::model::Model;
use crate::rows::{Points, Store};
use crate::state::Particles;
use crate::subsystem::{Account, FlatPart, LanePart, Moment, Part, PartSource, Stage};
use crate::threads::{State, Team, Worker};

impl Part for Contacts {
    fn name(&self) -> &'static str {
        "contacts"
    }
    /// One for each particle that touches: how many contacts there are is known in the step only.
    fn len(&self) -> usize {
        self.particles.as_ref().map_or(0, Vec::len)
    }
    #[allow(private_interfaces)]
    fn lanes(&self, model: &Model, permutation: &Permutation) -> Box<dyn LanePart> {
        let all = Colliders::new(self, model.settings.h(), self.least_rebound(model));
        let members = self
            .members(model.positions().len())
            .map(|i| permutation.storage(i));
        Box::new(LaneContacts {
            common: Common::new(self, model),
            finder: None,
            make: {
                let (contacts, model_places) = (self.clone(), permutation.clone());
                let rest = model.positions().to_vec();
                Box::new(move |threads| Finder::new(&contacts, &rest, &model_places, threads))
            },
            colliders: LaneColliders::new(all, permutation.places(), members),
            pairs: LaneRows::new(),
            faces: LaneRows::new(),
            crossings: LaneRows::new(),
        })
    }
}

impl<R: Scalar + ByOne> PartSource<R> for Contacts
where
    bool: From<R::Mask>,
{
    fn flat(&self, model: &Model, permutation: &Permutation) -> Box<dyn FlatPart<R>> {
        let all = Colliders::new(self, model.settings.h(), self.least_rebound(model));
        let members = self
            .members(model.positions().len())
            .map(|i| permutation.storage(i));
        Box::new(FlatContacts::<R> {
            common: Common::new(self, model),
            finder: Finder::new(self, model.positions(), permutation, 1),
            team: Team::new(1),
            colliders: FlatColliders::new(all, members),
            pairs: Vec::new(),
            faces: Vec::new(),
            crossings: Vec::new(),
        })
    }
}

impl Contacts {
    /// Approaches slower than 2 |a| h do not rebound (m/s).
    fn least_rebound(&self, model: &Model) -> f64 {
        let g: f64 = Vec3::of(model.settings.gravity).length();
        2.0 * g * model.settings.h()
    }
}

/// What both forms know.
struct Common {
    detect: Detect,
    friction: Option<f64>,
    /// Restitution, friction and least speed, where particles rebound from each other.
    rebound: Option<[f64; 3]>,
    max_speed: Option<f64>,
    /// The first iteration of a substep finds what was found when it began.
    fresh: bool,
}

impl Common {
    fn new(contacts: &Contacts, model: &Model) -> Self {
        let e = contacts.restitution.filter(|e| *e > 0.0);
        let mu = contacts.friction.filter(|mu| *mu > 0.0);
        let least = contacts.least_rebound(model);
        Self {
            detect: contacts.detect,
            friction: mu,
            rebound: e.map(|e| [e, mu.unwrap_or(0.0), least]),
            max_speed: contacts.max_speed,
            fresh: false,
        }
    }

    fn friction<R: Real>(&self) -> Option<R> {
        self.friction.map(R::of)
    }

    /// Whether contacts are to be found now; if not, whether a substep begins.
    fn due(&mut self, moment: Moment) -> Due {
        match moment {
            Moment::Iteration if std::mem::take(&mut self.fresh) => Due::Nothing,
            Moment::Iteration => Due::Again,
            Moment::Substep if self.detect == Detect::Frame => Due::Begin,
            Moment::Frame | Moment::Substep => {
                self.fresh = true;
                Due::Find
            }
        }
    }
}

/// What a moment asks for.
#[derive(PartialEq)]
enum Due {
    Find,
    /// Within a substep.
    Again,
    /// Contacts stay, a substep begins.
    Begin,
    Nothing,
}

struct FlatContacts<R: Scalar> {
    common: Common,
    finder: Finder,
    team: Team,
    colliders: FlatColliders<R>,
    pairs: Vec<ContactRow<u32, R, 2, 1>>,
    faces: Vec<ContactRow<u32, R, 4, 1>>,
    crossings: Vec<ContactRow<u32, R, 4, 4>>,
}

impl<R: Scalar + ByOne> FlatPart<R> for FlatContacts<R>
where
    bool: From<R::Mask>,
{
    fn each_iteration(&self) -> bool {
        self.common.detect == Detect::Iteration
    }

    fn begin(&mut self, moment: Moment, particles: &Particles<R>, points: &Points<R>) {
        let due = self.common.due(moment);
        let single = |v: Vec3<R>| [v.x.to_f32(), v.y.to_f32(), v.z.to_f32()];
        if matches!(due, Due::Find | Due::Again) {
            let [px, py, pz] = particles.previous.as_slices();
            let previous = |i: u32| [px, py, pz].map(|p| p[i as usize].to_f32());
            let places = 0..particles.places() as u32;
            let now: Vec<_> = places.map(|i| single(points.load([i])[0].x)).collect();
            self.finder.find(&self.team, |i| now[i as usize], previous);
            let finder = &self.finder;
            let diameter = finder.diameter;
            flatten(
                &mut self.pairs,
                finder.pair_colors.order(),
                finder.pairs(),
                |_| [diameter],
            );
            let (faces, crossings) = (&finder.faces, &finder.crossings);
            flatten(&mut self.faces, faces.coloring.order(), &faces.rows, |i| {
                faces.params[i as usize]
            });
            flatten(
                &mut self.crossings,
                crossings.coloring.order(),
                &crossings.rows,
                |i| crossings.params[i as usize],
            );
            self.colliders.find(particles, points, due == Due::Again);
        }
        if due == Due::Begin {
            self.finder.timers.start();
            self.colliders.begin(particles, points);
        }
        if due != Due::Nothing {
            begin_rows::<Pair, R, 2, 1>(&mut self.pairs, particles, points);
            begin_rows::<Face, R, 4, 1>(&mut self.faces, particles, points);
            begin_rows::<Crossing, R, 4, 4>(&mut self.crossings, particles, points);
            self.finder.timers.lap(PACK);
        }
    }

    fn project(&mut self, points: &Points<R>) {
        let mu = self.common.friction();
        for row in &mut self.pairs {
            row.project::<Pair>(points, mu);
        }
        for row in &mut self.faces {
            row.project::<Face>(points, mu);
        }
        for row in &mut self.crossings {
            row.project::<Crossing>(points, mu);
        }
        self.colliders.project(points);
    }

    fn respond(&mut self, particles: &mut Particles<R>) {
        self.finder.timers.start();
        if let Some(rebound) = self.common.rebound {
            respond_rows::<Pair, R, 2, 1>(&self.pairs, particles, rebound);
            respond_rows::<Face, R, 4, 1>(&self.faces, particles, rebound);
            respond_rows::<Crossing, R, 4, 4>(&self.crossings, particles, rebound);
        }
        self.colliders.respond(particles);
        if let Some(most) = self.common.max_speed {
            for i in 0..particles.places() {
                let [x, y, z] = particles.velocity.read(i);
                let w = particles.inverse_mass.as_slice()[i];
                let v = limit(Vec3::new(x, y, z), w, R::of(most));
                particles.velocity.write(i, [v.x, v.y, v.z]);
            }
        }
        self.finder.timers.lap(RESPOND);
    }

    fn account(&self) -> Account {
        let mut account = self.finder.account();
        account.counts.push(("colliders", self.colliders.count()));
        account
    }
}

/// Rows in the order of their colors.
fn flatten<R: Scalar, const N: usize, const P: usize>(
    flat: &mut Vec<ContactRow<u32, R, N, P>>,
    order: &[u32],
    rows: &[[u32; N]],
    params: impl Fn(u32) -> [f32; P],
) {
    flat.clear();
    let wide = |p| R::of(f64::from(p));
    let row = |&i: &u32| ContactRow::new(rows[i as usize], params(i).map(wide));
    flat.extend(order.iter().map(row));
}

fn velocities<R: Scalar, const N: usize>(
    particles: &Particles<R>,
    slots: [u32; N],
) -> [Particle<R>; N] {
    slots.map(|i| {
        let [x, y, z] = particles.velocity.read(i as usize);
        Particle {
            x: Vec3::new(x, y, z),
            w: particles.inverse_mass.as_slice()[i as usize],
        }
    })
}

fn begin_rows<C: Contact<N, P>, R: Scalar, const N: usize, const P: usize>(
    rows: &mut [ContactRow<u32, R, N, P>],
    particles: &Particles<R>,
    points: &Points<R>,
) {
    for row in rows {
        row.begin::<C>(points.previous(row.slots), velocities(particles, row.slots));
    }
}

fn respond_rows<C: Contact<N, P>, R: Scalar, const N: usize, const P: usize>(
    rows: &[ContactRow<u32, R, N, P>],
    particles: &mut Particles<R>,
    rebound: [f64; 3],
) {
    let rebound = rebound_of(rebound);
    for row in rows {
        let mut v = velocities(particles, row.slots);
        let x = row.slots.map(|i| {
            let [x, y, z] = particles.position.read(i as usize);
            let (x, w) = (Vec3::new(x, y, z), R::zero());
            Particle { x, w }
        });
        row.respond::<C>(x, &mut v, Vec3::zero(), &rebound);
        for (i, v) in row.slots.into_iter().zip(v) {
            particles.velocity.write(i as usize, [v.x.x, v.x.y, v.x.z]);
        }
    }
}

/// A velocity no faster than `most`; what is kinematic keeps its own.
#[inline(always)]
fn limit<R: Real>(v: Vec3<R>, w: R, most: R) -> Vec3<R> {
    Vec3::select(R::zero().lt(w), within(v, most), v)
}

struct LaneContacts {
    common: Common,
    /// Made with the team's threads, when first asked.
    finder: Option<Finder>,
    make: Box<dyn Fn(usize) -> Finder + Send + Sync>,
    colliders: LaneColliders,
    pairs: LaneRows<Pair, 2, 1>,
    faces: LaneRows<Face, 4, 1>,
    crossings: LaneRows<Crossing, 4, 4>,
}

#[allow(private_interfaces)]
impl LanePart for LaneContacts {
    fn each_iteration(&self) -> bool {
        self.common.detect == Detect::Iteration
    }

    fn begin(&mut self, moment: Moment, team: &Team, stage: &Stage) {
        let due = self.common.due(moment);
        let make = &self.make;
        let finder = self.finder.get_or_insert_with(|| make(team.threads()));
        if matches!(due, Due::Find | Due::Again) {
            let single = |v: Vec3<f32>| [v.x, v.y, v.z];
            let previous = |i: u32| single(stage.places.previous([i])[0]);
            let now = |i: u32| {
                let [site]: [Particle<f32>; 1] = stage.places.load([i]);
                single(site.x)
            };
            finder.find(team, now, previous);
            let diameter = finder.diameter;
            self.pairs
                .pack(team, &finder.pair_colors, finder.pairs(), |_| [diameter]);
            let (faces, crossings) = (&finder.faces, &finder.crossings);
            let params = |i: u32| faces.params[i as usize];
            self.faces.pack(team, &faces.coloring, &faces.rows, params);
            let params = |i: u32| crossings.params[i as usize];
            self.crossings
                .pack(team, &crossings.coloring, &crossings.rows, params);
            self.colliders.find(team, stage, due == Due::Again);
        }
        if due == Due::Begin {
            finder.timers.start();
            self.colliders.begin(team, stage);
        }
        if due != Due::Nothing {
            self.pairs.begin(team, stage);
            self.faces.begin(team, stage);
            self.crossings.begin(team, stage);
            finder.timers.lap(PACK);
        }
    }

    fn project(&self, worker: &Worker, stage: &Stage) {
        let mu = self.common.friction();
        self.pairs.project(worker, &stage.places, mu);
        self.faces.project(worker, &stage.places, mu);
        self.crossings.project(worker, &stage.places, mu);
        self.colliders.project(worker, &stage.places);
    }

    fn respond(&mut self, team: &Team, stage: &Stage) {
        if let Some(finder) = &mut self.finder {
            finder.timers.start();
        }
        let this = &*self;
        team.run(|worker| {
            if let Some(rebound) = this.common.rebound {
                this.pairs.respond(worker, stage, rebound);
                this.faces.respond(worker, stage, rebound);
                this.crossings.respond(worker, stage, rebound);
            }
            this.colliders.respond(worker, stage);
            if let Some(most) = this.common.max_speed {
                let columns = &stage.particles;
                let most = F32x8::of(most);
                worker.share(columns.len() / WIDTH, |part| {
                    for i in part.map(|block| block * WIDTH) {
                        let v = columns.get8(State::Velocity, i);
                        let v = limit(v, columns.inverse_mass8(i), most);
                        columns.set8(State::Velocity, i, v);
                    }
                });
            }
        });
        if let Some(finder) = &mut self.finder {
            finder.timers.lap(RESPOND);
        }
    }

    fn account(&self) -> Account {
        let mut account = self
            .finder
            .as_ref()
            .map(Finder::account)
            .unwrap_or_default();
        account.counts.push(("blocks", self.colliders.count()));
        account
    }
}
