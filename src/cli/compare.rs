//! `taut compare`.

use super::interrupt::Interrupt;
use super::output::{Failure, input, progress_bar, say};
use super::page::Page;
use super::settings::whole;
use crate::bench::{Convergence, converge, simulate, variants};
use crate::files::create_folder;
use crate::runs::Run;
use crate::solvers::Method;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct CompareArgs {
    /// The scene: a name with its size, or a file
    #[arg(value_name = "SCENE")]
    scene: String,
    /// The methods to compare; left out: all
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    methods: Vec<String>,
    /// Frames to simulate
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = whole::<usize>, allow_negative_numbers = true)]
    frames: usize,
    /// Folder of the tables and pictures
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// What a frame of a run takes in memory: its figures, its line in the table, its points in the pictures (bytes).
const FRAME_BYTES: f64 = 700.0;
/// The most memory that all frames may take (GB).
const MOST_GIGABYTES: f64 = 4.0;

pub fn compare(args: &CompareArgs) -> Result<(), Failure> {
    Interrupt::end_at_once();
    let mut run: Run = args.scene.parse().map_err(input)?;
    if run.method.is_some() || run.threads.is_some() {
        let what = "is a scene alone: --methods says which methods are compared";
        return Err(input(format!("{run}: what is compared {what}")));
    }
    run.read().map_err(input)?;
    let scene = run.scene();
    let named = args.methods.iter().map(|name| Method::parse(name));
    let mut methods: Vec<Method> = named.collect::<Result<_, _>>().map_err(input)?;
    let model = scene.load(&[]).map_err(input)?.model;
    if methods.is_empty() {
        methods.extend(Method::ALL);
    }
    create_folder(&args.out).map_err(input)?;
    let variants = variants(&model, &methods);
    let gigabytes = FRAME_BYTES * variants.len() as f64 * args.frames as f64 / 1e9;
    if gigabytes > MOST_GIGABYTES {
        return Err(input(format!(
            "--frames {}: {} runs of so many frames take {gigabytes:.1} GB to compare; at most {MOST_GIGABYTES} GB",
            args.frames,
            variants.len(),
        )));
    }
    let mut converging = Convergence::variants();
    converging.retain(|variant| methods.contains(&variant.method));
    let all = (variants.len() + converging.len()) as u64;
    let bar = progress_bar(all, "{bar:30} {pos}/{len} {msg}");
    let (mut runs, mut convergences) = (Vec::new(), Vec::new());
    for variant in &variants {
        bar.set_message(variant.name());
        runs.push(simulate(&scene, variant, args.frames).map_err(input)?);
        bar.inc(1);
    }
    for variant in &converging {
        bar.set_message(variant.name());
        convergences.push(converge(&scene, variant).map_err(input)?);
        bar.inc(1);
    }
    bar.finish_and_clear();

    let mut page = Page::new(&args.out, format!("{scene} by every method"));
    page.frames(&runs)?;
    page.convergence(&convergences)?;
    if !model.bodies().is_empty() {
        page.bodies(&runs);
    }
    page.finish()?;
    say!("{}", page.summary())?;
    say!("the page is {}", args.out.join("index.html").display())
}
