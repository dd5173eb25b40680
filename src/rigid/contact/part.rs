//! Contacts of bodies as a part of a step, for the scalar loops and for the lanes.

use super::classes::{AllRows, each_class, walk};
use super::colors::CLASSES;
use super::common::Common;
use super::find::{Finder, PACK, RESPOND};
use super::geometry::Geometry;
use super::grains::Grains;
use super::memory::{Memory, Still};
use super::packets::{FlatGrains, LaneGrains};
use super::rows::Side;
use super::sleep::Sleep;
use super::thing::{Standing, Thing};
use super::touch::Pace;
use crate::collision::{Contacts, Detect};
use crate::coloring::Numbering;
use crate::math::{F32x8, Quat, Real, Scalar, Vec3, each_lane, pack};
use crate::model::Model;
use crate::rows::Points;
use crate::state::Particles;
use crate::subsystem::{Account, FlatPart, LanePart, Moment, Part, PartSource, Stage};
use crate::threads::{State, Team, Worker};

/// How fast what overlaps is parted where nothing is said (m/s).
const MOST_SPEED: f64 = 3.0;
fn moves(velocities: [[f64; 3]; 2]) -> bool {
    velocities.as_flattened().iter().any(|v| *v != 0.0)
}

/// What the bodies of a model may touch: each other and the colliders.
#[derive(Clone, Debug)]
pub struct BodyContacts(Contacts);

impl BodyContacts {
    pub(crate) fn new(contacts: &Contacts) -> Self {
        Self(Contacts {
            cloths: Vec::new(),
            ..contacts.clone()
        })
    }

    /// The particles that may touch bodies, where there are any.
    fn grains(&self, model: &Model, numbering: &Numbering) -> Option<Grains> {
        let any = self.0.members(model.positions().len()).next().is_some();
        let ahead = self.ahead(model);
        any.then(|| Grains::new(&self.0, model, numbering, ahead))
    }

    /// The time until things are found again (s).
    fn ahead(&self, model: &Model) -> f64 {
        match self.0.detect {
            Detect::Frame => model.settings.dt,
            Detect::Substep | Detect::Iteration => model.settings.h(),
        }
    }

    fn common(&self, model: &Model) -> Common {
        let mut things: Vec<Thing> = Vec::new();
        for body in model.bodies() {
            things.push(Thing {
                geometry: Geometry::of_body(body),
                friction: body.friction,
                restitution: body.restitution,
                still: body.fixed,
                stirs: body.fixed && moves([body.velocity, body.angular_velocity]),
            });
        }
        for collider in &self.0.colliders {
            let [friction, restitution] = collider.material();
            things.push(Thing {
                geometry: Geometry::of_collider(collider),
                friction,
                restitution,
                still: true,
                stirs: moves([
                    collider.motion().velocity,
                    collider.motion().angular_velocity,
                ]),
            });
        }
        let mut apart: Vec<[u32; 2]> = model.parts().flat_map(|part| part.joined()).collect();
        apart.iter_mut().for_each(|pair| pair.sort_unstable());
        apart.sort_unstable();
        let settings = &model.settings;
        let ahead = self.ahead(model);
        let g: f64 = Vec3::of(settings.gravity).length();
        Common {
            detect: self.0.detect,
            stills: vec![Still::nowhere(); things.len()],
            colliders: self.0.colliders.clone(),
            rebounds: things.iter().any(|thing| thing.restitution > Some(0.0)),
            sleep: (self.0.sleep).map(|after| Sleep::new(after, model.bodies(), apart.clone())),
            substeps: [settings.substeps, 0],
            finder: Finder::new(things, apart, &self.0, ahead),
            h: settings.h(),
            most: self.0.max_speed.unwrap_or(MOST_SPEED),
            most_grains: self.0.max_speed.map_or(1e9, |v| v * settings.h()),
            least: 2.0 * g * settings.h(),
            back: false,
        }
    }
}

struct Flat<R: Scalar + Side> {
    common: Common,
    grains: Option<(Grains, FlatGrains<R>)>,
    team: Team,
    memory: Memory<R>,
    rows: AllRows<R>,
}

impl<R: Scalar + Side<Slot = u32>> Flat<R> {
    fn sweep(&self, pace: &Pace<R>) {
        each_class!(&self.rows, pace.back, |rows| {
            rows.sweep(0..rows.len(), &self.memory, pace)
        });
    }
}

impl<R: Scalar + Side<Slot = u32>> FlatPart<R> for Flat<R>
where
    bool: From<R::Mask>,
{
    fn begin(&mut self, moment: Moment, particles: &Particles<R>, points: &Points<R>) {
        self.memory.take(particles);
        let memory = &self.memory;
        self.common.place(particles.time, |i| {
            let Standing { x, q, .. } = memory.standing(i);
            let end = points.bodies().load(i as u32);
            let single = |v: R| v.to_f32();
            let (to, turn) = (end.x.to_array().map(single), end.q.to_array().map(single));
            Still {
                from: (x, q),
                to: (Vec3::from(to), Quat::from(turn)),
            }
        });
        if self.common.is_due(moment) {
            let standings = self.common.standings(memory);
            let finder = &mut self.common.finder;
            let anew = self.rows.renew(finder, &self.team, standings);
            each_class!(&self.rows, |rows| for i in 0..rows.len() {
                match anew {
                    true => rows.fill(i, finder),
                    false => rows.aim(i, finder),
                }
            });
            finder.timers.lap(PACK);
            if let Some((grains, rows)) = &mut self.grains {
                let places = particles.places();
                let single = |v: [R; 3]| v.map(R::to_f32);
                let all: Vec<_> = (0..places)
                    .map(|i| {
                        let x = single(particles.previous.read(i));
                        [x, single(particles.velocity.read(i))]
                    })
                    .collect();
                let eight = |i: usize| {
                    [0, 1].map(|n| {
                        let axis = |k: usize| pack(each_lane(|lane| all[i + lane][n][k]));
                        Vec3::new(axis(0), axis(1), axis(2))
                    })
                };
                grains.find(&self.team, &finder.standings, eight);
                rows.pack(grains);
            }
        }
        if let Some((grains, rows)) = &mut self.grains {
            let at = (particles, points);
            rows.begin(grains, at, memory, self.common.most_grains);
        }
        self.common.finder.timers.start();
        self.common.back = !self.common.back;
        let h = R::of(self.common.h);
        memory.gather(points, h);
        let scene = self.common.scene(memory);
        each_class!(&self.rows, |rows| rows.begin(0..rows.len(), &scene, h));
        memory.correct(points, h);
        self.common.finder.timers.lap(PACK);
    }

    fn project(&mut self, points: &Points<R>) {
        let h = R::of(self.common.h);
        self.memory.gather(points, h);
        self.sweep(&self.common.pace());
        self.memory.correct(points, h);
        if let Some((grains, rows)) = &mut self.grains {
            rows.project(grains, points);
        }
    }

    fn respond(&mut self, particles: &mut Particles<R>) {
        self.common.finder.timers.start();
        self.memory.land(particles);
        self.sweep(&self.common.velocity_pace());
        if let Some((grains, rows)) = &self.grains {
            rows.rebound(grains, particles, &self.memory, self.common.least);
        }
        self.memory.give(particles);
        let grains = self.grains.as_ref().map(|(grains, _)| grains);
        for (i, resistance) in self.common.rest(grains, |i| self.memory.motion(i)) {
            particles.bodies.hold(i, resistance);
        }
        self.common.finder.timers.lap(RESPOND);
    }

    fn account(&self) -> Account {
        let grains = self.grains.as_ref().map_or(0, |(grains, _)| grains.count());
        self.common.finder.account(grains)
    }
}

struct Lanes {
    common: Common,
    grains: Option<(Grains, LaneGrains)>,
    memory: Memory<f32>,
    rows: AllRows<F32x8>,
}

impl Lanes {
    fn sweep(&self, worker: &Worker, pace: &Pace<F32x8>) {
        each_class!(&self.rows, pace.back, |rows| {
            walk(worker, &rows.colors, pace.back, |some| {
                rows.sweep(some, &self.memory, pace);
            })
        });
    }
}

#[allow(private_interfaces)]
impl LanePart for Lanes {
    fn begin(&mut self, moment: Moment, team: &Team, stage: &Stage) {
        let memory = &self.memory;
        team.run(|worker| memory.take8(worker, &stage.bodies));
        self.common.place(stage.time, |i| {
            let Standing { x, q, .. } = memory.standing(i);
            let end = stage.bodies.flying.one(i);
            Still {
                from: (x, q),
                to: (end.x, end.q),
            }
        });
        if self.common.is_due(moment) {
            let standings = self.common.standings(memory);
            let finder = &mut self.common.finder;
            let anew = self.rows.renew(finder, team, standings);
            let (rows, now) = (&self.rows, &*finder);
            team.run(|worker| {
                each_class!(rows, |rows| worker.share(rows.len(), |part| match anew {
                    true => part.for_each(|i| rows.fill(i, now)),
                    false => part.for_each(|i| rows.aim(i, now)),
                }));
            });
            finder.timers.lap(PACK);
            if let Some((grains, rows)) = &mut self.grains {
                let columns = &stage.particles;
                let eight = |i: usize| {
                    [State::Previous, State::Velocity].map(|state| columns.get8(state, i))
                };
                grains.find(team, &finder.standings, eight);
                rows.pack(grains);
            }
        }
        self.common.finder.timers.start();
        self.common.back = !self.common.back;
        let h = F32x8::of(self.common.h);
        let (memory, all, common) = (&self.memory, &self.rows, &self.common);
        let scene = common.scene(memory);
        team.run(|worker| {
            memory.gather8(worker, &stage.bodies, h);
            each_class!(all, |rows| {
                walk(worker, &rows.colors, false, |some| {
                    rows.begin(some, &scene, h);
                })
            });
            memory.correct8(worker, &stage.bodies, h);
            if let Some((grains, rows)) = &self.grains {
                worker.share(grains.len(), |part| {
                    part.for_each(|i| rows.begin(i, grains, stage, memory, common.most_grains));
                });
            }
        });
        self.common.finder.timers.lap(PACK);
    }

    fn project(&self, worker: &Worker, stage: &Stage) {
        let h = F32x8::of(self.common.h);
        self.memory.gather8(worker, &stage.bodies, h);
        self.sweep(worker, &self.common.pace());
        self.memory.correct8(worker, &stage.bodies, h);
        if let Some((grains, rows)) = &self.grains {
            walk(worker, &grains.colors, false, |some| {
                some.for_each(|i| rows.project(i, grains, stage));
            });
        }
    }

    fn respond(&mut self, team: &Team, stage: &Stage) {
        self.common.finder.timers.start();
        let pace = self.common.velocity_pace();
        let this = &*self;
        team.run(|worker| {
            this.memory.land8(worker, &stage.bodies);
            this.sweep(worker, &pace);
            if let Some((grains, rows)) = &this.grains {
                let act = |i| rows.respond(i, grains, stage, &this.memory, this.common.least);
                for _ in 0..grains.bounces() {
                    walk(worker, &grains.colors, false, |some| some.for_each(act));
                }
            }
            this.memory.give8(worker, &stage.bodies);
        });
        let grains = self.grains.as_ref().map(|(grains, _)| grains);
        for (i, resistance) in self.common.rest(grains, |i| self.memory.motion(i)) {
            stage.bodies.hold(i, resistance);
        }
        self.common.finder.timers.lap(RESPOND);
    }

    fn account(&self) -> Account {
        let grains = self.grains.as_ref().map_or(0, |(grains, _)| grains.count());
        self.common.finder.account(grains)
    }
}

#[allow(private_interfaces)]
impl Part for BodyContacts {
    fn name(&self) -> &'static str {
        "body contacts"
    }

    /// None: how many contacts there are is known in the step only.
    fn len(&self) -> usize {
        0
    }

    fn is_empty(&self) -> bool {
        false
    }

    fn lanes(&self, model: &Model, numbering: &Numbering) -> Box<dyn LanePart> {
        let grains = self.grains(model, numbering);
        Box::new(Lanes {
            grains: grains.map(|grains| (grains, LaneGrains::new())),
            memory: Memory::new(model.bodies().len().next_multiple_of(8)),
            rows: AllRows::new(),
            common: self.common(model),
        })
    }
}

impl<R: Scalar + Side<Slot = u32>> PartSource<R> for BodyContacts
where
    bool: From<R::Mask>,
{
    fn flat(&self, model: &Model, numbering: &Numbering) -> Box<dyn FlatPart<R>> {
        let grains = self.grains(model, numbering);
        Box::new(Flat::<R> {
            grains: grains.map(|grains| (grains, FlatGrains::new())),
            memory: Memory::new(model.bodies().len()),
            team: Team::new(1),
            rows: AllRows::new(),
            common: self.common(model),
        })
    }
}
