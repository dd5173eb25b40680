//! Times a scene of taut beside the same bodies and joints in rapier3d: ms a step, and how far joints open and bodies
//! overlap, by one yardstick for both.
//!
//! ```text
//! cargo run --release -- [--frames N] [--rounds N] [--set key=value] [SCENE[:SIZE]..]      default: mobile net:100
//! cargo run --release --no-default-features -- ..                                          rapier built for one thread
//! ```
//!
//! Every round builds each engine anew and steps it through the same frames; the best round counts. Gap and overlap are the
//! largest of all frames, looked at between the timed steps of the first round. `--set` changes taut's settings only.

mod peer;
mod yardstick;

use peer::{Peer, Tuning};
use std::error::Error;
use std::time::Instant;
use taut::run::Run;
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
    best: f64,
    gap: f64,
    overlap: f64,
    hash: String,
}

fn rung(name: impl Into<String>, threads: usize, start: Start) -> Rung {
    Rung {
        name: name.into(),
        threads,
        start,
        best: f64::INFINITY,
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

fn measure(name: &str, frames: usize, rounds: usize, set: &[String]) -> Result<(), Box<dyn Error>> {
    let run: Run = name.parse()?;
    let model = run.load(&[])?.model;
    let mut yardstick = Yardstick::new(&model)?;
    let tree = peer::is_tree(&model);
    let mut rungs = rungs(set);
    rungs.retain(|rung| tree || rung.name != Tuning::Reduced.name());
    for round in 0..rounds {
        for rung in &mut rungs {
            let mut engine = (rung.start)(&run)?;
            let mut spent = 0.0;
            for _ in 0..frames {
                let start = Instant::now();
                engine.step();
                spent += start.elapsed().as_secs_f64();
                if round == 0 {
                    let poses = engine.poses();
                    rung.gap = rung.gap.max(yardstick.gap(&poses));
                    rung.overlap = rung.overlap.max(yardstick.overlap(&poses));
                }
            }
            rung.hash = engine.hash();
            rung.best = rung.best.min(spent / frames as f64);
        }
    }
    println!(
        "\n{name}: {} bodies, {} joints, {frames} frames of {:.4} s, best of {rounds} rounds\n",
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
            rung.best * 1e3,
            rung.gap,
            rung.overlap,
            rung.hash
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut frames, mut rounds, mut names) = (300, 5, Vec::new());
    let mut set = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || -> Result<usize, Box<dyn Error>> {
            Ok(words.next().ok_or("a number is missing")?.parse()?)
        };
        match word.as_str() {
            "--frames" => frames = number()?,
            "--rounds" => rounds = number()?,
            "--set" => set.push(words.next().ok_or("key=value is missing")?),
            _ => names.push(word),
        }
    }
    if names.is_empty() {
        names = vec!["mobile".into(), "net:100".into()];
    }
    for name in names {
        measure(&name, frames, rounds, &set)?;
    }
    Ok(())
}
