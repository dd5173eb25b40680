//! Packets of particles on bodies: lane by lane in a scalar loop, or side by side.

use super::frame::Stance;
use super::grain::{Bounce, Grain, kick_body, push_body};
use super::grains::{Found, Grains, Packet};
use super::manifold::Point;
use super::memory::{Memory, Recall};
use crate::constraints::Particle;
use crate::math::{F32x8, Real, Scalar, Vec3, WIDTH, each_lane, lane_bits, pack, unpack};
use crate::rows::{Points, Store};
use crate::state::Particles;
use crate::subsystem::Stage;
use crate::threads::{Cells, Velocities};

/// Packets for a scalar loop: lane by lane what [`LaneGrains`] does side by side.
pub(super) struct FlatGrains<R>(Vec<[Grain<R>; WIDTH]>);

impl<R: Scalar> FlatGrains<R> {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    pub(super) fn pack(&mut self, all: &Grains) {
        let wide = |v: Point| Vec3::of(v.to_array().map(f64::from));
        let packet = |i: usize| {
            let packet = all.packet(i);
            each_lane(|lane| {
                let found = all.of_lane(&packet, lane);
                let live = R::of(f64::from(packet.lives(lane)));
                let friction = R::of(f64::from(all.friction(&packet)));
                Grain::new(wide(found.arm), wide(found.normal), live, friction)
            })
        };
        self.0.clear();
        self.0.extend((0..all.len()).map(packet));
    }

    pub(super) fn begin(
        &mut self,
        all: &Grains,
        (particles, points): (&Particles<R>, &Points<R>),
        memory: &Memory<R>,
        most: f64,
    ) {
        for (i, lanes) in self.0.iter_mut().enumerate() {
            let packet = all.packet(i);
            let body = (&memory.past(packet.body), &memory.predicted(packet.body));
            for (lane, grain) in lanes.iter_mut().enumerate() {
                let place = all.of_lane(&packet, lane).place;
                let [x] = points.previous([place]);
                let v = Vec3::from(particles.velocity.read(place as usize));
                grain.begin([x, v], body, R::of(all.radius), R::of(most));
            }
        }
    }

    pub(super) fn project(&mut self, all: &Grains, points: &Points<R>)
    where
        bool: From<R::Mask>,
    {
        for (i, lanes) in self.0.iter_mut().enumerate() {
            let packet = all.packet(i);
            let mut body = points.bodies().load(packet.body);
            let frame = Stance::new(body.q, &body);
            let slots = each_lane(|lane| all.of_lane(&packet, lane).place);
            let mut sites: [Particle<R>; WIDTH] = each_lane(|lane| {
                let [site] = points.load([slots[lane]]);
                site
            });
            let meetings = each_lane(|lane| lanes[lane].meet(sites[lane].x, &body, &frame));
            let presses = |m: &&super::grain::Meeting<R>| bool::from(m.active);
            let count = meetings.iter().filter(presses).count();
            if count == 0 {
                continue;
            }
            let count = R::of(count as f64);
            let mut impulses = [[Vec3::zero(); 2]; WIDTH];
            for lane in 0..WIDTH {
                let (meeting, site) = (&meetings[lane], &mut sites[lane]);
                let p = lanes[lane].solve(meeting, site, (&body, &frame), count);
                impulses[lane] = meeting.torque(p);
            }
            push_body(&mut body, &frame, &impulses);
            points.bodies().store(packet.body, body);
            for lane in 0..packet.live as usize {
                points.store([slots[lane]], [sites[lane]]);
            }
        }
    }

    /// The velocity pass; `memory` holds where bodies were and how they go.
    pub(super) fn rebound(
        &self,
        all: &Grains,
        particles: &mut Particles<R>,
        memory: &Memory<R>,
        least: f64,
    ) where
        bool: From<R::Mask>,
    {
        let sweep = (0..all.bounces()).flat_map(|_| self.0.iter().enumerate());
        for (i, lanes) in sweep {
            let packet = all.packet(i);
            let Some(bounce) = bounce_of(all, &packet, least) else {
                continue;
            };
            let fast = |g: &&Grain<R>| bool::from(g.rebounds(&bounce));
            let count = lanes.iter().filter(fast).count();
            if count == 0 {
                continue;
            }
            let (past, mut body) = (memory.past(packet.body), memory.mover(packet.body));
            let count = R::of(count as f64);
            let mut impulses = [[Vec3::zero(); 2]; WIDTH];
            for (lane, grain) in lanes.iter().enumerate() {
                let place = all.of_lane(&packet, lane).place as usize;
                let x = Vec3::from(particles.previous.read(place));
                let mut v = Particle {
                    x: Vec3::from(particles.velocity.read(place)),
                    w: particles.inverse_mass.as_slice()[place],
                };
                impulses[lane] = grain.respond((x, &mut v), (&past, &body), &bounce, count);
                if lane < packet.live as usize {
                    particles.velocity.write(place, v.x.to_array());
                }
            }
            kick_body(&mut body, &impulses);
            memory.set_motion(packet.body, &body);
        }
    }
}

/// What rebounds in a packet, if anything does.
fn bounce_of<R: Real>(all: &Grains, packet: &Packet, least: f64) -> Option<Bounce<R>> {
    let e = all.restitution(packet);
    (e > 0.0).then(|| Bounce {
        restitution: R::of(f64::from(e)),
        least: R::of(least),
    })
}

/// Each lane's vectors.
#[inline(always)]
fn lane_by_lane(vectors: [Vec3<F32x8>; 2]) -> [[Vec3<f32>; 2]; WIDTH] {
    let lanes = vectors.map(|v| v.to_array().map(unpack));
    each_lane(|lane| lanes.map(|v| Vec3::from(v.map(|v| v[lane]))))
}

/// Stores what is of lanes that do not repeat another: those that do computed it without what it did.
#[inline(always)]
fn store_live(
    packet: &Packet,
    to: &impl Store<u32, f32>,
    slots: [u32; WIDTH],
    site: Particle<F32x8>,
) {
    let (x, w) = (site.x.to_array().map(unpack), unpack(site.w));
    for lane in 0..packet.live as usize {
        let one = Particle {
            x: Vec3::from(x.map(|x| x[lane])),
            w: w[lane],
        };
        to.store([slots[lane]], [one]);
    }
}

/// Packets of eight.
pub(super) struct LaneGrains(Cells<Grain<F32x8>>);

impl LaneGrains {
    pub(super) fn new() -> Self {
        let zero = F32x8::zero();
        Self(Cells::new(
            0,
            Grain::new(Vec3::zero(), Vec3::zero(), zero, zero),
        ))
    }

    pub(super) fn pack(&mut self, all: &Grains) {
        let zero = F32x8::zero();
        let empty = Grain::new(Vec3::zero(), Vec3::zero(), zero, zero);
        self.0.resize(all.len(), empty);
        for i in 0..all.len() {
            let packet = all.packet(i);
            let vector = |of: &dyn Fn(&Found) -> Point| {
                let rows = each_lane(|lane| of(all.of_lane(&packet, lane)).to_array());
                let axis = |k: usize| pack(each_lane(|lane| rows[lane][k]));
                Vec3::new(axis(0), axis(1), axis(2))
            };
            let live = each_lane(|lane| packet.lives(lane));
            let friction = F32x8::of(f64::from(all.friction(&packet)));
            let (arm, normal) = (vector(&|f| f.arm), vector(&|f| f.normal));
            self.0.set(i, Grain::new(arm, normal, pack(live), friction));
        }
    }

    /// A substep begins for the i-th packet.
    pub(super) fn begin(
        &self,
        i: usize,
        all: &Grains,
        stage: &Stage,
        memory: &Memory<f32>,
        most: f64,
    ) {
        let packet = all.packet(i);
        let bodies = [packet.body; WIDTH];
        let body = (&memory.past(bodies), &memory.predicted(bodies));
        let slots = each_lane(|lane| all.of_lane(&packet, lane).place);
        let [x] = stage.places.previous([slots]);
        let [v] = Velocities(stage.particles).load([slots]);
        let mut grain = self.0.get(i);
        grain.begin([x, v.x], body, F32x8::of(all.radius), F32x8::of(most));
        self.0.set(i, grain);
    }

    /// One iteration of the i-th packet.
    pub(super) fn project(&self, i: usize, all: &Grains, stage: &Stage) {
        let packet = all.packet(i);
        let mut grain = self.0.get(i);
        let body = stage.bodies.flying.load([packet.body; WIDTH]);
        let frame = Stance::new(body.q, &body);
        let slots = each_lane(|lane| all.of_lane(&packet, lane).place);
        let [mut site]: [Particle<F32x8>; 1] = stage.places.load([slots]);
        let meeting = grain.meet(site.x, &body, &frame);
        let count = lane_bits(meeting.active).count_ones();
        if count == 0 {
            return;
        }
        let p = grain.solve(
            &meeting,
            &mut site,
            (&body, &frame),
            F32x8::of(f64::from(count)),
        );
        let impulses = lane_by_lane(meeting.torque(p));
        let mut one = stage.bodies.flying.one(packet.body as usize);
        let frame = Stance::new(one.q, &one);
        push_body(&mut one, &frame, &impulses);
        stage.bodies.flying.set_one(packet.body as usize, one);
        store_live(&packet, &stage.places, slots, site);
        self.0.set(i, grain);
    }

    /// The velocity pass of the i-th packet; positions are in the columns.
    pub(super) fn respond(
        &self,
        i: usize,
        all: &Grains,
        stage: &Stage,
        memory: &Memory<f32>,
        least: f64,
    ) {
        let packet = all.packet(i);
        let Some(bounce) = bounce_of(all, &packet, least) else {
            return;
        };
        let grain = self.0.get(i);
        let count = lane_bits(grain.rebounds(&bounce)).count_ones();
        if count == 0 {
            return;
        }
        let bodies = [packet.body; WIDTH];
        let (past, eight) = (memory.past(bodies), memory.mover(bodies));
        let places = each_lane(|lane| all.of_lane(&packet, lane).place);
        let velocities = Velocities(stage.particles);
        let [x] = velocities.previous([places]);
        let [mut v]: [Particle<F32x8>; 1] = velocities.load([places]);
        let count = F32x8::of(f64::from(count));
        let both = grain.respond((x, &mut v), (&past, &eight), &bounce, count);
        let impulses = lane_by_lane(both);
        let mut one = memory.mover(packet.body);
        kick_body(&mut one, &impulses);
        memory.set_motion(packet.body, &one);
        store_live(&packet, &velocities, places, v);
    }
}
