//! How dense a fluid lies in a state, in f64.

use super::authored::Fluid;
use super::kernel::Numbers;
use super::near::{Found, Search};
use super::sums::Density;
use super::walls::{Wall, beside};
use crate::collision::grid::Grid;
use crate::math::Vec3;
use crate::settings::Settings;
use crate::threads::Team;

/// Neighbors of every place, one list after another.
struct Neighbors {
    grid: Grid,
    reach: f64,
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
            lists: Vec::new(),
            ends: Vec::with_capacity(count),
        }
    }

    fn find(&mut self, points: &[[f32; 3]]) {
        Team::new(1).run(|worker| self.grid.build(worker, |i| points[i]));
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
