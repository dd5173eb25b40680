//! Packets of particles on bodies: lane by lane in a scalar loop, or side by side.

use super::frame::Stance;
use super::grain::{Grain, push_body};
use super::grains::{Found, Grains};
use super::manifold::Point;
use super::memory::{Memory, Recall};
use super::touch::Past;
use crate::batch::{Points, Store};
use crate::constraints::Particle;
use crate::lanes::{F32x8, Quat, Real, Scalar, Vec3, WIDTH, each_lane, lane_bits, pack, unpack};
use crate::parallel::Cells;
use crate::part::Stage;

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
                let live = if lane < packet.live as usize {
                    1.0
                } else {
                    0.0
                };
                let friction = R::of(f64::from(all.friction(&packet)));
                Grain::new(wide(found.arm), wide(found.normal), R::of(live), friction)
            })
        };
        self.0.clear();
        self.0.extend((0..all.len()).map(packet));
    }

    pub(super) fn begin(
        &mut self,
        all: &Grains,
        points: &Points<R>,
        memory: &Memory<R>,
        most: f64,
    ) {
        for (i, lanes) in self.0.iter_mut().enumerate() {
            let packet = all.packet(i);
            let past = memory.past(packet.body);
            for (lane, grain) in lanes.iter_mut().enumerate() {
                let place = all.of_lane(&packet, lane).place;
                let [x] = points.previous([place]);
                grain.begin(x, &past, R::of(all.radius), R::of(most));
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
            let live = each_lane(|lane| {
                if lane < packet.live as usize {
                    1.0
                } else {
                    0.0
                }
            });
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
        let Past { x, q } = Recall::<u32, f32>::past(memory, packet.body);
        let past = Past {
            x: Vec3::of(x.to_array().map(f64::from)),
            q: Quat::of(q.to_array().map(f64::from)),
        };
        let slots = each_lane(|lane| all.of_lane(&packet, lane).place);
        let [x] = stage.places.previous([slots]);
        let mut grain = self.0.get(i);
        grain.begin(x, &past, F32x8::of(all.radius), F32x8::of(most));
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
        let lanes = meeting.torque(p).map(|v| v.to_array().map(unpack));
        let impulses = each_lane(|lane| lanes.map(|v| Vec3::from(v.map(|v| v[lane]))));
        let mut one = stage.bodies.flying.one(packet.body as usize);
        let frame = Stance::new(one.q, &one);
        push_body(&mut one, &frame, &impulses);
        stage.bodies.flying.set_one(packet.body as usize, one);
        // Lanes that repeat the last live one computed it without what it did: it is stored again after them.
        let x = site.x.to_array().map(unpack);
        let w = unpack(site.w);
        for lane in 0..packet.live as usize {
            let site = Particle {
                x: Vec3::from(x.map(|x| x[lane])),
                w: w[lane],
            };
            stage.places.store([slots[lane]], [site]);
        }
        self.0.set(i, grain);
    }
}
