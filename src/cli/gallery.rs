//! `taut gallery`.

use super::interrupt::Interrupt;
use super::output::{Failure, input, note, progress_bar, say};
use crate::files::{check_output, create_folder};
use crate::runs::Run;
use crate::scenes::{self, Role};
use crate::viewer::{Film, Overlay, Sheet, Size};
use clap::Args;
use std::path::PathBuf;

/// Pixels of a picture; those of the sheet have a quarter of the width and height.
const SIZE: Size = Size(1280, 720);

#[derive(Args)]
pub struct GalleryArgs {
    /// Runs; left out: every scene of the catalogue but those only to be timed
    #[arg(value_name = "RUN")]
    scenes: Vec<String>,
    /// Folder of the pictures
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl GalleryArgs {
    fn runs(&self) -> Result<Vec<Run>, Failure> {
        let shown = scenes::all().filter(|scene| scene.role != Role::Timed).map(|scene| scene.name);
        let names: Vec<&str> = match self.scenes.is_empty() {
            true => shown.collect(),
            false => self.scenes.iter().map(String::as_str).collect(),
        };
        let runs = names.iter().map(|name| name.parse());
        let mut runs = runs.collect::<Result<Vec<Run>, _>>().map_err(input)?;
        Run::read_all(&mut runs).map_err(input)?;
        // Refused before the first is run.
        runs.iter().try_for_each(|run| run.load(&[]).map(drop)).map_err(input)?;
        Ok(runs)
    }
}

pub fn gallery(args: &GalleryArgs) -> Result<(), Failure> {
    let runs = args.runs()?;
    create_folder(&args.out).map_err(input)?;
    let sheet_file = args.out.join("gallery.png");
    check_output(&sheet_file).map_err(input)?;
    let interrupt = Interrupt::listen();
    let (mut sheet, mut wrong) = (Sheet::default(), 0);
    for (i, run) in runs.iter().enumerate() {
        let place = format!("{} of {}", i + 1, runs.len());
        if !show(args, run, &place, &interrupt, &mut sheet, &mut wrong)? {
            sheet.write(&sheet_file).map_err(input)?;
            return Err(Failure::Interrupted(format!("{run}: ended by a signal")));
        }
    }
    sheet.write(&sheet_file).map_err(input)?;
    say!("{}", sheet_file.display())?;
    match wrong {
        0 => Ok(()),
        _ => Err(Failure::Failed(format!("{wrong} of {} checks failed", runs.len()))),
    }
}

/// Simulates a scene for its own time and writes its pictures: when most moves in the first two thirds of the time, and at its end.
/// False where a signal came before that.
fn show(
    args: &GalleryArgs,
    run: &Run,
    place: &str,
    interrupt: &Interrupt,
    sheet: &mut Sheet,
    wrong: &mut usize,
) -> Result<bool, Failure> {
    let mut opened = run.open(&[]).map_err(input)?;
    let (seconds, _) = run.look();
    let dt = opened.simulation.model().settings.dt;
    let frames = ((seconds / dt).round() as u64).max(2);
    let mut film = Film::new(&opened, Overlay::Plain, 2).map_err(input)?;
    let bar = progress_bar(frames, "{msg} {bar:30} {pos}/{len} frames, {eta} left");
    bar.set_message(format!("{run} ({place})"));
    for frame in 1..=frames {
        if interrupt.is_asked() {
            return Ok(false);
        }
        opened.simulation.step();
        if frame == frames {
            film.add(&opened.simulation);
        } else if frame <= (2 * frames).div_ceil(3) {
            film.add_liveliest(&opened.simulation);
        } else {
            film.see(&opened.simulation);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Err(what) = opened.check() {
        note!("{run}: the check failed: {what}");
        *wrong += 1;
    }
    let name = run.to_string().replace([':', '/', '\\', '@'], "-");
    let file = |i: usize| args.out.join(format!("{name}-{i}.png"));
    let small = film.write_pair(&opened.simulation, [file(1), file(2)], SIZE).map_err(input)?;
    sheet.add(run.to_string(), small);
    say!("{run}: {seconds} s in {frames} frames, {}", file(2).display())?;
    Ok(true)
}
