//! `taut bench --pictures`: the time of pictures, as the viewer draws them but without its window.

use super::output::{Failure, input, progress_bar, say};
use crate::bench::table;
use crate::render::Canvas;
use crate::runs::Run;
use crate::scenes;
use crate::viewer::{Cost, Viewer};
use std::time::Instant;

/// Columns and rows of the pictures: those of the viewer's window.
const SIZE: [usize; 2] = [1280, 720];
/// Simulated time between two pictures (s).
const APART: f64 = 1.0 / 30.0;
/// Pictures at the start that are not timed: memory is fetched then.
const WARM: usize = 3;

/// What the pictures of a run took.
struct Timed {
    run: Run,
    /// Of each picture (ms), the shortest first.
    draws: Vec<f64>,
    /// Of a picture and the steps before it, on average (ms).
    whole: f64,
    /// Simulated time by real time, at thirty pictures a second.
    pace: f64,
}

/// Draws each run, or each scene of the catalogue, for `seconds`, and says how long pictures took.
pub fn time_pictures(asked: &[Run], seconds: f64) -> Result<(), Failure> {
    let all = || scenes::all().map(|scene| scene.name.parse());
    let runs = match asked.is_empty() {
        true => all().collect::<Result<Vec<Run>, _>>().map_err(input)?,
        false => asked.to_vec(),
    };
    let bar = progress_bar(runs.len() as u64, "{bar:30} {pos}/{len} {msg}");
    let mut timed = Vec::new();
    for run in &runs {
        bar.set_message(run.to_string());
        timed.push(time(run, seconds)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let ms = |ms: f64| format!("{ms:.2}");
    say!(
        "{}",
        table(
            &timed,
            &[
                ("run", &|t| t.run.to_string()),
                ("pictures", &|t| t.draws.len().to_string()),
                ("best ms", &|t| ms(t.draws[0])),
                ("median", &|t| ms(t.draws[t.draws.len() / 2])),
                ("slowest", &|t| ms(t.draws[t.draws.len() - 1])),
                ("with steps", &|t| ms(t.whole)),
                ("x real time", &|t| ms(t.pace)),
            ],
        )
    )
}

/// Steps and draws a run as the viewer does.
fn time(run: &Run, seconds: f64) -> Result<Timed, Failure> {
    let mut viewer = Viewer::open(run).map_err(input)?;
    let mut canvas = Canvas::new(SIZE[0], SIZE[1]);
    let started = Instant::now();
    let mut now = || started.elapsed().as_secs_f64();
    let (mut cost, mut draws, mut begun) = (Cost::default(), Vec::new(), 0.0);
    while draws.len() <= WARM || now() < seconds {
        if draws.len() == WARM {
            begun = now();
        }
        viewer.keep_up(APART, &mut cost, &mut now);
        let before = now();
        viewer.draw(&mut canvas, cost);
        let ms = 1e3 * (now() - before);
        cost.draw = Cost::smoothed(cost.draw, ms);
        draws.push(ms);
    }
    let pace = viewer.simulation().time() / (APART * draws.len() as f64);
    draws.drain(..WARM);
    let whole = 1e3 * (now() - begun) / draws.len() as f64;
    draws.sort_unstable_by(f64::total_cmp);
    Ok(Timed { run: viewer.run().clone(), draws, whole, pace })
}
