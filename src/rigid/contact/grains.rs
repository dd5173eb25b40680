//! Which particles touch which bodies, in packets of eight of one body, colored among each other.

use super::find::Standing;
use super::frame::Frame;
use super::geometry::Geometry;
use super::grain::{Grain, push_body};
use super::manifold::Point;
use super::memory::{Memory, Recall};
use super::touch::Past;
use crate::batch::{Points, Store};
use crate::collision::{Contacts, Shape};
use crate::coloring::DynamicColoring;
use crate::constraints::Particle;
use crate::lanes::{F32x8, Real, Scalar, Vec3, WIDTH, each_lane, lane_bits, pack, unpack};
use crate::model::Model;
use crate::parallel::{Cells, Team};
use crate::part::Stage;
use crate::particles::Numbering;
use std::ops::Range;
use std::sync::Mutex;

/// Slots for lanes that repeat another, which no two packets near each other share.
const SPARE: usize = 4096;

/// A particle that touches a body: its place, the surface's point and normal in the body's frame.
#[derive(Clone, Copy, Debug)]
struct Found {
    place: u32,
    arm: Point,
    normal: Point,
}

/// Up to eight particles on one body.
#[derive(Clone, Copy, Debug)]
struct Packet {
    body: u32,
    first: u32,
    live: u32,
}

/// Who touches whom.
pub(super) struct Grains {
    /// The shape of each body, and friction against the particles.
    bodies: Vec<(Option<(Shape, Geometry)>, f32)>,
    /// The particle at each place: what is found comes in authored order, however particles are stored.
    authored: Vec<u32>,
    /// One for each particle that may touch.
    member: Vec<F32x8>,
    places: usize,
    pub(super) radius: f64,
    margin: f64,
    ahead: f64,
    chunks: Vec<Mutex<Vec<Found>>>,
    found: Vec<Found>,
    packets: Vec<Packet>,
    slots: Vec<[u32; WIDTH + 1]>,
    coloring: DynamicColoring,
    /// The packets of each color in the coloring's order, then each of the remainder by itself.
    pub(super) colors: Vec<Range<usize>>,
}

/// A shape in closed form for eight points.
fn closed_form(geometry: &Geometry) -> Option<Shape> {
    let wide = |v: &Point| v.to_array().map(f64::from);
    match geometry {
        Geometry::Round { half, radius } if half.dot(*half) == 0.0 => Some(Shape::Sphere {
            radius: f64::from(*radius),
        }),
        Geometry::Round { half, radius } => Some(Shape::Capsule {
            half: wide(half),
            radius: f64::from(*radius),
        }),
        Geometry::Box(half) => Some(Shape::Box {
            half_size: wide(half),
        }),
        _ => None,
    }
}

impl Grains {
    pub(super) fn new(
        contacts: &Contacts,
        model: &Model,
        numbering: &Numbering,
        ahead: f64,
    ) -> Self {
        let places = numbering.places();
        let mut member = vec![[0.0; WIDTH]; places / WIDTH];
        for i in contacts.members(model.positions().len()) {
            let place = numbering.storage(i) as usize;
            member[place / WIDTH][place % WIDTH] = 1.0;
        }
        let mut authored = vec![0; places];
        for (i, &place) in (0..).zip(numbering.as_slice()) {
            authored[place as usize] = i;
        }
        let of_body = |body: &crate::rigid::Body| {
            let geometry = Geometry::of_body(body);
            let mu = match (body.friction, contacts.friction) {
                (Some(a), Some(b)) => (a * b).sqrt(),
                (a, b) => a.or(b).unwrap_or(0.0),
            };
            (
                closed_form(&geometry).map(|shape| (shape, geometry)),
                mu as f32,
            )
        };
        let bodies: Vec<_> = model.bodies().iter().map(of_body).collect();
        Self {
            chunks: bodies.iter().map(|_| Mutex::default()).collect(),
            coloring: DynamicColoring::new(places + bodies.len() + SPARE),
            bodies,
            authored,
            member: member.into_iter().map(pack).collect(),
            places,
            radius: contacts.radius,
            margin: contacts.margin(),
            ahead,
            found: Vec::new(),
            packets: Vec::new(),
            slots: Vec::new(),
            colors: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.packets.len()
    }

    /// Particles that touch, or may soon.
    pub(super) fn count(&self) -> usize {
        self.found.len()
    }

    /// Finds and colors all; `eight` gives positions and velocities of eight places.
    pub(super) fn find(
        &mut self,
        team: &Team,
        standings: &[Standing],
        eight: impl Fn(usize) -> [Vec3<F32x8>; 2] + Sync,
    ) {
        let this = &*self;
        let blocks = this.member.len();
        let bounds: Cells<[Point; 2]> = Cells::new(blocks, [Vec3::zero(); 2]);
        team.run(|worker| {
            worker.share(blocks, |part| {
                for block in part {
                    bounds.set(block, this.around(block, eight(block * WIDTH)));
                }
            });
            worker.share(this.bodies.len(), |part| {
                for body in part {
                    let mut found = this.chunks[body].lock().expect("no worker panicked");
                    found.clear();
                    this.near(
                        body,
                        &standings[body],
                        bounds.as_slice(),
                        &eight,
                        &mut found,
                    );
                    found.sort_unstable_by_key(|found| this.authored[found.place as usize]);
                }
            });
        });
        (self.found.clear(), self.packets.clear(), self.slots.clear());
        for (body, chunk) in self.chunks.iter_mut().enumerate() {
            let found = chunk.get_mut().expect("no worker panicked");
            for some in found.chunks(WIDTH) {
                let packet = Packet {
                    body: body as u32,
                    first: self.found.len() as u32,
                    live: some.len() as u32,
                };
                let bodies = self.bodies.len();
                let slot = |lane: usize| match some.get(lane) {
                    Some(found) => found.place,
                    None => {
                        let spare = (self.packets.len() * WIDTH + lane) % SPARE;
                        (self.places + bodies + spare) as u32
                    }
                };
                let mut slots = [(self.places + body) as u32; WIDTH + 1];
                slots[..WIDTH].copy_from_slice(&each_lane(slot));
                self.slots.push(slots);
                self.packets.push(packet);
                self.found.extend_from_slice(some);
            }
        }
        self.coloring.color(&self.slots);
        self.colors.clear();
        let mut first = 0;
        let remainder = self.coloring.remainder().chunks(1);
        for color in self.coloring.colors().chain(remainder) {
            self.colors.push(first..first + color.len());
            first += color.len();
        }
    }

    /// A box around eight particles and as far as they may go.
    fn around(&self, block: usize, [x, v]: [Vec3<F32x8>; 2]) -> [Point; 2] {
        let member = unpack(self.member[block]);
        let more = (self.radius + self.margin) as f32;
        let lanes = |v: Vec3<F32x8>| v.to_array().map(unpack);
        let (x, v) = (lanes(x), lanes(v));
        let (mut least, mut most) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for lane in (0..WIDTH).filter(|lane| member[*lane] > 0.0) {
            for k in 0..3 {
                let further = more + v[k][lane].abs() * self.ahead as f32;
                least[k] = least[k].min(x[k][lane] - further);
                most[k] = most[k].max(x[k][lane] + further);
            }
        }
        [Vec3::from(least), Vec3::from(most)]
    }

    /// Adds the particles near a body.
    fn near(
        &self,
        body: usize,
        standing: &Standing,
        bounds: &[[Point; 2]],
        eight: impl Fn(usize) -> [Vec3<F32x8>; 2],
        found: &mut Vec<Found>,
    ) {
        let Some((shape, geometry)) = &self.bodies[body].0 else {
            return;
        };
        let Standing { x, q, v, spin } = *standing;
        let far = (v.length() + spin * geometry.reach()) * self.ahead as f32;
        let e = geometry.extent(q) + Vec3::new(far, far, far);
        let (low, high) = ((x - e).to_array(), (x + e).to_array());
        let wide = |v: Point| Vec3::<F32x8>::of(v.to_array().map(f64::from));
        let turn = crate::lanes::Quat::<F32x8>::of(q.to_array().map(f64::from));
        let (center, velocity) = (wide(x), wide(v));
        let ahead = F32x8::of(self.ahead);
        let (spin, reach) = (
            F32x8::of(f64::from(spin)),
            F32x8::of(self.radius + self.margin),
        );
        for (block, [least, most]) in bounds.iter().enumerate() {
            let (least, most) = (least.to_array(), most.to_array());
            if (0..3).any(|k| !(least[k] < high[k] && low[k] < most[k])) {
                continue;
            }
            let [x, v] = eight(block * WIDTH);
            let y = turn.unrotate(x - center);
            let (distance, normal) = shape.surface(y);
            let speed = (v - velocity).length() + spin * (x - center).length();
            let near = distance.lt(reach + speed * ahead) & F32x8::zero().lt(self.member[block]);
            let mut bits = lane_bits(near);
            let surface = y - normal * distance;
            let one =
                |v: Vec3<F32x8>, lane: usize| Vec3::from(v.to_array().map(|v| unpack(v)[lane]));
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                found.push(Found {
                    place: (block * WIDTH + lane) as u32,
                    arm: one(surface, lane),
                    normal: one(normal, lane),
                });
            }
        }
    }

    /// The packet that comes i-th.
    fn packet(&self, i: usize) -> Packet {
        self.packets[self.coloring.order()[i] as usize]
    }

    fn of_lane(&self, packet: &Packet, lane: usize) -> &Found {
        &self.found[(packet.first + (lane as u32).min(packet.live - 1)) as usize]
    }

    fn friction(&self, packet: &Packet) -> f32 {
        self.bodies[packet.body as usize].1
    }
}

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
            let past = past_of(memory, packet.body);
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
            let frame = Frame::new(body.q, body.inverse_inertia);
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

fn past_of<R: Scalar>(memory: &Memory<R>, body: u32) -> Past<R> {
    let ((x, q), [v, omega]) = (memory.pose(body), memory.motion(body));
    Past { x, q, v, omega }
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
        let past = {
            let Past { x, q, v, omega } = past_of(memory, packet.body);
            let wide = |v: Point| Vec3::of(v.to_array().map(f64::from));
            Past {
                x: wide(x),
                q: crate::lanes::Quat::of(q.to_array().map(f64::from)),
                v: wide(v),
                omega: wide(omega),
            }
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
        let frame = Frame::new(body.q, body.inverse_inertia);
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
        let frame = Frame::new(one.q, one.inverse_inertia);
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
