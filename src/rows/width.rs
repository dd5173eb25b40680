//! Eight lanes or sixteen: whichever this machine is faster with.
//!
//! Registers of sixteen lanes are twice as wide, not always twice as fast: a Zen 4 computes them in halves, a Xeon divides and
//! takes roots no faster in them. So the width is measured, once in a process, on distance rows in the first-level cache.

use super::batch::pack_rows;
use super::packing::Packing;
use super::row_set::RowSet;
use super::stiffness::{ResponseKind, Stiffness};
use crate::coloring::{Coloring, Permutation, RowList};
use crate::constraints::{Compliant, Distance};
use crate::math::{SIXTEEN, Vec3};
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

/// Whether rows should be projected sixteen at a time.
pub(super) fn is_sixteen(settings: &Settings) -> bool {
    static FASTER: OnceLock<bool> = OnceLock::new();
    SIXTEEN
        && match settings.width {
            Some(width) => width == 16,
            None => *FASTER.get_or_init(is_sixteen_faster),
        }
}

/// Measures both widths in turns, and compares the best of each.
fn is_sixteen_faster() -> bool {
    let x = |i: u32| Vec3::new(f64::from(i % ROWS), f64::from(i / ROWS), 0.0);
    let mut set: RowSet<Distance, 2, 1, 1> = RowSet::new(ResponseKind::Compliant);
    let ends = |row: u32| [row, row + ROWS];
    for row in 0..ROWS {
        let added = set.push(ends(row), ends(row).map(x), [None], Stiffness::Compliance(1e-6));
        added.expect("a row of two points");
    }
    let colors = vec![(0..ROWS).collect()];
    let slots: Vec<[u32; 2]> = (0..ROWS).map(ends).collect();
    let count = 2 * ROWS as usize;
    let list = RowList { particles: slots.as_flattened(), arity: 2 };
    let coloring = Coloring::verify(list, count, colors).expect("rows that share nothing");
    let (permutation, settings, team) =
        (&Permutation::identity(count), &Settings::default(), &Team::alone());
    let packing = Packing {
        coloring: &coloring,
        permutation,
        copies: None,
        structured: true,
        settings,
        team,
    };
    let batches =
        [false, true].map(|sixteen| pack_rows::<Compliant, _, 2, 1, 1>(&set, &packing, sixteen));
    let positions: Vec<[f32; 3]> =
        (0..2 * ROWS).map(|i| x(i).to_array().map(|v| v as f32)).collect();
    let start = InitialParticles {
        positions: &positions,
        velocities: &vec![[0.0; 3]; count],
        inverse_masses: &vec![1.0; count],
    };
    let mut particles = Particles::<f32>::new(&start, std::iter::empty(), permutation.clone());
    let positions = PositionView::new(ParticleView::new(&mut particles), &mut [], &mut [], false);
    let mut best = [Duration::MAX; 2];
    for _ in 0..REPEATS {
        for (batch, best) in batches.iter().zip(&mut best) {
            let units = batch.colors()[0].units();
            let begin = Instant::now();
            for _ in 0..SWEEPS {
                batch.project(0, 0..units, false, &positions);
            }
            *best = begin.elapsed().min(*best);
        }
    }
    let [eight, sixteen] = best;
    sixteen < eight
}
