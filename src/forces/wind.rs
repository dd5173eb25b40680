//! Wind and the resistance of air on surfaces.
//!
//! ```text
//! F = c A |u| u n,  u = (wind - v)·n        c: drag (kg/m³), A n: a vertex's third of the area vectors around it (m²)
//! v <- v + n (u - a·n) β / (1 + β),  β = h w c A |u|             a: what gravity and forces are about to add (m/s)
//! ```
//!
//! The force of moving air on a plate across it: half the air's density times the plate's drag coefficient is c, about 0.6
//! kg/m³. The step is implicit in u, so that no wind, however strong, blows a light vertex beyond its own speed: with a it is
//! u' = (u - a·n) / (1 + β), so a plate that falls ends at the speed at which c A u² = m g, whatever h, and what hangs still feels no
//! air. (Without a it ended faster by g h/2.) Only what is drawn as a surface meets air. Computed in f64 and rounded once, vertices with as
//! many triangles side by side; every vertex writes its own velocity and reads positions alone, so they may be shared out to any
//! number of threads.

use crate::math::{Real, Vec3, WIDTH, each_lane};
use crate::mesh::corners;
use crate::state::{Column3, ParticleView, Width};
use crate::subsystem::BuildContext;
use std::ops::Range;

/// Vertices of a surface side by side, by their slots; behind the last one it is repeated.
struct Block {
    count: usize,
    slots: [u32; WIDTH],
    inverse_masses: [f32; WIDTH],
    /// Its range of `Wind::sides`.
    rings: Range<usize>,
}

/// Surfaces in the wind.
pub struct Wind {
    wind: Vec3<f64>,
    /// h c.
    factor: f64,
    /// h g, where no forces act beside gravity (m/s).
    gravity_step: [f64; 3],
    blocks: Vec<Block>,
    /// The two other corners of a triangle at each vertex of a block; the vertex itself where it has fewer.
    sides: Vec<[[u32; WIDTH]; 2]>,
}

impl Wind {
    /// Nothing where the settings have no wind and no drag, or no surface is there.
    pub fn new(context: &BuildContext) -> Option<Self> {
        let drag = context.settings.air_drag();
        if drag == 0.0 {
            return None;
        }
        let mut corners = corners(context.triangles);
        corners.retain(|(i, _)| context.inverse_masses[*i as usize] > 0.0);
        let mut vertices: Vec<_> = corners.chunk_by(|a, b| a.0 == b.0).collect();
        vertices.sort_by_key(|ring| ring.len());
        let slot = |i: u32| context.permutation.storage(i);
        let (mut blocks, mut sides) = (Vec::new(), Vec::new());
        for some in vertices.chunks(WIDTH) {
            let ring = |lane: usize| some[lane.min(some.len() - 1)];
            let vertex = |lane: usize| ring(lane)[0].0;
            let first = sides.len();
            sides.extend((0..ring(WIDTH).len()).map(|k| {
                [0, 1].map(|end| {
                    let other = |lane: usize| ring(lane).get(k).map(|(_, pair)| pair[end]);
                    each_lane(|lane| slot(other(lane).unwrap_or_else(|| vertex(lane))))
                })
            }));
            blocks.push(Block {
                count: some.len(),
                slots: each_lane(|lane| slot(vertex(lane))),
                inverse_masses: each_lane(|lane| context.inverse_masses[vertex(lane) as usize]),
                rings: first..sides.len(),
            });
        }
        let (settings, h) = (context.settings, context.settings.h());
        Some(Self {
            wind: Vec3::of(settings.wind),
            factor: h * drag,
            gravity_step: settings.gravity.map(|g| h * g),
            blocks,
            sides,
        })
    }

    /// Blocks of vertices that meet the air.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Blows at a range of the blocks.
    pub fn blow<W: Width>(&self, range: Range<usize>, state: &ParticleView<W::Element>) {
        for block in &self.blocks[range] {
            for first in (0..block.count).step_by(W::LANES) {
                self.blow_at::<W>(block, first, state);
            }
        }
    }

    /// Blows at as many vertices as there are lanes, from `first` on.
    #[inline(always)]
    fn blow_at<W: Width>(&self, block: &Block, first: usize, state: &ParticleView<W::Element>) {
        let at = slots::<W>(&block.slots, first);
        let position = |of| W::double_vector(state.gather(Column3::Position, of));
        let (zero, one) = (W::Double::zero(), W::Double::of(1.0));
        let (x, before) = (position(at), state.gather(Column3::Velocity, at));
        let v = W::double_vector(before);
        let mut area = Vec3::zero();
        for [j, k] in &self.sides[block.rings.clone()] {
            let [j, k] = [slots::<W>(j, first), slots::<W>(k, first)];
            area += (position(j) - x).cross(position(k) - x);
        }
        // A third of each triangle, half of each product; the normal is area / size.
        let size = area.length();
        let normal = area * (one / size);
        let speed = (Vec3::of(self.wind.to_array()) - v).dot(normal);
        let w = W::singles(|lane| block.inverse_masses[first + lane]).double();
        let beta = W::Double::of(self.factor) * w * speed.abs() * size / W::Double::of(6.0);
        let coming = W::double_vector(self.velocity_step::<W>(at, state)).dot(normal);
        let gained = normal * ((speed - coming) * beta / (one + beta));
        let v = v + Vec3::select(zero.lt(size), gained, Vec3::zero());
        let after = W::from_double_vector(v);
        // Held by its pin or in the hand, it keeps its velocity.
        let moves = W::zero().lt(state.inverse_masses(at));
        state.scatter(Column3::Velocity, at, Vec3::select(moves, after, before));
    }
}

impl Wind {
    /// What prediction adds to velocities.
    #[inline(always)]
    fn velocity_step<W: Width>(&self, at: W::Slots, state: &ParticleView<W::Element>) -> Vec3<W> {
        let Some(steps) = state.velocity_steps() else { return Vec3::of(self.gravity_step) };
        let along = |k: usize| W::collect(|lane| steps.get(W::slot(at, lane) as usize)[k]);
        Vec3::new(along(0), along(1), along(2))
    }
}

/// As many slots as there are lanes, from `first` on.
#[inline(always)]
fn slots<W: Width>(of: &[u32; WIDTH], first: usize) -> W::Slots {
    W::slots(|lane| of[first + lane])
}
