//! Shape matching as a part: small clusters a lane each, large ones member by member.

#[cfg(any())] // being rewritten over the width
use super::clusters::{FlatClusters, Given, LaneClusters, MOST, flat_clusters, lane_clusters};
use super::flow::spread;
#[cfg(any())] // being rewritten over the width
use super::lane_members::LaneGroups;
use super::levels::levels_of;
#[cfg(any())] // being rewritten over the width
use super::members::{FlatGroups, Group, Member, Pose};
#[cfg(any())] // being rewritten over the width
use super::rings::Slots;
use super::rotation::{Matrix, times};
use super::shape::{KIND, Shapes};
use super::{Hold, hold};
use crate::coloring::Permutation;
use crate::math::{F32x8, Real, Scalar, Vec3, WIDTH, pack};
use crate::model::Model;
use crate::rows::Residual;
use crate::settings::Settings;
use crate::state::Particles;
use crate::state::Snapshot;
use crate::state::Width;
use crate::subsystem::{BuildContext, Runtime, Subsystem, runtimes};
use crate::threads::{Team, Worker};
use std::ops::Range;

/// A member of a large cluster, or eight.
#[cfg(any())] // being rewritten over the width
struct Offset<I, R> {
    slot: I,
    rest: Vec3<R>,
    weight: R,
    mass: R,
}

#[cfg(any())] // being rewritten over the width
impl<I: Slots, R: Real> Member<I, R> for Offset<I, R> {
    const POSED: bool = true;

    fn slot(&self) -> I {
        self.slot
    }

    #[inline(always)]
    fn moments(&self, u: Vec3<R>) -> [R; 12] {
        let (v, r) = (u * self.weight, self.rest);
        let (a, b, c) = (v * r.x, v * r.y, v * r.z);
        [v.x, v.y, v.z, a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z]
    }

    #[inline(always)]
    fn gradient(
        &self,
        u: Vec3<R>,
        _: Vec3<R>,
        pose: &Pose<R>,
        _: &impl Store<I, R>,
    ) -> (Vec3<R>, R) {
        let goal = times(&pose.turn, self.rest) + pose.center;
        ((u - goal) * self.mass, R::zero())
    }

    /// C = sqrt(Σ m |x - goal|²) = Σ w |g|² / C.
    fn constraint(weight: R, _: R, _: R) -> (R, R) {
        let c = weight.sqrt();
        (c, c)
    }

    fn spread(&self) -> [R; 6] {
        spread(self.rest, self.weight)
    }

    fn flow(&mut self, by: &Matrix<R>) {
        self.rest = times(by, self.rest);
    }
}

#[cfg(any())] // being rewritten over the width
impl Shapes {
    /// A cluster as the lists of small clusters take it.
    fn given(&self, which: u32, permutation: &Permutation, settings: &Settings) -> Given {
        let cluster = &self.clusters[which as usize];
        let range = cluster.first..cluster.first + cluster.count;
        let place = |&i: &u32| permutation.storage(i);
        Given {
            authored: which as usize,
            slots: self.particles[range.clone()].iter().map(place).collect(),
            members: self.members[range].to_vec(),
            mass: cluster.mass,
            hold: hold(cluster.strength, settings),
            plastic: cluster
                .plastic
                .map(|p| [p.strain, (p.creep * settings.h()).min(1.0)]),
        }
    }

    fn is_small(&self, which: u32) -> bool {
        self.clusters[which as usize].count <= MOST
    }
}

#[cfg(any())] // being rewritten over the width
fn group<R: Scalar>(given: &Given) -> Group<R> {
    Group {
        hold: Hold::new(given.hold),
        damped: given.hold[1] > 0.0,
        target: R::zero(),
        plastic: given.plastic.map(|p| p.map(R::of)),
        authored: given.authored,
    }
}

#[cfg(any())] // being rewritten over the width
fn offsets<R: Scalar>(given: &Given) -> Vec<Offset<u32, R>> {
    let members = given.slots.iter().zip(&given.members);
    let offset = |(&slot, m): (&u32, &[f32; 4])| {
        let [x, y, z, weight] = m.map(f64::from);
        Offset {
            slot,
            rest: Vec3::of([x, y, z]),
            weight: R::of(weight),
            mass: R::of(weight * given.mass),
        }
    };
    members.map(offset).collect()
}

#[cfg(any())] // being rewritten over the width
fn eight(offsets: &[Offset<u32, f32>]) -> Offset<[u32; WIDTH], F32x8> {
    let wide =
        |of: fn(&Offset<u32, f32>) -> f32| pack(std::array::from_fn(|lane| of(&offsets[lane])));
    Offset {
        slot: std::array::from_fn(|lane| offsets[lane].slot),
        rest: Vec3::new(wide(|o| o.rest.x), wide(|o| o.rest.y), wide(|o| o.rest.z)),
        weight: wide(|o| o.weight),
        mass: wide(|o| o.mass),
    }
}

/// Clusters of one size that follow each other in the authored order; size zero stands for all large ones.
#[cfg(any())] // being rewritten over the width
struct Run {
    size: usize,
    which: Range<usize>,
}

#[cfg(any())] // being rewritten over the width
struct Flat<R: Scalar> {
    small: Vec<Box<dyn FlatClusters<R>>>,
    large: FlatGroups<R, Offset<u32, R>>,
    order: Vec<Run>,
    count: usize,
}

#[cfg(any())] // being rewritten over the width
struct Lanes {
    small: Vec<Box<dyn LaneClusters>>,
    large: LaneGroups<Offset<[u32; WIDTH], F32x8>, Offset<u32, f32>>,
    levels: usize,
    count: usize,
}

impl Subsystem for Shapes {
    fn name(&self) -> &'static str {
        KIND
    }

    fn len(&self) -> usize {
        self.clusters.len()
    }

    runtimes!();

    fn add_residual(
        &self,
        state: &Snapshot,
        lambda: &[f32],
        settings: &Settings,
        sum: &mut Residual,
    ) {
        self.residual(state, lambda, settings, sum);
    }

    fn elastic_energy(&self, state: &Snapshot, settings: &Settings) -> f64 {
        self.energy(state, settings)
    }
}

impl Shapes {
    fn runtime<W: Width>(&self, _context: &BuildContext) -> Box<dyn Runtime<W>> {
        todo!("being rewritten over the width")
    }
}
