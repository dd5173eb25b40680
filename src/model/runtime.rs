//! What solvers are made from: slices of the model, and its particles in storage order.

use super::Model;
use crate::collision::{Collider, Contacts};
use crate::coloring::{Permutation, PlanInput, RowList, Span};
use crate::math::{FNV, Scalar, fnv};
use crate::mesh::sorted;
use crate::state::{Body, InitialParticles, Obstacle, Particles};
use crate::subsystem::BuildContext;
use std::fmt::{Arguments, Write};
use std::sync::Mutex;

/// FNV-1a, over words and texts.
struct Fingerprint(u64);

impl Fingerprint {
    fn words(&mut self, words: impl Iterator<Item = u32>) {
        self.0 = words.fold(self.0, fnv);
        // Where a list ends is part of it.
        self.0 = fnv(self.0, u64::MAX);
    }

    fn numbers(&mut self, numbers: &[f32]) {
        self.words(numbers.iter().map(|v| v.to_bits()));
    }

    fn text(&mut self, text: Arguments) {
        self.write_fmt(text).expect("a hash takes any text");
    }
}

impl Write for Fingerprint {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.words(text.bytes().map(u32::from));
        Ok(())
    }
}

impl Model {
    /// M of M / 3N (S1-12): equations of rows and subsystems; of contacts none, as the step alone knows them.
    pub fn equation_count(&self) -> usize {
        let rows: usize = self.sets.iter().map(|set| set.len() * set.equations()).sum();
        rows + self.subsystems().map(|subsystem| subsystem.equations()).sum::<usize>()
    }

    /// 3N of M / 3N: three for each particle that can move, six for each body.
    pub fn unknown_count(&self) -> usize {
        let particles = self.inverse_masses.iter().filter(|w| **w > 0.0).count();
        let bodies = self.bodies.iter().filter(|body| !body.fixed).count();
        3 * particles + 6 * bodies
    }

    /// What the model's coloring is planned from.
    pub(crate) fn plan_input(&self) -> PlanInput<'_> {
        let sets = self.sets.iter();
        PlanInput {
            particles: self.positions.len(),
            sets: sets.map(|set| (set.name(), set.row_list())).collect(),
            order: &self.order,
            layout: self.layout.as_ref(),
            // Copies lie behind all tiles, and rows of theirs would reach over all of them.
            is_followed: self.subsystems().next().is_some()
                || self.settings.hierarchy > 0
                || !self.tears.is_empty(),
            is_balanced: self.settings.balanced_colors,
        }
    }

    /// The rows of each set.
    pub(crate) fn row_lists(&self) -> Vec<RowList<'_>> {
        self.sets.iter().map(|set| set.row_list()).collect()
    }

    /// The rows of each set that holds particles to the world, not to each other.
    pub(crate) fn tied_row_lists(&self) -> Vec<RowList<'_>> {
        let tied = self.sets.iter().filter(|set| !set.is_internal());
        tied.map(|set| set.row_list()).collect()
    }

    /// What subsystems are made ready from, where particles lie as `permutation` says.
    pub(crate) fn context<'a>(
        &'a self,
        permutation: &'a Permutation,
        threads: usize,
    ) -> BuildContext<'a> {
        let joined = self.joined();
        let [tied, held] = self.tied_bodies();
        BuildContext {
            tied,
            linked: self.linked_bodies(&joined[0]),
            settings: &self.settings,
            positions: &self.positions,
            inverse_masses: &self.inverse_masses,
            bodies: &self.bodies,
            triangles: &self.triangles,
            joined,
            breaks: Mutex::default(),
            held: self.subsystems().flat_map(|s| s.held()).collect(),
            driven: self.subsystems().flat_map(|s| s.driven()).chain(held).collect(),
            walls: self.still_planes(),
            touched: self.touched_bodies(),
            obstacles: self.obstacles(),
            permutation,
            threads,
        }
    }

    /// Pairs that joints join: of bodies, and of a particle and a body.
    pub(crate) fn joined(&self) -> [Vec<[u32; 2]>; 2] {
        let mut all = <[Vec<_>; 2]>::default();
        for of_one in self.subsystems().map(|s| s.joined()) {
            all.iter_mut().zip(of_one).for_each(|(all, pairs)| all.extend(pairs));
        }
        all
    }

    /// The bodies that the world holds, and those that particles do.
    fn tied_bodies(&self) -> [Vec<u32>; 2] {
        let [mut tied, mut held] = <[Vec<_>; 2]>::default();
        for subsystem in self.subsystems() {
            subsystem.each_bond(&mut |particles, bodies, _| match (particles, bodies) {
                ([], [body]) => tied.push(*body),
                ([], _) => {}
                _ => held.extend(bodies),
            });
        }
        [tied, held]
    }

    /// Pairs of bodies of one bond that are not among those `joined`.
    fn linked_bodies(&self, joined: &[[u32; 2]]) -> Vec<[u32; 2]> {
        let mut joined: Vec<_> = joined.iter().copied().map(sorted).collect();
        joined.sort_unstable();
        let mut linked = Vec::new();
        for subsystem in self.subsystems() {
            subsystem.each_bond(&mut |_, bodies, _| {
                let pairs = bodies.windows(2).map(|pair| sorted([pair[0], pair[1]]));
                linked.extend(pairs.filter(|pair| joined.binary_search(pair).is_err()));
            });
        }
        linked
    }

    /// A number that models which are not the same seldom share: of all that is authored but settings, forces and looks.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hash = Fingerprint(FNV);
        hash.numbers(self.positions.as_flattened());
        hash.numbers(self.velocities.as_flattened());
        hash.numbers(&self.inverse_masses);
        for set in &self.sets {
            let list = set.row_list();
            hash.words(list.particles.iter().copied());
            hash.numbers(set.param_list());
            for list in set.stiffness_lists() {
                hash.words(list.iter().map(f32::to_bits));
            }
            hash.text(format_args!("{} {:?}", set.name(), set.response_kind()));
        }
        let span = |span: &Span| [span.set, span.rows.start, span.rows.end].map(|n| n as u32);
        hash.words(self.order.iter().flat_map(span));
        for body in &self.bodies {
            hash.text(format_args!("{body:?}"));
        }
        hash.words(self.triangles.as_flattened().iter().copied());
        hash.text(format_args!("{:?}", self.contacts));
        for tear in &self.tears {
            hash.text(format_args!("{tear:?}"));
        }
        for subsystem in self.subsystems() {
            hash.text(format_args!("{} ", subsystem.name()));
            subsystem.describe(&mut hash).expect("a hash takes any text");
        }
        hash.0
    }

    /// The colliders that are planes and stand still: a point and the normal of each.
    pub fn still_planes(&self) -> Vec<[[f64; 3]; 2]> {
        let colliders = self.contacts().into_iter().flat_map(Contacts::of_particles);
        colliders.filter_map(Collider::still_plane).collect()
    }

    /// What particles touch but bodies and planes that stand still.
    fn obstacles(&self) -> Vec<Obstacle> {
        let colliders = self.contacts().into_iter().flat_map(Contacts::of_particles);
        let others = colliders.filter(|collider| collider.still_plane().is_none());
        others.map(Collider::obstacle).collect()
    }

    /// The bodies that particles touch.
    fn touched_bodies(&self) -> Vec<u32> {
        let Some(contacts) = self.contacts() else {
            return Vec::new();
        };
        let touched =
            |(_, body): &(u32, &Body)| !body.sensor && body.filter.meets(&contacts.filter);
        (0..).zip(&self.bodies).filter(touched).map(|(i, _)| i).collect()
    }

    /// The particles and bodies as they start, stored as `permutation` says, with the forces on them.
    pub(crate) fn particles<R: Scalar>(&self, permutation: Permutation) -> Particles<R> {
        let start = InitialParticles {
            positions: &self.positions,
            velocities: &self.velocities,
            inverse_masses: &self.inverse_masses,
        };
        let mut particles =
            Particles::new(&start, self.bodies.iter().map(Body::initial), permutation);
        self.forces.apply(&self.into(), &self.settings, &mut particles);
        if self.is_carried() {
            particles.carry();
        }
        particles
    }
}
