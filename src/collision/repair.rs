//! Cloths that start tangled are pulled apart: found in every substep where edges pass through triangles, displaced
//! (`untangle.rs`), and left without the contacts that would hold them where they are wrong.
//!
//! Particles are displaced together with where they come from, by [`SPEED`] h at most, so that no velocity comes of it. A repair
//! ends when nothing has been tangled for [`WATCH`]; from then on the cloth is as any other. What is carried from frame to frame is
//! for how many substeps more it is watched.

use super::cloth::Cloth;
use super::cloth_graph::ClothGraph;
use super::contours::Crossing;
use super::tangle::{MOST_OF_AN_EDGE, TriangleGrid};
use super::untangle::Untangling;
use crate::error::CheckpointError;
use crate::math::{Real, Scalar, Vec3, exponential};
use crate::state::{Column3, Saved, Width, Words};
use crate::subsystem::{BuildContext, StepContext};
use crate::threads::{Phased, Worker, lock};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// How fast sheets are displaced against each other (m/s), and by how much of the thickness in a substep.
const SPEED: f64 = 0.75;
const MOST: f64 = 0.25;
/// In what time velocities within a sheet that is pushed fall to 1/e (s): rows that a push has stretched give speed.
const CALM: f64 = 0.01;
/// For how long a cloth is watched that is tangled no more (s).
const WATCH: f64 = 0.25;
/// Triangles that one edge is found to pass through.
const MOST_PASSED: usize = 32;
/// Edges asked at a time by one worker.
const CHUNK: usize = 256;

/// What is carried from frame to frame.
const SECTION: &str = "tangled";

/// A cloth that starts tangled.
struct Repair {
    /// Its place among the cloths of the model.
    entry: u32,
    graph: Arc<ClothGraph>,
    /// How far a corner goes in a substep at most (m).
    most: f64,
    /// What of a velocity is taken in a substep where sheets are pushed.
    calms: f64,
    /// Substeps that it is watched for, and for how many more; of one that is done, none.
    watch: u32,
    left: AtomicU32,
    substep: Phased<Substep>,
    /// Pairs of an edge and a triangle, chunk by chunk of edges.
    found: Vec<Mutex<Vec<[u32; 2]>>>,
}

/// What is known of a cloth in a substep.
#[derive(Default)]
struct Substep {
    /// Where corners were when it began (m).
    positions: Vec<[f32; 3]>,
    /// Of corners; zero where one cannot move (kg).
    masses: Vec<f64>,
    near: Option<TriangleGrid>,
    untangling: Untangling,
}

/// All cloths of a model that start tangled and are to be repaired.
pub(super) struct Repairs(Vec<Repair>);

impl Repairs {
    pub(super) fn new(cloths: &[Cloth], context: &BuildContext) -> Self {
        let h = context.settings.h();
        let repair = |(cloth, entry): (&Cloth, u32)| {
            Some(Repair::new(entry, cloth.graph.as_ref()?, cloth.thickness, h))
        };
        Self(cloths.iter().zip(0..).filter_map(repair).collect())
    }

    /// Displaces what is tangled, all workers together.
    pub(super) fn place<W: Width>(&self, worker: &Worker, step: &StepContext<W::Element>) {
        if self.0.is_empty() {
            return;
        }
        let active: Vec<_> = self.0.iter().filter(|repair| repair.is_active()).collect();
        // Only when all have asked.
        worker.meet();
        active.into_iter().for_each(|repair| repair.place::<W>(worker, step));
    }

    /// Slows what the pushes of this substep made of other velocities, all workers together.
    pub(super) fn respond<W: Width>(&self, worker: &Worker, step: &StepContext<W::Element>) {
        for repair in self.0.iter().filter(|repair| repair.is_active()) {
            worker.single(|| repair.calm::<W>(step));
        }
    }

    /// Keeps the contacts that do not hold tangled sheets where they are wrong; the first `side` slots of each are of one sheet.
    pub(super) fn keep_right<const N: usize, const P: usize>(
        &self,
        side: usize,
        rows: &mut Vec<[u32; N]>,
        params: &mut Vec<[f32; P]>,
    ) {
        for repair in self.0.iter().filter(|repair| repair.is_active()) {
            let Substep { untangling, .. } = &*repair.substep.read();
            let marks = |slot: u32| match repair.graph.corners[slot as usize] {
                u32::MAX => &[],
                corner => untangling.marks.get(corner as usize).map_or(&[][..], Vec::as_slice),
            };
            let is_wrong = |row: &[u32; N]| {
                let (first, second) = row.split_at(side);
                let mut of_first = first.iter().flat_map(|&slot| marks(slot));
                of_first.any(|mark| {
                    second.iter().any(|&slot| marks(slot).binary_search(&(mark ^ 1)).is_ok())
                })
            };
            let kept: Vec<bool> = rows.iter().map(|row| !is_wrong(row)).collect();
            let mut keep = kept.iter();
            rows.retain(|_| keep.next() == Some(&true));
            let mut keep = kept.iter();
            params.retain(|_| keep.next() == Some(&true));
        }
    }

    /// Whether any cloth is tangled, or was a moment ago.
    pub(super) fn is_active(&self) -> bool {
        self.0.iter().any(Repair::is_active)
    }

    pub(super) fn save(&self) -> Saved {
        let (mut saved, mut words) = (Saved::default(), Words::default());
        for repair in self.0.iter().filter(|repair| repair.is_active()) {
            words.put(repair.entry);
            words.put(repair.left.load(Ordering::Relaxed));
        }
        saved.put(SECTION, words);
        saved
    }

    pub(super) fn load(&self, from: &Saved) -> Result<(), CheckpointError> {
        let mut section = from.section(SECTION);
        self.0.iter().for_each(|repair| repair.left.store(0, Ordering::Relaxed));
        while !section.is_empty() {
            let [entry, left] = section.words()?;
            let mut repairs = self.0.iter();
            let repair = repairs.find(|repair| repair.entry == entry);
            section.check(repair.is_some())?;
            repair.into_iter().for_each(|repair| repair.left.store(left, Ordering::Relaxed));
        }
        section.end()
    }
}

impl Repair {
    fn new(entry: u32, graph: &Arc<ClothGraph>, thickness: f64, h: f64) -> Self {
        let watch = ((WATCH / h).ceil() as u32).max(1);
        let chunks = graph.edges.len().div_ceil(CHUNK);
        Self {
            entry,
            graph: graph.clone(),
            most: (SPEED * h).min(MOST * thickness),
            calms: 1.0 - exponential(-h / CALM),
            watch,
            left: AtomicU32::new(watch),
            substep: Phased::default(),
            found: std::iter::repeat_with(Mutex::default).take(chunks).collect(),
        }
    }

    fn is_active(&self) -> bool {
        self.left.load(Ordering::Relaxed) > 0
    }

    fn place<W: Width>(&self, worker: &Worker, step: &StepContext<W::Element>) {
        worker.single(|| self.look::<W>(step));
        worker.parallel_uneven(|| self.found.len(), |range| range.for_each(|k| self.find(k)));
        worker.single(|| self.untangle::<W>(step));
        let blocks = step.particles.len() / W::LANES;
        worker.parallel_for(blocks, |range| {
            let Substep { untangling, .. } = &*self.substep.read();
            for first in range.map(|block| block * W::LANES) {
                self.shift::<W>(first, untangling, step);
            }
        });
    }

    /// Takes up where corners are.
    fn look<W: Width>(&self, step: &StepContext<W::Element>) {
        let now = |&slot: &u32| {
            let x = step.particles.read::<W::Element>(Column3::Previous, slot as usize);
            x.to_array().map(Scalar::to_f32)
        };
        let Substep { positions, near, .. } = &mut *self.substep.write();
        *positions = self.graph.slots.iter().map(now).collect();
        *near = TriangleGrid::new(positions, &self.graph.triangles, &self.graph.edges);
    }

    /// Finds what the edges of a chunk pass through.
    fn find(&self, chunk: usize) {
        let Substep { positions, near, .. } = &*self.substep.read();
        let (mut found, first) = (self.chunk(chunk), chunk * CHUNK);
        found.clear();
        let Some(near) = near else { return };
        let edges = &self.graph.edges[first..self.graph.edges.len().min(first + CHUNK)];
        for (&edge, k) in edges.iter().zip(first as u32..) {
            let (begin, mut left) = (found.len(), MOST_OF_AN_EDGE);
            near.passed(positions, &self.graph.triangles, edge, &mut left, |triangle| {
                if found.len() - begin < MOST_PASSED {
                    found.push([k, triangle]);
                }
            });
            // Not in the order in which the grid has them.
            found[begin..].sort_unstable();
        }
    }

    /// Finds how corners are to go.
    fn untangle<W: Width>(&self, step: &StepContext<W::Element>) {
        let mass = |&slot: &u32| {
            let w = step.particles.inverse_mass::<W::Element>(slot as usize).to_f64();
            if w > 0.0 { 1.0 / w } else { 0.0 }
        };
        let mut substep = self.substep.write();
        substep.masses = self.graph.slots.iter().map(mass).collect();
        let mut crossings = Vec::new();
        for chunk in 0..self.found.len() {
            let found = self.chunk(chunk);
            let crossing = |&pair| Crossing::new(&self.graph, &substep.positions, pair);
            crossings.extend(found.iter().map(crossing));
        }
        substep.untangling = Untangling::new(&self.graph, &crossings, &substep.masses);
        let left = self.left.load(Ordering::Relaxed);
        let left = if crossings.is_empty() { left - 1 } else { self.watch };
        self.left.store(left, Ordering::Relaxed);
    }

    /// Displaces consecutive particles.
    fn shift<W: Width>(&self, first: usize, by: &Untangling, step: &StepContext<W::Element>) {
        let corners = &self.graph.corners[first..first + W::LANES];
        let way = |lane: usize| match corners[lane] {
            u32::MAX => Vec3::zero(),
            corner => by.shifts[corner as usize] * self.most,
        };
        if (0..W::LANES).all(|lane| way(lane).length() <= 0.0) {
            return;
        }
        let along = |axis: usize| {
            W::collect(|lane| W::Element::of(f64::from(way(lane).to_array()[axis] as f32)))
        };
        step.positions.shift::<W>(first, Vec3::new(along(0), along(1), along(2)));
    }

    /// v <- v - c w (v - Σ m w v / Σ m w) of each side of each push: its momentum stays.
    fn calm<W: Width>(&self, step: &StepContext<W::Element>) {
        let Substep { untangling, masses, .. } = &*self.substep.read();
        for side in &untangling.moved {
            let read = |corner: u32| {
                let slot = self.graph.slots[corner as usize] as usize;
                let v = step.particles.read::<W::Element>(Column3::Velocity, slot);
                (slot, Vec3::from(v.to_array().map(Scalar::to_f64)))
            };
            let (mut mean, mut sum) = (Vec3::zero(), 0.0);
            for &(corner, w) in side {
                let m = w * masses[corner as usize];
                (mean, sum) = (mean + read(corner).1 * m, sum + m);
            }
            let mean = mean * (1.0 / sum);
            for &(corner, w) in side.iter().filter(|(corner, _)| masses[*corner as usize] > 0.0) {
                let (slot, v) = read(corner);
                let v = v - (v - mean) * (self.calms * w);
                step.particles.write::<W::Element>(Column3::Velocity, slot, Vec3::of(v.to_array()));
            }
        }
    }

    fn chunk(&self, chunk: usize) -> MutexGuard<'_, Vec<[u32; 2]>> {
        lock(&self.found[chunk])
    }
}
