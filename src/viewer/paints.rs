//! The color of every particle: of its body, of water, of loose grains.

use crate::coloring::RowList;
use crate::groups::Fluid;
use crate::model::Model;
use crate::render::Bounds;
use crate::render::color::{distinct, mix};
use crate::scenes::WATER;
use crate::state::Snapshot;

/// Color of water that is as fast as if it had fallen from the highest to the lowest point of the picture.
const FOAM: u32 = 0xF4_F8FB;
/// Color of grains that lie among bodies or in water.
const SAND: u32 = 0xC4_A265;
/// Checks along a side of a sheet.
const CHECKS: usize = 8;
/// Water is foam from this share of that speed on.
const SMOOTH: f32 = 0.45;

/// The colors of a model's particles.
pub(super) struct Paints {
    /// Of each particle.
    pub colors: Vec<u32>,
    /// The particles of fluids, and the radius that they are drawn with (m).
    pub water: Vec<u32>,
    pub water_radius: f32,
    /// Of `water`, what is no part of a body: it foams.
    free: Vec<u32>,
}

/// The checks of a sheet, which show how it stretches: eight by eight of those that it has at rest.
struct Checks {
    bounds: Bounds,
    sides: [usize; 2],
}

impl Checks {
    /// Nothing for what is not flat, and for sheets of too few particles.
    fn of(positions: &[[f32; 3]], body: &[u32]) -> Option<Self> {
        let bounds = Bounds::of(body.iter().map(|&i| &positions[i as usize]))?;
        let size = |k: usize| bounds.most[k] - bounds.least[k];
        let mut axes = [0, 1, 2];
        axes.sort_unstable_by(|&a, &b| size(b).total_cmp(&size(a)));
        let [u, v, thin] = axes;
        let is_sheet = size(thin) < 0.02 * size(v) && size(v) > 0.2 * size(u);
        (is_sheet && body.len() > 4 * CHECKS * CHECKS).then_some(Self { bounds, sides: [u, v] })
    }

    fn is_pale(&self, at: [f32; 3]) -> bool {
        let Bounds { least, most } = self.bounds;
        let check = |k: usize| {
            let share = (at[k] - least[k]) / (most[k] - least[k]);
            (share * CHECKS as f32) as usize
        };
        let [u, v] = self.sides.map(check);
        (u + v) % 2 == 1
    }
}

/// The color of every other check.
fn pale(color: u32) -> u32 {
    mix(color, 0xFF_FFFF, 0.3)
}

impl Paints {
    /// `base` is the color of the first body, and of loose particles where there is nothing else.
    pub fn of(model: &Model, base: u32) -> Self {
        // What has torn is one body still.
        let tears = model.tears().iter().flat_map(|tear| tear.corners.concat());
        let (corners, copies) = (tears.collect::<Vec<_>>(), model.copies().collect::<Vec<_>>());
        let torn = [
            RowList { particles: &corners, arity: 3 },
            RowList { particles: copies.as_flattened(), arity: 2 },
        ];
        let bodies = model.components(&torn);
        let water: Vec<u32> =
            model.subsystems_of::<Fluid>().flat_map(Fluid::particles).copied().collect();
        let mut colors: Vec<Option<u32>> = vec![None; model.positions().len()];
        for (n, body) in bodies.iter().enumerate() {
            let color = if n == 0 { base } else { distinct(n) };
            let checks = Checks::of(model.positions(), body);
            let paint = |i: u32| match &checks {
                Some(checks) if checks.is_pale(model.positions()[i as usize]) => pale(color),
                _ => color,
            };
            body.iter().for_each(|&i| colors[i as usize] = Some(paint(i)));
        }
        // What is pinned belongs to no body: it takes the color of what it holds.
        let mut spread = |joined: &[u32]| {
            let color = joined.iter().find_map(|&i| colors[i as usize]);
            joined.iter().for_each(|&i| colors[i as usize] = colors[i as usize].or(color));
        };
        model.each_joined(&mut spread);
        torn.iter().flat_map(|list| list.rows()).for_each(spread);
        let is_free = |i: &u32| colors[*i as usize].is_none();
        let free: Vec<u32> = water.iter().copied().filter(is_free).collect();
        free.iter().for_each(|&i| colors[i as usize] = Some(WATER));
        let loose = if bodies.is_empty() && water.is_empty() { base } else { SAND };
        // Five shades, so that grains are told apart.
        let grain = |i: usize| mix(loose, 0xFF_FFFF, (i * 7 % 5) as f32 * 0.12);
        let colors = colors.into_iter().enumerate();
        let radius = model.subsystems_of::<Fluid>().map(|fluid| fluid.numbers().radius as f32);
        Self {
            colors: colors.map(|(i, color)| color.unwrap_or_else(|| grain(i))).collect(),
            water_radius: radius.fold(0.0, f32::max),
            water,
            free,
        }
    }

    /// The colors in a state of a picture `height` high (m): fast water is foam.
    pub fn in_state(&self, state: &Snapshot, height: f32) -> Vec<u32> {
        let mut colors = self.colors.clone();
        let full = (2.0 * 9.81 * height).sqrt();
        for &i in &self.free {
            let [x, y, z] = state.velocities[i as usize];
            let share = (x * x + y * y + z * z).sqrt() / full;
            let foam = ((share - SMOOTH) / (1.0 - SMOOTH)).clamp(0.0, 1.0);
            colors[i as usize] = mix(WATER, FOAM, foam);
        }
        colors
    }
}
