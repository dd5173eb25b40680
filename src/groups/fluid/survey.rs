//! How dense a fluid lies in a state, in f64.

use super::authored::Fluid;
use super::kernel::Numbers;
use super::mirrors::Mirrors;
use super::neighbor_search::Search;
use super::sums::{Density, Neighbor};
use super::walls::Wall;
use crate::collision::candidates::Candidates;
use crate::collision::grid::Grid;
use crate::math::Vec3;
use crate::settings::Settings;
use crate::threads::Team;

/// C and |∇C| (1/m) of every particle of a fluid, in f64.
pub(super) fn survey(fluid: &Fluid, walls: &[Wall<f64>], positions: &[[f32; 3]]) -> Vec<[f64; 2]> {
    let points: Vec<_> = fluid.particles().iter().map(|&i| positions[i as usize]).collect();
    let grid = Grid::new(points.len(), fluid.support(), 1);
    Team::alone().run(|worker| grid.build(worker, |i| points[i]));
    let numbers = Numbers::<f64>::new(fluid, 0.0, &Settings::default());
    let point = |slot: usize| Vec3::of(grid.point_at(slot).map(f64::from));
    let (mut search, mut found) = (Search::new(&grid, fluid.support()), Candidates::default());
    let mut out = vec![[0.0; 2]; points.len()];
    for (slot, &member) in grid.order().iter().enumerate() {
        search.find(slot, &mut found);
        let (mut sum, x) = (Density::new(), point(slot));
        let near = |other| Neighbor::new(&numbers, x - other, 1.0);
        let others = found.list().iter().map(|&j| point(j as usize));
        others.clone().for_each(|other| sum.add(near(other), None));
        if let Some(mut mirrors) = Mirrors::beside(walls, &numbers, x) {
            for other in others.chain([x]) {
                mirrors.each_image::<true>(&numbers, near(other), other, |near, image| {
                    sum.add(near, image);
                });
            }
        }
        let (c, square) = sum.constraint(&numbers, [0.0; 2], 1.0);
        out[member as usize] = [c, numbers.steepness * numbers.inverse * square.sqrt()];
    }
    out
}
