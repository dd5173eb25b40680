//! Eight lanes or sixteen: whichever this machine is faster with.
//!
//! Registers of sixteen lanes are twice as wide, not always twice as fast: a Zen 4 computes them in halves, a Xeon divides and
//! takes roots no faster in them. So the width is measured, once in a process, on distance rows in the first-level cache.

use super::batch::{Batch, pack_rows};
use super::packing::Packing;
use super::row_set::RowSet;
use super::stiffness::{ResponseKind, Stiffness};
use crate::coloring::{Coloring, Permutation, RowList};
use crate::constraints::{Compliant, Distance};
use crate::math::SIXTEEN;
use crate::mesh::point;
use crate::settings::Settings;
use crate::state::{InitialParticles, ParticleView, Particles, PositionView};
use crate::threads::Team;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Rows measured: with their particles they take some 30 kB.
const ROWS: u32 = 512;
/// Sweeps in a measurement, some forty microseconds.
const SWEEPS: usize = 100;
/// Measurements of either width: over some milliseconds, as a busy neighbor on the same core slows sixteen lanes more than eight
/// (sixteen took 60 to 160 µs where eight took 86 to 88).
const REPEATS: usize = 32;
/// So often eight lanes must be found faster before they are taken: what disturbs a measurement slows sixteen.
const TRIES: usize = 3;

/// Whether rows should be projected sixteen at a time.
pub(super) fn is_sixteen(settings: &Settings) -> bool {
    static ROWS: Faster = Faster::unknown();
    SIXTEEN && ROWS.is_sixteen(settings, measure)
}

/// Of contacts of bodies; `rigid/contact/width.rs` measures them.
pub(crate) static CONTACTS: Faster = Faster::unknown();

/// Which width packets of one sort are faster with.
pub(crate) struct Faster(OnceLock<bool>);

impl Faster {
    /// Not measured yet.
    const fn unknown() -> Self {
        Self(OnceLock::new())
    }

    /// Whether it is sixteen lanes: as the settings say, or else as `measure` finds, once in a process.
    pub(crate) fn is_sixteen(&self, settings: &Settings, measure: fn() -> [Duration; 2]) -> bool {
        match settings.width {
            Some(width) => width == 16,
            None => *self.0.get_or_init(|| (0..TRIES).any(|_| is_faster(measure()))),
        }
    }
}

/// Whether the time of sixteen lanes, which comes second, is less than that of eight.
pub(super) fn is_faster([eight, sixteen]: [Duration; 2]) -> bool {
    sixteen < eight
}

/// Measures both widths in turns: the best time of each.
pub(super) fn measure() -> [Duration; 2] {
    let (batches, places) = rungs();
    let count = places.len();
    let start = InitialParticles {
        positions: &places,
        velocities: &vec![[0.0; 3]; count],
        inverse_masses: &vec![1.0; count],
    };
    let permutation = Permutation::identity(count);
    let mut particles = Particles::<f32>::new(&start, std::iter::empty(), permutation);
    let positions = PositionView::new(ParticleView::new(&mut particles), &mut [], &mut [], false);
    let sweep = |batch: &dyn Batch<f32>| {
        let units = batch.colors()[0].units();
        (0..SWEEPS).for_each(|_| batch.project(0, 0..units, false, &positions));
    };
    best_times([&|| sweep(&*batches[0]), &|| sweep(&*batches[1])])
}

/// The best time that each of two took, in turns.
pub(crate) fn best_times(acts: [&dyn Fn(); 2]) -> [Duration; 2] {
    let mut best = [Duration::MAX; 2];
    for _ in 0..REPEATS {
        for (act, best) in acts.iter().zip(&mut best) {
            let begin = Instant::now();
            act();
            *best = begin.elapsed().min(*best);
        }
    }
    best
}

/// The same rows for eight lanes and for sixteen.
type BothWidths = [Box<dyn Batch<f32>>; 2];

/// Rungs of one metre between two lines of particles, for eight lanes and for sixteen: all of them runs. And their particles.
pub(super) fn rungs() -> (BothWidths, Vec<[f32; 3]>) {
    let line = |z: f32| (0..ROWS).map(move |i| [i as f32, 0.0, z]);
    let places: Vec<[f32; 3]> = line(0.0).chain(line(1.0)).collect();
    let slots: Vec<[u32; 2]> = (0..ROWS).zip(ROWS..).map(|(a, b)| [a, b]).collect();
    let mut set: RowSet<Distance, 2, 1, 1> = RowSet::new(ResponseKind::Compliant);
    for &ends in &slots {
        let x = ends.map(|i| point(&places, i));
        let added = set.push(ends, x, [None], Stiffness::Compliance(1e-6));
        added.expect("a row of two points");
    }
    let list = RowList { particles: slots.as_flattened(), arity: 2 };
    let coloring = Coloring::verify(list, places.len(), vec![(0..ROWS).collect()]);
    let packing = Packing {
        coloring: &coloring.expect("rows that share nothing"),
        permutation: &Permutation::identity(places.len()),
        copies: None,
        structured: true,
        settings: &Settings::default(),
        team: &Team::alone(),
    };
    let pack = |sixteen| pack_rows::<Compliant, _, 2, 1, 1>(&set, &packing, sixteen);
    ([false, true].map(pack), places)
}
