//! Finding contacts between particles, the same for every form of the solver: grid, search, colors.

use super::Contacts;
use super::cloth::{Cloth, Found};
use super::grid::Grid;
use super::near::NearPairs;
use crate::coloring::DynamicColoring;
use crate::coloring::Permutation;
use crate::subsystem::SubsystemStatistics;
use crate::threads::Team;
use crate::timers::Timers;

const GRID: usize = 0;
const SEARCH: usize = 1;
const COLOR: usize = 2;
/// Packing, and what else a form does before the iterations.
pub(super) const PACK: usize = 3;
/// The velocity pass.
pub(super) const RESPOND: usize = 4;
const PHASES: [&str; 5] = ["grid", "search", "color", "pack", "respond"];

/// Who may touch whom.
pub(super) struct Finder {
    /// The places of the particles that touch as balls, in authored order.
    places: Vec<u32>,
    balls: Option<(Grid, NearPairs)>,
    /// The least distance of two balls' centers, and that within which they are found (m).
    pub(super) diameter: f32,
    reach: f32,
    /// Places of all particles.
    count: u32,
    cloths: Vec<Cloth>,
    /// Positions at the start of the substep by place, where cloths ask for them.
    previous: Vec<[f32; 4]>,
    pub(super) pair_colors: DynamicColoring,
    pub(super) faces: Found<4, 1>,
    pub(super) crossings: Found<4, 4>,
    pub(super) timers: Timers,
}

impl Finder {
    pub(super) fn new(
        contacts: &Contacts,
        positions: &[[f32; 3]],
        permutation: &Permutation,
        threads: usize,
    ) -> Self {
        let places: Vec<u32> = contacts
            .members(positions.len())
            .map(|i| permutation.storage(i))
            .collect();
        let count = permutation.places();
        let margin = contacts.margin();
        let reach = 2.0 * contacts.radius + margin;
        let mut rest = vec![[0.0; 4]; count];
        for (x, &place) in positions.iter().zip(permutation.as_slice()) {
            rest[place as usize] = record(*x);
        }
        let cloths = contacts.cloths.iter().map(|cloth| {
            let stored = |t: &[u32; 3]| t.map(|i| permutation.storage(i));
            let triangles = cloth.triangles.iter().map(stored).collect();
            Cloth::new(triangles, rest.clone(), cloth.thickness, margin, threads)
        });
        let balls = contacts.pairs && contacts.radius > 0.0;
        Self {
            balls: balls.then(|| {
                let grid = Grid::new(places.len(), reach, threads);
                (grid, NearPairs::default())
            }),
            diameter: (2.0 * contacts.radius) as f32,
            reach: reach as f32,
            count: count as u32,
            cloths: cloths.collect(),
            previous: Vec::new(),
            places,
            pair_colors: DynamicColoring::new(if balls { count } else { 0 }),
            faces: Found::new(if contacts.cloths.is_empty() { 0 } else { count }),
            crossings: Found::new(if contacts.cloths.is_empty() { 0 } else { count }),
            timers: Timers::new(PHASES.map(String::from)),
        }
    }

    /// Finds and colors all contacts between particles that are now at `x` and were at `previous`.
    pub(super) fn find(
        &mut self,
        team: &Team,
        x: impl Fn(u32) -> [f32; 3] + Sync,
        previous: impl Fn(u32) -> [f32; 3] + Sync,
    ) {
        self.timers.start();
        let places = &self.places;
        if let Some((grid, _)) = &mut self.balls {
            team.run(|worker| grid.build(worker, |i| x(places[i])));
        }
        if !self.cloths.is_empty() {
            self.previous.clear();
            self.previous
                .extend((0..self.count).map(previous).map(record));
        }
        for cloth in &mut self.cloths {
            cloth.sort(team, &self.previous);
        }
        self.timers.lap(GRID);
        if let Some((grid, near)) = &mut self.balls {
            let places = |a: u32, b: u32| Some([a, b].map(|i| places[i as usize]));
            near.find(team, grid, self.reach, places);
        }
        self.faces.clear();
        self.crossings.clear();
        for cloth in &mut self.cloths {
            cloth.find(team, &self.previous, &mut self.faces, &mut self.crossings);
        }
        self.timers.lap(SEARCH);
        if let Some((_, near)) = &self.balls {
            self.pair_colors.color(near.pairs());
        }
        self.faces.coloring.color(&self.faces.rows);
        self.crossings.coloring.color(&self.crossings.rows);
        self.timers.lap(COLOR);
    }

    /// The pairs of balls found.
    pub(super) fn pairs(&self) -> &[[u32; 2]] {
        self.balls.as_ref().map_or(&[], |(_, near)| near.pairs())
    }

    /// What was found, and what it took.
    pub(super) fn statistics(&self) -> SubsystemStatistics {
        let colorings = [
            &self.pair_colors,
            &self.faces.coloring,
            &self.crossings.coloring,
        ];
        let colors = colorings.iter().map(|c| c.colors().count()).sum();
        let remainder = colorings.iter().map(|c| c.remainder().len()).sum();
        SubsystemStatistics {
            counts: vec![
                ("pairs", self.pairs().len()),
                ("faces", self.faces.rows.len()),
                ("crossings", self.crossings.rows.len()),
                ("colors", colors),
                ("remainder", remainder),
            ],
            times: self.timers.phases().to_vec(),
        }
    }
}

/// A point as lanes load it.
fn record([x, y, z]: [f32; 3]) -> [f32; 4] {
    [x, y, z, 0.0]
}
