//! The fluid in a scalar loop, one particle after another: the reference.

use super::Fluid;
use super::kernel::{Density, Eddy, Flow, Numbers, Push, Wall, along_walls, beside, walls};
use super::near::{Found, Search};
use crate::collision::grid::Grid;
use crate::coloring::Numbering;
use crate::constraints::Particle;
use crate::math::{Scalar, Vec3};
use crate::model::Model;
#[cfg(any())] // being rewritten over the width
use crate::rows::{Points, Store};
use crate::settings::Settings;
use crate::state::Particles;
#[cfg(any())] // being rewritten over the width
use crate::subsystem::{FlatPart, Moment};
use crate::threads::Team;

/// Neighbors of every place, one list after another.
struct Neighbors {
    grid: Grid,
    reach: f64,
    team: Team,
    lists: Vec<u32>,
    /// Where the list of each place ends.
    ends: Vec<usize>,
}

impl Neighbors {
    fn new(fluid: &Fluid) -> Self {
        let (count, reach) = (fluid.particles().len(), fluid.support());
        Self {
            grid: Grid::new(count, reach, 1),
            reach,
            team: Team::new(1),
            lists: Vec::new(),
            ends: Vec::with_capacity(count),
        }
    }

    fn find(&mut self, points: &[[f32; 3]]) {
        self.team
            .run(|worker| self.grid.build(worker, |i| points[i]));
        self.lists.clear();
        self.ends.clear();
        let mut search = Search::new(&self.grid, self.reach);
        let mut found = Found::default();
        for place in 0..points.len() {
            search.find(place, &mut found);
            self.lists.extend_from_slice(found.list());
            self.ends.push(self.lists.len());
        }
    }

    fn of(&self, place: usize) -> &[u32] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.lists[start..self.ends[place]]
    }
}

/// A fluid in a scalar loop; all columns are in the order of the grid's places.
pub(super) struct FlatFluid<R> {
    numbers: Numbers<R>,
    walls: Vec<Wall<R>>,
    corrects: bool,
    flows: bool,
    swirls: bool,
    /// Where each particle of the fluid is stored.
    members: Vec<u32>,
    hairs: Vec<[f32; 3]>,
    points: Vec<[f32; 3]>,
    near: Neighbors,
    /// A hair off where they are, while they are projected.
    sites: Vec<Particle<R>>,
    /// What the walls add to Σ s d.
    walled: Vec<Vec3<R>>,
    /// Multipliers of the iteration, and of all of the substep.
    last: Vec<R>,
    total: Vec<R>,
    velocities: Vec<Vec3<R>>,
    curls: Vec<Vec3<R>>,
    unit: f64,
}

impl<R: Scalar> FlatFluid<R> {
    pub(super) fn new(fluid: &Fluid, model: &Model, numbering: &Numbering) -> Self {
        let count = fluid.particles().len();
        let given = fluid.numbers();
        let nowhere = Particle {
            x: Vec3::zero(),
            w: R::zero(),
        };
        Self {
            numbers: Numbers::new(fluid, fluid.inverse_mass, &model.settings),
            walls: walls(model),
            corrects: given.s_corr > 0.0,
            flows: given.viscosity > 0.0 || given.vorticity > 0.0,
            swirls: given.vorticity > 0.0,
            members: fluid
                .particles()
                .iter()
                .map(|&i| numbering.storage(i))
                .collect(),
            hairs: fluid.particles().iter().map(|&i| fluid.hair(i)).collect(),
            points: vec![[0.0; 3]; count],
            near: Neighbors::new(fluid),
            sites: vec![nowhere; count],
            walled: vec![Vec3::zero(); count],
            last: vec![R::zero(); count],
            total: vec![R::zero(); count],
            velocities: vec![Vec3::zero(); count],
            curls: vec![Vec3::zero(); count],
            unit: fluid.unit_of_multipliers(),
        }
    }

    fn stored(&self, place: usize) -> u32 {
        self.members[self.near.grid.order()[place] as usize]
    }

    #[inline(never)] // a frame of its own in profiles
    fn find_multipliers(&mut self) {
        for i in 0..self.sites.len() {
            let Particle { x, w } = self.sites[i];
            let mut sum = Density::new();
            for &j in self.near.of(i) {
                let other = self.sites[j as usize];
                sum.add(&self.numbers, x - other.x, other.w);
            }
            let beside = beside(&self.walls, &self.numbers, x);
            let l = sum.multiplier(&self.numbers, &beside, w);
            self.walled[i] = beside.push;
            self.last[i] = l;
            self.total[i] = self.total[i] + l;
        }
    }

    #[inline(never)] // a frame of its own in profiles
    #[cfg(any())] // being rewritten over the width
    fn push<const CORRECT: bool>(&self, points: &Points<R>) {
        for i in 0..self.sites.len() {
            let (Particle { x, w }, l) = (self.sites[i], self.last[i]);
            let mut sum = Push::new();
            for &j in self.near.of(i) {
                let j = j as usize;
                sum.add::<CORRECT>(&self.numbers, x - self.sites[j].x, l + self.last[j]);
            }
            let near = |z| z < R::of(1.0);
            let sum = Push(along_walls(&self.walls, &self.numbers, x, sum.0, near));
            let stored = [self.stored(i)];
            let [Particle { x, .. }] = points.load(stored);
            let x = x + sum.finish(self.walled[i], l, w);
            points.store(stored, [Particle { x, w }]);
        }
    }
}

impl<R: Scalar> FlatFluid<R> {
    /// XSPH, and the vorticity where it is asked for.
    #[inline(never)] // a frame of its own in profiles
    fn flow<const SWIRL: bool>(&mut self, particles: &mut Particles<R>) {
        for i in 0..self.sites.len() {
            let (Particle { x, w }, v) = (self.sites[i], self.velocities[i]);
            let mut sum = Flow::new();
            for &j in self.near.of(i) {
                let other = self.sites[j as usize];
                let dv = self.velocities[j as usize] - v;
                sum.add::<SWIRL>(&self.numbers, x - other.x, dv, [w, other.w]);
            }
            self.curls[i] = sum.vorticity(&self.numbers);
            let v = v + sum.viscous(&self.numbers);
            let at = self.stored(i) as usize;
            particles.velocity.write(at, [v.x, v.y, v.z]);
        }
    }
}

#[cfg(any())] // being rewritten over the width
impl<R: Scalar> FlatPart<R> for FlatFluid<R> {
    fn begin(&mut self, _: Moment, _: &Particles<R>, points: &Points<R>) {
        for (point, &at) in self.points.iter_mut().zip(&self.members) {
            let [Particle { x, .. }] = points.load([at]);
            *point = [x.x, x.y, x.z].map(R::to_f32);
        }
        self.near.find(&self.points);
        self.total.fill(R::zero());
    }

    fn project(&mut self, points: &Points<R>) {
        for i in 0..self.sites.len() {
            let hair = self.hairs[self.near.grid.order()[i] as usize].map(|c| R::of(c.into()));
            let [Particle { x, w }] = points.load([self.stored(i)]);
            let x = x + Vec3::new(hair[0], hair[1], hair[2]);
            self.sites[i] = Particle { x, w };
        }
        self.find_multipliers();
        match self.corrects {
            true => self.push::<true>(points),
            false => self.push::<false>(points),
        }
    }

    fn respond(&mut self, particles: &mut Particles<R>) {
        if !self.flows {
            return;
        }
        let vector = |[x, y, z]: [R; 3]| Vec3::new(x, y, z);
        for i in 0..self.sites.len() {
            let at = self.stored(i) as usize;
            self.sites[i].x = vector(particles.position.read(at));
            self.velocities[i] = vector(particles.velocity.read(at));
        }
        if !self.swirls {
            return self.flow::<false>(particles);
        }
        self.flow::<true>(particles);
        let numbers = &self.numbers;
        for i in 0..self.sites.len() {
            let (x, curl) = (self.sites[i].x, self.curls[i]);
            let size = curl.length();
            let mut sum = Eddy::new();
            for &j in self.near.of(i) {
                let more = self.curls[j as usize].length() - size;
                sum.add(numbers, x - self.sites[j as usize].x, more);
            }
            let at = self.stored(i) as usize;
            let v = vector(particles.velocity.read(at));
            let swirled = v + sum.confine(numbers, curl);
            let v = Vec3::select(R::zero().lt(self.sites[i].w), swirled, v);
            particles.velocity.write(at, [v.x, v.y, v.z]);
        }
    }

    fn multipliers(&self) -> Vec<f32> {
        let mut out = vec![0.0; self.total.len()];
        for (l, &member) in self.total.iter().zip(self.near.grid.order()) {
            out[member as usize] = (self.unit * l.to_f64()) as f32;
        }
        out
    }
}

/// C and |∇C| (1/m) of every particle of a fluid, in f64.
pub(super) fn survey(fluid: &Fluid, walls: &[Wall<f64>], positions: &[[f32; 3]]) -> Vec<[f64; 2]> {
    let of = |&i: &u32| positions[i as usize];
    let points: Vec<[f32; 3]> = fluid.particles().iter().map(of).collect();
    let mut near = Neighbors::new(fluid);
    near.find(&points);
    let numbers = Numbers::<f64>::new(fluid, 0.0, &Settings::default());
    let point = |place: usize| Vec3::of(near.grid.point_at(place).map(f64::from));
    let mut out = vec![[0.0; 2]; points.len()];
    for (place, &member) in near.grid.order().iter().enumerate() {
        let mut sum = Density::new();
        for &j in near.of(place) {
            sum.add(&numbers, point(place) - point(j as usize), 1.0);
        }
        let beside = beside(walls, &numbers, point(place));
        let (c, square) = sum.constraint(&numbers, &beside, 1.0);
        out[member as usize] = [c, numbers.steepness() * square.sqrt()];
    }
    out
}
