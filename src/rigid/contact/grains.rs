//! Which particles touch which bodies, in packets of eight of one body, colored among each other.

use super::geometry::Geometry;
use super::hull::Hull;
use super::manifold::Point;
use super::thing::Standing;
use crate::collision::{Contacts, Shape};
use crate::coloring::DynamicColoring;
use crate::coloring::Permutation;
use crate::math::{F32x8, Real, Vec3, WIDTH, each_lane, lane_bits, pack, unpack};
use crate::model::Model;
use crate::threads::{Cells, Team};
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// Slots for lanes that repeat another, which no two packets near each other share.
const SPARE: usize = 4096;

/// Sweeps of the velocity pass: eight that share a body part too slowly in one.
const BOUNCES: usize = 4;

/// A particle that touches a body: its place, the surface's point and normal in the body's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) place: u32,
    pub(super) arm: Point,
    pub(super) normal: Point,
}

/// Up to eight particles on one body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub(super) body: u32,
    first: u32,
    pub(super) live: u32,
}

impl Packet {
    /// One; zero for a lane that repeats another.
    pub(super) fn lives(&self, lane: usize) -> f32 {
        if lane < self.live as usize { 1.0 } else { 0.0 }
    }
}

/// Who touches whom.
pub(super) struct Grains {
    /// The shape of each body, and friction and restitution against the particles.
    bodies: Vec<(Option<Solid>, [f32; 2])>,
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

/// A body's shape, for eight points and as a whole.
type Solid = (Surface, Geometry);

/// A surface for eight points: in closed form, or a hull's.
#[derive(Debug)]
enum Surface {
    Shape(Shape),
    Hull(Arc<Hull>),
}

impl Surface {
    fn of(geometry: &Geometry) -> Option<Self> {
        let wide = |v: &Point| v.to_array().map(f64::from);
        Some(Self::Shape(match geometry {
            Geometry::Round { half, radius } if half.dot(*half) == 0.0 => Shape::Sphere {
                radius: f64::from(*radius),
            },
            Geometry::Round { half, radius } => Shape::Capsule {
                half: wide(half),
                radius: f64::from(*radius),
            },
            Geometry::Box(half) => Shape::Box {
                half_size: wide(half),
            },
            Geometry::Hull(hull) => return Some(Self::Hull(hull.clone())),
            _ => return None,
        }))
    }

    /// Distance and normal at `y`, right where closer than `within`.
    fn at(&self, y: Vec3<F32x8>, within: F32x8) -> (F32x8, Vec3<F32x8>) {
        match self {
            Self::Shape(shape) => shape.surface(y),
            Self::Hull(hull) => hull.surface8(y, within),
        }
    }
}

impl Grains {
    pub(super) fn new(
        contacts: &Contacts,
        model: &Model,
        permutation: &Permutation,
        ahead: f64,
    ) -> Self {
        let places = permutation.places();
        let mut member = vec![[0.0; WIDTH]; places / WIDTH];
        for i in contacts.members(model.positions().len()) {
            let place = permutation.storage(i) as usize;
            member[place / WIDTH][place % WIDTH] = 1.0;
        }
        let mut authored = vec![0; places];
        for (i, &place) in (0..).zip(permutation.as_slice()) {
            authored[place as usize] = i;
        }
        let of_body = |body: &crate::rigid::Body| {
            let geometry = Geometry::of_body(body);
            let mu = match (body.friction, contacts.friction) {
                (Some(a), Some(b)) => (a * b).sqrt(),
                (a, b) => a.or(b).unwrap_or(0.0),
            };
            let e = match (body.restitution, contacts.restitution) {
                (Some(a), Some(b)) => a.max(b),
                (a, b) => a.or(b).unwrap_or(0.0),
            };
            (
                Surface::of(&geometry).map(|surface| (surface, geometry)),
                [mu, e.min(1.0)].map(|v| v as f32),
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
        self.found.clear();
        self.packets.clear();
        self.slots.clear();
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
        let Some((surface, geometry)) = &self.bodies[body].0 else {
            return;
        };
        let Standing { x, q, v, spin } = *standing;
        let far = (v.length() + spin * geometry.reach()) * self.ahead as f32;
        let e = geometry.extent(q) + Vec3::new(far, far, far);
        let (low, high) = ((x - e).to_array(), (x + e).to_array());
        let wide = |v: Point| Vec3::<F32x8>::of(v.to_array().map(f64::from));
        let turn = crate::math::Quat::<F32x8>::of(q.to_array().map(f64::from));
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
            let speed = (v - velocity).length() + spin * (x - center).length();
            let within = reach + speed * ahead;
            let (distance, normal) = surface.at(y, within);
            let near = distance.lt(within) & F32x8::zero().lt(self.member[block]);
            let mut bits = lane_bits(near);
            let point = y - normal * distance;
            let one =
                |v: Vec3<F32x8>, lane: usize| Vec3::from(v.to_array().map(|v| unpack(v)[lane]));
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                found.push(Found {
                    place: (block * WIDTH + lane) as u32,
                    arm: one(point, lane),
                    normal: one(normal, lane),
                });
            }
        }
    }

    /// The bodies that particles touch, or may soon.
    pub(super) fn laden(&self) -> impl Iterator<Item = u32> {
        self.packets.iter().map(|packet| packet.body)
    }

    /// The packet that comes i-th.
    pub(super) fn packet(&self, i: usize) -> Packet {
        self.packets[self.coloring.order()[i] as usize]
    }

    pub(super) fn of_lane(&self, packet: &Packet, lane: usize) -> &Found {
        &self.found[(packet.first + (lane as u32).min(packet.live - 1)) as usize]
    }

    pub(super) fn friction(&self, packet: &Packet) -> f32 {
        self.bodies[packet.body as usize].1[0]
    }

    pub(super) fn restitution(&self, packet: &Packet) -> f32 {
        self.bodies[packet.body as usize].1[1]
    }

    /// Sweeps of the velocity pass: none where no body sends particles back.
    pub(super) fn bounces(&self) -> usize {
        let any = self.bodies.iter().any(|(_, [_, e])| *e > 0.0);
        if any { BOUNCES } else { 0 }
    }
}
