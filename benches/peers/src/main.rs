//! Times a scene of taut beside the same bodies and joints in rapier3d: ms a step, and how far joints open and bodies
//! overlap, by one yardstick for both.
//!
//! ```text
//! cargo run --release -- [--frames N] [--rounds N] [--set key=value] [--only TEXT] [SCENE[:SIZE]..]
//! cargo run --release --no-default-features -- ..                       rapier built for one thread
//! ```
//!
//! Without a scene: mobile and net:100. `--only` keeps the engines whose name holds one of the texts given.
//!
//! Every round builds each engine anew and steps it through the same frames; of every frame the fastest round counts, and the
//! mean of those is printed, so that what else the machine does is left out. Gap and overlap are the
//! largest of all frames, looked at between the timed steps of the first round. `--set` changes taut's settings only.

mod peer;
mod yardstick;

use peer::{Peer, Tuning};
use std::error::Error;
use std::time::Instant;
use taut::runs::Run;
use taut::{Method, Simulation};
use yardstick::Yardstick;

/// What steps a scene.
trait Engine {
    fn step(&mut self);
    /// Position (m) and orientation x y z w of every body.
    fn poses(&self) -> Vec<[f32; 7]>;
    /// The state's hash, where the engine is taut.
    fn hash(&self) -> String {
        String::new()
    }
}

impl Engine for Simulation {
    fn step(&mut self) {
        Simulation::step(self);
    }
    fn poses(&self) -> Vec<[f32; 7]> {
        self.bodies()
    }
    fn hash(&self) -> String {
        format!("{:016x}", self.observe().hash)
    }
}

/// Makes an engine ready at a scene's start.
type Start = Box<dyn Fn(&Run) -> Result<Box<dyn Engine>, Box<dyn Error>>>;

/// One line of the table.
struct Rung {
    name: String,
    threads: usize,
    start: Start,
    /// The fastest round of every frame (s).
    best: Vec<f64>,
    gap: f64,
    overlap: f64,
    hash: String,
}

impl Rung {
    fn label(&self) -> String {
        format!("{} @{}", self.name, self.threads)
    }
}

fn rung(name: impl Into<String>, threads: usize, start: Start) -> Rung {
    Rung {
        name: name.into(),
        threads,
        start,
        best: Vec::new(),
        gap: 0.0,
        overlap: 0.0,
        hash: String::new(),
    }
}

fn ours(method: Method, threads: usize, set: &[String]) -> Rung {
    let set = set.to_vec();
    let start: Start = Box::new(move |run| {
        let pairs: Vec<_> = set.iter().filter_map(|word| word.split_once('=')).collect();
        let model = run.load(&pairs)?.model;
        Ok(Box::new(Simulation::new(model, method, threads)?))
    });
    rung(format!("taut {}", method.name()), threads, start)
}

fn theirs(tuning: Tuning, threads: usize) -> Rung {
    let start: Start = Box::new(move |run| {
        let model = run.load(&[])?.model;
        Ok(Box::new(Peer::new(&model, tuning, threads)?))
    });
    rung(tuning.name(), threads, start)
}

fn rungs(set: &[String]) -> Vec<Rung> {
    let threads = if cfg!(feature = "parallel") { 2 } else { 1 };
    let mut rungs = vec![
        ours(Method::Scalar, 1, set),
        ours(Method::Lanes, 1, set),
        ours(Method::Lanes, 2, set),
    ];
    for iterations in [4, 8, 16, 32] {
        for threads in 1..=threads {
            rungs.push(theirs(Tuning::Iterations(iterations), threads));
        }
    }
    rungs.push(theirs(Tuning::Warm(4), 1));
    rungs.push(theirs(Tuning::Reduced, 1));
    rungs
}

/// How much is measured.
struct Extent {
    frames: usize,
    rounds: usize,
    /// taut's settings.
    set: Vec<String>,
    /// Engines by parts of their names; none: all.
    only: Vec<String>,
}

fn measure(name: &str, extent: &Extent) -> Result<(), Box<dyn Error>> {
    let &Extent { frames, rounds, .. } = extent;
    let run: Run = name.parse()?;
    let model = run.load(&[])?.model;
    let mut yardstick = Yardstick::new(&model)?;
    let tree = peer::is_tree(&model);
    let mut rungs = rungs(&extent.set);
    rungs.retain(|rung| tree || rung.name != Tuning::Reduced.name());
    let asked = |rung: &Rung| extent.only.iter().any(|part| rung.label().contains(part));
    rungs.retain(|rung| extent.only.is_empty() || asked(rung));
    for round in 0..rounds {
        for rung in &mut rungs {
            let mut engine = (rung.start)(&run)?;
            rung.best.resize(frames, f64::INFINITY);
            for frame in 0..frames {
                let start = Instant::now();
                engine.step();
                let spent = start.elapsed().as_secs_f64();
                rung.best[frame] = rung.best[frame].min(spent);
                if round == 0 {
                    let poses = engine.poses();
                    rung.gap = rung.gap.max(yardstick.gap(&poses));
                    rung.overlap = rung.overlap.max(yardstick.overlap(&poses));
                }
            }
            rung.hash = engine.hash();
        }
    }
    println!(
        "\n{name}: {} bodies, {} joints, {frames} frames of {:.4} s, best of {rounds} rounds, frame by frame\n",
        model.bodies().len(),
        peer::joints(&model).len(),
        model.settings.dt
    );
    println!("| engine | threads | ms/step | largest gap (m) | deepest overlap (m) | hash |");
    println!("|---|---|---|---|---|---|");
    for rung in &rungs {
        println!(
            "| {} | {} | {:.4} | {:.1e} | {:.1e} | {} |",
            rung.name,
            rung.threads,
            1e3 * rung.best.iter().sum::<f64>() / frames as f64,
            rung.gap,
            rung.overlap,
            rung.hash
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut names = Vec::new();
    let mut extent = Extent { frames: 300, rounds: 5, set: Vec::new(), only: Vec::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || -> Result<usize, Box<dyn Error>> {
            Ok(words.next().ok_or("a number is missing")?.parse()?)
        };
        match word.as_str() {
            "--frames" => extent.frames = number()?,
            "--rounds" => extent.rounds = number()?,
            "--set" => extent.set.push(words.next().ok_or("key=value is missing")?),
            "--only" => extent.only.push(words.next().ok_or("a name is missing")?),
            _ => names.push(word),
        }
    }
    if names.is_empty() {
        names = vec!["mobile".into(), "net:100".into()];
    }
    for name in names {
        measure(&name, &extent)?;
    }
    Ok(())
}
