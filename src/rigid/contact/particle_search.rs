//! Neighbor search: which particles touch which bodies, in packets of eight of one body, colored among each other.

use super::geometry::Geometry;
use super::instance::{InstanceState, material};
use super::manifold::Point;
use super::narrow_phase::NarrowPhase;
use crate::collision::Contacts;
use crate::coloring::DynamicColoring;
use crate::math::{F32x8, Quat, Real, Vec3, WIDTH, each_lane, pack, set_lanes, unpack};
use crate::state::{Body, Lanes, OneLane, ParticleView};
use crate::subsystem::BuildContext;
use crate::threads::{Cells, lock};
use std::ops::Range;
use std::sync::Mutex;

/// Slots for lanes that repeat another, which no two packets near each other share.
const SPARE: usize = 4096;

/// A particle that touches a body: its slot, the surface's point and normal in the body's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearParticle {
    slot: u32,
    pub(super) anchor: Point,
    pub(super) normal: Point,
}

/// Up to eight particles on one body.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParticlePacket {
    pub(super) body: u32,
    first: u32,
    pub(super) live: u32,
}

/// A body as particles meet it.
pub(super) struct SearchedBody {
    geometry: Geometry,
    pub(super) friction: f32,
    pub(super) restitution: f32,
}

impl SearchedBody {
    fn new(body: &Body, contacts: &Contacts) -> Self {
        let [friction, restitution] =
            material([body.friction, contacts.friction], [body.restitution, contacts.restitution]);
        let geometry = match !body.sensor && body.filter.meets(&contacts.filter) {
            true => Geometry::of_body(body),
            false => Geometry::Nothing,
        };
        Self { geometry, friction, restitution }
    }

    /// The radius of a ball; of all else zero (m).
    pub(super) fn ball(&self) -> f32 {
        match self.geometry {
            Geometry::Capsule { half, radius } if half.dot(half) == 0.0 => radius,
            _ => 0.0,
        }
    }
}

/// By how much a particle overlaps a body at most where the model begins (m).
fn deepest_overlap(
    bodies: &[SearchedBody],
    joined: &[[u32; 2]],
    contacts: &Contacts,
    context: &BuildContext,
) -> f64 {
    let members: Vec<u32> = contacts.members(context.positions.len()).collect();
    let (radius, mut deepest) = (F32x8::of(contacts.radius), F32x8::zero());
    for (k, (body, SearchedBody { geometry, .. })) in (0..).zip(context.bodies.iter().zip(bodies)) {
        let turn = body.principal();
        let turned = Quat::of(turn.to_array());
        let (turn, x) = (Quat::<F32x8>::of(turn.to_array()), body.position.map(|x| x as f32));
        let far = geometry.extent(turned).to_array().map(|e| e + contacts.radius as f32);
        for &i in members.iter().filter(|i| joined.binary_search(&[**i, k]).is_err()) {
            let from = [0, 1, 2].map(|k| context.positions[i as usize][k] - x[k]);
            if (0..3).all(|k| from[k].abs() < far[k]) {
                let y = turn.unrotate(Vec3::of(from.map(f64::from)));
                let Some((distance, _)) = geometry.surface8(y, radius) else { break };
                deepest = deepest.max(radius - distance);
            }
        }
    }
    f64::from(unpack(deepest)[0])
}

/// Who touches whom.
pub(super) struct ParticleSearch {
    pub(super) bodies: Vec<SearchedBody>,
    /// Particles and the bodies that joints or rows hold them to, sorted: they do not touch.
    pub(super) joined: Vec<[u32; 2]>,
    /// The particle at each slot: what is found comes in authored order, however particles are stored.
    authored: Vec<u32>,
    /// One for each particle that may touch, in eights to [bound](Self::bound).
    pub(super) member: Vec<F32x8>,
    /// The box around each eight of them and as far as they may go.
    bounds: Cells<[Point; 2]>,
    slots: usize,
    pub(super) radius: f64,
    /// By how much a particle overlaps a body at most where the model begins (m).
    pub(super) begun: f64,
    margin: f64,
    ahead: f64,
    chunks: Vec<Mutex<Vec<NearParticle>>>,
    /// Particles that touch, or may soon.
    pub(super) found: Vec<NearParticle>,
    pub(super) packets: Vec<ParticlePacket>,
    coloring: DynamicColoring,
    /// The packets of each color in the coloring's order, then each of the remainder by itself.
    pub(super) colors: Vec<Range<usize>>,
}

impl ParticleSearch {
    /// `ahead`: the time until the next search (s).
    pub(super) fn new(contacts: &Contacts, context: &BuildContext, ahead: f64) -> Self {
        let slots = context.permutation.slot_count();
        let mut member = vec![[0.0; WIDTH]; slots / WIDTH];
        for i in contacts.members(context.positions.len()) {
            let slot = context.permutation.storage(i) as usize;
            member[slot / WIDTH][slot % WIDTH] = 1.0;
        }
        let mut authored = vec![0; slots];
        for (i, &slot) in (0..).zip(context.permutation.as_slice()) {
            authored[slot as usize] = i;
        }
        let bodies = context.bodies.iter();
        let bodies: Vec<_> = bodies.map(|b| SearchedBody::new(b, contacts)).collect();
        let mut joined = context.joined[1].clone();
        joined.sort_unstable();
        let begun = deepest_overlap(&bodies, &joined, contacts, context);
        Self {
            chunks: bodies.iter().map(|_| Mutex::default()).collect(),
            coloring: DynamicColoring::new(slots + bodies.len() + SPARE),
            bodies,
            joined,
            authored,
            bounds: Cells::new(member.len(), [Vec3::zero(); 2]),
            member: member.into_iter().map(pack).collect(),
            slots,
            radius: contacts.radius,
            begun,
            margin: contacts.margin(),
            ahead,
            found: Vec::new(),
            packets: Vec::new(),
            colors: Vec::new(),
        }
    }

    /// Puts boxes around some eights of particles and as far as they may go in `steps` steps.
    pub(super) fn bound<E: OneLane>(
        &self,
        blocks: Range<usize>,
        steps: f32,
        particles: &ParticleView<E>,
    ) {
        let ahead = self.ahead * f64::from(steps);
        let [more, ahead] = [self.radius + self.margin, ahead].map(F32x8::of);
        let least_of = |v: F32x8| unpack(v).into_iter().fold(f32::INFINITY, f32::min);
        let most_of = |v: F32x8| unpack(v).into_iter().fold(f32::NEG_INFINITY, f32::max);
        let none = F32x8::of(f64::INFINITY);
        for block in blocks {
            let member = F32x8::zero().lt(self.member[block]);
            let [x, v] = particles.read_motion(block * WIDTH).map(Vec3::to_array);
            let further = [0, 1, 2].map(|k| more + v[k].abs() * ahead);
            let least = |k: usize| least_of(F32x8::select(member, x[k] - further[k], none));
            let most = |k: usize| most_of(F32x8::select(member, x[k] + further[k], -none));
            self.bounds
                .set(block, [Vec3::from([0, 1, 2].map(least)), Vec3::from([0, 1, 2].map(most))]);
        }
    }

    /// Finds the particles near some bodies.
    pub(super) fn search<E: OneLane>(
        &self,
        bodies: Range<usize>,
        contacts: &NarrowPhase,
        particles: &ParticleView<E>,
    ) {
        for body in bodies {
            let mut found = lock(&self.chunks[body]);
            found.clear();
            let state = &contacts.states.as_slice()[body];
            let ahead = self.ahead * f64::from(contacts.steps_ahead(body as u32));
            self.add_near(body, state, ahead, particles, &mut found);
            if !self.joined.is_empty() {
                let pair = |found: &NearParticle| [self.authored[found.slot as usize], body as u32];
                found.retain(|found| self.joined.binary_search(&pair(found)).is_err());
            }
            found.sort_unstable_by_key(|found| self.authored[found.slot as usize]);
        }
    }

    /// Packs and colors what was found.
    pub(super) fn collect(&mut self) {
        self.found.clear();
        self.packets.clear();
        let mut rows: Vec<[u32; WIDTH + 1]> = Vec::new();
        for (body, chunk) in self.chunks.iter_mut().enumerate() {
            let found = chunk.get_mut().expect("no worker panicked");
            for some in found.chunks(WIDTH) {
                let spare = self.slots + self.bodies.len();
                let slot = |lane: usize| match some.get(lane) {
                    Some(found) => found.slot,
                    None => (spare + (self.packets.len() * WIDTH + lane) % SPARE) as u32,
                };
                let mut row = [(self.slots + body) as u32; WIDTH + 1];
                row[..WIDTH].copy_from_slice(&each_lane(slot));
                rows.push(row);
                self.packets.push(ParticlePacket {
                    body: body as u32,
                    first: self.found.len() as u32,
                    live: some.len() as u32,
                });
                self.found.extend_from_slice(some);
            }
        }
        self.coloring.color(&rows);
        self.colors.clear();
        let mut first = 0;
        let remainder = self.coloring.remainder().chunks(1);
        for color in self.coloring.colors().chain(remainder) {
            self.colors.push(first..first + color.len());
            first += color.len();
        }
    }

    /// Adds the particles near a body, or that come near it in the time `ahead` (s).
    fn add_near<E: OneLane>(
        &self,
        body: usize,
        state: &InstanceState,
        ahead: f64,
        particles: &ParticleView<E>,
        found: &mut Vec<NearParticle>,
    ) {
        let geometry = &self.bodies[body].geometry;
        let InstanceState { x, q, v, spin } = *state;
        let far = (v.length() + spin * geometry.reach()) * ahead as f32;
        let e = geometry.extent(q) + Vec3::splat(far);
        let (low, high) = ((x - e).to_array(), (x + e).to_array());
        let turn = Quat::<F32x8>::of(q.to_array().map(f64::from));
        let [center, velocity] = [x, v].map(|v| v.to_f64().rounded::<F32x8>());
        let ahead = F32x8::of(ahead);
        let (spin, reach) = (F32x8::of(f64::from(spin)), F32x8::of(self.radius + self.margin));
        let more = (self.radius + self.margin) as f32;
        for (block, [least, most]) in self.bounds.as_slice().iter().enumerate() {
            let (least, most) = (least.to_array(), most.to_array());
            if (0..3).any(|k| !(least[k] < high[k] && low[k] < most[k])) {
                continue;
            }
            let [x, v] = particles.read_motion(block * WIDTH);
            let y = turn.unrotate(x - center);
            let speed = (v - velocity).length() + spin * (x - center).length();
            let within = reach + speed * ahead;
            let Some((distance, normal)) = geometry.surface8(y, within) else {
                return;
            };
            // Each particle's own box decides, not that of the eight it is stored with.
            let meets = |(x, v): (F32x8, F32x8), k: usize| {
                let further = F32x8::of(f64::from(more)) + v.abs() * ahead;
                let (low, high) = (F32x8::of(f64::from(low[k])), F32x8::of(f64::from(high[k])));
                (x - further).lt(high) & low.lt(x + further)
            };
            let axes = [(x.x, v.x), (x.y, v.y), (x.z, v.z)];
            let [a, b, c] = [0, 1, 2].map(|k| meets(axes[k], k));
            let near = distance.lt(within) & F32x8::zero().lt(self.member[block]) & a & b & c;
            let point = y - normal * distance;
            for lane in set_lanes(near) {
                found.push(NearParticle {
                    slot: (block * WIDTH + lane) as u32,
                    anchor: F32x8::vector_lane(point, lane),
                    normal: F32x8::vector_lane(normal, lane),
                });
            }
        }
    }

    /// The packet that comes i-th.
    pub(super) fn packet(&self, i: usize) -> ParticlePacket {
        self.packets[self.coloring.order()[i] as usize]
    }

    /// A lane's particle; lanes beyond the last repeat it.
    pub(super) fn near(&self, packet: &ParticlePacket, lane: usize) -> &NearParticle {
        &self.found[(packet.first + (lane as u32).min(packet.live - 1)) as usize]
    }

    /// The slot of a lane's particle.
    pub(super) fn slot(&self, packet: &ParticlePacket, lane: usize) -> u32 {
        self.near(packet, lane).slot
    }
}
