//! Contacts of particles with bodies, packet by packet: eight particles of one body, as many side by side as the width has
//! lanes.

use super::narrow_phase::NarrowPhase;
use super::particle_contact::{ParticleContact, PlacedBody, Rebound, change_velocities};
use super::particle_search::{ParticlePacket, ParticleSearch};
use super::settings::ContactSettings;
use super::solver_bodies::SolverBodies;
use crate::constraints::Particle;
use crate::math::{Vec3, WIDTH, each_lane};
use crate::rigid::packets::each_color;
use crate::state::{Column3, Width, largest_lane};
use crate::subsystem::{Note, StepContext};
use crate::threads::{Cells, Phased, Worker};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Fewer packets of a color than this a worker are not shared.
const WORTH_SHARING: usize = 8;
/// Sweeps of the velocity pass: eight that share a body part too slowly in one.
const SWEEPS: usize = 4;

/// An impulse and its torque.
type Impulse<E> = [Vec3<E>; 2];

/// The contacts of all packets.
pub(super) struct ParticleContacts<W: Width> {
    pub(super) search: Phased<ParticleSearch>,
    /// As many for each packet as make eight lanes.
    contacts: Phased<Cells<ParticleContact<W>>>,
    /// Eights of particles, and bodies.
    sizes: [usize; 2],
    rebounds: bool,
    /// Whether anything began this substep deep within a body.
    any_deep: AtomicBool,
}

/// Contacts side by side that make a packet.
const fn parts<W: Width>() -> usize {
    WIDTH / W::LANES
}

fn blank<W: Width>() -> ParticleContact<W> {
    let (none, zero) = (Vec3::zero(), W::zero());
    ParticleContact::new([none; 2], zero, zero, zero)
}

/// The slots of a part of a packet.
fn slots<W: Width>(search: &ParticleSearch, packet: &ParticlePacket, part: usize) -> W::Slots {
    W::slots(|lane| search.slot(packet, part * W::LANES + lane))
}

/// Does `act` with the lanes of a part that repeat no other: with the lane in the part.
#[inline(always)]
fn each_live<W: Width>(packet: &ParticlePacket, part: usize, act: impl Fn(usize)) {
    let live = (packet.live as usize).saturating_sub(part * W::LANES);
    (0..live.min(W::LANES)).for_each(act);
}

impl<W: Width> ParticleContacts<W> {
    pub(super) fn new(search: ParticleSearch) -> Self {
        Self {
            rebounds: search.bodies.iter().any(|body| body.restitution > 0.0),
            any_deep: AtomicBool::new(false),
            sizes: [search.member.len(), search.bodies.len()],
            search: Phased::new(search),
            contacts: Phased::new(Cells::new(0, blank())),
        }
    }

    /// Finds all contacts anew; `near` tells how bodies stand. Workers must have [met](Worker::meet) since they last used them.
    pub(super) fn find(&self, worker: &Worker, step: &StepContext<W::Element>, near: &NarrowPhase) {
        let [blocks, bodies] = self.sizes;
        worker.parallel_for(blocks, |range| {
            self.search.read().bound(range, near.most_steps_ahead(), &step.particles);
        });
        worker.parallel_for(bodies, |range| {
            self.search.read().search(range, near, &step.particles);
        });
        worker.single(|| {
            let mut search = self.search.write();
            search.collect();
            let mut contacts = self.contacts.write();
            contacts.resize(search.packets.len() * parts::<W>(), blank());
            for i in 0..search.packets.len() {
                pack(i, &search, &contacts);
            }
        });
    }

    /// A substep begins.
    pub(super) fn begin(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        bodies: &SolverBodies<W::Element>,
        settings: &ContactSettings,
    ) {
        let (search, contacts) = (&*self.search.read(), &*self.contacts.read());
        let (radius, parting) =
            (W::of(search.radius), settings.particle_parting(step.time, search.begun).in_lanes());
        worker.parallel_for(search.packets.len(), |range| {
            for i in range {
                let packet = search.packet(i);
                let body = W::slots(|_| packet.body);
                let body = (&bodies.start_pose(body), &bodies.load_predicted(body));
                for part in 0..parts::<W>() {
                    let slots = slots::<W>(search, &packet, part);
                    let [x] = step.particles.load_previous([slots]);
                    let [v]: [Particle<W>; 1] = step.particles.load_velocities([slots]);
                    let k = i * parts::<W>() + part;
                    let mut contact = contacts.get(k);
                    if W::any(contact.begin([x, v.x], body, radius, &parting)) {
                        self.any_deep.store(true, Ordering::Relaxed);
                    }
                    contacts.set(k, contact);
                }
            }
        });
    }

    /// One iteration.
    pub(super) fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        let (search, contacts) = (&*self.search.read(), &*self.contacts.read());
        let act = |range: Range<usize>| {
            range.for_each(|i| project_packet(i, search, contacts, step));
        };
        each_color(worker, &search.colors, false, WORTH_SHARING, &act);
    }

    /// Tells `note` how far contacts are violated (m), where anything can move.
    pub(super) fn residual(&self, worker: &Worker, step: &StepContext<W::Element>, note: Note) {
        let (search, contacts) = (&*self.search.read(), &*self.contacts.read());
        worker.parallel_for(search.packets.len(), |range| {
            for i in range {
                let packet = search.packet(i);
                let placed = PlacedBody::new(step.bodies.load(W::slots(|_| packet.body)));
                for part in 0..parts::<W>() {
                    let [site] = step.positions.load([slots::<W>(search, &packet, part)]);
                    let contact = contacts.get(i * parts::<W>() + part);
                    note(largest_lane(contact.residual(&site, &placed)));
                }
            }
        });
    }

    /// Takes back the speed at which what began the substep deep within a body was parted; positions are in the columns.
    pub(super) fn take_back(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        bodies: &SolverBodies<W::Element>,
    ) {
        if self.any_deep.load(Ordering::Relaxed) {
            self.change_velocities(worker, step, bodies, None);
        }
    }

    /// The velocity pass, in which what comes faster than `threshold` (m/s) rebounds; positions are in the columns.
    pub(super) fn respond(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        bodies: &SolverBodies<W::Element>,
        threshold: f64,
    ) {
        if self.rebounds {
            self.change_velocities(worker, step, bodies, Some(threshold));
        }
        if self.any_deep.load(Ordering::Relaxed) {
            // Once more: of what a body gave back the ground may have taken its part.
            self.change_velocities(worker, step, bodies, None);
            // All have read it before anyone changes it.
            worker.meet();
            worker.single(|| self.any_deep.store(false, Ordering::Relaxed));
        }
    }

    fn change_velocities(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        bodies: &SolverBodies<W::Element>,
        threshold: Option<f64>,
    ) {
        let (search, contacts) = (&*self.search.read(), &*self.contacts.read());
        let act = |range: Range<usize>| {
            range.for_each(|i| respond_packet(i, search, contacts, step, bodies, threshold));
        };
        for _ in 0..SWEEPS {
            each_color(worker, &search.colors, false, WORTH_SHARING, &act);
        }
    }
}

/// Takes the numbers of the i-th packet's contacts.
fn pack<W: Width>(i: usize, search: &ParticleSearch, contacts: &Cells<ParticleContact<W>>) {
    let packet = search.packet(i);
    let body = &search.bodies[packet.body as usize];
    let [mu, ball] = [body.friction, body.ball()].map(|v| W::of(f64::from(v)));
    for part in 0..parts::<W>() {
        let first = part * W::LANES;
        let near = |lane: usize| search.near(&packet, first + lane);
        let is_live = |lane: usize| first + lane < packet.live as usize;
        let live = W::singles(|lane| if is_live(lane) { 1.0 } else { 0.0 });
        let anchor = W::single_vectors(|lane| near(lane).anchor);
        let normal = W::single_vectors(|lane| near(lane).normal);
        let contact = ParticleContact::new([anchor, normal], live, mu, ball);
        contacts.set(i * parts::<W>() + part, contact);
    }
}

/// Puts a part's impulses among the eight of its packet.
#[inline(always)]
fn set_lanes<W: Width>(impulses: &mut [Impulse<W::Element>; WIDTH], part: usize, of: Impulse<W>) {
    for lane in 0..W::LANES {
        impulses[part * W::LANES + lane] = of.map(|v| W::vector_lane(v, lane));
    }
}

#[inline(never)] // a frame of its own in profiles
fn project_packet<W: Width>(
    i: usize,
    search: &ParticleSearch,
    contacts: &Cells<ParticleContact<W>>,
    step: &StepContext<W::Element>,
) {
    let (packet, first) = (search.packet(i), i * parts::<W>());
    let placed: PlacedBody<W> = PlacedBody::new(step.bodies.load(W::slots(|_| packet.body)));
    let parts = each_lane(|part| {
        (part < parts::<W>()).then(|| {
            let slots = slots::<W>(search, &packet, part);
            let [site]: [Particle<W>; 1] = step.positions.load([slots]);
            let contact = contacts.get(first + part);
            (contact, site, contact.evaluate(site.x, &placed))
        })
    });
    let active = parts.iter().flatten().map(|part| W::bits(part.2.active));
    let count: u32 = active.map(u32::count_ones).sum();
    if count == 0 {
        return;
    }
    let count = W::of(f64::from(count));
    let mut impulses = [[Vec3::zero(); 2]; WIDTH];
    for (part, of) in parts.into_iter().flatten().enumerate() {
        let (mut contact, mut site, evaluation) = of;
        let impulse = contact.project(&evaluation, &mut site, &placed, count);
        set_lanes(&mut impulses, part, impulse);
        contacts.set(first + part, contact);
        // Lanes that repeat another computed it without what it did.
        each_live::<W>(&packet, part, |lane| {
            let one = W::particle_lane(site, lane);
            let slot = search.slot(&packet, part * W::LANES + lane);
            step.positions.store([slot], [one]);
        });
    }
    let mut one: PlacedBody<W::Element> = PlacedBody::new(step.bodies.load(packet.body));
    one.apply(&impulses);
    step.bodies.store(packet.body, one.body);
}

#[inline(never)] // a frame of its own in profiles
fn respond_packet<W: Width>(
    i: usize,
    search: &ParticleSearch,
    contacts: &Cells<ParticleContact<W>>,
    step: &StepContext<W::Element>,
    bodies: &SolverBodies<W::Element>,
    threshold: Option<f64>,
) {
    let (packet, first) = (search.packet(i), i * parts::<W>());
    let restitution = threshold.map_or(0.0, |_| search.bodies[packet.body as usize].restitution);
    let rebound = Rebound {
        restitution: W::of(f64::from(restitution)),
        threshold: W::of(threshold.unwrap_or(0.0)),
        parts: W::of(if threshold.is_none() { 1.0 } else { 0.0 }),
    };
    let fast = (0..parts::<W>()).map(|part| W::bits(contacts.get(first + part).responds(&rebound)));
    let count: u32 = fast.map(u32::count_ones).sum();
    if count == 0 {
        return;
    }
    let count = W::of(f64::from(count));
    let body = W::slots(|_| packet.body);
    let (pose, body) = (bodies.start_pose::<W>(body), bodies.load::<W>(body));
    let mut impulses = [[Vec3::zero(); 2]; WIDTH];
    for part in 0..parts::<W>() {
        let slots = slots::<W>(search, &packet, part);
        let [x] = step.particles.load_previous([slots]);
        let [mut v]: [Particle<W>; 1] = step.particles.load_velocities([slots]);
        let contact = contacts.get(first + part);
        let impulse = contact.respond((x, &mut v), (&pose, &body), &rebound, count);
        set_lanes(&mut impulses, part, impulse);
        each_live::<W>(&packet, part, |lane| {
            let (slot, v) = (W::slot(slots, lane), W::vector_lane(v.x, lane));
            step.particles.scatter(Column3::Velocity, slot, v);
        });
    }
    let mut one = bodies.load::<W::Element>(packet.body);
    change_velocities(&mut one, &impulses);
    bodies.store(packet.body, &one);
}
