//! Contacts of particles as a subsystem of a step: kinds of contacts one after another, then colliders.

use super::Collider;
use super::ball_pairs::{BallPairs, deepest_overlap};
use super::cloth::Cloth;
use super::cloth_edges::ClothEdges;
use super::cloth_faces::ClothFaces;
use super::contact_kind::{ContactKind, Round, contact_kind};
use super::contacts::Contacts;
use super::impacts::{Impacts, STILL};
use super::narrow_phase::SubstepMotion;
use super::particle_collider::ColliderContacts;
use super::parting::Parting;
use super::repair::Repairs;
use crate::constraints::{Rebound, within};
use crate::error::CheckpointError;
use crate::math::{Scalar, Vec3};
use crate::settings::Detect;
use crate::state::{Column3, Saved, Width};
use crate::subsystem::{
    BuildContext, Note, Runtime, StepContext, StepPhase, Subsystem, SubsystemStatistics, needed,
    runtimes,
};
use crate::threads::{Cells, Worker, lock};
use crate::timers::Timers;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

const GRID: usize = 0;
const SEARCH: usize = 1;
const COLOR: usize = 2;
/// Packing, and what else comes before the iterations.
const PACK: usize = 3;
/// The velocity pass.
const RESPOND: usize = 4;
/// Sweeps of the velocity pass where balls rebound.
const SWEEPS: usize = 8;
const PHASES: [&str; 5] = ["grid", "search", "color", "pack", "respond"];

impl Subsystem for Contacts {
    fn name(&self) -> &'static str {
        "contacts"
    }
    /// One for each particle that touches: how many contacts there are is known in the step only.
    fn len(&self) -> usize {
        self.particles.as_ref().map_or(0, Vec::len)
    }
    fn equations(&self) -> usize {
        0
    }
    fn needs(&self) -> [usize; 2] {
        let cloths = self.cloths.iter().flat_map(|cloth| cloth.triangles.as_flattened());
        [needed(self.particles.iter().flatten().chain(cloths).copied()), 0]
    }
    runtimes!(described);
}

impl Contacts {
    fn runtime<W: Width>(&self, context: &BuildContext) -> Box<dyn Runtime<W>> {
        let g: f64 = Vec3::of(context.settings.gravity).length();
        let friction = self.friction.filter(|mu| *mu > 0.0);
        let restitution = self.restitution.filter(|e| *e > 0.0);
        let bounces = |c: &Collider| c.against(None, self.restitution)[1] > 0.0;
        let any = restitution.is_some() || self.colliders.iter().any(bounces);
        let rebounds = self.pairs && any;
        // Approaches slower than 2 |a| h do not rebound (m/s).
        let least = (2.0 * g * context.settings.h()).max(if rebounds { STILL } else { 0.0 });
        let recorded = match self.pairs || !self.cloths.is_empty() {
            true => context.permutation.slot_count(),
            false => 0,
        };
        let cloths = Cloth::all(self, context);
        Box::new(ContactsRuntime::<W> {
            detect: self.detect,
            friction,
            rebound: Rebound {
                restitution: restitution.unwrap_or(0.0),
                friction: friction.unwrap_or(0.0),
                least,
                stops: restitution.is_some(),
                waits: rebounds && restitution.is_some(),
            },
            parting: self.parting(deepest_overlap(self, context), context.settings),
            max_speed: self.max_speed,
            impacts: rebounds.then(|| {
                let slots = context.permutation.slot_count();
                Impacts::new(slots, context.settings.h(), least)
            }),
            kinds: vec![
                contact_kind::<BallPairs, W, _, _>(self, &cloths, context),
                contact_kind::<ClothFaces, W, _, _>(self, &cloths, context),
                contact_kind::<ClothEdges, W, _, _>(self, &cloths, context),
            ],
            colliders: ColliderContacts::new(self, context, least, rebounds),
            repairs: Repairs::new(&cloths, context),
            corrects: context.settings.iterations > 0,
            previous: Cells::new(recorded, [0.0; 4]),
            moved: Cells::new(recorded, [0.0; 4]),
            most: AtomicU32::new(0),
            timers: Mutex::new(Timers::new(PHASES.map(String::from))),
        })
    }
}

/// Contacts ready for a method.
struct ContactsRuntime<W: Width> {
    detect: Detect,
    friction: Option<f64>,
    /// How particles rebound from each other.
    rebound: Rebound<f64>,
    parting: Parting<f64>,
    max_speed: Option<f64>,
    /// Where balls rebound.
    impacts: Option<Impacts<W::Element>>,
    /// Contacts of particles with each other.
    kinds: Vec<Box<dyn ContactKind<W>>>,
    colliders: ColliderContacts<W>,
    /// Where a cloth starts tangled.
    repairs: Repairs,
    /// Whether there are iterations, so that positions are corrected at all.
    corrects: bool,
    /// Positions when the substep began, by slot, where balls or cloths ask for them.
    previous: Cells<[f32; 4]>,
    /// How far particles have moved since, and the longest of these ways, as bits (m).
    moved: Cells<[f32; 4]>,
    most: AtomicU32,
    timers: Mutex<Timers>,
}

impl<W: Width> ContactsRuntime<W> {
    /// Finds all contacts anew. `again`: within a substep.
    fn find(&self, worker: &Worker, step: &StepContext<W::Element>, again: bool) {
        if self.previous.len() > 0 {
            worker.single(|| self.most.store(0, Ordering::Relaxed));
        }
        worker.parallel_for(self.previous.len() / W::LANES, |range| {
            let mut most = 0.0_f32;
            for first in range.map(|block| block * W::LANES) {
                let x = step.particles.read::<W>(Column3::Previous, first);
                let moved = step.positions.read::<W>(first) - x;
                for lane in 0..W::LANES {
                    let [x, moved] = [x, moved].map(|v| {
                        let [x, y, z] = v.to_array().map(|v| v.lane(lane).to_f32());
                        [x, y, z, 0.0]
                    });
                    self.previous.set(first + lane, x);
                    self.moved.set(first + lane, moved);
                    let square = moved.iter().map(|v| v * v).sum::<f32>();
                    most = if square <= f32::MAX { square.max(most) } else { most };
                }
            }
            // Numbers above zero have the order of their bits.
            self.most.fetch_max(most.sqrt().to_bits(), Ordering::Relaxed);
        });
        let motion = SubstepMotion {
            previous: self.previous.as_slice(),
            moved: self.moved.as_slice(),
            most: f32::from_bits(self.most.load(Ordering::Relaxed)),
        };
        self.kinds.iter().for_each(|kind| kind.sort(worker, step, motion));
        self.lap(worker, GRID);
        self.kinds.iter().for_each(|kind| kind.find(worker, motion));
        self.lap(worker, SEARCH);
        self.kinds.iter().for_each(|kind| kind.color(worker, &self.repairs));
        self.lap(worker, COLOR);
        self.colliders.find(worker, step, again);
        self.kinds.iter().for_each(|kind| kind.pack(worker, step));
    }

    /// Balls that come together fast rebound.
    fn strike(&self, worker: &Worker, step: &StepContext<W::Element>) {
        let Some(impacts) = &self.impacts else { return };
        let Rebound { restitution, friction, .. } = self.rebound;
        impacts.run(
            worker,
            step,
            || {
                self.kinds.iter().for_each(|kind| kind.undo(worker, step, impacts.h));
                self.colliders.undo(worker, step, impacts.h);
            },
            |struck| {
                let round = Round { impacts, material: [friction, restitution], struck };
                self.kinds.iter().for_each(|kind| kind.strike(worker, step, &round));
                self.colliders.strike(worker, step, impacts, struck);
            },
            || {
                self.kinds.iter().for_each(|kind| kind.settle(worker, step, impacts));
                self.colliders.settle(worker, impacts);
            },
        );
    }

    /// Whether there are only bodies, whose contacts are found and solved elsewhere: no worker need meet another then.
    fn is_idle(step: &StepContext<W::Element>) -> bool {
        step.particles.len() == 0
    }

    fn start(&self, worker: &Worker) {
        if worker.is_first() {
            lock(&self.timers).start();
        }
    }

    fn lap(&self, worker: &Worker, phase: usize) {
        if worker.is_first() {
            lock(&self.timers).lap(phase);
        }
    }
}

impl<W: Width> Runtime<W> for ContactsRuntime<W> {
    fn each_iteration(&self) -> bool {
        self.detect == Detect::Iteration
    }

    fn begins_with_corrections(&self) -> bool {
        false
    }

    fn follows(&self) -> bool {
        true
    }

    fn place(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.repairs.place::<W>(worker, step);
    }

    fn begin(&self, phase: StepPhase, worker: &Worker, step: &StepContext<W::Element>) {
        if Self::is_idle(step) {
            return;
        }
        self.start(worker);
        match (phase, self.detect) {
            (StepPhase::Substep, Detect::Frame) => {
                self.colliders.begin(worker, step);
                self.kinds.iter().for_each(|kind| kind.begin(worker, step));
            }
            _ => self.find(worker, step, phase == StepPhase::Iteration),
        }
        self.lap(worker, PACK);
    }

    fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        if Self::is_idle(step) {
            return;
        }
        let parting = match self.repairs.is_active() {
            true => self.parting.of_tangled(),
            false => self.parting.at(step.time),
        };
        for kind in &self.kinds {
            kind.project(worker, step, self.friction, &parting);
        }
        self.colliders.project(worker, step);
    }

    fn residual(&self, worker: &Worker, step: &StepContext<W::Element>, note: Note) {
        self.kinds.iter().for_each(|kind| kind.residual(worker, step, note));
        self.colliders.residual(worker, step, note);
    }

    fn respond(&self, worker: &Worker, step: &StepContext<W::Element>) {
        if Self::is_idle(step) {
            return;
        }
        self.start(worker);
        if self.corrects {
            self.colliders.take_out(worker, step);
        }
        self.strike(worker, step);
        // What parted one of a row gave the others too, so one sweep does not take it all back.
        for _ in 0..if self.impacts.is_some() { SWEEPS } else { 1 } {
            for kind in &self.kinds {
                kind.respond(worker, step, &self.rebound);
            }
            self.colliders.respond(worker, step);
        }
        self.repairs.respond::<W>(worker, step);
        if let Some(most) = self.max_speed {
            let most = W::of(most);
            worker.each_block(step.particles.len(), W::LANES, |i| {
                let v = step.particles.read(Column3::Velocity, i);
                // What is kinematic keeps its velocity.
                let moves = W::zero().lt(step.particles.inverse_mass(i));
                let v = Vec3::select(moves, within(v, most), v);
                step.particles.write(Column3::Velocity, i, v);
            });
        }
        self.lap(worker, RESPOND);
    }

    fn save(&self) -> Saved {
        self.repairs.save()
    }

    fn load(&self, from: &Saved) -> Result<(), CheckpointError> {
        self.repairs.load(from)
    }

    fn statistics(&self) -> SubsystemStatistics {
        let counts: Vec<_> = self.kinds.iter().map(|kind| kind.count()).collect();
        let sum = |k: usize| counts.iter().map(|(_, counts)| counts[k]).sum();
        let contacts = counts.iter().map(|(name, [contacts, ..])| (*name, *contacts));
        let others =
            [("colors", sum(1)), ("remainder", sum(2)), ("blocks", self.colliders.count())];
        SubsystemStatistics {
            counts: contacts.chain(others).collect(),
            times: lock(&self.timers).phases().to_vec(),
            ..SubsystemStatistics::default()
        }
    }
}
