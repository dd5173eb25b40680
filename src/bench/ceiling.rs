//! The limits of the machine, measured in the same run: the kernel's own rate on data that never leaves the first-level
//! cache, and the bandwidth of each level of memory.

use crate::constraints::{Compliant, Distance, Particle, Response, ResponseType, project};
use crate::math::{F32x8, F32x16, Real, SIXTEEN, Vec3, WIDTH};
use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// One core's ceilings: bytes a second are read and written, cache sizes are what the system says.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize, serde::Serialize)]
#[serde(default)]
pub struct Ceilings {
    /// Distance rows with compliance and stored multiplier, eight lanes, nothing to fetch.
    register_rows_per_second: f64,
    /// The same of sixteen lanes, where registers hold as many.
    #[serde(skip_serializing_if = "Option::is_none")]
    register_rows_per_second_16: Option<f64>,
    pub l2_bytes_per_second: f64,
    pub l3_bytes_per_second: f64,
    pub dram_bytes_per_second: f64,
    l2_bytes: usize,
    l3_bytes: usize,
}

impl fmt::Display for Ceilings {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let rows = self.register_rows_per_second / 1e6;
        let sixteen = self.register_rows_per_second_16;
        let sixteen = sixteen
            .map_or_else(String::new, |rate| format!(" ({:.0} sixteen at a time)", rate / 1e6));
        let (l2, l3) = (self.l2_bytes_per_second, self.l3_bytes_per_second);
        let [l2, l3, dram] = [l2, l3, self.dram_bytes_per_second].map(|bytes| bytes / 1e9);
        write!(
            f,
            "distance rows from registers {rows:.0} M/s{sixteen}; read + write in L2 {l2:.0} GB/s, L3 {l3:.0} GB/s, DRAM {dram:.0} GB/s"
        )
    }
}

/// The bound of a rung, and how near it comes.
#[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
pub struct Bound {
    /// "registers", "L2", "L3" or "DRAM".
    pub what: String,
    /// The rung's rate as a share of that ceiling, all threads together.
    pub share: f64,
}

/// A share below this says nothing: the time goes to what is no row.
const TELLING: f64 = 0.01;

impl Bound {
    /// Whether the share is large enough to bound anything.
    pub fn tells(&self) -> bool {
        self.share >= TELLING
    }
}

/// Most bytes to read and write: no third-level cache of which a few cores have their share keeps as many.
const MOST: usize = 256 << 20;
/// Each measurement lasts about this long.
const TIME: Duration = Duration::from_millis(60);

impl Ceilings {
    /// Measures them, in about a third of a second.
    pub fn measure() -> Self {
        let l2_bytes = cache_size(2).unwrap_or(1 << 20);
        let l3_bytes = cache_size(3).unwrap_or(32 << 20);
        Self {
            register_rows_per_second: register_rate::<F32x8>(WIDTH),
            register_rows_per_second_16: SIXTEEN.then(|| register_rate::<F32x16>(2 * WIDTH)),
            l2_bytes_per_second: bandwidth(l2_bytes / 2),
            l3_bytes_per_second: bandwidth((l3_bytes / 4).max(4 * l2_bytes)),
            dram_bytes_per_second: bandwidth((4 * l3_bytes).min(MOST)),
            l2_bytes,
            l3_bytes,
        }
    }

    /// Distance rows a second from registers, by the wider ones where they are faster.
    pub fn most_rows_per_second(&self) -> f64 {
        let eight = self.register_rows_per_second;
        self.register_rows_per_second_16.map_or(eight, |sixteen| sixteen.max(eight))
    }

    /// The bound of a run that makes `rate` projections a second on `threads` threads, `width` side by side, each moving
    /// `row_bytes`, all its data taking `working_set` bytes.
    pub fn bound(
        &self,
        rate: f64,
        (threads, width): (usize, usize),
        row_bytes: f64,
        working_set: usize,
    ) -> Bound {
        let levels = [
            ("L2", self.l2_bytes_per_second, self.l2_bytes * threads),
            ("L3", self.l3_bytes_per_second, self.l3_bytes),
            ("DRAM", self.dram_bytes_per_second, usize::MAX),
        ];
        let threads = threads as f64;
        let share = |bytes_per_second: f64| rate * row_bytes / (bytes_per_second * threads);
        // The level where the data fits; or a nearer one, if the rate exceeds that level's bandwidth: tiles stayed there.
        let fits = levels.iter().position(|(.., size)| working_set <= *size);
        let reached = levels[..=fits.unwrap_or(0)].iter().rev();
        let level = reached.clone().find(|(_, bandwidth, _)| share(*bandwidth) <= 1.0);
        let (what, bandwidth, _) = level.unwrap_or(&levels[0]);
        let moved = share(*bandwidth);
        let rows = match self.register_rows_per_second_16 {
            Some(sixteen) if width == 2 * WIDTH => sixteen,
            _ => self.register_rows_per_second,
        };
        let computed = rate / (rows * threads);
        match moved > computed {
            true => Bound { what: what.to_string(), share: moved },
            false => Bound { what: "registers".into(), share: computed },
        }
    }
}

/// The best of repeats of `work`, as what it counts per second.
fn best_rate(count: f64, mut work: impl FnMut()) -> f64 {
    work();
    let started = Instant::now();
    let mut best = f64::MAX;
    while started.elapsed() < TIME {
        let sample = Instant::now();
        work();
        best = best.min(sample.elapsed().as_secs_f64());
    }
    count / best
}

/// Packets side by side: enough that none waits for another.
const PACKETS: usize = 8;

fn register_rate<R: Real>(lanes: usize) -> f64 {
    let at = |i: usize| R::of(i as f64 * 0.08);
    let one = R::of(1.0);
    let site = |i: usize| Vec3::new(at(i), at(i + 1), one - at(i));
    let mut positions: [[_; 2]; PACKETS] = std::array::from_fn(|i| [site(i), site(i + 5)]);
    let mut lambda = [[R::zero()]; PACKETS];
    let response = <Compliant as ResponseType>::At::new([R::of(0.1), R::zero()]);
    let rest = [black_box(R::of(0.3))];
    const ROUNDS: usize = 20_000;
    best_rate((ROUNDS * PACKETS * lanes) as f64, || {
        for _ in 0..ROUNDS {
            for ([a, b], lambda) in positions.iter_mut().zip(&mut lambda) {
                // Sites of their own, as a row loads them: what they moved is not added up.
                let mut sites = [Particle::new(*a, one), Particle::new(*b, one)];
                let still = [Vec3::zero(); 2];
                project::<Distance, _, _, _, 2, 1, 1>(&mut sites, still, rest, response, lambda);
                [*a, *b] = [sites[0].x, sites[1].x];
            }
        }
        black_box(&mut positions);
    })
}

fn bandwidth(bytes: usize) -> f64 {
    let mut column = vec![F32x8::of(1.0); bytes / size_of::<F32x8>()];
    let by = black_box(F32x8::of(1e-6));
    let passes = ((8 << 20) / bytes).max(1);
    let moved = passes * column.len() * size_of::<F32x8>() * 2;
    best_rate(moved as f64, || {
        for _ in 0..passes {
            column.iter_mut().for_each(|v| *v += by);
            black_box(&mut column);
        }
    })
}

/// The size of a level's cache, where the system tells.
fn cache_size(level: usize) -> Option<usize> {
    let path = format!("/sys/devices/system/cpu/cpu0/cache/index{level}/size");
    let text = std::fs::read_to_string(path).ok()?;
    let kilobytes: usize = text.trim().strip_suffix('K')?.parse().ok()?;
    Some(kilobytes << 10)
}
