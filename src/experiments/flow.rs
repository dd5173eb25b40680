//! Particles that fall onto each other (S1-35).
//!
//! What differs is the friction: a contact holds by at most µ λ, and few iterations find little of λ below a load. The heap
//! then flows apart, the more so the fewer they are. Substeps carry λ upwards once each, so that they come nearer to a heap
//! that no longer depends on the iterations; where a tolerance ends them, their limit has no say at all.

use super::prelude::*;
use crate::observe::hash;
use crate::scenes::{Scene, mean_height};

#[rustfmt::skip]
pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "free-flow", ids: &["S1-35"], run: flow,
        about: "free-flowing particles fall onto each other, by three numbers of iterations, of substeps, and by a tolerance" },
];

/// Balls of each heap. How one falls is chance, so that heights are means over all.
const HEAPS: [usize; 3] = [196, 200, 204];
const FRAMES: usize = 120;
const ITERATIONS: [u32; 3] = [2, 8, 32];
const SUBSTEPS: [u32; 3] = [1, 4, 16];

/// The mean height of balls and of water over time (m), and the hash of the end.
struct Fall {
    balls: Vec<(f64, f64)>,
    water: f64,
    hash: u64,
}

fn fall(substeps: u32, iterations: u32, tolerance: f64) -> Result<Fall, ModelError> {
    let scene = Scene::find("limits-flow")?;
    let heap = |count: usize| {
        let mut model = scene.model(Some(count))?;
        let settings = &mut model.settings;
        (settings.substeps, settings.iterations) = (substeps, iterations);
        settings.tolerance = tolerance;
        Simulation::new(model, Method::Lanes, 1)
    };
    let mut heaps = HEAPS.into_iter().map(heap).collect::<Result<Vec<_>, _>>()?;
    let mut balls = Vec::new();
    let (mut water, mut x) = (0.0, Vec::new());
    for _ in 0..FRAMES {
        (water, x) = (0.0, Vec::new());
        let mut height = 0.0;
        for (heap, count) in heaps.iter_mut().zip(HEAPS) {
            heap.step();
            let positions = heap.positions();
            height += mean_height(&positions[..count]) / HEAPS.len() as f64;
            water += mean_height(&positions[count..]) / HEAPS.len() as f64;
            x.extend(positions);
        }
        balls.push((heaps[0].time(), height));
    }
    Ok(Fall { balls, water, hash: hash(&x, &[]) })
}

fn spread(heights: &[f64]) -> f64 {
    let most = heights.iter().fold(f64::MIN, |a, b| a.max(*b));
    most - heights.iter().fold(f64::MAX, |a, b| a.min(*b))
}

/// What nine falls have come to (m).
#[derive(Default)]
struct Heights {
    /// How far the balls are apart by 2, 8 and 32 iterations, against the substeps.
    all: Vec<(f64, f64)>,
    /// The same by 8 and 32.
    many: Vec<(f64, f64)>,
    /// Where the water lies.
    water: Vec<f64>,
}

fn heights(figure: &mut Figure) -> Result<Heights, ModelError> {
    let mut heights = Heights::default();
    for substeps in SUBSTEPS {
        let mut ends = Vec::new();
        for iterations in ITERATIONS {
            let fall = fall(substeps, iterations, 0.0)?;
            ends.push(fall.balls[FRAMES - 1].1);
            heights.water.push(fall.water);
            if substeps != SUBSTEPS[1] {
                figure.line(format!("{substeps} x {iterations}"), fall.balls);
            }
        }
        heights.all.push((f64::from(substeps), spread(&ends)));
        heights.many.push((f64::from(substeps), spread(&ends[1..])));
    }
    Ok(heights)
}

fn flow() -> Outcome {
    let mut report = Report::default();
    let settings = "limits-flow:196..204, balls of 2 cm radius, µ = 0.3, 2 s of 1/60 s; substeps x iterations; lanes";
    let title = "Balls fall onto each other: how high they lie depends on the iterations (S1-35)";
    let axes = ["time [s]", "mean height of the balls [m]"];
    let mut height = Figure::new("", title, axes, [false; 2]).under(settings);
    let Heights { all, many, water } = heights(&mut height)?;
    let mm = |v: f64| 1e3 * v;
    let ends = |of: &[(f64, f64)]| [of[0].1, of[of.len() - 1].1];
    let ([one, _], [before, after]) = (ends(&all), ends(&many));
    report.claim(
        one > 0.03,
        format!("by one substep the heights are {:.0} mm apart (more than 30)", mm(one)),
    );
    report.claim(
        after < 0.3 * before,
        format!(
            "8 and 32 iterations: {:.0} mm by one substep, {:.0} by 16 (three tenths of that)",
            mm(before),
            mm(after)
        ),
    );
    let water = spread(&water);
    report.claim(
        water < 1e-3,
        format!("water beside them lies equally high by all nine, within {:.2} mm (1)", mm(water)),
    );
    let title = "How far the heights after 2 s are apart, by substeps";
    let axes = ["substeps", "largest less least height [m]"];
    let mut apart = Figure::new("spread", title, axes, [true; 2]).under(settings);
    apart.line("2, 8, 32 iterations", all);
    apart.line("8, 32 iterations", many);
    // Enough for all that the tolerance asks for.
    let mut hashes = Vec::new();
    for most in [100, 200, 400] {
        let fall = fall(16, most, 1e-4)?;
        hashes.push(fall.hash);
        if most == 100 {
            height.line("16 x tolerance 0.1 mm", fall.balls);
        }
    }
    let same = hashes.iter().all(|hash| *hash == hashes[0]);
    report.claim(
        same,
        "by a tolerance of 0.1 mm the same bits, whether 100, 200 or 400 iterations are allowed",
    );
    report.figures.extend([height, apart]);
    Ok(report)
}
